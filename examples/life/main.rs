//! Conway's Game of Life on a torus: every generation is read as a whole and written as a whole.
//!
//! ```sh
//! cargo run --release -p accrue-examples --example life
//! cargo run --release -p accrue-examples --example life -- --width 2048 --height 2048 --steps 1000
//! ```
//!
//! The picture shows how long ago each cell was last alive: light where it lives, darker the longer that is past.

use accrue::offload;
use accrue_examples::picture::{self, Options};
use accrue_examples::report::Report;
use anyhow::{Result, ensure};
use clap::Parser;
use std::time::Instant;

/// Generations from one to another; `last` says in which a cell was alive the last time.
#[offload]
fn live(w: usize, cells: &mut Vec<u8>, next: &mut Vec<u8>, last: &mut [u32], generations: u32) {
    #[sequential]
    for generation in 1..=generations {
        let h = cells.len() / w;
        for y in 0..h {
            let (above, below) = ((y + h - 1) % h * w, (y + 1) % h * w);
            for x in 0..w {
                let (left, right) = ((x + w - 1) % w, (x + 1) % w);
                let around = cells[above + left]
                    + cells[above + x]
                    + cells[above + right]
                    + cells[y * w + left]
                    + cells[y * w + right]
                    + cells[below + left]
                    + cells[below + x]
                    + cells[below + right];
                let alive = around == 3 || (around == 2 && cells[y * w + x] == 1);
                next[y * w + x] = u8::from(alive);
                if alive {
                    last[y * w + x] = generation;
                }
            }
        }
        std::mem::swap(cells, next);
    }
}

/// Noise in a disc in the middle, the same every time.
fn first(w: usize, h: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut noise = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut cells = vec![0; w * h];
    for (at, cell) in cells.iter_mut().enumerate() {
        let (x, y) = (
            (at % w) as f64 / w as f64 - 0.5,
            (at / w) as f64 / h as f64 - 0.5,
        );
        let inside = x * x + y * y < 0.06;
        *cell = u8::from(inside && noise() % 3 == 0);
    }
    cells
}

fn main() -> Result<()> {
    let options = Options::parse();
    options.common.begin()?;
    let (w, h) = (options.width.unwrap_or(640), options.height.unwrap_or(480));
    let generations = options.steps.unwrap_or(300) as u32;
    let run = |device| {
        let (mut cells, mut next, mut last) = (first(w, h), vec![0; w * h], vec![0; w * h]);
        let start = Instant::now();
        accrue::with_device(device, || {
            live(w, &mut cells, &mut next, &mut last, generations);
        });
        (cells, last, start.elapsed())
    };
    let (expected, expected_last, plain) = run(accrue::Device::Seq);
    let (cells, last, offloaded) = run(options.common.device);
    println!("{}\n", live::explain().trim_end());
    ensure!(
        (&cells, &last) == (&expected, &expected_last),
        "cells differ from the sequential loop's"
    );
    let alive = cells.iter().filter(|c| **c == 1).count();
    println!(
        "check       {w} x {h} cells after {generations} generations equal the sequential loop's"
    );
    println!("alive       {alive}");
    let mut report = Report::new("life", &options.common);
    let updates = (w * h) as u64 * u64::from(generations);
    report.once("once", updates, plain, offloaded);
    report.finish()?;
    let shade = |(cell, last): (&u8, &u32)| match (*cell, *last) {
        (1, _) => 1.0,
        (_, 0) => 0.0,
        (_, last) => 0.15 + 0.6 * last as f32 / generations.max(1) as f32,
    };
    let field: Vec<f32> = cells.iter().zip(&last).map(shade).collect();
    options.common.picture("life", &picture::field(w, &field)?)
}
