//! Random loops that carry scalars along and fill arrays at cursors: the interpreter, and the kernel over lengths around those of its tiles.

use accrue_compiler::emit_ptx::{Options, emit};
use accrue_compiler::ir::{Access, ArrayId, Memory, Pattern};
use accrue_tests::choices::Choices;
use accrue_tests::data::{Policy, draw, params};
use accrue_tests::generate::carried_program;
use accrue_tests::oracle;
use accrue_tests::simulated::{Outcome, bin_bytes, run};

use super::{Tally, variation};

/// Iterations: around whole tiles of 2048, 4096 and 8192, and several of them.
const LENGTHS: [usize; 12] = [
    0, 1, 31, 257, 2047, 4095, 4096, 4097, 6150, 8193, 12_287, 20_001,
];

#[derive(Debug, Default)]
struct Taken {
    refused: usize,
    without_scans: usize,
    without_kernels: usize,
    lookbacks: usize,
    tally: Tally,
}

fn agree(source: &str, seed: u64, taken: &mut Taken) {
    let items = LENGTHS[(seed % LENGTHS.len() as u64) as usize];
    agree_over(source, seed, (items, 1 + (seed % 4) as u32), taken);
}

/// The same over so many iterations, on so many multiprocessors.
fn agree_over(source: &str, seed: u64, (items, multiprocessors): (usize, u32), taken: &mut Taken) {
    let Ok(analysis) = oracle::analyze_any(source) else {
        taken.refused += 1;
        return;
    };
    let [plan] = &analysis.loops[..] else {
        panic!("one loop of\n{source}")
    };
    let Pattern::Histogram(histogram) = &plan.pattern;
    if histogram.carried.is_empty() {
        taken.without_scans += 1;
        return;
    }
    let checks = seed.is_multiple_of(2);
    let params = params(&analysis.function);
    let policy = Policy {
        items,
        wild: seed % 3 == 1,
        tiny: false,
    };
    let data = draw(&params, policy, &mut Choices::seeded(seed));
    let mut expected = oracle::state(plan, &params, &data);
    expected.overflow_checks = checks;
    let fault = expected.interpret(&plan.pattern).err();
    let options = Options {
        overflow_checks: checks,
        ..Options::default()
    };
    let ir = plan.kernel_ir();
    let modules = match emit(ir, &plan.kernel_pattern(), &analysis.sources, &options) {
        Ok(modules) => modules,
        Err(obstacles) => {
            assert!(!obstacles.is_empty());
            taken.without_kernels += 1;
            return;
        }
    };
    for (n, module) in modules.iter().enumerate() {
        taken.lookbacks += 1;
        let entry = &module.abi.entry;
        let mut state = oracle::kernel_state(plan, &params, &data);
        let how = accrue_tests::simulated::Variation {
            multiprocessors,
            ..variation(seed, n)
        };
        let outcome = run(module, ir, &plan.pattern, &mut state, how);
        match (&outcome, &fault) {
            (Outcome::Unsuitable(_), _) => {
                taken.tally.unsuitable += 1;
                continue;
            }
            (Outcome::Done, None) => taken.tally.done += 1,
            (Outcome::Fault(at, message), Some(fault)) => {
                taken.tally.faults += 1;
                let told = (fault.iteration, fault.kind.to_string());
                assert_eq!(
                    (*at, message.clone()),
                    told,
                    "{entry}, seed {seed}\n{source}"
                );
                continue;
            }
            _ => panic!(
                "{entry}, seed {seed}: {outcome:?}, not {fault:?}\n{source}\n{}",
                module.text()
            ),
        }
        for id in (0..ir.arrays.len() as u32).map(ArrayId) {
            let array = ir.array(id);
            if !matches!(array.access, Access::Owned | Access::Updated) {
                continue;
            }
            let (ours, theirs) = (state.bytes(id), expected.bytes(id));
            let zeros = [".min(", ".max("].iter().any(|m| source.contains(m));
            let wrong = super::owned::difference(ours, theirs, array.elem.innermost(), zeros);
            assert_eq!(
                wrong,
                None,
                "{entry}, seed {seed}: an element of {}\n{source}\n{}",
                array.name,
                module.text()
            );
        }
        for target in histogram.kernel_targets(ir) {
            if let Memory::Scalar(var) = target.memory {
                let ours = bin_bytes(&state, ir, target.memory);
                let theirs = bin_bytes(&expected, ir, target.memory);
                let wrong = super::owned::difference(&ours, &theirs, target.elem, true);
                assert_eq!(
                    wrong,
                    None,
                    "{entry}, seed {seed}: {} is {ours:?}, not {theirs:?}\n{source}",
                    ir.var(var).name
                );
            }
        }
    }
}

