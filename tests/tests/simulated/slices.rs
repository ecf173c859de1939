//! Loops whose outer one chooses a slice of the bins, which a gang keeps: the interpreter decides.

use accrue_compiler::emit_ptx::{Options, emit};
use accrue_compiler::ir::{Access, ArrayId};
use accrue_ptx::abi::Strategy;
use accrue_tests::data::{Data, Param, params};
use accrue_tests::oracle;
use accrue_tests::simulated::{Outcome, run};

use super::variation;

/// Loops, with the bins of a slice.
const LOOPS: [(&str, u64); 17] = [
    (
        "fn f(a: &[u32], b: &[u32], h: &mut [[[u64; 8]; 8]]) {
            for x in a {
                for y in b {
                    let of_x = x.count_ones() % 8;
                    let of_y = y.count_ones() % 8;
                    h[of_x as usize][of_y as usize][((x & y) % 8) as usize] += 1;
                }
            }
        }",
        64,
    ),
    (
        // What the outer loop declares for the inner one.
        "fn f(a: &[u32], b: &[u32], h: &mut [[u64; 16]]) {
            for x in a {
                let row = (x >> 3) as usize % 9;
                for y in b {
                    if y % 5 == 1 { continue; }
                    h[row][(x ^ y) as usize % 16] += 1;
                }
            }
        }",
        16,
    ),
    (
        // An index that is a sum, written in two ways.
        "fn f(n: usize, size: usize, b: &[u8], h: &mut [u32]) {
            for i in 0..n {
                for k in 0..size {
                    h[i * 256 + b[(i * size + k) % b.len()] as usize] += 1;
                }
            }
        }",
        256,
    ),
    (
        "fn f(n: usize, size: usize, b: &[u8], h: &mut [i64]) {
            for i in 0..n {
                let first = i * 40;
                for k in 0..size {
                    let v = b[(i * 3 + k * k) % b.len()];
                    h[first + (v >> 3) as usize + 2] -= v as i64;
                }
            }
        }",
        32,
    ),
    (
        // Rows of their own, of lengths that only the data know.
        "fn f(starts: &[u8], n: usize, b: &[u8], h: &mut [[u32; 20]]) {
            for i in 0..n {
                let (first, last) = (starts[2 * i] as usize, starts[2 * i + 1] as usize);
                for k in first..last {
                    h[i][(b[k % b.len()] % 20) as usize] += 3;
                }
            }
        }",
        20,
    ),
    (
        // Bytes of rows that lie behind each other.
        "fn f(a: &[[u8; 200]], h: &mut [[u64; 256]]) {
            for (i, row) in a.iter().enumerate() {
                for &v in row { h[i][v as usize] += 2; }
            }
        }",
        256,
    ),
    (
        "fn f(n: usize, size: usize, b: &[u16], c: &[u16], h: &mut [[i32; 8]]) {
            for i in 0..n {
                for k in 0..size {
                    h[i][(b[i * size + k] % 9) as usize] += c[i * size + k] as i32;
                }
            }
        }",
        8,
    ),
    (
        // The same in floats, and with bins that run out.
        "fn f(starts: &[u8], v: &[f32], h: &mut [[f32; 7]]) {
            for i in 0..starts.len() {
                for k in 0..starts[i] as usize {
                    h[i][k % 8 - k % 8 / 7] += v[k % v.len()];
                }
            }
        }",
        7,
    ),
    (
        // Three updates of one slice.
        "fn f(n: usize, w: usize, b: &[u8], h: &mut [[[u32; 8]; 3]]) {
            for i in 0..n {
                for y in 0..w {
                    for x in 0..w {
                        let at = ((i * w + y) * w + x) * 3;
                        h[i][0][(b[at % b.len()] % 8) as usize] += 1;
                        h[i][1][(b[(at + 1) % b.len()] % 8) as usize] += 1;
                        h[i][2][(b[(at + 2) % b.len()] % 8) as usize] += 1;
                    }
                }
            }
        }",
        24,
    ),
    (
        // Each value is another constant's multiple: words in two halves.
        "fn f(a: &[u32], b: &[u32], h: &mut [[u64; 5]]) {
            for x in a {
                for y in b {
                    h[(x % 6) as usize][(y % 5) as usize] += *x as u64 * *y as u64;
                }
            }
        }",
        5,
    ),
    (
        "fn f(a: &[u32], b: &[u32], h: &mut [[u32; 9]]) {
            for x in a {
                for y in b {
                    let at = &mut h[(x % 6) as usize][(y % 9) as usize];
                    *at = (*at).max(x ^ y);
                }
            }
        }",
        9,
    ),
    (
        // What is declared first may fail, also where the inner loop is empty.
        "fn f(n: usize, a: &[u32], b: &[u32], h: &mut [[u32; 9]]) {
            for i in 0..n {
                let x = a[i];
                for y in b {
                    h[(x % 6) as usize][(y % 9) as usize] += 1;
                }
            }
        }",
        9,
    ),
    (
        // The first bin that is out of range is the earliest iteration's.
        "fn f(a: &[u32], b: &[u32], h: &mut [[u32; 9]]) {
            for x in a {
                for y in b {
                    h[(x % 40) as usize][((x + y) % 11) as usize] += 1;
                }
            }
        }",
        9,
    ),
    (
        // A part of the sum that the inner loop's own part may carry over.
        "fn f(n: usize, m: usize, b: &[u8], h: &mut [u32]) {
            for i in 0..n {
                for k in 0..m {
                    h[(k % 4) * 2 + i * 9 + (b[k % b.len()] & 12) as usize] += 1;
                }
            }
        }",
        19,
    ),
    (
        // Slices that begin before the first bin.
        "fn f(n: usize, size: usize, b: &[u8], h: &mut [u32]) {
            for i in 0..n {
                for k in 0..size {
                    h[i * 2 - 5 + (b[k % b.len()] % 30 + 5 - (i as u8 * 2).min(5)) as usize] += 1;
                }
            }
        }",
        256,
    ),
    (
        "fn f(n: usize, size: usize, b: &[u8], h: &mut [u64]) {
            for i in 0..n {
                for k in 0..size {
                    h[i - 1 + (1 + b[k % b.len()] % 7) as usize] += 1;
                }
            }
        }",
        8,
    ),
    (
        // An outer loop that is counted from elsewhere.
        "fn f(n: usize, m: usize, b: &[u8], h: &mut [[u16; 16]]) {
            for i in n..n + 5 {
                for k in 0..m {
                    h[i - n][(b[(k + i) % b.len()] % 16) as usize] += 257;
                }
            }
        }",
        16,
    ),
];

