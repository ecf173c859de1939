//! Rows in one block where the block is also passed as a whole, `scale(m[0], rows * cols)`, `memcpy(b[0], a[0], size)`, or has
//! another name for some time, `float *p = m[0]`: for the time of such a statement, or of the name, the elements lie together in
//! a local of their own.
//!
//! `rows` gives each row memory of its own; what is passed as a whole is put together from them before, and given back after.

use std::collections::HashSet;

use super::rows::{each, first_row, holds_rows, named, row, row_types};
use crate::ctypes::Type;
use crate::source::Span;
use crate::typed::change::change;
use crate::typed::{
    Block, Expr, ExprKind, FnId, Init, Program, Stmt, StmtKind, Storage, Var, VarId, walk,
};

/// Gives the elements of rows, one row after the other.
pub(crate) const TOGETHER: &str = "__builtin_rows_together";
/// Gives rows their elements back.
pub(crate) const APART: &str = "__builtin_rows_apart";

/// Puts rows together where they are passed as a whole; whether all such places could be changed.
pub(super) fn lend(program: &mut Program) -> bool {
    if !contiguous(program) {
        return false;
    }
    let helpers = (
        program.library_function(TOGETHER, Type::pointer(Type::Void), Vec::new()),
        program.library_function(APART, Type::Void, Vec::new()),
    );
    let types = row_types(program);
    let ids: Vec<FnId> = program.defined().collect();
    let mut lender = Lender {
        program,
        helpers,
        types,
        function: FnId(0),
        sound: true,
    };
    for id in ids {
        let body = lender.program.functions[id.0 as usize].body.take();
        if let Some(mut body) = body {
            lender.function = id;
            lender.block(&mut body);
            lender.program.functions[id.0 as usize].body = Some(body);
        }
    }
    lender.sound
}

/// Whether all rows of the program are placed one behind the other in a block, and stay there.
fn contiguous(program: &Program) -> bool {
    let mut all = true;
    each(program, &mut |e| {
        if let ExprKind::Assign(place, value) = &e.kind
            && place.ty.element().is_some_and(|e| !e.is_pointer())
            && matches!(place.kind, ExprKind::Index(..) | ExprKind::Deref(_))
        {
            let given = super::is_null(value)
                || matches!(
                    value.stripped().kind,
                    ExprKind::Call { .. } | ExprKind::Var(_)
                );
            all &= row(program, e).is_some() || first_row(place).is_some() && given;
        }
    });
    all
}

/// The length of the rows that a function places in the table of which an assignment sets the first row.
pub(super) fn first_length(program: &Program, e: &Expr) -> Option<Expr> {
    let ExprKind::Assign(place, value) = &e.kind else {
        return None;
    };
    let table = first_row(place)?;
    if super::is_null(value) || row(program, e).is_some() {
        return None;
    }
    let owner = program.var(table).owner?;
    let mut length = None;
    let stmts = program.function(owner).body.iter().flat_map(|b| &b.stmts);
    for stmt in stmts.clone() {
        walk::exprs(program, stmt, &mut |e| {
            if let ExprKind::Assign(place, _) = &e.kind
                && let ExprKind::Index(of, _) = &place.kind
                && named(of) == Some(table)
                && let Some((found, _)) = row(program, e)
            {
                length = Some(found);
            }
        });
    }
    let length = length?;
    let mut assigned: HashSet<VarId> = HashSet::new();
    for stmt in stmts {
        walk::exprs(program, stmt, &mut |e| {
            if let ExprKind::Assign(p, _)
            | ExprKind::Compound { place: p, .. }
            | ExprKind::Step { place: p, .. } = &e.kind
            {
                assigned.extend(p.as_var());
            }
        });
    }
    let mut known = true;
    walk::parts(program, &length, &mut |part| {
        known &= match &part.kind {
            ExprKind::Var(id) => {
                let var = program.var(*id);
                let set =
                    var.storage == Storage::Param || var.init.is_some() && var.span.lo < e.span.lo;
                set && !assigned.contains(id)
            }
            ExprKind::Call { .. } | ExprKind::Member(..) | ExprKind::Deref(_) => false,
            _ => true,
        };
    });
    known.then_some(length)
}

struct Lender<'p> {
    program: &'p mut Program,
    helpers: (FnId, FnId),
    /// What the rows of the program are.
    types: Vec<Type>,
    function: FnId,
    sound: bool,
}

