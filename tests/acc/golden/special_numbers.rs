//! Translated by acc2rs from `special_numbers.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

mod c;

// Numbers as printf writes them that are not finite, have a sign or zeros or a least number of digits.
fn main() {
    let argc: i32 = std::env::args().count() as i32;
    let z: f64 = argc as f64 - 1.0;
    let v: [f64; 11] = [
        z / z,
        1.0 / z,
        -1.0 / z,
        (z - 1.0).ln(),
        (z - 4.0).sqrt(),
        0.1,
        -2.5e-9,
        1234567.0,
        f32::NAN as f64,
        f32::INFINITY as f64,
        -0.0,
    ];
    let f: f32 = v[1] as f32;
    for i in 0..(size_of::<[f64; 11]>() / size_of::<f64>()) as i32 as usize {
        let x: f64 = v[i];
        println!(
            "[{:.6}] [{:8.2}] [{:<8.1}] [{:08.2}] [{:+.6}] [{}] [{}]",
            c::Float(x),
            c::Float(x),
            c::Float(x),
            c::Float(x),
            c::Float(x),
            format!("{:+.6}", c::Float(x)).replacen('+', " ", 1),
            format!("{:.6}", c::Float(x)).to_uppercase()
        );
        println!(
            "[{}] [{:>12}] [{:<12}] [{}] [{}] [{}] [{}]",
            c::exponent(x, 6),
            c::exponent(x, 3),
            c::exponent(x, 3),
            c::zero_filled(12, &c::exponent(x, 3)),
            c::signed('+', &c::exponent(x, 6)),
            c::signed(' ', &c::exponent(x, 6)),
            c::exponent_upper(x, 6)
        );
        println!(
            "[{}] [{:>8}] [{:<8}] [{}] [{}] [{}] [{}]",
            c::general(x, 6),
            c::general(x, 3),
            c::general(x, 3),
            c::zero_filled(8, &c::general(x, 3)),
            c::signed('+', &c::general(x, 6)),
            c::signed(' ', &c::general(x, 6)),
            c::general_upper(x, 6)
        );
        println!(
            "[{2:0$.1$}] [{4:<3$}] [{5}] [{6:<10}] [{7}]",
            9,
            2,
            c::Float(x),
            9,
            c::general(x, 6),
            c::zero_filled(12, &c::signed('+', &c::general(x, 6))),
            c::signed(' ', &c::exponent(x, 2)),
            c::zero_filled(9, &c::general(x, 6))
        );
        if x.is_nan() {
            println!("nan {}", i32::from(i32::from(x.is_sign_negative()) != 0));
        }
        if x.is_infinite() {
            println!("inf {}", i32::from(x > 0.0));
        }
    }
    println!("{:.6} {}", c::Float(f as f64), c::general(-f as f64, 6));
}
