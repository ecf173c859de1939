//! `#[offload]` on loops whose iterations write elements of their own, as people write them: the function without the attribute
//! is the judge, for every way of splitting the iterations.

#![allow(
    clippy::all,
    dead_code,
    reason = "loops are written as people write them"
)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::__bench::with_strategy;
use accrue::offload;

/// Functions twice: as they are, and offloaded.
macro_rules! twice {
    ($($item:item)*) => {
        mod plain {
            #[allow(unused_imports, reason = "some functions need nothing")]
            use super::*;
            $($item)*
        }
        mod off {
            #[allow(unused_imports, reason = "some functions need nothing")]
            use super::*;
            $(#[offload] $item)*
        }
    };
}

#[derive(Clone, Copy, Debug, PartialEq, Default, accrue::Plain)]
struct P {
    x: f32,
    y: f32,
}

struct Grid {
    w: usize,
    cells: Vec<u32>,
    next: Vec<u32>,
}

impl Grid {
    #[offload]
    fn advance(&mut self, by: u32) {
        for i in 0..self.cells.len() {
            self.next[i] = self.cells[i].wrapping_mul(by);
        }
    }
}

twice! {
    pub(super) fn own_len(rings: &Rings, o: &mut [u32]) {
        for i in 0..o.len() { let v: u32 = rings.ring[i]; o[i] = v ^ rings.ring.len() as u32; }
    }
    pub(super) fn own_get(rings: &Rings, o: &mut [u32]) {
        for i in 0..o.len() { let v: u32 = rings.ring[i]; o[i] = match rings.ring.get(i) { Some(x) => *x ^ v, None => 77 }; }
    }
    pub(super) fn own_iter(x: &[u32], o: &mut [u32]) {
        let ring = ring(x);
        for i in 0..o.len() {
            let v: u32 = ring[i];
            let mut s = v;
            for x in ring.iter() { let x: u32 = *x; s = s.wrapping_add(x); }
            o[i] = s;
        }
    }
    pub(super) fn own_is_empty(x: &[u32], o: &mut [u32]) {
        let ring = ring(x);
        for i in 0..o.len() { let v: u32 = ring[i]; o[i] = if ring.is_empty() { v ^ 1 } else { v }; }
    }
    pub(super) fn scale(x: &[f32], out: &mut [f32]) { for i in 0..x.len() { out[i] = x[i] * 2.5; } }
    pub(super) fn grey(rgb: &[u8], out: &mut [u8]) {
        for (px, o) in rgb.chunks_exact(3).zip(out.iter_mut()) {
            *o = ((px[0] as u32 * 77 + px[1] as u32 * 150 + px[2] as u32 * 29) >> 8) as u8;
        }
    }
    pub(super) fn blur(src: &[f32], dst: &mut [f32], w: usize, h: usize) {
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                dst[y * w + x] = (src[(y - 1) * w + x] + src[(y + 1) * w + x] + src[y * w + x - 1] + src[y * w + x + 1]) * 0.25;
            }
        }
    }
    pub(super) fn transpose(a: &[u32], b: &mut [u32], w: usize, h: usize) {
        for x in 0..w { for y in 0..h { b[x * h + y] = a[y * w + x]; } }
    }
    pub(super) fn in_place(v: &mut [u8], lut: &[u8; 256]) { for b in v.iter_mut() { *b = lut[*b as usize]; } }
    pub(super) fn in_place2(v: &mut Vec<u8>) { for b in v { *b = b.wrapping_mul(3); } }
    pub(super) fn rows(m: &mut [u32], w: usize) {
        for (y, row) in m.chunks_exact_mut(w).enumerate() {
            for (x, v) in row.iter_mut().enumerate() { *v = (y * 1000 + x) as u32; }
        }
    }
    pub(super) fn rows2(m: &mut [u32], w: usize) {
        for (y, row) in m.chunks_mut(w).enumerate() {
            for x in 0..row.len() { row[x] += (y * x) as u32; }
        }
    }
    pub(super) fn mixed(x: &[u32], labels: &mut [u8], hist: &mut [u32; 16], top: &mut u32) -> u32 {
        let mut sum = 0u32;
        for i in 0..x.len() {
            let b = (x[i] % 16) as usize;
            labels[i] = b as u8;
            hist[b] = hist[b].wrapping_add(1);
            *top = (*top).max(x[i]);
            sum = sum.wrapping_add(x[i]);
        }
        sum
    }
    pub(super) fn matvec(a: &[f64], x: &[f64], y: &mut [f64], n: usize) {
        for i in 0..n {
            let mut s = 0.0;
            for j in 0..n { s += a[i * n + j] * x[j]; }
            y[i] = s;
        }
    }
    pub(super) fn matmul(a: &[f32], b: &[f32], c: &mut [f32], n: usize) {
        for i in 0..n { for j in 0..n { for k in 0..n { c[i * n + j] += a[i * n + k] * b[k * n + j]; } } }
    }
    pub(super) fn points(p: &[P], out: &mut [P]) { for (i, q) in p.iter().enumerate() { out[i].x = q.y; out[i].y = -q.x; } }
    pub(super) fn two(x: &[u32], even: &mut [u32]) { for i in 0..x.len() / 2 { even[2 * i] = x[2 * i + 1]; even[2 * i + 1] = x[2 * i]; } }
    pub(super) fn nested(out: &mut [[u32; 8]]) { for i in 0..out.len() { for j in 0..8 { out[i][j] = (i * j) as u32; } } }
    pub(super) fn vecs(out: &mut Vec<Vec<u32>>) { for (i, row) in out.iter_mut().enumerate() { for v in row.iter_mut() { *v += i as u32; } } }
    pub(super) fn vecs2(out: &mut Vec<Vec<u32>>) { for i in 0..out.len() { for j in 0..out[i].len() { out[i][j] = (i + j) as u32; } } }
    pub(super) fn step(g: &mut Grid) {
        let w = g.w;
        let h = g.cells.len() / w;
        for y in 0..h { for x in 0..w {
            let up = g.cells[((y + h - 1) % h) * w + x];
            g.next[y * w + x] = up.wrapping_add(g.cells[y * w + (x + 1) % w]);
        } }
    }
    pub(super) fn mandel(out: &mut [u32], w: usize, h: usize) {
        for y in 0..h { for x in 0..w {
            let (cr, ci) = (x as f64 / w as f64 * 3.0 - 2.0, y as f64 / h as f64 * 2.0 - 1.0);
            let (mut zr, mut zi, mut n) = (0.0, 0.0, 0);
            while zr * zr + zi * zi <= 4.0 && n < 50 { let t = zr * zr - zi * zi + cr; zi = 2.0 * zr * zi + ci; zr = t; n += 1; }
            out[y * w + x] = n;
        } }
    }
    pub(super) fn tri(a: &mut [u32], n: usize) { for i in 0..n { for j in 0..i { a[i * n + j] = (i ^ j) as u32; } } }
    pub(super) fn padded(out: &mut [u32], w: usize, h: usize, stride: usize) { for y in 0..h { for x in 0..w { out[y * stride + x] += (y + x) as u32; } } }
    pub(super) fn sub(out: &mut [u32], w: usize) { for y in 0..out.len() / w { let row = &mut out[y * w..(y + 1) * w]; for x in 0..w { row[x] = (x * y) as u32; } } }
    pub(super) fn i32s(out: &mut [i32], n: i32) { for i in 0..n { out[i as usize] = i * i; } }
    pub(super) fn rev(v: &mut [u32]) { let n = v.len(); for i in 0..n / 2 { v.swap(i, n - 1 - i); } }
    pub(super) fn halves(v: &mut [u32]) { let n = v.len() / 2; for i in 0..n { let t = v[i]; v[i] = t.wrapping_add(v[i + n]); v[i + n] = t; } }
    pub(super) fn of_its_own_length(v: &mut [u32]) {
        for i in 0..v.len() / 2 {
            let t = v[i];
            v[i] = v[i + v.len() / 2];
            v[i + v.len() / 2] = t.wrapping_mul(3);
            v[i + v.len() / 2] ^= 5;
        }
    }
    pub(super) fn total(x: &[f64]) -> f64 { let mut s = 0.0; for &v in x { s += v; } s }

    pub(super) fn split(v: &mut [f32]) {
        let middle = v.len() / 2;
        let (left, right) = v.split_at_mut(middle);
        for i in 0..left.len() { right[i] = left[i] * 2.0; left[i] += 1.0; }
    }
    pub(super) fn residues(x: &[u64], out: &mut [[u32; 4]]) {
        const PRIMES: [u64; 4] = [97, 89, 83, 79];
        for (x, digits) in x.iter().zip(out.iter_mut()) {
            let mut local = [0u32; 4];
            for k in 0..4 { local[k] = (x % PRIMES[k]) as u32; }
            *digits = local;
        }
    }
    pub(super) fn convolve(src: &[f32], kernel: &[f32; 9], dst: &mut [f32], w: usize, h: usize) {
        let at = |y: usize, x: usize| src[y * w + x];
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                let mut sum = 0.0;
                for dy in 0..3 { for dx in 0..3 { sum += kernel[dy * 3 + dx] * at(y + dy - 1, x + dx - 1); } }
                dst[y * w + x] = sum;
            }
        }
    }
    pub(super) fn nbody(p: &[[f32; 3]], v: &mut [[f32; 3]], dt: f32) {
        for i in 0..p.len() {
            let mut a = [0.0f32; 3];
            for j in 0..p.len() {
                let d = [p[j][0] - p[i][0], p[j][1] - p[i][1], p[j][2] - p[i][2]];
                let r = (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 1e-3).sqrt();
                for k in 0..3 { a[k] += d[k] / (r * r * r); }
            }
            for k in 0..3 { v[i][k] += dt * a[k]; }
        }
    }
    pub(super) fn life(old: &[u8], new: &mut [u8], w: usize) {
        let h = old.len() / w;
        for (y, row) in new.chunks_exact_mut(w).enumerate() {
            for x in 0..w {
                let mut n = 0;
                for dy in [h - 1, 0, 1] { for dx in [w - 1, 0, 1] {
                    if dy != 0 || dx != 0 { n += old[(y + dy) % h * w + (x + dx) % w]; }
                } }
                row[x] = u8::from(n == 3 || n == 2 && old[y * w + x] == 1);
            }
        }
    }
    pub(super) fn histogram_beside(x: &[u8], rank: &mut [u8], h: &mut [u32]) {
        for (i, &v) in x.iter().enumerate() { h[v as usize] += 1; rank[i] = v >> 4; }
    }
    pub(super) fn range_of(x: &[f32], scaled: &mut [f32]) -> (f32, f32) {
        let (mut lo, mut hi) = (f32::INFINITY, f32::NEG_INFINITY);
        for (x, s) in x.iter().zip(scaled) { lo = lo.min(*x); hi = hi.max(*x); *s = x * 0.5; }
        (lo, hi)
    }
    pub(super) fn texts(names: &mut Vec<String>) { for name in names.iter_mut() { *name = name.to_uppercase(); } }
    pub(super) fn options(slots: &mut [Option<u32>], x: &[u32]) { for i in 0..x.len() { slots[i] = (x[i] % 3 == 0).then_some(x[i]); } }
    pub(super) fn pairs(p: &mut [(u32, u32)]) { for (a, b) in p.iter_mut() { let t = *a; *a = b.wrapping_add(t); *b = t; } }
    pub(super) fn two_loops(x: &[f64], y: &mut [f64]) -> f64 {
        let mut sum = 0.0;
        for &v in x { sum += v; }
        let mean = sum / x.len() as f64;
        for i in 0..x.len() { y[i] = x[i] - mean; }
        y[0]
    }
    pub(super) fn while_inside(x: &[u64], steps: &mut [u32]) {
        for (i, &start) in x.iter().enumerate() {
            let (mut n, mut k) = (start % 1000 + 1, 0);
            while n != 1 { n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 }; k += 1; }
            steps[i] = k;
        }
    }
    pub(super) fn generic_copy<T: Copy + Send + Sync>(from: &[T], to: &mut [T]) { for i in 0..from.len() { to[from.len() - 1 - i] = from[i]; } }

    pub(super) fn lent_rows(m: &mut [f32], w: usize, h: usize) {
        for y in 0..h {
            normalise(&mut m[y * w..(y + 1) * w]);
        }
    }
    pub(super) fn rows_named(m: &mut [f32], w: usize, h: usize) {
        for y in 0..h {
            let row = &mut m[y * w..(y + 1) * w];
            normalise(row);
        }
    }
    pub(super) fn rows_iter(m: &mut [f32], w: usize) {
        for row in m.chunks_mut(w) {
            normalise(row);
        }
    }
    pub(super) fn gemv(a: &[f32], x: &[f32], y: &mut [f32]) {
        let n = x.len();
        for i in 0..y.len() {
            y[i] = dot(&a[i * n..(i + 1) * n], x);
        }
    }
    pub(super) fn sorted(m: &mut [u32], w: usize) {
        for i in 0..m.len() / w {
            m[i * w..(i + 1) * w].sort_unstable();
        }
    }
    pub(super) fn copied(src: &[u32], dst: &mut [u32], w: usize) {
        for i in 0..dst.len() / w {
            dst[i * w..(i + 1) * w].copy_from_slice(&src[i * w..(i + 1) * w]);
        }
    }
    pub(super) fn filled(dst: &mut [u32], w: usize) {
        for i in 0..dst.len() / w {
            dst[i * w..(i + 1) * w].fill(i as u32);
            for v in dst[i * w..(i + 1) * w].iter_mut() { *v += 1; }
            for v in &mut dst[i * w..(i + 1) * w] { *v += 1; }
        }
    }
    pub(super) fn vecs_lent(out: &mut Vec<Vec<u32>>) {
        for i in 0..out.len() {
            out[i].push(i as u32);
            out[i].sort();
        }
    }
    pub(super) fn element(out: &mut [f32]) {
        for i in 0..out.len() {
            bump(&mut out[i]);
        }
    }
    pub(super) fn summed(m: &[f32], w: usize, sums: &mut [f32]) {
        for i in 0..sums.len() {
            sums[i] = m[i * w..(i + 1) * w].iter().sum();
        }
    }
    pub(super) fn looks_at(a: &mut [u32], w: usize) {
        for i in 0..a.len() / w {
            let row = &a[i * w..(i + 1) * w];
            let m = row.iter().max().unwrap() + row[0];
            a[i * w + 1] = m;
        }
    }
    pub(super) fn looks_direct(a: &mut [u32], w: usize) {
        for i in 0..a.len() / w {
            a[i * w] = a[i * w..(i + 1) * w].iter().map(|v| v / 2).sum();
        }
    }
    pub(super) fn steps_lent(cells: &mut [Body], dt: f32) {
        for i in 0..cells.len() {
            cells[i].step(dt);
        }
    }
    pub(super) fn steps_sum(cells: &mut Vec<Body>, dt: f32) -> f32 {
        let mut top = 0.0f32;
        for i in 0..cells.len() {
            cells[i].step(dt);
            top = top.max(cells[i].energy());
        }
        top
    }
    pub(super) fn lookup(cells: &mut Vec<Body>, idx: &[usize], out: &mut [f32]) {
        for i in 0..idx.len() {
            out[i] = cells[idx[i]].energy();
        }
    }
    pub(super) fn local_vec(n: usize) -> Vec<Body> {
        let mut cells = vec![Body::default(); n];
        for i in 0..n {
            cells[i].v = i as f32;
        }
        for i in 0..cells.len() {
            cells[i].step(0.5);
        }
        cells
    }
    pub(super) fn field_cells(sim: &mut Sim) {
        for i in 0..sim.n {
            sim.cells[i].step(0.1);
        }
        for y in 0..sim.grid.len() / sim.w {
            normalise(&mut sim.grid[y * sim.w..(y + 1) * sim.w]);
        }
    }
    pub(super) fn swaps(a: &mut [u32], b: &mut [u32]) {
        let n = a.len();
        for i in 0..n {
            std::mem::swap(&mut a[i], &mut b[n - 1 - i]);
        }
    }
    pub(super) fn columns(m: &mut [[f32; 4]], out: &mut [f32]) {
        for i in 0..m.len() {
            m[i].reverse();
            out[i] = m[i].iter().sum::<f32>() + m[i][0];
        }
    }
    pub(super) fn texts_lent(lines: &[String], out: &mut Vec<String>) {
        for i in 0..lines.len() {
            out[i].clear();
            out[i].push_str(lines[i].trim());
            out[i].make_ascii_uppercase();
        }
    }

    pub(super) fn argmin(x: &[f32]) -> (f32, usize) {
        let mut best = f32::INFINITY;
        let mut at = 0;
        for i in 0..x.len() {
            if x[i] < best {
                best = x[i];
                at = i;
            }
        }
        (best, at)
    }
    pub(super) fn argmax_enum(x: &[u32]) -> Option<usize> {
        let mut best = 0;
        let mut at = None;
        for (i, &v) in x.iter().enumerate() {
            if v > best { best = v; at = Some(i); }
        }
        at
    }
    pub(super) fn looked_up(x: &[f32], name: &[u32], from: usize) -> (u32, usize) {
        let (mut best, mut of, mut at) = (-7.0, 0, 0);
        for i in 0..x.len() {
            let id = name[i];
            if id > 0 && x[i] < best {
                best = x[i];
                of = name[i];
                at = i + from;
            }
        }
        (of, at)
    }
    /// Where no item is taken, what the index names before the loop is not asked for.
    pub(super) fn best_of_some(x: &[u32], taken: &[bool]) -> usize {
        let mut at = usize::MAX;
        for i in 0..x.len() { if taken[i] && x[i] > x[at] { at = i; } }
        at
    }
    pub(super) fn argmax_index(x: &[u32]) -> usize {
        let mut best = 0;
        for i in 1..x.len() {
            if x[i] > x[best] { best = i; }
        }
        best
    }
    pub(super) fn nearest(pts: &[P], q: P, keep: &[bool]) -> (usize, f32, u32) {
        let mut at = usize::MAX;
        let mut d = f32::MAX;
        let mut count = 0;
        for (i, p) in pts.iter().enumerate() {
            if !keep[i] { continue; }
            count += 1;
            let (dx, dy) = (p.x - q.x, p.y - q.y);
            let dist = dx * dx + dy * dy;
            if dist < d {
                d = dist;
                at = i;
            }
        }
        (at, d, count)
    }
    pub(super) fn both_ends(x: &[f64], lo: &mut f64, lo_at: &mut usize, hi: &mut f64, hi_at: &mut usize) {
        for i in 0..x.len() {
            if *lo > x[i] { *lo = x[i]; *lo_at = i; }
            if x[i] > *hi { *hi = x[i]; *hi_at = i; }
        }
    }
    pub(super) fn closest(p: &[P]) -> (usize, usize, f32) {
        let mut best = (0, 0);
        let mut d = f32::MAX;
        for i in 0..p.len() {
            for j in i + 1..p.len() {
                let e = (p[i].x - p[j].x).abs() + (p[i].y - p[j].y).abs();
                if i != j && e < d {
                    d = e;
                    best = (i, j);
                }
            }
        }
        (best.0, best.1, d)
    }
    pub(super) fn per_row(m: &[i32], w: usize, out: &mut [usize], worst: &mut i32) {
        for (y, o) in out.iter_mut().enumerate() {
            let mut best = 0;
            for x in 1..w { if m[y * w + x] > m[y * w + best] { best = x; } }
            *o = best;
            if m[y * w + best] < *worst { *worst = m[y * w + best]; }
        }
    }
    pub(super) fn clusters(x: &[f32], centres: &[f32], label: &mut [u32], n: &mut [u32; 4]) -> (f32, usize) {
        let (mut far, mut far_at) = (-1.0f32, 0);
        for i in 0..x.len() {
            let mut b = 0;
            for c in 1..centres.len() { if (x[i] - centres[c]).abs() < (x[i] - centres[b]).abs() { b = c; } }
            label[i] = b as u32;
            n[b] += 1;
            let d = (x[i] - centres[b]).abs();
            if d > far { far = d; far_at = i; }
        }
        (far, far_at)
    }

    pub(super) fn filled_up(x: &[u32], out: &mut [u32]) {
        for i in 0..x.len() {
            if x[i] % 3 == 0 { continue; }
            if let Some(o) = out.get_mut(i) { *o = x[i] / 3; }
        }
    }
    pub(super) fn counted(x: &[u32], h: &mut [u32]) -> u32 {
        let mut lost = 0u32;
        for &v in x {
            if let Some(b) = h.get_mut((v % 20) as usize) { *b = b.wrapping_add(1); } else { lost = lost.wrapping_add(1); }
        }
        lost
    }
    pub(super) fn greatest_of(x: &[Vec<u32>], h: &mut Vec<u32>) {
        for row in x { for v in row { if let Some(b) = h.get_mut((v % 20) as usize) { *b = (*b).max(*v); } } }
    }
    pub(super) fn by_i32(x: &[f32], out: &mut [f32], n: i32) { for i in 0..n { out[i as usize] = x[(n - 1 - i) as usize]; } }
    pub(super) fn by_i64(x: &[f32], w: usize, out: &mut [f32]) {
        let h = x.len() / w;
        let at = |y: i64, c: i64| if y < 0 || c < 0 || y >= h as i64 || c >= w as i64 { 0.0 } else { x[y as usize * w + c as usize] };
        for y in 0..h as i64 { for c in 0..w as i64 { out[y as usize * w + c as usize] = at(y - 1, c) + at(y + 1, c) - at(y, c - 1); } }
    }

    pub(super) fn pairs_of_two(a: &mut [u32]) { for i in 0..a.len() { let j = i & !1; a[j] += i as u32; } }
    pub(super) fn first_of_each(a: &mut [u32]) { for (i, c) in a.chunks_mut(4).enumerate() { if i > 0 { c[0] = i as u32; } else { c[3] = 9; } } }
    pub(super) fn best_then_clear(a: &mut [u32]) { let mut best = 5u32; let mut at = 0; for i in 0..a.len() { if a[i] > best { best = a[i]; at = i; } a[i] = 0; } a[at] = best; }
    pub(super) fn from_afar(a: &mut [u32], k: usize) { for i in 0..20 { a[i] = a[i + k]; } }
    pub(super) fn strided(a: &mut [u32], k: usize) { for i in 0..20 { a[i * k] = i as u32; } }
    pub(super) fn and_one_more(a: &mut [u32], o: usize) { for i in 0..20 { a[i] += 1; a[o] += 1; } }
    pub(super) fn turned(a: &mut [u32]) { let b: Vec<u32> = a.to_vec(); for i in 0..a.len() { a[i] = b[(i + 1) % b.len()]; } }
    pub(super) fn fft_stage(re: &mut [f64], im: &mut [f64], half: usize) {
        let n = re.len();
        for g in 0..n / (2 * half) { for k in 0..half {
            let (a, b) = (g * 2 * half + k, g * 2 * half + k + half);
            let ang = -std::f64::consts::PI * k as f64 / half as f64;
            let (c, s) = (ang.cos(), ang.sin());
            let (tr, ti) = (re[b] * c - im[b] * s, re[b] * s + im[b] * c);
            let (ur, ui) = (re[a], im[a]);
            re[a] = ur + tr; im[a] = ui + ti; re[b] = ur - tr; im[b] = ui - ti;
        } }
    }
    pub(super) fn eliminate(a: &mut [f64], row: &[f64], n: usize, k: usize) {
        let pivot = row[k];
        for i in k + 1..n {
            let f = a[i * n + k] / pivot;
            a[i * n + k] = f;
            for j in k + 1..n { a[i * n + j] -= f * row[j]; }
        }
    }
    pub(super) fn relax(d: &mut [u32], row: &[u32], n: usize, k: usize) {
        for i in 0..n { let dik = d[i * n + k]; for j in 0..n { let via = dik.saturating_add(row[j]); if via < d[i * n + j] { d[i * n + j] = via; } } }
    }
    pub(super) fn field_steps(sim: &mut Sim, fast: &mut f32, at: &mut usize) {
        for i in 0..sim.cells.len() { if i > 0 { sim.cells[i].step(0.1); } }
        for (i, c) in sim.cells.iter().enumerate() { let e = c.energy(); if e > *fast { *fast = e; *at = i; } }
    }

    pub(super) fn blur_inside(values: &[f64], width: usize, out: &mut [f64]) {
        for y in 1..(values.len() / width).max(2) - 1 {
            for x in 1..width - 1 {
                let i = y * width + x;
                out[i] = values[i - 1] + values[i + 1] + values[i - width] + values[i + width];
            }
        }
    }
}

