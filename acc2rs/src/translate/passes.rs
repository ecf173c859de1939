//! The passes that write a program in other C where a construct has no counterpart in Rust, in the order in which they run.
//!
//! Each sees what those before it left behind. In builds with debug assertions, which those of the tests are,
//! `typed::verify` looks at the program after each.

use super::rewrite::{
    accessors, apart, arena, chosen, dispatch, ends, finders, flat_views, records, row_fields,
    row_views, selected, untyped,
};
use crate::typed::{Program, verify};

/// A pass over a program.
pub(crate) struct Pass {
    /// Its name, which is its file's.
    pub(crate) name: &'static str,
    /// Writes the program; whether there was anything to write.
    pub(crate) run: fn(&mut Program) -> bool,
}

const fn pass(name: &'static str, run: fn(&mut Program) -> bool) -> Pass {
    Pass { name, run }
}

/// The list.
pub(crate) const PASSES: [Pass; 12] = [
    // Knows the functions whose address is taken. Leaves no pointer to a function that takes or returns an array.
    pass("dispatch", dispatch::number),
    // Knows functions of one `return`. Leaves no call of one that returns a position in what it is given or in a global.
    pass("accessors", accessors::inline),
    // Knows structs with a block and a table of rows in it. Leaves numbers as the table's elements.
    pass("row_fields", row_fields::positions),
    // Knows structs whose fields share one block. Leaves one field that holds it, the others are positions in it.
    pass("arena", arena::fields),
    // Knows tables of rows in a block that is used by its own name. Leaves the block alone.
    pass("row_views", row_views::flatten),
    // Knows names for all elements of an array of arrays. Leaves the array's own name.
    pass("flat_views", flat_views::unfold),
    // Knows functions that return a position or null. Leaves functions that return an index, noted in `Program::finders`.
    pass("finders", finders::index),
    // Knows pairs of pointers that bound a part of an array. Leaves one pointer and a length.
    pass("ends", ends::measure),
    // Knows structs that are read as plain numbers. Leaves arrays of numbers.
    pass("records", records::flatten),
    // Knows what each call passes for a `void *`. Leaves parameters of the type that they are read as.
    pass("untyped", untyped::typed),
    // Knows pointers that a condition gives one of two arrays. Leaves an exchange under that condition.
    pass("chosen", chosen::exchange),
    // Knows memory of a local that changes places with a pointer into other memory. Leaves a variable that owns it.
    pass("apart", apart::name),
];

/// Writes the statements that use a pointer to one of several places once for each of the places. It makes programs longer, so
/// it only runs, before all of [`PASSES`], on what is refused as it is.
pub(crate) const SELECTED: Pass = pass("selected", selected::unfold);

impl Pass {
    /// Runs the pass on a program; whether it changed it.
    pub(crate) fn over(&self, program: &mut Program) -> bool {
        let changed = (self.run)(program);
        if changed {
            sound(program, self.name);
        }
        changed
    }
}

/// Stops where a pass left behind what is no program.
pub(crate) fn sound(program: &Program, after: &str) {
    if cfg!(debug_assertions)
        && let Err(wrong) = verify::verify(program)
    {
        panic!("after `{after}`: {wrong}");
    }
}

/// The program after all passes; `None` where none had anything to write.
pub(crate) fn prepared(program: &Program) -> Option<Program> {
    let mut out = program.clone();
    let mut changed = false;
    for pass in &PASSES {
        changed |= pass.over(&mut out);
    }
    changed.then_some(out)
}
