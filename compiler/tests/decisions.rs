//! What is taken, what is refused, and what stays off the GPU or in order: loops that are close to each other and mean something
//! else.

use accrue_compiler::diag::Errors;
use accrue_compiler::ir::interpret::State;
use accrue_compiler::ir::{ExprKind, Literal, Pattern};
use accrue_compiler::{Args, Compiled, Offload, args, print, stages};
use proc_macro2::{Delimiter, Group, TokenTree};
use quote::quote;

fn compiled(source: &str) -> Result<Compiled, Errors> {
    let function = syn::parse_str(source).unwrap_or_else(|e| panic!("{e}: {source}"));
    let args = Args {
        any: true,
        as_marked: true,
        ..Args::default()
    };
    stages(function, &args, &Default::default(), None)
}

fn taken(source: &str) -> Compiled {
    compiled(source).unwrap_or_else(|errors| panic!("{errors}\n{source}"))
}

#[track_caller]
fn refused(source: &str, code: &str) {
    match compiled(source) {
        Ok(_) => panic!("taken: {source}"),
        Err(errors) => assert!(errors.to_string().contains(code), "{errors}\n{source}"),
    }
}

/// How many parts of a function's loops only rustc understands.
fn opaque_parts(source: &str) -> usize {
    let loops = taken(source).analysis.loops;
    loops.iter().map(|plan| plan.ir.opaque_parts().len()).sum()
}

#[test]
fn a_part_of_a_text_says_nothing_of_what_is_lent_before_it() {
    let source = |lent: &str| {
        format!(
            "fn f(a: &mut [String], xs: &[String]) {{ for i in 0..xs.len() {{ let x = xs[i].as_str(); a[i + 1] = x.to_string(); join(&mut a[{lent}], &x[1..]); }} }}"
        )
    };
    refused(&source("0"), "H057");
    taken(&source("i + 1"));
}

#[test]
fn a_reference_that_goes_on_may_change_what_it_refers_to() {
    let source = |body: &str, index: &str| {
        let body = body.replace('I', index);
        format!(
            "fn f(v: &mut [u32], w: &[Vec<u32>], c: &mut [Counter], n: usize) {{ for i in 0..n {{ v[i + 1] = 3; c[i + 1] = made(i); {body} }} }}"
        )
    };
    for body in [
        "let r = &mut v[I]; add(r, &w[i]);",
        "let r = &mut v[I]; let q = r; add(q, &w[i]);",
        "let r = &mut v[I]; add(Wrapped(r).0, &w[i]);",
        "let r = &mut v[I]; add(Some(r), &w[i]);",
        "let r = &mut v[I]; let (q, _) = (r, 3); add(q, &w[i]);",
        "let r = { let q = &mut v[I]; q }; add(r, &w[i]);",
        "let ref mut r = v[I]; add(r, &w[i]);",
        "match v[I] { ref mut r => add(r, &w[i]) }",
        "if let Some(r) = v.get_mut(I) { add(r, &w[i]); }",
        // Methods of one's own, with the names of those of numbers.
        "c[I].abs();",
        "let r = &mut c[I]; r.min(&w[i]);",
    ] {
        refused(&source(body, "0"), "H057");
        taken(&source(body, "i + 1"));
    }
}

#[test]
fn what_is_borrowed_to_be_changed_is_an_iterations_own() {
    let source = |named: &str, index: &str| {
        let named = named.replace('I', index);
        format!(
            "fn f(keys: &[usize], h: &mut [u32], out: &mut [u32]) {{ for i in 0..keys.len() {{ let k = keys[i]; {named} }} }}"
        )
    };
    for named in [
        "let b = &mut h[I]; out[i] = 1;",
        "let b = &mut h[I]; out[i] = *b;",
        "let b = &mut h[I..I + 1]; out[i] = 1;",
        "if let Some(b) = h.get_mut(I) { out[i] = *b; }",
    ] {
        refused(&source(named, "k"), "H057");
        taken(&source(named, "i"));
    }
    taken(&source("let b = &mut h[I]; *b += 1;", "k"));
    let marked = "fn f(keys: &[usize], h: &mut [u32], g: &mut [u32]) { for &k in keys { let b = &mut h[k]; g[k] += 1; } }";
    let function = syn::parse_str(marked).expect("a function");
    let found = stages(function, &Args::default(), &Default::default(), None);
    let errors = found.map(|_| ()).expect_err("nothing changes `h`");
    assert!(errors.to_string().contains("H028"), "{errors}");
}

