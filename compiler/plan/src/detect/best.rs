//! Scalars that keep the best item so far: `if d < best { best = d; at = i; }`, or by an index alone, `if x[i] > x[at] { at = i; }`.
//!
//! The condition compares the item's key with that of what is kept, and what is assigned has the item's key: putting the assigned
//! values in the place of the variables makes one side of the comparison the other. The first of equal items is kept then, or the last by `<=` and `>=`,
//! and parts of the iteration space can each keep their own; in the order of the parts, the better one is taken.
//!
//! A test that the assigned values fail is such a comparison, of `false` with what holds until then: `if x > 3 && first.is_none() { first = Some(i); }` keeps
//! the first item that comes to it, and so does `!found` with `found = true`.
//!
//! A part begins with what was there before the loop, so that it takes items which the sequential loop passes by. Where what it assigns then panics, the
//! loop runs again, in order; in order from the start where sums may, where overflow is checked.
//!
//! What is read by anything else as well is [`Running`]: carried along, and the items are its terms (`scan.rs`).

use crate::sorted::SortedSet;

use super::Context;
use super::maps;
use super::place::{same, same_place};
use super::scan::variable;
use crate::ir::visit::{Visit, VisitMut};
use crate::ir::{
    Access, ArrayId, Best, BinaryOp, Block, Expr, ExprKind, ForLoop, Literal, Loop, Method,
    OfOption, Place, Projection, Root, Running, Scalar, SourceId, Stmt, StmtKind, UnaryOp, VarId,
    VarKind,
};
use crate::sorted::Sorted;

/// What was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Variables that keep the best item.
    pub kept: Vec<Best>,
    /// What keeps it by an `if` that stands beside other uses, with the sources of the assignments.
    pub beside: Vec<(Running, Vec<SourceId>)>,
}

impl Found {
    /// The variables of either.
    pub(super) fn vars(&self) -> Vec<VarId> {
        let kept = self.kept.iter().flat_map(|best| &best.vars);
        kept.copied().collect()
    }

    /// What keeps the best item wherever it is assigned, and is used otherwise as well.
    pub(super) fn running(&self, ir: &Loop) -> Vec<Running> {
        let mut running: Vec<Running> = Vec::new();
        for (of, _) in &self.beside {
            let sources = self.beside.iter().filter(|(other, _)| other == of);
            let sources: Vec<SourceId> = sources.flat_map(|(_, sources)| sources.clone()).collect();
            let nowhere_else = |var: &VarId| {
                let updates = maps::updates(ir, *var);
                updates.is_some_and(|all| all.iter().all(|stmt| sources.contains(&stmt.source)))
            };
            if !running.contains(of) && of.vars.iter().all(nowhere_else) {
                running.push(of.clone());
            }
        }
        running
    }
}

/// Finds them, and says so of their variables; so many statements bind the items of each dimension.
pub(super) fn find(ir: &mut Loop, binds: &[usize], context: &Context<'_>) -> Found {
    let mut finder = Finder {
        ir,
        mutable: context.mutable,
        context,
        found: Found::default(),
        evaluated: Vec::new(),
    };
    finder.block(&ir.body.block);
    let mut found = finder.found;
    let asked = asked_alone(&ir.body.block, binds);
    let alone = found.kept.len() == 1;
    for best in found.kept.iter_mut().filter(|best| best.test) {
        best.ends = alone && asked.is_some_and(|(cond, then)| takes(best, cond, then));
        best.lazy &= !best.ends;
    }
    for best in &found.kept {
        for var in &best.vars {
            ir.body.vars[var.0 as usize].kind = VarKind::Best;
        }
    }
    found
}

/// The condition and the block of an `if` that is all that an iteration does, but for loops around it.
fn asked_alone<'a>(block: &'a Block, binds: &[usize]) -> Option<(&'a Expr, &'a Block)> {
    let (bound, inner) = binds.split_first().unwrap_or((&0, &[]));
    let [stmt] = block.stmts.get(*bound..)? else {
        return None;
    };
    match &stmt.kind {
        StmtKind::Expr(Expr {
            kind: ExprKind::If(cond, then, _),
            ..
        }) => Some((cond, then)),
        StmtKind::For(of) if !inner.is_empty() => {
            let mut count = Panics {
                evaluated: &[],
                overflow: false,
                otherwise: false,
            };
            count.expr(&of.count);
            let ends = !count.overflow && !count.otherwise;
            ends.then(|| asked_alone(&of.body, inner)).flatten()
        }
        _ => None,
    }
}

