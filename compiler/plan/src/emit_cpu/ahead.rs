//! Conditions that a check of indices does not wait for: in `if w > 0.5 { h[k as usize] += w; }` all of the indices may be checked, whatever
//! the weights. That reads keys alone, and has no condition left. Where an index is out of range that no update would have used, the check
//! has to be made again, with the conditions; so it is made ahead of them only where they have nothing to do with the indices.

use crate::sorted::{Sorted, SortedSet};

use syn::{Expr as Syntax, ExprIf, Stmt as Statement, parse_quote};

use crate::ir::visit::Visit;
use crate::ir::{
    ArrayId, BinaryOp, Block, Check, Expr, ExprKind, Index, Literal, Loop, Place, Projection, Root,
    Scalar, Stmt, StmtKind, Type, Update, VarId,
};

/// Whether a loop's indices can be checked ahead of its conditions, and should be: what conditions guard cannot panic but for the indices
/// of bins, nothing is assigned, and conditions and indices read different things.
pub(super) fn is_ahead(of: &Loop) -> bool {
    let [dim] = &of.space[..] else {
        return false;
    };
    let mut walk = Walk {
        positions: SortedSet::from([dim.position]),
        present: match dim.count.kind {
            ExprKind::Len(array) => SortedSet::from([array]),
            _ => SortedSet::new(),
        },
        reads: Sorted::new(),
        guarded: false,
        conditions: SortedSet::new(),
        indices: SortedSet::new(),
    };
    is_constant(of)
        && walk.block(&of.body.block, false).is_some()
        && walk.guarded
        && walk.conditions.is_disjoint(&walk.indices)
}

/// Whether the body assigns nothing, so that what is left of it without its conditions computes the same values.
fn is_constant(of: &Loop) -> bool {
    struct Assigned(bool);
    impl Visit for Assigned {
        fn stmt(&mut self, stmt: &Stmt) {
            self.0 |= !matches!(
                stmt.kind,
                StmtKind::Let(_, Some(_))
                    | StmtKind::Update(_)
                    | StmtKind::Expr(_)
                    | StmtKind::Check(..)
            );
            self.stmt_parts(stmt);
        }
    }
    let mut assigned = Assigned(false);
    assigned.block(&of.body.block);
    !assigned.0
}

/// A part of captured memory whose elements are alike: an array, and fields or fixed elements of its elements.
type Column = (ArrayId, Vec<Option<u128>>);

struct Walk {
    /// The variables that are the position.
    positions: SortedSet<VarId>,
    /// The arrays that are known to have an element at every position.
    present: SortedSet<ArrayId>,
    /// What the value of a variable was read from.
    reads: Sorted<VarId, SortedSet<Column>>,
    /// Whether there is an update that a condition guards.
    guarded: bool,
    /// What conditions read.
    conditions: SortedSet<Column>,
    /// What the indices of bins read.
    indices: SortedSet<Column>,
}

impl Walk {
    /// A block, which a condition may guard: whether the iteration may be over behind it, unless it is in the way.
    fn block(&mut self, block: &Block, guarded: bool) -> Option<bool> {
        let mut guarded = guarded;
        let mut over = false;
        for stmt in &block.stmts {
            let ends = self.stmt(&stmt.kind, guarded)?;
            over |= ends;
            guarded |= ends;
        }
        if let Some(tail) = &block.tail {
            over |= self.expr(tail, guarded)?;
        }
        Some(over)
    }

    fn stmt(&mut self, kind: &StmtKind, guarded: bool) -> Option<bool> {
        match kind {
            StmtKind::Let(var, Some(value)) => {
                self.settled(value, guarded)?;
                if self.is_position(value) {
                    self.positions.insert(*var);
                }
                let reads = self.columns(|columns| columns.expr(value));
                self.reads.insert(*var, reads);
                Some(false)
            }
            StmtKind::Update(update) => {
                self.settled(&update.value, guarded)?;
                for index in &update.bin {
                    self.settled(&index.index, guarded)?;
                    if guarded && index.base.is_some() {
                        return None;
                    }
                    let reads = self.columns(|columns| columns.index(index));
                    self.indices.extend(reads);
                }
                self.guarded |= guarded && !update.bin.is_empty();
                Some(false)
            }
            StmtKind::Expr(expr) => self.expr(expr, guarded),
            StmtKind::Check(..) if !guarded => Some(false),
            _ => None,
        }
    }

