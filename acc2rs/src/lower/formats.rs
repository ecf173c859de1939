//! Formats that are parameters, `void show(const char *format, double x) { printf(format, x); }`, where every call passes a
//! literal: the function takes the number of the literal, or nothing if there is one only.

use crate::ctypes::{IntKind, Type};
use crate::typed::change::change_all;
use crate::typed::{Arm, Block, Expr, ExprKind, FnId, Init, Program, Stmt, StmtKind, VarId, walk};

/// More literals than this are left alone: each is a branch at each place that formats.
const MOST_LITERALS: usize = 8;

/// Which argument of a function of the C library is the format.
pub(crate) fn format_at(program: &Program, callee: FnId) -> Option<usize> {
    let function = program.function(callee);
    match function.name.trim_start_matches("__builtin_") {
        _ if function.body.is_some() => None,
        "printf" => Some(0),
        "fprintf" | "sprintf" => Some(1),
        "snprintf" => Some(2),
        _ => None,
    }
}

/// Makes such parameters numbers.
pub(super) fn numbers(program: &mut Program) {
    let params: Vec<(FnId, usize, VarId)> = program
        .defined()
        .flat_map(|id| {
            let params = program.function(id).params.iter().enumerate();
            params.map(move |(at, var)| (id, at, *var))
        })
        .filter(|(id, _, var)| only_formats(program, *id, *var))
        .collect();
    // The last first, so that the places of the others stay.
    for (id, at, var) in params.into_iter().rev() {
        if let Some(literals) = literals(program, id, at) {
            number(program, id, at, var, &literals);
        }
    }
}

/// Whether a parameter is nothing but the format of statements.
fn only_formats(program: &Program, id: FnId, var: VarId) -> bool {
    let ty = &program.var(var).ty;
    if !ty.is_pointer() || !ty.element().is_some_and(Type::is_char) {
        return false;
    }
    let (mut mentions, mut known) = (0, 0);
    let Some(body) = &program.function(id).body else {
        return false;
    };
    for stmt in &body.stmts {
        walk::exprs(program, stmt, &mut |e| {
            mentions += usize::from(e.as_var() == Some(var));
        });
    }
    let mut count = |s: &Stmt| {
        if let StmtKind::Expr(e) = &s.kind
            && formats(program, e, var)
            && s.directives.is_empty()
        {
            known += 1;
        }
    };
    walk::stmts(program, body, &mut count);
    mentions > 0 && mentions == known
}

fn formats(program: &Program, e: &Expr, var: VarId) -> bool {
    match &e.stripped().kind {
        ExprKind::Call { callee, args } => format_at(program, *callee)
            .and_then(|at| args.get(at))
            .is_some_and(|f| f.stripped().as_var() == Some(var)),
        _ => false,
    }
}

/// The literals that all calls pass, each once, if they pass nothing else.
fn literals(program: &Program, id: FnId, at: usize) -> Option<Vec<Expr>> {
    let mut out: Vec<Expr> = Vec::new();
    let mut fits = program.function(id).params.len() == program.function(id).ty.params.len();
    let mut look = |e: &Expr| match &e.kind {
        ExprKind::Function(taken) => fits &= *taken != id,
        ExprKind::Call { callee, args } if *callee == id => match args.get(at) {
            Some(arg) => match &arg.stripped().kind {
                ExprKind::Str(bytes) => {
                    let is = |known: &Expr| matches!(&known.stripped().kind, ExprKind::Str(b) if b == bytes);
                    if !out.iter().any(is) {
                        out.push(arg.clone());
                    }
                }
                _ => fits = false,
            },
            None => fits = false,
        },
        _ => {}
    };
    for other in program.defined() {
        for stmt in program.function(other).body.iter().flat_map(|b| &b.stmts) {
            walk::exprs(program, stmt, &mut look);
        }
    }
    for var in program.vars.iter().filter(|v| v.owner.is_none()) {
        if let Some(init) = &var.init {
            initial(program, init, &mut look);
        }
    }
    (fits && !out.is_empty() && out.len() <= MOST_LITERALS).then_some(out)
}