/// Whether an `if` asks the test of a best item first, and takes the item.
fn takes(best: &Best, cond: &Expr, then: &Block) -> bool {
    let mut terms = Vec::new();
    conjuncts(cond, &mut terms);
    let assigns = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Assign(place, _) | StmtKind::Compound(place, ..) => {
            variable(place).is_some_and(|var| best.vars.contains(&var))
        }
        _ => false,
    };
    terms.first().is_some_and(|term| term.source == best.key) && then.stmts.iter().any(assigns)
}

struct Finder<'a> {
    ir: &'a Loop,
    mutable: &'a SortedSet<VarId>,
    context: &'a Context<'a>,
    found: Found,
    /// What the iteration has read for certain, where it is looked at; `None` where an index has changed since.
    evaluated: Vec<Option<Place>>,
}

impl Visit for Finder<'_> {
    fn expr(&mut self, expr: &Expr) {
        let before = self.evaluated.len();
        match &expr.kind {
            ExprKind::If(cond, then, otherwise) => {
                self.expr(cond);
                let mut terms = Vec::new();
                conjuncts(cond, &mut terms);
                let certain = self.evaluated.len();
                let mut loads = Loads(Vec::new());
                terms.into_iter().for_each(|term| loads.expr(term));
                self.evaluated.extend(loads.0.into_iter().map(Some));
                let within = self.evaluated.len();
                let alone = otherwise.as_ref().is_none_or(is_nothing);
                match alone.then(|| self.best(cond, then, before)).flatten() {
                    Some(best) => self.found.kept.push(best),
                    None => {
                        let beside = self.beside(cond, then, before);
                        self.found.beside.extend(beside);
                    }
                }
                for block in [Some(then), otherwise.as_ref()].into_iter().flatten() {
                    self.block(block);
                    self.evaluated.truncate(within);
                }
                self.evaluated.truncate(certain);
            }
            // Of these, it is not known which parts run.
            ExprKind::Match(..) | ExprKind::Loop(..) => {
                if let ExprKind::Loop(_, body) = &expr.kind {
                    self.changes_of(body);
                }
                self.expr_parts(expr);
                self.evaluated.truncate(before);
            }
            ExprKind::And(first, second) | ExprKind::Or(first, second) => {
                self.expr(first);
                let before = self.evaluated.len();
                self.expr(second);
                self.evaluated.truncate(before);
            }
            ExprKind::Opaque(_) => {
                self.expr_parts(expr);
                self.may_change(handed(expr));
            }
            _ => self.expr_parts(expr),
        }
    }

    fn load(&mut self, place: &Place) {
        self.place_parts(place);
        self.evaluated.push(Some(place.clone()));
    }

    fn store(&mut self, place: &Place) {
        self.place_parts(place);
        if let Root::Var(var) = place.root {
            self.changed(var);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let before = self.evaluated.len();
        if let StmtKind::For(ForLoop { body, .. }) | StmtKind::While(_, _, body) = &stmt.kind {
            self.changes_of(body);
        }
        self.stmt_parts(stmt);
        if let StmtKind::For(_) | StmtKind::While(..) = &stmt.kind {
            self.evaluated.truncate(before);
        }
        // `if a || b { continue; }`: what follows is where both have been asked.
        if let StmtKind::Expr(expr) = &stmt.kind
            && let ExprKind::If(cond, then, None) = &expr.kind
            && then.never_ends()
        {
            let mut loads = Loads(Vec::new());
            let mut terms = Vec::new();
            disjuncts(cond, &mut terms);
            terms.into_iter().for_each(|term| loads.expr(term));
            self.evaluated.extend(loads.0.into_iter().map(Some));
            let mut changed = Handed(Vec::new());
            changed.expr(cond);
            self.may_change(changed.0);
        }
    }
}

