//! Bar charts, with fonts of our own: a figure for each way of doing one thing, as papers print them.

use anyhow::{Context, Result, anyhow};
use image::RgbImage;
use plotters::prelude::*;
use plotters::style::FontStyle;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::chart::{FAINT, INK, PAPER, fonts};

/// Height of the title and the line below it.
const HEAD: i32 = 64;
/// Height of the names below the bars, which are written upwards.
const FOOT: i32 = 112;
const MARGIN: i32 = 28;
/// From one bar to the next.
const STEP: i32 = 46;

/// Colours of a bar's parts, the lowest first; they stay apart for the colour-blind (Okabe and Ito, 2008).
const COLOURS: [RGBColor; 3] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
];

/// What a bar stands for.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Its name.
    pub name: String,
    /// Its parts, from below. A bar without parts leaves its place empty.
    pub parts: Vec<f64>,
    /// What stands above it.
    pub label: String,
    /// Whether it is one to look at.
    pub marked: bool,
}

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars<'a> {
    /// What it shows.
    pub title: &'a str,
    /// Of what, and in which unit.
    pub subtitle: &'a str,
    /// What the parts of the bars are, from below; none where bars have one part.
    pub parts: &'a [&'a str],
    /// Whether the axis is logarithmic: where bars differ by more than an order of magnitude. Bars have one part then.
    pub logarithmic: bool,
    /// The bars, from the left.
    pub bars: Vec<Bar>,
}

impl Bars<'_> {
    /// Draws it.
    ///
    /// # Errors
    ///
    /// If the fonts or the plot cannot be drawn.
    pub fn draw(&self) -> Result<RgbImage> {
        fonts()?;
        let width = (2 * MARGIN + STEP * self.bars.len() as i32).max(560) as u32;
        let height = 380;
        let mut pixels = vec![0u8; (width * height * 3) as usize];
        {
            let root = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
            self.onto(&root).map_err(|e| anyhow!("cannot draw: {e}"))?;
            root.present().map_err(|e| anyhow!("cannot draw: {e}"))?;
        }
        RgbImage::from_raw(width, height, pixels).context("a picture of that size")
    }

    /// Where a value lies between the foot of the bars, 0, and their top, 1.
    fn share(&self, value: f64) -> f64 {
        let values = || self.bars.iter().filter(|bar| !bar.parts.is_empty());
        let sums = || values().map(|bar| bar.parts.iter().sum::<f64>());
        let most = sums().fold(f64::MIN_POSITIVE, f64::max);
        if !self.logarithmic {
            return value / most;
        }
        // The least one is still to be seen.
        let least = sums().fold(most, f64::min) / 1.5;
        (value / least).ln() / (most / least).ln().max(f64::MIN_POSITIVE)
    }

    fn onto(
        &self,
        root: &DrawingArea<BitMapBackend<'_>, plotters::coord::Shift>,
    ) -> Result<(), Box<dyn std::error::Error>> {
        let (width, height) = root.dim_in_pixel();
        let (width, height) = (width as i32, height as i32);
        root.fill(&PAPER)?;
        let style = |size: i32, weight| ("sans-serif", size, weight).into_text_style(root);
        let title = style(24, FontStyle::Bold).color(&INK);
        root.draw_text(self.title, &title, (MARGIN, 12))?;
        let faint = style(15, FontStyle::Normal).color(&FAINT);
        root.draw_text(self.subtitle, &faint, (MARGIN, 40))?;
        let mut right = width - MARGIN;
        for (part, colour) in self.parts.iter().zip(COLOURS).rev() {
            let (wide, _) = root.estimate_text_size(part, &faint)?;
            right -= wide as i32;
            root.draw_text(part, &faint, (right, 16))?;
            right -= 20;
            root.draw(&Rectangle::new(
                [(right, 18), (right + 14, 30)],
                colour.filled(),
            ))?;
            right -= 16;
        }

        let (foot, top) = (height - FOOT, HEAD + 22);
        let up = |value: f64| foot - (self.share(value) * f64::from(foot - top)).round() as i32;
        for (at, bar) in self.bars.iter().enumerate() {
            let left = MARGIN + STEP * at as i32;
            let middle = left + STEP / 2;
            let (mut sum, mut below) = (0.0, foot);
            for (part, colour) in bar.parts.iter().zip(COLOURS) {
                sum += part;
                let above = up(sum);
                let colour = if bar.marked {
                    RGBColor(213, 94, 0)
                } else {
                    colour
                };
                let corners = [(left + 6, above), (left + STEP - 6, below)];
                root.draw(&Rectangle::new(corners, colour.filled()))?;
                below = above;
            }
            let centred = Pos::new(HPos::Center, VPos::Bottom);
            let label = style(13, FontStyle::Normal).color(&INK).pos(centred);
            root.draw_text(&bar.label, &label, (middle, below - 3))?;
            let ending = Pos::new(HPos::Right, VPos::Center);
            let name = style(14, FontStyle::Normal)
                .color(&INK)
                .transform(FontTransform::Rotate270)
                .pos(ending);
            root.draw_text(&bar.name, &name, (middle, foot + 8))?;
        }
        root.draw(&PathElement::new(
            [(MARGIN, foot), (width - MARGIN, foot)],
            FAINT.stroke_width(1),
        ))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(name: &str, parts: &[f64]) -> Bar {
        Bar {
            name: name.into(),
            parts: parts.into(),
            label: String::new(),
            marked: false,
        }
    }

    fn coloured(picture: &RgbImage, colour: RGBColor) -> usize {
        let bytes = [colour.0, colour.1, colour.2];
        picture.pixels().filter(|p| p.0 == bytes).count()
    }

    #[test]
    fn a_bar_twice_as_high_has_twice_the_pixels() {
        let chart = |values: &[f64]| Bars {
            title: "",
            subtitle: "",
            parts: &[],
            logarithmic: false,
            bars: values.iter().map(|&v| bar("", &[v])).collect(),
        };
        let blue = |values: &[f64]| coloured(&chart(values).draw().unwrap(), COLOURS[0]) as f64;
        let (one, both) = (blue(&[4.0]), blue(&[4.0, 2.0]));
        assert!((both / one - 1.5).abs() < 0.02, "{one} {both}");
        let mut logarithmic = chart(&[1.0, 1000.0]);
        logarithmic.logarithmic = true;
        assert!((logarithmic.share(1000.0) - 1.0).abs() < 1e-9);
        assert!(logarithmic.share(1.0) > 0.0);
    }

    #[test]
    fn parts_stand_on_each_other() {
        let chart = Bars {
            title: "title",
            subtitle: "below",
            parts: &["first", "second"],
            logarithmic: false,
            bars: vec![bar("a", &[1.0, 1.0]), bar("none", &[])],
        };
        let picture = chart.draw().unwrap();
        let (low, high) = (
            coloured(&picture, COLOURS[0]),
            coloured(&picture, COLOURS[1]),
        );
        // The legend has a swatch of each.
        assert!(low > 1000 && low.abs_diff(high) < 100, "{low} {high}");
    }
}
