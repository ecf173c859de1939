//! Translated by acc2rs from `cooccurrence.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

mod c;

const G: i32 = 8;
const S: i32 = 50;

/// The variables that C keeps outside functions.
struct Globals {
    img: [u8; 2500],
    glcm: [[[u32; 8]; 8]; 4],
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            img: [0; (S * S) as usize],
            glcm: [[[0; 8]; 8]; 4],
        }
    }
}

/// Counts into `glcm`, the loop at cooccurrence.c:16:3.
#[offload(histogram)]
fn count_glcm(img: &[u8], dy: &[i32], dx: &[i32], glcm: &mut [[[u32; 8]; 8]]) {
    for y in 1..(S - 1) as usize {
        for x in 1..(S - 1) as usize {
            for d in 0..4 {
                let a: i32 = img[y * S as usize + x] as i32;
                let b: i32 = img[(y + dy[d] as usize) * S as usize + (x + dx[d] as usize)] as i32;
                glcm[d][a as usize][b as usize] += 1;
            }
        }
    }
}

// Grey-level co-occurrence in four directions: bins in three dimensions.
fn main() {
    let mut globals = Globals::new();
    let dx: [i32; 4] = [1, 1, 0, -1];
    let dy: [i32; 4] = [0, 1, 1, 1];
    for i in 0..S * S {
        globals.img[i as usize] = ((i * i / 7 + i) % G) as u8;
    }
    globals.glcm[..4].fill([[0; 8]; 8]);
    count_glcm(&globals.img, &dy, &dx, &mut globals.glcm);
    for d in 0..4 {
        let mut contrast: f64 = 0.0;
        for a in 0..G {
            for b in 0..G {
                contrast += (a - b) as f64
                    * (a - b) as f64
                    * globals.glcm[d][a as usize][b as usize] as f64;
            }
        }
        println!("{:.4}", c::Float(contrast / ((S - 2) * (S - 2)) as f64));
    }
}
