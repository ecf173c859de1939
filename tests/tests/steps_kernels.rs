//! Kernels of the strategy `steps` in the simulator, with integer overflow checked and not: against the interpreter, which takes the outer
//! loop's iterations in order.

use accrue_compiler::Args;
use accrue_compiler::assemble::Outputs;
use accrue_compiler::emit_ptx::{Options, emit_steps};
use accrue_compiler::ir::{ArrayId, Scalar};
use accrue_compiler::plan::steps::Steps;
use accrue_compiler::{Compiled, stages};
use accrue_ptx::abi::{Module, Strategy};
use accrue_tests::data::{Data, params};
use accrue_tests::oracle;
use accrue_tests::quiet::{expected as quietly, quiet};
use accrue_tests::simulated::{Outcome, Variation, run};

/// A function, and what it is called with: numbers, and lengths of arrays with what their elements are less than.
#[derive(Clone, Copy)]
struct Call<'a> {
    source: &'a str,
    numbers: &'a [(&'a str, usize)],
    arrays: &'a [(&'a str, usize, u64)],
    seed: u64,
    /// Threads of the gang.
    block: u32,
    /// Threads of gangs that take several steps by themselves, and how many.
    overlap: Option<[u32; 2]>,
}

/// Elements below a number; floats are a quarter of it.
fn fill(scalar: Scalar, n: usize, below: u64, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut bytes = Vec::new();
    for _ in 0..n {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let number = (state >> 20) % below.max(1);
        match scalar {
            Scalar::F32 => bytes.extend((number as f32 / 4.0).to_ne_bytes()),
            Scalar::F64 => bytes.extend((number as f64 / 4.0).to_ne_bytes()),
            other => bytes.extend(&number.to_ne_bytes()[..other.size() as usize]),
        }
    }
    bytes
}

fn compiled(source: &str) -> Compiled {
    let args = Args {
        any: true,
        ..Args::default()
    };
    let function = syn::parse_str(source).expect("it is Rust");
    let outputs = Outputs {
        gpu: true,
        ..Outputs::default()
    };
    stages(function, &args, &Default::default(), Some(outputs))
        .unwrap_or_else(|e| panic!("{source}: {e:?}"))
}

/// Writes a module where `ACCRUE_DUMP` says, for `.ci/ptxas`.
fn dump(module: &Module) {
    let Some(folder) = std::env::var_os("ACCRUE_DUMP").filter(|folder| !folder.is_empty()) else {
        return;
    };
    let text = module.text();
    let hash = text.bytes().fold(0u64, |h, b| {
        (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3)
    });
    let path = std::path::Path::new(&folder).join(format!("steps_{hash:016x}.ptx"));
    std::fs::create_dir_all(&folder).expect("ACCRUE_DUMP names a folder");
    std::fs::write(path, text.as_bytes()).expect("ACCRUE_DUMP is writable");
}

fn module(compiled: &Compiled, steps: &Steps, overflow_checks: bool) -> Module {
    let options = Options {
        overflow_checks,
        ..Options::default()
    };
    let (ir, sources) = (steps.plan.kernel_ir(), &compiled.analysis.sources);
    let module = emit_steps(ir, &steps.dealt, &steps.swaps, sources, &options);
    let module = module.unwrap_or_else(|o| panic!("{o:?}"));
    assert_eq!(module.abi.strategy, Strategy::Steps);
    dump(&module);
    module
}