#[test]
fn what_may_panic_of_the_best_item_is_noticed() {
    // A part of the iterations takes items that the sequential loop passes by, and what it assigns then is computed in vain: where that panics, the loop
    // runs again in order.
    let kept = |value: &str| {
        format!(
            "fn f(x: &[u32], y: &[u32], k: usize, best: &mut u32, at: &mut usize) {{ \
             for i in 0..x.len() {{ if x[i] < *best {{ *best = x[i]; *at = {value}; }} }} }}"
        )
    };
    let best = |source: &str| {
        let loops = taken(source).analysis.loops;
        let Pattern::Histogram(found) = &loops[0].pattern;
        assert_eq!(found.best.len(), 1, "{source}");
        (found.best[0].overflows, found.best[0].lazy)
    };
    let overflows_in = |source: &str| best(source).0;
    let panics = |source: &str| best(source).1;
    let overflows = |value: &str| overflows_in(&kept(value));
    for value in ["i", "k", "x[i] as usize", "x.len()", "i & k"] {
        assert!(!overflows(value), "{value}");
        assert!(!panics(&kept(value)), "{value}");
    }
    // Where that is checked, the loop runs in order.
    for value in ["i + k", "i * k", "i - k"] {
        assert!(overflows(value), "{value}");
    }
    for value in ["i / k", "i % k", "i << k", "i >> k", "y[i] as usize"] {
        assert!(panics(&kept(value)), "{value}");
    }
    // What a name of the block stands for is computed for such an item as well.
    let named = |value: &str| {
        kept("v").replace("*best = x[i];", &format!("let v = {value}; *best = x[i];"))
    };
    assert!(!overflows_in(&named("i & k")));
    assert!(overflows_in(&named("i + k")));
    assert!(panics(&named("i / k")));
    // An element that the iteration has read for certain is there; behind a change of its index it is another.
    let read = |first: &str, then: &str| {
        format!(
            "fn f(x: &[u32], y: &[u32], best: &mut u32, with: &mut u32, sum: &mut u32) {{ \
             for i in 0..x.len() {{ let mut j = i; {first} let d = x[i]; {then} }} }}"
        )
    };
    let keep = "if d < *best { *best = d; *with = y[j]; }";
    let sum = "*sum = (*sum).wrapping_add(y[j]);";
    assert!(!panics(&read(sum, keep)));
    for first in [
        "",
        "if x[i] > 3 { *sum = (*sum).wrapping_add(y[j]); }",
        "*sum = (*sum).wrapping_add(y[j]); j += 1;",
    ] {
        assert!(panics(&read(first, keep)), "{first}");
    }
    let again = format!("for _ in 0..3 {{ {keep} j += 1; }}");
    assert!(panics(&read(sum, &again)));
}

#[test]
fn the_best_item_is_kept_by_the_key_that_is_compared() {
    let kept = |compared: &str, kept: &str| {
        format!(
            "fn f(x: &[u32], best: &mut u32, at: &mut usize) {{ \
             for i in 0..x.len() {{ if ({compared}) < *best {{ *best = {kept}; *at = i; }} }} }}"
        )
    };
    let chosen = "if x[i] > 3 { 1 } else { x[i] }";
    taken(&kept(chosen, chosen));
    for other in [
        "if x[i] > 3 { 2 } else { x[i] }",
        "if x[i] > 4 { 1 } else { x[i] }",
        "if x[i] > 3 { 1 } else { 5 }",
    ] {
        refused(&kept(chosen, other), "H0");
    }
}

#[test]
fn a_bin_is_updated_where_it_is_read() {
    let updated = |written: &str, read: &str| {
        let bin = |of: &str| format!("h[({of}) as usize % 8]");
        format!(
            "fn f(x: &[u32], h: &mut [u32; 8]) {{ for &v in x {{ {} = {} + 1; }} }}",
            bin(written),
            bin(read)
        )
    };
    let chosen = "if v > 3 { 1 } else { v }";
    let matched = "match v { 0..=3 => 1, _ => v }";
    for same in [chosen, matched] {
        taken(&updated(same, same));
    }
    for (written, read) in [
        (chosen, "if v > 3 { 2 } else { v }"),
        (chosen, "if v > 3 { 1 } else { 5 }"),
        (chosen, "if v > 4 { 1 } else { v }"),
        (matched, "match v { 0..=4 => 1, _ => v }"),
        (matched, "match v { 0..=3 => 2, _ => v }"),
        (matched, "match v { 0..=3 => 1, _ => 5 }"),
    ] {
        refused(&updated(written, read), "H0");
    }
}

#[test]
fn only_the_elements_behind_the_cursor_are_filled() {
    let filled = |body: &str| {
        format!(
            "fn f(x: &[u32], out: &mut [u32]) {{ let mut n = 0usize; for i in 0..x.len() {{ if x[i] > 3 {{ {body} }} }} }}"
        )
    };
    for body in [
        "out[n] = x[i]; n += 1;",
        "n += 1; out[n - 1] = x[i];",
        "out[n] = x[i]; out[n + 1] = 7; n += 2;",
        "n += 2; out[n - 1] = x[i]; out[n - 2] = 7;",
        "for k in 0..3 { out[n] = x[i] ^ k; n += 1; }",
        "loop { out[n] = x[i]; n += 1; if x[i] > 7 { break; } }",
    ] {
        taken(&filled(body));
    }
    for body in [
        "out[n + 1] = x[i]; n += 1;",
        "out[n - 1] = x[i]; n += 1;",
        "n += 1; out[n] = x[i];",
        "n += 2; out[n - 3] = x[i];",
        "out[n] = x[i]; n -= 1;",
        "for k in 0..3 { out[n] = x[i] ^ k; } n += 2; out[n] = 1;",
        // In its second round the name stands for another place.
        "let mut m = n; for k in 0..3 { out[m] = x[i] ^ k; m = 0; } n += 1;",
        "let mut m = n; while x[m] > 7 { out[m] = x[i]; m = 0; } n += 1;",
        "let mut m = n; loop { out[m] = x[i]; if x[m] > 7 { break; } m = 0; } n += 1;",
        "let mut m = n; let last = loop { out[m] = x[i]; if x[m] > 7 { break m; } m = 0; }; n += 1;",
    ] {
        refused(&filled(body), "H0");
    }
}

