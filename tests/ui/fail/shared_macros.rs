use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use accrue::offload;

macro_rules! tick {
    ($seen:expr) => {
        $seen.fetch_add(1, Relaxed)
    };
}

#[offload(histogram)]
fn own_macro(xs: &[u32], seen: &AtomicU32, h: &mut [u32]) {
    for &x in xs {
        h[(x + tick!(seen)) as usize] += 1;
    }
}

#[offload(histogram)]
fn prints(xs: &[u32], h: &mut [u32]) {
    for &x in xs {
        print!("{x} ");
        h[x as usize] += 1;
    }
}

#[offload(histogram, pure(tock, len))]
fn unused(xs: &[u32], h: &mut [u32]) {
    for &x in xs {
        h[x as usize % h.len()] += 1;
    }
}

fn main() {
    let _ = Cell::new(0);
}
