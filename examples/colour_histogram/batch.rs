//! Many photographs: which files they are, going through them, and one sheet with all of them.

use std::path::PathBuf;

use accrue_examples::args::shown;
use accrue_examples::chart::{self, thousands};
use accrue_examples::page::{fitted, page, panel};
use accrue_examples::progress;
use anyhow::{Context, Result, ensure};
use image::{ImageFormat, RgbImage};

use crate::Counted;

/// On a sheet: columns of photographs, and the size of one.
const COLUMNS: usize = 2;
const SIDE: u32 = 220;
/// More photographs are counted, and not drawn.
const DRAWN: usize = 24;

/// The photographs among what was named: files as they are, and of folders the files that can be read, in order.
pub(crate) fn paths(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for path in named {
        if !path.is_dir() {
            paths.push(path.clone());
            continue;
        }
        let entries =
            std::fs::read_dir(path).with_context(|| format!("cannot list {}", path.display()))?;
        let files = entries.map(|entry| Ok(entry?.path()));
        let mut files: Vec<PathBuf> = files.collect::<Result<_>>()?;
        files.retain(|file| {
            let format = ImageFormat::from_path(file);
            file.is_file() && format.is_ok_and(|format| format.reading_enabled())
        });
        ensure!(!files.is_empty(), "no picture lies in {}", shown(path));
        files.sort();
        paths.append(&mut files);
    }
    Ok(paths)
}

/// Goes through the photographs, with a bar where there are many.
pub(crate) fn each(
    paths: &[PathBuf],
    mut one: impl FnMut(PathBuf) -> Result<Counted>,
) -> Result<Vec<Counted>> {
    let bar = progress::bar("photographs", paths.len() as u64);
    let counted = paths.iter().map(|path| {
        bar.inc(1);
        one(path.clone())
    });
    let counted = counted.collect();
    bar.finish_and_clear();
    counted
}

/// The photographs with their curves beside them.
pub(crate) fn sheet(all: &[Counted]) -> Result<RgbImage> {
    let mut rows = Vec::new();
    for some in all[..all.len().min(DRAWN)].chunks(COLUMNS) {
        let mut row = Vec::new();
        for one in some {
            let (w, h) = one.photo.dimensions();
            let mut framed = RgbImage::from_pixel(SIDE, SIDE, image::Rgb([240, 240, 237]));
            let small = fitted(&one.photo, SIDE, SIDE);
            let (x, y) = ((SIDE - small.width()) / 2, (SIDE - small.height()) / 2);
            image::imageops::replace(&mut framed, &small, x.into(), y.into());
            row.push(panel(one.name(), framed));
            let curves = chart::curves(&one.channels(), 2 * SIDE, SIDE)?;
            row.push(panel(format!("{w} × {h} pixels"), curves));
        }
        rows.push(row);
    }
    let pixels = all.iter().map(|one| one.pixels().len() as u64);
    let subtitle = format!(
        "{} photographs, {} updates of 768 bins",
        all.len(),
        thousands(3 * pixels.sum::<u64>())
    );
    page("Colour histograms", &subtitle, &rows)
}
