//! What MPI's ranks are asked to do, and calls across them: a program for `mpirun` with any number of ranks, which is what `cargo test` runs alone.
//!
//! ```text
//! mpirun -np 4 target/debug/deps/ranks-..
//! ```

use accrue::collective::{Collective, Op, Values, combine};
use accrue::{Error, offload};
use accrue_mpi::Ranks;
use accrue_mpi::mpi::environment::Universe;

/// Numbers that look like chance, of a rank.
fn numbers(count: usize, rank: usize) -> impl Iterator<Item = u64> {
    let mut state = rank as u64 + 1;
    (0..count).map(move |_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        state >> 29
    })
}

/// Every operator of a type, on short and long arrays, beside what [`combine`] makes of the ranks' numbers one after the other.
macro_rules! reduces {
    ($ranks:expr, $($name:ident $t:ty, |$v:ident| $make:expr, $same:expr => $($op:ident)*;)*) => {$(
        for len in [0, 1, 3, 64, 5000, 70_001] {
            let of = |rank| numbers(len, rank).map(|$v| $make).collect::<Vec<$t>>();
            for op in [$(Op::$op),*] {
                let mut expected = of(0);
                for rank in 1..$ranks.size() {
                    combine(op, Values::$name(&mut expected), Values::$name(&mut of(rank)));
                }
                let mut mine = of($ranks.rank());
                $ranks.all_reduce(Values::$name(&mut mine), op).unwrap();
                let same: fn(&$t, &$t) -> bool = $same;
                let all = mine.iter().zip(&expected).all(|(a, b)| same(a, b));
                assert!(all, "{op:?} of {len} {}", stringify!($t));
            }
        }
    )*};
}

fn reductions(_: &Universe, ranks: &Ranks<'_>) {
    let float = |v: u64| {
        if v % 11 == 3 {
            f64::NAN
        } else {
            (v % 64) as f64 - 20.0
        }
    };
    reduces! { ranks,
        Bool bool, |v| v % 3 == 0, |a, b| a == b => And Or Xor;
        U8 u8, |v| v as u8, |a, b| a == b => Add SaturatingAdd Mul And Or Xor Min Max;
        U16 u16, |v| v as u16, |a, b| a == b => Add SaturatingAdd Mul And Or Xor Min Max;
        U32 u32, |v| v as u32, |a, b| a == b => Add SaturatingAdd Mul And Or Xor Min Max;
        U64 u64, |v| v << 31, |a, b| a == b => Add SaturatingAdd Mul And Or Xor Min Max;
        Usize usize, |v| v as usize, |a, b| a == b => Add SaturatingAdd Mul And Or Xor Min Max;
        U128 u128, |v| u128::from(v) << 94 | 7, |a, b| a == b => Add SaturatingAdd Mul And Or Xor Min Max;
        I8 i8, |v| v as i8, |a, b| a == b => Add Mul And Or Xor Min Max;
        I16 i16, |v| v as i16, |a, b| a == b => Add Mul And Or Xor Min Max;
        I32 i32, |v| v as i32, |a, b| a == b => Add Mul And Or Xor Min Max;
        I64 i64, |v| (v << 31) as i64, |a, b| a == b => Add Mul And Or Xor Min Max;
        Isize isize, |v| v as isize - (1 << 30), |a, b| a == b => Add Mul And Or Xor Min Max;
        I128 i128, |v| (v as i128 - (1 << 33)) << 80 | 5, |a, b| a == b => Add Mul And Or Xor Min Max;
        // Small whole numbers and powers of two round nowhere; NaN gives way in `min` and `max` alone.
        F32 f32, |v| (v % 64) as f32 - 20.0, |a, b| a == b => Add Min Max;
        F64 f64, |v| float(v), |a, b| a == b || a.is_nan() && b.is_nan() => Add Min Max;
        F64 f64, |v| if v % 2 == 0 { 2.0 } else { -0.5 }, |a, b| a == b => Mul;
    }
}

fn movements(_: &Universe, ranks: &Ranks<'_>) {
    let (me, size) = (ranks.rank(), ranks.size());
    for len in [0, 1, 7, 3000] {
        let of = |rank| {
            numbers(len, rank)
                .map(|v| u128::from(v) << 60)
                .collect::<Vec<_>>()
        };
        let mut all = vec![0; len * size];
        ranks
            .all_gather(Values::U128(&mut of(me)), Values::U128(&mut all))
            .unwrap();
        assert_eq!(all, (0..size).flat_map(of).collect::<Vec<_>>());

        let to = |from: usize, to: usize| {
            numbers(len, from * size + to)
                .map(|v| v as i16)
                .collect::<Vec<_>>()
        };
        let mut mine: Vec<i16> = (0..size).flat_map(|other| to(me, other)).collect();
        let mut theirs = vec![0; len * size];
        ranks
            .all_to_all(Values::I16(&mut mine), Values::I16(&mut theirs))
            .unwrap();
        let expected: Vec<i16> = (0..size).flat_map(|other| to(other, me)).collect();
        assert_eq!(theirs, expected);

        for root in 0..size {
            let mut told = of(me);
            ranks.broadcast(root, Values::U128(&mut told)).unwrap();
            assert_eq!(told, of(root));
            let mut told = [me == root; 3];
            ranks.broadcast(root, Values::Bool(&mut told)).unwrap();
            assert_eq!(told, [true; 3]);
        }
    }
}

