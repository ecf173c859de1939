//! Arrays of which each iteration has elements of its own: every element is written by one iteration only, and read by no
//! other.
//!
//! Each write of an array is tested against each of its accesses, itself among them ([`dependence`](crate::dependence)). Only
//! the outermost index counts: what iterations get is whole elements of the outermost dimension, for which nothing has to be known
//! of what lies in them. Where iterations meet in rows, but not in their elements, `d[i][j] = v; d[j][i] = v;`, they get those. Where no two iterations can meet, the array is owned; a fact that only the call knows becomes a
//! part of the loop's [`Guard`].

use crate::sorted::{Sorted, SortedSet};

use super::affine::{Accesses, Found};
use super::{Context, name_of};
use crate::dependence::{Poly, Verdict};
use crate::diag::{Code, Diagnostic};
use crate::ir::{Access, ArrayId, Guard, Loop, Memory, Op, Type, Var, VarKind, Within};
use crate::sorted;
use crate::source::left_side;
use crate::syntax::{ArraySyntax, Borrowed};

/// Indices beyond this are not in memory.
const FURTHEST: i128 = 1 << 62;

/// The written arrays of a loop.
#[derive(Debug, Default)]
pub struct Roles {
    /// Those of which each iteration has its own elements.
    pub owned: Vec<ArrayId>,
    /// Of these, those of which only the attribute says so.
    pub distinct: Vec<ArrayId>,
    /// Of these, those of whose rows iterations have elements.
    pub scattered: Vec<ArrayId>,
    /// Whether the loop iterates over `&mut` elements.
    pub hands_out: bool,
    /// What must hold of a call for that; `None` where it always does.
    pub guard: Option<Guard>,
    /// Of the others, two accesses that may meet.
    pub meeting: Sorted<ArrayId, Meeting>,
}

/// Two accesses by which iterations may meet.
#[derive(Clone, Debug)]
pub struct Meeting {
    write: Found,
    other: Found,
    verdict: Verdict,
}

/// Finds the owned arrays of a lowered loop, which iterates over some with `&mut` and has references to parts of some. Those that it fills are known; `distinct` ones are its
/// iterations' own if nothing else can be shown.
pub fn find(
    ir: &Loop,
    handed: &[ArrayId],
    filled: &[ArrayId],
    borrowed: &[Borrowed],
    arrays: &[ArraySyntax],
    distinct: &[ArrayId],
    context: &Context<'_>,
) -> Roles {
    let none = SortedSet::new();
    let found = |unseen: bool, scattered: &SortedSet<ArrayId>| {
        found(
            ir, handed, filled, borrowed, arrays, distinct, context, unseen, scattered,
        )
    };
    let mut known = found(false, &none);
    let of_rows = |id: &ArrayId| arrays[id.0 as usize].shape.is_of_rows();
    let scattered: SortedSet<ArrayId> = match ir.space.len() {
        1 => known.meeting.keys().copied().filter(of_rows).collect(),
        _ => SortedSet::new(),
    };
    let integers = |var: &Var| matches!(var.ty, Type::Integer(_));
    let integers = ir.body.vars.iter().any(integers);
    // What integers of a type that is not known say is asked of the call, so of those alone that need it.
    for (unseen, scattered) in [(true, &none), (false, &scattered), (true, &scattered)] {
        let worth = integers || !unseen;
        let differs = unseen || !scattered.is_empty();
        if worth && differs && !known.meeting.is_empty() {
            let more = found(unseen, scattered);
            if more.meeting.len() < known.meeting.len() {
                known = more;
            }
        }
    }
    known
}

