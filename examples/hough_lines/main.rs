//! Finds the straight lines of a photograph: edges by Canny's method from `imageproc`, a Hough transform with 180 angles for
//! each edge pixel, and the local maxima of its accumulator, compared with the lines that `imageproc` finds.
//!
//! ```sh
//! cargo run --release -p accrue-examples --example hough_lines                      # the photograph that comes with it
//! cargo run --release -p accrue-examples --example hough_lines -- --width 1920      # the same, as wide as a screen
//! cargo run --release -p accrue-examples --example hough_lines -- photo.jpg --lines 20 -o lines.png
//! ```

mod lines;
mod loops;
mod sheet;

use std::path::PathBuf;

use accrue::{Device, with_device};
use accrue_examples::args::{self, Common, photograph, shown};
use accrue_examples::chart::thousands;
use accrue_examples::report::Report;
use anyhow::{Result, ensure};
use clap::Parser;
use image::{DynamicImage, imageops};
use imageproc::edges::canny;
use imageproc::hough::PolarLine;

use crate::lines::{Edges, Line, found, met};
use crate::loops::{ANGLES, maxima, vote};

/// The votes for a line of ours are spread over two bins of imageproc's, and the other way round over two, or three at the
/// distance 0, where its bin is twice as wide: one of them has this part of the votes.
const PART: u32 = 3;

/// So many pixels away at most.
const NEAR: f32 = 1.0;

/// Straight lines of a photograph.
#[derive(Debug, Parser)]
struct Options {
    #[command(flatten)]
    common: Common,
    /// The photograph; without one, that which comes with the example.
    photograph: Option<PathBuf>,
    /// Pixels across, to which the photograph is brought first.
    #[arg(long)]
    width: Option<u32>,
    /// Canny's thresholds: edges as strong as the second, and those as strong as the first that continue them.
    #[arg(long, num_args = 2, default_values_t = [30.0, 60.0], value_names = ["LOW", "HIGH"])]
    canny: Vec<f32>,
    /// How many lines.
    #[arg(long, default_value_t = 12)]
    lines: usize,
    /// Angles and distances around a line in which there is no second one.
    #[arg(long, default_value_t = 8)]
    radius: usize,
}

