//! Programs in which names collide, drawn at random: a loop that is offloaded gives what rustc makes of it as it is, on
//! every device, or is refused.
//!
//! `ACCRUE_COLLISIONS=10000 ACCRUE_SEED=7 cargo test -p accrue-tests --test collisions -- --nocapture`
//! draws more; `ACCRUE_FIRST` is the number of the first. What is wrong is printed, and left in `target/collisions`.

use std::collections::BTreeMap;
use std::path::Path;

use accrue_tests::collide::program::Program;
use accrue_tests::rustc::{Rustc, Verdict};

fn number(variable: &str, default: usize) -> usize {
    std::env::var(variable).map_or(default, |text| text.parse().expect("a number"))
}

#[test]
fn names_mean_what_rustc_says() {
    let (count, seed, first) = (
        number("ACCRUE_COLLISIONS", 200),
        number("ACCRUE_SEED", 20_261_123),
        number("ACCRUE_FIRST", 0),
    );
    let batch = number("ACCRUE_BATCH", 100);
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("collisions");
    let rustc = Rustc::new(&target);
    let programs: Vec<Program> = (first..first + count)
        .map(|n| Program::draw(seed as u64, n))
        .collect();
    let batches: Vec<&[Program]> = programs.chunks(batch).collect();
    let (mut tally, mut examples) = (
        BTreeMap::<String, usize>::new(),
        BTreeMap::<String, Vec<usize>>::new(),
    );
    let mut wrong = Vec::new();
    // rustc uses some two threads at the end only.
    let verdicts: Vec<Vec<Verdict>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2)
            .map(|t| {
                let (rustc, batches) = (&rustc, &batches);
                scope.spawn(move || {
                    let mine = batches.iter().enumerate().skip(t).step_by(2);
                    mine.map(|(b, programs)| {
                        (
                            b,
                            rustc.judge(&format!("batch{}", first + b * batch), programs),
                        )
                    })
                    .collect::<Vec<_>>()
                })
            })
            .collect();
        let mut all: Vec<_> = threads
            .into_iter()
            .flat_map(|t| t.join().expect("a thread"))
            .collect();
        all.sort_by_key(|(b, _)| *b);
        all.into_iter().map(|(_, v)| v).collect()
    });
    for (program, verdict) in programs.iter().zip(verdicts.into_iter().flatten()) {
        let class = match &verdict {
            Verdict::NoRust(_) => "no Rust".to_string(),
            Verdict::Refused(class, _) => format!("refused: {class}"),
            Verdict::Broken(_) => "broken".to_string(),
            Verdict::Wrong(_) => "wrong".to_string(),
            Verdict::Right(said) => {
                let (runs, panics) = said.split_once(' ').expect("two words");
                let panics = match panics {
                    "0" => "",
                    _ => ", some calls panic",
                };
                let runs = match runs {
                    "kernels" => "kernels",
                    _ => "the CPU",
                };
                format!("right, on {runs}{panics}")
            }
        };
        *tally.entry(class.clone()).or_default() += 1;
        examples.entry(class).or_default().push(program.number);
        let told = match verdict {
            Verdict::Broken(text) | Verdict::Wrong(text) => {
                wrong.push(format!(
                    "program {}: {text}\n{}",
                    program.number,
                    program.text(false)
                ));
                continue;
            }
            Verdict::NoRust(text) | Verdict::Refused(_, text) => text,
            Verdict::Right(_) => continue,
        };
        if std::env::var_os("ACCRUE_TELL").is_some() {
            println!(
                "program {}: {told}\n{}\n--------",
                program.number, program.source
            );
        }
    }
    for (class, count) in &tally {
        println!(
            "{count:6} {class}: {:?}",
            &examples[class][..examples[class].len().min(8)]
        );
    }
    std::fs::write(target.join("wrong.txt"), wrong.join("\n--------\n"))
        .expect("what is wrong is written");
    assert!(
        wrong.is_empty(),
        "{} of {count} programs\n\n{}",
        wrong.len(),
        wrong[..wrong.len().min(3)].join("\n")
    );
    let of = |class: &str| {
        tally
            .iter()
            .filter(|(c, _)| c.starts_with(class))
            .map(|(_, n)| n)
            .sum::<usize>()
    };
    assert!(
        of("no Rust") * 5 < count,
        "{tally:?}: most programs are no Rust"
    );
    assert!(
        of("right") * 2 > count,
        "{tally:?}: most programs are refused"
    );
    assert!(
        of("right, on kernels") * 10 > count,
        "{tally:?}: few programs run kernels"
    );
}
