//! `accrue-bench check`: every kernel against the sequential loop.
//!
//! - `matrix`: `bins[k] = bins[k] op v` for every strategy, operator and bin type, over distributions of keys, numbers of
//!   items and numbers of bins, with the strategies' parameters; from host memory and from device memory at an odd
//!   element.
//! - `counts`: `bins[k] += 1` for every type of key.
//! - `faults`: a bin out of range at every strategy: the exact error, the bins as before, the next call right.
//! - `forms`: loops of other shapes (pixels, joint bins, several targets, reductions, arithmetic).
//! - `own`: loops whose iterations write elements of their own, from host memory and device memory, and some that fail.
//!
//! On the device `cpu` it is every strategy of the CPU, with its parameters, on the loops that are measured.
//!
//! Results must be equal: the values are drawn so that sums of floats are exact. Bins without an update keep their bits.

mod counts;
mod cpu;
mod faults;
mod forms;
pub(crate) mod kernel;
mod matrix;
mod own;
mod report;
mod value;

use std::time::Instant;

use accrue::{Device, devices};
use accrue_ptx::abi::Strategy;
use anyhow::bail;
use clap::ValueEnum;

use self::report::Report;

/// What `check` is asked for.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The device: `cuda`, `cuda:N`, `sim` or `cpu`. By default the first GPU, or the simulator where there is none.
    #[arg(long)]
    device: Option<Device>,
    /// Fewer distributions, sizes and parameters.
    #[arg(long)]
    quick: bool,
    /// Only these parts, separated by commas; a sanitizer that takes long gets them one by one.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "LIST")]
    parts: Vec<Part>,
    /// Only these strategies, separated by commas.
    #[arg(long, value_delimiter = ',', value_name = "LIST", value_parser = strategy)]
    strategies: Vec<Strategy>,
    /// No loops of more items than this, where a sanitizer looks at every access.
    #[arg(long, value_name = "ITEMS", default_value_t = usize::MAX, hide_default_value = true)]
    most: usize,
}

/// A strategy by its name.
fn strategy(name: &str) -> Result<Strategy, String> {
    Strategy::from_name(name).ok_or_else(|| {
        let names = Strategy::ALL.map(Strategy::name).join(", ");
        format!("the strategies are {names}")
    })
}

/// Items for which every thread of a GPU takes several trips through its loop.
const LARGE: usize = 5_000_011;

/// Items of a bit more than eight gangs of 1024 threads that take four each.
const GANGS: usize = 8 * 4096 + 77;

/// What every part checks on.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// The device.
    pub(crate) device: Device,
    /// Whether it is a GPU, for which large sizes take no time.
    pub(crate) fast: bool,
    /// Whether to do less.
    pub(crate) quick: bool,
    /// Which strategies, in the order of [`Strategy::ALL`].
    pub(crate) strategies: Vec<Strategy>,
    /// Items of a loop, at most.
    pub(crate) most: usize,
}

impl Settings {
    /// Those strategies that have kernels for one loop without another one in it.
    pub(crate) fn of_one_loop(&self) -> impl Iterator<Item = Strategy> {
        let all = self.strategies.iter().copied();
        all.filter(|strategy| !strategy.template().takes_slices())
    }

    /// Numbers of items, with every distribution and number of bins.
    pub(crate) fn sizes(&self) -> &'static [usize] {
        match (self.fast, self.quick) {
            (true, false) => &[0, 1, 33, 1000, 100_003],
            (true, true) => &[33, 100_003],
            (false, false) => &[0, 1, 33, 1500],
            (false, true) => &[33, 700],
        }
    }

    /// [`LARGE`], where that is no trouble; for one distribution and
    /// many bins, since equal bins make a loop of compare-and-swap take seconds then.
    pub(crate) fn large(&self) -> Option<usize> {
        (self.fast && self.most >= LARGE).then_some(LARGE)
    }

    /// Items that eight gangs and more take turns at, where the sizes above are for fewer: of a simulated device with
    /// `ACCRUE_SIM=sms=8`.
    pub(crate) fn gangs(&self) -> Option<usize> {
        (!self.fast && self.most >= GANGS).then_some(GANGS)
    }

    /// All numbers of items, the large one last.
    pub(crate) fn all_sizes(&self) -> impl Iterator<Item = usize> + use<> {
        self.sizes().iter().copied().chain(self.large())
    }
}

/// A part of the check, by the word that it says first of what it checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Part {
    /// Every strategy, operator and bin type.
    Update,
    /// Every type of key.
    Count,
    /// Bins out of range.
    Fault,
    /// Loops of other shapes.
    Form,
    /// Loops whose iterations write elements of their own.
    Own,
}

