//! Translated by acc2rs from `switch_cases.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

mod c;

const ADD: i32 = 0;
const SUB: i32 = 4;
const MUL: i32 = 5;
const NOP: i32 = 6;

fn apply(o: i32, a: i32, b: i32) -> i32 {
    let mut r: i32 = 0;
    match o {
        ADD => {
            r = a + b;
        }
        SUB => {
            r = a - b;
        }
        MUL => {
            let t: i32 = a;
            r = t * b;
        }
        _ => {
            return -1;
        }
    }
    r
}

fn fall(x: i32) -> i32 {
    let mut s: i32 = 0;
    'switch1: {
        match x {
            3 => {
                s += 3;
                s += 2;
                // fall through
                s += 1;
            }
            2 => {
                s += 2;
                // fall through
                s += 1;
            }
            1 => {
                // fall through
                s += 1;
            }
            10..=12 => {
                s = 100;
            }
            97 | 98 => {
                if x == b'b' as i32 {
                    break 'switch1;
                }
                s = 200;
            }
            _ => {}
        }
    }
    s
}

fn main() {
    let mut bases: [i32; 4] = [0; 4];
    let dna: &str = "ACGTACGGTTTACA";
    {
        let mut i: i32 = 0;
        while c::byte_at(dna, i as usize) as i32 != 0 {
            match c::byte_at(dna, i as usize) as i32 {
                65 => {
                    bases[0] += 1;
                }
                67 => {
                    bases[1] += 1;
                }
                71 => {
                    bases[2] += 1;
                }
                84 => {
                    bases[3] += 1;
                }
                _ => {}
            }
            i += 1;
        }
    }
    println!("{} {} {} {}", bases[0], bases[1], bases[2], bases[3]);
    println!(
        "{} {} {} {}",
        apply(ADD, 2, 3),
        apply(SUB, 2, 3),
        apply(MUL, 2, 3),
        apply(NOP, 2, 3)
    );
    println!(
        "{} {} {} {} {} {} {}",
        fall(0),
        fall(1),
        fall(2),
        fall(3),
        fall(11),
        fall(b'a' as i32),
        fall(b'b' as i32)
    );
}
