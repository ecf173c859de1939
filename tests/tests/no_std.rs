//! A crate without `std` of its own: what the attribute emits brings what it needs.

#![no_std]
#![deny(warnings)]

extern crate std;

use accrue::offload;

#[repr(C)]
#[derive(Clone, Copy, accrue::DeviceType)]
struct Pixel {
    red: u8,
    green: u8,
}

#[offload(device)]
fn bin(x: u8) -> usize {
    (x >> 4) as usize
}

#[offload(histogram, uses(Pixel, bin))]
fn count(pixels: &[Pixel], bins: &mut [u32; 16]) {
    for p in pixels {
        bins[bin(p.red.max(p.green))] += 1;
    }
}

#[offload]
fn running(x: &[f32], doubled: &mut [f32], sums: &mut [f32]) -> f32 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        doubled[i] = 2.0 * x[i];
        sum += x[i];
        sums[i] = sum;
    }
    sum
}

fn main() {
    let mut bins = [0; 16];
    count(
        &[Pixel { red: 3, green: 40 }, Pixel { red: 255, green: 0 }],
        &mut bins,
    );
    assert_eq!((bins[2], bins[15]), (1, 1));
    let (mut doubled, mut sums) = ([0.0; 2], [0.0; 2]);
    assert_eq!(running(&[1.0, 2.0], &mut doubled, &mut sums), 3.0);
    assert_eq!((doubled, sums), ([2.0, 4.0], [1.0, 3.0]));
}
