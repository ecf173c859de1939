//! Iteration expressions (`pixels.iter().enumerate().skip(1)`) as a base and its adaptors.

use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, ExprMethodCall, Pat, RangeLimits, UnOp};

use super::outer::OuterScope;
use crate::diag::{Code, Diagnostic};
use crate::syntax::without_parens;

/// What a `for` loop iterates over, recognised by its form.
#[derive(Clone)]
pub struct Chain {
    /// Where the items come from.
    pub base: Base,
    /// What is done to them, innermost first.
    pub adaptors: Vec<Adaptor>,
    /// The expression as the user wrote it.
    pub expr: Expr,
}

/// The user's iteration of one dimension: `for PAT in CHAIN`.
#[derive(Clone)]
pub struct Iteration {
    /// The pattern.
    pub pat: Pat,
    /// The iteration expression.
    pub chain: Chain,
}

/// Where the items of a [`Chain`] come from.
#[derive(Clone)]
pub enum Base {
    /// `start..end` or `start..=end`.
    Range {
        /// The first number.
        start: Expr,
        /// The end.
        end: Expr,
        /// Whether the end is included.
        inclusive: bool,
    },
    /// `start..`, beside items that come to an end.
    From(Expr),
    /// The elements of a slice, an array or a `Vec`.
    Elements {
        /// The collection: without `&` and without `.iter()`.
        of: Expr,
        /// How it was made an iterator.
        form: Form,
    },
    /// `s.bytes()` of a `str`: bytes by value. The expression is the one before `.bytes()`.
    Bytes(Expr),
    /// `x.chunks_exact(k)` of a slice.
    ChunksExact(Expr, Expr),
    /// `x.chunks(k)` of a slice: the last one may be shorter.
    Chunks(Expr, Expr),
    /// `x.windows(k)` of a slice.
    Windows(Expr, Expr),
    /// `x.chunks_exact_mut(k)` of a slice, or `x.chunks_mut(k)`, which says whether it is exact.
    ChunksMut(Expr, Expr, bool),
}

/// How a collection was made an iterator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `for x in data`: by reference if `data` is a reference, else by value.
    Plain,
    /// `for x in &data`.
    Reference,
    /// `data.iter()`.
    Iter,
    /// `data.into_iter()`: like `Plain`.
    IntoIter,
    /// `&mut data` or `data.iter_mut()`, for loops inside the body only.
    Mutable,
}

/// What an adaptor of a [`Chain`] does to the items before it.
#[derive(Clone)]
pub enum Adaptor {
    /// `.copied()`.
    Copied,
    /// `.cloned()`.
    Cloned,
    /// `.enumerate()`.
    Enumerate,
    /// `.zip(other)`.
    Zip(Box<Chain>),
    /// `.skip(n)`.
    Skip(Expr),
    /// `.take(n)`.
    Take(Expr),
    /// `.rev()`.
    Rev,
    /// `.step_by(k)`.
    StepBy(Expr),
}

/// Recognises an iteration expression.
///
/// # Errors
///
/// On the first method that cannot be understood as an adaptor, with what to write instead.
pub fn outer_chain(expr: &Expr) -> Result<Chain, Diagnostic> {
    let chain = chain(expr)?;
    match handed_out(&chain).first() {
        None => Ok(chain),
        Some(of) => Err(Diagnostic::new(
            Code::Iteration,
            of.span(),
            "the parallel loop iterates over `&mut` elements",
        )
        .help("iterate over positions and update by index: `for i in 0..h.len() { h[i] += … }`")),
    }
}

/// Recognises the iteration expression of a loop of any kind, whose iterations may each get elements of their own.
///
/// # Errors
///
/// As [`outer_chain`].
pub fn any_chain(expr: &Expr, outer: &OuterScope) -> Result<Chain, Diagnostic> {
    let mut chain = chain(expr)?;
    hand_out(&mut chain, outer);
    let is_iterator = |of: &&&Expr| match of {
        Expr::Path(path) => path
            .path
            .get_ident()
            .and_then(|name| outer.get(&name.to_string()))
            .is_some_and(|known| known.iterator),
        _ => false,
    };
    match handed_out(&chain).iter().find(is_iterator) {
        Some(of) => Err(advanced(of)),
        None => Ok(chain),
    }
}

/// Whether an expression is an iterator over a collection.
pub fn is_iterator(expr: &Expr) -> bool {
    let expr = without_parens(expr);
    let is_slice = |chain: Chain| {
        matches!(
            chain.base,
            Base::Elements {
                form: Form::Plain,
                ..
            }
        ) && chain.adaptors.is_empty()
    };
    matches!(expr, Expr::MethodCall(_)) && chain(expr).is_ok_and(|chain| !is_slice(chain))
}