fn main() -> Result<()> {
    let options = Options::parse();
    options.common.begin()?;
    let device = options.common.device;
    ensure!(options.lines > 0, "--lines 0 looks for nothing");
    ensure!(options.radius < 90, "--radius is less than 90 degrees");
    let [low, high] = options.canny[..] else {
        anyhow::bail!("--canny takes two thresholds");
    };
    ensure!(
        low > 0.0 && high >= low,
        "--canny takes a low threshold and a higher one"
    );
    let path = match &options.photograph {
        Some(path) => path.clone(),
        None => args::data("rocket.jpg"),
    };
    let mut photo = photograph(&path)?;
    if let Some(width) = options.width {
        ensure!((16..=16384).contains(&width), "--width is 16 to 16384");
        let height = u64::from(photo.height()) * u64::from(width) / u64::from(photo.width());
        let height = (height as u32).max(1);
        photo = imageops::resize(&photo, width, height, imageops::FilterType::CatmullRom);
    }
    ensure!(
        photo.width().max(photo.height()) <= 16384,
        "a photograph has 16384 pixels at most along each side"
    );
    let grey = DynamicImage::ImageRgb8(photo.clone()).to_luma8();
    let edge_picture = canny(&grey, low, high);
    let edges = Edges::of(&edge_picture);
    ensure!(
        !edges.pixels.is_empty(),
        "{} has no edge as strong as {high}; try --canny with smaller thresholds",
        shown(&path)
    );

    // Votes and maxima, each against the sequential loop.
    let (rows, columns) = edges.size();
    let voted = |device| {
        let mut votes = vec![0; rows * columns];
        with_device(device, || edges.vote(&mut votes));
        votes
    };
    let expected = voted(Device::Seq);
    let votes = voted(device);
    println!("{}\n", vote::explain().trim_end());
    ensure!(votes == expected, "bins differ from the sequential loop's");
    let most = votes.iter().copied().max().unwrap_or(0);
    let least = (most / 5).max(2);
    let kept = |device| {
        let mut peaks = vec![0; ANGLES * (columns - 2)];
        with_device(device, || {
            edges.maxima(&votes, least, options.radius, &mut peaks)
        });
        peaks
    };
    let expected = kept(Device::Seq);
    let peaks = kept(device);
    println!("{}\n", maxima::explain().trim_end());
    ensure!(
        peaks == expected,
        "maxima differ from the sequential loop's"
    );
    let (w, h) = photo.dimensions();
    let updates = (ANGLES * edges.pixels.len()) as u64;
    let share = 100.0 * edges.pixels.len() as f64 / (f64::from(w) * f64::from(h));
    println!("photograph  {}, {w} x {h} pixels", shown(&path));
    println!(
        "edges       {} pixels, {share:.1} % of all",
        thousands(edges.pixels.len() as u64)
    );
    println!(
        "check       {columns} x {rows} bins and their maxima equal the sequential loops', {} updates",
        thousands(updates)
    );

    // imageproc's bins, exactly, and its lines.
    let same = with_device(device, || edges.compare_bins(&edge_picture, least))?;
    println!("check       {same} bins have {least} votes or more, imageproc's the same");
    let mut lines = edges.lines(&peaks);
    lines.truncate(options.lines);
    compare(&lines, &edges, &votes, &edge_picture, options.radius)?;
    for line in &lines {
        println!(
            "line        {:4} votes, {:3} degrees, {:5} pixels from the corner",
            line.votes, line.polar.angle_in_degrees, line.polar.r
        );
    }

    let mut report = Report::new("hough_lines", &options.common);
    let mut out = vec![0; rows * columns];
    report.in_turns("votes", updates, |device| {
        with_device(device, || edges.vote(&mut out));
    });
    let mut out = vec![0; peaks.len()];
    report.in_turns("maxima", out.len() as u64, |device| {
        with_device(device, || {
            edges.maxima(&votes, least, options.radius, &mut out)
        });
    });
    report.finish()?;
    let sheet = sheet::sheet(&photo, &edge_picture, &edges, &votes, &lines)?;
    options.common.picture("hough_lines", &sheet)
}

/// Where our lines are, imageproc has votes, and where its lines are, of as many votes as our weakest has, we have votes.
/// Which of several crossing neighbours is listed as the line, depends on single votes.
fn compare(
    lines: &[Line],
    edges: &Edges,
    votes: &[u32],
    picture: &image::GrayImage,
    radius: usize,
) -> Result<()> {
    let Some(weakest) = lines.last().map(|line| line.votes) else {
        anyhow::bail!("no line is left: every edge is short");
    };
    let fewer = weakest.div_ceil(PART);
    let mut peaks = vec![0; ANGLES * (edges.size().1 - 2)];
    edges.maxima(votes, fewer, 0, &mut peaks);
    let polar = |lines: &[Line]| -> Vec<PolarLine> { lines.iter().map(|l| l.polar).collect() };
    let (ours, all_ours) = (polar(lines), polar(&edges.lines(&peaks)));
    let (theirs, all_theirs) = (found(picture, weakest, radius), found(picture, fewer, 0));
    let (one, other) = (met(&ours, &all_theirs, NEAR), met(&theirs, &all_ours, NEAR));
    ensure!(
        one == ours.len() && other == theirs.len(),
        "{one} of our {} lines are imageproc's, and {other} of its {} are ours",
        ours.len(),
        theirs.len()
    );
    let listed = met(&ours, &theirs, NEAR);
    println!(
        "check       imageproc has votes for all {one} lines, we for its {other}; {listed} are in both lists"
    );
    Ok(())
}
