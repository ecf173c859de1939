//! One argument of a call: what a parameter of its kind is given, and what that borrows.

use super::args::Borrow;
use super::place::Pointer;
use super::state::{Emit, Emitted, refuse};
use crate::codes;
use crate::ctypes::{IntKind, Type};
use crate::lower::is_null;
use crate::translate::base::code::Code;
use crate::translate::memory::shape::Shape;
use crate::typed::{Expr, ExprKind, VarId};

impl Emit<'_> {
    pub(super) fn argument(
        &mut self,
        param: VarId,
        arg: &Expr,
        borrows: &mut Vec<Borrow>,
    ) -> Emitted<Code> {
        let var = self.program.var(param);
        let Type::Pointer { to, .. } = &var.ty else {
            return self.assigned_value(arg);
        };
        if var.ty.is_function_pointer() {
            return self.value(arg);
        }
        let to = (**to).clone();
        let shape = self.shapes.var(param).cloned().unwrap_or(Shape::Slice);
        let mutable = self.shapes.mutable(param);
        let reference = if mutable { "&mut " } else { "&" };
        // Either array of a choice is lent.
        if let (ExprKind::Cond(cond, then, otherwise), Shape::Slice | Shape::One) =
            (&arg.stripped().kind, &shape)
            && !is_null(then)
            && !is_null(otherwise)
        {
            let cond = self.cond(cond)?;
            let then = self.argument(param, then, borrows)?;
            let otherwise = self.argument(param, otherwise, borrows)?;
            return Ok(Code::choice(&cond, &then, &otherwise));
        }
        // The bytes of numbers are a copy that is only read.
        if let ExprKind::Call { callee, args } = &arg.stripped().kind
            && self.program.function(*callee).name == crate::translate::rewrite::untyped::BYTES
        {
            if mutable || shape != Shape::Slice {
                return refuse(
                    codes::POINTER_CAST,
                    arg.span,
                    "numbers are passed as bytes to a function that does more than read them",
                    "copy the values with a conversion instead",
                );
            }
            return self.bytes_of(&args[0]);
        }
        match shape {
            Shape::Text => self.text(arg),
            Shape::OwnedRef => {
                let place = match &arg.stripped().kind {
                    ExprKind::AddrOf(place) => self.place(place)?,
                    ExprKind::Var(_) | ExprKind::Member(..) => {
                        return Ok(Code::atom(
                            self.place(arg.stripped())?
                                .text
                                .trim_start_matches('*')
                                .to_string(),
                        ));
                    }
                    _ => {
                        return refuse(
                            codes::LOST_POINTER,
                            arg.span,
                            "memory is allocated through a pointer that is not `&variable`",
                            "pass the address of the pointer variable",
                        );
                    }
                };
                borrows.push(Borrow {
                    root: self.array_of(arg),
                    place: place.text.clone(),
                    mutable: true,
                    span: arg.span,
                    arg: 0,
                    one: true,
                });
                Ok(Code::atom(format!("&mut {}", place.text)))
            }
            Shape::One => {
                if is_null(arg) {
                    return refuse(
                        codes::LOST_POINTER,
                        arg.span,
                        "a null pointer is passed where an object is used",
                        "pass an object",
                    );
                }
                let pointer = self.pointer(arg)?;
                borrows.push(Borrow {
                    root: self.array_of(arg),
                    place: if pointer.single {
                        pointer.base.text.clone()
                    } else {
                        pointer.base.index(&pointer.at()).text
                    },
                    mutable,
                    span: arg.span,
                    arg: 0,
                    one: true,
                });
                let place = if pointer.single {
                    pointer.base.clone()
                } else {
                    pointer.base.index(&pointer.at())
                };
                // Passing a reference on needs no new one.
                match place.text.strip_prefix('*') {
                    Some(name) if pointer.reference => Ok(Code::atom(name.to_string())),
                    _ => Ok(Code::atom(format!("{reference}{}", place.text))),
                }
            }
            _ => {
                if is_null(arg) {
                    return Ok(Code::atom(format!("{reference}[]")));
                }
                if let (ExprKind::Str(bytes), Type::Int(IntKind::UChar)) =
                    (&arg.stripped().kind, &to)
                {
                    let bytes: Vec<String> = bytes.iter().chain([&0]).map(u8::to_string).collect();
                    return Ok(Code::atom(format!("&[{}]", bytes.join(", "))));
                }
                if let Some((code, place)) = self.whole_rows(arg, &to, mutable)? {
                    borrows.push(Borrow {
                        root: self.array_of(arg),
                        place,
                        mutable,
                        span: arg.span,
                        arg: 0,
                        one: false,
                    });
                    return Ok(code);
                }
                let element = arg
                    .stripped()
                    .ty
                    .element()
                    .cloned()
                    .or(arg.ty.element().cloned());
                if let Some(element) = element
                    && element != to
                    && element != Type::Void
                    && !matches!((&element, &to), (Type::Array(a, _), b) if **a == *b)
                    && !matches!((&element, &to), (Type::Array(a, _), Type::Array(b, _)) if a == b)
                    && Self::element_text(&element) != Self::element_text(&to)
                {
                    let number = element.is_arithmetic()
                        && !matches!(element, Type::Int(IntKind::Bool) | Type::LongDouble);
                    if let ExprKind::Cast {
                        value,
                        explicit: true,
                    } = &arg.bare().kind
                        && to == Type::Int(IntKind::UChar)
                        && number
                        && !mutable
                    {
                        return self.bytes_of(value);
                    }
                    if matches!(to, Type::Array(..)) && *to.innermost() == element {
                        let mut elements = arg;
                        while let ExprKind::Cast { value, .. } = &elements.kind {
                            elements = value;
                        }
                        let pointer = self.pointer(elements)?;
                        let slice = self.slice(&pointer, mutable);
                        let rows = super::whole_rows::in_rows(&slice, &element, &to, mutable);
                        if let Some(rows) = rows.filter(|_| !pointer.text) {
                            borrows.push(Borrow {
                                root: self.array_of(arg),
                                place: pointer.base.text,
                                mutable,
                                span: arg.span,
                                arg: 0,
                                one: false,
                            });
                            return Ok(rows);
                        }
                    }
                    return refuse(
                        codes::POINTER_CAST,
                        arg.span,
                        "data is passed as another type",
                        "copy the values with a conversion instead",
                    );
                }
                if self.is_text(arg) {
                    if let ExprKind::Str(bytes) = &arg.stripped().kind {
                        let bytes = crate::translate::base::text::byte_array(bytes, None);
                        return Ok(Code::atom(format!("&{bytes}")));
                    }
                    // Literals are constant in C too, so a copy serves.
                    let text = self.text(arg)?;
                    let bytes = Code::call(&self.helper("c_string"), &[text]);
                    return Ok(Code::atom(format!("{reference}{}", bytes.text)));
                }
                let pointer = self.pointer(arg)?;
                if pointer.text {
                    return refuse(
                        codes::UNSUPPORTED_EXPRESSION,
                        arg.span,
                        "a string is passed as an array",
                        "keep it in a `char` array",
                    );
                }
                borrows.push(Borrow {
                    root: self.array_of(arg),
                    place: pointer.base.text.clone(),
                    mutable,
                    span: arg.span,
                    arg: 0,
                    one: false,
                });
                let slice = self.slice(&pointer, mutable);
                // A parameter of variable extents is flat; what is passed may not be.
                let rows = arg.stripped().ty.clone();
                if Self::flat(&var.ty)
                    && !Self::flat(&rows)
                    && matches!(rows.element(), Some(Type::Array(..)))
                {
                    return Ok(slice.method(
                        if mutable {
                            "as_flattened_mut"
                        } else {
                            "as_flattened"
                        },
                        &[],
                    ));
                }
                Ok(slice)
            }
        }
    }

    /// The bytes of numbers, copied out to be read.
    fn bytes_of(&mut self, numbers: &Expr) -> Emitted<Code> {
        let numbers = if self.is_text(numbers) {
            let text = self.text(numbers)?;
            let chars = Code::call(&self.helper("c_string"), &[text]);
            Code::atom(format!("&{}", chars.text))
        } else {
            let pointer = self.pointer(numbers)?;
            self.slice(&pointer, false)
        };
        let bytes = Code::call(&self.helper("bytes"), &[numbers]);
        Ok(Code::atom(format!("&{}", bytes.text)))
    }

    fn element_text(ty: &Type) -> String {
        super::convert::number(ty).to_string()
            + if matches!(ty, Type::Struct(_)) {
                "struct"
            } else {
                ""
            }
    }

    /// A pointer as a slice from its position on.
    pub(super) fn slice(&self, pointer: &Pointer, mutable: bool) -> Code {
        let reference = if mutable { "&mut " } else { "&" };
        if pointer.single {
            let from = if mutable {
                "std::slice::from_mut"
            } else {
                "std::slice::from_ref"
            };
            return match pointer.base.text.strip_prefix('*') {
                Some(name) if pointer.reference => {
                    Code::call(from, &[Code::atom(name.to_string())])
                }
                _ => Code::call(
                    from,
                    &[Code::atom(format!("{reference}{}", pointer.base.text))],
                ),
            };
        }
        match &pointer.offset {
            Some(at) => Code::atom(format!(
                "{reference}{}[{}..]",
                pointer.base.receiver(),
                at.at(crate::translate::base::code::Prec::Or)
            )),
            None if pointer.reference => pointer.base.clone(),
            None => Code::atom(format!("{reference}{}", pointer.base.text)),
        }
    }
}
