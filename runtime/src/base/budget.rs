//! How much of a device's memory a call may take for its copies of the caller's data.

use std::cell::Cell;
use std::marker::PhantomData;
#[cfg(any(feature = "cuda", feature = "sim"))]
use std::sync::OnceLock;

use crate::base::error::Error;

/// The environment variable.
const VARIABLE: &str = "ACCRUE_MEMORY";

thread_local! {
    static CHOSEN: Cell<Option<u64>> = const { Cell::new(None) };
}

/// Runs `f` with the offloaded calls of this thread taking at most `bytes` of a device's memory for what they copy there.
///
/// A call whose slices are larger runs in pieces: while the device counts one, the next is copied. The result is the same, and so are
/// panics. The environment variable `ACCRUE_MEMORY` (`2GiB`, `512MiB`, `100000`) does so for all calls that no `with_memory` surrounds. What
/// kernels need for themselves, such as copies of bins, comes on top, and what stays on the device ([`Resident`](crate::Resident),
/// [`DeviceBuffer`](crate::DeviceBuffer)) is not counted. On the CPU nothing is copied, and nothing changes.
///
/// ```
/// use accrue::{offload, with_memory};
///
/// #[offload(histogram)]
/// fn count(keys: &[u8], bins: &mut [u32; 256]) {
///     for &k in keys {
///         bins[k as usize] += 1;
///     }
/// }
///
/// let mut bins = [0; 256];
/// with_memory(2 << 30, || count(&vec![7; 1000], &mut bins));
/// assert_eq!(bins[7], 1000);
/// ```
pub fn with_memory<R>(bytes: u64, f: impl FnOnce() -> R) -> R {
    struct Restore(Option<u64>, PhantomData<*const ()>);
    impl Drop for Restore {
        fn drop(&mut self) {
            CHOSEN.set(self.0);
        }
    }
    let _restore = Restore(CHOSEN.replace(Some(bytes)), PhantomData);
    f()
}

/// The bytes that a call of this thread may take; `None` for all there are.
///
/// # Errors
///
/// [`Error::BadSetting`] if no [`with_memory`] surrounds the call and `ACCRUE_MEMORY` is no number of bytes.
#[cfg(any(feature = "cuda", feature = "sim"))]
pub(crate) fn chosen() -> Result<Option<u64>, Error> {
    static SETTING: OnceLock<Result<Option<u64>, Error>> = OnceLock::new();
    match CHOSEN.get() {
        Some(bytes) => Ok(Some(bytes)),
        None => SETTING
            .get_or_init(|| {
                let value = std::env::var_os(VARIABLE).unwrap_or_default();
                parse(&value.to_string_lossy())
            })
            .clone(),
    }
}

/// Reads a number of bytes, with a unit or without. Nothing at all sets no limit.
#[cfg_attr(
    not(any(test, feature = "cuda", feature = "sim")),
    expect(dead_code, reason = "no device has memory of its own")
)]
fn parse(text: &str) -> Result<Option<u64>, Error> {
    const UNITS: [(&str, u64); 9] = [
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("TiB", 1 << 40),
        ("kB", 1000),
        ("MB", 1_000_000),
        ("GB", 1_000_000_000),
        ("TB", 1_000_000_000_000),
        ("B", 1),
    ];
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    let unit = UNITS.iter().find(|(name, _)| text.ends_with(name));
    let (number, unit) = match unit {
        Some((name, unit)) => (text[..text.len() - name.len()].trim_end(), *unit),
        None => (text, 1),
    };
    let wrong = || Error::BadSetting {
        variable: VARIABLE,
        value: text.to_owned(),
        expected: "a number of bytes, such as 2GiB, 1.5GB or 1000000".to_owned(),
    };
    let plain = |c: char| c.is_ascii_digit() || c == '.';
    if !number.chars().all(plain) {
        return Err(wrong());
    }
    if let Ok(whole) = number.parse::<u64>() {
        return whole.checked_mul(unit).map(Some).ok_or_else(wrong);
    }
    let bytes = number.parse::<f64>().map_err(|_| wrong())? * unit as f64;
    match bytes < u64::MAX as f64 {
        true => Ok(Some(bytes as u64)),
        false => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_read_with_units_and_without() {
        for (text, bytes) in [
            ("2GiB", 2 << 30),
            ("512 MiB", 512 << 20),
            ("1.5GiB", 3 << 29),
            ("3GB", 3_000_000_000),
            ("64KiB", 65536),
            ("100000", 100_000),
            ("17B", 17),
            ("0", 0),
        ] {
            assert_eq!(parse(text), Ok(Some(bytes)), "{text}");
        }
        assert_eq!(parse(" "), Ok(None));
        for text in [
            "2gib",
            "-1",
            "GiB",
            "1e9",
            "2.2.2GiB",
            "inf",
            "99999999TiB",
            "2 Gi",
        ] {
            assert!(
                matches!(parse(text), Err(Error::BadSetting { .. })),
                "{text}"
            );
        }
    }

    #[cfg(any(feature = "cuda", feature = "sim"))]
    #[test]
    fn scopes_nest() {
        with_memory(100, || {
            assert_eq!(chosen(), Ok(Some(100)));
            with_memory(50, || assert_eq!(chosen(), Ok(Some(50))));
            assert_eq!(chosen(), Ok(Some(100)));
        });
    }
}
