//! Every code has a page, every page a code, and every refusal a function that meets it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use accrue_compiler::diag::Code;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn codes() -> BTreeSet<String> {
    Code::ALL
        .iter()
        .map(|code| format!("H{:03}", code.number()))
        .collect()
}

#[test]
fn every_code_has_a_page() {
    let pages: BTreeSet<String> = read("../docs/diagnostics.md")
        .lines()
        .filter_map(|line| line.strip_prefix("## "))
        .filter_map(|title| title.split_once(':'))
        .map(|(code, _)| code.to_string())
        .collect();
    assert_eq!(codes(), pages);
}

#[test]
fn numbers_are_given_once() {
    assert_eq!(codes().len(), Code::ALL.len());
}

/// Refusals of what is no function that a loop stands in.
const OTHERS: &[(&str, &str, Code)] = &[
    ("histogram", "fn f() -> {}", Code::Syntax),
    ("histogram", "struct S { x: u32 }", Code::NotAFunction),
    ("device", "fn f<T>(x: T) -> T { x }", Code::DeviceFunction),
    ("device", "fn f(&self) -> u32 { 0 }", Code::DeviceFunction),
    (
        "device",
        "fn f(x: &mut u32) { *x += 1; }",
        Code::DeviceFunction,
    ),
    (
        "device",
        "fn f(x: u32) -> u32 { if x < 2 { x } else { f(x - 1) } }",
        Code::Recursion,
    ),
];

#[test]
fn what_is_no_function_is_refused() {
    for (attribute, item, code) in OTHERS {
        let errors = accrue_compiler::expand(
            attribute.parse().unwrap(),
            item.parse().unwrap(),
            Default::default(),
        )
        .expect_err(item);
        let found: Vec<Code> = errors.iter().map(|d| d.code).collect();
        assert_eq!(found, [*code], "{item}");
    }
}

#[test]
fn structs_that_no_device_knows_are_refused() {
    for item in [
        "struct P { x: f32 }",
        "#[repr(C)] struct P<T> { x: T }",
        "#[repr(C)] enum E { A, B }",
        "#[repr(C)] struct P {}",
    ] {
        let errors = accrue_compiler::device::derived(item.parse().unwrap()).expect_err(item);
        let found: Vec<Code> = errors.iter().map(|d| d.code).collect();
        assert_eq!(found, [Code::DeviceStruct], "{item}");
    }
}

#[test]
fn every_refusal_is_met() {
    let met = read("tests/loops/refused.txt");
    for code in Code::ALL {
        // A bug of ours has no function that meets it.
        if matches!(code, Code::Internal | Code::DeviceStruct)
            || OTHERS.iter().any(|(_, _, c)| c == code)
        {
            continue;
        }
        assert!(met.contains(&format!("[{code}]")), "nothing meets {code}");
    }
}
