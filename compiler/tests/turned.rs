//! Which loops have private tables whose columns lie one behind the other: nested ones that update any row of a column.

use accrue_compiler::{Outputs, expand};

/// Whether the tables of a loop are turned.
fn is_turned(function: &str) -> bool {
    let expanded = expand(
        "histogram".parse().expect("tokens"),
        function.parse().expect("tokens"),
        Outputs::default(),
    );
    let tokens = expanded.expect("a loop that runs in parallel").to_string();
    tokens.contains("cpu :: turned (")
}

#[test]
fn tables_are_turned_where_the_loops_may_change_places_for_nothing() {
    let cases = [
        ("let d = xs[i] * ys[t];", "votes[d as usize][t] += 1;", true),
        ("", "votes[(xs[i] + ys[t]) as usize][t + 1] += 2;", true),
        // A row that the inner loop stays in is added to as a whole.
        ("", "votes[xs[i] as usize][t] += 1;", false),
        // The outer loop's item alone, which is made once a row.
        (
            "let d = xs[i].sqrt() + ys[t];",
            "votes[d as usize][t] += 1;",
            false,
        ),
        (
            "let w = (xs[i] * 2.0) as u32;",
            "votes[ys[t] as usize][t] += w;",
            false,
        ),
        // An element of both lies a row apart from the next one.
        (
            "let d = picture[i * 180 + t];",
            "votes[d as usize][t] += 1;",
            false,
        ),
        // Not only columns.
        ("*all += 1;", "votes[ys[t] as usize][t] += 1;", false),
    ];
    for (before, update, expected) in cases {
        let function = format!(
            "fn f(xs: &[f32], ys: &[f32], picture: &[u8], votes: &mut [[u32; 182]], all: &mut u32) {{
                for i in 0..xs.len() {{ for t in 0..180 {{ {before} {update} }} }}
            }}"
        );
        assert_eq!(is_turned(&function), expected, "{before} {update}");
    }
    let outer = "fn f(xs: &[f32], votes: &mut [[u32; 182]]) {
        for i in 0..xs.len() { let x = xs[i]; for t in 0..180 { votes[(x * t as f32) as usize][t] += 1; } }
    }";
    assert!(!is_turned(outer));
}
