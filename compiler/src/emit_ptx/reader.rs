//! Reads the body of a loop that may be [staged](super::staged): whether all of it up to the end of the inner loop only computes, and where it reads
//! and writes.
//!
//! Only what cannot fail is taken, but for indices, which are sums of positions times what is known: the kernel compares the last of each with its
//! array's length, and goes through the loop as it is written where one is out of range.

use std::collections::{HashMap, HashSet};

use super::emitter::{self, Facts};
use super::layout;
use crate::ir::visit::Visit;
use crate::ir::{
    Access, ArrayId, BinaryOp, Block, Check, Expr, ExprKind, ForLoop, Index, Literal, Loop, Method,
    Place, Projection, Root, Scalar, SourceId, Stmt, StmtKind, Type, VarId, VarKind,
};

/// Positions that something depends on: a bit for each dimension of the loop, outermost first, and one for the inner loop.
pub(super) type Positions = u32;

/// What an access is to the iterations of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It stands before the inner loop.
    Before,
    /// It is read at every position, by several iterations or side by side: by way of shared memory.
    Staged,
    /// It is the same at all positions, and read once.
    Once,
    /// It is the same at all positions, and updated: in a register meanwhile.
    Kept,
}

/// An access.
#[derive(Clone, Copy)]
pub(super) struct Found<'a> {
    pub(super) place: &'a Place,
    pub(super) array: ArrayId,
    pub(super) source: SourceId,
    pub(super) role: Role,
    /// What its address depends on.
    pub(super) on: Positions,
    /// Its type.
    pub(super) ty: Scalar,
    /// Whether what is accessed at neighbouring positions of the inner loop lies side by side, and what neighbouring iterations access does not.
    pub(super) along: bool,
    /// Whether both do: windows that overlap.
    pub(super) overlaps: bool,
}

/// The size of an inner loop's body, at most, in expressions.
const MOST_EXPRESSIONS: u32 = 60;

/// The size of what stands around it, at most.
const MOST_AROUND: u32 = 60;

/// Accesses, at most.
const MOST_PLACES: usize = 8;

/// Bytes of an element in shared memory.
pub(super) fn slot(ty: Scalar) -> u32 {
    ty.size().max(4)
}

/// What has been read of a loop.
pub(super) struct Read<'a> {
    pub(super) before: &'a [Stmt],
    pub(super) inner: &'a ForLoop,
    pub(super) behind: &'a [Stmt],
    pub(super) found: Vec<Found<'a>>,
    /// Words of the variables that an iteration keeps through the inner loop.
    pub(super) state: u32,
    pub(super) reader: Reader<'a>,
}

impl<'a> Read<'a> {
    /// Reads a loop; `None` if it does more than such a kernel does.
    pub(super) fn of(lp: &'a Loop) -> Option<Read<'a>> {
        let block = &lp.body.block;
        let is_loop = |stmt: &Stmt| matches!(stmt.kind, StmtKind::For(_));
        let at = block.stmts.iter().position(is_loop)?;
        let StmtKind::For(inner) = &block.stmts[at].kind else {
            return None;
        };
        let facts = Facts::of(&lp.body);
        let mut loops = Loops::default();
        loops.block(block);
        if block.tail.is_some() || loops.loops != 1 || loops.others || !facts.indexed.is_empty() {
            return None;
        }
        let (before, behind) = (&block.stmts[..at], &block.stmts[at + 1..]);
        let positions = lp.space.iter().map(|dim| dim.position);
        let mut reader = Reader {
            lp,
            positions: positions.chain([inner.position]).collect(),
            lets: HashMap::new(),
            assigned: facts.assigned,
            found: Vec::new(),
            accesses: Vec::new(),
            stored: HashSet::new(),
            inside: false,
            size: 0,
        };
        before.iter().try_for_each(|stmt| reader.stmt(stmt))?;
        let around = reader.size;
        reader.inside = true;
        reader.size = 0;
        reader.block(&inner.body)?;
        reader.is_known(&inner.count).then_some(())?;
        let mut last = Size {
            size: 0,
            indices: true,
        };
        behind.iter().for_each(|stmt| last.stmt(stmt));
        if reader.size > MOST_EXPRESSIONS || around + last.size > MOST_AROUND {
            return None;
        }
        let mut found = std::mem::take(&mut reader.found);
        reader.settle(&mut found)?;
        if found.len() > MOST_PLACES || found.iter().all(|f| f.role != Role::Staged) {
            return None;
        }
        let state = reader.state(inner);
        Some(Read {
            before,
            inner,
            behind,
            found,
            state,
            reader,
        })
    }
}

/// Reads what stands up to the end of the inner loop: whether it only computes, and where it reads and writes.
pub(super) struct Reader<'a> {
    pub(super) lp: &'a Loop,
    /// The variables of the positions, those of the inner loop last.
    pub(super) positions: Vec<VarId>,
    /// Variables that have one value, and what it is.
    pub(super) lets: HashMap<VarId, &'a Expr>,
    assigned: HashSet<VarId>,
    found: Vec<Found<'a>>,
    /// Arrays accessed in the inner loop, and whether `place op= value` is how.
    accesses: Vec<(ArrayId, bool)>,
    /// Arrays of which elements are stored before it.
    stored: HashSet<ArrayId>,
    inside: bool,
    size: u32,
}

