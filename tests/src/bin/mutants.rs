//! Whether tests notice kernels that are wrong:
//!
//! ```text
//! cargo run -p accrue-tests --bin mutants -- barriers
//! cargo run -p accrue-tests --bin mutants -- draw 20261123 300 > tests/mutants.txt
//! cargo run -p accrue-tests --bin mutants -- show FILE
//! cargo run -p accrue-tests --features sim --bin mutants -- run [--sample N] [--check PATH] [--list FILE] [--only equivalent]
//! ```
//!
//! `barriers` deletes every barrier of every kernel and demands that each test fails that runs one which had any. `run` puts
//! the mistakes of `tests/mutants.txt` into the kernels, one at a time, and says which of them no test notices; those that the
//! list calls equivalent are not run, but with `--only equivalent`, when none of them may be noticed. `--check` is the built
//! `accrue-bench`, for what its check notices beside the tests.
//!
//! `ACCRUE_MUTANTS_CARGO` is how cargo is asked for the tests, several ways with `;` between, so that what is built already
//! need not be built again. `ACCRUE_MUTANTS_PROGRAMS` is a folder of built ones, `ptx-kernels/strategies` and so on, for a machine
//! without cargo; `gather DIR` makes such a folder.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use accrue_tests::mutants::draw::{draw, show};
use accrue_tests::mutants::suite::{Program, Verdict};
use ptx_sim::mutate::Mutant;

/// Longer than any program of the suite takes without a mistake.
const LIMIT: Duration = Duration::from_secs(120);

/// Of 100 mutants that are not equivalent, so many are noticed.
const LEAST: usize = 95;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["barriers"] => barriers(),
        ["gather", folder] => gather(Path::new(folder)),
        ["draw", seed, count] => match (seed.parse(), count.parse()) {
            (Ok(seed), Ok(count)) => {
                draw(seed, count).iter().for_each(|m| println!("{m}"));
                Ok(true)
            }
            _ => Err("draw SEED COUNT".to_owned()),
        },
        ["show", file] => list(Path::new(file)).map(|listed| {
            let mutants: Vec<Mutant> = listed.into_iter().map(|l| l.mutant).collect();
            show(&mutants);
            true
        }),
        ["run", ref options @ ..] => run(options),
        _ => Err(
            "usage: mutants barriers | gather DIR | draw SEED COUNT | show FILE | run [--sample N] [--check PATH] [--list FILE] [--only equivalent]"
                .to_owned(),
        ),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(e) => {
            eprintln!("mutants: {e}");
            ExitCode::from(2)
        }
    }
}

/// Copies the test programs into a folder from which they run without cargo.
fn gather(folder: &Path) -> Result<bool, String> {
    let copy = |program: &Program| {
        let to = folder.join(&program.name);
        std::fs::create_dir_all(to.parent()?).ok()?;
        std::fs::copy(program.path(), to).ok()
    };
    for program in programs()?.iter().filter(|p| p.is_about_kernels()) {
        copy(program).ok_or_else(|| format!("cannot copy {} there", program.name))?;
    }
    Ok(true)
}

fn programs() -> Result<Vec<Program>, String> {
    if let Some(folder) = std::env::var_os("ACCRUE_MUTANTS_PROGRAMS") {
        return Ok(Program::of_folder(Path::new(&folder)));
    }
    let ways = std::env::var("ACCRUE_MUTANTS_CARGO").unwrap_or_else(|_| {
        "-p accrue-ptx; -p accrue-tests --features sim; -p accrue --features sim".to_owned()
    });
    let mut all: Vec<Program> = Vec::new();
    for way in ways.split(';') {
        let arguments: Vec<&str> = way.split_whitespace().collect();
        for program in Program::of_cargo(&arguments)? {
            // The same test with more features is the later one.
            all.retain(|p| p.name != program.name);
            all.push(program);
        }
    }
    match all.is_empty() {
        true => Err("no test program runs kernels".to_owned()),
        false => Ok(all),
    }
}

/// The tests of the suite that are about kernels alone, one by one.
fn kernel_tests() -> Result<Vec<Program>, String> {
    let mut tests = Vec::new();
    for program in programs()?.iter().filter(|p| p.is_about_kernels()) {
        tests.extend(program.tests()?.iter().map(|test| program.only(test)));
    }
    Ok(tests)
}

