//! How a call ended, and whether that is how the plain loop did.

use super::data::CLASH;
use super::program::Kind;
use crate::compare::{Floats, difference, is_same};
use crate::data::{Data, Form, Param};

/// How a call ended: its panic, and what it left of the arguments.
pub(super) struct End {
    pub(super) result: Result<(), String>,
    pub(super) data: Data,
}

/// What of a function goes in order in any case.
#[derive(Clone, Copy)]
pub(super) struct Order {
    /// A loop around those that run in parallel: after a panic arrays are what its steps before have left, and more.
    pub(super) steps: bool,
    /// A whole loop, on the CPU: after a panic it leaves what the plain loop does.
    pub(super) plain: bool,
    /// It calls code that is not known, so that no iteration runs again for the panic of its own.
    pub(super) once: bool,
}

impl Order {
    /// Whether a panic is the plain loop's, or what is said in its place.
    fn is_told(self, right: &str, told: &str) -> bool {
        let bin = "attempt to update a bin with overflow";
        right == told || self.once && right.ends_with(" with overflow") && told == bin
    }
}

/// What a parameter is after a panic.
#[derive(PartialEq)]
enum After {
    /// As before the call.
    Before,
    /// That, where it is bins, or elements are as their iterations left them: only the loop says which.
    Either,
}

/// Where an end differs from that of the plain loop.
pub(super) fn differs(
    kind: Kind,
    order: Order,
    params: &[Param],
    before: &Data,
    plain: &End,
    found: &End,
) -> Option<String> {
    match (&plain.result, &found.result) {
        (Ok(()), Ok(())) => params
            .iter()
            .find_map(|param| {
                // Of sums and extrema the order decides which zero they are.
                let floats = match param.operator() {
                    "own" => Floats::Exact,
                    _ => Floats::Reordered,
                };
                let param = std::slice::from_ref(param);
                difference(param, &plain.data, &found.data, floats)
            })
            .or_else(|| {
                let (right, found) = (plain.data.0.get(""), found.data.0.get(""));
                (right != found).then(|| format!("returned {right:?} and {found:?}"))
            }),
        (Err(right), Err(told)) if order.is_told(right, told) => params
            .iter()
            .filter(|param| param.mutable)
            .find_map(|param| {
                let (old, new, left) = (
                    &before.0[&param.name],
                    &plain.data.0[&param.name],
                    &found.data.0[&param.name],
                );
                let untouched = old == left;
                let own = is_own(param, old, new, left);
                let fine = order.steps
                    || order.plain && is_own(param, old, new, left)
                    || match after(kind, param) {
                        After::Before => untouched,
                        After::Either => untouched || own,
                    };
                (!fine).then(|| after_panic(param, right, old, new, left))
            }),
        // Nothing has been written by then.
        (Ok(()), Err(met)) if met.contains("both use") && before.0.contains_key(CLASH) => params
            .iter()
            .find(|param| before.0[&param.name] != found.data.0[&param.name])
            .map(|param| format!("{} is not as before {met:?}", param.name)),
        (right, found) => Some(format!("{right:?} and {found:?}")),
    }
}

/// The first element that another one than before the call, or than the plain loop left.
fn after_panic(param: &Param, panic: &str, old: &[u8], new: &[u8], left: &[u8]) -> String {
    let size = param.scalar.size() as usize;
    let at = (0..left.len() / size).find(|i| {
        let element = i * size..(i + 1) * size;
        left[element.clone()] != old[element.clone()] && left[element.clone()] != new[element]
            || old == new
    });
    let at = at.or_else(|| {
        left.iter()
            .zip(old)
            .position(|(a, b)| a != b)
            .map(|b| b / size)
    });
    let at = at.unwrap_or(0);
    let of = |bytes: &[u8]| format!("{:?}", &bytes[at * size..(at + 1) * size]);
    format!(
        "{}[{at}] after the panic {panic:?}: before {}, the plain loop left {}, found {}",
        param.name,
        of(old),
        of(new),
        of(left)
    )
}

fn after(kind: Kind, param: &Param) -> After {
    let first = param.name.as_bytes()[0];
    match kind {
        Kind::Ordered | Kind::Grouped | Kind::Searched | Kind::Nest | Kind::Steps | Kind::Pair => {
            After::Either
        }
        Kind::Bins => After::Before,
        // Scalars that are kept or carried along are as before.
        _ if matches!(first, b'e' | b'g')
            && param.operator() == "own"
            && param.form != Form::Scalar =>
        {
            After::Either
        }
        _ => After::Before,
    }
}

/// Whether an array is what iterations that write elements of their own may leave: those before the one that panics have run, and that one up to
/// there, so that what the plain loop has changed is changed. Later ones may have run.
fn is_own(param: &Param, old: &[u8], new: &[u8], left: &[u8]) -> bool {
    let size = param.scalar.size() as usize;
    let elements = old.chunks_exact(size).zip(new.chunks_exact(size));
    elements
        .zip(left.chunks_exact(size))
        .all(|((old, new), left)| {
            is_same(param.scalar, old, new) || is_same(param.scalar, new, left)
        })
}
