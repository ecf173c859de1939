//! What the compiler emits for the functions of this repository, as digests in `emissions/`: a change of the compiler shows there
//! which functions it is about, and that it is about no others.
//!
//! `BLESS=1 cargo test -p accrue-tests --test emissions` renews the files. A function that is new there, or written otherwise, is not
//! compared: that is no change of the compiler. A line has
//!
//! - the function's name and its source;
//! - what becomes of it: for each loop `gpu`, `cpu` where it has no kernel, or `order` where it stays as it is; or the codes that
//!   refuse it;
//! - `ir`, what it was understood as, and what is said of it; `cpu` and `host`, the Rust that takes its place without a device and with one;
//! - the kernels of each strategy, with overflow checked and not. What they share, the device library, has goldens of its own.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use accrue_compiler::diag::Errors;
use accrue_compiler::print::{self, Kernels};
use accrue_compiler::syntax::definitions::Definitions;
use accrue_compiler::{Args, Offload, Outputs, args, assemble, device, expand, parse, stages};
use accrue_ptx::abi::Module;
use accrue_tests::corpus::{Function, drawn, written};
use accrue_tests::generate::{
    carried_program, kept_program, ordered_program, owned_program, program,
};
use accrue_tests::quiet::expected;
use proc_macro2::TokenStream;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

/// Random functions of each kind.
const DRAWN: u64 = 60;

/// Of 100 functions in a file, so many must be there still, as they were.
const LEAST: usize = 90;

/// What is emitted for a function: what becomes of it, then the digests of parts with a name each.
#[derive(Debug, Default, PartialEq)]
struct Emitted {
    decision: String,
    parts: BTreeMap<String, String>,
}

/// Functions by file and name: their sources, as digests, and what is emitted for them.
type All = BTreeMap<(String, String), (String, Emitted)>;

