//! `acc2rs analyze`: what translating would do with each OpenACC loop and directive, as a report.
//!
//! The stages in order: [`find`] lists the files, [`file`](self::file()) reads and surveys each as a program of its
//! own, [`link`] finds which of them are one program, [`program`] surveys those together, [`report`] counts, and [`text`], [`html`] or serde write. Nothing but the report is written.

pub mod command;
pub mod find;
pub mod html;
pub mod link;
pub mod report;
pub mod text;

use std::path::{Path, PathBuf};

use crate::codes::{self, Code};
use crate::diag::{Diagnostic, Diagnostics, Severity};
use crate::directive::{self, Pragma};
use crate::frontend::{self, Frontend};
use crate::preprocess::Preprocessor;
use crate::source::{Sources, Span, text_of};
use crate::translate::survey::{self, Fate, Pattern, Survey};
use crate::translate::{self, Said};

use report::{Construct, Counts, FileReport, Loop, Place, Status};

/// Analyses one C file as a program of its own; run it inside [`frontend::with_deep_stack`].
///
/// A file that cannot be read, parsed or translated is a report too: its directives are found in
/// its text, and counted as refused. Warnings and notes of the codes in `suppress` are left out.
pub fn file(path: &Path, how: &Preprocessor, suppress: &[Code]) -> (FileReport, link::Names) {
    let (mut reports, names) = program(&[path.to_path_buf()], how, suppress);
    (reports.remove(0), names)
}

/// Analyses the files of one program together; a report for each of them, in their order. What stands in a header is reported
/// with the first file. Run it inside [`frontend::with_deep_stack`].
pub fn program(
    paths: &[PathBuf],
    how: &Preprocessor,
    suppress: &[Code],
) -> (Vec<FileReport>, link::Names) {
    let front = frontend::read(paths, how);
    let names = link::names(&front.program);
    let mut found = front.diagnostics.clone();
    let mut surveyed = None;
    if !found.has_errors() {
        let mut said = Said::default();
        // A file without OpenACC may hold no function at all: there is nothing to refuse in it.
        let made = if front.program.items.is_empty() {
            Ok(())
        } else {
            translate::judge(&front.program, &front.sources, &mut said)
        };
        surveyed = Some(survey::survey(
            &front.program,
            &front.sources,
            &said.verdicts,
        ));
        found.extend(said.notes);
        if let Err(errors) = made {
            found.extend(errors);
        }
    }
    found.suppress(suppress);
    let reports = paths
        .iter()
        .map(|path| {
            let own = |at: &Place| stands_in(at, path, paths);
            let mut diagnostics = said(&found, &front.sources, path);
            diagnostics.retain(|d| d.at.as_ref().map_or(*path == paths[0], own));
            let mut out = FileReport {
                path: path.display().to_string(),
                status: if found.has_errors() {
                    Status::Refused
                } else {
                    Status::Translated
                },
                constructs: Counts::default(),
                loops: Vec::new(),
                directives: Vec::new(),
                diagnostics,
                source: std::fs::read(path).map(text_of).unwrap_or_default(),
            };
            match &surveyed {
                Some(survey) => from_survey(&mut out, survey, &front, &found),
                None => from_text(&mut out, path),
            }
            out.loops.retain(|l| own(&l.at));
            out.directives.retain(|d| own(&d.at));
            out.constructs = Counts::of(out.directives.iter().map(|d| d.fate));
            out
        })
        .collect();
    (reports, names)
}

/// Whether a place is reported with a file: it stands in it, or in none of the program's files, as places in headers do.
fn stands_in(at: &Place, path: &Path, paths: &[PathBuf]) -> bool {
    let file = Path::new(&at.file);
    file == path || path == paths[0] && !paths.iter().any(|p| p == file)
}

fn place(sources: &Sources, span: Span, path: &Path) -> Place {
    match sources.place(span) {
        Some(at) => {
            let file = sources.file(at.file);
            let (line, column) = file.line_col(at.lo);
            let end_line = file.line_col(at.hi.saturating_sub(1).max(at.lo)).0;
            Place {
                file: file.path.display().to_string(),
                line,
                column,
                end_line,
            }
        }
        None => Place::start(path),
    }
}

fn said(found: &Diagnostics, sources: &Sources, path: &Path) -> Vec<report::Said> {
    let mut out: Vec<report::Said> = found
        .iter()
        .map(|d| report::Said {
            code: d.code.to_string(),
            severity: d.severity(),
            effort: d.effort(),
            message: d.message.clone(),
            at: d.span.map(|s| place(sources, s, path)),
            help: d.help.clone(),
        })
        .collect();
    out.sort_by(|a, b| a.at.cmp(&b.at));
    out
}

