//! Loops over planes and volumes whose threads take patches of rows and columns: all borders, narrow and odd widths, strides, slices that
//! start anywhere, faults. The interpreter is the judge, of every element.

use accrue_compiler::emit_ptx::{Options, emit};
use accrue_compiler::ir::{Access, ArrayId};
use accrue_compiler::plan::Analysis;
use accrue_ptx::abi::Module;
use accrue_ptx::plan::Wishes;
use accrue_tests::choices::Choices;
use accrue_tests::data::{Data, Form, Param, params};
use accrue_tests::oracle;
use accrue_tests::simulated::{Outcome, Variation, run};

/// A loop, and whether it is to be printed by patches of several columns.
struct Case {
    source: &'static str,
    strips: bool,
    /// Whether calls may fail: data are any numbers.
    faults: bool,
}

const fn strips(source: &'static str) -> Case {
    Case {
        source,
        strips: true,
        faults: false,
    }
}

const fn faulty(source: &'static str) -> Case {
    Case {
        source,
        strips: true,
        faults: true,
    }
}

/// Width, height, depth, and the stride of rows.
#[derive(Clone, Copy, Debug)]
struct Size {
    w: usize,
    h: usize,
    d: usize,
    stride: usize,
}

/// Data of a size. Arrays whose names end in `_s` have rows of `stride`, those in `_1` a row, those in `_c` a few elements.
fn data(params: &[Param], size: Size, choices: &mut Choices) -> Data {
    let Size { w, h, d, stride } = size;
    let mut data = Data::default();
    for param in params {
        let count = match (param.name.as_str(), param.form) {
            ("w" | "h" | "d" | "stride", _) => {
                let value = match param.name.as_str() {
                    "w" => w,
                    "h" => h,
                    "d" => d,
                    _ => stride,
                };
                data.0
                    .insert(param.name.clone(), value.to_ne_bytes().to_vec());
                continue;
            }
            (_, Form::Scalar) => 1,
            (_, Form::Fixed(n)) => n,
            (name, Form::Runtime(scalars)) => {
                scalars
                    * match name.rsplit_once('_').map_or("", |(_, end)| end) {
                        "s" => stride * h * d,
                        "1" => w,
                        "h" => h,
                        _ => w * h * d,
                    }
            }
            (_, Form::Str) => unreachable!("no loop here reads text"),
        };
        let size = param.scalar.size() as usize;
        // Some arrays hold nothing but the least and the largest numbers, or one of them.
        let ends = [0, 0, 0, 1, 2, 3][choices.below(6)];
        let bytes = (0..count).flat_map(|_| {
            let bits = match param.scalar.is_float() {
                true => {
                    let value = choices.below(4096) as f64 / 16.0 - 100.0;
                    match size {
                        4 => u64::from((value as f32).to_bits()),
                        _ => value.to_bits(),
                    }
                }
                false => match ends {
                    0 => choices.below(1 << 30) as u64 * 0x1_0000_4001,
                    1 => [0, u64::MAX][choices.below(2)],
                    2 => [0x80, 0x7f, 0xff, 0][choices.below(4)] * 0x0101_0101_0101_0101,
                    _ => u64::MAX,
                },
            };
            let bits = if param.scalar.name() == "bool" {
                bits & 1
            } else {
                bits
            };
            bits.to_ne_bytes()[..size].to_vec()
        });
        data.0.insert(param.name.clone(), bytes.collect());
    }
    data
}

/// Writes a module into the folder that `ACCRUE_DUMP` names, for `.ci/ptxas`.
fn dump(module: &Module) {
    let Some(folder) = std::env::var_os("ACCRUE_DUMP").filter(|folder| !folder.is_empty()) else {
        return;
    };
    let text = module.text();
    let name = text
        .bytes()
        .fold(0u64, |h, b| h.wrapping_mul(31).wrapping_add(b.into()));
    let file = std::path::Path::new(&folder).join(format!("strips_{name:016x}.ptx"));
    std::fs::create_dir_all(&folder).expect("ACCRUE_DUMP names a folder");
    std::fs::write(file, text.as_bytes()).expect("ACCRUE_DUMP is writable");
}