impl Part {
    fn check(self, settings: &Settings) -> Report {
        match self {
            Part::Update => matrix::check(settings),
            Part::Count => counts::check(settings),
            Part::Fault => faults::check(settings),
            Part::Form => forms::check(settings),
            Part::Own => own::check(settings),
        }
    }

    /// Its name, which is the title of its table.
    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

impl Arguments {
    /// The strategies that are asked for, each once; all, where none is.
    fn strategies(&self) -> Vec<Strategy> {
        let wanted = |s: &Strategy| self.strategies.is_empty() || self.strategies.contains(s);
        Strategy::ALL.into_iter().filter(wanted).collect()
    }

    /// The parts that are asked for, in their order and each once; all, where none is.
    fn parts(&self) -> Vec<Part> {
        let all = Part::value_variants().iter().copied();
        all.filter(|part| self.parts.is_empty() || self.parts.contains(part))
            .collect()
    }
}

/// Runs the check and prints its tables; whether everything was right.
///
/// # Errors
///
/// The device is not there or not one that runs kernels.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    if arguments.device == Some(Device::Cpu) {
        let start = Instant::now();
        let report = cpu::check(arguments.quick);
        report.print("cpu");
        return Ok(said(report.totals(), start));
    }
    let here = devices();
    let first = |gpu: fn(&Device) -> bool| here.iter().find(|d| gpu(&d.device)).map(|d| d.device);
    let device = match arguments.device {
        Some(Device::Cpu | Device::Seq | Device::Auto) => {
            bail!("it checks `cuda`, `cuda:N`, `sim` or `cpu`")
        }
        Some(device) => device,
        None => first(|d| matches!(d, Device::Cuda(_))).unwrap_or(Device::Sim),
    };
    // Opening it tells best what is wrong with it.
    accrue::Stream::on(device)?;
    let settings = Settings {
        device,
        fast: matches!(device, Device::Cuda(_)),
        quick: arguments.quick,
        strategies: arguments.strategies(),
        most: arguments.most,
    };
    match here.iter().find(|d| d.device == device) {
        Some(info) => println!("accrue {} on {info}\n", env!("CARGO_PKG_VERSION")),
        None => println!("accrue {} on {device}\n", env!("CARGO_PKG_VERSION")),
    }
    let start = Instant::now();
    let (mut passed, mut failed) = (0, 0);
    for part in arguments.parts() {
        let report = part.check(&settings);
        report.print(&part.name());
        let (p, f) = report.totals();
        passed += p;
        failed += f;
    }
    Ok(said((passed, failed), start))
}

/// Says how many calls were right and how many were not; whether all were.
fn said((passed, failed): (usize, usize), start: Instant) -> bool {
    let seconds = start.elapsed().as_secs_f64();
    println!("{passed} calls as the sequential loop, {failed} not, in {seconds:.1} s");
    failed == 0
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory, Parser};

    use super::*;

    #[derive(Debug, Parser)]
    struct Check {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn parts(list: &str) -> Result<Vec<Part>, String> {
        let parsed = Check::try_parse_from(["check", "--parts", list]);
        let check = parsed.map_err(|e| e.to_string())?;
        Ok(check.arguments.parts())
    }

    #[test]
    fn parts_are_chosen_by_name_and_without_names_there_are_all() {
        assert_eq!(
            parts("form,update,form"),
            Ok(vec![Part::Update, Part::Form])
        );
        let all = Check::try_parse_from(["check"]).unwrap().arguments.parts();
        assert_eq!(all.len(), 5);
        assert_eq!(parts("update,count,fault,form,own"), Ok(all));
    }

    #[test]
    fn strategies_are_chosen_by_name() {
        let parse = |list: &str| {
            let parsed = Check::try_parse_from(["check", "--strategies", list]);
            parsed.map(|check| check.arguments.strategies())
        };
        assert_eq!(
            parse("gang_split,gang_hot").unwrap(),
            [Strategy::GangHot, Strategy::GangSplit]
        );
        let all = Check::try_parse_from(["check"]).unwrap().arguments;
        assert_eq!(all.strategies(), Strategy::ALL);
        let error = parse("gang_cold").unwrap_err().to_string();
        assert!(
            error.contains("the strategies are atomic_global, "),
            "{error}"
        );
    }

    #[test]
    fn an_unknown_part_is_an_error_that_names_those_there_are() {
        for list in ["fault,updates", "", "update,"] {
            let error = parts(list).unwrap_err();
            assert!(
                error.contains("[possible values: update, count, fault, form, own]"),
                "{error}"
            );
        }
        let help = Check::command().render_long_help().to_string();
        assert!(
            help.contains("--parts <LIST>") && help.contains("- fault:"),
            "{help}"
        );
    }
}