/// Whether one span lies in another.
fn within(inner: Span, outer: Span) -> bool {
    inner.unit == outer.unit && outer.lo <= inner.lo && inner.hi <= outer.hi
}

fn from_survey(out: &mut FileReport, survey: &Survey, front: &Frontend, found: &Diagnostics) {
    let path = Path::new(&out.path).to_path_buf();
    let errors: Vec<&Diagnostic> = found
        .iter()
        .filter(|d| d.severity() == Severity::Error)
        .collect();
    // Nothing is written for a program with an error in it, so everything in it is refused; the
    // reason is its own error if it has one.
    let refusal = |whole: Span| {
        let own = errors
            .iter()
            .find(|d| d.span.is_some_and(|s| within(s, whole)));
        let (error, words) = match own {
            Some(own) => (*own, String::new()),
            None => (
                *errors.first()?,
                "nothing is written for this file: ".to_string(),
            ),
        };
        Some((Some(error.code), format!("{words}{}", error.message)))
    };
    for c in &survey.constructs {
        out.directives.push(Construct {
            at: place(&front.sources, c.span, &path),
            directive: c.kind.to_string(),
            fate: if errors.is_empty() {
                c.fate
            } else {
                Fate::Refused
            },
        });
    }
    for l in &survey.loops {
        let whole = l.directives.first().map_or(l.span, |(_, d)| d.to(l.span));
        let refused = refusal(whole);
        let fate = match &refused {
            Some(_) => Fate::Refused,
            None if l.keeps_atomics => Fate::KeptAtomic,
            None => Fate::Translated,
        };
        let (code, why) = refused.unwrap_or_else(|| l.why.clone());
        out.loops.push(Loop {
            at: place(&front.sources, l.span, &path),
            directive: l
                .directives
                .iter()
                .map(|(kind, _)| kind.to_string())
                .collect::<Vec<_>>()
                .join(", "),
            function: Some(l.function.clone()),
            pattern: l.pattern,
            fate,
            local_copies: l.copies && fate == Fate::Translated,
            becomes: l.becomes.clone().filter(|_| fate == Fate::Translated),
            obstacle: l.obstacle.clone(),
            bins: l.bins.clone(),
            reductions: l.reductions.clone(),
            code: code.map(|c| c.to_string()),
            why,
        });
    }
}

/// The directives of a file that could not be read as C, by its lines.
fn from_text(out: &mut FileReport, path: &Path) {
    let (code, why) = out
        .diagnostics
        .iter()
        .find(|d| d.severity == Severity::Error)
        .map_or((codes::BUG.to_string(), String::new()), |d| {
            (d.code.clone(), d.message.clone())
        });
    let text = out.source.clone();
    let mut lines = text.lines().enumerate().peekable();
    while let Some((at, first)) = lines.next() {
        let Some(rest) = first
            .trim_start()
            .strip_prefix('#')
            .and_then(|r| r.trim_start().strip_prefix("pragma"))
            .filter(|r| r.split_whitespace().next() == Some("acc"))
        else {
            continue;
        };
        let mut pragma = rest.to_string();
        while pragma.ends_with('\\') {
            pragma.pop();
            match lines.next() {
                Some((_, more)) => pragma.push_str(more),
                None => break,
            }
        }
        let kind = match directive::parse(&pragma, Span::default(), &mut Vec::new()) {
            Pragma::Acc(found) => Some(found.kind),
            Pragma::Other(_) | Pragma::Broken => None,
        };
        let word = || pragma.split_whitespace().nth(1).unwrap_or("?").to_string();
        let place = Place {
            file: path.display().to_string(),
            line: at + 1,
            column: first.len() - first.trim_start().len() + 1,
            end_line: at + 1,
        };
        if kind.is_some_and(directive::DirectiveKind::is_loop) {
            out.loops.push(Loop {
                at: place.clone(),
                directive: kind.map_or_else(word, |k| k.to_string()),
                function: None,
                pattern: Pattern::Unknown,
                fate: Fate::Refused,
                local_copies: false,
                becomes: None,
                obstacle: None,
                bins: Vec::new(),
                reductions: Vec::new(),
                code: Some(code.clone()),
                why: why.clone(),
            });
        }
        out.directives.push(Construct {
            at: place,
            directive: kind.map_or_else(word, |k| k.to_string()),
            fate: Fate::Refused,
        });
    }
}
