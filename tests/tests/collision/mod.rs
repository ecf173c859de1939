//! A loop under the attribute beside the same loop without it, compared on every device.

use accrue::{Device, with_device};

/// The devices of this build.
pub fn devices() -> Vec<Device> {
    let mut all = vec![Device::Seq, Device::Cpu, Device::Auto];
    if cfg!(feature = "sim") {
        all.push(Device::Sim);
    }
    all
}

pub fn keys() -> Vec<u32> {
    (0..3_000)
        .map(|i: u32| i.wrapping_mul(2_654_435_761) >> 7)
        .collect()
}

/// Whether a loop has kernels.
#[derive(PartialEq)]
pub enum On {
    /// It has, and they run.
    Gpu,
    /// It has none, or none that is confirmed.
    Cpu,
}

/// Compares a loop with its plain twin on every device.
pub fn check(
    name: &str,
    on: On,
    offloaded: impl Fn(&[u32], &mut [u32; 16]),
    attempt: impl Fn(&[u32], &mut [u32; 16]) -> Result<(), accrue::Error>,
    plain: impl Fn(&[u32], &mut [u32; 16]),
) {
    let keys = keys();
    let mut expected = [0; 16];
    plain(&keys, &mut expected);
    for device in devices() {
        let mut found = [0; 16];
        with_device(device, || offloaded(&keys, &mut found));
        assert_eq!(found, expected, "{name} on {device:?}");
        let mut found = [0; 16];
        match with_device(device, || attempt(&keys, &mut found)) {
            Ok(()) => {
                assert_eq!(found, expected, "{name} tried on {device:?}");
                assert!(
                    device != Device::Sim || on == On::Gpu,
                    "{name} has a kernel"
                );
            }
            Err(error) => {
                assert!(device == Device::Sim && on == On::Cpu, "{name}: {error}");
                assert_eq!(found, [0; 16], "{name} refused on {device:?}");
            }
        }
    }
}

/// A test of a loop and its plain twin: the same tokens in two functions.
macro_rules! collision {
    ($(#[doc = $doc:literal])* $name:ident, $on:ident, [$($uses:path),*], { $($outside:tt)* }, |$keys:ident, $hist:ident| { $($body:tt)* }) => {
        mod $name {
            use super::*;
            $($outside)*

            #[accrue::offload(histogram, uses($($uses),*))]
            pub fn offloaded($keys: &[u32], $hist: &mut [u32; 16]) { $($body)* }

            pub fn plain($keys: &[u32], $hist: &mut [u32; 16]) { $($body)* }

            $(#[doc = $doc])*
            #[test]
            fn comes_out_as_the_plain_loop() {
                check(stringify!($name), On::$on, offloaded, offloaded::try_call, plain);
            }
        }
    };
}
