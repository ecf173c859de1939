//! The interpreter: the meaning of a loop, executable. It is the oracle for every back end, so it
//! computes with Rust's own operators and methods wherever it can, one iteration after the other in the
//! order of the sequential loop, and it is not fast.
//!
//! ```
//! # use accrue_ir::ir::{interpret::State, Loop, Pattern};
//! # fn run(lp: &Loop, pattern: &Pattern) {
//! let mut state = State::new(lp);
//! state.set_array("keys", &[3u8, 1, 3]);
//! state.set_array("hist", &[0u32; 4]);
//! state.interpret(pattern).expect("no iteration faults");
//! assert_eq!(state.array::<u32>("hist"), [0, 1, 0, 2]);
//! # }
//! ```

mod eval;
mod memory;
mod methods;
mod operators;
mod place;
#[cfg(test)]
mod tests;
mod value;

use std::fmt;

use super::{Access, ArrayId, Histogram, Loop, Pattern, SourceId, VarId, VarKind};

pub use memory::Element;
pub use value::Value;

use eval::Machine;

/// What a loop runs over: its captured memory and values.
#[derive(Clone, Debug)]
pub struct State<'a> {
    lp: &'a Loop,
    /// The bytes of each array, as they lie in memory.
    arrays: Vec<Vec<u8>>,
    /// The captured values and reduced scalars, by variable.
    vars: Vec<Option<Value>>,
    /// Whether the profile of the user's crate checks integer overflow; at first, whether this build has
    /// debug assertions.
    pub overflow_checks: bool,
    /// Whether bins and reduced scalars wrap around all the same, as on a GPU.
    pub bins_wrap: bool,
    /// What other than std computes float methods, by name: a device's maths, which differs in the last place.
    pub maths: Option<Maths>,
}

/// The value of a float method, by its name; `None` for one that is not known.
pub type Maths = fn(&str, &[Value]) -> Option<Value>;

/// Where the sequential loop would panic: the first fault of the earliest iteration that has one.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The iteration, counted from 0 through the whole space in the order of the sequential loop.
    pub iteration: u64,
    /// What happened.
    pub kind: FaultKind,
    /// The expression or statement.
    pub source: SourceId,
}

/// What a fault is.
#[derive(Clone, Debug, PartialEq)]
pub enum FaultKind {
    /// An index out of range.
    OutOfRange {
        /// The captured array, or none for a local one.
        array: Option<ArrayId>,
        /// The index.
        index: u64,
        /// The length that it was checked against.
        len: u64,
    },
    /// Anything else, with the panic's message.
    Panic(String),
}

impl fmt::Display for FaultKind {
    /// The message of the sequential loop's panic.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultKind::OutOfRange { index, len, .. } => {
                write!(
                    f,
                    "index out of bounds: the len is {len} but the index is {index}"
                )
            }
            FaultKind::Panic(message) => f.write_str(message),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (in iteration {})", self.kind, self.iteration)
    }
}

impl std::error::Error for Fault {}

