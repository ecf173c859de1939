//! What a call of an offloaded function may do to whoever calls it: hold what it holds, take memory, run a body again.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};

use accrue::__bench::with_strategy;
use accrue::offload;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

/// Counts the bytes that are allocated, and refuses what is too much.
struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(usize::MAX);

impl Counting {
    fn take(size: usize) -> bool {
        let now = NOW.fetch_add(size, SeqCst) + size;
        // What a test's harness needs is always there.
        let there = now <= MOST.load(SeqCst) || size < 1 << 20;
        match there {
            true => PEAK.fetch_max(now, SeqCst),
            false => NOW.fetch_sub(size, SeqCst),
        };
        there
    }
}

// SAFETY: the system's allocator does the work, with the layouts that come in.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        match Counting::take(layout.size()) {
            // SAFETY: as the caller promises.
            true => unsafe { System.alloc(layout) },
            false => std::ptr::null_mut(),
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        match Counting::take(layout.size()) {
            // SAFETY: as the caller promises.
            true => unsafe { System.alloc_zeroed(layout) },
            false => std::ptr::null_mut(),
        }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), SeqCst);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Tests of memory must not meet others.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How many bytes `f` takes at its peak, beside what there is.
fn peak(f: impl FnOnce()) -> usize {
    let before = NOW.load(SeqCst);
    PEAK.store(before, SeqCst);
    f();
    PEAK.load(SeqCst) - before
}

#[offload(histogram)]
fn count(keys: &[u32], bins: &mut [u32]) {
    for &k in keys {
        bins[(k & 15) as usize] += 1;
    }
}

/// Has a call woken workers, whatever it would have chosen?
const PARALLEL: &str = "private:workers=4,lanes=1";

// A task that waits for its call's workers must not take up another task, which would wait for this one's lock.
#[test]
fn a_lock_may_be_held_over_a_call_in_a_task() {
    let _alone = alone();
    let keys: Vec<u32> = (0..20_000).collect();
    for _ in 0..1000 / 20 {
        let bins = Mutex::new([0u32; 16]);
        rayon::scope(|scope| {
            for _ in 0..20 {
                scope.spawn(|_| {
                    let mut bins = bins.lock().expect("nobody panics");
                    with_strategy(PARALLEL, || count(&keys, &mut *bins));
                });
            }
        });
        assert_eq!(bins.into_inner().expect("nobody panics"), [20 * 1250; 16]);
    }
}

#[test]
fn a_refcell_of_the_thread_may_be_borrowed_over_a_call_in_a_task() {
    thread_local! {
        static BINS: RefCell<[u32; 16]> = const { RefCell::new([0; 16]) };
    }
    let _alone = alone();
    let keys: Vec<u32> = (0..20_000).collect();
    (0..1000).into_par_iter().for_each(|_| {
        BINS.with(|bins| {
            let mut bins = bins.try_borrow_mut().expect("no other task on this thread");
            *bins = [0; 16];
            with_strategy(PARALLEL, || count(&keys, &mut *bins));
            assert_eq!(*bins, [1250; 16]);
        });
    });
}

#[offload(histogram)]
fn nested(rows: &[Vec<u32>], bins: &mut [u32]) {
    for row in rows {
        bins[sum_of_a_call(row) % 16] += 1;
    }
}

/// A body that calls an offloaded function and uses rayon.
fn sum_of_a_call(row: &[u32]) -> usize {
    let mut bins = [0; 16];
    with_strategy(PARALLEL, || count(row, &mut bins));
    let sum: u32 = bins.par_iter().sum();
    sum as usize
}

#[test]
fn calls_nest_and_come_from_many_threads() {
    let _alone = alone();
    let rows: Vec<Vec<u32>> = (0..40).map(|n| (0..n).collect()).collect();
    let check = || {
        for strategy in [PARALLEL, "private:workers=2", "sequential"] {
            let mut bins = [0; 16];
            with_strategy(strategy, || nested(&rows, &mut bins));
            assert_eq!(bins, [3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2]);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| (0..10).for_each(|_| check()));
        }
    });
    for threads in [1, 3] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        pool.expect("threads")
            .install(|| (0..10).into_par_iter().for_each(|_| check()));
    }
}

#[test]
fn a_pool_of_one_thread_is_honoured() {
    let _alone = alone();
    let keys: Vec<u32> = (0..4_000_000).collect();
    let pool = ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .expect("a thread");
    pool.install(|| {
        for _ in 0..4 {
            count(&keys, &mut [0; 16]);
            assert!(
                !count::explain().contains("2 workers"),
                "{}",
                count::explain()
            );
        }
    });
}

