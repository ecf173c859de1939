//! Translated by acc2rs from `pointer_walks.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

mod c;

const MAXW: i32 = 32;

fn count_words(s: &str, len: &mut [i32]) -> i32 {
    let mut words: i32 = 0;
    let mut in_: i32 = 0;
    let mut l: i32 = 0;
    {
        let mut p: usize = 0;
        while c::byte_at(s, p) != 0 {
            if c::byte_at(s, p) as i32 == b' ' as i32 || c::byte_at(s, p) as i32 == b',' as i32 {
                if in_ != 0 {
                    len[(if l < MAXW { l } else { MAXW - 1 }) as usize] += 1;
                    words += 1;
                }
                in_ = 0;
                l = 0;
            } else {
                in_ = 1;
                l += 1;
            }
            p += 1;
        }
    }
    if in_ != 0 {
        len[l as usize] += 1;
        words += 1;
    }
    words
}

fn dot(a: &[f64], b: &[f64], mut n: usize) -> f64 {
    let mut a_at: usize = 0;
    let mut b_at: usize = 0;
    let mut s: f64 = 0.0;
    while ({
        let old = n;
        n = n.wrapping_sub(1);
        old
    }) != 0
    {
        s += a[a_at] * b[b_at];
        a_at += 1;
        b_at += 1;
    }
    s
}

fn reverse(s: &mut [i8]) {
    let mut i: i32 = 0;
    let mut j: i32 = c::text(s).len() as i32 - 1;
    while i < j {
        let t: i8 = s[i as usize];
        s[i as usize] = s[j as usize];
        i += 1;
        s[j as usize] = t;
        j -= 1;
    }
}

fn main() {
    let mut len: [i32; 32] = [0; 32];
    let w: i32 = count_words("the quick, brown fox jumps", &mut len);
    let x: [f64; 4] = [1.0, 2.0, 3.0, 4.0];
    let y: [f64; 4] = [4.0, 3.0, 2.0, 1.0];
    let mut name: [i8; 20] = [
        104, 101, 108, 108, 111, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ];
    reverse(&mut name);
    let mut m: [[f64; 4]; 3] = [[0.0; 4]; 3];
    for i in 0..3 {
        for j in 0..4 {
            m[i as usize][j as usize] = (i + j) as f64;
        }
    }
    m[1][2] = 50.0;
    println!(
        "{} {} {:.1} {} {:.1} {:.1}",
        w,
        len[5],
        c::Float(dot(&x, &y, 4)),
        &c::text(&name),
        c::Float(dot(&m[1], &m[2], 4)),
        c::Float(m[1][2])
    );
    let mut table: Vec<Vec<i32>> = vec![Vec::new(); 3];
    for i in 0..3 {
        table[i as usize] = vec![0_i32; 4];
        table[i as usize][..4].fill(0);
        table[i as usize][i as usize] = i;
    }
    let mut t: i32 = 0;
    for i in 0..3 {
        for j in 0..4 {
            t += table[i][j as usize] * (j + 1);
        }
        table[i] = Vec::new();
    }
    println!("{}", t);
}
