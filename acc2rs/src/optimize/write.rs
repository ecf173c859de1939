//! The C of the three rewrites of one construct, as insertions into the user's text.
//!
//! ```c
//! {
//!   size_t hist_bins = …, num_locals = NUM_LOCALS;             // (a) the copies, in a data region
//!   int *hist_locals = malloc(…);
//!   #pragma acc data create(hist_locals[0:hist_size]) copy(hist[0:n])
//!   {
//!     …every copy becomes neutral…                            // (b)
//!     …the user's construct, where each update is
//!       if (num_locals == 0) hist[k]++;
//!       else (hist_locals + gang % num_locals * hist_bins)[k]++;   // (c)
//!     …the copies are combined, in tiles, into the bins…      // (b)
//!   }
//!   free(hist_locals);
//! }
//! ```
//!
//! Any choice of the copy is right, whatever the compiler's schedule; the one here is the gang's own
//! when gangs take blocks of `vector_length` iterations in turn, as OpenACC compilers make them do on a GPU.

use std::fmt::Write as _;

use super::find::{Bins, Construct};
use crate::lex;
use crate::translate::update::Operator;

/// How many copies one iteration of the last step combines before it goes to the bins.
const TILE: u32 = 8;

/// Text to put in at a byte offset.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Edit {
    pub(super) at: usize,
    pub(super) text: String,
}

/// What all constructs of a run share.
#[derive(Clone, Debug)]
pub(super) struct Style {
    pub(super) vector_length: u32,
    /// The macro of the number of copies, with its parameter if the bins decide.
    pub(super) locals: String,
    pub(super) by_bins: bool,
}

/// Names that the user's text does not have.
pub(super) struct Names<'a>(pub(super) &'a str);

impl Names<'_> {
    pub(super) fn fresh(&self, name: &str) -> String {
        let mut name = name.to_string();
        while lex::tokens(self.0).iter().any(|t| t.text == name) {
            name.push('_');
        }
        name
    }
}

fn neutral(bins: &Bins) -> Option<String> {
    let ty = &bins.element;
    Some(match bins.operator {
        Operator::Add | Operator::Or | Operator::Xor => "0".into(),
        Operator::Mul => "1".into(),
        Operator::And => format!("({ty})~({ty})0"),
        // The old value of the bin changes nothing there.
        Operator::Min | Operator::Max => return None,
    })
}

fn combine(operator: Operator, into: &str, value: &str) -> String {
    match operator {
        Operator::Add => format!("{into} += {value}"),
        Operator::Mul => format!("{into} *= {value}"),
        Operator::And => format!("{into} &= {value}"),
        Operator::Or => format!("{into} |= {value}"),
        Operator::Xor => format!("{into} ^= {value}"),
        Operator::Min => format!("{into} = {value} < {into} ? {value} : {into}"),
        Operator::Max => format!("{into} = {value} > {into} ? {value} : {into}"),
    }
}

