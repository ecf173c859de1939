//! `accrue-bench papers`: the OpenACC paper's four applications, its table and its bar charts again (Ikeda, Ino and Hagihara, "An
//! OpenACC Optimizer for Accelerating Histogram Computation on a GPU", 2016): naive atomics, `l` copies in device memory, and
//! what has come since. Behind them the tables of other studies: [`studies`].

mod applications;
pub(crate) mod loops;
pub(crate) mod studies;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use accrue::__bench::{queue, strategies, with_strategy};
use accrue::__rt::gpu::{Array, Loop};
use accrue::{Device, Stream, with_device};
use accrue_examples::bars::{Bar, Bars};
use accrue_examples::page::{Panel, page};
use accrue_ptx::abi::Strategy;
use anyhow::{Context, bail, ensure};
use serde::Serialize;

use self::applications::{Application, Counts};
use crate::check::kernel::{self, Compiled};
use crate::data::median;
use crate::run::gpu::{settle, timed};

/// The numbers of copies in device memory that the paper tried; 0 stands for naive code.
const LOCALS: [u32; 7] = [2, 4, 8, 16, 32, 64, 128];

/// The strategy that does what naive code does.
const NAIVE: &str = "atomic_global";

/// What the runs of one way may take in all; a slow way runs once.
const PATIENCE: Duration = Duration::from_millis(150);

/// What to run, and where the figures go.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The device: `cpu`, `cuda`, `cuda:N` or `sim`.
    #[arg(long, default_value = "cpu")]
    device: Device,
    /// Sizes for a simulator.
    #[arg(long)]
    quick: bool,
    /// Dimensions of the code whose pairs of words are weighed; 17 are 2^34 pairs.
    #[arg(long, value_delimiter = ',', default_values_t = [13])]
    dimensions: Vec<usize>,
    /// Only what has this in its name.
    #[arg(long, default_value = "")]
    only: String,
    /// Runs of each way, at most; their median is shown.
    #[arg(long, default_value_t = 7)]
    samples: usize,
    /// What the data are drawn from.
    #[arg(long, default_value_t = 2016)]
    seed: u64,
    /// A picture with a bar chart for each application.
    #[arg(long)]
    picture: Option<PathBuf>,
    /// A file for the figures, as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
}

/// A way to run an application, and what came of it.
#[derive(Debug, Serialize)]
struct Way {
    name: String,
    /// Microseconds, the median; none with the reason why not in `note`.
    us: Option<f64>,
    note: String,
    wrong: bool,
}

/// An application, measured.
#[derive(Debug, Serialize)]
struct Measured {
    application: &'static str,
    what: String,
    updates: u64,
    /// What these are.
    unit: &'static str,
    /// The speed-ups that the paper found, and on which GPU.
    published: &'static str,
    ways: Vec<Way>,
}

/// Measures. The answer is whether every result was right.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    ensure!(arguments.samples > 0, "there must be at least one sample");
    let quick = arguments.quick || arguments.device == Device::Sim;
    let dimensions = match quick {
        true => vec![5],
        false => arguments.dimensions.clone(),
    };
    let (device, samples) = (arguments.device, arguments.samples);
    let mut all = Vec::new();
    let only = &arguments.only;
    let applications = applications::all(quick, &dimensions, arguments.seed)?;
    for application in applications.iter().filter(|a| a.name.contains(only)) {
        let measured = match device {
            Device::Cpu => on_cores(application, samples),
            Device::Cuda(_) | Device::Sim => on_device(application, device, samples)?,
            other => bail!(
                "`{other}` is not a device that `papers` measures\nhelp: `--device cpu` or `--device cuda`"
            ),
        };
        println!("{}", measured.table());
        all.push(measured);
    }
    let bench = studies::Bench {
        stream: &Stream::on(device)?,
        samples,
        quick,
        only,
    };
    for measured in studies::all(&bench, arguments.seed)? {
        println!("{}", measured.table());
        all.push(measured);
    }
    if let Some(path) = &arguments.picture {
        let named = accrue::devices().into_iter().find(|d| d.device == device);
        let subtitle = named.map_or_else(|| device.to_string(), |info| info.to_string());
        picture(&all, &subtitle, path)?;
    }
    if let Some(path) = &arguments.json {
        std::fs::write(path, serde_json::to_string_pretty(&all)?)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    let mut ways = all.iter().flat_map(|m| &m.ways);
    Ok(ways.all(|way| !way.wrong))
}

