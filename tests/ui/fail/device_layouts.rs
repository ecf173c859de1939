//! Structs that do not lie in memory as kernels read them.

#[repr(C, packed)]
#[derive(Clone, Copy, accrue::DeviceType)]
pub struct Packed {
    a: u8,
    x: u32,
}

#[repr(C)]
#[repr(align(4096))]
#[derive(Clone, Copy, accrue::DeviceType)]
pub struct Page {
    x: u32,
}

#[repr(C)]
#[derive(Clone, Copy, accrue::DeviceType)]
pub struct Nothing {
    none: [u32; 0],
}

#[repr(C)]
#[derive(Clone, Copy, accrue::DeviceType)]
pub struct Pointer {
    to: &'static u32,
}

#[accrue::offload(histogram, uses(Packed))]
pub fn counts(keys: &[Packed], hist: &mut [u32; 16]) {
    for k in keys {
        hist[k.x as usize] += 1;
    }
}

fn main() {}
