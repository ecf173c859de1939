//! Loops whose iterations read or write what others write.

use accrue::offload;

#[offload]
fn prefix(a: &mut [u32]) {
    for i in 1..a.len() {
        a[i] += a[i - 1] / 2;
    }
}

#[offload]
fn shift(a: &mut [u32]) {
    for i in (0..a.len() - 2).rev() {
        a[i + 2] = a[i];
    }
}

#[offload]
fn scattered(x: &[u32], at: &[usize], out: &mut [u32]) {
    for i in 0..x.len() {
        out[at[i]] = x[i];
    }
}

#[offload]
fn sweep(a: &mut [f32], w: usize, h: usize) {
    for y in 1..h {
        for x in 1..w {
            a[y * w + x] = 0.5 * a[(y - 1) * w + x] + a[y * w + x - 1];
        }
    }
}

#[offload]
fn handed_on(rows: &mut Vec<Vec<u32>>, n: usize) {
    for i in 0..n {
        rows[2 * i][0] = 1;
        rows[1].push(3);
    }
}

#[offload]
fn text(s: &mut String, x: &[u8]) {
    for _ in x {
        *s += "x";
    }
}

// `out[n] = x; n += keep as usize;` is taken by now.
//
//
//
//
//
//
//
//
//

#[offload]
fn tails(a: &mut [u32]) {
    for i in 0..a.len() {
        let tail = &mut a[i..];
        tail[0] = i as u32;
    }
}

#[offload]
fn looks_ahead(a: &mut [u32], w: usize) {
    for i in 0..a.len() / w {
        let row = &a[i * w..][..w + 1];
        let first = row[0];
        a[i * w + 1] = first;
    }
}

fn bump(v: &mut u32) {
    *v += 1;
}

#[offload]
fn halves(a: &mut [u32]) {
    for i in 0..a.len() {
        bump(&mut a[i / 2]);
    }
}

#[offload]
fn overlapping(m: &mut [u32], w: usize, h: usize) {
    for y in 0..h {
        m[y * w..(y + 2) * w].sort();
    }
}

#[offload]
fn lists(rows: &mut Vec<Vec<usize>>, of: &[usize]) {
    for i in 0..of.len() {
        if rows[of[i]].len() < 3 {
            rows[of[i]].push(i);
        }
    }
}

#[offload]
fn neighbours(rows: &mut [String]) {
    for i in 1..rows.len() {
        rows[i - 1].clear();
        println!("{}", rows[i]);
    }
}

#[offload]
fn exchanged(a: &mut [u32], b: &mut [u32]) {
    for i in 0..a.len() {
        std::mem::swap(&mut a[i], &mut b[0]);
    }
}

fn main() {}
