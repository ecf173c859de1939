//! `accrue-bench plot`: a run's figures as pictures: time against bins for every strategy, and what the automatic choice
//! takes.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, ensure};
use image::RgbImage;
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};

use super::gpu::{Line, Report};

const SIZE: (u32, u32) = (1240, 700);

/// The width of the lines' names on the right.
const LEGEND: i32 = 170;

/// What to draw.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The JSON of `accrue-bench run --device cuda`.
    figures: PathBuf,
    /// The folder for the pictures.
    #[arg(long, default_value = "docs/pictures")]
    out: PathBuf,
}

/// Colours that stay apart for the colour-blind (Okabe and Ito, 2008), and some more.
const COLOURS: [RGBColor; 12] = [
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(150, 130, 20),
    RGBColor(130, 80, 200),
    RGBColor(120, 120, 120),
    RGBColor(60, 60, 60),
    RGBColor(240, 80, 160),
    RGBColor(150, 200, 50),
];

/// Draws.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    let report = Report::read(&arguments.figures)?;
    std::fs::create_dir_all(&arguments.out)
        .with_context(|| format!("cannot create {}", arguments.out.display()))?;
    for keys in ["uniform", "zipf"] {
        let lines = report.lines(keys);
        ensure!(
            lines.iter().any(|line| line.points.len() > 1),
            "the figures have no `u32/{keys}/count/2^28` for several numbers of bins"
        );
        let path = arguments.out.join(format!("choosing-{keys}.png"));
        let title = format!("2^28 u32 keys, {keys}, counted into u32 bins");
        let pixels = picture(&title, &report.title(), &lines)
            .map_err(|e| anyhow!("cannot draw {}: {e}", path.display()))?;
        save(&path, pixels)?;
        println!("{}", path.display());
    }
    Ok(true)
}

fn save(path: &Path, pixels: Vec<u8>) -> anyhow::Result<()> {
    let picture = RgbImage::from_raw(SIZE.0, SIZE.1, pixels).context("a picture of that size")?;
    picture
        .save(path)
        .with_context(|| format!("cannot write {}", path.display()))
}

type Drawn<T> = Result<T, Box<dyn std::error::Error>>;

fn fonts() -> Drawn<()> {
    let regular = include_bytes!("../../../examples/fonts/Roboto-Regular.ttf");
    register_font("sans-serif", FontStyle::Normal, regular)
        .map_err(|_| "the font cannot be read".into())
}

/// A picture, three bytes a pixel. The automatic choice is drawn over the strategies, with the name of what it chose where
/// that changes.
fn picture(title: &str, below: &str, lines: &[Line]) -> Drawn<Vec<u8>> {
    fonts()?;
    let mut pixels = vec![0; (SIZE.0 * SIZE.1 * 3) as usize];
    {
        let root = BitMapBackend::with_buffer(&mut pixels, SIZE).into_drawing_area();
        draw(&root, title, below, lines)?;
        root.present()?;
    }
    Ok(pixels)
}

fn draw(
    root: &DrawingArea<BitMapBackend<'_>, plotters::coord::Shift>,
    title: &str,
    below: &str,
    lines: &[Line],
) -> Drawn<()> {
    root.fill(&WHITE)?;
    let points = || lines.iter().flat_map(|line| &line.points);
    let bins = |p: &(f64, f64)| p.0;
    let (low, high) = (
        points().map(bins).fold(f64::INFINITY, f64::min),
        points().map(bins).fold(0.0, f64::max),
    );
    let (fast, slow) = (
        points().map(|p| p.1).fold(f64::INFINITY, f64::min),
        points().map(|p| p.1).fold(0.0, f64::max),
    );
    let text = |size: i32| ("sans-serif", size).into_text_style(root);
    root.draw_text(title, &text(26), (70, 14))?;
    root.draw_text(below, &text(16).color(&RGBColor(110, 110, 110)), (70, 46))?;
    let area = root.margin(70, 10, 10, LEGEND);
    let mut chart = ChartBuilder::on(&area)
        .x_label_area_size(48)
        .y_label_area_size(66)
        .build_cartesian_2d(
            (low * 0.8..high * 1.25).log_scale(),
            (fast * 0.5..slow * 1.5).log_scale(),
        )?;
    chart
        .configure_mesh()
        .light_line_style(RGBColor(242, 242, 242))
        .bold_line_style(RGBColor(222, 222, 222))
        .x_desc("bins")
        .y_desc("milliseconds of device time")
        .x_label_formatter(&|v| format!("{v:.0}"))
        .y_label_formatter(&|v| format!("{v}"))
        .label_style(text(15))
        .axis_desc_style(text(17))
        .draw()?;
    for (at, line) in lines.iter().filter(|line| line.name != "auto").enumerate() {
        let colour = COLOURS[at % COLOURS.len()];
        let width = if line.peer { 1 } else { 2 };
        chart.draw_series(LineSeries::new(
            line.points.iter().copied(),
            colour.stroke_width(width),
        ))?;
        let y = 90 + 24 * at as i32;
        let x = SIZE.0 as i32 - LEGEND + 16;
        root.draw(&PathElement::new(
            [(x, y), (x + 22, y)],
            colour.stroke_width(width + 1),
        ))?;
        root.draw_text(&line.name, &text(15), (x + 30, y - 8))?;
        chart.draw_series(
            line.points
                .iter()
                .map(|&point| Circle::new(point, 3, colour.filled())),
        )?;
    }
    if let Some(auto) = lines.iter().find(|line| line.name == "auto") {
        chart.draw_series(
            auto.points
                .iter()
                .map(|&point| Circle::new(point, 7, BLACK.stroke_width(2))),
        )?;
        let mut last = "";
        for (point, chosen) in auto.points.iter().zip(&auto.chose) {
            if chosen != last {
                // The last one would leave the picture.
                let left = if point.0 > 0.6 * high { 0.6 } else { 0.93 };
                let at = (point.0 * left, fast * 0.62);
                chart.draw_series([Text::new(
                    chosen.clone(),
                    at,
                    text(14).transform(FontTransform::None),
                )])?;
                chart.draw_series(DashedLineSeries::new(
                    [(point.0, fast * 0.7), *point],
                    3,
                    4,
                    BLACK.stroke_width(1),
                ))?;
            }
            last = chosen;
        }
    }
    Ok(())
}
