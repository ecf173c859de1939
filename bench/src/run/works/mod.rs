//! Loops of every kind on the CPU, those that fill no bins and the papers' applications: as they are, through OpenMP as C programmers write them
//! (`bench/peers/works.c`), and offloaded.
//!
//! The forms take turns on the same data. In its turn a form runs twice on an untouched result, and the second run counts: threads that have just been
//! woken may share a core for milliseconds. Results are compared bit for bit, sums of floats to rounding.

pub(crate) mod loops;

use std::cell::RefCell;
use std::ffi::c_void;
use std::path::Path;
use std::time::{Duration, Instant};

use accrue::{Device, with_device};
use accrue_examples::bch::Code;
use accrue_examples::curves::polynomial::{heart, spade};
use accrue_examples::curves::{Curve, loops as curves};
use accrue_examples::phantom;
use anyhow::{Context, ensure};
use libloading::Library;
use serde::Serialize;

use self::loops::plain;
use super::report::{Cores, last_run, processor};
use crate::data::{Random, median};
use crate::papers::loops as papers;
use crate::papers::studies::pipeline;

/// The threads of OpenMP look for more work for some milliseconds, before they sleep.
const ASLEEP: Duration = Duration::from_millis(20);

/// Turns before those that count: a loop's first calls meet cold memory, and try both ways.
const WARM: usize = 3;

/// What a function of `works.c` is called with: sizes, arrays that are read, the result.
type Work = unsafe extern "C" fn(*const usize, *const *const c_void, *mut c_void);

/// What was measured and on what.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    processor: String,
    threads: usize,
    samples: usize,
    rows: Vec<Row>,
    pub(super) right: bool,
}

/// A loop; times in microseconds, medians.
#[derive(Debug, Serialize)]
struct Row {
    work: String,
    plain: f64,
    openmp: Option<f64>,
    accrue: f64,
    /// How many times as fast as the plain loop accrue is, the median of turns.
    of_plain: f64,
    /// And as OpenMP.
    of_openmp: Option<f64>,
    /// Part of the cores that others had.
    others: f64,
    /// What accrue did.
    ran: String,
}

/// How results are compared.
type Same<T> = fn(&T, &T) -> bool;

fn exact<T: PartialEq>(a: &T, b: &T) -> bool {
    a == b
}

/// Sums of floats, which each form rounds in an order of its own.
fn near(a: &f32, b: &f32) -> bool {
    (a - b).abs() <= 1e-2 * a.abs().max(1.0)
}

fn near_f64(a: &f64, b: &f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(1.0)
}

/// `a * b + c` in C is rounded once where the machine can.
fn fused(a: &f32, b: &f32) -> bool {
    (a - b).abs() <= 1e-4 * a.abs().max(1.0)
}

/// The step of the curves that cores are fastest with: sides from a table.
const SIDES: usize = 3;

/// What rows are measured with.
struct Works<'a> {
    samples: usize,
    /// Rows whose names have this in them.
    only: &'a str,
    peer: Option<Library>,
    report: Report,
}

