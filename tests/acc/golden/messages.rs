//! Translated by acc2rs from `messages.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use std::process::ExitCode;

mod c;

/// The variables that C keeps outside functions.
struct Globals {
    logfile: c::File,
    errors: i32,
    message: [i8; 256],
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            logfile: c::File::NULL,
            errors: 0,
            message: [0; 256],
        }
    }
}

fn set_error(globals: &mut Globals, fmt: &str) {
    {
        let text = format!("{}", fmt);
        c::set_text_within(&mut globals.message, size_of::<[i8; 256]>(), &text);
    }
    globals.errors += 1;
}

fn fatal(file: &str, line: i32, fmt: &str) {
    eprint!("{}:{}: ", file, line);
    eprint!("{}", fmt);
    eprintln!();
    std::process::exit(2);
}

fn out(f: c::File, fmt: &str) {
    let n: i32 = c::fputs(&format!("{}", fmt), f);
    if n < 0 {
        std::process::exit(1);
    }
}

fn parse(s: &str) -> i32 {
    if c::strcmp(s, "a") == 0 {
        return 1;
    }
    if c::strcmp(s, "b") == 0 {
        return 2;
    }
    fatal("x.c", 10, &format!("unknown word '{}'", s));
    0
}

fn main() -> ExitCode {
    let mut globals = Globals::new();
    globals.logfile = c::File::STDOUT;
    let name: [i8; 20] = [
        116, 97, 98, 108, 101, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ];
    let x: [f64; 3] = [1.5, 2.25, -3.0];
    set_error(
        &mut globals,
        &format!("bad {} at {} ({:5.2})", &c::text(&name), 7, c::Float(x[1])),
    );
    println!("{} {}", &c::text(&globals.message), globals.errors);
    out(globals.logfile, "plain\n");
    out(
        c::File::STDOUT,
        &format!(
            "{}% of {:<8}|{}|{:08x}\n",
            50,
            &c::text(&name),
            char::from(b'q'),
            48879_u32
        ),
    );
    for i in 0..3 {
        out(
            c::File::STDOUT,
            &format!(
                "{}{}",
                c::general(x[i as usize], 6),
                if i < 2 { ", " } else { "\n" }
            ),
        );
    }
    println!("{}", parse("b"));
    {
        let value = &format!("{} more", globals.errors);
        set_error(&mut globals, value)
    }
    {
        let value2 = parse("a");
        let value3 = &c::text(&globals.message);
        println!("{} {}", value3, value2);
    }
    ExitCode::from(parse("c") as u8)
}