impl Measured {
    /// What the others are compared with: naive code on a device, the loop in order on the CPU.
    fn base(&self) -> Option<f64> {
        self.ways.first()?.us
    }

    fn table(&self) -> String {
        let mut text = format!(
            "{}: {}; published: {}\n",
            self.application, self.what, self.published
        );
        for way in &self.ways {
            let _ = match (way.us, self.base()) {
                (Some(us), Some(base)) => writeln!(
                    text,
                    "  {:<32} {us:>12.1} us  {:>9.2} G {}/s  {:>8.2} times as fast  {}{}",
                    way.name,
                    self.updates as f64 / us / 1e3,
                    self.unit,
                    base / us,
                    if way.wrong { "WRONG " } else { "" },
                    way.note
                ),
                _ => writeln!(text, "  {:<32} {}", way.name, way.note),
            };
        }
        text
    }
}

/// Every strategy that has room, and the automatic choice, by the device's own events.
fn on_device(
    application: &Application,
    device: Device,
    samples: usize,
) -> anyhow::Result<Measured> {
    let stream = Stream::on(device)?;
    let compiled = kernel::compile(application.text, &[])?;
    let mut requests = vec![("naive".to_owned(), NAIVE.to_owned())];
    // Each copy is cleared and merged, which a simulator takes long for.
    let locals = match device {
        Device::Sim => &LOCALS[..1],
        _ => &LOCALS[..],
    };
    for l in locals {
        requests.push((format!("l = {l}"), format!("gang_global:locals={l}")));
    }
    let others = Strategy::ALL.into_iter().map(|strategy| strategy.name());
    for name in others.filter(|name| *name != NAIVE && *name != "gang_global") {
        requests.push((name.to_owned(), name.to_owned()));
    }
    requests.push(("auto".to_owned(), String::new()));
    let expected = expected(application);
    let inputs = application.onto(&stream)?;
    let mut ways = Vec::new();
    for (name, request) in requests {
        let of = compiled.the_loop(&request);
        let arrays = arrays(
            application,
            &compiled,
            &inputs,
            &application.bins(&stream)?.lengths(),
        );
        let done = one_way(
            application,
            &stream,
            &compiled,
            &of,
            &arrays,
            &expected,
            samples,
        );
        let chose = of
            .last_run()
            .filter(|_| request.is_empty())
            .map(|last| last.strategy.name());
        ways.push(match done {
            Ok((time, right)) => Way {
                name,
                us: Some(time.as_secs_f64() * 1e6),
                note: chose.unwrap_or_default().to_owned(),
                wrong: !right,
            },
            Err(e) => Way {
                name,
                us: None,
                note: e.to_string().lines().next().unwrap_or_default().to_owned(),
                wrong: false,
            },
        });
    }
    Ok(Measured::of(application, ways))
}

/// What has to come out, if that can be counted in a while, and else nothing.
fn expected(application: &Application) -> Option<Counts> {
    (application.updates <= 1 << 32).then(|| application.in_order())
}

/// What a call passes for the loop's arrays.
fn arrays<'a>(
    application: &Application,
    compiled: &Compiled,
    inputs: &'a applications::OnDevice,
    lengths: &[usize],
) -> Vec<Array<'a>> {
    let (read, filled) = application.names;
    let array = |name: &String| match read.iter().position(|n| n == name) {
        Some(at) => inputs.0[at].array(),
        None => {
            let at = filled
                .iter()
                .position(|n| n == name)
                .expect("an array of the text");
            Array::length(lengths[at])
        }
    };
    compiled.arrays.iter().map(array).collect()
}

