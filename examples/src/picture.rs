//! Pictures of fields of numbers, and the options of examples that draw one.

use anyhow::{Context, Result};
use clap::Parser;
use image::{Rgb, RgbImage};

use crate::args::Common;

/// What an example that draws a field is asked for.
#[derive(Clone, Debug, Parser)]
pub struct Options {
    /// The options of every example.
    #[command(flatten)]
    pub common: Common,
    /// Columns of the field.
    #[arg(long)]
    pub width: Option<usize>,
    /// Rows of the field.
    #[arg(long)]
    pub height: Option<usize>,
    /// Steps in time, or of an iteration.
    #[arg(long)]
    pub steps: Option<usize>,
}

/// Colours from black over blue, violet and orange to a pale yellow, as stops at equal distances.
const STOPS: [[f32; 3]; 7] = [
    [4.0, 4.0, 16.0],
    [30.0, 20.0, 90.0],
    [105.0, 20.0, 130.0],
    [185.0, 45.0, 105.0],
    [240.0, 105.0, 55.0],
    [252.0, 180.0, 60.0],
    [252.0, 250.0, 200.0],
];

/// The colour of a number from 0 to 1; what lies beyond has the colour of the end.
pub fn colour(of: f32) -> [u8; 3] {
    let last = STOPS.len() - 1;
    let at = if of.is_nan() { 0.0 } else { of.clamp(0.0, 1.0) } * last as f32;
    let below = (at as usize).min(last - 1);
    let share = at - below as f32;
    std::array::from_fn(|c| {
        let (from, to) = (STOPS[below][c], STOPS[below + 1][c]);
        (from + (to - from) * share).round() as u8
    })
}

/// A field of `width` columns as a picture, each number by its [`colour`].
///
/// # Errors
///
/// If the field has no whole rows.
pub fn field(width: usize, field: &[f32]) -> Result<RgbImage> {
    let height = field.len() / width.max(1);
    let bytes: Vec<u8> = field.iter().flat_map(|v| colour(*v)).collect();
    let whole = height * width == field.len();
    let picture = RgbImage::from_raw(width as u32, height as u32, bytes);
    picture
        .filter(|_| whole)
        .context("the field is no rectangle")
}

/// A field of counts as a picture: black where there are none, and lighter by the logarithm of the count.
///
/// # Errors
///
/// If the field has no whole rows.
pub fn counts(width: usize, counts: &[u64]) -> Result<RgbImage> {
    let most = logarithm(counts.iter().copied().max().unwrap_or(0)).max(1.0);
    let shade = |count: &u64| match count {
        0 => 0.0,
        count => 0.12 + 0.88 * logarithm(*count) / most,
    };
    field(width, &counts.iter().map(shade).collect::<Vec<f32>>())
}

/// The logarithm to the base 2, straight between the powers of 2, so that every machine has the same.
fn logarithm(of: u64) -> f32 {
    let Some(whole) = of.checked_ilog2() else {
        return 0.0;
    };
    whole as f32 + (of as f64 / (1u64 << whole) as f64 - 1.0) as f32
}

/// A field of grey values, `width` columns of them.
///
/// # Errors
///
/// If the field has no whole rows.
pub fn grey(width: usize, values: &[u8]) -> Result<RgbImage> {
    let height = values.len() / width.max(1);
    let bytes: Vec<u8> = values.iter().flat_map(|v| [*v; 3]).collect();
    let whole = height * width == values.len();
    let picture = RgbImage::from_raw(width as u32, height as u32, bytes);
    picture
        .filter(|_| whole)
        .context("the field is no rectangle")
}

/// The picture with every pixel as a square of `times` by `times`.
pub fn enlarged(picture: &RgbImage, times: u32) -> RgbImage {
    let (w, h) = picture.dimensions();
    RgbImage::from_fn(w * times, h * times, |x, y| {
        *picture.get_pixel(x / times, y / times)
    })
}

/// The picture upside down, so that rows of a field count upwards as in a plot.
pub fn upwards(picture: &RgbImage) -> RgbImage {
    image::imageops::flip_vertical(picture)
}

/// The picture in smaller rows and columns, each the lightest of `across` by `down` pixels, so that thin lines stay.
pub fn lightest(picture: &RgbImage, across: u32, down: u32) -> RgbImage {
    let (w, h) = picture.dimensions();
    RgbImage::from_fn(w.div_ceil(across), h.div_ceil(down), |x, y| {
        let all = (y * down..(y * down + down).min(h))
            .flat_map(|v| (x * across..(x * across + across).min(w)).map(move |u| (u, v)));
        let light = |p: &Rgb<u8>| p.0.iter().map(|c| u32::from(*c)).sum::<u32>();
        all.map(|(u, v)| *picture.get_pixel(u, v))
            .max_by_key(light)
            .unwrap_or(Rgb([0; 3]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_go_from_dark_to_light() {
        let light = |of| colour(of).iter().map(|c| u32::from(*c)).sum::<u32>();
        let lights: Vec<u32> = (0..=20).map(|n| light(n as f32 / 20.0)).collect();
        assert!(lights.is_sorted(), "{lights:?}");
        assert_eq!(colour(-3.0), colour(0.0));
        assert_eq!(colour(7.0), colour(1.0));
        assert_eq!(colour(f32::NAN), colour(0.0));
    }

    #[test]
    fn numbers_become_pixels() {
        let picture = field(3, &[0.0, 0.5, 1.0, 1.0, 0.5, 0.0]).unwrap();
        assert_eq!(picture.dimensions(), (3, 2));
        assert_eq!(picture.get_pixel(2, 0).0, colour(1.0));
        assert!(field(4, &[0.0; 3]).is_err());
        assert_eq!(grey(1, &[7, 9]).unwrap().get_pixel(0, 1).0, [9; 3]);
        assert!(grey(2, &[7]).is_err());
    }

    #[test]
    fn counts_are_lighter_by_their_logarithm() {
        let picture = counts(3, &[0, 1, 1 << 40]).unwrap();
        assert_eq!(picture.get_pixel(0, 0).0, colour(0.0));
        assert_eq!(picture.get_pixel(1, 0).0, colour(0.12));
        assert_eq!(picture.get_pixel(2, 0).0, colour(1.0));
        assert_eq!((logarithm(1), logarithm(12), logarithm(0)), (0.0, 3.5, 0.0));
    }

    #[test]
    fn thin_lines_stay_in_small_pictures() {
        let mut picture = RgbImage::new(7, 4);
        picture.put_pixel(6, 3, Rgb([255; 3]));
        let small = lightest(&picture, 4, 2);
        assert_eq!(small.dimensions(), (2, 2));
        assert_eq!(small.get_pixel(1, 1).0, [255; 3]);
        assert_eq!(enlarged(&small, 3).get_pixel(5, 5).0, [255; 3]);
        assert_eq!(upwards(&small).get_pixel(1, 0).0, [255; 3]);
    }
}
