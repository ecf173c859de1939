//! Loops made by hand for the tests of this module, as the front end and the detector make them.

use super::*;

const AT: SourceId = SourceId(0);

pub(super) fn expr(kind: ExprKind, ty: impl Into<Type>) -> Expr {
    Expr {
        kind,
        ty: ty.into(),
        source: AT,
    }
}

pub(super) fn int(value: i128, ty: Scalar) -> Expr {
    expr(ExprKind::Literal(Literal::Int(value)), ty)
}

pub(super) fn var(id: u32, ty: impl Into<Type>) -> Expr {
    expr(
        ExprKind::Load(Place {
            root: Root::Var(VarId(id)),
            path: Vec::new(),
        }),
        ty,
    )
}

pub(super) fn binary(op: BinaryOp, a: Expr, b: Expr) -> Expr {
    let ty = if op.is_comparison() {
        Scalar::Bool.into()
    } else {
        a.ty.clone()
    };
    expr(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty)
}

pub(super) fn index(index: Expr, check: Check) -> Index {
    Index {
        index,
        base: None,
        check,
    }
}

pub(super) fn element(array: u32, at: Index, ty: Scalar) -> Expr {
    let path = vec![Projection::Index(Box::new(at))];
    expr(
        ExprKind::Load(Place {
            root: Root::Array(ArrayId(array)),
            path,
        }),
        ty,
    )
}

pub(super) fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, source: AT }
}

fn local(name: &str, ty: Scalar, kind: VarKind) -> Var {
    Var {
        name: name.into(),
        ty: ty.into(),
        kind,
        source: AT,
    }
}

/// ```text
/// fn sums(keys: &[u8], weights: &[f32], scale: f32, hist: &mut [f32], largest: &mut u8) {
///     for (&k, &w) in keys.iter().zip(weights) {
///         if k == 255 { continue; }
///         hist[(k / 2) as usize] += w * scale;
///         *largest = (*largest).max(k);
///     }
/// }
/// ```
pub(super) fn sums() -> (Loop, Pattern) {
    let at = || index(var(0, Scalar::Usize), Check::Never);
    let k = || var(1, Scalar::U8);
    let skip = expr(ExprKind::Continue(None), Type::Never);
    let condition = Box::new(binary(BinaryOp::Eq, k(), int(255, Scalar::U8)));
    let then = Block {
        stmts: vec![stmt(StmtKind::Expr(skip))],
        tail: None,
    };
    let half = binary(BinaryOp::Div, k(), int(2, Scalar::U8));
    let bin = expr(ExprKind::Cast(Box::new(half)), Scalar::Usize);
    let weighted = binary(BinaryOp::Mul, var(2, Scalar::F32), var(3, Scalar::F32));
    let stmts = vec![
        stmt(StmtKind::Let(VarId(1), Some(element(0, at(), Scalar::U8)))),
        stmt(StmtKind::Let(VarId(2), Some(element(1, at(), Scalar::F32)))),
        stmt(StmtKind::Expr(expr(
            ExprKind::If(condition, then, None),
            Type::Unit,
        ))),
        stmt(StmtKind::Update(Update {
            target: 0,
            site: 0,
            bin: vec![index(bin, Check::Dimension)],
            value: weighted,
            subtracts: false,
            multiplies: false,
        })),
        stmt(StmtKind::Update(Update {
            target: 1,
            site: 1,
            bin: Vec::new(),
            value: k(),
            subtracts: false,
            multiplies: false,
        })),
    ];
    let len = |id| expr(ExprKind::Len(ArrayId(id)), Scalar::Usize);
    let array = |name: &str, elem: Scalar, access| Array {
        name: name.into(),
        elem: elem.into(),
        extent: Extent::Runtime,
        access,
        source: AT,
    };
    let lp = Loop {
        ordinal: 0,
        function: "sums".into(),
        space: vec![Dim {
            position: VarId(0),
            count: expr(
                ExprKind::Method(Method::Min, vec![len(0), len(1)]),
                Scalar::Usize,
            ),
            text: "keys.iter().zip(weights)".into(),
            source: AT,
        }],
        arrays: vec![
            array("keys", Scalar::U8, Access::Read),
            array("weights", Scalar::F32, Access::Read),
            array("hist", Scalar::F32, Access::Updated),
        ],
        functions: Vec::new(),
        body: Body {
            vars: vec![
                local("i", Scalar::Usize, VarKind::Position),
                local("k", Scalar::U8, VarKind::Local),
                local("w", Scalar::F32, VarKind::Local),
                local("scale", Scalar::F32, VarKind::Captured),
                local("largest", Scalar::U8, VarKind::Reduced),
            ],
            block: Block { stmts, tail: None },
        },
        around: Vec::new(),
        source: AT,
    };
    let target = |memory, elem, op| Target {
        memory,
        elem: Some(elem),
        op,
        sites: 1,
        injective: None,
    };
    let targets = vec![
        target(Memory::Bins(ArrayId(2)), Scalar::F32, Op::Add.into()),
        target(Memory::Scalar(VarId(4)), Scalar::U8, Op::Max.into()),
    ];
    (
        lp,
        Pattern::Histogram(Histogram {
            targets,
            ..Default::default()
        }),
    )
}
