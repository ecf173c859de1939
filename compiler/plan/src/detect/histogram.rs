//! Histograms: loops whose iterations are independent but for updates of bins by associative, commutative
//! operators. C1 and C2 are the conditions of Ikeda, Ino and Hagihara ("An OpenACC Optimizer for
//! Accelerating Histogram Computation on a GPU", 2016), decided on the code.

use super::best::Found;
use super::owned::Roles;
use super::update::{self, Judged};
use super::{Context, injective, name_of, reads};
use crate::diag::{Code, Diagnostic, Errors, messages};
use crate::ir::visit::VisitMut;
use crate::ir::{
    Access, Expr, Histogram, Loop, Memory, Place, Projection, Root, Scalar, SourceId, Stmt,
    StmtKind, Target, Type, Update, UpdateOp, VarKind,
};
use crate::sorted;

/// Turns the loop's assignments to captured memory into updates and says what they are, or why not.
///
/// # Errors
///
/// Every write that is no update and every read of what is updated.
///
/// Arrays of which each iteration has its own elements, and scalars that keep the best item, are no bins, and their assignments stay as they
/// are.
pub(super) fn detect(
    ir: &mut Loop,
    context: &Context<'_>,
    roles: Roles,
    best: Found,
) -> Result<Histogram, Errors> {
    let mut errors = Errors::new();
    let mut block = std::mem::take(&mut ir.body.block);
    let mut converter = Converter {
        ir,
        context,
        targets: Vec::new(),
        writes: Vec::new(),
        errors: &mut errors,
    };
    converter.block(&mut block);
    let Converter {
        mut targets,
        writes,
        ..
    } = converter;
    ir.body.block = block;
    let memories: Vec<Memory> = targets.iter().map(|t| t.memory).collect();
    let tainted = reads::tainted(ir, &memories);
    // What is written elsewhere because an old value was kept is the same mistake.
    let writes = writes
        .into_iter()
        .filter(|w| !tainted.reads(&w.value))
        .collect();
    report_writes(ir, &targets, writes, &roles, context, &mut errors);
    let mut read = Errors::new();
    reads::check(ir, &memories, context, &mut read);
    let mut meeting: Vec<_> = roles.meeting.iter().collect();
    sorted::by_key(&mut meeting, |(id, _)| **id);
    // What is written and no bins has been reported, but for what only a call could have changed.
    let open = meeting.iter().filter(|(id, meeting)| {
        let target = memories.contains(&Memory::Bins(**id));
        match target {
            true => !read.is_empty() && meeting.is_read(),
            false => meeting.is_handed(),
        }
    });
    let open: Vec<_> = open.map(|(_, m)| m.diagnostic(ir, context)).collect();
    match open.is_empty() {
        true => errors.extend(read),
        false => open
            .into_iter()
            .for_each(|diagnostic| errors.push(diagnostic)),
    }
    errors.finish()?;
    for (target, injective) in targets.iter_mut().zip(injective::find(
        ir,
        context.mutable,
        memories.len(),
        ir.space.len(),
    )) {
        target.injective = injective;
    }
    Ok(Histogram {
        targets,
        owned: roles.owned,
        guard: roles.guard,
        best: best.kept,
        ..Histogram::default()
    })
}

/// A write to captured memory that is no update.
struct Write {
    memory: Memory,
    judged: Judged,
    value: Expr,
    source: SourceId,
}

struct Converter<'a, 'b> {
    ir: &'a Loop,
    context: &'a Context<'b>,
    targets: Vec<Target>,
    writes: Vec<Write>,
    errors: &'a mut Errors,
}

impl VisitMut for Converter<'_, '_> {
    fn stmt(&mut self, stmt: &mut Stmt) {
        self.stmt_parts(stmt);
        let (place, value, judged) = match &stmt.kind {
            StmtKind::Assign(place, value) => {
                let Some(memory) = self.memory(place) else {
                    return;
                };
                let ty = self.bin_type(memory, place);
                (place, value, update::assignment(place, value, &ty))
            }
            StmtKind::Compound(place, op, value) if self.memory(place).is_some() => {
                (place, value, update::compound(*op, value))
            }
            _ => return,
        };
        let Some(memory) = self.memory(place) else {
            return;
        };
        let (place, written) = (place.clone(), value.clone());
        match judged {
            Judged::Update(op, value) => {
                let site = self
                    .context
                    .assignments
                    .get(&stmt.source)
                    .map_or(usize::MAX, |a| a.site);
                let Some(target) = self.target(memory, &place, op, stmt.source) else {
                    return;
                };
                let bin = place
                    .path
                    .into_iter()
                    .filter_map(|p| match p {
                        Projection::Index(index) => Some(*index),
                        Projection::Field(_) => None,
                    })
                    .collect();
                stmt.kind = StmtKind::Update(Update {
                    target,
                    site,
                    bin,
                    value,
                    subtracts: op.op.subtracts(),
                    multiplies: false,
                });
            }
            judged => self.writes.push(Write {
                memory,
                judged,
                value: written,
                source: stmt.source,
            }),
        }
    }
}

