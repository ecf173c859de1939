//! Timing for people: the best of many runs.

use std::time::{Duration, Instant};

/// The shortest of runs that together take about a quarter of a second, and at least five.
pub fn best(mut run: impl FnMut()) -> Duration {
    let start = Instant::now();
    let mut best = Duration::MAX;
    let mut runs = 0;
    while runs < 5 || start.elapsed() < Duration::from_millis(250) {
        let before = Instant::now();
        run();
        best = best.min(before.elapsed());
        runs += 1;
    }
    best
}

/// `1.23 ms   4.56 Gupd/s` for so many bin updates.
pub fn rate(updates: usize, time: Duration) -> String {
    let seconds = time.as_secs_f64().max(1e-9);
    format!(
        "{:8.3} ms  {:6.2} Gupd/s",
        seconds * 1e3,
        updates as f64 / seconds / 1e9
    )
}
