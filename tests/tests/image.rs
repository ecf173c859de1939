//! `#[offload]` on loops over pictures of the crate image, as people write them: the function without the attribute is the judge, on every device
//! of the build.

#![allow(
    clippy::all,
    dead_code,
    reason = "loops are written as people write them"
)]

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::{Device, offload, with_device};
use accrue_tests::twice;
use image::{GrayImage, ImageBuffer, Luma, Rgb, RgbImage, Rgba, RgbaImage};

twice! {
    pub(super) fn colours(img: &RgbImage, h: &mut [[u32; 256]; 3]) {
        for px in img.pixels() {
            h[0][px[0] as usize] += 1;
            h[1][px.0[1] as usize] += 1;
            h[2][px[2] as usize] += 1;
        }
    }

    pub(super) fn brightness(img: &RgbImage, h: &mut [u64; 256]) {
        for y in 0..img.height() {
            for x in 0..img.width() {
                let Rgb([r, g, b]) = *img.get_pixel(x, y);
                let v = (r as u32 * 299 + g as u32 * 587 + b as u32 * 114) / 1000;
                h[v as usize] += 1;
            }
        }
    }

    pub(super) fn levels(img: &GrayImage) -> [u32; 256] {
        let mut h = [0; 256];
        for p in img.pixels() {
            h[p[0] as usize] += 1;
        }
        h
    }

    pub(super) fn deep(img: &ImageBuffer<Luma<u16>, Vec<u16>>, h: &mut [u32]) {
        for Luma([v]) in img.pixels() {
            h[*v as usize >> 6] += 1;
        }
    }

    pub(super) fn grey(img: &RgbImage) -> GrayImage {
        let (w, h) = img.dimensions();
        let mut out = GrayImage::new(w, h);
        for y in 0..h {
            for x in 0..w {
                let p = img.get_pixel(x, y);
                let v = (p[0] as u32 * 77 + p[1] as u32 * 150 + p[2] as u32 * 29) >> 8;
                out.put_pixel(x, y, Luma([v as u8]));
            }
        }
        out
    }

    pub(super) fn sobel(img: &GrayImage, out: &mut GrayImage) {
        let (w, h) = img.dimensions();
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                let mut gx = 0i32;
                let mut gy = 0i32;
                for dy in 0..3u32 {
                    for dx in 0..3u32 {
                        let v = img.get_pixel(x + dx - 1, y + dy - 1)[0] as i32;
                        let sx = dx as i32 - 1;
                        let sy = dy as i32 - 1;
                        gx += v * sx * (2 - sy * sy);
                        gy += v * sy * (2 - sx * sx);
                    }
                }
                let g = ((gx * gx + gy * gy) as f32).sqrt() as u32;
                out.put_pixel(x, y, Luma([g.min(255) as u8]));
            }
        }
    }

    pub(super) fn sobel_unrolled(img: &GrayImage, out: &mut GrayImage) {
        for y in 1..img.height() - 1 {
            for x in 1..img.width() - 1 {
                let gx = img.get_pixel(x + 1, y - 1).0[0] as i32 + 2 * img.get_pixel(x + 1, y).0[0] as i32
                    + img.get_pixel(x + 1, y + 1).0[0] as i32 - img.get_pixel(x - 1, y - 1).0[0] as i32
                    - 2 * img.get_pixel(x - 1, y).0[0] as i32 - img.get_pixel(x - 1, y + 1).0[0] as i32;
                out.get_pixel_mut(x, y).0[0] = gx.unsigned_abs().min(255) as u8;
            }
        }
    }

    pub(super) fn invert(img: &mut RgbImage) {
        for p in img.pixels_mut() {
            for c in 0..3 {
                p.0[c] = 255 - p.0[c];
            }
        }
    }

    pub(super) fn threshold(img: &GrayImage, t: u8, out: &mut GrayImage) {
        for (o, p) in out.pixels_mut().zip(img.pixels()) {
            *o = Luma([if p.0[0] > t { 255 } else { 0 }]);
        }
    }

    pub(super) fn mirrored(img: &RgbaImage, out: &mut RgbaImage) {
        let w = img.width();
        for (x, y, p) in img.enumerate_pixels() {
            out.put_pixel(w - 1 - x, y, *p);
        }
    }

    pub(super) fn gradient(img: &mut RgbImage) {
        for (x, y, p) in img.enumerate_pixels_mut() {
            *p = Rgb([x as u8, y as u8, (x ^ y) as u8]);
        }
    }

    pub(super) fn moments(img: &GrayImage) -> (u64, u64, u64) {
        let (mut m, mut mx, mut my) = (0u64, 0u64, 0u64);
        for (x, y, p) in img.enumerate_pixels() {
            if p[0] < 10 {
                continue;
            }
            let v = p[0] as u64;
            m += v;
            mx += v * x as u64;
            my += v * y as u64;
        }
        (m, mx, my)
    }

    pub(super) fn blend(a: &RgbImage, b: &RgbImage, out: &mut RgbImage) {
        for y in 0..out.height() {
            for x in 0..out.width() {
                let (p, q) = (a[(x, y)], b[(x, y)]);
                let mixed = |c: usize| ((p[c] as u16 + q[c] as u16) / 2) as u8;
                out[(x, y)] = Rgb([mixed(0), mixed(1), mixed(2)]);
            }
        }
    }

    pub(super) fn sums(img: &RgbImage) -> [u64; 3] {
        let mut r = 0;
        let mut g = 0;
        let mut b = 0;
        for &Rgb([x, y, z]) in img.pixels() {
            r += x as u64;
            g += y as u64;
            b += z as u64;
        }
        [r, g, b]
    }

    pub(super) fn beyond(img: &GrayImage, h: &mut [u32; 256]) {
        for y in 0..img.height() {
            for x in 0..img.width() {
                h[img.get_pixel(x + y / 5, y)[0] as usize] += 1;
            }
        }
    }
}

