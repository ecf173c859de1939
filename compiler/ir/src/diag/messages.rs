//! What more than one stage finds.

use proc_macro2::Span;

use super::{Code, Diagnostic};

/// `out[i] = v`: the last iteration to write wins.
pub fn plain_write(name: &str, indexed: bool, operator: Span) -> Diagnostic {
    let target = if indexed {
        format!("{name}[i]")
    } else {
        name.to_string()
    };
    Diagnostic::new(
        Code::OrderDependent,
        operator,
        format!("`=` replaces what `{target}` held, so the result depends on which iteration comes last"),
    )
    .note("iterations run at the same time, in no order")
    .help(format!(
        "combine instead of replacing: `{target} += v`, `{target} |= v`, `{target} = {target}.max(v)`"
    ))
}

/// The finding of a function that calls itself, by way of others or not.
pub fn recursion(name: &str, span: Span) -> Diagnostic {
    Diagnostic::new(
        Code::Recursion,
        span,
        format!("the device function `{name}` calls itself"),
    )
    .note("a kernel has no stack that could grow")
    .help("write the recursion as a loop")
}