impl Converter<'_, '_> {
    /// The captured memory of a place; `None` for locals.
    fn memory(&self, place: &Place) -> Option<Memory> {
        match place.root {
            Root::Array(id) if self.ir.array(id).access == Access::Owned => None,
            Root::Array(id) => Some(Memory::Bins(id)),
            Root::Var(id) => {
                (self.ir.var(id).kind == VarKind::Reduced).then_some(Memory::Scalar(id))
            }
        }
    }

    /// The type of the bin at a place.
    fn bin_type(&self, memory: Memory, place: &Place) -> Type {
        match memory {
            Memory::Scalar(id) => self.ir.var(id).ty.clone(),
            Memory::Bins(id) => {
                let mut ty = self.ir.array(id).elem.clone();
                for _ in place.path.iter().skip(1) {
                    ty = match ty {
                        Type::Array(elem, _) => *elem,
                        _ => Type::Opaque(None),
                    };
                }
                ty
            }
        }
    }

    /// The target of an update, which must agree with the updates of the same memory before it.
    fn target(
        &mut self,
        memory: Memory,
        place: &Place,
        op: UpdateOp,
        source: SourceId,
    ) -> Option<usize> {
        let operator = self
            .context
            .assignments
            .get(&source)
            .map_or(self.context.span(source), |a| a.operator);
        let name = name_of(self.ir, memory).to_string();
        if place.path.iter().any(|p| matches!(p, Projection::Field(_))) {
            self.errors.push(
                Diagnostic::new(
                    Code::BinType,
                    self.context.span(source),
                    format!("a bin of `{name}` is a field of a struct or tuple"),
                )
                .help("keep an array of numbers for each field, and update those"),
            );
            return None;
        }
        let ty = self.bin_type(memory, place);
        if let Type::Array(..) | Type::Tuple(_) | Type::Struct(_) = ty {
            self.errors.push(
                Diagnostic::new(
                    Code::BinType,
                    self.context.span(source),
                    format!("an element of `{name}` is updated as a whole, and it is no number"),
                )
                .help(format!(
                    "update its numbers one by one: `{name}[y][x] += v`"
                )),
            );
            return None;
        }
        let elem = ty.as_scalar();
        if let Some(scalar) = elem
            && !op.op.applies_to(scalar)
        {
            self.errors.push(
                Diagnostic::new(
                    Code::BinOperator,
                    operator,
                    format!("`{}` does not exist for bins of type `{scalar}`", op.text()),
                )
                .help("use bins of an integer type, or another operator"),
            );
            return None;
        }
        match self.targets.iter_mut().position(|t| t.memory == memory) {
            None => {
                self.targets.push(Target {
                    memory,
                    elem,
                    op,
                    sites: 1,
                    injective: None,
                });
                Some(self.targets.len() - 1)
            }
            Some(n) => {
                let first = self.targets[n].op;
                match first.together(op) {
                    Some(both) => {
                        self.targets[n].op = both;
                        self.targets[n].sites += 1;
                    }
                    None => self.errors.push(mixed(&name, first, op, operator)),
                }
                Some(n)
            }
        }
    }
}

fn mixed(name: &str, first: UpdateOp, second: UpdateOp, operator: proc_macro2::Span) -> Diagnostic {
    let is_sum = |of: UpdateOp| of.op.opposite().is_some();
    let help = match (first, second) {
        (first, second) if is_sum(first) && is_sum(second) => {
            "use `+=` and `-=` everywhere, or `wrapping_add` and `wrapping_sub` everywhere"
        }
        _ => "use one operator for each array: give the other updates an array of their own",
    };
    Diagnostic::new(
        Code::MixedOperators,
        operator,
        format!(
            "`{name}` is updated by `{}` here and by `{}` before",
            second.text(),
            first.text()
        ),
    )
    .note("updates may run in any order only if all of one array have the same operator; `+=` and `-=` are one")
    .help(help)
}

