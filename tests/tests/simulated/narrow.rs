//! Inner loops whose indices are computed in 32 bits where they fit, over numbers that do and that do not: the interpreter decides.

use accrue_compiler::emit_ptx::{Options, emit};
use accrue_compiler::ir::{Access, ArrayId, Scalar};
use accrue_tests::data::{Data, Param, params};
use accrue_tests::oracle;
use accrue_tests::simulated::{Outcome, run};

use super::variation;

/// Numbers that floats become indices from: none, beyond 32 bits and 64, between them, below 0.
const FLOATS: [f64; 12] = [
    0.5,
    -3.0,
    1e9,
    4.3e9,
    4_294_967_296.0,
    1e18,
    1e30,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    77.0,
    149.6,
];

/// Numbers of a call by which products wrap around in 32 bits, in 64, and not at all.
const NUMBERS: [u64; 14] = [
    0,
    1,
    2,
    5,
    40,
    147,
    300,
    (1 << 31) + 1,
    (1 << 32) - 1,
    1 << 32,
    3 << 32,
    (1 << 33) + 7,
    (1 << 62) + 3,
    u64::MAX,
];

/// Loops with the words of their kernels that say how an index is computed.
const LOOPS: [(&str, &[&str]); 8] = [
    (
        "fn f(a: &[u32], p: usize, n: usize, out: &mut [u64]) {
            for y in 0..out.len() {
                let mut s = 0u64;
                for k in 0..n {
                    s += a[(y + k) % 3 * p + (k * k).min(5)] as u64;
                }
                out[y] = s;
            }
        }",
        &["mul.lo.u32 %r_narrow", "add.u32 %r_narrow"],
    ),
    (
        "fn f(a: &[u32], p: usize, n: usize, xs: &[f32], out: &mut [u64]) {
            for y in 0..out.len() {
                let mut s = 0u64;
                for k in 0..n {
                    let i = (xs[(y + k) % xs.len()] * k as f32) as usize;
                    s += a[i.min(p - 1) + (k + 1) % 2] as u64;
                }
                out[y] = s;
            }
        }",
        &["cvt.rzi.u32.f32"],
    ),
    (
        // What is cut off once is read once more as it is.
        "fn f(a: &[u32], p: usize, n: usize, xs: &[f64], out: &mut [u64]) {
            for y in 0..out.len() {
                let mut s = 0u64;
                for k in 0..n {
                    let i = xs[(y * 3 + k) % xs.len()] as usize;
                    s += a[i.min(a.len() - 1)] as u64;
                    if i > p { s += i as u64 >> 10; }
                }
                out[y] = s;
            }
        }",
        &["cvt.rzi.u64.f64"],
    ),
    (
        "fn f(a: &[u32], p: usize, n: usize, out: &mut [u64]) {
            for y in 0..out.len() {
                let mut s = 0u64;
                for k in 0..n {
                    let at = (k * p) % 5 + (y * p).saturating_sub(y * p) + k / p.max(1);
                    s += a[at] as u64 + a[(k * 3).min(a.len() - 1)] as u64;
                }
                out[y] = s;
            }
        }",
        &["mul.lo.u32 %r_narrow"],
    ),
    (
        "fn f(a: &[u32], rows: &[u8], p: usize, n: usize, out: &mut [u64]) {
            for y in 0..out.len() {
                let mut s = 0u64;
                for k in 0..n {
                    s += a[rows[(y + k * k) % rows.len()] as usize * p + k / 2] as u64;
                }
                out[y] = s;
            }
        }",
        &["mul.lo.u32 %r_narrow"],
    ),
    (
        // Of 0 columns each is the first, however far apart.
        "fn f(a: &[u32], p: usize, n: usize, out: &mut [u64]) {
            for y in 0..out.len() {
                let mut s = 0u64;
                for k in 0..n {
                    s += a[k / n * p + (k + y).max(3) % 200] as u64;
                }
                out[y] = s;
            }
        }",
        &["mul.lo.u32 %r_narrow"],
    ),
    (
        // A constant that does not fit.
        "fn f(a: &[u32], p: usize, n: usize, out: &mut [u64]) {
            for y in 0..out.len() {
                let mut s = 0u64;
                for k in 0..n {
                    s += a[((k + p) * 3).min(0xffff_ffff_ffff).min(7) + y] as u64;
                }
                out[y] = s;
            }
        }",
        &["mul.lo.u32 %r_narrow"],
    ),
    (
        "fn f(a: &[u32], p: usize, n: usize, h: &mut [u64]) {
            for y in 0..n {
                for k in 0..n {
                    let (i, j) = ((y as f32 * 0.7 - 2.0) as usize, (k as f32 * 0.3) as usize);
                    h[(a[i.min(6) * p + j.min(p - 1)] % 8) as usize] += 1;
                }
            }
        }",
        &[],
    ),
];