/// How many functions are drawn; `ACCRUE_CASES` says otherwise.
fn cases() -> u64 {
    std::env::var("ACCRUE_CASES").map_or(240, |text| text.parse().expect("a number"))
}

#[test]
fn what_is_carried_is_what_the_interpreter_carries() {
    let mut taken = Taken::default();
    for seed in 0..cases() {
        let program = carried_program("drawn", &mut Choices::seeded(seed));
        agree(&program.source, seed, &mut taken);
    }
    println!("{taken:?}");
    let enough = cases() as usize / 4;
    assert!(taken.tally.done > enough, "{taken:?}");
    assert!(taken.tally.faults > enough / 8, "{taken:?}");
}

/// Loops by which all that a scan has to do can be seen to be wrong: a fault in the terms in each place, several tiles, each way of being handed on.
const SELDOM: [&str; 7] = [
    "fn f(a0: &[u32], t0: &[u32; 16], e0_own: &mut [u32], r0: &mut u32) { for i in 0..a0.len() {
         *r0 = (*r0).wrapping_add(t0[if i == 9000 { 16 } else { a0[i] as usize % 16 }]); e0_own[i] = *r0; } }",
    "fn f(a0: &[u32], t0: &[u32; 16], g0_own: &mut [u32]) { let mut n0 = 0usize; for i in 0..a0.len() {
         g0_own[n0] = a0[i]; if t0[a0[i] as usize % (if i > 5000 { 17 } else { 16 })] % 2 == 0 { n0 += 1; } else { n0 += 2; } } }",
    "fn f(a0: &[u8], e0_own: &mut [u64], r0: &mut u64, r1: &mut f64) { for i in 0..a0.len() {
         *r0 = (*r0).wrapping_mul(a0[i] as u64 | 1); *r1 = (*r1).max(a0[i] as f64); e0_own[i] = *r0 ^ (*r1 as u64); } }",
    "fn f(a0: &[u32], t0: &[u32; 16], e0_own: &mut [u32], r0: &mut u32) { for i in 0..a0.len() {
         *r0 = (*r0).wrapping_mul(t0[if i == 9000 { 16 } else { a0[i] as usize % 16 }]).wrapping_add(i as u32); e0_own[i] = *r0; } }",
    "fn f(a0: &[u8], e0_own: &mut [u64], r0: &mut u64, r1: &mut i8, r2: &mut u32) { for i in 0..a0.len() {
         *r0 = (*r0).wrapping_mul(31).wrapping_add(a0[i] as u64); *r1 = (i as i8).wrapping_sub((*r1).wrapping_mul(3)); *r2 = (*r2).wrapping_add(a0[i] as u32);
         e0_own[i] = *r0 ^ (*r1 as u64) ^ (*r2 as u64); } }",
    "fn f(a0: &[u16], e0_own: &mut [u32], r0: &mut u32) { for i in 0..a0.len() {
         *r0 = if a0[i] % 64 == 1 { a0[i] as u32 } else { *r0 * 3 + 1 }; e0_own[i] = *r0; } }",
    "fn f(a0: &[u16], e0_own: &mut [bool], r0: &mut bool) { for i in 0..a0.len() { e0_own[i] = *r0; *r0 ^= a0[i] % 3 == 0; } }",
];

#[test]
fn what_is_drawn_too_seldom_is_carried_too() {
    let mut taken = Taken::default();
    for source in SELDOM {
        for seed in 0..24 {
            agree(source, seed, &mut taken);
        }
    }
    println!("{taken:?}");
    assert_eq!((taken.refused, taken.without_kernels), (0, 0), "{taken:?}");
    assert!(taken.tally.done > 40 && taken.tally.faults > 6, "{taken:?}");
}

/// The first tile's terms take long, so that all others have been published when there is no prefix yet: searches go on over many tiles.
#[test]
fn looking_back_goes_on_over_many_tiles() {
    for update in [
        "wrapping_add(a0[i])",
        "wrapping_mul(33).wrapping_add(a0[i])",
    ] {
        let source = format!(
            "fn f(a0: &[u32], e0_own: &mut [u32], r0: &mut u32) {{ for i in 0..a0.len() {{
                 let most = if i < 4096 {{ 60usize }} else {{ 1 }};
                 for _k in 0..most {{ *r0 = (*r0).{update}; }}
                 e0_own[i] = *r0; }} }}"
        );
        let mut taken = Taken::default();
        agree_over(&source, 2, (90 * 4096 + 5, 48), &mut taken);
        assert_eq!(taken.tally.done, 1, "{taken:?}");
    }
}