#[offload(histogram)]
fn spread(n: u64, bins: &mut [u32]) {
    let m = bins.len() as u64;
    for i in 0..n {
        bins[(i.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) as usize % m as usize] += 1;
    }
}

#[offload(histogram)]
fn sums(keys: &[u32], rows: &[Vec<u32>], bins: &mut [f64], few: &mut [f64]) {
    for (row, &k) in rows.iter().zip(keys) {
        for &x in row {
            bins[(x ^ k) as usize] += 1.0;
            few[(x & 7) as usize] += f64::from(k & 1);
        }
    }
}

/// What a call may take beside its bins.
fn allowed(bins: usize) -> usize {
    // And some for threads.
    (bins / 4).max(64 << 20) + (2 << 20)
}

#[test]
fn a_call_takes_a_quarter_of_its_bins_or_64_mib() {
    let _alone = alone();
    for len in [1000, 12_000_000, 40_000_000] {
        let mut bins = vec![0; len];
        for strategy in ["", "partitioned"] {
            let run = || match strategy {
                "" => (0..3).for_each(|_| spread(3_000_000, &mut bins)),
                name => with_strategy(name, || spread(3_000_000, &mut bins)),
            };
            let taken = peak(run);
            assert!(
                taken <= allowed(len * 4),
                "{len} bins: {taken}, {}",
                spread::explain()
            );
        }
        assert_eq!(bins.iter().map(|b| u64::from(*b)).sum::<u64>(), 12_000_000);
    }
}

// Few long rows, of which nobody knows beforehand how long they are.
#[test]
fn what_a_row_does_is_not_written_down_as_a_whole() {
    let _alone = alone();
    let rows: Vec<Vec<u32>> = (0..3)
        .map(|n| (0..6_000_000).map(|i| (i * 7 + n) & 63).collect())
        .collect();
    let keys = [1, 2, 3];
    for strategy in [
        "",
        "private:workers=2",
        "private:lanes=8",
        "partitioned",
        "sequential:undo=journal",
    ] {
        let (mut bins, mut few) = (vec![0.0; 64], [0.0; 8]);
        let mut run = || match strategy {
            "" => (0..3).for_each(|_| sums(&keys, &rows, &mut bins, &mut few)),
            name => with_strategy(name, || sums(&keys, &rows, &mut bins, &mut few)),
        };
        let taken = peak(&mut run);
        assert!(
            taken <= allowed(512),
            "{strategy}: {taken}, {}",
            sums::explain()
        );
        let calls = if strategy.is_empty() { 3.0 } else { 1.0 };
        assert_eq!(bins.iter().sum::<f64>(), calls * 18_000_000.0, "{strategy}");
        assert_eq!(few.iter().sum::<f64>(), calls * 12_000_000.0, "{strategy}");
    }
}

fn unknown(row: &[u32]) -> &[u32] {
    row
}

#[offload(histogram)]
fn columns(rows: &[Vec<u32>], bins: &mut [f32]) {
    for row in rows {
        let row = unknown(row);
        for &x in row {
            assert!(x < 1_000_000, "too large");
            bins[x as usize] += 1.0;
        }
    }
}

#[test]
fn a_body_that_runs_once_only_is_undone_without_a_long_journal() {
    let _alone = alone();
    for len in [64, 20_000] {
        let rows: Vec<Vec<u32>> = (0..4)
            .map(|n| (0..4_000_000).map(|i| (i + n) & 63).collect())
            .collect();
        let mut bins = vec![0.0; len];
        for strategy in ["", "sequential:undo=journal", "sequential"] {
            let run = || match strategy {
                "" => columns(&rows, &mut bins),
                name => with_strategy(name, || columns(&rows, &mut bins)),
            };
            let taken = peak(run);
            assert!(
                taken < 8 << 20,
                "{strategy}: {taken}, {}",
                columns::explain()
            );
        }
        let mut bad = rows.clone();
        bad[3][3_999_999] = 1_000_001;
        let before = bins.clone();
        for strategy in ["", "sequential:undo=journal", "sequential", PARALLEL] {
            let result = catch_unwind(AssertUnwindSafe(|| match strategy {
                "" => columns(&bad, &mut bins),
                name => with_strategy(name, || columns(&bad, &mut bins)),
            }));
            assert!(result.is_err() && bins == before, "{strategy}");
        }
    }
}

