//! Random functions as kernels: every strategy in the simulator gives what the interpreter gives, panics included.

use accrue_compiler::emit_ptx::{Options, emit};
use accrue_compiler::ir::interpret::State;
use accrue_compiler::ir::{Memory, Pattern, Scalar, UpdateOp};
use accrue_compiler::plan::{Analysis, LoopPlan};
use accrue_ptx::abi::{Module, Strategy};
use accrue_ptx::plan::Wishes;
use accrue_tests::choices::Choices;
use accrue_tests::data::{Data, Policy, draw, params};
use accrue_tests::generate::program;
use accrue_tests::oracle;
use accrue_tests::simulated::{Outcome, Variation, bin_bytes, run};

/// How calls ended.
#[derive(Debug, Default)]
struct Tally {
    done: usize,
    faults: usize,
    unsuitable: usize,
}

/// Runs every module of a function over data drawn by `seed`, and compares it with the interpreter.
fn agree(
    source: &str,
    analysis: &Analysis,
    seed: u64,
    items: usize,
    overflow_checks: bool,
    tally: &mut Tally,
) {
    let params = params(&analysis.function);
    for plan in &analysis.loops {
        let Pattern::Histogram(histogram) = &plan.pattern;
        let float_sums = histogram.targets.iter().any(|t| {
            t.elem.is_some_and(Scalar::is_float)
                && matches!(t.op, UpdateOp::Add(_) | UpdateOp::Sub(_) | UpdateOp::Mul(_))
        });
        // The order of a sum of huge and tiny values decides about all of its digits.
        let wild = !float_sums && seed % 3 == 1;
        let policy = Policy {
            items,
            wild,
            tiny: seed % 5 == 4,
        };
        let data = draw(&params, policy, &mut Choices::seeded(seed));
        let mut expected = oracle::state(plan, &params, &data);
        expected.overflow_checks = overflow_checks;
        let fault = expected.interpret(&plan.pattern).err();
        let options = Options {
            overflow_checks,
            ..Options::default()
        };
        let modules = emit(&plan.ir, &plan.pattern, &analysis.sources, &options)
            .unwrap_or_else(|o| panic!("{o:?}\n{source}"));
        for (n, module) in modules.iter().enumerate() {
            let mut state = fresh(plan, &params, &data);
            let how = variation(seed, n);
            let outcome = run(module, &plan.ir, &plan.pattern, &mut state, how);
            match outcome {
                Outcome::Done => tally.done += 1,
                Outcome::Fault(..) => tally.faults += 1,
                Outcome::Unsuitable(_) => tally.unsuitable += 1,
            }
            match (&outcome, &fault) {
                (Outcome::Unsuitable(_), _) => continue,
                (Outcome::Done, None) => {}
                (Outcome::Fault(at, message), Some(fault)) => {
                    let told = (fault.iteration, fault.kind.to_string());
                    assert_eq!(
                        (*at, message.clone()),
                        told,
                        "{}\n{source}",
                        module.abi.entry
                    );
                }
                // Overflow of a bin is not seen on a GPU.
                (Outcome::Done, Some(fault))
                    if overflow_checks && fault.kind.to_string().contains("overflow") =>
                {
                    continue;
                }
                _ => panic!(
                    "{}: {outcome:?}, not {fault:?}\n{source}\n{}",
                    module.abi.entry, module.ptx
                ),
            }
            // The device's maths may differ from the host's in the last digit, of which `x.exp().sin()` makes all others.
            let maths = module.ptx.contains("call.uni");
            for target in &histogram.targets {
                if maths && target.elem.is_some_and(Scalar::is_float) {
                    continue;
                }
                let ours = bin_bytes(&state, &plan.ir, target.memory);
                let theirs = bin_bytes(&expected, &plan.ir, target.memory);
                let scalar = target.elem.expect("the type of every bin is known");
                if let Some(n) = difference(&ours, &theirs, scalar, target.op) {
                    let name = match target.memory {
                        Memory::Bins(array) => &plan.ir.array(array).name,
                        Memory::Scalar(var) => &plan.ir.var(var).name,
                    };
                    let size = scalar.size() as usize;
                    let of = |bytes: &[u8]| bytes[n * size..][..size].to_vec();
                    panic!(
                        "{}: bin {n} of {name} is {:?}, not {:?}\n{source}",
                        module.abi.entry,
                        of(&ours),
                        of(&theirs)
                    );
                }
            }
        }
    }
}

fn fresh<'a>(plan: &'a LoopPlan, params: &[accrue_tests::data::Param], data: &Data) -> State<'a> {
    oracle::state(plan, params, data)
}

