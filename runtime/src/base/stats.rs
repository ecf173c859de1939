//! What this thread's calls have moved to devices and back, and started there.

use std::cell::Cell;
use std::fmt;
use std::ops::{Add, Sub};

/// What a thread has moved between the host's memory and devices, and started there, since it began.
///
/// [`stats`] returns it; the difference of two is what happened in between.
///
/// Counted are copies of the program's data: arrays and bins of calls, [`Resident`](crate::Resident)s and
/// [`DeviceBuffer`](crate::DeviceBuffer)s. What accrue needs for itself, such as error records and measurements of the device, is not. On the
/// host nothing moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Stats {
    /// Copies from the host's memory to a device.
    pub uploads: u64,
    /// Bytes of these.
    pub uploaded_bytes: u64,
    /// Copies from a device to the host's memory.
    pub downloads: u64,
    /// Bytes of these.
    pub downloaded_bytes: u64,
    /// Kernels started. A call is one, or a few where copies of bins are merged.
    pub launches: u64,
}

thread_local! {
    static COUNTED: Cell<Stats> = const {
        Cell::new(Stats {
            uploads: 0,
            uploaded_bytes: 0,
            downloads: 0,
            downloaded_bytes: 0,
            launches: 0,
        })
    };
}

/// What this thread has moved and started so far.
///
/// ```
/// use accrue::{Device, Resident, offload, stats, with_device};
///
/// #[offload]
/// fn double(values: &mut [u32]) {
///     for v in values.iter_mut() {
///         *v *= 2;
///     }
/// }
///
/// let mut values = Resident::from(vec![1, 2, 3]);
/// let before = stats();
/// with_device(Device::Cpu, || double::on(&mut values))?;
/// let moved = stats() - before;
/// assert_eq!((moved.uploads, moved.downloads, moved.launches), (0, 0, 0));
/// # Ok::<(), accrue::Error>(())
/// ```
pub fn stats() -> Stats {
    COUNTED.get()
}

/// Counts something of this thread's.
fn count(of: impl FnOnce(&mut Stats)) {
    let mut counted = COUNTED.get();
    of(&mut counted);
    COUNTED.set(counted);
}

/// Counts a copy to a device.
pub(crate) fn count_upload(bytes: u64) {
    count(|s| {
        s.uploads += 1;
        s.uploaded_bytes += bytes;
    });
}

/// Counts a copy from a device.
pub(crate) fn count_download(bytes: u64) {
    count(|s| {
        s.downloads += 1;
        s.downloaded_bytes += bytes;
    });
}

/// Counts a kernel.
#[cfg(any(feature = "cuda", feature = "sim"))]
pub(crate) fn count_launch() {
    count(|s| s.launches += 1);
}

/// Counts what another thread has moved and started for this one.
#[cfg(any(feature = "cuda", feature = "sim"))]
pub(crate) fn count_of_thread(of: Stats) {
    count(|s| *s = *s + of);
}

/// Counts kernels that are started together.
pub(crate) fn count_launches(kernels: u64) {
    count(|s| s.launches += kernels);
}

/// Leaves out what `f` does.
#[cfg(any(feature = "cuda", feature = "sim"))]
pub(crate) fn uncounted<R>(f: impl FnOnce() -> R) -> R {
    struct Restore(Stats);
    impl Drop for Restore {
        fn drop(&mut self) {
            COUNTED.set(self.0);
        }
    }
    let _restore = Restore(COUNTED.get());
    f()
}

impl Sub for Stats {
    type Output = Stats;

    /// What happened since `earlier`.
    fn sub(self, earlier: Stats) -> Stats {
        self.each(earlier, u64::saturating_sub)
    }
}

impl Add for Stats {
    type Output = Stats;

    fn add(self, other: Stats) -> Stats {
        self.each(other, u64::saturating_add)
    }
}

impl Stats {
    fn each(self, other: Stats, f: fn(u64, u64) -> u64) -> Stats {
        Stats {
            uploads: f(self.uploads, other.uploads),
            uploaded_bytes: f(self.uploaded_bytes, other.uploaded_bytes),
            downloads: f(self.downloads, other.downloads),
            downloaded_bytes: f(self.downloaded_bytes, other.downloaded_bytes),
            launches: f(self.launches, other.launches),
        }
    }
}

impl fmt::Display for Stats {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} copies up ({} bytes), {} down ({} bytes), {} kernels",
            self.uploads, self.uploaded_bytes, self.downloads, self.downloaded_bytes, self.launches
        )
    }
}
