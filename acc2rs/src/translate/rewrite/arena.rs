//! Structs whose fields share one block of memory, `s->x = s->block; s->y = s->block + n;`: the fields that point into what
//! another field holds become numbers, positions in it.
//!
//! Where a local was given the memory, `block = malloc(…); s->x = block; s->y = block + n;`, the first field that gets it holds it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::ctypes::{SIZE, StructId, Type};
use crate::lower::is_null;
use crate::source::Span;
use crate::translate::base::flows::Holder;
use crate::translate::base::flows::{Source, flows, member_of, source};
use crate::translate::base::places::root;
use crate::translate::base::usage::{quiet, same};
use crate::typed::change::{change, change_all, change_stmt};
use crate::typed::{
    BinaryOp, Block, Expr, ExprKind, FnId, Init, Program, Stmt, StmtKind, Storage, UnaryOp, VarId,
    walk,
};

pub(crate) type Field = (StructId, u32);

/// Makes such fields positions; whether there was one.
pub(crate) fn fields(program: &mut Program) -> bool {
    let before = program.clone();
    handed_over(program);
    let owners = owners(program);
    if owners.is_empty() {
        *program = before;
        return false;
    }
    helpers(program, &owners);
    positions(program, &owners);
    true
}

/// The field that a place is.
pub(crate) fn member(place: &Expr) -> Option<Field> {
    match member_of(place)? {
        Holder::Field(of, at) => Some((of, at)),
        _ => None,
    }
}

/// The same, if it is a pointer.
pub(crate) fn field(place: &Expr) -> Option<Field> {
    member(place).filter(|_| place.ty.is_pointer())
}

/// What fields are declared as.
pub(crate) fn types<'a>(
    program: &Program,
    fields: impl Iterator<Item = &'a Field>,
) -> BTreeMap<Field, Type> {
    let declared = |(of, at): &Field| {
        let fields = program.structure(*of).fields.as_ref()?;
        Some(((*of, *at), fields[*at as usize].ty.clone()))
    };
    fields.filter_map(declared).collect()
}

/// A pointer as the pointer it starts from and what is added to that, summands in order.
pub(crate) fn apart(e: &Expr) -> (&Expr, Vec<(BinaryOp, &Expr)>) {
    match &e.kind {
        ExprKind::Cast { value, .. } if value.ty.is_pointer() => apart(value),
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), start, by) if e.ty.is_pointer() => {
            let (start, mut sum) = apart(start);
            sum.push((*op, by));
            (start, sum)
        }
        ExprKind::AddrOf(place) => match &place.kind {
            ExprKind::Index(start, by) if start.ty.is_pointer() => {
                let (start, mut sum) = apart(start);
                sum.push((BinaryOp::Add, by));
                (start, sum)
            }
            _ => (e, Vec::new()),
        },
        _ => (e, Vec::new()),
    }
}

/// Lets the fields that get a local's memory stand for the local from there on.
fn handed_over(program: &mut Program) {
    let mut found: Vec<(FnId, VarId, Expr, Span)> = Vec::new();
    let all = flows(program);
    for id in program.defined() {
        let Some(body) = &program.function(id).body else {
            continue;
        };
        let mut look = |block: &Block| {
            let mut declared: BTreeSet<VarId> = BTreeSet::new();
            for stmt in &block.stmts {
                if let StmtKind::Decl(vars) = &stmt.kind {
                    declared.extend(vars);
                }
                let StmtKind::Expr(e) = &stmt.kind else {
                    continue;
                };
                let ExprKind::Assign(place, value) = &e.kind else {
                    continue;
                };
                let Some(local) = value.stripped().as_var() else {
                    continue;
                };
                let memory = declared.contains(&local)
                    && program.var(local).storage == Storage::Local
                    && allocated(&all, local);
                if memory
                    && field(place).is_some()
                    && !found.iter().any(|(_, known, ..)| *known == local)
                    && quiet(program, place)
                    && shared(program, body, local, place, e.span)
                {
                    found.push((id, local, (**place).clone(), e.span));
                }
            }
        };
        look(body);
        walk::stmts(program, body, &mut |s| {
            if let StmtKind::Block(b) = &s.kind {
                look(b);
            }
        });
    }
    for (id, local, place, from) in found {
        let body = program.functions[id.0 as usize].body.iter_mut();
        let mut rename = |e: &mut Expr| {
            if e.as_var() == Some(local) && e.span.lo >= from.hi {
                let span = e.span;
                *e = place.clone();
                e.span = span;
            }
        };
        for stmt in body.flat_map(|b| &mut b.stmts) {
            change_stmt(stmt, &mut rename);
        }
        for var in program.vars.iter_mut().filter(|v| v.owner == Some(id)) {
            if let Some(Init::Expr(e)) = &mut var.init {
                change(e, &mut rename);
            }
        }
    }
}

