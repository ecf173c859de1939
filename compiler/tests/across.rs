//! Which functions can be called across ranks, and why others cannot: what rustc says of a call, since their `across` has a bound that
//! nothing satisfies. The page of H064 in `docs/diagnostics.md` is about it.

use accrue_compiler::{Outputs, expand};

/// Why a function cannot be called across ranks.
fn refused(attribute: &str, function: &str) -> Option<String> {
    let expanded = expand(
        attribute.parse().expect("tokens"),
        function.parse().expect("tokens"),
        Outputs::default(),
    );
    let tokens = expanded.expect("a loop that runs in parallel").to_string();
    assert!(tokens.contains("fn across"), "{function}");
    let (_, message) = tokens.split_once("cannot be called across ranks: ")?;
    assert!(tokens.contains("[accrue::H064]"), "{tokens}");
    // Not around loops either.
    assert!(!tokens.contains("loop_of"), "{tokens}");
    message.split('"').next().map(str::to_owned)
}

/// Functions that can be.
const CALLED: &[&str] = &[
    "fn f(xs: &[u8], bins: &mut [u32; 256]) { for &x in xs { bins[x as usize] += 1; } }",
    "fn f(xs: &[f64]) -> f64 { let (mut s, mut n) = (0.0, 0u64); for x in xs { s += x; n += 1; } s / n as f64 }",
    "fn f(xs: &[u32], out: &mut [u32]) { for i in 0..xs.len() { out[i] = xs[i] / 2; } }",
    "fn f(xs: &[f32], first: usize) -> (f32, usize) { let (mut best, mut at) = (0.0, 0); for (i, &x) in xs.iter().enumerate() { if x > best { best = x; at = first + i; } } (best, at) }",
    // A length of this rank's part before the loop is no result.
    "fn f(xs: &[u8], bins: &mut [u32; 256]) { let half = xs.len() / 2; for i in 0..half { bins[xs[i] as usize] += 1; } }",
    // Every rank has the bins, so it has their sums as well, carried along as they are.
    "fn f(xs: &[u8], bins: &mut [u32; 256]) { for &x in xs { bins[x as usize] += 1; } let mut s = 0; for b in bins.iter_mut() { s += *b; *b = s; } }",
    // Bins of a struct by their own name, and a local's by any.
    "fn f(xs: &[u8], t: &mut Tally) { for &x in xs { t.bins[x as usize] += 1; t.all += 1; } }",
    "fn f(xs: &[u8], rng: &mut Rng) -> Vec<u32> { let mut bins = vec![0u32; 256]; for &x in xs { bins[x as usize] += 1; } bins }",
    "fn f(xs: &[u8], bins: &mut [u32]) { let (a, b) = bins.split_at_mut(128); for &x in xs { a[x as usize] += 1; b[x as usize] += 2; } }",
    "fn f<B: accrue::Bin>(xs: &[(u8, B)], bins: &mut [B]) { for &(x, w) in xs { bins[x as usize] += w; } }",
];

/// Functions that cannot be, with the reason.
const REFUSED: &[(&str, &str)] = &[
    (
        "fn f(xs: &[f64]) -> f64 { let mut s = 0.0; for x in xs { s += x; } s / xs.len() as f64 }",
        "what stands beside its loops depends on `xs`, of which",
    ),
    (
        "fn f(xs: &[u8], bins: &mut [u32; 4]) -> f64 { let n = xs.len(); let m = n as f64; for &x in xs { bins[x as usize] += 1; } f64::from(bins[0]) / m }",
        "depends on `xs` through `m`, of which",
    ),
    (
        "fn f(xs: &[u8], bins: &mut [u32; 4]) { if !xs.is_empty() { for &x in xs { bins[x as usize] += 1; } } }",
        "depends on `xs`, of which",
    ),
    (
        "fn f(xs: &[u32], out: &mut [u32]) { let mut acc = 0; for i in 0..xs.len() { acc += xs[i]; out[i] = acc; } }",
        "`acc` is carried from item to item",
    ),
    (
        "fn f(xs: &[i32], out: &mut [i32]) -> usize { let mut n = 0; for &x in xs { if x > 0 { out[n] = x; n += 1; } } n }",
        "`out` is filled at `n`",
    ),
    (
        "fn f(xs: &[f32]) -> usize { let mut at = 0; for i in 1..xs.len() { if xs[i] > xs[at] { at = i; } } at }",
        "it finds the best item by `xs[at]`",
    ),
    (
        "fn f(xs: &[u8], t: &mut Tally) { let bins = &mut t.bins; for &x in xs { bins[x as usize] += 1; } }",
        "`bins` may be a part of `t`, which could not be put back",
    ),
    (
        "fn f(xs: &[u8], ws: &[u32], bins: &mut [u32; 256]) -> u32 { for &x in xs { bins[x as usize] += 1; } let mut s = 0; for i in 0..256 { s += bins[i] * ws[i]; } s }",
        "a loop reads `bins`, which all ranks have, and `ws`, of which each rank has a part",
    ),
    (
        "unsafe fn f(xs: &[u8], bins: &mut [u32; 256]) { for &x in xs { bins[x as usize] += 1; } }",
        "it is `unsafe`",
    ),
    (
        "fn f<'a>(xs: &'a [u8], bins: &mut [u32; 256]) -> &'a u8 { for &x in xs { bins[x as usize] += 1; } &xs[0] }",
        "its lifetimes have names",
    ),
];

#[test]
fn functions_that_combine_bins_and_scalars_can_be_called() {
    for function in CALLED {
        assert_eq!(refused("", function), None, "{function}");
    }
}

#[test]
fn others_say_why_not() {
    for (function, why) in REFUSED {
        let said = refused("", function).unwrap_or_else(|| panic!("{function}"));
        assert!(said.contains(why), "{function}: {said}");
    }
}

/// Loops over what all ranks have by then are not told of the call.
#[test]
fn loops_over_bins_are_left_alone() {
    let loops = |function: &str| {
        let tokens = expand(
            "".parse().expect("tokens"),
            function.parse().expect("tokens"),
            Outputs::default(),
        );
        let tokens = tokens.expect("loops that run in parallel").to_string();
        tokens.matches("loop_of").count()
    };
    assert_eq!(loops(CALLED[0]), 1);
    assert_eq!(loops(CALLED[5]), 1);
    let twice = "fn f(xs: &[u64], bins: &mut [u64; 9]) -> u64 { for &x in xs { bins[x as usize] += 1; } let mut s = 0; for &x in xs { s += x; } s }";
    assert_eq!(loops(twice), 2);
}
