//! Translated by acc2rs from `rgb_image.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, unused_assignments)]

use accrue::offload;

// image histogram with struct of pixels and per channel bins
#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct rgb {
    r: u8,
    g: u8,
    b: u8,
}

#[allow(dead_code)]
#[derive(Clone, Debug)]
struct image {
    width: i32,
    height: i32,
    pixels: Vec<rgb>,
}

impl rgb {
    /// All fields zero, as C initializes them.
    const fn zeroed() -> rgb {
        rgb { r: 0, g: 0, b: 0 }
    }
}

impl image {
    /// All fields zero, as C initializes them.
    fn zeroed() -> image {
        image {
            width: 0,
            height: 0,
            pixels: Vec::new(),
        }
    }
}

/// Counts into `hist`, the loop at rgb_image.c:24:3.
#[offload(histogram)]
fn count_hist(p: &[rgb], n: i32, hist: &mut [[i32; 256]]) {
    for i in 0..n {
        hist[0][p[i as usize].r as usize] += 1;
        hist[1][p[i as usize].g as usize] += 1;
        hist[2][p[i as usize].b as usize] += 1;
    }
}

fn make(w: i32, h: i32) -> image {
    let mut im: image = image::zeroed();
    im.width = w;
    im.height = h;
    im.pixels = vec![rgb::zeroed(); w as usize * h as usize];
    let mut s: u32 = 1;
    for i in 0..w * h {
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        im.pixels[i as usize].r = (s & 0xff) as u8;
        im.pixels[i as usize].g = (s >> 8 & 0x7f) as u8;
        im.pixels[i as usize].b = (s >> 16) as u8;
    }
    im
}

fn main() {
    let mut im: image = make(50, 40);
    let mut hist: [[i32; 256]; 3] = [[0; 256], [0; 256], [0; 256]];
    let n: i32 = im.width * im.height;
    count_hist(&im.pixels, n, &mut hist);
    let mut sum: u64 = 0;
    for c_ in 0..3 {
        for i in 0..256 {
            sum = sum.wrapping_mul(131).wrapping_add(hist[c_][i] as u64);
        }
    }
    println!("{}", sum);
    im.pixels = Vec::new();
}