/// What is read by an expression that has been evaluated.
struct Loads(Vec<Place>);

impl Visit for Loads {
    fn expr(&mut self, expr: &Expr) {
        let whole = !matches!(
            expr.kind,
            ExprKind::If(..)
                | ExprKind::Match(..)
                | ExprKind::Loop(..)
                | ExprKind::Block(_)
                | ExprKind::And(..)
                | ExprKind::Or(..)
        );
        if whole {
            self.expr_parts(expr);
        }
    }

    fn load(&mut self, place: &Place) {
        self.place_parts(place);
        self.0.push(place.clone());
    }
}

/// The variables that an opaque expression mentions, and might change.
fn handed(expr: &Expr) -> Vec<VarId> {
    let ExprKind::Opaque(opaque) = &expr.kind else {
        return Vec::new();
    };
    let parts = opaque.parts.iter().filter_map(|part| match &part.kind {
        ExprKind::Load(place) => match place.root {
            Root::Var(var) => Some(var),
            Root::Array(_) => None,
        },
        _ => None,
    });
    parts.chain(opaque.vars.iter().copied()).collect()
}

/// The same of all that an expression is made of.
struct Handed(Vec<VarId>);

impl Visit for Handed {
    fn expr(&mut self, expr: &Expr) {
        self.0.extend(handed(expr));
        self.expr_parts(expr);
    }
}

/// Whether one of some variables is used.
pub(super) struct Uses<'a>(&'a [VarId], bool);

impl Uses<'_> {
    pub(super) fn of(vars: &[VarId], visit: impl FnOnce(&mut Uses<'_>)) -> bool {
        let mut uses = Uses(vars, false);
        visit(&mut uses);
        uses.1
    }
}

impl Visit for Uses<'_> {
    fn load(&mut self, place: &Place) {
        self.1 |= matches!(place.root, Root::Var(v) if self.0.contains(&v));
        self.place_parts(place);
    }
}

