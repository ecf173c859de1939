//! Arrays that each iteration of a part indexes at a place that goes up or down by the same from one to the next, as in `out[n - 1 - i] = x[2 * i + 1]`.
//!
//! Their indices are computed before the loop, and the body takes the element of its iteration from a `Walk`, which needs no comparison and tells the compiler how
//! far the elements lie apart. The user's index becomes the same expression of `Affine` numbers, so overflow is seen as well; iterations of which one index
//! does not fit are left to the loop as it is. What the runtime does is in `accrue`'s `cpu::walk`.

mod inner;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{BinOp, Block, Expr, Ident, Pat, parse_quote};

pub(super) use inner::walked;

use inner::Around;

use super::along::Bound;
use super::space::{is_at, is_usize, literal, tokens};
use super::unlinted;
use crate::ir::{Access, Scalar, Type};
use crate::parsed::iteration::{Adaptor, Base, Iteration};
use crate::plan::LoopPlan;
use crate::syntax::names::{free_names_of_body, root_of};
use crate::syntax::visit::{self, Visit};
use crate::syntax::visit_mut::{self, VisitMut};
use crate::syntax::{Shape, without_parens};

/// A loop over a part with walks through the arrays that it indexes.
pub(super) struct Walks {
    /// Binds the arrays.
    pub(super) arrays: TokenStream,
    /// How long they are.
    pub(super) lens: Vec<TokenStream>,
    /// The numbers of their indices that are the same in all iterations, as `__accrue_fixed`.
    pub(super) fixed: Vec<TokenStream>,
    /// The indices, of the affine number `__accrue_position`.
    pub(super) indices: Vec<TokenStream>,
    /// By how much more the position is in the next iteration.
    pub(super) stride: TokenStream,
    /// Binds the walks of `__accrue_len` iterations, whose first indices are `__accrue_first`.
    pub(super) binds: TokenStream,
    /// The body that takes elements of them, those of the iteration `__accrue_k`.
    pub(super) body: Block,
    /// Whether an index is kept within bounds by a method, `x.saturating_sub(1)`, so that the compiler does not see where it is.
    pub(super) clamps: bool,
}

/// Whose body walks are for.
struct Of<'a> {
    plan: &'a LoopPlan,
    pat: &'a Pat,
    position: &'a Ident,
    is_usize: bool,
    stride: TokenStream,
    /// What is bound around it, where it is an inner loop.
    around: Option<&'a Around>,
}

/// A body of more statements and expressions is worth no second copy.
const SHORT: usize = 100;

/// So many walks are in registers.
const MOST_WALKS: usize = 8;

impl Walks {
    /// Of a body without loops, in which the names of `own` stand for what iterations have elements of.
    pub(super) fn new(plan: &LoopPlan, body: &Block, own: &[Ident]) -> Option<Walks> {
        let [iteration] = &plan.iterations[..] else {
            return None;
        };
        let (position, stride) = position(iteration)?;
        let is_usize = !is_range(iteration) || is_usize(plan, position);
        let of = Of {
            plan,
            pat: &iteration.pat,
            position,
            is_usize,
            stride,
            around: None,
        };
        Walks::of(of, body, own)
    }

