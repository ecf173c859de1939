//! How many bins there are, as C, and where their copies live: in the data region that already has
//! the bins, or in one of their own around the construct.

use super::find::{Finder, Found, children, kept};
use crate::clause::{ClauseKind, DataAction, Range, Section};
use crate::ctypes::{Extent, Type};
use crate::directive::{Directive, DirectiveKind};
use crate::lex;
use crate::source::Span;
use crate::translate::base::places::root;
use crate::typed::consts::int_value;
use crate::typed::walk;
use crate::typed::{Expr, ExprKind, Program, Stmt, VarId};

/// A data region whose directive can be extended.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Region {
    /// Where the line of its pragma starts.
    pub(super) line: usize,
    /// Just past its last clause.
    pub(super) clauses: usize,
    /// Just past its statement.
    pub(super) end: usize,
}

/// Where the copies of bins live.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Home {
    /// In the data region that has the bins: its directive gets a `create` clause.
    Region(Region),
    /// In a data region of their own around the construct, with this clause for the bins if no
    /// region around it has one.
    Construct(Option<String>),
}

impl Finder<'_> {
    /// The number of bins as C, and where their copies live.
    pub(super) fn count(
        &self,
        stmt: &Stmt,
        directive: &Directive<Expr>,
        id: VarId,
        first: Span,
        dims: &[u64],
    ) -> Found<(String, Home)> {
        use DataAction::{DevicePtr, FirstPrivate, Private};
        let var = self.program.var(id);
        let name = &var.name;
        let own = named(directive, id);
        if let Some((_, Private | FirstPrivate | DevicePtr, _)) = own {
            return kept(first, format!("`{name}` is private or a device pointer"));
        }
        let regions = self.around(stmt);
        let around = regions.iter().rev().find_map(|s| {
            let mut data = s
                .directives
                .iter()
                .filter(|d| d.kind == DirectiveKind::Data);
            data.find_map(|d| Some((*s, d, named(d, id)?)))
        });
        if let Some((whole, data, (section, ..))) = around
            && let Some(region) = self.region(whole, data, stmt)
            && let Ok(count) = self.bins(id, section, dims)
        {
            return Ok((count, Home::Region(region)));
        }
        let around = around.map(|(.., found)| found);
        let clause = match (around, own) {
            (Some(_), _) => None,
            (None, Some((section, _, word))) => {
                let text = self.text(self.place(section.span)?);
                Some(format!("{word}({text})"))
            }
            (None, None) if !var.ty.is_pointer() => Some(format!("copy({name})")),
            (None, None) => {
                return kept(
                    first,
                    format!(
                        "how many bins `{name}` has cannot be told: no data clause here names it"
                    ),
                );
            }
        };
        let with_range = |found: Option<(&'_ Section<Expr>, DataAction, &str)>| {
            found.map(|f| f.0.clone()).filter(|s| !s.ranges.is_empty())
        };
        let own = with_range(own);
        let Some(section) = own.clone().or(with_range(around)) else {
            if !var.ty.is_pointer() {
                return Ok((array(name, &var.ty), Home::Construct(clause)));
            }
            return kept(
                first,
                format!("how many bins `{name}` has cannot be told: its data clause has no length"),
            );
        };
        if own.is_none() && self.changes(&section, &regions) {
            return kept(
                first,
                format!("the length of `{name}` changes inside the data region"),
            );
        }
        Ok((self.bins(id, &section, dims)?, Home::Construct(clause)))
    }

    /// The first extent of bins behind a pointer, where a data clause here says it as a constant.
    pub(super) fn known(&self, stmt: &Stmt, directive: &Directive<Expr>, id: VarId) -> Option<u64> {
        let around = self.around(stmt);
        let others = around.iter().rev().flat_map(|s| &s.directives);
        let mut sections = [directive].into_iter().chain(others);
        let len = sections.find_map(|d| match named(d, id)?.0.ranges.first()? {
            Range::Slice { len, .. } => int_value(len.as_ref()?, self.program),
            Range::Index(_) => None,
        });
        u64::try_from(len?).ok()
    }

    /// The statements around one, outermost first, itself included.
    fn around(&self, stmt: &Stmt) -> Vec<&Stmt> {
        let mut out = Vec::new();
        if let Some(body) = &self.program.function(self.function).body {
            for s in &body.stmts {
                children(s, &mut |s| {
                    if s.span.unit == stmt.span.unit
                        && s.span.lo <= stmt.span.lo
                        && s.span.hi >= stmt.span.hi
                    {
                        out.push(s);
                    }
                });
            }
        }
        out
    }

    /// The region of a data directive, if it always is one and stands where the construct does.
    fn region(&self, whole: &Stmt, data: &Directive<Expr>, stmt: &Stmt) -> Option<Region> {
        use ClauseKind as K;
        let plain =
            |k: &K<Expr>| !matches!(k, K::If(_) | K::Async(_) | K::Wait(_) | K::DeviceType(_));
        let place = self.place(data.span).ok()?;
        let end = self.place(whole.span).ok()?;
        let inner = self.place(stmt.span).ok()?;
        let here = place.file == end.file
            && place.file == inner.file
            && place.hi <= inner.lo
            && inner.hi <= end.hi;
        (here && data.clauses.iter().all(|c| plain(&c.kind))).then_some(())?;
        Some(Region {
            line: self.pragma_line(place, data.span).ok()?,
            clauses: place.hi,
            end: end.hi,
        })
    }

    /// The number of bins, where a section that names them can be written.
    fn bins(&self, id: VarId, section: &Section<Expr>, dims: &[u64]) -> Found<String> {
        let var = self.program.var(id);
        let flat = !matches!(&var.ty, Type::Array(inner, _) if matches!(**inner, Type::Array(..)));
        if !var.ty.is_pointer() && (section.ranges.is_empty() || !flat) {
            self.whole(section, &var.ty)?;
            return Ok(array(&var.name, &var.ty));
        }
        let place = self.place(section.span)?;
        let Some((start, len)) = lengths(self.text(place)) else {
            return kept(
                section.span,
                format!("the length of `{}` cannot be read here", var.name),
            );
        };
        if !start.is_empty() && start != "0" {
            return kept(
                section.span,
                format!(
                    "the data clause leaves out the first bins of `{}`",
                    var.name
                ),
            );
        }
        let mut count = format!("({len})");
        // The first of an array's extents is what the section tells.
        for d in dims.iter().skip(usize::from(!var.ty.is_pointer())) {
            count.push_str(&format!(" * {d}"));
        }
        Ok(format!("(size_t){count}"))
    }

    /// Adding the copies up goes over the whole of an array, so all of it has to be on the device.
    fn whole(&self, section: &Section<Expr>, ty: &Type) -> Found<()> {
        let number = |e: &Expr| int_value(e, self.program);
        let mut ty = ty;
        for range in &section.ranges {
            let Type::Array(inner, extent) = ty else {
                break;
            };
            let all = match (range, extent) {
                (Range::Slice { start, len }, Extent::Fixed(n)) => {
                    start.as_ref().is_none_or(|e| number(e) == Some(0))
                        && len
                            .as_ref()
                            .is_none_or(|e| number(e) == Some(i128::from(*n)))
                }
                _ => false,
            };
            if !all {
                return kept(section.span, "the data clause names a part of the array");
            }
            ty = inner;
        }
        Ok(())
    }

    /// Whether the extent of a section may be another one inside the regions than where it is written.
    fn changes(&self, section: &Section<Expr>, regions: &[&Stmt]) -> bool {
        let mut used = Vec::new();
        for e in section.ranges.iter().flat_map(|r| match r {
            Range::Index(e) => vec![e],
            Range::Slice { start, len } => start.iter().chain(len).collect(),
        }) {
            walk::parts(self.program, e, &mut |e| used.extend(e.as_var()));
        }
        let shadowed = used.iter().any(|u| {
            let wanted = self.program.var(*u);
            self.program.vars.iter().enumerate().any(|(at, v)| {
                v.name == wanted.name && VarId(at as u32) != *u && v.owner == Some(self.function)
            })
        });
        let body = self.program.function(self.function).body.iter();
        shadowed
            || body.flat_map(|b| &b.stmts).any(|s| {
                regions
                    .first()
                    .is_some_and(|r| r.span.lo <= s.span.lo && s.span.hi <= r.span.hi)
                    && assigned(self.program, s, &used)
            })
    }
}