/// `for x in &mut it` and `it.by_ref()` of an iterator.
fn advanced(of: &Expr) -> Diagnostic {
    let of_it = of.to_token_stream();
    Diagnostic::new(
        Code::Iteration,
        of.span(),
        format!("`{of_it}` is an iterator, which this loop advances for what is behind it"),
    )
    .help("iterate over what it is made of, `for x in data.chunks_exact(2)`; what is left over is a slice of the data")
}

/// `for x in v` of a `v: &mut [T]` hands `&mut` elements out.
fn hand_out(chain: &mut Chain, outer: &OuterScope) {
    if let Base::Elements { of, form } = &mut chain.base
        && let (Expr::Path(path), Form::Plain | Form::IntoIter) = (&*of, *form)
        && let Some(name) = path.path.get_ident()
        && outer.get(&name.to_string()).is_some_and(|o| o.exclusive)
    {
        *form = Form::Mutable;
    }
    for adaptor in &mut chain.adaptors {
        if let Adaptor::Zip(other) = adaptor {
            hand_out(other, outer);
        }
    }
}

/// What a chain is made of, where it is a collection.
pub fn collections(chain: &Chain) -> Vec<&Expr> {
    let base = match &chain.base {
        Base::Range { .. } | Base::From(_) => None,
        Base::Elements { of, .. }
        | Base::Bytes(of)
        | Base::ChunksExact(of, _)
        | Base::Chunks(of, _)
        | Base::ChunksMut(of, ..)
        | Base::Windows(of, _) => Some(of),
    };
    let zipped = chain.adaptors.iter().flat_map(|adaptor| match adaptor {
        Adaptor::Zip(other) => collections(other),
        _ => Vec::new(),
    });
    base.into_iter().chain(zipped).collect()
}

/// What a chain hands out `&mut` elements of.
pub fn handed_out(chain: &Chain) -> Vec<&Expr> {
    let base = match &chain.base {
        Base::Elements {
            of,
            form: Form::Mutable,
        }
        | Base::ChunksMut(of, ..) => Some(of),
        _ => None,
    };
    let zipped = chain.adaptors.iter().flat_map(|adaptor| match adaptor {
        Adaptor::Zip(other) => handed_out(other),
        _ => Vec::new(),
    });
    base.into_iter().chain(zipped).collect()
}

/// Which parts of a chain's items are `&mut` elements.
#[derive(Clone, Debug)]
pub enum Lent {
    /// All that the item is.
    All,
    /// Nothing of it.
    Nothing,
    /// Those of a pair's two parts.
    Pair(Box<Lent>, Box<Lent>),
}

/// Which parts of the items are `&mut` elements.
pub fn lent(chain: &Chain) -> Lent {
    let base = match &chain.base {
        Base::Elements {
            form: Form::Mutable,
            ..
        }
        | Base::ChunksMut(..) => Lent::All,
        _ => Lent::Nothing,
    };
    let adaptors = chain.adaptors.iter();
    adaptors.fold(base, |item, adaptor| match adaptor {
        Adaptor::Enumerate => Lent::Pair(Box::new(Lent::Nothing), Box::new(item)),
        Adaptor::Zip(other) => Lent::Pair(Box::new(item), Box::new(lent(other))),
        Adaptor::Copied | Adaptor::Cloned => Lent::Nothing,
        Adaptor::Skip(_) | Adaptor::Take(_) | Adaptor::Rev | Adaptor::StepBy(_) => item,
    })
}

/// Recognises an iteration expression, of a loop inside the body too.
///
/// # Errors
///
/// As [`outer_chain`].
pub fn chain(expr: &Expr) -> Result<Chain, Diagnostic> {
    let chain = any_length(expr)?;
    match endless(&chain) {
        None => Ok(chain),
        Some(start) => Err(Diagnostic::new(
            Code::Iteration,
            start.span(),
            "a range without an end cannot be split into parts",
        )
        .help(
            "write both ends, `a..b`; to count the items of another iterator, use `.enumerate()`",
        )),
    }
}

/// The same, where what it is zipped with may say how many items there are.
fn any_length(expr: &Expr) -> Result<Chain, Diagnostic> {
    let mut adaptors = Vec::new();
    let base = walk(expr, &mut adaptors)?;
    Ok(Chain {
        base,
        adaptors,
        expr: expr.clone(),
    })
}

/// Where the numbers start that a chain has no end of.
fn endless(chain: &Chain) -> Option<&Expr> {
    let Base::From(start) = &chain.base else {
        return None;
    };
    let ends = |adaptor: &Adaptor| match adaptor {
        Adaptor::Zip(other) => endless(other).is_none(),
        Adaptor::Take(_) => true,
        _ => false,
    };
    (!chain.adaptors.iter().any(ends)).then_some(start)
}

