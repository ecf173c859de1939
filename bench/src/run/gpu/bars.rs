//! `accrue-bench bars`: the goals that were set beforehand, beside what a run has measured.

use std::fmt;
use std::path::PathBuf;

use super::Report;
use super::cell::Measured;
use super::choice::{Choice, fastest};
use super::hough;
use super::pixels;
use crate::data::Distribution;

/// The run to look at.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The JSON of `accrue-bench run --device cuda`.
    figures: PathBuf,
}

/// Prints the table; whether every bar is held.
pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<bool> {
    let report = Report::read(&arguments.figures)?;
    let judged = judge(&report);
    let choice = Choice::of(&report.cells);
    print!("{}", Table(&report.device, &judged));
    println!("\n{choice}");
    if !report.left_out.is_empty() {
        println!("the run had no time for {} cells", report.left_out.len());
    }
    let held = judged
        .iter()
        .filter(|bar| bar.verdict == Verdict::Held)
        .count();
    let good = if choice.is_good() { "held" } else { "not held" };
    println!(
        "{held} of {} bars held; the choice's (10 % in 95 % of the cells, never 1.5 times, never a faster peer): {good}",
        judged.len()
    );
    Ok(held == judged.len() && choice.is_good())
}

use Distribution::{Const, Runs, Uniform, Zipf};

/// Work of 2^28 items and how fast it is to be, in 10^9 updates a second.
struct Bar {
    key: &'static str,
    bins: &'static [usize],
    /// How keys may be distributed.
    keys: &'static [Distribution],
    weight: &'static str,
    /// `auto`, or one strategy.
    way: &'static str,
    least: f64,
}

impl Bar {
    const fn auto(
        key: &'static str,
        bins: &'static [usize],
        keys: &'static [Distribution],
        weight: &'static str,
        least: f64,
    ) -> Bar {
        Bar {
            key,
            bins,
            keys,
            weight,
            way: "auto",
            least,
        }
    }

    /// What it is about.
    fn work(&self) -> String {
        let keys: Vec<_> = self.keys.iter().map(|keys| keys.name()).collect();
        let keys = match self.keys.len() == ANY.len() {
            true => "any".to_owned(),
            false => keys.join(", "),
        };
        let bins: Vec<_> = self.bins.iter().map(usize::to_string).collect();
        let way = match self.way {
            "auto" => String::new(),
            way => format!(", {way}"),
        };
        format!(
            "{} {}, {} bins, {keys}{way}",
            self.key,
            self.weight,
            bins.join("/")
        )
    }

    /// The names of its cells.
    fn cells(&self) -> impl Iterator<Item = String> {
        self.bins.iter().flat_map(move |bins| {
            let name = move |keys: &Distribution| {
                format!("{}/{bins}/{}/{}/2^28", self.key, keys.name(), self.weight)
            };
            self.keys.iter().map(name)
        })
    }
}

const ANY: &[Distribution] = &Distribution::ALL;
const BEYOND: &[usize] = &[262_144, 1_092_546];

/// The bars on one H200.
const BARS: &[Bar] = &[
    Bar::auto("u8", &[256], ANY, "count", 4000.0),
    Bar::auto("u32", &[32, 256, 257, 4096, 16_384], ANY, "count", 1000.0),
    Bar::auto("u32", &[57_000], ANY, "count", 900.0),
    Bar::auto("u32", &[65_536], ANY, "count", 650.0),
    Bar::auto("u32", BEYOND, &[Uniform], "count", 350.0),
    Bar::auto("u32", BEYOND, &[Const], "count", 500.0),
    Bar::auto("u32", BEYOND, &[Zipf], "count", 400.0),
    Bar::auto("u32", BEYOND, &[Runs], "count", 350.0),
    Bar::auto("u32", &[8_388_608], &[Uniform], "count", 200.0),
    Bar::auto("u32", &[256, 4096], &[Const, Zipf], "+u32", 900.0),
    Bar::auto("u32", &[256, 4096, 16_384], ANY, "count64", 950.0),
    Bar::auto("u32", &[256, 4096, 16_384], ANY, "+f32", 400.0),
    Bar::auto("u32", &[256, 4096], ANY, "+f64", 250.0),
    Bar {
        key: "u32",
        bins: &[256, 4096, 16_384],
        keys: ANY,
        weight: "count",
        way: "gang_shared",
        least: 1000.0,
    },
    Bar {
        key: "u8",
        bins: &[256],
        keys: ANY,
        weight: "count",
        way: "gang_striped",
        least: 4000.0,
    },
];

