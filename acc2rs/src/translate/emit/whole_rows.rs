//! Arrays of arrays that are passed as one array of their innermost elements: `&a[0][0]`, `(double *)a`; and arrays that are
//! passed as rows of their elements: `(double (*)[N])a`.

use super::state::{Emit, Emitted};
use crate::ctypes::{Extent, Type};
use crate::translate::base::code::{Code, Prec};
use crate::translate::memory::shape::Shape;
use crate::typed::{Expr, ExprKind, consts};

impl Emit<'_> {
    /// The elements of such an argument from its position on, and the array they lie in; `None` where it is another kind of
    /// argument.
    pub(super) fn whole_rows(
        &mut self,
        arg: &Expr,
        to: &Type,
        mutable: bool,
    ) -> Emitted<Option<(Code, String)>> {
        let mut inner = arg;
        let mut cast = false;
        while let ExprKind::Cast { value, .. } = &inner.kind
            && value.ty.is_pointer()
        {
            inner = value;
            cast = true;
        }
        let mut indices = Vec::new();
        let array = match &inner.kind {
            ExprKind::AddrOf(place) => {
                let mut at = undecayed(place);
                while let ExprKind::Index(base, index) = &at.kind {
                    indices.insert(0, &**index);
                    at = undecayed(base);
                }
                at
            }
            ExprKind::Decay(place) if cast => place,
            ExprKind::Var(_) if cast => inner,
            _ => return Ok(None),
        };
        let position = array
            .as_var()
            .is_some_and(|id| matches!(self.shapes.var(id), Some(Shape::Cursor { .. })));
        let Some(lengths) = row_lengths(&array.ty, to).filter(|_| !position) else {
            return Ok(None);
        };
        if !indices.is_empty() && indices.len() != lengths.len() + 1 {
            return Ok(None);
        }
        let base = self.place(array)?;
        let mut offset: Option<Code> = None;
        for (at, index) in indices.iter().enumerate() {
            if consts::int_value(index, self.program) == Some(0) {
                continue;
            }
            let mut by = self.index(index)?;
            let row: u64 = lengths[at..].iter().product();
            if row > 1 {
                by = Code::binary("*", Prec::Product, &by, &Code::atom(row.to_string()));
            }
            offset = Some(match offset {
                Some(sum) => Code::binary("+", Prec::Sum, &sum, &by),
                None => by,
            });
        }
        let (method, reference) = if mutable {
            ("as_flattened_mut", "&mut ")
        } else {
            ("as_flattened", "&")
        };
        let flat = lengths
            .iter()
            .fold(base.clone(), |array, _| array.method(method, &[]));
        let code = match offset {
            Some(offset) => Code::atom(format!(
                "{reference}{}[{}..]",
                flat.text,
                offset.at(Prec::Or)
            )),
            None => flat,
        };
        Ok(Some((code, base.text)))
    }
}

/// The elements of a slice as rows of a type; `None` where the rows are not made of such elements.
pub(super) fn in_rows(slice: &Code, element: &Type, row: &Type, mutable: bool) -> Option<Code> {
    let lengths = row_lengths(&Type::pointer(row.clone()), element).filter(|l| !l.contains(&0))?;
    let method = if mutable {
        "as_chunks_mut"
    } else {
        "as_chunks"
    };
    // A method borrows what it is called on.
    let elements = slice.text.trim_start_matches("&mut ");
    let elements = Code::atom(elements.trim_start_matches('&'));
    let rows = lengths.iter().rev().fold(elements, |rows, length| {
        let chunks = rows.method(&format!("{method}::<{length}>"), &[]);
        Code::atom(format!("{}.0", chunks.text))
    });
    Some(rows)
}

fn undecayed(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Decay(inner) => undecayed(inner),
        _ => e,
    }
}

/// The lengths of the rows of an array of arrays of these elements, outermost first.
fn row_lengths(array: &Type, element: &Type) -> Option<Vec<u64>> {
    let mut out = Vec::new();
    let mut row = array.element()?;
    while let Type::Array(of, extent) = row {
        let Extent::Fixed(length) = extent else {
            return None;
        };
        out.push(*length);
        row = of;
    }
    (!out.is_empty() && row == element).then_some(out)
}
