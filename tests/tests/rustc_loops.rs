//! Random loops of every kind through rustc: what the attribute makes of a loop gives what the loop as it is gives, in every way that the CPU
//! has, and in the simulator, or the loop is refused.
//!
//! `ACCRUE_LOOPS_RUSTC=10000 ACCRUE_SEED=7 cargo test -p accrue-tests --test rustc_loops -- --nocapture` draws more; `ACCRUE_FIRST` is the
//! number of the first, a multiple of 60, which make a crate, `ACCRUE_JOBS` how many crates are built at a time. What is wrong is printed, and left in
//! `target/tmp/rustc_loops`.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use accrue_tests::loops::program::{BATCH, Program, is_checked};
use accrue_tests::rustc::{Rustc, Verdict};

fn number(variable: &str, default: usize) -> usize {
    std::env::var(variable).map_or(default, |text| text.parse().expect("a number"))
}

/// What became of all programs.
#[derive(Debug, Default)]
struct Tally {
    /// How many of each class, with the first of them.
    classes: BTreeMap<String, (usize, Vec<usize>)>,
    calls: usize,
    panics: usize,
    wrong: Vec<String>,
}

impl Tally {
    fn add(&mut self, program: &Program, verdict: &Verdict) {
        let (kind, class) = (program.kind, class(program, verdict));
        let (count, first) = self.classes.entry(format!("{kind}: {class}")).or_default();
        *count += 1;
        if first.len() < 5 {
            first.push(program.number);
        }
        let told = match verdict {
            Verdict::Right(said) => {
                let mut numbers = said.split(' ').map(|n| n.parse().expect("a number"));
                self.calls += numbers.next().unwrap_or(0);
                self.panics += numbers.next().unwrap_or(0);
                return;
            }
            // What the generator draws for one of these kinds is accepted.
            Verdict::Refused(_, told) if program.is_accepted() => told,
            Verdict::NoRust(told) if program.is_accepted() => told,
            // What is drawn is Rust, whose types fit.
            Verdict::Refused(code, told)
                if ["accrue::H099", "accrue::H044"].contains(&code.as_str()) =>
            {
                told
            }
            Verdict::Refused(_, told) | Verdict::NoRust(told) => {
                if std::env::var_os("ACCRUE_TELL").is_some() {
                    println!(
                        "program {}, {class}: {told}\n{}",
                        program.number, program.source
                    );
                }
                return;
            }
            Verdict::Broken(told) | Verdict::Wrong(told) => told,
        };
        self.wrong.push(format!(
            "program {}, {class}: {told}\n#[offload({})]\n{}",
            program.number, program.attribute, program.source
        ));
    }

    fn of(&self, class: &str) -> usize {
        let found = self.classes.iter().filter(|(name, _)| name.contains(class));
        found.map(|(_, (count, _))| count).sum()
    }
}

fn class(program: &Program, verdict: &Verdict) -> String {
    match verdict {
        Verdict::NoRust(_) => "no Rust".to_owned(),
        Verdict::Refused(code, _) => format!("refused, {code}"),
        Verdict::Broken(_) => "broken".to_owned(),
        Verdict::Wrong(_) => "wrong".to_owned(),
        Verdict::Right(_) if !program.explains() => "right, a method".to_owned(),
        Verdict::Right(said) if said.ends_with(" 0") => "right, in order".to_owned(),
        Verdict::Right(_) => "right, split".to_owned(),
    }
}

#[test]
fn offloaded_loops_do_what_rustc_makes_of_them() {
    let (count, seed, first) = (
        number("ACCRUE_LOOPS_RUSTC", 120),
        number("ACCRUE_SEED", 20_261_126),
        number("ACCRUE_FIRST", 0),
    );
    let jobs = number("ACCRUE_JOBS", 2);
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rustc_loops");
    let rustc = Rustc::new(&target);
    let checked = rustc.with(&["-Coverflow-checks=on"]);
    // What is expanded here goes by the latter.
    let wrapping = rustc.with(&["-Coverflow-checks=off", "-Cdebug-assertions=off"]);
    let (next, tally) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
    let run = || loop {
        let number = next.fetch_add(1, Ordering::SeqCst);
        let begin = first + number * BATCH;
        if begin >= first + count {
            return;
        }
        let drawn =
            (begin..(begin + BATCH).min(first + count)).map(|n| Program::draw(seed as u64, n));
        let (taken, refused): (Vec<Program>, Vec<Program>) =
            drawn.partition(|p| p.expanded.is_ok());
        let rustc = if is_checked(begin) {
            &checked
        } else {
            &wrapping
        };
        let verdicts = rustc.judge(&format!("batch{begin}"), &taken);
        let mut tally = tally.lock().expect("nobody panics");
        for (program, verdict) in taken.iter().zip(&verdicts) {
            tally.add(program, verdict);
        }
        for program in &refused {
            if let Err((code, told)) = &program.expanded {
                tally.add(program, &Verdict::Refused(code.clone(), told.clone()));
            }
        }
        if count > 1000 {
            println!(
                "{begin}: {} calls, {} wrong",
                tally.calls,
                tally.wrong.len()
            );
        }
        std::fs::write(target.join("wrong.txt"), tally.wrong.join("\n--------\n"))
            .expect("what is wrong is written");
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(run);
        }
    });
    let tally = tally.into_inner().expect("nobody panicked");
    for (class, (count, first)) in &tally.classes {
        println!("{count:6} {class}: {first:?}");
    }
    println!(
        "{} calls, {} arguments by which the loop panics",
        tally.calls, tally.panics
    );
    let wrong = &tally.wrong;
    assert!(
        wrong.is_empty(),
        "{} of {count} programs\n\n{}",
        wrong.len(),
        wrong[..wrong.len().min(3)].join("\n")
    );
    assert!(tally.of("split") * 3 > count, "few are split");
    assert!(tally.calls > 100 * count, "few calls are compared");
}