/// The number of elements of an array, as C.
fn array(name: &str, ty: &Type) -> String {
    format!("sizeof {name} / sizeof({})", ty.innermost())
}

fn assigned(program: &Program, stmt: &Stmt, vars: &[VarId]) -> bool {
    let mut hit = false;
    walk::exprs(program, stmt, &mut |e| {
        if let ExprKind::Assign(place, _)
        | ExprKind::Compound { place, .. }
        | ExprKind::Step { place, .. }
        | ExprKind::AddrOf(place) = &e.kind
        {
            hit |= root(place).is_some_and(|id| vars.contains(&id));
        }
    });
    hit
}

/// The section of a directive that names a variable, what the clause does, and its word.
pub(super) fn named(
    directive: &Directive<Expr>,
    id: VarId,
) -> Option<(&Section<Expr>, DataAction, &str)> {
    directive.clauses.iter().find_map(|c| match &c.kind {
        ClauseKind::Data { action, vars, .. } => vars
            .iter()
            .find(|v| v.base.stripped().as_var() == Some(id))
            .map(|v| (v, *action, c.name.as_str())),
        _ => None,
    })
}

/// The innermost element and all extents of an array; `None` where one is no constant.
pub(super) fn dimensions(ty: &Type) -> (Type, Option<Vec<u64>>) {
    match ty {
        Type::Array(to, extent) => {
            let (element, inner) = dimensions(to);
            let dims = match (extent, inner) {
                (Extent::Fixed(n), Some(mut inner)) => {
                    inner.insert(0, *n);
                    Some(inner)
                }
                _ => None,
            };
            (element, dims)
        }
        other => (other.clone(), Some(Vec::new())),
    }
}

/// Start and length of the first range of a section, as written.
fn lengths(section: &str) -> Option<(&str, &str)> {
    let open = section.find('[')?;
    let mut depth = 0;
    let mut colon = None;
    for token in lex::tokens(&section[open..]) {
        match token.text {
            "[" | "(" => depth += 1,
            "]" | ")" => {
                depth -= 1;
                if depth == 0 {
                    let colon: usize = colon?;
                    let text = &section[open..];
                    let (start, len) = (&text[1..colon], &text[colon + 1..token.at]);
                    return (!len.trim().is_empty()).then_some((start.trim(), len.trim()));
                }
            }
            ":" if depth == 1 && colon.is_none() => colon = Some(token.at),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::lengths;

    #[test]
    fn sections_are_read_as_written() {
        assert_eq!(lengths("h[0:n]"), Some(("0", "n")));
        assert_eq!(lengths("h[ : m[2]+1 ][0:4]"), Some(("", "m[2]+1")));
        assert_eq!(lengths("h[lo:]"), None);
        assert_eq!(lengths("h"), None);
    }
}
