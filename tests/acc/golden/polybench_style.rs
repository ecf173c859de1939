//! Translated by acc2rs from `polybench_style.c`.
#![forbid(unsafe_code)]
#![allow(non_snake_case, unused_assignments, unused_variables)]

use accrue::offload;

mod c;

const N: i32 = 32;

/// The variables that C keeps outside functions.
struct Globals {
    main_A: [[f64; 32]; 32],
    main_B: [[f64; 32]; 32],
    main_C: [[f64; 32]; 32],
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            main_A: [[0.0; 32]; N as usize],
            main_B: [[0.0; 32]; N as usize],
            main_C: [[0.0; 32]; N as usize],
        }
    }
}

/// Updates `C`, the loop at polybench_style.c:27:7.
#[offload]
fn update_c(A: &[[f64; 32]], B: &[[f64; 32]], ni: i32, beta: f64, alpha: f64, C: &mut [[f64; 32]]) {
    for i in 0..ni {
        for j in 0..ni {
            C[i as usize][j as usize] *= beta;
            for k in 0..ni {
                C[i as usize][j as usize] +=
                    alpha * A[i as usize][k as usize] * B[k as usize][j as usize];
            }
        }
    }
}

fn init_array(n: i32, A: &mut [[f64; 32]], B: &mut [[f64; 32]]) {
    for i in 0..n {
        for j in 0..n {
            A[i as usize][j as usize] = i as f64 * (j + 1) as f64 / n as f64;
            B[i as usize][j as usize] = (i - j) as f64 / n as f64;
        }
    }
}

fn kernel_gemm(
    ni: i32,
    alpha: f64,
    beta: f64,
    C: &mut [[f64; 32]],
    A: &[[f64; 32]],
    B: &[[f64; 32]],
) {
    update_c(A, B, ni, beta, alpha, C);
}

fn trace(C: &[[f64; 32]]) -> f64 {
    let mut t: f64 = 0.0;
    for i in 0..N as usize {
        t += C[i][i];
    }
    t
}

fn main() {
    let argv: Vec<&'static str> = std::env::args().map(|a| &*a.leak()).collect();
    let argc: i32 = argv.len() as i32;
    let mut globals = Globals::new();
    let n: i32 = N;
    init_array(n, &mut globals.main_A, &mut globals.main_B);
    for i in 0..N {
        for j in 0..N {
            globals.main_C[i as usize][j as usize] = i32::from(i == j) as f64;
        }
    }
    kernel_gemm(
        n,
        1.5,
        1.2,
        &mut globals.main_C,
        &globals.main_A,
        &globals.main_B,
    );
    println!("{:0.6}", c::Float(trace(&globals.main_C)));
    if argc > 42 && c::byte_at(argv[0], 0) as i32 == 0 {
        println!("never");
    }
}
