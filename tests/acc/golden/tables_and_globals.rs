//! Translated by acc2rs from `tables_and_globals.c`.
#![forbid(unsafe_code)]
#![allow(
    non_camel_case_types,
    non_upper_case_globals,
    unused_assignments,
    unused_variables
)]

use accrue::offload;

mod c;

// A table of tests that ends with a null one, and a global record that is passed on while other globals are in use.
#[allow(dead_code)]
#[derive(Clone, Debug)]
struct field {
    n: i32,
    cells: Vec<f64>,
}

#[allow(dead_code)]
#[derive(Clone, Debug)]
struct Anonymous6 {
    id: i32,
    field: field,
}

#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct Anonymous7 {
    name: &'static str,
    run: i32,
}

impl Anonymous6 {
    /// All fields zero, as C initializes them.
    fn zeroed() -> Anonymous6 {
        Anonymous6 {
            id: 0,
            field: field::zeroed(),
        }
    }
}

impl field {
    /// All fields zero, as C initializes them.
    fn zeroed() -> field {
        field {
            n: 0,
            cells: Vec::new(),
        }
    }
}

const scale: f64 = 0.5;

static tests: [Anonymous7; 3] = [
    Anonymous7 {
        name: "positive",
        run: 1,
    },
    Anonymous7 {
        name: "rising",
        run: 2,
    },
    Anonymous7 { name: "", run: 0 },
];

/// The variables that C keeps outside functions.
struct Globals {
    chunk: Anonymous6,
    step: i32,
    summary_called: i32,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            chunk: Anonymous6::zeroed(),
            step: 0,
            summary_called: 0,
        }
    }
}

/// Sets `cells`, the loop at tables_and_globals.c:43:3.
#[offload]
fn fill_cells(n: i32, cells: &mut [f64]) {
    for i in 0..n {
        cells[i as usize] = (i * 37 % n + 1) as f64;
    }
}

/// Updates `cells`, the loop at tables_and_globals.c:50:3.
#[offload]
fn update_cells(n: i32, cells: &mut [f64]) {
    for i in 0..n {
        cells[i as usize] = scale * (cells[i as usize] + i as f64);
    }
}

fn positive(globals: &mut Globals) -> i32 {
    for i in 0..globals.chunk.field.n {
        if globals.chunk.field.cells[i as usize] <= 0.0 {
            return 0;
        }
    }
    1
}

fn rising(globals: &mut Globals) -> i32 {
    for i in 1..globals.chunk.field.n {
        if globals.chunk.field.cells[i as usize] < globals.chunk.field.cells[(i - 1) as usize] {
            return 0;
        }
    }
    1
}

fn fill(f: &mut field, n: i32) {
    f.n = n;
    f.cells = vec![0.0_f64; n as usize];
    fill_cells(n, &mut f.cells);
}

fn relax(f: &mut field) {
    let n: i32 = f.n;
    update_cells(n, &mut f.cells);
}

fn summary(globals: &mut Globals, f: &field) {
    let mut sum: f64 = 0.0;
    for i in 0..f.n {
        sum += f.cells[i as usize];
    }
    if ({
        let old = globals.summary_called;
        globals.summary_called += 1;
        old
    }) == 0
    {
        println!("{:>4} {:>10}", "step", "mean");
    }
    println!("{:4} {:10.4}", globals.step, c::Float(sum / f.n as f64));
}

fn failed(last: i32) -> &'static str {
    if last != 0 { "a later test" } else { "no test" }
}

fn main() {
    let mut globals = Globals::new();
    let mut last: i32 = 0;
    fill(&mut globals.chunk.field, 50);
    globals.step = 0;
    while globals.step < 4 {
        relax(&mut globals.chunk.field);
        {
            let moved = std::mem::replace(&mut globals.chunk, Anonymous6::zeroed());
            summary(&mut globals, &moved.field);
            globals.chunk = moved;
        }
        globals.step += 1;
    }
    {
        let mut i: i32 = 0;
        while !tests[i as usize].name.is_empty() {
            let ok: i32 = call_positive_or_other(&mut globals, tests[i as usize].run);
            println!(
                "{:<10} {}",
                tests[i as usize].name,
                if ok != 0 { "ok" } else { "FAILED" }
            );
            if ok == 0 {
                last = tests[i as usize].run;
            }
            i += 1;
        }
    }
    println!("{} failed", failed(last));
    println!(
        "{}",
        i32::from(last != 0 && call_positive_or_other(&mut globals, last) == 0)
    );
    globals.chunk.field.cells = Vec::new();
}

fn call_positive_or_other(globals: &mut Globals, which: i32) -> i32 {
    if which == 1 {
        return positive(globals);
    } else {
        return rising(globals);
    }
}
