//! The tables of the examples that study one loop in several ways: threads that share a local copy (after the note on fast nonrigid registration), the
//! matrix product step by step and the image pipeline (after the thesis on GPU image processing), and curves by interval arithmetic over remainders
//! (after the paper on drawing implicit functions). The loops are the examples' own.

use std::time::Instant;

use accrue::{Device, Error, Resident, Stream, with_device};
use accrue_examples::curves::polynomial::{Polynomial, heart, spade};
use accrue_examples::curves::{Curve, STEPS};
use accrue_examples::phantom;
use accrue_examples::product::{self, AUTO, FUSED, Sample};

use super::{Measured, PATIENCE, Way};
use crate::data::Random;
use crate::run::gpu::{settle, timed};
use crate::run::works::loops::plain;

#[path = "../../../examples/thread_bundles/loops.rs"]
mod bundles;
#[path = "../../../examples/image_pipeline/loops.rs"]
#[allow(dead_code)] // The example carves seams away as well.
pub(crate) mod pipeline;

/// What all of them share.
pub(super) struct Bench<'a> {
    pub(super) stream: &'a Stream,
    pub(super) samples: usize,
    /// Sizes for a simulator.
    pub(super) quick: bool,
    /// A part of the names of those that are wanted.
    pub(super) only: &'a str,
}

/// A call that is queued, with where its result goes.
type Call<'a, T> = &'a dyn Fn(&Stream, &mut T) -> Result<(), Error>;

impl Bench<'_> {
    fn size(&self, full: usize, quick: usize) -> usize {
        if self.quick { quick } else { full }
    }

    fn wants(&self, name: &str) -> bool {
        name.contains(self.only)
    }

    /// Whether kernels run, so that there are ways to compare.
    fn has_kernels(&self) -> bool {
        !matches!(self.stream.device(), Device::Cpu | Device::Seq)
    }

    /// A way: the first result is judged, later calls are timed.
    fn way<T>(
        &self,
        (name, note): (String, &str),
        mut out: T,
        call: Call<'_, T>,
        right: impl Fn(&mut T) -> bool,
    ) -> anyhow::Result<Way> {
        let (stream, note) = (self.stream, note.to_owned());
        match call(stream, &mut out) {
            Err(e @ Error::StrategyNotApplicable { .. }) => {
                let why = e.to_string();
                return Ok(Way {
                    name,
                    us: None,
                    note: why.lines().next().unwrap_or_default().to_owned(),
                    wrong: false,
                });
            }
            other => other?,
        }
        stream.sync()?;
        let wrong = !right(&mut out);
        let mut again = || -> anyhow::Result<()> { Ok(call(stream, &mut out)?) };
        settle(stream, &mut again)?;
        let time = timed(stream, self.samples, PATIENCE, &mut again)?;
        Ok(Way {
            name,
            us: Some(time.as_secs_f64() * 1e6),
            note,
            wrong,
        })
    }
}

/// The loop in order on one core, once by the clock.
fn in_order(run: impl FnOnce()) -> Way {
    let begin = Instant::now();
    with_device(Device::Seq, run);
    Way {
        name: "in order".into(),
        us: Some(begin.elapsed().as_secs_f64() * 1e6),
        note: "one core".into(),
        wrong: false,
    }
}

/// All of them, one after the other.
pub(super) fn all(bench: &Bench<'_>, seed: u64) -> anyhow::Result<Vec<Measured>> {
    let mut list = Vec::new();
    if bench.wants("thread bundles") {
        list.push(thread_bundles(bench, seed)?);
    }
    let sizes: &[usize] = match (bench.quick, bench.has_kernels()) {
        (true, _) => &[48],
        (false, true) => &[512, 4096],
        (false, false) => &[512],
    };
    if bench.wants("matrix product") {
        for &n in sizes {
            list.push(matrix_product(bench, n, seed)?);
        }
    }
    if bench.wants("image pipeline") {
        list.extend(image_pipeline(bench, seed)?);
    }
    let sizes: &[usize] = match (bench.quick, bench.has_kernels()) {
        (true, _) => &[16],
        (false, true) => &[256, 4096],
        (false, false) => &[256],
    };
    if bench.wants("implicit curves") {
        for &cells in sizes {
            let heart = (
                "implicit curves: heart",
                heart(),
                "196.6 ms at 256 x 256 (GTX 285)",
            );
            let spade = (
                "implicit curves: spade",
                spade(),
                "2206.4 ms at 256 x 256 (GTX 285)",
            );
            for of in [heart, spade] {
                list.push(implicit_curve(bench, cells, of)?);
            }
        }
    }
    Ok(list)
}

