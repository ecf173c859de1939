//! Goldens of PTX: every function in `ptx/` is printed under every strategy.
//!
//! `NAME.ptx` holds what is printed for the first strategy that uses shared memory, or the only one; `BLESS=1` rewrites
//! it. `ACCRUE_PTXAS` names an assembler that must accept every module of all strategies, and
//! `ACCRUE_PTXAS_TARGETS` the devices (`sm_75 sm_90`).

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use accrue_compiler::emit_ptx::{Options, emit};
use accrue_ptx::abi::{Module, Strategy};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ptx")
}

/// The modules of every function, by the file's name.
fn modules() -> BTreeMap<String, Vec<Module>> {
    let mut all = BTreeMap::new();
    for file in std::fs::read_dir(folder())
        .expect("the folder of goldens")
        .flatten()
    {
        let path = file.path();
        if path.extension().is_none_or(|e| e != "rs") {
            continue;
        }
        let name = path
            .file_stem()
            .expect("a file has a name")
            .to_string_lossy()
            .into_owned();
        let source = std::fs::read_to_string(&path).expect("a function");
        let function = syn::parse_str(&source).unwrap_or_else(|e| panic!("{name}: {e}"));
        let Ok(accrue_compiler::Offload::Histogram(args)) =
            accrue_compiler::args("histogram".parse().expect("tokens"))
        else {
            panic!("the attribute is accepted")
        };
        let analysis =
            accrue_compiler::analyze(&function, &args).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let mut modules = Vec::new();
        for plan in &analysis.loops {
            let printed = emit(
                &plan.ir,
                &plan.pattern,
                &analysis.sources,
                &Options::default(),
            );
            modules.extend(printed.unwrap_or_else(|o| panic!("{name}: {o:?}")));
        }
        assert!(!modules.is_empty(), "{name} has a loop");
        all.insert(name, modules);
    }
    all
}

/// The text of a module without the device library, which has tests of its own.
fn own_text(module: &Module) -> String {
    let header = module.ptx.split("\n\n").next().unwrap_or_default();
    let entry = format!(".visible .entry {}(", module.abi.entry);
    let (_, from_entry) = module.ptx.split_once(&entry).expect("the entry is printed");
    let (function, _) = from_entry.split_once("\n}\n").expect("the entry ends");
    format!("{header}\n\n{entry}{function}\n}}\n")
}

#[test]
fn kernels_are_printed_as_before() {
    let all = modules();
    assert!(all.len() >= 12, "{} functions", all.len());
    let bless = std::env::var_os("BLESS").is_some();
    let mut changed = Vec::new();
    for (name, modules) in &all {
        let module = modules
            .iter()
            .find(|m| m.abi.strategy == Strategy::GangShared)
            .unwrap_or(&modules[0]);
        let path = folder().join(format!("{name}.ptx"));
        let text = own_text(module);
        if bless {
            std::fs::write(&path, text).expect("a golden is written");
        } else if std::fs::read_to_string(&path).ok().as_deref() != Some(text.as_str()) {
            changed.push(name.as_str());
        }
    }
    assert!(
        changed.is_empty(),
        "printed otherwise than in tests/ptx: {changed:?}; BLESS=1 rewrites them"
    );
}

#[test]
fn every_module_is_assembled() {
    let Some(ptxas) = std::env::var_os("ACCRUE_PTXAS") else {
        return;
    };
    let targets = std::env::var("ACCRUE_PTXAS_TARGETS").unwrap_or_else(|_| "sm_90".into());
    for target in targets.split_whitespace() {
        for module in modules().values().flatten() {
            let mut child = Command::new(&ptxas)
                .args(["-arch", target, "-v", "-o", "/dev/null", "/dev/stdin"])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("ACCRUE_PTXAS runs");
            let mut stdin = child.stdin.take().expect("stdin is a pipe");
            stdin.write_all(module.ptx.as_bytes()).expect("ptxas reads");
            drop(stdin);
            let output = child.wait_with_output().expect("ptxas ends");
            let log =
                String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
            assert!(
                output.status.success(),
                "{target} {}: {log}\n{}",
                module.abi.entry,
                module.ptx
            );
            if std::env::var_os("ACCRUE_PTXAS_LOG").is_some() {
                println!("{target} {}\n{log}", module.abi.entry);
            }
        }
    }
}
