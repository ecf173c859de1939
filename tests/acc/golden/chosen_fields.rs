//! Translated by acc2rs from `chosen_fields.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

mod c;

// Pointers that a condition gives one of several fields.
#[allow(dead_code)]
#[derive(Clone, Debug)]
struct Field {
    n: i32,
    u: Vec<Vec<f64>>,
    a: Vec<f64>,
    b: Vec<f64>,
    cur: i32,
}

impl Field {
    /// All fields zero, as C initializes them.
    fn zeroed() -> Field {
        Field {
            n: 0,
            u: vec![Vec::new(); 2],
            a: Vec::new(),
            b: Vec::new(),
            cur: 0,
        }
    }
}

fn init(f: &mut Field, n: i32) {
    f.n = n;
    f.cur = 0;
    for k in 0..2 {
        f.u[k as usize] = vec![0.0_f64; n as usize];
        for i in 0..n {
            f.u[k as usize][i as usize] = i as f64 * 0.1 + k as f64;
        }
    }
    f.a = vec![0.0_f64; n as usize];
    f.b = vec![0.0_f64; n as usize];
}

fn advance(f: &mut Field) {
    let in_row = f.cur as usize;
    let out_row2 = (1 - f.cur) as usize;
    let mut x_choice: i32 = 0;
    if f.cur != 0 {
        x_choice = 0;
    } else {
        x_choice = 1;
    }
    let n: i32 = f.n;
    if x_choice != 0 {
        // In order: `out` and `in` are parts of one array.
        for i in 1..n - 1 {
            let row: f64 =
                0.5 * ((*f).u[in_row][(i - 1) as usize] + (*f).u[in_row][(i + 1) as usize]);
            (*f).u[out_row2][i as usize] = row;
            f.b[i as usize] += row - f.a[i as usize];
        }
    } else {
        // In order: `out` and `in` are parts of one array.
        for i in 1..n - 1 {
            let row: f64 =
                0.5 * ((*f).u[in_row][(i - 1) as usize] + (*f).u[in_row][(i + 1) as usize]);
            (*f).u[out_row2][i as usize] = row;
            f.a[i as usize] += row - f.b[i as usize];
        }
    }
    f.cur = 1 - f.cur;
}

fn choose(f: &Field, which: i32, from: i32) -> f64 {
    let mut p_choice: i32 = 0;
    if which == 0 {
        p_choice = 0;
    } else if which == 1 {
        p_choice = 1;
    } else {
        eprintln!("bad");
        return -1.0;
    }
    if p_choice != 0 {
        let q: usize = from as usize;
        let mut s: f64 = 0.0;
        for i in 0..4 {
            s += f.b[q + i];
        }
        return s;
    } else {
        let q: usize = from as usize;
        let mut s: f64 = 0.0;
        for i in 0..4 {
            s += f.a[q + i];
        }
        return s;
    }
}

fn main() {
    let mut f: Field = Field::zeroed();
    init(&mut f, 30);
    for _ in 0..9 {
        advance(&mut f);
    }
    {
        let value = c::Float(choose(&f, 5, 0));
        let value2 = c::Float(choose(&f, 1, 3));
        let value3 = c::Float(choose(&f, 0, 2));
        let value4 = c::Float(f.u[f.cur as usize][3]);
        println!("{:.5} {:.5} {:.5} {:.5}", value4, value3, value2, value);
    }
    f.u[0] = Vec::new();
    f.u[1] = Vec::new();
    f.a = Vec::new();
    f.b = Vec::new();
}
