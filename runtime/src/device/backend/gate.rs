//! Who is inside a device's context. A context that a kernel has destroyed is opened anew in the same place, and what
//! the old one gave out, its streams, its kernels, the host memory that it pinned, is gone with it: whoever is still in
//! a call of the driver or reads such memory has to be out by then, and nobody may come in again.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};

/// Counts who is inside, and is shut once.
///
/// Whoever enters is counted first and looks then; whoever shuts the gate does so first and counts then. In one order
/// of all these steps, either the one who enters sees the gate shut or the one who shuts it sees him inside.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    inside: AtomicUsize,
    shut: AtomicBool,
}

/// Somebody inside. The same thread may come in several times.
#[derive(Debug)]
pub(crate) struct Inside<'a>(&'a Gate);

impl Gate {
    /// Comes in; not where the gate is shut.
    pub(crate) fn enter(&self) -> Option<Inside<'_>> {
        self.inside.fetch_add(1, SeqCst);
        let inside = Inside(self);
        (!self.is_shut()).then_some(inside)
    }

    /// Lets nobody in from now on.
    pub(crate) fn shut(&self) {
        self.shut.store(true, SeqCst);
    }

    /// Whether it is shut.
    pub(crate) fn is_shut(&self) -> bool {
        self.shut.load(SeqCst)
    }

    /// Waits until nobody is inside a gate that is shut, but not for ever; whether it is empty.
    pub(crate) fn wait_until_empty(&self, patience: Duration) -> bool {
        let start = Instant::now();
        while self.inside.load(SeqCst) > 0 {
            if start.elapsed() > patience {
                return false;
            }
            std::thread::sleep(Duration::from_micros(50));
        }
        true
    }
}

impl Drop for Inside<'_> {
    fn drop(&mut self) {
        self.0.inside.fetch_sub(1, SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_millis(5);

    #[test]
    fn a_gate_that_is_shut_lets_nobody_in_and_everybody_out() {
        let gate = Gate::default();
        let (first, again) = (gate.enter().unwrap(), gate.enter().unwrap());
        gate.shut();
        assert!(gate.enter().is_none());
        assert!(!gate.wait_until_empty(SOON));
        drop(first);
        assert!(!gate.wait_until_empty(SOON));
        drop(again);
        assert!(gate.wait_until_empty(SOON));
        assert!(gate.enter().is_none());
    }

    #[test]
    fn nobody_is_inside_when_a_gate_that_is_shut_is_empty() {
        let gate = Gate::default();
        let over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while let Some(_inside) = gate.enter() {
                        assert!(!over.load(SeqCst), "inside of what is over");
                        std::thread::yield_now();
                        assert!(!over.load(SeqCst), "inside of what is over");
                    }
                });
            }
            std::thread::sleep(SOON);
            gate.shut();
            assert!(gate.wait_until_empty(Duration::from_secs(60)));
            over.store(true, SeqCst);
        });
    }
}