/// Calls on every device of the build, and what each came to.
fn everywhere<R>(call: impl Fn() -> R) -> Vec<(String, R)> {
    let mut devices = vec![Device::Seq, Device::Cpu];
    if cfg!(feature = "sim") {
        devices.push(Device::Sim);
    }
    let run = |device| (format!("{device:?}"), with_device(device, &call));
    devices.into_iter().map(run).collect()
}

/// Compares a call with the plain one.
fn compare<R: PartialEq + Debug>(what: &str, plain: impl Fn() -> R, off: impl Fn() -> R) {
    let expected = plain();
    for (device, found) in everywhere(off) {
        assert!(found == expected, "{what} on {device}");
    }
}

/// Numbers that look drawn.
fn drawn(n: usize, seed: u32) -> Vec<u32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 8
    };
    (0..n).map(|_| next()).collect()
}

fn bytes(n: usize, seed: u32) -> Vec<u8> {
    drawn(n, seed).into_iter().map(|v| v as u8).collect()
}

const SIZES: [(u32, u32); 4] = [(3, 3), (7, 5), (65, 33), (64, 64)];

fn pictures() -> Vec<(RgbImage, GrayImage)> {
    let of = |(w, h): (u32, u32)| {
        let n = (w * h) as usize;
        // What lies behind the last pixel is none.
        let rgb = RgbImage::from_raw(w, h, bytes(3 * n + 5, w)).expect("bytes enough");
        (
            rgb,
            GrayImage::from_raw(w, h, bytes(n, h)).expect("bytes enough"),
        )
    };
    SIZES.map(of).into()
}

#[test]
fn histograms() {
    for (rgb, gray) in pictures() {
        let run = |f: fn(&RgbImage, &mut [[u32; 256]; 3])| {
            let mut h = [[1; 256]; 3];
            f(&rgb, &mut h);
            h
        };
        compare("colours", || run(plain::colours), || run(off::colours));
        let run = |f: fn(&RgbImage, &mut [u64; 256])| {
            let mut h = [0; 256];
            f(&rgb, &mut h);
            h
        };
        compare(
            "brightness",
            || run(plain::brightness),
            || run(off::brightness),
        );
        compare("levels", || plain::levels(&gray), || off::levels(&gray));
        compare("sums", || plain::sums(&rgb), || off::sums(&rgb));
        compare("moments", || plain::moments(&gray), || off::moments(&gray));
        let (w, h) = gray.dimensions();
        let numbers = drawn((w * h) as usize, 3).into_iter().map(|v| v as u16);
        let deep = ImageBuffer::from_raw(w, h, numbers.collect()).expect("numbers enough");
        let run = |f: fn(&ImageBuffer<Luma<u16>, Vec<u16>>, &mut [u32])| {
            let mut h = vec![0; 1024];
            f(&deep, &mut h);
            h
        };
        compare("deep", || run(plain::deep), || run(off::deep));
    }
    assert!(off::colours::explain().contains("where img lies row by row; else in order"));
}

