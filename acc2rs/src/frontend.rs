//! The front end in one function: C files in, a linked typed program and diagnostics out.

use std::path::PathBuf;

use lang_c::driver::{Config, parse_preprocessed};

use crate::codes;
use crate::diag::{Diagnostic, Diagnostics};
use crate::lex;
use crate::lower::Lowerer;
use crate::preprocess::{self, Preprocessor, Unit};
use crate::source::{Sources, Span};
use crate::typed::Program;

/// Deeper nesting than this is refused: the parser is recursive.
pub(crate) const DEEPEST: usize = 200;

/// Stack for the recursive stages; only what is touched is ever backed by memory.
pub(crate) const STACK: usize = 1 << 30;

/// What the front end gives.
#[derive(Debug, Default)]
pub struct Frontend {
    /// Files and preprocessed units, to which all spans refer.
    pub sources: Sources,
    /// The program; incomplete if there are errors.
    pub program: Program,
    /// What was found.
    pub diagnostics: Diagnostics,
}

/// Runs `work` on a thread with a deep stack, because syntax trees are walked recursively.
///
/// # Panics
///
/// Passes on a panic of `work`.
pub fn with_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let spawned = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work);
        match spawned.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(value)) => value,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(error) => panic!("cannot start a thread: {error}"),
        }
    })
}

/// Reads C files: preprocess, parse, read the pragmas, lower, link.
///
/// A file that fails is reported and left out; the others are still read, so that one run shows
/// everything. Call it inside [`with_deep_stack`].
pub fn read(files: &[PathBuf], how: &Preprocessor) -> Frontend {
    let mut out = Frontend::default();
    let mut units = Vec::new();
    for path in files {
        match preprocess::preprocess(path, how, &mut out.sources) {
            Ok(unit) => units.push(unit),
            Err(diagnostic) => out.diagnostics.push(diagnostic),
        }
    }
    let options = options_unit(&mut out.sources);
    lower(&mut out, &units, options.as_ref());
    out
}

/// What `getopt` and `getopt_long` do, as C that is translated with a program whose text names them.
fn options_unit(sources: &mut Sources) -> Option<Unit> {
    let named = |name: &str| {
        sources.units.iter().any(|u| {
            let text = &sources.file(u.file).text;
            lex::tokens(text)
                .windows(2)
                .any(|pair| pair[0].text == name && pair[1].text == "(")
        })
    };
    let (short, long) = (named("getopt"), named("getopt_long"));
    if !short && !long {
        return None;
    }
    let mut text = include_str!("stubs/getopt.c").to_string();
    if long {
        text.push_str(include_str!("stubs/getopt_long.c"));
    }
    let file = sources.add("getopt.c".into(), text.clone());
    let printed = text.replace(
        "#include \"getopt.h\"\n",
        &format!(
            "\n# 1 \"getopt.h\" 3\n{}\n# 3 \"getopt.c\"\n",
            declarations()
        ),
    );
    let printed = format!("# 1 \"getopt.c\"\n{}", lex::without_comments(&printed));
    Some(preprocess::read(file, printed, sources))
}

/// The header of `getopt` without its directives.
fn declarations() -> String {
    let header = include_str!("stubs/getopt.h");
    let lines = header.lines().filter(|l| !l.starts_with('#'));
    lines.map(|l| format!("{l}\n")).collect()
}

/// Reads one C file whose preprocessed text is at hand; for tests and fuzzing.
pub fn read_text(name: &str, raw: &str, preprocessed: &str) -> Frontend {
    let mut out = Frontend::default();
    let file = out.sources.add(name.into(), raw.into());
    let unit = preprocess::read(file, preprocessed.into(), &mut out.sources);
    lower(&mut out, &[unit], None);
    out
}

fn lower(out: &mut Frontend, units: &[Unit], options: Option<&Unit>) {
    let mut lowerer = Lowerer::new(&out.sources);
    let mut one = |unit: &Unit, lowerer: &mut Lowerer<'_>| {
        let text = &out.sources.units[unit.unit as usize].text;
        match parse(text, unit.unit) {
            Ok(tree) => lowerer.unit(unit, &tree),
            Err(diagnostic) => out.diagnostics.push(*diagnostic),
        }
    };
    units.iter().for_each(|unit| one(unit, &mut lowerer));
    // A program may have its own.
    if let Some(unit) = options.filter(|_| !lowerer.defines("getopt")) {
        one(unit, &mut lowerer);
    }
    let (program, diagnostics) = lowerer.finish();
    out.program = program;
    out.diagnostics.extend(diagnostics.iter().cloned());
}

fn parse(text: &str, unit: u32) -> Result<lang_c::ast::TranslationUnit, Box<Diagnostic>> {
    if let Some(span) = too_deep(text, unit) {
        let message = format!("brackets nested more than {DEEPEST} deep");
        return Err(Box::new(
            Diagnostic::new(codes::TOO_DEEP, span, message)
                .help("split the expression or the function"),
        ));
    }
    parse_preprocessed(&Config::with_gcc(), text.to_string())
        .map(|parsed| parsed.unit)
        .map_err(|error| {
            let token = lex::tokens(text.get(error.offset..).unwrap_or(""))
                .first()
                .map_or((0, 0), |t| (t.at, t.text.len()));
            let lo = error.offset + token.0;
            let span = Span {
                unit,
                lo: lo as u32,
                hi: (lo + token.1) as u32,
            };
            let found = text
                .get(lo..lo + token.1)
                .filter(|t| !t.is_empty())
                .unwrap_or("the end of the file");
            let mut expected: Vec<&str> = error
                .expected
                .iter()
                .copied()
                .filter(|e| !e.contains("[^"))
                .collect();
            expected.sort_unstable();
            expected.truncate(6);
            let diagnostic = Diagnostic::new(
                codes::SYNTAX,
                span,
                format!("`{found}` is not expected here"),
            );
            Box::new(if expected.is_empty() {
                diagnostic
            } else {
                diagnostic.help(format!("one of {} could stand here", expected.join(" ")))
            })
        })
}

fn too_deep(text: &str, unit: u32) -> Option<Span> {
    let mut depth = 0usize;
    let mut in_else = 0usize;
    for token in lex::tokens(text) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "else" => in_else += 1,
            ";" if depth == 0 => in_else = 0,
            _ => {}
        }
        if depth > DEEPEST || in_else > 100_000 {
            return Some(Span {
                unit,
                lo: token.at as u32,
                hi: token.end() as u32,
            });
        }
    }
    None
}
