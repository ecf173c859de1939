//! Goldens of PTX: every function in `ptx/` is printed under every strategy.
//!
//! `NAME.ptx` holds what is printed for the first strategy that uses shared memory, or the only one; `BLESS=1` rewrites
//! it. With `ACCRUE_DUMP=DIR` the modules of all strategies are written there, and `.ci/ptxas DIR` assembles them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

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
        let Ok(accrue_compiler::Offload::Loops(args)) =
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
    let text = module.text();
    let header = text.split("\n\n").next().unwrap_or_default();
    let entry = format!(".visible .entry {}(", module.abi.entry);
    let (_, from_entry) = text.split_once(&entry).expect("the entry is printed");
    let (function, _) = from_entry.split_once("\n}\n").expect("the entry ends");
    format!("{header}\n\n{entry}{function}\n}}\n")
}

/// Functions whose form under another strategy has a golden too, `NAME.STRATEGY.ptx`.
const OTHERS: [(&str, Strategy); 5] = [
    ("count_words", Strategy::AtomicGlobal),
    ("count_words", Strategy::GangPacked),
    ("count_words", Strategy::GangSplit),
    ("lines", Strategy::GangWindow),
    ("weighted", Strategy::GangHot),
];

#[test]
fn kernels_are_printed_as_before() {
    let all = modules();
    assert!(all.len() >= 12, "{} functions", all.len());
    let bless = std::env::var_os("BLESS").is_some();
    let mut changed = Vec::new();
    let mut goldens = Vec::new();
    for (name, modules) in &all {
        let of = |strategy| modules.iter().find(|m| m.abi.strategy == strategy);
        let first = of(Strategy::GangShared).unwrap_or(&modules[0]);
        goldens.push((name.clone(), first));
        for (function, strategy) in OTHERS {
            if function == name {
                let module = of(strategy).expect("the strategy is for the function");
                goldens.push((format!("{name}.{}", strategy.name()), module));
            }
        }
    }
    for (name, module) in goldens {
        let path = folder().join(format!("{name}.ptx"));
        let text = own_text(module);
        if bless {
            std::fs::write(&path, text).expect("a golden is written");
        } else if std::fs::read_to_string(&path).ok().as_deref() != Some(text.as_str()) {
            changed.push(name);
        }
    }
    assert!(
        changed.is_empty(),
        "printed otherwise than in tests/ptx: {changed:?}; BLESS=1 rewrites them"
    );
}

#[test]
fn every_module_is_dumped_for_the_assembler() {
    let Some(folder) = std::env::var_os("ACCRUE_DUMP").filter(|folder| !folder.is_empty()) else {
        return;
    };
    std::fs::create_dir_all(&folder).expect("ACCRUE_DUMP names a folder");
    for module in modules().values().flatten() {
        let file = Path::new(&folder).join(format!("{}.golden.ptx", module.abi.entry));
        std::fs::write(file, module.text().as_bytes()).expect("ACCRUE_DUMP is writable");
    }
}

#[test]
fn what_has_no_form_on_a_gpu_is_said() {
    let source = "fn f(keys: &[u32], hist: &mut [u32; 8]) {
        for &k in keys {
            let mut seen = [0u32; 100];
            seen[(k % 100) as usize] += 1;
            let copy = seen;
            hist[(copy[3] & 7) as usize] += 1;
        }
    }";
    let function = syn::parse_str(source).expect("a function");
    let analysis = accrue_compiler::analyze(&function, &Default::default()).expect("a histogram");
    let plan = &analysis.loops[0];
    let obstacles = emit(
        &plan.ir,
        &plan.pattern,
        &analysis.sources,
        &Options::default(),
    )
    .expect_err("a hundred numbers are not copied in registers");
    assert_eq!(obstacles.len(), 1, "{obstacles:?}");
    assert!(
        obstacles[0].why.contains("too large to be copied"),
        "{obstacles:?}"
    );
    assert!(obstacles[0].help.is_some());
}