/// Whether a variable is given memory of its own, once.
fn allocated(flows: &[crate::translate::base::flows::Flow], var: VarId) -> bool {
    let mut own = flows
        .iter()
        .filter(|f| f.to == Holder::Var(var) && !matches!(f.from, Source::Null));
    let first = own.next();
    own.next().is_none() && first.is_some_and(|f| matches!(f.from, Source::Alloc))
}

/// Whether other fields of the struct get positions in the memory afterwards, and the place stays what it is.
fn shared(program: &Program, body: &Block, local: VarId, place: &Expr, from: Span) -> bool {
    let ExprKind::Member(object, _) = &place.kind else {
        return false;
    };
    let holder = root(place);
    let (mut parts, mut stays) = (false, true);
    for stmt in &body.stmts {
        walk::exprs(program, stmt, &mut |e| {
            if let ExprKind::Assign(to, value) = &e.kind {
                if e.span.lo >= from.hi {
                    stays &= to.as_var().is_none_or(|v| Some(v) != holder && v != local);
                    stays &= !same(to, place) && !same(to, object);
                }
                let sibling = matches!(&to.kind, ExprKind::Member(of, _) if same(of, object));
                let (start, sum) = apart(value);
                parts |= sibling && start.as_var() == Some(local) && !sum.is_empty();
            }
            if let ExprKind::Step { place: to, .. } | ExprKind::Compound { place: to, .. } = &e.kind
            {
                stays &= to.as_var().is_none_or(|v| Some(v) != holder && v != local);
            }
        });
    }
    // Indices that may change would name another place later.
    let fixed = !crate::translate::base::usage::dynamic(place);
    parts && stays && fixed
}

/// The fields that are positions in what another field of their struct holds, with that field.
fn owners(program: &Program) -> BTreeMap<Field, Field> {
    let mut into: BTreeMap<Field, BTreeSet<u32>> = BTreeMap::new();
    let mut seen: HashMap<Field, usize> = HashMap::new();
    let mut bad: BTreeSet<Field> = BTreeSet::new();
    let swaps: Vec<_> = bodies(program)
        .map(|(_, body)| crate::translate::base::swap::swaps(program, body))
        .collect();
    for (_, stmt) in stmts(program) {
        walk::exprs(program, stmt, &mut |e| {
            look(program, e, &swaps, &mut into, &mut seen, &mut bad);
        });
    }
    for var in program.vars.iter().filter(|v| v.owner.is_some()) {
        if let Some(Init::Expr(e)) = &var.init {
            walk::parts(program, e, &mut |e| {
                look(program, e, &swaps, &mut into, &mut seen, &mut bad);
            });
        }
    }
    // What gets a value in another way points elsewhere.
    let mut other: HashMap<Field, usize> = HashMap::new();
    for flow in flows(program) {
        if let Holder::Field(of, at) = flow.to
            && !matches!(flow.from, Source::Null)
        {
            *other.entry((of, at)).or_default() += 1;
        }
    }
    into.retain(|f, _| !bad.contains(f) && seen.get(f) == other.get(f));
    let exchanged: BTreeSet<Field> = crate::translate::base::swap::exchanged(program)
        .iter()
        .filter_map(field)
        .collect();
    loop {
        let owner = |f: &Field| {
            let (mut todo, mut met) = (vec![f.1], BTreeSet::from([f.1]));
            let mut ends = BTreeSet::new();
            while let Some(at) = todo.pop() {
                match into.get(&(f.0, at)) {
                    Some(next) => todo.extend(next.iter().filter(|n| met.insert(**n))),
                    None => _ = ends.insert(at),
                }
            }
            let end = (f.0, ends.pop_first().filter(|_| ends.is_empty())?);
            let fits = element(program, *f) == element(program, end)
                && element(program, end).is_some()
                && !exchanged.contains(&end)
                && settled(program, *f, end);
            fits.then_some(end)
        };
        let out: BTreeMap<Field, Field> =
            into.keys().filter_map(|f| Some((*f, owner(f)?))).collect();
        if out.len() == into.len() {
            return out;
        }
        into.retain(|f, _| out.contains_key(f));
    }
}

fn element(program: &Program, (of, at): Field) -> Option<Type> {
    let fields = program.structure(of).fields.as_ref()?;
    let element = fields.get(at as usize)?.ty.element()?;
    (*element != Type::Void && !element.is_pointer()).then(|| element.clone())
}

