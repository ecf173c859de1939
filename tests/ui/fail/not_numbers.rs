use accrue::offload;
use std::num::Wrapping;
use std::ops::AddAssign;
use std::time::Duration;

#[offload]
fn total(xs: &[Duration]) -> Duration {
    let mut total = Duration::ZERO;
    for x in xs {
        total += *x;
    }
    total
}

#[offload]
fn wrapping(xs: &[u32], h: &mut [Wrapping<u32>]) {
    for &x in xs {
        h[x as usize % 4] += Wrapping(x);
    }
}

#[offload]
fn generic<T: Copy + Default + AddAssign + Sync>(xs: &[T]) -> T {
    let mut total = T::default();
    for x in xs {
        total += *x;
    }
    total
}

#[offload]
fn running(xs: &[Duration], out: &mut [Duration]) {
    let mut total = Duration::ZERO;
    for i in 0..xs.len() {
        total += xs[i];
        out[i] = total;
    }
}

#[offload]
fn last_word(words: &[String]) -> &str {
    let mut last = "";
    for word in words {
        last = last.max(word.as_str());
    }
    last
}

fn main() {}
