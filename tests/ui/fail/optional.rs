//! Bins that hold an `Option` of what is no integer.
use accrue::offload;

#[offload]
fn floats(k: &[usize], v: &[f64], low: &mut [Option<f64>]) {
    for (&k, &v) in k.iter().zip(v) {
        if low[k].is_none_or(|c| v < c) {
            low[k] = Some(v);
        }
    }
}

fn main() {}
