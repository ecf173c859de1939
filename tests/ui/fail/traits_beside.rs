//! A trait whose method goes before that of a type beside a function.

use accrue::offload;

pub struct Bin {
    n: u32,
}

impl Bin {
    fn new() -> Self {
        Bin { n: 0 }
    }

    fn add(&mut self, v: u32) {
        self.n += v;
    }
}

trait Add {
    fn add(&self, v: u32);
}

impl Add for Bin {
    fn add(&self, _: u32) {}
}

#[offload]
fn filled(x: &[u32]) -> u32 {
    let mut bin = Bin::new();
    for &v in x {
        bin.add(v);
    }
    bin.n
}

#[offload]
fn elements(x: &[u32], bins: &mut [Bin]) {
    for &v in x {
        bins[v as usize % 3].add(v);
    }
}

fn main() {}