impl<'a> State<'a> {
    /// A state for a loop, in which all arrays are empty and no value is set.
    pub fn new(lp: &'a Loop) -> State<'a> {
        State {
            lp,
            arrays: vec![Vec::new(); lp.arrays.len()],
            vars: vec![None; lp.body.vars.len()],
            overflow_checks: cfg!(debug_assertions),
            bins_wrap: false,
            maths: None,
        }
    }

    /// Sets a captured array of scalars, or of arrays of scalars, from its scalars in memory order.
    ///
    /// # Panics
    ///
    /// If the loop captures no array of that name, or one of other scalars.
    pub fn set_array<T: Element>(&mut self, name: &str, scalars: &[T]) {
        let id = self.array_named(name);
        self.check_scalars::<T>(id);
        self.arrays[id.0 as usize] = scalars.iter().flat_map(|v| v.to_bytes()).collect();
    }

    /// The scalars of a captured array in memory order.
    ///
    /// # Panics
    ///
    /// If the loop captures no array of that name, or one of other scalars.
    pub fn array<T: Element>(&self, name: &str) -> Vec<T> {
        let id = self.array_named(name);
        self.check_scalars::<T>(id);
        self.arrays[id.0 as usize]
            .chunks_exact(size_of::<T>())
            .map(T::from_bytes)
            .collect()
    }

    /// Sets the bytes of a captured array, as they lie in memory.
    pub fn set_bytes(&mut self, array: ArrayId, bytes: Vec<u8>) {
        self.arrays[array.0 as usize] = bytes;
    }

    /// The bytes of a captured array, as they lie in memory.
    pub fn bytes(&self, array: ArrayId) -> &[u8] {
        &self.arrays[array.0 as usize]
    }

    /// Sets a captured value or a reduced scalar; every capture of that name.
    ///
    /// # Panics
    ///
    /// If the loop captures no value of that name.
    pub fn set_value(&mut self, name: &str, value: impl Into<Value>) {
        let value = value.into();
        let mut found = false;
        for (id, var) in self.lp.body.vars.iter().enumerate() {
            if var.name == name
                && matches!(
                    var.kind,
                    VarKind::Captured | VarKind::Reduced | VarKind::Best | VarKind::Carried
                )
            {
                self.vars[id] = Some(value.clone());
                found = true;
            }
        }
        assert!(
            found,
            "loop {} of {} captures no value `{name}`",
            self.lp.ordinal, self.lp.function
        );
    }

    /// Sets a captured value or a reduced scalar.
    pub fn set_var(&mut self, var: VarId, value: impl Into<Value>) {
        self.vars[var.0 as usize] = Some(value.into());
    }

    /// A captured value or a reduced scalar, if it is set.
    pub fn var(&self, var: VarId) -> Option<&Value> {
        self.vars[var.0 as usize].as_ref()
    }

    /// A captured value or a reduced scalar by its name, if it is set.
    pub fn value(&self, name: &str) -> Option<&Value> {
        let named = self.lp.body.vars.iter().position(|var| {
            var.name == name
                && matches!(
                    var.kind,
                    VarKind::Captured | VarKind::Reduced | VarKind::Best | VarKind::Carried
                )
        });
        self.vars[named?].as_ref()
    }

    /// How many positions each dimension of the iteration space has, outermost first. Inside a dimension without
    /// positions nothing is evaluated.
    ///
    /// # Errors
    ///
    /// A fault in the evaluation of a count.
    pub fn counts(&mut self, pattern: &Pattern) -> Result<Vec<u64>, Fault> {
        let Pattern::Histogram(Histogram { targets, .. }) = pattern;
        let lp = self.lp;
        let mut counts = vec![0; lp.space.len()];
        for (count, dim) in counts.iter_mut().zip(&lp.space) {
            *count = Machine::new(self, targets).count(&dim.count)?;
            if *count == 0 {
                break;
            }
        }
        Ok(counts)
    }

    /// Runs the loop.
    ///
    /// # Errors
    ///
    /// The fault of the earliest iteration that has one. The state is then as it was before.
    ///
    /// # Panics
    ///
    /// If the loop has [opaque parts](Loop::opaque_parts), or a captured value that it uses is not set,
    /// or the length of an array does not fit its type: all are mistakes of the caller.
    pub fn interpret(&mut self, pattern: &Pattern) -> Result<(), Fault> {
        self.interpret_in(pattern, |iteration, _| iteration)
    }

    /// Runs the loop with its iterations in another order: the one that comes at a place, for each place of so many. What
    /// is then left in memory is the same, if no two iterations meet.
    ///
    /// # Errors
    ///
    /// The fault of the iteration that comes first of those that have one.
    ///
    /// # Panics
    ///
    /// As [`State::interpret`].
    pub fn interpret_in(
        &mut self,
        pattern: &Pattern,
        order: impl Fn(u64, u64) -> u64,
    ) -> Result<(), Fault> {
        let Pattern::Histogram(Histogram { targets, .. }) = pattern;
        self.check_memory();
        let counts = self.counts(pattern)?;
        let updated = self
            .lp
            .arrays
            .iter()
            .map(|array| matches!(array.access, Access::Updated | Access::Owned));
        let before: Vec<Option<Vec<u8>>> = updated
            .zip(&self.arrays)
            .map(|(updated, bytes)| updated.then(|| bytes.clone()))
            .collect();
        let vars = self.vars.clone();
        let kinds = self.lp.body.vars.iter().enumerate();
        let carried = kinds.filter(|(_, var)| var.kind == VarKind::Carried);
        let carried: Vec<usize> = carried.map(|(id, _)| id).collect();
        let total = counts
            .iter()
            .try_fold(1u64, |n, &count| n.checked_mul(count));
        let total = total.expect("the iteration space has fewer than 2^64 iterations");
        for place in 0..total {
            let iteration = order(place, total);
            let mut machine = Machine::new(self, targets);
            let mut rest = iteration;
            for (dim, &count) in machine.lp.space.iter().zip(&counts).rev() {
                machine.set(dim.position, Value::Int(i128::from(rest % count)));
                rest /= count;
            }
            let done = machine.iteration();
            let after: Vec<_> = carried.iter().map(|id| machine.frame[*id].take()).collect();
            for (id, value) in carried.iter().zip(after) {
                self.vars[*id] = value;
            }
            if let Err((kind, source)) = done {
                for (bytes, before) in self.arrays.iter_mut().zip(before) {
                    if let Some(before) = before {
                        *bytes = before;
                    }
                }
                self.vars = vars;
                return Err(Fault {
                    iteration,
                    kind,
                    source,
                });
            }
        }
        Ok(())
    }

    fn array_named(&self, name: &str) -> ArrayId {
        match self.lp.arrays.iter().position(|array| array.name == name) {
            Some(id) => ArrayId(id as u32),
            None => panic!(
                "loop {} of {} captures no array `{name}`",
                self.lp.ordinal, self.lp.function
            ),
        }
    }
}
