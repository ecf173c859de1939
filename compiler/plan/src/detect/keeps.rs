//! What an iteration keeps of the best item, for data that the host does not have: the loop of a kernel that runs this one iteration.
//!
//! [`winners`](super::winners) finds which iteration has the best item. Where the host has the data, it runs that one in the user's words. Where they are on a
//! device, this does: it has one position, which the position of the user's loop is set to, and begins with what was kept before.

use super::winners::At;
use crate::ir::visit::Visit;
use crate::ir::{
    Best, BinaryOp, Dim, Expr, ExprKind, Histogram, Loop, Memory, Method, Op, Pattern, Scalar,
    StmtKind, Target, Type, Update, Var, VarId, VarKind,
};

/// A loop that runs one iteration.
#[derive(Clone, Debug)]
pub struct Keeps {
    /// The loop.
    pub ir: Loop,
    /// What it is: for each variable that is kept, its bits before, with those inverted that are others behind it.
    pub pattern: Pattern,
    /// The iteration.
    pub position: VarId,
    /// What was kept before, in the order of the variables of all best items.
    pub before: Vec<VarId>,
}

/// The loop of the kernel, where numbers are kept of the best items, and nothing that is kept may panic.
pub(super) fn find(ir: &Loop, roles: &Histogram) -> Option<Keeps> {
    let fits = |best: &Best| {
        !best.test && best.option.is_none() && !best.ends && !best.lazy && !best.overflows
    };
    if roles.best.is_empty() || !roles.best.iter().all(fits) || leaves(ir) {
        return None;
    }
    let [dim] = &ir.space[..] else {
        return None;
    };
    let kept: Vec<VarId> = roles.best.iter().flat_map(|b| &b.vars).copied().collect();
    let scalar = |var: &VarId| match ir.var(*var).ty {
        Type::Scalar(scalar) => Some(scalar),
        _ => None,
    };
    let types: Vec<Scalar> = kept.iter().map(scalar).collect::<Option<_>>()?;
    let (at, user) = (At(dim.source), dim.position);
    let mut ir = ir.clone();
    let vars = &mut ir.body.vars;
    let mut var = |name: &str, ty, kind| {
        vars.push(Var {
            name: name.to_owned(),
            ty: Type::Scalar(ty),
            kind,
            source: at.0,
        });
        VarId(vars.len() as u32 - 1)
    };
    let only = var("only", Scalar::Usize, VarKind::Position);
    let position = var("position", Scalar::U64, VarKind::Captured);
    let before: Vec<VarId> = types
        .iter()
        .map(|ty| var("before", *ty, VarKind::Captured))
        .collect();
    let bits: Vec<VarId> = types
        .iter()
        .map(|_| var("bits", Scalar::U64, VarKind::Reduced))
        .collect();
    for var in kept.iter().chain([&user]) {
        vars[var.0 as usize].kind = VarKind::Local;
    }
    let dim = &mut ir.space[0];
    *dim = Dim {
        position: only,
        count: at.expr(
            ExprKind::Method(
                Method::Min,
                vec![dim.count.clone(), at.int(1, Scalar::Usize)],
            ),
            Scalar::Usize,
        ),
        text: dim.text.clone(),
        source: dim.source,
    };
    let declared = |var: VarId, value: Expr| at.stmt(StmtKind::Let(var, Some(value)));
    let mut stmts = vec![declared(
        user,
        at.cast(at.load(position, Scalar::U64), Scalar::Usize),
    )];
    let with_types = || kept.iter().zip(&types);
    let begin = with_types().zip(&before);
    stmts.extend(begin.map(|((var, ty), before)| declared(*var, at.load(*before, *ty))));
    let block = &mut ir.body.block;
    stmts.append(&mut block.stmts);
    if let Some(tail) = block.tail.take() {
        stmts.push(at.stmt(StmtKind::Expr(*tail)));
    }
    stmts.extend(
        with_types()
            .zip(&before)
            .enumerate()
            .map(|(target, ((var, ty), before))| {
                at.stmt(StmtKind::Update(Update {
                    target,
                    site: 0,
                    bin: Vec::new(),
                    value: at.binary(BinaryOp::BitXor, at.bits(*var, *ty), at.bits(*before, *ty)),
                    subtracts: false,
                    multiplies: false,
                }))
            }),
    );
    block.stmts = stmts;
    let targets = bits.iter().map(|var| Target {
        memory: Memory::Scalar(*var),
        elem: Some(Scalar::U64),
        op: Op::Xor.into(),
        sites: 1,
        injective: None,
    });
    let pattern = Pattern::Histogram(Histogram {
        targets: targets.collect(),
        ..Histogram::default()
    });
    Some(Keeps {
        ir,
        pattern,
        position,
        before,
    })
}

impl At {
    /// The bits of a variable, in a word of 64.
    fn bits(self, var: VarId, ty: Scalar) -> Expr {
        let load = self.load(var, ty);
        let number = match ty {
            Scalar::F32 | Scalar::F64 => {
                let bits = match ty {
                    Scalar::F32 => Scalar::U32,
                    _ => Scalar::U64,
                };
                self.expr(ExprKind::Method(Method::ToBits, vec![load]), bits)
            }
            _ => load,
        };
        match number.ty {
            Type::Scalar(Scalar::U64) => number,
            _ => self.cast(number, Scalar::U64),
        }
    }
}

/// Whether an iteration may end before its last statement, or does what kernels do not know.
fn leaves(ir: &Loop) -> bool {
    struct Leaves(bool);
    impl Visit for Leaves {
        fn expr(&mut self, expr: &Expr) {
            self.0 |= matches!(
                expr.kind,
                ExprKind::Continue(None) | ExprKind::Return(_) | ExprKind::Opaque(_)
            );
            self.expr_parts(expr);
        }
    }
    let mut leaves = Leaves(false);
    leaves.block(&ir.body.block);
    leaves.0
}
