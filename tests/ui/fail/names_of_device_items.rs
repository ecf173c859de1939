use accrue::offload;

pub mod a {
    use super::offload;

    #[offload(device)]
    pub fn bin(x: u32) -> u32 {
        x & 3
    }

    #[repr(C)]
    #[derive(Clone, Copy, accrue::DeviceType)]
    pub struct Point {
        pub x: u32,
    }
}

pub mod b {
    pub fn bin(x: u32) -> f64 {
        f64::from(x & 7)
    }

    #[derive(Clone, Copy)]
    pub struct Plain {
        pub x: u32,
    }
}

mod another_signature {
    use super::{a, b::bin, offload};

    #[offload(histogram, uses(a::bin))]
    fn count(keys: &[u32], hist: &mut [u32; 16]) {
        for &k in keys {
            hist[bin(k) as usize] += 1;
        }
    }
}

mod no_device_struct {
    use super::{a, b::Plain as Point, offload};

    #[offload(histogram, uses(a::Point))]
    fn count(points: &[Point], hist: &mut [u32; 16]) {
        for p in points {
            hist[p.x as usize] += 1;
        }
    }
}

mod hidden {
    use super::offload;

    mod bin {}

    #[offload(device)]
    fn bin(x: u32) -> u32 {
        x & 3
    }

    #[offload(histogram, uses(bin))]
    fn count(keys: &[u32], hist: &mut [u32; 16]) {
        for &k in keys {
            hist[bin(k) as usize] += 1;
        }
    }
}

trait Bin: 'static {
    fn bin(x: u32) -> u32;
}

#[offload(histogram, uses(a::bin))]
fn a_type_parameter<a: Bin>(keys: &[u32], hist: &mut [u32; 16]) {
    for &k in keys {
        hist[a::bin(k) as usize] += 1;
    }
}

#[offload(device)]
fn f32(x: u32) -> u32 {
    x
}

fn main() {}
