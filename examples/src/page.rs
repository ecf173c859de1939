//! A page of pictures: a title, a line below it, and rows of panels with captions, drawn with fonts of our own.

use anyhow::{Context, Result, anyhow};
use image::{RgbImage, imageops};
use plotters::prelude::*;
use plotters::style::FontStyle;

use crate::chart::{FAINT, INK, PAPER, fonts};

const MARGIN: u32 = 32;
/// Between panels.
const GAP: u32 = 24;
/// Height of the title and the line below it.
const HEAD: u32 = 88;
/// Height of a caption, above its panel.
const CAPTION: u32 = 30;

/// A picture and what it shows.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What it shows.
    pub caption: String,
    /// The picture, drawn as large as it is.
    pub picture: RgbImage,
}

/// A panel.
pub fn panel(caption: impl Into<String>, picture: RgbImage) -> Panel {
    Panel {
        caption: caption.into(),
        picture,
    }
}

/// The picture made smaller until it fits into so many pixels; it is never made larger.
pub fn fitted(picture: &RgbImage, width: u32, height: u32) -> RgbImage {
    let (w, h) = picture.dimensions();
    let scale = (f64::from(width) / f64::from(w)).min(f64::from(height) / f64::from(h));
    if scale >= 1.0 {
        return picture.clone();
    }
    let size = |n: u32| ((f64::from(n) * scale).round() as u32).max(1);
    imageops::resize(picture, size(w), size(h), imageops::FilterType::CatmullRom)
}

/// Lays out rows of panels below a title, each row from the left.
///
/// # Errors
///
/// If the text cannot be drawn.
pub fn page(title: &str, subtitle: &str, rows: &[Vec<Panel>]) -> Result<RgbImage> {
    fonts()?;
    let row_width = |row: &Vec<Panel>| {
        let panels = row.iter().map(|p| p.picture.width() + GAP);
        panels.sum::<u32>().saturating_sub(GAP)
    };
    let row_height = |row: &Vec<Panel>| {
        let heights = row.iter().map(|p| p.picture.height());
        heights.max().unwrap_or(0) + CAPTION + GAP
    };
    let widest = rows.iter().map(row_width).max().unwrap_or(0).max(420);
    let (width, height) = (
        widest + 2 * MARGIN,
        HEAD + rows.iter().map(row_height).sum::<u32>() + MARGIN - GAP,
    );
    let mut texts = vec![
        (title.to_owned(), 30, FontStyle::Bold, &INK, (MARGIN, 22)),
        (
            subtitle.to_owned(),
            17,
            FontStyle::Normal,
            &FAINT,
            (MARGIN, 56),
        ),
    ];
    let mut places = Vec::new();
    let mut y = HEAD;
    for row in rows {
        let mut x = MARGIN;
        for panel in row {
            let at = (x, y + 6);
            texts.push((panel.caption.clone(), 17, FontStyle::Normal, &INK, at));
            places.push((&panel.picture, x, y + CAPTION));
            x += panel.picture.width() + GAP;
        }
        y += row_height(row);
    }
    let mut pixels = vec![0u8; (width * height * 3) as usize];
    {
        let root = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
        let error = |e: String| anyhow!("cannot draw: {e}");
        root.fill(&PAPER).map_err(|e| error(e.to_string()))?;
        for (text, size, weight, colour, (x, y)) in &texts {
            let style = ("sans-serif", *size, *weight).into_text_style(&root);
            root.draw_text(text, &style.color(*colour), (*x as i32, *y as i32))
                .map_err(|e| error(e.to_string()))?;
        }
        root.present().map_err(|e| error(e.to_string()))?;
    }
    let mut page = RgbImage::from_raw(width, height, pixels).context("a picture of that size")?;
    for (picture, x, y) in places {
        imageops::replace(&mut page, picture, x.into(), y.into());
    }
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Rgb;

    #[test]
    fn panels_stand_beside_and_below_each_other() {
        let square = |side, colour| RgbImage::from_pixel(side, side, Rgb(colour));
        let rows = [
            vec![
                panel("one", square(300, [255, 0, 0])),
                panel("two", square(200, [0, 255, 0])),
            ],
            vec![panel("three", square(100, [0, 0, 255]))],
        ];
        let page = page("title", "subtitle", &rows).unwrap();
        assert_eq!(page.width(), 2 * MARGIN + 500 + GAP);
        let at = |x, y| page.get_pixel(x, y).0;
        assert_eq!(at(MARGIN + 299, HEAD + CAPTION + 299), [255, 0, 0]);
        assert_eq!(at(MARGIN + 300 + GAP, HEAD + CAPTION), [0, 255, 0]);
        let below = HEAD + CAPTION + 300 + GAP + CAPTION;
        assert_eq!(at(MARGIN, below), [0, 0, 255]);
        let ink = page
            .enumerate_pixels()
            .filter(|(_, y, p)| *y < HEAD && p.0[0] < 100);
        assert!(ink.count() > 100, "the title is written");
    }

    #[test]
    fn pictures_are_made_smaller_only() {
        let picture = RgbImage::new(40, 20);
        assert_eq!(fitted(&picture, 20, 20).dimensions(), (20, 10));
        assert_eq!(fitted(&picture, 400, 400).dimensions(), (40, 20));
    }
}
