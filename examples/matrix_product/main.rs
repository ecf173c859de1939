//! What is each step worth on the way to a fast matrix product? One plain triple loop, with coalescing, tiles in shared memory, unrolling, loading
//! ahead and several results a thread forced one after the other by the parameters of its strategy, as the thesis on GPU image processing measured
//! them (chapter 3, tables 3 to 8), and what `auto` makes of it beside them.
//!
//! ```sh
//! cargo run --release -p accrue-examples --features cuda --example matrix_product -- --device cuda
//! cargo run --release -p accrue-examples --example matrix_product -- --sizes 512
//! ```
//!
//! Each product is compared with the sequential loop's, bit for bit. On cores there are no such steps: the loop runs as it is.

use std::time::Duration;

use accrue::{Device, Error, Resident, Stream, with_device};
use accrue_examples::args::Common;
use accrue_examples::bars::{Bar, Bars};
use accrue_examples::page::{page, panel};
use accrue_examples::product::{self, AUTO, FUSED, Sample, Way};
use accrue_examples::report::Report;
use accrue_examples::timing::median;
use accrue_examples::{args, progress};
use anyhow::{Context, Result, ensure};
use clap::Parser;

/// Products of matrices by one loop, step by step.
#[derive(Debug, Parser)]
struct Options {
    #[command(flatten)]
    common: Common,
    /// Rows and columns of the matrices, which are as many; by default 512, and on a GPU 4096 as well.
    #[arg(long, value_delimiter = ',')]
    sizes: Vec<usize>,
    /// What the matrices are drawn from.
    #[arg(long, default_value_t = 3)]
    seed: u64,
}

/// The largest product that the sequential loop computes whole.
const WHOLE: usize = 1024;

/// What the runs of one way may take in all; a slow way runs fewer times.
const PATIENCE: Duration = Duration::from_millis(500);

/// The times of a way, after a run that is compared with the sequential loop's rows; none where it has no kernel.
fn measure(
    way: &Way,
    stream: &Stream,
    [a, b]: &[Resident<f32>; 2],
    sample: &Sample,
    (n, repeat): (usize, usize),
) -> Result<Option<Vec<Duration>>> {
    let on_cores = stream.device() == Device::Cpu || stream.device() == Device::Seq;
    let mut c = Resident::from(vec![0.0; n * n]);
    match (way.queue)(stream, n, a, b, &mut c) {
        Err(Error::StrategyNotApplicable { .. }) => return Ok(None),
        other => other.with_context(|| format!("{}, {}", way.step, way.name))?,
    }
    stream.sync()?;
    ensure!(
        sample.is_of(c.host(), way.fuses(on_cores)),
        "{}, {}: elements differ from the sequential loop's",
        way.step,
        way.name
    );
    let mut times = Vec::new();
    while times.len() < repeat && times.iter().sum::<Duration>() < PATIENCE {
        let begin = stream.mark()?;
        (way.queue)(stream, n, a, b, &mut c)?;
        let end = stream.mark()?;
        stream.sync()?;
        times.push(begin.until(&end)?);
    }
    Ok(Some(times))
}