impl Lender<'_> {
    fn block(&mut self, block: &mut Block) {
        let stmts = std::mem::take(&mut block.stmts);
        // Names that rows are together under, by the statement that uses them last.
        let mut ends: Vec<(usize, Stmt)> = Vec::new();
        for at in 0..stmts.len() {
            self.names(&stmts[at..], at, &mut ends);
        }
        for (at, mut stmt) in stmts.into_iter().enumerate() {
            self.inner(&mut stmt);
            let (before, after) = self.statement(&mut stmt);
            block.stmts.extend(before);
            block.stmts.push(stmt);
            block.stmts.extend(after);
            let here = ends.iter().filter(|(last, _)| *last == at);
            block.stmts.extend(here.map(|(_, back)| back.clone()));
        }
    }

    /// Puts rows together that the first of these statements gives a name, and says where they go back: behind the last use of
    /// the name, up to which nobody uses the table.
    fn names(&mut self, stmts: &[Stmt], at: usize, ends: &mut Vec<(usize, Stmt)>) {
        let StmtKind::Decl(vars) = &stmts[0].kind else {
            return;
        };
        for var in vars {
            let Some(Init::Expr(value)) = &self.program.var(*var).init else {
                continue;
            };
            let Some(table) = start(value).filter(|t| self.holds_rows(*t)) else {
                continue;
            };
            let uses = |s: &Stmt, id: VarId| {
                let mut uses = 0;
                walk::exprs(self.program, s, &mut |e| {
                    uses += usize::from(e.as_var() == Some(id));
                });
                uses
            };
            let last = stmts.iter().rposition(|s| uses(s, *var) > 0).unwrap_or(0);
            let life = &stmts[..=last];
            let mentions: usize = life.iter().map(|s| uses(s, table)).sum();
            let mut moved = false;
            for stmt in life {
                walk::exprs(self.program, stmt, &mut |e| {
                    if let ExprKind::Assign(place, _)
                    | ExprKind::Compound { place, .. }
                    | ExprKind::Step { place, .. }
                    | ExprKind::AddrOf(place) = &e.kind
                    {
                        moved |= place.as_var() == Some(*var);
                    }
                });
            }
            let local = self.program.var(table).owner.is_some();
            if mentions != 1 || moved || !local || life.iter().any(|s| leaves(s, 0)) {
                self.sound = false;
                return;
            }
            let span = stmts[last].span;
            let written = !matches!(
                self.program.var(*var).ty,
                Type::Pointer { constant: true, .. }
            );
            let together = self.together(table, &self.program.var(*var).ty, value.span);
            self.program.vars[var.0 as usize].init = Some(Init::Expr(Box::new(together)));
            if written {
                let args = [table, *var].map(|v| self.variable(v, span));
                let kind = ExprKind::Call {
                    callee: self.helpers.1,
                    args: args.to_vec(),
                };
                let ty = Type::Void;
                ends.push((
                    at + last,
                    Stmt {
                        kind: StmtKind::Expr(Expr { kind, ty, span }),
                        span,
                        directives: Vec::new(),
                        comments: Vec::new(),
                    },
                ));
            }
        }
    }

    fn holds_rows(&self, table: VarId) -> bool {
        holds_rows(self.program, &self.types, table)
    }

    /// The elements of a table's rows, one row after the other.
    fn together(&self, table: VarId, row: &Type, span: Span) -> Expr {
        let call = Expr {
            kind: ExprKind::Call {
                callee: self.helpers.0,
                args: vec![self.variable(table, span)],
            },
            ty: Type::pointer(Type::Void),
            span,
        };
        Expr {
            kind: ExprKind::Cast {
                explicit: false,
                value: Box::new(call),
            },
            ty: row.clone(),
            span,
        }
    }

    /// The blocks in a statement; a statement that stands alone in one gets braces if it needs them.
    fn inner(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Block(b) => self.block(b),
            StmtKind::If {
                then, otherwise, ..
            } => {
                self.body(then);
                if let Some(other) = otherwise {
                    self.body(other);
                }
            }
            StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::For { body, .. } => self.body(body),
            _ => {}
        }
    }

    fn body(&mut self, stmt: &mut Stmt) {
        self.inner(stmt);
        if matches!(stmt.kind, StmtKind::Block(_)) {
            return;
        }
        let (before, after) = self.statement(stmt);
        if !before.is_empty() {
            let span = stmt.span;
            let own = stmt.clone();
            let stmts = before.into_iter().chain([own]).chain(after).collect();
            stmt.kind = StmtKind::Block(Block {
                stmts,
                trailing: Vec::new(),
            });
            stmt.span = span;
            stmt.directives = Vec::new();
        }
    }

    /// What stands before and after a statement that passes rows as a whole.
    fn statement(&mut self, stmt: &mut Stmt) -> (Vec<Stmt>, Vec<Stmt>) {
        let mut lent: Vec<(VarId, VarId, bool)> = Vec::new();
        match &mut stmt.kind {
            StmtKind::Expr(e) => self.expression(e, &mut lent),
            StmtKind::Decl(vars) => {
                for var in vars {
                    let init = self.program.vars[var.0 as usize].init.take();
                    let init = init.map(|mut init| {
                        if let Init::Expr(e) = &mut init {
                            self.expression(e, &mut lent);
                        }
                        init
                    });
                    self.program.vars[var.0 as usize].init = init;
                }
            }
            _ => {}
        }
        let span = stmt.span;
        let made = |kind| Stmt {
            kind,
            span,
            directives: Vec::new(),
            comments: Vec::new(),
        };
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (table, local, written) in lent {
            before.push(made(StmtKind::Decl(vec![local])));
            if written {
                let args = [table, local].map(|v| self.variable(v, span));
                let kind = ExprKind::Call {
                    callee: self.helpers.1,
                    args: args.to_vec(),
                };
                let ty = Type::Void;
                after.push(made(StmtKind::Expr(Expr { kind, ty, span })));
            }
        }
        (before, after)
    }

    fn variable(&self, id: VarId, span: Span) -> Expr {
        Expr {
            kind: ExprKind::Var(id),
            ty: self.program.var(id).ty.clone(),
            span,
        }
    }

    /// Whether a function, or one that it calls, uses a global by name.
    fn sees(&self, callee: FnId, global: VarId, known: &mut HashSet<FnId>) -> bool {
        // The function at hand has its body taken out: it may be called again.
        let mut seen = callee == self.function;
        if !known.insert(callee) {
            return false;
        }
        let mut calls = Vec::new();
        let stmts = self
            .program
            .function(callee)
            .body
            .iter()
            .flat_map(|b| &b.stmts);
        for stmt in stmts {
            walk::exprs(self.program, stmt, &mut |e| match &e.kind {
                ExprKind::Var(id) => seen |= *id == global,
                ExprKind::Call { callee, .. } => calls.push(*callee),
                ExprKind::CallPointer(..) => seen = true,
                _ => {}
            });
        }
        seen || calls.into_iter().any(|c| self.sees(c, global, known))
    }

    /// Whether a function only reads what its argument points to.
    fn reads(&self, callee: FnId, at: usize) -> bool {
        let function = self.program.function(callee);
        match function.params.get(at) {
            Some(param) => match self.program.var(*param).ty {
                Type::Pointer { constant: true, .. } => true,
                Type::Pointer { .. } => self.reads_elements(callee, *param),
                _ => true,
            },
            None => {
                let name = function.name.as_str();
                at > 0 && matches!(name, "memcpy" | "memmove")
                    || matches!(name, "memcmp" | "fwrite")
            }
        }
    }

    /// Whether a function does nothing with a pointer but read elements through it.
    fn reads_elements(&self, callee: FnId, param: VarId) -> bool {
        let Some(body) = &self.program.function(callee).body else {
            return false;
        };
        let element = |e: &Expr| match &e.kind {
            ExprKind::Index(of, _) | ExprKind::Deref(of) => of.stripped().as_var() == Some(param),
            _ => false,
        };
        let (mut mentions, mut read) = (0, 0);
        for stmt in &body.stmts {
            walk::exprs(self.program, stmt, &mut |e| {
                mentions += i32::from(e.as_var() == Some(param));
                read += i32::from(element(e) && e.ty.is_arithmetic());
                if let ExprKind::Assign(place, _)
                | ExprKind::Compound { place, .. }
                | ExprKind::Step { place, .. }
                | ExprKind::AddrOf(place) = &e.kind
                {
                    read -= i32::from(element(place));
                }
            });
        }
        mentions == read
    }

    /// Replaces what calls in an expression get as a whole.
    fn expression(&mut self, e: &mut Expr, lent: &mut Vec<(VarId, VarId, bool)>) {
        let mut calls = Vec::new();
        walk::parts(self.program, e, &mut |part| {
            if let ExprKind::Call { callee, args } = &part.kind
                && self.program.function(*callee).name != "free"
            {
                for (at, arg) in args.iter().enumerate() {
                    if let Some(table) = whole(arg).filter(|t| self.holds_rows(*t)) {
                        calls.push((*callee, at, table));
                    }
                }
            }
        });
        let mut tables: Vec<VarId> = calls.iter().map(|(_, _, table)| *table).collect();
        tables.sort_unstable();
        tables.dedup();
        for table in &tables {
            let named = |e: &Expr| {
                let mut mentions = 0;
                walk::parts(self.program, e, &mut |part| {
                    mentions += usize::from(part.as_var() == Some(*table));
                });
                mentions
            };
            // Rows that are passed beside the whole block are read where they are.
            let mut beside = 0;
            walk::parts(self.program, e, &mut |part| {
                if let ExprKind::Call { callee, args } = &part.kind {
                    let args = args.iter().enumerate();
                    let read =
                        args.filter(|(at, arg)| whole(arg).is_none() && self.reads(*callee, *at));
                    beside += read.map(|(_, arg)| named(arg)).sum::<usize>();
                }
            });
            let mentions = named(e);
            let own = || calls.iter().filter(|(_, _, t)| t == table);
            let global = self.program.var(*table).owner.is_none()
                && own().any(|(callee, ..)| self.sees(*callee, *table, &mut HashSet::new()));
            let constant = own().all(|(callee, at, _)| self.reads(*callee, *at));
            let table_itself = self.program.var(*table).ty.element().is_some_and(|row| {
                row.is_pointer() && row.element().is_some_and(|e| !e.is_pointer())
            });
            if !table_itself
                || mentions != own().count() + beside
                || global
                || mentions > 1 && !constant
            {
                self.sound = false;
                return;
            }
            let first = self.program.var(*table).clone();
            let row = first.ty.element().cloned().unwrap_or(Type::Void);
            let local = VarId(self.program.vars.len() as u32);
            let span = e.span;
            let value = self.together(*table, &row, span);
            let mut name = format!("{}_elements", first.name);
            while self
                .program
                .vars
                .iter()
                .any(|v| v.name == name && v.owner != Some(self.function))
            {
                name.push('_');
            }
            self.program.vars.push(Var {
                name,
                ty: row,
                span,
                storage: Storage::Local,
                constant: false,
                init: Some(Init::Expr(Box::new(value))),
                typedef: None,
                array_param: None,
                extents: Vec::new(),
                owner: Some(self.function),
                ..first
            });
            lent.push((*table, local, !constant));
            let named = self.variable(local, span);
            change(e, &mut |part| {
                if let ExprKind::Call { args, .. } = &mut part.kind {
                    for arg in args.iter_mut().filter(|a| whole(a) == Some(*table)) {
                        replace(arg, &named);
                    }
                }
            });
        }
    }
}

