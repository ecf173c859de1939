//! Loops over what a struct holds by reference: slices that are only read behind `&`, scalars behind `&mut` or a box. What the fields are only
//! rustc knows; the function without the attribute is the judge.

#![allow(
    clippy::all,
    reason = "loops are written as people write them, some of them longer than they need to be"
)]

use accrue::__bench::with_strategy;
use accrue::offload;
use accrue_tests::twice;

#[derive(Clone, Copy, Debug, PartialEq, accrue::Plain)]
struct Cell {
    mass: f32,
    place: (f32, f32),
}

struct Held<'a> {
    x: &'a [f32],
    keys: &'a [u32],
    cells: &'a [Cell],
    names: &'a Vec<u8>,
    out: &'a mut [f32],
    least: &'a mut f32,
    at: &'a mut usize,
    sum: Box<u32>,
    most: &'a mut u32,
}

impl Cell {
    fn energy(&self) -> f32 {
        self.mass * self.place.0
    }
}

fn mixed(x: f32, cell: &Cell) -> f32 {
    x * cell.mass + cell.place.1
}

twice! {
    pub(super) fn methods(held: &mut Held<'_>) {
        for i in 0..held.x.len() {
            held.out[i] = held.x[i].abs() + held.x[i].max(2.0) + f32::from(held.names[i].rotate_left(3));
        }
    }
    pub(super) fn members(held: &mut Held<'_>) {
        for i in 0..held.cells.len() {
            held.out[i] = held.cells[i].mass * 2.0 + held.cells[i].place.0.abs();
        }
    }
    pub(super) fn own_methods(held: &mut Held<'_>) {
        for i in 0..held.cells.len() {
            held.out[i] = held.cells[i].energy() - held.x[i];
        }
    }
    pub(super) fn called(held: &mut Held<'_>) {
        for i in 0..held.x.len() {
            let x = held.x[i];
            held.out[i] = mixed(x, &held.cells[i]) + mixed(held.x[i], &held.cells[i]);
        }
    }
    pub(super) fn appended(held: &mut Held<'_>) -> Vec<u32> {
        let mut kept = vec![];
        for i in 0..held.keys.len() {
            let key = held.keys[i];
            if key % 3 == 1 {
                kept.push(key);
            }
        }
        kept
    }
    pub(super) fn best(held: &mut Held<'_>) {
        for i in 0..held.x.len() {
            if held.x[i] < *held.least {
                *held.least = held.x[i];
                *held.at = i;
            }
        }
    }
    pub(super) fn scanned(held: &mut Held<'_>) {
        for i in 0..held.keys.len() {
            *held.sum = (*held.sum).wrapping_add(held.keys[i]);
            held.out[i] = *held.sum as f32;
            *held.most = (*held.most).max(held.keys[i]);
        }
    }
    // What is cast is a float, which only rustc knows, and negative: no `u32` of another value.
    pub(super) fn guarded(held: &mut Held<'_>) {
        for y in 0..held.x.len() / 6 {
            for c in 0..6usize {
                if y as u32 > (*held.least as u32) {
                    held.out[y * 6 + c] = (c + y) as f32;
                }
            }
        }
    }
    pub(super) fn counted(held: &mut Held<'_>) {
        for i in 0..held.keys.len() {
            *held.sum ^= held.keys[i];
            *held.most |= held.keys[i];
        }
    }
}

#[test]
fn results_are_those_of_the_plain_loop() {
    let keys: Vec<u32> = (0..1000u32)
        .map(|i| i.wrapping_mul(2_654_435_761) >> 12)
        .collect();
    let x: Vec<f32> = keys.iter().map(|k| (k % 501) as f32 - 250.0).collect();
    let cells: Vec<Cell> = x
        .iter()
        .map(|&mass| Cell {
            mass,
            place: (3.0 - mass, mass / 2.0),
        })
        .collect();
    let names: Vec<u8> = keys.iter().map(|k| *k as u8).collect();
    let result = |call: fn(&mut Held<'_>)| {
        let (mut out, mut least, mut at, mut most) = (vec![0.0; 1000], -5.5, 0, 7);
        let mut held = Held {
            x: &x,
            keys: &keys,
            cells: &cells,
            names: &names,
            out: &mut out,
            least: &mut least,
            at: &mut at,
            sum: Box::new(9),
            most: &mut most,
        };
        call(&mut held);
        let sum = *held.sum;
        (out, least, at, sum, most)
    };
    macro_rules! pairs {
        ($($name:ident)*) => {[$((stringify!($name), plain::$name as fn(&mut Held<'_>), off::$name as fn(&mut Held<'_>), off::$name::explain as fn() -> _)),*]};
    }
    let pairs = pairs! { methods members own_methods called best scanned counted guarded };
    for (name, plain, off, explain) in pairs {
        for way in [
            "sequential",
            "private:workers=1,parts=1",
            "private:workers=3,parts=7",
        ] {
            let found = with_strategy(way, || result(off));
            assert_eq!(found, result(plain), "{name}, {way}");
        }
        let said: String = explain();
        assert!(said.contains(" workers"), "{said}");
        assert!(!said.contains(" sequential "), "{said}");
    }
    let mut out = vec![0.0; 1000];
    let mut held = Held {
        x: &x,
        keys: &keys,
        cells: &cells,
        names: &names,
        out: &mut out,
        least: &mut 0.0,
        at: &mut 0,
        sum: Box::new(9),
        most: &mut 0,
    };
    let found = with_strategy("private:workers=3,parts=7", || off::appended(&mut held));
    assert_eq!(found, plain::appended(&mut held));
}