fn one_way(
    application: &Application,
    stream: &Stream,
    compiled: &Compiled,
    of: &Loop,
    arrays: &[Array<'_>],
    expected: &Option<Counts>,
    samples: usize,
) -> anyhow::Result<(Duration, bool)> {
    ensure!(
        compiled.targets == application.names.1,
        "bins are not in the order of the text: {:?}",
        compiled.targets
    );
    let mut bins = application.bins(stream)?;
    let mut call = || -> anyhow::Result<()> {
        Ok(queue(
            of,
            stream,
            &application.counts,
            arrays,
            &mut bins.bins(),
            &[],
        )?)
    };
    call()?;
    stream.sync()?;
    let right = {
        let found = bins.counts()?;
        match expected {
            Some(expected) => found == *expected,
            None => application.marginals_hold(&found),
        }
    };
    let mut call = || -> anyhow::Result<()> {
        Ok(queue(
            of,
            stream,
            &application.counts,
            arrays,
            &mut bins.bins(),
            &[],
        )?)
    };
    settle(stream, &mut call)?;
    Ok((timed(stream, samples, PATIENCE, &mut call)?, right))
}

/// The loop in order, every strategy of the CPU, and the automatic choice, in turns.
fn on_cores(application: &Application, samples: usize) -> Measured {
    let mut ways = vec![
        ("in order".to_owned(), None),
        ("auto".to_owned(), Some(None)),
    ];
    for row in strategies() {
        ways.push((row.name.to_owned(), Some(Some(row.name))));
    }
    let expected = application.in_order();
    let mut times = vec![Vec::new(); ways.len()];
    let mut wrong = vec![false; ways.len()];
    for _ in 0..samples {
        for (at, (_, request)) in ways.iter().enumerate() {
            let begin = Instant::now();
            let found = match request {
                None => application.in_order(),
                Some(None) => with_device(Device::Cpu, || application.offloaded()),
                Some(Some(name)) => with_device(Device::Cpu, || {
                    with_strategy(name, || application.offloaded())
                }),
            };
            times[at].push(begin.elapsed());
            wrong[at] |= found != expected;
        }
    }
    let ways = ways.into_iter().zip(times).zip(wrong);
    let ways = ways.map(|(((name, _), times), wrong)| Way {
        name,
        us: Some(median(times).as_secs_f64() * 1e6),
        note: String::new(),
        wrong,
    });
    Measured::of(application, ways.collect())
}

impl Measured {
    fn of(application: &Application, ways: Vec<Way>) -> Measured {
        Measured {
            application: application.name,
            what: application.what.clone(),
            updates: application.updates,
            unit: "updates",
            published: application.published,
            ways,
        }
    }
}

/// A bar chart for each application, below each other.
fn picture(all: &[Measured], subtitle: &str, path: &Path) -> anyhow::Result<()> {
    let mut rows = Vec::new();
    for measured in all {
        let base = measured.base().unwrap_or(f64::NAN);
        let bars = measured
            .ways
            .iter()
            .filter(|way| way.us.is_some())
            .map(|way| {
                let times = base / way.us.unwrap_or(f64::NAN);
                Bar {
                    name: way.name.clone(),
                    parts: vec![times],
                    label: if times < 9.95 {
                        format!("{times:.1}")
                    } else {
                        format!("{times:.0}")
                    },
                    marked: way.name == "auto",
                }
            });
        let chart = Bars {
            title: measured.application,
            subtitle: &format!(
                "{}; times as fast as {}",
                measured.what, measured.ways[0].name
            ),
            parts: &[],
            logarithmic: true,
            bars: bars.collect(),
        };
        rows.push(vec![Panel {
            caption: format!("published: {}", measured.published),
            picture: chart.draw()?,
        }]);
    }
    let picture = page("What papers measured, again", subtitle, &rows)?;
    picture
        .save(path)
        .with_context(|| format!("cannot write {}", path.display()))
}