/// Reports the writes that are no updates, each on its operator.
fn report_writes(
    ir: &Loop,
    targets: &[Target],
    writes: Vec<Write>,
    roles: &Roles,
    context: &Context<'_>,
    errors: &mut Errors,
) {
    for write in writes {
        let name = name_of(ir, write.memory);
        let scalar = matches!(write.memory, Memory::Scalar(_));
        let updated = targets.iter().any(|t| t.memory == write.memory);
        let operator = context
            .assignments
            .get(&write.source)
            .map_or(context.span(write.source), |a| a.operator);
        let target = context
            .text(write.source)
            .split(['=', '+', '-', '*', '/', '<', '>', '%'])
            .next()
            .unwrap_or(name)
            .trim();
        let meeting = match write.memory {
            Memory::Bins(id) => roles.meeting.get(&id),
            Memory::Scalar(_) => None,
        };
        if let Some(meeting) = meeting.filter(|_| !updated) {
            errors.push(meeting.diagnostic(ir, context));
            continue;
        }
        let ty = match write.memory {
            Memory::Scalar(id) => &ir.var(id).ty,
            Memory::Bins(id) => innermost(&ir.array(id).elem),
        };
        let diagnostic = match write.judged {
            Judged::Update(..) => continue,
            Judged::Ordered(op) => Diagnostic::new(
                Code::OrderDependent,
                operator,
                format!("`{op}` depends on the order in which the iterations reach `{name}`"),
            )
            .note("iterations run at the same time, in no order")
            .help("the operators that may be reordered are `+=`, `-=`, `*=`, `|=`, `&=`, `^=`, `.min(v)`, `.max(v)`, `.wrapping_add(v)` and `.saturating_add(v)` of unsigned bins"),
            Judged::WrongType(method) => Diagnostic::new(
                Code::BinOperator,
                operator,
                format!("`.{method}(..)` of signed bins depends on the order of the updates"),
            )
            .note("a sum that saturates at one end and comes back differs from one that never got there")
            .help("use unsigned bins, or bins wide enough for `+=`"),
            Judged::Recomputes => Diagnostic::new(
                Code::OrderDependent,
                operator,
                format!("`{target}` is computed from its old value in a way that depends on the order of the iterations"),
            )
            .note("iterations run at the same time, in no order")
            .help(match ty.as_scalar() {
                Some(Scalar::Bool) => format!(
                    "write the update as one operation on the old value: `{target} |= v`, `{target} &= v`"
                ),
                Some(_) => format!(
                    "write the update as one operation on the old value: `{target} += v`, `{target} = {target}.max(v)`"
                ),
                None => format!(
                    "write the update as one operation on the old value, as `+=` and `max` are of numbers, `|=` of flags; what else `{target}` is can be put together after the loop"
                ),
            }),
            Judged::Replaces if scalar => Diagnostic::new(
                Code::WriteVariable,
                operator,
                format!("`{name}` is declared outside the loop and replaced in it"),
            )
            .note("iterations run at the same time; which of them writes last is not known")
            .help(match context.any {
                false => format!(
                    "declare it inside the loop (`let {name} = …`), or combine into it: `{name} += v`, `{name} = {name}.max(v)`"
                ),
                true => {
                    let combine = match ty.as_scalar() {
                        Some(Scalar::Bool) => format!("`{name} |= v`, `{name} &= v`"),
                        _ => format!("`{name} += v`, `{name} = {name}.max(v)`"),
                    };
                    format!(
                        "declare it inside the loop (`let {name} = …`), combine into it, {combine}, or keep the first of the best items: `if v < best {{ best = v; at = i; }}`, and nothing else of `best` and `at`"
                    )
                }
            }),
            Judged::Replaces if updated => messages::plain_write(name, true, operator),
            Judged::Replaces => Diagnostic::new(
                Code::WriteArray,
                operator,
                format!("`{name}` is written here, and another iteration could write or read the same element"),
            )
            .note("only updates that combine a value into the old one may meet in any order")
            .help(format!("write `{name}` in a loop of its own, in a function without the attribute")),
        };
        errors.push(diagnostic);
    }
}

/// The numbers that an array is made of.
fn innermost(ty: &Type) -> &Type {
    match ty {
        Type::Array(elem, _) => innermost(elem),
        ty => ty,
    }
}
