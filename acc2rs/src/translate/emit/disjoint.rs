//! Arguments that borrow different parts of the same data, one of them to write: fields of one object, elements of one
//! array at indices that differ, an element and what lies behind it. Rust sees that they are apart when they are taken
//! from the whole at once.

use super::args::Borrow;
use super::state::{Emit, Emitted};
use crate::ctypes::Type;
use crate::lower::is_null;
use crate::translate::base::code::Code;
use crate::translate::base::usage::same;
use crate::typed::{BinaryOp, Expr, ExprKind, Program, VarId, consts};

/// A step from a variable towards what an argument points to.
#[derive(Clone)]
enum Step<'e> {
    /// A field; the object.
    Field(u32, &'e Expr),
    /// An element; the array. `None` is the first.
    At(Option<&'e Expr>, &'e Expr),
    /// All from an element on; the array.
    Rest(&'e Expr, &'e Expr),
}

impl Step<'_> {
    fn alike(&self, other: &Step<'_>) -> bool {
        match (self, other) {
            (Step::Field(a, _), Step::Field(b, _)) => a == b,
            (Step::At(None, _), Step::At(None, _)) => true,
            (Step::At(Some(a), _), Step::At(Some(b), _)) => same(a.stripped(), b.stripped()),
            (Step::At(None, _), Step::At(Some(a), _))
            | (Step::At(Some(a), _), Step::At(None, _)) => is_null(a),
            _ => false,
        }
    }

    fn whole(&self) -> &Expr {
        match self {
            Step::Field(_, whole) | Step::At(_, whole) | Step::Rest(_, whole) => whole,
        }
    }
}

