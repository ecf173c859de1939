//! Each invariant broken once.

use crate::ir::sample::{self, expr, int, stmt, var};
use crate::ir::*;

/// What the verifier says of the sample after `change`.
fn after(change: impl FnOnce(&mut Loop, &mut Histogram)) -> String {
    let (mut lp, Pattern::Histogram(mut histogram)) = sample::sums();
    change(&mut lp, &mut histogram);
    match lp.verify_detected(&Pattern::Histogram(histogram)) {
        Ok(()) => String::new(),
        Err(violation) => violation.to_string(),
    }
}

#[test]
fn the_sample_holds() {
    assert_eq!(after(|_, _| ()), "");
}

#[test]
fn updates_stand_after_detection_only() {
    let violation = sample::sums().0.verify().unwrap_err();
    assert_eq!(violation.what, "an update stands before detection");
    assert_eq!(violation.stage, "lowering");
}

#[test]
fn each_broken_invariant_is_named() {
    type Change = fn(&mut Loop, &mut Histogram);
    let push: fn(&mut Loop, StmtKind) = |lp, kind| lp.body.block.stmts.push(stmt(kind));
    let cases: &[(&str, Change)] = &[
        ("no dimension", |lp, _| lp.space.clear()),
        ("no position of its own", |lp, _| {
            lp.space.push(lp.space[0].clone())
        }),
        ("a count cannot hold", |lp, _| {
            lp.space[0].count = var(0, Scalar::Usize)
        }),
        ("a usize is expected", |lp, _| {
            lp.space[0].count = int(3, Scalar::U8)
        }),
        ("has no `or`", |_, h| h.targets[0].op = Op::Or.into()),
        ("the sign of the update is not that of `sub`", |_, h| {
            h.targets[0].op = Op::Sub.into()
        }),
        ("the sign of the update is not that of `add`", |lp, _| {
            if let StmtKind::Update(update) = &mut lp.body.block.stmts[3].kind {
                update.subtracts = true;
            }
        }),
        ("2 sites, and 1 updates", |_, h| h.targets[0].sites = 2),
        ("share their memory", |lp, h| {
            h.targets[1] = h.targets[0].clone();
            lp.body.block.stmts.pop();
        }),
        ("reduced by no target", |lp, h| {
            h.targets.pop();
            lp.body.block.stmts.pop();
        }),
        ("updated by no target", |lp, _| {
            lp.arrays[0].access = Access::Updated
        }),
        ("only the length is used", |lp, _| {
            lp.arrays[0].access = Access::LengthOnly
        }),
        ("a step into a f32", |lp, _| {
            if let StmtKind::Update(update) = &mut lp.body.block.stmts[3].kind {
                let path = vec![Projection::Field(0)];
                let place = Place {
                    root: Root::Var(VarId(2)),
                    path,
                };
                update.value = expr(ExprKind::Load(place), Scalar::F32);
            }
        }),
    ];
    for (what, change) in cases {
        let said = after(change);
        assert!(said.contains(what), "expected `{what}`, got `{said}`");
    }
    let statements: Vec<(&str, StmtKind)> = vec![
        ("declared twice", StmtKind::Let(VarId(1), None)),
        ("not of its type", StmtKind::Expr(int(256, Scalar::U8))),
        (
            "a reduced variable is read",
            StmtKind::Expr(var(4, Scalar::U8)),
        ),
        ("ought to be u8", StmtKind::Expr(var(1, Scalar::U16))),
        ("no such variable", StmtKind::Expr(var(9, Scalar::U8))),
        (
            "does not stand in",
            StmtKind::Expr(expr(ExprKind::Break(LoopLabel(0), None), Type::Never)),
        ),
        (
            "outside of a device function",
            StmtKind::Expr(expr(ExprKind::Return(None), Type::Never)),
        ),
        (
            "a captured variable is assigned",
            StmtKind::Assign(
                Place {
                    root: Root::Var(VarId(3)),
                    path: Vec::new(),
                },
                var(2, Scalar::F32),
            ),
        ),
        (
            "`+` of u8 and f32",
            StmtKind::Expr(sample::binary(
                BinaryOp::Add,
                var(1, Scalar::U8),
                var(2, Scalar::F32),
            )),
        ),
    ];
    for (what, kind) in statements {
        let said = after(|lp, _| push(lp, kind));
        assert!(said.contains(what), "expected `{what}`, got `{said}`");
    }
}