/// Sizes of a call: of numbers, and of slices.
const SIZES: [(u64, usize); 6] = [(0, 3), (1, 1), (3, 40), (7, 200), (2, 1300), (12, 17)];

fn data(params: &[Param], bins: usize, (number, length): (u64, usize), seed: u64) -> Data {
    let mut data = Data::default();
    for (n, param) in params.iter().enumerate() {
        let word = |i: usize| {
            let mixed = (i as u64 + seed).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            (mixed >> 29) ^ mixed
        };
        let bytes = match param.name.as_str() {
            "n" => number.to_ne_bytes().to_vec(),
            "size" | "m" => (length as u64).to_ne_bytes().to_vec(),
            "w" => (length as u64).isqrt().to_ne_bytes().to_vec(),
            "v" => (0..length)
                .flat_map(|i| ((word(i) % 64) as f32).to_ne_bytes())
                .collect(),
            "h" => vec![0; param.scalar.size() as usize * bins * 40],
            _ => {
                // Whole rows; products of sizes where they lie in one.
                let count = match param.name.as_str() {
                    "a" if n == 0 && bins == 256 => number as usize * 200,
                    _ if n == 0 => number as usize * 3,
                    "b" | "c" if seed % 4 == 1 => length * number as usize,
                    _ => length,
                };
                let size = param.scalar.size() as usize;
                (0..count)
                    .flat_map(|i| word(i).to_ne_bytes()[..size].to_vec())
                    .collect()
            }
        };
        data.0.insert(param.name.clone(), bytes);
    }
    data
}