/// Loops that hand elements, and parts, of their own to code that is not seen.
fn normalise(row: &mut [f32]) {
    let sum: f32 = row.iter().sum();
    for v in row.iter_mut() {
        *v /= sum;
    }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn bump(v: &mut f32) {
    *v += 1.0;
}

#[derive(Clone, Default, Debug, PartialEq, accrue::Plain)]
struct Body {
    x: f32,
    v: f32,
    log: Vec<u32>,
}

impl Body {
    fn step(&mut self, dt: f32) {
        self.x += self.v * dt;
        self.log.push(self.x as u32);
    }

    fn energy(&self) -> f32 {
        self.v * self.v
    }
}

struct Sim {
    cells: Vec<Body>,
    n: usize,
    grid: Vec<f32>,
    w: usize,
}

/// A loop that follows another one's steps, whose own iterations do not.
#[offload]
fn steps(a: &mut Vec<f32>, b: &mut Vec<f32>, times: usize) {
    #[sequential]
    for _ in 0..times {
        for i in 1..a.len() - 1 {
            b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3.0;
        }
        std::mem::swap(a, b);
    }
}

const WAYS: [&str; 4] = [
    "sequential",
    "private:workers=4,parts=7",
    "private:workers=3,parts=100000",
    "private:workers=1,parts=1",
];

fn check<R: PartialEq + std::fmt::Debug>(name: &str, plain: impl Fn() -> R, off: impl Fn() -> R) {
    let expected = on_cpu(name, plain, &off);
    // What has no kernels runs on the CPU.
    if cfg!(feature = "sim") {
        let found = accrue::with_device(accrue::Device::Sim, &off);
        assert!(found == expected, "{name} on the simulated device");
    }
}

/// The same on the CPU alone: a device has sines of its own, which may differ in the last place.
fn on_cpu<R: PartialEq + std::fmt::Debug>(
    name: &str,
    plain: impl Fn() -> R,
    off: impl Fn() -> R,
) -> R {
    let expected = plain();
    for way in WAYS {
        let found = with_strategy(way, &off);
        assert!(
            found == expected,
            "{name} by {way}: {found:?}, not {expected:?}"
        );
    }
    assert!(off() == expected, "{name} as it likes");
    expected
}

macro_rules! t {
    ($name:ident, |$m:ident| $e:expr) => {
        t!(check, $name, |$m| $e)
    };
    ($check:ident, $name:ident, |$m:ident| $e:expr) => {
        $check(
            stringify!($name),
            || {
                use plain as $m;
                $e
            },
            || {
                use off as $m;
                $e
            },
        );
    };
}

/// Leads to a slice, and has methods of its own under the names of its methods.
#[derive(Clone, Debug, accrue::Plain)]
struct Ring(Vec<u32>);

impl Ring {
    fn len(&self) -> usize {
        3
    }
    fn get(&self, i: usize) -> Option<&u32> {
        self.0.get(i / 2)
    }
    fn iter(&self) -> std::slice::Iter<'_, u32> {
        self.0[1..9].iter()
    }
    fn is_empty(&self) -> bool {
        true
    }
}

