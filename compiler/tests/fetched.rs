//! Which arrays are asked for before the iterations that read them: those whose elements are chosen by the items of an index list, in loops with inner loops.

use accrue_compiler::{Outputs, expand};

/// The arrays that a loop asks for.
fn fetched(function: &str) -> Vec<String> {
    let expanded = expand(
        "histogram".parse().expect("tokens"),
        function.parse().expect("tokens"),
        Outputs::default(),
    );
    let tokens = expanded.expect("a loop that runs in parallel").to_string();
    let array = |text: &str| text.split_once(')').expect("a place").0.trim().to_owned();
    // Each copy of the body asks for the same ones.
    let mut arrays: Vec<String> = tokens
        .split("cpu :: fetch (& (")
        .skip(1)
        .map(array)
        .collect();
    arrays.sort();
    arrays.dedup();
    arrays
}

#[test]
fn what_items_choose_is_asked_for_where_an_iteration_is_long() {
    let inner = "for &v in &rows[r] { n[v as usize] += w; }";
    let cases: &[(&str, &str, &[&str])] = &[
        (
            "&r in list",
            "let r = r as usize; let w = weights[r];",
            &["rows", "weights"],
        ),
        (
            "r in list.iter().copied()",
            "let r = r as usize; let w = weights[r];",
            &["rows", "weights"],
        ),
        (
            "r in list",
            "let r = *r as usize; let w = weights[r + 1];",
            &["rows"],
        ),
        // In order, and by what was read.
        ("r in 0..rows.len()", "let w = weights[r];", &[]),
        (
            "&r in list",
            "let r = list[r as usize] as usize; let w = 1;",
            &["list"],
        ),
    ];
    for (space, body, expected) in cases {
        let function = format!(
            "fn f(list: &[u32], rows: &[[u8; 9]], weights: &[u32], n: &mut [u32]) {{ for {space} {{ {body} {inner} }} }}"
        );
        assert_eq!(fetched(&function), *expected, "{space} {body}");
    }
    // What may be no slice.
    let unknown = "fn f(list: &[u32], n: &mut [u32]) { let rows = load(); for &r in list { for &v in &rows[r as usize] { n[v as usize] += 1; } } }";
    assert!(fetched(unknown).is_empty());
    // An iteration that is short.
    let short = "fn f(list: &[u32], weights: &[u32], n: &mut [u32]) { for &r in list { n[r as usize] += weights[r as usize]; } }";
    assert!(fetched(short).is_empty());
}