/// Otsu's threshold over the histogram of a picture.
fn otsu(h: &[u32; 256]) -> u8 {
    let total: f64 = h.iter().map(|n| f64::from(*n)).sum();
    let all: f64 = h
        .iter()
        .enumerate()
        .map(|(v, n)| v as f64 * f64::from(*n))
        .sum();
    let (mut below, mut sum, mut best, mut at) = (0.0, 0.0, -1.0, 0);
    for (v, n) in h.iter().enumerate() {
        below += f64::from(*n);
        sum += v as f64 * f64::from(*n);
        let above = total - below;
        if below == 0.0 || above == 0.0 {
            continue;
        }
        let apart = sum / below - (all - sum) / above;
        let between = below * above * apart * apart;
        if between > best {
            (best, at) = (between, v);
        }
    }
    at as u8
}

#[test]
fn pictures_of_pictures() {
    for (rgb, gray) in pictures() {
        compare("grey", || plain::grey(&rgb), || off::grey(&rgb));
        let (w, h) = gray.dimensions();
        type Form = fn(&GrayImage, &mut GrayImage);
        let forms: [(&str, Form, Form); 2] = [
            ("sobel", plain::sobel, off::sobel),
            ("sobel_unrolled", plain::sobel_unrolled, off::sobel_unrolled),
        ];
        for (name, plain, off) in forms {
            let run = |f: Form| {
                let mut out = GrayImage::new(w, h);
                f(&gray, &mut out);
                out
            };
            compare(name, || run(plain), || run(off));
        }
        let t = otsu(&off::levels(&gray));
        let run = |f: fn(&GrayImage, u8, &mut GrayImage)| {
            let mut out = GrayImage::new(w, h);
            f(&gray, t, &mut out);
            out
        };
        compare(
            "threshold",
            || run(plain::threshold),
            || run(off::threshold),
        );
        let run = |f: fn(&mut RgbImage)| {
            let mut img = rgb.clone();
            f(&mut img);
            img
        };
        compare("invert", || run(plain::invert), || run(off::invert));
        compare("gradient", || run(plain::gradient), || run(off::gradient));
        let other = RgbImage::from_raw(w, h, bytes(3 * (w * h) as usize, 77)).expect("bytes");
        let run = |f: fn(&RgbImage, &RgbImage, &mut RgbImage)| {
            let mut out = RgbImage::new(w, h);
            f(&rgb, &other, &mut out);
            out
        };
        compare("blend", || run(plain::blend), || run(off::blend));
        let rgba = RgbaImage::from_raw(w, h, bytes(4 * (w * h) as usize, 78)).expect("bytes");
        let run = |f: fn(&RgbaImage, &mut RgbaImage)| {
            let mut out = RgbaImage::from_pixel(w, h, Rgba([1; 4]));
            f(&rgba, &mut out);
            out
        };
        compare("mirrored", || run(plain::mirrored), || run(off::mirrored));
    }
}

#[test]
fn positions_are_compared_before_the_loop() {
    let explain = off::blend::explain();
    let said = "where a, b and out lie row by row, and no index leaves its array; else in order";
    assert!(explain.contains(said), "{explain}");
    assert!(explain.contains("over 0..out.height()"), "{explain}");
}

#[test]
fn a_position_out_of_range() {
    let gray = GrayImage::from_raw(40, 30, bytes(1200, 4)).expect("bytes enough");
    let before = [3; 256];
    for (device, (panic, bins)) in everywhere(|| {
        let mut bins = before;
        let panic = catch_unwind(AssertUnwindSafe(|| off::beyond(&gray, &mut bins)));
        let panic = panic.expect_err("a panic");
        (panic.downcast_ref::<String>().cloned(), bins)
    }) {
        let panic = panic.unwrap_or_default();
        assert!(panic.starts_with("Image index"), "{device}: {panic}");
        if device != "Seq" {
            assert_eq!(bins, before, "{device}");
        }
    }
}

/// A function's kernel, where the build has a device for it.
#[cfg(feature = "sim")]
#[test]
fn kernels() {
    let on = |call: &dyn Fn() -> Result<(), accrue::Error>| {
        with_device(Device::Sim, call).expect("it has a kernel");
    };
    let (rgb, gray) = pictures().pop().expect("a picture");
    let (w, h) = gray.dimensions();
    on(&|| off::colours::try_call(&rgb, &mut [[0; 256]; 3]));
    on(&|| off::brightness::try_call(&rgb, &mut [0; 256]));
    on(&|| off::beyond::try_call(&GrayImage::new(3, 3), &mut [0; 256]));
    on(&|| off::sobel::try_call(&gray, &mut GrayImage::new(w, h)));
    on(&|| off::sobel_unrolled::try_call(&gray, &mut GrayImage::new(w, h)));
    on(&|| off::threshold::try_call(&gray, 3, &mut GrayImage::new(w, h)));
    on(&|| off::invert::try_call(&mut rgb.clone()));
    on(&|| off::gradient::try_call(&mut rgb.clone()));
}
