//! What bins may lie in: numbers that lie where an index says.

use crate::diag::{Code, Diagnostic, Errors};
use crate::parsed::candidate::Candidate;
use crate::parsed::iteration::{self, Base, Form};
use crate::syntax::{Shape, names};
use syn::spanned::Spanned as _;

/// Bins must be numbers that lie where an index says.
pub(super) fn check(candidate: &Candidate<'_>, errors: &mut Errors) {
    for assigned in super::nest::assigned(candidate.syntax, false)
        .iter()
        .filter(|a| a.indexed && a.key.fields.is_empty())
    {
        let Some(outer) = candidate.outer.get(&assigned.key.root) else {
            continue;
        };
        let Some(what) = unsuitable(&outer.shape) else {
            continue;
        };
        let name = &assigned.key.root;
        errors.push(
            Diagnostic::new(Code::BinType, outer.ident.span(), format!("`{name}` is {what}, which cannot hold bins"))
                .help("use a slice, an array or a `Vec` of numbers, or an array of arrays: `&mut [u32]`, `&mut [[u32; M]]`"),
        );
    }
}

/// Elements that are assigned lie in a slice, which those of a `VecDeque` do not.
pub(super) fn assigned(candidate: &Candidate<'_>, errors: &mut Errors) {
    for assigned in super::nest::assigned(candidate.syntax, true) {
        let outer = candidate.outer.get(&assigned.key.root);
        if assigned.indexed
            && assigned.key.fields.is_empty()
            && let Some(outer) = outer
            && let Shape::Elem(syn::Type::Path(ty)) = &outer.shape
            && ty
                .path
                .segments
                .last()
                .is_some_and(|s| s.ident == "VecDeque")
        {
            let name = &outer.ident;
            errors.push(
                Diagnostic::new(
                    Code::BinIndex,
                    name.span(),
                    format!("`{name}` is a `VecDeque`, whose elements lie in no slice"),
                )
                .help(format!(
                    "assign elements of a slice, `let items = {name}.make_contiguous();` before the loop"
                )),
            );
        }
    }
}

/// Only what lies in a slice can be handed out to several iterations at once: `for v in &mut map`.
pub(super) fn handed_out(candidate: &Candidate<'_>, errors: &mut Errors) {
    let Ok(chain) = iteration::chain(&candidate.syntax.expr) else {
        return;
    };
    let Base::Elements { of, form } = &chain.base else {
        return;
    };
    let Some((key, false)) = names::key_of(of) else {
        return;
    };
    let Some(outer) = candidate
        .outer
        .get(&key.root)
        .filter(|_| key.fields.is_empty())
    else {
        return;
    };
    let lends = matches!(form, Form::Mutable) || matches!(form, Form::Plain) && outer.exclusive;
    let Shape::Elem(ty) = &outer.shape else {
        return;
    };
    let help = match ty {
        ty if map_type(ty) => {
            "write `#[sequential]` before the loop's `for`, or keep the values in a `Vec`"
        }
        ty if iterates(ty, candidate.outer.generics()) => {
            "collect the items before the loop, `let items: Vec<_> = items.collect();`"
        }
        _ => return,
    };
    if lends {
        let message = format!(
            "`{}` is no slice, of which iterations could have elements of their own",
            key.root
        );
        errors.push(Diagnostic::new(Code::Iteration, of.span(), message).help(help));
    }
}

/// Whether a type iterates and is nothing else: one of the standard library's iterators, by its name, or one of which only a trait is known.
fn iterates(ty: &syn::Type, generics: &[String]) -> bool {
    let syn::Type::Path(path) = ty else {
        return matches!(ty, syn::Type::ImplTrait(_) | syn::Type::TraitObject(_));
    };
    let last = path.path.segments.last();
    let name = last.map(|of| of.ident.to_string()).unwrap_or_default();
    ITERATORS.contains(&&*name) || generics.contains(&name)
}

/// Iterators of the standard library.
const ITERATORS: [&str; 40] = [
    "Bytes",
    "Chain",
    "CharIndices",
    "Chars",
    "Chunks",
    "ChunksExact",
    "ChunksExactMut",
    "ChunksMut",
    "Cloned",
    "Copied",
    "Cycle",
    "Drain",
    "Empty",
    "Enumerate",
    "Filter",
    "FilterMap",
    "FlatMap",
    "Flatten",
    "Fuse",
    "Inspect",
    "IntoIter",
    "IntoKeys",
    "IntoValues",
    "Iter",
    "IterMut",
    "Keys",
    "Lines",
    "Map",
    "Peekable",
    "Range",
    "RangeInclusive",
    "Rev",
    "Scan",
    "Skip",
    "Split",
    "StepBy",
    "Take",
    "Values",
    "Windows",
    "Zip",
];

/// What a shape is, where it cannot hold bins.
fn unsuitable(shape: &Shape) -> Option<&'static str> {
    match shape {
        Shape::Slice(elem) | Shape::Vec(elem) | Shape::Array(elem, _) => match &**elem {
            Shape::Vec(_) | Shape::Slice(_) => Some("an array of separate allocations"),
            Shape::Str => Some("an array of strings"),
            Shape::Array(..) => unsuitable(elem),
            Shape::Elem(ty) => map_type(ty).then_some("an array of maps"),
            Shape::Unknown => None,
        },
        Shape::Str => Some("a string"),
        Shape::Elem(ty) if map_type(ty) => Some("a map"),
        Shape::Elem(_) | Shape::Unknown => None,
    }
}

fn map_type(ty: &syn::Type) -> bool {
    let syn::Type::Path(path) = ty else {
        return false;
    };
    path.path.segments.last().is_some_and(|s| {
        matches!(
            s.ident.to_string().as_str(),
            "HashMap" | "BTreeMap" | "HashSet" | "BTreeSet" | "VecDeque" | "String"
        )
    })
}