/// Tests, all of which pass without a mistake, the quickest first.
fn by_time(tests: &[Program]) -> Result<Vec<Program>, String> {
    let timed = Mutex::new(Vec::new());
    in_parallel(tests.len(), |number| {
        let start = Instant::now();
        let verdict = tests[number].run(&[("PTX_SIM_MUTANT", "none")], LIMIT);
        let mut timed = timed.lock().expect("nothing panics");
        timed.push((start.elapsed(), tests[number].clone(), verdict));
    });
    let mut timed = timed.into_inner().expect("nothing panics");
    timed.sort_by_key(|(time, ..)| *time);
    let broken = timed
        .iter()
        .filter(|(.., verdict)| *verdict != Verdict::Passed);
    let broken: Vec<&str> = broken.map(|(_, test, _)| test.name.as_str()).collect();
    match broken.is_empty() {
        true => Ok(timed.into_iter().map(|(_, test, _)| test).collect()),
        false => Err(format!("the suite fails as it is: {}", broken.join("; "))),
    }
}

/// Calls `each` with the numbers below `count`, on every core.
fn in_parallel(count: usize, each: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    each(number);
                }
            });
        }
    });
}

/// The first kernel whose mistake a thread came to.
fn reached(log: &Path) -> Option<String> {
    reached_by(log, |_| true)
}

fn reached_by(log: &Path, counts: impl Fn(&str) -> bool) -> Option<String> {
    let log = std::fs::read_to_string(log).ok()?;
    let mut kernels = log.lines().filter_map(|l| l.strip_prefix("reached "));
    kernels.find(|kernel| counts(kernel)).map(str::to_owned)
}

/// Whether a kernel's first barrier orders anything. Where all updates go straight into the bins, `atomic_global` has read
/// nothing of what is behind it.
fn needs_barriers(kernel: &str) -> bool {
    !kernel.ends_with("_atomic_global")
}

/// Tests that barriers cannot matter to.
const EXCUSED: [(&str, &str); 3] = [
    (
        "reading_a_sum_before_it_is_there_is_found",
        "a kernel has to be stopped, and is",
    ),
    (
        "two_signs::a_panic_takes_back_both_signs",
        "an iteration panics, so that nothing of the kernel's comes into the bins",
    ),
    (
        "sizes::chunks_leave_the_rest_alone",
        "two updates, which one thread makes and merges",
    ),
];

