//! Translated by acc2rs from `chosen_pairs.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

mod c;

/// The variables that C keeps outside functions.
struct Globals {
    ga: [f64; 8],
    gb: [f64; 8],
    mode: i32,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            ga: [0.0; 8],
            gb: [0.0; 8],
            mode: 0,
        }
    }
}

// Several pointers that one condition chooses, locals and globals among them, also for one call.
fn add(a: &[f64], b: &[f64], c_: &mut [f64], n: i32) {
    for i in 0..n {
        c_[i as usize] = a[i as usize] + b[i as usize];
    }
}

fn toggle(globals: &mut Globals) {
    globals.mode = i32::from(globals.mode == 0);
}

fn main() {
    let mut globals = Globals::new();
    let mut la: [f64; 8] = [0.0; 8];
    let mut lb: [f64; 8] = [0.0; 8];
    for i in 0..8 {
        la[i as usize] = i as f64;
        lb[i as usize] = (2 * i) as f64;
        globals.ga[i as usize] = (3 * i) as f64;
        globals.gb[i as usize] = 1.0;
    }
    for t in 0..4 {
        let p_choice: i32 = if globals.mode != 0 { 1 } else { 0 };
        toggle(&mut globals);
        if p_choice != 0 {
            if t > 1 {
                {
                    let copy = la.clone();
                    add(&globals.ga, &copy, &mut la, 8)
                }
            } else {
                add(&globals.ga, &la, &mut globals.gb, 8);
            }
            globals.ga[t as usize] += 1.0;
            la[t as usize] -= 1.0;
        } else {
            if t > 1 {
                add(&globals.gb, &lb, &mut la, 8);
            } else {
                {
                    let copy2 = globals.gb.clone();
                    add(&copy2, &lb, &mut globals.gb, 8)
                }
            }
            globals.gb[t as usize] += 1.0;
            lb[t as usize] -= 1.0;
        }
        toggle(&mut globals);
        toggle(&mut globals);
        {
            let mut a_now: &[f64] = &globals.gb;
            let mut b_now: &[f64] = &globals.ga;
            let mut c_now: &mut [f64] = &mut lb;
            let mut c_now_other: &mut [f64] = &mut la;
            if globals.mode != 0 {
                std::mem::swap(&mut a_now, &mut b_now);
                std::mem::swap(&mut c_now, &mut c_now_other);
            }
            add(a_now, b_now, c_now, 8);
        }
    }
    let mut s: f64 = 0.0;
    for i in 0..8 {
        s += la[i] + 3.0 * lb[i] + 5.0 * globals.ga[i] + 7.0 * globals.gb[i];
    }
    println!("{}", c::general(s, 6));
}