impl Call<'_> {
    /// Runs the call, and returns the step that fails, if one does.
    fn run(&self) -> Option<u64> {
        self.run_changed(|text| text)
    }

    fn run_changed(&self, change: impl Fn(String) -> String) -> Option<u64> {
        let source = self.source;
        let compiled = compiled(source);
        let [steps] = &compiled.analysis.steps[..] else {
            panic!("no loop of steps in\n{source}")
        };
        let plan = &steps.plan;
        let params = params(&compiled.analysis.function);
        let mut data = Data::default();
        for (n, param) in params.iter().enumerate() {
            let number = self.numbers.iter().find(|(name, _)| *name == param.name);
            let array = self.arrays.iter().find(|(name, ..)| *name == param.name);
            let bytes = match (number, array) {
                (Some((_, number)), _) => number.to_ne_bytes().to_vec(),
                (_, Some((_, length, below))) => {
                    fill(param.scalar, *length, *below, self.seed + n as u64)
                }
                _ => panic!("nothing is said of `{}`", param.name),
            };
            data.0.insert(param.name.clone(), bytes);
        }
        let mut failed = None;
        for overflow_checks in [false, true] {
            let mut theirs = oracle::state(plan, &params, &data);
            theirs.overflow_checks = overflow_checks;
            let fault = theirs.interpret(&plan.pattern).err();
            let printed = module(&compiled, steps, overflow_checks);
            let text = change(printed.text().into_owned());
            let printed = Module {
                ptx: text.into(),
                ..printed
            };
            let mut ours = oracle::kernel_state(plan, &params, &data);
            let width = ours.counts(&plan.pattern).map_or(1, |counts| counts[1]);
            let how = Variation {
                seed: self.seed,
                block: self.block.min(printed.abi.block),
                overlap: self.overlap.filter(|_| !overflow_checks),
                ..Variation::default()
            };
            let outcome = run(&printed, plan.kernel_ir(), &plan.pattern, &mut ours, how);
            match (&outcome, &fault) {
                (Outcome::Done, None) => {}
                (Outcome::Fault(at, message), Some(fault)) => {
                    let found = (at / width, message.clone());
                    assert_eq!(found, (fault.iteration, fault.kind.to_string()), "{source}");
                    failed = Some(found.0);
                    continue;
                }
                (_, fault) => panic!("{outcome:?}, not {fault:?}\n{source}\n{}", printed.text()),
            }
            for (n, array) in plan.ir.arrays.iter().enumerate() {
                let id = ArrayId(n as u32);
                assert!(
                    ours.bytes(id) == theirs.bytes(id),
                    "{} of {:?}, {:?}\n{source}\n{}",
                    array.name,
                    self.numbers,
                    self.arrays,
                    printed.text()
                );
            }
        }
        failed
    }
}

const SEAM: &str = "fn f(energy: &[u8], w: usize, h: usize, costs: &mut [u32]) {
    #[sequential]
    for y in 1..h {
        let (before, row) = costs.split_at_mut(y * w);
        let above = &before[(y - 1) * w..];
        for x in 0..w {
            let (left, right) = (x.saturating_sub(1), (x + 1).min(w - 1));
            let cheapest = above[x].min(above[left]).min(above[right]);
            row[x] = cheapest + energy[y * w + x] as u32;
        }
    }
}";

const BY_INDEX: &str = "fn f(energy: &[u16], w: usize, h: usize, costs: &mut [u64]) {
    for y in 1..h {
        for x in 1..w - 1 {
            let above = (y - 1) * w + x;
            let cheapest = costs[above].min(costs[above - 1]).min(costs[above + 1]);
            costs[y * w + x] = cheapest + energy[y * w + x] as u64;
        }
    }
}";

/// Two inner loops, the second over what the first has written.
const TO_AND_FRO: &str = "fn f(a: &mut [f32], b: &mut [f32], h: usize) {
    for _ in 0..h {
        for i in 1..a.len() - 1 { b[i] = (a[i - 1] + a[i + 1]) * 0.5; }
        for i in 1..b.len() - 1 { a[i] = (b[i - 1] + b[i + 1]) * 0.5; }
    }
}";

/// One of two inner loops, by the step.
const BY_PARITY: &str = "fn f(a: &mut [f64], b: &mut [f64], h: usize) {
    for t in 0..h {
        if t % 2 == 0 {
            for i in 1..a.len() - 1 { b[i] = a[i - 1] - a[i + 1]; }
        } else {
            for i in 1..b.len() - 1 { a[i] = b[i - 1] + b[i + 1]; }
        }
    }
}";

/// Loops in order within the steps, and within what a thread does.
const NESTED: &str = "fn f(a: &mut [i32], b: &mut [i32], w: usize, h: usize) {
    for t in 0..h {
        let mut k = t;
        while k > 1 { k /= 2; }
        for s in 0..2 {
            if s > t { continue; }
            for i in 0..w {
                let mut sum = 0i32;
                for j in 0..3 { sum = sum.wrapping_add(a[(i + j + s) % w]); }
                b[i] = sum ^ k as i32;
            }
            for i in 0..w { a[i] = b[w - 1 - i].wrapping_mul(3); }
        }
    }
}";

