//! The C of the three rewrites of one construct, as insertions into the user's text.
//!
//! ```c
//! {
//!   size_t hist_bins = n;
//!   size_t hist_num_locals = NUM_LOCALS;                      // (a) the copies, around the data region
//!   int *hist_locals = malloc(…);
//!   #pragma acc data copy(hist[0:n]) create(hist_locals[0:hist_size])
//!   {
//!     …every copy becomes neutral…                            // (b)
//!     …the user's construct, where each update is
//!       if (hist_num_locals == 0) hist[k]++;
//!       else (hist_locals + GANG_LOCAL(gang, hist_num_locals) * hist_bins)[k]++;   // (c), see `layout` for many bins
//!     …the copies are combined, in tiles, into the bins…      // (b)
//!   }
//!   free(hist_locals);
//! }
//! ```
//!
//! The data region is the user's, if there is one that has the bins and tells how many there are;
//! else it is put around the construct.
//!
//! Any choice of the copy is right, whatever the compiler's schedule; the one here is the gang's own
//! when gangs take blocks of `vector_length` iterations in turn, as OpenACC compilers make them do on a GPU.

use accrue_ops::{Neutral, Op};
use std::fmt::Write as _;

use super::count::{Home, Region};
use super::find::{Bins, Construct, Site};
use super::layout;
use crate::lex;

/// How many copies one iteration of the last step combines before it goes to the bins.
const TILE: u32 = 8;

/// The most copies that `--locals auto` makes, and the bytes that they fill at most: `mod.rs` has the measurements.
const MOST_COPIES: u32 = 128;
const BUDGET: u32 = 30 << 20;

/// How many gangs share the iterations, where the user leaves it open: the paper's.
const GANGS: u32 = 1024;

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
    /// The macro of the copy that a gang takes.
    pub(super) gang: String,
    /// The macros of [`layout::macros`].
    pub(super) room: String,
    pub(super) start: String,
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
    Some(match bins.operator.row().unsigned? {
        Neutral::Zero | Neutral::MinusZero => "0".into(),
        Neutral::One => "1".into(),
        Neutral::Ones => format!("({ty})~({ty})0"),
        // The old value of the bin changes nothing there.
        Neutral::Largest | Neutral::Smallest | Neutral::Nan => return None,
    })
}

fn combine(operator: Op, into: &str, value: &str) -> String {
    match operator {
        Op::Add | Op::Sub | Op::Mul | Op::And | Op::Or | Op::Xor => {
            operator.update(into, value, false)
        }
        Op::Min => format!("{into} = {value} < {into} ? {value} : {into}"),
        Op::Max => format!("{into} = {value} > {into} ? {value} : {into}"),
        Op::SaturatingAdd => unreachable!("C has no saturating sum"),
    }
}

/// The edits of a construct. The copies of bins whose home is a data region are made by [`region`].
pub(super) fn construct(text: &str, made: &Construct, style: &Style) -> Vec<Edit> {
    let names = Names(text);
    let line = text[..made.directive.lo].rfind('\n').map_or(0, |at| at + 1);
    let margin = indentation(&text[line..]);
    let mut edits = Vec::new();
    let own: Vec<&Bins> = made
        .bins
        .iter()
        .filter(|b| matches!(b.home, Home::Construct(_)))
        .collect();
    let mut before = format!("{margin}{{\n");
    before.push_str(&allocation(&names, &own, style, &format!("{margin}  ")));
    let wait = if made.asynchronous {
        format!("{margin}#pragma acc wait\n")
    } else {
        String::new()
    };
    before.push_str(&wait);
    if !own.is_empty() {
        let _ = write!(before, "{margin}#pragma acc data{}", create(&names, &own));
        for bins in &own {
            if let Home::Construct(Some(clause)) = &bins.home {
                let _ = write!(before, " {clause}");
            }
        }
        let _ = writeln!(before, "\n{margin}  {{");
    }
    let inner = format!("{margin}{}", if own.is_empty() { "  " } else { "    " });
    for bins in &made.bins {
        before.push_str(&initialisation(&names, bins, style, &inner));
    }
    edits.push(Edit {
        at: line,
        text: before,
    });

    let mut added = String::new();
    if made.gangs {
        let _ = write!(added, " num_gangs({GANGS})");
    }
    if made.vector {
        let _ = write!(added, " vector_length({})", style.vector_length);
    }
    for bins in &made.bins {
        let Own { size, locals, .. } = own_names(&names, bins);
        let _ = write!(added, " present({locals}[0:{size}])");
    }
    if made.default_none {
        for bins in &made.bins {
            let Own { count, copies, .. } = own_names(&names, bins);
            let _ = write!(added, " copyin({count}, {copies})");
        }
    }
    edits.push(Edit {
        at: made.directive.hi,
        text: added,
    });

    for site in &made.sites {
        if let Some(bins) = made.bins.iter().find(|b| b.var == site.bins) {
            edits.extend(update(text, &names, site, bins, style));
        }
    }

    let mut tail = wait;
    for bins in &made.bins {
        tail.push_str(&merge(&names, bins, style, &inner));
    }
    if !own.is_empty() {
        let _ = writeln!(tail, "{margin}  }}");
    }
    tail.push_str(&release(&names, &own, &format!("{margin}  ")));
    let _ = writeln!(tail, "{margin}}}");
    edits.push(after(text, made.end, &tail));
    edits
}