/// The table at the start of whose block a pointer is set, `m[0]` or `&m[0][0]`.
fn start(value: &Expr) -> Option<VarId> {
    let value = value.stripped();
    match &value.kind {
        ExprKind::AddrOf(place) => match &place.kind {
            ExprKind::Index(of, at) if matches!(at.stripped().kind, ExprKind::Int(0)) => {
                first_row(of)
            }
            _ => None,
        },
        _ => first_row(value),
    }
}

/// Whether control may leave the list of statements that this one stands in.
fn leaves(stmt: &Stmt, loops: u32) -> bool {
    let all = |stmts: &[Stmt], loops| stmts.iter().any(|s| leaves(s, loops));
    match &stmt.kind {
        StmtKind::Return(_) => true,
        StmtKind::Break | StmtKind::Continue => loops == 0,
        StmtKind::Block(b) => all(&b.stmts, loops),
        StmtKind::If {
            then, otherwise, ..
        } => leaves(then, loops) || otherwise.as_ref().is_some_and(|s| leaves(s, loops)),
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::For { body, .. } => leaves(body, loops + 1),
        // `continue` in a `switch` leaves it.
        StmtKind::Switch { arms, .. } => arms.iter().any(|a| {
            a.body
                .iter()
                .any(|s| s.kind != StmtKind::Break && leaves(s, loops))
        }),
        _ => false,
    }
}

/// The table of which an argument is the whole block, or a position in that.
fn whole(arg: &Expr) -> Option<VarId> {
    if let Some(table) = first_row(arg) {
        return Some(table);
    }
    match &arg.kind {
        ExprKind::Cast { value, .. } if value.ty.is_pointer() => whole(value),
        ExprKind::Binary(_, start, _) if arg.ty.is_pointer() => whole(start),
        ExprKind::AddrOf(place) => match &place.kind {
            ExprKind::Index(start, _) => first_row(start),
            _ => None,
        },
        _ => None,
    }
}

fn replace(arg: &mut Expr, named: &Expr) {
    if first_row(arg).is_some() && !matches!(arg.kind, ExprKind::Cast { .. }) {
        *arg = named.clone();
        return;
    }
    match &mut arg.kind {
        ExprKind::Cast { value, .. } => replace(value, named),
        ExprKind::Binary(_, start, _) => replace(start, named),
        ExprKind::AddrOf(place) => {
            if let ExprKind::Index(start, _) = &mut place.kind {
                replace(start, named);
            }
        }
        _ => {}
    }
}