fn initial(program: &Program, init: &Init, f: &mut dyn FnMut(&Expr)) {
    match init {
        Init::Expr(e) => walk::parts(program, e, f),
        Init::List(list) => list.iter().for_each(|(_, i)| initial(program, i, f)),
    }
}

fn number(program: &mut Program, id: FnId, at: usize, var: VarId, literals: &[Expr]) {
    let int = Type::Int(IntKind::Int);
    let text = |e: &Expr| match &e.stripped().kind {
        ExprKind::Str(bytes) => bytes.clone(),
        _ => Vec::new(),
    };
    let texts: Vec<Vec<u8>> = literals.iter().map(text).collect();
    change_all(program, &mut |e| {
        if let ExprKind::Call { callee, args } = &mut e.kind
            && *callee == id
        {
            if texts.len() == 1 {
                args.remove(at);
                return;
            }
            let own = text(&args[at]);
            let number = texts.iter().position(|t| *t == own).unwrap_or(0);
            args[at] = Expr::int(number as i128, int.clone(), args[at].span);
        }
    });
    if let Some(mut body) = program.functions[id.0 as usize].body.take() {
        branches(program, &mut body, var, literals);
        program.functions[id.0 as usize].body = Some(body);
    }
    let function = &mut program.functions[id.0 as usize];
    if literals.len() == 1 {
        function.params.remove(at);
        function.ty.params.remove(at);
    } else {
        function.ty.params[at] = int.clone();
        program.vars[var.0 as usize].ty = int;
        program.vars[var.0 as usize].array_param = None;
    }
}

fn branches(program: &Program, block: &mut Block, var: VarId, literals: &[Expr]) {
    let stmts = block.stmts.iter_mut();
    stmts.for_each(|s| branch(program, s, var, literals));
}

/// Gives a statement that formats by the parameter a branch for each literal.
fn branch(program: &Program, stmt: &mut Stmt, var: VarId, literals: &[Expr]) {
    match &mut stmt.kind {
        StmtKind::Expr(e) if formats(program, e, var) => {
            let span = e.span;
            let with = |literal: &Expr| {
                let mut call = e.stripped().clone();
                if let ExprKind::Call { callee, args } = &mut call.kind
                    && let Some(at) = format_at(program, *callee)
                {
                    args[at] = literal.clone();
                }
                StmtKind::Expr(call)
            };
            let plain = |kind| Stmt {
                kind,
                span,
                directives: Vec::new(),
                comments: Vec::new(),
            };
            if let [only] = literals {
                stmt.kind = with(only);
                return;
            }
            let last = literals.len() - 1;
            let arms = literals
                .iter()
                .enumerate()
                .map(|(at, literal)| Arm {
                    cases: if at < last {
                        vec![(at as i128, at as i128, None)]
                    } else {
                        Vec::new()
                    },
                    default: at == last,
                    body: vec![plain(with(literal)), plain(StmtKind::Break)],
                })
                .collect();
            let value = Expr {
                kind: ExprKind::Var(var),
                ty: Type::Int(IntKind::Int),
                span,
            };
            stmt.kind = StmtKind::Switch { value, arms };
        }
        StmtKind::Block(b) => branches(program, b, var, literals),
        StmtKind::If {
            then, otherwise, ..
        } => {
            branch(program, then, var, literals);
            if let Some(s) = otherwise {
                branch(program, s, var, literals);
            }
        }
        StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::For { body, .. } => branch(program, body, var, literals),
        StmtKind::Switch { arms, .. } => {
            let stmts = arms.iter_mut().flat_map(|a| &mut a.body);
            stmts.for_each(|s| branch(program, s, var, literals));
        }
        _ => {}
    }
}
