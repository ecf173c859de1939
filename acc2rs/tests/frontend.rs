//! The front end on real preprocessor output.

use std::path::PathBuf;

use acc2rs::directive::DirectiveKind;
use acc2rs::frontend::{self, Frontend};
use acc2rs::preprocess::Preprocessor;
use acc2rs::typed::{StmtKind, walk};

fn read(text: &str) -> Frontend {
    let dir = tempfile::tempdir().expect("a folder");
    let path: PathBuf = dir.path().join("t.c");
    std::fs::write(&path, text).expect("written");
    frontend::with_deep_stack(|| frontend::read(&[path], &Preprocessor::default()))
}

fn clean(text: &str) -> Frontend {
    let out = read(text);
    assert!(
        out.diagnostics.is_empty(),
        "{}",
        out.diagnostics.render(&out.sources, false)
    );
    out
}

/// Directives with the first words of what they stand before.
fn attached(out: &Frontend) -> Vec<(DirectiveKind, String)> {
    let mut found = Vec::new();
    for id in out.program.defined() {
        let body = out.program.function(id).body.as_ref().expect("a body");
        walk::stmts(&out.program, body, &mut |s| {
            let words = out
                .sources
                .text(s.span)
                .split_whitespace()
                .next()
                .unwrap_or("")
                .to_string();
            found.extend(s.directives.iter().map(|d| (d.kind, words.clone())));
            if let StmtKind::Directive(d) = &s.kind {
                found.push((d.kind, "-".into()));
            }
        });
    }
    found
}

#[test]
fn headers_parse() {
    clean(
        "#include <stdio.h>\n#include <stdlib.h>\n#include <math.h>\n#include <string.h>\n#include <time.h>\n#include <assert.h>\n\
         #include <stdbool.h>\n#include <stdint.h>\n#include <limits.h>\n#include <float.h>\n#include <sys/time.h>\n#include <unistd.h>\n\
         #include <ctype.h>\n#include <errno.h>\n#include <inttypes.h>\n#include <openacc.h>\n#include <omp.h>\n\
         int main(void) { assert(isnan(0.5) == 0); return RAND_MAX < 0; }\n",
    );
}

#[test]
fn pragmas_find_their_statements() {
    let out = clean(
        "void f(int n, const int *k, int *h) {\n#pragma acc data copyin(k[0:n]) copy(h[0:16])\n{\n#pragma acc parallel num_gangs(4) \\\n  vector_length(128)\n{\n\
         #pragma acc loop gang vector\nfor (int i = 0; i < n; i++)\n#pragma acc atomic update\nh[k[i]]++;\n}\n#pragma acc update self(h[0:16])\n}\n}\n",
    );
    let want = [
        (DirectiveKind::Data, "{"),
        (DirectiveKind::Parallel, "{"),
        (DirectiveKind::Loop, "for"),
        (
            DirectiveKind::Atomic(acc2rs::directive::AtomicKind::Update),
            "h[k[i]]++;",
        ),
        (DirectiveKind::Update, "-"),
    ];
    let found = attached(&out);
    assert_eq!(
        found
            .iter()
            .map(|(k, w)| (*k, w.as_str()))
            .collect::<Vec<_>>(),
        want
    );
}

#[test]
fn mistakes_point_at_the_users_text() {
    let out = read(
        "#define SIZE 4\nint main(void) {\n  int h[SIZE];\n#pragma acc parallel loop copy(h, q) fast\n  for (int i = 0; i < SIZE; i++) h[i] = undeclared;\n  return 0;\n}\n",
    );
    let text = out.diagnostics.render(&out.sources, false);
    for part in [
        "ACC2RS1102",
        "t.c:4:38",
        "ACC2RS1106",
        "t.c:4:35",
        "ACC2RS1201",
        "t.c:5:41",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

#[test]
fn returns_fit_their_functions() {
    let text = |c: &str| {
        let out = read(c);
        out.diagnostics.render(&out.sources, false)
    };
    for c in [
        "int f(int x) {\n  if (x) return;\n  return x;\n}\n",
        "void f(int x) {\n  if (x)\n    return x;\n}\n",
    ] {
        assert!(text(c).contains("ACC2RS1202"), "{c}{}", text(c));
    }
    assert_eq!(
        text("void g(void) {}\nvoid f(int x) { if (x) return g(); return; }\n"),
        ""
    );
}

#[test]
fn what_files_keep_for_themselves_stays_apart() {
    let dir = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::write(&path, text).expect("written");
        path
    };
    write(
        "both.h",
        "static inline int shared(int x) { return x + 1; }\n",
    );
    let files = ["a", "b"].map(|name| {
        let text = format!(
            "#include \"both.h\"\nstatic int own(int x) {{ return shared(x); }}\nint {name}(int x) {{ return own(x); }}\n"
        );
        write(&format!("{name}.c"), &text)
    });
    let out = frontend::with_deep_stack(|| frontend::read(&files, &Preprocessor::default()));
    assert!(out.diagnostics.is_empty());
    let mut names: Vec<&str> = out
        .program
        .defined()
        .map(|id| out.program.function(id).name.as_str())
        .collect();
    names.sort_unstable();
    assert_eq!(names, ["a", "b", "own", "own_2", "shared"]);
}
