//! The colours of a picture of 1920 by 1080: what a short call costs, host and all.

use std::time::{Duration, Instant};

use accrue::__bench::queue;
use accrue::__rt::gpu::{Array, Bins};
use accrue::{DeviceBuffer, Stream};
use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

use super::{settle, timed};
use crate::check::kernel;
use crate::data::{Random, median};

const TEXT: &str = "fn colours(pixels: &[[u8; 3]], hist: &mut [u32; 768]) { for p in pixels { hist[p[0] as usize] += 1; hist[256 + p[1] as usize] += 1; hist[512 + p[2] as usize] += 1; } }";

const PIXELS: usize = 1920 * 1080;

/// Calls in a row.
const CALLS: u32 = 500;

/// Rows, of whose times the medians are told.
const ROWS: usize = 7;

/// The figure that the bar is about.
pub(super) const IN_A_ROW: &str = "a call in a row of 500";

/// A figure of a call, in microseconds.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Figure {
    pub(super) what: String,
    pub(super) us: f64,
}

/// Measures, and prints a line for each figure.
pub(super) fn measure(stream: &Stream, seed: u64) -> anyhow::Result<Vec<Figure>> {
    let mut random = Random::new(seed);
    let picture: Vec<[u8; 3]> = (0..PIXELS)
        .map(|i| {
            [
                (i / 8000) as u8,
                (random.next() & 63) as u8,
                (i % 1920 / 8) as u8,
            ]
        })
        .collect();
    let pixels = DeviceBuffer::from_slice_on(stream, &picture)?;
    let mut bins = DeviceBuffer::<u32>::zeroed_on(stream, 768)?;
    let compiled = kernel::compile(TEXT, &[])?;
    let of = compiled.the_loop("");
    let arrays: Vec<Array<'_>> = compiled
        .arrays
        .iter()
        .map(|name| {
            if name == "pixels" {
                Array::device(pixels.as_slice())
            } else {
                Array::length(768)
            }
        })
        .collect();
    let mut calls = 0u64;
    let mut call = || -> anyhow::Result<()> {
        calls += 1;
        let bins = &mut [Bins::device(bins.as_slice_mut())];
        Ok(queue(&of, stream, &[PIXELS as u64], &arrays, bins, &[])?)
    };
    let begin = Instant::now();
    call()?;
    stream.sync()?;
    let first = begin.elapsed();
    settle(stream, &mut call)?;
    let device = timed(stream, 21, Duration::MAX, &mut call)?;
    let (mut queued, mut each) = (Vec::new(), Vec::new());
    for _ in 0..ROWS {
        let begin = Instant::now();
        for _ in 0..CALLS {
            call()?;
        }
        queued.push(begin.elapsed() / CALLS);
        stream.sync().context("500 calls in a row")?;
        each.push(begin.elapsed() / CALLS);
    }
    let mut waits = Vec::new();
    for _ in 0..51 {
        let begin = Instant::now();
        call()?;
        stream.sync()?;
        waits.push(begin.elapsed());
    }
    let found = bins.to_vec()?;
    let mut expected = vec![0u64; 768];
    for p in &picture {
        for (channel, &value) in p.iter().enumerate() {
            expected[256 * channel + usize::from(value)] += calls;
        }
    }
    let right = found.iter().zip(&expected).all(|(f, e)| *f == *e as u32);
    ensure!(
        right,
        "the colours of {calls} calls are not those of the picture"
    );
    let figures = [
        ("first call, compilation included", first),
        ("device time", device),
        ("host time to queue a call", median(queued)),
        (IN_A_ROW, median(each)),
        ("a call and its wait", median(waits)),
    ];
    let figures = figures.map(|(what, time)| Figure {
        what: what.to_owned(),
        us: time.as_secs_f64() * 1e6,
    });
    for figure in &figures {
        println!(
            "{PIXELS} pixels, 768 bins: {}: {:.1} us",
            figure.what, figure.us
        );
    }
    Ok(figures.into())
}
