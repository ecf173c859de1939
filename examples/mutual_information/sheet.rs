//! The picture of a registration: slices of both volumes as a checkerboard, and their joint histogram, before and after.

use accrue_examples::page::{Panel, fitted, page, panel};
use accrue_examples::picture;
use anyhow::Result;
use image::{Rgb, RgbImage};

use crate::loops::Histograms;
use crate::volume::Volume;

/// The height of a slice on the page.
const SIDE: u32 = 300;

/// A slice through the middle.
#[derive(Clone, Copy)]
enum Cut {
    /// Columns and rows.
    Axial,
    /// Columns and slices.
    Coronal,
}

/// A slice of voxels in the grid of `of`, with square pixels; slices of a head stand upwards.
fn slice(of: &Volume, voxels: &[u8], cut: Cut) -> Result<RgbImage> {
    let [w, h, d] = of.size;
    let [dx, dy, dz] = of.spacing;
    let (flat, height, unit) = match cut {
        Cut::Axial => {
            let at = d / 2 * w * h;
            (voxels[at..at + w * h].to_vec(), h, dy)
        }
        Cut::Coronal => {
            let rows = (0..d).rev().map(|z| (z * h + h / 2) * w);
            let flat = rows.flat_map(|at| voxels[at..at + w].to_vec()).collect();
            (flat, d, dz)
        }
    };
    let plain = picture::grey(w, &flat)?;
    let tall = (height as f32 * unit / dx).round().max(1.0) as u32;
    let square = image::imageops::resize(
        &plain,
        w as u32,
        tall,
        image::imageops::FilterType::Triangle,
    );
    let times = (SIDE / square.height().max(1)).max(1);
    Ok(fitted(&picture::enlarged(&square, times), SIDE, SIDE))
}

/// Fields of one picture and of the other in turns, the other's in warm colours.
fn checkerboard(one: &RgbImage, other: &RgbImage) -> RgbImage {
    let field = (one.width() / 8).max(1);
    RgbImage::from_fn(one.width(), one.height(), |x, y| {
        if (x / field + y / field).is_multiple_of(2) {
            return *one.get_pixel(x, y);
        }
        let light = f32::from(other.get_pixel(x, y).0[0]);
        Rgb([light, 0.78 * light, 0.5 * light].map(|c| c as u8))
    })
}

/// The joint histogram as a heat map, the fixed volume's intensities to the right, the other's upwards.
fn heat_map(histograms: &Histograms) -> Result<RgbImage> {
    let across = (0..256).rev().flat_map(|y| (0..256).map(move |x| (x, y)));
    let counts: Vec<u64> = across
        .map(|(x, y)| u64::from(histograms.joint[x][y]))
        .collect();
    picture::counts(256, &counts)
}

/// Voxels of the moving volume in the grid of the fixed one, and the histograms of both.
pub(crate) struct State<'a> {
    pub voxels: &'a [u8],
    pub histograms: &'a Histograms,
}

/// The page.
pub(crate) fn sheet(
    subtitle: &str,
    fixed: &Volume,
    before: &State<'_>,
    after: &State<'_>,
) -> Result<RgbImage> {
    let row = |when: &str, state: &State<'_>| -> Result<Vec<Panel>> {
        let mut row = Vec::new();
        for (name, cut) in [("axial", Cut::Axial), ("coronal", Cut::Coronal)] {
            let one = slice(fixed, &fixed.voxels, cut)?;
            let other = slice(fixed, state.voxels, cut)?;
            row.push(panel(format!("{when}, {name}"), checkerboard(&one, &other)));
        }
        let bits = state.histograms.mutual_information();
        let caption = format!("joint histogram, {bits:.3} bits");
        row.push(panel(caption, heat_map(state.histograms)?));
        Ok(row)
    };
    let mut whole = Vec::new();
    for (name, voxels) in [
        ("fixed", &fixed.voxels[..]),
        ("moving, as it came", before.voxels),
    ] {
        whole.push(panel(name, slice(fixed, voxels, Cut::Axial)?));
    }
    let rows = [whole, row("before", before)?, row("after", after)?];
    page("Registration by mutual information", subtitle, &rows)
}