/// Runs the kernel of a loop over a size and compares what it leaves; whether it has been run.
fn agree(case: &Case, analysis: &Analysis, size: Size, how: Variation) -> bool {
    let source = case.source;
    let [plan] = &analysis.loops[..] else {
        panic!("one loop of\n{source}")
    };
    let params = params(&analysis.function);
    let data = data(&params, size, &mut Choices::seeded(how.seed));
    let mut expected = oracle::kernel_state(plan, &params, &data);
    match expected.counts(&plan.pattern) {
        Ok(counts) if !counts.contains(&0) => {}
        _ => return false,
    }
    let ir = plan.kernel_ir();
    let modules = emit(
        ir,
        &plan.kernel_pattern(),
        &analysis.sources,
        &Options::default(),
    );
    let modules = modules.unwrap_or_else(|o| panic!("{source}\n{o:?}"));
    let module = &modules[0];
    let is_strips = matches!(module.abi.block, 128 | 256);
    assert_eq!(is_strips, case.strips, "{source}\n{}", module.text());
    dump(module);
    expected.overflow_checks = false;
    let fault = expected.interpret(&plan.pattern).err();
    let mut state = oracle::kernel_state(plan, &params, &data);
    let outcome = run(module, ir, &plan.pattern, &mut state, how);
    match (&outcome, &fault) {
        (Outcome::Done, None) => {}
        (Outcome::Fault(at, text), Some(fault)) => {
            assert!(case.faults, "{source}");
            let told = (fault.iteration, fault.kind.to_string());
            assert_eq!((*at, text.clone()), told, "{size:?} {how:?}\n{source}");
            return true;
        }
        _ => panic!(
            "{size:?} {how:?}: {outcome:?}, not {fault:?}\n{source}\n{}",
            module.text()
        ),
    }
    for (n, array) in ir.arrays.iter().enumerate() {
        if array.access != Access::Owned {
            continue;
        }
        let id = ArrayId(n as u32);
        let (ours, theirs) = (state.bytes(id), expected.bytes(id));
        let elem = ours.len() / ours.len().max(1);
        let wrong = ours.iter().zip(theirs).position(|(a, b)| a != b);
        assert_eq!(
            wrong.map(|at| at / elem.max(1)),
            None,
            "a byte of {}, {size:?} {how:?}\n{source}\n{}",
            array.name,
            module.text()
        );
    }
    true
}

fn variation(seed: u64) -> Variation {
    Variation {
        seed,
        block: 32 << (seed / 2 % 3),
        multiprocessors: 1 + (seed % 3) as u32,
        shift: (seed * 5 % 17) as usize * (seed % 3) as usize,
        stagger: if seed % 4 == 3 { 1 } else { 0 },
        wishes: Wishes::default(),
        ..Variation::default()
    }
}

/// Runs cases over sizes; how many calls there were.
fn over(cases: &[Case], sizes: impl Fn(u64) -> Size, calls: u64) -> usize {
    let mut ran = 0;
    for case in cases {
        let analysis = oracle::analyze_any(case.source);
        let analysis = analysis.unwrap_or_else(|e| panic!("{}: {e:?}", case.source));
        for seed in 0..calls {
            let size = sizes(seed);
            ran += usize::from(agree(case, &analysis, size, variation(seed)));
        }
    }
    ran
}

/// All widths up to 70, and rows that are longer than they are wide.
fn planes(seed: u64) -> Size {
    let w = 6 + (seed * 7 % 65) as usize;
    let h = 6 + (seed * 5 % 23) as usize;
    let stride = w + [0, 1, 3, 16 - w % 16][(seed % 4) as usize];
    Size { w, h, d: 1, stride }
}

