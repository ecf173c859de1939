//! Translated by acc2rs from `math_functions.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

mod c;

fn main() {
    let mut s: f64 = 0.0;
    for i in 1..20 {
        let x: f64 = i as f64 * 0.37;
        s += x.sin() * x.cos()
            + (x / 10.0).tan()
            + (-x).exp()
            + x.ln()
            + x.sqrt()
            + x.powf(1.5)
            + x.powi(2);
        s += (-x).abs() + x.floor() + x.ceil() + x % 0.5 + x.atan2(2.0) + x.hypot(1.0) + x.cbrt();
        s += x.min(3.0) + x.max(3.0) + x.round() + x.trunc() + x.log10() + (x / 4.0).exp2();
    }
    println!("{:.9}", c::Float(s));
    let f: f32 = (2.0_f32).sqrt() + (-1.5_f32).abs() + (2.0_f32).powf(0.5) + (1.0_f32).exp();
    println!("{:.5}", c::Float(f as f64));
    println!(
        "{} {} {}",
        (-5_i32).abs(),
        (-6_i64).abs(),
        if false { 3 } else { 4 }
    );
    println!(
        "{:.6} {:.6}",
        (1.5 + 0.5) * (1.5 + 0.5),
        2.0 * 3.141592653589793
    );
    println!(
        "{} {}",
        i32::from(i32::from((-1.0_f64).sqrt().is_nan()) != 0),
        i32::from(i32::from(((1.0 / 0.0) as f64).is_infinite()) != 0)
    );
}
