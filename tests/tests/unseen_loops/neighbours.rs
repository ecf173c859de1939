//! Loops beside those of the other files: the same work in other words.

use super::*;

loops! {
    fn odd_ones(out: &mut [u64], n: usize) {
        for m in (1..n).step_by(2) {
            out[m] = out[m] / 3 + m as u64;
        }
    } => { let mut out = vec![1000; 301]; odd_ones(&mut out, 300); odd_ones(&mut out, 1); odd_ones(&mut out, 0); out }

    fn odd_ones_from_even_ones(out: &mut [u64]) {
        for m in (1..out.len()).step_by(2) {
            out[m] = out[m - 1] + m as u64;
        }
    } => { let mut out: Vec<u64> = (0..301).collect(); odd_ones_from_even_ones(&mut out); out }

    fn multiples_of(out: &mut [u32], s: usize) {
        for m in (s..out.len()).step_by(s) {
            out[m] += s as u32;
        }
    } => { let mut out = vec![0; 300]; for s in [1, 2, 7, 299, 300, 1000] { multiples_of(&mut out, s); } out }

    fn sieve(n: usize) -> Vec<bool> {
        let mut prime = vec![true; n];
        let mut p = 2;
        while p * p < n {
            if prime[p] {
                for m in (p * p..n).step_by(p) {
                    prime[m] = false;
                }
            }
            p += 1;
        }
        prime
    } => { (sieve(500), sieve(10)) }

    fn sieve_to(prime: &mut [u8], n: usize) {
        for p in 2..=n {
            if prime[p] == 1 {
                for m in (p * p..=n).step_by(p) {
                    prime[m] = 0;
                }
            }
        }
    } => { let mut prime = vec![1; 501]; sieve_to(&mut prime, 500); prime }

    fn every_third_to_the_last(out: &mut [u32], n: i32) {
        for m in (2..=n).step_by(3) {
            out[m as usize] = out[m as usize] * 2 + m as u32;
        }
    } => {
        let mut out = vec![1; 300];
        for n in [-5, 1, 2, 4, 5, 299] { every_third_to_the_last(&mut out, n); }
        out
    }

    fn backwards_by_steps(out: &mut [u32], s: usize) {
        for m in (s..out.len()).step_by(2).rev() {
            out[m] = out[m - 1] + m as u32;
        }
    } => { let mut out: Vec<u32> = (0..300).collect(); for s in [1, 2, 5, 299, 300] { backwards_by_steps(&mut out, s); } out }

    fn butterflies(a: &mut [i64], len: usize) {
        for s in (len..a.len()).step_by(2 * len) {
            let (x, y) = (a[s - len], a[s]);
            a[s - len] = x + y;
            a[s] = x - y;
        }
    } => { let mut a: Vec<i64> = (0..256).collect(); for len in [1, 2, 64, 128, 300] { butterflies(&mut a, len); } a }

    fn cells_of_odd_rows(out: &mut [u32], w: usize, h: usize) {
        for y in (1..h).step_by(2) {
            for x in (1..w).step_by(3) {
                out[y * w + x] = out[(y - 1) * w + x - 1] + x as u32;
            }
        }
    } => { let mut out: Vec<u32> = (0..400).collect(); cells_of_odd_rows(&mut out, 20, 20); out }

    fn all_but_some_by_steps(out: &mut [u32], from: usize) {
        for (m, o) in out.iter_mut().enumerate().skip(from).step_by(2) {
            *o = *o * 3 + m as u32;
        }
    } => { let mut out: Vec<u32> = (0..300).collect(); all_but_some_by_steps(&mut out, 1); all_but_some_by_steps(&mut out, 400); out }

    fn some_of_another(x: &[u32], out: &mut [u32], from: usize) {
        for (m, v) in x.iter().enumerate().skip(from).step_by(3) {
            out[m] = v + 1;
        }
    } => { let mut out = vec![0; 300]; some_of_another(&words(300, 99), &mut out, 4); out }

    fn saturating_by_reference(x: &[u32], out: &mut [u16]) {
        for &v in x {
            let bin = &mut out[(v & 7) as usize];
            *bin = bin.saturating_add(v as u16);
        }
    } => { let mut out = [9; 8]; saturating_by_reference(&words(3000, 9000), &mut out); out }

    fn greatest_by_reference(x: &[u32], out: &mut [u32]) {
        for &v in x {
            let bin = &mut out[(v & 7) as usize];
            *bin = (*bin).max(v);
        }
    } => { let mut out = [9; 8]; greatest_by_reference(&words(300, 9000), &mut out); out }

    fn least_by_comparison(x: &[u32], out: &mut [u32]) {
        for (i, &v) in x.iter().enumerate() {
            let bin = &mut out[i % 9];
            if v < *bin {
                *bin = v;
            }
        }
    } => { let mut out = [7000; 9]; least_by_comparison(&words(300, 9000), &mut out); out }

    fn depths_by_comparison(x: &[f32], out: &mut [f32]) {
        for (i, &v) in x.iter().enumerate() {
            let bin = &mut out[i % 9];
            if *bin > v {
                *bin = v;
            }
        }
    } => {
        let (mut out, mut broken) = ([7.0; 9], [7.0; 9]);
        broken[3] = f32::NAN;
        let mut x = quarters(300);
        x[40] = f32::NAN;
        depths_by_comparison(&x, &mut out);
        depths_by_comparison(&x, &mut broken);
        (out, broken)
    }

    fn flags_by_reference(x: &[u32], out: &mut [bool]) {
        for &v in x {
            let seen = &mut out[v as usize];
            *seen = true;
        }
    } => { let mut out = vec![false; 500]; flags_by_reference(&words(300, 500), &mut out); out }

    fn two_rows_by_reference(x: &[u32], out: &mut [[u32; 4]]) {
        for &v in x {
            let row = &mut out[v as usize % 5];
            row[1] = row[1].wrapping_add(v << 20);
            row[(v & 3) as usize] = row[(v & 3) as usize].wrapping_add(1);
        }
    } => { let mut out = [[0; 4]; 5]; two_rows_by_reference(&words(300, 5000), &mut out); out }

    fn mixed_tracks(tracks: &[Vec<u16>], out: &mut [u16]) {
        for track in tracks {
            for (o, &s) in out.iter_mut().zip(track) {
                *o = o.saturating_add(s);
            }
        }
    } => {
        let mut out = vec![100; 90];
        let track = |n: u32| words(40 + n as usize, 9000).iter().map(|x| (x * n) as u16).collect();
        mixed_tracks(&(0..30).map(track).collect::<Vec<_>>(), &mut out);
        out
    }

    fn mixed_tracks_with_a_sign(tracks: &[Vec<i16>], out: &mut [i16]) {
        for track in tracks {
            for (o, &s) in out.iter_mut().zip(track) {
                *o = o.saturating_add(s);
            }
        }
    } => {
        let mut out = vec![100; 90];
        let track = |n: usize| ints(40 + n).iter().map(|x| *x as i16 * 300).collect();
        mixed_tracks_with_a_sign(&(0..30).map(track).collect::<Vec<_>>(), &mut out);
        out
    }

    fn minhash(items: &[u32], seeds: &[u64], signature: &mut [u64]) {
        for &x in items {
            for (m, &seed) in signature.iter_mut().zip(seeds) {
                let h = (u64::from(x) ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                if h < *m {
                    *m = h;
                }
            }
        }
    } => {
        let seeds: Vec<u64> = words(16, 9000).iter().map(|x| u64::from(*x)).collect();
        let mut signature = vec![u64::MAX; 20];
        minhash(&words(300, 90000), &seeds, &mut signature);
        signature
    }

    fn cells_of_narrow_sizes(v: &Sizes, out: &mut [u16]) {
        for y in 0..v.h {
            for x in 0..v.w {
                out[(y * v.w + x) as usize] = (x ^ y) as u16;
            }
        }
    } => { let mut out = vec![0; 700]; cells_of_narrow_sizes(&sizes(20, 35), &mut out); cells_of_narrow_sizes(&sizes(0, 9), &mut out); out }

    fn colours_of_narrow_sizes(v: &Sizes, src: &[u8], out: &mut [u8]) {
        for y in 1..v.h - 1 {
            for x in 1..v.w - 1 {
                let at = (y * v.w + x) as usize * 3;
                for c in 0..3 {
                    out[at + c] = src[at + c].wrapping_add(src[at + c - 3]);
                }
            }
        }
    } => { let mut out = vec![0; 2100]; colours_of_narrow_sizes(&sizes(20, 35), &bytes(2100), &mut out); out }

    fn cells_that_wrap(v: &Sizes, out: &mut [u16]) {
        for y in 0..v.narrow {
            for x in 0..v.narrow {
                let at = y.wrapping_mul(v.narrow).wrapping_add(x) as usize;
                out[at] = out[at] * 2 + 1;
            }
        }
    } => { let mut out = vec![0; 256]; cells_that_wrap(&sizes(15, 1), &mut out); cells_that_wrap(&sizes(17, 1), &mut out); out }

    fn layers_with_a_sign(v: &Sizes, out: &mut [u16]) {
        for z in 0..v.depth {
            out[z as usize] += z as u16;
            out[(z + v.depth) as usize] = 7;
        }
    } => { let mut out = vec![1; 80]; layers_with_a_sign(&sizes(1, 40), &mut out); layers_with_a_sign(&sizes(1, u32::MAX), &mut out); out }

    fn any_above(x: &[u32], limit: u32) -> bool {
        let mut any = false;
        for &v in x {
            any = any || v > limit;
        }
        any
    } => { (any_above(&words(300, 99), 98), any_above(&words(300, 99), 97), any_above(&[], 0)) }

    fn all_alike(x: &[f32], y: &[f32], all: &mut bool) {
        for (a, b) in x.iter().zip(y) {
            *all = *all && a == b && !a.is_nan();
        }
    } => {
        let (mut one, mut other, x) = (true, true, quarters(300));
        let mut y = x.clone();
        all_alike(&x, &y, &mut one);
        y[299] = f32::NAN;
        all_alike(&x, &y, &mut other);
        (one, other)
    }

    fn all_looked_at(x: &[u32], y: &[u32]) -> bool {
        let mut all = true;
        for i in 0..x.len() {
            all = x[i] < y[i] && all;
        }
        all
    } => { (all_looked_at(&[1; 90], &[2; 90]), all_looked_at(&words(90, 7), &words(99, 7))) }

    fn bins_with_any_above(x: &[u32], seen: &mut [bool; 8]) {
        for &v in x {
            seen[(v & 7) as usize] = seen[(v & 7) as usize] || v > 950;
        }
    } => { let mut seen = [false; 8]; bins_with_any_above(&words(100, 999), &mut seen); seen }

    fn bars_by_comparison(prices: &[f64], spans: &[u32], bars: &mut [Bar]) {
        for (&p, &k) in prices.iter().zip(spans) {
            let bar = &mut bars[k as usize];
            if p > bar.high {
                bar.high = p;
            }
            if p < bar.low {
                bar.low = p;
            }
            bar.volume += p.abs() as u64;
        }
    } => {
        let (mut one, mut other, mut many) = (bars(7), bars(7), bars(3000));
        other[3].high = f64::NAN;
        many[2999].low = f64::NAN;
        for bars in [&mut one, &mut other, &mut many] {
            bars_by_comparison(&doubles(3000), &words(3000, 7), bars);
        }
        (one, other, many)
    }

    fn highs_alone(prices: &[f64], spans: &[u32], bars: &mut [Bar]) {
        for (&p, &k) in prices.iter().zip(spans) {
            if p > bars[k as usize].high {
                bars[k as usize].high = p;
            }
        }
    } => { let mut bars = bars(9); highs_alone(&doubles(3000), &words(3000, 9), &mut bars); bars }

    fn bars_by_methods(prices: &[f64], spans: &[u32], bars: &mut [Bar]) {
        for (i, &k) in spans.iter().enumerate() {
            let bar = &mut bars[k as usize];
            bar.high = bar.high.max(prices[i]);
            bar.low = bar.low.min(prices[i]);
            let i = i as u32;
            if i > bar.last {
                bar.last = i;
            }
        }
    } => { let mut bars = bars(9); bars_by_methods(&doubles(3000), &words(3000, 9), &mut bars); bars }

    fn around_narrow_cells(v: &Sizes, src: &[u8], out: &mut [u32]) {
        for y in 2..v.depth - 2 {
            for x in 2..v.depth - 2 {
                let mut sum = 0;
                for dy in -v.reach..=v.reach {
                    for dx in -v.reach..=v.reach {
                        sum += u32::from(src[((y + dy) * v.depth + x + dx) as usize]);
                    }
                }
                out[(y * v.depth + x) as usize] = sum;
            }
        }
    } => { let mut out = vec![0; 400]; around_narrow_cells(&sizes(1, 20), &bytes(400), &mut out); out }

    fn both_ends(x: &[i32], from: (i32, i32)) -> (i32, i32) {
        let (mut lo, mut hi) = (from.0, from.1);
        for &v in x {
            if v < lo {
                lo = v;
            } else if v > hi {
                hi = v;
            }
        }
        (lo, hi)
    } => {
        // From the wrong ends the first item moves one of them only.
        let falling: Vec<i32> = (0..300).rev().collect();
        let of = |x: &[i32]| [(x[0], x[0]), (i32::MAX, i32::MIN), (3, 2)].map(|from| both_ends(x, from));
        (of(&ints(300)), of(&falling))
    }

    fn where_both_ends_are(x: &[f32], lo: &mut f32, hi: &mut f32) -> (usize, usize) {
        let (mut first, mut last) = (0, 0);
        for i in 0..x.len() {
            if x[i] > *hi {
                *hi = x[i];
                last = i;
            } else if *lo > x[i] {
                *lo = x[i];
                first = i;
            }
        }
        (first, last)
    } => {
        let mut x = quarters(300);
        x[7] = f32::NAN;
        let of = |mut lo: f32, mut hi: f32| { let at = where_both_ends_are(&x, &mut lo, &mut hi); (at, lo, hi) };
        format!("{:?}", [of(x[0], x[0]), of(f32::INFINITY, f32::NEG_INFINITY), of(f32::NAN, 1.0)])
    }
}
