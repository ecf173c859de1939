//! A loop as a function of its own under `#[offload]`: what the loop takes becomes parameters, arrays that it writes `&mut`
//! slices, scalars that it reduces or carries along are passed in and returned. The compiler says whether its iterations may run
//! at the same time; where they may not, the loop stays where it is, with the reason.

use super::detect::{self, Roles};
use super::outline::{Input, Outline, Refusal};
use super::state::{Emit, Emitted, refuse};
use super::verdict::{InOrder, Offloaded, Verdict};
use crate::codes;
use crate::ctypes::Type;
use crate::diag::Diagnostic;
use crate::directive::AtomicKind;
use crate::translate::base::code::Code;
use crate::translate::base::names;
use crate::translate::memory::shape::Shape;
use crate::typed::{ExprKind, Stmt, StmtKind, VarId};

/// A parameter of the function that a loop becomes.
struct Param {
    input: Input,
    name: String,
    ty: String,
    /// What the caller passes.
    arg: String,
    /// Where the caller puts what the function returns for it.
    result: Option<String>,
    /// Whether it is an array, seen as a slice inside.
    slice: bool,
}

impl Param {
    /// By value first: the caller has not borrowed anything to write then.
    fn rank(&self) -> u32 {
        match self.ty.as_str() {
            ty if ty.starts_with("&mut") => 2,
            ty if ty.starts_with('&') => 0,
            _ => 1,
        }
    }
}

/// The name that the function has until the compiler has said what it does.
const UNNAMED: &str = "this_loop";

