//! Translated by acc2rs from `float_formats.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

mod c;

fn main() {
    let v: [f64; 8] = [
        0.0,
        1.0,
        -1.5,
        3.14159265358979,
        10000000000.0,
        1.5e-7,
        123456789.0,
        0.1,
    ];
    for i in 0..(size_of::<[f64; 8]>() / size_of::<f64>()) as i32 as usize {
        println!(
            "{:.6} {} {} {:.3} {:10.4}|{:<10.2}|{:+.1}|{:08.3}",
            c::Float(v[i]),
            c::exponent(v[i], 6),
            c::general(v[i], 6),
            c::Float(v[i]),
            c::Float(v[i]),
            c::Float(v[i]),
            c::Float(v[i]),
            c::Float(v[i])
        );
        println!(
            "{:.0} {} {} {}",
            c::Float(v[i]),
            c::exponent(v[i], 2),
            c::general(v[i], 10),
            c::general_upper(v[i], 6)
        );
    }
    println!(
        "{}|{:5}|{:<5}|{:05}|{:+}|{:x}|{:X}|{:o}|{}|{}|%",
        42,
        42,
        42,
        42,
        42,
        255,
        255,
        8,
        char::from(b'q'),
        "text"
    );
    println!(
        "{0:>10}|{1:<10}|{2:.2}|{4:3$}|{6:.5$}",
        "right", "left", "cut", 6, 7, 2, 2.71828
    );
    println!(
        "{} {} {} {} {}",
        1_i64 << 40,
        1_u64 << 63,
        -5_i64,
        size_of::<i32>(),
        4464_i16
    );
    println!("{{{}}} {{{}}}", 1, "{}");
    let f: f32 = 0.1;
    println!(
        "{:.9} {:.3}",
        c::Float(f as f64),
        c::Float((f * 3.0) as f64)
    );
    println!(
        "{:.6} {:.6}",
        c::Float(f32::INFINITY as f64),
        c::Float(-f32::INFINITY as f64)
    );
    println!("done {{}}");
    print!("x");
    println!();
    print!("to stdout\n");
    println!("{}%", 50);
}