/// The edits of a construct.
pub(super) fn construct(text: &str, made: &Construct, style: &Style) -> Vec<Edit> {
    let names = Names(text);
    let num = names.fresh("num_locals");
    let line = text[..made.directive.lo].rfind('\n').map_or(0, |at| at + 1);
    let margin = indentation(&text[line..]);
    let v = style.vector_length;
    let mut edits = Vec::new();
    let mut before = format!("{margin}{{\n");
    let mut counts = Vec::new();
    let mut scalars = vec![num.clone()];
    let (mut sizes, mut create, mut clauses, mut frees) =
        (String::new(), Vec::new(), Vec::new(), String::new());
    let (mut init, mut merge) = (String::new(), String::new());
    for bins in &made.bins {
        let (count, size, locals) = own_names(&names, bins);
        let (name, ty) = (&bins.name, &bins.element);
        let _ = writeln!(before, "{margin}  size_t {count} = {};", bins.count);
        let _ = writeln!(
            sizes,
            "{margin}  size_t {size} = {num} == 0 ? 1 : {num} * {count};\n\
             {margin}  {ty} *{locals} = ({ty} *)malloc({size} * sizeof({ty}));\n\
             {margin}  if ({locals} == NULL) abort();"
        );
        create.push(format!("{locals}[0:{size}]"));
        clauses.extend(bins.clause.clone());
        let _ = writeln!(frees, "{margin}  free({locals});");
        let flat = if matches!(bins.inner[..], []) {
            name.clone()
        } else {
            format!("(({ty} *){name})")
        };
        let present = format!("present({locals}[0:{size}])");
        let start = neutral(bins).unwrap_or(format!("{flat}[local % {count}]"));
        let _ = writeln!(
            init,
            "{margin}#pragma acc parallel loop gang vector vector_length({v}) {present}\n\
             {margin}    for (size_t local = 0; local < {size}; local++) {locals}[local] = {start};"
        );
        let value = format!("{locals}[local * {count} + bin]");
        if let Some(start) = neutral(bins) {
            let _ = writeln!(
                merge,
                "{margin}#pragma acc parallel loop gang vector collapse(2) vector_length({v}) {present}\n\
                 {margin}    for (size_t tile = 0; tile < {num}; tile += {TILE}) {{\n\
                 {margin}      for (size_t bin = 0; bin < {count}; bin++) {{\n\
                 {margin}        {ty} part = {start};\n\
                 {margin}        for (size_t local = tile; local < tile + {TILE} && local < {num}; local++) {};\n\
                 {margin}#pragma acc atomic update\n\
                 {margin}        {};\n\
                 {margin}      }}\n\
                 {margin}    }}",
                combine(bins.operator, "part", &value),
                combine(bins.operator, &format!("{flat}[bin]"), "part"),
            );
        } else {
            let _ = writeln!(
                merge,
                "{margin}#pragma acc parallel loop gang vector vector_length({v}) {present}\n\
                 {margin}    for (size_t bin = 0; bin < {count}; bin++) {{\n\
                 {margin}      {ty} part = {flat}[bin];\n\
                 {margin}      for (size_t local = 0; local < {num}; local++) {};\n\
                 {margin}      {flat}[bin] = part;\n\
                 {margin}    }}",
                combine(bins.operator, "part", &value),
            );
        }
        scalars.push(count.clone());
        counts.push(count);
    }
    let locals = if style.by_bins {
        format!("{}({})", style.locals, counts.join(" + "))
    } else {
        style.locals.clone()
    };
    let _ = writeln!(before, "{margin}  size_t {num} = {locals};");
    before.push_str(&sizes);
    let wait = if made.asynchronous {
        format!("{margin}#pragma acc wait\n")
    } else {
        String::new()
    };
    before.push_str(&wait);
    let mut data = format!("{margin}#pragma acc data create({})", create.join(", "));
    for clause in clauses {
        data.push(' ');
        data.push_str(&clause);
    }
    let _ = writeln!(before, "{data}\n{margin}  {{");
    let _ = writeln!(
        before,
        "{margin}    if ({num} != 0) {{\n{init}{margin}    }}"
    );
    edits.push(Edit {
        at: line,
        text: before,
    });

    let mut added = String::new();
    if made.gangs {
        added.push_str(" num_gangs(1024)");
    }
    if made.vector {
        let _ = write!(added, " vector_length({v})");
    }
    let _ = write!(added, " present({})", create.join(", "));
    if made.default_none {
        let _ = write!(added, " copyin({})", scalars.join(", "));
    }
    edits.push(Edit {
        at: made.directive.hi,
        text: added,
    });

    for site in &made.sites {
        let Some(bins) = made.bins.iter().find(|b| b.var == site.bins) else {
            continue;
        };
        let (count, _, locals) = own_names(&names, bins);
        let margin = indentation(&text[site.pragma..]);
        let mut own = format!("({locals} + {} % {num} * {count})", site.gang);
        if !bins.inner.is_empty() {
            let dims: String = bins.inner.iter().map(|d| format!("[{d}]")).collect();
            own = format!("(({} (*){dims}){own})", bins.element);
        }
        let pragma = &text[site.pragma..site.stmt.lo];
        let raw = &text[site.stmt.lo..site.stmt.hi];
        let mut update = String::new();
        let mut from = 0;
        for token in lex::tokens(raw).iter().filter(|t| t.is(&bins.name)) {
            update.push_str(&raw[from..token.at]);
            update.push_str(&own);
            from = token.end();
        }
        update.push_str(&raw[from..]);
        edits.push(Edit {
            at: site.pragma,
            text: format!("{margin}if ({num} == 0) {{\n"),
        });
        edits.push(after(
            text,
            site.stmt.hi,
            &format!("{margin}}} else {{\n{pragma}{update}\n{margin}}}\n"),
        ));
    }

    let tail = format!(
        "{wait}{margin}    if ({num} != 0) {{\n{merge}{margin}    }}\n{margin}  }}\n{frees}{margin}}}\n"
    );
    edits.push(after(text, made.end, &tail));
    edits
}