/// Another interleaving, gang, place in memory and plan for every module.
fn variation(seed: u64, module: usize) -> Variation {
    let n = seed.wrapping_mul(31).wrapping_add(module as u64);
    let wishes = match n % 4 {
        0 => Wishes::default(),
        1 => Wishes {
            copies: Some(3),
            locals: Some(3),
            ..Wishes::default()
        },
        2 => Wishes {
            bundle: Some(1 << (n / 4 % 6)),
            ..Wishes::default()
        },
        _ => Wishes {
            locals: Some(1),
            ..Wishes::default()
        },
    };
    Variation {
        seed: n,
        block: 32 << (n / 2 % 3),
        multiprocessors: 1 + (n % 3) as u32,
        shift: (n % 7) as usize,
        wishes,
    }
}

/// The first scalar that differs by more than the order of operations explains.
fn difference(ours: &[u8], theirs: &[u8], scalar: Scalar, op: UpdateOp) -> Option<usize> {
    assert_eq!(ours.len(), theirs.len());
    let size = scalar.size() as usize;
    let float = |bytes: &[u8]| match scalar {
        Scalar::F32 => f64::from(f32::from_ne_bytes(bytes.try_into().expect("four bytes"))),
        _ => f64::from_ne_bytes(bytes.try_into().expect("eight bytes")),
    };
    let epsilon = if scalar == Scalar::F32 {
        f64::from(f32::EPSILON)
    } else {
        f64::EPSILON
    };
    let ordered = !matches!(op, UpdateOp::Add(_) | UpdateOp::Sub(_) | UpdateOp::Mul(_));
    ours.chunks_exact(size)
        .zip(theirs.chunks_exact(size))
        .position(|(x, y)| {
            if !scalar.is_float() {
                return x != y;
            }
            let (x, y) = (float(x), float(y));
            let same = x == y || (x.is_nan() && y.is_nan());
            // Sums of a few hundred values of up to a few hundred.
            let close = !ordered && (x - y).abs() <= epsilon * 1e5 * (1.0 + y.abs());
            !same && !close
        })
}

/// A golden's name, the lengths of its arrays and the values that it captures.
type Golden = (
    &'static str,
    &'static [(&'static str, usize)],
    &'static [(&'static str, f64)],
);

/// The functions whose kernels are goldens, with the lengths of their arrays and the values they capture.
const GOLDENS: &[Golden] = &[
    ("count_bytes", &[("data", 777)], &[]),
    ("count_words", &[("keys", 777), ("hist", 101)], &[]),
    ("colour_histogram", &[("pixels", 333)], &[]),
    (
        "weighted",
        &[("keys", 500), ("weights", 555), ("sums", 51)],
        &[("scale", 1.5)],
    ),
    (
        "joint",
        &[("x", 400), ("y", 400)],
        &[("lo", -4.0), ("width", 8.0)],
    ),
    (
        "rows",
        &[("image", 23 * 37), ("sums", 23)],
        &[("width", 37.0), ("height", 23.0)],
    ),
    ("classes", &[("text", 600)], &[]),
    ("collatz", &[], &[("limit", 300.0)]),
    (
        "nearest",
        &[("points", 200), ("centres", 9), ("sizes", 9), ("extent", 9)],
        &[],
    ),
    ("window", &[("signal", 500)], &[]),
    ("ranks", &[("keys", 300), ("out", 300)], &[]),
    ("hough", &[("xs", 40), ("ys", 40), ("votes", 3100)], &[]),
];

/// A state for a golden: small numbers everywhere.
fn golden_state<'a>(
    plan: &'a LoopPlan,
    lengths: &[(&str, usize)],
    values: &[(&str, f64)],
    seed: u64,
) -> State<'a> {
    use accrue_compiler::ir::interpret::Value;
    use accrue_compiler::ir::{ArrayId, Extent, Length, Type, VarId, VarKind};
    fn scalars(ty: &Type) -> (usize, Scalar) {
        match ty {
            Type::Scalar(s) => (1, *s),
            Type::Array(elem, Length::Known(n)) => {
                let (each, scalar) = scalars(elem);
                (each * *n as usize, scalar)
            }
            other => panic!("no golden has arrays of {other}"),
        }
    }
    let mut choices = Choices::seeded(seed);
    let mut state = State::new(&plan.ir);
    state.overflow_checks = false;
    for (id, array) in plan.ir.arrays.iter().enumerate() {
        let (each, scalar) = scalars(&array.elem);
        let length = match array.extent {
            Extent::Fixed(Length::Known(n)) => n as usize,
            _ => {
                lengths
                    .iter()
                    .find(|(name, _)| *name == array.name)
                    .expect("its length is listed")
                    .1
            }
        };
        let mut bytes = Vec::new();
        for _ in 0..length * each {
            let small = choices.below(100);
            let value = match scalar {
                Scalar::F32 => Value::F32(small as f32 / 13.0 - 4.0),
                Scalar::F64 => Value::F64(small as f64 / 13.0 - 4.0),
                s => Value::Int(i128::from(small as u8) - if s.is_signed() { 50 } else { 0 }),
            };
            let mut one = vec![0; scalar.size() as usize];
            value.write(&mut one);
            bytes.extend(one);
        }
        state.set_bytes(ArrayId(id as u32), bytes);
    }
    for (id, var) in plan.ir.body.vars.iter().enumerate() {
        if !matches!(var.kind, VarKind::Captured | VarKind::Reduced) {
            continue;
        }
        let value = values
            .iter()
            .find(|(name, _)| *name == var.name)
            .map_or(3.0, |(_, v)| *v);
        let value = match var.ty.as_scalar() {
            Some(Scalar::F32) => Value::F32(value as f32),
            Some(Scalar::F64) => Value::F64(value),
            _ => Value::Int(value as i128),
        };
        state.set_var(VarId(id as u32), value);
    }
    state
}

