//! Translated by acc2rs from `letter_options.c`, `getopt.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

mod c;

/// The variables that C keeps outside functions.
struct Globals {
    optarg: &'static str,
    optind: i32,
    optopt: i32,
    n: i32,
    verbose: i32,
    tol: f64,
    name: &'static str,
    option_at: i32,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            optarg: "",
            optind: 1,
            optopt: 0,
            n: 10,
            verbose: 0,
            tol: 0.001,
            name: "none",
            option_at: 1,
        }
    }
}

fn parse(globals: &mut Globals, argc: i32, argv: &[&'static str]) {
    let mut c_: i32 = 0;
    while ({
        c_ = getopt(globals, argc, argv, "n:t:vf:");
        c_
    }) != -1
    {
        match c_ {
            110 => {
                globals.n = c::atol(globals.optarg) as i32;
            }
            116 => {
                globals.tol = c::atof(globals.optarg);
            }
            102 => {
                globals.name = globals.optarg;
            }
            118 => {
                globals.verbose += 1;
            }
            63 => {
                std::process::exit(1);
            }
            _ => {}
        }
    }
}

fn main() {
    let argv: Vec<&'static str> = std::env::args().map(|a| &*a.leak()).collect();
    let argc: i32 = argv.len() as i32;
    let mut globals = Globals::new();
    parse(&mut globals, argc, &argv);
    for i in globals.optind..argc {
        println!("operand {}", argv[i as usize]);
    }
    println!(
        "{} {} {} {}",
        globals.n,
        c::general(globals.tol, 6),
        globals.verbose,
        globals.name
    );
}

// Reads the next option of one letter: the letter, `?` if it is not known, -1 behind the last one.
fn getopt(globals: &mut Globals, argc: i32, argv: &[&'static str], options: &str) -> i32 {
    if globals.optind >= argc
        || c::byte_at(argv[globals.optind as usize], 0) as i32 != b'-' as i32
        || c::byte_at(argv[globals.optind as usize], 1) as i32 == 0
    {
        return -1;
    }
    if c::strcmp(argv[globals.optind as usize], "--") == 0 {
        globals.optind += 1;
        return -1;
    }
    let mut letter: i32 = c::byte_at(
        argv[globals.optind as usize],
        ({
            let old = globals.option_at;
            globals.option_at += 1;
            old
        }) as usize,
    ) as i32;
    let mut last: i32 = i32::from(
        c::byte_at(argv[globals.optind as usize], globals.option_at as usize) as i32 == 0,
    );
    let mut found: i32 = 0;
    while c::byte_at(options, found as usize) as i32 != 0
        && (c::byte_at(options, found as usize) as i32 != letter || letter == b':' as i32)
    {
        found += 1;
    }
    globals.optopt = letter;
    if c::byte_at(options, found as usize) as i32 != 0
        && c::byte_at(options, (found + 1) as usize) as i32 == b':' as i32
    {
        if last == 0 {
            globals.optarg = &argv[globals.optind as usize][globals.option_at as usize..];
        } else if c::byte_at(options, (found + 2) as usize) as i32 == b':' as i32 {
            globals.optarg = "";
        } else if globals.optind + 1 < argc {
            globals.optarg = argv[({
                globals.optind += 1;
                globals.optind
            }) as usize];
        } else {
            letter = if c::byte_at(options, 0) as i32 == b':' as i32 {
                b':' as i32
            } else {
                b'?' as i32
            };
        }
        last = 1;
    } else if c::byte_at(options, found as usize) as i32 == 0 {
        letter = b'?' as i32;
    }
    if last != 0 {
        globals.optind += 1;
        globals.option_at = 1;
    }
    letter
}
