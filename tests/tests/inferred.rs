//! Variables whose types are told by statements that parts of a body leave out: what they leave must not compute otherwise.

#![allow(clippy::all, reason = "loops are written as people write them")]

use accrue::__bench::with_strategy;
use accrue::offload;

/// Functions twice: as they are, and offloaded.
macro_rules! twice {
    ($(fn $name:ident($($arg:ident: $ty:ty),*) -> $result:ty $body:block)*) => {
        mod plain {
            $(pub(super) fn $name($($arg: $ty),*) -> $result $body)*
        }
        $(#[offload] fn $name($($arg: $ty),*) -> $result $body)*
    };
}

twice! {
    fn tenths(x: &[f32], out: &mut [f32]) -> usize {
        let mut n = 0;
        for &v in x {
            let mut t = 0.1;
            for _ in 0..v as i32 { t += 0.1; }
            if t < 0.8 { out[n] = t; n += 1; }
        }
        n
    }
    fn powers(k: &[u32], out: &mut [u64], rank: &mut [usize]) -> usize {
        let mut n = 0;
        for (i, &e) in k.iter().enumerate() {
            let mut p = 1;
            for _ in 0..e { p *= 10; }
            out[i] = p;
            if p >= 10_000 { n += 1; }
            rank[i] = n;
        }
        n
    }
    fn wide(k: &[u32], out: &mut [u64]) -> usize {
        let mut n = 0;
        for &v in k {
            let w = 1 << (v * 2);
            if w > 1 << 20 { out[n] = w; n += 1; }
        }
        n
    }
    fn told(k: &[u32], out: &mut [u64], sums: &mut [u64]) -> u64 {
        let mut s = 0;
        for i in 0..k.len() {
            let w = u64::from(k[i]) << 30;
            out[i] = w;
            s += w >> 28;
            sums[i] = s;
        }
        s
    }
}

#[test]
fn they_are_what_rustc_infers() {
    for n in [1usize, 9, 1000, 50_000] {
        let k: Vec<u32> = (0..n as u32).map(|i| i * 7919 % 19).collect();
        let x: Vec<f32> = k.iter().map(|k| (k % 9) as f32).collect();
        for strategy in ["private:workers=1", "private:workers=3,parts=7"] {
            with_strategy(strategy, || {
                let (mut a, mut b) = (vec![0.0; n], vec![0.0; n]);
                assert_eq!(tenths(&x, &mut a), plain::tenths(&x, &mut b), "{n}");
                assert_eq!(a, b, "{n}");
                let (mut a, mut b) = (vec![0; n], vec![0; n]);
                let (mut c, mut d) = (vec![0; n], vec![0; n]);
                let found = powers(&k, &mut a, &mut c);
                assert_eq!(found, plain::powers(&k, &mut b, &mut d), "{n}");
                assert_eq!((&a, &c), (&b, &d), "{n}");
                assert_eq!(wide(&k, &mut a), plain::wide(&k, &mut b), "{n}");
                assert_eq!(a, b, "{n}");
                let (mut c, mut d) = (vec![0; n], vec![0; n]);
                let found = told(&k, &mut a, &mut c);
                assert_eq!(found, plain::told(&k, &mut b, &mut d), "{n}");
                assert_eq!((&a, &c), (&b, &d), "{n}");
            });
        }
    }
}
