//! Translated by acc2rs from `chosen_positions.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, unused_assignments)]

use accrue::offload;

mod c;

#[allow(dead_code)]
#[derive(Clone, Debug)]
struct image {
    w: i32,
    h: i32,
    px: Vec<u8>,
}

/// Counts into `hist`, the loop at chosen_positions.c:34:3.
#[offload(histogram)]
fn count_hist(px: &[u8], n: i32, hist: &mut [u32]) {
    for i in 0..n {
        hist[(px[i as usize] as i32 >> 6) as usize] += 1;
    }
}

fn make(w: i32, h: i32) -> image {
    let mut im: image = image {
        w: w,
        h: h,
        px: vec![0_u8; w as usize * h as usize],
    };
    for i in 0..w * h {
        im.px[i as usize] = (i * 37) as u8;
    }
    im
}

fn sum_of(line: &str) -> f64 {
    let mut copy: [i8; 64] = [0; 64];
    {
        let text = line.to_string();
        c::set_text(&mut copy, &text);
    }
    let mut sum: f64 = 0.0;
    let mut p: usize = 0;
    while copy[p] != 0 {
        let mut end: usize = 0;
        sum += {
            let text = &c::text(&copy[p..]);
            end = p + c::float_len(text);
            c::atof(text)
        };
        p = if copy[end] as i32 == b',' as i32 {
            end + 1
        } else {
            end
        };
    }
    sum
}

fn main() {
    let mut im: image = make(6, 4);
    let mut hist: [u32; 4] = [0; 4];
    let n: i32 = im.w * im.h;
    count_hist(&im.px, n, &mut hist);
    println!(
        "{} {} {} {}, {:.2}",
        hist[0],
        hist[1],
        hist[2],
        hist[3],
        c::Float(sum_of("1.5,2.25,-0.5"))
    );
    im.px = Vec::new();
}