const PLANES: [Case; 15] = [
    strips(
        "fn f(w: usize, h: usize, k: &[f32; 49], x: &[f32], out: &mut [f32]) { for y in 3..h - 3 { for i in 3..w - 3 { \
            let mut sum = 0.0f32; for dy in 0..7 { for dx in 0..7 { sum += k[dy * 7 + dx] * x[(y + dy - 3) * w + i + dx - 3]; } } \
            out[y * w + i] = sum; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[f32], out: &mut [f32]) { for y in 1..h - 1 { for i in 1..w - 1 { let at = y * w + i; \
            out[at] = 0.2 * (x[at] + x[at - 1] + x[at + 1] + x[at - w] + x[at + w]); } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[u8], out: &mut [u8]) { for y in 1..h - 1 { for i in 1..w - 1 { let mut sum = 0u32; \
            for dy in 0..3 { for dx in 0..3 { sum += x[(y + dy - 1) * w + i + dx - 1] as u32; } } out[y * w + i] = (sum / 9) as u8; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, k: &[f32; 25], x: &[f32], out: &mut [f32]) { for y in 2..h - 2 { for i in 2..w - 2 { \
            let mut sum = 0.0f32; for dy in 0..5 { for dx in 0..5 { sum += k[dy * 5 + dx] * x[(y + dy - 2) * w + i + dx - 2]; } } \
            out[y * w + i] = sum; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, stride: usize, x_s: &[i16], out: &mut [i16]) { for y in 0..h { for i in 0..w { \
            out[y * w + i] = x_s[y * stride + i].wrapping_mul(3); } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, stride: usize, x: &[f64], out_s: &mut [f64]) { for y in 0..h { for i in 0..w - 1 { \
            out_s[y * stride + i] = x[y * w + i] - x[y * w + i + 1]; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[f32], out: &mut [f32]) { for y in 1..h { for i in 0..w { let a = x[y * w + i]; \
            if a > 20.0 { out[y * w + i] = a - x[y * w + i - w]; } } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[u32], v: &mut [u32]) { for y in 0..h - 1 { for i in 0..w { \
            v[y * w + i] += x[(y + 1) * w + i]; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[u32], v: &mut [u32], t: &mut [u8]) { for y in 0..h - 1 { for i in 1..w { let at = y * w + i; \
            let old = v[at]; v[at] = old.wrapping_mul(x[at + w]); t[at] = (old >> 3) as u8; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[u8], out: &mut [f32]) { for y in 1..h { for i in 0..w { \
            out[y * w + i] = f32::from(x[y * w + i]) - f32::from(x[(y - 1) * w + i]); } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[f32], b_1: &[f32], c_h: &[f32], out: &mut [f32]) { for y in 0..h { for i in 1..w { \
            out[y * w + i] = x[y * w + i] * b_1[i] + c_h[y]; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[i8], out: &mut [bool]) { for y in 0..h { for i in 1..w { \
            out[y * w + i] = x[y * w + i] > x[y * w + i - 1]; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[[u8; 3]], out: &mut [u8]) { for y in 1..h { for i in 0..w { let p = x[y * w + i]; \
            out[y * w + i] = ((p[0] as u32 + p[1] as u32 + p[2] as u32) / 3) as u8; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[u16], out: &mut [u16]) { for y in 1..h - 1 { for i in 1..w - 1 { let at = y * w + i; \
            let v = x[at - w - 1].max(x[at + w + 1]); out[at] = if v > 9000 { x[at] } else { v }; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[f32], v: &mut [f32]) { for y in 0..h - 2 { for i in 0..w - 1 { \
            let a = x[(y + 2) * w + i + 1]; if a < 0.0 { continue; } v[y * w + i] = a.sqrt(); } } }",
    ),
];

#[test]
fn planes_by_patches() {
    let ran = over(&PLANES, planes, 68);
    assert!(ran > 800, "{ran}");
}

