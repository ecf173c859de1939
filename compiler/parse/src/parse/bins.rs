//! What bins may lie in: numbers that lie where an index says.

use crate::diag::{Code, Diagnostic, Errors};
use crate::parsed::candidate::Candidate;
use crate::syntax::Shape;

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
