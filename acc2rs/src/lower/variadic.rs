//! Functions of the program with a variable number of arguments that only hand them on to the `printf` family, as
//! `void die(const char *format, ...)` does: they take the finished text, which their callers format.
//!
//! Whatever else is done with such arguments is refused.

use std::collections::{HashMap, HashSet};

use crate::codes;
use crate::ctypes::{IntKind, Type};
use crate::diag::{Diagnostic, Diagnostics};
use crate::typed::change::{change_all, change_stmt};
use crate::typed::{Block, Expr, ExprKind, FnId, Program, Stmt, StmtKind, VarId, walk};

/// The name of the function that formats: its arguments are those of `printf`, its value is the text.
pub(crate) const FORMATTED: &str = "__builtin_formatted";

/// What `va_list` is while a program is lowered.
pub(super) fn list() -> Type {
    Type::pointer(Type::Void)
}

/// The member of the `printf` family that takes its arguments one by one.
fn direct(name: &str) -> Option<&'static str> {
    Some(match name.trim_start_matches("__builtin_") {
        "vprintf" => "printf",
        "vfprintf" => "fprintf",
        "vsprintf" => "sprintf",
        "vsnprintf" => "snprintf",
        _ => return None,
    })
}

/// Makes such functions take text; reports those with a body that do more.
pub(super) fn format_first(program: &mut Program, report: &mut Diagnostics) {
    let variadic: Vec<FnId> = program
        .defined()
        .filter(|id| program.function(*id).ty.variadic)
        .collect();
    let mut taken: HashSet<FnId> = HashSet::new();
    let mut found: HashMap<FnId, usize> = HashMap::new();
    for id in program.defined() {
        each(program, id, &mut |e| {
            if let ExprKind::Function(id) = e.kind {
                taken.insert(id);
            }
        });
    }
    for id in variadic {
        match lists(program, id).filter(|_| !taken.contains(&id)) {
            Some(lists) => {
                found.insert(id, program.function(id).params.len() - 1);
                forward(program, id, &lists);
            }
            None => {
                let function = program.function(id);
                let message = format!("`{}` takes a variable number of arguments", function.name);
                report.push(Diagnostic::new(codes::VARIADIC, function.span, message).help(
                    "give it a fixed list of parameters; one that hands a format and all its arguments on to `vprintf` or a relative is translated",
                ));
            }
        }
    }
    if found.is_empty() {
        return;
    }
    let format = program.library_function(FORMATTED, text(), vec![text()]);
    change_all(program, &mut |e| {
        if let ExprKind::Call { callee, args } = &mut e.kind
            && let Some(at) = found.get(callee)
            && args.len() > *at
        {
            let given = args.split_off(*at);
            let plain =
                matches!(&given[0].stripped().kind, ExprKind::Str(bytes) if !bytes.contains(&b'%'));
            let span = given[0].span;
            args.push(match &given[..] {
                [only] if plain => only.clone(),
                _ => Expr {
                    kind: ExprKind::Call {
                        callee: format,
                        args: given,
                    },
                    ty: text(),
                    span,
                },
            });
        }
    });
}

fn text() -> Type {
    Type::Pointer {
        to: Box::new(Type::Int(IntKind::Char)),
        constant: true,
    }
}

fn each(program: &Program, id: FnId, f: &mut dyn FnMut(&Expr)) {
    let stmts = program.function(id).body.iter().flat_map(|b| &b.stmts);
    stmts.for_each(|s| walk::exprs(program, s, f));
}

/// The `va_list`s of a function that formats with its last parameter, and does nothing else with it or with them.
fn lists(program: &Program, id: FnId) -> Option<HashSet<VarId>> {
    let format = *program.function(id).params.last()?;
    if !program.var(format).ty.element().is_some_and(Type::is_char) {
        return None;
    }
    let (mut started, mut formats) = (HashSet::new(), 0);
    let (mut mentions, mut known): (HashMap<VarId, u32>, HashMap<VarId, u32>) = Default::default();
    each(program, id, &mut |e| match &e.kind {
        ExprKind::Var(var) => *mentions.entry(*var).or_default() += 1,
        ExprKind::Call { callee, args } => {
            let name = program.function(*callee).name.as_str();
            let vars = |args: &[Expr]| -> Vec<VarId> {
                args.iter().filter_map(|a| a.stripped().as_var()).collect()
            };
            let own = program.function(*callee).body.is_none();
            if own && direct(name).is_some() {
                let last = &args[args.len().saturating_sub(2)..];
                for var in vars(last) {
                    *known.entry(var).or_default() += 1;
                }
                formats += 1;
            } else if matches!(name, "__builtin_va_start" | "__builtin_va_end") {
                for var in vars(args) {
                    *known.entry(var).or_default() += 1;
                }
                if name.ends_with("start") {
                    started.extend(vars(&args[..1]));
                }
            }
        }
        // Whether there is a format.
        ExprKind::Unary(crate::typed::UnaryOp::Not, inner) if inner.as_var() == Some(format) => {
            *known.entry(format).or_default() += 1;
        }
        ExprKind::Binary(op, a, b)
            if op.is_comparison() && super::is_null(b) && a.stripped().as_var() == Some(format) =>
        {
            *known.entry(format).or_default() += 1;
        }
        _ => {}
    });
    let harmless = |var: &VarId| mentions.get(var) == known.get(var);
    let own = started
        .iter()
        .all(|v| program.var(*v).owner == Some(id) && program.var(*v).ty == list() && harmless(v));
    (formats > 0 && own && !started.is_empty() && harmless(&format)).then_some(started)
}