#[offload(histogram)]
fn count(keys: &[u64], bins: &mut [u32]) -> u64 {
    let mut largest = 0;
    for &k in keys {
        bins[k as usize % 100_003] += 1;
        largest = largest.max(k);
    }
    largest
}

#[offload(histogram, deterministic)]
fn weigh(keys: &[u64], weights: &mut [f64; 12]) {
    for &k in keys {
        weights[k as usize % 12] += k as f64 * 1e-3;
    }
}

#[offload(histogram)]
fn clamp(keys: &[u64], bins: &mut [u16; 5], lowest: &mut f32) {
    for &k in keys {
        bins[k as usize % 5] = bins[k as usize % 5].saturating_add(k as u16 & 0xfff);
        *lowest = lowest.min(k as f32);
    }
}

/// Signed: where overflow is checked ranks take turns.
#[offload(histogram)]
fn balance(keys: &[u64], of: &mut [i64; 3], least: usize) {
    assert!(keys.len() >= least, "too few keys");
    for &k in keys {
        of[k as usize % 3] -= k as i64;
    }
}

/// How many keys a rank has: none on some.
fn own(rank: usize) -> Vec<u64> {
    numbers([700, 0, 90_000, 13][rank % 4], rank).collect()
}

fn calls(_: &Universe, ranks: &Ranks<'_>) {
    let mine = own(ranks.rank());
    let all: Vec<u64> = (0..ranks.size()).flat_map(own).collect();

    let (mut bins, mut expected) = (vec![1; 100_003], vec![1; 100_003]);
    let largest = count::across(ranks, &mine, &mut bins).unwrap();
    assert_eq!(largest, count(&all, &mut expected));
    assert_eq!(bins, expected);

    let mut weights = [0.5; 12];
    weigh::across(ranks, &mine, &mut weights).unwrap();
    let mut expected = [0.5; 12];
    if ranks.size() == 1 {
        weigh(&mine, &mut expected);
    } else {
        for rank in 0..ranks.size() {
            let mut part = [-0.0; 12];
            weigh(&own(rank), &mut part);
            expected.iter_mut().zip(part).for_each(|(e, p)| *e += p);
        }
    }
    assert_eq!(weights, expected);

    let (mut bins, mut lowest) = ([40_000; 5], f32::NAN);
    clamp::across(ranks, &mine, &mut bins, &mut lowest).unwrap();
    let (mut expected, mut expected_lowest) = ([40_000; 5], f32::NAN);
    clamp(&all, &mut expected, &mut expected_lowest);
    assert_eq!((bins, lowest), (expected, expected_lowest));

    let (mut of, mut expected) = ([7; 3], [7; 3]);
    balance::across(ranks, &mine, &mut of, 0).unwrap();
    balance(&all, &mut expected, 0);
    assert_eq!(of, expected);
}

/// Each rank fails in turn, before its loop and in it; the others are told, and the next call works.
fn faults(_: &Universe, ranks: &Ranks<'_>) {
    for _ in 0..5 {
        for failing in 0..ranks.size() {
            let fails = ranks.rank() == failing;
            let mut of = [7; 3];
            let least = if fails { 5 } else { 0 };
            let error = balance::across(ranks, &[1, 2, 3], &mut of, least).unwrap_err();
            assert_eq!(of, [7; 3]);
            told(&error, failing, "too few keys", ranks);

            let mut bins = vec![0; if fails { 5 } else { 100_003 }];
            let result = count::across(ranks, &[1, 6], &mut bins);
            match ranks.size() {
                1 => told(&result.unwrap_err(), 0, "index out of bounds", ranks),
                // The bins are of different lengths, and one rank's has failed over it: that comes first.
                _ => told(
                    &result.unwrap_err(),
                    failing,
                    "the len is 5 but the index is 6",
                    ranks,
                ),
            }
            assert!(bins.iter().all(|b| *b == 0));
        }
    }
    if ranks.size() > 1 {
        let mut bins = vec![0; 100_003 + ranks.rank()];
        let error = count::across(ranks, &[1], &mut bins).unwrap_err();
        assert!(matches!(error, Error::RanksDiffer { .. }), "{error}");
    }
    let mut bins = vec![0; 100_003];
    count::across(ranks, &[4], &mut bins).unwrap();
    assert_eq!(bins[4] as usize, ranks.size());
}