pub(crate) fn bodies(program: &Program) -> impl Iterator<Item = (FnId, &Block)> {
    program
        .defined()
        .filter_map(|id| Some((id, program.function(id).body.as_ref()?)))
}

pub(crate) fn stmts(program: &Program) -> impl Iterator<Item = (FnId, &Stmt)> {
    bodies(program).flat_map(|(id, b)| b.stmts.iter().map(move |s| (id, s)))
}

/// What one expression tells about the fields.
fn look(
    program: &Program,
    e: &Expr,
    exchanged: &[crate::translate::base::swap::Swaps],
    into: &mut BTreeMap<Field, BTreeSet<u32>>,
    seen: &mut HashMap<Field, usize>,
    bad: &mut BTreeSet<Field>,
) {
    let mut not = |e: &Expr| bad.extend(field(e.stripped()));
    match &e.kind {
        ExprKind::Assign(place, value) => {
            let Some(to) = field(place) else { return };
            let ExprKind::Member(object, _) = &place.kind else {
                return;
            };
            if is_null(value) {
                return;
            }
            let covered = exchanged.iter().any(|s| s.covers(e.span));
            *seen.entry(to).or_default() += usize::from(!covered);
            let (start, _) = apart(value);
            match (&start.kind, field(start)) {
                (ExprKind::Member(of, _), Some(from)) if from.0 == to.0 && same(of, object) => {
                    into.entry(to).or_default().insert(from.1);
                }
                _ if covered => {}
                _ => _ = bad.insert(to),
            }
            if !quiet(program, place) || !quiet(program, value) {
                bad.insert(to);
            }
        }
        ExprKind::AddrOf(place)
        | ExprKind::Step { place, .. }
        | ExprKind::Compound { place, .. } => not(place),
        // Whether there is something is not told by a position.
        ExprKind::Unary(UnaryOp::Not, inner) => not(inner),
        ExprKind::Logical(_, a, b) => {
            not(a);
            not(b);
        }
        ExprKind::Binary(op, a, b) if op.is_comparison() && (is_null(a) || is_null(b)) => {
            not(a);
            not(b);
        }
        ExprKind::Cond(cond, ..) => not(cond),
        ExprKind::Cast { value, .. } if !e.ty.is_pointer() => not(value),
        ExprKind::Call { callee, args } => {
            let function = program.function(*callee);
            if matches!(function.name.as_str(), "free" | "realloc") {
                args.iter().take(1).for_each(not);
            }
        }
        ExprKind::Member(object, _) => {
            if let Some(own) = field(e)
                && !quiet(program, object)
            {
                bad.insert(own);
            }
        }
        _ => {}
    }
}

/// Whether nobody asks for a position between the time its memory is another and the time the position is set anew.
fn settled(program: &Program, position: Field, owner: Field) -> bool {
    for (_, body) in bodies(program) {
        let (mut given, mut set, mut used) = (Vec::new(), Vec::new(), Vec::new());
        let mut places = Vec::new();
        for stmt in &body.stmts {
            walk::exprs(program, stmt, &mut |e| match &e.kind {
                ExprKind::Assign(place, value) if field(place) == Some(owner) => {
                    let grown = matches!(&value.stripped().kind, ExprKind::Call { callee, .. }
                        if program.function(*callee).name == "realloc");
                    if !is_null(value) && !grown {
                        given.push(e.span);
                    }
                }
                ExprKind::Assign(place, _) if field(place) == Some(position) => {
                    set.push(e.span);
                    places.push(place.span);
                }
                ExprKind::Member(..) if field(e) == Some(position) => used.push(e.span),
                ExprKind::Call { callee, .. } if program.function(*callee).body.is_some() => {
                    used.push(e.span);
                }
                _ => {}
            });
        }
        let sets = !set.is_empty();
        for use_ in used.iter().filter(|u| !places.contains(u)) {
            let last = given.iter().filter(|g| g.hi <= use_.lo).map(|g| g.hi).max();
            if let Some(last) = last
                && sets
                && !set.iter().any(|s| s.lo >= last && s.lo < use_.lo)
            {
                return false;
            }
            if last.is_some() && !sets && !program_call(program, body, *use_) {
                return false;
            }
        }
    }
    true
}

/// Whether a call stands at a place.
fn program_call(program: &Program, body: &Block, at: Span) -> bool {
    let mut call = false;
    for stmt in &body.stmts {
        walk::exprs(program, stmt, &mut |e| {
            call |= e.span == at && matches!(e.kind, ExprKind::Call { .. });
        });
    }
    call
}

