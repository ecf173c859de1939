//! Pictures of fields of numbers, and the command line of examples that draw one.

use std::path::{Path, PathBuf};

use accrue::Device;
use anyhow::{Context, Result};
use clap::Parser;
use image::RgbImage;

use crate::args::shown;

/// What an example that draws a field is asked for.
#[derive(Clone, Debug, Parser)]
pub struct Options {
    /// Where the loops run: `auto`, `seq`, `cpu`, `cuda`, ..
    #[arg(long, default_value = "auto")]
    pub device: Device,
    /// Columns of the field.
    #[arg(long)]
    pub width: Option<usize>,
    /// Rows of the field.
    #[arg(long)]
    pub height: Option<usize>,
    /// Steps in time, or of an iteration.
    #[arg(long)]
    pub steps: Option<usize>,
    /// The picture to write; by default in the examples' folder `out`.
    #[arg(short, long)]
    pub output: Option<PathBuf>,
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

/// Draws a field of `width` columns, each number by its [`colour`], writes it, and says where.
///
/// # Errors
///
/// If the picture cannot be written.
pub fn save(example: &str, options: &Options, width: usize, field: &[f32]) -> Result<()> {
    let height = field.len() / width.max(1);
    let bytes = field.iter().flat_map(|v| colour(*v)).collect();
    let picture = RgbImage::from_raw(width as u32, height as u32, bytes);
    let picture = picture.context("the field is no rectangle")?;
    let otherwise = || {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        here.join("out").join(format!("{example}.png"))
    };
    let path = options.output.clone().unwrap_or_else(otherwise);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
    }
    picture
        .save(&path)
        .with_context(|| format!("cannot write the picture {}", path.display()))?;
    println!("picture     {}", shown(&path));
    Ok(())
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
    fn a_picture_is_written_where_it_is_asked_for() {
        let folder = std::env::temp_dir().join(format!("accrue-{}", std::process::id()));
        let path = folder.join("field.png");
        let text = path.display().to_string();
        let options = Options::parse_from(["field", "-o", text.as_str(), "--width", "3"]);
        assert_eq!((options.width, options.steps), (Some(3), None));
        save("field", &options, 3, &[0.0, 0.5, 1.0, 1.0, 0.5, 0.0]).unwrap();
        let picture = image::open(&path).unwrap().to_rgb8();
        assert_eq!(picture.dimensions(), (3, 2));
        assert_eq!(picture.get_pixel(2, 0).0, colour(1.0));
        assert!(save("field", &options, 4, &[0.0; 3]).is_err() || folder.exists());
        std::fs::remove_dir_all(folder).unwrap();
    }
}