fn own_names(names: &Names<'_>, bins: &Bins) -> (String, String, String) {
    let own = |what: &str| names.fresh(&format!("{}_{what}", bins.name));
    (own("bins"), own("size"), own("locals"))
}

fn indentation(line: &str) -> &str {
    let end = line
        .find(|c: char| c != ' ' && c != '\t')
        .unwrap_or(line.len());
    &line[..end]
}

/// Lines to put in after a statement: on the next line if nothing but a comment follows on its own.
fn after(text: &str, at: usize, lines: &str) -> Edit {
    let rest = text[at..].split('\n').next().unwrap_or("");
    let tail = rest.trim();
    let comment = tail.starts_with("//")
        || tail.starts_with("/*") && tail.find("*/").is_some_and(|e| e + 2 == tail.len());
    let next = at + rest.len();
    if (tail.is_empty() || comment) && next < text.len() {
        Edit {
            at: next + 1,
            text: lines.to_string(),
        }
    } else {
        Edit {
            at,
            text: format!("\n{lines}"),
        }
    }
}

/// What stands once in a file: the named constant.
pub(super) fn preamble(style: &Style, locals: Option<u32>, constant: &str, stdlib: bool) -> String {
    let mut out = String::new();
    if stdlib {
        out.push_str("#include <stdlib.h>\n");
    }
    match locals {
        Some(n) => {
            let _ = write!(
                out,
                "/* How many local copies the bins have; 0 updates the bins themselves. */\n\
                 #ifndef {constant}\n#define {constant} {n}\n#endif\n"
            );
        }
        None => {
            let _ = write!(
                out,
                "/* How many local copies the bins have, by their number; {constant} overrides it, 0 updates the bins themselves. */\n\
                 #ifdef {constant}\n#define {f}(bins) ({constant})\n#else\n\
                 #define {f}(bins) ((bins) <= 4096 ? 64 : (bins) <= 262144 ? 16 : 4)\n#endif\n",
                f = style.locals,
            );
        }
    }
    out
}

/// The text with the edits made; those at one place in the order given.
pub(super) fn apply(text: &str, mut edits: Vec<Edit>) -> String {
    edits.sort_by_key(|e| e.at);
    let crlf = text.contains("\r\n");
    let mut out = String::with_capacity(text.len() * 2);
    let mut from = 0;
    for edit in edits {
        out.push_str(&text[from..edit.at]);
        if crlf {
            out.push_str(&edit.text.replace("\r\n", "\n").replace('\n', "\r\n"));
        } else {
            out.push_str(&edit.text);
        }
        from = edit.at;
    }
    out.push_str(&text[from..]);
    out
}
