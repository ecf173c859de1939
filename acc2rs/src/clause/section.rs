//! Lists of variables, members and array sections (OpenACC 2.7, section 2.7.1).

use super::parse::Reader;
use super::{Range, Section, Written};
use crate::codes;
use crate::diag::Diagnostic;
use crate::lex::{Kind, Token};

/// Reads `a, b[0:n], s->x[1:]` from the tokens between a clause's parentheses.
///
/// # Errors
///
/// A diagnostic on the first entry that is no variable or section.
pub fn list(
    reader: &Reader<'_>,
    tokens: &[Token<'_>],
) -> Result<Vec<Section<Written>>, Diagnostic> {
    let entries = super::parse::split(tokens, ",");
    entries
        .iter()
        .map(|entry| section(reader, entry, tokens))
        .collect()
}

fn section(
    reader: &Reader<'_>,
    entry: &[Token<'_>],
    list: &[Token<'_>],
) -> Result<Section<Written>, Diagnostic> {
    let wrong = |at: &[Token<'_>], what: &str| {
        let span = reader.span_or(at, list);
        Diagnostic::new(
            codes::CLAUSE_SYNTAX,
            span,
            format!("{what} in a list of variables"),
        )
        .help("write a variable `a`, a member `s.x`, or a section `a[start:length]`")
    };
    let Some(first) = entry
        .iter()
        .find(|t| !t.is("(") && !t.is("*") && !t.is("&"))
    else {
        return Err(wrong(entry, "an entry is missing"));
    };
    if first.kind != Kind::Ident {
        return Err(wrong(entry, "something that is no variable"));
    }
    let open = entry.iter().position(|t| t.is("[")).unwrap_or(entry.len());
    // `a[i].x[0:n]`: the base runs to the first bracket that no member follows.
    let mut base_end = open;
    let mut at = open;
    let mut ranges = Vec::new();
    while at < entry.len() {
        if !entry[at].is("[") {
            if matches!(entry[at].text, "." | "->")
                && entry.get(at + 1).is_some_and(|t| t.kind == Kind::Ident)
            {
                at += 2;
                base_end = at;
                ranges.clear();
                continue;
            }
            return Err(wrong(&entry[at..], "something that is no section"));
        }
        let close = super::parse::closing(entry, at)
            .ok_or_else(|| wrong(&entry[at..], "an open bracket"))?;
        ranges.push(range(reader, &entry[at + 1..close], &entry[at..=close])?);
        at = close + 1;
    }
    let plain = |t: &Token<'_>| {
        t.kind == Kind::Ident
            || matches!(
                t.text,
                "." | "->" | "(" | ")" | "*" | "&" | "[" | "]" | "+" | "-"
            )
            || t.kind == Kind::Number
    };
    if let Some(bad) = entry[..base_end].iter().position(|t| !plain(t)) {
        return Err(wrong(&entry[bad..], "something that is no variable"));
    }
    Ok(Section {
        name: first.text.to_string(),
        base: reader.written(&entry[..base_end]),
        ranges,
        span: reader.span_or(entry, list),
    })
}

fn range(
    reader: &Reader<'_>,
    inner: &[Token<'_>],
    outer: &[Token<'_>],
) -> Result<Range<Written>, Diagnostic> {
    let parts = super::parse::split(inner, ":");
    // A `?:` in a bound brings colons of its own.
    let questions = inner.iter().filter(|t| t.is("?")).count();
    let some = |part: &[Token<'_>]| (!part.is_empty()).then(|| reader.written(part));
    match parts.len() - questions.min(parts.len() - 1) {
        1 if inner.is_empty() => Ok(Range::Slice {
            start: None,
            len: None,
        }),
        1 => Ok(Range::Index(reader.written(inner))),
        2 if questions == 0 => Ok(Range::Slice {
            start: some(parts[0]),
            len: some(parts[1]),
        }),
        2 => {
            // The separator is the colon that no question mark before it claims.
            let mut open = 0;
            let colon = inner.iter().position(|t| {
                open += i32::from(t.is("?"));
                open -= i32::from(t.is(":"));
                open < 0
            });
            let colon = colon.unwrap_or(inner.len());
            Ok(Range::Slice {
                start: some(&inner[..colon]),
                len: some(inner.get(colon + 1..).unwrap_or(&[])),
            })
        }
        _ => Err(Diagnostic::new(
            codes::CLAUSE_SYNTAX,
            reader.span_or(inner, outer),
            "a section with more than one colon",
        )
        .help("OpenACC sections are `[start:length]`; there is no stride")),
    }
}
