//! How large the stacks of helpers are.
//!
//! A loop's body may have arrays of its own, `let mut seen = [0u8; 3_000_000];`, for which the main thread has room, and a thread of Rust's usual size,
//! 2 MiB, has not. So helpers get what the main thread has. It is address space, of which a body takes what it touches.

/// The least: what the main thread has where nobody has said anything else.
const SMALLEST: usize = 8 << 20;

/// The most, for many threads share the address space, and a main thread's stack may be unlimited.
const LARGEST: usize = 64 << 20;

/// The stack of a helper, in bytes.
pub(super) fn of_a_helper() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    limit(&limits).unwrap_or(SMALLEST).clamp(SMALLEST, LARGEST)
}

/// The soft limit of the main thread's stack, as Linux tells it.
fn limit(limits: &str) -> Option<usize> {
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max stack size"));
    match line?.split_whitespace().next()? {
        "unlimited" => Some(usize::MAX),
        bytes => bytes.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_read_as_linux_writes_it() {
        let text = |soft: &str| {
            format!(
                "Limit                     Soft Limit           Hard Limit           Units     \n\
                 Max data size             unlimited            unlimited            bytes     \n\
                 Max stack size            {soft}              unlimited            bytes     \n"
            )
        };
        assert_eq!(limit(&text("8388608")), Some(8 << 20));
        assert_eq!(limit(&text("unlimited")), Some(usize::MAX));
        assert_eq!(limit("Max data size  unlimited"), None);
        assert!((SMALLEST..=LARGEST).contains(&of_a_helper()));
    }
}
