//! Diagnostics: what is said to the user, and how it looks.
//!
//! Stages collect [`Diagnostic`]s in a [`Diagnostics`] and go on as far as they can, so that one
//! run shows all there is to mend. A rendered diagnostic looks like a compiler's:
//!
//! ```text
//! error[ACC2RS1102]: `acc parallel loop` has no clause `foo`
//!   --> hist.c:12:27
//!    |
//! 12 | #pragma acc parallel loop foo(3)
//!    |                           ^^^ not a clause of this directive
//!    = help: remove the clause; the directive takes `async`, `collapse`, …
//!    = effort: small
//! ```

use std::fmt::Write as _;

use crate::codes::{self, Code};
use crate::source::{Place, Sources, Span};

/// How serious a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Something worth knowing.
    Note,
    /// Something is probably wrong, or lost in translation.
    Warning,
    /// Something is refused: nothing is written.
    Error,
}

/// How much work acting on a diagnostic is for someone who knows the code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// A word or nothing at all.
    Trivial,
    /// A few lines in one place.
    Small,
    /// A function has to change.
    Medium,
    /// The design has to change.
    Large,
}

/// One thing said to the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    /// The code, which fixes severity and effort.
    pub code: Code,
    /// What is wrong, in lower case, without a full stop.
    pub message: String,
    /// Where, if it is anywhere.
    pub span: Option<Span>,
    /// What the underlined text is.
    pub label: String,
    /// Further places, each with what it has to do with it.
    pub also: Vec<(Span, String)>,
    /// What to do instead.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// A diagnostic at a place.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            span: Some(span),
            ..Diagnostic::nowhere(code, message)
        }
    }

    /// A diagnostic that belongs to no place in the source.
    pub fn nowhere(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            message: message.into(),
            span: None,
            label: String::new(),
            also: Vec::new(),
            help: Vec::new(),
        }
    }

    /// Says what the underlined text is.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Diagnostic {
        self.label = label.into();
        self
    }

    /// Points at a further place.
    #[must_use]
    pub fn also(mut self, span: Span, what: impl Into<String>) -> Diagnostic {
        self.also.push((span, what.into()));
        self
    }

    /// Says what to do instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help.push(help.into());
        self
    }

    /// How serious it is.
    pub fn severity(&self) -> Severity {
        codes::info(self.code).severity
    }

    /// How much work acting on it is.
    pub fn effort(&self) -> Effort {
        codes::info(self.code).effort
    }
}

/// The diagnostics of a run, in the order they were found, each once.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    all: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Adds one, unless the very same is there already.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if !self.all.contains(&diagnostic) {
            self.all.push(diagnostic);
        }
    }

    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.all.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Whether something was refused.
    pub fn has_errors(&self) -> bool {
        self.all.iter().any(|d| d.severity() == Severity::Error)
    }

    /// Drops warnings and notes of these codes; refusals stay, since nothing is written for them.
    pub fn suppress(&mut self, codes: &[Code]) {
        self.all
            .retain(|d| d.severity() == Severity::Error || !codes.contains(&d.code));
    }

    /// All of them as text for a terminal, in the order of the source.
    pub fn render(&self, sources: &Sources, colour: bool) -> String {
        let mut sorted: Vec<&Diagnostic> = self.all.iter().collect();
        sorted.sort_by_key(|d| d.span.and_then(|s| sources.place(s)));
        sorted.iter().map(|d| render(d, sources, colour)).collect()
    }
}

impl Extend<Diagnostic> for Diagnostics {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, iter: I) {
        iter.into_iter().for_each(|d| self.push(d));
    }
}

struct Paint {
    on: bool,
}

impl Paint {
    fn wrap(&self, code: &str, text: &str) -> String {
        if self.on {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_string()
        }
    }
}

