//! Heat in a plate with hot and cold spots: a stencil of five points, many times over.
//!
//! ```sh
//! cargo run --release -p accrue-examples --example heat
//! cargo run --release -p accrue-examples --example heat -- --width 2048 --height 2048 --steps 5000
//! ```

use accrue::offload;
use accrue_examples::picture::{self, Options};
use accrue_examples::report::Report;
use anyhow::{Result, ensure};
use clap::Parser;
use std::time::Instant;

/// Steps in time; where `fixed` is a number, the plate keeps it.
#[offload]
fn heat(w: usize, h: usize, fixed: &[f32], a: &mut Vec<f32>, b: &mut Vec<f32>, steps: usize) {
    #[sequential]
    for _ in 0..steps {
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                let at = y * w + x;
                let flow = a[at - 1] + a[at + 1] + a[at - w] + a[at + w] - 4.0 * a[at];
                b[at] = if fixed[at].is_nan() {
                    a[at] + 0.24 * flow
                } else {
                    fixed[at]
                };
            }
        }
        std::mem::swap(a, b);
    }
}

/// Spots that are kept hot or cold: their place and size as shares of the plate's width and height.
const SPOTS: [(f32, f32, f32, f32); 6] = [
    (0.2, 0.25, 0.06, 1.0),
    (0.72, 0.2, 0.04, 0.9),
    (0.55, 0.62, 0.09, 1.0),
    (0.15, 0.8, 0.05, 0.7),
    (0.85, 0.75, 0.07, 0.0),
    (0.4, 0.4, 0.05, 0.0),
];

fn spots(w: usize, h: usize) -> Vec<f32> {
    let mut fixed = vec![f32::NAN; w * h];
    for (at, fixed) in fixed.iter_mut().enumerate() {
        let (x, y) = ((at % w) as f32, (at / w) as f32);
        for (cx, cy, size, value) in SPOTS {
            let (dx, dy) = (x - cx * w as f32, y - cy * h as f32);
            if dx * dx + dy * dy < (size * h as f32).powi(2) {
                *fixed = value;
            }
        }
    }
    fixed
}

fn main() -> Result<()> {
    let options = Options::parse();
    options.common.begin()?;
    let (w, h) = (options.width.unwrap_or(640), options.height.unwrap_or(480));
    let steps = options.steps.unwrap_or(2000);
    ensure!(w > 2 && h > 2, "a plate has 3 x 3 points at least");
    let fixed = spots(w, h);
    let run = |device| {
        let (mut a, mut b) = (vec![0.3; w * h], vec![0.3; w * h]);
        let start = Instant::now();
        accrue::with_device(device, || heat(w, h, &fixed, &mut a, &mut b, steps));
        (a, start.elapsed())
    };
    let (expected, plain) = run(accrue::Device::Seq);
    let (plate, offloaded) = run(options.common.device);
    println!("{}\n", heat::explain().trim_end());
    ensure!(
        plate == expected,
        "points differ from the sequential loop's"
    );
    println!("check       {w} x {h} points after {steps} steps equal the sequential loop's");
    let mut report = Report::new("heat", &options.common);
    report.once("once", (w * h * steps) as u64, plain, offloaded);
    report.finish()?;
    options.common.picture("heat", &picture::field(w, &plate)?)
}
