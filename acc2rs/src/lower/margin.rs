//! What stands beside the syntax tree: the pragmas, which lang-c takes for white space, and the
//! comments.
//!
//! Both are attached by position. A pragma belongs to the first statement that starts after it;
//! since lowering goes through statements in the order they start, outer ones first, taking
//! everything before a statement's first byte when the statement is reached is that rule.

use std::collections::HashMap;

use crate::clause::Written;
use crate::codes;
use crate::diag::Diagnostic;
use crate::directive::{self, Directive, Pragma};
use crate::lex;
use crate::preprocess::Unit;
use crate::source::{FileId, Sources, Span};
use crate::typed::Comment;

/// The pragmas and comments that have not been attached yet.
#[derive(Default)]
pub(super) struct Margin {
    directives: Vec<Option<Directive<Written>>>,
    starts: Vec<usize>,
    next: usize,
    comments: HashMap<FileId, (Vec<lex::Comment>, usize)>,
}

impl Margin {
    /// Reads the pragmas of a unit.
    pub(super) fn start(&mut self, sources: &Sources, unit: &Unit, report: &mut Vec<Diagnostic>) {
        self.directives.clear();
        self.starts.clear();
        self.next = 0;
        for pragma in &unit.pragmas {
            match directive::parse(sources.text(pragma.span), pragma.span, report) {
                Pragma::Acc(found) => {
                    self.starts.push(pragma.span.lo as usize);
                    self.directives.push(Some(*found));
                }
                Pragma::Broken => {}
                Pragma::Other(name) => {
                    let message = format!("`#pragma {name}` is not translated");
                    report.push(Diagnostic::new(codes::OTHER_PRAGMA, pragma.span, message)
                        .help("acc2rs reads `#pragma acc` only; check that the code means the same without it"));
                }
            }
        }
    }

    /// Takes the directives that start before an offset.
    pub(super) fn directives_before(&mut self, offset: usize) -> Vec<Directive<Written>> {
        let mut out = Vec::new();
        while self
            .starts
            .get(self.next)
            .is_some_and(|start| *start < offset)
        {
            out.extend(self.directives[self.next].take());
            self.next += 1;
        }
        out
    }

    /// Takes the comments that end before what stands at `span`.
    pub(super) fn comments_before(&mut self, sources: &Sources, span: Span) -> Vec<Comment> {
        match sources.place(span) {
            Some(place) => self.comments(sources, place.file, |c, _| c.end <= place.lo),
            None => Vec::new(),
        }
    }

    /// Takes the comments behind what ends at `span`, on the same line.
    pub(super) fn comments_behind(&mut self, sources: &Sources, span: Span) -> Vec<Comment> {
        let Some(place) = sources.place(span) else {
            return Vec::new();
        };
        let line = sources.file(place.file).line_col(place.hi).0;
        self.comments(sources, place.file, |c, file| {
            c.trailing && c.at >= place.hi && file.line_col(c.at).0 == line
        })
    }

    /// Takes the comments before the end of what stands at `span`.
    pub(super) fn comments_inside(&mut self, sources: &Sources, span: Span) -> Vec<Comment> {
        match sources.place(span) {
            Some(place) => self.comments(sources, place.file, |c, _| c.end <= place.hi),
            None => Vec::new(),
        }
    }

    fn comments(
        &mut self,
        sources: &Sources,
        file: FileId,
        wanted: impl Fn(&lex::Comment, &crate::source::File) -> bool,
    ) -> Vec<Comment> {
        let text = sources.file(file);
        let (all, next) = self
            .comments
            .entry(file)
            .or_insert_with(|| (lex::comments(&text.text), 0));
        let mut out = Vec::new();
        while let Some(comment) = all.get(*next).filter(|c| wanted(c, text)) {
            if !comment.lines.is_empty() {
                out.push(Comment {
                    lines: comment.lines.clone(),
                    trailing: comment.trailing,
                });
            }
            *next += 1;
        }
        out
    }
}
