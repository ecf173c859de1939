//! How far calls have come, for whoever watches: a bar on a terminal.

use std::cell::RefCell;

/// How far a call has come that runs in pieces or takes chunks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Pieces or chunks that are done.
    pub pieces: u64,
    /// Of how many; `None` where chunks come as they come.
    pub of_pieces: Option<u64>,
    /// Iterations of the outermost loop, or elements of the chunks, that are done.
    pub items: u64,
    /// Of how many.
    pub of_items: Option<u64>,
}

impl Progress {
    /// Nothing is done, and how much there is to do is not known.
    pub(crate) fn begin() -> Progress {
        Progress {
            pieces: 0,
            of_pieces: None,
            items: 0,
            of_items: None,
        }
    }
}

/// Who watches.
type Watcher = Box<dyn FnMut(Progress)>;

thread_local! {
    static WATCHERS: RefCell<Vec<Option<Watcher>>> = const { RefCell::new(Vec::new()) };
}

/// Runs `f`, and tells `watcher` how far each offloaded call of this thread has come, whenever a piece of it is done: of calls that run in
/// pieces because their data do not fit into a device's memory ([`with_memory`](crate::with_memory)), and of `over`, which takes chunks. Other
/// calls are done at once and say nothing.
///
/// The watcher is called on this thread, between two pieces. Watchers nest: the innermost is told.
///
/// ```
/// use accrue::{Progress, offload, with_progress};
///
/// #[offload(histogram)]
/// fn count(keys: &[u8], bins: &mut [u32; 256]) {
///     for &k in keys {
///         bins[k as usize] += 1;
///     }
/// }
///
/// let mut bins = [0; 256];
/// let seen = std::rc::Rc::new(std::cell::Cell::new(0));
/// let watcher = { let seen = seen.clone(); move |p: Progress| seen.set(p.items) };
/// with_progress(watcher, || count::over([vec![1u8; 100], vec![2; 50]], &mut bins))?;
/// assert_eq!((bins[1], bins[2], seen.get()), (100, 50, 150));
/// # Ok::<(), accrue::Error>(())
/// ```
pub fn with_progress<R>(watcher: impl FnMut(Progress) + 'static, f: impl FnOnce() -> R) -> R {
    struct Restore;
    impl Drop for Restore {
        fn drop(&mut self) {
            let last = WATCHERS.with_borrow_mut(Vec::pop);
            drop(last);
        }
    }
    WATCHERS.with_borrow_mut(|all| all.push(Some(Box::new(watcher))));
    let _restore = Restore;
    f()
}

/// Tells whoever watches this thread's calls. One that is told already, and calls something itself, is not told of that.
pub(crate) fn report(progress: Progress) {
    let taken = WATCHERS.with_borrow_mut(|all| {
        let last = all.len().checked_sub(1)?;
        Some((last, all[last].take()?))
    });
    let Some((at, watcher)) = taken else { return };
    /// Puts a watcher back, also where it panics.
    struct Back(usize, Option<Watcher>);
    impl Drop for Back {
        fn drop(&mut self) {
            let watcher = self.1.take();
            WATCHERS.with_borrow_mut(|all| {
                if let Some(place) = all.get_mut(self.0) {
                    *place = watcher;
                }
            });
        }
    }
    let mut back = Back(at, Some(watcher));
    if let Some(watcher) = &mut back.1 {
        watcher(progress);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;

    use super::*;

    fn at(pieces: u64) -> Progress {
        Progress {
            pieces,
            of_pieces: None,
            items: 0,
            of_items: None,
        }
    }

    #[test]
    fn the_innermost_watcher_is_told_and_may_report_itself() {
        let seen = Rc::new(Cell::new((0, 0)));
        let outer = {
            let seen = Rc::clone(&seen);
            move |p: Progress| seen.set((p.pieces, seen.get().1))
        };
        let inner = {
            let seen = Rc::clone(&seen);
            move |p: Progress| {
                seen.set((seen.get().0, p.pieces));
                report(at(99));
            }
        };
        with_progress(outer, || {
            report(at(1));
            with_progress(inner, || report(at(2)));
            report(at(3));
        });
        report(at(4));
        assert_eq!(seen.get(), (3, 2));
    }
}
