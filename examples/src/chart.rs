//! Plots: a photograph and the histograms of its channels, drawn with fonts of our own.

use std::sync::Once;

use anyhow::{Context, Result, anyhow};
use image::{RgbImage, imageops};
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};

const WIDTH: u32 = 1480;
const HEIGHT: u32 = 640;
const MARGIN: u32 = 36;
/// Height of the title and the line below it.
const HEAD: u32 = 84;

pub(crate) const PAPER: RGBColor = RGBColor(250, 250, 248);
pub(crate) const INK: RGBColor = RGBColor(38, 38, 42);
pub(crate) const FAINT: RGBColor = RGBColor(120, 120, 126);
const GRID: RGBColor = RGBColor(226, 226, 222);

/// One curve of a chart.
#[derive(Clone, Copy, Debug)]
pub struct Channel<'a> {
    /// Its name in the legend.
    pub name: &'a str,
    /// Its colour.
    pub colour: RGBColor,
    /// Counts, one for each value from 0.
    pub counts: &'a [u32],
}

/// Draws a photograph on the left and the histograms of its channels on the right.
///
/// The vertical axis ends where all but the highest spikes fit: clipped pixels (0 and 255) can be many
/// times as frequent as any other value, and would press the rest flat.
///
/// # Errors
///
/// If the fonts or the plot cannot be drawn.
pub fn photograph(
    photo: &RgbImage,
    title: &str,
    subtitle: &str,
    channels: &[Channel<'_>],
) -> Result<RgbImage> {
    fonts()?;
    let mut pixels = vec![0u8; (WIDTH * HEIGHT * 3) as usize];
    let side = HEIGHT - HEAD - MARGIN;
    {
        let root = BitMapBackend::with_buffer(&mut pixels, (WIDTH, HEIGHT)).into_drawing_area();
        draw(&root, title, subtitle, channels, side).map_err(|e| anyhow!("cannot draw: {e}"))?;
        root.present().map_err(|e| anyhow!("cannot draw: {e}"))?;
    }
    let mut picture =
        RgbImage::from_raw(WIDTH, HEIGHT, pixels).context("a picture of that size")?;
    let scale = f64::from(side) / f64::from(photo.width().max(photo.height()));
    let size = |n: u32| ((f64::from(n) * scale).round() as u32).max(1);
    let small = imageops::resize(
        photo,
        size(photo.width()),
        size(photo.height()),
        imageops::FilterType::CatmullRom,
    );
    let (x, y) = (
        MARGIN + (side - small.width()) / 2,
        HEAD + (side - small.height()) / 2,
    );
    imageops::overlay(&mut picture, &small, x.into(), y.into());
    Ok(picture)
}

/// Registers the fonts once; a plot then needs none of the system's.
pub(crate) fn fonts() -> Result<()> {
    static REGISTER: Once = Once::new();
    let mut result = Ok(());
    REGISTER.call_once(|| {
        let regular = include_bytes!("../fonts/Roboto-Regular.ttf");
        let medium = include_bytes!("../fonts/Roboto-Medium.ttf");
        result = register_font("sans-serif", FontStyle::Normal, regular)
            .and_then(|()| register_font("sans-serif", FontStyle::Bold, medium))
            .map_err(|_| anyhow!("the fonts of the examples cannot be read"));
    });
    result
}

type Area<'a> = DrawingArea<BitMapBackend<'a>, plotters::coord::Shift>;

fn draw(
    root: &Area<'_>,
    title: &str,
    subtitle: &str,
    channels: &[Channel<'_>],
    side: u32,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    root.fill(&PAPER).map_err(|e| e.to_string())?;
    let heading = ("sans-serif", 30, FontStyle::Bold)
        .into_text_style(root)
        .color(&INK);
    let below = ("sans-serif", 18).into_text_style(root).color(&FAINT);
    root.draw_text(title, &heading, (MARGIN as i32, 20))
        .map_err(|e| e.to_string())?;
    root.draw_text(subtitle, &below, (MARGIN as i32, 54))
        .map_err(|e| e.to_string())?;

    let values = channels.iter().map(|c| c.counts.len()).max().unwrap_or(1) as i32;
    let top = top(channels);
    let (_, right) = root.split_horizontally(side + 2 * MARGIN);
    let right = right.margin(HEAD as i32 - 12, MARGIN as i32 - 30, 0, MARGIN as i32);
    let mut chart = ChartBuilder::on(&right)
        .set_label_area_size(LabelAreaPosition::Left, 74)
        .set_label_area_size(LabelAreaPosition::Bottom, 52)
        .margin_top(12)
        .build_cartesian_2d(0..values - 1, 0.0..top)
        .map_err(|e| e.to_string())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(FAINT)
        .x_desc("value")
        .y_desc("pixels")
        .x_labels(9)
        .y_labels(6)
        .label_style(("sans-serif", 16).into_text_style(&right).color(&FAINT))
        .axis_desc_style(("sans-serif", 18).into_text_style(&right).color(&INK))
        .x_label_formatter(&|v| v.to_string())
        .y_label_formatter(&|v| thousands(*v as u64))
        .draw()
        .map_err(|e| e.to_string())?;
    draw_curves(&mut chart, channels, top)?;
    if let Some(text) = cut_off(channels, top) {
        let note = ("sans-serif", 15).into_text_style(root).color(&FAINT);
        let (width, _) = root
            .estimate_text_size(&text, &note)
            .map_err(|e| e.to_string())?;
        let x = (WIDTH - MARGIN) as i32 - width as i32 - 8;
        root.draw_text(&text, &note, (x, HEAD as i32 + 2))
            .map_err(|e| e.to_string())?;
    }
    legend(root, channels)
}

type Chart<'a, 'b> = ChartContext<
    'a,
    BitMapBackend<'b>,
    Cartesian2d<plotters::coord::types::RangedCoordi32, plotters::coord::types::RangedCoordf64>,
>;

fn points(channel: Channel<'_>, top: f64) -> impl Iterator<Item = (i32, f64)> {
    let counts = channel.counts.iter().enumerate();
    counts.map(move |(v, &count)| (v as i32, f64::from(count).min(top)))
}

/// The areas below the curves, and then the curves.
fn draw_curves(
    chart: &mut Chart<'_, '_>,
    channels: &[Channel<'_>],
    top: f64,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    for channel in channels {
        let series = AreaSeries::new(points(*channel, top), 0.0, channel.colour.mix(0.22));
        chart.draw_series(series).map_err(|e| e.to_string())?;
    }
    for channel in channels {
        let series = LineSeries::new(points(*channel, top), channel.colour.stroke_width(2));
        chart.draw_series(series).map_err(|e| e.to_string())?;
    }
    Ok(())
}

/// Draws the histograms of channels alone, without axes.
///
/// # Errors
///
/// If the plot cannot be drawn.
pub fn curves(channels: &[Channel<'_>], width: u32, height: u32) -> Result<RgbImage> {
    let mut pixels = vec![0u8; (width * height * 3) as usize];
    {
        let root = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
        draw_alone(&root, channels).map_err(|e| anyhow!("cannot draw: {e}"))?;
        root.present().map_err(|e| anyhow!("cannot draw: {e}"))?;
    }
    RgbImage::from_raw(width, height, pixels).context("a picture of that size")
}

fn draw_alone(
    root: &Area<'_>,
    channels: &[Channel<'_>],
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    root.fill(&PAPER).map_err(|e| e.to_string())?;
    let values = channels.iter().map(|c| c.counts.len()).max().unwrap_or(1) as i32;
    let top = top(channels);
    let mut chart = ChartBuilder::on(root)
        .build_cartesian_2d(0..values - 1, 0.0..top)
        .map_err(|e| e.to_string())?;
    draw_curves(&mut chart, channels, top)
}

/// The names of the curves, above the plot so that they hide none of it.
fn legend(
    root: &Area<'_>,
    channels: &[Channel<'_>],
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let text = ("sans-serif", 18).into_text_style(root).color(&INK);
    let mut x = (WIDTH - MARGIN) as i32;
    for channel in channels.iter().rev() {
        let (width, _) = root
            .estimate_text_size(channel.name, &text)
            .map_err(|e| e.to_string())?;
        x -= width as i32;
        root.draw_text(channel.name, &text, (x, 54))
            .map_err(|e| e.to_string())?;
        x -= 26;
        let swatch = Rectangle::new([(x, 56), (x + 18, 68)], channel.colour.mix(0.8).filled());
        root.draw(&swatch).map_err(|e| e.to_string())?;
        x -= 22;
    }
    Ok(())
}

/// Which peaks are higher than the vertical axis, the highest first.
fn cut_off(channels: &[Channel<'_>], top: f64) -> Option<String> {
    const NAMED: usize = 3;
    let mut peaks: Vec<(u32, usize, &str)> = channels
        .iter()
        .flat_map(|channel| {
            let counts = channel.counts.iter().enumerate();
            counts.map(|(value, &count)| (count, value, channel.name))
        })
        .filter(|(count, ..)| f64::from(*count) > top)
        .collect();
    peaks.sort_unstable_by(|a, b| b.cmp(a));
    let named: Vec<String> = peaks
        .iter()
        .take(NAMED)
        .map(|(count, value, name)| format!("{name} {value}: {}", thousands(u64::from(*count))))
        .collect();
    let more = match peaks.len().checked_sub(NAMED) {
        Some(more) if more > 0 => format!(" and {more} more"),
        _ => String::new(),
    };
    (!peaks.is_empty()).then(|| format!("peaks cut off: {}{more}", named.join(", ")))
}

/// Where the vertical axis ends: a tenth above the curves, spikes of the few most frequent values left out.
fn top(channels: &[Channel<'_>]) -> f64 {
    let highest = channels.iter().map(|channel| {
        let mut counts = channel.counts.to_vec();
        counts.sort_unstable_by(|a, b| b.cmp(a));
        let spikes = counts.len() / 50;
        counts.get(spikes).copied().unwrap_or(0)
    });
    f64::from(highest.max().unwrap_or(0).max(1)) * 1.1
}

/// `12345` as `12,345`.
pub fn thousands(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_off_is_said() {
        let mut counts = [10u32; 256];
        let said = |counts: &[u32]| {
            let channel = Channel {
                name: "red",
                colour: RED,
                counts,
            };
            cut_off(&[channel], 11.0)
        };
        assert_eq!(said(&counts), None);
        (counts[0], counts[255]) = (12_345, 99);
        let text = said(&counts).unwrap();
        assert_eq!(text, "peaks cut off: red 0: 12,345, red 255: 99");
        counts[7..12].fill(50);
        let text = said(&counts).unwrap();
        assert!(
            text.ends_with("red 255: 99, red 11: 50 and 4 more"),
            "{text}"
        );
    }

    #[test]
    fn thousands_are_set_off() {
        assert_eq!(thousands(0), "0");
        assert_eq!(thousands(999), "999");
        assert_eq!(thousands(1234567), "1,234,567");
    }

    #[test]
    fn a_spike_does_not_press_the_rest_flat() {
        let mut counts = [10u32; 256];
        counts[0] = 100_000;
        let channel = Channel {
            name: "red",
            colour: RED,
            counts: &counts,
        };
        assert!((10.0..20.0).contains(&top(&[channel])));
    }

    #[test]
    fn a_plot_holds_the_photograph_and_the_curves() {
        let photo = RgbImage::from_pixel(40, 20, image::Rgb([200, 10, 10]));
        let mut counts = [0u32; 256];
        counts[100..150].fill(800);
        let channel = Channel {
            name: "red",
            colour: RGBColor(0, 0, 255),
            counts: &counts,
        };
        let picture = photograph(&photo, "title", "subtitle", &[channel]).unwrap();
        let middle = picture.get_pixel(MARGIN + (HEIGHT - HEAD - MARGIN) / 2, HEIGHT / 2 + 24);
        assert_eq!(middle.0, [200, 10, 10], "the photograph is on the left");
        let blue = picture
            .pixels()
            .filter(|p| p.0[2] > 200 && p.0[0] < 60)
            .count();
        assert!(blue > 500, "the curve is blue: {blue} pixels");
        let ink = picture
            .enumerate_pixels()
            .filter(|(_, y, p)| *y < HEAD && p.0[0] < 100)
            .count();
        assert!(ink > 100, "the title is written: {ink} pixels");
    }
}
