//! Nothing makes acc2rs panic: not a pragma of arbitrary text, not a program with its tokens
//! shuffled, doubled, dropped or replaced.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use acc2rs::preprocess::gcc;
use acc2rs::source::Span;
use acc2rs::translate::survey;
use acc2rs::{directive, frontend, lex, optimize, translate};
use proptest::prelude::*;

/// A program of the corpus: its text, its preprocessed text, and where the user's part of that starts.
struct Seed {
    raw: String,
    preprocessed: String,
    start: usize,
}

fn seeds() -> &'static [Seed] {
    static SEEDS: OnceLock<Vec<Seed>> = OnceLock::new();
    SEEDS.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/acc");
        let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
            .expect("the corpus")
            .map(|e| e.expect("readable").path())
            .filter(|p| p.extension().is_some_and(|e| e == "c"))
            .collect();
        paths.sort();
        paths.iter().map(|p| seed(p)).collect()
    })
}

fn seed(path: &Path) -> Seed {
    let stubs = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/stubs");
    let out = Command::new(gcc())
        .args(["-E", "-dD", "-fopenacc", "-D__NO_CTYPE", "-std=gnu11", "-I"])
        .arg(stubs)
        .arg(path)
        .output()
        .expect("gcc runs");
    let preprocessed = String::from_utf8(out.stdout).expect("text");
    let marker = format!("{}\" 2", path.display());
    let start = preprocessed
        .rfind(&marker)
        .map_or(0, |at| at + marker.len());
    Seed {
        raw: std::fs::read_to_string(path).expect("readable"),
        preprocessed,
        start,
    }
}

/// The whole way from preprocessed text to Rust; what comes out does not matter.
fn translate_all(raw: &str, preprocessed: &str) {
    let front = frontend::read_text("fuzz.c", raw, preprocessed);
    let _ = front.diagnostics.render(&front.sources, false);
    if !front.diagnostics.has_errors() {
        let mut said = translate::Said::default();
        if let Err(errors) = translate::judge(&front.program, &front.sources, &mut said) {
            let own = errors.iter().find(|e| e.code == acc2rs::codes::BUG);
            assert!(own.is_none(), "{own:?}");
        }
        let options = optimize::Options::default();
        optimize::optimize(
            &front.program,
            &front.sources,
            options,
            &[],
            &mut said.notes,
        );
        survey::survey(&front.program, &front.sources, &said.verdicts);
    }
}

const SPICE: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ";",
    ",",
    "*",
    "&",
    "+",
    "++",
    "-",
    "->",
    ".",
    "0",
    "1",
    "2147483648",
    "-1",
    "1e400",
    "0x",
    "'",
    "\"",
    "int",
    "double",
    "void",
    "struct",
    "return",
    "break",
    "continue",
    "for",
    "if",
    "else",
    "switch",
    "case",
    "default",
    "sizeof",
    "static",
    "const",
    "main",
    "i",
    "n",
    "NULL",
    "#pragma acc loop\n",
    "#pragma acc atomic capture\n",
    "?",
    ":",
    "=",
    "+=",
    "/=",
    "<<",
    "%",
    "!",
    "~",
    "typedef",
    "unsigned",
    "char",
    "[n]",
    "(*)[n]",
    "(double *)",
    "#pragma acc data copy(a[0:n])\n",
    "#pragma acc parallel loop\n",
    "#pragma acc routine seq\n",
    "\n",
    "union",
    "goto",
    "...",
];

fn mutated(text: &str, changes: &[(u8, u32, u32, usize)]) -> String {
    let tokens = lex::tokens(text);
    let mut pieces: Vec<String> = Vec::new();
    let mut from = 0;
    for token in &tokens {
        pieces.push(text[from..token.at].to_string() + token.text);
        from = token.end();
    }
    pieces.push(text[from..].to_string());
    for (kind, a, b, spice) in changes {
        let len = pieces.len();
        let (a, b) = (*a as usize % len, *b as usize % len);
        match kind % 5 {
            0 => pieces[a] = String::new(),
            1 => pieces[a] = pieces[b].clone(),
            2 => pieces.swap(a, b),
            3 => pieces[a] = format!(" {} ", SPICE[spice % SPICE.len()]),
            _ => pieces[a] = format!("{} {} ", pieces[a], SPICE[spice % SPICE.len()]),
        }
    }
    pieces.concat()
}

fn cases(usual: u32) -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(usual);
    ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn any_pragma(text in "(acc)? ?(parallel|loop|data|atomic|routine|cache|wait|update|host_data|\\PC{0,8}) ?[a-z_]{0,14}[(\\[: ,)a-z0-9*+?\\]-]{0,30}\\PC{0,10}") {
        let mut report = Vec::new();
        directive::parse(&text, Span::default(), &mut report);
    }

    #[test]
    fn any_clause(name in proptest::sample::select(acc2rs::clause::names::WORDS.iter().map(|w| w.0).collect::<Vec<_>>()), inner in "[a-z0-9:,\\[\\]()+*?.>&|-]{0,24}") {
        for kind in ["parallel loop", "data", "update", "routine", "set", "exit data"] {
            directive::parse(&format!(" acc {kind} {name}({inner})"), Span::default(), &mut Vec::new());
        }
    }

    #[test]
    fn any_text_lexes(text in "\\PC{0,80}") {
        for token in lex::tokens(&text) {
            prop_assert_eq!(&text[token.at..token.end()], token.text);
        }
        lex::comments(&text);
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn mutated_programs(which in 0usize..1000, changes in prop::collection::vec((0u8..5, any::<u32>(), any::<u32>(), 0usize..200), 1..4)) {
        let seed = &seeds()[which % seeds().len()];
        let user = mutated(&seed.preprocessed[seed.start..], &changes);
        let text = format!("{}{user}", &seed.preprocessed[..seed.start]);
        let raw = seed.raw.clone();
        frontend::with_deep_stack(move || translate_all(&raw, &text));
    }
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in [("(", ")"), ("[", "]"), ("{", "}")] {
        let text = format!(
            "int main(void) {{ int a[9]; int x = {}0{}; return x; }}",
            open.repeat(5000),
            close.repeat(5000)
        );
        frontend::with_deep_stack(move || {
            let front = frontend::read_text("deep.c", &text, &text);
            assert!(front.diagnostics.has_errors());
        });
    }
    let chain = format!(
        "int main(void) {{ int x = 0{}; return x > 0; }}",
        " + 1".repeat(20_000)
    );
    frontend::with_deep_stack(move || translate_all(&chain, &chain));
}