#[test]
fn goldens_give_what_the_interpreter_gives() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../compiler/tests/ptx");
    for (n, (name, lengths, values)) in GOLDENS.iter().enumerate() {
        let source = std::fs::read_to_string(folder.join(format!("{name}.rs")))
            .expect("the golden's function");
        let analysis = oracle::analyze(&source).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let plan = &analysis.loops[0];
        let Pattern::Histogram(histogram) = &plan.pattern;
        let modules = emit(
            &plan.ir,
            &plan.pattern,
            &analysis.sources,
            &Options::default(),
        )
        .expect("it was printed");
        let mut expected = golden_state(plan, lengths, values, n as u64);
        expected
            .interpret(&plan.pattern)
            .unwrap_or_else(|fault| panic!("{name}: {fault}"));
        for (m, module) in modules.iter().enumerate() {
            let mut state = golden_state(plan, lengths, values, n as u64);
            match run(
                module,
                &plan.ir,
                &plan.pattern,
                &mut state,
                variation(n as u64, m),
            ) {
                Outcome::Done => {}
                Outcome::Unsuitable(_) => continue,
                Outcome::Fault(at, message) => {
                    panic!("{}: iteration {at}: {message}", module.abi.entry)
                }
            }
            for target in &histogram.targets {
                let ours = bin_bytes(&state, &plan.ir, target.memory);
                let theirs = bin_bytes(&expected, &plan.ir, target.memory);
                let scalar = target.elem.expect("the type of every bin is known");
                let differs = difference(&ours, &theirs, scalar, target.op);
                assert_eq!(differs, None, "{}", module.abi.entry);
            }
        }
    }
}

#[test]
fn kernels_give_what_the_interpreter_gives() {
    let cases = std::env::var("ACCRUE_CASES")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(60u64);
    let first = std::env::var("ACCRUE_FIRST")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(0u64);
    let mut tally = Tally::default();
    for seed in first..first + cases {
        let program = program("drawn", &mut Choices::seeded(seed));
        let Ok(analysis) = oracle::analyze(&program.source) else {
            panic!("refused:\n{}", program.source);
        };
        let items = [0, 1, 7, 40, 150, 333][seed as usize % 6];
        if std::env::var_os("ACCRUE_CASES").is_some() {
            eprintln!("seed {seed}");
        }
        agree(
            &program.source,
            &analysis,
            seed,
            items,
            seed % 4 == 3,
            &mut tally,
        );
    }
    println!("{tally:?}");
    let all = tally.done + tally.faults + tally.unsuitable;
    assert!(
        tally.done * 2 > all && tally.faults * 50 > all,
        "{tally:?} tests little"
    );
}

/// Floats that are bins, of every kind that has a form of its own: in range, negative, huge, not a number.
const FLOATS: [&str; 4] = [
    "fn f(xs: &[f32], h: &mut [u32; 5]) { for &x in xs { h[x as usize] += 1; } }",
    "fn f(xs: &[f64], h: &mut [u32; 5]) { for &x in xs { h[x as usize] += 1; } }",
    "fn f(xs: &[f32], h: &mut [u32]) { for &x in xs { h[(x * 1e9) as usize] += 1; } }",
    "fn f(xs: &[f32], cos: &[f32; 6], votes: &mut [[u32; 6]; 17]) {
        for i in 0..xs.len() { for t in 0..6 { votes[(xs[i] * cos[t]) as usize][t] += 1; } }
    }",
];

