//! Times for people, and what else the machine was doing.

use std::time::Duration;

/// The middle one of some times.
pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// `1.23 ms   4.56 G/s` for so many updates or elements.
pub fn rate(updates: u64, time: Duration) -> String {
    let seconds = time.as_secs_f64().max(1e-9);
    let each_second = updates as f64 / seconds;
    let (scale, unit) = match each_second {
        fast if fast >= 1e8 => (1e9, 'G'),
        fast if fast >= 1e5 => (1e6, 'M'),
        _ => (1e3, 'k'),
    };
    let milliseconds = seconds * 1e3;
    format!(
        "{milliseconds:9.3} ms  {:7.2} {unit}/s",
        each_second / scale
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
    fn the_median_is_the_middle_one() {
        let times = [3, 9, 1, 1000, 2].map(Duration::from_millis);
        assert_eq!(median(times.to_vec()), Duration::from_millis(3));
        let said = rate(3_000_000, Duration::from_millis(1));
        assert_eq!(said.trim(), "1.000 ms     3.00 G/s");
        let said = rate(30_000, Duration::from_secs(1));
        assert_eq!(said.trim(), "1000.000 ms    30.00 k/s");
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