/// Rows get shorter.
const SHORTER: &str = "fn f(a: &mut [u32], n: usize) {
    for k in 0..n {
        for i in k + 1..n { a[i] = a[i].wrapping_mul(3) ^ a[k]; }
    }
}";

const LOOKED_UP: &str = "fn f(at: &[usize], w: usize, h: usize, a: &mut [u32], b: &mut [u32]) {
    for s in 0..h {
        for i in 0..w { b[i] = a[at[s * w + i]].wrapping_add(1); }
        for i in 0..w { a[i] = b[w - 1 - i] / (1 + s as u32); }
    }
}";

#[test]
fn seams() {
    for (seed, (w, h, block)) in (1..).zip([
        (1, 4, 32),
        (31, 9, 32),
        (33, 9, 64),
        (100, 12, 32),
        (1024, 3, 1024),
        (1025, 3, 544),
        (3000, 3, 1024),
        (40, 1, 64),
        (40, 2, 64),
    ]) {
        let call = Call {
            source: SEAM,
            numbers: &[("w", w), ("h", h)],
            arrays: &[("energy", w * h, 256), ("costs", w * h, 100)],
            seed,
            block,
            overlap: None,
        };
        assert_eq!(call.run(), None);
        let call = Call {
            source: BY_INDEX,
            ..call
        };
        assert_eq!(call.run(), None, "{w} by {h}");
    }
}

/// Borders that no step writes, and an offset of two.
const BORDERS: &str = "fn f(from: &[u16], w: usize, h: usize, costs: &mut [u64]) {
    for y in 0..h - 1 {
        for x in 2..w - 2 {
            let above = y * w + x;
            let cheapest = costs[above].min(costs[above - 2]).min(costs[above + 2]);
            costs[(y + 1) * w + x] = cheapest + from[y * w + x] as u64;
        }
    }
}";

/// Rows from the last to the first.
const UPWARDS: &str = "fn f(from: &[u8], w: usize, h: usize, best: &mut [f32]) {
    for k in 1..h {
        let y = h - 1 - k;
        for x in 0..w {
            let right = (x + 2).min(w - 1);
            let left = x.saturating_sub(1);
            let below = (y + 1) * w;
            best[y * w + x] = best[below + x].max(best[below + right]).max(best[below + left]) + from[y * w + x] as f32;
        }
    }
}";

/// A cell from two of the row before.
const CELLS: &str = "fn f(w: usize, h: usize, out: &mut [u8]) {
    for y in 1..h {
        let (done, rest) = out.split_at_mut(y * w);
        let above = &done[(y - 1) * w..y * w];
        let row = &mut rest[..w];
        for x in 0..w {
            row[x] = above[x] ^ above[x.saturating_sub(3)].wrapping_mul(5);
        }
    }
}";

/// Neighbours by conditions.
const FALLING: &str = "fn f(from: &[i16], w: usize, h: usize, best: &mut [i32]) {
    for y in 1..h {
        for x in 0..w {
            let mut least = best[(y - 1) * w + x];
            if x > 0 {
                least = least.min(best[(y - 1) * w + x - 1]);
            }
            if x + 1 < w && best[(y - 1) * w + x + 1] < least {
                least = best[(y - 1) * w + x + 1];
            }
            best[y * w + x] = least + from[y * w + x] as i32;
        }
    }
}";

/// The same by indices that conditions choose.
const CHOSEN: &str = "fn f(from: &[u8], w: usize, h: usize, out: &mut [f32]) {
    for y in 1..h {
        let above = (y - 1) * w;
        for x in 0..w {
            let left = if x == 0 { 0 } else { x - 1 };
            let right = if x < w - 1 { x + 1 } else { x };
            let other = if x >= 2 && x + 3 < w { out[above + x - 2] + out[above + x + 3] } else { 0.5 };
            out[y * w + x] = out[above + left] * 0.25 + out[above + x] - out[above + right] + other + from[x] as f32;
        }
    }
}";

