//! Translated by acc2rs from `step_out.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, unused_assignments, unused_variables)]

mod c;

#[allow(dead_code)]
#[derive(Clone, Debug)]
struct grid {
    n: i32,
    used: i32,
    v: Vec<Vec<f64>>,
    work: Vec<f64>,
    scale: f64,
}

fn relax(g: &grid, in_: &[f64], out: &mut [f64]) {
    for i in 1..g.n - 1 {
        out[i as usize] =
            g.scale * (in_[(i - 1) as usize] + in_[i as usize] + in_[(i + 1) as usize]);
    }
}

fn add_up(g: &mut grid, x: &[f64], n: i32) -> f64 {
    let mut s: f64 = 0.0;
    for i in 0..n {
        s += x[i as usize];
    }
    g.used += 1;
    s
}

fn main() {
    let mut g: grid = grid {
        n: 16,
        used: 0,
        v: vec![Vec::new(); 2],
        work: Vec::new(),
        scale: 1.0 / 3.0,
    };
    for k in 0..2 {
        g.v[k as usize] = vec![0.0_f64; g.n as usize];
        for i in 0..g.n {
            g.v[k as usize][i as usize] = (i % (k + 3)) as f64;
        }
    }
    g.work = vec![0.0_f64; g.n as usize];
    for _ in 0..3 {
        for k in 0..2 {
            {
                let mut moved = std::mem::take(&mut g.work);
                relax(&g, &g.v[k], &mut moved);
                g.work = moved;
            }
            std::mem::swap(&mut g.v[k], &mut g.work);
        }
    }
    {
        let value7 = c::Float({
            let moved5 = std::mem::take(&mut g.work);
            let result6 = add_up(&mut g, &moved5, 8);
            g.work = moved5;
            result6
        });
        let value8 = c::Float({
            let moved2 = std::mem::take(&mut g.v);
            let value3 = g.n;
            let result4 = add_up(&mut g, &moved2[0], value3);
            g.v = moved2;
            result4
        });
        println!("{:.6} {:.6}", value8, value7);
    }
    println!("{}", g.used);
    for k in 0..2 {
        g.v[k] = Vec::new();
    }
    g.work = Vec::new();
}