/// What the kernels of all ranks fill is combined on their GPUs, where each has one; where not, all get the same error.
#[cfg(feature = "cuda")]
fn devices(universe: &Universe, ranks: &Ranks<'_>) {
    use accrue::{Device, with_device};

    #[offload(histogram, require = "cuda")]
    fn many(keys: &[u64], sums: &mut [f64], highest: &mut [i64], odd: &mut [u32]) {
        for &k in keys {
            let at = k as usize % sums.len();
            sums[at] += (k % 16) as f64;
            highest[at] = highest[at].max(k as i64);
            odd[at] ^= k as u32;
        }
    }
    let of = |mine: &[u64], across: Option<&Ranks<'_>>| {
        // Long enough to be combined there.
        let mut sums = vec![0.5; 70_011];
        let (mut highest, mut odd) = (vec![-3; 70_011], vec![9; 70_011]);
        match across {
            Some(ranks) => many::across(ranks, mine, &mut sums, &mut highest, &mut odd).unwrap(),
            None => many(mine, &mut sums, &mut highest, &mut odd),
        }
        (sums, highest, odd)
    };
    // None is empty, so that each has a kernel.
    let own = |rank| numbers(50_000 + 999 * rank, rank).collect::<Vec<_>>();
    let all: Vec<u64> = (0..ranks.size()).flat_map(own).collect();
    let expected = with_device(Device::Seq, || of(&all, None));
    let device = Device::Cuda(ranks.rank() as u32);
    for (name, made) in [
        (
            "NCCL",
            with_device(device, || {
                Ranks::of(universe, ranks.communicator()).with_nccl()
            }),
        ),
        (
            "CUDA-aware MPI",
            Ranks::of(universe, ranks.communicator()).with_cuda_aware_mpi(),
        ),
    ] {
        let mut texts = [0; 64];
        let text = made
            .as_ref()
            .map_or_else(Error::to_string, |_| String::new());
        for (to, byte) in texts.iter_mut().zip(text.bytes()) {
            *to = byte;
        }
        let mut gathered = vec![0; 64 * ranks.size()];
        ranks
            .all_gather(Values::U8(&mut texts), Values::U8(&mut gathered))
            .unwrap();
        let same = gathered.chunks(64).all(|other| other == texts);
        assert!(same, "ranks differ about {name}: {text}");
        match made {
            Ok(ranks) => {
                for _ in 0..3 {
                    let got = with_device(device, || of(&own(ranks.rank()), Some(&ranks)));
                    assert!(got == expected, "{name}");
                }
                // A rank that is elsewhere has all bring theirs.
                let first = if ranks.rank() == 0 {
                    Device::Cpu
                } else {
                    device
                };
                let got = with_device(first, || of(&own(ranks.rank()), Some(&ranks)));
                assert!(got == expected, "{name}, one on the CPU");
            }
            Err(error) if ranks.rank() == 0 => println!("without {name}: {error}"),
            Err(_) => {}
        }
    }
}

fn told(error: &Error, rank: usize, message: &str, ranks: &Ranks<'_>) {
    let text = error.to_string();
    assert!(text.contains(message), "{text}");
    assert!(
        ranks.size() == 1 || text.starts_with(&format!("rank {rank}: ")),
        "{text}"
    );
}

fn main() {
    let universe = accrue_mpi::initialize().expect("MPI");
    let ranks = Ranks::world(&universe);
    // A rank that panics would leave the others waiting.
    let hook = std::panic::take_hook();
    #[allow(clippy::type_complexity)]
    let checks: &[(&str, fn(&Universe, &Ranks<'_>))] = &[
        ("reductions", reductions),
        ("movements", movements),
        ("calls", calls),
        ("faults", faults),
        #[cfg(feature = "cuda")]
        ("devices", devices),
    ];
    for (name, check) in checks {
        // Panics in loops are what some checks are about.
        std::panic::set_hook(Box::new(|_| {}));
        let result =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(&universe, &ranks)));
        if let Err(panic) = result {
            let text = panic.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
            eprintln!(
                "rank {}: {name}: {}",
                ranks.rank(),
                text.unwrap_or("a panic")
            );
            mpi_abort(&ranks);
        }
        if ranks.rank() == 0 {
            println!("{name}: well on {} ranks", ranks.size());
        }
    }
    std::panic::set_hook(hook);
}

fn mpi_abort(ranks: &Ranks<'_>) -> ! {
    use accrue_mpi::mpi::traits::Communicator;
    ranks.communicator().abort(1)
}
