//! The functions that a loop may stand in: generic ones, methods, with statements around the loop, with
//! several loops, made by macros.

use accrue::offload;

use crate::{everywhere, keys};

#[offload(histogram)]
fn generic<T: Copy + Into<u64> + Sync>(keys: &[T], h: &mut [u64]) {
    for &k in keys {
        let k: u64 = k.into();
        h[(k % 16) as usize] += 1;
    }
}

#[offload(histogram)]
fn sized<const N: usize>(keys: &[u32], h: &mut [u32; N]) {
    for &k in keys {
        h[k as usize % N] += 1;
    }
}

#[offload(histogram)]
fn around(text: &str, h: &mut [u32; 26]) -> Result<usize, String> {
    if text.is_empty() {
        return Err("no text".to_string());
    }
    let lower = text.to_lowercase();
    let bytes = lower.as_bytes();
    for &b in bytes {
        if b.is_ascii_lowercase() {
            h[(b - b'a') as usize] += 1;
        }
    }
    let most = h.iter().enumerate().max_by_key(|(_, count)| **count);
    Ok(most.map_or(0, |(i, _)| i))
}

#[offload(histogram)]
fn several(keys: &[u32], h: &mut [u32; 16], g: &mut [u32; 16]) {
    for &k in keys {
        h[(k % 16) as usize] += 1;
    }
    for i in 1..keys.len() {
        g[(keys[i] ^ keys[i - 1]) as usize % 16] += 1;
    }
    for &k in keys {
        h[(k / 16) as usize % 16] += 2;
    }
}

#[offload(histogram)]
fn local_bins(keys: &[u32]) -> Vec<u32> {
    let mut h = vec![0u32; 32];
    for &k in keys {
        h[(k % 32) as usize] += 1;
    }
    h
}

/// A histogram that knows its range.
struct Range {
    low: f32,
    width: f32,
    bins: Vec<u32>,
}

impl Range {
    #[offload(histogram, module = false)]
    fn fill(&mut self, values: &[f32]) {
        for v in values {
            self.bins[((v - self.low) / self.width) as usize] += 1;
        }
    }
}

#[offload(histogram)]
impl Range {
    /// Nothing here says that it stands in an `impl`.
    fn counted(values: &[u32], most: usize) -> Vec<u32> {
        let mut bins = vec![0u32; most];
        for v in values {
            bins[*v as usize] += 1;
        }
        bins
    }
}

macro_rules! counters {
    ($($name:ident: $t:ty => $bin:ty),*) => {$(
        #[offload(histogram)]
        fn $name(keys: &[$t], h: &mut [$bin]) {
            for &k in keys {
                h[k as usize % 10] += 1 as $bin;
            }
        }
    )*};
}

counters!(bytes: u8 => u16, shorts: i16 => f32, longs: u64 => i64);

#[test]
fn generic_functions_work() {
    everywhere(|| {
        let (mut a, mut b) = ([0u64; 16], [0u64; 16]);
        generic(&keys(9000, 16), &mut a);
        let bytes: Vec<u8> = keys(9000, 16).iter().map(|&k| k as u8).collect();
        generic(&bytes, &mut b);
        assert_eq!(a, b);
        assert_eq!(a.iter().sum::<u64>(), 9000);
        let (mut three, mut seven) = ([0u32; 3], [0u32; 7]);
        sized(&keys(700, 1000), &mut three);
        sized(&keys(700, 1000), &mut seven);
        assert_eq!(
            (three.iter().sum::<u32>(), seven.iter().sum::<u32>()),
            (700, 700)
        );
    });
}

#[test]
fn statements_around_the_loop_stay_where_they_are() {
    everywhere(|| {
        let mut h = [0u32; 26];
        assert_eq!(around("", &mut h), Err("no text".to_string()));
        assert_eq!(
            around("Hello, World! Lullaby.", &mut h),
            Ok(usize::from(b'l' - b'a'))
        );
        assert_eq!(h[usize::from(b'l' - b'a')], 6);
    });
}

#[test]
fn each_loop_of_a_function_runs_in_its_turn() {
    let keys = keys(20_000, 1000);
    let (mut h, mut g) = ([3u32; 16], [4u32; 16]);
    for &k in &keys {
        h[(k % 16) as usize] += 1;
        h[(k / 16) as usize % 16] += 2;
    }
    for pair in keys.windows(2) {
        g[(pair[0] ^ pair[1]) as usize % 16] += 1;
    }
    everywhere(|| {
        let (mut a, mut b) = ([3u32; 16], [4u32; 16]);
        several(&keys, &mut a, &mut b);
        assert_eq!((a, b), (h, g));
    });
}

#[test]
fn bins_may_be_local() {
    everywhere(|| {
        let h = local_bins(&keys(30_000, 64));
        assert_eq!(h.len(), 32);
        assert_eq!(h.iter().sum::<u32>(), 30_000);
    });
}

#[test]
fn methods_work_without_a_module() {
    everywhere(|| {
        let mut range = Range {
            low: -1.0,
            width: 0.5,
            bins: vec![0; 4],
        };
        range.fill(&[-1.0, -0.6, 0.0, 0.9, 0.4, -0.1]);
        assert_eq!(range.bins, [2, 1, 2, 1]);
        assert_eq!(Range::counted(&[1, 2, 1, 3], 4), [0, 2, 1, 1]);
    });
}

#[test]
fn functions_made_by_macros_work() {
    everywhere(|| {
        let (mut a, mut b, mut c) = ([0u16; 10], [0f32; 10], [0i64; 10]);
        bytes(&[1, 2, 1, 11], &mut a);
        shorts(&[1, 2, 1, 11], &mut b);
        longs(&[1, 2, 1, 11], &mut c);
        assert_eq!(a[1..3], [3, 1]);
        assert_eq!(b[1..3], [3.0, 1.0]);
        assert_eq!(c[1..3], [3, 1]);
    });
}

#[test]
fn the_module_beside_the_function_explains_it_and_calls_it() {
    let text = several::explain();
    for part in [
        "several",
        "loop 0",
        "loop 1",
        "loop 2",
        "h += v",
        "g[(keys[i] ^ keys[i - 1])",
    ] {
        assert!(text.contains(part), "`{part}` in: {text}");
    }
    let mut h = [0u32; 16];
    several::try_call(&[1, 2, 3], &mut h, &mut [0; 16]).expect("no device fails");
    assert_eq!(h.iter().sum::<u32>(), 9);
}

/// What comes out right may have come from the CPU; this has not.
#[cfg(feature = "sim")]
#[test]
fn a_call_on_the_simulator_runs_kernels() {
    let mut h = [0u32; 16];
    accrue::with_device(accrue::Device::Sim, || {
        several(&keys(500, 999), &mut h, &mut [0; 16])
    });
    assert_eq!(h.iter().sum::<u32>(), 1500);
    let text = several::explain();
    assert_eq!(
        text.matches(" gangs of ").count(),
        3,
        "each loop tells of its last run: {text}"
    );
}