impl std::ops::Deref for Ring {
    type Target = [u32];
    fn deref(&self) -> &[u32] {
        &self.0
    }
}

struct Rings {
    ring: Ring,
}

fn ring(x: &[u32]) -> Ring {
    Ring(x.to_vec())
}

#[test]
fn methods_of_what_leads_to_a_slice_are_its_own() {
    let x: Vec<u32> = (0..3000u32).map(|i| i.wrapping_mul(2654435761)).collect();
    let rings = Rings { ring: ring(&x) };
    macro_rules! own {
        ($($name:ident $of:expr;)*) => {$(
            t!($name, |m| {
                let mut o = vec![0; 3000];
                m::$name($of, &mut o);
                o
            });
        )*};
    }
    own! { own_len &rings; own_get &rings; own_iter &x; own_is_empty &x; }
}

#[test]
fn every_way_of_splitting_gives_the_sequential_result() {
    let x: Vec<f32> = (0..5000).map(|i| i as f32).collect();
    let u: Vec<u32> = (0..5000u32).map(|i| i.wrapping_mul(2654435761)).collect();
    let by: Vec<u8> = u.iter().map(|x| (x >> 20) as u8).collect();
    t!(scale, |m| {
        let mut o = vec![0.0; 5000];
        m::scale(&x, &mut o);
        o
    });
    t!(grey, |m| {
        let mut o = vec![0; 1666];
        m::grey(&by, &mut o);
        o
    });
    t!(blur, |m| {
        let mut o = vec![0.0; 5000];
        m::blur(&x, &mut o, 50, 100);
        o
    });
    t!(transpose, |m| {
        let mut o = vec![0; 5000];
        m::transpose(&u, &mut o, 50, 100);
        o
    });
    let lut: [u8; 256] = std::array::from_fn(|i| (255 - i) as u8);
    t!(in_place, |m| {
        let mut o = by.clone();
        m::in_place(&mut o, &lut);
        o
    });
    t!(in_place2, |m| {
        let mut o = by.clone();
        m::in_place2(&mut o);
        o
    });
    t!(rows, |m| {
        let mut o = u.clone();
        m::rows(&mut o, 70);
        o
    });
    t!(rows2, |m| {
        let mut o = u.iter().map(|x| x % 1000).collect::<Vec<_>>();
        m::rows2(&mut o, 70);
        o
    });
    t!(mixed, |m| {
        let mut o = by.clone();
        let mut h = [3; 16];
        let mut t = 9;
        let s = m::mixed(&u, &mut o, &mut h, &mut t);
        (o, h, t, s)
    });
    let d: Vec<f64> = x.iter().map(|v| *v as f64 * 0.5).collect();
    t!(matvec, |m| {
        let mut y = vec![0.0; 70];
        m::matvec(&d, &d, &mut y, 70);
        y
    });
    t!(matmul, |m| {
        let mut y = vec![0.0; 4900];
        m::matmul(&x, &x, &mut y, 70);
        y
    });
    let p: Vec<P> = x.iter().map(|v| P { x: *v, y: v + 1.0 }).collect();
    t!(points, |m| {
        let mut y = p.clone();
        m::points(&p, &mut y);
        y
    });
    t!(two, |m| {
        let mut y = u.clone();
        m::two(&u, &mut y);
        y
    });
    t!(nested, |m| {
        let mut y = vec![[0; 8]; 300];
        m::nested(&mut y);
        y
    });
    let v: Vec<Vec<u32>> = (0..200).map(|i| vec![i; (i % 7) as usize]).collect();
    t!(vecs, |m| {
        let mut y = v.clone();
        m::vecs(&mut y);
        y
    });
    t!(vecs2, |m| {
        let mut y = v.clone();
        m::vecs2(&mut y);
        y
    });
    t!(step, |m| {
        let mut g = Grid {
            w: 50,
            cells: u.clone(),
            next: u.clone(),
        };
        m::step(&mut g);
        g.next
    });
    t!(mandel, |m| {
        let mut y = u.clone();
        m::mandel(&mut y, 50, 100);
        y
    });
    t!(tri, |m| {
        let mut y = u.clone();
        m::tri(&mut y, 70);
        y
    });
    t!(padded, |m| {
        let mut y = u.iter().map(|x| x % 1000).collect::<Vec<_>>();
        m::padded(&mut y, 50, 60, 60);
        m::padded(&mut y, 50, 60, 40);
        y
    });
    t!(sub, |m| {
        let mut y = u.clone();
        m::sub(&mut y, 30);
        y
    });
    t!(i32s, |m| {
        let mut y = vec![0; 900];
        m::i32s(&mut y, 800);
        y
    });
    t!(rev, |m| {
        let mut y = u.clone();
        m::rev(&mut y);
        y
    });
    t!(of_its_own_length, |m| {
        let mut y = u.clone();
        m::of_its_own_length(&mut y);
        y
    });
    t!(halves, |m| {
        let mut y = u.clone();
        m::halves(&mut y);
        y
    });
    t!(split, |m| {
        let mut y = x.clone();
        m::split(&mut y);
        y
    });
    let wide: Vec<u64> = u.iter().map(|v| u64::from(*v) * 77).collect();
    t!(residues, |m| {
        let mut y = vec![[0; 4]; 5000];
        m::residues(&wide, &mut y);
        y
    });
    let kernel = [0.5, 1.0, -2.0, 0.25, 4.0, 1.5, -1.0, 2.0, 0.125];
    t!(convolve, |m| {
        let mut y = x.clone();
        m::convolve(&x, &kernel, &mut y, 50, 100);
        y
    });
    let bodies: Vec<[f32; 3]> = x[..120]
        .iter()
        .map(|v| [v.sin(), v.cos(), v * 0.01])
        .collect();
    t!(nbody, |m| {
        let mut v = bodies.clone();
        m::nbody(&bodies, &mut v, 0.01);
        v
    });
    let cells: Vec<u8> = by.iter().map(|b| b & 1).collect();
    t!(life, |m| {
        let mut y = cells.clone();
        m::life(&cells, &mut y, 50);
        y
    });
    t!(histogram_beside, |m| {
        let (mut r, mut h) = (by.clone(), vec![1; 256]);
        m::histogram_beside(&by, &mut r, &mut h);
        (r, h)
    });
    t!(range_of, |m| {
        let mut s = x.clone();
        let r = m::range_of(&x, &mut s);
        (s, r)
    });
    let names: Vec<String> = (0..300).map(|i| format!("name {i}")).collect();
    t!(texts, |m| {
        let mut y = names.clone();
        m::texts(&mut y);
        y
    });
    t!(options, |m| {
        let mut y = vec![None; 5000];
        m::options(&mut y, &u);
        y
    });
    let both: Vec<(u32, u32)> = u.iter().map(|v| (*v, v / 3)).collect();
    t!(pairs, |m| {
        let mut y = both.clone();
        m::pairs(&mut y);
        y
    });
    t!(two_loops, |m| {
        let mut y = d.clone();
        let first = m::two_loops(&d[..500], &mut y[..500]);
        (y.len(), first.round())
    });
    t!(while_inside, |m| {
        let mut y = vec![0; 5000];
        m::while_inside(&wide, &mut y);
        y
    });
    t!(generic_copy, |m| {
        let mut y = u.clone();
        m::generic_copy(&u, &mut y);
        y
    });
}

