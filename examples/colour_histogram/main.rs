//! Counts the red, green and blue values of photographs into 768 bins each, checks the result against the
//! sequential loop, and draws it.
//!
//! ```sh
//! cargo run --release -p accrue-examples --example colour_histogram                    # the photograph that comes with it
//! cargo run --release -p accrue-examples --example colour_histogram -- photo.jpg -o plot.png
//! cargo run --release -p accrue-examples --example colour_histogram -- FOLDER --counts counts.csv
//! ```
//!
//! Of several photographs, or a folder of them, it draws one sheet; `--each FOLDER` writes the plot of each as well.

mod batch;
mod table;

use std::path::PathBuf;

use accrue::{Device, offload};
use accrue_examples::args::{self, Common, photograph, shown};
use accrue_examples::chart::{self, Channel, thousands};
use accrue_examples::report::Report;
use anyhow::{Result, ensure};
use clap::Parser;
use image::RgbImage;
use plotters::style::RGBColor;

#[offload(histogram)]
fn colour_histogram(pixels: &[[u8; 3]], hist: &mut [u32; 768]) {
    for p in pixels {
        hist[p[0] as usize] += 1;
        hist[256 + p[1] as usize] += 1;
        hist[512 + p[2] as usize] += 1;
    }
}

/// The same loop without the attribute.
fn sequential(pixels: &[[u8; 3]], hist: &mut [u32; 768]) {
    for p in pixels {
        hist[p[0] as usize] += 1;
        hist[256 + p[1] as usize] += 1;
        hist[512 + p[2] as usize] += 1;
    }
}

/// Counts the colours of photographs.
#[derive(Debug, Parser)]
struct Options {
    #[command(flatten)]
    common: Common,
    /// Photographs, and folders of them; without any, the one that comes with the example.
    photographs: Vec<PathBuf>,
    /// A file for the counts of each photograph, as CSV.
    #[arg(long, value_name = "FILE")]
    counts: Option<PathBuf>,
    /// A folder for the plot of each photograph.
    #[arg(long, value_name = "FOLDER")]
    each: Option<PathBuf>,
}

/// A photograph that has been counted.
struct Counted {
    path: PathBuf,
    photo: RgbImage,
    hist: [u32; 768],
}

impl Counted {
    fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }

    fn pixels(&self) -> &[[u8; 3]] {
        self.photo.as_raw().as_chunks::<3>().0
    }

    fn channels(&self) -> [Channel<'_>; 3] {
        let of = |name, colour, i: usize| Channel {
            name,
            colour,
            counts: &self.hist[256 * i..256 * (i + 1)],
        };
        [
            of("red", RGBColor(214, 57, 57), 0),
            of("green", RGBColor(47, 158, 88), 1),
            of("blue", RGBColor(52, 105, 214), 2),
        ]
    }

    /// The photograph beside its curves.
    fn plot(&self) -> Result<RgbImage> {
        let (w, h) = self.photo.dimensions();
        let updates = thousands(3 * self.pixels().len() as u64);
        let name = self.name();
        let subtitle = format!("{name}, {w} × {h} pixels, {updates} updates of 768 bins");
        chart::photograph(&self.photo, "Colour histogram", &subtitle, &self.channels())
    }
}

fn main() -> Result<()> {
    let options = Options::parse();
    options.common.begin()?;
    let device = options.common.device;
    let paths = match options.photographs.is_empty() {
        true => vec![args::data("astronaut.png")],
        false => batch::paths(&options.photographs)?,
    };
    let all = batch::each(&paths, |path| {
        let photo = photograph(&path)?;
        let mut counted = Counted {
            path,
            photo,
            hist: [0; 768],
        };
        let mut hist = [0u32; 768];
        accrue::with_device(device, || colour_histogram(counted.pixels(), &mut hist));
        let mut expected = [0u32; 768];
        sequential(counted.pixels(), &mut expected);
        let differing = hist.iter().zip(&expected).filter(|(a, b)| a != b).count();
        ensure!(
            differing == 0,
            "{differing} of 768 bins differ from the sequential loop's for {}",
            shown(&counted.path)
        );
        counted.hist = hist;
        Ok(counted)
    })?;

    println!("{}\n", colour_histogram::explain().trim_end());
    let pixels: usize = all.iter().map(|one| one.pixels().len()).sum();
    table::print(&all);
    println!(
        "check       768 bins of each equal the sequential loop's, {} updates",
        thousands(3 * pixels as u64)
    );
    let mut report = Report::new("colour_histogram", &options.common);
    // One small photograph is counted within a millisecond, which no other core is worth waking for; many show what the cores can do.
    for times in if all.len() == 1 { vec![1, 64] } else { vec![1] } {
        let photographs: Vec<_> = all.iter().map(|one| one.pixels().repeat(times)).collect();
        let title = match (all.len(), times) {
            (1, times) => format!("x {times}"),
            (n, _) => format!("{n} of them"),
        };
        let mut hist = [0u32; 768];
        report.in_turns(&title, (3 * times * pixels) as u64, |device| {
            for pixels in &photographs {
                let pixels = std::hint::black_box(pixels);
                match device {
                    Device::Seq => sequential(pixels, &mut hist),
                    device => {
                        accrue::with_device(device, || colour_histogram(pixels, &mut hist));
                    }
                }
            }
        });
    }
    report.finish()?;

    if let Some(file) = &options.counts {
        table::write(file, &all)?;
        println!("counts      {}", shown(file));
    }
    if let Some(folder) = &options.each {
        for one in &all {
            let file = folder.join(one.name()).with_extension("colours.png");
            args::write_picture(&file, &one.plot()?)?;
        }
        println!("plots       {}", shown(folder));
    }
    let picture = match &all[..] {
        [one] => one.plot()?,
        all => batch::sheet(all)?,
    };
    options.common.picture("colour_histogram", &picture)
}