    /// An expression for its effects.
    fn expr(&mut self, expr: &Expr, guarded: bool) -> Option<bool> {
        match &expr.kind {
            ExprKind::If(cond, then, otherwise) if guards(then, otherwise.as_ref()) => {
                self.settled(cond, guarded)?;
                let reads = self.columns(|columns| columns.expr(cond));
                self.conditions.extend(reads);
                let mut over = false;
                for arm in [Some(then), otherwise.as_ref()].into_iter().flatten() {
                    over |= self.block(arm, true)?;
                }
                Some(over)
            }
            ExprKind::Continue(None) if guarded => Some(true),
            // It is there in both forms.
            _ if !guarded && !acts(expr) => Some(false),
            _ => None,
        }
    }

    /// Whether an expression may be evaluated: it is now, or cannot panic.
    fn settled(&mut self, expr: &Expr, guarded: bool) -> Option<()> {
        if !guarded {
            Present(self).expr(expr);
            return (!acts(expr)).then_some(());
        }
        self.is_quiet(expr).then_some(())
    }

    fn is_position(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Load(Place {
                root: Root::Var(var),
                path,
            }) => path.is_empty() && self.positions.contains(var),
            _ => false,
        }
    }

    /// Whether an expression cannot panic, whether overflow is checked or not.
    fn is_quiet(&self, e: &Expr) -> bool {
        let float = |e: &Expr| matches!(&e.ty, Type::Scalar(s) if s.is_float());
        match &e.kind {
            ExprKind::Literal(_) | ExprKind::Len(_) => true,
            ExprKind::Load(place) => {
                place
                    .path
                    .iter()
                    .enumerate()
                    .all(|(n, step)| match (step, place.root) {
                        (Projection::Field(_), _) => true,
                        (Projection::Index(index), Root::Array(array)) if n == 0 => {
                            self.is_there(array, index)
                        }
                        // rustc looks at fixed indices of arrays itself.
                        (Projection::Index(index), _) => {
                            let fixed = matches!(index.index.kind, ExprKind::Literal(_));
                            matches!(index.check, Check::Never)
                                || (fixed && matches!(index.check, Check::Dimension))
                        }
                    })
            }
            ExprKind::Cast(a) => self.is_quiet(a),
            ExprKind::Unary(_, a) => {
                (float(e) || e.ty == Type::Scalar(Scalar::Bool)) && self.is_quiet(a)
            }
            ExprKind::Binary(op, a, b) => {
                let total = float(a)
                    || op.is_comparison()
                    || matches!(op, BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor);
                total && self.is_quiet(a) && self.is_quiet(b)
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => self.is_quiet(a) && self.is_quiet(b),
            ExprKind::Method(method, parts) => {
                method.spec().wraps && parts.iter().all(|part| self.is_quiet(part))
            }
            ExprKind::Tuple(parts) | ExprKind::Array(parts) => {
                parts.iter().all(|part| self.is_quiet(part))
            }
            _ => false,
        }
    }

    /// Whether an array has this element in every iteration.
    fn is_there(&self, array: ArrayId, index: &Index) -> bool {
        let by_position = index.base.is_none()
            && matches!(index.check, Check::Dimension)
            && self.is_position(&index.index);
        matches!(index.check, Check::Never) || (by_position && self.present.contains(&array))
    }

    fn columns(&self, read: impl FnOnce(&mut Columns<'_>)) -> SortedSet<Column> {
        let mut columns = Columns {
            reads: &self.reads,
            found: SortedSet::new(),
        };
        read(&mut columns);
        columns.found
    }
}

/// Notes which arrays an expression that is always evaluated reads at the position: where one has no such element, the check panics as the
/// loop would. What stands behind a condition inside does not count.
struct Present<'a>(&'a mut Walk);

impl Visit for Present<'_> {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::And(a, _) | ExprKind::Or(a, _) | ExprKind::If(a, ..) => self.expr(a),
            ExprKind::Match(a, _) => self.expr(a),
            ExprKind::Loop(..) | ExprKind::Block(_) => {}
            _ => self.expr_parts(expr),
        }
    }

    fn load(&mut self, place: &Place) {
        if let (Root::Array(array), Some(Projection::Index(index))) =
            (place.root, place.path.first())
            && index.base.is_none()
            && self.0.is_position(&index.index)
        {
            self.0.present.insert(array);
        }
        self.place_parts(place);
    }
}