impl Emit<'_> {
    /// The call of the function that a loop becomes. If the loop stays where it is, a comment that says why. Changes to `lost`
    /// are not seen after the loop.
    pub(super) fn offload(&mut self, stmt: &Stmt, lost: &[VarId]) -> Result<String, String> {
        if self.here.in_device {
            return Err(String::new());
        }
        let before = (
            self.naming.temporaries,
            self.wanted.lengths(),
            self.notes.len(),
        );
        let made = self.in_routine(stmt).and_then(|()| {
            let outline = self.outline(stmt, lost)?;
            let text = self.outlined(&outline, stmt, lost);
            text.map_err(|d| Refusal {
                code: codes::NOT_OFFLOADED,
                span: stmt.span,
                why: d.message.clone(),
            })?
        });
        match made {
            Ok(call) => Ok(call),
            Err(refusal) => {
                // The loop is written where it stands, as if this had not been tried.
                self.naming.temporaries = before.0;
                self.wanted.truncate(before.1);
                self.notes.truncate(before.2);
                let why = refusal.why;
                let mut comment = String::new();
                if self.asks_for_parallel(stmt) {
                    let message = format!("this loop stays in order: {why}");
                    self.notes
                        .push(Diagnostic::new(refusal.code, refusal.span, message));
                    comment = super::stmt::remark(&format!("In order: {why}."));
                }
                self.verdicts.push(Verdict {
                    span: stmt.span,
                    what: Err(InOrder {
                        code: refusal.code,
                        why,
                    }),
                });
                Err(comment)
            }
        }
    }

    /// Loops of a `routine` run within an iteration of another loop.
    fn in_routine(&self, stmt: &Stmt) -> Result<(), Refusal> {
        let function = self.here.function.map(|f| self.program.function(f));
        match function.filter(|f| !f.routines.is_empty()) {
            Some(function) => Err(Refusal {
                code: codes::NOT_OFFLOADED,
                span: stmt.span,
                why: format!(
                    "`{}` is a `routine`, which runs within an iteration",
                    function.name
                ),
            }),
            None => Ok(()),
        }
    }

    /// The function of a loop, and its call; what the emitter refuses first, then what the compiler does.
    fn outlined(
        &mut self,
        outline: &Outline,
        stmt: &Stmt,
        lost: &[VarId],
    ) -> Emitted<Result<String, Refusal>> {
        let StmtKind::For { body, .. } = &stmt.kind else {
            return refuse(codes::BUG, stmt.span, "no loop", "");
        };
        if let Some((a, b)) = self.overlapping(&outline.inputs) {
            return Ok(Err(Refusal {
                code: codes::NOT_OFFLOADED,
                span: stmt.span,
                why: format!("`{a}` and `{b}` are parts of one array"),
            }));
        }
        let params = self.parameters_of(outline, lost)?;
        self.here.reduced = super::region::reductions(self, stmt);
        let loop_text = self.inside(&params, outline, |emit| emit.offloaded_loop(outline, body))?;
        let list: Vec<String> = params
            .iter()
            .map(|p| {
                let word = if p.result.is_some() || p.input.assigned {
                    "mut "
                } else {
                    ""
                };
                format!("{word}{}: {}", p.name, p.ty)
            })
            .collect();
        let results: Vec<&Param> = params.iter().filter(|p| p.result.is_some()).collect();
        let types: Vec<&str> = results.iter().map(|p| p.ty.as_str()).collect();
        let names: Vec<&str> = results.iter().map(|p| p.name.as_str()).collect();
        let ret = match results.is_empty() {
            true => String::new(),
            false => format!(" -> {}", tuple(&types)),
        };
        let tail = match results.is_empty() {
            true => String::new(),
            false => tuple(&names),
        };
        let many = if list.len() > 7 {
            "#[allow(clippy::too_many_arguments)]\n"
        } else {
            ""
        };
        let function = |attribute: &str, name: &str| {
            let list = list.join(", ");
            format!("{many}#[{attribute}]\nfn {name}({list}){ret} {{\n{loop_text}{tail}\n}}\n")
        };
        let roles = match detect::roles(&function("offload", UNNAMED)) {
            Ok(roles) => roles,
            Err(refused) => {
                return Ok(Err(Refusal {
                    code: code_of(outline, refused.code),
                    span: stmt.span,
                    why: format!("{} [{}]", refused.why, refused.code),
                }));
            }
        };
        if self.asks_for_order(stmt) && self.regroups(&params, &roles) {
            return Ok(Err(Refusal {
                code: codes::NOT_OFFLOADED,
                span: stmt.span,
                why: "the C asks for the order of its sums of floats".into(),
            }));
        }
        // That a loop fills bins is asserted where it does, and nothing is half done then.
        let attribute = match !roles.bins.is_empty()
            && detect::is_histogram(&function("offload(histogram)", UNNAMED))
        {
            true => "offload(histogram)",
            false => "offload",
        };
        let name = self.function_name(&roles);
        let place = self.sources.describe(stmt.span);
        let place = place.rsplit('/').next().unwrap_or(&place);
        let doc = format!("/// {}, the loop at {place}.\n", summary(&roles));
        self.out.loops.push(doc + &function(attribute, &name));
        self.out.offloaded.push(name.clone());
        self.warnings(outline, &params, &roles, stmt);
        let of = |name: &str| {
            let name = name.split(['.', '[']).next().unwrap_or(name);
            let param = params.iter().find(|p| p.name == name);
            param.map(|p| p.input.root)
        };
        self.verdicts.push(Verdict {
            span: stmt.span,
            what: Ok(Offloaded::new(name.clone(), attribute, &roles, &of)),
        });
        let args: Vec<String> = params.iter().map(|p| p.arg.clone()).collect();
        let call = self.call_with(&name, &args);
        let places: Vec<&str> = results.iter().filter_map(|p| p.result.as_deref()).collect();
        Ok(Ok(match places.is_empty() {
            true => format!("{call};\n"),
            false => format!("{} = {call};\n", tuple(&places)),
        }))
    }

    /// Whether it combines floats, whose result the order may change.
    fn regroups(&self, params: &[Param], roles: &Roles) -> bool {
        let bins = roles.bins.iter().map(|(name, _)| name);
        let reduced = roles.reduced.iter().map(|(name, _)| name);
        let combined: Vec<&String> = bins.chain(reduced).chain(&roles.carried).collect();
        params.iter().any(|p| {
            let ty = p.input.place.ty.decayed();
            let element = ty.element().map_or(&ty, Type::innermost);
            combined.contains(&&p.name) && element.is_float()
        })
    }

    /// Writes something inside the function: arrays are slices under their own names there, and nothing is global.
    fn inside<T>(
        &mut self,
        params: &[Param],
        outline: &Outline,
        write: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let renames = std::mem::take(&mut self.here.renames);
        let frames = std::mem::take(&mut self.here.frames);
        let captures = std::mem::take(&mut self.here.captures);
        let counters = self.here.counters.clone();
        for param in params {
            match param.input.place.as_var() {
                Some(id) => _ = self.here.renames.insert(id, param.name.clone()),
                None => self
                    .here
                    .fields
                    .push((param.input.place.clone(), param.name.clone())),
            }
            if param.slice {
                self.here.slices.extend(param.input.place.as_var());
            }
        }
        for id in &outline.private {
            let name = self.naming.variables[names::at(*id)].clone();
            self.here.renames.insert(*id, name);
        }
        self.here.in_device = true;
        let out = write(self);
        self.here.in_device = false;
        self.here.slices.clear();
        self.here.fields.clear();
        self.here.renames = renames;
        self.here.frames = frames;
        self.here.captures = captures;
        self.here.counters = counters;
        out
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

    fn offloaded_loop(&mut self, outline: &Outline, body: &Stmt) -> Emitted<String> {
        let text = self.range_loop(&outline.range, body)?;
        let mut lets = String::new();
        for id in outline.private.iter().chain(&outline.copied).copied() {
            let (name, ty) = (self.name(id), self.var_type(id)?);
            let start = match outline.copied.contains(&id) {
                true => name.clone(),
                false => self.var_zero(id)?,
            };
            lets.push_str(&format!("let mut {name}: {ty} = {start};\n"));
            // The variable outside may not be used any more.
            self.out.shadowed = true;
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

    /// A name for what the compiler says of the function.
    fn function_name(&mut self, roles: &Roles) -> String {
        let stem = stem(roles);
        let mut name = stem.clone();
        let mut number = 2;
        while !self.naming.taken.insert(name.clone()) {
            name = format!("{stem}_{number}");
            number += 1;
        }
        name
    }

    fn warnings(&mut self, outline: &Outline, params: &[Param], roles: &Roles, stmt: &Stmt) {
        let param = |name: &str| params.iter().find(|p| p.name == name);
        for (name, operator) in &roles.bins {
            let Some(param) = param(name) else { continue };
            let ty = param.input.place.ty.decayed();
            if *operator == accrue_ops::Op::Add
                && let Some(kind) = ty.element().map(Type::innermost).and_then(Type::int)
                && kind.size() < 4
            {
                let message = format!(
                    "`{name}` has bins of {} bits, which the loop may overflow",
                    kind.bits()
                );
                self.notes.push(
                    Diagnostic::new(codes::NARROW_COUNTER, stmt.span, message)
                        .help("use `unsigned int` bins"),
                );
            }
        }
        let updates = |kind: &AtomicKind| *kind == AtomicKind::Update;
        let atomic = outline.atomics.iter().find(|(kind, _)| updates(kind));
        match (roles.bins.first(), atomic) {
            (Some((name, _)), None) => {
                let message = format!(
                    "iterations of this loop update the same elements of `{name}` without `acc atomic`"
                );
                self.notes.push(
                    Diagnostic::new(codes::MISSING_ATOMIC, stmt.span, message)
                        .help("put `#pragma acc atomic update` before the update"),
                );
            }
            (None, Some((_, span))) if !roles.owned.is_empty() => {
                let message = "no two iterations update the same element: neither copies nor atomics are needed";
                self.notes
                    .push(Diagnostic::new(codes::INJECTIVE, *span, message));
            }
            _ => {}
        }
    }

    fn parameters_of(&mut self, outline: &Outline, lost: &[VarId]) -> Emitted<Vec<Param>> {
        let mut out: Vec<Param> = Vec::new();
        for input in &outline.inputs {
            let name = self.parameter_name(input, &out);
            let param = self.parameter(input.clone(), name, lost)?;
            out.push(param);
        }
        out.sort_by_key(Param::rank);
        Ok(out)
    }

    /// The variable's name; for a field its own, unless something has it.
    fn parameter_name(&self, input: &Input, others: &[Param]) -> String {
        let variable = &self.naming.variables[names::at(input.root)];
        let ExprKind::Member(base, field) = &input.place.kind else {
            return variable.clone();
        };
        let own = match base.ty {
            Type::Struct(id) => self.program.structure(id).fields.as_ref(),
            _ => None,
        };
        let own = own.map_or("part", |f| f[*field as usize].name.as_str());
        let free = |name: &str| {
            !self.naming.taken.contains(name)
                && !self.program.macros.contains_key(name)
                && !others.iter().any(|p| p.name == name)
        };
        let mut name = names::sanitized(own);
        if !free(&name) {
            name = format!("{}_{own}", variable.trim_end_matches('_'));
        }
        while !free(&name) {
            name.push('_');
        }
        name
    }

    fn parameter(&mut self, input: Input, name: String, lost: &[VarId]) -> Emitted<Param> {
        let place = input.place.clone();
        let (ty, span) = (place.ty.clone(), place.span);
        let reference = if input.stored { "&mut " } else { "&" };
        let made = |ty: String, arg: String, slice: bool| Param {
            input: input.clone(),
            name: name.clone(),
            ty,
            arg,
            result: None,
            slice,
        };
        if input.position {
            let arg = self.name(input.root);
            return Ok(made("usize".into(), arg, false));
        }
        if !matches!(ty, Type::Array(..)) && !ty.is_pointer() {
            let whole = matches!(ty, Type::Struct(_)) && (input.stored || !self.copied(&ty));
            let arg = self.place(&place)?.text;
            if whole {
                let rust = self.rust_type(&ty, span)?;
                if input.assigned {
                    return refuse(codes::NOT_OFFLOADED, span, "a struct is set in it", "");
                }
                return Ok(made(
                    format!("{reference}{rust}"),
                    format!("{reference}{arg}"),
                    false,
                ));
            }
            let counter = place
                .as_var()
                .is_some_and(|id| self.here.counters.contains(&id));
            let rust = match counter {
                true => "usize".into(),
                false => self.rust_type(&ty, span)?,
            };
            let mut param = made(rust, arg.clone(), false);
            let lost = place.as_var().is_some_and(|id| lost.contains(&id));
            param.result = (input.assigned && !lost).then_some(arg);
            // What the loop makes of it is not looked at, as the C has it.
            self.out.shadowed |= input.assigned && lost;
            return Ok(param);
        }
        if let Some(id) = place.as_var()
            && self.shapes.var(id) == Some(&Shape::Text)
        {
            let arg = self.name(id);
            return Ok(made("&str".into(), arg, false));
        }
        let pointer = self.pointer(&place)?;
        let element = ty.element().cloned().unwrap_or(Type::Void);
        if pointer.single {
            let rust = self.rust_type(&element, span)?;
            let arg = match pointer.base.text.strip_prefix('*') {
                Some(inner) if pointer.reference => inner.to_string(),
                _ => format!("{reference}{}", pointer.base.text),
            };
            return Ok(made(format!("{reference}{rust}"), arg, false));
        }
        let rust = if Self::flat(&ty) {
            self.rust_type(&element.innermost().clone(), span)?
        } else {
            self.rust_type(&element, span)?
        };
        let arg = self.slice(&pointer, input.stored).text;
        Ok(made(format!("{reference}[{rust}]"), arg, true))
    }

    /// Whether values of a type are copied.
    fn copied(&self, ty: &Type) -> bool {
        !matches!(ty, Type::Struct(of) if !self.is_copy(*of))
    }
}

/// The code of a loop that the compiler refuses: what is wrong with its atomics, if that is it.
fn code_of(outline: &Outline, refused: accrue_compiler::diag::Code) -> codes::Code {
    use accrue_compiler::diag::Code as C;
    let has = |kind| outline.atomics.iter().any(|(k, _)| *k == kind);
    match refused {
        _ if has(AtomicKind::Capture) => codes::ATOMIC_CAPTURE,
        C::OrderDependent | C::MixedOperators if has(AtomicKind::Update) => codes::ATOMIC_ORDER,
        _ if outline.ordered => codes::ATOMIC_ORDER,
        C::BinsRead | C::OldValue | C::IndexOnBins | C::ValueOnBins | C::Dependence
            if has(AtomicKind::Update) =>
        {
            codes::BINS_READ
        }
        _ => codes::NOT_OFFLOADED,
    }
}

fn tuple(parts: &[&str]) -> String {
    match parts {
        [one] => one.to_string(),
        many => format!("({})", many.join(", ")),
    }
}

/// What a function does in a sentence.
fn summary(roles: &Roles) -> String {
    let list = |names: &mut dyn Iterator<Item = &str>| {
        let quoted: Vec<String> = names.map(|n| format!("`{n}`")).collect();
        quoted.join(" and ")
    };
    let mut parts: Vec<String> = Vec::new();
    if let Some((_, op)) = roles.bins.first() {
        let does = match roles.counts {
            true => "Counts into",
            false => op.row().does,
        };
        let names = list(&mut roles.bins.iter().map(|(n, _)| n.as_str()));
        parts.push(format!("{does} {names}"));
    }
    let owned = |read: bool| {
        list(
            &mut roles
                .owned
                .iter()
                .filter(|o| o.read == read)
                .map(|o| o.name.as_str()),
        )
    };
    let of = |verb: &str, names: String| (!names.is_empty()).then(|| format!("{verb} {names}"));
    parts.extend(of("Sets", owned(false)));
    parts.extend(of("Updates", owned(true)));
    parts.extend(of(
        "Fills",
        list(&mut roles.filled.iter().map(String::as_str)),
    ));
    parts.extend(of(
        "Carries",
        list(&mut roles.carried.iter().map(String::as_str)),
    ));
    parts.extend(of(
        "Finds",
        list(&mut roles.best.iter().map(String::as_str)),
    ));
    let mut rest = &roles.reduced[..];
    while let Some((_, op)) = rest.first() {
        let alike = rest.iter().take_while(|(_, o)| o == op).count();
        let names = list(&mut rest[..alike].iter().map(|(n, _)| n.as_str()));
        parts.push(format!("{} {names}", op.row().does));
        rest = &rest[alike..];
    }
    let mut out = String::new();
    for (at, part) in parts.iter().enumerate() {
        if at == 0 {
            out.push_str(part);
            continue;
        }
        let mut chars = part.chars();
        let first = chars.next().map(|c| c.to_ascii_lowercase());
        out.push_str(", ");
        out.extend(first.into_iter().chain(chars));
    }
    match out.is_empty() {
        true => "Runs".into(),
        false => out,
    }
}

/// The name for what a function does: a verb and what is written.
fn stem(roles: &Roles) -> String {
    let last = |name: &str| {
        let name = name.rsplit('.').next().unwrap_or(name);
        names::snake(name).trim_matches('_').to_string()
    };
    let two = |names: &[&str]| match names {
        [] => String::new(),
        [a, b] => format!("{}_and_{}", last(a), last(b)),
        [a, ..] => last(a),
    };
    if let Some((name, op)) = roles.bins.first() {
        let verb = match roles.counts {
            true => "count",
            false => op.row().verb,
        };
        return format!("{verb}_{}", last(name));
    }
    if let Some(name) = roles.filled.first() {
        return format!("select_{}", last(name));
    }
    if !roles.owned.is_empty() {
        let names: Vec<&str> = roles.owned.iter().map(|o| o.name.as_str()).collect();
        let verb = match roles.owned.iter().any(|o| o.read) {
            true => "update",
            false if roles.read.is_empty() => "fill",
            false => "compute",
        };
        let verb = match roles.carried.is_empty() {
            true => verb,
            false => "scan",
        };
        return format!("{verb}_{}", two(&names));
    }
    if let Some(name) = roles.best.last() {
        return format!("find_{}", last(name));
    }
    if let Some((name, op)) = roles.reduced.first() {
        return format!("{}_{}", op.row().verb, last(name));
    }
    match roles.carried.first() {
        Some(name) => format!("scan_{}", last(name)),
        None => "run_loop".into(),
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