/// The edits that give a data region the copies of these bins: their allocation around it and a
/// `create` clause.
pub(super) fn region(text: &str, at: &Region, bins: &[&Bins], style: &Style) -> Vec<Edit> {
    let names = Names(text);
    let margin = indentation(&text[at.line..]);
    let inner = format!("{margin}  ");
    vec![
        Edit {
            at: at.line,
            text: format!("{margin}{{\n{}", allocation(&names, bins, style, &inner)),
        },
        Edit {
            at: at.clauses,
            text: create(&names, bins),
        },
        after(
            text,
            at.end,
            &format!("{}{margin}}}\n", release(&names, bins, &inner)),
        ),
    ]
}

/// The numbers of bins and copies, and memory for them.
fn allocation(names: &Names<'_>, bins: &[&Bins], style: &Style, margin: &str) -> String {
    let mut out = String::new();
    for bins in bins {
        let Own {
            count,
            copies,
            size,
            locals,
        } = own_names(names, bins);
        let (ty, wanted) = (&bins.element, &style.locals);
        let wanted = if style.by_bins {
            format!("{wanted}({count} * sizeof({ty}))")
        } else {
            wanted.clone()
        };
        let room = match bins.blocks {
            true => format!("{}({count})", style.room),
            false => count.clone(),
        };
        let _ = write!(
            out,
            "{margin}size_t {count} = {};\n\
             {margin}size_t {copies} = {wanted};\n\
             {margin}size_t {size} = {copies} == 0 ? 1 : {copies} * {room};\n\
             {margin}{ty} *{locals} = ({ty} *)malloc({size} * sizeof({ty}));\n\
             {margin}if ({locals} == NULL) abort();\n",
            bins.count
        );
    }
    out
}

fn release(names: &Names<'_>, bins: &[&Bins], margin: &str) -> String {
    bins.iter()
        .map(|b| format!("{margin}free({});\n", own_names(names, b).locals))
        .collect()
}

fn create(names: &Names<'_>, bins: &[&Bins]) -> String {
    let sections: Vec<String> = bins
        .iter()
        .map(|b| own_names(names, b))
        .map(|Own { size, locals, .. }| format!("{locals}[0:{size}]"))
        .collect();
    format!(" create({})", sections.join(", "))
}

/// The bins as a flat array, and the clause that says they are on the device where C can tell.
fn flat(bins: &Bins, count: &str) -> (String, String) {
    let name = &bins.name;
    if bins.inner.is_empty() {
        (name.clone(), format!(" present({name}[0:{count}])"))
    } else {
        (format!("(({} *){name})", bins.element), String::new())
    }
}

/// Every copy becomes neutral, one element an iteration.
fn initialisation(names: &Names<'_>, bins: &Bins, style: &Style, margin: &str) -> String {
    let Own {
        count,
        copies,
        size,
        locals,
    } = own_names(names, bins);
    let (flat, present) = flat(bins, &count);
    let (start, present) = match neutral(bins) {
        Some(start) => (start, String::new()),
        None => (format!("{flat}[local % {count}]"), present),
    };
    let v = style.vector_length;
    format!(
        "{margin}if ({copies} != 0) {{\n\
         {margin}#pragma acc parallel loop gang vector vector_length({v}) present({locals}[0:{size}]){present}\n\
         {margin}  for (size_t local = 0; local < {size}; local++) {locals}[local] = {start};\n\
         {margin}}}\n"
    )
}

