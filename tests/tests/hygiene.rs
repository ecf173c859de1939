//! User items with the names of what the attribute emits: none of them is taken for std's or ours, on any device of the build.

#![allow(
    dead_code,
    non_camel_case_types,
    non_snake_case,
    non_upper_case_globals,
    unused_imports,
    unused_macros,
    clippy::all,
    reason = "the names are the test"
)]

/// Names of crates, types, traits, functions and macros, all taken.
mod taken {
    mod std {}
    mod core {}
    mod alloc {}
    mod rayon {}
    mod accrue {}
    mod __rt {}
    struct Vec;
    struct String;
    struct Box;
    struct Option;
    struct Result;
    struct Ident;
    struct Source;
    struct Run;
    struct Site;
    struct Seen;
    struct Stream;
    struct DeviceSlice;
    enum Error {}
    trait Iterator {}
    trait IntoIterator {}
    trait Into {}
    trait From {}
    trait Clone {}
    trait Copy {}
    trait Sync {}
    trait Send {}
    trait Fn {}
    trait Default {}
    trait Deref {}
    trait Index {}
    fn drop() {}
    fn Some() {}
    fn None() {}
    fn Ok() {}
    fn Err() {}
    const value: u8 = 1;
    const counts: u8 = 2;
    const elements: u8 = 3;
    const range: u8 = 4;
    static source: u8 = 5;

    macro_rules! assert {
        ($($t:tt)*) => {
            compile_error!("the user's assert")
        };
    }
    macro_rules! panic {
        ($($t:tt)*) => {
            compile_error!("the user's panic")
        };
    }
    macro_rules! vec {
        ($($t:tt)*) => {
            compile_error!("the user's vec")
        };
    }
    macro_rules! matches {
        ($($t:tt)*) => {
            compile_error!("the user's matches")
        };
    }
    macro_rules! cfg {
        ($($t:tt)*) => {
            compile_error!("the user's cfg")
        };
    }
    macro_rules! debug_assert {
        ($($t:tt)*) => {
            compile_error!("the user's debug_assert")
        };
    }
    macro_rules! format {
        ($($t:tt)*) => {
            compile_error!("the user's format")
        };
    }

    /// Methods for everything, by value: rustc finds them before those that borrow.
    trait Everything: Sized {
        fn update(self) {}
        fn update_with(self) {}
        fn next_lane(self) {}
        fn drive(self) {}
        fn is_ahead(self) {}
        fn advance(self) {}
        fn attempt(self) {}
        fn items(self) {}
        fn begin(self) {}
        fn bump(self) {}
        fn done(self) {}
        fn explain(self) {}
        fn copied_out(self) {}
        fn number(self) {}
        fn elements(self) {}
        fn bins(self) {}
        fn into_source(self) {}
        fn get(self) {}
        fn checked_add(self) {}
        fn checked_sub(self) {}
        fn checked_mul(self) {}
        fn saturating_sub(self) {}
        fn wrapping_sub(self) {}
        fn push_str(self) {}
        fn slot(self) {}
    }
    impl<T> Everything for T {}

    #[::accrue::offload(histogram)]
    pub(super) fn slices(xs: &[u32], h: &mut [u32]) {
        for &x in xs {
            h[x as usize] += 1;
        }
    }

    #[::accrue::offload(histogram)]
    pub(super) fn ranges(xs: &[u32], ys: &[f32], last: usize, h: &mut [u32; 64], sum: &mut f64) {
        for i in 1..last - 1 {
            h[(xs[i] & 63) as usize] += 1;
            *sum += f64::from(ys[i]);
        }
    }

    #[::accrue::offload(histogram)]
    pub(super) fn nested(grid: &[[u32; 8]], offset: i32, h: &mut [[u32; 4]; 8]) {
        for y in 0..grid.len() {
            for x in 0..8 {
                h[x][(grid[y][x] as i32 + offset) as usize & 3] += 1;
            }
        }
    }

    #[::accrue::offload(histogram)]
    pub(super) fn chains(xs: &[u32], ys: &[u32], n: usize, k: usize, h: &mut [u64; 64]) {
        for (i, (x, &y)) in xs[n..].iter().zip(ys).enumerate().skip(k).step_by(2) {
            h[(*x ^ y) as usize & 63] += i as u64;
        }
        for (w, c) in xs.windows(2).zip(ys.chunks(k)) {
            h[(w[0] ^ w[1] ^ c[0]) as usize & 63] += 1;
        }
    }

    #[::accrue::offload(histogram)]
    pub(super) fn journal(xs: &[u32], ws: &[f64], best: &mut [f64; 64]) {
        for (&x, &w) in xs.iter().zip(ws) {
            if w > 0.5 {
                best[(x & 63) as usize] = best[(x & 63) as usize].max(w);
            }
        }
    }

    #[::accrue::offload(histogram)]
    pub(super) fn sums(xs: &[u32], ws: &[f64], totals: &mut [f64]) {
        for (i, &w) in ws.iter().enumerate() {
            totals[(xs[i] % 16) as usize] += w;
        }
    }

