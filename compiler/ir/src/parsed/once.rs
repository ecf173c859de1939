//! What a loop iterates over, evaluated once.
//!
//! A loop has several forms, a kernel and the CPU's, and each needs the ends of its ranges and its slices. What may be looked at
//! again, `n / 2` or `xs.len()`, is printed in each of them; everything else (`tick(c)`, `&xs[..tick(c)]`) is bound to a name before all
//! forms, in the order in which the sequential loop evaluates it. Where such a part could change what an earlier one has read, the
//! earlier one is bound as well.

use crate::sorted::Sorted;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{BinOp, Expr, Ident, UnOp, parse_quote};

use super::iteration::{Adaptor, Base, Chain, Form};

/// A part of an iteration expression that is bound to a name before the loop.
#[derive(Clone)]
pub struct Once {
    /// The name, with a span of the macro's own: no name of the user's is the same.
    pub name: Ident,
    /// What it is bound to.
    pub value: TokenStream,
    /// The user's expression.
    pub expr: Expr,
    /// Whether it is a number. Others borrow from what they were made of.
    pub number: bool,
}

/// What a part is to the chain that it stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// An end of a range.
    End,
    /// An argument of an adaptor: a `usize`.
    Count,
    /// A collection with the way in which it is iterated over.
    Elements(Form),
    /// A `str`.
    Text,
    /// What chunks or windows are taken of.
    Slice,
    /// What `&mut` chunks are taken of.
    SliceMut,
}

/// Names for the parts of a chain that are to be bound before the loop, by the addresses of their expressions.
pub type Names = Sorted<*const Expr, Ident>;

/// Decides which parts of a chain are bound, and numbers their names from `first` on.
pub fn names(chain: &mut Chain, first: usize) -> Names {
    let mut parts: Vec<(*const Expr, bool, bool)> = Vec::new();
    walk(chain, &mut |expr, role| {
        let again = match *role {
            Role::End | Role::Count => is_repeatable(expr),
            Role::Elements(_) | Role::Text | Role::Slice | Role::SliceMut => is_place(expr),
        };
        // What is moved stays where it is.
        let bindable = match *role {
            Role::Elements(form) => !again || matches!(form, Form::Iter | Form::Reference),
            Role::End | Role::Count => !matches!(expr, Expr::Lit(_)),
            Role::Text | Role::Slice => true,
            // What is borrowed `&mut` does not change while the rest is evaluated.
            Role::SliceMut => !again,
        };
        let quiet = is_quiet(expr);
        // The order of what is not to be bound either way does not matter.
        parts.push((std::ptr::from_ref(expr), !again, bindable));
        if !quiet {
            let before = parts.len() - 1;
            for (_, bound, bindable) in &mut parts[..before] {
                *bound |= *bindable;
            }
        }
    });
    let bound = parts.into_iter().filter(|(_, bound, _)| *bound);
    let named = bound.enumerate().map(|(n, (at, ..))| {
        let n = first + n;
        let name = format_ident!("__accrue_part_{n}", span = Span::mixed_site());
        (at, name)
    });
    named.collect()
}