/// One diagnostic as text for a terminal, with a blank line after it.
pub fn render(diagnostic: &Diagnostic, sources: &Sources, colour: bool) -> String {
    let paint = Paint { on: colour };
    let (word, shade) = match diagnostic.severity() {
        Severity::Error => ("error", "1;31"),
        Severity::Warning => ("warning", "1;33"),
        Severity::Note => ("note", "1;32"),
    };
    let head = paint.wrap(shade, &format!("{word}[{}]", diagnostic.code));
    let mut out = format!(
        "{head}{}\n",
        paint.wrap("1", &format!(": {}", diagnostic.message))
    );
    let primary = diagnostic
        .span
        .and_then(|s| sources.place(s))
        .map(|p| (p, diagnostic.label.as_str(), '^'));
    let also = diagnostic
        .also
        .iter()
        .filter_map(|(s, what)| Some((sources.place(*s)?, what.as_str(), '-')));
    let places: Vec<_> = primary.into_iter().chain(also).collect();
    let last_line = |p: &Place| sources.file(p.file).line_col(p.lo).0;
    let width = places
        .iter()
        .map(|(p, ..)| last_line(p).to_string().len())
        .max()
        .unwrap_or(1);
    let bar = paint.wrap("1;34", "|");
    let pad = " ".repeat(width);
    let mut previous: Option<Place> = None;
    for (place, label, mark) in &places {
        let file = sources.file(place.file);
        let (line, column) = file.line_col(place.lo);
        if previous.is_none_or(|p| p.file != place.file) {
            let arrow = paint.wrap("1;34", if previous.is_none() { "-->" } else { ":::" });
            let _ = writeln!(out, "{pad}{arrow} {}:{line}:{column}", file.path.display());
            let _ = writeln!(out, "{pad} {bar}");
        } else {
            let _ = writeln!(out, "{pad} {}", paint.wrap("1;34", "..."));
        }
        let text = file.line(line);
        let number = paint.wrap("1;34", &format!("{line:>width$}"));
        let _ = writeln!(out, "{number} {bar} {}", text.replace('\t', "    "));
        let before: usize = text
            .chars()
            .take(column - 1)
            .map(|c| if c == '\t' { 4 } else { 1 })
            .sum();
        let end = place
            .hi
            .min(file.line_start(line) + text.len())
            .max(place.lo);
        let len = file.text.get(place.lo..end).map_or(1, |t| {
            t.chars().map(|c| if c == '\t' { 4 } else { 1 }).sum()
        });
        let marks: String = std::iter::repeat_n(*mark, usize::max(len, 1)).collect();
        let under = paint.wrap(
            if *mark == '^' { shade } else { "1;34" },
            format!("{marks} {label}").trim_end(),
        );
        let _ = writeln!(out, "{pad} {bar} {}{under}", " ".repeat(before));
        previous = Some(*place);
    }
    let equals = paint.wrap("1;34", "=");
    for help in &diagnostic.help {
        let _ = writeln!(out, "{pad} {equals} {} {help}", paint.wrap("1", "help:"));
    }
    if diagnostic.severity() != Severity::Note {
        let effort = format!("{:?}", diagnostic.effort()).to_lowercase();
        let _ = writeln!(
            out,
            "{pad} {equals} {} {effort}",
            paint.wrap("1", "effort:")
        );
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{FileId, UnitText};

    #[test]
    fn looks_like_a_compilers() {
        let mut sources = Sources::default();
        let text = "int a;\nint b = goto;\n";
        let file = sources.add("x.c".into(), text.into());
        let origin = |at: u32, len: u32| crate::macros::Origin {
            at,
            len,
            file: FileId(0),
            raw_lo: at,
            raw_hi: at + len,
            macro_use: None,
        };
        let origins = vec![origin(0, 3), origin(15, 4)];
        sources.units.push(UnitText {
            file,
            text: text.into(),
            origins,
            uses: vec![],
        });
        let span = Span {
            unit: 0,
            lo: 15,
            hi: 19,
        };
        let shown = render(
            &Diagnostic::new(codes::GOTO, span, "no `goto`")
                .label("here")
                .help("use a loop"),
            &sources,
            false,
        );
        let want = "error[ACC2RS1206]: no `goto`\n -->x";
        assert!(shown.starts_with(&want[..30]), "{shown}");
        assert!(
            shown.contains("2 | int b = goto;\n  |         ^^^^ here\n"),
            "{shown}"
        );
        assert!(
            shown.contains("  = help: use a loop\n  = effort: medium\n"),
            "{shown}"
        );
    }
}
