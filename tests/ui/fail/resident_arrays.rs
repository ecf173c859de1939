//! What is written is borrowed exclusively, wherever it is, and a scope's arrays stay borrowed.

use accrue::{Resident, offload};

#[offload]
fn scale(factors: &[f32], values: &mut [f32]) {
    for (v, f) in values.iter_mut().zip(factors) {
        *v *= f;
    }
}

fn a_shared_array_is_not_written(factors: &Resident<f32>, values: &Resident<f32>) {
    scale::on(factors, values).unwrap();
}

fn nor_is_a_part_of_it(factors: &Resident<f32>, values: &Resident<f32>) {
    scale::on(factors, values.slice(1..)).unwrap();
}

fn one_array_is_not_both(mut values: Resident<f32>) {
    scale::on(&values, &mut values).unwrap();
}

fn nor_are_its_parts(mut values: Resident<f32>) {
    scale::on(values.slice(..4), values.slice_mut(4..)).unwrap();
}

fn elements_are_of_the_functions_type(factors: &Resident<f64>, values: &mut Resident<f32>) {
    scale::on(factors, values).unwrap();
}

fn a_look_ends_before_a_call_writes(factors: &Resident<f32>, mut values: Resident<f32>) {
    let seen = values.host();
    scale::on(factors, &mut values).unwrap();
    println!("{}", seen[0]);
}

fn what_is_shared_stays_as_it_is(mut factors: Vec<f32>, values: &mut [f32]) {
    accrue::resident(|r| {
        r.share(&factors);
        scale(&factors, values);
        factors[0] = 1.0;
    });
}

fn main() {}
