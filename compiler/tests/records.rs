//! Which arrays of bins have one table of records: those that are updated at the same places.

use accrue_compiler::{Outputs, expand};

/// What a function's loop says of its arrays: how many of the first indices, and how many arrays.
fn together(function: &str) -> Vec<(usize, usize)> {
    let expanded = expand(
        "histogram".parse().expect("tokens"),
        function.parse().expect("tokens"),
        Outputs::default(),
    );
    let tokens = expanded.expect("a loop that runs in parallel").to_string();
    let group = |text: &str| {
        let (indices, rest) = text.split_once("usize , _ >").expect("indices");
        // The list ends with the first unit.
        let (list, _) = rest.split_once("()").expect("a list");
        (
            indices.trim().parse().expect("a number"),
            list.matches("cpu :: bins").count(),
        )
    };
    tokens
        .split(":: together :: <")
        .skip(1)
        .map(group)
        .collect()
}

#[test]
fn arrays_with_updates_of_the_same_indices_are_one_table() {
    let cases: &[(&str, &[(usize, usize)])] = &[
        ("n[k] += 1; s[k] += x;", &[(1, 2)]),
        (
            "let x = x * 2.0; s[k] += x; n[k] += 1; t[k] += x * x;",
            &[(1, 3)],
        ),
        // Literal fields of rows.
        ("m[k][0] += x; m[k][1] += x * x; n[k] += 1;", &[(1, 2)]),
        ("m[k][k2] += x; c[k][k2] += 1;", &[(2, 2)]),
        ("m[k][0] += x; c[k][1] += 1;", &[(1, 2)]),
        // Two places in one block.
        ("n[k] += 1; s[k] += x; n[k2] += 1; s[k2] += x;", &[(1, 2)]),
        (
            "for f in 0..3 { n[k + f] += 1; s[k + f] += x; } t[k] += x;",
            &[(1, 2)],
        ),
        // One array, other places, other blocks, other fields.
        ("n[k] += 1;", &[]),
        ("m[k][0] += x; m[k][1] += x;", &[]),
        ("n[k] += 1; s[k2] += x;", &[]),
        ("n[k] += 1; n[k2] += 1; s[k] += x;", &[]),
        ("n[k] += 1; if x > 0.5 { s[k] += x; }", &[]),
        ("m[k][k2] += x; n[k] += 1;", &[]),
        // A length that the types do not say.
        ("v[k] += 1; s[k] += x;", &[]),
        // Scalars are not bins.
        ("n[k] += 1; *all += 1; s[k] += x; t[k] += x;", &[(1, 2)]),
    ];
    for (body, expected) in cases {
        let function = format!(
            "fn f(keys: &[usize], others: &[usize], x: &[f64], n: &mut [u32; N], s: &mut [f64; N], t: &mut [f64; N], m: &mut [[f64; 2]; N], c: &mut [[u32; 2]; N], v: &mut [u32], all: &mut u64) {{
                for ((&k, &k2), &x) in keys.iter().zip(others).zip(x) {{ {body} }}
            }}"
        );
        assert_eq!(together(&function), *expected, "{body}");
    }
}