#[test]
fn where_memory_ends_the_loop_runs_all_the_same() {
    let _alone = alone();
    let mut bins = vec![0u32; 2_000_000];
    let mut floats = vec![0.0f64; 2_000_000];
    let keys: Vec<u32> = (0..2_000_000).collect();
    let rows: Vec<Vec<u32>> = vec![(0..1000).collect(); 100];
    count(&keys, &mut [0; 16]);
    for strategy in [
        "private:workers=3",
        "partitioned",
        "sequential:undo=journal",
        "sequential:undo=snapshot",
    ] {
        bins.fill(0);
        floats.fill(0.0);
        MOST.store(NOW.load(SeqCst) + (1 << 20), SeqCst);
        with_strategy(strategy, || {
            spread(1_000_000, &mut bins);
            sums(&keys[..100], &rows, &mut floats, &mut [0.0; 8]);
        });
        MOST.store(usize::MAX, SeqCst);
        assert_eq!(
            bins.iter().map(|b| u64::from(*b)).sum::<u64>(),
            1_000_000,
            "{strategy}"
        );
        assert_eq!(floats.iter().sum::<f64>(), 100_000.0, "{strategy}");
    }
}

static CALLS: AtomicUsize = AtomicUsize::new(0);

/// Panics once, at its 700th call.
fn once() -> usize {
    let call = CALLS.fetch_add(1, SeqCst);
    assert!(call != 700, "call {call}");
    call
}

#[offload(histogram)]
fn counted(n: usize, bins: &mut [f64]) {
    for i in 0..n {
        once();
        bins[i & 15] += 1.0;
    }
}

#[test]
fn a_panic_that_does_not_come_again_is_a_panic_and_an_iteration_runs_once() {
    let _alone = alone();
    for strategy in [
        PARALLEL,
        "private",
        "partitioned",
        "sequential",
        "sequential:undo=journal",
    ] {
        CALLS.store(1000, SeqCst);
        let mut bins = [0.5; 16];
        with_strategy(strategy, || counted(16_000, &mut bins));
        assert_eq!(
            (CALLS.load(SeqCst), bins),
            (17_000, [1000.5; 16]),
            "{strategy}"
        );
        CALLS.store(0, SeqCst);
        let panic = catch_unwind(AssertUnwindSafe(|| {
            with_strategy(strategy, || counted(16_000, &mut bins));
        }));
        let panic = panic.expect_err("it panicked once");
        assert_eq!(
            panic.downcast_ref::<String>().map(String::as_str),
            Some("call 700"),
            "{strategy}"
        );
        assert_eq!(bins, [1000.5; 16], "{strategy}");
        assert!(CALLS.load(SeqCst) <= 16_000, "{strategy}: some ran twice");
    }
    assert!(counted::explain().contains("runs once only"));
}

#[offload(histogram)]
fn outside(n: usize, bins: &mut [u32]) {
    for i in 0..n {
        bins[once() + i - 1000 - i] += 1;
    }
}

#[test]
fn an_index_out_of_range_is_told_of_without_a_second_run() {
    let _alone = alone();
    for strategy in [PARALLEL, "sequential", "sequential:undo=journal"] {
        CALLS.store(1000, SeqCst);
        let mut bins = [7; 100];
        let panic = catch_unwind(AssertUnwindSafe(|| {
            with_strategy(strategy, || outside(101, &mut bins));
        }));
        let panic = panic.expect_err("one index is too large");
        let text = panic.downcast_ref::<String>().expect("a message");
        assert_eq!(
            text, "index out of bounds: the len is 100 but the index is 100",
            "{strategy}"
        );
        assert_eq!((bins, CALLS.load(SeqCst)), ([7; 100], 1101), "{strategy}");
    }
}

/// A body with an array that only a main thread's stack has room for.
#[offload(histogram)]
fn distinct_remainders(rows: &[u32], counts: &mut [u64]) {
    for &row in rows {
        let mut seen = [0u8; 3_000_000];
        let mut next = row;
        for _ in 0..64 {
            next = next.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seen[next as usize % 3_000_000] = 1;
        }
        counts[seen.iter().filter(|s| **s > 0).count() % 8] += 1;
    }
}

#[test]
fn helpers_have_the_stack_of_a_main_thread() {
    let _alone = alone();
    let rows: Vec<u32> = (0..40).collect();
    let counts = move |strategy: &str| {
        let mut counts = [0; 8];
        with_strategy(strategy, || distinct_remainders(&rows, &mut counts));
        counts
    };
    // This thread is a test's, of 2 MiB.
    let main = std::thread::Builder::new().stack_size(8 << 20);
    let ran = main.spawn(move || {
        let plain = counts("sequential");
        assert_eq!(plain.iter().sum::<u64>(), 40);
        for strategy in [
            "private:workers=4",
            "private:lanes=8",
            "partitioned:workers=4",
        ] {
            assert_eq!(counts(strategy), plain, "{strategy}");
        }
    });
    ran.expect("a thread").join().expect("it ends well");
}