/// Deletes all barriers.
fn barriers() -> Result<bool, String> {
    let start = Instant::now();
    let mut tests = Vec::new();
    for program in programs()? {
        tests.extend(program.tests()?.iter().map(|test| program.only(test)));
    }
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let (noticed, unnoticed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    in_parallel(tests.len(), |number| {
        let log = folder.path().join(number.to_string());
        let log_name = log.to_string_lossy();
        let variables = [
            ("PTX_SIM_MUTANT", "barriers"),
            ("PTX_SIM_MUTANT_LOG", &*log_name),
        ];
        let verdict = tests[number].run(&variables, LIMIT);
        let test = &tests[number];
        match (reached_by(&log, needs_barriers), verdict) {
            (None, _) => {}
            _ if EXCUSED.iter().any(|(name, _)| test.name.ends_with(name)) => {}
            (Some(kernel), Verdict::Passed) => {
                let mut unnoticed = unnoticed.lock().expect("nothing panics");
                unnoticed.push((test.name.clone(), kernel));
            }
            (Some(_), _) => {
                noticed.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
    let unnoticed = unnoticed.into_inner().expect("nothing panics");
    for (test, kernel) in &unnoticed {
        println!("{test} passes without barriers, and came to one in `{kernel}`");
    }
    let noticed = noticed.into_inner();
    println!(
        "without barriers {noticed} tests fail of the {} that came to one, in {:.0} s",
        noticed + unnoticed.len(),
        start.elapsed().as_secs_f64()
    );
    Ok(unnoticed.is_empty() && noticed > 0)
}

/// A line of the list.
struct Listed {
    mutant: Mutant,
    /// Why no test can notice it.
    equivalent: Option<String>,
    /// The test that has noticed it, and is asked first.
    by: Option<String>,
}

/// Mutants, one a line; behind ` // ` the reason why one is equivalent, or `by` and the test that has noticed it.
fn list(path: &Path) -> Result<Vec<Listed>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let lines = text
        .lines()
        .filter(|l| !l.is_empty() && !l.starts_with('#'));
    lines
        .map(|line| {
            let (mutant, behind) = match line.split_once(" // ") {
                Some((mutant, behind)) => (mutant, Some(behind)),
                None => (line, None),
            };
            let by = behind.and_then(|b| b.strip_prefix("by "));
            Ok(Listed {
                mutant: mutant.trim().parse()?,
                equivalent: behind.filter(|_| by.is_none()).map(str::to_owned),
                by: by.map(str::to_owned),
            })
        })
        .collect()
}

/// Puts the mistakes of the list into the kernels.
fn run(options: &[&str]) -> Result<bool, String> {
    let (mut sample, mut check, mut file) = (usize::MAX, None, None);
    let mut equivalents = false;
    let mut options = options.iter();
    while let Some(option) = options.next() {
        let value = options.next().ok_or("an option without a value")?;
        match *option {
            "--sample" => sample = value.parse().map_err(|_| "--sample NUMBER")?,
            "--check" => check = Some(PathBuf::from(value)),
            "--only" if *value == "equivalent" => equivalents = true,
            "--list" => file = Some(PathBuf::from(value)),
            other => return Err(format!("`{other}` is no option")),
        }
    }
    let file = file.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("mutants.txt"));
    let mut listed = list(&file)?;
    if equivalents {
        listed.retain(|l| l.equivalent.is_some());
    }
    if sample < listed.len() {
        // Equally far apart: of every strategy and every rule.
        let step = listed.len() as f64 / sample as f64;
        let chosen: Vec<usize> = (0..sample).map(|i| (i as f64 * step) as usize).collect();
        let mut number = 0;
        listed.retain(|_| {
            number += 1;
            chosen.contains(&(number - 1))
        });
    }
    let start = Instant::now();
    let tests = kernel_tests()?;
    let asked_first = |test: &&Program| listed.iter().any(|l| l.by.as_ref() == Some(&test.name));
    let known: Vec<Program> = tests.iter().filter(asked_first).cloned().collect();
    let known = by_time(&known)?;
    // What no listed test notices is for all of them.
    let suite = OnceLock::new();
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let (killed, equivalent, stale) = (
        AtomicUsize::new(0),
        AtomicUsize::new(0),
        AtomicUsize::new(0),
    );
    let survivors = Mutex::new(Vec::new());
    let count = |of: &AtomicUsize| {
        of.fetch_add(1, Ordering::Relaxed);
    };
    in_parallel(listed.len(), |number| {
        let Listed {
            mutant,
            equivalent: reason,
            by,
        } = &listed[number];
        if reason.is_some() && !equivalents {
            return count(&equivalent);
        }
        let log = folder.path().join(number.to_string());
        let (text, log_name) = (mutant.to_string(), log.to_string_lossy());
        let variables = [
            ("PTX_SIM_MUTANT", &*text),
            ("PTX_SIM_MUTANT_LOG", &*log_name),
        ];
        let noticed = |program: &Program| match program.run(&variables, LIMIT) {
            Verdict::Passed => None,
            Verdict::Failed(line) => Some(format!("{}: {line}", program.name)),
            Verdict::Late => Some(format!("{}: late", program.name)),
        };
        let first = known.iter().find(|test| Some(&test.name) == by.as_ref());
        let caught = first.and_then(noticed).or_else(|| {
            let all = suite.get_or_init(|| by_time(&tests)).as_deref();
            let all = all.unwrap_or_default();
            let of_strategy = all.iter().filter(|t| t.concerns(&mutant.strategy));
            let checked = check.as_ref();
            let checked = checked.map(|path| Program::of_check(path, &mutant.strategy));
            of_strategy.chain(&checked).find_map(noticed)
        });
        match caught {
            Some(by) => {
                println!("killed    {text} // {by}");
                count(&killed);
            }
            None if log.exists() => {
                let reached = reached(&log).unwrap_or_else(|| "no kernel".to_owned());
                println!("SURVIVED  {text} // reached in {reached}");
                survivors.lock().expect("nothing panics").push(text);
            }
            None => {
                println!("not found {text}");
                count(&stale);
            }
        }
    });
    if let Some(Err(broken)) = suite.get() {
        return Err(broken.clone());
    }
    let survived = survivors.into_inner().expect("nothing panics").len();
    let [killed, equivalent, stale] = [killed, equivalent, stale].map(AtomicUsize::into_inner);
    println!(
        "{killed} killed, {survived} survived, {equivalent} equivalent, {stale} in no kernel, in {:.0} s",
        start.elapsed().as_secs_f64()
    );
    if stale * 4 > listed.len() {
        return Err("the list is old: draw another one".to_owned());
    }
    Ok(match equivalents {
        true => killed == 0,
        false => killed > 0 && killed * 100 >= LEAST * (killed + survived),
    })
}