/// What runs on a device of these: all but what lends elements to functions that are not known, keeps the best item, or has other elements than
/// numbers.
#[cfg(feature = "sim")]
#[test]
fn there_are_kernels_for_maps() {
    macro_rules! with_kernels {
        ($($name:ident)*) => {[$((stringify!($name), off::$name::explain())),*]};
    }
    let all = with_kernels! {
        scale grey blur transpose in_place rows rows2 mixed matvec matmul two nested mandel tri padded i32s rev halves of_its_own_length total
        residues nbody life histogram_beside range_of two_loops while_inside
    };
    let without = all
        .iter()
        .filter(|(_, explained)| !explained.contains("runs on: cpu, gpu"));
    let without: Vec<_> = without.collect();
    assert!(without.is_empty(), "{without:#?}");
}

#[test]
fn steps_and_methods() {
    let start: Vec<f32> = (0..900).map(|i| (i * i % 77) as f32).collect();
    let run = |way: &str| {
        with_strategy(way, || {
            let (mut a, mut b) = (start.clone(), start.clone());
            steps(&mut a, &mut b, 9);
            let mut grid = Grid {
                w: 1,
                cells: (0..900).collect(),
                next: vec![0; 900],
            };
            grid.advance(7);
            (a, b, grid.next)
        })
    };
    for way in WAYS {
        assert!(run(way) == run("sequential"), "{way}");
    }
}