impl<'a> Reader<'a> {
    fn block(&mut self, block: &'a Block) -> Option<()> {
        block.stmts.iter().try_for_each(|stmt| self.stmt(stmt))?;
        block.tail.iter().try_for_each(|tail| self.expr(tail))
    }

    fn stmt(&mut self, stmt: &'a Stmt) -> Option<()> {
        match &stmt.kind {
            StmtKind::Let(var, value) => {
                if let Some(value) = value {
                    self.expr(value)?;
                    if !self.assigned.contains(var) {
                        self.lets.insert(*var, value);
                    }
                }
                Some(())
            }
            StmtKind::Assign(place, value) => {
                self.expr(value)?;
                self.store(place, stmt.source, false)
            }
            StmtKind::Compound(place, op, value) => {
                self.expr(value)?;
                let faults = matches!(op, BinaryOp::Div | BinaryOp::Rem);
                (!faults || is_float(value)).then_some(())?;
                self.store(place, stmt.source, true)
            }
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::Update(_) | StmtKind::For(_) | StmtKind::While(..) | StmtKind::Check(..) => {
                None
            }
        }
    }

    fn store(&mut self, place: &'a Place, source: SourceId, updates: bool) -> Option<()> {
        match place.root {
            Root::Var(_) => self.part(place),
            Root::Array(array) if self.inside => {
                self.access(array, place, source, updates)?;
                updates.then_some(())
            }
            Root::Array(array) => {
                self.stored.insert(array);
                self.access(array, place, source, updates)
            }
        }
    }

    /// A part of a variable, at constant indices.
    fn part(&mut self, place: &'a Place) -> Option<()> {
        let constant = |step: &Projection| match step {
            Projection::Field(_) => true,
            Projection::Index(index) => matches!(index.index.kind, ExprKind::Literal(_)),
        };
        place.path.iter().all(constant).then_some(())
    }

    fn access(
        &mut self,
        array: ArrayId,
        place: &'a Place,
        source: SourceId,
        updates: bool,
    ) -> Option<()> {
        let role = match (self.inside, updates) {
            (false, _) => Role::Before,
            (true, true) => Role::Kept,
            (true, false) => Role::Once,
        };
        if self.inside {
            self.accesses.push((array, updates));
        }
        let captured = self.lp.array(array);
        matches!(captured.access, Access::Read | Access::Owned).then_some(())?;
        let mut ty: Option<&Type> = None;
        let mut on = 0;
        let (mut along, mut beside) = (false, false);
        for (n, step) in place.path.iter().enumerate() {
            match step {
                Projection::Field(n) => ty = Some(layout::field(ty?, *n)?.1),
                Projection::Index(index) => {
                    ty = Some(match ty {
                        None => &captured.elem,
                        Some(Type::Array(elem, _)) => elem,
                        Some(_) => return None,
                    });
                    on |= self.index(index)?;
                    let last = n + 1 == place.path.len();
                    let k = self.positions.len() - 1;
                    along |= last && self.is_one(index, k);
                    beside |= last && k > 0 && self.is_one(index, k - 1);
                }
            }
        }
        let Type::Scalar(ty) = ty? else { return None };
        (*ty != Scalar::Bool).then_some(())?;
        self.found.push(Found {
            place,
            array,
            source,
            role,
            on,
            ty: *ty,
            along: along && !beside,
            overlaps: along && beside,
        });
        Some(())
    }

