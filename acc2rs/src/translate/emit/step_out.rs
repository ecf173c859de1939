//! A struct and memory that one of its fields holds, passed in one call: `apply(&g, g.work, n)`. Where the function does not look
//! at that field, the memory steps out of the struct for the time of the call.

use std::collections::HashSet;

use super::args::Borrow;
use super::state::{Emit, Emitted};
use crate::ctypes::{StructId, Type};
use crate::translate::base::code::Code;
use crate::typed::{Expr, ExprKind, FnId, Program, walk};

/// The field that an argument's memory is held by.
fn held_by(arg: &Expr) -> Option<(StructId, u32)> {
    match &arg.stripped().kind {
        ExprKind::Member(base, field) => match base.ty {
            Type::Struct(id) => Some((id, *field)),
            _ => None,
        },
        ExprKind::Index(base, _) | ExprKind::AddrOf(base) | ExprKind::Binary(_, base, _) => {
            held_by(base)
        }
        _ => None,
    }
}

/// Whether a function, or one that it calls, may look at a field, by its name or with the whole struct.
fn looks_at(program: &Program, function: FnId, field: (StructId, u32)) -> bool {
    let mut seen = HashSet::from([function]);
    let mut todo = vec![function];
    let mut hit = false;
    while let Some(id) = todo.pop() {
        let (mut structs, mut members) = (0, 0);
        for stmt in program.function(id).body.iter().flat_map(|b| &b.stmts) {
            walk::exprs(program, stmt, &mut |e| {
                structs += usize::from(e.ty == Type::Struct(field.0));
                match &e.kind {
                    ExprKind::Member(base, at) if base.ty == Type::Struct(field.0) => {
                        members += 1;
                        hit |= *at == field.1;
                    }
                    ExprKind::Call { callee, .. } if seen.insert(*callee) => todo.push(*callee),
                    ExprKind::CallPointer(..) => hit = true,
                    _ => {}
                }
            });
        }
        // What is no base of a member is the struct as a whole.
        hit |= structs != members;
    }
    hit
}

impl Emit<'_> {
    /// Lets the memory of fields step out where a call also gets their struct; what stands before the call, and behind it.
    pub(super) fn step_out(
        &mut self,
        callee: FnId,
        args: &[Expr],
        codes_of: &mut [Code],
        borrows: &mut [Borrow],
    ) -> Emitted<(String, String)> {
        let (mut before, mut after) = (String::new(), String::new());
        for at in 0..borrows.len() {
            let part = &borrows[at];
            let Some(field) = held_by(&args[part.arg]).filter(|_| !part.one) else {
                continue;
            };
            let whole = borrows.iter().enumerate().find(|(other, b)| {
                *other != at && b.one && (b.mutable || part.mutable) && b.overlaps(part)
            });
            let Some((_, whole)) = whole else {
                continue;
            };
            let fields = self.program.structure(field.0).fields.as_ref();
            let Some(held) = fields.and_then(|f| f.get(field.1 as usize)) else {
                continue;
            };
            // Memory that is part of the struct itself would be copied.
            if !held.ty.innermost().is_pointer() {
                continue;
            }
            let name = held.name.clone();
            let owner = whole.place.trim_start_matches('*');
            let place = format!(
                "{owner}.{}",
                crate::translate::base::names::sanitized(&name)
            );
            let read_elsewhere = args.iter().enumerate().any(|(other, arg)| {
                let mut hit = false;
                walk::parts(self.program, arg, &mut |e| {
                    hit |= matches!(&e.kind, ExprKind::Member(base, at) if *at == field.1 && base.ty == Type::Struct(field.0));
                });
                hit && other != part.arg
            });
            if !part.place.starts_with(&place)
                || !codes_of[part.arg].text.contains(&place)
                || read_elsewhere
                || looks_at(self.program, callee, field)
            {
                continue;
            }
            let moved = self.temporary("moved");
            let word = if part.mutable { "let mut" } else { "let" };
            let code = &mut codes_of[part.arg].text;
            *code = code.replacen(&place, &moved, 1);
            before.push_str(&format!("{word} {moved} = std::mem::take(&mut {place}); "));
            after.push_str(&format!("{place} = {moved}; "));
            borrows[at].root = None;
        }
        Ok((before, after))
    }
}
