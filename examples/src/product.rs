//! One plain triple loop, run in the ways that the thesis on GPU image processing tried one after the other (its chapter 3): what neighbouring
//! threads read, tiles in shared memory, unrolling, loading ahead, more results a thread; and as it is cut today.
//!
//! Each way is the same loop under other parameters of its strategy. The example `matrix_product` shows them, `accrue-bench papers` has them in a table.

use accrue::{Error, Resident, Stream, offload};

/// Queues a product of square matrices: their side, both factors, and where it goes.
pub type Queue =
    fn(&Stream, usize, &Resident<f32>, &Resident<f32>, &mut Resident<f32>) -> Result<(), Error>;

/// A way to compute it.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// Which step of the study it belongs to.
    pub step: &'static str,
    /// What it is called there.
    pub name: &'static str,
    /// What is asked for.
    pub strategy: &'static str,
    /// Whether products are fused with their sums.
    pub fused: bool,
    /// The loop.
    pub queue: Queue,
}

impl Way {
    /// Whether each product is rounded together with its sum: by kernels where that is let, by cores where they have an instruction for it as well.
    pub fn fuses(&self, cores: bool) -> bool {
        #[cfg(target_arch = "x86_64")]
        let can = std::arch::is_x86_feature_detected!("fma");
        #[cfg(not(target_arch = "x86_64"))]
        let can = cfg!(target_arch = "aarch64");
        self.fused && (can || !cores)
    }
}

/// The loop under the attribute's arguments, for each way of each step; and a table of them.
macro_rules! ways {
    ($($step:literal { $($name:literal $function:ident($strategy:literal $(, $contract:ident)?))* })*) => {
        $($(
            /// The product of two square matrices.
            #[offload(strategy = $strategy $(, $contract)?)]
            pub fn $function(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
                for i in 0..n {
                    for j in 0..n {
                        let mut sum = 0.0;
                        for k in 0..n {
                            sum += a[i * n + k] * b[k * n + j];
                        }
                        c[i * n + j] = sum;
                    }
                }
            }
        )*)*

        /// Those that the strategy's parameters tell apart.
        const CUT: &[Way] = &[$($(Way {
            step: $step,
            name: $name,
            strategy: $strategy,
            fused: !stringify!($($contract)?).is_empty(),
            queue: |stream, n, a, b, c| $function::on_stream(stream, n, a, b, c),
        },)*)*];
    };
}

ways! {
    "threads side by side" { "across" across("grid") }
    "tiles" {
        "4 x 4" tile_4("contract:tile=4,unroll=1,prefetch=0")
        "8 x 8" tile_8("contract:tile=8,unroll=1,prefetch=0")
        "16 x 16" tile_16("contract:tile=16,unroll=1,prefetch=0")
    }
    "unrolled" {
        "4 x 4" unrolled_4("contract:tile=4,unroll=4,prefetch=0")
        "8 x 8" unrolled_8("contract:tile=8,unroll=8,prefetch=0")
        "16 x 16" unrolled_16("contract:tile=16,unroll=16,prefetch=0")
    }
    "prefetch" {
        "4 x 4" ahead_4("contract:tile=4,unroll=4,prefetch=1")
        "8 x 8" ahead_8("contract:tile=8,unroll=8,prefetch=1")
        "16 x 16" ahead_16("contract:tile=16,unroll=16,prefetch=1")
    }
    "1 x 2 a thread" {
        "4 x 4" two_4("contract:tile=4x8x4,per_thread=1x2,unroll=4,prefetch=1")
        "8 x 8" two_8("contract:tile=8x16x8,per_thread=1x2,unroll=8,prefetch=1")
        "16 x 16" two_16("contract:tile=16x32x16,per_thread=1x2,unroll=16,prefetch=1")
    }
    "1 x 4 a thread" {
        "4 x 4" four_4("contract:tile=4x16x4,per_thread=1x4,unroll=4,prefetch=1")
        "8 x 8" four_8("contract:tile=8x32x8,per_thread=1x4,unroll=8,prefetch=1")
        "16 x 16" four_16("contract:tile=16x64x16,per_thread=1x4,unroll=16,prefetch=1")
    }
    "today" {
        "2 x 2" two_by_two("contract:tile=32x32x16,per_thread=2x2,unroll=4,prefetch=1")
        "4 x 4" four_by_four("contract:tile=64x64x16,per_thread=4x4,unroll=4,prefetch=1")
        "8 x 4" eight_by_four("contract:tile=64x128x16,per_thread=8x4,unroll=4,prefetch=1")
        "8 x 8" eight_by_eight("contract:tile=128x128x8,per_thread=8x8,unroll=2,prefetch=1")
        "8 x 4 fused" fused_four("contract:tile=64x128x16,per_thread=8x4,unroll=4,prefetch=1", contract)
        "8 x 8 fused" fused_eight("contract:tile=128x128x8,per_thread=8x8,unroll=2,prefetch=1", contract)
    }
}

/// The same loop with the columns outside: neighbouring threads have neighbouring rows, and read `a` far apart.
#[offload(strategy = "grid")]
pub fn down(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    for j in 0..n {
        for i in 0..n {
            let mut sum = 0.0;
            for k in 0..n {
                sum += a[i * n + k] * b[k * n + j];
            }
            c[i * n + j] = sum;
        }
    }
}

/// As accrue chooses.
#[offload]
pub fn auto(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    for i in 0..n {
        for j in 0..n {
            let mut sum = 0.0;
            for k in 0..n {
                sum += a[i * n + k] * b[k * n + j];
            }
            c[i * n + j] = sum;
        }
    }
}

