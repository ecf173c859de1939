//! What a loop pushes to vectors, as kernels take it: each is an array that is filled at a count, `out[n] = v; n += 1;`.
//!
//! The array is memory on the device that has room for all that may come, and the count begins with 0. Behind the loop so many elements are put behind what
//! the vector holds. How much room that is has to be known before, so nothing is pushed in loops of which the text does not say how often they run.

use super::slice;
use super::winners::{At, Reads, Why};
use crate::ir::visit::{Visit as _, VisitMut};
use crate::ir::{
    Access, Array, ArrayId, BinaryOp, Block, Carried, Check, Expr, ExprKind, Extent, Filled,
    Histogram, Index, Literal, Loop, Op, Pattern, Place, Projection, Root, Scalar, SourceId, Stmt,
    StmtKind, Type, Var, VarId, VarKind,
};

/// A loop that fills arrays instead.
#[derive(Clone, Debug)]
pub struct Pushes {
    /// The loop. Behind the arrays of the loop that it was made of it has one for each vector.
    pub ir: Loop,
    /// What it is. Behind what is carried along else it has a count for each vector.
    pub pattern: Pattern,
}

/// The loop of the kernel, of a loop that appends to collections of these names. None where it appends in other ways, or keeps what no kernel combines.
pub(super) fn find(
    ir: &Loop,
    roles: &Histogram,
    collections: &[String],
) -> Option<Result<Pushes, Why>> {
    let known = roles.best.is_empty()
        && roles.distinct.is_empty()
        && roles.carried.iter().all(Carried::has_kernels);
    if collections.is_empty() || !known {
        return None;
    }
    let mut ir = ir.clone();
    let mut filling = Filling {
        names: collections,
        vectors: vec![None; collections.len()],
        arrays: ir.arrays.len(),
        vars: std::mem::take(&mut ir.body.vars),
        unbounded: false,
        failed: None,
    };
    filling.block(&mut ir.body.block);
    let Filling {
        vectors,
        vars,
        failed,
        ..
    } = filling;
    ir.body.vars = vars;
    let vectors: Vec<Vector> = vectors.into_iter().collect::<Option<_>>()?;
    if let Some(source) = failed {
        let text = "how many elements an iteration appends is not known before it runs".to_owned();
        return Some(Err(Why { text, source }));
    }
    ir.arrays
        .extend(vectors.iter().zip(collections).map(|(vector, name)| Array {
            name: name.clone(),
            elem: vector.elem.clone(),
            extent: Extent::Runtime,
            access: Access::Owned,
            source: vector.source,
        }));
    let mut roles = roles.clone();
    roles.carried.extend(vectors.iter().map(|vector| Carried {
        var: vector.count,
        op: Op::Add.into(),
        updates: Vec::new(),
        map: None,
        delayed: false,
    }));
    roles.filled.extend(vectors.iter().map(|vector| Filled {
        array: vector.array,
        cursor: vector.count,
        ahead: Vec::new(),
    }));
    roles.terms = slice::terms(&ir, &roles.carried, roles.targets.len());
    if let Some(terms) = &roles.terms {
        let mut reads = Reads::default();
        reads.block(terms);
        let written = |id: &ArrayId| ir.array(*id).access != Access::Read;
        if let Some(id) = reads.0.iter().find(|id| written(id)) {
            let array = ir.array(*id);
            let text = format!(
                "whether an iteration appends depends on `{}`, which the loop writes",
                array.name
            );
            let source = vectors[0].source;
            return Some(Err(Why { text, source }));
        }
    }
    Some(Ok(Pushes {
        ir,
        pattern: Pattern::Histogram(roles),
    }))
}

/// A vector that is pushed to.
#[derive(Clone)]
struct Vector {
    array: ArrayId,
    count: VarId,
    elem: Type,
    source: SourceId,
}

/// The walk that makes assignments of what is pushed.
struct Filling<'a> {
    names: &'a [String],
    vectors: Vec<Option<Vector>>,
    /// Arrays of the loop itself.
    arrays: usize,
    vars: Vec<Var>,
    /// Whether what stands here may run any number of times.
    unbounded: bool,
    /// What is pushed in such a place.
    failed: Option<SourceId>,
}

impl Filling<'_> {
    /// What takes the place of what pushes, if an expression does.
    fn filled(&mut self, e: &Expr) -> Option<[Stmt; 2]> {
        let ExprKind::Opaque(opaque) = &e.kind else {
            return None;
        };
        let (number, [item]) = (opaque.pushes?, &opaque.parts[..]) else {
            return None;
        };
        let at = At(e.source);
        if self.unbounded {
            self.failed.get_or_insert(e.source);
        }
        let (name, arrays, vars) = (&self.names[number], self.arrays, &mut self.vars);
        let Vector { array, count, .. } = self.vectors[number].get_or_insert_with(|| {
            vars.push(Var {
                name: format!("appended to {name}"),
                ty: Type::Scalar(Scalar::Usize),
                kind: VarKind::Carried,
                source: e.source,
            });
            Vector {
                array: ArrayId((arrays + number) as u32),
                count: VarId(vars.len() as u32 - 1),
                elem: in_memory(&item.ty),
                source: e.source,
            }
        });
        let element = Projection::Index(Box::new(Index {
            index: at.load(*count, Scalar::Usize),
            base: None,
            check: Check::Dimension,
        }));
        let element = Place {
            root: Root::Array(*array),
            path: vec![element],
        };
        let moved = Place {
            root: Root::Var(*count),
            path: Vec::new(),
        };
        let one = at.int(1, Scalar::Usize);
        Some([
            at.stmt(StmtKind::Assign(element, item.clone())),
            at.stmt(StmtKind::Compound(moved, BinaryOp::Add, one)),
        ])
    }

    /// What may run again and again, unless the text says how often.
    fn rounds(&mut self, count: Option<&Expr>, visit: impl FnOnce(&mut Self)) {
        let known = |count: &Expr| matches!(count.kind, ExprKind::Literal(Literal::Int(_)));
        let around = self.unbounded;
        self.unbounded |= !count.is_some_and(known);
        visit(self);
        self.unbounded = around;
    }
}

impl VisitMut for Filling<'_> {
    fn stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::For(inner) => {
                self.expr(&mut inner.count);
                let count = inner.count.clone();
                self.rounds(Some(&count), |s| s.block(&mut inner.body));
            }
            StmtKind::While(..) => self.rounds(None, |s| s.stmt_parts(stmt)),
            _ => self.stmt_parts(stmt),
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        match e.kind {
            ExprKind::Loop(..) => self.rounds(None, |s| s.expr_parts(e)),
            _ => self.expr_parts(e),
        }
        if let Some(stmts) = self.filled(e) {
            let (stmts, tail) = (Vec::from(stmts), None);
            e.kind = ExprKind::Block(Block { stmts, tail });
        }
    }
}

/// A type as that of elements in memory.
fn in_memory(ty: &Type) -> Type {
    match ty.lies_open() {
        true => Type::Opaque(Some(ty.to_string())),
        false => ty.clone(),
    }
}
