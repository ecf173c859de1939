//! Loops in which it matters what is evaluated first, where a name is declared, and what type a number without one has.

use super::*;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counted {
    n: u32,
    sum: u64,
}

#[derive(Clone, Copy)]
pub(super) struct Seeded {
    seed: u64,
}

impl Seeded {
    fn next(&self, i: u64) -> u64 {
        self.seed.wrapping_mul(i).rotate_left(7)
    }
}

pub(super) struct Hashed {
    by: Seeded,
    sum: u64,
    out: Vec<u64>,
}

fn first(x: &[u32]) -> u32 {
    x[0]
}

fn one_more(x: usize) -> u32 {
    x as u32 + 1
}

loops! {
    fn a_bin_behind_what_is_added(x: &[u32], bins: &mut [u32]) {
        for v in x {
            let mut k = *v as usize;
            bins[{ k += 1; k }] += { k *= 2; k as u32 };
        }
    } => { let mut bins = [0; 300]; a_bin_behind_what_is_added(&words(3000, 100), &mut bins); bins.to_vec() }

    fn what_is_added_moves_the_bin(x: &[u32], bins: &mut [u32], rows: &mut [[u32; 8]]) {
        for v in x {
            let mut k = *v as usize;
            bins[k] += { k /= 2; k as u32 + 1 };
            rows[k % 4][{ k += 3; k % 8 }] += { k += 5; k as u32 };
        }
    } => {
        let (mut bins, mut rows) = ([0; 100], [[0; 8]; 4]);
        what_is_added_moves_the_bin(&words(3000, 100), &mut bins, &mut rows);
        (bins.to_vec(), rows)
    }

    fn a_bin_moves_behind_what_is_added(x: &[u32], bins: &mut [Counted]) {
        for v in x {
            let mut k = *v as usize;
            bins[{ k /= 2; k }].n += k as u32 + 1;
            bins[k].sum += { k += 3; k as u64 };
        }
    } => { let mut bins = [Counted::default(); 110]; a_bin_moves_behind_what_is_added(&words(9000, 100), &mut bins); bins.to_vec() }

    fn drawn_for_a_bin(x: &[[u32; 3]], bins: &mut [u32]) {
        for row in x {
            let mut items = row.iter();
            bins[*items.next().unwrap() as usize] += *items.next().unwrap();
        }
    } => {
        let x: Vec<[u32; 3]> = words(3000, 100).chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect();
        let mut bins = [0; 100];
        drawn_for_a_bin(&x, &mut bins);
        bins.to_vec()
    }

    fn constants_of_a_body(x: &[u32], out: &mut [u32]) {
        for i in 0..x.len() {
            const K: usize = 1;
            const ROW: [u32; 4] = [1, 2, 3, 4];
            static TABLE: [u32; 3] = [7, 8, 9];
            out[i] = one_more(K) + first(&ROW[K..]) + first(&TABLE) + K.max(x[i] as usize) as u32 + ROW.iter().sum::<u32>();
        }
    } => { let mut out = vec![0; 3000]; constants_of_a_body(&words(3000, 100), &mut out); out }

    fn constants_of_closures(x: &[Vec<u32>], out: &mut [u32]) {
        let before = |i: usize| {
            const K: usize = 1;
            const ROW: [u32; 2] = [K as u32, 5];
            first(&x[K]) + first(&ROW) + one_more(K) + i as u32
        };
        for i in 0..x.len() {
            const K: usize = 2;
            let inside = |j: usize| { const L: usize = 3; first(&x[K]) + first(&x[L]) + one_more(L + j) };
            out[i] = before(i) + inside(i);
        }
    } => {
        let x: Vec<Vec<u32>> = words(3000, 100).chunks(1).map(|c| c.to_vec()).collect();
        let mut out = vec![0; 3000];
        constants_of_closures(&x, &mut out);
        out
    }

    fn a_grid_of_numbers_without_a_type(out: &mut [u32]) {
        let (w, h) = (40, 50);
        for i in 0..w * h {
            let (y, x) = (i / w, i % w);
            out[x * h + y] = (x * y) as u32;
        }
    } => { let mut out = vec![0; 2000]; a_grid_of_numbers_without_a_type(&mut out); out }

    fn a_method_called_next(of: &mut Hashed, x: &[u32]) {
        for v in x {
            of.sum = of.sum.wrapping_add(of.by.next(u64::from(*v)));
        }
        for i in 0..x.len() {
            of.out[i] = of.by.next(i as u64) ^ u64::from(x[i]);
        }
    } => {
        let mut of = Hashed { by: Seeded { seed: 12_345_678_901 }, sum: 0, out: vec![0; 3000] };
        a_method_called_next(&mut of, &words(3000, 100));
        (of.sum, of.out)
    }

    fn until_a_cast_is_reached(x: &[u32], n: u64, out: &mut [u32]) -> usize {
        let mut i = 0usize;
        loop {
            if i as u64 >= n {
                break;
            }
            out[i] = x[i];
            i += 1;
        }
        i
    } refused H010 => { let mut out = vec![0; 3000]; (until_a_cast_is_reached(&words(3000, 100), 2000, &mut out), out) }

    fn kept_where_a_cast_is_no_less(x: &[u64], tops: &mut [Option<u32>; 8]) {
        for &v in x {
            let (k, d) = ((v % 8) as usize, v as u32);
            match tops[k] {
                Some(c) if c as u64 >= d as u64 => {}
                _ => tops[k] = Some(d),
            }
        }
    } refused H057 => {
        let x: Vec<u64> = words(3000, 1000).into_iter().map(u64::from).collect();
        let mut tops = [None; 8];
        kept_where_a_cast_is_no_less(&x, &mut tops);
        tops
    }
}
