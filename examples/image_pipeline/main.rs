//! A pipeline of image operations: the absolute Laplacian of a photograph, the seams of least energy carved out of it, and a light
//! field of 7 x 7 views brought into focus at 30 depths.
//!
//! ```sh
//! cargo run --release -p accrue-examples --example image_pipeline
//! cargo run --release -p accrue-examples --example image_pipeline -- photo.jpg --seams 100 --views 720x480
//! ```

mod carve;
mod light_field;
mod loops;

use std::path::PathBuf;
use std::time::Instant;

use accrue::{Device, with_device};
use accrue_examples::args::{self, Common, photograph, shown};
use accrue_examples::page::{Panel, fitted, page, panel};
use accrue_examples::picture;
use accrue_examples::report::Report;
use anyhow::{Context, Result, ensure};
use clap::Parser;
use image::{Rgb, RgbImage};

use crate::carve::Carved;
use crate::light_field::{DEPTHS, LAYERS, SIDE, render, slopes};
use crate::loops::{brightness, laplacian, refocus, seam_costs};

/// Laplacian, seam carving and refocusing.
#[derive(Debug, Parser)]
struct Options {
    #[command(flatten)]
    common: Common,
    /// The photograph that is carved; without one, that which comes with the example.
    photograph: Option<PathBuf>,
    /// How many columns are carved away.
    #[arg(long, default_value_t = 50)]
    seams: usize,
    /// The size of each view of the light field.
    #[arg(long, default_value = "360x240", value_name = "WxH")]
    views: String,
}

fn size(text: &str) -> Result<(usize, usize)> {
    let parsed = text
        .split_once('x')
        .and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    let (w, h) = parsed.with_context(|| format!("the size `{text}` is not like 720x480"))?;
    ensure!(
        (180..=4096).contains(&w) && (120..=4096).contains(&h),
        "views have 180 x 120 to 4096 x 4096 pixels"
    );
    Ok((w, h))
}

fn main() -> Result<()> {
    let options = Options::parse();
    options.common.begin()?;
    let views = size(&options.views)?;
    let mut report = Report::new("image_pipeline", &options.common);
    let mut rows = carved(&options, &mut report)?;
    rows.push(refocused(&options, views, &mut report)?);
    report.finish()?;
    let subtitle = format!(
        "{} seams of least energy carved away; a light field of {SIDE} × {SIDE} views in focus at three of {DEPTHS} depths",
        options.seams
    );
    let page = page("Image pipeline", &subtitle, &rows)?;
    options.common.picture("image_pipeline", &page)
}

/// The photograph, its Laplacian, its seams, and what is left without them.
fn carved(options: &Options, report: &mut Report) -> Result<Vec<Vec<Panel>>> {
    let device = options.common.device;
    let path = match &options.photograph {
        Some(path) => path.clone(),
        None => args::data("rocket.jpg"),
    };
    let photo = photograph(&path)?;
    let (w, h) = (photo.width() as usize, photo.height() as usize);
    ensure!(
        options.seams < w,
        "{} has {w} columns, too few to carve {} away",
        shown(&path),
        options.seams
    );
    let carve = |device| -> Result<_> {
        let mut carved = Carved::new(&photo);
        let start = Instant::now();
        with_device(device, || carved.carve(options.seams))?;
        Ok((carved, start.elapsed()))
    };
    let (expected, plain) = carve(Device::Seq)?;
    let (narrow, offloaded) = carve(device)?;
    ensure!(
        narrow == expected,
        "the carved picture differs from the sequential loops'"
    );
    let whole = Carved::new(&photo);
    let energy = with_device(device, || whole.energy());
    println!("{}\n", laplacian::explain().trim_end());
    println!("{}\n", seam_costs::explain().trim_end());
    println!("photograph  {}, {w} x {h} pixels", shown(&path));
    println!(
        "check       {} seams, each as cheap as promised, and the picture without them equal the sequential loops'",
        narrow.seams.len()
    );

    let (mut grey, mut out, mut costs) = (vec![0; w * h], vec![0; w * h], vec![0; w * h]);
    brightness(&whole.pixels, &mut grey);
    report.in_turns("Laplacian", (w * h) as u64, |device| {
        with_device(device, || laplacian(&grey, w, h, &mut out));
    });
    report.in_turns("seam costs", (w * h) as u64, |device| {
        with_device(device, || seam_costs(&energy, w, h, &mut costs));
    });
    report.once("carving", (w * h * options.seams) as u64, plain, offloaded);

    let mut drawn = photo.clone();
    for seam in &narrow.seams {
        for (y, x) in seam.iter().enumerate() {
            drawn.put_pixel(*x as u32, y as u32, Rgb([255, 84, 64]));
        }
    }
    let light: Vec<u8> = energy.iter().map(|e| e.saturating_mul(3)).collect();
    let small = |picture: &RgbImage| fitted(picture, 640, 430);
    Ok(vec![
        vec![
            panel("photograph", small(&photo)),
            panel("absolute Laplacian", small(&picture::grey(w, &light)?)),
        ],
        vec![
            panel(format!("{} seams", narrow.seams.len()), small(&drawn)),
            panel("without them", small(&narrow.picture())),
        ],
    ])
}