const ACROSS: [Case; 5] = [
    strips(
        "fn f(w: usize, h: usize, x: &[f32], out: &mut [f32]) { for y in 0..h { for i in 0..w { out[i * h + y] = x[y * w + i]; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[u8], out: &mut [u8]) { for y in 0..h { for i in 0..w { out[i * h + y] = 255 - x[y * w + i]; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[f64], out: &mut [f64]) { for y in 0..h { for i in 0..w { out[y * w + i] = x[i * h + y] * 2.0; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[u16], b: &[u32], out: &mut [u32]) { for y in 0..h { for i in 0..w { \
            out[i * h + y] = x[y * w + i] as u32 + b[i * h + y]; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[u32], v: &mut [u32]) { for y in 0..h { for i in 0..w { v[i * h + y] ^= x[y * w + i]; } } }",
    ),
];

#[test]
fn transposed_planes() {
    let ran = over(
        &ACROSS,
        |seed| Size {
            h: 3 + (seed * 11 % 67) as usize,
            ..planes(seed)
        },
        40,
    );
    assert!(ran > 180, "{ran}");
}

const VOLUMES: [Case; 3] = [
    strips(
        "fn f(w: usize, h: usize, d: usize, x: &[f32], out: &mut [f32]) { for z in 1..d - 1 { for y in 1..h - 1 { for i in 1..w - 1 { \
            let at = (z * h + y) * w + i; let across = x[at - 1] + x[at + 1] + x[at - w] + x[at + w]; \
            out[at] = 0.4 * x[at] + 0.1 * (across + x[at - w * h] + x[at + w * h]); } } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, d: usize, x: &[f32], out: &mut [f32]) { for z in 0..d { for y in 0..h { for i in 0..w { \
            out[(i * d + z) * h + y] = x[(z * h + y) * w + i]; } } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, d: usize, x: &[u8], out: &mut [u8]) { for z in 0..d { for y in 1..h { for i in 1..w { \
            out[(z * h + y) * w + i] = x[(z * h + y - 1) * w + i - 1]; } } } }",
    ),
];

#[test]
fn volumes_by_patches() {
    let sizes = |seed: u64| Size {
        w: 3 + (seed * 7 % 31) as usize,
        h: 3 + (seed % 6) as usize,
        d: 3 + (seed * 3 % 8) as usize,
        stride: 0,
    };
    let ran = over(&VOLUMES, sizes, 40);
    assert!(ran > 100, "{ran}");
}