#[test]
fn slices_are_what_the_sequential_loop_leaves() {
    let (mut done, mut faults) = (0, 0);
    for (source, bins) in LOOPS {
        let analysis = oracle::analyze(source).unwrap_or_else(|e| panic!("{source}: {e:?}"));
        let plan = &analysis.loops[0];
        let params = params(&analysis.function);
        let (ir, pattern) = (plan.kernel_ir(), plan.kernel_pattern());
        let options = Options {
            strategies: vec![Strategy::GangSlice],
            ..Options::default()
        };
        let modules = emit(ir, &pattern, &analysis.sources, &options);
        let modules = modules.unwrap_or_else(|o| panic!("{source}: {o:?}"));
        let [module] = &modules[..] else {
            panic!("{} modules of\n{source}", modules.len());
        };
        let slice = module.abi.targets[0].slice;
        assert_eq!(slice, Some(bins), "{source}");
        for (seed, size) in SIZES.into_iter().enumerate() {
            for turn in 0..3 {
                let seed = seed as u64;
                let data = data(&params, bins as usize, size, seed);
                let mut expected = oracle::kernel_state(plan, &params, &data);
                expected.overflow_checks = false;
                let fault = expected.interpret(&pattern).err();
                let mut state = oracle::kernel_state(plan, &params, &data);
                let how = variation(seed * 3 + turn, turn as usize);
                let outcome = run(module, ir, &pattern, &mut state, how);
                match (&outcome, &fault) {
                    (Outcome::Done, None) => done += 1,
                    (Outcome::Fault(at, message), Some(fault)) => {
                        let told = (fault.iteration, fault.kind.to_string());
                        assert_eq!((*at, message.clone()), told, "{size:?}\n{source}");
                        faults += 1;
                        continue;
                    }
                    _ => panic!("{size:?}: {outcome:?}, not {fault:?}\n{source}"),
                }
                for (id, array) in ir.arrays.iter().enumerate() {
                    if array.access == Access::Updated {
                        let id = ArrayId(id as u32);
                        assert_eq!(state.bytes(id), expected.bytes(id), "{size:?}\n{source}");
                    }
                }
            }
        }
    }
    assert!(done > 150 && faults > 20, "{done} {faults}");
}

/// What no gang could keep a slice of.
#[test]
fn bins_that_the_inner_loop_chooses_are_in_no_slice() {
    for source in [
        // The first index is the inner loop's.
        "fn f(a: &[u32], b: &[u32], h: &mut [[u32; 9]]) {
            for x in a { for y in b { h[(y % 6) as usize][(x % 9) as usize] += 1; } }
        }",
        // Two slices in one iteration.
        "fn f(a: &[u32], b: &[u32], h: &mut [[u32; 9]]) {
            for x in a { for y in b {
                h[(x % 6) as usize][(y % 9) as usize] += 1;
                h[(x % 5) as usize][(y % 9) as usize] += 1;
            } }
        }",
        // Nobody knows how far a bin is from the first one.
        "fn f(n: usize, size: usize, b: &[u32], h: &mut [u32]) {
            for i in 0..n { for k in 0..size { h[i * 256 + b[k] as usize] += 1; } }
        }",
        // A difference may be anything.
        "fn f(n: usize, size: usize, b: &[u8], h: &mut [u32]) {
            for i in 0..n { for k in 0..size { h[i * 256 + 255 - b[k] as usize] += 1; } }
        }",
        // What is added was changed meanwhile.
        "fn f(n: usize, size: usize, b: &[u8], h: &mut [u32]) {
            for i in 0..n { for k in 0..size {
                let mut row = i;
                if b[k] > 9 { row += 1; }
                h[row * 256 + b[k] as usize] += 1;
            } }
        }",
    ] {
        let analysis = oracle::analyze(source).unwrap_or_else(|e| panic!("{source}: {e:?}"));
        let plan = &analysis.loops[0];
        let options = Options::default();
        let pattern = plan.kernel_pattern();
        let modules = emit(plan.kernel_ir(), &pattern, &analysis.sources, &options);
        let modules = modules.unwrap_or_else(|o| panic!("{source}: {o:?}"));
        let takes = |m: &accrue_ptx::abi::Module| m.abi.strategy == Strategy::GangSlice;
        assert!(!modules.iter().any(takes), "{source}");
    }
}
