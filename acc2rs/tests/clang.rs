//! clang attaches OpenACC directives to statements by a parser of its own: on every program of `tests/acc/` its tree and
//! ours must agree on which statement each directive stands before. Needs clang-22, which `.ci/run` installs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use acc2rs::directive::DirectiveKind;
use acc2rs::frontend::{self, Frontend};
use acc2rs::preprocess::Preprocessor;
use acc2rs::source::Span;
use acc2rs::typed::{StmtKind, walk};
use rayon::prelude::*;
use serde::Deserialize;

/// What is needed of a node of clang's tree.
#[derive(Deserialize)]
struct Node {
    #[serde(default)]
    kind: String,
    range: Option<Range>,
    #[serde(default)]
    inner: Vec<Node>,
}

#[derive(Deserialize)]
struct Range {
    begin: Begin,
}

/// A place in the file, or one in a macro and one where the macro is used.
#[derive(Deserialize)]
struct Begin {
    offset: Option<usize>,
    #[serde(rename = "expansionLoc")]
    expansion: Option<Box<Begin>>,
}

impl Begin {
    fn offset(&self) -> Option<usize> {
        self.offset
            .or_else(|| self.expansion.as_ref().and_then(|e| e.offset()))
    }
}

impl Node {
    fn offset(&self) -> Option<usize> {
        self.range.as_ref().and_then(|r| r.begin.offset())
    }
}

/// A directive's line, and where its statement starts unless it stands alone.
type Attached = (usize, Option<usize>);

fn line(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

/// The constructs that belong to no statement.
const ALONE: [&str; 8] = [
    "OpenACCCacheConstruct",
    "OpenACCEnterDataConstruct",
    "OpenACCExitDataConstruct",
    "OpenACCInitConstruct",
    "OpenACCSetConstruct",
    "OpenACCShutdownConstruct",
    "OpenACCUpdateConstruct",
    "OpenACCWaitConstruct",
];

fn theirs(node: &Node, text: &str, out: &mut BTreeSet<Attached>) {
    if node.kind.starts_with("OpenACC") && node.kind.ends_with("Construct") {
        let pragma = node.offset().expect("a construct stands somewhere");
        let mut statement = node;
        while statement.kind.starts_with("OpenACC") {
            if ALONE.contains(&statement.kind.as_str()) {
                break;
            }
            statement = statement.inner.last().expect("it has a statement");
        }
        let alone = statement.kind.starts_with("OpenACC");
        let at = (!alone).then(|| statement.offset().expect("it stands somewhere"));
        out.insert((line(text, pragma), at));
    }
    for inner in &node.inner {
        theirs(inner, text, out);
    }
}

fn ours(front: &Frontend) -> BTreeSet<Attached> {
    let start = |span: Span| {
        let place = front.sources.place(span).expect("in the user's file");
        (place.lo, &front.sources.file(place.file).text)
    };
    let directive = |span: Span| {
        let (at, text) = start(span);
        line(text, at)
    };
    let mut out = BTreeSet::new();
    for id in front.program.defined() {
        let body = front.program.function(id).body.as_ref().expect("a body");
        walk::stmts(&front.program, body, &mut |s| {
            for d in &s.directives {
                out.insert((directive(d.span), Some(start(s.span).0)));
            }
            if let StmtKind::Directive(d) = &s.kind
                // A declaration to clang, not a statement.
                && d.kind != DirectiveKind::Declare
            {
                out.insert((directive(d.span), None));
            }
        });
    }
    out
}

/// What the two disagree on.
fn compare(path: &Path) -> Result<usize, String> {
    let text = std::fs::read_to_string(path).expect("readable");
    let stubs = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/stubs");
    let out = Command::new("clang-22")
        .args(["-std=gnu11", "-w", "-fopenacc", "-fsyntax-only"])
        .args(["-Xclang", "-ast-dump=json", "-I"])
        .args([&stubs, path])
        .output()
        .map_err(|e| format!("clang-22 does not run ({e}): apt-get install clang-22"))?;
    if !out.status.success() {
        return Err(format!(
            "clang-22: {}",
            String::from_utf8_lossy(&out.stderr)
        ));
    }
    let tree: Node = serde_json::from_slice(&out.stdout).map_err(|e| e.to_string())?;
    let mut want = BTreeSet::new();
    theirs(&tree, &text, &mut want);
    let front = frontend::read(&[path.to_path_buf()], &Preprocessor::default());
    if front.diagnostics.has_errors() {
        return Err(front.diagnostics.render(&front.sources, false));
    }
    let have = ours(&front);
    if want == have {
        return Ok(want.len());
    }
    let only = |a: &BTreeSet<Attached>, b: &BTreeSet<Attached>| {
        let lines: Vec<String> = a
            .difference(b)
            .map(|(d, s)| match s {
                Some(s) => format!("line {d} before line {}", line(&text, *s)),
                None => format!("line {d} alone"),
            })
            .collect();
        lines.join(", ")
    };
    Err(format!(
        "only clang: {}; only acc2rs: {}",
        only(&want, &have),
        only(&have, &want)
    ))
}

#[test]
#[ignore = "needs clang-22; `.ci/run` installs and runs it"]
fn clang_agrees_on_every_attachment() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/acc");
    let paths: Vec<PathBuf> = std::fs::read_dir(corpus)
        .expect("the corpus is there")
        .map(|e| e.expect("readable").path())
        .filter(|p| p.extension().is_some_and(|e| e == "c"))
        .collect();
    assert!(paths.len() >= 60, "{} programs", paths.len());
    let pool = rayon::ThreadPoolBuilder::new()
        .stack_size(1 << 30)
        .build()
        .expect("threads");
    let results: Vec<Result<usize, String>> = pool.install(|| {
        paths
            .par_iter()
            .map(|p| compare(p).map_err(|e| format!("{}: {e}", p.display())))
            .collect()
    });
    let wrong: Vec<&String> = results.iter().filter_map(|r| r.as_ref().err()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let directives: usize = results.iter().flatten().sum();
    assert!(directives >= 150, "{directives} directives");
}