/// The Hough transform's, in 10^9 updates a second.
const HOUGH: f64 = 1000.0;

/// Bars in microseconds, at most: of a call on a picture, of the first call, of the host's time of a later one.
const PICTURE: f64 = 15.0;
const FIRST: f64 = 150e3;
const HOST: f64 = 20.0;

/// What became of a bar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// Everything it speaks of was measured and is good.
    Held,
    /// Something is not.
    Short,
    /// Something was not measured; the rest is good.
    Incomplete,
}

/// A bar and what was measured of it.
#[derive(Debug)]
struct Judged {
    work: String,
    /// The bar, and the worst figure.
    bar: String,
    worst: String,
    /// The cell of the worst figure and the best peer there.
    place: String,
    verdict: Verdict,
}

fn judge(report: &Report) -> Vec<Judged> {
    let mut all: Vec<Judged> = BARS
        .iter()
        .map(|bar| judge_cells(bar, &report.cells))
        .collect();
    let hough = report.hough.iter().find(|figure| figure.way == "auto");
    let hough = hough.filter(|figure| figure.note.is_empty());
    let speed = hough.and_then(|figure| Some(hough::UPDATES as f64 / figure.us? / 1e3));
    all.push(judge_one(
        "Hough, 180 updates an item",
        HOUGH,
        "G/s",
        speed,
        true,
    ));
    let picture = report
        .pixels
        .iter()
        .find(|figure| figure.what == pixels::IN_A_ROW);
    let picture = picture.map(|figure| figure.us);
    all.push(judge_one(
        "2073600 pixels, a call in a row",
        PICTURE,
        "us",
        picture,
        false,
    ));
    let first = Some(report.host.first_call);
    all.push(judge_one(
        "first call, compilation included",
        FIRST,
        "us",
        first,
        false,
    ));
    let host = Some(report.host.queue);
    all.push(judge_one(
        "host time to queue a call",
        HOST,
        "us",
        host,
        false,
    ));
    all
}

fn judge_cells(bar: &Bar, cells: &[Measured]) -> Judged {
    let (mut worst, mut missing): (Option<(f64, &Measured)>, usize) = (None, 0);
    for name in bar.cells() {
        let cell = cells.iter().find(|cell| cell.cell == name);
        let way = cell.and_then(|cell| {
            let way = cell.ways.iter().find(|way| way.way == bar.way && !way.peer);
            // What is wrong is not fast.
            let speed = way?.us.filter(|_| !way.is_some_and(|way| way.wrong));
            Some((speed.map_or(0.0, |us| cell.items as f64 / us / 1e3), cell))
        });
        match way {
            None => missing += 1,
            Some(way) if worst.is_none_or(|(speed, _)| way.0 < speed) => worst = Some(way),
            Some(_) => {}
        }
    }
    let verdict = match (worst, missing) {
        (Some((speed, _)), _) if speed < bar.least => Verdict::Short,
        (Some(_), 0) => Verdict::Held,
        _ => Verdict::Incomplete,
    };
    let place = worst.map(|(_, cell)| {
        let peer = fastest(cell, true).map_or(String::new(), |(peer, us)| {
            format!(", {} {:.0}", peer.way, cell.items as f64 / us / 1e3)
        });
        format!("{}{peer}", cell.cell)
    });
    let missing = match missing {
        0 => String::new(),
        n => format!(" ({n} cells not measured)"),
    };
    Judged {
        work: bar.work(),
        bar: format!("{:.0} G/s", bar.least),
        worst: worst.map_or("-".to_owned(), |(speed, _)| format!("{speed:.0}")),
        place: format!("{}{missing}", place.unwrap_or_default()),
        verdict,
    }
}

