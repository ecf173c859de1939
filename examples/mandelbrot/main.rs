//! Draws Mandelbrot's set: iterations of very different lengths, each with an element of its own.
//!
//! ```sh
//! cargo run --release -p accrue-examples --example mandelbrot
//! cargo run --release -p accrue-examples --example mandelbrot -- --width 3840 --height 2160 --steps 2000 -o set.png
//! ```

use accrue::{Device, offload};
use accrue_examples::picture::{self, Options};
use accrue_examples::report::Report;
use anyhow::{Result, ensure};
use clap::Parser;

#[offload]
fn mandelbrot(w: usize, h: usize, most: u32, steps: &mut [u32]) {
    for y in 0..h {
        for x in 0..w {
            let cr = (x as f64 + 0.5) / w as f64 * 3.2 - 2.3;
            let ci = ((y as f64 + 0.5) / h as f64 - 0.5) * 3.2 * h as f64 / w as f64;
            let (mut zr, mut zi, mut n) = (0.0, 0.0, 0);
            while n < most && zr * zr + zi * zi <= 4.0 {
                let t = zr * zr - zi * zi + cr;
                zi = 2.0 * zr * zi + ci;
                zr = t;
                n += 1;
            }
            steps[y * w + x] = n;
        }
    }
}

fn main() -> Result<()> {
    let options = Options::parse();
    options.common.begin()?;
    let (w, h) = (options.width.unwrap_or(960), options.height.unwrap_or(720));
    let most = options.steps.unwrap_or(400) as u32;
    let run = |device, steps: &mut [u32]| {
        accrue::with_device(device, || mandelbrot(w, h, most, steps));
    };
    let (mut steps, mut expected) = (vec![0; w * h], vec![0; w * h]);
    run(options.common.device, &mut steps);
    println!("{}\n", mandelbrot::explain().trim_end());
    run(Device::Seq, &mut expected);
    ensure!(
        steps == expected,
        "points differ from the sequential loop's"
    );
    println!("check       {w} x {h} points equal the sequential loop's");
    let mut report = Report::new("mandelbrot", &options.common);
    report.in_turns("points", (w * h) as u64, |device| run(device, &mut steps));
    report.finish()?;
    // Few steps fill most of the picture, so that logarithms show more.
    let scale = (1.0 + most as f32).ln();
    let shade = |n: &u32| match *n == most {
        true => 0.0,
        false => (1.0 + *n as f32).ln() / scale,
    };
    let field: Vec<f32> = steps.iter().map(shade).collect();
    options
        .common
        .picture("mandelbrot", &picture::field(w, &field)?)
}
