//! Random loops whose iterations write elements of their own: the interpreter over the loop as the CPU takes it and as kernels take it, and
//! every kernel.

use accrue_compiler::emit_ptx::{Options, emit};
use accrue_compiler::ir::{Access, ArrayId, Guard, Scalar};
use accrue_compiler::plan::Analysis;
use accrue_tests::choices::Choices;
use accrue_tests::data::{Policy, draw, params};
use accrue_tests::generate::owned_program;
use accrue_tests::oracle;
use accrue_tests::simulated::{Outcome, run};

use super::{Tally, device_maths, variation};

/// How loops were taken.
#[derive(Debug, Default)]
struct Taken {
    loops: usize,
    refused: usize,
    /// Over more dimensions than the CPU splits.
    grids: usize,
    without_kernels: usize,
    tally: Tally,
}

/// The first element that differs. All bits count, but of numbers that are none, and the sign of a zero where Rust leaves it
/// open: the lesser of two zeros.
pub(super) fn difference(
    ours: &[u8],
    theirs: &[u8],
    scalar: Option<Scalar>,
    zeros_are_alike: bool,
) -> Option<usize> {
    let scalar = scalar.expect("elements are scalars");
    let size = scalar.size() as usize;
    let float = |bytes: &[u8]| match scalar {
        Scalar::F32 => Some(f32::from_ne_bytes(bytes.try_into().expect("four bytes")).into()),
        Scalar::F64 => Some(f64::from_ne_bytes(bytes.try_into().expect("eight bytes"))),
        _ => None,
    };
    let alike =
        |a: f64, b: f64| a.is_nan() && b.is_nan() || zeros_are_alike && a == 0.0 && b == 0.0;
    let same = |a, b| matches!((float(a), float(b)), (Some(a), Some(b)) if alike(a, b));
    let mut pairs = ours.chunks_exact(size).zip(theirs.chunks_exact(size));
    pairs.position(|(a, b)| a != b && !same(a, b))
}

fn agree(source: &str, analysis: &Analysis, seed: u64, checks: bool, taken: &mut Taken) {
    let params = params(&analysis.function);
    // `bins[i as u8]` is an element of its own up to 256 items, which a call finds out.
    let few = |guard: &&Guard| guard.within.iter().any(|w| w.high < 1 << 31);
    let guarded = analysis.loops[0].kernel_guard().filter(few).is_some();
    if guarded {
        return;
    }
    let [plan] = &analysis.loops[..] else {
        panic!("one loop of\n{source}")
    };
    let policy = Policy {
        items: [0, 1, 13, 64, 150, 403][(seed % 6) as usize],
        wild: seed % 3 == 1,
        tiny: false,
    };
    let data = draw(&params, policy, &mut Choices::seeded(seed));
    let expect = |state: &mut accrue_compiler::ir::interpret::State<'_>| {
        state.overflow_checks = checks;
        state.maths = Some(device_maths);
        state.interpret(&plan.pattern).err()
    };
    let mut expected = oracle::state(plan, &params, &data);
    let fault = expect(&mut expected);
    let mut over_grid = oracle::kernel_state(plan, &params, &data);
    if plan.grid.is_some() {
        // The host leaves rows without elements to the CPU.
        let counts = over_grid.counts(&plan.pattern);
        if counts.is_ok_and(|counts| counts.contains(&0)) {
            return;
        }
        taken.grids += 1;
    }
    let grid_fault = expect(&mut over_grid);
    let kind = |fault: &Option<accrue_compiler::ir::interpret::Fault>| {
        fault.as_ref().map(|fault| fault.kind.to_string())
    };
    assert_eq!(kind(&fault), kind(&grid_fault), "{source}");
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
    let owned: Vec<ArrayId> = (0..ir.arrays.len() as u32)
        .map(ArrayId)
        .filter(|id| ir.array(*id).access == Access::Owned)
        .collect();
    if owned.is_empty() {
        // What is combined into the old value may be bins.
        return;
    }
    for (n, module) in modules.iter().enumerate() {
        let mut state = oracle::kernel_state(plan, &params, &data);
        let outcome = run(module, ir, &plan.pattern, &mut state, variation(seed, n));
        match (&outcome, &grid_fault) {
            (Outcome::Unsuitable(_), _) => {
                taken.tally.unsuitable += 1;
                continue;
            }
            (Outcome::Done, None) => taken.tally.done += 1,
            (Outcome::Fault(at, message), Some(fault)) => {
                taken.tally.faults += 1;
                let told = (fault.iteration, fault.kind.to_string());
                let entry = &module.abi.entry;
                assert_eq!(
                    (*at, message.clone()),
                    told,
                    "{entry}, seed {seed}\n{source}"
                );
                continue;
            }
            // Overflow of a bin is not seen on a GPU.
            (Outcome::Done, Some(fault)) if fault.kind.to_string().contains("overflow") => continue,
            _ => panic!(
                "{}, seed {seed}: {outcome:?}, not {grid_fault:?}\n{source}\n{}",
                module.abi.entry,
                module.text()
            ),
        }
        for &id in &owned {
            let (ours, theirs) = (state.bytes(id), expected.bytes(id));
            let zeros = [".min(", ".max("].iter().any(|m| source.contains(m));
            let wrong = difference(ours, theirs, ir.array(id).elem.innermost(), zeros);
            let name = &ir.array(id).name;
            assert_eq!(
                wrong,
                None,
                "{}, seed {seed}: an element of {name}\n{source}\n{}",
                module.abi.entry,
                module.text()
            );
        }
    }
}

#[test]
fn what_iterations_write_is_what_the_interpreter_writes() {
    let mut taken = Taken::default();
    for seed in 0..600 {
        let program = owned_program("drawn", &mut Choices::seeded(seed));
        match oracle::analyze_any(&program.source) {
            Ok(analysis) => {
                taken.loops += 1;
                agree(&program.source, &analysis, seed, seed % 2 == 0, &mut taken);
            }
            Err(_) => taken.refused += 1,
        }
    }
    println!("{taken:?}");
    assert!(taken.loops > 300 && taken.grids > 60, "{taken:?}");
    assert!(
        taken.tally.done > 150 && taken.tally.faults > 40,
        "{taken:?}"
    );
}

/// What is drawn too seldom: an element that is written again under a condition, and rows of a column that end before they write.
const SELDOM: [&str; 2] = [
    "fn f(a0: &[u32], e0_own: &mut [u32]) { for i in 0..a0.len() { e0_own[i] = a0[i]; if a0[i] % 3 == 0 { e0_own[i] = 7; } } }",
    "fn f(a0: &[u32], g0_own: &mut [u32]) { for y in 0..a0.len() { for x in 0..6usize { \
     let v = if a0[y] % 3 == 0 { continue } else { a0[y] }; g0_own[x * a0.len() + y] = v; } } }",
];

#[test]
fn what_is_written_under_conditions_does_not_wait() {
    let mut taken = Taken::default();
    for source in SELDOM {
        let analysis = oracle::analyze_any(source).unwrap_or_else(|e| panic!("{source}: {e:?}"));
        for seed in 0..24 {
            agree(source, &analysis, seed, false, &mut taken);
        }
    }
    assert!(taken.tally.done > 20, "{taken:?}");
}
