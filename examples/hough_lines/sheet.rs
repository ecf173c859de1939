//! The picture of a Hough transform: the lines over the photograph, the edges, and the accumulator with its peaks.

use accrue_examples::chart::thousands;
use accrue_examples::page::{fitted, page, panel};
use accrue_examples::picture;
use anyhow::Result;
use image::{DynamicImage, GrayImage, Rgb, RgbImage, imageops};
use imageproc::drawing::draw_hollow_circle_mut;
use imageproc::hough::{PolarLine, draw_polar_lines_mut};

use crate::lines::{Edges, Line};
use crate::loops::ANGLES;

/// The size of the photograph on the page, and the width of the accumulator.
const PHOTO: (u32, u32) = (620, 420);
const WIDE: u32 = 1264;

const DRAWN: Rgb<u8> = Rgb([255, 196, 40]);

/// The page.
pub(crate) fn sheet(
    photo: &RgbImage,
    edge_picture: &GrayImage,
    edges: &Edges,
    votes: &[u32],
    lines: &[Line],
) -> Result<RgbImage> {
    let mut drawn = photo.clone();
    let polar: Vec<PolarLine> = lines.iter().map(|line| line.polar).collect();
    // As thick as can be seen when the photograph is made smaller.
    let thick = (photo.width() / PHOTO.0).max(1) as i32;
    for off in -thick..=thick {
        let moved: Vec<PolarLine> = polar
            .iter()
            .map(|line| PolarLine {
                r: line.r + off as f32 * 0.5,
                ..*line
            })
            .collect();
        draw_polar_lines_mut(&mut drawn, &moved, DRAWN);
    }
    let white = DynamicImage::ImageLuma8(edge_picture.clone()).to_rgb8();
    let (rows, columns) = edges.size();
    let top = vec![
        panel(
            format!("{} lines", lines.len()),
            fitted(&drawn, PHOTO.0, PHOTO.1),
        ),
        panel(
            format!("{} edge pixels", thousands(edges.pixels.len() as u64)),
            fitted(&white, PHOTO.0, PHOTO.1),
        ),
    ];
    let caption = format!(
        "{columns} × {rows} bins: distances from the corner to the right, angles from 0 to 180 degrees downwards"
    );
    let below = vec![panel(caption, accumulator(edges, votes, lines)?)];
    let (w, h) = photo.dimensions();
    let subtitle = format!(
        "{w} × {h} pixels, {} updates",
        thousands((ANGLES * edges.pixels.len()) as u64)
    );
    page("Lines by the Hough transform", &subtitle, &[top, below])
}

/// The accumulator as a heat map, peaks ringed.
fn accumulator(edges: &Edges, votes: &[u32], lines: &[Line]) -> Result<RgbImage> {
    let (rows, columns) = edges.size();
    let most = votes.iter().copied().max().unwrap_or(1).max(1) as f32;
    let shades: Vec<f32> = votes.iter().map(|v| (*v as f32 / most).sqrt()).collect();
    let whole = picture::field(columns, &shades)?;
    let across = (columns as u32).div_ceil(WIDE);
    let narrow = picture::lightest(&whole, across, 1);
    let mut map = imageops::resize(
        &narrow,
        narrow.width(),
        2 * rows as u32,
        imageops::FilterType::Nearest,
    );
    for line in lines {
        let x = (line.polar.r as i32 + edges.middle() as i32 + 1) / across as i32;
        let y = 2 * (line.polar.angle_in_degrees as i32 + 1);
        draw_hollow_circle_mut(&mut map, (x, y), 6, Rgb([255; 3]));
    }
    Ok(map)
}