/// The steps of a size, in a table and as bars.
fn study(
    n: usize,
    options: &Options,
    stream: &Stream,
    report: &mut Report,
) -> Result<Bars<'static>> {
    let operations = 2 * (n as u64).pow(3);
    let factors = product::factors(n, options.seed);
    let sample = Sample::new(n, &factors);
    let [a, b] = &factors;
    if n <= WHOLE {
        let mut found = [vec![0.0; n * n], vec![0.0; n * n]];
        report.in_turns(&format!("{n} x {n}"), operations, |device| {
            let c = &mut found[usize::from(device != Device::Seq)];
            with_device(device, || product::auto(n, a, b, c));
        });
        let same = found[0].iter().zip(&found[1]);
        ensure!(
            same.into_iter().all(|(x, y)| x.to_bits() == y.to_bits()),
            "elements differ from the sequential loop's"
        );
        println!("check       {} elements equal the sequential loop's", n * n);
    }
    let on_gpu = matches!(stream.device(), Device::Cuda(_)) || stream.device() == Device::Sim;
    // Who asks for a strategy has it for the loop as it is.
    let ways = match (on_gpu, &options.common.strategy) {
        (true, None) => product::ways(),
        (true, Some(_)) => vec![AUTO],
        (false, _) => vec![AUTO, FUSED],
    };
    let repeat = options.common.repeat.unwrap_or(15);
    let resident = factors.map(Resident::from);
    let progress = progress::bar("ways", ways.len() as u64);
    let mut table = String::new();
    let mut bars = Vec::new();
    let mut step = "";
    for way in &ways {
        let times = measure(way, stream, &resident, &sample, (n, repeat))?;
        progress.inc(1);
        let title = format!("{n}, {}, {}", way.step, way.name);
        report.way(
            &title,
            way.strategy,
            times.as_deref().unwrap_or_default(),
            operations,
        );
        let time = times.map(|times| median(times).as_secs_f64());
        let gigaflops = time.map(|time| operations as f64 / time.max(1e-9) / 1e9);
        let shown = match (time, gigaflops) {
            (Some(time), Some(speed)) => format!("{:12.1} us {speed:10.1} Gflop/s", time * 1e6),
            _ => "   has no kernel here".to_owned(),
        };
        table += &format!(
            "{:<22} {:<12}{shown}   {}\n",
            if step == way.step { "" } else { way.step },
            way.name,
            way.strategy
        );
        step = way.step;
        let name = match way.step {
            "today" => way.name.to_owned(),
            "threads side by side" => way.name.to_owned(),
            "1 x 2 a thread" => format!("{}, 1 x 2", way.name),
            "1 x 4 a thread" => format!("{}, 1 x 4", way.name),
            step => format!("{} {step}", way.name),
        };
        bars.push(Bar {
            name,
            parts: gigaflops.into_iter().collect(),
            label: gigaflops.map_or("none".into(), label),
            marked: way.name.starts_with("auto"),
        });
    }
    progress.finish_and_clear();
    print!("{table}");
    println!("check       {} ways, their rows bit for bit\n", ways.len());
    Ok(Bars {
        title: "",
        subtitle: "Gflop/s, more is better",
        parts: &[],
        logarithmic: ways.len() > 1,
        bars,
    })
}

/// A speed above a bar, in three digits or more.
fn label(speed: f64) -> String {
    let digits = (2.0 - speed.max(1e-9).log10().floor()).clamp(0.0, 3.0);
    format!("{speed:.*}", digits as usize)
}

fn main() -> Result<()> {
    let options = Options::parse();
    options.common.begin()?;
    let stream = with_device(options.common.device, Stream::new)?;
    let sizes = match (&options.sizes[..], stream.device()) {
        ([], Device::Cuda(_)) => vec![512, 4096],
        ([], Device::Sim) => vec![48],
        ([], _) => vec![512],
        (sizes, _) => sizes.to_vec(),
    };
    ensure!(!sizes.contains(&0), "a matrix has at least one row");
    let mut report = Report::new("matrix_product", &options.common);
    let mut rows = Vec::new();
    for n in sizes {
        let bars = study(n, &options, &stream, &mut report)?;
        let title = format!("{n} x {n}");
        rows.push(vec![panel(title, bars.draw()?)]);
    }
    println!("{}\n", product::auto::explain().trim_end());
    report.finish()?;
    let named = accrue::devices()
        .into_iter()
        .find(|d| d.device == stream.device());
    let device = named.map_or_else(
        || args::shown(stream.device().to_string().as_ref()),
        |d| d.to_string(),
    );
    let subtitle = format!("one triple loop over f32 on {device}, cut in different ways");
    let picture = page(
        "What each step of a matrix product is worth",
        &subtitle,
        &rows,
    )?;
    options.common.picture("matrix_product", &picture)
}