/// The same, by integers of a type that is not known as well, or not.
/// Of `scattered` ones iterations have elements of rows.
#[expect(clippy::too_many_arguments, reason = "those of `find` and two")]
fn found(
    ir: &Loop,
    handed: &[ArrayId],
    filled: &[ArrayId],
    borrowed: &[Borrowed],
    arrays: &[ArraySyntax],
    distinct: &[ArrayId],
    context: &Context<'_>,
    unseen: bool,
    scattered: &SortedSet<ArrayId>,
) -> Roles {
    let mut all = Accesses::with(ir, context.mutable, borrowed, unseen, scattered);
    let mut roles = Roles::default();
    let mut conditions: Vec<Poly> = Vec::new();
    let mut forms = Vec::new();
    // While the loop iterates over `&mut` elements, rustc sees to it that nothing else comes to the array.
    roles.owned.extend(handed);
    roles.hands_out = !handed.is_empty();
    // Asked of the call only where it takes them.
    let (around, asked) = all.around();
    let mut within = Vec::new();
    let mut written: Vec<ArrayId> = Vec::new();
    let writes = |f: &&Found| {
        let may_be = f.handed && arrays[f.array.0 as usize].writable;
        f.writes || f.changes || may_be
    };
    for found in all.found.iter().filter(writes) {
        let known = handed.contains(&found.array) || filled.contains(&found.array);
        if !known && !written.contains(&found.array) {
            written.push(found.array);
        }
    }
    for id in written {
        let own: Vec<&Found> = all.found.iter().filter(|f| f.array == id).collect();
        let certain = own.iter().any(|f| f.writes || f.changes);
        let mut judged = judge(&all, &own);
        if !around.is_empty() && !judged.as_ref().is_ok_and(Apart::is_certain) {
            let mut knowing = all.clone();
            knowing.know(&around);
            judged = judge(&knowing, &own).map(|mut apart| {
                apart.conditions.extend(around.iter().cloned());
                apart.within.extend(asked.iter().cloned());
                apart
            });
        }
        match judged {
            Ok(apart) => {
                roles.owned.push(id);
                roles.scattered.extend(scattered.get(&id));
                conditions.extend(apart.conditions);
                within.extend(apart.within);
                if !is_plain(&own) {
                    let indices = own.iter().flat_map(|f| &f.access.indices);
                    forms.extend(indices.flatten().cloned());
                }
            }
            Err(_) if distinct.contains(&id) => {
                roles.owned.push(id);
                roles.distinct.push(id);
            }
            // If anything is changed after all, rustc says that the loop's body only has it to be read.
            Err(_) if !certain => {}
            Err(meeting) => {
                roles.meeting.insert(id, *meeting);
            }
        }
    }
    // What each call checks element by element asks nothing else of it.
    if roles.owned.iter().all(|id| roles.distinct.contains(id)) {
        return roles;
    }
    all.within = all.required(|id| roles.owned.contains(&id) && !roles.distinct.contains(&id));
    for more in within {
        if !all.within.contains(&more) {
            all.within.push(more);
        }
    }
    for form in forms {
        all.require(&form, -FURTHEST, FURTHEST);
    }
    sorted::sort(&mut conditions);
    conditions.dedup();
    if !conditions.is_empty() || !all.within.is_empty() {
        roles.guard = Some(Guard {
            given: all.given,
            extents: all.extents,
            within: all.within,
            conditions,
        });
    }
    roles
}

/// What it takes that no two iterations meet in an array.
#[derive(Default)]
struct Apart {
    conditions: Vec<Poly>,
    /// Where conditions of the body are what they say.
    within: Vec<Within>,
}

impl Apart {
    /// Whether they keep apart whatever the call says.
    fn is_certain(&self) -> bool {
        self.conditions.is_empty() && self.within.is_empty()
    }
}

/// What it takes that no two iterations meet in an array, or two accesses by which they may.
fn judge(all: &Accesses<'_>, found: &[&Found]) -> Result<Apart, Box<Meeting>> {
    let mut apart = Apart::default();
    for write in found.iter().filter(|f| f.writes || f.handed) {
        for other in found {
            if all.counts_beside(other, write) {
                continue;
            }
            let verdict = all.meet(write, other);
            if verdict == Verdict::Apart {
                continue;
            }
            // As far as the conditions say under which they stand.
            let pairs = write.ways().flat_map(|a| other.ways().map(move |b| (a, b)));
            let pairs: Vec<(&Found, &Found)> = pairs.skip(1).collect();
            let mut ways = pairs.iter();
            let certain = ways.find(|(a, b)| all.meet(a, b) == Verdict::Apart);
            match (certain, verdict) {
                (Some((a, b)), _) => {
                    apart
                        .within
                        .extend([a, b].iter().flat_map(|f| f.required.clone()));
                }
                (None, Verdict::ApartIf(more)) => apart.conditions.extend(more),
                (None, verdict) => {
                    let mut ways = pairs.iter();
                    let even = ways.find_map(|(a, b)| Some((*a, *b, all.meet_unless(a, b)?)));
                    if let Some((a, b, conditions)) = even {
                        apart.conditions.extend(conditions);
                        let required = [a, b].into_iter().flat_map(|f| f.required.clone());
                        apart.within.extend(required);
                        continue;
                    }
                    return Err(Box::new(Meeting {
                        write: (*write).clone(),
                        other: (*other).clone(),
                        verdict,
                    }));
                }
            }
        }
    }
    Ok(apart)
}

/// Whether all accesses have the same index, one position and something fixed: no two iterations have the same index then, whatever
/// wraps.
fn is_plain(found: &[&Found]) -> bool {
    let Some([Some(first)]) = found.first().map(|f| &f.access.indices[..]) else {
        return false;
    };
    let unit = |c: &Poly| c.as_constant().is_some_and(|c| c.abs() == 1);
    let mut terms = first.terms();
    let one = matches!((terms.next(), terms.next()), (Some((_, c)), None) if unit(c));
    one && found
        .iter()
        .all(|f| f.access.indices == [Some(first.clone())])
}

