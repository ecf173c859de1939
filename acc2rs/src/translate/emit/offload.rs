//! A histogram loop as a function of its own, with `#[offload(histogram)]`: what the loop reads
//! becomes parameters, bins become `&mut` slices, reduced scalars are passed in and returned.

use super::histogram::Histogram;
use super::state::{Emit, Emitted};
use crate::codes;
use crate::ctypes::{Extent, Type};
use crate::diag::Diagnostic;
use crate::translate::base::code::Code;
use crate::translate::base::places::root;
use crate::translate::memory::plan::Place;
use crate::translate::memory::shape::Shape;
use crate::typed::walk::{self, Visit};
use crate::typed::{Expr, ExprKind, Stmt, StmtKind, VarId};
use accrue_ops::Op;

/// A parameter of the function that a loop becomes.
struct Param {
    id: VarId,
    name: String,
    ty: String,
    /// What the caller passes.
    arg: String,
    /// Whether it is an array, seen as a slice inside.
    slice: bool,
}

impl Emit<'_> {
    /// The call of the function that a loop becomes; `None` if the loop stays where it is.
    pub(super) fn offload(&mut self, stmt: &Stmt) -> Emitted<Option<String>> {
        if self.here.in_device {
            return Ok(None);
        }
        let found = match self.histogram(stmt) {
            Ok(Some(found)) => found,
            Ok(None) => return Ok(None),
            Err(refusal) => {
                let message = format!("this loop is not offloaded: {}", refusal.why);
                self.notes
                    .push(Diagnostic::new(refusal.code, refusal.span, message));
                return Ok(None);
            }
        };
        self.warnings(&found, stmt);
        let StmtKind::For { body, .. } = &stmt.kind else {
            return Ok(None);
        };
        let params = self.parameters_of(&found, stmt)?;
        let name = self.function_name(&found);
        // Inside, arrays are slices under their own names, and nothing is global.
        let outer_renames = std::mem::take(&mut self.here.renames);
        let outer_frames = std::mem::take(&mut self.here.frames);
        let outer_captures = std::mem::take(&mut self.here.captures);
        let outer_counters = self.here.counters.clone();
        for param in &params {
            self.here.renames.insert(param.id, param.name.clone());
            if param.slice {
                self.here.slices.insert(param.id);
            }
        }
        self.here.in_device = true;
        let loop_text = self.offloaded_loop(&found, body);
        self.here.in_device = false;
        self.here.slices.clear();
        self.here.renames = outer_renames;
        self.here.frames = outer_frames;
        self.here.captures = outer_captures;
        self.here.counters = outer_counters;
        let loop_text = loop_text?;
        let list: Vec<String> = params
            .iter()
            .map(|p| {
                format!(
                    "{}{}: {}",
                    if found.reductions.contains(&p.id) {
                        "mut "
                    } else {
                        ""
                    },
                    p.name,
                    p.ty
                )
            })
            .collect();
        let results: Vec<&Param> = params
            .iter()
            .filter(|p| found.reductions.contains(&p.id))
            .collect();
        let tuple = |parts: Vec<&str>| {
            if parts.len() == 1 {
                parts[0].to_string()
            } else {
                format!("({})", parts.join(", "))
            }
        };
        let (ret, tail) = if results.is_empty() {
            (String::new(), String::new())
        } else {
            (
                format!(
                    " -> {}",
                    tuple(results.iter().map(|p| p.ty.as_str()).collect())
                ),
                tuple(results.iter().map(|p| p.name.as_str()).collect()),
            )
        };
        let place = self.sources.describe(stmt.span);
        let place = place.rsplit('/').next().unwrap_or(&place);
        let many = if list.len() > 7 {
            "#[allow(clippy::too_many_arguments)]\n"
        } else {
            ""
        };
        let text = format!(
            "/// {}, the loop at {place}.\n{many}#[offload(histogram)]\nfn {name}({}){ret} {{\n{loop_text}{tail}\n}}\n",
            self.summary(&found),
            list.join(", ")
        );
        if let Err(reason) = super::detect::accepts(&text) {
            let message = format!("this loop is not offloaded: {reason}");
            self.notes
                .push(Diagnostic::new(codes::NOT_OFFLOADED, stmt.span, message));
            return Ok(None);
        }
        self.out.histograms.push(text);
        self.out.offloaded.push(name.clone());
        let args: Vec<String> = params.iter().map(|p| p.arg.clone()).collect();
        let call = self.call_with(&name, &args);
        Ok(Some(match &results[..] {
            [] => format!("{call};\n"),
            [one] => format!("{} = {call};\n", one.arg),
            many => format!(
                "({}) = {call};\n",
                many.iter()
                    .map(|p| p.arg.as_str())
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        }))
    }

    /// The call; fields of one element that it borrows at once, one of them to write, are taken from that element.
    fn call_with(&mut self, name: &str, args: &[String]) -> String {
        let record = shared_record(args).map(str::to_string);
        let part = record.as_ref().map(|_| self.temporary("whole"));
        let within = |arg: &String| match record.as_ref().zip(part.as_ref()) {
            Some((record, part)) => {
                let (reference, place) = borrowed(arg);
                match place.strip_prefix(record.as_str()) {
                    Some(field) if field.starts_with('.') => format!("{reference}{part}{field}"),
                    _ => arg.clone(),
                }
            }
            None => arg.clone(),
        };
        let args: Vec<Code> = args.iter().map(|a| Code::atom(within(a))).collect();
        let call = Code::call(name, &args).text;
        match record.zip(part) {
            Some((record, part)) => format!("{{ let {part} = &mut {record}; {call} }}"),
            None => call,
        }
    }

    fn offloaded_loop(&mut self, found: &Histogram, body: &Stmt) -> Emitted<String> {
        let text = self.range_loop(&found.range, body)?;
        let mut lets = String::new();
        let here: Vec<VarId> = found
            .private
            .iter()
            .copied()
            .filter(|id| self.here.plan.declared(*id) == Place::Here)
            .collect();
        for id in here {
            let (ty, zero) = (self.var_type(id)?, self.var_zero(id)?);
            lets.push_str(&format!("let mut {}: {ty} = {zero};\n", self.name(id)));
        }
        if lets.is_empty() {
            return Ok(text);
        }
        // Private variables belong to the iteration.
        Ok(match text.split_once("{\n") {
            Some((head, rest)) => format!("{head}{{\n{lets}{rest}"),
            None => text,
        })
    }

    fn summary(&self, found: &Histogram) -> String {
        let names: Vec<String> = found
            .bins
            .iter()
            .map(|(id, _)| format!("`{}`", self.program.var(*id).name))
            .collect();
        let verb = match found.counts {
            true => "Counts into",
            false => found.bins[0].1.row().does,
        };
        format!("{verb} {}", names.join(" and "))
    }

    fn function_name(&mut self, found: &Histogram) -> String {
        let verb = match found.counts {
            true => "count",
            false => found.bins[0].1.row().verb,
        };
        let stem = format!(
            "{verb}_{}",
            crate::translate::base::names::snake(&self.program.var(found.bins[0].0).name)
        );
        let mut name = stem.clone();
        let mut number = 2;
        while !self.naming.taken.insert(name.clone()) {
            name = format!("{stem}_{number}");
            number += 1;
        }
        name
    }

    fn warnings(&mut self, found: &Histogram, stmt: &Stmt) {
        for (id, operator) in &found.bins {
            let var = self.program.var(*id);
            if *operator == Op::Add
                && let Some(kind) = var
                    .ty
                    .decayed()
                    .element()
                    .map(Type::innermost)
                    .and_then(Type::int)
                && kind.size() < 4
            {
                let message = format!(
                    "`{}` has bins of {} bits, which the loop may overflow",
                    var.name,
                    kind.bits()
                );
                self.notes.push(
                    Diagnostic::new(codes::NARROW_COUNTER, stmt.span, message)
                        .help("use `unsigned int` bins"),
                );
            }
        }
        let mut atomic = false;
        struct Any<'a>(&'a mut bool);
        impl Visit for Any<'_> {
            fn stmt(&mut self, s: &Stmt) -> bool {
                *self.0 |= s
                    .directives
                    .iter()
                    .any(|d| matches!(d.kind, crate::directive::DirectiveKind::Atomic(_)));
                true
            }
        }
        walk::stmt(&mut Any(&mut atomic), self.program, stmt);
        if !atomic {
            let name = &self.program.var(found.bins[0].0).name;
            let message = format!(
                "iterations of this loop update the same elements of `{name}` without `acc atomic`"
            );
            self.notes.push(
                Diagnostic::new(codes::MISSING_ATOMIC, stmt.span, message)
                    .help("put `#pragma acc atomic update` before the update"),
            );
        }
    }

    /// The free variables of a loop in the order they are met, bins last.
    fn free_variables(&self, found: &Histogram, stmt: &Stmt) -> Vec<VarId> {
        struct Look<'a, 'b> {
            emit: &'a Emit<'b>,
            inside: Vec<VarId>,
            free: Vec<VarId>,
        }
        impl Look<'_, '_> {
            fn note(&mut self, id: VarId) {
                if self.inside.contains(&id)
                    || self.free.contains(&id)
                    || self.emit.is_constant_item(id)
                {
                    return;
                }
                self.free.push(id);
                // The extents of flat arrays are read when they are indexed.
                let mut ty = &self.emit.program.var(id).ty;
                while let Type::Array(of, _) | Type::Pointer { to: of, .. } = ty {
                    if let Type::Array(_, Extent::Runtime(extent)) = &**of {
                        let expr = self.emit.program.extents[extent.0 as usize].clone();
                        let mut more = Vec::new();
                        walk::parts(self.emit.program, &expr, &mut |e| more.extend(e.as_var()));
                        more.into_iter().for_each(|v| self.note(v));
                    }
                    ty = of;
                }
            }
        }
        impl Visit for Look<'_, '_> {
            fn stmt(&mut self, s: &Stmt) -> bool {
                if let StmtKind::Decl(vars) = &s.kind {
                    self.inside.extend(vars);
                }
                if let StmtKind::Expr(Expr {
                    kind: ExprKind::Assign(place, _),
                    ..
                }) = &s.kind
                    && let Some(id) = place.as_var()
                    && self.emit.here.plan.declared(id) == Place::At(s.span)
                {
                    self.inside.push(id);
                }
                if let Some(range) = self.emit.here.plan.range(s.span) {
                    self.inside.push(range.var);
                }
                true
            }
            fn expr(&mut self, e: &Expr) -> bool {
                if let ExprKind::Var(id) = e.kind {
                    self.note(id);
                }
                // A constant that a macro names needs nothing from outside.
                true
            }
        }
        let mut look = Look {
            emit: self,
            inside: found.private.clone(),
            free: Vec::new(),
        };
        walk::expr(&mut look, self.program, &found.range.start);
        walk::expr(&mut look, self.program, &found.range.end);
        walk::expr(&mut look, self.program, &found.range.step);
        walk::stmt(&mut look, self.program, stmt);
        let is_bin = |id: &VarId| found.bins.iter().any(|(b, _)| b == id);
        let is_reduced = |id: &VarId| found.reductions.contains(id);
        let mut arrays: Vec<VarId> = Vec::new();
        let mut scalars: Vec<VarId> = Vec::new();
        for id in look.free.iter().filter(|id| !is_bin(id) && !is_reduced(id)) {
            let ty = &self.program.var(*id).ty;
            if matches!(ty, Type::Array(..)) || ty.is_pointer() {
                arrays.push(*id)
            } else {
                scalars.push(*id)
            }
        }
        let bins = found.bins.iter().map(|(id, _)| *id);
        arrays
            .into_iter()
            .chain(scalars)
            .chain(bins)
            .chain(found.reductions.iter().copied())
            .collect()
    }

    fn parameters_of(&mut self, found: &Histogram, stmt: &Stmt) -> Emitted<Vec<Param>> {
        let mut out = Vec::new();
        for id in self.free_variables(found, stmt) {
            let var = self.program.var(id);
            let name = self.naming.variables[crate::translate::base::names::at(id)].clone();
            let (ty, span) = (var.ty.clone(), var.span);
            let bin = found.bins.iter().any(|(b, _)| *b == id);
            let reference = if bin { "&mut " } else { "&" };
            let array = matches!(ty, Type::Array(..)) || ty.is_pointer();
            if !array {
                if let Type::Struct(of) = ty
                    && !self.is_copy(of)
                {
                    let rust = self.rust_type(&ty, span)?;
                    out.push(Param {
                        id,
                        name,
                        ty: format!("&{rust}"),
                        arg: format!("&{}", self.name(id)),
                        slice: false,
                    });
                    continue;
                }
                let rust = if self.here.counters.contains(&id) {
                    "usize".into()
                } else {
                    self.rust_type(&ty, span)?
                };
                out.push(Param {
                    id,
                    name,
                    ty: rust,
                    arg: self.name(id),
                    slice: false,
                });
                continue;
            }
            if self.shapes.var(id) == Some(&Shape::Text) {
                out.push(Param {
                    id,
                    name,
                    ty: "&str".into(),
                    arg: self.name(id),
                    slice: false,
                });
                continue;
            }
            let expr = Expr {
                kind: ExprKind::Var(id),
                ty: ty.clone(),
                span,
            };
            let pointer = self.pointer(&expr)?;
            let element = ty.element().cloned().unwrap_or(Type::Void);
            if pointer.single {
                let rust = self.rust_type(&element, span)?;
                let arg = match pointer.base.text.strip_prefix('*') {
                    Some(inner) if pointer.reference => inner.to_string(),
                    _ => format!("{reference}{}", pointer.base.text),
                };
                out.push(Param {
                    id,
                    name,
                    ty: format!("{reference}{rust}"),
                    arg,
                    slice: false,
                });
                continue;
            }
            let rust = if Self::flat(&ty) {
                self.rust_type(&element.innermost().clone(), span)?
            } else {
                self.rust_type(&element, span)?
            };
            let arg = self.slice(&pointer, bin).text;
            out.push(Param {
                id,
                name,
                ty: format!("{reference}[{rust}]"),
                arg,
                slice: true,
            });
        }
        let _ = root;
        Ok(out)
    }
}