/// 24 bits of a text: enough to see that it is another one.
fn digest(text: &str) -> String {
    let digest = Sha256::digest(text.as_bytes());
    digest[..3]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn tokens(text: &str) -> TokenStream {
    text.parse().expect("tokens")
}

fn refused(errors: &Errors) -> Emitted {
    let codes = errors.iter().map(|d| format!("H{:03}", d.code.number()));
    let said = ("said".to_owned(), digest(&errors.to_string()));
    Emitted {
        decision: codes.collect::<Vec<_>>().join("+"),
        parts: BTreeMap::from([said]),
    }
}

fn emitted(function: &Function) -> Emitted {
    let found = match args(tokens(&function.attribute)) {
        Ok(Offload::Loops(args)) => of_loops(function, &args),
        Ok(Offload::Device(_)) => {
            let item = tokens(&function.item);
            let emitted = expand(tokens(&function.attribute), item, Outputs::default());
            emitted.map(|text| Emitted {
                decision: "device".to_owned(),
                parts: BTreeMap::from([("cpu".to_owned(), digest(&text.to_string()))]),
            })
        }
        Err(errors) => Err(errors),
    };
    found.unwrap_or_else(|errors| refused(&errors))
}

fn of_loops(function: &Function, args: &Args) -> Result<Emitted, Errors> {
    let item = parse::item::function(tokens(&function.item))?;
    parse::item::check_generics(&item, args)?;
    let definitions = match args.uses.is_empty() {
        true => Definitions::default(),
        false => device::definitions(tokens(&function.definitions)),
    };
    let compiled = stages(item, args, &definitions, Some(Outputs::default()))?;
    let analysis = &compiled.analysis;
    let mut ir = compiled.explain();
    let mut host = String::new();
    let mut kernels: BTreeMap<&str, String> = BTreeMap::new();
    let mut decision = Vec::new();
    for plan in &analysis.loops {
        ir += &plan.ir.text(&plan.pattern).to_string();
    }
    for overflow_checks in [true, false] {
        let options = print::Options {
            kernels: Kernels::All,
            overflow_checks,
            strategy: args.strategy.clone(),
            contract: args.contract,
        };
        let mut all = Vec::new();
        for plan in &analysis.loops {
            let mut forms = print::print(plan.clone(), &options, &analysis.sources)?.forms;
            if overflow_checks {
                decision.push(match &forms.in_order {
                    Some(_) => "order",
                    None if forms.modules.is_empty() => "cpu",
                    None => "gpu",
                });
            }
            for module in &mut forms.modules {
                let text = kernels.entry(module.abi.strategy.name()).or_default();
                let _ = write!(text, "{:?}{}", module.abi, own_text(module));
                // The host's tokens hold it as well, packed.
                module.ptx = String::new().into();
            }
            ir += &forms.explain;
            all.push(forms);
        }
        // How kernels are started is not another thing without checks.
        if overflow_checks {
            let outputs = Outputs {
                gpu: true,
                ..Outputs::default()
            };
            host = assemble::assemble(analysis, &all, outputs).to_string();
        }
    }
    let cpu = compiled.tokens.to_string();
    let texts = [("ir", ir), ("cpu", cpu), ("host", host)];
    let texts = texts.into_iter().chain(kernels);
    Ok(Emitted {
        decision: decision.join("+"),
        parts: texts
            .map(|(name, text)| (name.to_owned(), digest(&text)))
            .collect(),
    })
}

/// A module without what is copied from the device library, before its entries and behind them.
fn own_text(module: &Module) -> String {
    let (text, entry) = (
        module.text(),
        format!(".visible .entry {}", module.abi.entry),
    );
    let mut parts = text.split("// From accrue's device library");
    let head = parts.next().unwrap_or_default().to_owned();
    let own = parts.filter_map(|part| part.get(part.find(&entry)?..));
    head + &own.collect::<String>()
}

/// The digests of functions.
fn digests(functions: Vec<Function>) -> All {
    let each = functions.into_par_iter().map(|function| {
        let emitted = expected(|| emitted(&function)).unwrap_or_else(|panic| Emitted {
            decision: "panics".to_owned(),
            parts: BTreeMap::from([("said".to_owned(), digest(&panic))]),
        });
        let Function {
            file,
            name,
            attribute,
            item,
            definitions,
        } = function;
        let source = digest(&[attribute, item, definitions].join("\n"));
        ((file, name), (source, emitted))
    });
    each.collect()
}

/// Files behind `#`, a line for each of their functions.
fn write(all: &All) -> String {
    let mut text = String::new();
    let mut of = "";
    for ((file, name), (source, emitted)) in all {
        if file != of {
            of = file;
            let _ = writeln!(text, "\n# {file}");
        }
        let _ = write!(text, "{name} {source} {}", emitted.decision);
        for (part, digest) in &emitted.parts {
            let _ = write!(text, " {part} {digest}");
        }
        text.push('\n');
    }
    text
}

fn read(text: &str) -> All {
    let mut all = All::new();
    let mut file = "";
    for line in text.lines().filter(|line| !line.is_empty()) {
        if let Some(next) = line.strip_prefix("# ") {
            file = next;
            continue;
        }
        let words: Vec<&str> = line.split(' ').collect();
        let [name, source, decision, parts @ ..] = &words[..] else {
            panic!("`{line}` has too few words");
        };
        let parts = parts
            .chunks(2)
            .map(|two| (two[0].to_owned(), two[1].to_owned()));
        let emitted = Emitted {
            decision: (*decision).to_owned(),
            parts: parts.collect(),
        };
        all.insert(
            (file.to_owned(), (*name).to_owned()),
            ((*source).to_owned(), emitted),
        );
    }
    all
}

/// What of a function is emitted otherwise.
fn changes(before: &Emitted, now: &Emitted) -> String {
    if before.decision != now.decision {
        return format!("{} became {}", before.decision, now.decision);
    }
    let names = before.parts.keys().chain(now.parts.keys());
    let other = names.filter(|name| before.parts.get(*name) != now.parts.get(*name));
    let other: std::collections::BTreeSet<&str> = other.map(String::as_str).collect();
    other.into_iter().collect::<Vec<_>>().join(", ")
}

/// Compares what is emitted for functions with a file.
fn compare(name: &str, functions: Vec<Function>) {
    let name = format!("tests/emissions/{name}.txt");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(&name);
    let now = digests(functions);
    for ((file, name), (_, emitted)) in &now {
        assert_ne!(
            emitted.decision, "panics",
            "the compiler panics over {file}::{name}"
        );
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, write(&now)).expect("the file is written");
        return;
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
    let kept = read(&kept);
    let same = kept.iter().filter_map(|(name, (source, before))| {
        let (of, now) = now.get(name)?;
        (of == source).then_some((name, before, now))
    });
    let same: Vec<_> = same.collect();
    let renew =
        "`BLESS=1 cargo test -p accrue-tests --test emissions` renews tests/tests/emissions.txt";
    assert!(
        same.len() * 100 >= kept.len() * LEAST,
        "of {} functions {} are as they were; {renew}",
        kept.len(),
        same.len()
    );
    let changed: Vec<String> = same
        .iter()
        .filter(|(_, before, now)| before != now)
        .map(|((file, name), before, now)| format!("{file}::{name}: {}", changes(before, now)))
        .collect();
    assert!(
        changed.is_empty(),
        "other things are emitted for {} of {} functions; if that was meant, {renew}\n{}{}",
        changed.len(),
        same.len(),
        changed[..changed.len().min(10)].join("\n"),
        match changed.len().saturating_sub(10) {
            0 => String::new(),
            more => format!("\nand {more} more"),
        }
    );
}

macro_rules! compared {
    ($($name:ident: $functions:expr;)*) => {
        $(#[test]
        fn $name() {
            compare(stringify!($name), $functions);
        })*
    };
}

// Programs of libtest run by their names, several at a time.
compared! {
    acc: written("tests/acc/golden");
    accrue: written("accrue/tests");
    bench: written("bench/src");
    compiler: written("compiler/tests");
    drawn_bins: drawn("bins", DRAWN, program);
    drawn_carried: drawn("carried", DRAWN, carried_program);
    drawn_kept: drawn("kept", DRAWN, kept_program);
    drawn_ordered: drawn("ordered", DRAWN, ordered_program);
    drawn_own: drawn("own", DRAWN, owned_program);
    examples: written("examples");
    tests: written("tests/tests");
    ui: written("tests/ui");
    written_by_hand: written("tests/src/written.rs");
}