/// The two volumes, and the joint histogram.
type Volumes = [Resident<u8>; 2];
type Joint = Resident<[u32; bundles::SIDE]>;
type Counting = fn(&Stream, &Volumes, &mut Joint) -> Result<(), Error>;

macro_rules! bundle_call {
    ($name:ident) => {
        (|stream, [a, b], joint| bundles::$name::on_stream(stream, a, b, joint)) as Counting
    };
}

macro_rules! bundles {
    ($($text:literal $name:ident)*) => {
        [$(($text, bundle_call!($name))),*]
    };
}

fn thread_bundles(bench: &Bench<'_>, seed: u64) -> anyhow::Result<Measured> {
    const SIDE: usize = bundles::SIDE;
    let (side, slices) = (bench.size(512, 16), bench.size(295, 12));
    let [a, b] = phantom::head(side, slices, seed);
    let voxels = a.len();
    let mut expected = [[0; SIDE]; SIDE];
    let first = in_order(|| bundles::auto(&a, &b, &mut expected));
    let volumes = [Resident::from(a), Resident::from(b)];
    let all = bundles! {
        "S = 1" bundle_1 "S = 32" bundle_32 "S = 64" bundle_64 "S = 128" bundle_128 "S = 256" bundle_256
        "S = 512" bundle_512 "S = 1024" bundle_1024 "l = 64" locals_64 "l = 8" locals_8 "l = 0" naive "auto" auto
    };
    let mut ways = vec![first];
    let last = all.len() - 1;
    for (name, count) in &all[if bench.has_kernels() { 0 } else { last }..] {
        let joint: Joint = Resident::from(vec![[0; SIDE]; SIDE]);
        ways.push(bench.way(
            ((*name).to_owned(), ""),
            joint,
            &|stream, joint| count(stream, &volumes, joint),
            |joint| joint.host() == expected,
        )?);
    }
    Ok(Measured {
        application: "thread bundles",
        what: format!("{side} x {side} x {slices} voxels, {SIDE} x {SIDE} bins"),
        updates: voxels as u64,
        unit: "updates",
        published: "best S = 32, 1.5 times S = 1 (GTX 480)",
        ways,
    })
}

fn matrix_product(bench: &Bench<'_>, n: usize, seed: u64) -> anyhow::Result<Measured> {
    /// The largest that the loop in order computes.
    const WHOLE: usize = 1024;
    let factors = product::factors(n, seed);
    let sample = Sample::new(n, &factors);
    let [a, b] = &factors;
    let mut ways = Vec::new();
    if n <= WHOLE {
        let mut c = vec![0.0; n * n];
        ways.push(in_order(|| plain::product(n, a, b, &mut c)));
    }
    let [a, b] = factors.map(Resident::from);
    let list = match bench.has_kernels() {
        true => product::ways(),
        false => vec![AUTO, FUSED],
    };
    for way in list {
        let name = format!("{}, {}", way.step, way.name);
        let name = match way.step {
            "today" => way.name.to_owned(),
            _ => name,
        };
        ways.push(bench.way(
            (name, way.strategy),
            Resident::from(vec![0.0; n * n]),
            &|stream, c| (way.queue)(stream, n, &a, &b, c),
            |c| sample.is_of(c.host(), way.fuses(!bench.has_kernels())),
        )?);
    }
    Ok(Measured {
        application: "matrix product",
        what: format!("{n} x {n}, f32"),
        updates: 2 * (n as u64).pow(3),
        unit: "flop",
        published: "200 times a core (C2075)",
        ways,
    })
}

