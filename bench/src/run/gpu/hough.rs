//! A Hough transform as the paper has it: every point of a picture votes for 180 lines.

use std::time::Duration;

use accrue::__bench::queue;
use accrue::__rt::gpu::{Array, Bins};
use accrue::{DeviceBuffer, Stream};
use serde::{Deserialize, Serialize};

use super::{settle, timed};
use crate::check::kernel;
use crate::data::Random;

const TEXT: &str = "fn hough(xs: &[f32], ys: &[f32], cos: &[f32], sin: &[f32], votes: &mut [[u32; 182]]) { \
    for i in 0..xs.len() { for t in 0..180 { let rho = xs[i] * cos[t] + ys[i] * sin[t]; \
    votes[(rho + 3001.0f32) as usize][t] += 1; } } }";

const POINTS: usize = 1 << 22;
const ANGLES: usize = 180;
const COLUMNS: usize = 182;
const ROWS: usize = 6003;

/// Votes of a call.
pub(super) const UPDATES: usize = POINTS * ANGLES;

/// One way of it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Figure {
    pub(super) way: String,
    /// Median; none with the reason why not.
    pub(super) us: Option<f64>,
    pub(super) note: String,
}

/// Measures the automatic choice and the strategies that have room for the bins, and prints a line for each; whether every
/// result was right.
pub(super) fn measure(
    stream: &Stream,
    samples: usize,
    seed: u64,
) -> anyhow::Result<(Vec<Figure>, bool)> {
    let mut random = Random::new(seed);
    let mut coordinates =
        || -> Vec<f32> { (0..POINTS).map(|_| random.below(2048) as f32).collect() };
    let (xs, ys) = (coordinates(), coordinates());
    let angles = (0..ANGLES).map(|t| (t as f32).to_radians());
    let cos: Vec<f32> = angles.clone().map(f32::cos).collect();
    let sin: Vec<f32> = angles.map(f32::sin).collect();
    let mut expected = vec![[0u32; COLUMNS]; ROWS];
    for (x, y) in xs.iter().zip(&ys) {
        for t in 0..ANGLES {
            expected[(x * cos[t] + y * sin[t] + 3001.0) as usize][t] += 1;
        }
    }
    let on_device = [&xs, &ys, &cos, &sin].map(|data| DeviceBuffer::from_slice_on(stream, data));
    let on_device = on_device.into_iter().collect::<Result<Vec<_>, _>>()?;
    let compiled = kernel::compile(TEXT, &[])?;
    let names = ["xs", "ys", "cos", "sin"];
    let arrays: Vec<Array<'_>> = compiled
        .arrays
        .iter()
        .map(|name| match names.iter().position(|n| n == name) {
            Some(n) => Array::device(on_device[n].as_slice()),
            None => Array::length(ROWS),
        })
        .collect();
    let mut figures = Vec::new();
    let mut right = true;
    for way in ["auto", "gang_window", "atomic_global", "gang_global"] {
        let of = compiled.the_loop(if way == "auto" { "" } else { way });
        let mut votes = DeviceBuffer::<[u32; COLUMNS]>::zeroed_on(stream, ROWS)?;
        let mut calls = 0;
        let mut call = || -> anyhow::Result<()> {
            calls += 1;
            let bins = &mut [Bins::device(votes.as_slice_mut())];
            let counts = [POINTS as u64, ANGLES as u64];
            Ok(queue(&of, stream, &counts, &arrays, bins, &[])?)
        };
        let settled = match way {
            "auto" => settle(stream, &mut call),
            _ => Ok(()),
        };
        let time = settled.and_then(|()| timed(stream, samples, Duration::from_secs(1), &mut call));
        let (us, note) = match time {
            Ok(time) => {
                let found = votes.to_vec()?;
                let found = found.as_flattened().iter();
                let same = found
                    .zip(expected.as_flattened())
                    .all(|(f, e)| *f == e.wrapping_mul(calls));
                right &= same;
                let note = if same { "" } else { "WRONG" };
                (Some(time.as_secs_f64() * 1e6), note.to_owned())
            }
            Err(e) => (None, e.to_string()),
        };
        let updates = UPDATES as f64;
        match us {
            Some(us) => println!(
                "hough {POINTS} points, {ROWS} x {COLUMNS}: {way} {us:.0} us, {:.0} G updates a second {note}",
                updates / us / 1e3
            ),
            None => println!("hough: {way}: {note}"),
        }
        figures.push(Figure {
            way: way.to_owned(),
            us,
            note,
        });
    }
    Ok((figures, right))
}