/// So many columns that the text says how many.
const CONSTANT: &str = "fn f(from: &[u8], h: usize, out: &mut [u16]) {
    for y in 1..h {
        for x in 0..70usize {
            let mut all = out[(y - 1) * 70 + x].rotate_left(3);
            if x >= 1 {
                all ^= out[(y - 1) * 70 + x - 1];
            }
            if x < 69 {
                all ^= out[(y - 1) * 70 + x + 1];
            }
            out[y * 70 + x] = all ^ from[x] as u16;
        }
    }
}";

#[test]
fn gangs_take_several_steps_by_themselves() {
    for (seed, (w, h, overlap)) in (1..).zip([
        (1, 4, [32, 3]),
        (31, 9, [32, 2]),
        (33, 9, [64, 4]),
        (100, 12, [32, 3]),
        (100, 30, [64, 7]),
        (257, 20, [96, 5]),
        (700, 40, [256, 16]),
        (40, 1, [64, 2]),
        (40, 2, [64, 2]),
    ]) {
        for (source, array, margin) in [
            (SEAM, "energy", 0),
            (BY_INDEX, "energy", 3),
            (BORDERS, "from", 5),
            (UPWARDS, "from", 0),
            (CELLS, "from", 0),
            (FALLING, "from", 2),
            (CHOSEN, "from", 6),
            (CONSTANT, "from", 70),
        ] {
            if w < margin {
                continue;
            }
            let out = match source {
                UPWARDS | FALLING => "best",
                CELLS | CHOSEN | CONSTANT => "out",
                _ => "costs",
            };
            let call = Call {
                source,
                numbers: &[("w", w), ("h", h)],
                arrays: &[(array, w * h, 256), (out, w * h, 100)],
                seed,
                block: 64,
                overlap: Some(overlap),
            };
            // No gang takes them in order.
            let failed = call.run_changed(|text| text.replace("IN_ORDER:", "IN_ORDER: trap;"));
            assert_eq!(failed, None, "{w} by {h}");
        }
    }
}

/// Rows of a distance of their own.
const APART: &str = "fn f(from: &[u8], w: usize, s: usize, h: usize, out: &mut [u64]) {
    for y in 1..h {
        for x in 0..w {
            let far = if x < w - 5 { out[(y - 1) * s + x + 1] } else { 7 };
            out[y * s + x] = out[(y - 1) * s + x] + 3 * far + from[x] as u64;
        }
    }
}";

#[test]
fn steps_that_cannot_overlap_are_taken_in_order() {
    // Conditions that mean something else, since there are fewer columns than they leave.
    for (w, s) in [(60, 60), (60, 100), (4, 9), (5, 9), (6, 6)] {
        let call = Call {
            source: APART,
            numbers: &[("w", w), ("s", s), ("h", 9)],
            arrays: &[("from", w, 256), ("out", 9 * s + w, 1000)],
            seed: 5,
            block: 64,
            overlap: Some([32, 3]),
        };
        assert_eq!(call.run(), (w < 5).then_some(0), "{w} columns, {s} apart");
    }
    // A number that wraps around before it is compared.
    let call = Call {
        source: "fn f(w: usize, h: usize, out: &mut [u64]) {
            for y in 2..h {
                for x in 0..w {
                    let mut all = 3 * out[(y - 1) * w + x];
                    if x - 1 > 0 {
                        all += out[(y - 1) * w + x - 1];
                    }
                    out[y * w + x] = all;
                }
            }
        }",
        numbers: &[("w", 40), ("h", 9)],
        arrays: &[("out", 360, 1000)],
        seed: 5,
        block: 64,
        overlap: Some([32, 3]),
    };
    assert_eq!(call.run(), Some(0));
    // One step fails, and those behind it would not.
    let call = Call {
        source: "fn f(w: usize, h: usize, out: &mut [u64]) {
            for y in 1..h {
                assert!(y != 5);
                for x in 0..w {
                    out[y * w + x] = out[(y - 1) * w + x] + 1;
                }
            }
        }",
        arrays: &[("out", 360, 1000)],
        ..call
    };
    assert_eq!(call.run(), Some(4));
    // A step that fails in one launch, of which there are others behind it.
    let (w, h) = (50, 12);
    for (source, out) in [(SEAM, "costs"), (FALLING, "best")] {
        for rows in [1, 3, 5, 11] {
            let from = if source == SEAM { "energy" } else { "from" };
            let call = Call {
                source,
                numbers: &[("w", w), ("h", h)],
                arrays: &[(from, w * h, 256), (out, w * rows - 1, 100)],
                seed: 5,
                block: 64,
                overlap: Some([64, 3]),
            };
            assert_eq!(call.run(), Some(rows.max(2) as u64 - 2), "{rows} rows");
        }
    }
}

