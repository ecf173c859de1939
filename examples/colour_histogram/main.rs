//! Counts the red, green and blue values of a photograph into 768 bins, checks the result against the
//! sequential loop, and draws it.
//!
//! ```sh
//! cargo run --release -p accrue-examples --example colour_histogram                    # the photograph that comes with it
//! cargo run --release -p accrue-examples --example colour_histogram -- photo.jpg -o plot.png
//! ```

use accrue::offload;
use accrue_examples::args::{Args, shown};
use accrue_examples::chart::{self, Channel, thousands};
use accrue_examples::timing::{in_turns, machine, rate};
use anyhow::{Context, Result, ensure};
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

fn main() -> Result<()> {
    let args = Args::parse(
        "colour_histogram",
        "astronaut.png",
        std::env::args().skip(1),
    )?;
    let photo = image::open(&args.input)
        .with_context(|| format!("cannot read the picture {}", args.input.display()))?
        .to_rgb8();
    let (pixels, _) = photo.as_raw().as_chunks::<3>();
    let updates = 3 * pixels.len();

    let mut hist = [0u32; 768];
    colour_histogram(pixels, &mut hist);
    let mut expected = [0u32; 768];
    sequential(pixels, &mut expected);
    let differing = hist.iter().zip(&expected).filter(|(a, b)| a != b).count();
    ensure!(
        differing == 0,
        "{differing} of 768 bins differ from the sequential loop's"
    );

    println!("{}\n", colour_histogram::explain().trim_end());
    println!(
        "photograph  {}, {} x {} pixels",
        shown(&args.input),
        photo.width(),
        photo.height()
    );
    println!(
        "check       768 bins equal the sequential loop's, {} updates",
        thousands(updates as u64)
    );
    let channels: Vec<&[u32]> = hist.chunks(256).collect();
    for (name, counts) in ["red", "green", "blue"].into_iter().zip(&channels) {
        let (mean, median) = summary(counts);
        println!("{name:<11} mean {mean:5.1}, median {median:3}");
    }
    // One small photograph is counted within a millisecond, which no other core is worth waking for; many show what the cores can do.
    println!("machine     {}", machine());
    for times in [1, 64] {
        let pixels = pixels.repeat(times);
        let (mut theirs, mut ours) = ([0u32; 768], [0u32; 768]);
        let (plain, offloaded) = in_turns(
            || sequential(std::hint::black_box(&pixels), &mut theirs),
            || colour_histogram(std::hint::black_box(&pixels), &mut ours),
        );
        println!(
            "{:<11} sequential {}",
            format!("x {times}"),
            rate(times * updates, plain)
        );
        println!(
            "{:<11} accrue     {}   {:.2} times as fast",
            "medians",
            rate(times * updates, offloaded),
            plain.as_secs_f64() / offloaded.as_secs_f64().max(1e-9)
        );
    }

    let name = args.input.file_name().unwrap_or_default().to_string_lossy();
    let subtitle = format!(
        "{name}, {} × {} pixels, {} updates of 768 bins",
        photo.width(),
        photo.height(),
        thousands(updates as u64)
    );
    let curve = |name, colour, i: usize| Channel {
        name,
        colour,
        counts: channels[i],
    };
    let picture = chart::photograph(
        &photo,
        "Colour histogram",
        &subtitle,
        &[
            curve("red", RGBColor(214, 57, 57), 0),
            curve("green", RGBColor(47, 158, 88), 1),
            curve("blue", RGBColor(52, 105, 214), 2),
        ],
    )?;
    if let Some(folder) = args.output.parent() {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
    }
    picture
        .save(&args.output)
        .with_context(|| format!("cannot write the plot {}", args.output.display()))?;
    println!("plot        {}", shown(&args.output));
    Ok(())
}

/// Mean and median of the values that were counted.
fn summary(counts: &[u32]) -> (f64, usize) {
    let total: u64 = counts.iter().map(|&c| u64::from(c)).sum();
    let weighted: u64 = (0u64..).zip(counts).map(|(v, &c)| v * u64::from(c)).sum();
    let mut below = 0;
    let median = counts.iter().position(|&c| {
        below += u64::from(c);
        2 * below >= total
    });
    (weighted as f64 / total.max(1) as f64, median.unwrap_or(0))
}