/// Measures the rows whose names have `only` in them, and prints a line for each.
pub(super) fn measure(samples: usize, only: &str, peers: Option<&Path>) -> anyhow::Result<Report> {
    let path = peers.map(|folder| folder.join("libworks.so"));
    let load = |path: &Path| {
        // SAFETY: the library is `works.c`, which does nothing when it is loaded.
        let library = unsafe { Library::new(path) };
        library.with_context(|| format!("cannot load {}", path.display()))
    };
    let peer = path.as_deref().map(load);
    let mut works = Works {
        samples,
        only,
        peer: peer.transpose()?,
        report: Report {
            processor: processor(),
            threads: rayon::current_num_threads(),
            samples,
            rows: Vec::new(),
            right: true,
        },
    };
    println!(
        "{}, {} threads, medians of {samples}, microseconds",
        works.report.processor, works.report.threads
    );
    println!(
        "{:34} {:>11} {:>11} {:>11} {:>8} {:>8}  others  ran",
        "work", "plain", "OpenMP", "accrue", "/ plain", "/ OpenMP"
    );
    works.streaming(1 << 24)?;
    works.planes(4096, 256)?;
    works.products(768, 4096)?;
    works.arithmetic(1024, 4096)?;
    works.sums(1 << 24)?;
    works.scans(1 << 24)?;
    works.steps((1920, 1080), 512, 2048)?;
    works.papers()?;
    let short: Vec<&str> = works
        .report
        .rows
        .iter()
        .filter(|row| row.is_short())
        .map(|row| &*row.work)
        .collect();
    match &short[..] {
        [] => println!("every row is at 0.98 of the plain loop and of OpenMP, or above"),
        rows => println!(
            "below 0.98 of the plain loop or of OpenMP: {}",
            rows.join("; ")
        ),
    }
    Ok(works.report)
}

impl Row {
    fn is_short(&self) -> bool {
        self.of_plain < 0.98 || self.of_openmp.is_some_and(|times| times < 0.98)
    }
}

/// A work of the table: its name, that of the function in C, and what that reads.
struct What<'a> {
    work: &'a str,
    symbol: &'a str,
    sizes: &'a [usize],
    arrays: &'a [*const c_void],
    explain: fn() -> String,
}

/// Where an array begins.
fn at<T>(of: &[T]) -> *const c_void {
    of.as_ptr().cast()
}