/// Loops that read elsewhere at the edges than inside.
const EDGES: [Case; 8] = [
    strips(
        "fn f(w: usize, h: usize, x: &[u8], out: &mut [u8]) { for y in 0..h { for i in 0..w { \
            let (left, right) = (i.saturating_sub(1), (i + 1).min(w - 1)); let (above, below) = (y.saturating_sub(1), (y + 1).min(h - 1)); \
            let around = x[y * w + left] as i32 + x[y * w + right] as i32 + x[above * w + i] as i32 + x[below * w + i] as i32; \
            let difference = (around - 4 * x[y * w + i] as i32).abs(); out[y * w + i] = difference.min(255) as u8; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[f32], out: &mut [f32]) { for y in 0..h { for i in 0..w { \
            let left = if i == 0 { 0 } else { i - 1 }; let right = if i + 1 < w { i + 1 } else { i }; \
            let above = if y > 0 { y - 1 } else { y }; let below = if y == h - 1 { y } else { y + 1 }; \
            out[y * w + i] = x[y * w + left] + x[y * w + right] * 2.0 + x[above * w + i] * 3.0 + x[below * w + i] * 4.0; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, stride: usize, x_s: &[u16], out: &mut [u16]) { for y in 0..h { for i in 0..w { \
            out[y * w + i] = x_s[y * stride + (i + 3).min(w - 1)] / 7 + x_s[y * stride + i.max(2)] % 10; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[u32], v: &mut [u32]) { for y in 0..h { for i in 0..w { \
            v[y * w + i] += x[(y + 2).min(h - 1) * w + i]; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[u8], out: &mut [u8], t: &mut [i16]) { for y in 0..h { for i in 0..w { \
            let a = x[y.saturating_sub(2) * w + i]; let b = x[y * w + i.saturating_sub(5)]; \
            out[y * w + i] = a.max(b); t[y * w + i] = a as i16 - b as i16; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[u8], out: &mut [u8]) { for y in 0..h { for i in 0..w { let mut sum = 0u32; \
            for dy in 0..3 { for dx in 0..3 { sum += x[(y + dy).saturating_sub(1).min(h - 1) * w + (i + dx).saturating_sub(1).min(w - 1)] as u32; } } \
            out[y * w + i] = (sum / 9) as u8; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[f64], out: &mut [f64]) { for y in 1..h { for i in 2..w { \
            out[y * w + i] = x[(y - 1) * w + (i - 2).min(9)] - x[y * w + i]; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, d: usize, x: &[i32], out: &mut [i32]) { for z in 0..d { for y in 0..h { for i in 0..w { \
            out[(z * h + y) * w + i] = x[(z.saturating_sub(1) * h + y) * w + i].wrapping_sub(x[(z * h + (y + 1).min(h - 1)) * w + i]); } } } }",
    ),
];

/// Loops over bytes, two of whose iterations are computed in one register, as far as ranges allow.
const PAIRS: [Case; 11] = [
    // Some of it has no room in 16 bits.
    strips(
        "fn f(w: usize, h: usize, x: &[u8], out: &mut [i32]) { for y in 1..h { for i in 1..w { let at = y * w + i; \
            let a = x[at] as i32 * 100 + x[at - 1] as i32 * 28; let b = a * 2 - x[at - w] as i32 * 100; let c = a - x[at - w] as i32; \
            out[at] = (b + c) / 3 + c % 9; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[u8], out: &mut [u8]) { for y in 1..h - 1 { for i in 1..w - 1 { let mut sum = 8u32; \
            for dy in 0..3 { for dx in 0..3 { sum += x[(y + dy - 1) * w + i + dx - 1] as u32 * ((2 - dy % 2) * (2 - dx % 2)) as u32; } } \
            out[y * w + i] = (sum >> 4) as u8; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[u8], out: &mut [u8]) { for y in 1..h - 1 { for i in 1..w - 1 { let at = y * w + i; \
            let a = x[at] as u16 + x[at - 1] as u16 + x[at + 1] as u16 + x[at - w] as u16 + x[at + w] as u16; \
            out[at] = (a / 5 + (a & 3) + a % 7) as u8; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[u8], out: &mut [i16]) { for y in 1..h { for i in 2..w - 3 { let at = y * w + i; \
            let (a, b) = (x[at - 2] as i16, x[at + 3] as i16); let mut d = -a; d += b * 3; d -= x[at - w] as i16 * 2; d += 1; \
            out[at] = d * 5; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[u8], out: &mut [i32]) { for y in 1..h { for i in 1..w - 1 { let at = y * w + i; \
            let gx = x[at + 1] as i32 - x[at - 1] as i32; let gy = x[at] as i32 * 2 - x[at - w] as i32 - x[at] as i32; \
            out[at] = gx * gx + gy * gy; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[u8], out: &mut [u8], t: &mut [u32]) { for y in 1..h { for i in 1..w - 1 { let at = y * w + i; \
            let mut s = x[at - 1] as u32 + x[at] as u32 + x[at + 1] as u32; let d = s.abs_diff(3 * x[at - w] as u32); \
            if d > 300 { s += 1; } let m = s.max(200).min(700) + x[at - w] as u32; out[at] = (m - 200) as u8; t[at] = s * 70000 + d; } } }",
    ),
    // Sums of bytes wrap, or do not fit.
    strips(
        "fn f(w: usize, h: usize, x: &[u8], out: &mut [u8]) { for y in 1..h { for i in 1..w { let at = y * w + i; \
            let a = x[at] + x[at - 1]; let b = x[at] as u8 - x[at - w]; out[at] = a / 3 + b; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[u8], out: &mut [u16]) { for y in 1..h { for i in 1..w { let at = y * w + i; \
            let a = x[at] as u16 * 200 + x[at - 1] as u16 * 56; let b = a + x[at - w] as u16; out[at] = b; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[u8], out: &mut [u16]) { for y in 1..h { for i in 1..w { let at = y * w + i; \
            let a = x[at] as i32 - 2 * x[at - 1] as i32 + 3 * x[at - w] as i32 - 510; out[at] = (a.abs() / 3 + a.max(-7).unsigned_abs() as i32) as u16; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[u8], out: &mut [f32]) { for y in 1..h { for i in 1..w { let at = y * w + i; \
            let a = x[at] as i32 + x[at - 1] as i32 + x[at - w] as i32 - 4 * x[at - w - 1] as i32; out[at] = a as f32 * 0.5; } } }",
    ),
    strips(
        "fn f(w: usize, h: usize, x: &[u8], b_1: &[u8], out: &mut [u8]) { for y in 0..h - 1 { for i in 0..w { let at = y * w + i; \
            let a = x[at] as u32 * 3 + x[at + w] as u32 * 2 + b_1[i] as u32 + 6; out[at] = (a / 6) as u8; } } }",
    ),
];