#[test]
fn what_is_made_of_more_than_the_row_before_does_not_overlap() {
    let reach = |body: &str| {
        let source = format!(
            "fn f(from: &[u8], w: usize, h: usize, m: &mut [u32]) {{ for y in 2..h {{ for x in 0..w {{ {body} }} }} }}"
        );
        let compiled = compiled(&source);
        let [steps] = &compiled.analysis.steps[..] else {
            return None;
        };
        Some(module(&compiled, steps, false).abi.reach)
    };
    assert_eq!(reach("m[y * w + x] = m[(y - 1) * w + x] + 1;"), Some(1));
    assert_eq!(
        reach("m[y * w + x] = m[(y - 1) * w + (x + 3).min(w - 1)];"),
        Some(3)
    );
    assert_eq!(
        reach("let l = if x > 1 { x - 2 } else { 0 }; m[y * w + x] = m[(y - 1) * w + l];"),
        Some(2)
    );
    for body in [
        // The row before that.
        "m[y * w + x] = m[(y - 2) * w + x] + m[(y - 1) * w + x];",
        // Another one in each step, or in each column.
        "m[y * w + x] = m[x];",
        "m[y * w + x] = m[(y - 1) * w + w / 2];",
        "m[y * w + x] = m[(y - 1) * w + w - 1 - x];",
        // Around the end of the row.
        "let l = if x > 0 { x - 1 } else { w - 1 }; m[y * w + x] = m[(y - 1) * w + l];",
        "m[y * w + x] = m[(y - 1) * w + (x + 1) % w];",
        // A bound that lies further away, or on the other side.
        "let l = if x > 9 { x - 1 } else { 0 }; m[y * w + x] = m[(y - 1) * w + l];",
        "m[y * w + x] = m[(y - 1) * w + (x + 1).min(w / 2)];",
        "m[y * w + x] = m[(y - 1) * w + (x + 9).min(w - 1)];",
        // What it writes itself, and what another loop does.
        "m[y * w + x] += m[(y - 1) * w + x];",
        "m[y * w + x] = m[y * w + x] + m[(y - 1) * w + x];",
        "m[y * w + x] = m[(y - 1) * w + x] / from[x] as u32;",
    ] {
        assert!(matches!(reach(body), None | Some(0)), "{body}");
    }
}

#[test]
fn several_loops_in_a_step() {
    for (seed, (n, h, block)) in (1..).zip([(2, 3, 32), (40, 9, 32), (100, 8, 64), (300, 5, 256)]) {
        for source in [TO_AND_FRO, BY_PARITY] {
            let call = Call {
                source,
                numbers: &[("h", h)],
                arrays: &[("a", n, 1000), ("b", n, 1000)],
                seed,
                block,
                overlap: None,
            };
            assert_eq!(call.run(), None);
        }
        let call = Call {
            source: NESTED,
            numbers: &[("w", n), ("h", h)],
            arrays: &[("a", n, 1000), ("b", n, 1000)],
            seed,
            block,
            overlap: None,
        };
        assert_eq!(call.run(), None);
        let call = Call {
            source: SHORTER,
            numbers: &[("n", n)],
            arrays: &[("a", n, 1000)],
            seed,
            block,
            overlap: None,
        };
        assert_eq!(call.run(), None);
    }
}