impl Works<'_> {
    /// A row; `out` is what the result is before a run.
    fn row<T: Clone>(
        &mut self,
        what: &What<'_>,
        out: &[T],
        same: Same<T>,
        plain: impl Fn(&mut [T]),
        accrue: impl Fn(&mut [T]),
    ) -> anyhow::Result<()> {
        let What {
            work,
            symbol,
            sizes,
            arrays,
            explain,
        } = *what;
        if !work.contains(self.only) {
            return Ok(());
        }
        let c = match &self.peer {
            // SAFETY: all functions of `works.c` have this type.
            Some(library) => Some(unsafe { library.get::<Work>(symbol.as_bytes()) }?),
            None => None,
        };
        let mut results = [out.to_vec(), out.to_vec(), out.to_vec()];
        let mut times = [const { Vec::new() }; 3];
        let mut others = 0.0f64;
        for run in 0..WARM + self.samples {
            let before = Cores::now();
            for (form, result) in results.iter_mut().enumerate() {
                let mut twice = || {
                    let mut once = || {
                        result.clone_from_slice(out);
                        let begin = Instant::now();
                        match (form, &c) {
                            (0, _) => plain(result),
                            (1, _) => with_device(Device::Cpu, || accrue(result)),
                            // SAFETY: sizes and arrays are those that the function of this name takes, and the result is as long as the other forms'.
                            (_, Some(c)) => unsafe {
                                c(sizes.as_ptr(), arrays.as_ptr(), result.as_mut_ptr().cast())
                            },
                            (_, None) => {}
                        }
                        begin.elapsed()
                    };
                    once();
                    once()
                };
                let time = twice();
                if run >= WARM {
                    times[form].push(time.as_secs_f64() * 1e6);
                }
            }
            if run >= WARM {
                others += Cores::now().others_since(before) / self.samples as f64;
            }
            if c.is_some() {
                std::thread::sleep(ASLEEP);
            }
        }
        let [expected, found, by_openmp] = &results;
        for (name, found) in [("accrue", found), ("OpenMP", by_openmp)] {
            let wrong = found.iter().zip(expected).position(|(f, e)| !same(e, f));
            if let (Some(place), true) = (wrong, name == "accrue" || c.is_some()) {
                println!("{work}: {name} differs from the plain loop at {place}");
                self.report.right = false;
            }
        }
        let over = |form: usize| median(times[form].iter().zip(&times[1]).map(|(of, it)| of / it));
        let each = |form: usize| median(times[form].iter().copied());
        let explained = explain();
        let ran = last_run(&explained);
        let row = Row {
            work: work.to_owned(),
            plain: each(0),
            openmp: c.is_some().then(|| each(2)),
            accrue: each(1),
            of_plain: over(0),
            of_openmp: c.is_some().then(|| over(2)),
            others,
            ran: ran.split(" (").next().unwrap_or(ran).to_owned(),
        };
        let shown = |of: Option<f64>, digits: usize| {
            of.map_or("-".to_owned(), |of| format!("{of:.digits$}"))
        };
        println!(
            "{work:34} {:>11.1} {:>11} {:>11.1} {:>8.2} {:>8}  {:4.0} %  {}",
            row.plain,
            shown(row.openmp, 1),
            row.accrue,
            row.of_plain,
            shown(row.of_openmp, 2),
            others * 100.0,
            row.ran
        );
        self.report.rows.push(row);
        Ok(())
    }

    fn streaming(&mut self, n: usize) -> anyhow::Result<()> {
        let mut random = Random::new(1);
        let mut floats = || -> Vec<f32> { (0..n).map(|_| random.unit() as f32 - 0.5).collect() };
        let (x, b) = (floats(), floats());
        let out = vec![0.0f32; n];
        let bytes: Vec<u8> = (0..n).map(|_| random.below(256) as u8).collect();
        let mut row = |work: &str,
                       symbol: &str,
                       arrays: &[*const c_void],
                       explain,
                       plain: &dyn Fn(&mut [f32]),
                       accrue: &dyn Fn(&mut [f32])| {
            let what = What {
                work,
                symbol,
                sizes: &[n],
                arrays,
                explain,
            };
            self.row(&what, &out, fused, plain, accrue)
        };
        row(
            "copy f32",
            "copy",
            &[at(&x)],
            loops::copy::explain,
            &|o| plain::copy(&x, o),
            &|o| loops::copy(&x, o),
        )?;
        row(
            "triad f32",
            "triad",
            &[at(&x), at(&b)],
            loops::triad::explain,
            &|o| plain::triad(3.0, &x, &b, o),
            &|o| loops::triad(3.0, &x, &b, o),
        )?;
        let indices: Vec<u32> = (0..n as u32).map(|i| i ^ 21).collect();
        row(
            "gather f32",
            "gather",
            &[at(&indices), at(&x)],
            loops::gather::explain,
            &|o| plain::gather(&indices, &x, o),
            &|o| loops::gather(&indices, &x, o),
        )?;
        row(
            "scatter f32, distinct",
            "scatter",
            &[at(&indices), at(&x)],
            loops::scatter::explain,
            &|o| plain::scatter(&indices, &x, o),
            &|o| loops::scatter(&indices, &x, o),
        )?;
        row(
            "u8 -> f32",
            "widen",
            &[at(&bytes)],
            loops::widen::explain,
            &|o| plain::widen(&bytes, o),
            &|o| loops::widen(&bytes, o),
        )?;
        let table: [u8; 256] = std::array::from_fn(|i| (255 - i) as u8);
        let what = What {
            work: "look up u8",
            symbol: "look_up",
            sizes: &[n],
            arrays: &[at(&table)],
            explain: loops::look_up::explain,
        };
        self.row(
            &what,
            &bytes,
            exact,
            |o| plain::look_up(&table, o),
            |o| loops::look_up(&table, o),
        )?;
        let rgb: Vec<[u8; 3]> = bytes.as_chunks().0.to_vec();
        let grey = vec![0u8; rgb.len()];
        let what = What {
            work: "rgb -> grey",
            symbol: "grey",
            sizes: &[rgb.len()],
            arrays: &[at(&rgb)],
            explain: loops::grey::explain,
        };
        self.row(
            &what,
            &grey,
            exact,
            |o| plain::grey(&rgb, o),
            |o| loops::grey(&rgb, o),
        )?;
        let money = |low: f32, high: f32| -> Vec<f32> {
            x[..n / 8]
                .iter()
                .map(|x| low + (x + 0.5) * (high - low))
                .collect()
        };
        let (stock, strike, years) = (money(5.0, 30.0), money(100.0, 1.0), money(0.25, 10.0));
        let what = What {
            work: "Black-Scholes f32",
            symbol: "options",
            sizes: &[n / 8],
            arrays: &[at(&stock), at(&strike), at(&years)],
            explain: loops::options::explain,
        };
        let out = vec![0.0f32; n / 8];
        self.row(
            &what,
            &out,
            fused,
            |o| plain::options(&stock, &strike, &years, o),
            |o| loops::options(&stock, &strike, &years, o),
        )
    }

    fn planes(&mut self, side: usize, edge: usize) -> anyhow::Result<()> {
        let n = side * side;
        let mut random = Random::new(2);
        let x: Vec<f32> = (0..n.max(edge.pow(3)))
            .map(|_| random.unit() as f32 - 0.5)
            .collect();
        let x = &x[..];
        let b: Vec<u8> = (0..n).map(|_| random.below(256) as u8).collect();
        let out = vec![0.0f32; n];
        let sizes = &[side, side];
        let what = What {
            work: "transpose f32",
            symbol: "transpose",
            sizes,
            arrays: &[at(x)],
            explain: loops::transpose::explain,
        };
        self.row(
            &what,
            &out,
            exact,
            |o| plain::transpose(side, side, x, o),
            |o| loops::transpose(side, side, x, o),
        )?;
        let what = What {
            work: "5 points f32",
            symbol: "five_points",
            sizes,
            arrays: &[at(x)],
            explain: loops::five_points::explain,
        };
        self.row(
            &what,
            &out,
            fused,
            |o| plain::five_points(side, side, x, o),
            |o| loops::five_points(side, side, x, o),
        )?;
        let what = What {
            work: "3 x 3 u8",
            symbol: "nine_bytes",
            sizes,
            arrays: &[at(&b)],
            explain: loops::nine_bytes::explain,
        };
        let bytes = vec![0u8; n];
        self.row(
            &what,
            &bytes,
            exact,
            |o| plain::nine_bytes(side, side, &b, o),
            |o| loops::nine_bytes(side, side, &b, o),
        )?;
        let what = What {
            work: "Laplacian u8",
            symbol: "laplacian",
            sizes,
            arrays: &[at(&b)],
            explain: pipeline::laplacian::explain,
        };
        self.row(
            &what,
            &bytes,
            exact,
            |o| in_order(|| pipeline::laplacian(&b, side, side, o)),
            |o| pipeline::laplacian(&b, side, side, o),
        )?;
        let cube = vec![0.0f32; edge.pow(3)];
        let what = What {
            work: "7 points f32",
            symbol: "seven_points",
            sizes: &[edge],
            arrays: &[at(x)],
            explain: loops::seven_points::explain,
        };
        self.row(
            &what,
            &cube,
            fused,
            |o| plain::seven_points(edge, x, o),
            |o| loops::seven_points(edge, x, o),
        )?;
        let few = side / 4;
        let sizes = &[few, few];
        let out = vec![0.0f32; few * few];
        let k: [f32; 49] = std::array::from_fn(|i| 1.0 / (i + 1) as f32);
        let what = What {
            work: "7 x 7 convolution f32",
            symbol: "convolve",
            sizes,
            arrays: &[at(&k), at(x)],
            explain: loops::convolve::explain,
        };
        self.row(
            &what,
            &out,
            fused,
            |o| plain::convolve(few, few, &k, x, o),
            |o| loops::convolve(few, few, &k, x, o),
        )?;
        let k: [f32; 225] = std::array::from_fn(|i| 1.0 / (i + 1) as f32);
        let what = What {
            work: "15 x 15 convolution f32",
            symbol: "convolve_wide",
            sizes,
            arrays: &[at(&k), at(x)],
            explain: loops::convolve_wide::explain,
        };
        self.row(
            &what,
            &out,
            fused,
            |o| plain::convolve_wide(few, few, &k, x, o),
            |o| loops::convolve_wide(few, few, &k, x, o),
        )
    }

    fn products(&mut self, n: usize, long: usize) -> anyhow::Result<()> {
        let mut random = Random::new(3);
        let all: Vec<f32> = (0..long * long + long)
            .map(|_| random.unit() as f32 - 0.5)
            .collect();
        let (a, b) = (&all[..n * n], &all[n * n..2 * n * n]);
        let out = vec![0.0f32; n * n];
        let what = What {
            work: "product f32",
            symbol: "product",
            sizes: &[n],
            arrays: &[at(a), at(b)],
            explain: loops::product::explain,
        };
        self.row(
            &what,
            &out,
            fused,
            |o| plain::product(n, a, b, o),
            |o| loops::product(n, a, b, o),
        )?;
        let what = What {
            work: "product f32, by rows",
            symbol: "product_by_rows",
            explain: loops::product_by_rows::explain,
            ..what
        };
        self.row(
            &what,
            &out,
            fused,
            |o| plain::product_by_rows(n, a, b, o),
            |o| loops::product_by_rows(n, a, b, o),
        )?;
        let what = What {
            work: "product f32, into c",
            symbol: "product_in_place",
            explain: loops::product_in_place::explain,
            ..what
        };
        self.row(
            &what,
            &out,
            fused,
            |o| plain::product_in_place(n, a, b, o),
            |o| loops::product_in_place(n, a, b, o),
        )?;
        let (a, x) = all.split_at(long * long);
        let out = vec![0.0f32; long];
        let what = What {
            work: "matrix, vector, by rows",
            symbol: "by_rows",
            sizes: &[long],
            arrays: &[at(a), at(x)],
            explain: loops::by_rows::explain,
        };
        self.row(
            &what,
            &out,
            fused,
            |o| plain::by_rows(long, a, x, o),
            |o| loops::by_rows(long, a, x, o),
        )?;
        let what = What {
            work: "matrix, vector, by columns",
            symbol: "by_columns",
            explain: loops::by_columns::explain,
            ..what
        };
        self.row(
            &what,
            &out,
            fused,
            |o| plain::by_columns(long, a, x, o),
            |o| loops::by_columns(long, a, x, o),
        )
    }

    fn arithmetic(&mut self, side: usize, bodies: usize) -> anyhow::Result<()> {
        let out = vec![0u32; side * side];
        let what = What {
            work: "Mandelbrot f32",
            symbol: "mandelbrot",
            sizes: &[side, side],
            arrays: &[],
            explain: loops::mandelbrot::explain,
        };
        // A step that is rounded once may leave a step earlier or later.
        self.row(
            &what,
            &out,
            |a, b| a.abs_diff(*b) <= 256,
            |o| plain::mandelbrot(side, side, o),
            |o| loops::mandelbrot(side, side, o),
        )?;
        let mut random = Random::new(4);
        let bodies: Vec<[f32; 4]> = (0..bodies)
            .map(|_| [(); 4].map(|()| random.unit() as f32))
            .collect();
        let what = What {
            work: "n-body f32",
            symbol: "bodies",
            sizes: &[bodies.len()],
            arrays: &[at(&bodies)],
            explain: loops::bodies::explain,
        };
        let close: Same<[f32; 3]> = |a, b| {
            a.iter()
                .zip(b)
                .all(|(a, b)| (a - b).abs() <= 1e-2 * a.abs().max(100.0))
        };
        self.row(
            &what,
            &vec![[0.0f32; 3]; bodies.len()],
            close,
            |o| plain::bodies(&bodies, o),
            |o| loops::bodies(&bodies, o),
        )
    }

    fn sums(&mut self, n: usize) -> anyhow::Result<()> {
        let mut random = Random::new(5);
        let x: Vec<f32> = (0..n).map(|_| random.unit() as f32 - 0.5).collect();
        // Products of both signs: of others a sum in order would soon take nothing more.
        let y: Vec<f32> = x.iter().rev().copied().collect();
        let wide: Vec<f64> = x[..n / 2].iter().map(|x| f64::from(*x)).collect();
        let words: Vec<u32> = (0..n).map(|_| random.next() as u32).collect();
        let bytes: Vec<u8> = (0..4 * n).map(|_| random.next() as u8).collect();
        macro_rules! sum {
            ($work:literal, $name:ident, $same:expr, $($x:ident),*) => {
                let what = What {
                    work: $work,
                    symbol: stringify!($name),
                    sizes: &[sum!(@len $($x)*)],
                    arrays: &[$(at(&$x)),*],
                    explain: loops::$name::explain,
                };
                let zero = [plain::$name($(&$x[..0]),*)];
                self.row(&what, &zero, $same, |o| o[0] = plain::$name($(&$x),*), |o| o[0] = loops::$name($(&$x),*))?;
            };
            (@len $x:ident $($more:ident)*) => { $x.len() };
        }
        sum!("sum f32", sum_f32, near, x);
        sum!("sum f64", sum_f64, near_f64, wide);
        sum!("sum u32", sum_u32, exact, words);
        sum!("sum u8", sum_u8, exact, bytes);
        sum!("dot f32", dot, near, x, y);
        sum!("min f32", least, exact, x);
        sum!("argmin f32", first_least_f32, exact, x);
        sum!("argmin u8", first_least_u8, exact, bytes);
        Ok(())
    }

    fn scans(&mut self, n: usize) -> anyhow::Result<()> {
        let mut random = Random::new(6);
        let words: Vec<u32> = (0..n).map(|_| random.next() as u32).collect();
        let wide: Vec<u64> = words.iter().map(|w| u64::from(*w) << 20).collect();
        // Whole numbers, few enough for all sums to be exact.
        let floats: Vec<f32> = words
            .iter()
            .map(|w| f32::from(u8::from(w % 64 == 0)))
            .collect();
        macro_rules! scan {
            ($work:literal, $name:ident, $x:ident, $zero:literal) => {
                let what = What {
                    work: $work,
                    symbol: stringify!($name),
                    sizes: &[n],
                    arrays: &[at(&$x)],
                    explain: loops::$name::explain,
                };
                self.row(
                    &what,
                    &vec![$zero; n],
                    exact,
                    |o| plain::$name(&$x, o),
                    |o| loops::$name(&$x, o),
                )?;
            };
        }
        scan!("scan u32", scan_u32, words, 0u32);
        scan!("scan u64", scan_u64, wide, 0u64);
        scan!("scan f32", scan_f32, floats, 0.0f32);
        for percent in [1, 50, 99] {
            let bound = (u64::from(u32::MAX) * percent / 100) as u32;
            let work = format!("keep {percent} %");
            let what = What {
                work: &work,
                symbol: "keep",
                sizes: &[n, bound as usize],
                arrays: &[at(&words)],
                explain: loops::keep::explain,
            };
            // The number of them stands behind them.
            self.row(
                &what,
                &vec![0u32; n + 1],
                exact,
                |o| o[n] = plain::keep(bound, &words, &mut o[..n]) as u32,
                |o| {
                    o[n] = loops::keep(bound, &words, &mut o[..n]) as u32;
                },
            )?;
        }
        Ok(())
    }

    fn steps(&mut self, (w, h): (usize, usize), n: usize, plate: usize) -> anyhow::Result<()> {
        let mut random = Random::new(7);
        let grey: Vec<u8> = (0..w * h).map(|_| random.next() as u8).collect();
        let what = What {
            work: "steps: seams",
            symbol: "seams",
            sizes: &[w, h],
            arrays: &[at(&grey)],
            explain: pipeline::seam_costs::explain,
        };
        self.row(
            &what,
            &vec![0u32; w * h],
            exact,
            |o| in_order(|| pipeline::seam_costs(&grey, w, h, o)),
            |o| {
                pipeline::seam_costs(&grey, w, h, o);
            },
        )?;
        let what = What {
            work: "small Laplacian u8",
            symbol: "laplacian",
            sizes: &[w, h],
            arrays: &[at(&grey)],
            explain: pipeline::laplacian::explain,
        };
        self.row(
            &what,
            &vec![0u8; w * h],
            exact,
            |o| in_order(|| pipeline::laplacian(&grey, w, h, o)),
            |o| pipeline::laplacian(&grey, w, h, o),
        )?;
        let d: Vec<f32> = (0..n * n).map(|_| random.below(1 << 20) as f32).collect();
        let what = What {
            work: "steps: paths",
            symbol: "paths",
            sizes: &[n],
            arrays: &[],
            explain: loops::paths::explain,
        };
        let paths = |d: &mut [f32]| loops::paths(n, d, &mut vec![0.0; n], &mut vec![0.0; n]);
        self.row(&what, &d, exact, |o| in_order(|| paths(o)), paths)?;
        let cells: Vec<f32> = (0..plate * plate)
            .map(|_| random.below(1024) as f32)
            .collect();
        // Of all forms the same.
        let other = RefCell::new(cells.clone());
        let pointer = other.borrow_mut().as_mut_ptr();
        let what = What {
            work: "steps: heat",
            symbol: "heat",
            sizes: &[plate, plate, 5],
            arrays: &[pointer.cast_const().cast()],
            explain: loops::heat::explain,
        };
        let heat = |a: &mut [f32]| loops::heat(plate, plate, a, &mut other.borrow_mut(), 5);
        self.row(&what, &cells, fused, |o| in_order(|| heat(o)), heat)
    }

    /// The applications of the papers.
    fn papers(&mut self) -> anyhow::Result<()> {
        let mut random = Random::new(8);
        let pixels: Vec<[u8; 3]> = (0..1920 * 1080)
            .map(|i| {
                [
                    (i / 8000) as u8,
                    (random.next() & 63) as u8,
                    (i % 1920 / 8) as u8,
                ]
            })
            .collect();
        let what = What {
            work: "colour histogram",
            symbol: "colours",
            sizes: &[pixels.len()],
            arrays: &[at(&pixels)],
            explain: papers::colours::explain,
        };
        self.row(
            &what,
            &[[0u32; 768]],
            exact,
            |o| papers::in_order::colours(&pixels, &mut o[0]),
            |o| papers::colours(&pixels, &mut o[0]),
        )?;
        let [a, b] = phantom::head(256, 89, 8);
        let what = What {
            work: "mutual information",
            symbol: "information",
            sizes: &[a.len()],
            arrays: &[at(&a), at(&b)],
            explain: papers::information::explain,
        };
        fn split(
            o: &mut [[u32; 256]],
        ) -> (&mut [u32; 256], &mut [u32; 256], &mut [[u32; 256]; 256]) {
            let [of_a, of_b, joint @ ..] = o else {
                unreachable!("258 rows")
            };
            (of_a, of_b, joint.try_into().expect("256 rows"))
        }
        self.row(
            &what,
            &vec![[0u32; 256]; 258],
            exact,
            |o| {
                let (of_a, of_b, joint) = split(o);
                papers::in_order::information(&a, &b, of_a, of_b, joint);
            },
            |o| {
                let (of_a, of_b, joint) = split(o);
                papers::information(&a, &b, of_a, of_b, joint);
            },
        )?;
        let xs: Vec<f32> = (0..435_000).map(|_| random.below(1920) as f32).collect();
        let ys: Vec<f32> = (0..435_000).map(|_| random.below(1080) as f32).collect();
        let angles = || (0..180).map(|t| (t as f32).to_radians());
        let (cosines, sines): (Vec<f32>, Vec<f32>) = (
            angles().map(f32::cos).collect(),
            angles().map(f32::sin).collect(),
        );
        let arrays = &[at(&xs), at(&ys), at(&cosines), at(&sines)];
        let what = What {
            work: "Hough transform",
            symbol: "hough",
            sizes: &[xs.len()],
            arrays,
            explain: papers::hough::explain,
        };
        // A distance that is rounded once may lie on the other side of a line, so rows are told by their sums.
        let votes = vec![[0u32; 182]; 6003];
        self.row(
            &what,
            &votes,
            |a, b| a.iter().sum::<u32>().abs_diff(b.iter().sum()) < 500,
            |o| papers::in_order::hough(&xs, &ys, &cosines, &sines, o),
            |o| {
                papers::hough(&xs, &ys, &cosines, &sines, o);
            },
        )?;
        let words = Code::new()?.words(12)?;
        let what = What {
            work: "joint weights",
            symbol: "weights",
            sizes: &[words.len()],
            arrays: &[at(&words)],
            explain: papers::weights::explain,
        };
        self.row(
            &what,
            &vec![[[0u64; 128]; 128]; 128],
            exact,
            |o| papers::in_order::weights(&words, &words, o),
            |o| papers::weights(&words, &words, o),
        )?;
        let [a, b] = phantom::head(512, 96, 9);
        let what = What {
            work: "thread bundles",
            symbol: "bundles",
            sizes: &[a.len()],
            arrays: &[at(&a), at(&b)],
            explain: loops::bundles::explain,
        };
        self.row(
            &what,
            &[[[0u32; 32]; 32]],
            exact,
            |o| plain::bundles(&a, &b, &mut o[0]),
            |o| loops::bundles(&a, &b, &mut o[0]),
        )?;
        let (side, w, h, depths) = (7, 720, 480, 4);
        let views: Vec<[u8; 3]> = (0..side * side * w * h)
            .map(|_| [(); 3].map(|()| random.next() as u8))
            .collect();
        let slopes: Vec<f32> = (0..depths).map(|d| d as f32 * 0.4).collect();
        let arrays = &[at(&views), at(&slopes)];
        let what = What {
            work: "refocusing",
            symbol: "refocus",
            sizes: &[w, h, side, depths],
            arrays,
            explain: pipeline::refocus::explain,
        };
        self.row(
            &what,
            &vec![[0u8; 3]; depths * w * h],
            |a, b| a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) < 8),
            |o| {
                in_order(|| pipeline::refocus(&views, w, h, side, &slopes, o));
            },
            |o| pipeline::refocus(&views, w, h, side, &slopes, o),
        )?;
        for (work, polynomial) in [("heart", heart()), ("spade", spade())] {
            let cells = 128;
            let curve = Curve::new(cells, &polynomial, Device::Seq)?;
            let of = curve.inputs();
            let what = What {
                work,
                symbol: "curve",
                sizes: &[cells, of.exponents.len(), curve.primes()],
                arrays: &[
                    at(&of.exponents),
                    at(&of.sides),
                    at(&of.coefficients),
                    at(&of.powers),
                    at(&of.primes),
                    at(&of.inverses),
                    at(&of.half),
                ],
                explain: curves::known_sides::explain,
            };
            let run = |device| curve.by_step(SIDES, device);
            self.row(
                &what,
                &vec![0u8; cells * cells],
                exact,
                |o| o.copy_from_slice(&run(Device::Seq)),
                |o| o.copy_from_slice(&run(Device::Cpu)),
            )?;
        }
        ensure!(
            !self.report.rows.is_empty(),
            "no work has `{}` in its name",
            self.only
        );
        Ok(())
    }
}

/// The user's own loop on this thread.
fn in_order(run: impl FnOnce()) {
    with_device(Device::Seq, run);
}
