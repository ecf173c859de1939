//! Loops as functions: what they take and return, which stay in order, and what is said of those.

use acc2rs::preprocess::Preprocessor;
use acc2rs::translate::{self, Said};
use acc2rs::{codes, frontend};

/// The Rust of a C text, and what is said of it.
fn translated(text: &str) -> (String, Said) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program.c");
    std::fs::write(&path, text).expect("written");
    frontend::with_deep_stack(|| {
        let front = frontend::read(&[path], &Preprocessor::default());
        assert!(!front.diagnostics.has_errors(), "{text}");
        let mut said = Said::default();
        translate::judge(&front.program, &front.sources, &mut said).expect("judged");
        let made = translate::translate(&front.program, &front.sources, &mut Vec::new());
        (made.expect("translated").main, said)
    })
}

/// Whether the Rust of a function with this body holds the texts, in this order.
fn holds(parameters: &str, body: &str, texts: &[&str]) {
    let (rust, _) = translated(&format!("void f({parameters}) {{\n{body}\n}}\n"));
    let mut rest = &rust[..];
    for text in texts {
        match rest.find(text) {
            Some(at) => rest = &rest[at + text.len()..],
            None => panic!("no `{text}` in\n{rust}"),
        }
    }
}

/// The one loop stays in order, for this reason.
fn in_order(program: &str, code: codes::Code, why: &str) {
    let (rust, said) = translated(program);
    assert!(!rust.contains("#[offload"), "{rust}");
    let refused = said.verdicts.iter().find_map(|v| v.what.as_ref().err());
    let refused = refused.unwrap_or_else(|| panic!("no verdict on {program}"));
    assert!(refused.why.contains(why), "{}", refused.why);
    assert_eq!(refused.code, code, "{}", refused.why);
    assert!(rust.contains("// In order: "), "{rust}");
}

#[test]
fn maps_and_stencils_write_elements_of_their_own() {
    holds(
        "int n, float a, const float *x, float *y",
        "#pragma acc parallel loop\nfor (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];",
        &[
            "/// Updates `y`, the loop at program.c:3:1.\n#[offload]\n",
            "fn update_y(x: &[f32], n: i32, a: f32, y: &mut [f32])",
            "update_y(x, n, a, y);",
        ],
    );
    holds(
        "int w, int h, const float *in, float *out",
        "#pragma acc parallel loop collapse(2)\nfor (int y = 1; y < h - 1; y++) for (int x = 1; x < w - 1; x++)\n\
         out[y * w + x] = in[(y - 1) * w + x] + in[y * w + x + 1];",
        &["#[offload]\nfn compute_out(", "compute_out("],
    );
}

#[test]
fn a_product_of_matrices_under_three_loops_is_one() {
    holds(
        "int n, const double *A, const double *B, double *C",
        "#pragma acc parallel loop collapse(3)\nfor (int i = 0; i < n; i++) for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) {\n\
         #pragma acc atomic update\nC[i * n + j] += A[i * n + k] * B[k * n + j]; }",
        &["/// Updates `C`", "#[offload]\nfn update_c("],
    );
}

#[test]
fn scalars_come_back() {
    holds(
        "int n, const double *x, double *out",
        "double s = 0; int m = 0;\n#pragma acc parallel loop reduction(+:s) reduction(max:m)\n\
         for (int i = 0; i < n; i++) { s += x[i]; if (x[i] > m) m = (int)x[i]; }\nout[0] = s + m;",
        &["mut s: f64", "-> (f64, i32)", "(s, m) = "],
    );
    // What a `parallel` construct changes of its own copy is lost.
    holds(
        "int n, const int *x, int *out",
        "int s = 7;\n#pragma acc parallel loop\nfor (int i = 0; i < n; i++) s += x[i];\nout[0] = s;",
        &[
            "fn sum_s(x: &[i32], n: i32, mut s: i32) {",
            "    sum_s(x, n, s);",
        ],
    );
    holds(
        "int n, const int *x, int *sums",
        "int s = 0;\n#pragma acc kernels\nfor (int i = 0; i < n; i++) { s += x[i]; sums[i] = s; }\nsums[0] = s;",
        &["fn scan_sums(", "s = scan_sums("],
    );
}

#[test]
fn what_belongs_to_an_iteration_is_declared_in_it() {
    holds(
        "int n, const double *x, double *y",
        "int i, j; double t, w[3];\n#pragma acc parallel loop private(w, j, t)\nfor (i = 0; i < n; i++) {\n\
         for (j = 0; j < 3; j++) w[j] = x[3 * i + j];\nt = w[0] * w[1]; y[i] = t + w[2]; }",
        &["for i in 0..n {\n        let mut w: [f64; 3]"],
    );
    // Not named by a clause, set before it is read and not read after the loop.
    holds(
        "int n, const double *x, double *y",
        "double t = 0;\n#pragma acc kernels\nfor (int i = 0; i < n; i++) { if (x[i] > 0) t = x[i]; else t = -x[i]; y[i] = t * t; }",
        &[
            "fn compute_y(x: &[f64], n: i32, y: &mut [f64])",
            "for i in 0..n {\n        let mut t: f64 = 0.0;",
        ],
    );
    holds(
        "int n, int k, const int *x, int *y",
        "#pragma acc parallel loop firstprivate(k)\nfor (int i = 0; i < n; i++) { k = k + x[i]; y[i] = k; }",
        &["k: i32", "let mut k: i32 = k;"],
    );
}

