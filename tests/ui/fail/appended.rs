//! Collections that a loop does more with than append.

use accrue::offload;

#[offload]
fn looks_at_it(x: &[u32], out: &mut Vec<u32>) {
    for &v in x {
        if out.last() != Some(&v) {
            out.push(v);
        }
    }
}

#[offload]
fn counts_it(x: &[u32], out: &mut Vec<usize>) {
    for &v in x {
        if v > 3 {
            out.push(out.len());
        }
    }
}

#[offload]
fn takes_off(x: &[i32], out: &mut Vec<i32>) {
    for &v in x {
        if v < 0 {
            out.pop();
        } else {
            out.push(v);
        }
    }
}

fn main() {}
