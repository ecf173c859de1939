//! Diagnostics: what was found, where, and what to write instead.
//!
//! There are three kinds and they read differently: a mistake or an unsupported form in the user's
//! code, a limitation of ours, and a bug of ours. Each has a [`Code`] with a page in
//! `docs/diagnostics.md`. Errors are collected, so that several mistakes show in one build, and rendered
//! as `compile_error!` on the smallest token, which works on stable Rust.

use std::fmt;

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

mod codes;
pub mod messages;

pub use codes::Code;

/// Whose fault it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The loop cannot run in parallel as it is written.
    YourCode,
    /// The loop may be fine, and we cannot do it yet.
    OurLimitation,
    /// A bug in accrue.
    OurBug,
}

/// One finding.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// What kind of finding it is.
    pub code: Code,
    /// The smallest token it is about.
    pub span: Span,
    /// What is wrong, lower case, without a full stop.
    pub message: String,
    /// Further facts.
    pub notes: Vec<String>,
    /// What to write instead.
    pub help: Option<String>,
    /// Whether it is about a shared look at what the loop writes, and nothing more.
    pub looks: bool,
}

impl Diagnostic {
    /// A finding with its place and message.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            span,
            message: message.into(),
            notes: Vec::new(),
            help: None,
            looks: false,
        }
    }

    /// Says that it is about a shared look at what the loop writes.
    pub fn looks(mut self, looks: bool) -> Diagnostic {
        self.looks = looks;
        self
    }

    /// Adds a further fact.
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Says what to write instead.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }

    /// `compile_error!` at the place.
    pub fn to_compile_error(&self) -> TokenStream {
        let text = self.to_string();
        quote_spanned!(self.span=> ::core::compile_error!(#text);)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] ", self.code)?;
        match self.code.kind() {
            Kind::YourCode => write!(f, "{}", self.message)?,
            Kind::OurLimitation => write!(f, "not supported yet: {}", self.message)?,
            Kind::OurBug => write!(f, "this is a bug in accrue: {}", self.message)?,
        }
        for note in &self.notes {
            write!(f, "\nnote: {note}")?;
        }
        if let Some(help) = &self.help {
            write!(f, "\nhelp: {help}")?;
        }
        if self.code.kind() == Kind::OurBug {
            write!(f, "\nhelp: please report it together with the function")?;
        }
        Ok(())
    }
}

/// Findings that stop the compilation, in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub struct Errors {
    list: Vec<Diagnostic>,
}

impl Errors {
    /// None yet.
    pub fn new() -> Errors {
        Errors::default()
    }

    /// Adds one.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        self.list.push(diagnostic);
    }

    /// Adds all of another list.
    pub fn extend(&mut self, other: Errors) {
        self.list.extend(other.list);
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether they are some of others, and not all.
    pub fn are_some_of(&self, others: &Errors) -> bool {
        let same = |a: &Diagnostic, b: &Diagnostic| {
            let [from, to] = [a.span.start(), b.span.start()];
            a.code == b.code && a.message == b.message && from == to
        };
        let is_there = |a: &Diagnostic| others.list.iter().any(|b| same(a, b));
        !self.is_empty() && self.list.len() < others.list.len() && self.list.iter().all(is_there)
    }

    /// Adds a further fact to the first of them.
    pub fn note(&mut self, text: impl Into<String>) {
        if let Some(first) = self.list.first_mut() {
            first.notes.push(text.into());
        }
    }

    /// The findings.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Brings the findings into the order of the text.
    pub fn sort(&mut self) {
        crate::sorted::by_key(&mut self.list, |d| {
            let start = d.span.start();
            (start.line, start.column)
        });
    }

    /// The end of a stage: `Ok` where nothing was found, else what was found so far.
    pub fn finish(&mut self) -> Result<(), Errors> {
        if self.is_empty() {
            Ok(())
        } else {
            Err(std::mem::take(self))
        }
    }

    /// A `compile_error!` for each.
    pub fn to_compile_error(&self) -> TokenStream {
        self.list.iter().map(Diagnostic::to_compile_error).collect()
    }
}

impl From<Diagnostic> for Errors {
    fn from(diagnostic: Diagnostic) -> Errors {
        Errors {
            list: vec![diagnostic],
        }
    }
}

impl From<syn::Error> for Errors {
    fn from(error: syn::Error) -> Errors {
        let list = error
            .into_iter()
            .map(|e| Diagnostic::new(Code::Syntax, e.span(), e.to_string()))
            .collect();
        Errors { list }
    }
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, diagnostic) in self.list.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{diagnostic}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Errors {}
