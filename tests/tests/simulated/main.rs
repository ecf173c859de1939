//! Random functions as kernels: every strategy in the simulator gives what the interpreter gives, panics included.

mod carried;
mod narrow;
mod owned;
mod shapes;
mod slices;
mod strips;

use accrue_compiler::emit_ptx::{Options, emit};
use accrue_compiler::ir::interpret::{State, Value};
use accrue_compiler::ir::{Memory, Pattern, Scalar};
use accrue_compiler::plan::{Analysis, LoopPlan};
use accrue_ptx::abi::{Elem, Module, Op, Strategy};
use accrue_ptx::plan::Wishes;
use accrue_tests::choices::Choices;
use accrue_tests::data::{Data, Policy, draw, params};
use accrue_tests::generate::program;
use accrue_tests::mutants::draw::loops;
use accrue_tests::oracle;
use accrue_tests::simulated::{Outcome, Variation, bin_bytes, run};
use accrue_tests::written::WRITTEN;

#[path = "../../../ptx-kernels/device/src/math/mod.rs"]
#[expect(
    unreachable_pub,
    reason = "they are exported where the source is at home"
)]
mod math;

/// The device's maths for the methods that random functions call. Where an index comes from them, std's last place would be another bin.
fn device_maths(name: &str, args: &[Value]) -> Option<Value> {
    Some(match (name, args) {
        ("sin", [Value::F32(x)]) => math::accrue_sin_f32(*x).into(),
        ("sin", [Value::F64(x)]) => math::accrue_sin_f64(*x).into(),
        ("exp", [Value::F32(x)]) => math::accrue_exp_f32(*x).into(),
        ("exp", [Value::F64(x)]) => math::accrue_exp_f64(*x).into(),
        _ => return None,
    })
}

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
    every_module: bool,
    tally: &mut Tally,
) {
    let params = params(&analysis.function);
    for plan in &analysis.loops {
        let Pattern::Histogram(histogram) = &plan.pattern;
        let float_sums = histogram
            .targets
            .iter()
            .any(|t| t.elem.is_some_and(Scalar::is_float) && t.op.op.row().rounds);
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
        expected.bins_wrap = true;
        expected.maths = Some(device_maths);
        let fault = expected.interpret(&plan.pattern).err();
        // Which one must not go with the number of items and what else follows from the seed's remainders.
        let turn = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 33;
        let options = Options {
            overflow_checks,
            one: (!every_module).then_some(turn),
            ..Options::default()
        };
        let modules = emit(
            plan.kernel_ir(),
            &plan.kernel_pattern(),
            &analysis.sources,
            &options,
        )
        .unwrap_or_else(|o| panic!("{o:?}\n{source}"));
        for (n, module) in modules.iter().enumerate() {
            let mut state = fresh(plan, &params, &data);
            let how = variation(seed, n + turn as usize);
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
                _ => panic!(
                    "{}: {outcome:?}, not {fault:?}\n{source}\n{}",
                    module.abi.entry,
                    module.text()
                ),
            }
            for target in &histogram.targets {
                let ours = bin_bytes(&state, &plan.ir, target.memory);
                let theirs = bin_bytes(&expected, &plan.ir, target.memory);
                let scalar = target.elem.expect("the type of every bin is known");
                if let Some(n) = difference(&ours, &theirs, scalar) {
                    let name = match target.memory {
                        Memory::Bins(array) => &plan.ir.array(array).name,
                        Memory::Scalar(var) => &plan.ir.var(var).name,
                    };
                    let size = scalar.size() as usize;
                    let of = |bytes: &[u8]| bytes[n * size..][..size].to_vec();
                    panic!(
                        "{}, seed {seed}: bin {n} of {name} is {:?}, not {:?}\n{source}",
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
            // Four that are merged at once, four more, and some one by one.
            locals: Some(11),
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
        first: 0,
        shift: (n % 7) as usize,
        stagger: if n % 5 == 4 { 3 } else { 0 },
        shared: None,
        wishes,
        overlap: None,
    }
}

/// The first scalar that differs. Sums and products of what is drawn are exact in any order, and of two zeros either will do.
fn difference(ours: &[u8], theirs: &[u8], scalar: Scalar) -> Option<usize> {
    assert_eq!(ours.len(), theirs.len());
    let size = scalar.size() as usize;
    let float = |bytes: &[u8]| match scalar {
        Scalar::F32 => f64::from(f32::from_ne_bytes(bytes.try_into().expect("four bytes"))),
        _ => f64::from_ne_bytes(bytes.try_into().expect("eight bytes")),
    };
    ours.chunks_exact(size)
        .zip(theirs.chunks_exact(size))
        .position(|(x, y)| {
            if !scalar.is_float() {
                return x != y;
            }
            let (x, y) = (float(x), float(y));
            !(x == y || (x.is_nan() && y.is_nan()))
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
    let mut choices = Choices::seeded(seed);
    filled_state(plan, lengths, values, |_, _, scalar| {
        let small = choices.below(100);
        match scalar {
            // Sums of sixteenths are exact.
            Scalar::F32 => Value::F32(small as f32 / 16.0 - 4.0),
            Scalar::F64 => Value::F64(small as f64 / 16.0 - 4.0),
            s => Value::Int(i128::from(small as u8) - if s.is_signed() { 50 } else { 0 }),
        }
    })
}

/// A state whose arrays are filled by name and position.
fn filled_state<'a>(
    plan: &'a LoopPlan,
    lengths: &[(&str, usize)],
    values: &[(&str, f64)],
    mut fill: impl FnMut(&str, usize, Scalar) -> Value,
) -> State<'a> {
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
        for i in 0..length * each {
            let value = fill(&array.name, i, scalar);
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
                let differs = difference(&ours, &theirs, scalar);
                assert_eq!(differs, None, "{}", module.abi.entry);
            }
        }
    }
}

/// Of how many programs every strategy runs; of the others it is one each.
const EVERY_MODULE: u64 = 40;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).map_or(default, |text| text.parse().expect("a number"))
}