fn data(params: &[Param], p: u64, seed: u64) -> Data {
    let mut data = Data::default();
    for (n, param) in params.iter().enumerate() {
        let bytes = match (param.name.as_str(), param.scalar) {
            ("p", _) => p.to_ne_bytes().to_vec(),
            ("n", _) => [1u64, 9, 13, 3][seed as usize % 4].to_ne_bytes().to_vec(),
            (_, Scalar::F32) => FLOATS
                .iter()
                .flat_map(|x| (*x as f32).to_ne_bytes())
                .collect(),
            (_, Scalar::F64) => FLOATS.iter().flat_map(|x| x.to_ne_bytes()).collect(),
            (_, of) => {
                let size = of.size() as usize;
                let count = [300, 50, 40, 30][n.min(3)];
                let numbered = |i: u64| i.wrapping_mul(2_654_435_761).to_ne_bytes();
                (0..count)
                    .flat_map(|i| numbered(i)[..size].to_vec())
                    .collect()
            }
        };
        data.0.insert(param.name.clone(), bytes);
    }
    data
}

#[test]
fn what_does_not_fit_32_bits_is_computed_in_64() {
    let (mut done, mut faults) = (0, 0);
    for (source, words) in LOOPS {
        let analysis = oracle::analyze_any(source).unwrap_or_else(|e| panic!("{source}: {e:?}"));
        let plan = &analysis.loops[0];
        let params = params(&analysis.function);
        let ir = plan.kernel_ir();
        let modules = emit(
            ir,
            &plan.kernel_pattern(),
            &analysis.sources,
            &Options::default(),
        );
        let modules = modules.unwrap_or_else(|o| panic!("{source}: {o:?}"));
        for (n, module) in modules.iter().enumerate() {
            let text = module.text();
            for word in words {
                assert!(text.contains(word), "no {word} in\n{text}");
            }
            for (seed, p) in NUMBERS.into_iter().enumerate() {
                let seed = seed as u64;
                let data = data(&params, p, seed);
                let mut expected = oracle::kernel_state(plan, &params, &data);
                expected.overflow_checks = false;
                let fault = expected.interpret(&plan.pattern).err();
                let mut state = oracle::kernel_state(plan, &params, &data);
                let outcome = run(module, ir, &plan.pattern, &mut state, variation(seed, n));
                match (&outcome, &fault) {
                    (Outcome::Unsuitable(_), _) => continue,
                    (Outcome::Done, None) => done += 1,
                    (Outcome::Fault(at, message), Some(fault)) => {
                        let told = (fault.iteration, fault.kind.to_string());
                        assert_eq!((*at, message.clone()), told, "p = {p}\n{source}");
                        faults += 1;
                        continue;
                    }
                    _ => panic!("p = {p}: {outcome:?}, not {fault:?}\n{source}\n{text}"),
                }
                for (id, array) in ir.arrays.iter().enumerate() {
                    if matches!(array.access, Access::Owned | Access::Updated) {
                        let id = ArrayId(id as u32);
                        assert_eq!(state.bytes(id), expected.bytes(id), "p = {p}\n{source}");
                    }
                }
            }
        }
    }
    assert!(done > 50 && faults > 20, "{done} {faults}");
}
