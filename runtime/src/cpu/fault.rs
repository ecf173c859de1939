//! What went wrong in a run that is not the user's own loop.
//!
//! A body that may run again is run again, in order, and panics where the sequential loop does. One that may not, since running it twice
//! could be noticed, has panicked already, and what is known of that is kept here: the payload of the body's own panic, or which index was
//! out of range.

use std::any::Any;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Whether an update of a run was out of range or overflowed, or the body panicked. The tables of a run share it.
///
/// It lies behind a reference and is set by cold functions, so that a table's loop has neither a register
/// nor a jump for it.
#[derive(Debug, Default)]
pub struct Fault {
    set: AtomicBool,
    exhausted: AtomicBool,
    /// Whether the body may run once only, so that it ends where an index is out of range.
    once: bool,
    first: Mutex<Option<Why>>,
}

/// Whether a panic ends the process, so that nobody sees what it leaves. It would also end where a journal is left by unwinding.
pub(super) const PANICS_END: bool = cfg!(panic = "abort");

/// What unwinds out of a loop whose fault is known already.
#[derive(Debug)]
pub(super) struct Left;

/// Why a run was given up, with the part of the iteration space that it happened in, as far as that is known.
#[derive(Debug)]
struct Why {
    part: usize,
    cause: Cause,
}

/// What happened.
#[derive(Debug)]
enum Cause {
    /// The body panicked.
    Panic(Box<dyn Any + Send>),
    /// An index was out of range.
    Outside { index: usize, len: usize },
    /// A result, where that is checked.
    Overflow,
}

impl Fault {
    /// That of a body that may run again or not.
    pub(super) fn new(pure: bool) -> Fault {
        Fault {
            once: !pure,
            ..Fault::default()
        }
    }

    /// An update met an index that is out of range.
    ///
    /// # Panics
    ///
    /// Where the body may run once only, as it does: what it does behind an update would be noticed.
    #[cold]
    #[inline(never)]
    pub(super) fn outside(&self, index: usize, len: usize) {
        if self.once && index < usize::MAX {
            panic!("index out of bounds: the len is {len} but the index is {index}");
        }
        if !self.set.load(Ordering::Relaxed) {
            self.tell(usize::MAX, Cause::Outside { index, len });
        }
    }

    /// The same for a loop that ends there. The unwinding passes no panic hook, and leaves nothing else behind.
    #[cold]
    #[inline(never)]
    pub(super) fn leave(&self, index: usize, len: usize) -> ! {
        self.outside(index, len);
        resume_unwind(Box::new(Left))
    }

    /// An update overflowed.
    #[cold]
    #[inline(never)]
    pub(super) fn overflowed(&self) {
        if !self.set.load(Ordering::Relaxed) {
            self.tell(usize::MAX, Cause::Overflow);
        }
    }

    /// There was no memory for what updates go to, or no more than it may take.
    #[cold]
    #[inline(never)]
    pub(super) fn exhausted(&self) {
        self.exhausted.store(true, Ordering::Relaxed);
        self.set.store(true, Ordering::Relaxed);
    }

    /// The body panicked in a part of the iteration space.
    #[cold]
    pub(super) fn panicked(&self, part: usize, payload: Box<dyn Any + Send>) {
        if !payload.is::<Left>() {
            self.tell(part, Cause::Panic(payload));
        }
    }

    /// Keeps what came first, by the number of its part.
    fn tell(&self, part: usize, cause: Cause) {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        if first.as_ref().is_none_or(|why| part < why.part) {
            *first = Some(Why { part, cause });
        }
        self.set.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_set(&self) -> bool {
        self.set.load(Ordering::Relaxed)
    }

    /// Whether the rest of a part is not wanted any more. Of a body that runs once the earliest panic counts, which parts before may still have.
    pub(super) fn stops(&self, part: usize) -> bool {
        self.is_set() && {
            let first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
            let later = first.as_ref().is_some_and(|why| part < why.part);
            !(self.once && later)
        }
    }

    /// Whether memory is all that was wrong, so that the items may well run in another way.
    pub(super) fn is_exhausted(&mut self) -> bool {
        let first = self.first.get_mut().unwrap_or_else(PoisonError::into_inner);
        first.is_none() && *self.exhausted.get_mut()
    }

    /// Whether the body panicked.
    pub(super) fn is_of_body(&self) -> bool {
        let first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        matches!(
            &*first,
            Some(Why {
                cause: Cause::Panic(_),
                ..
            })
        )
    }

    /// Panics as what went wrong did, or in its place.
    ///
    /// # Panics
    ///
    /// Always.
    pub(super) fn panic(self) -> ! {
        let first = self.first.into_inner();
        let why = first.unwrap_or_else(PoisonError::into_inner);
        match why.map(|why| why.cause) {
            // It has passed the panic hook.
            Some(Cause::Panic(payload)) => resume_unwind(payload),
            Some(Cause::Outside { index, len }) if index < usize::MAX => {
                panic!("index out of bounds: the len is {len} but the index is {index}")
            }
            // An index into a row leaves no flat index behind.
            Some(Cause::Outside { .. }) => {
                panic!("index out of bounds: an index into a row of the bins")
            }
            None => panic!("there is no memory for the loop's updates"),
            Some(Cause::Overflow) => panic!("attempt to update a bin with overflow"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    fn payload(fault: Fault) -> Box<dyn Any + Send> {
        let panics = AssertUnwindSafe(|| fault.panic());
        catch_unwind(panics)
            .map(|never: ()| never)
            .expect_err("it panics")
    }

    #[test]
    fn the_panic_of_the_first_part_is_kept() {
        let fault = Fault::default();
        assert!(!fault.is_set());
        fault.overflowed();
        fault.panicked(7, Box::new("seven"));
        fault.panicked(3, Box::new("three"));
        fault.panicked(5, Box::new("five"));
        fault.outside(9, 4);
        assert!(fault.is_set());
        assert_eq!(payload(fault).downcast_ref(), Some(&"three"));
    }

    #[test]
    fn what_was_out_of_range_is_told_as_rust_does() {
        let told = |fault: Fault| {
            let panic = payload(fault);
            let text = panic.downcast_ref::<&str>().map(ToString::to_string);
            text.or_else(|| panic.downcast_ref::<String>().cloned())
        };
        let fault = Fault::default();
        fault.outside(9, 4);
        let said = "index out of bounds: the len is 4 but the index is 9";
        assert_eq!(told(fault).as_deref(), Some(said));
        let fault = Fault::default();
        fault.outside(usize::MAX, 4);
        assert!(told(fault).is_some_and(|text| text.starts_with("index out of bounds")));
    }
}