#[test]
fn the_earliest_fault_is_told_and_no_step_follows() {
    // An index in step 2 is out of range, and others in all behind it.
    let (w, h) = (70, 6);
    for block in [32, 64] {
        for n in [w, w - 1, w - 20] {
            // `a` is shorter than what it is asked for.
            let call = Call {
                source: LOOKED_UP,
                numbers: &[("w", w), ("h", h)],
                arrays: &[("at", w * h, 50), ("a", n, 50), ("b", w, 50)],
                seed: 3,
                block,
                overlap: None,
            };
            let fails = (n < w).then_some(0);
            assert_eq!(call.run(), fails);
            // Fewer indices than are read.
            for missing in [1, w + 1, 3 * w - 5] {
                let arrays = [
                    ("at", w * h - missing, 50),
                    ("a", w.max(50), 50),
                    ("b", w, 50),
                ];
                let call = Call {
                    arrays: &arrays,
                    ..call
                };
                assert_eq!(call.run(), Some(((w * h - missing) / w) as u64));
            }
        }
    }
    // What stands between the loops fails as well: there is no such row.
    for rows in [1, 3, 5] {
        let (w, h) = (50, 6);
        let call = Call {
            source: SEAM,
            numbers: &[("w", w), ("h", h)],
            arrays: &[("energy", w * h, 256), ("costs", w * rows - 1, 100)],
            seed: 5,
            block: 64,
            overlap: None,
        };
        assert_eq!(call.run(), Some(rows as u64 - 1 - u64::from(rows > 1)));
    }
}

/// A kernel without one of its barriers is wrong in some order of the warps, which the simulator finds.
#[test]
fn no_barrier_is_there_in_vain() {
    let call = Call {
        source: TO_AND_FRO,
        numbers: &[("h", 4)],
        arrays: &[("a", 200, 1000), ("b", 200, 1000)],
        seed: 1,
        block: 128,
        overlap: None,
    };
    let compiled = compiled(TO_AND_FRO);
    let text = module(&compiled, &compiled.analysis.steps[0], false);
    let text = text.text().into_owned();
    let is_barrier = |line: &str| line.trim_start().starts_with("bar.");
    let barriers = text.lines().filter(|line| is_barrier(line)).count();
    assert_eq!(barriers, 2, "{text}");
    let _quiet = quiet();
    for number in 0..barriers {
        let without = |text: String| {
            let mut seen = 0;
            let lines = text.lines().map(|line| {
                let nth = seen;
                seen += usize::from(is_barrier(line));
                match is_barrier(line) && nth == number {
                    true if line.contains("red") => {
                        let any = line.split(['%', ',']).nth(1).expect("a predicate");
                        format!("    setp.ne.u32 %{any}, %r_thread, %r_thread;")
                    }
                    true => String::new(),
                    false => line.to_owned(),
                }
            });
            lines.collect::<Vec<_>>().join("\n")
        };
        let found = quietly(|| call.run_changed(without));
        let said = found.expect_err("a race");
        assert!(said.contains("race"), "{said}");
    }
}

#[test]
fn what_is_no_loop_of_steps_goes_launch_by_launch() {
    for source in [
        // A sum comes out of the inner loop.
        "fn f(a: &mut [f32], b: &mut [f32], h: usize) -> f32 { let mut most = 0.0f32; for _ in 0..h { most = 0.0;
            for i in 1..a.len() - 1 { b[i] = a[i - 1] + a[i + 1]; most = most.max(b[i]); }
            for i in 1..a.len() - 1 { a[i] = b[i]; } } most }",
        // A scalar goes from step to step, which the function returns.
        "fn f(a: &mut [u32], b: &mut [u32], h: usize) -> u32 { let mut k = 0; for t in 0..h { k += 1;
            for i in 1..a.len() { b[i] = a[i - 1]; } for i in 0..a.len() { a[i] = b[i] + k; } } k }",
        // An element is looked at between the loops.
        "fn f(a: &mut [u32], n: usize) { for k in 0..n { let pivot = a[k]; for i in k + 1..n { a[i] ^= pivot; } } }",
        // A thread for each row would take long.
        "fn f(a: &mut [f32], b: &mut [f32], w: usize, h: usize, n: usize) { #[sequential] for _ in 0..n {
            for y in 0..h { for x in 0..w { b[y * w + x] = a[y * w + x] * 0.5; } }
            for y in 0..h { for x in 0..w { a[y * w + x] = b[y * w + x] + 1.0; } } } }",
    ] {
        let compiled = compiled(source);
        assert!(!compiled.analysis.loops.is_empty());
        assert!(compiled.analysis.steps.is_empty(), "{source}");
    }
}
