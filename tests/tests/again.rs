//! Loops within iterations that compute something in their condition and again behind it: a kernel computes it once, as long as it stays the same.

#![cfg(feature = "sim")]
#![allow(clippy::all, reason = "loops are written as people write them")]

use accrue::{Device, with_device};
use accrue_compiler::emit_ptx::{Options, emit};
use accrue_tests::oracle::analyze_any;

/// A function twice, as it is and offloaded, of a plane.
macro_rules! twice {
    ($($name:ident($w:ident, $h:ident, $out:ident) $body:block)*) => {
        mod plain {
            $(pub(super) fn $name($w: usize, $h: usize, $out: &mut [u32]) $body)*
        }
        mod off {
            $(#[accrue::offload] pub(super) fn $name($w: usize, $h: usize, $out: &mut [u32]) $body)*
        }
        const ALL: &[(&str, fn(usize, usize, &mut [u32]), fn(usize, usize, &mut [u32]))] =
            &[$((stringify!($name), plain::$name, off::$name)),*];
    };
}

twice! {
    mandelbrot(w, h, out) {
        for y in 0..h {
            for x in 0..w {
                let cr = x as f32 / w as f32 * 3.0 - 2.0;
                let ci = y as f32 / h as f32 * 2.0 - 1.0;
                let (mut zr, mut zi, mut n) = (0.0f32, 0.0f32, 0u32);
                while n < 256 && zr * zr + zi * zi <= 4.0 {
                    let t = zr * zr - zi * zi + cr;
                    zi = 2.0 * zr * zi + ci;
                    zr = t;
                    n += 1;
                }
                out[y * w + x] = n;
            }
        }
    }

    by_break(w, h, out) {
        for y in 0..h {
            for x in 0..w {
                let cr = x as f32 / w as f32 * 3.0 - 2.0;
                let ci = y as f32 / h as f32 * 2.0 - 1.0;
                let (mut zr, mut zi, mut n) = (0.0f32, 0.0f32, 0u32);
                loop {
                    if n >= 99 || zr * zr + zi * zi > 4.0 {
                        break;
                    }
                    let t = zr * zr - zi * zi + cr;
                    zi = 2.0 * zr * zi + ci;
                    zr = t;
                    n += 1;
                }
                out[y * w + x] = n;
            }
        }
    }

    // What a variable begins with is not the variable.
    changed(w, h, out) {
        for y in 0..h {
            for x in 0..w {
                let (mut a, mut b, mut n) = (x as u32 * 77 + 3, y as u32 * 13 + 1, 0u32);
                while a * 3 + b != 0 && n < 50 && (a ^ b) % 7 != 0 {
                    let mut t = a * 3 + b;
                    t += 1;
                    a = (a * 3 + b) % 1000;
                    let u = a * 3 + b;
                    b = (t + u + (a ^ b)) % 999;
                    n += (a ^ b) % 7;
                    if n > 40 {
                        a = 5;
                        continue;
                    }
                    n += 1;
                    if a * 3 > 9 {
                        b += 1;
                    }
                    a = (a * 3) % 77;
                }
                out[y * w + x] = n * 1000 + a + b;
            }
        }
    }

    // What is computed where something holds is not computed where it does not.
    lazily(w, h, out) {
        for y in 0..h {
            for x in 0..w {
                let (mut a, mut n, mut s) = ((x * 31 + y * 7) as u32, 0u32, 0u32);
                loop {
                    if a % 2 == 0 && a / 3 > 2 {
                        s += 1;
                    }
                    let q = a / 2 + a / 3;
                    if a % 2 == 1 {
                        a = 3 * a + 1;
                    }
                    s += a / 2;
                    a = a / 2;
                    s += q + a / 2;
                    n += 1;
                    if n > 30 || a < 2 {
                        break;
                    }
                }
                while s % 5 > 0 || n % 3 > 1 && n < 70 {
                    n += s % 5 + n % 3;
                    s -= 1;
                    if s % 5 == 4 || s == 0 {
                        break;
                    }
                    n += s % 5;
                }
                out[y * w + x] = n + s * 100;
            }
        }
    }

    // What is computed may assign, too.
    meanwhile(w, h, out) {
        for y in 0..h {
            for x in 0..w {
                let (mut a, mut n) = ((y * w + x) as f32 + 1.0, 0u32);
                while a * a < 1000.0 && n < 9 {
                    let t = { a += 1.0; 2.0f32 };
                    a = a * a + t;
                    n += 1;
                }
                out[y * w + x] = a as u32;
            }
        }
    }

    meanwhile_in_conditions(w, h, out) {
        for y in 0..h {
            for x in 0..w {
                let (mut a, mut n) = ((y * w + x) as f32 + 1.0, 0u32);
                loop {
                    if a * a > 1000.0 || { a += 0.5; n > 9 } {
                        break;
                    }
                    let t = if n % 2 == 0 { a = a + 1.0; 1.0 } else { 3.0 };
                    a = a * a * 0.5 + t;
                    n += 1;
                }
                while n < 99 && a * a > 9.0 && { a -= 3.5; true } {
                    n += 1 + (a * a) as u32 % 5;
                    a = if a * a > 100.0 { a = a / 3.0; a * a / 40.0 } else { a * a / 60.0 };
                }
                out[y * w + x] = a as u32 % 9999 * 100 + n;
            }
        }
    }
}

#[test]
fn kernels_give_what_the_loop_gives() {
    for (w, h) in [(1, 1), (7, 5), (64, 33)] {
        for (name, plain, off) in ALL {
            let (mut expected, mut out) = (vec![9; w * h], vec![9; w * h]);
            plain(w, h, &mut expected);
            with_device(Device::Sim, || off(w, h, &mut out));
            assert_eq!(out, expected, "{name} of {w} x {h}");
        }
    }
}

#[test]
fn squares_are_computed_once() {
    let step = "while n < 256 && zr * zr + zi * zi <= 4.0 { let t = zr * zr - zi * zi + x as f32; zi = 2.0 * zr * zi; zr = t; n += 1; }";
    let analysis = analyze_any(&format!(
        "fn f(out: &mut [u32]) {{ for x in 0..out.len() {{ let (mut zr, mut zi, mut n) = (0.0f32, 0.0f32, 0u32); {step} out[x] = n; }} }}"
    ));
    let analysis = analysis.expect("a loop");
    let plan = &analysis.loops[0];
    let modules = emit(
        &plan.ir,
        &plan.pattern,
        &analysis.sources,
        &Options::default(),
    );
    let modules = modules.expect("a kernel");
    for module in &modules {
        // Two squares, and `2.0 * zr * zi`.
        assert_eq!(
            module.text().matches("mul.rn.f32").count(),
            4,
            "{}",
            module.text()
        );
    }
}
