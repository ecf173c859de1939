//! Draws what `run.sh` measured: updates a second over the number of local copies, as the paper's figures do, and prints
//! the table of the best numbers beside those that `--locals auto` chose.
//!
//! `cargo run -p acc2rs --example locals -- results.txt locals.png`

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use image::RgbImage;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};

/// How many keys `run.sh` counts.
const ITEMS: f64 = 134_217_728.0;
const SIZE: (u32, u32) = (1500, 520);
const INK: RGBColor = RGBColor(38, 38, 42);
const FAINT: RGBColor = RGBColor(120, 120, 126);
const GRID: RGBColor = RGBColor(226, 226, 222);
const COLOURS: [RGBColor; 2] = [RGBColor(31, 122, 77), RGBColor(190, 80, 20)];

/// The runs over one number of bins with one distribution; times in microseconds.
#[derive(Default)]
struct Runs {
    naive: f64,
    auto: f64,
    /// By the number of copies.
    tuned: BTreeMap<u32, f64>,
}

impl Runs {
    fn best(&self) -> (u32, f64) {
        let best = self.tuned.iter().min_by(|a, b| a.1.total_cmp(b.1));
        best.map_or((0, self.naive), |(l, us)| (*l, *us))
    }
}

/// By the number of bins and the distribution.
type Results = BTreeMap<(u32, String), Runs>;

fn read(path: &Path) -> Result<Results> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let mut out = Results::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let &[program, bins, distribution, copies, us] = words.as_slice() else {
            bail!("`{line}` is no result");
        };
        let runs = out.entry((bins.parse()?, distribution.into())).or_default();
        let us: f64 = us.parse()?;
        match program {
            "naive" => runs.naive = us,
            "auto" => runs.auto = us,
            _ => _ = runs.tuned.insert(copies.parse()?, us),
        }
    }
    Ok(out)
}

/// 10^9 updates a second.
fn rate(us: f64) -> f64 {
    ITEMS / us / 1e3
}

fn table(results: &Results) {
    println!(
        "| bins | keys | naive | best l | tuned, best l | speed-up | `auto` | of the best time |"
    );
    println!("| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |");
    for ((bins, distribution), runs) in results {
        let (l, us) = runs.best();
        println!(
            "| {bins} | {distribution} | {:.1} | {l} | {:.1} | {:.1} | {:.1} | {:.2} |",
            rate(runs.naive),
            rate(us),
            runs.naive / us,
            rate(runs.auto),
            runs.auto / us
        );
    }
}

type Panel<'a> = DrawingArea<BitMapBackend<'a>, Shift>;

fn style<'a>(area: &'a Panel<'_>, size: i32, colour: &'a RGBColor) -> TextStyle<'a> {
    ("sans-serif", size).into_text_style(area).color(colour)
}

fn panel(area: &Panel<'_>, bins: u32, runs: &[(&str, &Runs)]) -> Result<(), String> {
    let said = |e: &dyn std::fmt::Display| e.to_string();
    let all = runs.iter().flat_map(|(_, r)| r.tuned.values());
    let top = all.map(|us| rate(*us)).fold(0.0, f64::max) * 1.1;
    let mut chart = ChartBuilder::on(area)
        .caption(
            format!("{bins} bins"),
            ("sans-serif", 22, FontStyle::Bold)
                .into_text_style(area)
                .color(&INK),
        )
        .set_label_area_size(LabelAreaPosition::Left, 62)
        .set_label_area_size(LabelAreaPosition::Bottom, 48)
        .margin(14)
        .build_cartesian_2d(0..128_i32, 0.0..top)
        .map_err(|e| said(&e))?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(FAINT)
        .x_desc("local copies l")
        .y_desc("billion updates a second")
        .x_labels(9)
        .label_style(style(area, 15, &FAINT))
        .axis_desc_style(style(area, 17, &INK))
        .y_label_formatter(&|v| format!("{v:.0}"))
        .draw()
        .map_err(|e| said(&e))?;
    for ((name, runs), colour) in runs.iter().zip(COLOURS) {
        let points = runs.tuned.iter().map(|(l, us)| (*l as i32, rate(*us)));
        chart
            .draw_series(LineSeries::new(points, colour.stroke_width(2)))
            .map_err(|e| said(&e))?
            .label(*name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 22, y)], colour.stroke_width(3)));
        // What `auto` reached, at the number that it takes of bins of four bytes.
        let at = (128.min((30 << 20) / (4 * bins)) as i32, rate(runs.auto));
        chart
            .draw_series([Circle::new(at, 6, colour.stroke_width(2))])
            .map_err(|e| said(&e))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .background_style(WHITE.mix(0.8))
        .label_font(style(area, 16, &INK))
        .draw()
        .map_err(|e| said(&e))
}

fn draw(results: &Results, to: &Path) -> Result<()> {
    let fonts = [
        (
            FontStyle::Normal,
            &include_bytes!("../../../examples/fonts/Roboto-Regular.ttf")[..],
        ),
        (
            FontStyle::Bold,
            &include_bytes!("../../../examples/fonts/Roboto-Medium.ttf")[..],
        ),
    ];
    for (style, bytes) in fonts {
        register_font("sans-serif", style, bytes).map_err(|_| anyhow!("a font cannot be read"))?;
    }
    let mut sizes: Vec<u32> = results.keys().map(|(bins, _)| *bins).collect();
    sizes.dedup();
    let mut pixels = vec![0; (SIZE.0 * SIZE.1 * 3) as usize];
    {
        let root = BitMapBackend::with_buffer(&mut pixels, SIZE).into_drawing_area();
        root.fill(&WHITE).map_err(|e| anyhow!("{e}"))?;
        for (area, bins) in root.split_evenly((1, sizes.len())).iter().zip(&sizes) {
            let mut runs: Vec<(&str, &Runs)> = results
                .iter()
                .filter(|((b, _), _)| b == bins)
                .map(|((_, distribution), runs)| (distribution.as_str(), runs))
                .collect();
            runs.reverse();
            panel(area, *bins, &runs).map_err(|e| anyhow!("cannot draw: {e}"))?;
        }
        root.present().map_err(|e| anyhow!("{e}"))?;
    }
    let picture = RgbImage::from_raw(SIZE.0, SIZE.1, pixels).context("a picture of that size")?;
    picture.save(to).with_context(|| to.display().to_string())
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [from, to] = args.as_slice() else {
        bail!("usage: locals RESULTS PICTURE");
    };
    let results = read(Path::new(from))?;
    table(&results);
    draw(&results, Path::new(to))
}
