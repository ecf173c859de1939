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

/// Refusals before any loop is looked at.
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
    (
        "histogram",
        "fn f(#[cfg(a)] a: u8, #[cfg(b)] b: u8, #[cfg(c)] c: u8, #[cfg(d)] d: u8, #[cfg(e)] e: u8, #[cfg(f)] f: u8, #[cfg(g)] g: u8) {}",
        Code::ConditionalParameters,
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
fn structs_that_lie_otherwise_are_refused() {
    for (item, code) in [
        (
            "#[repr(C, packed)] struct P { a: u8, x: u32 }",
            Code::DeviceLayout,
        ),
        (
            "#[repr(C)] #[repr(packed(2))] struct P(u8, u32);",
            Code::DeviceLayout,
        ),
        (
            "#[repr(C, align(512))] struct P { x: u32 }",
            Code::DeviceAlign,
        ),
    ] {
        let errors = accrue_compiler::device::derived(item.parse().unwrap()).expect_err(item);
        let found: Vec<Code> = errors.iter().map(|d| d.code).collect();
        assert_eq!(found, [code], "{item}");
    }
    let aligned = "#[repr(C, align(16))] struct P { x: u32, y: [f32; 2] }";
    assert!(accrue_compiler::device::derived(aligned.parse().unwrap()).is_ok());
}

#[test]
fn every_refusal_is_met() {
    let met = read("tests/loops/refused.txt");
    for code in Code::ALL {
        // A bug of ours has no function that meets it, and some are of types: rustc says them, in `tests/ui/`.
        let of_types = matches!(code, Code::SharedState | Code::OtherName);
        if of_types {
            let said = ["shared_state", "other_names"]
                .map(|name| read(&format!("../tests/ui/fail/{name}.stderr")));
            assert!(
                said.iter().any(|text| text.contains(&format!("[{code}]"))),
                "nothing meets {code}"
            );
            continue;
        }
        // Structs are met above; rustc meets an `Index` and what names mean in what is emitted, in `tests/ui`, and says of a call why it cannot be
        // made, in `across.rs`.
        if matches!(
            code,
            Code::Internal
                | Code::DeviceStruct
                | Code::PrimitiveName
                | Code::AnotherFunction
                | Code::AnotherStruct
                | Code::NoCompanion
                | Code::PatternName
                | Code::DeviceLayout
                | Code::DeviceAlign
                | Code::BinIndex
                | Code::OtherArray
                | Code::Ranks
        ) || OTHERS.iter().any(|(_, _, c)| c == code)
        {
            continue;
        }
        assert!(met.contains(&format!("[{code}]")), "nothing meets {code}");
    }
}
