//! Stencils over pictures of bytes on the simulator, two pixels in a register: sums, differences, divisions and extremes of all signs, at all edges, of
//! widths that are aligned and not. The function without the attribute is the judge.

#![allow(
    clippy::all,
    unreachable_pub,
    reason = "loops are written as people write them"
)]

use std::fmt::Debug;

use accrue::{Device, stats, with_device};

/// Functions as they are written, and offloaded. This crate does not check for overflow, so that neighbours share lines.
macro_rules! twice {
    ($($item:item)*) => {
        mod plain {
            $($item)*
        }
        mod off {
            use accrue::offload;

            $(#[offload] $item)*
        }
    };
}

twice! {
    pub fn laplacian(w: usize, h: usize, x: &[u8], out: &mut [u8]) {
        for y in 0..h {
            for i in 0..w {
                let (left, right) = (i.saturating_sub(1), (i + 1).min(w - 1));
                let (above, below) = (y.saturating_sub(1), (y + 1).min(h - 1));
                let around = x[y * w + left] as i32
                    + x[y * w + right] as i32
                    + x[above * w + i] as i32
                    + x[below * w + i] as i32;
                out[y * w + i] = (around - 4 * x[y * w + i] as i32).abs().min(255) as u8;
            }
        }
    }

    pub fn nine(w: usize, h: usize, x: &[u8], out: &mut [u8]) {
        for y in 1..h - 1 {
            for i in 1..w - 1 {
                let mut sum = 0u32;
                for dy in 0..3 {
                    for dx in 0..3 {
                        sum += x[(y + dy - 1) * w + i + dx - 1] as u32;
                    }
                }
                out[y * w + i] = (sum / 9) as u8;
            }
        }
    }

    pub fn gauss(w: usize, h: usize, x: &[u8], out: &mut [u8]) {
        for y in 1..h - 1 {
            for i in 1..w - 1 {
                let a = y * w + i;
                let s = x[a - w - 1] as u32
                    + 2 * x[a - w] as u32
                    + x[a - w + 1] as u32
                    + 2 * x[a - 1] as u32
                    + 4 * x[a] as u32
                    + 2 * x[a + 1] as u32
                    + x[a + w - 1] as u32
                    + 2 * x[a + w] as u32
                    + x[a + w + 1] as u32;
                out[a] = (s / 16) as u8;
            }
        }
    }

    pub fn gauss_shift(w: usize, h: usize, x: &[u8], out: &mut [u8]) {
        for y in 1..h - 1 {
            for i in 1..w - 1 {
                let a = y * w + i;
                let s = x[a - w - 1] as u32
                    + 2 * x[a - w] as u32
                    + x[a - w + 1] as u32
                    + 2 * x[a - 1] as u32
                    + 4 * x[a] as u32
                    + 2 * x[a + 1] as u32
                    + x[a + w - 1] as u32
                    + 2 * x[a + w] as u32
                    + x[a + w + 1] as u32;
                out[a] = ((s + 8) >> 4) as u8;
            }
        }
    }

    pub fn sobel(w: usize, h: usize, x: &[u8], out: &mut [u8]) {
        for y in 1..h - 1 {
            for i in 1..w - 1 {
                let a = y * w + i;
                let gx = (x[a - w + 1] as i32) + 2 * (x[a + 1] as i32) + (x[a + w + 1] as i32)
                    - (x[a - w - 1] as i32)
                    - 2 * (x[a - 1] as i32)
                    - (x[a + w - 1] as i32);
                let gy = (x[a + w - 1] as i32) + 2 * (x[a + w] as i32) + (x[a + w + 1] as i32)
                    - (x[a - w - 1] as i32)
                    - 2 * (x[a - w] as i32)
                    - (x[a - w + 1] as i32);
                out[a] = (gx.abs() + gy.abs()).min(255) as u8;
            }
        }
    }

    pub fn sharpen(w: usize, h: usize, x: &[u8], out: &mut [u8]) {
        for y in 1..h - 1 {
            for i in 1..w - 1 {
                let a = y * w + i;
                out[a] = (5 * (x[a] as i32)
                    - (x[a - 1] as i32)
                    - (x[a + 1] as i32)
                    - (x[a - w] as i32)
                    - (x[a + w] as i32))
                    .clamp(0, 255) as u8;
            }
        }
    }

    pub fn sharpen2(w: usize, h: usize, x: &[u8], out: &mut [u8]) {
        for y in 1..h - 1 {
            for i in 1..w - 1 {
                let a = y * w + i;
                out[a] = (5 * (x[a] as i32)
                    - (x[a - 1] as i32)
                    - (x[a + 1] as i32)
                    - (x[a - w] as i32)
                    - (x[a + w] as i32))
                    .max(0)
                    .min(255) as u8;
            }
        }
    }

    pub fn erode(w: usize, h: usize, x: &[u8], out: &mut [u8]) {
        for y in 1..h - 1 {
            for i in 1..w - 1 {
                let a = y * w + i;
                out[a] = x[a].min(x[a - 1]).min(x[a + 1]).min(x[a - w]).min(x[a + w]);
            }
        }
    }

    pub fn dilate16(w: usize, h: usize, x: &[u8], out: &mut [u16]) {
        for y in 1..h - 1 {
            for i in 1..w - 1 {
                let a = y * w + i;
                out[a] = x[a].max(x[a - 1]).max(x[a + 1]) as u16 * 3 + x[a - w].max(x[a + w]) as u16;
            }
        }
    }

    pub fn gradient(w: usize, h: usize, x: &[u8], out: &mut [i16]) {
        for y in 1..h - 1 {
            for i in 1..w - 1 {
                let a = y * w + i;
                let d =
                    ((x[a + 1] as i16) - (x[a - 1] as i16)).max((x[a + w] as i16) - (x[a - w] as i16));
                out[a] = -d * 2 + ((x[a] as i16) / 7);
            }
        }
    }

    pub fn diffs(w: usize, h: usize, x: &[u8], out: &mut [u16]) {
        for y in 1..h - 1 {
            for i in 1..w - 1 {
                let a = y * w + i;
                out[a] = (x[a] as u16).abs_diff(x[a - 1] as u16)
                    + (x[a] as u16).abs_diff(x[a + w] as u16).min(40) * 3
                    + ((x[a + 1] as u16) + (x[a - w] as u16)) / 3;
            }
        }
    }

    pub fn mean5(w: usize, h: usize, x: &[u8], out: &mut [i32]) {
        for y in 1..h - 1 {
            for i in 1..w - 1 {
                let a = y * w + i;
                let m = ((x[a] as i32)
                    + (x[a - 1] as i32)
                    + (x[a + 1] as i32)
                    + (x[a - w] as i32)
                    + (x[a + w] as i32))
                    / 5;
                out[a] = ((x[a] as i32) - m).abs() - m.min(9) * 100;
            }
        }
    }

    pub fn thresh(w: usize, h: usize, x: &[u8], out: &mut [u8]) {
        for y in 1..h - 1 {
            for i in 1..w - 1 {
                let a = y * w + i;
                let m = ((x[a] as i32)
                    + (x[a - 1] as i32)
                    + (x[a + 1] as i32)
                    + (x[a - w] as i32)
                    + (x[a + w] as i32)
                    + (x[a - w - 1] as i32)
                    + (x[a - w + 1] as i32)
                    + (x[a + w - 1] as i32)
                    + (x[a + w + 1] as i32))
                    / 9;
                out[a] = if (x[a] as i32) > m - 5 { 255 } else { 0 };
            }
        }
    }

    pub fn emboss(w: usize, h: usize, x: &[u8], out: &mut [u8]) {
        for y in 1..h - 1 {
            for i in 1..w - 1 {
                let a = y * w + i;
                out[a] = ((x[a + w + 1] as i32) - (x[a - w - 1] as i32) + 128)
                    .max(0)
                    .min(255) as u8;
            }
        }
    }

    pub fn unsharp(w: usize, h: usize, x: &[u8], out: &mut [u8]) {
        for y in 1..h - 1 {
            for i in 1..w - 1 {
                let a = y * w + i;
                let blur = ((x[a] as i32) * 4
                    + (x[a - 1] as i32)
                    + (x[a + 1] as i32)
                    + (x[a - w] as i32)
                    + (x[a + w] as i32))
                    / 8;
                let v = (x[a] as i32) * 2 - blur;
                out[a] = v.max(0).min(255) as u8;
            }
        }
    }

    /// An average that is written away from its place, and not of every column.
    pub fn moved(w: usize, h: usize, x: &[u8], out: &mut [u8]) {
        for y in 0..h - 2 {
            for i in 3..w - 5 {
                let at = y * w + i;
                let sum = x[at] as u16 + x[at + w] as u16 + x[at + 2 * w] as u16;
                out[at + w - 2] = (sum / 3) as u8;
            }
        }
    }

    /// Differences that are negative and divided, of different signs and sizes.
    pub fn signs(w: usize, h: usize, x: &[u8], out: &mut [i16]) {
        for y in 1..h - 1 {
            for i in 1..w - 1 {
                let a = y * w + i;
                let across = x[a + 1] as i32 - x[a - 1] as i32;
                let down = 3 * (x[a + w] as i32 - x[a - w] as i32);
                let most = across.max(down).min(500);
                out[a] = (most - across.abs_diff(down) as i32 * 2 + (-across).max(0) / 2) as i16;
            }
        }
    }

    /// Differences that count for nothing, once they are floats.
    pub fn vanished(w: usize, h: usize, x: &[u8], out: &mut [u8]) {
        for y in 1..h - 1 {
            for i in 1..w - 1 {
                let near = x[y * w + i - 1].abs_diff(x[y * w + i + 1]) as i32 * 0;
                out[y * w + i] = (near + x[y * w - w + i] as i32) as u8;
            }
        }
    }

    /// Each column takes the one before it at the left edge and the one behind it at the right one.
    pub fn mirrored(w: usize, h: usize, x: &[u8], out: &mut [u8]) {
        for y in 0..h {
            for i in 0..w {
                let left = if i > 0 { i - 1 } else { i + 1 };
                let right = if i + 1 < w { i + 1 } else { i - 1 };
                let at = y * w;
                let mean = (x[at + left] as u32 + 2 * x[at + i] as u32 + x[at + right] as u32) / 4;
                out[at + i] = mean.max(x[at + i] as u32 / 2) as u8;
            }
        }
    }
}

/// Compares a function with the one without the attribute, and says whether it was taken to the device.
fn check<T: Copy + Default + PartialEq + Debug>(
    name: &str,
    plain: fn(usize, usize, &[u8], &mut [T]),
    offloaded: fn(usize, usize, &[u8], &mut [T]),
) {
    let mut on_device = 0;
    for (n, (w, h)) in [(64, 40), (336, 70), (67, 33), (33, 9), (80, 18), (531, 12)]
        .into_iter()
        .enumerate()
    {
        let mut state = 12345 + w as u64;
        let mut pixel = |i: usize| {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let random = (state >> 33) as u8;
            match n % 5 {
                0 => random,
                1 => 0u8.wrapping_sub(random & 1),
                2 => random >> 4,
                3 => 255,
                _ => i as u8,
            }
        };
        let x: Vec<u8> = (0..w * h).map(&mut pixel).collect();
        let (mut expected, mut found) = (vec![T::default(); w * h], vec![T::default(); w * h]);
        plain(w, h, &x, &mut expected);
        let before = stats().launches;
        with_device(Device::Sim, || offloaded(w, h, &x, &mut found));
        on_device += stats().launches - before;
        let wrong = (0..w * h).find(|i| expected[*i] != found[*i]);
        if let Some(at) = wrong {
            let (expected, found) = (expected[at], found[at]);
            panic!(
                "{name} of {w} x {h} at {}, {}: {found:?}, not {expected:?}",
                at / w,
                at % w
            );
        }
    }
    assert!(on_device > 0, "{name} ran on the CPU");
}

/// A test for each function.
macro_rules! checked {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                check(stringify!($name), plain::$name, off::$name);
            }
        )*
    };
}

checked! {
    laplacian nine gauss gauss_shift sobel sharpen sharpen2 erode dilate16 gradient diffs mean5 thresh emboss unsharp moved signs vanished mirrored
}
