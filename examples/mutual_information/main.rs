//! Mutual information of two volumes, from three histograms that one loop counts, and a registration that maximises it.
//!
//! ```sh
//! cargo run --release -p accrue-examples --example mutual_information                       # a head in CT and MR, moved by a known motion
//! cargo run --release -p accrue-examples --example mutual_information -- --size 512x512x295
//! cargo run --release -p accrue-examples --example mutual_information -- head.nii.gz        # a volume and itself, moved by a known motion
//! cargo run --release -p accrue-examples --example mutual_information -- ct.nii.gz mr.nii.gz
//! ```

mod head;
mod loops;
mod motion;
mod register;
#[cfg(feature = "cuda")]
mod resident;
mod sheet;
mod volume;

use std::path::PathBuf;

use accrue::{Device, with_device};
use accrue_examples::args::{Common, shown};
use accrue_examples::chart::thousands;
use accrue_examples::report::Report;
use anyhow::{Context, Result, bail, ensure};
use clap::Parser;

use crate::head::Kind;
use crate::loops::{Histograms, histograms, resample};
use crate::motion::Motion;
use crate::register::{moved, register};
use crate::sheet::{State, sheet};
use crate::volume::Volume;

/// What the registration has to find the known motion within: voxels along each axis, and degrees.
const VOXELS: f64 = 0.5;
const DEGREES: f64 = 0.5;

/// Mutual information of volumes, and their registration by it.
#[derive(Debug, Parser)]
struct Options {
    #[command(flatten)]
    common: Common,
    /// NIfTI files: two to be registered, or one that is moved by the known motion; without any, a head is made.
    #[arg(num_args = 0..=2)]
    volumes: Vec<PathBuf>,
    /// Voxels of the head that is made.
    #[arg(long, default_value = "256x256x89", value_name = "WxHxD")]
    size: String,
    /// The known motion: three shifts in millimetres and three turns in degrees.
    #[arg(long, default_value = "7.5,-5,4.2,4,-6,8", allow_hyphen_values = true)]
    motion: Motion,
    /// A folder for the two volumes as NIfTI files.
    #[arg(long, value_name = "FOLDER")]
    save: Option<PathBuf>,
}

fn size(text: &str) -> Result<[usize; 3]> {
    let numbers: Vec<usize> = text
        .split('x')
        .map(|n| {
            n.parse()
                .with_context(|| format!("the size `{text}` is not like 256x256x89"))
        })
        .collect::<Result<_>>()?;
    let size: [usize; 3] = numbers
        .try_into()
        .ok()
        .with_context(|| format!("the size `{text}` is not like 256x256x89"))?;
    ensure!(
        size.iter().all(|n| (16..=2048).contains(n)),
        "a volume has 16 to 2048 voxels along each axis"
    );
    Ok(size)
}

/// The fixed volume, the moving one, and the motion between them where it is known.
fn volumes(options: &Options) -> Result<(Volume, Volume, Option<Motion>)> {
    let known = Some(options.motion);
    match &options.volumes[..] {
        [] => {
            let size = size(&options.size)?;
            let fixed = head::volume(Kind::Ct, size, Motion::default());
            Ok((fixed, head::volume(Kind::Mr, size, options.motion), known))
        }
        [one] => {
            // The file is the moving volume; what the motion makes of it is the fixed one.
            let moving = Volume::read(one)?;
            let mut fixed = Volume::new(moving.size, moving.spacing);
            let grid = fixed.clone();
            moved(&grid, &moving, &options.motion, &mut fixed.voxels);
            Ok((fixed, moving, known))
        }
        [one, other] => Ok((Volume::read(one)?, Volume::read(other)?, None)),
        more => bail!("two volumes at most, not {}", more.len()),
    }
}

fn main() -> Result<()> {
    let options = Options::parse();
    options.common.begin()?;
    let device = options.common.device;
    let (fixed, moving, known) = with_device(device, || volumes(&options))?;
    ensure!(
        moving.size.iter().chain(&fixed.size).all(|n| *n > 1),
        "a volume has two voxels along each axis at least"
    );
    if let Some(folder) = &options.save {
        fixed.write(&folder.join("fixed.nii.gz"))?;
        moving.write(&folder.join("moving.nii.gz"))?;
        println!("volumes     {}", shown(folder));
    }

    // The loops, each against the sequential one.
    let count = fixed.voxels.len();
    let start = Motion::default();
    let seen = |device, motion: &Motion| {
        let mut out = vec![0; count];
        let mut histograms = Histograms::new();
        with_device(device, || {
            moved(&fixed, &moving, motion, &mut out);
            histograms.count(&fixed.voxels, &out);
        });
        (out, histograms)
    };
    let check = |motion: &Motion| {
        let (other, one) = (seen(Device::Seq, motion), seen(device, motion));
        ensure!(one.0 == other.0, "voxels differ from the sequential loop's");
        ensure!(one.1 == other.1, "bins differ from the sequential loop's");
        Ok(one)
    };
    let (before, before_counts) = check(&start)?;
    println!("{}\n", histograms::explain().trim_end());
    println!("{}\n", resample::explain().trim_end());
    let [w, h, d] = fixed.size;
    let [dx, dy, dz] = fixed.spacing;
    println!("volumes     {w} x {h} x {d} voxels of {dx:.2} x {dy:.2} x {dz:.2} mm");
    println!(
        "check       {} voxels and 66,048 bins equal the sequential loops'",
        thousands(count as u64)
    );

    let mut report = Report::new("mutual_information", &options.common);
    let mut counts = Histograms::new();
    report.in_turns("histograms", 3 * count as u64, |device| {
        with_device(device, || counts.count(&fixed.voxels, &before));
    });
    let mut out = vec![0; count];
    report.in_turns("resampling", count as u64, |device| {
        with_device(device, || moved(&fixed, &moving, &start, &mut out));
    });

    let clock = std::time::Instant::now();
    let found = with_device(device, || register(&fixed, &moving, start))?;
    let seconds = clock.elapsed().as_secs_f64();
    println!(
        "registered  {} in {seconds:.1} s, {} evaluations",
        found.motion, found.evaluations
    );
    println!(
        "information {:.4} bits before, {:.4} after",
        before_counts.mutual_information(),
        found.information
    );
    let (after, after_counts) = check(&found.motion)?;
    report.finish()?;

    let subtitle = format!(
        "{w} × {h} × {d} voxels; {} evaluations of 65,536 + 512 bins; found {}",
        found.evaluations, found.motion
    );
    let before = State {
        voxels: &before,
        histograms: &before_counts,
    };
    let after = State {
        voxels: &after,
        histograms: &after_counts,
    };
    let page = sheet(&subtitle, &fixed, &before, &after)?;
    options.common.picture("mutual_information", &page)?;

    if let Some(known) = known {
        let (shift, turn) = found.motion.distance(&known);
        let voxels: Vec<f64> = (0..3)
            .map(|i| shift[i] / f64::from(fixed.spacing[i]))
            .collect();
        let [x, y, z] = voxels[..] else {
            bail!("three axes");
        };
        println!("known       {known}");
        ensure!(
            voxels.iter().all(|v| *v <= VOXELS) && turn <= DEGREES,
            "the motion found is {x:.2}, {y:.2}, {z:.2} voxels and {turn:.2} degrees from the known one, more than {VOXELS} and {DEGREES}"
        );
        println!(
            "check       found within {x:.2}, {y:.2}, {z:.2} voxels and {turn:.2} degrees of it"
        );
    }
    Ok(())
}
