//! Translated by acc2rs from `tables_of_places.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;

mod c;

// Tables of pointers to memory and to locals, and choices among fields of one struct.
#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct Pt {
    v: f64,
    w: f64,
}

#[allow(dead_code)]
#[derive(Clone, Debug)]
struct Atoms {
    x: Vec<f64>,
    y: Vec<f64>,
    z: Vec<f64>,
    n: i32,
}

impl Atoms {
    /// All fields zero, as C initializes them.
    fn zeroed() -> Atoms {
        Atoms {
            x: Vec::new(),
            y: Vec::new(),
            z: Vec::new(),
            n: 0,
        }
    }
}

/// Keeps the smallest in `lo`, keeps the largest in `hi`, the loop at tables_of_places.c:19:5.
#[offload]
fn min_lo(a_x: &[f64], a_n: i32, mut lo: f64, mut hi: f64) -> (f64, f64) {
    for i in 0..a_n {
        lo = lo.min(a_x[i as usize]);
        hi = hi.max(a_x[i as usize]);
    }
    (lo, hi)
}

/// Keeps the smallest in `lo`, keeps the largest in `hi`, the loop at tables_of_places.c:19:5.
#[offload]
fn min_lo_2(a_y: &[f64], a_n: i32, mut lo: f64, mut hi: f64) -> (f64, f64) {
    for i in 0..a_n {
        lo = lo.min(a_y[i as usize]);
        hi = hi.max(a_y[i as usize]);
    }
    (lo, hi)
}

/// Keeps the smallest in `lo`, keeps the largest in `hi`, the loop at tables_of_places.c:19:5.
#[offload]
fn min_lo_3(a_z: &[f64], a_n: i32, mut lo: f64, mut hi: f64) -> (f64, f64) {
    for i in 0..a_n {
        lo = lo.min(a_z[i as usize]);
        hi = hi.max(a_z[i as usize]);
    }
    (lo, hi)
}

fn scale(x: &mut [f64], f: f64, n: i32) {
    for i in 0..n {
        x[i as usize] *= f;
    }
}

fn dot(a: &[f64], b: &[f64], n: i32) -> f64 {
    let mut s: f64 = 0.0;
    for i in 0..n {
        s += a[i as usize] * b[i as usize];
    }
    s
}

fn total(v: &[f64], n: i32) -> f64 {
    let mut s: f64 = 0.0;
    for i in 0..n {
        s += v[i as usize];
    }
    s
}

fn extent(a: &Atoms, axis: i32) -> f64 {
    let mut c_choice: i32 = 0;
    match axis {
        0 => {
            c_choice = 0;
        }
        1 => {
            c_choice = 1;
        }
        _ => {
            c_choice = 2;
        }
    }
    let mut lo: f64 = if c_choice == 0 {
        a.x[0]
    } else if c_choice == 1 {
        a.y[0]
    } else {
        a.z[0]
    };
    let mut hi: f64 = if c_choice == 0 {
        a.x[0]
    } else if c_choice == 1 {
        a.y[0]
    } else {
        a.z[0]
    };
    if c_choice == 0 {
        (lo, hi) = min_lo(&a.x, a.n, lo, hi);
    } else if c_choice == 1 {
        (lo, hi) = min_lo_2(&a.y, a.n, lo, hi);
    } else {
        (lo, hi) = min_lo_3(&a.z, a.n, lo, hi);
    }
    hi - lo
}

