//! Where pieces of IR came from: the table from [`SourceId`] to tokens, lines and text.

use proc_macro2::{Delimiter, LineColumn, Span, TokenStream, TokenTree};

use crate::ir::SourceId;

/// One place in the user's source.
#[derive(Clone, Debug)]
pub struct Source {
    /// The tokens' span; of the first token where the compiler cannot join spans.
    pub span: Span,
    /// The line it starts in, from 1; 0 where the token has no position.
    pub line: usize,
    /// The text on one line, as the user spaced it.
    pub text: String,
    /// The tokens.
    pub tokens: TokenStream,
}

/// The table from [`SourceId`] to the user's source, one per function.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    entries: Vec<Source>,
}

impl SourceMap {
    /// Adds a piece of source and returns its id.
    pub fn add(&mut self, tokens: TokenStream, span: Span) -> SourceId {
        let id = SourceId(self.entries.len() as u32);
        self.entries.push(Source {
            span,
            line: span.start().line,
            text: text_of(&tokens),
            tokens,
        });
        id
    }

    /// The source of an id.
    ///
    /// # Panics
    ///
    /// If the id is of another map.
    pub fn get(&self, id: SourceId) -> &Source {
        &self.entries[id.0 as usize]
    }

    /// How many places are known; ids run from 0.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether nothing was added.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

/// What stands before the assignment operator, outside of brackets.
pub fn left_side(text: &str) -> &str {
    let mut depth = 0i32;
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '=' if depth == 0 => {
                return text[..i]
                    .trim_end_matches(['+', '-', '*', '/', '%', '&', '|', '^', '<', '>', ' ']);
            }
            _ => {}
        }
    }
    text
}

/// The text of tokens on one line, spaced as in the source where the tokens have positions.
///
/// ```
/// let tokens = "hist[p[0] as usize]  += 1".parse().unwrap();
/// assert_eq!(accrue_ir::source::text_of(&tokens), "hist[p[0] as usize] += 1");
/// ```
///
/// Slices that stand for arrays of other crates have the names of these.
pub fn text_of(tokens: &TokenStream) -> String {
    let mut out = String::new();
    let mut end = None;
    match crate::alias::written(tokens) {
        // What has been put together has no places.
        Some(written) => write_tokens(written, &mut out, &mut end, false),
        None => write_tokens(tokens.clone(), &mut out, &mut end, true),
    }
    out
}

fn write_tokens(tokens: TokenStream, out: &mut String, end: &mut Option<LineColumn>, placed: bool) {
    let place = |from: LineColumn, to: LineColumn| placed.then_some((from, to));
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                // Where a macro has handled the group, both delimiters have the span of the whole.
                let start = group.span_open().start();
                let last = group.span_close().end();
                let after = LineColumn {
                    column: start.column + 1,
                    ..start
                };
                let before = LineColumn {
                    column: last.column.saturating_sub(1),
                    ..last
                };
                write_word(open, place(start, after), out, end);
                write_tokens(group.stream(), out, end, placed);
                write_word(close, place(before, last), out, end);
            }
            other => {
                let span = other.span();
                let place = place(span.start(), span.end());
                write_word(&other.to_string(), place, out, end);
            }
        }
    }
}

fn write_word(
    word: &str,
    place: Option<(LineColumn, LineColumn)>,
    out: &mut String,
    end: &mut Option<LineColumn>,
) {
    if word.is_empty() {
        return;
    }
    let place = place.filter(|(start, _)| start.line > 0);
    let touches = match (*end, place) {
        (Some(end), Some((start, _))) if end.line > 0 => end == start,
        _ => touches_by_habit(out, word),
    };
    if !out.is_empty() && !touches && !out.ends_with(' ') {
        out.push(' ');
    }
    out.push_str(word);
    *end = place.map(|(_, stop)| stop);
}

/// How Rust is usually spaced, for tokens without positions.
fn touches_by_habit(before: &str, word: &str) -> bool {
    let last = before.chars().next_back().unwrap_or(' ');
    let first = word.chars().next().unwrap_or(' ');
    matches!(first, ')' | ']' | ',' | ';' | '.' | '?' | '[' | '(')
        || matches!(last, '(' | '[' | '.' | '!' | '&')
        || (first == ':' && last == ':')
        || before.ends_with("::")
        || (matches!(
            last,
            '+' | '-' | '*' | '/' | '=' | '<' | '>' | '|' | '&' | '^'
        ) && first == '=')
}