#[test]
fn fields_are_parameters() {
    holds(
        "int n, struct p { double *x, *v; int n; double sum; } *p",
        "#pragma acc parallel loop\nfor (int i = 0; i < p->n; i++) p->x[i] += 2 * p->v[i];",
        &[
            "fn update_x(v: &[f64], p_n: i32, x: &mut [f64])",
            "update_x(&p.v, p.n, &mut p.x);",
        ],
    );
}

#[test]
fn several_pointers_into_an_array_are_positions_in_it() {
    holds(
        "int n, double *a",
        "double *low = a, *high = a + n;\n#pragma acc parallel loop\nfor (int i = 0; i < n; i++) high[i] = low[i];",
        &[
            "high: usize",
            "a: &mut [f64]",
            "a[high + i as usize] = a[i as usize]",
        ],
    );
}

#[test]
fn loops_that_the_c_keeps_in_order_may_leave_as_well() {
    holds(
        "int n, const int *x, int *y",
        "#pragma acc serial\nfor (int i = 0; i < n; i++) y[i] = x[i];\n#pragma acc parallel\n{ for (int i = 0; i < n; i++) y[i] += 1; }",
        &["fn compute_y(", "fn update_y("],
    );
    // But not sums of floats, which would round otherwise.
    let (rust, said) = translated(
        "double f(int n, const double *x) { double s = 0;\n#pragma acc serial loop reduction(+:s)\n\
         for (int i = 0; i < n; i++) s += x[i];\nreturn s; }\n",
    );
    assert!(
        !rust.contains("#[offload") && !rust.contains("In order"),
        "{rust}"
    );
    assert_eq!(said.verdicts.len(), 1);
}

#[test]
fn loops_that_cannot_leave_say_why() {
    let not = codes::NOT_OFFLOADED;
    let of = |parameters: &str, body: &str| {
        format!("void f({parameters}) {{\n#pragma acc parallel loop\n{body}\n}}\n")
    };
    let recurrence = of(
        "int n, double *a",
        "for (int i = 1; i < n; i++) a[i] += a[i - 1];",
    );
    in_order(&recurrence, not, "accrue::H057");
    let scatter = of(
        "int n, const int *at, double *a",
        "for (int i = 0; i < n; i++) a[at[i]] = i;",
    );
    in_order(&scatter, not, "accrue::H057");
    let prints = of(
        "int n, double *a",
        "for (int i = 0; i < n; i++) printf(\"%g\\n\", a[i]);",
    );
    in_order(
        &format!("#include <stdio.h>\n{prints}"),
        not,
        "`printf` does more than compute a value",
    );
    let counted = of(
        "int n, int m, double *a",
        "for (int i = 0; i < n && i < m; i++) a[i] = 0;",
    );
    in_order(&counted, not, "it does not count from one bound to another");
    let moved = "void f(int n, const double *a, double *b) { const double *p = a;\n#pragma acc parallel loop\n\
        for (int i = 0; i < n; i++) { b[i] = *p; p++; }\n}\n";
    in_order(moved, not, "the pointer `p` is set in it");
    let random = of(
        "int n, int *a",
        "for (int i = 0; i < n; i++) a[i] = rand();",
    );
    in_order(
        &format!("#include <stdlib.h>\n{random}"),
        not,
        "`rand` does more",
    );
    let global = "int calls;\nint next(int x) { calls++; return x + calls; }\nvoid f(int n, int *a) {\n#pragma acc parallel loop\n\
        for (int i = 0; i < n; i++) a[i] = next(i);\n}\n";
    in_order(global, not, "`next` does more than compute a value");
    let routine = "#pragma acc routine vector\nvoid row(int n, double *a) {\n#pragma acc loop vector\nfor (int i = 0; i < n; i++) a[i] = 0;\n}\n";
    in_order(routine, not, "`row` is a `routine`");
    let divided = of(
        "int n, const int *k, int *h",
        "for (int i = 0; i < n; i++) {\n#pragma acc atomic update\nh[k[i]] /= 2; }",
    );
    in_order(&divided, codes::ATOMIC_ORDER, "accrue::H0");
    let read = of(
        "int n, const int *k, int *h",
        "for (int i = 0; i < n; i++) {\n#pragma acc atomic update\nh[k[i]] += h[0]; }",
    );
    in_order(&read, codes::BINS_READ, "accrue::H0");
    let captured = of(
        "int n, const int *k, int *h, int *o",
        "for (int i = 0; i < n; i++) { int old;\n#pragma acc atomic capture\nold = h[k[i]]++;\no[i] = old; }",
    );
    in_order(&captured, codes::ATOMIC_CAPTURE, "accrue::H0");
}