fn image_pipeline(bench: &Bench<'_>, seed: u64) -> anyhow::Result<Vec<Measured>> {
    /// Views along a side of the light field.
    const SIDE: usize = 7;
    let mut random = Random::new(seed);
    let (w, h) = (bench.size(1920, 48), bench.size(1080, 30));
    let grey: Vec<u8> = (0..w * h).map(|_| random.next() as u8).collect();
    let on_grey = Resident::from(grey.clone());
    let mut list = Vec::new();
    let measured = |application, what, updates, published, ways| Measured {
        application,
        what,
        updates,
        unit: "pixels",
        published,
        ways,
    };

    let mut edges = vec![0; w * h];
    let plain = in_order(|| pipeline::laplacian(&grey, w, h, &mut edges));
    let auto = bench.way(
        ("auto".to_owned(), ""),
        Resident::from(vec![0u8; w * h]),
        &|stream, out| pipeline::laplacian::on_stream(stream, &on_grey, w, h, out),
        |out| out.host() == edges,
    )?;
    list.push(measured(
        "image pipeline: Laplacian",
        format!("{w} x {h}"),
        (w * h) as u64,
        "30 times a core (C2075)",
        vec![plain, auto],
    ));

    let mut costs = vec![0; w * h];
    let plain = in_order(|| pipeline::seam_costs(&grey, w, h, &mut costs));
    let auto = bench.way(
        ("auto".to_owned(), ""),
        Resident::from(vec![0u32; w * h]),
        &|stream, out| pipeline::seam_costs::on_stream(stream, &on_grey, w, h, out),
        |out| out.host() == costs,
    )?;
    list.push(measured(
        "image pipeline: seam costs",
        format!("{w} x {h}, row by row"),
        (w * h) as u64,
        "90 times a core (C2075)",
        vec![plain, auto],
    ));

    let (w, h, depths) = (bench.size(720, 24), bench.size(480, 16), bench.size(30, 3));
    let pixels = SIDE * SIDE * w * h;
    let views: Vec<[u8; 3]> = (0..pixels)
        .map(|_| {
            let bits = random.next();
            [bits as u8, (bits >> 8) as u8, (bits >> 16) as u8]
        })
        .collect();
    let slopes: Vec<f32> = (0..depths).map(|d| d as f32 * 0.4).collect();
    let mut focused = vec![[0; 3]; depths * w * h];
    let plain = in_order(|| pipeline::refocus(&views, w, h, SIDE, &slopes, &mut focused));
    let (views, slopes) = (Resident::from(views), Resident::from(slopes));
    let auto = bench.way(
        ("auto".to_owned(), ""),
        Resident::from(vec![[0u8; 3]; depths * w * h]),
        &|stream, out| pipeline::refocus::on_stream(stream, &views, w, h, SIDE, &slopes, out),
        |out| out.host() == focused,
    )?;
    list.push(measured(
        "image pipeline: refocusing",
        format!("{SIDE} x {SIDE} views of {w} x {h}, {depths} depths"),
        (depths * pixels) as u64,
        "80 times a core (C2075)",
        vec![plain, auto],
    ));
    Ok(list)
}

/// Every cell decided by intervals, by each step of the study, and by subdivision on cores.
fn implicit_curve(
    bench: &Bench<'_>,
    cells: usize,
    (application, polynomial, published): (&'static str, Polynomial, &'static str),
) -> anyhow::Result<Measured> {
    /// The most cells along a side that a loop in order decides.
    const WHOLE: usize = 256;
    let curve = Curve::new(cells, &polynomial, Device::Cpu)?;
    let expected = curve.intervals(Device::Cpu);
    let mut ways = Vec::new();
    if cells <= WHOLE {
        for step in [0, STEPS.len() - 1] {
            let way = in_order(|| drop(curve.by_step(step, Device::Seq)));
            let name = format!("in order, step {}", step + 1);
            ways.push(Way { name, ..way });
        }
        let begin = Instant::now();
        let (known, boxes) = curve.subdivided(Device::Cpu);
        ways.push(Way {
            name: "subdivision, all cores".into(),
            us: Some(begin.elapsed().as_secs_f64() * 1e6),
            note: format!("{boxes} boxes"),
            wrong: known != expected,
        });
    }
    let on_device = curve.on_device();
    for (step, title) in STEPS.iter().enumerate() {
        let name = match step + 1 == STEPS.len() {
            true => "auto".to_owned(),
            false => format!("step {}", step + 1),
        };
        ways.push(bench.way(
            (name, title),
            Resident::from(vec![0u8; cells * cells]),
            &|stream, out| on_device.queue(step, stream, out),
            |out| out.host() == expected,
        )?);
    }
    Ok(Measured {
        application,
        what: format!(
            "{cells} x {cells} cells, degree {}, {} terms, {} primes",
            polynomial.degree(),
            polynomial.0.len(),
            curve.primes()
        ),
        updates: (cells * cells) as u64,
        unit: "cells",
        published,
        ways,
    })
}