    #[::accrue::offload(histogram)]
    pub(super) fn rows(grid: &[f64], width: usize, out: &mut [f64]) {
        for i in 0..out.len() {
            for j in 0..width {
                out[i] += grid[i * width + j];
            }
        }
    }

    #[::accrue::offload(histogram)]
    pub(super) fn text(s: &str, h: &mut [u32; 256]) {
        for b in s.bytes() {
            h[b as usize] += 1;
        }
    }

    #[::accrue::offload(histogram)]
    pub(super) fn parameters(
        stream: &[u32],
        std: usize,
        core: &[u32],
        accrue: u32,
        h: &mut [u32; 64],
    ) {
        let rayon = accrue + 1;
        let assert = core.len();
        for (usize, &u64) in stream.iter().enumerate() {
            h[(u64 + rayon + core[usize % assert]) as ::core::primitive::usize & std] += 1;
        }
    }

    #[::accrue::offload(histogram)]
    pub(super) fn generic<
        T: ::core::marker::Copy + ::core::marker::Sync,
        B: ::accrue::Bin,
        const N: usize,
    >(
        keys: &[(u8, T)],
        weights: &[B],
        h: &mut [B; N],
    ) {
        for ((k, _), &w) in keys.iter().zip(weights) {
            h[*k as usize % N] += w;
        }
    }

    #[repr(C)]
    #[derive(::core::clone::Clone, ::core::marker::Copy, ::accrue::DeviceType)]
    pub(super) struct T {
        pub(super) plain: u32,
        pub(super) value: [f32; 2],
    }

    #[::accrue::offload(device)]
    pub(super) fn state(t: T) -> u32 {
        t.plain + t.value[0] as u32
    }

    #[::accrue::offload(histogram, uses(T, state))]
    pub(super) fn structs(ts: &[T], h: &mut [u32; 64]) {
        for t in ts {
            h[(state(*t) & 63) as usize] += 1;
        }
    }

    pub(super) struct Owner {
        pub(super) bins: ::std::vec::Vec<u32>,
        pub(super) total: u64,
    }

    impl Owner {
        #[::accrue::offload(histogram)]
        pub(super) fn count(&mut self, xs: &[u32]) {
            for &x in xs {
                self.bins[(x & 63) as usize] += 1;
                self.total += 1;
            }
        }
    }
}

/// Names in capitals that patterns bind, macros of one's own by their paths, and a type that is called `u8`.
mod others {
    use std::cmp;

    pub(super) mod own {
        macro_rules! __matches {
            ($value:expr, $pattern:pat) => {
                !::core::matches!($value, $pattern)
            };
        }
        pub(crate) use __matches as matches;
    }

    type u8 = f32;

    #[accrue::offload(histogram)]
    pub(super) fn capitals(xs: &[u32], pairs: &[(u32, u32)], h: &mut [u32; 64]) {
        for (I, (&N, &(A, B))) in xs.iter().zip(pairs).enumerate() {
            let N = N + 1;
            let (C, D) = (A ^ B, I as u32);
            h[((N ^ C).wrapping_add(D) & 63) as usize] += 1;
        }
    }

    #[accrue::offload]
    pub(super) fn own_elements(xs: &[u32], out: &mut [u32]) {
        for (Out, &X) in out.iter_mut().zip(xs) {
            *Out = X * 3;
        }
    }

    #[accrue::offload(histogram)]
    pub(super) fn macros(xs: &[u32], h: &mut [u32; 64]) {
        for &x in xs {
            h[own::matches!(x, 3..=9) as usize] += 1;
            h[std::matches!(x, 3..=9) as usize + 2] += 1;
        }
    }

    #[accrue::offload(histogram)]
    pub(super) fn least(xs: &[u32], h: &mut [u32; 64]) {
        for &x in xs {
            h[cmp::min(x / 2, 63) as usize] += 1;
        }
    }
}

use accrue::{Device, with_device};

#[test]
fn names_in_capitals_and_by_paths_are_rustcs() {
    let xs: Vec<u32> = (0..3000).map(|i| i % 61).collect();
    let pairs: Vec<(u32, u32)> = xs.iter().map(|x| (x / 2, x * 5)).collect();
    let (mut counted, mut chosen, mut lows) = ([0; 64], [0; 64], [0; 64]);
    for (i, (x, (a, b))) in xs.iter().zip(&pairs).enumerate() {
        counted[((x + 1 ^ a ^ b).wrapping_add(i as u32) & 63) as usize] += 1;
        let within = (3..=9).contains(x);
        chosen[usize::from(!within)] += 1;
        chosen[usize::from(within) + 2] += 1;
        lows[(x / 2) as usize] += 1;
    }
    for device in [Device::Seq, Device::Cpu, Device::Auto] {
        with_device(device, || {
            let mut h = [0; 64];
            others::capitals(&xs, &pairs, &mut h);
            assert_eq!(h, counted, "{device}");
            let mut out = vec![0; xs.len()];
            others::own_elements(&xs, &mut out);
            assert!(xs.iter().zip(&out).all(|(x, o)| x * 3 == *o), "{device}");
            let mut h = [0; 64];
            others::macros(&xs, &mut h);
            assert_eq!(h, chosen, "{device}");
            let mut h = [0; 64];
            others::least(&xs, &mut h);
            assert_eq!(h, lows, "{device}");
        });
    }
}

