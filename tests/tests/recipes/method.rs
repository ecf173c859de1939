//! `midpoint` of floats, which the device library has: a row, what it computes, and how it is printed.

use super::copy::{Edit, edit};

/// Where the interpreter has what methods compute.
pub(crate) const MEANING: &str = "compiler/ir/src/ir/interpret/methods.rs";

/// The row.
pub(crate) fn rows() -> Vec<Edit> {
    vec![edit(
        "compiler/ir/src/methods.rs",
        "        Copysign = copysign(Same) -> Same;\n",
        "        Midpoint = midpoint(Same) -> Same;\n",
    )]
}

/// All steps.
pub(crate) fn edits() -> Vec<Edit> {
    let steps = vec![
        edit(
            MEANING,
            "                    Method::Copysign =>",
            "                    Method::Midpoint => a.midpoint(arg(1)).into(),\n",
        ),
        edit(
            "compiler/src/emit_ptx/methods.rs",
            "Method::RemEuclid\n",
            "Method::Midpoint\n            | ",
        ),
    ];
    [rows(), steps].concat()
}
