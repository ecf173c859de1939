//! Calls on data wherever it is: where they run, and what goes wrong in them.

use super::queue::Stream;
use crate::base::choice::{self, with_device};
use crate::base::error::Error;
use crate::base::trying::try_call_anywhere;

/// A call on the device of a stream, or of the thread.
///
/// # Errors
///
/// Those of `try_call`, but for loops that no kernel can run: the CPU runs them, on what the host has.
pub fn on<R>(stream: Option<&Stream>, call: impl FnOnce() -> R) -> Result<R, Error> {
    match stream {
        None => {
            choice::chosen()?.check_built()?;
            try_call_anywhere(call)
        }
        Some(stream) => with_device(stream.device(), || try_call_anywhere(call)),
    }
}
