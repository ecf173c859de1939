//! How many threads should share a local copy of a histogram? The joint histogram of two volumes of 512 x 512 x 295 voxels, with a
//! copy for each thread, for 32 threads, 64 and so on up to 1024, after Figure 4 of Ikeda and Ino's note on fast nonrigid
//! registration, split as there into updates on one side, initialisation and reduction on the other.
//!
//! ```sh
//! cargo run --release -p accrue-examples --features cuda --example thread_bundles -- --device cuda
//! cargo run --release -p accrue-examples --example thread_bundles -- --size 128x128x60
//! ```
//!
//! What initialisation and reduction take is what a call costs that does not grow with the voxels: 2 T(n/2) - T(n). On cores there are
//! no bundles: the loop runs as it is and with a table for each worker.

mod loops;

use std::time::Duration;

use accrue::{Device, Error, Resident, Stream, with_device};
use accrue_examples::args::Common;
use accrue_examples::bars::{Bar, Bars};
use accrue_examples::chart::thousands;
use accrue_examples::report::Report;
use accrue_examples::timing::median;
use accrue_examples::{args, phantom, progress};
use anyhow::{Context, Result, ensure};
use clap::Parser;

use crate::loops::SIDE;

/// Joint histograms with a local copy for so many threads.
#[derive(Debug, Parser)]
struct Options {
    #[command(flatten)]
    common: Common,
    /// Voxels: columns and rows, which are as many, and slices.
    #[arg(long, default_value = "512x512x295", value_parser = size)]
    size: (usize, usize),
}

fn size(text: &str) -> Result<(usize, usize), String> {
    let parts: Option<Vec<usize>> = text.split('x').map(|n| n.parse().ok()).collect();
    match parts.as_deref() {
        Some(&[w, h, d]) if w == h && w > 0 && d > 0 => Ok((w, d)),
        _ => Err("the size is columns, as many rows, and slices, as `512x512x295`".into()),
    }
}

type Joint = Resident<[u32; SIDE]>;
type Queue = fn(&Stream, &[Resident<u8>; 2], usize, &mut Joint) -> Result<(), Error>;

/// A way to count, and what it is called.
struct Way {
    name: &'static str,
    queue: Queue,
}

macro_rules! ways {
    ($($text:literal $name:ident)*) => {
        [$(Way {
            name: $text,
            queue: |stream, [a, b], n, joint| {
                loops::$name::on_stream(stream, a.slice(..n), b.slice(..n), joint)
            },
        }),*]
    };
}

/// Times of a way.
struct Times {
    updates: Duration,
    rest: Duration,
}

/// The median time of a call over the first `n` voxels, by the device's own clock where it has one.
fn timed(
    way: &Way,
    stream: &Stream,
    volumes: &[Resident<u8>; 2],
    n: usize,
    repeat: usize,
) -> Result<Duration, Error> {
    let mut joint: Joint = Resident::from(vec![[0; SIDE]; SIDE]);
    (way.queue)(stream, volumes, n, &mut joint)?;
    stream.sync()?;
    let mut times = Vec::with_capacity(repeat);
    for _ in 0..repeat {
        let begin = stream.mark()?;
        (way.queue)(stream, volumes, n, &mut joint)?;
        let end = stream.mark()?;
        stream.sync()?;
        times.push(begin.until(&end)?);
    }
    Ok(median(times))
}

/// What one way takes: all of it, and how much of that grows with the voxels. It is an error if it counts wrongly.
fn measure(
    way: &Way,
    stream: &Stream,
    volumes: &[Resident<u8>; 2],
    expected: &[[u32; SIDE]],
    repeat: usize,
) -> Result<Option<Times>> {
    let n = volumes[0].len();
    let mut joint: Joint = Resident::from(vec![[0; SIDE]; SIDE]);
    match (way.queue)(stream, volumes, n, &mut joint) {
        Err(Error::StrategyNotApplicable { .. }) => return Ok(None),
        other => other.with_context(|| way.name.to_owned())?,
    }
    stream.sync()?;
    ensure!(
        joint.host() == expected,
        "{}: bins differ from the sequential loop's",
        way.name
    );
    let (all, half) = (
        timed(way, stream, volumes, n, repeat)?,
        timed(way, stream, volumes, n / 2, repeat)?,
    );
    let rest = (2 * half).saturating_sub(all).min(all);
    Ok(Some(Times {
        updates: all - rest,
        rest,
    }))
}

