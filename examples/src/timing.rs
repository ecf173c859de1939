//! Timing for people: two ways of doing the same, in turns, by their medians, and what else the machine was doing.

use std::time::{Duration, Instant};

use accrue::Device;

/// The fewest turns, and for how long turns are taken if they are short.
const TURNS: usize = 5;
const LONG_ENOUGH: Duration = Duration::from_millis(500);

/// The medians of two ways that take turns, so that what slows the machine down for a while slows both.
pub fn in_turns(mut one: impl FnMut(), mut other: impl FnMut()) -> (Duration, Duration) {
    let start = Instant::now();
    let mut times = (Vec::new(), Vec::new());
    let time = |run: &mut dyn FnMut()| {
        let before = Instant::now();
        run();
        before.elapsed()
    };
    while times.0.len() < TURNS || start.elapsed() < LONG_ENOUGH {
        times.0.push(time(&mut one));
        times.1.push(time(&mut other));
    }
    (median(times.0), median(times.1))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
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

/// What a loop takes in order and on a device, as a line under a title.
pub fn beside(title: &str, plain: Duration, device: Device, offloaded: Duration) -> String {
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    format!(
        "{title:<11} {:.2} ms in order, {:.2} ms on `{device}`: {:.2} times as fast",
        milliseconds(plain),
        milliseconds(offloaded),
        plain.as_secs_f64() / offloaded.as_secs_f64().max(1e-9)
    )
}

/// How many cores there are, and how many threads wanted one in the last minute, where the system tells.
pub fn machine() -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let load = std::fs::read_to_string("/proc/loadavg").ok();
    describe(cores, load.as_deref().and_then(first_number))
}

fn first_number(text: &str) -> Option<f64> {
    text.split_whitespace().next()?.parse().ok()
}

fn describe(cores: usize, load: Option<f64>) -> String {
    let cores_are = if cores == 1 {
        "1 core".to_owned()
    } else {
        format!("{cores} cores")
    };
    match load {
        None => cores_are,
        Some(load) => {
            let busy = if load > 0.5 * cores as f64 {
                ": others want them too, so all of these times are too long"
            } else {
                ""
            };
            format!("{cores_are}, {load:.1} busy in the last minute{busy}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_have_as_many_turns() {
        let (mut ones, mut others) = (0, 0);
        let (one, other) = in_turns(|| ones += 1, || others += 1);
        assert!(ones == others && ones >= TURNS);
        assert!(one < LONG_ENOUGH && other < LONG_ENOUGH);
        let times = [3, 9, 1, 1000, 2].map(Duration::from_millis);
        assert_eq!(median(times.to_vec()), Duration::from_millis(3));
    }

    #[test]
    fn a_busy_machine_is_said_to_be_one() {
        assert_eq!(first_number("12.68 11.66 8.56 2/612 1234"), Some(12.68));
        assert_eq!(describe(1, None), "1 core");
        assert_eq!(
            describe(16, Some(0.31)),
            "16 cores, 0.3 busy in the last minute"
        );
        assert!(describe(2, Some(12.68)).ends_with("too long"));
    }
}