/// As accrue chooses, where products may be fused with their sums.
#[offload(contract)]
pub fn auto_fused(n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    for i in 0..n {
        for j in 0..n {
            let mut sum = 0.0;
            for k in 0..n {
                sum += a[i * n + k] * b[k * n + j];
            }
            c[i * n + j] = sum;
        }
    }
}

/// As accrue chooses.
pub const AUTO: Way = Way {
    step: "today",
    name: "auto",
    strategy: "",
    fused: false,
    queue: |stream, n, a, b, c| auto::on_stream(stream, n, a, b, c),
};

/// The same, where products may be fused with their sums.
pub const FUSED: Way = Way {
    name: "auto fused",
    fused: true,
    queue: |stream, n, a, b, c| auto_fused::on_stream(stream, n, a, b, c),
    ..AUTO
};

/// All ways on a device with kernels, the simplest first.
pub fn ways() -> Vec<Way> {
    let down = Way {
        step: "threads side by side",
        name: "down",
        strategy: "grid",
        fused: false,
        queue: |stream, n, a, b, c| down::on_stream(stream, n, a, b, c),
    };
    let mut all = vec![down];
    all.extend(CUT);
    all.extend([AUTO, FUSED]);
    all
}

/// Two matrices with that many rows and columns, of numbers that round.
pub fn factors(n: usize, seed: u64) -> [Vec<f32>; 2] {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut matrix = || {
        let numbers = (0..n * n).map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 40) as f32 / (1u32 << 23) as f32 - 1.0
        });
        numbers.collect()
    };
    [matrix(), matrix()]
}

/// A row of the product, in the loop's order, by plain Rust: each product rounded, or fused with the sum.
pub fn row(n: usize, a: &[f32], b: &[f32], i: usize, fused: bool) -> Vec<f32> {
    let mut sums = vec![0.0f32; n];
    for k in 0..n {
        let x = a[i * n + k];
        for (sum, y) in sums.iter_mut().zip(&b[k * n..(k + 1) * n]) {
            *sum = match fused {
                true => x.mul_add(*y, *sum),
                false => *sum + x * *y,
            };
        }
    }
    sums
}

/// Some rows of a product, to compare what a way makes with: all of a small one, else some from all over it. Bit for bit.
#[derive(Debug)]
pub struct Sample {
    n: usize,
    rows: Vec<(usize, [Vec<f32>; 2])>,
}

impl Sample {
    /// Computes them.
    pub fn new(n: usize, [a, b]: &[Vec<f32>; 2]) -> Sample {
        const ALL: usize = 64;
        const ROWS: usize = 9;
        let some = || (0..ROWS).map(|r| r * (n - 1) / (ROWS - 1));
        let rows: Vec<usize> = if n <= ALL {
            (0..n).collect()
        } else {
            some().collect()
        };
        let of = |i| (i, [false, true].map(|fused| row(n, a, b, i, fused)));
        Sample {
            n,
            rows: rows.into_iter().map(of).collect(),
        }
    }

    /// Whether a product has them.
    pub fn is_of(&self, product: &[f32], fused: bool) -> bool {
        let n = self.n;
        let same = |x: &[f32], y: &[f32]| x.iter().zip(y).all(|(x, y)| x.to_bits() == y.to_bits());
        product.len() == n * n
            && self.rows.iter().all(|(i, of)| {
                let here = &product[i * n..(i + 1) * n];
                same(here, &of[usize::from(fused)])
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use accrue::{Device, with_device};

    #[test]
    fn a_sample_is_of_its_product_alone() {
        for n in [5, 70] {
            let of = factors(n, 3);
            let sample = Sample::new(n, &of);
            let mut c = vec![0.0; n * n];
            with_device(Device::Seq, || auto(n, &of[0], &of[1], &mut c));
            assert!(sample.is_of(&c, false));
            // Most sums are others where products are not rounded.
            assert!(!sample.is_of(&c, true));
            c[n * n - 1] = f32::from_bits(c[n * n - 1].to_bits() ^ 1);
            assert!(!sample.is_of(&c, false));
        }
    }

    #[test]
    fn names_are_unique_and_fused_ways_say_so() {
        let all = ways();
        for (at, way) in all.iter().enumerate() {
            let name = (way.step, way.name);
            assert!(
                all[..at].iter().all(|w| (w.step, w.name) != name),
                "{name:?}"
            );
            assert_eq!(way.fused, way.name.ends_with("fused"), "{name:?}");
        }
    }

    #[test]
    fn what_the_cpu_runs_is_the_loop() {
        let n = 33;
        let of = factors(n, 1);
        let sample = Sample::new(n, &of);
        let stream = Stream::on(Device::Cpu).expect("a stream of the CPU");
        let [a, b] = of.map(Resident::from);
        let mut ran = 0;
        for way in ways() {
            let mut c = Resident::from(vec![0.0; n * n]);
            match (way.queue)(&stream, n, &a, &b, &mut c) {
                Err(accrue::Error::StrategyNotApplicable { .. }) => continue,
                queued => queued.expect(way.name),
            }
            ran += 1;
            stream.sync().expect("it runs");
            assert!(
                sample.is_of(c.host(), way.fuses(true)),
                "{} {}",
                way.step,
                way.name
            );
        }
        // Cuts are of kernels; the choice is left to the others.
        assert!(ran >= 2, "{ran} ways ran");
    }
}
