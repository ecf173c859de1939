//! The picture of the pairs: every filled bin as a dot in space, and what is left when each of the weights is summed up.

use accrue_examples::chart::thousands;
use accrue_examples::page::{page, panel};
use accrue_examples::picture;
use anyhow::Result;
use image::{Rgb, RgbImage};
use imageproc::drawing::{draw_antialiased_line_segment_mut, draw_filled_circle_mut};
use imageproc::pixelops::interpolate;

type Bins = [[[u64; 128]; 128]; 128];

/// Weights from here to there are shown; nearly all pairs are there.
const FROM: usize = 42;
const TO: usize = 86;
/// What words have in common is about half as much.
const COMMON: usize = 48;
/// The side of a bin in a heat map.
const TIMES: u32 = 8;

/// The page.
pub(crate) fn sheet(k: usize, joint: &Bins) -> Result<RgbImage> {
    let shown = FROM..TO;
    let (side, low) = (shown.len(), 0..COMMON);
    let mut first_second = Vec::new();
    for j in shown.clone().rev() {
        first_second.extend(shown.clone().map(|i| joint[i][j].iter().sum::<u64>()));
    }
    let mut first_common = Vec::new();
    for l in low.rev() {
        let with = |i: usize| joint[i].iter().map(|row| row[l]).sum::<u64>();
        first_common.extend(shown.clone().map(with));
    }
    let map = |counts: &[u64]| -> Result<RgbImage> {
        Ok(picture::enlarged(&picture::counts(side, counts)?, TIMES))
    };
    let filled = joint
        .as_flattened()
        .as_flattened()
        .iter()
        .filter(|c| **c > 0);
    let subtitle = format!(
        "{} pairs of words of a (127, {k}) code in 128 × 128 × 128 bins, {} of them filled",
        thousands(1 << (2 * k)),
        thousands(filled.count() as u64)
    );
    let rows = [
        vec![panel(
            format!("weights {FROM} to {TO} of both words, and upwards what they have in common"),
            space(joint),
        )],
        vec![
            panel("w(a) to the right, w(b) upwards", map(&first_second)?),
            panel("w(a) to the right, w(a AND b) upwards", map(&first_common)?),
        ],
    ];
    page("Joint weights of a BCH code", &subtitle, &rows)
}

/// The bins seen from above one corner: dots from the back to the front.
fn space(joint: &Bins) -> RgbImage {
    let mut picture = RgbImage::from_pixel(792, 600, Rgb([10, 10, 22]));
    const LOWEST: f32 = 15.0;
    let at = |i: f32, j: f32, l: f32| {
        let (x, y) = (i - FROM as f32, j - FROM as f32);
        (
            396.0 + 8.4 * (x - y),
            310.0 + 3.1 * (x + y) - 9.0 * (l - LOWEST),
        )
    };
    let (from, to) = (FROM as f32, TO as f32);
    for step in 0..=11 {
        let on = from + (to - from) * step as f32 / 11.0;
        for (start, end) in [
            (at(on, from, LOWEST), at(on, to, LOWEST)),
            (at(from, on, LOWEST), at(to, on, LOWEST)),
        ] {
            let ends = |(x, y): (f32, f32)| (x as i32, y as i32);
            draw_antialiased_line_segment_mut(
                &mut picture,
                ends(start),
                ends(end),
                Rgb([52, 52, 74]),
                interpolate,
            );
        }
    }
    let shown = FROM..TO;
    let counts: Vec<u64> = joint.as_flattened().as_flattened().to_vec();
    let most = counts.iter().copied().max().unwrap_or(1).max(2);
    for near in 2 * FROM..2 * TO - 1 {
        for i in shown.clone() {
            let Some(j) = near.checked_sub(i).filter(|j| shown.contains(j)) else {
                continue;
            };
            for (l, count) in joint[i][j].iter().enumerate().filter(|(_, c)| **c > 0) {
                let share = (count.ilog2() as f32 + 1.0) / (most.ilog2() as f32 + 1.0);
                let (x, y) = at(i as f32, j as f32, l as f32);
                let colour = Rgb(picture::colour(0.25 + 0.75 * share));
                let radius = (1.0 + 4.0 * share) as i32;
                draw_filled_circle_mut(&mut picture, (x as i32, y as i32), radius, colour);
            }
        }
    }
    picture
}
