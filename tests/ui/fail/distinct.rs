//! What `distinct(..)` cannot say.

use accrue::offload;

#[offload(distinct(out))]
fn of_what_it_writes(at: &[usize], next: &mut [usize], out: &mut [u32]) {
    for i in 0..at.len() {
        next[i] = at[i] / 2;
        out[next[i]] = i as u32;
    }
}

#[offload(distinct(out))]
fn of_its_own(at: &[usize], out: &mut [usize]) {
    for i in 0..at.len() {
        let j = out[at[i]];
        out[j] = i;
    }
}

#[offload(distinct(out))]
fn where_it_is_less(at: &[usize], x: &[u32], out: &mut [u32], other: &mut [u32]) {
    for i in 0..at.len() {
        other[i] = x[i] / 3;
        if other[i] < x[at[i]] {
            out[at[i]] = x[i];
        }
    }
}

#[offload(distinct(x))]
fn not_written(x: &[u32], out: &mut [u32]) {
    for i in 0..x.len() {
        out[i] = x[i];
    }
}

#[offload(distinct(out[0]))]
fn an_element(at: &[usize], out: &mut [Vec<u32>]) {
    for i in 0..at.len() {
        out[0][at[i]] = 1;
    }
}

#[offload(histogram, distinct(out))]
fn a_histogram(at: &[usize], out: &mut [u32]) {
    for i in 0..at.len() {
        out[at[i]] += 1;
    }
}

fn main() {}