fn main() -> Result<()> {
    let options = Options::parse();
    options.common.begin()?;
    let (side, slices) = options.size;
    let voxels = side * side * slices;
    let [ct, mr] = phantom::head(side, slices, 4);
    println!(
        "volumes     {side} x {side} x {slices}, {} voxels each, {} bins",
        thousands(voxels as u64),
        SIDE * SIDE
    );

    let mut report = Report::new("thread_bundles", &options.common);
    let mut found = [[[0; SIDE]; SIDE]; 2];
    report.in_turns("joint", voxels as u64, |device| {
        let joint = &mut found[usize::from(device != Device::Seq)];
        *joint = [[0; SIDE]; SIDE];
        with_device(device, || loops::auto(&ct, &mr, joint));
    });
    let [expected, offloaded] = found;
    ensure!(
        offloaded == expected,
        "bins differ from the sequential loop's"
    );
    println!(
        "check       {} bins equal the sequential loop's",
        SIDE * SIDE
    );

    let stream = with_device(options.common.device, Stream::new)?;
    let on_gpu = matches!(stream.device(), Device::Cuda(_)) || stream.device().to_string() == "sim";
    let ways: &[Way] = if on_gpu {
        &ways! {
            "S = 1" bundle_1 "S = 32" bundle_32 "S = 64" bundle_64 "S = 128" bundle_128 "S = 256" bundle_256
            "S = 512" bundle_512 "S = 1024" bundle_1024 "l = 64" locals_64 "l = 8" locals_8 "l = 0" naive "auto" auto
        }
    } else {
        &ways! { "auto" auto }
    };
    let volumes = [Resident::from(ct), Resident::from(mr)];
    let repeat = options.common.repeat.unwrap_or(15);
    let mut bars = Vec::new();
    let progress = progress::bar("ways", ways.len() as u64);
    let mut table = String::new();
    for way in ways {
        let times = measure(way, &stream, &volumes, &expected, repeat)?;
        progress.inc(1);
        let us = |time: Duration| time.as_secs_f64() * 1e6;
        table += &match &times {
            Some(Times { updates, rest }) => format!(
                "{:<11} {:9.1} us  updates {:9.1}  initialisation and reduction {:7.1}\n",
                way.name,
                us(*updates + *rest),
                us(*updates),
                us(*rest)
            ),
            None => format!("{:<11} has no room on this device\n", way.name),
        };
        bars.push(Bar {
            name: way.name.into(),
            parts: times
                .iter()
                .flat_map(|t| [us(t.updates), us(t.rest)])
                .collect(),
            label: times.map_or("no room".into(), |t| {
                format!("{:.0}", us(t.updates + t.rest))
            }),
            marked: false,
        });
    }
    progress.finish_and_clear();
    print!("{table}");
    report.finish()?;
    let named = accrue::devices()
        .into_iter()
        .find(|d| d.device == stream.device());
    let subtitle = format!(
        "{side} x {side} x {slices} voxels, {} bins, on {}; microseconds",
        SIDE * SIDE,
        named.map_or_else(
            || args::shown(stream.device().to_string().as_ref()),
            |d| d.to_string()
        )
    );
    let chart = Bars {
        title: "Threads that share a local copy",
        subtitle: &subtitle,
        parts: &["updates", "initialisation and reduction"],
        logarithmic: false,
        bars,
    };
    options.common.picture("thread_bundles", &chart.draw()?)
}
