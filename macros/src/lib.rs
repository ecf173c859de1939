//! The attribute `#[offload]`: tokens in, [`accrue_compiler::compile`], tokens out.

use accrue_compiler::{declared, siblings, within};
use proc_macro::{Span, TokenStream};

/// Runs the histogram loops of a function on every core, or on a GPU; or marks a function that such loops
/// call.
///
/// `#[offload(histogram)]` stands on a function with a `for` loop that updates bins: the function keeps its
/// signature and its result. See the crate `accrue` for what is accepted and `docs/diagnostics.md` for what
/// is refused and why. Arguments:
///
/// - `deterministic`: float sums come out bit for bit the same for any number of threads; loops with such sums stay
///   on the CPU;
/// - `strategy = "name"`, `locals = l`, `bundle = S`: how, instead of an automatic choice;
/// - `require = "cuda"`: it is an error if the loop cannot run on a GPU;
/// - `uses(helper, Pixel)`: device functions and structs that the loops mention;
/// - `pure(key, my_macro)`: methods, functions and macros that only compute, on what iterations share too;
/// - `crate = name`: what the crate `accrue` is called where a `Cargo.toml` renames it (on structs `#[accrue(crate = name)]`);
/// - `module = false`: no companion of the function's name, where a module or type of that name stands beside it (rustc: E0428, "defined multiple
///   times"). Functions of an `impl` or a `trait` have none.
///
/// `#[offload(device)]` stands on a function of numbers that offloaded loops may call on a GPU.
#[proc_macro_attribute]
pub fn offload(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let (mut attribute, item) = (attribute.into(), item.into());
    // What the source around it says.
    if let Some((source, offset)) = place() {
        if within::is_associated(&source, offset) {
            attribute = within::attribute(attribute, &item);
            attribute = siblings::attribute(attribute, &item, &source, offset);
        }
        attribute = declared::attribute(attribute, &item, &source, offset);
    }
    accrue_compiler::compile(attribute, item, outputs()).into()
}

/// The source in which the attribute stands, and where.
fn place() -> Option<(String, usize)> {
    let at = Span::call_site();
    let source = std::fs::read_to_string(at.local_file()?).ok()?;
    let offset = within::offset(&source, at.line(), at.column())?;
    Some((source, offset))
}

/// Lets offloaded loops use a `#[repr(C)]` struct of numbers on a device: as an element of what they read, and as a
/// value. Name it in their `uses(..)`.
///
/// The struct's fields are primitives, arrays of them, or other structs that derive `DeviceType`.
#[proc_macro_derive(DeviceType, attributes(accrue))]
pub fn device(item: TokenStream) -> TokenStream {
    accrue_compiler::device::derive(item.into()).into()
}

/// Says that a struct or an enum is plain data: nothing in it or behind it can be changed through a shared reference. Every field
/// has to be plain data itself, or of `Copy` types that borrow nothing, which rustc checks.
#[proc_macro_derive(Plain)]
pub fn plain(item: TokenStream) -> TokenStream {
    accrue_compiler::plain::derive(item.into()).into()
}

/// A step of collecting what `uses(..)` names. Not for people.
#[doc(hidden)]
#[proc_macro]
pub fn __collect(tokens: TokenStream) -> TokenStream {
    accrue_compiler::collect(tokens.into(), outputs()).into()
}

fn outputs() -> accrue_compiler::Outputs {
    accrue_compiler::Outputs {
        gpu: cfg!(feature = "gpu"),
        crates: accrue_compiler::Crates {
            ndarray: cfg!(feature = "ndarray"),
            image: cfg!(feature = "image"),
        },
    }
}