/// Finds what an expression is computed from.
struct Columns<'a> {
    reads: &'a Sorted<VarId, SortedSet<Column>>,
    found: SortedSet<Column>,
}

impl Visit for Columns<'_> {
    fn load(&mut self, place: &Place) {
        match place.root {
            Root::Array(array) => {
                let inner = place.path.iter().skip(1).map(|step| match step {
                    Projection::Field(n) => Some(u128::from(*n)),
                    Projection::Index(index) => match &index.index.kind {
                        ExprKind::Literal(Literal::Int(n)) => u128::try_from(*n).ok(),
                        _ => None,
                    },
                });
                self.found.insert((array, inner.collect()));
            }
            Root::Var(var) => self
                .found
                .extend(self.reads.get(&var).into_iter().flatten().cloned()),
        }
        self.place_parts(place);
    }
}

/// Whether an `if` decides about updates, or the rest of the iteration, as a statement.
fn guards(then: &Block, otherwise: Option<&Block>) -> bool {
    let mut acting = Acting(false);
    acting.block(then);
    otherwise.into_iter().for_each(|block| acting.block(block));
    acting.0
}

/// Whether an expression updates, or leaves the iteration.
fn acts(expr: &Expr) -> bool {
    let mut acting = Acting(false);
    acting.expr(expr);
    acting.0
}

struct Acting(bool);

impl Visit for Acting {
    fn expr(&mut self, expr: &Expr) {
        self.0 |= matches!(expr.kind, ExprKind::Continue(None));
        self.expr_parts(expr);
    }

    fn update(&mut self, _: &Update) {
        self.0 = true;
    }
}

/// A step of such a loop without its conditions: each is evaluated as before, and so is what it guards. None where a condition binds
/// something.
pub(super) fn unguarded(step: &syn::Block) -> Option<syn::Block> {
    let mut stmts = Vec::new();
    for stmt in &step.stmts {
        match stmt {
            Statement::Expr(Syntax::Continue(_), _) => {}
            Statement::Expr(Syntax::If(guard), _) if is_guard(guard) => {
                stmts.extend(unfolded(guard)?);
            }
            stmt => stmts.push(stmt.clone()),
        }
    }
    Some(syn::Block {
        brace_token: step.brace_token,
        stmts,
    })
}