/// The light field in focus at its far, middle and near layers.
fn refocused(options: &Options, (w, h): (usize, usize), report: &mut Report) -> Result<Vec<Panel>> {
    let device = options.common.device;
    let slopes = slopes(w);
    let mut views = vec![[0; 3]; SIDE * SIDE * w * h];
    let mut layers = vec![0; views.len()];
    let of_layers = LAYERS.map(|depth| slopes[depth]);
    with_device(device, || render(w, h, &of_layers, &mut views, &mut layers));
    let run = |device| {
        let mut out = vec![[0; 3]; DEPTHS * w * h];
        let start = Instant::now();
        with_device(device, || refocus(&views, w, h, SIDE, &slopes, &mut out));
        (out, start.elapsed())
    };
    let (expected, plain) = run(Device::Seq);
    let (pictures, offloaded) = run(device);
    println!("\n{}\n", refocus::explain().trim_end());
    ensure!(
        pictures == expected,
        "the refocused pictures differ from the sequential loop's"
    );

    // Each layer is sharpest at its own depth.
    let middle = SIDE * SIDE / 2 * w * h;
    let seen = &layers[middle..middle + w * h];
    let mut sharpness = vec![[0u64; 3]; DEPTHS];
    let (mut grey, mut edges) = (vec![0; w * h], vec![0; w * h]);
    for (depth, picture) in pictures.chunks_exact(w * h).enumerate() {
        brightness(picture, &mut grey);
        laplacian(&grey, w, h, &mut edges);
        for (edge, layer) in edges.iter().zip(seen) {
            sharpness[depth][*layer as usize] += u64::from(*edge);
        }
    }
    let sharpest = [0, 1, 2].map(|layer| {
        let depths = (0..DEPTHS).max_by_key(|depth| sharpness[*depth][layer]);
        depths.unwrap_or(0)
    });
    println!("light field {SIDE} x {SIDE} views of {w} x {h} pixels");
    let off = |i: usize| sharpest[i].abs_diff(LAYERS[i]);
    ensure!(
        (0..3).all(|i| off(i) <= 1),
        "layers at the depths {LAYERS:?} are sharpest at {sharpest:?}"
    );
    println!(
        "check       {DEPTHS} pictures equal the sequential loop's; layers at the depths {LAYERS:?} are sharpest at {sharpest:?}"
    );
    let updates = (DEPTHS * w * h * SIDE * SIDE) as u64;
    match options.common.repeat {
        None => report.once("refocusing", updates, plain, offloaded),
        Some(_) => _ = report.in_turns("refocusing", updates, |device| _ = run(device)),
    }
    let names = ["far", "middle", "near"];
    let panels = names.iter().zip(LAYERS).map(|(name, depth)| {
        let pixels = &pictures[depth * w * h..(depth + 1) * w * h];
        let picture = RgbImage::from_fn(w as u32, h as u32, |x, y| {
            Rgb(pixels[y as usize * w + x as usize])
        });
        panel(*name, fitted(&picture, 420, 280))
    });
    Ok(panels.collect())
}
