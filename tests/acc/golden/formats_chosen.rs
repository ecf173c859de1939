//! Translated by acc2rs from `formats_chosen.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, non_upper_case_globals, unused_assignments)]

mod c;

// Formats in variables, and texts from tables.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct opt {
    name: &'static str,
    value: i32,
    w: f64,
}

static opts: [opt; 3] = [
    opt {
        name: "small",
        value: 16,
        w: 0.5,
    },
    opt {
        name: "medium",
        value: 32,
        w: 0.7,
    },
    opt {
        name: "large",
        value: 64,
        w: 0.9,
    },
];

fn verdict(e: f64) -> &'static str {
    if e < 1e-6 {
        return "excellent";
    }
    if e < 0.001 {
        return "good";
    }
    "poor"
}

fn main() {
    let argv: Vec<&'static str> = std::env::args().map(|a| &*a.leak()).collect();
    let argc: i32 = argv.len() as i32;
    let prog: &str = if !argv[0].is_empty() { "prog" } else { "none" };
    println!("{:<14} {:>5} {:>8}", "name", "n", "w");
    for k in 0..3 {
        let o: usize = k;
        println!(
            "{:<14} {:5} {:8.3}",
            opts[o].name,
            opts[o].value,
            c::Float(opts[o].w)
        );
    }
    println!("{} {} {}", verdict(1e-7), verdict(0.0001), verdict(1.0));
    let mut fmt_choice: i32 = if argc > 1 { 1 } else { 0 };
    if fmt_choice == 0 {
        println!("{} {}", prog, argc);
    } else if fmt_choice == 1 {
        println!("{} {}!", prog, argc);
    } else {
        println!("[{}] ({})", prog, argc);
    }
    let verbose: i32 = 1;
    if verbose != 0 {
        fmt_choice = 2;
    }
    if fmt_choice == 0 {
        println!("{} {}", prog, 3);
    } else if fmt_choice == 1 {
        println!("{} {}!", prog, 3);
    } else {
        println!("[{}] ({})", prog, 3);
    }
    let mut buf: [i8; 64] = [0; 64];
    if fmt_choice == 0 {
        {
            let text = format!("{} {}\n", prog, 4);
            c::set_text_within(&mut buf, size_of::<[i8; 64]>(), &text);
        }
    } else if fmt_choice == 1 {
        {
            let text = format!("{} {}!\n", prog, 4);
            c::set_text_within(&mut buf, size_of::<[i8; 64]>(), &text);
        }
    } else {
        {
            let text = format!("[{}] ({})\n", prog, 4);
            c::set_text_within(&mut buf, size_of::<[i8; 64]>(), &text);
        }
    }
    print!("{}", &c::text(&buf));
}
