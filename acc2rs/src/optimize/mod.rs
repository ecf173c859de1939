//! The optimizer of the paper: OpenACC C in, the same C with local copies of the bins out.
//!
//! `find` says which constructs qualify, `write` what is put in where. Nothing of the user's
//! text is removed: the output is the input with insertions.
//!
//! # How many copies
//!
//! `--locals auto` asks the number of bins at run time: 64 copies up to 4096 bins, 16 up to 262,144, else 4. With
//! GCC 12 on an H200 (`bench/peers/openacc.c`), 256 bins go from 3.8 to 44.6 G updates a second with 64 copies of
//! uniform keys, and from 1.35 to 26 where all keys are equal; at 65,536 bins (16 copies) and 1,092,546 (4 copies) uniform
//! keys lose about a tenth (56 to 52, 60 to 52), which is the price of not collapsing on skewed ones.

mod find;
mod write;

use std::collections::BTreeMap;

use crate::diag::Diagnostic;
use crate::lex;
use crate::source::{FileId, Sources};
use crate::typed::Program;

use find::Finder;
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

/// Rewrites the constructs that qualify; notes say why others do not.
pub fn optimize(
    program: &Program,
    sources: &Sources,
    options: Options,
    notes: &mut Vec<Diagnostic>,
) -> Vec<Tuned> {
    let mut edits: BTreeMap<FileId, (Vec<Edit>, usize)> = BTreeMap::new();
    for function in program.defined() {
        let finder = Finder {
            program,
            sources,
            function,
            vector_length: options.vector_length,
        };
        let Some(body) = &program.function(function).body else {
            continue;
        };
        for stmt in &body.stmts {
            find::children(stmt, &mut |s| {
                let mut kept = Vec::new();
                if let Some(made) = finder.construct(s, &mut kept) {
                    let file = made.directive.file;
                    let text = &sources.file(file).text;
                    let (list, count) = edits.entry(file).or_default();
                    list.extend(write::construct(text, &made, &style(text, options)));
                    *count += 1;
                }
                notes.extend(kept.into_iter().map(|k| {
                    Diagnostic::new(k.code, k.span, format!("no local copies here: {}", k.why))
                }));
            });
        }
    }
    edits
        .into_iter()
        .map(|(file, (mut list, constructs))| {
            let text = &sources.file(file).text;
            let style = style(text, options);
            let constant = Names(text).fresh("NUM_LOCALS");
            let includes = text.contains("<stdlib.h>");
            let first = list.iter().map(|e| e.at).min().unwrap_or(0);
            let preamble = write::preamble(&style, options.locals, &constant, !includes);
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