/// Constants keep their names, in the function and outside of it.
#[test]
fn constants_are_no_variables() {
    const WEIGHTS: &[u32] = &[3, 5, 7];
    #[offload]
    fn weigh(x: &[u32], out: &mut [u32]) {
        const MORE: &[u32] = &[1, 2];
        #[allow(non_upper_case_globals)]
        static less: &[u32] = &[4, 9];
        for i in 0..x.len() {
            out[i] = x[i] * WEIGHTS[i % 3] + MORE[i % 2] - less[i % 2].min(x[i]);
        }
    }
    let x: Vec<u32> = (1..200).collect();
    for way in WAYS {
        let mut out = vec![0; x.len()];
        with_strategy(way, || weigh(&x, &mut out));
        let expected = x
            .iter()
            .enumerate()
            .map(|(i, x)| x * WEIGHTS[i % 3] + [1, 2][i % 2] - [4, 9][i % 2].min(*x));
        assert!(out.iter().copied().eq(expected), "{way}");
    }
}

mod panics {
    use super::*;

    twice! {
        pub(super) fn checked(x: &[u32], out: &mut [u32], most: &mut u32) {
            for i in 0..x.len() {
                assert!(x[i] != 13, "unlucky at {i}");
                *most = (*most).max(x[i]);
                out[i] = 100 / (x[i] + 1);
            }
        }
        pub(super) fn outside(x: &[u32], out: &mut [u32]) { for i in 0..x.len() { out[i + 3] = x[i]; } }
        pub(super) fn both_sides(d: &mut [Vec<u32>], n: usize) {
            for i in 0..n {
                for j in i + 1..n {
                    d[i][j] = 7;
                    d[j][i] = 7;
                }
            }
        }
        pub(super) fn rows(m: &mut [u32], w: usize) { for y in 0..m.len() / w + 1 { let row = &mut m[y * w..(y + 1) * w]; row[0] = 1; } }
    }

