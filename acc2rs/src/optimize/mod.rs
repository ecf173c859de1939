//! The optimizer of the paper: OpenACC C in, the same C with local copies of the bins out.
//!
//! `find` says which constructs qualify, asking `alone` whether the bins are used for nothing else, `count`
//! how many there are and where their copies can live, and `gang` what tells gangs apart; `write` says what is put in
//! where. Nothing of the user's text is removed: the output is the input with insertions.
//!
//! # How many copies
//!
//! `--locals auto` decides at run time, by the bytes of the bins: 128 copies, or as many as fit into 30 MiB together, or none if
//! not even two do. The first limit is where more copies stop helping with 1024 gangs; the second is somewhat more than half of the 50 MB of
//! L2 cache of an H200: with 1,092,546 bins of 4 bytes, 7 copies (31 MB) take 6.2 ms where few bins get most of the keys and 2.2
//! where all are alike, 10 (44 MB) 7.1 and 2.6. Uniform keys need no copies from some ten thousand bins on; what copies cost them there, two more
//! kernels and their launches, is the price of not being many times slower on skewed ones. `docs/measurements/openacc.md` has the times,
//! and `layout` says where the copies lie.

mod alone;
pub mod command;
mod count;
mod find;
mod gang;
mod layout;
mod write;

use std::collections::BTreeMap;

use crate::diag::Diagnostic;
use crate::lex;
use crate::source::{FileId, Sources, Span};
use crate::typed::{ItemKind, Program};

use count::{Home, Region};
use find::{Bins, Construct, Finder};
use write::{Edit, Names, Style};

/// How to optimize.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The number of local copies; `None` decides by the number of bins.
    pub locals: Option<u32>,
    /// The vector length of gangs.
    pub vector_length: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            locals: None,
            vector_length: 256,
        }
    }
}

/// A file that was rewritten.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// Which file.
    pub file: FileId,
    /// Its new text.
    pub text: String,
    /// How many compute constructs have local copies now.
    pub constructs: usize,
}

/// Rewrites the constructs that qualify; notes say why others do not. Functions with one of the places `unread` in them
/// are left alone.
pub fn optimize(
    program: &Program,
    sources: &Sources,
    options: Options,
    unread: &[Span],
    notes: &mut Vec<Diagnostic>,
) -> Vec<Tuned> {
    let mut found: BTreeMap<FileId, BTreeMap<usize, Construct>> = BTreeMap::new();
    for function in program.defined() {
        let finder = Finder {
            program,
            sources,
            function,
            vector_length: options.vector_length,
            unread: !unread.is_empty(),
        };
        let Some(body) = &program.function(function).body else {
            continue;
        };
        let whole = program.items.iter().find_map(|item| match item.kind {
            ItemKind::Function(id) if id == function => Some(item.span),
            _ => None,
        });
        let inside = |span: &Span| {
            whole.is_none_or(|w| w.unit == span.unit && w.lo <= span.lo && span.hi <= w.hi)
        };
        if unread.iter().any(inside) {
            continue;
        }
        for stmt in &body.stmts {
            find::children(stmt, &mut |s| {
                let mut kept = Vec::new();
                if let Some(made) = finder.construct(s, &mut kept) {
                    // A header that several files include is seen as often, and rewritten once.
                    let at = made.directive;
                    found.entry(at.file).or_default().insert(at.lo, made);
                }
                notes.extend(kept.into_iter().map(|k| {
                    Diagnostic::new(k.code, k.span, format!("no local copies here: {}", k.why))
                }));
            });
        }
    }
    found
        .into_iter()
        .map(|(file, constructs)| {
            let text = &sources.file(file).text;
            let mut list = edits(text, &constructs, &style(text, options));
            let blocks = constructs.values().flat_map(|c| &c.bins).any(|b| b.blocks);
            let constructs = constructs.len();
            let style = style(text, options);
            let constant = Names(text).fresh("NUM_LOCALS");
            let includes = text.contains("<stdlib.h>");
            let first = list.iter().map(|e| e.at).min().unwrap_or(0);
            let preamble = write::preamble(&style, options.locals, &constant, (!includes, blocks));
            list.push(Edit {
                at: after_includes(text, first),
                text: preamble,
            });
            Tuned {
                file,
                text: write::apply(text, list),
                constructs,
            }
        })
        .collect()
}

/// The edits of all constructs of a file and of the data regions that hold their copies.
fn edits(text: &str, constructs: &BTreeMap<usize, Construct>, style: &Style) -> Vec<Edit> {
    let mut list = Vec::new();
    let mut regions: BTreeMap<Region, Vec<&Bins>> = BTreeMap::new();
    for made in constructs.values() {
        list.extend(write::construct(text, made, style));
        for bins in &made.bins {
            if let Home::Region(region) = bins.home {
                let held = regions.entry(region).or_default();
                // Several constructs of a region may fill the same bins.
                if held.iter().all(|b| b.name != bins.name) {
                    held.push(bins);
                }
            }
        }
    }
    // Where regions end at one place, the inner one's text comes first.
    for (region, bins) in regions.iter().rev() {
        list.extend(write::region(text, region, bins, style));
    }
    list
}

fn style(text: &str, options: Options) -> Style {
    let names = Names(text);
    Style {
        vector_length: options.vector_length,
        locals: names.fresh(if options.locals.is_some() {
            "NUM_LOCALS"
        } else {
            "NUM_LOCALS_FOR"
        }),
        by_bins: options.locals.is_none(),
        gang: names.fresh("GANG_LOCAL"),
        room: names.fresh("LOCAL_ROOM"),
        start: names.fresh("LOCAL_START"),
    }
}

/// Just past the last `#include` before `limit` that no `#if` encloses; else the start of the file.
fn after_includes(text: &str, limit: usize) -> usize {
    let comments = lex::comments(text);
    let (mut at, mut depth, mut found) = (0, 0i32, 0);
    for line in text.split_inclusive('\n') {
        let end = at + line.len();
        if end > limit {
            break;
        }
        let word = line
            .trim_start()
            .strip_prefix('#')
            .map_or("", str::trim_start);
        if !comments.iter().any(|c| c.at < at && at < c.end) {
            if word.starts_with("if") {
                depth += 1;
            } else if word.starts_with("endif") {
                depth -= 1;
            } else if word.starts_with("include") && depth == 0 && line.ends_with('\n') {
                found = end;
            }
        }
        at = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::after_includes;

    #[test]
    fn the_constant_stands_after_the_includes() {
        let text =
            "/*\n#include <no.h>\n*/\n#include <a.h>\n#if X\n#include <b.h>\n#endif\nint x;\n";
        assert_eq!(&text[after_includes(text, text.len())..][..5], "#if X");
        assert_eq!(after_includes("int x;\n", 7), 0);
    }
}
