use accrue::offload;

pub mod a {
    #[repr(C)]
    #[derive(Clone, Copy, accrue::DeviceType)]
    pub struct Point {
        pub x: u32,
    }
}

pub mod b {
    #[repr(C)]
    #[derive(Clone, Copy, accrue::DeviceType)]
    pub struct Point {
        pub y: u32,
        pub x: u32,
    }
}

mod by_import {
    use super::{a, b::Point, offload};

    #[offload(histogram, uses(a::Point))]
    fn count(points: &[Point], hist: &mut [u32; 16]) {
        for p in points {
            hist[p.x as usize] += 1;
        }
    }
}

mod in_the_signature {
    use super::{a, b::Point, offload};

    #[offload(histogram, uses(a::Point))]
    fn count(points: &[Point], hist: &mut [u32; 16]) {
        use super::a::Point;
        for p in points {
            hist[p.x as usize] += 1;
        }
    }
}

fn main() {}