#[test]
fn planes_of_bytes_by_pairs() {
    let ran = over(&PAIRS, planes, 68);
    assert!(ran > 600, "{ran}");
}

#[test]
fn edges_of_planes() {
    let sizes = |seed: u64| Size {
        w: 1 + (seed * 13 % 71) as usize,
        h: 1 + (seed * 7 % 19) as usize,
        d: 1 + (seed % 4) as usize,
        stride: 71 + (seed % 3) as usize * 9,
    };
    let ran = over(&EDGES, sizes, 76);
    assert!(ran > 500, "{ran}");
}

/// The first faults, of the earliest iteration: where arrays are too short, and where values are.
const FAULTS: [Case; 5] = [
    faulty(
        "fn f(w: usize, h: usize, x: &[u8], k: usize, out: &mut [u8]) { for y in 0..h { for i in 0..w { \
            out[y * w + i] = x[y * w + (i + 1).min(k * 7)]; } } }",
    ),
    faulty(
        "fn f(w: usize, h: usize, x: &[u32], out: &mut [u32]) { for y in 0..h { for i in 1..w { \
            out[y * w + i] = x[y * w + i] / (x[y * w + i] % 61); } } }",
    ),
    faulty(
        "fn f(w: usize, h: usize, stride: usize, x: &[f32], out: &mut [f32]) { for y in 0..h { for i in 1..stride { \
            out[y * stride + i] = x[y * stride + i] + x[y * stride + i - 1]; } } }",
    ),
    faulty(
        "fn f(w: usize, h: usize, x: &[u8], lut: &[u16; 250], out: &mut [u16]) { for y in 1..h { for i in 0..w { \
            out[y * w + i] = lut[x[y * w + i] as usize] + u16::from(x[y * w + i - w]); } } }",
    ),
    faulty(
        "fn f(w: usize, h: usize, x: &[i32], out: &mut [i32]) { for y in 1..h { for i in 0..w { let v = x[y * w + i]; \
            assert!(v % 101 != 7, \"seven\"); out[y * w + i] = v - x[(y - 1) * w + i]; } } }",
    ),
];

#[test]
fn faults_in_patches() {
    let ran = over(&FAULTS, planes, 60);
    assert!(ran > 150, "{ran}");
}
