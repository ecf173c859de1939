//! Macros of the user's files, and the way from each preprocessed token back to the token the
//! user wrote.
//!
//! The preprocessor's line markers say which line a piece of output came from; columns and macro
//! names are lost. This module expands the raw lines once more, remembering for each token where
//! it came from, and lays the result against the preprocessor's. Where the two are the same, which
//! is nearly always, the way back is exact; where they are not (`__LINE__`, `_Pragma`, a builtin),
//! equal tokens are matched in order and the rest is attributed to the token before.
//!
//! The expansion is that of C11 6.10.3 with hide sets (Prosser's algorithm).

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::lex::{self, Kind, Token};
use crate::source::FileId;

/// A `#define` in force.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Macro {
    /// Its name.
    pub name: String,
    /// The parameters of a function-like macro.
    pub params: Option<Vec<String>>,
    /// Whether the last parameter takes the rest of the arguments.
    pub variadic: bool,
    /// The replacement list.
    pub body: String,
    /// Whether it was defined in one of the user's files.
    pub user: bool,
}

/// Macros in force at one point of the text.
pub type Table = HashMap<String, Arc<Macro>>;

/// Where one preprocessed token came from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Origin {
    /// Offset in the preprocessed text.
    pub at: u32,
    /// Length there.
    pub len: u32,
    /// The user's file.
    pub file: FileId,
    /// First byte of the token (or macro name) that it came from.
    pub raw_lo: u32,
    /// Just past the last byte of it.
    pub raw_hi: u32,
    /// The outermost macro use it came out of: index into the unit's uses.
    pub macro_use: Option<u32>,
}

/// One use of a macro in a user's file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Use {
    /// The macro.
    pub of: Arc<Macro>,
    /// First of the origins that it expanded to.
    pub first: u32,
    /// Just past the last of them.
    pub last: u32,
    /// The text of the arguments as written.
    pub args: Vec<String>,
}

/// Parses a `#define` line, as `-dD` prints it; `None` if it is none.
pub fn parse_define(line: &str, user: bool) -> Option<Macro> {
    let rest = line.strip_prefix("#define ")?;
    let name_len = rest
        .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
        .unwrap_or(rest.len());
    let (name, rest) = rest.split_at(name_len);
    let mut found = Macro {
        name: name.into(),
        params: None,
        variadic: false,
        body: rest.trim().into(),
        user,
    };
    if let Some(inner) = rest.strip_prefix('(') {
        let (params, body) = inner.split_once(')')?;
        let mut names: Vec<String> = params
            .split(',')
            .map(|p| p.trim().to_string())
            .filter(|p| !p.is_empty())
            .collect();
        if let Some(last) = names.last_mut()
            && let Some(stem) = last.strip_suffix("...")
        {
            found.variadic = true;
            *last = if stem.is_empty() {
                "__VA_ARGS__".into()
            } else {
                stem.trim().into()
            };
        }
        found.params = Some(names);
        found.body = body.trim().into();
    }
    (!name.is_empty()).then_some(found)
}

/// The raw tokens of a file, directives other than `#pragma` left out.
pub fn raw_tokens(text: &str) -> Vec<Token<'_>> {
    let all = lex::tokens(text);
    let mut out = Vec::with_capacity(all.len());
    let mut at = 0;
    while at < all.len() {
        let directive = all[at].is("#")
            && all[at].first_on_line
            && !all.get(at + 1).is_some_and(|t| t.is("pragma"));
        if directive {
            at += 1;
            while at < all.len() && !all[at].first_on_line {
                at += 1;
            }
        } else {
            out.push(all[at]);
            at += 1;
        }
    }
    out
}

/// Where the tokens of one preprocessed chunk came from.
pub struct Aligned {
    /// For each preprocessed token the index of the raw token, and of the use it came out of.
    pub from: Vec<(usize, Option<usize>)>,
    /// The uses: macro, token range in the chunk, arguments.
    pub uses: Vec<Use>,
}