fn unfolded(guard: &ExprIf) -> Option<Vec<Statement>> {
    let cond = &guard.cond;
    if binds(cond) {
        return None;
    }
    let then = unguarded(&guard.then_branch)?;
    let mut stmts: Vec<Statement> = vec![parse_quote!(let _ = #cond;), parse_quote!(#then)];
    match guard.else_branch.as_ref().map(|(_, arm)| &**arm) {
        None => {}
        Some(Syntax::If(other)) if is_guard(other) => stmts.extend(unfolded(other)?),
        Some(Syntax::Block(other)) => {
            let other = unguarded(&other.block)?;
            stmts.push(parse_quote!(#other));
        }
        Some(_) => return None,
    }
    Some(stmts)
}

/// Whether a condition has a `let` in it.
fn binds(cond: &Syntax) -> bool {
    match cond {
        Syntax::Let(_) => true,
        Syntax::Binary(both) => binds(&both.left) || binds(&both.right),
        Syntax::Paren(inner) => binds(&inner.expr),
        Syntax::Group(inner) => binds(&inner.expr),
        _ => false,
    }
}

/// Whether an `if` of a step decides about updates, or the rest of the iteration.
fn is_guard(guard: &ExprIf) -> bool {
    struct Guard(bool);
    impl<'ast> crate::syntax::visit::Visit<'ast> for Guard {
        fn visit(&mut self, node: crate::syntax::visit::Node<'ast>) {
            match node {
                crate::syntax::visit::Node::ExprContinue(_) => {
                    self.0 = true;
                }
                crate::syntax::visit::Node::Ident(name) => {
                    self.0 |= super::body::is_table(name);
                }
                _ => node.parts(self),
            }
        }
    }
    let mut seen = Guard(false);
    crate::syntax::visit::Visit::visit_expr_if(&mut seen, guard);
    seen.0
}

#[cfg(test)]
mod tests {
    use quote::ToTokens;
    use syn::{Block, ItemFn};

    use super::*;

    /// Whether the indices of a loop over `keys`, `weights` and the like can be checked ahead of its conditions.
    fn is(of: Block) -> bool {
        let function: ItemFn = parse_quote! {
            fn f(keys: &[u32], pairs: &[[u32; 2]], weights: &[f64], n: u32, h: &mut [f64]) #of
        };
        is_ahead(&crate::tests::planned("histogram", &function).ir)
    }

    #[test]
    fn conditions_on_other_things_are_left_out() {
        assert!(is(parse_quote!({
            for (&k, &w) in keys.iter().zip(weights) {
                if w > 0.5 {
                    h[k as usize] += w;
                }
            }
        })));
        assert!(is(parse_quote!({
            for i in 0..keys.len() {
                if weights[i] > 0.5 && n > 3 {
                    let k = keys[i] & 0xfff;
                    h[k as usize] += weights[i];
                }
            }
        })));
        assert!(is(parse_quote!({
            for (&k, w) in keys.iter().zip(weights) {
                if w.is_nan() {
                    continue;
                }
                h[k as usize] += w;
            }
        })));
        assert!(is(parse_quote!({
            for p in pairs {
                if p[1] == 0 {
                    h[p[0] as usize] += 1.0;
                } else if p[1] > 3 {
                    h[p[0].wrapping_add(1) as usize] += 0.5;
                }
            }
        })));
    }

    #[test]
    fn conditions_that_guard_the_indices_are_not() {
        assert!(!is(parse_quote!({
            for (&k, &w) in keys.iter().zip(weights) {
                let bin = k as usize;
                let inside = bin < h.len();
                if inside {
                    h[bin] += w;
                }
            }
        })));
        assert!(!is(parse_quote!({
            for i in 0..keys.len() {
                if i > 0 && keys[i - 1] < n {
                    h[keys[i] as usize] += 1.0;
                }
            }
        })));
    }

    #[test]
    fn what_may_panic_behind_a_condition_waits_for_it() {
        // Sums may overflow, elements may not be there, divisors may be 0.
        assert!(!is(parse_quote!({
            for (&k, &w) in keys.iter().zip(weights) {
                if w > 0.5 {
                    h[(k + 1) as usize] += w;
                }
            }
        })));
        assert!(!is(parse_quote!({
            for i in 0..keys.len() {
                if n > 5 {
                    h[keys[i] as usize] += weights[i];
                }
            }
        })));
        assert!(!is(parse_quote!({
            for (&k, &w) in keys.iter().zip(weights) {
                if n > 0 {
                    h[(k / n) as usize] += w;
                }
            }
        })));
    }

    #[test]
    fn what_is_assigned_or_repeated_waits() {
        assert!(!is(parse_quote!({
            for (&k, &w) in keys.iter().zip(weights) {
                let mut bin = 0;
                if w > 0.5 {
                    bin = 1;
                }
                if w > 0.7 {
                    h[bin] += f64::from(k);
                }
            }
        })));
        assert!(!is(parse_quote!({
            for (&k, &w) in keys.iter().zip(weights) {
                h[k as usize] += w;
            }
        })));
    }

    #[test]
    fn what_conditions_guard_stays() {
        let step = parse_quote!({
            let w = *w;
            if w < 0.0 {
                continue;
            }
            if a {
                __accrue_table_0.update(k, w);
            } else if b {
                __accrue_table_0.update(k + 1, w);
            } else {
                __accrue_table_1.update((), w)
            }
        });
        let expected: Block = parse_quote!({
            let w = *w;
            let _ = w < 0.0;
            {}
            let _ = a;
            {
                __accrue_table_0.update(k, w);
            }
            let _ = b;
            {
                __accrue_table_0.update(k + 1, w);
            }
            { __accrue_table_1.update((), w) }
        });
        let found = unguarded(&step).expect("no condition binds anything");
        let text = |block: &Block| block.to_token_stream().to_string();
        assert_eq!(text(&found), text(&expected));
        let binding = parse_quote!({
            if let Some(k) = k {
                __accrue_table_0.update(k, 1);
            }
        });
        assert!(unguarded(&binding).is_none());
    }
}
