//! Arrays of ndarray and pictures of image: what is no parallel loop over them, and types that have only their names.

use std::ops::{Index, IndexMut};

use accrue::offload;
use image::{GrayImage, Luma};
use ndarray::Array2;

mod own {
    pub struct Array2<T>(pub Vec<T>, pub usize);
}

impl<T> Index<[usize; 2]> for own::Array2<T> {
    type Output = T;
    fn index(&self, [y, x]: [usize; 2]) -> &T {
        &self.0[x * self.1 + y]
    }
}

impl<T> IndexMut<[usize; 2]> for own::Array2<T> {
    fn index_mut(&mut self, [y, x]: [usize; 2]) -> &mut T {
        &mut self.0[x * self.1 + y]
    }
}

#[offload]
fn by_its_name(a: &own::Array2<u32>, out: &mut Array2<u32>) {
    for y in 0..out.nrows() {
        for x in 0..out.ncols() {
            out[[y, x]] = a[[y, x]];
        }
    }
}

#[offload]
fn above(a: &mut Array2<f32>) {
    for y in 1..a.nrows() {
        for x in 1..a.ncols() {
            a[[y, x]] = 0.5 * a[[y - 1, x]] + a[[y, x - 1]];
        }
    }
}

#[offload]
fn filled(a: &mut Array2<f32>) {
    for y in 0..a.nrows() {
        a.row_mut(y).fill(1.0);
    }
}

#[offload]
fn smeared(img: &mut GrayImage) {
    for y in 1..img.height() {
        for x in 1..img.width() {
            let p = *img.get_pixel(x, y - 1);
            let q = *img.get_pixel(x - 1, y);
            img.put_pixel(x, y, Luma([p[0] / 2 + q[0] / 2]));
        }
    }
}

fn main() {}