impl Finder<'_> {
    /// An index may mean another element from here on.
    fn changed(&mut self, var: VarId) {
        for known in &mut self.evaluated {
            known.take_if(|known| Uses::of(&[var], |uses| uses.place_parts(known)));
        }
    }

    /// The same of variables that are handed on, of those that are no one value.
    fn may_change(&mut self, vars: Vec<VarId>) {
        for var in vars {
            if self.mutable.contains(&var) || self.ir.var(var).kind == VarKind::Reduced {
                self.changed(var);
            }
        }
    }

    /// What a loop's body changes, it may have changed in an earlier round.
    fn changes_of(&mut self, body: &Block) {
        struct Stores<'a, 'b>(&'a mut Finder<'b>);
        impl Visit for Stores<'_, '_> {
            fn store(&mut self, place: &Place) {
                if let Root::Var(var) = place.root {
                    self.0.changed(var);
                }
                self.place_parts(place);
            }

            fn expr(&mut self, expr: &Expr) {
                handed(expr).into_iter().for_each(|var| self.0.changed(var));
                self.expr_parts(expr);
            }
        }
        Stores(self).block(body);
    }

    /// `before`: how much has been read for certain before the condition.
    fn best(&mut self, cond: &Expr, then: &Block, before: usize) -> Option<Best> {
        let assigned = self.assigned(then)?;
        let has = |e: &Expr| mentions(&assigned, |m| m.expr(e)) > 0;
        let mut terms = Vec::new();
        conjuncts(cond, &mut terms);
        let mut of_state = (0..terms.len()).filter(|n| has(terms[*n]));
        let (Some(nth), None) = (of_state.next(), of_state.next()) else {
            return None;
        };
        let compared = terms[nth];
        let Comparison {
            key,
            item,
            less,
            last,
        } = Comparison::of(compared, &has)?;
        // What is tested after it leaves the item as it is.
        let mut after = Handed(Vec::new());
        terms[nth + 1..].iter().for_each(|term| after.expr(term));
        after.0.retain(|var| self.mutable.contains(var));
        if item.is_some_and(|item| Uses::of(&after.0, |uses| uses.expr(item))) {
            return None;
        }
        // The key is that of the variables, whatever the iteration, and nobody else looks at them.
        let mut outside = Outside(self.ir, true);
        outside.expr(key);
        // A flag that is set is mentioned twice there.
        let flags = then.stmts.iter();
        let flags = flags.filter(|stmt| matches!(stmt.kind, StmtKind::Compound(..)));
        let within = mentions(&assigned, |m| m.expr(key)) + assigned.len() + flags.count();
        let everywhere = mentions(&assigned, |m| m.block(&self.ir.body.block));
        if !outside.1 || within != everywhere || assigned.values().any(|value| has(value)) {
            return None;
        }
        let site = |of: &dyn Fn(&Place) -> bool| {
            let mut stmts = then.stmts.iter();
            let first = stmts.find(|stmt| match &stmt.kind {
                StmtKind::Assign(place, _) => of(place),
                _ => false,
            });
            Some(self.context.assignments.get(&first?.source)?.site)
        };
        let last = match last {
            true => Some(site(&|_| true)?),
            false => None,
        };
        let option = match kept(key) {
            Some(place) => Some(site(&|of| same_place(of, place))?),
            None => None,
        };
        let mut of_item = key.clone();
        Substitute(&assigned).expr(&mut of_item);
        let vars: Vec<VarId> = assigned.keys().copied().collect();
        let values = assigned.values().copied();
        // What a `let` of the block computes is for one of them.
        let lets = then.stmts.iter().filter_map(|stmt| match &stmt.kind {
            StmtKind::Let(_, value) => value.as_ref(),
            _ => None,
        });
        let mut kept_values = Panics {
            evaluated: &self.evaluated,
            overflow: false,
            otherwise: false,
        };
        // A comparison may be what makes it sound, and a part compares with what was there before the loop.
        let mut is_unsafe = false;
        values
            .chain(lets)
            .filter(|value| item.is_none_or(|item| !same(value, item)))
            .for_each(|value| {
                is_unsafe |= self.context.text(value.source).contains("unsafe");
                kept_values.expr(value);
            });
        let (overflows, panics) = (kept_values.overflow, kept_values.otherwise);
        let has_index = Panics {
            evaluated: &[],
            overflow: false,
            otherwise: false,
        };
        let indices = match has_index.of(key) && option.is_none() {
            true => {
                let in_key = |var: &VarId| {
                    let one = Sorted::from_iter([(*var, key)]);
                    mentions(&one, |m| m.expr(key)) > 0
                };
                (0..vars.len()).filter(|n| in_key(&vars[*n])).collect()
            }
            false => Vec::new(),
        };
        let keeps = match item {
            Some(_) if option.is_some() => true,
            Some(item) => same(&of_item, item),
            None => truth(&of_item) == Some(false),
        };
        // The sequential loop does not go on to what stands behind it for items that are no better, nor once an item is taken.
        let known = self.known(before, &terms[..=nth]);
        let mut behind = Panics {
            evaluated: &known,
            overflow: false,
            otherwise: false,
        };
        terms[nth + 1..].iter().for_each(|term| behind.expr(term));
        let best = Best {
            vars,
            less,
            last,
            key: key.source,
            test: item.is_none(),
            option,
            ends: false,
            lazy: behind.overflow || behind.otherwise || panics,
            overflows,
            indices,
        };
        (keeps && !is_unsafe).then_some(best)
    }

    /// What has been read for certain behind some terms of a condition.
    fn known(&self, before: usize, terms: &[&Expr]) -> Vec<Option<Place>> {
        let mut loads = Loads(Vec::new());
        terms.iter().for_each(|term| loads.expr(term));
        let mut known = self.evaluated[..before].to_vec();
        known.extend(loads.0.into_iter().map(Some));
        known
    }

    /// The same of variables that are used otherwise as well, by a block that may do more and an `else`.
    fn beside(&self, cond: &Expr, then: &Block, before: usize) -> Option<(Running, Vec<SourceId>)> {
        let assigns = then.stmts.iter().filter_map(|stmt| match &stmt.kind {
            StmtKind::Assign(place, value) => {
                let var = variable(place)?;
                let outside = self.ir.var(var).kind == VarKind::Reduced;
                outside.then_some((var, value, stmt.source))
            }
            _ => None,
        });
        let assigns: Vec<(VarId, &Expr, SourceId)> = assigns.collect();
        let all: Vec<VarId> = assigns.iter().map(|(var, ..)| *var).collect();
        let has = |e: &Expr| Uses::of(&all, |uses| uses.expr(e));
        let mut terms = Vec::new();
        conjuncts(cond, &mut terms);
        let mut of_state = (0..terms.len()).filter(|n| has(terms[*n]));
        let (Some(nth), None) = (of_state.next(), of_state.next()) else {
            return None;
        };
        let compared = Comparison::of(terms[nth], &has)?;
        let (ExprKind::Load(key), item) = (&compared.key.kind, compared.item?) else {
            return None;
        };
        let key = variable(key)?;
        // What a part of the loop finds begins with what was there before the loop, so it is asked for other items.
        let (mut overflow, mut otherwise) = (false, false);
        let mut panics = |e: &Expr, evaluated| {
            let mut of = Panics {
                evaluated,
                overflow: false,
                otherwise: false,
            };
            of.expr(e);
            overflow |= of.overflow;
            otherwise |= of.otherwise;
        };
        let known = self.known(before, &terms[..=nth]);
        for behind in &terms[nth + 1..] {
            panics(behind, &known);
        }
        let mut is_key = false;
        for (n, (var, value, _)) in assigns.iter().enumerate() {
            if has(value) || all[..n].contains(var) {
                return None;
            }
            match same(value, item) {
                true => is_key |= *var == key,
                false => panics(value, &self.evaluated),
            }
        }
        let mut vars = all;
        vars.sort_by_key(|var| (*var != key, *var));
        let running = Running {
            vars,
            less: compared.less,
            last: compared.last,
            overflows: overflow,
        };
        let sources = assigns.into_iter().map(|(.., source)| source).collect();
        (is_key && !otherwise).then_some((running, sources))
    }

    /// What a block does, if it does nothing but assign scalars from outside, each once.
    fn assigned<'a>(&self, block: &'a Block) -> Option<Sorted<VarId, &'a Expr>> {
        let mut assigned = Sorted::new();
        let tail = block.tail.as_deref().map(|tail| &tail.kind);
        if !matches!(tail, None | Some(ExprKind::Tuple(_))) {
            return None;
        }
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Assign(place, value) => {
                    let var = variable(place)?;
                    if self.ir.var(var).kind != VarKind::Reduced
                        || assigned.insert(var, value).is_some()
                    {
                        return None;
                    }
                }
                // A flag is set.
                StmtKind::Compound(place, op, value)
                    if truth(value).is_some_and(|set| sets(*op, set)) =>
                {
                    let var = variable(place)?;
                    if self.ir.var(var).kind != VarKind::Reduced
                        || assigned.insert(var, value).is_some()
                    {
                        return None;
                    }
                }
                StmtKind::Let(..) => {}
                _ => return None,
            }
        }
        (!assigned.is_empty()).then_some(assigned)
    }
}

