//! Memory as `Vec`s: what owns it, and sizes in bytes as numbers of elements.

use super::state::{Emit, Emitted, refuse};
use crate::codes;
use crate::ctypes::{Extent, Type};
use crate::lower::is_null;
use crate::source::Span;
use crate::translate::base::code::Code;
use crate::typed::{Expr, ExprKind};

impl Emit<'_> {
    /// Memory that changes its owner: allocated, returned by a function, or moved.
    pub(super) fn owned(&mut self, value: &Expr, ty: &Type) -> Emitted<Code> {
        if is_null(value) {
            return Ok(Code::atom("Vec::new()"));
        }
        let to = ty.element().cloned().unwrap_or(Type::Void);
        let inner = value.stripped();
        match &inner.kind {
            ExprKind::Call { callee, args } => {
                let name = self.program.function(*callee).name.clone();
                if name == crate::lower::lent_rows::TOGETHER {
                    return self.rows_together(&args[0]);
                }
                if crate::translate::base::flows::allocates(&name) {
                    let args = if matches!(&*name, "realloc" | "aligned_alloc" | "memalign") {
                        &args[1..]
                    } else {
                        &args[..]
                    };
                    let len = self.allocation(&to, args, value.span)?;
                    let zero = if matches!(to.innermost(), Type::Array(..)) || Self::flat(ty) {
                        self.zero(&to.innermost().clone(), value.span)?
                    } else {
                        self.zero(&to, value.span)?
                    };
                    let zero = match (&to, zero.as_str()) {
                        (Type::Int(k), "0") => format!("0_{}", k.rust()),
                        (Type::Float, _) => "0.0_f32".into(),
                        (Type::Double, _) => "0.0_f64".into(),
                        _ => zero,
                    };
                    // What `realloc` is given moves over.
                    if name == "realloc"
                        && let ExprKind::Call { args, .. } = &inner.kind
                        && !is_null(&args[0])
                    {
                        let old = self.place(args[0].stripped())?;
                        let memory = self.temporary("memory");
                        return Ok(Code::atom(format!(
                            "{{ let mut {memory} = std::mem::take(&mut {}); {memory}.resize({}, {zero}); {memory} }}",
                            old.text, len.text
                        )));
                    }
                    return Ok(Code::atom(format!("vec![{zero}; {}]", len.text)));
                }
                let memory = self.value(inner)?;
                self.as_bytes_of(memory, inner, &to)
            }
            ExprKind::Var(_) | ExprKind::Member(..) | ExprKind::Index(..) | ExprKind::Deref(_) => {
                self.handed_over(inner)?;
                let place = self.place(inner)?;
                if let Type::Array(of, _) = &inner.ty {
                    if !of.is_arithmetic() || **of != to {
                        return refuse(
                            codes::LOST_POINTER,
                            value.span,
                            "an array is handed over as memory",
                            "allocate the memory with `malloc`",
                        );
                    }
                    return Ok(Code::atom(format!("{}.to_vec()", place.receiver())));
                }
                let memory = if matches!(inner.kind, ExprKind::Var(id) if !self.in_globals(id)) {
                    place
                } else {
                    let place = Code::atom(format!("&mut {}", place.text));
                    Code::call("std::mem::take", &[place])
                };
                self.as_bytes_of(memory, inner, &to)
            }
            ExprKind::Cond(c, a, b) => {
                let (c, a, b) = (self.cond(c)?, self.owned(a, ty)?, self.owned(b, ty)?);
                Ok(Code::low(format!(
                    "if {} {{ {} }} else {{ {} }}",
                    c.text, a.text, b.text
                )))
            }
            _ => refuse(
                codes::LOST_POINTER,
                value.span,
                "it cannot be told what this pointer owns",
                "assign the result of `malloc`",
            ),
        }
    }

    /// Memory of `char`, signed or not, as memory of the other kind.
    fn as_bytes_of(&self, memory: Code, given: &Expr, to: &Type) -> Emitted<Code> {
        let known = |ty: &Type| ty.is_arithmetic().then(|| super::convert::number(ty));
        let Some((from, into)) = given.ty.element().and_then(known).zip(known(to)) else {
            return Ok(memory);
        };
        if from == into {
            return Ok(memory);
        }
        if !matches!((from, into), ("i8", "u8") | ("u8", "i8")) {
            return refuse(
                codes::POINTER_CAST,
                given.span,
                "memory is taken over as another type",
                "copy the values with a conversion instead",
            );
        }
        Ok(Code::atom(format!(
            "{}.into_iter().map(|byte| byte as {into}).collect::<Vec<{into}>>()",
            memory.receiver()
        )))
    }

    /// The number of elements of an allocation, of the innermost ones where rows are of variable length and lie flat.
    pub(super) fn allocation(&mut self, to: &Type, args: &[Expr], span: Span) -> Emitted<Code> {
        if !variable(to) {
            return self.rows(to, args, span);
        }
        if let [bytes] = args
            && let Ok(flat) = self.elements(bytes, to.innermost(), span)
        {
            return Ok(flat);
        }
        let rows = self.rows(to, args, span)?;
        Ok(match self.row_length(to)? {
            Some(row) => Code::binary(
                "*",
                crate::translate::base::code::Prec::Product,
                &rows,
                &row,
            ),
            None => rows,
        })
    }

    /// The number of elements of an allocation: `malloc`'s bytes, or `calloc`'s two numbers.
    fn rows(&mut self, to: &Type, args: &[Expr], span: Span) -> Emitted<Code> {
        if *to == Type::Void {
            return refuse(
                codes::POINTER_CAST,
                span,
                "memory without an element type",
                "give the pointer the type of what it points to",
            );
        }
        if let [count, size] = args {
            if self.is_size_of(size, to) {
                return self.index(count);
            }
            if self.is_size_of(count, to) {
                return self.index(size);
            }
            let product = Expr {
                kind: ExprKind::Binary(
                    crate::typed::BinaryOp::Mul,
                    Box::new(count.clone()),
                    Box::new(size.clone()),
                ),
                ty: crate::ctypes::SIZE,
                span,
            };
            return self.elements(&product, to, span);
        }
        match args {
            [bytes] => match (self.elements(bytes, to, span), to) {
                // `malloc(n * m * sizeof(double))` for rows of m: at least as many rows as it takes.
                (Err(error), Type::Array(..)) => {
                    let Ok(flat) = self.elements(bytes, to.innermost(), span) else {
                        return Err(error);
                    };
                    let row = self.row_length(to)?.unwrap_or(Code::atom("1"));
                    Ok(flat.method("div_ceil", &[row]))
                }
                (rows, _) => rows,
            },
            _ => refuse(
                codes::ALLOCATION_SIZE,
                span,
                "an allocation without a size",
                "",
            ),
        }
    }

    pub(super) fn is_size_of(&self, expr: &Expr, to: &Type) -> bool {
        match &expr.bare().kind {
            ExprKind::SizeOf(ty) => {
                ty == to
                    || crate::typed::consts::size_of(ty, self.program).is_some()
                        && crate::typed::consts::size_of(ty, self.program)
                            == crate::typed::consts::size_of(to, self.program)
            }
            ExprKind::Cast { value, .. } => self.is_size_of(value, to),
            _ => crate::typed::consts::int_value(expr, self.program).is_some_and(|v| {
                crate::typed::consts::size_of(to, self.program) == u64::try_from(v).ok()
            }),
        }
    }

    /// A number of bytes as a number of elements.
    pub(super) fn elements(&mut self, bytes: &Expr, to: &Type, span: Span) -> Emitted<Code> {
        let kept = match &bytes.stripped().kind {
            ExprKind::Var(id) => self.facts.var(*id).assigned <= 1,
            ExprKind::Member(..) => true,
            _ => false,
        };
        if kept && crate::typed::consts::size_of(to, self.program) != Some(1) {
            // `size_t bytes = n * sizeof(T);` keeps the product in a variable, or in a struct of sizes.
            let value = self.index(bytes)?;
            let size = self.rust_type(to, span)?;
            let size = Code::atom(format!("size_of::<{size}>()"));
            return Ok(Code::binary(
                "/",
                crate::translate::base::code::Prec::Product,
                &value,
                &size,
            ));
        }
        self.whole_elements(bytes, to, span)
    }

    /// A product or sum with `sizeof` in it as a number of elements.
    fn whole_elements(&mut self, bytes: &Expr, to: &Type, span: Span) -> Emitted<Code> {
        use crate::typed::BinaryOp as B;
        let bare = bytes.bare();
        // `sizeof a` of an array of variable length whose elements lie flat.
        if let ExprKind::SizeOf(ty @ Type::Array(..)) = &bare.kind
            && ty.innermost() == to
            && variable(ty)
            && let Some(length) = self.row_length(ty)?
        {
            return Ok(length);
        }
        // `sizeof(double[n][m])` is n rows.
        if let ExprKind::SizeOf(Type::Array(inner, extent)) = &bare.kind
            && matches!((&**inner, to), (Type::Array(a, _), Type::Array(b, _)) if a == b)
        {
            return self.extent(extent, None);
        }
        if let ExprKind::Cast { value, .. } = &bare.kind
            && value.ty.is_int()
        {
            return self.whole_elements(value, to, span);
        }
        if self.is_size_of(bytes, to) {
            return Ok(Code::atom("1"));
        }
        match &bare.kind {
            ExprKind::Binary(B::Mul, a, b) => {
                if self.is_size_of(b, to) {
                    return self.index(a);
                }
                if self.is_size_of(a, to) {
                    return self.index(b);
                }
                // `sizeof(T) * n * m`: the size is in one of the factors.
                let right = self.whole_elements(b, to, span);
                if let Ok(code) = right {
                    let left = self.index(a)?;
                    return Ok(Code::binary(
                        "*",
                        crate::translate::base::code::Prec::Product,
                        &left,
                        &code,
                    ));
                }
                if let Ok(code) = self.whole_elements(a, to, span) {
                    let right = self.index(b)?;
                    return Ok(Code::binary(
                        "*",
                        crate::translate::base::code::Prec::Product,
                        &code,
                        &right,
                    ));
                }
            }
            ExprKind::Binary(op @ (B::Add | B::Sub), a, b) => {
                if let (Ok(a), Ok(b)) = (
                    self.whole_elements(a, to, span),
                    self.whole_elements(b, to, span),
                ) {
                    return Ok(Code::binary(
                        op.text(),
                        crate::translate::base::code::Prec::Sum,
                        &a,
                        &b,
                    ));
                }
            }
            _ => {}
        }
        match (
            crate::typed::consts::int_value(bytes, self.program),
            crate::typed::consts::size_of(to, self.program),
        ) {
            (Some(total), Some(size)) if size > 0 && total % i128::from(size) == 0 => {
                Ok(Code::atom((total / i128::from(size)).to_string()))
            }
            (_, Some(1)) => self.index(bytes),
            _ => refuse(
                codes::ALLOCATION_SIZE,
                span,
                "the size is no whole number of elements",
                "write a number of elements times `sizeof` of the element",
            ),
        }
    }
}

/// Whether an array has an extent that is known at run time only.
fn variable(ty: &Type) -> bool {
    match ty {
        Type::Array(of, extent) => matches!(extent, Extent::Runtime(_)) || variable(of),
        _ => false,
    }
}