    /// The iterations of `__accrue_rest`, by stretches of which all indices fit, in walks; those of which one does not by the loop that is `otherwise` theirs. How far a stretch
    /// reaches a function of the runtime finds out, which may be told by how much the position goes up.
    pub(super) fn stretches(
        &self,
        (segment, stride): (TokenStream, Option<&TokenStream>),
        (label, pat): (Option<&syn::Label>, &Pat),
        otherwise: &TokenStream,
    ) -> TokenStream {
        let Walks {
            lens,
            fixed,
            indices,
            binds,
            body,
            ..
        } = self;
        let (rt, unlinted, walked) = (quote!(::accrue::__rt::cpu), unlinted(), &body.stmts);
        let stride = stride.map(|stride| quote!(#stride,));
        quote! {
            while !::core::ops::Range::is_empty(&__accrue_rest) {
                let (__accrue_part, __accrue_behind, __accrue_first) = #rt::#segment(
                    &__accrue_source,
                    #stride
                    __accrue_rest,
                    [#(#lens),*],
                    [#(#fixed),*],
                    |__accrue_position, __accrue_fixed| [#(#indices),*],
                );
                __accrue_rest = __accrue_behind;
                if let ::core::option::Option::Some(__accrue_first) = __accrue_first {
                    let __accrue_len = ::core::iter::ExactSizeIterator::len(&__accrue_part);
                    #binds
                    #unlinted
                    #label for (__accrue_k, #pat) in ::core::iter::Iterator::enumerate(
                        #rt::Source::part(&__accrue_source, __accrue_part),
                    ) {
                        #(#walked)*
                    }
                } else {
                    #otherwise
                }
            }
        }
    }

    fn of(of: Of<'_>, body: &Block, own: &[Ident]) -> Option<Walks> {
        let Of {
            plan,
            pat,
            position,
            is_usize,
            stride,
            around,
        } = of;
        let mut looks = Looks::default();
        looks.visit_block(body);
        if looks.unclear || looks.loops || looks.expressions > SHORT {
            return None;
        }
        let mut bound = Bound::of(pat, body);
        bound.names.extend(looks.assigned);
        if !bound.once(position) {
            return None;
        }
        let free = free_names_of_body(pat, body).uses;
        let is_outside = |name: &Ident| free.iter().any(|of| of.ident == name);
        let is_fixed = |name: &Ident| bound.once(name) && !is_outside(name);
        let lets = looks.lets.into_iter().filter(|(name, _)| is_fixed(name));
        let arrays = plan.arrays.iter().zip(&plan.ir.arrays);
        let read = arrays.filter(|(syntax, array)| {
            array.access == Access::Read && matches!(syntax.shape, Shape::Slice(_) | Shape::Vec(_))
        });
        let read = read.map(|(syntax, _)| (syntax.expr.clone(), false));
        let own = own.iter().map(|name| (parse_quote!(#name), true));
        let mut names = Named {
            plan,
            position,
            is_usize,
            around,
            lets: lets.collect(),
            arrays: read.chain(own).collect(),
            bound: &bound.names,
            found: Vec::new(),
            fixed: Vec::new(),
            clamps: false,
        };
        let is_free = |root: &Ident| {
            !bound.names.contains(root) && around.is_none_or(|around| !around.binds(root))
        };
        names
            .arrays
            .retain(|(array, _)| root_of(array).is_some_and(is_free));
        let mut walked = body.clone();
        names.visit_block_mut(&mut walked);
        let found = names.found;
        if found.is_empty() {
            return None;
        }
        let rt = quote!(::accrue::__rt::cpu);
        let used = names.arrays.iter().enumerate();
        let used = used.filter(|(n, _)| found.iter().any(|walk| walk.array == *n));
        let arrays = used.map(|(n, (array, own))| {
            let name = array_name(n);
            match own {
                true => quote!(let #name = #array;),
                false => quote!(let #name: &[_] = &(#array);),
            }
        });
        let binds = found.iter().enumerate().map(|(n, walk)| {
            let (name, array) = (walk_name(n), array_name(walk.array));
            let same = |other: &Found| other.array == walk.array && other.core == walk.core;
            let before = found[..n].iter().position(same);
            let new = match before {
                Some(m) => {
                    let (other, by) = (walk_name(m), walk.behind.wrapping_sub(found[m].behind));
                    let by = proc_macro2::Literal::i64_unsuffixed(by);
                    quote!(#other.beside(#by, __accrue_first[#n]))
                }
                None => quote!(#rt::Walk::new(#array, __accrue_first[#n], __accrue_len)),
            };
            quote!(#[allow(unused_mut)] let mut #name = #new;)
        });
        let lens = found.iter().map(|walk| {
            let array = array_name(walk.array);
            match names.arrays[walk.array].1 {
                true => quote!(#array.len()),
                false => quote!(<[_]>::len(#array)),
            }
        });
        Some(Walks {
            arrays: arrays.collect(),
            binds: binds.collect(),
            lens: lens.collect(),
            indices: found.iter().map(|walk| walk.index.clone()).collect(),
            fixed: names.fixed,
            stride,
            body: walked,
            clamps: names.clamps,
        })
    }
}

/// The variable that has the position of an iteration, or a number that is as far from one to the next, and how far that is.
fn position(iteration: &Iteration) -> Option<(&Ident, TokenStream)> {
    let chain = &iteration.chain;
    fn name(pat: &Pat) -> Option<&Ident> {
        match pat {
            Pat::Ident(name) if name.mutability.is_none() && name.by_ref.is_none() => {
                Some(&name.ident)
            }
            _ => None,
        }
    }
    let (name, adaptors) = match &iteration.pat {
        Pat::Tuple(pair) => {
            let is = |adaptor: &Adaptor| matches!(adaptor, Adaptor::Enumerate);
            let at = chain.adaptors.iter().rposition(is)?;
            (name(pair.elems.first()?)?, &chain.adaptors[at + 1..])
        }
        pat if is_range(iteration) => (name(pat)?, &chain.adaptors[..]),
        _ => return None,
    };
    let mut stride = Some(1i64);
    for adaptor in adaptors {
        let by = match adaptor {
            Adaptor::Rev => Some(-1),
            Adaptor::StepBy(k) => literal(k),
            Adaptor::Skip(_) | Adaptor::Take(_) => Some(1),
            _ => return None,
        };
        stride = stride
            .zip(by)
            .and_then(|(stride, by)| stride.checked_mul(by));
    }
    let known = stride.map(|stride| {
        let stride = proc_macro2::Literal::i64_unsuffixed(stride);
        quote!(#stride)
    });
    Some((
        name,
        known.unwrap_or_else(|| quote!(::accrue::__rt::cpu::stride(&__accrue_source))),
    ))
}

fn is_range(iteration: &Iteration) -> bool {
    matches!(iteration.chain.base, Base::Range { .. })
}

/// An index without numbers that are added to it or taken from it, and their sum.
fn core(e: &Expr) -> (&Expr, i64) {
    let e = without_parens(e);
    let split = match e {
        Expr::Binary(both) => match (both.op, literal(&both.left), literal(&both.right)) {
            (BinOp::Add(_), _, Some(n)) => Some((&both.left, n)),
            (BinOp::Sub(_), _, Some(n)) => Some((&both.left, -n)),
            (BinOp::Add(_), Some(n), _) => Some((&both.right, n)),
            _ => None,
        },
        _ => None,
    };
    split.map_or((e, 0), |(rest, n)| {
        let (core, behind) = core(rest);
        (core, behind.wrapping_add(n))
    })
}

/// A method of `usize` whose value is mostly its receiver, or less by a number.
fn is_clamp(method: &Ident) -> bool {
    ["saturating_sub", "min", "max"]
        .iter()
        .any(|name| method == name)
}

fn walk_name(n: usize) -> Ident {
    format_ident!("__accrue_walk_{n}")
}

fn array_name(n: usize) -> Ident {
    format_ident!("__accrue_array_{n}")
}

/// What is to be known of a body.
#[derive(Default)]
struct Looks<'a> {
    expressions: usize,
    loops: bool,
    /// Whether names may come from where nobody sees them.
    unclear: bool,
    /// Variables that are bound to a value once and for all.
    lets: Vec<(&'a Ident, &'a Expr)>,
    /// Variables that are assigned.
    assigned: Vec<Ident>,
}

impl<'a> Looks<'a> {
    fn lets(&mut self, pat: &'a Pat, value: &'a Expr) {
        match (pat, value) {
            (Pat::Ident(name), _) if name.mutability.is_none() && name.by_ref.is_none() => {
                self.lets.push((&name.ident, value));
            }
            (Pat::Tuple(pats), Expr::Tuple(values)) if pats.elems.len() == values.elems.len() => {
                for (pat, value) in pats.elems.iter().zip(&values.elems) {
                    self.lets(pat, value);
                }
            }
            _ => {}
        }
    }
}

impl<'a> Visit<'a> for Looks<'a> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::Expr(expr) => {
                self.expressions += 1;
                self.loops |= matches!(expr, Expr::ForLoop(_) | Expr::While(_) | Expr::Loop(_));
                let written = match expr {
                    Expr::Assign(e) => Some(&e.left),
                    Expr::Binary(e) if crate::syntax::sites::is_compound(&e.op) => Some(&e.left),
                    Expr::Reference(e) if e.mutability.is_some() => Some(&e.expr),
                    _ => None,
                };
                if let Some(Expr::Path(path)) = written.map(|e| without_parens(e)) {
                    self.assigned.extend(path.path.get_ident().cloned());
                }
                visit::visit_expr(self, expr);
            }
            visit::Node::Local(local) => {
                let pat = match &local.pat {
                    Pat::Type(typed) => &*typed.pat,
                    pat => pat,
                };
                if let Some(init) = &local.init
                    && init.diverge.is_none()
                {
                    self.lets(pat, &init.expr);
                }
                visit::visit_local(self, local);
            }
            visit::Node::Macro(_) => {
                self.unclear = true;
            }
            visit::Node::Item(_) => {
                self.unclear = true;
            }
            _ => node.parts(self),
        }
    }
}

/// An array with one of its indices.
struct Found {
    /// The array, by its number.
    array: usize,
    /// The index as it is written.
    written: String,
    index: TokenStream,
    /// The index without numbers that are added to it or taken from it, and their sum.
    core: String,
    behind: i64,
}

/// Writes walks where arrays are indexed.
struct Named<'a> {
    plan: &'a LoopPlan,
    position: &'a Ident,
    /// Whether the position is one as it is.
    is_usize: bool,
    around: Option<&'a Around>,
    lets: Vec<(&'a Ident, &'a Expr)>,
    /// The arrays, and whether iterations have elements of theirs.
    arrays: Vec<(Expr, bool)>,
    bound: &'a [Ident],
    found: Vec<Found>,
    fixed: Vec<TokenStream>,
    /// Whether an index is kept within bounds by a method.
    clamps: bool,
}

impl Named<'_> {
    /// An index as an affine number, and whether it depends on the position.
    fn affine(&mut self, e: &Expr) -> Option<(TokenStream, bool)> {
        match without_parens(e) {
            Expr::Path(path) => {
                let name = path.path.get_ident()?;
                if name == self.position {
                    return self.is_usize.then(|| (quote!(__accrue_position), true));
                }
                match self.lets.iter().find(|(of, _)| *of == name) {
                    Some(&(_, value)) => self.affine(value),
                    None => self.fixed(e),
                }
            }
            Expr::Cast(cast) if tokens(&cast.ty) == "usize" && is_at(&cast.expr, self.position) => {
                Some((quote!(__accrue_position), true))
            }
            Expr::Binary(both) => {
                let product = matches!(both.op, BinOp::Mul(_));
                if !product && !matches!(both.op, BinOp::Add(_) | BinOp::Sub(_)) {
                    return self.fixed(e);
                }
                let (op, (a, a_moves), (b, b_moves)) =
                    (both.op, self.affine(&both.left)?, self.affine(&both.right)?);
                (!(product && a_moves && b_moves))
                    .then(|| (quote!((#a #op #b)), a_moves || b_moves))
            }
            // In iterations in which it is not the receiver that counts they are left to the loop as it is.
            Expr::MethodCall(call) if is_clamp(&call.method) => {
                let [by] = [call.args.first()?];
                let (a, a_moves) = self.affine(&call.receiver)?;
                let (b, b_moves) = self.affine(by)?;
                let method = &call.method;
                self.clamps |= a_moves || b_moves;
                Some((quote!(#a.#method(#b)), a_moves || b_moves))
            }
            _ => self.fixed(e),
        }
    }

    fn fixed(&mut self, e: &Expr) -> Option<(TokenStream, bool)> {
        if !self.is_fixed(e) {
            return None;
        }
        if literal(e).is_some() {
            return Some((quote!(::accrue::__rt::cpu::Affine::fixed(#e)), false));
        }
        let value = quote!(::accrue::__rt::cpu::Affine::of(#e));
        let text = value.to_string();
        let known = self.fixed.iter().position(|of| of.to_string() == text);
        let n = known.unwrap_or(self.fixed.len());
        if known.is_none() {
            self.fixed.push(value);
        }
        Some((quote!(__accrue_fixed[#n]), false))
    }

    /// Whether an expression is a variable, a `usize`, that is bound around the loop for good.
    fn is_fixed_around(&self, e: &Expr) -> bool {
        let (Some(around), Expr::Path(path)) = (self.around, e) else {
            return false;
        };
        path.path.get_ident().is_some_and(|name| {
            !self.bound.contains(name) && around.is_for_good(name) && is_usize(self.plan, name)
        })
    }

    /// Whether an expression is a `usize` that is the same in all iterations, and that can be asked for before them.
    fn is_fixed(&self, e: &Expr) -> bool {
        let captured = |e: &Expr, ok: fn(&Type) -> bool| {
            let text = tokens(e);
            let is = |c: &&crate::syntax::Capture| !c.cast && c.tokens.to_string() == text;
            let around = |root: &Ident| self.around.is_some_and(|around| around.binds(root));
            let free = root_of(e).is_some_and(|root| !self.bound.contains(root) && !around(root));
            let mut of = self.plan.captures.iter().filter(is).peekable();
            let var = |c: &crate::syntax::Capture| &self.plan.ir.body.vars[c.var.0 as usize].ty;
            free && of.peek().is_some() && of.all(|c| ok(var(c)))
        };
        match without_parens(e) {
            Expr::Cast(cast) => {
                tokens(&cast.ty) == "usize"
                    && captured(
                        &cast.expr,
                        |ty| matches!(ty, Type::Scalar(s) if !s.is_float()),
                    )
            }
            Expr::Binary(both) => {
                matches!(both.op, BinOp::Div(_) | BinOp::Rem(_))
                    && self.is_fixed(&both.left)
                    && literal(&both.right).is_some_and(|n| n != 0)
            }
            Expr::MethodCall(call) => {
                call.method == "len"
                    && call.args.is_empty()
                    && self
                        .arrays
                        .iter()
                        .any(|(array, _)| tokens(array) == tokens(&call.receiver))
            }
            e => {
                literal(e).is_some()
                    || captured(e, |ty| *ty == Type::Scalar(Scalar::Usize))
                    || self.is_fixed_around(e)
            }
        }
    }
}

impl VisitMut for Named<'_> {
    fn visit(&mut self, node: visit_mut::Node<'_>) {
        match node {
            visit_mut::Node::Expr(e) => {
                visit_mut::visit_expr_mut(self, e);
                let Expr::Index(indexed) = e else { return };
                let (text, written) = (tokens(&indexed.expr), tokens(&indexed.index));
                let of = |(array, _): &(Expr, bool)| tokens(array) == text;
                let Some(array) = self.arrays.iter().position(of) else {
                    return;
                };
                let same = |walk: &Found| walk.array == array && walk.written == written;
                let n = match self.found.iter().position(same) {
                    Some(n) => n,
                    None => match self.affine(&indexed.index) {
                        Some((index, true)) if self.found.len() < MOST_WALKS => {
                            let (core, behind) = core(&indexed.index);
                            let core = self
                                .affine(core)
                                .map_or(String::new(), |(core, _)| core.to_string());
                            self.found.push(Found {
                                array,
                                written,
                                index,
                                core,
                                behind,
                            });
                            self.found.len() - 1
                        }
                        _ => return,
                    },
                };
                let name = walk_name(n);
                *e = match self.arrays[array].1 {
                    true => parse_quote!(#name[__accrue_k]),
                    false => parse_quote!((*#name.at(__accrue_k))),
                };
            }
            _ => node.parts(self),
        }
    }
}