/// Lays preprocessed tokens against the raw ones they came from, which start at `raw[0]`.
pub fn align(
    preprocessed: &[Token<'_>],
    raw: &[Token<'_>],
    raw_text: &str,
    macros: &Table,
) -> Aligned {
    let mut expander = Expander::new(macros, raw_text, raw);
    let mut from = Vec::with_capacity(preprocessed.len());
    for token in preprocessed {
        match expander.next() {
            Some(made) if *made.text == *token.text => from.push((made.raw, made.top)),
            _ => return align_loosely(preprocessed, raw),
        }
    }
    let mut uses = expander.uses;
    for (at, (_, top)) in from.iter().enumerate() {
        if let Some(top) = top {
            let used = &mut uses[*top];
            if used.last == 0 {
                used.first = at as u32;
            }
            used.last = at as u32 + 1;
        }
    }
    Aligned { from, uses }
}

/// Matches equal tokens in order, looking at most this far ahead.
const LOOK_AHEAD: usize = 48;

fn align_loosely(preprocessed: &[Token<'_>], raw: &[Token<'_>]) -> Aligned {
    let mut at = 0;
    let mut last = 0;
    let mut from = Vec::with_capacity(preprocessed.len());
    for token in preprocessed {
        let ahead = raw.get(at..(at + LOOK_AHEAD).min(raw.len())).unwrap_or(&[]);
        if let Some(found) = ahead.iter().position(|r| r.text == token.text) {
            last = at + found;
            at = last + 1;
        }
        from.push((last, None));
    }
    Aligned {
        from,
        uses: Vec::new(),
    }
}

#[derive(Clone)]
struct Made {
    text: Rc<str>,
    kind: Kind,
    raw: usize,
    top: Option<usize>,
    hidden: Hidden,
}

/// Names that may not be expanded again, as a list shared between tokens.
type Hidden = Option<Rc<HiddenName>>;

struct HiddenName {
    name: Rc<str>,
    rest: Hidden,
}

fn hides(mut hidden: &Hidden, name: &str) -> bool {
    while let Some(node) = hidden {
        if *node.name == *name {
            return true;
        }
        hidden = &node.rest;
    }
    false
}

/// More tokens than any chunk of real code expands to: past it the alignment is given up.
const MOST_TOKENS: usize = 200_000;
const DEEPEST: usize = 64;

struct Expander<'a> {
    macros: &'a Table,
    raw_text: &'a str,
    raw: &'a [Token<'a>],
    next_raw: usize,
    /// Tokens to read before the raw ones, last first.
    pending: Vec<Made>,
    uses: Vec<Use>,
    budget: usize,
    depth: usize,
}

