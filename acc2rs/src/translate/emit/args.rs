//! Arguments of calls to the program's own functions: borrows, and the order they ask for.

use std::collections::HashMap;

use super::state::{Emit, Emitted, refuse};
use crate::codes;
use crate::ctypes::Type;
use crate::lower::is_null;
use crate::source::Span;
use crate::translate::base::code::{Code, PreparedCall};
use crate::translate::base::places::root;
use crate::translate::memory::shape::Shape;
use crate::typed::walk;
use crate::typed::{Expr, ExprKind, FnId, Init, VarId};

/// A borrow that an argument makes.
pub(super) struct Borrow {
    pub(super) root: Option<VarId>,
    pub(super) place: String,
    pub(super) mutable: bool,
    pub(super) span: Span,
    /// Which argument it is.
    pub(super) arg: usize,
    /// Whether it borrows one object, not an array.
    pub(super) one: bool,
}

impl Borrow {
    /// Whether it may be of the same data as another one.
    pub(super) fn overlaps(&self, other: &Borrow) -> bool {
        let within = |a: &str, b: &str| {
            let rest = a.strip_prefix(b);
            rest.is_some_and(|r| !r.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        let nested = within(&self.place, &other.place) || within(&other.place, &self.place);
        let indexed = self.place.contains('[') && other.place.contains('[');
        self.root.is_some()
            && self.root == other.root
            && (nested || indexed && self.same_array(other))
    }

    /// Whether both are elements of arrays that go by one name.
    fn same_array(&self, other: &Borrow) -> bool {
        self.place.split('[').next() == other.place.split('[').next()
    }
}

impl Emit<'_> {
    /// The value of a call of a function that the program defines.
    pub(super) fn own_call(&mut self, callee: FnId, args: &[Expr], span: Span) -> Emitted<Code> {
        let prepared = self.prepared_call(callee, args, span)?;
        if prepared.after.is_empty() || prepared.void {
            return Ok(prepared.value(None));
        }
        let result = self.temporary("result");
        Ok(prepared.value(Some(result)))
    }

    /// A call of a function that the program defines, with what it needs around it.
    pub(super) fn prepared_call(
        &mut self,
        callee: FnId,
        args: &[Expr],
        span: Span,
    ) -> Emitted<PreparedCall> {
        let function = self.program.function(callee);
        let params = function.params.clone();
        let mut name = crate::translate::base::names::sanitized(&function.name);
        if function.name == "main" {
            name = "main".into();
            return refuse(
                codes::UNSUPPORTED_EXPRESSION,
                span,
                format!("`{name}` is called"),
                "put its body into a function of its own",
            );
        }
        if let Some(code) = self.exchange_within(callee, args)? {
            return Ok(PreparedCall::alone(code));
        }
        let spelled = self.spelled_out(args);
        let args = spelled.as_deref().unwrap_or(args);
        let globals = self.needs_globals(callee);
        let mut borrows = Vec::new();
        let mut codes_of = Vec::new();
        for (at, (param, arg)) in params.iter().zip(args).enumerate() {
            let known = borrows.len();
            let code = self.argument(*param, arg, &mut borrows)?;
            borrows[known..].iter_mut().for_each(|b| b.arg = at);
            codes_of.push(code);
        }
        let mut apart = self.taken_apart(args, &mut codes_of, &mut borrows)?;
        let mut copies = self.in_place(callee, args, &mut codes_of, &mut borrows);
        let (mut before, mut after) = self.step_out(callee, args, &mut codes_of, &mut borrows)?;
        self.check_aliases(&borrows, callee, args, span)?;
        // Several arguments with effects are evaluated last first, as gcc does.
        if args.iter().filter(|a| self.has_effect(a)).count() > 1 {
            for at in (0..args.len().min(codes_of.len())).rev() {
                if self.has_effect(&args[at]) && !args[at].ty.is_pointer() {
                    let value = self.temporary("value");
                    before.push_str(&format!("let {value} = {}; ", codes_of[at].text));
                    codes_of[at] = Code::atom(value);
                }
            }
        }
        // A value that is read while something is borrowed for writing is read before.
        let any_mutable = globals || borrows.iter().any(|b| b.mutable);
        for (at, arg) in args.iter().enumerate().filter(|_| any_mutable) {
            let by_value = params.get(at).is_some_and(|p| {
                let text = self.shapes.var(*p) == Some(&Shape::Text);
                text || !self.program.var(*p).ty.is_pointer()
            });
            if by_value
                && !before.contains(&format!("let {} =", codes_of[at].text))
                && self.reads_any(arg, &borrows, globals)
            {
                let value = self.temporary("value");
                before.push_str(&format!("let {value} = {}; ", codes_of[at].text));
                codes_of[at] = Code::atom(value);
            }
        }
        // A global that is passed while the callee uses other globals steps out of them for the time.
        let mut stepped: HashMap<VarId, String> = HashMap::new();
        if globals {
            for (at, arg) in args.iter().enumerate() {
                let Some(id) = params
                    .get(at)
                    .and_then(|_| self.array_of(arg))
                    .filter(|id| self.in_globals(*id) && arg.ty.is_pointer())
                else {
                    continue;
                };
                if is_null(arg) || self.is_text(arg) {
                    continue;
                }
                if self.facts.function(callee).globals.contains(&id) {
                    let message = format!(
                        "`{}` is passed to `{}`, which also uses it by name",
                        self.program.var(id).name,
                        self.program.function(callee).name
                    );
                    return refuse(
                        codes::GLOBAL_BORROWED,
                        arg.span,
                        message,
                        "use either the parameter or the global inside the function",
                    );
                }
                let place = self.name(id);
                let moved = match stepped.get(&id) {
                    Some(moved) => String::clone(moved),
                    None => {
                        let moved = self.temporary("moved");
                        let taken = self.taken(id, &place)?;
                        let written = |b: &Borrow| b.mutable && b.root == Some(id);
                        let word = if borrows.iter().any(written) {
                            "let mut"
                        } else {
                            "let"
                        };
                        before.push_str(&format!("{word} {moved} = {taken}; "));
                        after.push_str(&format!("{place} = {moved}; "));
                        apart = apart.replace(&place, &moved);
                        copies = copies.replace(&place, &moved);
                        stepped.insert(id, moved.clone());
                        moved
                    }
                };
                // An index that reads other globals is known before these are lent.
                let text = codes_of[at].text.clone();
                let rest = text.trim_start_matches("&mut ").trim_start_matches('&');
                if let Some(inner) = rest
                    .strip_prefix(&format!("{place}["))
                    .and_then(|rest| rest.strip_suffix("..]").or(rest.strip_suffix(']')))
                    && inner.contains("globals.")
                    && balanced(inner)
                {
                    let index = self.temporary("at");
                    before.insert_str(0, &format!("let {index} = {inner}; "));
                    codes_of[at].text = text.replacen(inner, &index, 1);
                }
                codes_of[at].text = codes_of[at].text.replace(&place, &moved);
            }
        }
        before.push_str(&copies);
        before.push_str(&apart);
        let mut all = Vec::new();
        if globals {
            all.push(Code::atom(if self.here.is_main {
                "&mut globals"
            } else {
                "globals"
            }));
        }
        all.extend(codes_of);
        Ok(PreparedCall {
            before,
            call: Code::call(&name, &all),
            after,
            void: self.program.function(callee).ty.ret == Type::Void,
        })
    }

    /// The variable whose data a pointer points to.
    pub(super) fn array_of(&self, arg: &Expr) -> Option<VarId> {
        let id = root(arg)?;
        match self.shapes.var(id) {
            Some(Shape::Cursor { base, .. }) => root(base),
            _ => Some(id),
        }
    }

    /// The arguments with `&level[k]` for a local that has stood for that since it was declared, where another argument
    /// points into the same data: the elements can be told apart then.
    fn spelled_out(&self, args: &[Expr]) -> Option<Vec<Expr>> {
        let stands_for = |at: usize| {
            let id = args[at].stripped().as_var()?;
            let Some(Shape::Cursor { fixed: false, .. }) = self.shapes.var(id) else {
                return None;
            };
            let Some(Init::Expr(value)) = &self.program.var(id).init else {
                return None;
            };
            let array = self.array_of(&args[at])?;
            let mut steady = self.facts.var(id).assigned == 0;
            walk::parts(self.program, value, &mut |e| {
                steady &= match &e.kind {
                    ExprKind::Var(part) => {
                        let facts = self.facts.var(*part);
                        let still = facts.assigned + facts.address == 0;
                        *part == array
                            || still
                                && !crate::translate::base::places::is_global(self.program, *part)
                    }
                    ExprKind::Call { .. } | ExprKind::CallPointer(..) => false,
                    ExprKind::Member(..) | ExprKind::Deref(_) => false,
                    _ => true,
                };
            });
            let shared =
                |other: &Expr| other.ty.is_pointer() && self.array_of(other) == Some(array);
            let among = args.iter().enumerate().any(|(k, a)| k != at && shared(a));
            (steady && among).then(|| (**value).clone())
        };
        let values: Vec<Option<Expr>> = (0..args.len()).map(stands_for).collect();
        if values.iter().all(Option::is_none) {
            return None;
        }
        let spelled = args.iter().zip(values);
        Some(
            spelled
                .map(|(a, v)| v.unwrap_or_else(|| a.clone()))
                .collect(),
        )
    }

    /// Gives a function that may be called in place a copy of what it reads, where it writes the same.
    fn in_place(
        &mut self,
        callee: FnId,
        args: &[Expr],
        texts: &mut [Code],
        borrows: &mut [Borrow],
    ) -> String {
        let mut lets = String::new();
        let params = self.program.function(callee).params.clone();
        for at in 0..borrows.len() {
            let read = &borrows[at];
            let mut others = borrows
                .iter()
                .filter(|b| b.arg != read.arg && b.overlaps(read));
            let (Some(written), None) = (others.next(), others.next()) else {
                continue;
            };
            let (Some(from), Some(to)) = (params.get(read.arg), params.get(written.arg)) else {
                continue;
            };
            if read.mutable
                || !written.mutable
                || !crate::translate::base::usage::same(
                    args[read.arg].stripped(),
                    args[written.arg].stripped(),
                )
                || !crate::translate::rewrite::in_place::reads_first(
                    self.program,
                    callee,
                    *from,
                    *to,
                )
            {
                continue;
            }
            let name = self.temporary("copy");
            let text = texts[borrows[at].arg].text.clone();
            let bare = text.trim_start_matches('&');
            let method = if !borrows[at].one && (bare == text || bare.ends_with("..]")) {
                "to_vec"
            } else {
                "clone"
            };
            lets.push_str(&format!("let {name} = {bare}.{method}(); "));
            texts[borrows[at].arg] = Code::atom(format!("&{name}"));
            borrows[at].place = name;
        }
        lets
    }

    /// A global's value, something empty in its place.
    fn taken(&mut self, id: VarId, place: &str) -> Emitted<String> {
        // Only short arrays have a default, and structs have none.
        let ty = &self.program.var(id).ty;
        Ok(if matches!(ty, Type::Array(..) | Type::Struct(_)) {
            let zero = self.var_zero(id)?;
            format!("std::mem::replace(&mut {place}, {zero})")
        } else {
            format!("std::mem::take(&mut {place})")
        })
    }

    /// `swap(&a[i], &a[j])` of a function that exchanges what its parameters point to: two elements of one array.
    fn exchange_within(&mut self, callee: FnId, args: &[Expr]) -> Emitted<Option<Code>> {
        let [a, b] = args else { return Ok(None) };
        if !crate::translate::base::swap::exchanges(self.program, callee)
            || root(a).is_none()
            || root(a) != root(b)
        {
            return Ok(None);
        }
        let (left, right) = (self.pointer(a)?, self.pointer(b)?);
        let arrays = !left.single && !right.single && left.row.is_none();
        if !arrays || left.base.text != right.base.text || left.base.text.contains('{') {
            return Ok(None);
        }
        if !self.has_effect(a) && !self.has_effect(b) {
            return Ok(Some(left.base.method("swap", &[left.at(), right.at()])));
        }
        // Arguments with effects are evaluated last first, as gcc does.
        let (at, other) = (self.temporary("at"), self.temporary("other"));
        let swap = left
            .base
            .method("swap", &[Code::atom(at.clone()), Code::atom(other.clone())]);
        Ok(Some(Code::low(format!(
            "{{ let {other} = {}; let {at} = {}; {} }}",
            right.at().text,
            left.at().text,
            swap.text
        ))))
    }

    /// Whether an expression reads the globals, itself or by what it calls.
    pub(super) fn reads_globals(&self, arg: &Expr) -> bool {
        self.reads_any(arg, &[], true)
    }

    fn reads_any(&self, arg: &Expr, borrows: &[Borrow], globals: bool) -> bool {
        let mut hit = false;
        walk::parts(self.program, arg, &mut |e| {
            if let ExprKind::Var(id) = e.kind {
                // A position reads the array that it stands in.
                let array = match self.shapes.var(id) {
                    Some(Shape::Cursor { base, .. }) => root(base),
                    _ => None,
                };
                let lent = |b: &Borrow| b.root == Some(id) || b.root.is_some() && b.root == array;
                hit |= borrows.iter().any(|b| b.mutable && lent(b))
                    || globals
                        && (self.in_globals(id) || array.is_some_and(|a| self.in_globals(a)));
            }
            if let ExprKind::Call { callee, .. } = e.kind {
                hit |= globals && self.needs_globals(callee);
            }
        });
        hit
    }

    fn check_aliases(
        &mut self,
        borrows: &[Borrow],
        callee: FnId,
        args: &[Expr],
        call: Span,
    ) -> Emitted<()> {
        for (at, a) in borrows.iter().enumerate() {
            for (other, b) in borrows[..at].iter().enumerate() {
                if a.overlaps(b) && (a.mutable || b.mutable) {
                    self.note_shared(callee, args, borrows, (at, other), call);
                    self.note_held(callee, args, (a.arg, b.arg), call);
                    let message = format!(
                        "`{}` gets two pointers to the same data, and writes through one",
                        self.program.function(callee).name
                    );
                    return Err(Box::new(
                        crate::diag::Diagnostic::new(codes::ALIASED, a.span, message)
                            .also(b.span, "the other one")
                            .help("pass the array once, or pass arrays that do not overlap"),
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Whether the brackets of a text are pairs: it is one index, not the end of one and the start of another.
fn balanced(text: &str) -> bool {
    let mut depth = 0_i32;
    text.chars().all(|c| {
        depth += match c {
            '[' | '(' | '{' => 1,
            ']' | ')' | '}' => -1,
            _ => 0,
        };
        depth >= 0
    }) && depth == 0
}