impl Emit<'_> {
    /// Takes the parts that arguments borrow from one whole apart: gives the `let`s for it, and names the parts in the
    /// arguments' texts and in `borrows`.
    pub(super) fn taken_apart(
        &mut self,
        args: &[Expr],
        texts: &mut [Code],
        borrows: &mut [Borrow],
    ) -> Emitted<String> {
        let mut lets = String::new();
        let mut named = Vec::new();
        for at in 0..borrows.len() {
            let group: Vec<usize> = (0..borrows.len())
                .filter(|other| *other == at || borrows[at].overlaps(&borrows[*other]))
                .collect();
            if group.len() > 1 && group.iter().any(|b| borrows[*b].mutable) {
                let apart = self.apart(&group, args, texts, borrows, &mut named)?;
                lets.push_str(&apart.unwrap_or_default());
            }
        }
        Ok(lets)
    }

    fn apart(
        &mut self,
        group: &[usize],
        args: &[Expr],
        texts: &mut [Code],
        borrows: &mut [Borrow],
        named: &mut Vec<(String, String)>,
    ) -> Emitted<Option<String>> {
        let paths: Option<Vec<Vec<Step<'_>>>> = group
            .iter()
            .map(|b| self.path(&args[borrows[*b].arg], borrows[*b].one))
            .collect();
        let Some(paths) = paths else { return Ok(None) };
        let Some(shortest) = paths.iter().map(Vec::len).min() else {
            return Ok(None);
        };
        let Some(fork) = (0..shortest).find(|k| paths.iter().any(|p| !p[*k].alike(&paths[0][*k])))
        else {
            return Ok(None);
        };
        let steps: Vec<&Step<'_>> = paths.iter().map(|p| &p[fork]).collect();
        let pairs = || {
            let pair = |a: usize| (0..a).map(move |b| (a, b));
            (0..steps.len()).flat_map(pair)
        };
        // Parts have names by now.
        let mut whole = match &steps[0].whole().kind {
            ExprKind::Decay(array) => self.place(array)?.receiver(),
            _ => self.place(steps[0].whole())?.receiver(),
        };
        for (part, name) in named.iter() {
            if let Some(rest) = whole.strip_prefix(part.as_str()) {
                whole = format!("{name}{rest}");
            }
        }
        if steps.iter().all(|s| matches!(s, Step::Field(..))) {
            if pairs().any(|(a, b)| steps[a].alike(steps[b])) {
                return Ok(None);
            }
            let name = self.temporary("whole");
            for b in group {
                rename(&mut texts[borrows[*b].arg], &mut borrows[*b], &whole, &name);
            }
            return Ok(Some(format!("let {name} = &mut {whole}; ")));
        }
        if let [one, other] = &steps[..]
            && let Some(text) = self.split(&whole, [one, other], group, texts, borrows)?
        {
            return Ok(Some(text));
        }
        let program = self.program;
        if !steps.iter().all(|s| matches!(s, Step::At(..)))
            || pairs()
                .any(|(a, b)| !steps[a].alike(steps[b]) && !apart(program, steps[a], steps[b]))
        {
            return Ok(None);
        }
        let (mut names, mut indices) = (Vec::new(), Vec::new());
        for (at, step) in steps.iter().enumerate() {
            if steps[..at].iter().any(|s| s.alike(step)) {
                continue;
            }
            let index = match step {
                Step::At(Some(index), _) if !is_null(index) => self.index(index)?,
                _ => Code::atom("0"),
            };
            let name = self.temporary("part");
            let element = Code::atom(whole.clone()).index(&index).text;
            let alike = (at..steps.len()).filter(|k| steps[*k].alike(step));
            for k in alike {
                let b = group[k];
                rename(&mut texts[borrows[b].arg], &mut borrows[b], &element, &name);
            }
            named.push((element, name.clone()));
            names.push(name);
            indices.push(index.text);
        }
        Ok(Some(format!(
            "let [{}] = {whole}.get_disjoint_mut([{}]).expect(\"different elements\"); ",
            names.join(", "),
            indices.join(", ")
        )))
    }

    /// An element before a known place and all from that place on.
    fn split(
        &mut self,
        whole: &str,
        steps: [&Step<'_>; 2],
        group: &[usize],
        texts: &mut [Code],
        borrows: &mut [Borrow],
    ) -> Emitted<Option<String>> {
        let known = |e: &Expr| consts::int_value(e, self.program);
        let (element, rest, from) = match steps {
            [Step::At(index, _), Step::Rest(from, _)] => {
                (index.map_or(Some(0), known), 1, known(from))
            }
            [Step::Rest(from, _), Step::At(index, _)] => {
                (index.map_or(Some(0), known), 0, known(from))
            }
            _ => return Ok(None),
        };
        let (Some(element), Some(from)) = (element, from) else {
            return Ok(None);
        };
        if element >= from {
            return Ok(None);
        }
        let (head, tail) = (self.temporary("head"), self.temporary("tail"));
        let one = group[1 - rest];
        let borrow = &mut borrows[one];
        let text = texts[borrow.arg].text.replacen(whole, &head, 1);
        borrow.place = format!("{head}[{element}]");
        texts[borrow.arg] = Code::atom(text);
        let borrow = &mut borrows[group[rest]];
        borrow.place.clone_from(&tail);
        texts[borrow.arg] = Code::atom(tail.clone());
        Ok(Some(format!(
            "let ({head}, {tail}) = {whole}.split_at_mut({from}); "
        )))
    }

    /// The way from a variable to what an argument points to; `None` where it leads over positions or flat rows.
    fn path<'e>(&self, arg: &'e Expr, one: bool) -> Option<Vec<Step<'e>>> {
        match &arg.kind {
            ExprKind::Cast { value, .. } if value.ty.is_pointer() => self.path(value, one),
            ExprKind::Decay(place) => self.steps(place),
            ExprKind::AddrOf(place) => match &place.kind {
                ExprKind::Index(base, index) if !one => self.rest(base, index),
                _ => self.steps(place),
            },
            ExprKind::Binary(BinaryOp::Add, base, index) if arg.ty.is_pointer() => {
                self.rest(base, index)
            }
            _ if one => {
                let mut steps = self.steps(arg)?;
                steps.push(Step::At(None, arg));
                Some(steps)
            }
            _ => self.steps(arg),
        }
    }

    fn rest<'e>(&self, base: &'e Expr, index: &'e Expr) -> Option<Vec<Step<'e>>> {
        let mut steps = self.steps(base)?;
        steps.push(Step::Rest(index, base));
        Some(steps)
    }

    fn steps<'e>(&self, place: &'e Expr) -> Option<Vec<Step<'e>>> {
        let element = |base: &'e Expr, index: Option<&'e Expr>| {
            let mut steps = self.steps(base)?;
            steps.push(Step::At(index, base));
            Some(steps)
        };
        if Self::flat(&place.ty) {
            return None;
        }
        match &place.kind {
            ExprKind::Var(id) => self.stands(*id).then(Vec::new),
            ExprKind::Decay(inner) => self.steps(inner),
            ExprKind::Index(base, index) => element(base, Some(index)),
            ExprKind::Deref(base) => match base.as_var() {
                // The object that a reference is.
                Some(id) if self.refers(id) => self.steps(base),
                _ => element(base, None),
            },
            ExprKind::Member(base, field) => {
                let mut steps = self.steps(base)?;
                steps.push(Step::Field(*field, base));
                Some(steps)
            }
            _ => None,
        }
    }

    /// Whether a variable is memory of its own, or a reference that is never moved.
    fn stands(&self, id: VarId) -> bool {
        use crate::translate::memory::shape::Shape;
        let pointer = matches!(self.program.var(id).ty, Type::Pointer { .. });
        let shape = matches!(
            self.shapes.var(id),
            None | Some(Shape::Owned | Shape::Slice | Shape::One | Shape::OwnedRef)
        );
        !pointer || shape && !self.moves(id)
    }

    fn refers(&self, id: VarId) -> bool {
        use crate::translate::memory::shape::Shape;
        matches!(self.shapes.var(id), Some(Shape::One | Shape::OwnedRef))
    }
}

