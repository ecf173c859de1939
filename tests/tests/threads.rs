//! A call with little to do leaves the machine's cores alone: it does not even start the threads.
#![cfg(target_os = "linux")]

use accrue::offload;

#[offload(histogram)]
fn count(keys: &[u32], bins: &mut [u32]) {
    for &k in keys {
        bins[k as usize] += 1;
    }
}

fn threads() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").expect("Linux lists a process's threads");
    tasks.count()
}

// The only test of its program: others would start threads beside it.
#[test]
fn threads_are_started_by_the_first_call_that_needs_them() {
    let before = threads();
    let mut bins = [0; 16];
    for items in [0, 1, 1000] {
        count(&vec![3; items], &mut bins);
    }
    assert_eq!((bins[3], threads()), (1001, before));
    if std::thread::available_parallelism().is_ok_and(|n| n.get() > 1) {
        count(&vec![3; 4_000_000], &mut bins);
        assert_eq!(bins[3], 4_001_001);
        assert!(threads() > before);
    }
}