#[test]
fn names_of_the_users_change_nothing() {
    let xs: Vec<u32> = (0..3000).map(|i| i % 61).collect();
    let ws: Vec<f64> = xs.iter().map(|x| f64::from(*x) / 60.0).collect();
    let fs: Vec<f32> = ws.iter().map(|x| *x as f32).collect();
    let mut devices = vec![Device::Seq, Device::Cpu];
    if cfg!(feature = "sim") {
        devices.push(Device::Sim);
    }
    for device in devices {
        with_device(device, || {
            let mut h = vec![0; 64];
            taken::slices(&xs, &mut h);
            assert_eq!((h[0], h[60], h[61]), (50, 49, 0));
            let (mut h, mut sum) = ([0; 64], 0.0);
            taken::ranges(&xs, &fs, 123, &mut h, &mut sum);
            assert_eq!(h.iter().sum::<u32>(), 121);
            let expected: f64 = fs[1..122].iter().map(|f| f64::from(*f)).sum();
            assert!((sum - expected).abs() < 1e-9);
            let mut h = [[0; 4]; 8];
            taken::nested(&[[1; 8]; 5], 1, &mut h);
            assert_eq!(h[7], [0, 0, 5, 0]);
            let mut h = [0; 64];
            taken::chains(&xs, &xs, 1, 3, &mut h);
            assert!(h.iter().sum::<u64>() > 1000);
            let mut best = [0.0; 64];
            taken::journal(&xs, &ws, &mut best);
            assert_eq!((best[0], best[60]), (0.0, 1.0));
            let mut totals = [0.0; 16];
            taken::sums(&xs, &ws, &mut totals);
            assert!((totals.iter().sum::<f64>() - ws.iter().sum::<f64>()).abs() < 1e-6);
            let mut out = [0.0; 3];
            taken::rows(&[1.0; 12], 4, &mut out);
            assert_eq!(out, [4.0; 3]);
            let mut h = [0; 256];
            taken::text("bins", &mut h);
            assert_eq!(h[usize::from(b'b')], 1);
            let mut h = [0; 64];
            taken::parameters(&xs, 63, &[0, 1], 2, &mut h);
            assert_eq!(h.iter().sum::<u32>(), 3000);
            let mut h = [0u64; 5];
            taken::generic(&[(1, ""), (6, "")], &[2, 3], &mut h);
            assert_eq!(h, [0, 5, 0, 0, 0]);
            let mut h = [0; 64];
            let t = taken::T {
                plain: 3,
                value: [4.0, 0.0],
            };
            taken::structs(&[t; 9], &mut h);
            assert_eq!(h[7], 9);
            let mut owner = taken::Owner {
                bins: vec![0; 64],
                total: 0,
            };
            owner.count(&xs);
            assert_eq!((owner.bins[60], owner.total), (49, 3000));
        });
    }
}

/// Functions whose expressions come from a macro's arguments.
macro_rules! handed_on {
    ($offloaded:ident, $plain:ident, $factor:expr, $less:expr, $items:expr) => {
        handed_on!(
            #[accrue::offload]
            $offloaded,
            $factor,
            $less,
            $items
        );
        handed_on!(
            #[inline]
            $plain,
            $factor,
            $less,
            $items
        );
    };
    (#[$attribute:meta] $name:ident, $factor:expr, $less:expr, $items:expr) => {
        #[$attribute]
        fn $name(x: &[i64], out: &mut [i64], bins: &mut [i64]) {
            for i in $items {
                out[i] = x[i] * $factor - $less;
                assert!(x[i] * $factor < 1 << 40);
            }
            for i in $items.rev() {
                bins[i % 3] += x[i] * $factor;
            }
        }
    };
}

handed_on!(sums_on, sums, 3 + 4, 5 - 2, 0..3000);
handed_on!(shifts_on, shifts, 1 << 2, 7 & 6, 1..2 + 2000);

/// rustc does not see the groups in which a macro hands expressions on, where an attribute gives them back.
#[test]
fn expressions_that_macros_hand_on_keep_their_precedence() {
    let x: Vec<i64> = (0..3000).collect();
    type Function = fn(&[i64], &mut [i64], &mut [i64]);
    let both: [(Function, Function); 2] = [(sums_on, sums), (shifts_on, shifts)];
    for (offloaded, plain) in both {
        for device in [Device::Seq, Device::Cpu, Device::Auto] {
            let run = |f: Function| {
                let (mut out, mut bins) = (vec![0; 3000], [0; 3]);
                f(&x, &mut out, &mut bins);
                (out, bins)
            };
            let expected = run(plain);
            with_device(device, || assert_eq!(run(offloaded), expected));
        }
    }
}