    fn says(f: impl FnOnce()) -> String {
        let payload = catch_unwind(AssertUnwindSafe(f)).expect_err("it panics");
        match payload.downcast_ref::<String>() {
            Some(text) => text.clone(),
            None => (*payload.downcast_ref::<&str>().expect("a text")).to_owned(),
        }
    }

    /// The caller gets the panic of the earliest iteration; elements hold what they held or what their iteration wrote.
    #[test]
    fn the_earliest_panic_is_the_callers() {
        let mut x: Vec<u32> = (0..3000).map(|i| 20 + i % 50).collect();
        (x[2000], x[2500], x[777]) = (13, 13, 13);
        for way in WAYS {
            with_strategy(way, || {
                let (mut out, mut most) = (vec![u32::MAX; 3000], 1);
                assert_eq!(
                    says(|| off::checked(&x, &mut out, &mut most)),
                    "unlucky at 777"
                );
                assert_eq!(most, 1, "as before the call");
                let own = |i: usize| out[i] == u32::MAX || out[i] == 100 / (x[i] + 1);
                assert!((0..3000).all(own));
                assert!((0..777).all(|i| out[i] == 100 / (x[i] + 1)));
                let (mut a, mut b) = (vec![0; 3000], vec![0; 3000]);
                assert_eq!(
                    says(|| off::outside(&x, &mut a)),
                    says(|| plain::outside(&x, &mut b))
                );
                assert_eq!(
                    says(|| off::rows(&mut a, 7)),
                    says(|| plain::rows(&mut b, 7))
                );
                // A row that is too short, and one that is not there.
                for (n, short) in [(60, 40), (61, 60)] {
                    let mut a: Vec<Vec<u32>> = vec![vec![0; 61]; 60];
                    a[short.min(59)].truncate(if short < 60 { 9 } else { 61 });
                    let mut b = a.clone();
                    assert_eq!(
                        says(|| off::both_sides(&mut a, n)),
                        says(|| plain::both_sides(&mut b, n))
                    );
                    let holds = |(a, b): (&u32, &u32)| a == b || *a == 7 || *a == 0;
                    assert!(a.iter().flatten().zip(b.iter().flatten()).all(holds));
                    assert!(a[0][1..].iter().eq(&b[0][1..]), "the first iteration");
                }
            });
        }
    }
}