impl<'a> Expander<'a> {
    fn new(macros: &'a Table, raw_text: &'a str, raw: &'a [Token<'a>]) -> Self {
        Expander {
            macros,
            raw_text,
            raw,
            next_raw: 0,
            pending: Vec::new(),
            uses: Vec::new(),
            budget: MOST_TOKENS,
            depth: 0,
        }
    }

    fn take(&mut self) -> Option<Made> {
        if self.budget == 0 {
            return None;
        }
        self.budget -= 1;
        if let Some(made) = self.pending.pop() {
            return Some(made);
        }
        let token = self.raw.get(self.next_raw)?;
        self.next_raw += 1;
        Some(Made {
            text: token.text.into(),
            kind: token.kind,
            raw: self.next_raw - 1,
            top: None,
            hidden: None,
        })
    }

    fn next(&mut self) -> Option<Made> {
        loop {
            let token = self.take()?;
            if token.kind != Kind::Ident || hides(&token.hidden, &token.text) {
                return Some(token);
            }
            let Some(found) = self.macros.get(&*token.text) else {
                return Some(token);
            };
            let found = Arc::clone(found);
            if let Some(params) = &found.params {
                let Some(open) = self.take() else {
                    return Some(token);
                };
                if &*open.text != "(" {
                    self.pending.push(open);
                    return Some(token);
                }
                let args = self.arguments(params.len(), found.variadic)?;
                self.replace(&token, &found, Some((params, args)));
            } else {
                self.replace(&token, &found, None);
            }
        }
    }

    /// The arguments of a call whose opening parenthesis was taken.
    fn arguments(&mut self, params: usize, variadic: bool) -> Option<Vec<Vec<Made>>> {
        let mut args = vec![Vec::new()];
        let mut depth = 0;
        loop {
            let token = self.take()?;
            match &*token.text {
                "(" => depth += 1,
                ")" if depth == 0 => return Some(args),
                ")" => depth -= 1,
                "," if depth == 0 && !(variadic && args.len() >= params) => {
                    args.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            args.last_mut()?.push(token);
        }
    }

    fn replace(
        &mut self,
        name: &Made,
        found: &Arc<Macro>,
        call: Option<(&Vec<String>, Vec<Vec<Made>>)>,
    ) {
        let top = match name.top {
            Some(top) => top,
            None => {
                let args = call.as_ref().map_or(Vec::new(), |(_, args)| {
                    args.iter().map(|a| self.written(a)).collect()
                });
                self.uses.push(Use {
                    of: Arc::clone(found),
                    first: 0,
                    last: 0,
                    args,
                });
                self.uses.len() - 1
            }
        };
        let hidden = Some(Rc::new(HiddenName {
            name: Rc::clone(&name.text),
            rest: name.hidden.clone(),
        }));
        let body = lex::tokens(&found.body);
        let mut out: Vec<Made> = Vec::with_capacity(body.len());
        let plain = |t: &Token<'_>| Made {
            text: t.text.into(),
            kind: t.kind,
            raw: name.raw,
            top: Some(top),
            hidden: hidden.clone(),
        };
        let argument = |t: &Token<'_>| {
            let (params, args) = call.as_ref()?;
            let at = params
                .iter()
                .position(|p| p == t.text)
                .filter(|_| t.kind == Kind::Ident)?;
            Some(args.get(at).map_or(&[][..], |a| &a[..]))
        };
        let mut at = 0;
        while at < body.len() {
            let token = &body[at];
            let pasted = body.get(at + 1).is_some_and(|t| t.is("##"));
            if token.is("#")
                && call.is_some()
                && body.get(at + 1).is_some_and(|t| argument(t).is_some())
            {
                let arg = argument(&body[at + 1]).unwrap_or(&[]);
                let mut made = plain(token);
                made.text = stringify(self.raw_text, self.raw, arg).into();
                made.kind = Kind::Str;
                out.push(made);
                at += 2;
            } else if token.is("##") && at + 1 < body.len() && !out.is_empty() {
                let right = &body[at + 1];
                let arg = argument(right).map(<[Made]>::to_vec);
                let mut parts = arg.unwrap_or_else(|| vec![plain(right)]).into_iter();
                if let (Some(left), Some(first)) = (out.last_mut(), parts.next()) {
                    left.text = format!("{}{}", left.text, first.text).into();
                    left.kind = lex::tokens(&left.text)
                        .first()
                        .map_or(Kind::Punct, |t| t.kind);
                }
                out.extend(parts.map(|p| Made {
                    top: Some(top),
                    ..p
                }));
                at += 2;
            } else if let Some(arg) = argument(token) {
                let made = if pasted {
                    arg.to_vec()
                } else {
                    self.expanded(arg)
                };
                out.extend(made.into_iter().map(|m| Made {
                    top: Some(top),
                    ..m
                }));
                at += 1;
            } else {
                out.push(plain(token));
                at += 1;
            }
        }
        self.pending.extend(out.into_iter().rev());
    }

    /// An argument fully expanded by itself, as C asks for before it is substituted.
    fn expanded(&mut self, arg: &[Made]) -> Vec<Made> {
        if self.depth > DEEPEST {
            return arg.to_vec();
        }
        let mut inner = Expander::new(self.macros, self.raw_text, &[]);
        inner.pending = arg.iter().rev().cloned().collect();
        inner.budget = self.budget;
        inner.depth = self.depth + 1;
        let mut out = Vec::new();
        while let Some(token) = inner.next() {
            out.push(token);
        }
        self.budget = inner.budget;
        out
    }

    fn written(&self, arg: &[Made]) -> String {
        let raw = |m: Option<&Made>| m.and_then(|m| self.raw.get(m.raw));
        match (raw(arg.first()), raw(arg.last())) {
            (Some(first), Some(last)) if first.at <= last.at => {
                self.raw_text[first.at..last.end()].to_string()
            }
            _ => String::new(),
        }
    }
}