impl Meeting {
    /// Whether nobody sees what becomes of the elements.
    pub fn is_handed(&self) -> bool {
        self.write.handed
    }

    /// Whether elements are read that are written, or handed on: no operator would make that right.
    pub fn is_read(&self) -> bool {
        !self.other.writes || self.write.handed
    }

    /// Why the array cannot be split among the iterations.
    pub fn diagnostic(&self, ir: &Loop, context: &Context<'_>) -> Diagnostic {
        let assignment = context.assignments.get(&self.write.source);
        let operator = assignment.map_or(context.span(self.write.source), |a| a.operator);
        let name = name_of(ir, Memory::Bins(self.write.array));
        let written = left_side(context.text(self.write.source));
        let other = context.text(self.other.source);
        let apart = match &self.verdict {
            Verdict::Meet(at) => match at[..] {
                [Some(distance)] => Some(distance),
                _ => None,
            },
            _ => None,
        };
        let times = |n: i128| match n.abs() {
            1 => "the iteration".to_owned(),
            n => format!("the iteration {n} places"),
        };
        let itself = self.write.source == self.other.source;
        if self.write.handed {
            let written = context.text(self.write.source);
            return Diagnostic::new(
                Code::Dependence,
                operator,
                format!("`{written}` may change an element of `{name}` that another iteration reads or writes"),
            )
            .note("iterations run at the same time, in no order, and what is done by way of a reference is not seen")
            .help(format!("use elements of `{name}` that belong to the loop's own variable, or leave this loop as it is by `#[sequential]` before its `for`"));
        }
        let what = match (apart, self.other.writes) {
            (Some(d), false) if d < 0 => {
                format!(
                    "an iteration reads `{other}`, which {} before it writes as `{written}`",
                    times(d)
                )
            }
            (Some(d), false) => {
                format!(
                    "an iteration reads `{other}`, which {} after it writes as `{written}`",
                    times(d)
                )
            }
            (None, false) => {
                format!(
                    "`{written}` is written here, and another iteration may read the same element as `{other}`"
                )
            }
            (_, true) if itself => {
                format!("two iterations may write the same element, `{written}`")
            }
            (_, true) => {
                let other = left_side(other);
                format!(
                    "`{written}` is written here, and another iteration may write the same element as `{other}`"
                )
            }
        };
        // What `distinct` says is checked before anything is written.
        let changes = |name: &str| {
            let is_read = |access| matches!(access, Access::Read | Access::LengthOnly);
            let mut arrays = ir.arrays.iter().filter(|array| !is_read(array.access));
            let mut vars = ir.body.vars.iter();
            arrays.any(|array| array.name == name)
                || vars.any(|var| var.kind == VarKind::Reduced && var.name == name)
        };
        let indices = written.split_once('[').map_or("", |(_, indices)| indices);
        let mut words = indices.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let is_looked_up =
            self.write.access.indices.iter().any(Option::is_none) && !words.any(changes);
        let combine = match written.ends_with(')') {
            // `a.swap(i, j)`
            true => String::new(),
            false => format!("or combine into the old value: `{written} += v`"),
        };
        let help = match itself {
            true if is_looked_up && !combine.is_empty() => format!(
                "where no two iterations have the same index, say so by `#[offload(distinct({name}))]`, which each call checks; {combine}"
            ),
            true if combine.is_empty() => format!("index `{name}` by the loop's own variable"),
            true => format!("index `{name}` by the loop's own variable, {combine}"),
            false if other == written => format!(
                "turn it round: go over the elements of `{name}`, and for each over the items that belong to it, in a loop inside; or leave this loop as it is by `#[sequential]` before its `for`"
            ),
            false => format!(
                "write into another array, so that `{name}` is only read; or leave this loop as it is by `#[sequential]` before its `for`"
            ),
        };
        let diagnostic = Diagnostic::new(Code::Dependence, operator, what)
            .note("iterations run at the same time, in no order");
        match combining(written, other) {
            Some(why) => diagnostic.note(why),
            None => diagnostic,
        }
        .help(help)
    }
}

/// Why what is read is no update, where it looks like one: `h[i]` written, `h[i].max(v)` read.
fn combining(written: &str, read: &str) -> Option<String> {
    let (method, _) = read
        .strip_prefix(written)?
        .strip_prefix('.')?
        .split_once('(')?;
    let (op, _) = Op::of_method(method)?;
    let of = match op {
        Op::SaturatingAdd => "unsigned integers of up to 64 bits",
        Op::Min | Op::Max => "integers of up to 64 bits, `f32` and `f64`",
        _ => "integers of up to 64 bits",
    };
    Some(format!(
        "`.{method}(..)` combines into elements in any order where these are {of}, and the function's tokens show it"
    ))
}