#[test]
fn what_is_carried_is_read_as_the_loop_reads_it() {
    let carried = |head: &str, body: &str| {
        format!(
            "fn f(x: &[u32], out: &mut [u32], n: usize, k: usize) {{ for i in {head} {{ {body} }} }}"
        )
    };
    let next = "out[i] = out[i - 1].wrapping_add(x[i]);";
    taken(&carried("1..n", next));
    taken(&carried("1..n - k", next));
    taken(&carried(
        "1..out.len()",
        "out[i] = out[i - 1].wrapping_add(x[i % out.len()]);",
    ));
    // The elements before the one at hand are those of the loop, others are not there yet.
    refused(
        &carried(
            "1..n",
            "out[i] = out[i - 1].wrapping_add(x[i]).wrapping_add(out[i + k]);",
        ),
        "H0",
    );
    refused(
        &carried("1..n", "out[i] = out[i - 1].wrapping_add(out[i + 3]);"),
        "H0",
    );
    // What is evaluated once is not evaluated again.
    for end in [
        "next() + n",
        "n + next()",
        "q.next()",
        "q.next(3)",
        "next().len()",
    ] {
        refused(&carried(&format!("1..{end}"), next), "H0");
    }
    // A name that is assigned is not what it was declared as.
    let map = |t: &str| {
        format!(
            "fn f(x: &[u32], out: &mut [u32]) {{ let mut acc = 1u32; for i in 0..x.len() {{ \
             {t} acc = acc.wrapping_mul(t).wrapping_add(1); out[i] = acc; }} }}"
        )
    };
    taken(&map("let t = x[i] | 1;"));
    for t in [
        "let mut t = x[i]; if x[i] > 3 { t = acc; }",
        "let mut t = 3; t = t.wrapping_mul(acc);",
    ] {
        refused(&map(t), "H0");
    }
    let square = map("let mut t = acc; t = t.wrapping_mul(t);").replace("acc.wrapping_mul(t)", "t");
    refused(&square, "H026");
    taken(
        "fn f(x: &[u32], out: &mut [u32]) { let mut acc = 1u32; for i in 0..x.len() { \
         if x[i] > 3 { let t = acc.wrapping_mul(x[i]); acc = t.wrapping_add(1); } \
         else { let t = acc; acc = t.wrapping_mul(3); } out[i] = acc; } }",
    );
    // Parts of other lengths are no items.
    refused(
        "fn f(x: &[u32], out: &mut [u32]) { for (i, v) in x.windows(2).enumerate() { out[i + 1] = out[i] + v[0]; } }",
        "H0",
    );
}

#[test]
fn what_a_loop_goes_through_is_seen() {
    let count = |over: &str| {
        let source = format!(
            "fn f(x: &[u32], h: &mut [u32; 8]) {{ for &v in x {{ for t in {over} {{ h[(v as usize + t) % 8] += 1; }} }} }}"
        );
        let loops = taken(&source).analysis.loops;
        loops[0].ir.space[1].count.kind.clone()
    };
    for (over, times) in [
        ("(0..12usize).step_by(3)", 4),
        ("(0..13usize).step_by(3)", 5),
    ] {
        let counted = count(over);
        assert!(
            matches!(counted, ExprKind::Literal(Literal::Int(n)) if n == times),
            "{over}: {counted:?}"
        );
    }
    for over in ["x", "x.as_slice()", "x.as_ref()"] {
        let source = format!(
            "fn f(x: Vec<u32>, h: &mut [u32; 8]) {{ for &v in {over} {{ h[v as usize % 8] += 1; }} }}"
        );
        assert_eq!(opaque_parts(&source), 0, "{over}");
    }
    // How often it runs is said before it changes anything.
    refused(
        "fn f(x: &[u32], h: &mut [u32; 8]) { for i in 0..h[0] as usize { h[x[i] as usize % 8] += 1; } }",
        "H0",
    );
}

/// What runs in parallel of a function without marks, and what goes in order: loops by their lines.
fn followed(body: &str) -> Option<(Vec<u32>, Vec<usize>)> {
    let source = format!(
        "fn f(a: &mut Vec<u32>, b: &mut Vec<u32>, x: &[u32], n: usize, w: usize, rows: &mut Vec<Vec<u32>>) {{\n{body}\n}}"
    );
    let function = syn::parse_str(&source).unwrap_or_else(|e| panic!("{e}: {source}"));
    let args = Args {
        any: true,
        ..Args::default()
    };
    let analysis = stages(function, &args, &Default::default(), None)
        .ok()?
        .analysis;
    let line =
        |plan: &accrue_compiler::plan::LoopPlan| analysis.sources.get(plan.ir.source).line as u32;
    let parallel = analysis.loops.iter().map(line).collect();
    let in_order = analysis.sequential.iter().map(|(line, _)| *line).collect();
    Some((parallel, in_order))
}

