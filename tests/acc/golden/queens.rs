//! Translated by acc2rs from `queens.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

/// The variables that C keeps outside functions.
struct Globals {
    grid: [[i32; 8]; 8],
    solutions: i32,
    attempts: i32,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            grid: [[0; 8]; 8],
            solutions: 0,
            attempts: 0,
        }
    }
}

fn safe(q: &[i32], row: i32, col: i32) -> i32 {
    for i in 0..row {
        if q[i as usize] == col || (q[i as usize] - col).abs() == row - i {
            return 0;
        }
    }
    1
}

fn solve(globals: &mut Globals, q: &mut [i32], row: i32) {
    globals.attempts += 1;
    if row == 8 {
        globals.solutions += 1;
        for i in 0..8 {
            globals.grid[i][q[i] as usize] += 1;
        }
        return;
    }
    for c_ in 0..8 {
        if safe(q, row, c_) != 0 {
            q[row as usize] = c_;
            solve(globals, q, row + 1);
        }
    }
}

fn main() {
    let mut globals = Globals::new();
    let mut q: [i32; 8] = [0; 8];
    solve(&mut globals, &mut q, 0);
    let mut total: i32 = 0;
    for i in 0..8 {
        for j in 0..8 {
            total += globals.grid[i as usize][j as usize] * (i ^ j);
        }
    }
    println!("{} {} {}", globals.solutions, globals.attempts, total);
    let mut f: [i64; 2] = [0, 1];
    let mut k: i32 = 0;
    loop {
        let t: i64 = f[0] + f[1];
        f[0] = f[1];
        f[1] = t;
        if !(({
            k += 1;
            k
        }) < 50)
        {
            break;
        }
    }
    println!("{}", f[1]);
}
