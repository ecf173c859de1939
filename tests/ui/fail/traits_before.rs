//! Traits whose methods go before those of a type that a loop calls on `self`.

use accrue::offload;

trait Bump {
    fn at(&mut self, i: usize) -> usize;
}

trait Hash {
    fn bin_of(&self, i: usize) -> usize;
}

impl<T> Hash for T {
    fn bin_of(&self, i: usize) -> usize {
        i % 3
    }
}

trait Take {
    fn near(self, i: usize) -> usize;
}

#[derive(Clone, Copy)]
pub struct Bins {
    step: usize,
    bins: [u32; 8],
}

impl Bump for Bins {
    fn at(&mut self, i: usize) -> usize {
        i % 5
    }
}

impl Take for Bins {
    fn near(self, i: usize) -> usize {
        i % 7
    }
}

impl Bins {
    fn at(&self, i: usize) -> usize {
        i * self.step % 8
    }

    fn bin_of(&self, i: usize) -> usize {
        i * self.step % 8
    }

    fn near(&self, i: usize) -> usize {
        i * self.step % 8
    }

    #[offload]
    fn by_a_trait_that_changes(&mut self, x: &[u32]) {
        for i in 0..x.len() {
            let p = self.at(i);
            self.bins[p] += x[i];
        }
    }

    #[offload]
    fn by_a_trait_of_the_reference(&mut self, x: &[u32]) {
        for i in 0..x.len() {
            let p = self.bin_of(i);
            self.bins[p] += x[i];
        }
    }

    #[offload]
    fn by_a_trait_that_takes_a_copy(&mut self, x: &[u32]) {
        for i in 0..x.len() {
            let p = self.near(i);
            self.bins[p] += x[i];
        }
    }
}

#[offload]
impl Bins {
    fn in_a_block(&mut self, x: &[u32]) {
        for i in 0..x.len() {
            let p = self.place(i);
            self.bins[p] += x[i];
        }
    }

    fn place(&self, i: usize) -> usize {
        i * self.step % 8
    }
}

trait Place {
    fn place(&mut self, i: usize) -> usize;
}

impl Place for Bins {
    fn place(&mut self, i: usize) -> usize {
        i % 5
    }
}

fn main() {}