#[test]
fn loops_inside_steps_are_looked_at() {
    for (body, parallel, in_order) in [
        // A step uses what the one before it made.
        (
            "for y in 1..n {\nfor j in 0..w { a[y * w + j] = a[(y - 1) * w + j] + x[j]; } }",
            &[3][..],
            &[2][..],
        ),
        (
            "for _ in 0..n {\nfor i in 1..w { b[i] = a[i - 1]; }\nstd::mem::swap(a, b); }",
            &[3],
            &[2],
        ),
        (
            "for _ in 0..n {\nfor i in 1..w { b[i] = a[i - 1]; }\na.copy_from_slice(b); }",
            &[3],
            &[2],
        ),
        (
            "for _ in 0..n {\nlet old = b.clone();\nfor i in 1..w { b[i] += old[i - 1]; } }",
            &[4],
            &[2],
        ),
        // It is left early, and follows the step before it all the same.
        (
            "for y in 1..n {\nif a[y * w] == 0 { return; }\nfor j in 0..w { a[y * w + j] = a[(y - 1) * w + j] + x[j]; } }",
            &[4],
            &[2],
        ),
        (
            "for _ in 0..n {\nfor i in 0..w { if a[i] > 9 { return; } }\nfor i in 1..w { b[i] = a[i - 1]; }\nstd::mem::swap(a, b); }",
            &[4],
            &[2, 3],
        ),
        // Two steps deep.
        (
            "for _ in 0..n {\nfor y in 1..n {\nfor j in 0..w { a[y * w + j] += a[(y - 1) * w + j]; } } }",
            &[4],
            &[2, 3],
        ),
        // Beside a loop that is taken another one goes in order, and one of few iterations.
        (
            "for _ in 0..n {\nfor i in 0..w { b[i] = a[i] + b[i]; }\nfor i in 1..w { a[i] = a[i - 1] / 2 + b[i]; } }",
            &[3],
            &[2, 4],
        ),
        (
            "for _ in 0..n {\nfor i in 0..w { b[i] = a[i] + b[i]; }\nfor i in 0..9 { a[i] = a[i] / 2 + b[i]; } }",
            &[3],
            &[2, 4],
        ),
        // What it calls may change what the loop inside updates.
        (
            "for y in 1..n {\nnote(&mut *b); for j in 0..w { b[j] += x[j]; } }",
            &[3],
            &[2],
        ),
        (
            "for y in 1..n {\nlet row = rows[y].clone(); note(&mut *b); for j in 0..w { b[j] += x[j]; } }",
            &[3],
            &[2],
        ),
        // Rows up to the step's own, itself, and those behind it.
        (
            "for k in 0..n {\nfor i in 0..n { for j in 0..n { a[i * n + j] += a[i * n + k] ^ a[k * n + j]; } } }",
            &[3, 3, 3],
            &[2],
        ),
        (
            "for k in 0..n {\nfor i in 0..n { if i != k { for j in 0..n { rows[i][j] -= rows[k][j]; } } } }",
            &[3, 3, 3],
            &[2],
        ),
    ] {
        let found = followed(body);
        let (found, order) = found.unwrap_or_else(|| panic!("refused: {body}"));
        assert_eq!((&found[..], &order[..]), (parallel, in_order), "{body}");
    }
}

#[test]
fn steps_without_parallel_loops_are_refused() {
    for body in [
        "for y in 1..n { for j in 1..w { a[y * w + j] = a[(y - 1) * w + j] + a[y * w + j - 1]; } }",
        "for y in 1..n { for j in 0..8 { a[y * 8 + j] = a[(y - 1) * 8 + j] + 1; } }",
        // Not because its iterations follow each other.
        "for y in 1..n { println!(\"{}\", a[y]); for j in 0..w { a[y * w + j] = x[j]; } }",
        // By what it calls, but no loop inside is taken.
        "for y in 1..n { note(&mut *b); for j in 1..w { b[j] += b[j - 1] * x[j]; } }",
        // Inside of what is taken nothing is looked at; of two, one is refused.
        "for i in 0..n { a[i] = x[i]; } for i in 1..n { a[i] = a[i - 1] / 2; }",
    ] {
        assert_eq!(followed(body), None, "{body}");
    }
    let args = Args {
        any: false,
        ..Args::default()
    };
    let bins =
        "fn f(h: &mut [u32], n: usize) { for y in 1..n { for j in 0..n { h[j] += h[y]; } } }";
    let function = syn::parse_str(bins).unwrap();
    assert!(stages(function, &args, &Default::default(), None).is_err());
}

#[test]
fn elements_of_an_iterations_own_keep_apart() {
    /// What is known before a call.
    #[derive(Debug, PartialEq)]
    enum Apart {
        Always,
        /// Where the numbers of the call say so.
        Perhaps,
        Never,
    }
    use Apart::{Always, Never, Perhaps};
    for (head, body, apart) in [
        ("0..n", "a[i] = b[i];", Always),
        ("0..n / 2", "a[i] = a[n - 1 - i];", Always),
        ("0..n", "a[2 * i] = a[2 * i + 1];", Always),
        ("0..n", "a[i << 1] = a[(i << 1) + 1];", Always),
        ("0..n", "for j in 0..w { a[i * w + j] = b[j]; }", Always),
        (
            "0..n",
            "for j in 0..w { a[i * (w + k) + j] = b[j]; }",
            Always,
        ),
        ("0..n / k", "for j in 0..k { a[i * k + j] = 1; }", Always),
        ("0..n", "for j in 0..w { a[i * k + j] = b[j]; }", Perhaps),
        // Rows that overlap do so for every `w`, but where there is one of them.
        ("0..n", "for j in 0..=w { a[i * w + j] = b[j]; }", Never),
        ("0..n", "a[i] = a[i + k];", Perhaps),
        // By a copy of what is there before.
        ("0..n", "a[i] = a[i + 1];", Always),
        ("0..n", "a[i / 2] = b[i];", Never),
        ("0..n", "a[2 * i] = a[i];", Never),
        ("0..n / 2", "a[i] = a[n / 2 - i];", Never),
        ("0..n", "for j in 0..w { a[j] = b[i]; }", Never),
        ("0..n", "for j in 0..w { a[i + j] = b[i]; }", Never),
        ("0..4", "for j in 0..w { a[i * 3 + j] = b[i]; }", Never),
        (
            "0..n - 1",
            "for j in b[i] as usize..b[i + 1] as usize { a[j] = 1; }",
            Never,
        ),
        // A condition says where an index lies.
        (
            "0..n",
            "for j in 0..w { if j + 1 < w { a[i * w + j] = a[i * w + j + 1]; } }",
            Always,
        ),
        (
            "0..n",
            "for j in 0..w { if j < w { a[i * w + j] = a[i * w + j + 1]; } }",
            Never,
        ),
        (
            "0..n",
            "for j in 0..w { if j + 1 >= w { a[i * w + j] = a[i * w + j + 1]; } }",
            Never,
        ),
        (
            "0..n",
            "for j in 0..=w { if j == w { } else { a[i * w + j] = b[j]; } }",
            Always,
        ),
    ] {
        let source = format!(
            "fn f(a: &mut [u32], b: &[u32], n: usize, w: usize, k: usize) {{ for i in {head} {{ {body} }} }}"
        );
        let found = match compiled(&source) {
            Err(_) => Never,
            Ok(loops) => {
                let Pattern::Histogram(found) = &loops.analysis.loops[0].pattern;
                match &found.guard {
                    Some(guard) if !guard.conditions.is_empty() => Perhaps,
                    _ => Always,
                }
            }
        };
        assert_eq!(found, apart, "{source}");
    }
}