/// A condition that compares an item with what is kept.
pub(super) struct Comparison<'a> {
    /// The key of what is kept.
    pub(super) key: &'a Expr,
    /// That of the item; none where it is `false`, and the condition is what holds until an item is taken.
    pub(super) item: Option<&'a Expr>,
    less: bool,
    last: bool,
}

impl<'a> Comparison<'a> {
    /// What a condition is; `has` tells what mentions the variables.
    pub(super) fn of(compared: &'a Expr, has: &dyn Fn(&Expr) -> bool) -> Option<Comparison<'a>> {
        let ExprKind::Binary(op, left, right) = &compared.kind else {
            return Some(Comparison {
                key: compared,
                item: None,
                less: true,
                last: false,
            });
        };
        let (less, last) = match op {
            BinaryOp::Lt => (true, false),
            BinaryOp::Gt => (false, false),
            BinaryOp::Le => (true, true),
            BinaryOp::Ge => (false, true),
            _ => return None,
        };
        let (key, item, less) = match (has(left), has(right)) {
            (false, true) => (&**right, &**left, less),
            (true, false) => (&**left, &**right, !less),
            _ => return None,
        };
        Some(Comparison {
            key,
            item: Some(item),
            less,
            last,
        })
    }
}

/// The `Option` that keeps the item, where a key is that of one.
fn kept(key: &Expr) -> Option<&Place> {
    match &key.kind {
        ExprKind::Opaque(of) if of.option == Some(OfOption::Kept) => {
            match &of.parts.first()?.kind {
                ExprKind::Load(place) => Some(place),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether an expression is `true` or `false`, whatever is in its variables.
fn truth(e: &Expr) -> Option<bool> {
    match &e.kind {
        ExprKind::Literal(Literal::Bool(value)) => Some(*value),
        ExprKind::Unary(UnaryOp::Not, e) => truth(e).map(|value| !value),
        ExprKind::Opaque(asked) => {
            let [part] = &asked.parts[..] else {
                return None;
            };
            let some =
                matches!(&part.kind, ExprKind::Opaque(of) if of.option == Some(OfOption::Some));
            match asked.option {
                Some(OfOption::IsNone) if some => Some(false),
                Some(OfOption::IsSome) if some => Some(true),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether combining `true` or `false` into a flag assigns it.
fn sets(op: BinaryOp, value: bool) -> bool {
    match op {
        BinaryOp::BitOr => value,
        BinaryOp::BitAnd => !value,
        _ => false,
    }
}

/// Whether evaluating an expression may panic, where something has been evaluated before.
struct Panics<'a> {
    evaluated: &'a [Option<Place>],
    overflow: bool,
    otherwise: bool,
}

impl Panics<'_> {
    /// Whether an expression may, but for overflow.
    fn of(mut self, expr: &Expr) -> bool {
        self.expr(expr);
        self.otherwise
    }
}

impl Visit for Panics<'_> {
    fn expr(&mut self, expr: &Expr) {
        let int = |e: &Expr| e.ty.as_scalar().is_none_or(Scalar::is_int);
        match &expr.kind {
            ExprKind::Literal(_)
            | ExprKind::Len(_)
            | ExprKind::Load(_)
            | ExprKind::Cast(_)
            | ExprKind::Tuple(_)
            | ExprKind::Array(_)
            | ExprKind::Struct(_)
            | ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Unary(UnaryOp::Not, _) => {}
            ExprKind::Unary(_, a)
            | ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, a, _) => {
                self.overflow |= int(a);
            }
            ExprKind::Binary(
                op @ (BinaryOp::Div | BinaryOp::Rem | BinaryOp::Shl | BinaryOp::Shr),
                a,
                b,
            ) => {
                // Of a number, the least of which has 8 bits.
                let fine = match op {
                    BinaryOp::Div | BinaryOp::Rem => 1..=i128::MAX,
                    _ => 0..=7,
                };
                let known =
                    matches!(b.kind, ExprKind::Literal(Literal::Int(by)) if fine.contains(&by));
                self.otherwise |= int(a) && !known;
            }
            ExprKind::Binary(..) => {}
            // Integers overflow in some of them, of floats only `clamp` checks what it is given.
            ExprKind::Method(method, _) if method.is_total() => {}
            ExprKind::Method(Method::Abs | Method::Pow, parts)
                if parts.first().is_some_and(int) =>
            {
                self.overflow = true;
            }
            ExprKind::Method(method, parts)
                if *method != Method::Clamp && parts.first().is_some_and(|of| !int(of)) => {}
            ExprKind::If(_, then, or_else)
                if [Some(then), or_else.as_ref()]
                    .into_iter()
                    .flatten()
                    .all(|block| block.stmts.is_empty()) => {}
            ExprKind::Opaque(opaque) => self.otherwise |= opaque.option.is_none(),
            _ => self.otherwise = true,
        }
        self.expr_parts(expr);
    }

    fn load(&mut self, place: &Place) {
        let is_index = |p: &Projection| matches!(p, Projection::Index(_));
        let Some(last) = place.path.iter().rposition(is_index) else {
            return;
        };
        let element = |of: &Place| Place {
            root: of.root,
            path: of.path[..=last].to_vec(),
        };
        let evaluated = self.evaluated.iter().flatten();
        let longer = evaluated.filter(|p| p.path.len() > last);
        let known = longer.map(element).any(|p| same_place(&p, &element(place)));
        self.otherwise |= !known;
    }
}

/// Whether an `else` is none.
fn is_nothing(block: &Block) -> bool {
    let nothing = |tail: &Expr| matches!(&tail.kind, ExprKind::Tuple(parts) if parts.is_empty());
    block.stmts.is_empty() && block.tail.as_deref().is_none_or(nothing)
}

pub(super) fn conjuncts<'a>(cond: &'a Expr, all: &mut Vec<&'a Expr>) {
    match &cond.kind {
        ExprKind::And(a, b) => {
            conjuncts(a, all);
            conjuncts(b, all);
        }
        _ => all.push(cond),
    }
}

fn disjuncts<'a>(cond: &'a Expr, all: &mut Vec<&'a Expr>) {
    match &cond.kind {
        ExprKind::Or(a, b) => {
            disjuncts(a, all);
            disjuncts(b, all);
        }
        _ => all.push(cond),
    }
}

/// How often some variables are mentioned.
fn mentions(vars: &Sorted<VarId, &Expr>, visit: impl FnOnce(&mut Mentions<'_>)) -> usize {
    let mut mentions = Mentions { vars, count: 0 };
    visit(&mut mentions);
    mentions.count
}

struct Mentions<'a> {
    vars: &'a Sorted<VarId, &'a Expr>,
    count: usize,
}

impl Mentions<'_> {
    fn place(&mut self, place: &Place) {
        let root = matches!(place.root, Root::Var(var) if self.vars.contains_key(&var));
        self.count += usize::from(root);
    }
}

impl Visit for Mentions<'_> {
    fn load(&mut self, place: &Place) {
        self.place(place);
        self.place_parts(place);
    }

    fn store(&mut self, place: &Place) {
        self.place(place);
        self.place_parts(place);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Compound(place, ..) = &stmt.kind {
            // It is read, too.
            self.place(place);
        }
        self.stmt_parts(stmt);
    }

    fn expr(&mut self, expr: &Expr) {
        if let ExprKind::Opaque(opaque) = &expr.kind {
            let known = opaque.vars.iter().filter(|v| self.vars.contains_key(v));
            self.count += known.count();
        }
        self.expr_parts(expr);
    }
}

/// Whether an expression is made of what comes from outside the loop and is not changed in it.
struct Outside<'a>(&'a Loop, bool);