#[test]
fn what_an_iteration_hands_on_is_its_own() {
    let f: Vec<f32> = (1..1001).map(|v| v as f32).collect();
    let u: Vec<u32> = (0..1000u32)
        .map(|v| v.wrapping_mul(2654435761) >> 8)
        .collect();
    let cells: Vec<Body> = (0..100)
        .map(|i| Body {
            x: i as f32,
            v: 2.0,
            log: vec![],
        })
        .collect();
    t!(lent_rows, |m| {
        let mut x = f.clone();
        m::lent_rows(&mut x, 10, 100);
        x
    });
    t!(rows_named, |m| {
        let mut x = f.clone();
        m::rows_named(&mut x, 10, 100);
        x
    });
    t!(rows_iter, |m| {
        let mut x = f.clone();
        m::rows_iter(&mut x, 10);
        x
    });
    t!(gemv, |m| {
        let mut y = f[..10].to_vec();
        m::gemv(&f, &f[..100], &mut y);
        y
    });
    t!(sorted, |m| {
        let mut x = u.clone();
        m::sorted(&mut x, 10);
        x
    });
    t!(copied, |m| {
        let mut x = u.clone();
        x.reverse();
        m::copied(&u, &mut x, 10);
        x
    });
    t!(filled, |m| {
        let mut x = u.clone();
        m::filled(&mut x, 10);
        x
    });
    t!(vecs_lent, |m| {
        let mut x = vec![vec![3, 2]; 100];
        m::vecs_lent(&mut x);
        x
    });
    t!(element, |m| {
        let mut x = f.clone();
        m::element(&mut x);
        x
    });
    t!(summed, |m| {
        let mut x = f[..10].to_vec();
        m::summed(&f, 10, &mut x);
        x
    });
    t!(looks_at, |m| {
        let mut x = u.clone();
        m::looks_at(&mut x, 10);
        x
    });
    t!(looks_direct, |m| {
        let mut x = u.clone();
        m::looks_direct(&mut x, 10);
        x
    });
    t!(steps_lent, |m| {
        let mut x = cells.clone();
        m::steps_lent(&mut x, 0.5);
        x
    });
    t!(steps_sum, |m| {
        let mut x = cells.clone();
        (m::steps_sum(&mut x, 0.5), x)
    });
    let idx: Vec<usize> = (0..100).map(|i| i * 7 % 100).collect();
    t!(lookup, |m| {
        let mut x = cells.clone();
        let mut y = f.clone();
        m::lookup(&mut x, &idx, &mut y);
        y
    });
    t!(local_vec, |m| m::local_vec(50));
    t!(field_cells, |m| {
        let mut s = Sim {
            cells: cells.clone(),
            n: 100,
            grid: f.clone(),
            w: 10,
        };
        m::field_cells(&mut s);
        (s.cells, s.grid)
    });
    t!(swaps, |m| {
        let mut x = u.clone();
        let mut y: Vec<u32> = (0..1000).collect();
        m::swaps(&mut x, &mut y);
        (x, y)
    });
    t!(columns, |m| {
        let mut x = vec![[1.0, 2.0, 3.0, 4.0]; 50];
        let mut y = f.clone();
        m::columns(&mut x, &mut y);
        (x, y)
    });
    t!(texts_lent, |m| {
        let l = vec![" ab".to_string(); 30];
        let mut y = vec![String::from("x"); 30];
        m::texts_lent(&l, &mut y);
        y
    });
    // The guards hold.
    with_strategy("private:workers=2,parts=4", || {
        off::lent_rows(&mut f.clone(), 10, 100);
        off::sorted(&mut u.clone(), 10);
        off::swaps(&mut u.clone(), &mut u.clone());
    });
    for said in [
        off::lent_rows::explain(),
        off::sorted::explain(),
        off::swaps::explain(),
    ] {
        assert!(said.to_string().contains("split into 4 parts"), "{said}");
    }
}

struct Search {
    best: f32,
    at: (usize, usize),
    found: Option<u32>,
    grid: Vec<f32>,
    w: usize,
}
impl Search {
    #[offload]
    fn look(&mut self) {
        for y in 0..self.grid.len() / self.w {
            for x in 0..self.w {
                if self.grid[y * self.w + x] > self.best {
                    self.best = self.grid[y * self.w + x];
                    self.at = (x, y);
                    self.found = Some(x as u32);
                }
            }
        }
    }
    fn look_plain(&mut self) {
        for y in 0..self.grid.len() / self.w {
            for x in 0..self.w {
                if self.grid[y * self.w + x] > self.best {
                    self.best = self.grid[y * self.w + x];
                    self.at = (x, y);
                    self.found = Some(x as u32);
                }
            }
        }
    }
}