#[test]
fn what_a_condition_says_of_an_index_holds_where_it_holds() {
    let rows = |condition: &str| {
        format!(
            "fn f(a: &mut [u32], b: &[u32], n: i32, w: i32, k: i32) {{ for i in 0..n {{ for j in 0..w {{ \
             let t = if {condition} {{ j - k }} else {{ 0 }}; a[(i * w + t) as usize] = b[j as usize]; }} }} }}"
        )
    };
    taken(&rows("j >= k && 0 <= k"));
    // Below `k` it is an element of the row before.
    for condition in ["j < k", "j < k || w < k", "j >= k || w < k"] {
        refused(&rows(condition), "H057");
    }
}

#[test]
fn names_in_capitals_that_a_loop_binds_are_names() {
    taken("fn f(keys: &[u8], h: &mut [u32; 256]) { for &N in keys { h[N as usize] += 1; } }");
    taken(
        "fn f(keys: &[u8], h: &mut [u32; 256]) { for &k in keys { let N = k as usize; h[N] += 1; } }",
    );
}

#[test]
fn what_only_rustc_understands_is_left_to_it() {
    let with = |item: &str, value: &str| {
        format!(
            "fn f(x: &[u32], h: &mut [u32; 8]) {{ for &v in x {{ {item} h[({value}) as usize % 8] += 1; }} }}"
        )
    };
    // A constant of the loop's own is its value, unless it is made of a later one.
    assert_eq!(opaque_parts(&with("const K: u32 = 3;", "v ^ K")), 0);
    assert_ne!(
        opaque_parts(&with("const K: u32 = L; const L: u32 = 3;", "v ^ K")),
        0
    );
    // A condition in `matches!` is no part of the pattern.
    assert_eq!(opaque_parts(&with("", "matches!(v, 1..=5) as u32")), 0);
    assert_ne!(
        opaque_parts(&with("", "matches!(v, 1..=5 if v % 2 == 0) as u32")),
        0
    );
    for checked in ["checked_add", "checked_sub", "checked_mul"] {
        let value = format!("if let Some(s) = v.{checked}(7) {{ s }} else {{ 1 }}");
        assert_eq!(opaque_parts(&with("", &value)), 0, "{checked}");
    }
}

#[test]
fn what_changes_a_collection_is_not_taken_for_a_method_of_numbers() {
    let with = |change: &str| {
        format!(
            "fn f(a: &mut Vec<u32>, b: &mut Vec<u32>, n: usize) -> u32 {{ let mut sum = 0u32; \
             for i in 0..n {{ {change} sum = sum.wrapping_add(b[i]); }} sum }}"
        )
    };
    for change in [
        "a.rotate_left(1);",
        "a.rotate_right(i);",
        "std::mem::swap(a, b);",
        "let old = std::mem::take(a);",
        "core::mem::replace(a, Vec::new());",
    ] {
        refused(&with(change), "H028");
    }
    taken(&with("sum = sum.wrapping_add(a[i].rotate_left(3));"));
}

#[test]
fn rows_that_end_early_are_not_taken_apart() {
    let rows = |body: &str| {
        format!(
            "fn f(x: &[u32], h: &mut [u32; 8]) {{ for y in 0..x.len() {{ for t in 0..6usize {{ {body} }} }} }}"
        )
    };
    let dimensions = |body: &str| taken(&rows(body)).analysis.loops[0].ir.space.len();
    let update = "h[(x[y] as usize + t) % 8] += 1;";
    assert_eq!(dimensions(update), 2);
    assert_eq!(
        dimensions(&format!(
            "for _ in 0..2 {{ if x[y] > 9 {{ break; }} }} {update}"
        )),
        2
    );
    assert_eq!(dimensions(&format!("if x[y] > 9 {{ break; }} {update}")), 1);
    // Behind a loop of its own, a `break` ends the row all the same.
    for inner in ["for _ in 0..2 {}", "while false {}", "loop { break; }"] {
        let body = format!("{inner} if x[y] > 9 {{ break; }} {update}");
        assert_eq!(dimensions(&body), 1, "{inner}");
    }
}

