//! Translated by acc2rs from `passed_as_rows.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;

mod c;

const DEPTH: i32 = 3;
const ROWS: i32 = 40;
const WIDTH: i32 = 6;

/// The variables that C keeps outside functions.
struct Globals {
    column: [i32; 240],
    element: [f64; 240],
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            column: [0; (ROWS * WIDTH) as usize],
            element: [0.0; (ROWS * WIDTH) as usize],
        }
    }
}

/// Sets `y`, the loop at passed_as_rows.c:25:3.
#[offload]
fn compute_y(val: &[[f64; 6]], x: &[f64], col: &[[i32; 6]], rows: i32, y: &mut [f64]) {
    for i in 0..rows {
        let mut sum: f64 = 0.0;
        for k in 0..1 + (i % WIDTH) as usize {
            sum += val[i as usize][k] * x[col[i as usize][k] as usize];
        }
        y[i as usize] = sum;
    }
}

fn assemble(rows: i32, col: &mut [[i32; 6]], val: &mut [[f64; 6]]) -> i32 {
    let mut stored: i32 = 0;
    for i in 0..rows {
        {
            let mut k: i32 = 0;
            while k < 1 + i % WIDTH {
                col[i as usize][k as usize] = (i + k * 7) % rows;
                val[i as usize][k as usize] =
                    1.0 / (1 + k) as f64 + i32::from(col[i as usize][k as usize] == i) as f64;
                k += 1;
                stored += 1;
            }
        }
    }
    stored
}

fn multiply(rows: i32, col: &[[i32; 6]], val: &[[f64; 6]], x: &[f64], y: &mut [f64]) {
    compute_y(val, x, col, rows, y);
}

fn corner(planes: i32, u: &mut [[[f64; 3]; 6]]) -> f64 {
    u[(planes - 1) as usize][(WIDTH - 1) as usize][(DEPTH - 1) as usize] = 0.5;
    u[0][0][0] + u[(planes - 1) as usize][0][1]
}

fn main() {
    let mut globals = Globals::new();
    let mut x: [f64; 40] = [0.0; ROWS as usize];
    let mut y: [f64; 40] = [0.0; ROWS as usize];
    let mut u: Vec<f64> = vec![0.0_f64; (4 * WIDTH * DEPTH) as usize];
    let stored: i32 = assemble(
        ROWS,
        globals.column.as_chunks_mut::<6>().0,
        globals.element.as_chunks_mut::<6>().0,
    );
    for i in 0..ROWS {
        x[i as usize] = 0.1 * i as f64;
    }
    multiply(
        ROWS,
        globals.column.as_chunks::<6>().0,
        globals.element.as_chunks::<6>().0,
        &x,
        &mut y,
    );
    // One row further on.
    println!(
        "{} stored, second row starts {}",
        stored, globals.column[WIDTH as usize]
    );
    multiply(
        ROWS - 1,
        globals.column[WIDTH as usize..].as_chunks::<6>().0,
        globals.element[WIDTH as usize..].as_chunks::<6>().0,
        &x,
        &mut y,
    );
    for i in (0..ROWS as usize).step_by(9) {
        print!("{:.4} ", c::Float(y[i]));
    }
    for i in 0..4 * WIDTH * DEPTH {
        u[i as usize] = i as f64;
    }
    let c_: f64 = corner(4, u.as_chunks_mut::<3>().0.as_chunks_mut::<6>().0);
    println!(
        "\n{:.1} {:.1}",
        c::Float(c_),
        c::Float(u[(4 * WIDTH * DEPTH - 1) as usize])
    );
    drop(u);
}