/// A bar of one figure, at least or at most.
fn judge_one(work: &str, bar: f64, unit: &str, figure: Option<f64>, at_least: bool) -> Judged {
    let good = |figure: f64| match at_least {
        true => figure >= bar,
        false => figure <= bar,
    };
    let verdict = match figure {
        None => Verdict::Incomplete,
        Some(figure) if good(figure) => Verdict::Held,
        Some(_) => Verdict::Short,
    };
    let bound = if at_least { "" } else { "<= " };
    Judged {
        work: work.to_owned(),
        bar: format!("{bound}{bar:.0} {unit}"),
        worst: figure.map_or("-".to_owned(), |figure| match unit {
            "us" => format!("{figure:.1}"),
            _ => format!("{figure:.0}"),
        }),
        place: String::new(),
        verdict,
    }
}

/// The device, and its bars in lines.
struct Table<'a>(&'a str, &'a [Judged]);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Table(device, bars) = self;
        writeln!(
            f,
            "{device}; the worst figure of each bar, its cell and the best peer there"
        )?;
        let width = bars.iter().map(|bar| bar.work.len()).max().unwrap_or(0);
        for bar in *bars {
            let verdict = match bar.verdict {
                Verdict::Held => "held",
                Verdict::Short => "SHORT",
                Verdict::Incomplete => "incomplete",
            };
            writeln!(
                f,
                "{:width$}  {:>12}  {:>9}  {verdict:10}  {}",
                bar.work, bar.bar, bar.worst, bar.place
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A way in JSON that does so many 10^9 items of 2^28 a second.
    fn way(name: &str, peer: bool, speed: f64) -> String {
        let us = (1u64 << 28) as f64 / speed / 1e3;
        format!(r#"{{"way": "{name}", "peer": {peer}, "us": {us}}}"#)
    }

    fn cell(name: &str, ways: &[String]) -> String {
        format!(
            r#"{{"cell": "{name}", "items": 268435456, "bytes": 4, "ways": [{}], "sample":
               {{"samples": 0, "distinct": 0, "largest": 0, "runs": 0, "sectors": 0, "conflicts": 0}}}}"#,
            ways.join(", ")
        )
    }

    fn report(cells: &[String]) -> Report {
        let text = format!(
            r#"{{"device": "cuda:0: a GPU", "day": 20000, "samples": 5, "seed": 1, "copy": 4200.0,
                "host": {{"open": 2e5, "first_call": 160000.0, "plain_call": 60.0, "queue": 4.0, "queue_and_wait": 20.0}},
                "cells": [{}],
                "pixels": [{{"what": "device time", "us": 99.0}}, {{"what": "a call in a row of 500", "us": 7.5}}],
                "hough": [{{"way": "auto", "us": 700.0, "note": ""}}],
                "left_out": ["u64/32/const/count/2^28"]}}"#,
            cells.join(", ")
        );
        serde_json::from_str(&text).unwrap()
    }

    /// One GPU's figures, small enough to be read.
    fn small() -> Report {
        let mut cells = Vec::new();
        for keys in Distribution::ALL {
            let name = format!("u8/256/{}/count/2^28", keys.name());
            let speed = if keys == Zipf { 4010.0 } else { 4100.0 };
            let ways = [
                way("auto", false, speed),
                way("gang_striped", false, 4200.0),
                way("cub", true, 3000.0),
            ];
            cells.push(cell(&name, &ways));
        }
        let ways = [
            way("auto", false, 150.0),
            way("gang_split", false, 300.0),
            way("arrays", true, 160.0),
            way("cub", true, 180.0),
        ];
        cells.push(cell("u32/262144/uniform/count/2^28", &ways));
        cells.push(cell(
            "u32/65536/zipf/count/2^28",
            &[way("auto", false, 700.0)],
        ));
        let wrong = way("auto", false, 990.0).replace("\"us\"", "\"wrong\": true, \"us\"");
        let ways = [wrong, way("gang_shared", false, 1100.0)];
        cells.push(cell("u32/57000/const/count/2^28", &ways));
        report(&cells)
    }

    #[test]
    fn bars_are_held_by_their_worst_cells() {
        let judged = judge(&small());
        let of = |work: &str| {
            let bar = judged.iter().find(|bar| bar.work == work);
            let bar = bar.unwrap_or_else(|| panic!("no bar {work}: {judged:?}"));
            (bar.worst.as_str(), bar.verdict, bar.place.as_str())
        };
        assert_eq!(
            of("u8 count, 256 bins, any"),
            ("4010", Verdict::Held, "u8/256/zipf/count/2^28, cub 3000")
        );
        assert_eq!(of("u8 count, 256 bins, any, gang_striped").1, Verdict::Held);
        assert_eq!(
            of("u32 count, 262144/1092546 bins, uniform"),
            (
                "150",
                Verdict::Short,
                "u32/262144/uniform/count/2^28, cub 180 (1 cells not measured)"
            )
        );
        assert_eq!(of("u32 count, 65536 bins, any").1, Verdict::Incomplete);
        assert_eq!(of("u32 count, 8388608 bins, uniform").0, "-");
        // A wrong result is no result.
        assert_eq!(of("u32 count, 57000 bins, any").1, Verdict::Short);
        assert_eq!(
            of("Hough, 180 updates an item"),
            ("1079", Verdict::Held, "")
        );
        assert_eq!(of("2073600 pixels, a call in a row").1, Verdict::Held);
        assert_eq!(of("first call, compilation included").1, Verdict::Short);
        assert_eq!(of("host time to queue a call").1, Verdict::Held);
        let table = Table("cuda:0: a GPU", &judged).to_string();
        let line = table.lines().find(|line| line.starts_with("first call"));
        let words: Vec<&str> = line.unwrap().split_whitespace().collect();
        assert_eq!(words[4..], ["<=", "150000", "us", "160000.0", "SHORT"]);
    }

    #[test]
    fn the_choice_is_judged_beside_strategies_and_peers() {
        let choice = Choice::of(&small().cells);
        // The wrong result is left out, and so is the cell without a strategy.
        assert_eq!((choice.cells, choice.near), (7, 6));
        let (worst, ratio) = choice.worst.clone().unwrap();
        assert_eq!(worst, "u32/262144/uniform/count/2^28");
        assert!((ratio - 2.0).abs() < 1e-9);
        assert_eq!(choice.with_peers, 7);
        let [(cell, peer, times)] = &choice.beaten[..] else {
            panic!("{choice:?}")
        };
        assert_eq!((cell.as_str(), peer.as_str()), (worst.as_str(), "cub"));
        assert!((times - 1.2).abs() < 1e-9);
        assert!(!choice.is_good());
        let text = choice.to_string();
        assert!(
            text.contains("in 6 of 7 cells (85.7 %), at worst 2.00 times it"),
            "{text}"
        );
        assert!(
            text.ends_with("cub, auto takes 1.20 times as long"),
            "{text}"
        );
        let good = Choice::of(&small().cells[..6]);
        assert!(good.is_good() && !Choice::of(&[]).is_good());
    }

    #[test]
    fn every_cell_of_a_bar_is_one_of_a_plain_run() {
        let plain: Vec<String> = super::super::grid::cells("")
            .unwrap()
            .iter()
            .map(ToString::to_string)
            .collect();
        for bar in BARS {
            for cell in bar.cells() {
                assert!(plain.contains(&cell), "{cell}");
            }
        }
    }
}
