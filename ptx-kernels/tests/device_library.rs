//! The device library at work: maths against its source compiled for the host, merges against the sequential loop,
//! initialisation and sampling against what they should write.

#[path = "device_library/calls.rs"]
mod calls;
#[cfg(target_os = "linux")]
#[path = "device_library/cuda.rs"]
mod cuda;
#[path = "device_library/fills.rs"]
mod fills;
#[path = "device_library/gpu.rs"]
mod gpu;
#[path = "device_library/maths.rs"]
mod maths;
#[path = "device_library/merges.rs"]
mod merges;

#[cfg(target_os = "linux")]
#[test]
#[ignore = "needs an NVIDIA GPU: cargo test -p accrue-ptx --test device_library -- --ignored"]
fn on_a_gpu() {
    let mut gpu = cuda::Cuda::open();
    calls::maths_is_the_hosts(&mut gpu, 2_000_000);
    merges::merges_are_sequential(&mut gpu);
    merges::untouched_bins_keep_their_bits(&mut gpu);
    fills::initialisations_fill(&mut gpu);
    fills::samples_are_the_hosts(&mut gpu);
}
