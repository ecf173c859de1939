//! What samples have said of a loop's bins, and which call takes the next one.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use accrue_ptx::sample::KeySample;

use crate::base::lock::lock;

/// What is known of a loop's bins.
#[derive(Debug, Default)]
pub(crate) struct Sampled {
    last: Mutex<Option<KeySample>>,
    /// Calls that were long enough.
    calls: AtomicU32,
    /// Whether one that was due has not been taken.
    overdue: AtomicBool,
}

impl Sampled {
    /// The last sample.
    pub(in crate::gpu) fn last(&self) -> Option<KeySample> {
        *lock(&self.last)
    }

    /// Keeps what a device has written.
    pub(in crate::gpu) fn keep(&self, bytes: [u8; KeySample::BYTES]) {
        *lock(&self.last) = Some(KeySample::from_bytes(bytes));
    }

    /// Whether this call, the second, third, fifth, ninth and so on, or one after that, is to take a sample.
    pub(in crate::gpu) fn is_due(&self) -> bool {
        let call = self.calls.fetch_add(1, Ordering::Relaxed);
        let overdue = self.overdue.swap(false, Ordering::Relaxed);
        overdue || call > 0 && call.is_power_of_two()
    }

    /// The call cannot take it, the next one may.
    pub(in crate::gpu) fn put_off(&self) {
        self.overdue.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::Sampled;

    #[test]
    fn a_sample_that_was_put_off_is_taken_by_the_next_call() {
        let sampled = Sampled::default();
        let due = |put_off: bool| {
            let due = sampled.is_due();
            if due && put_off {
                sampled.put_off();
            }
            due
        };
        let calls: Vec<bool> = (0..7).map(|call| due((4..6).contains(&call))).collect();
        assert_eq!(calls, [false, true, true, false, true, true, true]);
        assert!(!due(false));
        assert!(due(false));
    }
}
