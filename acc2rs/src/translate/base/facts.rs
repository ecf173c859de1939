//! What the whole program does with its variables and functions: who writes what, who calls whom,
//! which globals change.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::flows::number_end;
use super::function_types::{alike, pointed};
use super::places::{is_global, root};
use crate::ctypes::FnType;
use crate::directive::{Directive, DirectiveKind};
use crate::typed::walk::{self, Visit};
use crate::typed::{Expr, ExprKind, FnId, Init, Program, Stmt, StmtKind, Storage, VarId};

/// What is done with one variable.
#[derive(Clone, Debug, Default)]
pub(crate) struct VarFacts {
    /// Assignments to the variable itself, its initializer not counted.
    pub(crate) assigned: u32,
    /// Writes to elements, members, or what it points to.
    pub(crate) stored: u32,
    /// Times its address is taken other than by indexing.
    pub(crate) address: u32,
    /// Mentions, writes included.
    pub(crate) uses: u32,
}

/// What one function does, its callees included after [`Facts::new`].
#[derive(Clone, Debug, Default)]
pub(crate) struct FnFacts {
    pub(crate) calls: BTreeSet<FnId>,
    pub(crate) globals: BTreeSet<VarId>,
    pub(crate) writes: BTreeSet<VarId>,
}

/// Facts about a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    vars: HashMap<VarId, VarFacts>,
    functions: HashMap<FnId, FnFacts>,
    /// Functions whose address is taken.
    pub(crate) taken: BTreeSet<FnId>,
    /// Functions that call through a pointer, and the type of what they call.
    pointed: Vec<(FnId, FnType)>,
    /// Functions that can be reached from `main`; all of them in a library.
    pub(crate) reachable: HashSet<FnId>,
    /// Whether there is a `main`.
    pub(crate) has_main: bool,
}

impl Facts {
    /// Gathers the facts.
    pub(crate) fn new(program: &Program) -> Facts {
        let mut facts = Facts::default();
        for id in program.defined() {
            let Some(body) = &program.function(id).body else {
                continue;
            };
            let mut gather = Gather {
                program,
                facts: &mut facts,
                function: id,
            };
            walk::block(&mut gather, program, body);
        }
        for var in &program.vars {
            if let Some(init) = &var.init
                && matches!(var.storage, Storage::Global { .. } | Storage::StaticLocal)
            {
                init_uses(program, init, &mut facts);
            }
        }
        facts.through_pointers(program);
        facts.close();
        let main = program
            .find_function("main")
            .filter(|id| program.function(*id).body.is_some());
        facts.has_main = main.is_some();
        // Of a library, other files see what is not `static`.
        let seen = || {
            program
                .defined()
                .filter(|id| !program.function(*id).internal)
        };
        let mut todo: Vec<FnId> = main.map_or_else(|| seen().collect(), |id| vec![id]);
        while let Some(id) = todo.pop() {
            if facts.reachable.insert(id) {
                todo.extend(facts.function(id).calls.iter().copied());
            }
        }
        facts
    }

    /// Adds what is used through positions that live as long as the program: the arrays they stand in.
    pub(crate) fn through_positions(&mut self, positions: &HashMap<VarId, VarId>) {
        for own in self.functions.values_mut() {
            let arrays = |set: &BTreeSet<VarId>| -> Vec<VarId> {
                set.iter()
                    .filter_map(|id| positions.get(id))
                    .copied()
                    .collect()
            };
            own.globals.extend(arrays(&own.globals));
            own.writes.extend(arrays(&own.writes));
        }
        for (position, array) in positions {
            let through = self.var(*position);
            let facts = self.vars.entry(*array).or_default();
            facts.stored += through.stored;
            facts.uses += through.uses;
        }
    }

    pub(crate) fn var(&self, id: VarId) -> VarFacts {
        self.vars.get(&id).cloned().unwrap_or_default()
    }

    pub(crate) fn function(&self, id: FnId) -> FnFacts {
        self.functions.get(&id).cloned().unwrap_or_default()
    }