/// Gives a part its name in an argument.
fn rename(text: &mut Code, borrow: &mut Borrow, part: &str, name: &str) {
    let whole = [format!("&mut {part}"), format!("&{part}")].contains(&text.text);
    let renamed = if whole {
        name.to_string()
    } else {
        text.text.replacen(part, name, 1)
    };
    *text = Code::atom(renamed);
    borrow.place = borrow.place.replacen(part, name, 1);
}

/// Whether two elements are never the same one.
fn apart<'e>(program: &Program, a: &Step<'e>, b: &Step<'e>) -> bool {
    match (a, b) {
        (Step::At(a, _), Step::At(b, _)) => {
            let known = |index: &Option<&'e Expr>| index.map_or((None, 0), |e| parts(program, e));
            differ(program, known(a), known(b))
        }
        _ => false,
    }
}

/// An index as something and a constant added to it.
fn parts<'e>(program: &Program, e: &'e Expr) -> (Option<&'e Expr>, i128) {
    if let Some(value) = consts::int_value(e, program) {
        return (None, value);
    }
    match &e.stripped().kind {
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
            let (a, x) = parts(program, a);
            match (consts::int_value(b, program), op) {
                (Some(y), BinaryOp::Add) => (a, x + y),
                (Some(y), _) => (a, x - y),
                _ => match (a, parts(program, b), op) {
                    (None, (Some(b), y), BinaryOp::Add) => (Some(b), x + y),
                    _ => (Some(e.stripped()), 0),
                },
            }
        }
        _ => (Some(e.stripped()), 0),
    }
}

fn differ(program: &Program, (a, x): (Option<&Expr>, i128), (b, y): (Option<&Expr>, i128)) -> bool {
    let (a, b) = match (a, b) {
        (None, None) => return x != y,
        (Some(a), Some(b)) => (a, b),
        _ => return false,
    };
    if same(a, b) {
        return x != y;
    }
    // `1 - t` is never `t`, nor is `t ^ 1`, nor `!t`.
    let other = |a: &Expr, b: &Expr| match &a.kind {
        ExprKind::Binary(BinaryOp::Sub, one, t) => {
            consts::int_value(one, program).is_some_and(|v| v % 2 != 0) && same(t.stripped(), b)
        }
        ExprKind::Binary(BinaryOp::BitXor, t, one) => {
            consts::int_value(one, program).is_some_and(|v| v != 0) && same(t.stripped(), b)
        }
        ExprKind::Unary(crate::typed::UnaryOp::Not, t) => same(t.stripped(), b),
        _ => false,
    };
    if x == y && (other(a, b) || other(b, a)) {
        return true;
    }
    // `t % n` and `(t + 1) % n`
    if let (ExprKind::Binary(BinaryOp::Rem, p, m), ExprKind::Binary(BinaryOp::Rem, q, n)) =
        (&a.kind, &b.kind)
        && x == y
        && let (Some(m), Some(n)) = (consts::int_value(m, program), consts::int_value(n, program))
        && m == n
        && m != 0
        && let ((Some(p), x), (Some(q), y)) = (parts(program, p), parts(program, q))
    {
        return same(p, q) && (x - y) % m != 0;
    }
    false
}