#[test]
fn what_leaves_an_inner_loop_stays_in_the_iteration() {
    let Ok(Offload::Loops(args)) = args("pure(to_string, chars, key)".parse().expect("tokens"))
    else {
        panic!("the attribute is accepted")
    };
    let with = |jump: &str| {
        let source = format!(
            "fn f(x: &[u32], h: &mut [u32; 8]) {{ for &v in x {{ let mut n = 0; \
             for c in v.to_string().chars() {{ if c == '3' {{ {jump} }} n += 1; }} h[key(n) % 8] += 1; }} }}"
        );
        let function = syn::parse_str(&source).expect("a function");
        stages(function, &args, &Default::default(), None).map(|_| ())
    };
    // In what only rustc understands, too.
    let within = |inner: &str| {
        let source = format!(
            "fn f(x: &[u32], h: &mut [u32; 8]) {{ for &v in x {{ \
             h[key({{ let mut n = v; {inner} n }}) % 8] += v.to_string().chars().count() as u32; }} }}"
        );
        let function = syn::parse_str(&source).expect("a function");
        let count = "pure(to_string, chars, key, count)"
            .parse()
            .expect("tokens");
        let Ok(Offload::Loops(args)) = accrue_compiler::args(count) else {
            panic!("the attribute is accepted")
        };
        stages(function, &args, &Default::default(), None).map(|_| ())
    };
    for inner in [
        "for k in 0..9 { if k > v { break; } n += 1; }",
        "for k in 0..9 { if k > v { continue; } n += 1; }",
        "while n < 9 { if n > v { break; } n += 1; }",
        "loop { if n > v { break; } n += 1; }",
    ] {
        within(inner).unwrap_or_else(|errors| panic!("{inner}: {errors}"));
    }
    assert!(within("if n > 3 { break; }").is_err());
    assert!(within("for _ in 0..9 { if n > 3 { return; } }").is_err());
    for jump in ["break;", "continue;"] {
        with(jump).unwrap_or_else(|errors| panic!("{errors}"));
    }
}

