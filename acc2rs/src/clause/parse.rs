//! Reads the clauses of one directive from its tokens.

use super::names::{self, Word};
use super::section;
use super::{Clause, ClauseKind, DataAction, DefaultKind, GangArg, Modifier, ReductionOp, Written};
use crate::codes;
use crate::diag::Diagnostic;
use crate::directive::DirectiveKind;
use crate::lex::{Kind, Token};
use crate::source::Span;

/// The pragma's text, and where it stands.
pub struct Reader<'a> {
    /// The text that the tokens' offsets are in.
    pub text: &'a str,
    /// Where that text stands.
    pub span: Span,
}

type Tokens<'a> = &'a [Token<'a>];

/// The index of the bracket that closes the one at `open`.
pub fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if token.is("(") || token.is("[") || token.is("{") {
            depth += 1;
        } else if token.is(")") || token.is("]") || token.is("}") {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

/// The tokens between separators outside all brackets; one empty piece for no tokens.
pub fn split<'t, 'a>(tokens: &'t [Token<'a>], separator: &str) -> Vec<&'t [Token<'a>]> {
    let mut out = Vec::new();
    let (mut depth, mut start) = (0i32, 0);
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            text if depth == 0 && text == separator => {
                out.push(&tokens[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(&tokens[start..]);
    out
}

impl Reader<'_> {
    /// Where tokens stand; the whole pragma for none.
    pub fn span(&self, tokens: &[Token<'_>]) -> Span {
        match (tokens.first(), tokens.last()) {
            (Some(first), Some(last)) => Span {
                lo: self.span.lo + first.at as u32,
                hi: self.span.lo + last.end() as u32,
                ..self.span
            },
            _ => self.span,
        }
    }

    /// Where tokens stand; where `other` ones do for none.
    pub fn span_or(&self, tokens: &[Token<'_>], other: &[Token<'_>]) -> Span {
        self.span(if tokens.is_empty() { other } else { tokens })
    }

    /// Tokens as an expression.
    pub fn written(&self, tokens: &[Token<'_>]) -> Written {
        let text = match (tokens.first(), tokens.last()) {
            (Some(first), Some(last)) => self.text[first.at..last.end()].to_string(),
            _ => String::new(),
        };
        Written {
            text,
            span: self.span(tokens),
        }
    }

    /// Reads clauses to the end; what cannot be read is reported and left out.
    pub fn clauses(
        &self,
        kind: DirectiveKind,
        tokens: &[Token<'_>],
        report: &mut Vec<Diagnostic>,
    ) -> Vec<Clause<Written>> {
        let mut out: Vec<Clause<Written>> = Vec::new();
        let mut seen: Vec<Word> = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            if tokens[at].is(",") && at > 0 {
                at += 1;
                continue;
            }
            let name = &tokens[at];
            if name.kind != Kind::Ident {
                let found = format!("`{}` where a clause is expected", name.text);
                report.push(Diagnostic::new(
                    codes::CLAUSE_SYNTAX,
                    self.span(&tokens[at..=at]),
                    found,
                ));
                return out;
            }
            let (args, end) = match tokens.get(at + 1) {
                Some(open) if open.is("(") => match closing(tokens, at + 1) {
                    Some(close) => (Some(&tokens[at + 2..close]), close + 1),
                    None => {
                        let found = format!("the parenthesis of `{}` is never closed", name.text);
                        report.push(Diagnostic::new(
                            codes::CLAUSE_SYNTAX,
                            self.span(&tokens[at..]),
                            found,
                        ));
                        return out;
                    }
                },
                _ => (None, at + 1),
            };
            let whole = &tokens[at..end];
            match self.clause(kind, name.text, args, whole) {
                Ok((word, clause)) => {
                    if word == Word::DeviceType {
                        seen.clear();
                    } else if names::once(word) && seen.contains(&word) {
                        let found = format!("`{}` stands twice on `acc {kind}`", name.text);
                        report.push(
                            Diagnostic::new(codes::CLAUSE_REPEATED, self.span(whole), found)
                                .help("keep one of them"),
                        );
                    }
                    seen.push(word);
                    out.push(clause);
                }
                Err(diagnostic) => report.push(diagnostic),
            }
            at = end;
        }
        out
    }

    fn clause(
        &self,
        directive: DirectiveKind,
        name: &str,
        args: Option<Tokens<'_>>,
        whole: Tokens<'_>,
    ) -> Result<(Word, Clause<Written>), Diagnostic> {
        let Some(word) = names::lookup(name).filter(|w| names::allows(directive, *w)) else {
            let allowed = names::allowed(directive);
            let help = match names::nearest(name, allowed.iter().copied()) {
                Some(near) => format!("is `{near}` meant?"),
                None if allowed.is_empty() => format!("`acc {directive}` takes no clauses"),
                None => format!("`acc {directive}` takes {}", backticked(&allowed)),
            };
            let message = format!("`acc {directive}` has no clause `{name}`");
            return Err(
                Diagnostic::new(codes::UNKNOWN_CLAUSE, self.span(&whole[..1]), message)
                    .label("not a clause of this directive")
                    .help(help),
            );
        };
        let kind = self.kind(directive, word, name, args, whole)?;
        Ok((
            word,
            Clause {
                span: self.span(whole),
                name: name.to_string(),
                kind,
            },
        ))
    }

    fn kind(
        &self,
        directive: DirectiveKind,
        word: Word,
        name: &str,
        args: Option<Tokens<'_>>,
        whole: Tokens<'_>,
    ) -> Result<ClauseKind<Written>, Diagnostic> {
        use ClauseKind as K;
        let wrong = |what: String, help: &str| {
            Diagnostic::new(codes::CLAUSE_SYNTAX, self.span(whole), what).help(help.to_string())
        };
        let filled = args.filter(|a| !a.is_empty());
        let one = || match filled {
            Some(tokens) if split(tokens, ",").len() == 1 => Ok(self.written(tokens)),
            Some(_) => Err(wrong(
                format!("`{name}` takes one expression"),
                "keep one of them",
            )),
            None => Err(wrong(
                format!("`{name}` needs an expression"),
                &format!("write `{name}(expression)`"),
            )),
        };
        let at_most_one = || {
            if args.is_some() {
                one().map(Some)
            } else {
                Ok(None)
            }
        };
        let bare = |kind| match args {
            None => Ok(kind),
            Some(_) => Err(wrong(
                format!("`{name}` takes no arguments"),
                &format!("write `{name}` alone"),
            )),
        };
        let list = |tokens: Tokens<'_>| -> Result<Vec<Written>, Diagnostic> {
            split(tokens, ",")
                .into_iter()
                .map(|e| match e.is_empty() {
                    true => Err(wrong(
                        format!("an expression of `{name}` is missing"),
                        "remove the comma",
                    )),
                    false => Ok(self.written(e)),
                })
                .collect()
        };
        Ok(match word {
            Word::Data(action) => self.data(action, name, filled, whole)?,
            Word::SelfWord if directive == DirectiveKind::Update => {
                self.data(DataAction::UpdateSelf, name, filled, whole)?
            }
            Word::SelfWord => K::SelfIf(at_most_one()?),
            Word::Reduction => self.reduction(filled, whole)?,
            Word::If => K::If(one()?),
            Word::Async => K::Async(at_most_one()?),
            Word::Wait => K::Wait(match filled {
                Some(tokens) => list(wait_queues(tokens))?,
                None => Vec::new(),
            }),
            Word::NumGangs => match filled {
                Some(tokens) => K::NumGangs(list(tokens)?),
                None => K::NumGangs(vec![one()?]),
            },
            Word::NumWorkers => K::NumWorkers(one()?),
            Word::VectorLength => K::VectorLength(one()?),
            Word::Gang => K::Gang(match filled {
                None => Vec::new(),
                Some(tokens) => split(tokens, ",")
                    .iter()
                    .map(|t| self.gang_arg(t, whole))
                    .collect::<Result<_, _>>()?,
            }),
            Word::Worker => K::Worker(filled.map(|t| self.written(after_label(t, "num")))),
            Word::Vector => K::Vector(filled.map(|t| self.written(after_label(t, "length")))),
            Word::Seq => bare(K::Seq)?,
            Word::Auto => bare(K::Auto)?,
            Word::Independent => bare(K::Independent)?,
            Word::Finalize => bare(K::Finalize)?,
            Word::IfPresent => bare(K::IfPresent)?,
            Word::NoHost => bare(K::NoHost)?,
            Word::Collapse => match filled {
                Some(tokens) => K::Collapse(self.written(after_label(tokens, "force"))),
                None => K::Collapse(one()?),
            },
            Word::Tile => match filled {
                None => {
                    return Err(wrong(
                        "`tile` needs its sizes".into(),
                        "write `tile(8, 8)` or `tile(*)`",
                    ));
                }
                Some(tokens) => {
                    let sizes = split(tokens, ",").into_iter();
                    K::Tile(
                        sizes
                            .map(|t| {
                                (!matches!(t, [star] if star.is("*"))).then(|| self.written(t))
                            })
                            .collect(),
                    )
                }
            },
            Word::DeviceType => match filled {
                None => {
                    return Err(wrong(
                        format!("`{name}` needs a device"),
                        &format!("write `{name}(nvidia)` or `{name}(*)`"),
                    ));
                }
                Some(tokens) => K::DeviceType(
                    tokens
                        .iter()
                        .filter(|t| !t.is(","))
                        .map(|t| t.text.to_string())
                        .collect(),
                ),
            },
            Word::Default => match filled {
                Some([word]) if word.is("none") => K::Default(DefaultKind::None),
                Some([word]) if word.is("present") => K::Default(DefaultKind::Present),
                _ => {
                    return Err(wrong(
                        "`default` takes `none` or `present`".into(),
                        "write `default(present)` or `default(none)`",
                    ));
                }
            },
            Word::Bind => match filled {
                Some([name]) => K::Bind(name.text.trim_matches('"').to_string()),
                _ => {
                    return Err(wrong(
                        "`bind` takes a name or a string".into(),
                        "write `bind(name)`",
                    ));
                }
            },
            Word::DeviceNum => K::DeviceNum(one()?),
            Word::DefaultAsync => K::DefaultAsync(one()?),
        })
    }

    fn data(
        &self,
        action: DataAction,
        name: &str,
        args: Option<Tokens<'_>>,
        whole: Tokens<'_>,
    ) -> Result<ClauseKind<Written>, Diagnostic> {
        let Some(tokens) = args else {
            let message = format!("`{name}` needs a list of variables");
            return Err(
                Diagnostic::new(codes::CLAUSE_SYNTAX, self.span(whole), message)
                    .help(format!("write `{name}(a[0:n])`, or remove the clause")),
            );
        };
        let (modifier, tokens) = modifier(tokens);
        Ok(ClauseKind::Data {
            action,
            modifier,
            vars: section::list(self, tokens)?,
        })
    }

    fn reduction(
        &self,
        args: Option<Tokens<'_>>,
        whole: Tokens<'_>,
    ) -> Result<ClauseKind<Written>, Diagnostic> {
        let wrong = |message: String| {
            let all = ReductionOp::ALL.map(|(text, _)| text);
            Err(
                Diagnostic::new(codes::CLAUSE_SYNTAX, self.span(whole), message).help(format!(
                    "write `reduction(op:vars)` with one of {}",
                    backticked(&all)
                )),
            )
        };
        let Some(tokens) = args else {
            return wrong("`reduction` needs an operator and variables".into());
        };
        let Some(colon) = tokens.iter().position(|t| t.is(":")) else {
            return wrong("`reduction` needs an operator before its variables".into());
        };
        let text: String = tokens[..colon].iter().map(|t| t.text).collect();
        let Some((_, op)) = ReductionOp::ALL.iter().find(|(name, _)| *name == text) else {
            return wrong(format!("`{text}` is no reduction operator"));
        };
        Ok(ClauseKind::Reduction {
            op: *op,
            vars: section::list(self, &tokens[colon + 1..])?,
        })
    }

    fn gang_arg(
        &self,
        tokens: &[Token<'_>],
        whole: &[Token<'_>],
    ) -> Result<GangArg<Written>, Diagnostic> {
        let (label, value) = match tokens {
            [label, colon, value @ ..] if colon.is(":") => (label.text, value),
            _ => ("num", tokens),
        };
        let star = matches!(value, [star] if star.is("*"));
        match label {
            _ if value.is_empty() => Err(Diagnostic::new(
                codes::CLAUSE_SYNTAX,
                self.span(whole),
                "an argument of `gang` is missing",
            )),
            "static" if star => Ok(GangArg::Static(None)),
            "static" => Ok(GangArg::Static(Some(self.written(value)))),
            "num" | "dim" => Ok(GangArg::Num(self.written(value))),
            _ => Err(Diagnostic::new(
                codes::CLAUSE_SYNTAX,
                self.span(whole),
                format!("`gang` has no argument `{label}:`"),
            )
            .help("write `gang(num: n)` or `gang(static: size)`")),
        }
    }
}

/// Names for a help line: `` `a`, `b` ``.
fn backticked(names: &[&str]) -> String {
    names
        .iter()
        .map(|n| format!("`{n}`"))
        .collect::<Vec<_>>()
        .join(", ")
}

/// The list of a `cache` directive or data clause, its modifier taken off.
pub fn modifier<'t, 'a>(tokens: &'t [Token<'a>]) -> (Option<Modifier>, &'t [Token<'a>]) {
    match tokens {
        [word, colon, rest @ ..] if colon.is(":") && word.is("readonly") => {
            (Some(Modifier::ReadOnly), rest)
        }
        [word, colon, rest @ ..] if colon.is(":") && word.is("zero") => {
            (Some(Modifier::Zero), rest)
        }
        _ => (None, tokens),
    }
}

/// The queues of a `wait`, with `devnum: n:` and `queues:` taken off.
pub fn wait_queues<'t, 'a>(mut tokens: &'t [Token<'a>]) -> &'t [Token<'a>] {
    if let [word, colon, rest @ ..] = tokens
        && word.is("devnum")
        && colon.is(":")
    {
        let end = rest.iter().position(|t| t.is(":")).map_or(0, |at| at + 1);
        tokens = &rest[end..];
    }
    after_label(tokens, "queues")
}

fn after_label<'t, 'a>(tokens: &'t [Token<'a>], label: &str) -> &'t [Token<'a>] {
    match tokens {
        [word, colon, rest @ ..] if word.is(label) && colon.is(":") && !rest.is_empty() => rest,
        _ => tokens,
    }
}
