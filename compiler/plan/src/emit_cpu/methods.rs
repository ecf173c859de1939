//! What rustc is asked of methods that a loop calls on what it writes, walks in chunks, or reads in a kernel: whether they are those of the slice or the vector that was read for
//! it, and not others that a type in between has under their names.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::{Expr, ExprMethodCall};

use super::value::same;
use crate::parsed::iteration::{Adaptor, Base, Chain};
use crate::plan::LoopPlan;
use crate::syntax::Shape;
use crate::syntax::visit::{self, Visit};
use crate::syntax::without_parens;

/// Those that are read for a slice's or a vector's. Honest types have a `len` as well, whose number is compared.
const METHODS: &[&str] = &[
    "as_slice",
    "chunks",
    "chunks_exact",
    "chunks_exact_mut",
    "chunks_mut",
    "extend",
    "extend_from_slice",
    "first",
    "get",
    "get_mut",
    "is_empty",
    "iter",
    "iter_mut",
    "last",
    "len",
    "push",
    "push_back",
    "push_str",
    "swap",
    "windows",
];

/// Those of them that the user's own words call on the CPU, whosever they are.
const AS_WRITTEN: &[&str] = &["as_slice", "first", "is_empty", "iter", "last"];

/// What is asked of the calls on some places, of rustc and of the call.
pub(super) fn checks(plan: &LoopPlan, places: &[&Expr]) -> TokenStream {
    let chains = plan.iterations.iter().map(|iteration| &iteration.chain);
    let places = places.iter().copied();
    let places = places.chain(chains.flat_map(walked)).chain(&plan.grown);
    let (lengths, calls): (Vec<_>, Vec<_>) = calls(plan, places.collect())
        .into_iter()
        .filter(|call| !AS_WRITTEN.contains(&call.method.to_string().as_str()))
        .partition(|call| call.method == "len");
    let lengths = lengths.into_iter().map(|call| {
        let (place, span) = (&call.receiver, at(call));
        quote_spanned! { span=>
            ::accrue::__rt::methods::same_length((#place).len(), <[_]>::len(&(#place)[::accrue::__rt::ALL]));
        }
    });
    let questions = calls.iter().map(|call| {
        let (place, span) = (&call.receiver, at(call));
        let question = match plan.grown.iter().any(|grown| same(grown, place)) {
            true => quote_spanned!(span=> (&&&::accrue::__rt::Seen::<(), _>::new(&(#place))).__accrue_place()),
            false => quote_spanned!(span=> ::accrue::__rt::methods::Place::new(&(#place))),
        };
        let called = called(call, &question);
        quote_spanned!(span=> ::accrue::__rt::methods::is_theirs(#called);)
    });
    let questions = (!calls.is_empty()).then(|| {
        quote! {
            #[allow(unreachable_code, unused_imports, clippy::all)]
            let _ = || {
                use ::accrue::__rt::cpu::grown::{AskLeads as _, AskLeadsFar as _, AskLeadsNowhere as _};
                use ::accrue::__rt::methods::Methods as _;
                #(#questions)*
            };
        }
    });
    quote!(#questions #(#lengths)*)
}

/// Whether a place has methods of its own, where a kernel has those of a slice: an expression, where a loop calls one. `len` is the slice's length.
pub fn has_others(plan: &LoopPlan, place: &Expr, len: &Ident) -> Option<TokenStream> {
    let calls = calls(plan, vec![place]);
    let each = calls.iter().map(|call| {
        let span = at(call);
        if call.method == "len" {
            return quote_spanned!(span=> (#place).len() != #len);
        }
        let called = called(call, &quote!(__accrue_place));
        quote_spanned!(span=> !(&::accrue::__rt::methods::returned(|| #called)).__accrue_theirs())
    });
    (!calls.is_empty()).then(|| {
        quote!({
            use ::accrue::__rt::methods::{AskOthers as _, AskTheirs as _, Methods as _};
            #[allow(unused_mut, unused_variables)]
            let mut __accrue_place = ::accrue::__rt::methods::Place::new(&(#place));
            #[allow(unreachable_code, clippy::all)]
            let __accrue_others = #(#each)||*;
            __accrue_others
        })
    })
}

/// Where rustc says what it finds of a call.
fn at(call: &ExprMethodCall) -> Span {
    call.method.span().resolved_at(Span::call_site())
}

/// The call of something else, which is not made.
fn called(call: &ExprMethodCall, of: &TokenStream) -> TokenStream {
    let (name, span) = (&call.method, at(call));
    let arguments = call.args.iter().map(|_| quote_spanned!(span=> loop {}));
    quote_spanned!(span=> #of.#name(#(#arguments),*))
}

/// The first call of each method on each of some places. What is written as a slice, an array or a `Vec` is one.
fn calls<'a>(plan: &'a LoopPlan, mut places: Vec<&'a Expr>) -> Vec<&'a ExprMethodCall> {
    places.retain(|place| {
        let mut arrays = plan.arrays.iter();
        let array = arrays.find(|array| same(&array.expr, place));
        array.is_none_or(|array| matches!(array.shape, Shape::Elem(_) | Shape::Unknown))
            && matches!(without_parens(place), Expr::Path(_) | Expr::Field(_))
    });
    let mut calls = Calls {
        places,
        found: Vec::new(),
    };
    calls.visit_expr_for_loop(&plan.syntax);
    calls.found
}

/// The places whose chunks a loop walks.
fn walked(chain: &Chain) -> Vec<&Expr> {
    let others = chain.adaptors.iter().flat_map(|adaptor| match adaptor {
        Adaptor::Zip(other) => walked(other),
        _ => Vec::new(),
    });
    let mut all: Vec<&Expr> = others.collect();
    if let Base::Chunks(of, _)
    | Base::ChunksExact(of, _)
    | Base::Windows(of, _)
    | Base::ChunksMut(of, ..) = &chain.base
    {
        all.push(of);
    }
    all
}

/// Looks for them.
struct Calls<'a> {
    places: Vec<&'a Expr>,
    found: Vec<&'a ExprMethodCall>,
}

impl<'a> Visit<'a> for Calls<'a> {
    fn visit(&mut self, node: visit::Node<'a>) {
        if let visit::Node::Expr(Expr::MethodCall(call)) = node {
            let name = call.method.to_string();
            let is_read = METHODS.contains(&name.as_str());
            let is_new = !self
                .found
                .iter()
                .any(|other| other.method == call.method && same(&other.receiver, &call.receiver));
            if is_read && is_new && self.places.iter().any(|place| same(place, &call.receiver)) {
                self.found.push(call);
            }
        }
        node.parts(self);
    }
}
