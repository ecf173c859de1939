//! `try_call`: an offloaded function's errors as a value.
//!
//! The function itself returns what its author wrote, so an error leaves it by unwinding, without a message, and
//! becomes a value again here. In programs built with `panic = "abort"` that ends the program.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::base::choice;
use crate::base::error::Error;

/// What becomes of errors on this thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trying {
    /// They are answered with a panic, or by the CPU.
    Off,
    /// A [`try_call`] waits for them.
    On,
    /// So does a [`try_call_anywhere`].
    Anywhere,
}

thread_local! {
    static TRYING: Cell<Trying> = const { Cell::new(Trying::Off) };
}

/// Whether a [`try_call`] is waiting for errors on this thread.
pub(crate) fn is_on() -> bool {
    TRYING.get() != Trying::Off
}

/// Whether the CPU runs what no kernel can, although somebody waits for errors.
#[cfg(any(feature = "cuda", feature = "sim"))]
pub(crate) fn is_anywhere() -> bool {
    TRYING.get() == Trying::Anywhere
}

/// Leaves the offloaded function with an error.
pub(crate) fn give_up(error: Error) -> ! {
    resume_unwind(Box::new(error))
}

/// Leaves the offloaded function with an error of the caller's: a value where a [`try_call`] waits for it,
/// else a panic.
pub(crate) fn fail(error: Error) -> ! {
    if is_on() {
        give_up(error)
    }
    panic!("{error}")
}

/// Calls an offloaded function and turns what goes wrong in it into an error: the loop's own faults, for which a plain
/// call would panic, and what the machine lacks, which a plain call would answer by running on the CPU.
///
/// What the machine lacks is an error only where a device was named. Under [`Device::Auto`](crate::Device::Auto) the call runs on the CPU
/// then, as a plain call does, and that is no error. A GPU that was tried and failed is reported through the crate `log`,
/// once for each function; one that is not there is not mentioned.
///
/// # Errors
///
/// Any [`Error`]; [`Error::Panicked`] for panics on the CPU.
pub fn try_call<R>(call: impl FnOnce() -> R) -> Result<R, Error> {
    choice::chosen()?.check_built()?;
    trying(Trying::On, call)
}

/// The same of a call whose data may be anywhere, on a device that is known to be there: a loop that no kernel can run is no error, the
/// CPU runs it.
///
/// # Errors
///
/// As [`try_call`].
pub(crate) fn try_call_anywhere<R>(call: impl FnOnce() -> R) -> Result<R, Error> {
    trying(Trying::Anywhere, call)
}

fn trying<R>(how: Trying, call: impl FnOnce() -> R) -> Result<R, Error> {
    struct Restore(Trying);
    impl Drop for Restore {
        fn drop(&mut self) {
            TRYING.set(self.0);
        }
    }
    let restore = Restore(TRYING.replace(how));
    let result = catch_unwind(AssertUnwindSafe(call));
    drop(restore);
    result.map_err(error_of)
}

/// The error in an unwinding's payload. A payload of neither kind of text is somebody's own protocol and goes on.
fn error_of(payload: Box<dyn Any + Send>) -> Error {
    let payload = match payload.downcast::<Error>() {
        Ok(error) => return *error,
        Err(payload) => payload,
    };
    let message = match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => match payload.downcast::<&'static str>() {
            Ok(text) => (*text).to_owned(),
            Err(payload) => resume_unwind(payload),
        },
    };
    Error::Panicked {
        message,
        iteration: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_pass_and_panics_become_errors() {
        assert_eq!(try_call(|| 7), Ok(7));
        let bins = [0u8; 4];
        let index = std::hint::black_box(9usize);
        let error = try_call(|| bins[index]).unwrap_err();
        let message = "index out of bounds: the len is 4 but the index is 9".to_owned();
        assert_eq!(
            error,
            Error::Panicked {
                message,
                iteration: None
            }
        );
        assert!(!is_on());
    }

    #[test]
    fn a_payload_of_another_kind_goes_on() {
        let caught = catch_unwind(|| try_call(|| resume_unwind(Box::new(17u64))));
        assert_eq!(*caught.unwrap_err().downcast::<u64>().unwrap(), 17);
    }
}
