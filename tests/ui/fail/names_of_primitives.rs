#![allow(non_camel_case_types)]

use accrue::offload;

mod lengths {
    pub type f32 = f64;
}

mod limits {
    pub mod u32 {
        pub const MAX: ::core::primitive::u32 = 3;
    }
}

mod point {
    use super::lengths::*;

    #[repr(C)]
    #[derive(Clone, Copy, accrue::DeviceType)]
    pub struct Point {
        pub x: f32,
    }
}

mod scaled {
    use super::lengths::f32;
    use super::offload;

    #[offload(device)]
    pub fn scaled(x: u32) -> u32 {
        (x as f32 / 16.0) as u32
    }
}

mod in_the_signature {
    use super::lengths::f32;
    use super::offload;

    #[offload(histogram)]
    pub fn count(data: &[f32], hist: &mut [u32; 16]) {
        for &x in data {
            hist[x as usize] += 1;
        }
    }
}

#[offload(histogram)]
fn in_the_function(data: &[f64], hist: &mut [u32; 16]) {
    use lengths::*;
    for &x in data {
        hist[(x as f32) as usize] += 1;
    }
}

#[offload(histogram)]
fn in_the_loop(data: &[f64], hist: &mut [u32; 16]) {
    for &x in data {
        type f32 = f64;
        hist[(x as f32) as usize] += 1;
    }
}

#[offload(histogram)]
fn hidden_in_the_function(data: &[u8], hist: &mut [usize; 16]) {
    type u8 = u16;
    for &x in data {
        hist[x as usize] += u8::MAX as usize;
    }
}

#[offload(histogram)]
fn a_type_parameter<u32: Copy + Into<usize>>(data: &[u32], hist: &mut [usize; 16]) {
    for &x in data {
        hist[x.into()] += 1;
    }
}

#[offload(histogram)]
fn a_module(data: &[usize], hist: &mut [usize; 16]) {
    use limits::u32;
    for &x in data {
        if x < u32::MAX as usize {
            hist[x] += 1;
        }
    }
}

fn main() {}