    /// A call through a pointer is one of every function of its type whose address is taken; these share a signature, so
    /// that what one of them needs, all do.
    fn through_pointers(&mut self, program: &Program) {
        let ty = |id: &FnId| &program.function(*id).ty;
        let taken: Vec<FnId> = self.taken.iter().copied().collect();
        let mut calls: Vec<(FnId, FnId)> = Vec::new();
        for (caller, called) in &self.pointed {
            let may = taken.iter().filter(|id| alike(ty(id), called));
            calls.extend(may.map(|id| (*caller, *id)));
        }
        for a in taken
            .iter()
            .filter(|id| program.function(**id).body.is_some())
        {
            let same = taken.iter().filter(|b| *b != a && alike(ty(a), ty(b)));
            calls.extend(same.map(|b| (*a, *b)));
        }
        for (caller, callee) in calls {
            self.functions
                .entry(caller)
                .or_default()
                .calls
                .insert(callee);
        }
    }

    /// Adds what callees do to what their callers do, until nothing changes.
    fn close(&mut self) {
        let ids: Vec<FnId> = self.functions.keys().copied().collect();
        loop {
            let mut changed = false;
            for id in &ids {
                let mut own = self.function(*id);
                let before = (own.globals.len(), own.writes.len());
                for callee in own.calls.clone() {
                    let other = self.function(callee);
                    own.globals.extend(other.globals);
                    own.writes.extend(other.writes);
                }
                if before != (own.globals.len(), own.writes.len()) {
                    changed = true;
                    self.functions.insert(*id, own);
                }
            }
            if !changed {
                break;
            }
        }
    }
}

fn init_uses(program: &Program, init: &Init, facts: &mut Facts) {
    let mut count = |e: &Expr| match e.kind {
        ExprKind::Var(id) => facts.vars.entry(id).or_default().uses += 1,
        ExprKind::Function(id) => _ = facts.taken.insert(id),
        _ => {}
    };
    match init {
        Init::Expr(e) => walk::parts(program, e, &mut count),
        Init::List(list) => list.iter().for_each(|(_, i)| init_uses(program, i, facts)),
    }
}

struct Gather<'a> {
    program: &'a Program,
    facts: &'a mut Facts,
    function: FnId,
}

impl Gather<'_> {
    fn write(&mut self, place: &Expr) {
        let Some(id) = root(place) else { return };
        let facts = self.facts.vars.entry(id).or_default();
        if matches!(place.kind, ExprKind::Var(_)) {
            facts.assigned += 1;
        } else {
            facts.stored += 1;
        }
        if is_global(self.program, id) {
            self.facts
                .functions
                .entry(self.function)
                .or_default()
                .writes
                .insert(id);
        }
    }

    fn clauses(&mut self, directive: &Directive<Expr>) {
        // Variables of reductions are written by the loop itself; nothing else in clauses counts as a use.
        let _ = directive.kind == DirectiveKind::Loop;
    }
}

impl Visit for Gather<'_> {
    fn stmt(&mut self, stmt: &Stmt) -> bool {
        stmt.directives.iter().for_each(|d| self.clauses(d));
        if let StmtKind::Decl(vars) = &stmt.kind
            && vars.iter().all(|v| is_global(self.program, *v))
        {
            return false;
        }
        true
    }

    fn expr(&mut self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Var(id) => {
                self.facts.vars.entry(*id).or_default().uses += 1;
                if is_global(self.program, *id) {
                    self.facts
                        .functions
                        .entry(self.function)
                        .or_default()
                        .globals
                        .insert(*id);
                }
            }
            ExprKind::Step { place, .. } => self.write(place),
            ExprKind::Assign(place, _) | ExprKind::Compound { place, .. } => self.write(place),
            ExprKind::AddrOf(place) => {
                if let Some(id) = root(place) {
                    self.facts.vars.entry(id).or_default().address += 1;
                }
            }
            ExprKind::CallPointer(callee, _) => {
                if let Some(ty) = pointed(&callee.ty) {
                    self.facts.pointed.push((self.function, ty.clone()));
                }
            }
            ExprKind::Call { callee, .. } | ExprKind::Function(callee) => {
                if let ExprKind::Call { args, .. } = &expr.kind
                    && let Some((end, _)) = number_end(self.program, *callee, args)
                {
                    self.facts.vars.entry(end).or_default().assigned += 1;
                }
                if matches!(expr.kind, ExprKind::Function(_)) {
                    self.facts.taken.insert(*callee);
                }
                self.facts
                    .functions
                    .entry(self.function)
                    .or_default()
                    .calls
                    .insert(*callee);
            }
            _ => {}
        }
        true
    }
}
