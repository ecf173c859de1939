//! Translated by acc2rs from `heat.c`.
#![forbid(unsafe_code)]
#![allow(
    non_camel_case_types,
    non_snake_case,
    unused_assignments,
    unused_variables
)]

use accrue::offload;

mod c;

const HEIGHT: i32 = 30;
const MAX_TEMP_ERROR: f64 = 0.01;
const WIDTH: i32 = 30;

#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct timeval {
    tv_sec: i64,
    tv_usec: i64,
}

impl timeval {
    /// All fields zero, as C initializes them.
    const fn zeroed() -> timeval {
        timeval {
            tv_sec: 0,
            tv_usec: 0,
        }
    }
}

/// The variables that C keeps outside functions.
struct Globals {
    Temperature: [[f64; 32]; 32],
    Temperature_previous: [[f64; 32]; 32],
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            Temperature: [[0.0; 32]; (HEIGHT + 2) as usize],
            Temperature_previous: [[0.0; 32]; (HEIGHT + 2) as usize],
        }
    }
}

/// Sets `Temperature`, the loop at heat.c:25:9.
#[offload]
fn compute_temperature(Temperature_previous: &[[f64; 32]], Temperature: &mut [[f64; 32]]) {
    for i in 1_i32..=HEIGHT {
        for j in 1_i32..=WIDTH {
            Temperature[i as usize][j as usize] = 0.25
                * (Temperature_previous[i as usize + 1][j as usize]
                    + Temperature_previous[i as usize - 1][j as usize]
                    + Temperature_previous[i as usize][j as usize + 1]
                    + Temperature_previous[i as usize][j as usize - 1]);
        }
    }
}

/// Updates `Temperature_previous`, keeps the largest in `worst_dt`, the loop at heat.c:33:9.
#[offload]
fn update_temperature_previous(
    Temperature: &[[f64; 32]],
    mut worst_dt: f64,
    Temperature_previous: &mut [[f64; 32]],
) -> f64 {
    for i in 1_i32..=HEIGHT {
        for j in 1_i32..=WIDTH {
            worst_dt = worst_dt.max(
                (Temperature[i as usize][j as usize]
                    - Temperature_previous[i as usize][j as usize])
                    .abs(),
            );
            Temperature_previous[i as usize][j as usize] = Temperature[i as usize][j as usize];
        }
    }
    worst_dt
}

fn main() {
    let mut globals = Globals::new();
    let max_iterations: i32 = 100;
    let mut iteration: i32 = 1;
    let mut worst_dt: f64 = 100.0;
    let mut start_time: timeval = timeval::zeroed();
    let mut stop_time: timeval = timeval::zeroed();
    let mut elapsed_time: timeval = timeval::zeroed();
    let now = c::since_epoch();
    start_time.tv_sec = now.as_secs() as i64;
    start_time.tv_usec = i64::from(now.subsec_micros());
    initialize(&mut globals);
    while worst_dt > MAX_TEMP_ERROR && iteration <= max_iterations {
        compute_temperature(&globals.Temperature_previous, &mut globals.Temperature);
        worst_dt = 0.0;
        worst_dt = update_temperature_previous(
            &globals.Temperature,
            worst_dt,
            &mut globals.Temperature_previous,
        );
        if iteration % 50 == 0 {
            track_progress(&mut globals, iteration);
        }
        iteration += 1;
    }
    let now2 = c::since_epoch();
    stop_time.tv_sec = now2.as_secs() as i64;
    stop_time.tv_usec = i64::from(now2.subsec_micros());
    elapsed_time.tv_sec = stop_time.tv_sec - start_time.tv_sec;
    println!(
        "\nMax error at iteration {} was {:.6}",
        iteration - 1,
        c::Float(worst_dt)
    );
}

fn initialize(globals: &mut Globals) {
    for i in 0..=HEIGHT + 1 {
        for j in 0..=WIDTH + 1 {
            globals.Temperature_previous[i as usize][j as usize] = 0.0;
        }
    }
    for i in 0..=HEIGHT + 1 {
        globals.Temperature_previous[i as usize][0] = 0.0;
        globals.Temperature_previous[i as usize][(WIDTH + 1) as usize] =
            100.0 / HEIGHT as f64 * i as f64;
    }
    for j in 0..=WIDTH + 1 {
        globals.Temperature_previous[0][j as usize] = 0.0;
        globals.Temperature_previous[(HEIGHT + 1) as usize][j as usize] =
            100.0 / WIDTH as f64 * j as f64;
    }
}

fn track_progress(globals: &mut Globals, iteration: i32) {
    println!("---------- Iteration number: {} ------------", iteration);
    for i in HEIGHT - 5..=HEIGHT {
        print!(
            "[{},{}]: {:5.2}  ",
            i,
            i,
            c::Float(globals.Temperature[i as usize][i as usize])
        );
    }
    println!();
}