/// The copies are combined, in tiles, into the bins.
fn merge(names: &Names<'_>, bins: &Bins, style: &Style, margin: &str) -> String {
    let Own {
        count,
        copies,
        size,
        locals,
    } = own_names(names, bins);
    let (flat, present) = flat(bins, &count);
    let (ty, v) = (&bins.element, style.vector_length);
    let start = start(names, bins, "local", "bin", style);
    let value = format!("{locals}[{start} + bin]");
    let part = combine(bins.operator, "part", &value);
    let into = combine(bins.operator, &format!("{flat}[bin]"), "part");
    let clauses = format!("vector_length({v}) present({locals}[0:{size}]){present}");
    let mut out = format!("{margin}if ({copies} != 0) {{\n");
    let _ = match neutral(bins) {
        Some(start) => write!(
            out,
            "{margin}#pragma acc parallel loop gang vector collapse(2) {clauses}\n\
             {margin}  for (size_t tile = 0; tile < {copies}; tile += {TILE}) {{\n\
             {margin}    for (size_t bin = 0; bin < {count}; bin++) {{\n\
             {margin}      {ty} part = {start};\n\
             {margin}      for (size_t local = tile; local < tile + {TILE} && local < {copies}; local++) {part};\n\
             {margin}#pragma acc atomic update\n\
             {margin}      {into};\n\
             {margin}    }}\n\
             {margin}  }}\n"
        ),
        // There is no atomic minimum in OpenACC: one iteration combines all copies of a bin.
        None => write!(
            out,
            "{margin}#pragma acc parallel loop gang vector {clauses}\n\
             {margin}  for (size_t bin = 0; bin < {count}; bin++) {{\n\
             {margin}    {ty} part = {flat}[bin];\n\
             {margin}    for (size_t local = 0; local < {copies}; local++) {part};\n\
             {margin}    {flat}[bin] = part;\n\
             {margin}  }}\n"
        ),
    };
    let _ = writeln!(out, "{margin}}}");
    out
}

/// The update of the bins themselves, or of the gang's own copy.
fn update(text: &str, names: &Names<'_>, site: &Site, bins: &Bins, style: &Style) -> [Edit; 2] {
    let Own { copies, locals, .. } = own_names(names, bins);
    let margin = indentation(&text[site.pragma..]);
    let gang = format!("{}({}, {copies})", style.gang, site.gang);
    let bin = layout::flat(&site.indices, &bins.inner).unwrap_or_default();
    let mut own = format!("({locals} + {})", start(names, bins, &gang, &bin, style));
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
    [
        Edit {
            at: site.pragma,
            text: format!("{margin}if ({copies} == 0) {{\n"),
        },
        after(
            text,
            site.stmt.hi,
            &format!("{margin}}} else {{\n{pragma}{update}\n{margin}}}\n"),
        ),
    ]
}

/// Where a copy starts, for a bin.
fn start(names: &Names<'_>, bins: &Bins, local: &str, bin: &str, style: &Style) -> String {
    let Own { count, copies, .. } = own_names(names, bins);
    match bins.blocks {
        true => format!("{}({local}, {bin}, {count}, {copies})", style.start),
        false => format!("{local} * {count}"),
    }
}

/// The names that the copies of some bins bring along.
struct Own {
    /// The number of bins.
    count: String,
    /// The number of copies.
    copies: String,
    /// The number of elements of all copies.
    size: String,
    /// The copies.
    locals: String,
}

fn own_names(names: &Names<'_>, bins: &Bins) -> Own {
    let own = |what: &str| names.fresh(&format!("{}_{what}", bins.name));
    Own {
        count: own("bins"),
        copies: own("num_locals"),
        size: own("size"),
        locals: own("locals"),
    }
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

/// What stands once in a file: the named constant, and the copy of a gang.
pub(super) fn preamble(
    style: &Style,
    locals: Option<u32>,
    constant: &str,
    (stdlib, blocks): (bool, bool),
) -> String {
    let mut out = String::new();
    if stdlib {
        out.push_str("#include <stdlib.h>\n");
    }
    let _ = match locals {
        Some(n) => write!(
            out,
            "/* How many local copies the bins have; 0 updates the bins themselves. */\n\
             #ifndef {constant}\n#define {constant} {n}\n#endif\n"
        ),
        None => write!(
            out,
            "/* How many local copies bins of so many bytes have; {constant} overrides it, 0 updates the bins themselves. */\n\
             #ifdef {constant}\n#define {f}(bytes) ({constant})\n#else\n\
             #define {f}(bytes) \\\n  ((bytes) > {BUDGET}u / 2 ? 0 : (bytes) > {BUDGET}u / {MOST_COPIES} ? {BUDGET}u / (bytes) : {MOST_COPIES})\n#endif\n",
            f = style.locals,
        ),
    };
    // A multiplicative hash: the upper half of the product is spread evenly.
    let _ = write!(
        out,
        "/* The local copy of a gang; gangs that run at one time spread over all copies. */\n\
         #define {}(gang, num_locals) (((unsigned)(gang) * 2654435769u >> 16) % (unsigned)(num_locals))\n",
        style.gang
    );
    if blocks {
        out.push_str(&layout::macros(&style.room, &style.start));
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