fn walk(expr: &Expr, adaptors: &mut Vec<Adaptor>) -> Result<Base, Diagnostic> {
    match expr {
        Expr::Paren(e) => walk(&e.expr, adaptors),
        Expr::Group(e) => walk(&e.expr, adaptors),
        Expr::Range(range) => match (&range.start, &range.end) {
            (Some(start), Some(end)) => Ok(Base::Range {
                start: (**start).clone(),
                end: (**end).clone(),
                inclusive: matches!(range.limits, RangeLimits::Closed(_)),
            }),
            (Some(start), None) => Ok(Base::From((**start).clone())),
            _ => Err(Diagnostic::new(
                Code::Iteration,
                limits_span(&range.limits),
                "a range without a start has no items",
            )
            .help("write both ends, `a..b`")),
        },
        Expr::Reference(e) if e.mutability.is_some() => Ok(Base::Elements {
            of: referred(&e.expr).clone(),
            form: Form::Mutable,
        }),
        Expr::Reference(e) => Ok(Base::Elements {
            of: (*e.expr).clone(),
            form: Form::Reference,
        }),
        Expr::MethodCall(call) => method(call, adaptors),
        Expr::Path(_)
        | Expr::Field(_)
        | Expr::Index(_)
        | Expr::Array(_)
        | Expr::Repeat(_)
        | Expr::Unary(_)
        | Expr::Lit(_) => Ok(Base::Elements {
            of: expr.clone(),
            form: Form::Plain,
        }),
        _ => Err(Diagnostic::new(
            Code::Iteration,
            expr.span(),
            "what is iterated over here cannot be split into parts",
        )
        .help(SUPPORTED)),
    }
}

/// The variable by which a collection is referred to, `r` of `&mut *r`: its elements are the same.
fn referred(of: &Expr) -> &Expr {
    match of {
        Expr::Unary(e) if matches!((&e.op, &*e.expr), (UnOp::Deref(_), Expr::Path(_))) => &e.expr,
        of => of,
    }
}

const SUPPORTED: &str = "iterate over a range, a slice, an array, a `Vec` or `.bytes()` of a `str`, with any of `.iter()`, \
`.copied()`, `.enumerate()`, `.zip(..)`, `.chunks_exact(k)`, `.chunks(k)`, `.windows(k)`, `.skip(n)`, `.take(n)`, \
`.step_by(k)` and `.rev()`; `.filter(..)`, `.map(..)` and `.filter_map(..)` with closures may stand behind them";

fn method(call: &ExprMethodCall, adaptors: &mut Vec<Adaptor>) -> Result<Base, Diagnostic> {
    let name = call.method.to_string();
    let args: Vec<&Expr> = call.args.iter().collect();
    let receiver = || (*call.receiver).clone();
    let base = match (name.as_str(), args.as_slice()) {
        ("iter", []) => Some(Base::Elements {
            of: receiver(),
            form: Form::Iter,
        }),
        ("into_iter", []) => match &*call.receiver {
            // `data.iter().into_iter()` and the like are iterators already.
            Expr::MethodCall(_) | Expr::Paren(_) => return walk(&call.receiver, adaptors),
            Expr::Reference(e) if e.mutability.is_none() => Some(Base::Elements {
                of: (*e.expr).clone(),
                form: Form::Reference,
            }),
            _ => Some(Base::Elements {
                of: receiver(),
                form: Form::IntoIter,
            }),
        },
        ("iter_mut", []) => Some(Base::Elements {
            of: receiver(),
            form: Form::Mutable,
        }),
        ("bytes", []) => Some(Base::Bytes(receiver())),
        ("chunks_exact", [k]) => Some(Base::ChunksExact(receiver(), (*k).clone())),
        ("chunks", [k]) => Some(Base::Chunks(receiver(), (*k).clone())),
        ("chunks_exact_mut", [k]) => Some(Base::ChunksMut(receiver(), (*k).clone(), true)),
        ("chunks_mut", [k]) => Some(Base::ChunksMut(receiver(), (*k).clone(), false)),
        ("windows", [k]) => Some(Base::Windows(receiver(), (*k).clone())),
        // Expressions for a slice rather than an iterator.
        ("as_bytes" | "as_slice" | "as_ref" | "as_raw" | "unwrap" | "expect", _) => {
            Some(Base::Elements {
                of: Expr::MethodCall(call.clone()),
                form: Form::Plain,
            })
        }
        _ => None,
    };
    if let Some(base) = base {
        return Ok(base);
    }
    let adaptor = match (name.as_str(), args.as_slice()) {
        ("copied", []) => Adaptor::Copied,
        ("cloned", []) => Adaptor::Cloned,
        ("enumerate", []) => Adaptor::Enumerate,
        ("zip", [other]) => Adaptor::Zip(Box::new(any_length(other)?)),
        ("skip", [n]) => Adaptor::Skip((*n).clone()),
        ("take", [n]) => Adaptor::Take((*n).clone()),
        ("rev", []) => Adaptor::Rev,
        ("step_by", [k]) => Adaptor::StepBy((*k).clone()),
        ("by_ref", []) => match without_parens(&call.receiver) {
            of @ Expr::Path(_) => return Err(advanced(of)),
            of => return walk(of, adaptors),
        },
        _ => return Err(unsupported(&name, call.method.span())),
    };
    let base = walk(&call.receiver, adaptors)?;
    adaptors.push(adaptor);
    Ok(base)
}

