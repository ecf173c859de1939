//! From the typed tree to a Rust package, on four floors; each imports only from those below it, which
//! `tests/floors.rs` checks:
//!
//! 1. `base`: what everything needs, and what the program does with its variables (`facts`).
//! 2. `rewrite`: what has no counterpart in Rust becomes other C. `passes` is the list, `sisters` the one that repeats.
//! 3. `memory`: what each pointer is in Rust (`shapes`), where variables are declared, which loops are ranges (`plan`).
//! 4. `emit`: the text; it refuses with a code what has no safe counterpart, and nothing is written then.
//!
//! On top of them [`package`] puts the pieces into files, and `tried` in this file is the way of a program through all of it.

pub(crate) mod base;
mod emit;
mod memory;
pub mod package;
mod passes;
mod rewrite;
mod sisters;

use std::borrow::Cow;

use crate::codes;
use crate::diag::{Diagnostic, Severity};
use crate::source::Sources;
use crate::typed::Program;

use emit::state::Emit;
pub use emit::state::Translation;
use emit::verdict::Verdict;
pub use emit::{survey, verdict};
use sisters::{End, Round};

/// Translates a program that lowered without errors.
///
/// # Errors
///
/// The diagnostics of everything that is refused. Warnings and notes come in `notes` either way.
pub fn translate(
    program: &Program,
    sources: &Sources,
    notes: &mut Vec<Diagnostic>,
) -> Result<Translation, Vec<Diagnostic>> {
    let mut said = Said::default();
    let made = made(program, sources, &mut said, &package::formatted);
    notes.extend(said.notes);
    made
}

/// Whether a program would be translated: all of [`translate`] but for setting the text, which takes a process of
/// rustfmt.
///
/// # Errors
///
/// Those of [`translate`].
pub fn judge(program: &Program, sources: &Sources, said: &mut Said) -> Result<(), Vec<Diagnostic>> {
    made(program, sources, said, &package::read_back).map(|_| ())
}

/// What a translation says beside the text.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// Warnings and notes.
    pub notes: Vec<Diagnostic>,
    /// What became of each loop that was to run in parallel, as far as its function is translated.
    pub verdicts: Vec<Verdict>,
}

/// Sets the text of a package, or says why it is not Rust.
type Finish = dyn Fn(&str) -> Result<String, String>;

/// What refuses a program, and what is said of it.
type Refusal = (Vec<Diagnostic>, Said);

fn made(
    program: &Program,
    sources: &Sources,
    said: &mut Said,
    finish: &Finish,
) -> Result<Translation, Vec<Diagnostic>> {
    passes::sound(program, "lower");
    let (refused, found) = match tried(program, sources, finish) {
        Ok((made, found)) => {
            *said = found;
            return Ok(made);
        }
        Err(refused) => refused,
    };
    // Other C for what is refused as it is.
    let mut changed = program.clone();
    if passes::SELECTED.over(&mut changed)
        && let Ok((made, found)) = tried(&changed, sources, finish)
    {
        *said = found;
        return Ok(made);
    }
    *said = found;
    Err(refused)
}

/// The way of a program: all passes, then the emitter, again as long as sisters are found that let it accept more.
fn tried(
    program: &Program,
    sources: &Sources,
    finish: &Finish,
) -> Result<(Translation, Said), Refusal> {
    let program = passes::prepared(program).map_or(Cow::Borrowed(program), Cow::Owned);
    let end = sisters::settled(
        &program,
        &mut |program| emitted(program, sources, finish),
        &mut |written| passes::sound(written, "sisters"),
    );
    match end {
        End::Made(made) => Ok(made),
        End::Refused(refused) => Err(refused),
        End::Endless(rounds) => Err((
            vec![bug(&format!(
                "sisters of functions are still asked for after {rounds} rounds"
            ))],
            Said::default(),
        )),
    }
}

/// One program as text, with what is said of it; or what refuses it, and the sisters that would help.
fn emitted(
    program: &Program,
    sources: &Sources,
    finish: &Finish,
) -> Round<(Translation, Said), Refusal> {
    let mut report = Vec::new();
    let mut emit = Emit::new(program, sources, &mut report);
    emit.check_definitions(&mut report);
    let mut out = emit.program(&mut report);
    if let Some(made) = &mut out {
        match finish(&made.main) {
            Ok(text) => made.main = text,
            Err(reason) => report.push(bug(&format!(
                "acc2rs wrote something that is not Rust: {reason}"
            ))),
        }
    }
    report.retain(|d| d.severity() == Severity::Error);
    let said = Said {
        notes: emit.notes,
        verdicts: emit.verdicts,
    };
    match out {
        Some(out) if report.is_empty() => Ok((out, said)),
        _ => {
            if report.is_empty() {
                report.push(Diagnostic::nowhere(
                    codes::BUG,
                    "nothing was written, and no reason given",
                ));
            }
            Err(((report, said), emit.wanted))
        }
    }
}

fn bug(message: &str) -> Diagnostic {
    Diagnostic::nowhere(codes::BUG, message).help("please report it with the C file")
}
