//! The fixpoint of sister functions: the program is emitted, and where calls were refused that a sister of their function can
//! serve, the sisters are written and the program is emitted again.
//!
//! What a call borrows is only known when it is written, so this repeats where the other passes run once. What it collects are
//! the calls that `emit::wanted` notes, as [`Wanted`]: those that get several positions in one array, and those that get a struct
//! and memory that it holds. One round does not find them all: an emitted function ends at its first refusal, and the calls in a
//! sister are seen when the sister is emitted.
//!
//! It ends: a round that changes nothing is the last, and every change takes a pointer from the arguments of a call, of which
//! [`pointers_passed`] tells how many there are. More rounds than that are a mistake of acc2rs and reported as one.

use std::borrow::Cow;

use super::emit::state::Wanted;
use super::rewrite::{by_field, within};
use crate::typed::{ExprKind, Program, walk};

/// The sisters made so far.
#[derive(Default)]
struct Sisters {
    within: within::Sisters,
    by_field: by_field::Sisters,
}

impl Sisters {
    /// The program with the sisters that a round asks for; `None` where none of its calls can have one.
    fn write(&mut self, program: &Program, wanted: &Wanted) -> Option<Program> {
        let changed = within::changed(program, &wanted.shared, &mut self.within);
        let so_far = changed.as_ref().unwrap_or(program);
        by_field::changed(so_far, &wanted.held, &mut self.by_field).or(changed)
    }
}

/// How the rounds ended.
pub(crate) enum End<T, E> {
    /// A round was accepted.
    Made(T),
    /// No sister helps; this is what the first round said.
    Refused(E),
    /// More rounds than there can be, which is how many.
    Endless(usize),
}

/// What one round says: what was made, or what refuses it and the sisters that would help.
pub(crate) type Round<T, E> = Result<T, (E, Wanted)>;

/// Emits until a round is accepted or no sister helps. `written` is called with every program that gets sisters.
pub(crate) fn settled<T, E>(
    program: &Program,
    emit: &mut dyn FnMut(&Program) -> Round<T, E>,
    written: &mut dyn FnMut(&Program),
) -> End<T, E> {
    let mut program = Cow::Borrowed(program);
    let mut sisters = Sisters::default();
    let mut most = pointers_passed(&program, 0);
    let (mut rounds, mut first) = (0, None);
    loop {
        let (refused, wanted) = match emit(&program) {
            Ok(made) => return End::Made(made),
            Err(refused) => refused,
        };
        let first_refusal = first.take().unwrap_or(refused);
        let Some(other) = sisters.write(&program, &wanted) else {
            return End::Refused(first_refusal);
        };
        rounds += 1;
        if rounds > most {
            return End::Endless(most);
        }
        first = Some(first_refusal);
        written(&other);
        // The calls in the sisters are new.
        most += pointers_passed(&other, program.functions.len());
        program = Cow::Owned(other);
    }
}

/// How many pointers are passed by the calls in functions, from the one with this number on: as often a sister can take one.
fn pointers_passed(program: &Program, from: usize) -> usize {
    let mut count = 0;
    let bodies = program.functions.iter().skip(from).flat_map(|f| &f.body);
    for stmt in bodies.flat_map(|b| &b.stmts) {
        walk::exprs(program, stmt, &mut |e| {
            if let ExprKind::Call { args, .. } = &e.kind {
                // An array of variable length is passed as itself.
                let pointers = args.iter().filter(|a| !a.ty.is_arithmetic());
                count += pointers.count();
            }
        });
    }
    count
}
