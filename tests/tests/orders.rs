//! Random loops that write elements of arrays: those that the compiler takes leave the same in memory in whatever order their
//! iterations run, where the loop's guard holds.
//!
//! `ACCRUE_LOOPS=1000000 cargo test -p accrue-tests --release --test orders -- --nocapture` draws a million; how many were
//! taken, and how many of those that were refused came out the same in every order, is printed.

use accrue::__rt::cpu::{Form, Guard};
use accrue_compiler::dependence::{Affine, Poly};
use accrue_compiler::ir::interpret::{State, Value};
use accrue_compiler::ir::{self, BinaryOp, ExprKind, Literal, Method, Pattern, Root};
use accrue_compiler::plan::LoopPlan;
use accrue_compiler::{Args, stages};
use accrue_tests::data::params;
use accrue_tests::generate::Nests;
use accrue_tests::oracle;

/// Iterations of a loop that is run, at most.
const MOST_ITERATIONS: u64 = 400;

/// The value of what a guard is given.
fn given(expr: &ir::Expr, state: &State<'_>) -> i128 {
    let wrap = |value: i128| {
        let scalar = expr.ty.as_scalar().expect("an integer");
        let (low, high) = scalar.limits().expect("an integer");
        (value - low).rem_euclid(high - low + 1) + low
    };
    match &expr.kind {
        ExprKind::Literal(Literal::Int(value)) => *value,
        ExprKind::Len(id) => (state.bytes(*id).len() / 4) as i128,
        ExprKind::Load(place) => {
            let Root::Var(var) = place.root else {
                panic!("an array");
            };
            match state.var(var) {
                Some(Value::Int(value)) => *value,
                other => panic!("{other:?}"),
            }
        }
        ExprKind::Cast(inner) => wrap(given(inner, state)),
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (given(a, state), given(b, state));
            match op {
                BinaryOp::Add => wrap(a + b),
                BinaryOp::Sub => wrap(a - b),
                BinaryOp::Mul => wrap(a.wrapping_mul(b)),
                BinaryOp::Div => a.checked_div(b).unwrap_or(0),
                other => panic!("{other:?}"),
            }
        }
        ExprKind::Method(name, parts) => {
            let (a, b) = (given(&parts[0], state), given(&parts[1], state));
            match *name {
                Method::DivCeil if b == 0 => 0,
                Method::DivCeil => (a + b - 1).div_euclid(b),
                Method::SaturatingSub => (a - b).max(0),
                Method::Min => a.min(b),
                other => panic!("{other:?}"),
            }
        }
        other => panic!("{other:?}"),
    }
}

type OwnPoly = Vec<(i128, Vec<u32>)>;

fn poly(of: &Poly) -> OwnPoly {
    of.terms()
        .map(|(c, factors)| (c, factors.iter().map(|p| p.0).collect()))
        .collect()
}

/// Whether a guard holds, by the code that a call asks.
fn holds(guard: &ir::Guard, state: &State<'_>) -> bool {
    let values: Vec<i128> = guard.given.iter().map(|expr| given(expr, state)).collect();
    // What is emitted as constants is leaked here, and there is little of it.
    fn leak<T>(all: Vec<T>) -> &'static [T] {
        Box::leak(all.into_boxed_slice())
    }
    let leaked = |of: &Poly| -> &'static [(i128, &'static [u32])] {
        leak(poly(of).into_iter().map(|(c, f)| (c, leak(f))).collect())
    };
    let form = |of: &Affine| {
        let terms = of.terms().map(|(var, c)| (var.0 as u32, leaked(c)));
        Form(leak(terms.collect()), leaked(of.rest()))
    };
    let extents = guard
        .extents
        .iter()
        .map(|bounds| leak(bounds.iter().map(form).collect()));
    let within = guard.within.iter().map(|w| (form(&w.form), w.low, w.high));
    let guard = Guard {
        extents: leak(extents.collect()),
        within: leak(within.collect()),
        conditions: leak(guard.conditions.iter().map(leaked).collect()),
    };
    guard.holds(&values)
}

/// What is left in memory by a loop whose iterations run in an order; nothing if it faults.
fn left(
    plan: &LoopPlan,
    state: &State<'_>,
    order: impl Fn(u64, u64) -> u64,
) -> Option<Vec<Vec<u8>>> {
    let mut state = state.clone();
    state.interpret_in(&plan.pattern, order).ok()?;
    let ids = 0..plan.ir.arrays.len() as u32;
    Some(
        ids.map(|id| state.bytes(ir::ArrayId(id)).to_vec())
            .collect(),
    )
}

#[test]
fn what_is_taken_is_the_same_in_every_order() {
    let loops: u64 = std::env::var("ACCRUE_LOOPS").map_or(2_000, |n| n.parse().unwrap());
    let seed = std::env::var("ACCRUE_SEED").map_or(20_261_123, |n| n.parse().unwrap());
    let mut random = Nests::new(seed);
    let (mut taken, mut ran, mut guarded, mut failed) = (0, 0, 0, 0);
    for number in 0..loops {
        let text = random.function();
        let function: syn::ItemFn = syn::parse_str(&text).expect("it is Rust");
        let args = Args {
            any: true,
            as_marked: true,
            ..Args::default()
        };
        let Ok(compiled) = stages(function.clone(), &args, &Default::default(), None) else {
            continue;
        };
        taken += 1;
        let plan = &compiled.analysis.loops[0];
        if compiled.forms[0].in_order.is_some() {
            continue;
        }
        let Pattern::Histogram(roles) = &plan.pattern;
        for _ in 0..12 {
            let data = random.data(&text);
            let mut state = oracle::state(plan, &params(&function), &data);
            state.overflow_checks = false;
            let few = state
                .counts(&plan.pattern)
                .is_ok_and(|counts| counts.iter().all(|count| *count <= MOST_ITERATIONS));
            if !few {
                continue;
            }
            if let Some(guard) = &roles.guard
                && !holds(guard, &state)
            {
                guarded += 1;
                continue;
            }
            let Some(forth) = left(plan, &state, |at, _| at) else {
                failed += 1;
                continue;
            };
            ran += 1;
            type Order = fn(u64, u64) -> u64;
            let orders: [(&str, Order); 2] = [
                ("back", |at, total| total - 1 - at),
                ("from the middle", |at, total| (at + total / 2) % total),
            ];
            for (name, order) in orders {
                assert!(
                    left(plan, &state, order).as_ref() == Some(&forth),
                    "loop {number} of seed {seed}, {name}, with n, w, k, m of {:?}:\n{text}",
                    ["n", "w", "k", "m"].map(|name| {
                        let bytes = &data.0[name];
                        bytes
                            .iter()
                            .rev()
                            .fold(0u64, |all, b| all << 8 | u64::from(*b))
                    })
                );
            }
        }
    }
    println!(
        "{loops} loops: {taken} taken, {ran} runs the same in every order, {guarded} guarded, {failed} faults"
    );
    assert!(taken * 20 > loops, "{taken} of {loops} taken");
    assert!(ran > taken, "{ran} runs of {taken} loops");
}
