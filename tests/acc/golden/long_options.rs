//! Translated by acc2rs from `long_options.c`, `getopt.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, unused_assignments, unused_variables)]

mod c;

#[allow(dead_code)]
#[derive(Clone, Debug)]
struct option {
    name: &'static str,
    has_arg: i32,
    flag: Vec<i8>,
    val: i32,
}

impl option {
    /// All fields zero, as C initializes them.
    fn zeroed() -> option {
        option {
            name: "",
            has_arg: 0,
            flag: Vec::new(),
            val: 0,
        }
    }
}

/// The variables that C keeps outside functions.
struct Globals {
    optarg: &'static str,
    optind: i32,
    optopt: i32,
    long_options: [option; 4],
    option_at: i32,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            optarg: "",
            optind: 1,
            optopt: 0,
            long_options: [
                option {
                    name: "size",
                    has_arg: 1,
                    flag: Vec::new(),
                    val: b'n' as i32,
                },
                option {
                    name: "tol",
                    has_arg: 1,
                    flag: Vec::new(),
                    val: b't' as i32,
                },
                option {
                    name: "verbose",
                    has_arg: 0,
                    flag: Vec::new(),
                    val: b'v' as i32,
                },
                option {
                    name: "",
                    has_arg: 0,
                    flag: Vec::new(),
                    val: 0,
                },
            ],
            option_at: 1,
        }
    }
}

fn main() {
    let argv: Vec<&'static str> = std::env::args().map(|a| &*a.leak()).collect();
    let argc: i32 = argv.len() as i32;
    let mut globals = Globals::new();
    let mut n: i32 = 10;
    let mut verbose: i32 = 0;
    let mut opt: i32 = 0;
    let mut index: i32 = 0;
    let mut tol: f64 = 0.001;
    while ({
        opt = {
            let moved = std::mem::replace(
                &mut globals.long_options,
                std::array::from_fn(|_| option::zeroed()),
            );
            let result2 = getopt_long(&mut globals, argc, &argv, "n:t:vh", &moved, &mut index);
            globals.long_options = moved;
            result2
        };
        opt
    }) != -1
    {
        match opt {
            110 => {
                n = c::atol(globals.optarg) as i32;
            }
            116 => {
                tol = c::atof(globals.optarg);
            }
            118 => {
                verbose += 1;
            }
            _ => {
                eprintln!("usage: {}", argv[0]);
                std::process::exit(1);
            }
        }
    }
    for i in globals.optind..argc {
        println!("operand {}", argv[i as usize]);
    }
    println!("{} {} {}", n, c::general(tol, 6), verbose);
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

// Reads the next option, of one letter or a word behind `--`.
fn getopt_long(
    globals: &mut Globals,
    argc: i32,
    argv: &[&'static str],
    options: &str,
    words: &[option],
    index: &mut i32,
) -> i32 {
    if globals.optind >= argc
        || c::strncmp(argv[globals.optind as usize], "--", 2) != 0
        || c::strcmp(argv[globals.optind as usize], "--") == 0
    {
        return getopt(globals, argc, argv, options);
    }
    let mut len: i32 = 2;
    while c::byte_at(argv[globals.optind as usize], len as usize) as i32 != 0
        && c::byte_at(argv[globals.optind as usize], len as usize) as i32 != b'=' as i32
    {
        len += 1;
    }
    {
        let mut word: i32 = 0;
        while !words[word as usize].name.is_empty() {
            'next_loop1: {
                if words[word as usize].name.len() as i32 != len - 2
                    || c::strncmp(
                        &argv[globals.optind as usize][2..],
                        words[word as usize].name,
                        (len - 2) as u64 as usize,
                    ) != 0
                {
                    break 'next_loop1;
                }
                if c::byte_at(argv[globals.optind as usize], len as usize) as i32 == b'=' as i32 {
                    globals.optarg = &argv[globals.optind as usize][(len + 1) as usize..];
                } else if words[word as usize].has_arg == 1 && globals.optind + 1 < argc {
                    globals.optarg = argv[({
                        globals.optind += 1;
                        globals.optind
                    }) as usize];
                } else if words[word as usize].has_arg == 1 {
                    globals.optind += 1;
                    return b'?' as i32;
                }
                globals.optind += 1;
                *index = word;
                return words[word as usize].val;
            }
            word += 1;
        }
    }
    globals.optind += 1;
    b'?' as i32
}