impl Visit for Outside<'_> {
    fn expr(&mut self, expr: &Expr) {
        let pure = matches!(
            expr.kind,
            ExprKind::Literal(_)
                | ExprKind::Len(_)
                | ExprKind::Load(_)
                | ExprKind::Unary(..)
                | ExprKind::Binary(..)
                | ExprKind::Cast(_)
                | ExprKind::Method(..)
        );
        let is_outside = |var: &VarId| {
            let kind = self.0.var(*var).kind;
            matches!(kind, VarKind::Captured | VarKind::Reduced)
        };
        self.1 &= match &expr.kind {
            ExprKind::Opaque(of) => {
                let read = |id: &ArrayId| self.0.array(*id).access == Access::Read;
                of.option.is_some() && of.vars.iter().all(is_outside) && of.arrays.iter().all(read)
            }
            _ => pure,
        };
        self.expr_parts(expr);
    }

    fn load(&mut self, place: &Place) {
        self.1 &= match place.root {
            Root::Array(id) => self.0.array(id).access == Access::Read,
            Root::Var(id) => {
                matches!(self.0.var(id).kind, VarKind::Captured | VarKind::Reduced)
            }
        };
        self.place_parts(place);
    }
}

/// Puts what is assigned in the place of variables.
struct Substitute<'a>(&'a Sorted<VarId, &'a Expr>);

impl VisitMut for Substitute<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        if let ExprKind::Load(place) = &expr.kind
            && let Some(value) = variable(place).and_then(|var| self.0.get(&var))
        {
            *expr = (*value).clone();
            return;
        }
        self.expr_parts(expr);
    }
}