fn unsupported(name: &str, span: Span) -> Diagnostic {
    let help = match name {
        "map" | "inspect" => "move the closure's work into the loop's body".into(),
        "take_while" | "map_while" => {
            "iterate over all items and end the loop in its body, by what it does not write: `if !keep(x) { break; }`".into()
        }
        "skip_while" => "find the first that counts, `let n = x.iter().position(keep).unwrap_or(x.len());`, and iterate over `x[n..]`".into(),
        "filter" | "filter_map" | "flat_map" | "flatten" => {
            "iterate over all items and put the condition into the loop's body: `if !keep(x) { continue; }`".into()
        }
        "chars" | "char_indices" => {
            "characters of a `str` have no fixed width: iterate over `.bytes()`, or collect them into a `Vec<char>` first".into()
        }
        "chain" => "write two loops".into(),
        "cycle" => "take the item by its number: `for (i, x) in data.iter().enumerate()` and `key[i % key.len()]`".into(),
        "par_iter" | "into_par_iter" => "write the sequential iterator; the attribute makes it parallel".into(),
        "lines" | "split" | "split_whitespace" | "keys" | "values" | "drain" => {
            "collect the items into a `Vec` first and iterate over it".into()
        }
        _ => SUPPORTED.to_string(),
    };
    Diagnostic::new(
        Code::Iteration,
        span,
        format!("an iterator made by `.{name}()` cannot be split into parts"),
    )
    .help(help)
}

fn limits_span(limits: &RangeLimits) -> Span {
    limits.span()
}

/// How many dimensions of a space may be looked at before the loop, from the outermost on. The first is, whatever it
/// says; an inner one that could panic, `1..width - 1`, is not before the loop around it has an iteration.
pub fn evaluated_early(iterations: &[Iteration]) -> usize {
    let inner = iterations.iter().skip(1);
    1 + inner
        .take_while(|level| is_simple(&level.chain, is_plain))
        .count()
}

/// Whether all numbers of a chain are as `simple` says.
pub fn is_simple(chain: &Chain, simple: fn(&Expr) -> bool) -> bool {
    let base = match &chain.base {
        Base::Range { start, end, .. } => simple(start) && simple(end),
        Base::From(start) => simple(start),
        Base::Elements { of, .. } | Base::Bytes(of) => is_plain(of),
        Base::ChunksExact(of, k)
        | Base::Chunks(of, k)
        | Base::Windows(of, k)
        | Base::ChunksMut(of, k, _) => is_plain(of) && is_plain(k),
    };
    base && chain.adaptors.iter().all(|a| match a {
        Adaptor::Zip(other) => is_simple(other, simple),
        Adaptor::Skip(e) | Adaptor::Take(e) | Adaptor::StepBy(e) => is_plain(e),
        Adaptor::Copied | Adaptor::Cloned | Adaptor::Enumerate | Adaptor::Rev => true,
    })
}

/// Sums, differences, products and quotients of what is plain: they can panic and do nothing else.
pub fn is_arithmetic(e: &Expr) -> bool {
    use syn::BinOp;
    match e {
        Expr::Paren(e) => is_arithmetic(&e.expr),
        Expr::Group(e) => is_arithmetic(&e.expr),
        Expr::Binary(e) => {
            let number = matches!(
                e.op,
                BinOp::Add(_) | BinOp::Sub(_) | BinOp::Mul(_) | BinOp::Div(_) | BinOp::Rem(_)
            );
            number && is_arithmetic(&e.left) && is_arithmetic(&e.right)
        }
        e => is_plain(e),
    }
}

/// A literal, a place or a length: evaluating it early cannot be noticed.
pub fn is_plain(e: &Expr) -> bool {
    match e {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Paren(e) => is_plain(&e.expr),
        Expr::Group(e) => is_plain(&e.expr),
        Expr::Field(e) => is_plain(&e.base),
        Expr::Reference(e) => is_plain(&e.expr),
        Expr::Unary(e) => matches!(e.op, syn::UnOp::Deref(_)) && is_plain(&e.expr),
        Expr::MethodCall(e) => {
            e.args.is_empty()
                && (e.method == "len" || e.method == "as_bytes")
                && is_plain(&e.receiver)
        }
        Expr::Cast(e) => is_plain(&e.expr),
        _ => false,
    }
}
