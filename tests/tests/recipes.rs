//! What `CONTRIBUTING.md` says of adding an operator, a method and a GPU strategy, done to a copy of the tree, which is then
//! built: `saturating_mul` becomes an operator, `midpoint` a method of floats, `gang_plain` a strategy.
//!
//! The copy lies in `target/recipes` and is built into this tree's `target`, so that the crates of others are there already. Each
//! file that a recipe touches has to stand in its section of the page, and none more.

#[path = "recipes/copy.rs"]
mod copy;
#[path = "recipes/method.rs"]
mod method;
#[path = "recipes/operator.rs"]
mod operator;
#[path = "recipes/strategy.rs"]
mod strategy;

use std::collections::BTreeSet;

use copy::{Copy, Edit};

/// The crates that a recipe touches, and what looks at all of them.
const BUILT: [&str; 9] = [
    "--package=accrue-ptx",
    "--package=accrue-compiler",
    "--package=accrue",
    "--package=accrue-bench",
    "--package=acc2rs",
    "--features=accrue/sim",
    "--lib",
    "--bins",
    "--test=device_library",
];

/// Without a GPU, so that an error in the crate of kernels does not hide those of the compiler.
const FIRST: [&str; 5] = [
    "--package=accrue-ptx",
    "--package=accrue-compiler",
    "--no-default-features",
    "--features=accrue-compiler/interpreter",
    "--keep-going",
];

fn recipes() -> [(&'static str, Vec<Edit>); 3] {
    [
        ("An operator", operator::edits()),
        ("A method of a primitive", method::edits()),
        ("A GPU strategy", strategy::edits()),
    ]
}

#[test]
fn contributing_names_the_files_and_the_compiler_what_rows_lack() {
    for (title, edits) in &recipes() {
        // What is new has its own name here.
        let file = |edit: &Edit| edit.file.replace("gang_plain", "NAME");
        let touched: BTreeSet<String> = edits.iter().map(file).collect();
        assert_eq!(
            touched,
            named_in_contributing(title),
            "the files of \"{title}\" in CONTRIBUTING.md"
        );
    }
    let mut copy = Copy::new();

    // With the rows alone the compiler lists what computes them: what it names is what the recipe touches next.
    let rows = [operator::rows(), method::rows()].concat();
    let listed = copy
        .check(&rows, &FIRST)
        .expect_err("rows alone do not build");
    for file in [operator::KERNELS, operator::MEANING, method::MEANING] {
        assert!(listed.contains(file), "{file} is not listed:\n{listed}");
    }
    assert!(listed.contains("error[E0004]"), "{listed}");
}

#[test]
#[ignore = "it takes minutes: .ci/full recipes"]
fn operators_methods_and_strategies_are_added_as_contributing_says() {
    let mut copy = Copy::new();
    let all: Vec<Edit> = recipes().into_iter().flat_map(|(_, edits)| edits).collect();
    if let Err(errors) = copy.check(&all, &BUILT) {
        panic!("after all steps it does not build:\n{errors}");
    }
}

/// The files that a section names in backquotes.
fn named_in_contributing(title: &str) -> BTreeSet<String> {
    let page = include_str!("../../CONTRIBUTING.md");
    let section = page
        .split("\n## ")
        .find(|section| section.starts_with(title));
    let section = section.unwrap_or_else(|| panic!("CONTRIBUTING.md has no section \"{title}\""));
    let is_file =
        |text: &&str| text.contains('/') && [".rs", ".md"].iter().any(|end| text.ends_with(end));
    section
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(is_file)
        .map(str::to_string)
        .collect()
}