fn main() {
    let n: i32 = 12;
    let mut x: Vec<f64> = vec![0.0_f64; n as usize];
    let mut y: Vec<f64> = vec![0.0_f64; n as usize];
    let mut z: Vec<f64> = vec![0.0_f64; n as usize];
    let nm: Vec<&'static str> = vec!["x", "y", "z"];
    for k in 0..3 {
        if k == 0 {
            for i in 0..n {
                x[i as usize] = (i + k) as f64;
            }
        } else if k == 1 {
            for i in 0..n {
                y[i as usize] = (i + k) as f64;
            }
        } else {
            for i in 0..n {
                z[i as usize] = (i + k) as f64;
            }
        }
    }
    for k in 0..3 {
        if k == 0 {
            for l in k..3 {
                if l == 0 {
                    println!(
                        "{}.{} = {:.2}",
                        nm[k as usize],
                        nm[l as usize],
                        c::Float(dot(&x, &x, n))
                    );
                } else if l == 1 {
                    println!(
                        "{}.{} = {:.2}",
                        nm[k as usize],
                        nm[l as usize],
                        c::Float(dot(&x, &y, n))
                    );
                } else {
                    println!(
                        "{}.{} = {:.2}",
                        nm[k as usize],
                        nm[l as usize],
                        c::Float(dot(&x, &z, n))
                    );
                }
            }
        } else if k == 1 {
            for l in k..3 {
                if l == 0 {
                    println!(
                        "{}.{} = {:.2}",
                        nm[k as usize],
                        nm[l as usize],
                        c::Float(dot(&y, &x, n))
                    );
                } else if l == 1 {
                    println!(
                        "{}.{} = {:.2}",
                        nm[k as usize],
                        nm[l as usize],
                        c::Float(dot(&y, &y, n))
                    );
                } else {
                    println!(
                        "{}.{} = {:.2}",
                        nm[k as usize],
                        nm[l as usize],
                        c::Float(dot(&y, &z, n))
                    );
                }
            }
        } else {
            for l in k..3 {
                if l == 0 {
                    println!(
                        "{}.{} = {:.2}",
                        nm[k as usize],
                        nm[l as usize],
                        c::Float(dot(&z, &x, n))
                    );
                } else if l == 1 {
                    println!(
                        "{}.{} = {:.2}",
                        nm[k as usize],
                        nm[l as usize],
                        c::Float(dot(&z, &y, n))
                    );
                } else {
                    println!(
                        "{}.{} = {:.2}",
                        nm[k as usize],
                        nm[l as usize],
                        c::Float(dot(&z, &z, n))
                    );
                }
            }
        }
    }
    {
        scale(&mut y, 2.0, n);
    }
    for k in 0..3 {
        let mut s: f64 = 0.0;
        if k == 0 {
            for i in 0..n {
                s += x[i as usize];
            }
        } else if k == 1 {
            for i in 0..n {
                s += y[i as usize];
            }
        } else {
            for i in 0..n {
                s += z[i as usize];
            }
        }
        println!("{:.2}", c::Float(s));
    }
    let mut a: Pt = Pt { v: 1.0, w: 2.0 };
    let mut b: Pt = Pt { v: 3.0, w: 4.0 };
    for k in 0..2 {
        if k != 0 {
            b.v += 1.0;
        } else {
            a.v += 1.0;
        }
        if k != 0 {
            b.w *= 2.0;
        } else {
            a.w *= 2.0;
        }
    }
    println!(
        "{:.1} {:.1} {:.1} {:.1}",
        c::Float(a.v),
        c::Float(a.w),
        c::Float(b.v),
        c::Float(b.w)
    );
    for k in 0..3 {
        if k == 0 {
            x.clear();
        } else if k == 1 {
            y.clear();
        } else {
            z.clear();
        }
    }
    let mut at: Atoms = Atoms::zeroed();
    at.n = 30;
    at.x = vec![0.0_f64; at.n as usize];
    at.y = vec![0.0_f64; at.n as usize];
    at.z = vec![0.0_f64; at.n as usize];
    for i in 0..at.n {
        at.x[i as usize] = i as f64 * 0.5;
        at.y[i as usize] = (i * 7 % 13) as f64;
        at.z[i as usize] = -i as f64;
    }
    for k in 0..3 {
        if k == 0 {
            println!(
                "{} {:.3} {:.3}",
                k,
                c::Float(extent(&at, k)),
                c::Float(total(&at.x, at.n))
            );
        } else if k == 1 {
            println!(
                "{} {:.3} {:.3}",
                k,
                c::Float(extent(&at, k)),
                c::Float(total(&at.y, at.n))
            );
        } else {
            println!(
                "{} {:.3} {:.3}",
                k,
                c::Float(extent(&at, k)),
                c::Float(total(&at.z, at.n))
            );
        }
    }
    at.x = Vec::new();
    at.y = Vec::new();
    at.z = Vec::new();
}
