//! What a loop adds to a user's binary.

use std::path::Path;

use accrue_compiler::emit_ptx::{Options, emit};
use accrue_compiler::{Offload, Outputs, expand};
use accrue_ptx::abi::Module;
use proc_macro2::{Literal, TokenStream, TokenTree};

/// The most that a loop's literals take: its packed kernels, and the names and messages beside them.
const MOST_BYTES: usize = 80_000;

/// The bytes of the literals of an expansion: of byte strings, which are packs, and of strings. Documentation is in no binary.
fn literals(tokens: TokenStream) -> [usize; 2] {
    let is_doc = |stream: &TokenStream| {
        let first = stream.clone().into_iter().next();
        first.is_some_and(|token| token.to_string() == "doc")
    };
    let sizes = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) if is_doc(&group.stream()) => [0; 2],
        TokenTree::Group(group) => literals(group.stream()),
        TokenTree::Literal(literal) => size(&literal),
        TokenTree::Ident(_) | TokenTree::Punct(_) => [0; 2],
    });
    sizes.fold([0; 2], |[a, b], [c, d]| [a + c, b + d])
}

fn size(literal: &Literal) -> [usize; 2] {
    match syn::Lit::new(literal.clone()) {
        syn::Lit::ByteStr(bytes) => [bytes.value().len(), 0],
        syn::Lit::Str(text) => [0, text.value().len()],
        _ => [0; 2],
    }
}

/// What the loop of a golden adds, and the sum of its kernels' texts.
fn added(attribute: &str, source: &str) -> [usize; 2] {
    let attribute = attribute.parse().expect("tokens");
    let item = source.parse().expect("tokens");
    let tokens = expand(
        attribute,
        item,
        Outputs {
            gpu: true,
            ..Default::default()
        },
    )
    .expect("a histogram");
    literals(tokens)
}

#[test]
fn a_loop_adds_at_most_so_much() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ptx");
    let mut loops = 0;
    for entry in std::fs::read_dir(folder).expect("the goldens") {
        let path = entry.expect("readable").path();
        if path.extension().is_none_or(|e| e != "rs") {
            continue;
        }
        loops += 1;
        let source = std::fs::read_to_string(&path).expect("text");
        let [packs, texts] = added("histogram", &source);
        println!("{}: {packs} packed, {texts} in texts", path.display());
        // Without kernels the test would be blind.
        assert!(packs > 10_000, "{}: {packs}", path.display());
        assert!(
            packs + texts < MOST_BYTES,
            "{}: {packs} and {texts}",
            path.display()
        );
    }
    assert!(loops >= 12, "{loops} loops");
}

/// The bytes of a loop's kernels as a binary carries them, and of their texts.
fn kernels(function: &syn::ItemFn, overflow_checks: bool) -> [usize; 2] {
    let name = &function.sig.ident;
    let Ok(Offload::Loops(args)) = accrue_compiler::args(TokenStream::new()) else {
        panic!("the attribute is accepted")
    };
    let analysis =
        accrue_compiler::analyze(function, &args).unwrap_or_else(|e| panic!("{name}: {e:?}"));
    let [plan] = &analysis.loops[..] else {
        panic!("{name} is a loop")
    };
    let options = Options {
        overflow_checks,
        ..Options::default()
    };
    let modules = emit(
        plan.kernel_ir(),
        &plan.kernel_pattern(),
        &analysis.sources,
        &options,
    );
    let modules = modules.unwrap_or_else(|o| panic!("{name}: {o:?}"));
    let texts: Vec<_> = modules.iter().map(Module::text).collect();
    let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
    let bytes = texts.iter().map(|text| text.len()).sum();
    let strategies: Vec<_> = modules.iter().map(|m| m.abi.strategy.name()).collect();
    println!("{name}: {strategies:?}");
    [accrue_ptx::pack::pack(&texts).len(), bytes]
}

#[test]
fn loops_without_bins_add_at_most_so_much() {
    let file = syn::parse_file(include_str!("sizes/loops.rs")).expect("functions");
    let mut loops = 0;
    for item in &file.items {
        let syn::Item::Fn(function) = item else {
            panic!("a function")
        };
        loops += 1;
        let name = &function.sig.ident;
        // A debug build checks overflow, a release build does not and has the larger kernels.
        for overflow_checks in [false, true] {
            let [packed, texts] = kernels(function, overflow_checks);
            println!("{name}: {packed} packed of {texts}, overflow checks {overflow_checks}");
            assert!(
                (1_500..MOST_BYTES).contains(&packed),
                "{name}: {packed} of {texts}"
            );
        }
    }
    assert!(loops >= 17, "{loops} loops");
}

#[test]
fn a_loop_of_one_strategy_adds_less() {
    let source =
        "fn f(keys: &[u32], bins: &mut [u32]) { for &k in keys { bins[k as usize] += 1; } }";
    let [all, _] = added("histogram, strategy = \"gang_shared\"", source);
    let strategies = [
        "atomic_global",
        "gang_global",
        "gang_shared",
        "gang_window",
        "gang_packed",
    ];
    let of = |strategy: &str| {
        added(
            &format!("histogram, strategy = \"{strategy}\", __only"),
            source,
        )[0]
    };
    let each = strategies.map(of);
    println!(
        "{all} for all, {each:?} for one, {} together",
        each.iter().sum::<usize>()
    );
    assert!(
        all > 30_000 && each.iter().all(|one| *one < 15_000),
        "{all} {each:?}"
    );
}

/// The kernels that ask what is distinct are the loop's as well.
#[test]
fn a_loop_that_is_checked_adds_at_most_so_much() {
    let source = "fn scatter(at: &[usize], x: &[f32], out: &mut [f32]) { for i in 0..at.len() { out[at[i]] = x[i]; } }";
    let [packs, texts] = added("distinct(out)", source);
    println!("distinct: {packs} packed, {texts} in texts");
    let [alone, _] = added(
        "",
        "fn copy(x: &[f32], out: &mut [f32]) { for i in 0..x.len() { out[i] = x[i]; } }",
    );
    assert!(packs > alone + 5_000, "{packs}, {alone} without a check");
    assert!(packs + texts < MOST_BYTES, "{packs} and {texts}");
}