#[test]
fn what_a_macro_hands_on_is_looked_into() {
    let keys = Group::new(Delimiter::None, quote!(keys.iter()));
    let keys = TokenTree::Group(keys);
    let function = syn::parse2(quote! {
        fn f(keys: &[u8], h: &mut [u32; 256]) { for &k in #keys { h[k as usize] += 1; } }
    });
    let function = function.expect("a function");
    let found = stages(function, &Default::default(), &Default::default(), None);
    assert_eq!(found.expect("a histogram").analysis.loops.len(), 1);
}

#[test]
fn floats_are_matched_by_conditions() {
    taken(
        "fn f(x: &[f32], h: &mut [u32; 8]) { for &v in x { h[match v { n if n > 3.0 => 1, _ => 2 }] += 1; } }",
    );
}

#[test]
fn patterns_mean_what_rust_says() {
    let run = |source: &str, keys: &[u8]| {
        let compiled = taken(source);
        let plan = &compiled.analysis.loops[0];
        let mut state = State::new(&plan.ir);
        state.set_array("keys", keys);
        state.set_array("h", &[0u32; 16]);
        state.interpret(&plan.pattern).expect("nothing panics");
        state.array::<u32>("h")
    };
    let keys = [0, 3, 4, 9, 10, 20, 21, 25, 29, 30, 97, 122, 249, 250, 255];
    let mut ranges = [0; 16];
    for x in keys {
        ranges[match x {
            ..=3 => 1,
            250.. => 2,
            10..=20 | 25..30 => 3,
            b'a' | b'z' => 4,
            _ => 5,
        }] += 1;
    }
    let source = "fn f(keys: &[u8], h: &mut [u32; 16]) { for &x in keys { \
        h[match x { ..=3 => 1, 250.. => 2, 10..=20 | 25..30 => 3, b'a' | b'z' => 4, _ => 5 }] += 1; } }";
    assert_eq!(run(source, &keys), ranges);

    let quads = [
        [0, 1, 2, 3],
        [5, 7, 8, 1],
        [5, 6, 7, 9],
        [8, 2, 3, 4],
        [1, 2, 3, 4],
    ];
    let mut ends = [0; 16];
    for p in quads {
        ends[usize::from(match p {
            [0, .., last] => last,
            [first, 7, ..] => first,
            [.., a, 9] => a,
            [first, .., last] if first > last => 1,
            [_, middle, ..] => middle,
        })] += 1;
    }
    let source = "fn f(keys: &[[u8; 4]], h: &mut [u32; 16]) { for p in keys { h[(match *p { \
        [0, .., last] => last, [first, 7, ..] => first, [.., a, 9] => a, \
        [first, .., last] if first > last => 1, [_, middle, ..] => middle }) as usize] += 1; } }";
    assert_eq!(run(source, quads.as_flattened()), ends);
}

#[test]
#[cfg(feature = "gpu")]
fn what_belongs_to_both_sides_of_a_block_is_not_in_shared_memory() {
    let in_blocks = |term: &str| {
        let source = format!(
            "fn f(n: usize, m: usize, l: usize, a: &[f32], b: &[f32], d: &[f32], c: &mut [f32]) {{ for i in 0..n {{ for j in 0..m {{ \
             let mut sum = 0.0; for k in 0..l {{ sum += {term}; }} c[i * m + j] = sum; }} }} }}"
        );
        let analysis = taken(&source).analysis;
        // Where indices that are too large are checked, nothing is loaded ahead.
        let options = print::Options {
            kernels: print::Kernels::All,
            ..print::Options::default()
        };
        let printed = print::print(analysis.loops[0].clone(), &options, &analysis.sources);
        let modules = printed.expect("it runs in parallel").forms.modules;
        let mut modules = modules.iter();
        modules.any(|module| module.abi.strategy.name() == "contract")
    };
    assert!(in_blocks("a[i * l + k] * b[k * m + j]"));
    for term in [
        "a[i * l + k] * b[j * l + k + i]",
        "a[i * l + k] * b[k * m + j] * d[(i + j) * l + k]",
    ] {
        assert!(!in_blocks(term), "{term}");
    }
}

/// Whether arrays stay on a device over a statement between two loops.
#[cfg(feature = "gpu")]
fn stays_over(between: &str) -> bool {
    let source = format!(
        "fn f(a: &mut [f32], b: &mut [f32], x: &[f32], n: usize, k: &mut usize) {{ #[sequential] for t in 0..n {{ \
         for i in 0..b.len() {{ b[i] = a[i] * 2.0; }} {between} \
         for i in 0..a.len() {{ a[i] = b[i] + x[i]; }} }} }}"
    );
    let function = syn::parse_str(&source).unwrap_or_else(|e| panic!("{e}: {source}"));
    let args = Args {
        any: true,
        ..Args::default()
    };
    let outputs = accrue_compiler::Outputs {
        gpu: true,
        ..Default::default()
    };
    let compiled = stages(function, &args, &Default::default(), Some(outputs));
    let compiled = compiled.unwrap_or_else(|errors| panic!("{errors}\n{source}"));
    assert!(
        compiled.forms.iter().all(|f| !f.modules.is_empty()),
        "{source}"
    );
    let says = compiled.explain().contains("there from loop to loop");
    // What `explain` says is what is printed.
    let tokens = compiled.tokens.to_string();
    assert_eq!(tokens.contains("Stay :: begin"), says, "{source}");
    says
}

#[test]
#[cfg(feature = "gpu")]
fn arrays_stay_on_a_device_where_nobody_looks_at_elements() {
    for between in [
        "",
        "let m = a.len() + t;",
        "let m = (a.len(), t + 1);",
        "std::mem::swap(a, b);",
        "core::mem::swap(&mut a, &mut b);",
        "if t > 3 && !b.is_empty() { break; }",
        "*k += 1; println!(\"{t} of {}\", a.len());",
        "println!(\"{t} of {}\", b[1..].len());",
        "let y = x[t]; show(y, x);",
        "assert!(a.len() > 2 + t);",
        "let part = &mut a[t..];",
        "let (head, tail) = b.split_at_mut(t); let more = &tail[1..];",
        "let (p, q) = if t % 2 == 0 { (&*a, &mut *b) } else { (&*b, &mut *a) };",
        "let (p, q) = match t { 0 => (&*a, &mut *b), _ => (&*b, &mut *a) };",
        "while *k < 3 { *k += 1; }",
        "if t == n { return; }",
        "a.iter_mut().for_each(|v| *v = 0.0);",
    ] {
        assert!(stays_over(between), "{between}");
    }
    for between in [
        "let y = a[0];",
        "a[0] = 1.0;",
        "b[t] += 1.0;",
        "println!(\"{:?}\", a);",
        "println!(\"{a:?}\");",
        "println!(\"{:?}\", &a[..2]);",
        "println!(\"{:?}\", b[t..][1..].last());",
        "show(a);",
        "show(&b[..2]);",
        "a.reverse();",
        "let c = a.to_vec();",
        "let c = b.clone();",
        "let s: f32 = b.iter().sum();",
        "let n = a.iter_mut().map(|v| *v = 0.0).count();",
        "let f = || a[0];",
        "swap(a, b);",
        "mem::swap(a, b);",
        "std::mem::swap(&mut a[0], &mut b[0]);",
        "std::mem::take(a);",
        "unsafe { peek() }",
        "peek!();",
        "let c = &mut a[..]; c[0] = 1.0;",
        "let c = &mut *a; show(c);",
        "let (p, q) = (&mut *a, &mut *b); let y = p[0];",
        "let (p, q) = (&mut *a, &mut *b); let (r, s) = (p, q); show(s);",
        "let &[p, q] = &*a; show(p);",
        "let (p, q) = (&a[0], t);",
        "if let Some(v) = a.first() { show(v); }",
        "let v = b.first().copied().unwrap_or(0.0);",
        "match &a[..] { [] => {} _ => {} }",
        "let y = if *k > 1 { b[0] } else { 0.0 };",
        "while a[t] > 1.0 {}",
        "while ready() {}",
        "for v in words() { show(v); }",
        "return show(a);",
        "let c = Some(&mut a); show(c);",
        "macro_rules! peek { () => { a[0] } }",
    ] {
        assert!(!stays_over(between), "{between}");
    }
}

#[test]
fn what_is_gone_through_by_reference_is_bins_by_number() {
    let function = |body: &str| {
        format!(
            "fn f(rows: &[Vec<u32>], k: &[usize], h: &mut [u32], g: &mut [[f32; 3]]) {{ \
             for (i, row) in rows.iter().enumerate() {{ {body} }} }}"
        )
    };
    for body in [
        "for (s, v) in h.iter_mut().zip(row) { *s += *v; }",
        "for (v, s) in row.iter().zip(h.iter_mut()) { *s += *v; }",
        "for (j, s) in h.iter_mut().enumerate() { *s += row[j]; }",
        "for s in h.iter_mut().rev().skip(1).step_by(2) { *s = (*s).max(row[0]); }",
        "for s in &mut *h { *s ^= row[0]; }",
        "for s in g[k[0]].iter_mut() { *s = s.max(2.0); }",
    ] {
        let of = taken(&function(body));
        let explain = of.explain();
        let Pattern::Histogram(found) = &of.analysis.loops[0].pattern;
        assert_eq!(found.targets.len(), 1, "{body}: {explain}");
        assert_eq!(of.forms[0].in_order, None, "{body}");
    }
    for body in [
        "for s in h.iter_mut() { *s = *s / 2 + row[0]; }",
        "let mut c = 0; for s in g[c].iter_mut() { *s += 1.0; c += 1; }",
        "for s in h.iter_mut() { let s = &mut *s; *s += 1; }",
    ] {
        let found = compiled(&function(body));
        let in_order =
            |of: Compiled| !of.analysis.sequential.is_empty() || of.forms[0].in_order.is_some();
        assert!(found.is_err() || found.is_ok_and(in_order), "{body}");
    }
}

#[test]
fn fields_of_elements_are_bins_where_nothing_takes_an_element() {
    let function = |body: &str| {
        format!(
            "fn f(k: &[usize], x: &[f32], b: &mut [Cell], at: &mut [(f64, u32)]) {{ \
             for i in 0..k.len() {{ {body} }} }}"
        )
    };
    for (body, bins) in [
        ("b[k[i]].n += 1; b[k[i]].sum += x[i];", 2),
        ("b[k[i]].place.x += 1; b[k[i]].place.y -= 1;", 2),
        (
            "let c = &mut b[k[i]]; c.n += 1; c.sum += x[i]; if x[i] > 2.0 { c.high += 1; }",
            3,
        ),
        ("at[k[i]].0 += 1.5; at[k[i]].1 += 1;", 2),
        ("if b[k[i]].open { b[k[i]].n += 1; }", 1),
        ("if i < b.len() { b[k[i]].n += 1; }", 1),
        // An index out of range is told where the name is bound.
        ("let c = &mut b[k[i]]; if x[i] > 2.0 { c.n += 1; }", 1),
        ("let c = &mut b[k[i]]; c.sum += x[i + 1];", 1),
        (
            "if let Some(c) = b.get_mut(k[i]) { c.n += 1; c.sum += x[i]; }",
            2,
        ),
        (
            "let c = &mut b[k[i]]; c.n += 1; c.high = c.high.max(x[i]);",
            2,
        ),
    ] {
        let source = function(body);
        let loops = taken(&source).analysis.loops;
        let Pattern::Histogram(found) = &loops[0].pattern;
        assert_eq!(found.targets.len(), bins, "{source}");
    }
    for body in [
        // Elements as wholes.
        "b[k[i]].n += 1; b[k[i]].add(x[i]);",
        "b[k[i]].n += 1; b[k[i]] = Cell::new();",
        "b[k[i]].n += 1; show(&b);",
        "let c = &mut b[k[i]]; c.n += 1; c.add(x[i]);",
        "b[k[i]].place.x += 1; b[k[i]].place = Place::new();",
        // Bins that are read.
        "b[k[i]].n += 1; b[k[i]].m += b[k[i]].n;",
        "b[k[i]].n += 1; b[k[i]].n *= 2;",
        "if let Some(c) = b.get_mut(k[i]) { c.n += 1; show(c); }",
        "b[k[i]].n += 1; b[k[i]].high = b[k[i]].high.max(b[k[i]].n);",
        "b[k[i]].n += 1; b[k[i]].high = b[k[i]].high.clamp(x[i], 2.0);",
    ] {
        refused(&function(body), "H0");
    }
}

#[test]
fn vectors_in_a_vector_are_one_array_of_bins() {
    let waits = |params: &str, body: &str| {
        let source =
            format!("fn f({params}, t: &[usize], p: &[usize], n: usize) -> u64 {{ {body} }}");
        let forms = taken(&source).forms;
        forms
            .iter()
            .filter(|forms| forms.in_order.is_some())
            .count()
    };
    let table = "table: &mut Vec<Vec<u64>>";
    let counts = "for i in 0..t.len() { table[t[i]][p[i]] += 1; } 0";
    assert_eq!(waits(table, counts), 0);
    assert_eq!(waits("table: &mut [Vec<u64>]", counts), 0);
    let by_row = "for i in 0..t.len() { let row = &mut table[t[i]]; row[p[i]] += 1; } 0";
    assert_eq!(waits(table, by_row), 0);
    let local = format!("let mut table = vec![vec![0; n]; n]; {counts}");
    assert_eq!(waits("k: usize", &local), 0);
    // What else is done with them is done with vectors.
    for body in [
        "for i in 0..t.len() { for (b, v) in table[t[i]].iter_mut().zip(p) { *b += *v as u64; } } 0",
        "let mut sum = 0u64; for i in 0..t.len() { table[t[i]][p[i]] += 1; sum += table.len() as u64; } sum",
    ] {
        let source =
            format!("fn f({table}, t: &[usize], p: &[usize], n: usize) -> u64 {{ {body} }}");
        if let Ok(taken) = compiled(&source) {
            assert!(
                taken.forms.iter().all(|forms| forms.in_order.is_some()),
                "{body}"
            );
        }
    }
}

#[test]
fn entries_of_maps_are_merged_as_they_would_be_in_order() {
    let function = |body: &str| {
        format!(
            "fn f(x: &[i32], m: &mut BTreeMap<i32, i32>, rows: &mut BTreeMap<i32, [i32; 4]>) {{ for &v in x {{ {body} }} }}"
        )
    };
    let most = |key: &str, begin: &str| {
        format!("{{ let e = m.entry({key}).or_insert({begin}); *e = (*e).max(v); }}")
    };
    let item = "m.entry(v).and_modify(|e| *e = (*e).max(v)).or_insert(v);";
    for body in [
        "rows.entry(v).or_insert([0; 4])[v as usize % 4] += v;",
        &format!("{} {}", most("v", "0"), most("v / 2", "0")),
        &format!("{item} {item}"),
        "*m.entry(v).or_insert(0) += v; *m.entry(v / 2).or_insert(1) += v;",
    ] {
        taken(&function(body));
    }
    for body in [
        // A part has the other elements as they begin, which is no news.
        "rows.entry(v).or_insert([0; 4])[v as usize % 4] = v;",
        "{ let row = rows.entry(v).or_insert([0; 4]); row[0] = v; }",
        // What is less than an entry begins with may begin one in a later part.
        &format!("{} {}", most("v", "0"), most("v / 2", "500")),
        &format!("{} {item}", most("v", "0")),
    ] {
        refused(&function(body), "H028");
    }
}