/// `ACCRUE_CASES=100000 ACCRUE_FIRST=2000` draws others; with `ACCRUE_TELL` each says its seed before it runs.
#[test]
fn kernels_give_what_the_interpreter_gives() {
    let (cases, first) = (number("ACCRUE_CASES", 2000), number("ACCRUE_FIRST", 0));
    let mut tally = Tally::default();
    for seed in first..first + cases {
        let program = program("drawn", &mut Choices::seeded(seed));
        let Ok(analysis) = oracle::analyze(&program.source) else {
            panic!("refused, seed {seed}:\n{}", program.source);
        };
        let items = [0, 1, 7, 40, 150, 333][seed as usize % 6];
        if std::env::var_os("ACCRUE_TELL").is_some() {
            eprintln!("seed {seed}");
        }
        agree(
            &program.source,
            &analysis,
            seed,
            items,
            seed % 4 == 3,
            seed < EVERY_MODULE,
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
            |m: &Module| m.abi.strategy == Strategy::GangWindow && m.text().contains("ONE_BY_ONE:");
        assert!(
            modules.expect("it is printed").iter().any(together),
            "{source}"
        );
        // One item is as many as a launch has that tells a fault.
        for (seed, items) in (0..12).flat_map(|seed| [(seed, 150), (seed, 1)]) {
            agree(
                source,
                &analysis,
                seed,
                items,
                seed % 4 == 3,
                true,
                &mut tally,
            );
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
            agree(source, &analysis, seed, 150, false, true, &mut tally);
        }
    }
    assert!(tally.done > 100 && tally.faults > 100, "{tally:?}");
}

#[test]
fn forms_that_are_seldom_drawn_are_those_of_the_interpreter() {
    let mut tally = Tally::default();
    for case in WRITTEN {
        let analysis =
            oracle::analyze(case.source).unwrap_or_else(|e| panic!("{}: {e:?}", case.name));
        for seed in 0..6 {
            agree(
                case.source,
                &analysis,
                seed,
                150,
                seed % 2 == 1,
                true,
                &mut tally,
            );
        }
    }
    assert!(tally.done > 100, "{tally:?}");
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
        let modules = emit(
            plan.kernel_ir(),
            &plan.kernel_pattern(),
            &analysis.sources,
            &options,
        )
        .expect("printed");
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

/// Runs every module of a loop over a state, with every gang of a launch at work, and compares with the interpreter.
fn agree_with<'a>(
    analysis: &'a Analysis,
    state: impl Fn(&'a LoopPlan) -> State<'a>,
    how: Variation,
    tally: &mut Tally,
) {
    agree_where(|_| true, analysis, state, how, tally);
}

/// The same for some of the strategies.
fn agree_where<'a>(
    wanted: impl Fn(Strategy) -> bool,
    analysis: &'a Analysis,
    state: impl Fn(&'a LoopPlan) -> State<'a>,
    how: Variation,
    tally: &mut Tally,
) {
    let plan = &analysis.loops[0];
    let Pattern::Histogram(histogram) = &plan.pattern;
    let options = Options {
        strategies: Strategy::OF_BINS
            .into_iter()
            .filter(|s| wanted(*s))
            .collect(),
        ..Options::default()
    };
    let modules = emit(
        plan.kernel_ir(),
        &plan.kernel_pattern(),
        &analysis.sources,
        &options,
    )
    .expect("printed");
    if modules.is_empty() {
        return;
    }
    let mut expected = state(plan);
    let fault = expected.interpret(&plan.pattern).err();
    let fault = fault.map(|f| Outcome::Fault(f.iteration, f.kind.to_string()));
    for module in &modules {
        let mut found = state(plan);
        let outcome = run(module, &plan.ir, &plan.pattern, &mut found, how);
        match outcome {
            Outcome::Done => tally.done += 1,
            Outcome::Fault(..) => tally.faults += 1,
            Outcome::Unsuitable(_) => {
                tally.unsuitable += 1;
                continue;
            }
        }
        let entry = &module.abi.entry;
        assert_eq!(
            outcome,
            fault.clone().unwrap_or(Outcome::Done),
            "{entry}\n{}",
            module.text()
        );
        for target in &histogram.targets {
            let ours = bin_bytes(&found, &plan.ir, target.memory);
            let theirs = bin_bytes(&expected, &plan.ir, target.memory);
            let scalar = target.elem.expect("the type of every bin is known");
            let differs = difference(&ours, &theirs, scalar);
            assert_eq!(differs, None, "{entry}");
        }
    }
}

/// Any value of which sums, or products, are exact in any order.
fn exact(op: Op, scalar: Scalar, choices: &mut Choices) -> Value {
    let bits = u64::from(choices.bits()) << 32 | u64::from(choices.bits());
    // What begins with one is a product.
    let one = op.row().float.map(|neutral| neutral.bits(Elem::F64)) == Some(1f64.to_bits());
    let float = match one {
        true => choices.pick(&[1.0, -1.0, 2.0, 0.5]),
        false => f64::from(bits as i16) / 16.0,
    };
    match scalar {
        Scalar::F32 => Value::F32(float as f32),
        Scalar::F64 => Value::F64(float),
        Scalar::Bool => Value::Bool(bits & 1 == 1),
        s => Value::from_bytes(s, &bits.to_ne_bytes()[..s.size() as usize]),
    }
}

#[test]
fn updates_of_every_operator_and_type_are_those_of_the_interpreter() {
    let mut tally = Tally::default();
    let (items, bins) = (1700, 61);
    for (number, (op, source)) in loops().into_iter().enumerate() {
        let analysis = oracle::analyze(&source).unwrap_or_else(|e| panic!("{source}: {e:?}"));
        // In range up to the last bin; and the first that is none, somewhere.
        for bad in [None, Some(number * 37 % items)] {
            let lengths = [("keys", items), ("values", items), ("bins", bins)];
            let state = |plan| {
                let mut choices = Choices::seeded(number as u64);
                filled_state(plan, &lengths, &[], |name, i, scalar| match name {
                    "keys" if bad == Some(i) => Value::Int(bins as i128),
                    "keys" if i % 9 == 0 => Value::Int(bins as i128 - 1),
                    "keys" => Value::Int(choices.below(bins) as i128),
                    _ => exact(op, scalar, &mut choices),
                })
            };
            let how = Variation {
                seed: number as u64,
                multiprocessors: 4,
                // Iterations are counted in 64 bits.
                first: (1 << 32) - items as u64 / 2,
                shift: number % 3,
                ..Variation::default()
            };
            agree_with(&analysis, state, how, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.done > 400 && tally.faults > 400, "{tally:?}");
}

/// Loops with an index that the keys reach: of bins and of tables, slices and arrays, from every type.
const EDGES: [&str; 8] = [
    "fn f(keys: &[u8], table: &[u32], bins: &mut [u32; 61]) { for &k in keys { bins[k as usize] += 1; } }",
    "fn f(keys: &[u64], table: &[u32], bins: &mut [u64]) { for &k in keys { bins[k as usize] += 3; } }",
    "fn f(keys: &[i32], table: &[u32], bins: &mut [f32]) { for &k in keys { bins[k as usize] -= 1.0; } }",
    "fn f(keys: &[u16], table: &[u32], bins: &mut [u32]) { for &k in keys { bins[table[k as usize] as usize % 61] += 1; } }",
    "fn f(keys: &[usize], table: &[u8; 61], bins: &mut [u32]) { for i in 0..keys.len() { bins[(table[keys[i]] % 61) as usize] += 1; } }",
    "fn f(keys: &[u32], table: &[i64; 61], bins: &mut [i64]) { for &k in keys { bins[7] = bins[7].max(table[k as usize]); } }",
    "fn f(keys: &[u32], table: &[u32], bins: &mut [[u16; 61]; 3]) { for &k in keys { bins[1][k as usize] |= 4; } }",
    "fn f(keys: &[u32], table: &[u32], bins: &mut [[u32; 3]; 61]) { for &k in keys { bins[k as usize][2] += k; } }",
];

#[test]
fn every_index_is_in_range_up_to_the_length() {
    let mut tally = Tally::default();
    let items = 400;
    for source in EDGES {
        let analysis = oracle::analyze(source).unwrap_or_else(|e| panic!("{source}: {e:?}"));
        for (seed, bad) in [None, Some(0), Some(items / 2), Some(items - 1)]
            .into_iter()
            .enumerate()
        {
            let lengths = [("keys", items), ("table", 61), ("bins", 61)];
            let state = |plan| {
                let mut choices = Choices::seeded(seed as u64);
                filled_state(plan, &lengths, &[], |name, i, scalar| match name {
                    "keys" if bad == Some(i) => Value::Int(61),
                    "keys" => Value::Int(if i % 2 == 0 {
                        60
                    } else {
                        choices.below(61) as i128
                    }),
                    _ => exact(Op::Add, scalar, &mut choices),
                })
            };
            let how = Variation {
                seed: seed as u64,
                ..Variation::default()
            };
            agree_with(&analysis, state, how, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.done > 40 && tally.faults > 120, "{tally:?}");
}
