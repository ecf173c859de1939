//! Types that lead to a slice or a vector, with methods of their own under the names of its methods.

use std::ops::{Deref, DerefMut};

use accrue::offload;

pub struct Ring(Vec<u32>);

impl Ring {
    fn swap(&mut self, i: usize, by: usize) {
        let n = self.0.len();
        self.0.swap(i, (i + by) % n);
    }
    fn iter_mut(&mut self) -> std::slice::IterMut<'_, u32> {
        self.0[1..].iter_mut()
    }
    fn chunks(&self, k: usize) -> std::slice::Chunks<'_, u32> {
        self.0[1..].chunks(k)
    }
    fn push(&mut self, x: u32) {
        self.0.insert(0, x);
    }
}

impl Deref for Ring {
    type Target = Vec<u32>;
    fn deref(&self) -> &Vec<u32> {
        &self.0
    }
}

impl DerefMut for Ring {
    fn deref_mut(&mut self) -> &mut Vec<u32> {
        &mut self.0
    }
}

#[offload]
fn swapped(ring: &mut Ring) {
    let n = ring.len();
    for i in 0..n / 2 {
        ring.swap(i, n - 1 - i);
    }
}

#[offload]
fn counted_up(ring: &mut Ring) {
    for x in ring.iter_mut() {
        *x += 1;
    }
}

#[offload]
fn sums(ring: &Ring, out: &mut [u32]) {
    for (out, chunk) in out.iter_mut().zip(ring.chunks(3)) {
        *out = chunk.iter().sum();
    }
}

#[offload]
fn appended(data: &[u32], ring: &mut Ring) {
    for &x in data {
        if x > 3 {
            ring.push(x);
        }
    }
}

/// What only leads to a slice has the slice's.
pub struct Row(Vec<u32>);

impl Row {
    fn len(&self) -> usize {
        self.0.len()
    }
}

impl Deref for Row {
    type Target = [u32];
    fn deref(&self) -> &[u32] {
        &self.0
    }
}

impl DerefMut for Row {
    fn deref_mut(&mut self) -> &mut [u32] {
        &mut self.0
    }
}

#[offload]
fn reversed(row: &mut Row) {
    for i in 0..row.len() / 2 {
        let last = row.len() - 1;
        row.swap(i, last - i);
    }
}

fn main() {
    swapped(&mut Ring(vec![1, 2]));
    counted_up(&mut Ring(vec![1, 2]));
    sums(&Ring(vec![1, 2]), &mut [0]);
    appended(&[1, 5], &mut Ring(vec![]));
    reversed(&mut Row(vec![1, 2]));
}