/// `#arg` as C11 6.10.3.2 says: spaces where the source has some, quotes and backslashes of
/// literals escaped.
fn stringify(raw_text: &str, raw: &[Token<'_>], arg: &[Made]) -> String {
    let mut out = String::from("\"");
    for (at, made) in arg.iter().enumerate() {
        let gap = at > 0
            && {
                let (before, this) = (raw.get(arg[at - 1].raw), raw.get(made.raw));
                matches!((before, this), (Some(b), Some(t)) if b.end() < t.at && raw_text.is_char_boundary(t.at))
            };
        if gap {
            out.push(' ');
        }
        if matches!(made.kind, Kind::Str | Kind::Char) {
            out.push_str(&made.text.replace('\\', "\\\\").replace('"', "\\\""));
        } else {
            out.push_str(&made.text);
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(defines: &[&str]) -> Table {
        let parse = |d: &&str| parse_define(d, true).expect("a define");
        defines
            .iter()
            .map(parse)
            .map(|m| (m.name.clone(), Arc::new(m)))
            .collect()
    }

    fn check(defines: &[&str], raw: &str, preprocessed: &str) -> Aligned {
        let macros = table(defines);
        let raw_tokens = raw_tokens(raw);
        align(&lex::tokens(preprocessed), &raw_tokens, raw, &macros)
    }

    #[test]
    fn object_macros_are_traced() {
        let out = check(
            &["#define N (M*2)", "#define M 8"],
            "a[N] = 1;",
            "a[(8*2)] = 1;",
        );
        assert_eq!(out.uses.len(), 1);
        assert_eq!(out.uses[0].of.name, "N");
        assert_eq!((out.uses[0].first, out.uses[0].last), (2, 7));
        assert_eq!(out.from[2], (2, Some(0)));
        assert_eq!(out.from[8].0, 4, "the `=` is the fifth raw token");
    }

    #[test]
    fn function_macros_are_traced_with_their_arguments() {
        let out = check(
            &["#define IDX(i, j) ((i)*W+(j))", "#define W 3"],
            "a[IDX(x, y+1)]",
            "a[((x)*3+(y+1))]",
        );
        assert_eq!(out.uses[0].args, ["x", "y+1"]);
        assert_eq!(out.from[4].0, 4, "the argument's own token");
    }

    #[test]
    fn stringify_and_paste() {
        let out = check(
            &["#define S(x) #x", "#define C(a, b) a##b"],
            "S(a + \"b\") C(v, 1)",
            "\"a + \\\"b\\\"\" v1",
        );
        assert_eq!(out.uses.len(), 2);
    }

    #[test]
    fn recursion_stops() {
        let out = check(&["#define f(x) f(x+1)"], "f(2);", "f(2+1);");
        assert_eq!(out.uses.len(), 1);
    }

    #[test]
    fn unknown_expansions_are_matched_loosely() {
        let out = check(&[], "x = __LINE__ + y;", "x = 12 + y;");
        assert!(out.uses.is_empty());
        assert_eq!(out.from[4].0, 4);
    }
}
