//! Panics that are expected and caught need not be printed.

use std::panic;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// How many expected panics may be under way.
static EXPECTED: AtomicUsize = AtomicUsize::new(0);

/// One test at a time that expects panics; see [`quiet`].
static TURN: Mutex<()> = Mutex::new(());

/// While it lives, panics inside of [`expected`] are not printed, on whatever thread they happen. Tests that
/// hold one run one after the other, so that none loses the message of its own failure.
#[derive(Debug)]
pub struct Quiet(#[expect(dead_code, reason = "held, not read")] MutexGuard<'static, ()>);

/// Makes expected panics quiet.
pub fn quiet() -> Quiet {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let print = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if EXPECTED.load(Ordering::SeqCst) == 0 {
                print(info);
            }
        }));
    });
    Quiet(TURN.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Runs a call that may panic: the message of its panic, if it does.
pub fn expected<R>(call: impl FnOnce() -> R) -> Result<R, String> {
    EXPECTED.fetch_add(1, Ordering::SeqCst);
    let result = panic::catch_unwind(panic::AssertUnwindSafe(call));
    EXPECTED.fetch_sub(1, Ordering::SeqCst);
    result.map_err(|payload| {
        let text = payload.downcast_ref::<&str>().map(ToString::to_string);
        text.or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_default()
    })
}