/// An argument as its reference and what that is of.
fn borrowed(arg: &str) -> (&str, &str) {
    let reference = ["&mut ", "&"].into_iter().find(|r| arg.starts_with(r));
    arg.split_at(reference.map_or(0, str::len))
}

/// The element of an array that several arguments borrow fields of, one of them to write: Rust takes each indexing for a
/// borrow of the whole array.
fn shared_record(args: &[String]) -> Option<&str> {
    let borrows: Vec<(&str, &str)> = args.iter().map(|a| borrowed(a)).collect();
    borrows.iter().enumerate().find_map(|(at, (own, a))| {
        borrows[..at].iter().find_map(|(other, b)| {
            let written = [own, other].contains(&&"&mut ") && !own.is_empty() && !other.is_empty();
            let same = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
            let record = written.then(|| a.get(..same)?.rfind("].")).flatten()?;
            a.get(..=record)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::shared_record;

    #[test]
    fn fields_of_one_element_are_told_from_others() {
        let shared = |args: &[&str]| {
            let args: Vec<String> = args.iter().map(|a| a.to_string()).collect();
            shared_record(&args).map(str::to_string)
        };
        let found = shared(&["n", "&mut g[0].degree", "&mut g[0].start"]);
        assert_eq!(found.as_deref(), Some("g[0]"));
        let found = shared(&["&s[0].lists[k].x", "&mut s[0].lists[k].hist"]);
        assert_eq!(found.as_deref(), Some("s[0].lists[k]"));
        assert_eq!(shared(&["&g[0].degree", "&g[0].start"]), None);
        assert_eq!(shared(&["g[0].nodes", "&mut h[0].start"]), None);
        assert_eq!(shared(&["&g[0].degree", "&mut g[1].start"]), None);
    }
}