/// Puts the names into the chain, and returns what they are bound to, in the order of evaluation.
pub fn bind(chain: &mut Chain, names: &Names) -> Vec<Once> {
    let mut bound = Vec::new();
    walk(chain, &mut |expr, role| {
        let Some(name) = names.get(&std::ptr::from_ref::<Expr>(expr)) else {
            return;
        };
        let value = match *role {
            Role::End => quote!(#expr),
            Role::Count => quote!(::accrue::__rt::cpu::count(#expr)),
            Role::Elements(Form::Mutable) | Role::SliceMut => {
                quote!(&mut (#expr)[::accrue::__rt::ALL])
            }
            Role::Elements(Form::Iter) => {
                quote!(::accrue::__rt::cpu::elements((#expr).iter()))
            }
            Role::Elements(Form::Reference) => {
                let iter = quote!(::core::iter::IntoIterator::into_iter(&(#expr)));
                quote!(::accrue::__rt::cpu::elements(#iter))
            }
            Role::Elements(Form::Plain | Form::IntoIter) => quote!(#expr),
            Role::Text | Role::Slice => quote!(&(#expr)[::accrue::__rt::ALL]),
        };
        // A slice is iterated over as one.
        if let Role::Elements(form @ Form::Reference) = role {
            *form = Form::Iter;
        }
        bound.push(Once {
            name: name.clone(),
            value,
            expr: std::mem::replace(expr, parse_quote!(#name)),
            number: matches!(role, Role::End | Role::Count),
        });
    });
    bound
}

/// The iteration expression that a chain with its names in place stands for.
pub fn expression(chain: &Chain) -> Expr {
    let mut out: Expr = match &chain.base {
        Base::Range {
            start,
            end,
            inclusive: true,
        } => parse_quote!(((#start)..=(#end))),
        Base::Range { start, end, .. } => parse_quote!(((#start)..(#end))),
        Base::From(start) => parse_quote!(((#start)..)),
        Base::Elements { of, form } => match form {
            Form::Plain | Form::IntoIter => {
                parse_quote!(::core::iter::IntoIterator::into_iter(#of))
            }
            Form::Reference => parse_quote!(::core::iter::IntoIterator::into_iter(&(#of))),
            Form::Iter => parse_quote!((#of).iter()),
            Form::Mutable => parse_quote!((#of).iter_mut()),
        },
        Base::Bytes(of) => parse_quote!((#of).bytes()),
        Base::ChunksExact(of, k) => parse_quote!((#of).chunks_exact(#k)),
        Base::Chunks(of, k) => parse_quote!((#of).chunks(#k)),
        Base::Windows(of, k) => parse_quote!((#of).windows(#k)),
        Base::ChunksMut(of, k, true) => parse_quote!((#of).chunks_exact_mut(#k)),
        Base::ChunksMut(of, k, false) => parse_quote!((#of).chunks_mut(#k)),
    };
    for adaptor in &chain.adaptors {
        out = match adaptor {
            Adaptor::Copied => parse_quote!(#out.copied()),
            Adaptor::Cloned => parse_quote!(#out.cloned()),
            Adaptor::Enumerate => parse_quote!(#out.enumerate()),
            Adaptor::Zip(other) => {
                let other = expression(other);
                parse_quote!(#out.zip(#other))
            }
            Adaptor::Skip(n) => parse_quote!(#out.skip(#n)),
            Adaptor::Take(n) => parse_quote!(#out.take(#n)),
            Adaptor::Rev => parse_quote!(#out.rev()),
            Adaptor::StepBy(k) => parse_quote!(#out.step_by(#k)),
        };
    }
    out
}

/// Calls `f` with every part of a chain, in the order of evaluation.
fn walk(chain: &mut Chain, f: &mut impl FnMut(&mut Expr, &mut Role)) {
    match &mut chain.base {
        Base::Range { start, end, .. } => {
            f(start, &mut Role::End);
            f(end, &mut Role::End);
        }
        Base::From(start) => f(start, &mut Role::End),
        Base::Elements { of, form } => {
            let mut role = Role::Elements(*form);
            f(of, &mut role);
            if let Role::Elements(new) = role {
                *form = new;
            }
        }
        Base::Bytes(of) => f(of, &mut Role::Text),
        Base::ChunksExact(of, k) | Base::Chunks(of, k) | Base::Windows(of, k) => {
            f(of, &mut Role::Slice);
            f(k, &mut Role::Count);
        }
        Base::ChunksMut(of, k, _) => {
            f(of, &mut Role::SliceMut);
            f(k, &mut Role::Count);
        }
    }
    for adaptor in &mut chain.adaptors {
        match adaptor {
            Adaptor::Copied | Adaptor::Cloned | Adaptor::Enumerate | Adaptor::Rev => {}
            Adaptor::Zip(other) => walk(other, f),
            Adaptor::Skip(n) | Adaptor::Take(n) | Adaptor::StepBy(n) => f(n, &mut Role::Count),
        }
    }
}

/// Whether an expression is a place that a name or a field leads to.
pub fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) => true,
        Expr::Paren(e) => is_place(&e.expr),
        Expr::Group(e) => is_place(&e.expr),
        Expr::Field(e) => is_place(&e.base),
        Expr::Unary(e) => matches!(e.op, UnOp::Deref(_)) && is_place(&e.expr),
        _ => false,
    }
}

/// Whether evaluating a number again gives the same number, and cannot be noticed: arithmetic on names, literals and lengths.
pub fn is_repeatable(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) | Expr::Path(_) => true,
        Expr::Paren(e) => is_repeatable(&e.expr),
        Expr::Group(e) => is_repeatable(&e.expr),
        Expr::Field(e) => is_repeatable(&e.base),
        Expr::Reference(e) => e.mutability.is_none() && is_repeatable(&e.expr),
        Expr::Unary(e) => is_repeatable(&e.expr),
        Expr::Cast(e) => is_repeatable(&e.expr),
        Expr::Binary(e) => {
            !is_assignment(&e.op) && is_repeatable(&e.left) && is_repeatable(&e.right)
        }
        Expr::MethodCall(e) => {
            let length = ["len", "is_empty", "as_bytes"]
                .iter()
                .any(|m| e.method == m);
            length && e.args.is_empty() && is_repeatable(&e.receiver)
        }
        _ => false,
    }
}

/// Whether evaluating an expression changes nothing that another part could have read.
pub fn is_quiet(expr: &Expr) -> bool {
    match expr {
        Expr::Paren(e) => is_quiet(&e.expr),
        Expr::Group(e) => is_quiet(&e.expr),
        Expr::Index(e) => is_quiet(&e.expr) && is_quiet(&e.index),
        Expr::Reference(e) => e.mutability.is_none() && is_quiet(&e.expr),
        Expr::Range(e) => [&e.start, &e.end]
            .into_iter()
            .flatten()
            .all(|end| is_quiet(end)),
        Expr::Array(e) => e.elems.iter().all(is_quiet),
        Expr::Repeat(e) => is_quiet(&e.expr),
        e => is_repeatable(e),
    }
}

fn is_assignment(op: &BinOp) -> bool {
    crate::syntax::sites::is_compound(op)
}

/// The text of an expression, for comparing it with another one.
pub fn text(expr: &Expr) -> String {
    expr.to_token_stream().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parsed::iteration::outer_chain;

    /// What is bound, and the chain with the names in it.
    fn bound(expr: Expr) -> (Vec<String>, String) {
        let mut chain = outer_chain(&expr).expect("a chain");
        let all = names(&mut chain, 0);
        let once = bind(&mut chain, &all);
        let chain = text(&expression(&chain)).replace("__accrue_part_", "p");
        (once.iter().map(|o| text(&o.expr)).collect(), chain)
    }

    #[test]
    fn what_may_be_looked_at_again_is_not_bound() {
        for expr in [
            parse_quote!(0..xs.len() / 2 - 1),
            parse_quote!(self.a..=*n as usize),
            parse_quote!(xs.iter().enumerate().skip(k).zip(&self.ys).rev()),
            parse_quote!(xs),
            parse_quote!(xs.chunks_exact(2 * k).take(N)),
            parse_quote!(name.bytes()),
        ] {
            let (names, _) = bound(expr);
            assert_eq!(names, [] as [&str; 0]);
        }
    }

    #[test]
    fn everything_else_is_bound_in_order() {
        let cases: [(Expr, &[&str], &str); 7] = [
            (
                parse_quote!(lo()..hi()),
                &["lo ()", "hi ()"],
                "((p0) .. (p1))",
            ),
            (
                parse_quote!(xs[..f(c)].iter().skip(g()?)),
                &["xs [.. f (c)]", "g () ?"],
                "(p0) . iter () . skip (p1)",
            ),
            (
                parse_quote!(xs.iter().zip(&ys[1..])),
                &["ys [1 ..]"],
                "(xs) . iter () . zip ((p0) . iter ())",
            ),
            // The calls may change what was read before them.
            (parse_quote!(*c..f(c)), &["* c", "f (c)"], "((p0) .. (p1))"),
            (
                parse_quote!(xs.iter().take(n).zip(ys[f(c)..].iter())),
                &["xs", "n", "ys [f (c) ..]"],
                "(p0) . iter () . take (p1) . zip ((p2) . iter ())",
            ),
            (parse_quote!(0..f(c)), &["f (c)"], "((0) .. (p0))"),
            (parse_quote!(f(c)..n), &["f (c)"], "((p0) .. (n))"),
        ];
        for (expr, names, chain) in cases {
            let (found, text) = bound(expr);
            assert_eq!(found, names, "{text}");
            assert_eq!(text, chain);
        }
    }
}