/// Helpers of exchanges between positions are numbers, too.
fn helpers(program: &mut Program, owners: &BTreeMap<Field, Field>) {
    let mut found = BTreeSet::new();
    for (_, body) in bodies(program) {
        let swaps = crate::translate::base::swap::swaps(program, body);
        let positions = |p: &Expr| field(p).is_some_and(|f| owners.contains_key(&f));
        for helper in &swaps.helpers {
            let mut own = true;
            let mut any = false;
            let mut is = |value: &Expr| {
                for s in source(program, value) {
                    any = true;
                    own &= matches!(&s, Source::Into(from, false) if positions(from));
                }
            };
            if let Some(Init::Expr(value)) = &program.var(*helper).init {
                is(value);
            }
            for stmt in &body.stmts {
                walk::exprs(program, stmt, &mut |e| {
                    if let ExprKind::Assign(place, value) = &e.kind
                        && place.as_var() == Some(*helper)
                    {
                        is(value);
                    }
                });
            }
            if own && any {
                found.insert(*helper);
            }
        }
    }
    for helper in &found {
        program.vars[helper.0 as usize].ty = SIZE;
        program.vars[helper.0 as usize].constant = false;
    }
    change_all(program, &mut |e| {
        if e.as_var().is_some_and(|id| found.contains(&id)) {
            e.ty = SIZE;
        }
    });
}

/// The sum of what stands behind the start of a pointer; 0 where it is the start.
pub(crate) fn offset(value: &Expr) -> Expr {
    let value = value.bare();
    if value.ty == SIZE {
        return value.clone();
    }
    let (_, sum) = apart(value);
    let mut out: Option<Expr> = None;
    for (op, by) in sum {
        let by = by.clone().converted(&SIZE);
        out = Some(match (out, op) {
            (None, BinaryOp::Add) => by,
            (known, op) => {
                let span = value.span;
                let known = known.unwrap_or_else(|| Expr::int(0, SIZE, span));
                Expr {
                    kind: ExprKind::Binary(op, Box::new(known), Box::new(by)),
                    ty: SIZE,
                    span,
                }
            }
        });
    }
    out.unwrap_or_else(|| Expr::int(0, SIZE, value.span))
}

/// Writes the fields as numbers, and what they point to as positions in the memory.
fn positions(program: &mut Program, owners: &BTreeMap<Field, Field>) {
    let types = types(program, owners.values());
    let is = |e: &Expr| owners.get(&member(e)?).copied();
    change_all(program, &mut |e| {
        if let Some(owner) = is(e)
            && let ExprKind::Member(object, _) = &e.kind
        {
            let span = e.span;
            let memory = Expr {
                kind: ExprKind::Member(object.clone(), owner.1),
                ty: types[&owner].clone(),
                span,
            };
            let ty = std::mem::replace(&mut e.ty, SIZE);
            let position = e.clone();
            *e = Expr {
                kind: ExprKind::Binary(BinaryOp::Add, Box::new(memory), Box::new(position)),
                ty,
                span,
            };
            return;
        }
        match &mut e.kind {
            // The place is a field again, or a number that an exchange keeps.
            ExprKind::Assign(place, value) => {
                let own = match &place.kind {
                    ExprKind::Binary(BinaryOp::Add, _, position) if is(position).is_some() => {
                        Some((**position).clone())
                    }
                    _ => None,
                };
                let number = place.ty == SIZE && place.as_var().is_some();
                if let Some(position) = own {
                    **place = position;
                } else if !(number && value.ty.is_pointer()) {
                    return;
                }
                **value = offset(value);
                e.ty = SIZE;
            }
            ExprKind::Literal(init) => cleared(init, owners, &e.ty),
            _ => {}
        }
    });
    for at in 0..program.vars.len() {
        let var = &mut program.vars[at];
        let ty = var.ty.clone();
        match &mut var.init {
            Some(Init::Expr(e)) if ty == SIZE && e.ty.is_pointer() => **e = offset(e),
            Some(init) => cleared(init, owners, &ty),
            None => {}
        }
    }
    for (of, at) in owners.keys() {
        if let Some(fields) = &mut program.structs[of.0 as usize].fields {
            fields[*at as usize].ty = SIZE;
        }
    }
}

/// Null pointers of initializers as positions.
fn cleared(init: &mut Init, owners: &BTreeMap<Field, Field>, ty: &Type) {
    let Init::List(list) = init else { return };
    for (at, part) in list {
        match ty {
            Type::Struct(of) => {
                let own = owners.contains_key(&(*of, *at as u32));
                if let (true, Init::Expr(e)) = (own, &mut *part) {
                    **e = Expr::int(0, SIZE, e.span);
                }
            }
            Type::Array(of, _) => cleared(part, owners, of),
            _ => {}
        }
    }
}
