//! Translated by acc2rs from `parts_of_one.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;

mod c;

const LEVELS: i32 = 4;

// Calls that get different parts of one whole, and write one of them.
#[allow(dead_code)]
#[derive(Clone, Debug)]
struct Field {
    n: i32,
    density: Vec<f64>,
    pressure: Vec<f64>,
    speed: Vec<f64>,
}

impl Field {
    /// All fields zero, as C initializes them.
    fn zeroed() -> Field {
        Field {
            n: 0,
            density: Vec::new(),
            pressure: Vec::new(),
            speed: Vec::new(),
        }
    }
}

/// The variables that C keeps outside functions.
struct Globals {
    level: Vec<Vec<f64>>,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            level: vec![Vec::new(); LEVELS as usize],
        }
    }
}

/// Sets `coarse`, the loop at parts_of_one.c:23:3.
#[offload]
fn compute_coarse(fine: &[f64], n: i32, coarse: &mut [f64]) {
    for i in 0..n {
        coarse[i as usize] = 0.5 * (fine[2 * i as usize] + fine[2 * i as usize + 1]);
    }
}

/// Sets `speed`, updates `pressure`, the loop at parts_of_one.c:28:3.
#[offload]
fn update_pressure_and_speed(n: &i32, density: &[f64], pressure: &mut [f64], speed: &mut [f64]) {
    for i in 0..*n {
        pressure[i as usize] = 0.4 * density[i as usize];
        speed[i as usize] = pressure[i as usize] * pressure[i as usize];
    }
}

fn fill(n: i32, x: &mut f64, a: f64, y: &mut [f64]) {
    for i in 0..n {
        *x = *x * 0.75 + a;
        y[i as usize] = *x;
    }
}

fn coarsen(fine: &[f64], n: i32, coarse: &mut [f64]) {
    compute_coarse(fine, n, coarse);
}

fn gas(n: &i32, density: &[f64], pressure: &mut [f64], speed: &mut [f64]) {
    update_pressure_and_speed(n, density, pressure, speed);
}

fn step(from: &[f64], to: &mut [f64], n: i32) {
    for i in 0..n {
        to[i as usize] = from[((i + 1) % n) as usize] + 1.0;
    }
}

fn exchange(a: &mut [f64], b: &mut [f64], c_: &[f64]) {
    for k in 0..5 {
        a[k] += c_[k];
        b[k] -= c_[k] * a[k];
    }
}

fn new_field(n: i32) -> Vec<Field> {
    let mut f: Vec<Field> = vec![Field::zeroed(); 1];
    f[0].n = n;
    f[0].density = vec![0.0_f64; n as usize];
    f[0].pressure = vec![0.0_f64; n as usize];
    f[0].speed = vec![0.0_f64; n as usize];
    for i in 0..n {
        f[0].density[i as usize] = (1 + i) as f64;
    }
    f
}

fn main() {
    let mut globals = Globals::new();
    let mut dum: [f64; 6] = [1.0, 0.5, 0.0, 0.0, 0.0, 0.0];
    {
        let value3 = dum[1];
        let (head, tail2) = dum.split_at_mut(2);
        fill(4, &mut head[0], value3, tail2)
    }
    println!(
        "{} {} {}",
        c::general(dum[0], 6),
        c::general(dum[2], 6),
        c::general(dum[5], 6)
    );
    for k in 0..LEVELS {
        globals.level[k as usize] = vec![0.0_f64; (1 << k + 2) as usize];
    }
    for i in 0..1 << LEVELS + 1 {
        globals.level[(LEVELS - 1) as usize][i as usize] = (i * i) as f64;
    }
    for k in (1..LEVELS).rev() {
        {
            let [part4, part5] = globals
                .level
                .get_disjoint_mut([k as usize, (k - 1) as usize])
                .expect("different elements");
            coarsen(part4, 1 << k + 1, part5)
        }
    }
    println!(
        "{} {}",
        c::general(globals.level[0][0], 6),
        c::general(globals.level[0][3], 6)
    );
    let mut f: Vec<Field> = new_field(8);
    {
        let whole6 = &mut f[0];
        gas(
            &whole6.n,
            &whole6.density,
            &mut whole6.pressure,
            &mut whole6.speed,
        )
    }
    println!(
        "{} {}",
        c::general(f[0].pressure[7], 6),
        c::general(f[0].speed[7], 6)
    );
    let mut u: [[f64; 6]; 2] = [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [0.0; 6]];
    let mut now: i32 = 0;
    for _ in 0..5 {
        {
            let [part7, part8] = u
                .get_disjoint_mut([now as usize, (1 - now) as usize])
                .expect("different elements");
            step(part7, part8, 6)
        }
        now = 1 - now;
    }
    for t in 0..3 {
        {
            let [part9, part10] = u
                .get_disjoint_mut([((t + 1) % 2) as usize, (t % 2) as usize])
                .expect("different elements");
            step(part9, part10, 6)
        }
    }
    println!("{} {}", c::general(u[0][0], 6), c::general(u[1][5], 6));
    let mut lhs: [[[f64; 5]; 3]; 4] = [[[0.0; 5]; 3]; 4];
    for i in 0..60 {
        lhs[(i / 15) as usize][(i / 5 % 3) as usize][(i % 5) as usize] = 0.1 * i as f64;
    }
    for i in 1..4 {
        {
            let [part11, part12, part13] = lhs[i]
                .get_disjoint_mut([0, 1, 2])
                .expect("different elements");
            exchange(part11, part12, part13)
        }
    }
    for i in 1..4 {
        {
            let [part14, part15] = lhs
                .get_disjoint_mut([i, i - 1])
                .expect("different elements");
            let [part16, part17] = part14.get_disjoint_mut([0, 2]).expect("different elements");
            exchange(part16, &mut part15[1], part17)
        }
    }
    println!(
        "{:.4} {:.4}",
        c::Float(lhs[3][0][4]),
        c::Float(lhs[3][1][4])
    );
    for k in 0..LEVELS as usize {
        globals.level[k] = Vec::new();
    }
    f[0].density = Vec::new();
    f[0].pressure = Vec::new();
    f[0].speed = Vec::new();
    drop(f);
}
