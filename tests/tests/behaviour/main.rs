//! What an offloaded function promises, written by hand: its panics, its sizes, its arithmetic, and the
//! functions it may stand in.

mod along;
mod floats;
mod functions;
mod overflow;
mod panics;
mod sizes;
mod stretches;
mod two_signs;
mod undone;

use accrue::{Device, with_device};
use rayon::ThreadPoolBuilder;

/// Runs a test on each device that every machine has, and on the simulator where it is built in.
fn everywhere(test: impl Fn() + Sync) {
    on_hosts(&test);
    #[cfg(feature = "sim")]
    with_device(Device::Sim, &test);
}

/// Runs a test on the devices that are no GPU, on the CPU with several numbers of threads.
fn on_hosts(test: impl Fn() + Sync) {
    with_device(Device::Seq, &test);
    for threads in [1, 2, 3, 8] {
        on_threads(threads, &test);
    }
}

/// Runs something on the device `cpu` with so many threads.
fn on_threads<R: Send>(threads: usize, run: impl FnOnce() -> R + Send) -> R {
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .expect("a pool");
    pool.install(|| with_device(Device::Cpu, run))
}

/// Keys that are spread over `0..bins`, the same every time.
fn keys(count: usize, bins: u64) -> Vec<u32> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let keys = (0..count).map(|_| {
        // xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift generators", 2016).
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        (((state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) * bins) >> 32) as u32
    });
    keys.collect()
}
