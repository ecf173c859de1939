//! The user's iteration expression as a source of the runtime, and the pattern that goes with its items.

use crate::syntax::visit::{self, Visit};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned as _;
use syn::{Expr, Label, Pat, parse_quote};

use super::straight;
use super::value::same;
use crate::ir::{Access, Length, Scalar, Type};
use crate::parsed::iteration::{Adaptor, Base, Chain, Form};
use crate::plan::LoopPlan;
use crate::syntax::{Shape, without_parens};

/// What a loop iterates over.
pub(super) struct Space {
    /// The source, an expression.
    pub(super) source: TokenStream,
    /// The source of the steps, in terms of the local `__accrue_source`.
    pub(super) kernel_source: TokenStream,
    /// What the pattern of a step is bound to, in terms of the local `__accrue_item`.
    pub(super) item: TokenStream,
    /// The pattern for an item.
    pub(super) pat: Pat,
    /// Of nested loops that are split, the pattern for the outer ones' items and the one for the inner one's.
    pub(super) nested: Option<(Pat, Pat)>,
    /// Whether making the source again makes the same one, and cannot be noticed.
    pub(super) again: bool,
    /// The user's label of the innermost loop of the space, with its colon.
    pub(super) label: Option<Label>,
}

impl Space {
    pub(super) fn new(plan: &LoopPlan) -> Space {
        let split = &plan.iterations[..super::dimensions(plan)];
        let mut dims = split.iter().map(|iteration| {
            let mut pat = iteration.pat.clone();
            let source = by_value(&iteration.chain, &mut pat);
            (reading(plan, source, &iteration.chain, &pat), pat)
        });
        let (mut source, mut pat) = dims.next().expect("a loop has a dimension");
        let mut nested = None;
        for (inner, inner_pat) in dims {
            source = quote!(::accrue::__rt::cpu::Source::nest(#source, #inner));
            nested = Some((pat.clone(), inner_pat.clone()));
            pat = parse_quote!((#pat, #inner_pat));
        }
        // Which iteration panics first, where that counts, is told by their order.
        if nested.is_some()
            && !plan.crossed
            && plan.pure
            && straight::has_columns(&plan.ir, split.len() - 1)
        {
            source = quote!(::accrue::__rt::cpu::Pairs::in_columns(#source));
        }
        let again = split.iter().all(|iteration| is_again(&iteration.chain));
        let label = innermost(plan).label.clone();
        let (kernel_source, item) = if reads_bytes_by_reference(plan, &pat) {
            (
                quote!(::accrue::__rt::cpu::Source::copied(&__accrue_source)),
                quote!(&__accrue_item),
            )
        } else {
            (quote!(__accrue_source), quote!(__accrue_item))
        };
        Space {
            source,
            kernel_source,
            item,
            pat,
            nested,
            again,
            label,
        }
    }
}

/// The innermost `for` of the perfect nest that is split.
pub(super) fn innermost(plan: &LoopPlan) -> &syn::ExprForLoop {
    let mut inner = &plan.syntax;
    for _ in 1..super::dimensions(plan) {
        let next = inner.body.stmts.iter().find_map(|stmt| match stmt {
            syn::Stmt::Expr(Expr::ForLoop(inner), _) => Some(inner),
            _ => None,
        });
        inner = next.unwrap_or(inner);
    }
    inner
}

/// A chain as a source. Where the pattern takes items apart by `&x`, they come by value instead, and the
/// pattern loses its `&`: bytes can then be loaded eight at a time.
fn by_value(chain: &Chain, pat: &mut Pat) -> TokenStream {
    with_adaptors(&chain.base, &chain.adaptors, pat)
}

fn with_adaptors(base: &Base, adaptors: &[Adaptor], pat: &mut Pat) -> TokenStream {
    let Some((last, before)) = adaptors.split_last() else {
        return match strip_reference(base, pat) {
            true => {
                let base = base_source(base);
                quote!(::accrue::__rt::cpu::Source::copied(#base))
            }
            false => base_source(base),
        };
    };
    let rt = quote!(::accrue::__rt::cpu::Source);
    match last {
        Adaptor::Copied => {
            // Items are values already; the pattern is none of references.
            let inner = with_adaptors(base, before, &mut parse_quote!(_));
            quote!(#rt::copied(#inner))
        }
        // Of items that are no `Copy` rustc says that they are not.
        Adaptor::Cloned => {
            let inner = with_adaptors(base, before, &mut parse_quote!(_));
            quote!((&&::accrue::__rt::cpu::Cloning::new(#inner)).__accrue_cloned())
        }
        Adaptor::Enumerate => {
            let inner = with_adaptors(base, before, part(pat, 1).unwrap_or(&mut parse_quote!(_)));
            quote!(#rt::enumerate(#inner))
        }
        Adaptor::Zip(other) => {
            let inner = with_adaptors(base, before, part(pat, 0).unwrap_or(&mut parse_quote!(_)));
            let other = by_value(other, part(pat, 1).unwrap_or(&mut parse_quote!(_)));
            quote!(#rt::zip(#inner, #other))
        }
        Adaptor::Skip(n) => {
            let inner = with_adaptors(base, before, pat);
            quote!(#rt::skip(#inner, #n))
        }
        Adaptor::Take(n) => {
            let inner = with_adaptors(base, before, pat);
            quote!(#rt::take(#inner, #n))
        }
        Adaptor::Rev => {
            let inner = with_adaptors(base, before, pat);
            quote!(#rt::rev(#inner))
        }
        Adaptor::StepBy(n) => {
            let inner = with_adaptors(base, before, pat);
            quote!(#rt::step_by(#inner, #n))
        }
    }
}

/// Whether a chain counts, or cuts a slice up, by nothing but names, numbers and lengths: what these are tells the compiler
/// something of the loop, so that it should see them.
fn is_again(chain: &Chain) -> bool {
    let base = match &chain.base {
        Base::Range { start, end, .. } => is_plain(start) && is_plain(end),
        Base::From(start) => is_plain(start),
        Base::Elements { .. } | Base::Bytes(_) => false,
        Base::ChunksExact(of, k) | Base::Chunks(of, k) | Base::Windows(of, k) => {
            is_plain(of) && is_plain(k)
        }
        Base::ChunksMut(..) => false,
    };
    base && chain.adaptors.iter().all(|adaptor| match adaptor {
        Adaptor::Copied | Adaptor::Cloned | Adaptor::Enumerate | Adaptor::Rev => true,
        Adaptor::Zip(_) => false,
        Adaptor::Skip(n) | Adaptor::Take(n) | Adaptor::StepBy(n) => is_plain(n),
    })
}

/// Whether what a chain iterates over may be asked for twice, `changed` where it is changed the second time only.
pub(super) fn is_repeatable(plan: &LoopPlan, chain: &Chain, changed: bool) -> bool {
    let base = match &chain.base {
        Base::Range { start, end, .. } => is_plain(start) && is_plain(end),
        Base::From(start) => is_plain(start),
        Base::Elements { of, form } => match form {
            Form::Iter | Form::Reference => is_plain(of),
            // A slice is a reference.
            Form::Plain | Form::IntoIter => {
                let mut arrays = plan.arrays.iter();
                let array = arrays.find(|array| same(&array.expr, of));
                let is_slice = array.is_some_and(|array| {
                    matches!(array.shape, Shape::Slice(_)) && array.variable.is_some()
                });
                is_slice || matches!(of, Expr::Reference(_)) && is_plain(of)
            }
            Form::Mutable => changed && is_plain(of),
        },
        Base::Bytes(of) => is_plain(of),
        Base::ChunksExact(of, k) | Base::Chunks(of, k) | Base::Windows(of, k) => {
            is_plain(of) && is_plain(k)
        }
        Base::ChunksMut(of, k, _) => changed && is_plain(of) && is_plain(k),
    };
    base && chain.adaptors.iter().all(|adaptor| match adaptor {
        Adaptor::Copied | Adaptor::Cloned | Adaptor::Enumerate | Adaptor::Rev => true,
        Adaptor::Zip(other) => is_repeatable(plan, other, changed),
        Adaptor::Skip(n) | Adaptor::Take(n) | Adaptor::StepBy(n) => is_plain(n),
    })
}

/// Whether an expression only reads variables.
pub(super) fn is_plain(expr: &Expr) -> bool {
    match expr {
        Expr::Path(_) | Expr::Lit(_) => true,
        Expr::Paren(e) => is_plain(&e.expr),
        Expr::Group(e) => is_plain(&e.expr),
        Expr::Field(e) => is_plain(&e.base),
        Expr::Reference(e) => e.mutability.is_none() && is_plain(&e.expr),
        Expr::Cast(e) => is_plain(&e.expr),
        Expr::Binary(e) => is_plain(&e.left) && is_plain(&e.right),
        Expr::MethodCall(call) => {
            call.method == "len" && call.args.is_empty() && is_plain(&call.receiver)
        }
        _ => false,
    }
}

/// A part of a pattern for pairs.
fn part(pat: &mut Pat, n: usize) -> Option<&mut Pat> {
    match pat {
        Pat::Tuple(tuple) if tuple.elems.len() == 2 => tuple.elems.get_mut(n),
        Pat::Paren(paren) => part(&mut paren.pat, n),
        _ => None,
    }
}

/// Makes `&x` out of elements by reference `x`, and says whether it did.
fn strip_reference(base: &Base, pat: &mut Pat) -> bool {
    if !matches!(base, Base::Elements { .. }) {
        return false;
    }
    match pat {
        Pat::Paren(paren) => strip_reference(base, &mut paren.pat),
        Pat::Reference(reference) if reference.mutability.is_none() => match &*reference.pat {
            // A name takes the whole element out, so rustc has made sure that it can be copied.
            Pat::Ident(name) if name.by_ref.is_none() && name.subpat.is_none() => {
                *pat = Pat::Ident(name.clone());
                true
            }
            _ => false,
        },
        _ => false,
    }
}

fn base_source(base: &Base) -> TokenStream {
    let rt = quote!(::accrue::__rt::cpu);
    match base {
        Base::Range {
            start,
            end,
            inclusive: false,
        } => quote!(#rt::source((#start)..(#end))),
        Base::Range { start, end, .. } => quote!(#rt::source((#start)..=(#end))),
        Base::From(start) => quote!(#rt::source((#start)..)),
        // As the user wrote it: rustc then says what a type has under that name.
        Base::Elements {
            of,
            form: Form::Iter,
        } => source_of(of, quote_spanned!(of.span()=> (#of).iter())),
        Base::Elements {
            of,
            form: Form::Mutable,
        } => quote!(#rt::ElementsMut::new(&mut (#of)[::accrue::__rt::ALL])),
        Base::ChunksMut(of, k, exact) => {
            let size = known_size(k);
            quote!(#rt::ChunksMut::<_, #exact, #size>::new(&mut (#of)[::accrue::__rt::ALL], #k))
        }
        Base::Elements {
            of,
            form: Form::Reference,
        } => source_of(
            of,
            quote_spanned!(of.span()=> ::core::iter::IntoIterator::into_iter(&(#of))),
        ),
        Base::Elements {
            of,
            form: Form::Plain | Form::IntoIter,
        } => source_of(of, quote!(#of)),
        Base::Bytes(of) => quote!(#rt::Source::copied(#rt::source((#of).as_bytes()))),
        Base::ChunksExact(of, k) => {
            let size = known_size(k);
            quote!(#rt::Chunks::<_, true, #size>::new(&(#of)[::accrue::__rt::ALL], #k))
        }
        Base::Chunks(of, k) => {
            let size = known_size(k);
            quote!(#rt::Chunks::<_, false, #size>::with_rest(&(#of)[::accrue::__rt::ALL], #k))
        }
        Base::Windows(of, k) => {
            let size = known_size(k);
            quote!(#rt::Windows::<_, #size>::new(&(#of)[::accrue::__rt::ALL], #k))
        }
    }
}

/// What rustc is asked by of what the user iterates over, for the block around.
pub fn asks() -> TokenStream {
    quote! {
        #[allow(unused_imports)]
        use ::accrue::__rt::cpu::{
            AskCloned as _, AskCopied as _, AskNoSource as _, AskSource as _,
        };
    }
}

/// What the user iterates over as a source. Where rustc finds that it is none, it says so there, and once.
fn source_of(of: &Expr, iterator: TokenStream) -> TokenStream {
    // Just the place that rustc finds for the argument: of errors at two places it would show both. Of what has no type it does not say what would follow.
    quote_spanned!(of.span()=> ::accrue::__rt::cpu::split((&&::accrue::__rt::cpu::Taken::new(#iterator)).__accrue_source()))
}

/// The size of chunks for their type, where it is a literal number; else 0.
fn known_size(k: &Expr) -> proc_macro2::Literal {
    let known = literal(k).and_then(|k| usize::try_from(k).ok());
    proc_macro2::Literal::usize_unsuffixed(known.unwrap_or(0))
}

/// A literal number.
pub(super) fn literal(e: &Expr) -> Option<i64> {
    match without_parens(e) {
        Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(n),
            ..
        }) => n.base10_parse().ok(),
        _ => None,
    }
}

/// The variable that has the position of an iteration, a `usize`.
pub(super) fn position<'a>(plan: &LoopPlan, chain: &Chain, pat: &'a Pat) -> Option<&'a syn::Ident> {
    match (&chain.base, &chain.adaptors[..], pat) {
        // A range of other integers than `usize` does not index an array by itself.
        (
            Base::Range {
                inclusive: false, ..
            },
            [],
            Pat::Ident(name),
        ) => Some(&name.ident).filter(|name| is_usize(plan, name)),
        (_, [.., Adaptor::Enumerate], Pat::Tuple(pair)) => match pair.elems.first() {
            Some(Pat::Ident(name)) => Some(&name.ident),
            _ => None,
        },
        _ => None,
    }
}

/// Names the arrays that the body indexes with the loop's own position, so that they are prefetched.
fn reading(plan: &LoopPlan, source: TokenStream, chain: &Chain, pat: &Pat) -> TokenStream {
    let Some(position) = position(plan, chain, pat) else {
        return source;
    };
    let mut finder = Indexed {
        position,
        arrays: Vec::new(),
    };
    finder.visit_block(&innermost(plan).body);
    let arrays = plan.arrays.iter().zip(&plan.ir.arrays);
    let read = arrays.filter(|(syntax, array)| {
        array.access == Access::Read
            && !matches!(syntax.shape, Shape::Str)
            && matches!(array.elem, Type::Scalar(_) | Type::Array(..))
            && finder.arrays.contains(&tokens(&syntax.expr))
    });
    read.fold(source, |source, (syntax, array)| {
        let elem = &array.elem;
        let array = &syntax.expr;
        // Where the macro does not see what it is, rustc is asked: it is only a hint.
        if matches!(syntax.shape, Shape::Unknown | Shape::Elem(_)) {
            return match primitive(elem) {
                Some(ty) => quote! {
                    ::accrue::__rt::cpu::Source::reading(#source, {
                        use ::accrue::__rt::{
                            AskAnything as _, AskElements as _, AskForwarding as _,
                            AskIndexed as _, AskPointer as _,
                        };
                        match (&&&&&::accrue::__rt::Seen::<#ty, _>::new(&(#array))).__accrue_elements() {
                            ::core::option::Option::Some(__accrue_elements) => __accrue_elements,
                            ::core::option::Option::None => &[],
                        }
                    })
                },
                None => source,
            };
        }
        quote!(::accrue::__rt::cpu::Source::reading(#source, &(#array)[::accrue::__rt::ALL]))
    })
}

/// A type of numbers as rustc reads it anywhere.
fn primitive(ty: &Type) -> Option<TokenStream> {
    match ty {
        Type::Scalar(s) => {
            let name = quote::format_ident!("{}", s.name());
            Some(quote!(::core::primitive::#name))
        }
        Type::Array(elem, Length::Known(n)) => {
            let (elem, n) = (primitive(elem)?, proc_macro2::Literal::u64_unsuffixed(*n));
            Some(quote!([#elem; #n]))
        }
        _ => None,
    }
}

/// Whether every variable of a name in the loop is a `usize`.
pub(super) fn is_usize(plan: &LoopPlan, name: &syn::Ident) -> bool {
    all_are(plan, name, |ty| *ty == Type::Scalar(Scalar::Usize))
}

/// Whether there are variables of a name in the loop, and this holds of all their types.
pub(super) fn all_are(plan: &LoopPlan, name: &syn::Ident, is: impl Fn(&Type) -> bool) -> bool {
    let vars = plan.ir.body.vars.iter();
    let mut named = vars.filter(|var| name == &var.name).peekable();
    named.peek().is_some() && named.all(|var| is(&var.ty))
}

/// Arrays that are indexed with a name.
pub(super) struct Indexed<'a> {
    pub(super) position: &'a syn::Ident,
    pub(super) arrays: Vec<String>,
}

impl<'a> Visit<'a> for Indexed<'_> {
    fn visit(&mut self, node: visit::Node<'a>) {
        match node {
            visit::Node::ExprIndex(index) => {
                if is_at(&index.index, self.position) {
                    self.arrays.push(tokens(&index.expr));
                }
                visit::visit_expr_index(self, index);
            }
            _ => node.parts(self),
        }
    }
}

/// Whether an index is the position and no more.
pub(super) fn is_at(index: &Expr, position: &syn::Ident) -> bool {
    matches!(index, Expr::Path(path) if path.path.is_ident(position))
}

pub(super) fn tokens(expr: &impl ToTokens) -> String {
    expr.to_token_stream().to_string()
}

/// Whether the items are bytes that the body reads through a reference, `for b in bytes { h[*b as usize] += 1 }`.
/// A step then gets a reference to its own copy of the byte.
fn reads_bytes_by_reference(plan: &LoopPlan, pat: &Pat) -> bool {
    let [iteration] = &plan.iterations[..] else {
        return false;
    };
    let (Base::Elements { of, form }, [], Pat::Ident(name)) =
        (&iteration.chain.base, &iteration.chain.adaptors[..], pat)
    else {
        return false;
    };
    let stripped = matches!(iteration.pat, Pat::Reference(_));
    if stripped || name.by_ref.is_some() || *form == Form::IntoIter {
        return false;
    }
    let of = tokens(of);
    let mut arrays = plan.arrays.iter().zip(&plan.ir.arrays);
    let bytes = arrays.any(|(syntax, array)| {
        tokens(&syntax.expr) == of
            && matches!(array.elem, Type::Scalar(Scalar::U8 | Scalar::I8))
            && matches!(
                syntax.shape,
                Shape::Slice(_) | Shape::Vec(_) | Shape::Array(..)
            )
    });
    // `for b in data` gives references only if `data` is one.
    bytes && *form != Form::Plain
}