/// Loops over rows whose updates are made together: the column as the first, middle and last index, tables that are checked,
/// two updates of a variable that changes, an assertion.
const ROWS: [&str; 5] = [
    "fn f(xs: &[f32], cos: &[f32; 7], votes: &mut [[u32; 9]; 17]) {
        for &x in xs { for t in 0..7 { votes[(x * cos[t]) as usize][t + 1] += 1; } }
    }",
    "fn f(xs: &[u8], table: &[u16], votes: &mut [[u64; 6]; 9]) {
        for &x in xs { for t in 0..7 { votes[t + 2][(x % 8) as usize] += table[t] as u64; } }
    }",
    "fn f(xs: &[u8], ys: &[u8], votes: &mut [[[u32; 3]; 5]; 271]) {
        for i in 0..xs.len() { for t in 0..5 { votes[xs[i] as usize + t * t][t][(ys[i] % 3) as usize] += 1; } }
    }",
    "fn f(xs: &[u16], votes: &mut [[i32; 8]; 40]) {
        for &x in xs {
            for t in 0..8 {
                let mut v = x as i32;
                votes[(x as usize + t) % 41][t] += v;
                v = v.wrapping_sub(t as i32);
                votes[x as usize % 40][t] += v;
            }
        }
    }",
    "fn f(xs: &[u32], table: &[u8], votes: &mut [[u32; 6]; 34]) {
        for &x in xs {
            for t in 0..6 {
                assert!((x & 4095) + t as u32 != 250, \"large\");
                votes[(100 / ((x & 127) + 3)) as usize][t] += table[(x & 31) as usize] as u32;
            }
        }
    }",
];

#[test]
fn updates_that_are_made_together_are_those_of_the_interpreter() {
    let mut tally = Tally::default();
    for source in ROWS {
        let analysis = oracle::analyze(source).unwrap_or_else(|e| panic!("{source}: {e:?}"));
        let plan = &analysis.loops[0];
        let modules = emit(
            &plan.ir,
            &plan.pattern,
            &analysis.sources,
            &Options::default(),
        );
        let together =
            |m: &Module| m.abi.strategy == Strategy::GangWindow && m.ptx.contains("ONE_BY_ONE:");
        assert!(
            modules.expect("it is printed").iter().any(together),
            "{source}"
        );
        // One item is as many as a launch has that tells a fault.
        for (seed, items) in (0..12).flat_map(|seed| [(seed, 150), (seed, 1)]) {
            agree(source, &analysis, seed, items, seed % 4 == 3, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.done > 200 && tally.faults > 200, "{tally:?}");
}

#[test]
fn floats_that_are_bins_are_those_of_the_interpreter() {
    let mut tally = Tally::default();
    for source in FLOATS {
        let analysis = oracle::analyze(source).unwrap_or_else(|e| panic!("{source}: {e:?}"));
        for seed in 0..12 {
            agree(source, &analysis, seed, 150, false, &mut tally);
        }
    }
    assert!(tally.done > 100 && tally.faults > 100, "{tally:?}");
}

/// Bytes that are bins, and how many items are taken of 300: the gangs add into the user's bins themselves if nothing can fail.
const BYTES: [&str; 2] = [
    "fn f(data: &[u8], h: &mut [u32], n: usize) { for i in 0..n { h[data[i] as usize] += 1; } }",
    "fn f(data: &[u8], h: &mut [u64], n: usize) { for i in 0..n { h[data[i] as usize] |= 1 << (i % 64); } }",
];

#[test]
fn bytes_that_are_bins_fail_as_in_the_interpreter() {
    let mut tally = Tally::default();
    for source in BYTES {
        let analysis = oracle::analyze(source).unwrap_or_else(|e| panic!("{source}: {e:?}"));
        let plan = &analysis.loops[0];
        let Pattern::Histogram(histogram) = &plan.pattern;
        let target = histogram.targets[0].memory;
        let options = Options::default();
        let modules = emit(&plan.ir, &plan.pattern, &analysis.sources, &options).expect("printed");
        // Bytes are up to 99: too few bins for some, enough for these, enough for any.
        for (bins, items) in [60, 100, 256, 300]
            .into_iter()
            .flat_map(|b| [(b, 300), (b, 310)])
        {
            let state = || {
                let lengths = [("data", 300), ("h", bins)];
                golden_state(plan, &lengths, &[("n", f64::from(items))], bins as u64)
            };
            let mut expected = state();
            let fault = expected.interpret(&plan.pattern).err();
            assert_eq!(fault.is_some(), bins < 100 || items > 300);
            for (m, module) in modules.iter().enumerate() {
                let mut found = state();
                let how = variation(bins as u64, m);
                match run(module, &plan.ir, &plan.pattern, &mut found, how) {
                    Outcome::Done => tally.done += 1,
                    Outcome::Fault(..) => tally.faults += 1,
                    Outcome::Unsuitable(_) => continue,
                }
                let (ours, theirs) = (
                    bin_bytes(&found, &plan.ir, target),
                    bin_bytes(&expected, &plan.ir, target),
                );
                assert!(
                    ours == theirs,
                    "{}, {bins} bins, {items} items",
                    module.abi.entry
                );
            }
        }
    }
    assert!(tally.done > 20 && tally.faults > 20, "{tally:?}");
}