/// `vfprintf(f, format, list)` as `fprintf(f, "%s", format)`; what keeps the lists is left out.
fn forward(program: &mut Program, id: FnId, lists: &HashSet<VarId>) {
    let names: HashMap<FnId, FnId> = (0..program.functions.len() as u32)
        .map(FnId)
        .filter_map(|f| {
            let function = program.function(f);
            let name = direct(&function.name).filter(|_| function.body.is_none())?;
            let ret = function.ty.ret.clone();
            Some((f, name, ret))
        })
        .collect::<Vec<_>>()
        .into_iter()
        .map(|(f, name, ret)| (f, program.library_function(name, ret, vec![text()])))
        .collect();
    let Some(mut body) = program.functions[id.0 as usize].body.take() else {
        return;
    };
    let mut forwarded = |e: &mut Expr| {
        if let ExprKind::Call { callee, args } = &mut e.kind
            && let Some(direct) = names.get(callee)
            && let Some(at) = args.len().checked_sub(2)
        {
            let span = args[at].span;
            let literal = Expr {
                kind: ExprKind::Str(b"%s".to_vec()),
                ty: Type::Array(
                    Box::new(Type::Int(IntKind::Char)),
                    crate::ctypes::Extent::Fixed(3),
                ),
                span,
            };
            args.pop();
            args.insert(
                at,
                Expr {
                    kind: ExprKind::Decay(Box::new(literal)),
                    ty: text(),
                    span,
                },
            );
            *callee = *direct;
        }
    };
    body.stmts
        .iter_mut()
        .for_each(|s| change_stmt(s, &mut forwarded));
    for var in program.vars.iter_mut().filter(|v| v.owner == Some(id)) {
        if let Some(crate::typed::Init::Expr(e)) = &mut var.init {
            crate::typed::change::change(e, &mut forwarded);
        }
    }
    without(program, &mut body, lists);
    let function = &mut program.functions[id.0 as usize];
    function.body = Some(body);
    function.ty.variadic = false;
}

fn without(program: &Program, block: &mut Block, lists: &HashSet<VarId>) {
    let passes = |s: &Stmt| match &s.kind {
        StmtKind::Expr(e) => match &e.stripped().kind {
            ExprKind::Call { callee, .. } => {
                let name = program.function(*callee).name.as_str();
                matches!(name, "__builtin_va_start" | "__builtin_va_end")
            }
            _ => false,
        },
        _ => false,
    };
    for stmt in &mut block.stmts {
        if passes(stmt) {
            stmt.kind = StmtKind::Empty;
        }
        match &mut stmt.kind {
            StmtKind::Decl(vars) => {
                vars.retain(|v| !lists.contains(v));
                if vars.is_empty() {
                    stmt.kind = StmtKind::Empty;
                }
            }
            StmtKind::Block(b) => without(program, b, lists),
            StmtKind::If {
                then, otherwise, ..
            } => {
                for arm in [Some(then), otherwise.as_mut()].into_iter().flatten() {
                    if let StmtKind::Block(b) = &mut arm.kind {
                        without(program, b, lists);
                    }
                }
            }
            StmtKind::While { body, .. }
            | StmtKind::DoWhile { body, .. }
            | StmtKind::For { body, .. } => {
                if let StmtKind::Block(b) = &mut body.kind {
                    without(program, b, lists);
                }
            }
            _ => {}
        }
    }
    let empty =
        |s: &Stmt| s.kind == StmtKind::Empty && s.comments.is_empty() && s.directives.is_empty();
    block.stmts.retain(|s| !empty(s));
}