    /// Gives accesses their roles, when all are known.
    fn settle(&self, found: &mut [Found<'a>]) -> Option<()> {
        let k = self.positions.len() - 1;
        for access in found.iter_mut() {
            let owned = self.lp.array(access.array).access == Access::Owned;
            let moves = access.on >> k & 1 == 1;
            match access.role {
                Role::Kept => {
                    let times = self.accesses.iter().filter(|a| a.0 == access.array);
                    (!moves && times.count() == 1).then_some(())?;
                }
                Role::Once if moves => {
                    (!owned).then_some(())?;
                    access.role = Role::Staged;
                }
                Role::Once => {
                    let updated = self.accesses.contains(&(access.array, true));
                    (!updated).then_some(())?;
                }
                // What is declared is computed for iterations beyond the last, too: others store the element.
                Role::Before => {
                    let stores = self.stored.contains(&access.array);
                    let times = found_times(&self.stored_places(), access.place);
                    (!stores || times).then_some(())?;
                }
                Role::Staged => {}
            }
        }
        Some(())
    }

    /// The places that statements before the inner loop store to.
    fn stored_places(&self) -> Vec<*const Place> {
        let mut all = Vec::new();
        for stmt in &self.lp.body.block.stmts {
            match &stmt.kind {
                StmtKind::Assign(place, _) | StmtKind::Compound(place, ..) => {
                    all.push(std::ptr::from_ref(place));
                }
                StmtKind::For(_) => break,
                _ => {}
            }
        }
        all
    }

    /// Words of the variables that the inner loop assigns and does not declare.
    fn state(&self, inner: &ForLoop) -> u32 {
        let mut stores = Stores::default();
        stores.block(&inner.body);
        let outer = stores.stored.difference(&stores.declared);
        let words = outer.map(|var| match &self.lp.var(*var).ty {
            Type::Scalar(ty) => slot(*ty) / 4,
            ty => 2 * emitter::scalars(ty).min(64) as u32,
        });
        words.sum()
    }

    fn expr(&mut self, e: &'a Expr) -> Option<()> {
        self.size += 1;
        match &e.kind {
            ExprKind::Literal(_) | ExprKind::Len(_) => Some(()),
            ExprKind::Load(place) => match place.root {
                Root::Var(_) => self.part(place),
                Root::Array(array) => self.access(array, place, e.source, false),
            },
            ExprKind::Unary(_, a) | ExprKind::Cast(a) | ExprKind::Repeat(a) => self.expr(a),
            ExprKind::Binary(op, a, b) => {
                let faults = matches!(op, BinaryOp::Div | BinaryOp::Rem);
                (!faults || is_float(a)).then_some(())?;
                self.expr(a)?;
                self.expr(b)
            }
            ExprKind::And(a, b) | ExprKind::Or(a, b) => {
                self.expr(a)?;
                self.expr(b)
            }
            ExprKind::Method(method, parts) => {
                let receiver = parts.first().is_some_and(is_float);
                computes(*method, receiver).then_some(())?;
                parts.iter().try_for_each(|part| self.expr(part))
            }
            ExprKind::Array(parts) | ExprKind::Tuple(parts) | ExprKind::Struct(parts) => {
                parts.iter().try_for_each(|part| self.expr(part))
            }
            ExprKind::If(cond, then, otherwise) => {
                self.expr(cond)?;
                self.block(then)?;
                otherwise.iter().try_for_each(|block| self.block(block))
            }
            ExprKind::Block(block) => self.block(block),
            ExprKind::Match(..)
            | ExprKind::Call(..)
            | ExprKind::Continue(_)
            | ExprKind::Break(..)
            | ExprKind::Loop(..)
            | ExprKind::Return(_)
            | ExprKind::Panic(_)
            | ExprKind::Opaque(_) => None,
        }
    }

    /// What an index depends on.
    fn index(&self, index: &'a Index) -> Option<Positions> {
        if let Check::Window(window) = &index.check {
            self.is_known(window).then_some(())?;
        }
        let base = index
            .base
            .as_ref()
            .map_or(Some(0), |base| self.line(base))?;
        Some(base | self.line(&index.index)?)
    }

    /// Whether an index is larger by one where a position is: nothing is said of one that it does not find out.
    fn is_one(&self, index: &'a Index, position: usize) -> bool {
        let one = |e| self.step(e, position);
        let base = index.base.as_ref().map_or(Some(0), one);
        base.zip(one(&index.index)).map(|(a, b)| a + b) == Some(1)
    }

    /// What an index grows by with a position, where that is a number.
    fn step(&self, e: &'a Expr, position: usize) -> Option<i128> {
        if self.line(e)? >> position & 1 == 0 {
            return Some(0);
        }
        match &e.kind {
            ExprKind::Load(place) => match place.root {
                Root::Var(var) if var == self.positions[position] => Some(1),
                Root::Var(var) => self.step(self.lets.get(&var)?, position),
                Root::Array(_) => None,
            },
            ExprKind::Cast(a) => self.step(a, position),
            ExprKind::Binary(BinaryOp::Add, a, b) => {
                Some(self.step(a, position)? + self.step(b, position)?)
            }
            ExprKind::Binary(BinaryOp::Sub, a, b) => {
                Some(self.step(a, position)? - self.step(b, position)?)
            }
            ExprKind::Binary(BinaryOp::Mul, a, b) => {
                let number = |e: &Expr| match e.kind {
                    ExprKind::Literal(Literal::Int(n)) => Some(n),
                    _ => None,
                };
                match (number(a), number(b)) {
                    (Some(n), _) => self.step(b, position)?.checked_mul(n),
                    (_, Some(n)) => self.step(a, position)?.checked_mul(n),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether an expression is known before the loop, and evaluating it does nothing else.
    pub(super) fn is_fixed(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Literal(_) | ExprKind::Len(_) => true,
            ExprKind::Load(place) => match place.root {
                Root::Var(var) => {
                    place.path.is_empty() && self.lp.var(var).kind == VarKind::Captured
                }
                Root::Array(_) => false,
            },
            ExprKind::Unary(_, a) | ExprKind::Cast(a) => self.is_fixed(a),
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..) => false,
            ExprKind::Binary(_, a, b) => self.is_fixed(a) && self.is_fixed(b),
            ExprKind::Method(method, parts) => {
                computes(*method, false) && parts.iter().all(|part| self.is_fixed(part))
            }
            _ => false,
        }
    }

    /// Whether an expression is the same in all iterations.
    fn is_known(&self, e: &'a Expr) -> bool {
        self.is_fixed(e) || self.line(e) == Some(0)
    }

    /// What an expression depends on, if it is a sum of positions times what is known.
    pub(super) fn line(&self, e: &'a Expr) -> Option<Positions> {
        if self.is_fixed(e) {
            return Some(0);
        }
        if !matches!(e.ty, Type::Scalar(Scalar::Usize | Scalar::U64)) {
            return None;
        }
        match &e.kind {
            ExprKind::Load(place) if place.path.is_empty() => match place.root {
                Root::Var(var) => match self.positions.iter().position(|p| *p == var) {
                    Some(position) => Some(1 << position),
                    None => self.line(self.lets.get(&var)?),
                },
                Root::Array(_) => None,
            },
            ExprKind::Cast(a) => self.line(a),
            ExprKind::Binary(BinaryOp::Add, a, b) => Some(self.line(a)? | self.line(b)?),
            // What is taken away is the same at all positions.
            ExprKind::Binary(BinaryOp::Sub, a, b) => {
                let (a, b) = (self.line(a)?, self.line(b)?);
                (b == 0).then_some(a)
            }
            ExprKind::Binary(BinaryOp::Mul, a, b) => {
                let (a, b) = (self.line(a)?, self.line(b)?);
                (a == 0 || b == 0).then_some(a | b)
            }
            _ => None,
        }
    }
}

fn found_times(all: &[*const Place], place: &Place) -> bool {
    all.contains(&std::ptr::from_ref(place))
}

fn is_float(e: &Expr) -> bool {
    e.ty.as_scalar().is_some_and(Scalar::is_float)
}

/// Whether a method has a result for all operands.
fn computes(method: Method, float: bool) -> bool {
    let spec = method.spec();
    let total = matches!(
        method,
        Method::Min
            | Method::Max
            | Method::SaturatingAdd
            | Method::SaturatingSub
            | Method::AbsDiff
            | Method::CountOnes
    );
    spec.wraps || total || (float && method != Method::Clamp)
}

/// The loops of a body, and whether it does what no block does.
#[derive(Default)]
struct Loops {
    loops: u32,
    others: bool,
}

impl Visit for Loops {
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt.kind {
            StmtKind::For(_) => self.loops += 1,
            StmtKind::While(..) | StmtKind::Update(_) => self.others = true,
            _ => {}
        }
        self.stmt_parts(stmt);
    }

    fn expr(&mut self, expr: &Expr) {
        self.others |= matches!(
            expr.kind,
            ExprKind::Loop(..) | ExprKind::Call(..) | ExprKind::Opaque(_)
        );
        self.expr_parts(expr);
    }
}

/// Counts expressions.
struct Size {
    size: u32,
    /// Whether those of indices count.
    indices: bool,
}

impl Visit for Size {
    fn expr(&mut self, expr: &Expr) {
        self.size += 1;
        self.expr_parts(expr);
    }

    fn load(&mut self, place: &Place) {
        if self.indices {
            self.place_parts(place);
        }
    }
}

/// The expressions of an inner loop's body, without the indices of what is staged.
pub(super) fn size_of(inner: &ForLoop) -> u32 {
    let mut size = Size {
        size: 0,
        indices: false,
    };
    size.block(&inner.body);
    size.size
}

/// What a body assigns, and what it declares.
#[derive(Default)]
struct Stores {
    stored: HashSet<VarId>,
    declared: HashSet<VarId>,
}

impl Visit for Stores {
    fn store(&mut self, place: &Place) {
        if let Root::Var(var) = place.root {
            self.stored.insert(var);
        }
        self.place_parts(place);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let StmtKind::Let(var, _) = stmt.kind {
            self.declared.insert(var);
        }
        self.stmt_parts(stmt);
    }
}