#[test]
fn the_first_of_the_best_items_is_kept() {
    let u: Vec<u32> = (0..1000u32)
        .map(|v| v.wrapping_mul(2654435761) >> 24)
        .collect();
    let f: Vec<f32> = u.iter().map(|v| *v as f32 - 100.0).collect();
    let d: Vec<f64> = f.iter().map(|v| *v as f64).collect();
    let ints: Vec<i32> = f.iter().map(|v| *v as i32).collect();
    let p: Vec<P> = f.chunks(2).map(|c| P { x: c[0], y: c[1] }).collect();
    let keep: Vec<bool> = u.iter().map(|v| v % 3 > 0).collect();
    t!(argmin, |m| m::argmin(&f));
    t!(argmax_enum, |m| m::argmax_enum(&u));
    t!(looked_up, |m| m::looked_up(&f, &u, 7));
    t!(best_of_some, |m| m::best_of_some(&u, &[false; 1000]));
    t!(argmax_index, |m| m::argmax_index(&u));
    t!(nearest, |m| m::nearest(&p, P { x: 3.0, y: 4.0 }, &keep));
    t!(both_ends, |m| {
        {
            let (mut a, mut b, mut c, mut e) = (5.0, 1, 6.0, 2);
            m::both_ends(&d, &mut a, &mut b, &mut c, &mut e);
            (a, b, c, e)
        }
    });
    t!(closest, |m| m::closest(&p));
    t!(per_row, |m| {
        {
            let mut o = vec![0; 100];
            let mut w = 500;
            m::per_row(&ints, 10, &mut o, &mut w);
            (o, w)
        }
    });
    t!(clusters, |m| {
        {
            let mut o = vec![0; 1000];
            let mut n = [0; 4];
            let r = m::clusters(&f, &[1.0, 50.0, -40.0, 7.0], &mut o, &mut n);
            (o, n, r)
        }
    });
    let s = || Search {
        best: 0.0,
        at: (9, 9),
        found: None,
        grid: f.clone(),
        w: 10,
    };
    let (mut a, mut b) = (s(), s());
    a.look_plain();
    with_strategy("private:workers=4,parts=7", || b.look());
    assert_eq!((a.best, a.at, a.found), (b.best, b.at, b.found));
    assert!(
        off::argmax_index::explain()
            .to_string()
            .contains("best best, of the first item whose `x[best]` is the greatest")
    );
}

#[test]
fn elements_that_may_not_be_there_and_numbers_with_a_sign() {
    let u: Vec<u32> = (0..1024u32)
        .map(|v| v.wrapping_mul(2654435761) >> 8)
        .collect();
    let f: Vec<f32> = u.iter().map(|v| *v as f32).collect();
    let rows: Vec<Vec<u32>> = u.chunks(30).map(<[u32]>::to_vec).collect();
    t!(filled_up, |m| {
        let mut o = u[..700].to_vec();
        m::filled_up(&u, &mut o);
        o
    });
    t!(counted, |m| {
        let mut h = vec![0; 16];
        (m::counted(&u, &mut h), h)
    });
    t!(greatest_of, |m| {
        let mut h = vec![5; 16];
        m::greatest_of(&rows, &mut h);
        h
    });
    t!(by_i32, |m| {
        let mut o = f.clone();
        m::by_i32(&f, &mut o, 1000);
        o
    });
    t!(by_i32, |m| {
        let mut o = f.clone();
        m::by_i32(&f, &mut o, -5);
        o
    });
    t!(by_i64, |m| {
        let mut o = f.clone();
        m::by_i64(&f, 32, &mut o);
        o
    });
    with_strategy("private:workers=2,parts=4", || {
        off::by_i32(&f, &mut f.clone(), 1000);
        off::by_i64(&f, 32, &mut f.clone());
        off::filled_up(&u, &mut u.clone());
    });
    for said in [
        off::by_i32::explain(),
        off::by_i64::explain(),
        off::filled_up::explain(),
    ] {
        assert!(said.to_string().contains("split into 4 parts"), "{said}");
    }
}

#[test]
fn what_only_looks_as_if_iterations_met() {
    let u: Vec<u32> = (0..64u32)
        .map(|v| v.wrapping_mul(2654435761) >> 20)
        .collect();
    let d: Vec<f64> = (0..1024).map(|i| f64::from(i * 37 % 101) + 1.0).collect();
    t!(pairs_of_two, |m| {
        let mut a = u.clone();
        m::pairs_of_two(&mut a);
        a
    });
    t!(first_of_each, |m| {
        let mut a = u.clone();
        m::first_of_each(&mut a);
        a
    });
    t!(best_then_clear, |m| {
        let mut a = u.clone();
        m::best_then_clear(&mut a);
        a
    });
    t!(turned, |m| {
        let mut a = u.clone();
        m::turned(&mut a);
        a
    });
    for k in [0, 1, 2, 3, 19, 20, 21, 31] {
        t!(from_afar, |m| {
            let mut a = u.clone();
            m::from_afar(&mut a, k);
            a
        });
        t!(strided, |m| {
            let mut a = u.clone();
            m::strided(&mut a, k % 4);
            a
        });
        t!(and_one_more, |m| {
            let mut a = u.clone();
            m::and_one_more(&mut a, k);
            a
        });
        t!(relax, |m| {
            let mut a = u.repeat(2);
            m::relax(&mut a, &u[8..], 8, k % 10);
            a
        });
        t!(eliminate, |m| {
            let mut a = d.clone();
            m::eliminate(&mut a, &d[7..], 32, k);
            a
        });
    }
    t!(blur_inside, |m| {
        let mut a = d.clone();
        m::blur_inside(&d, 32, &mut a);
        m::blur_inside(&d[..20], 32, &mut a);
        a
    });
    t!(on_cpu, fft_stage, |m| {
        let (mut a, mut b) = (d.clone(), d.clone());
        for h in [1, 2, 4, 8] {
            m::fft_stage(&mut a, &mut b, h);
        }
        (a, b)
    });
    let cells: Vec<Body> = (0..100)
        .map(|i| Body {
            x: i as f32,
            v: (i * 37 % 50) as f32,
            log: vec![],
        })
        .collect();
    t!(field_steps, |m| {
        let mut s = Sim {
            cells: cells.clone(),
            n: 100,
            grid: vec![],
            w: 10,
        };
        let (mut f, mut i) = (0.0, 0);
        m::field_steps(&mut s, &mut f, &mut i);
        (s.cells, f, i)
    });
    with_strategy("private:workers=2,parts=4", || {
        off::relax(&mut u.clone(), &u[8..], 8, 3);
        off::eliminate(&mut d.clone(), &d, 32, 2);
        off::fft_stage(&mut d.clone(), &mut d.clone(), 8);
    });
    for said in [
        off::relax::explain(),
        off::eliminate::explain(),
        off::fft_stage::explain(),
    ] {
        assert!(said.to_string().contains("split into 4 parts"), "{said}");
    }
}
