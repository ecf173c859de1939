//! C types as Rust types, and their zero values.

use super::state::{Emit, Emitted, refuse};
use crate::codes;
use crate::ctypes::{Extent, IntKind, StructId, Type};
use crate::source::Span;
use crate::translate::base::flows::Holder;
use crate::translate::memory::shape::Shape;
use crate::typed::{Storage, VarId, consts};

/// Arrays larger than this many bytes become `Vec`s: Rust would build them on the stack first.
const LARGEST_ARRAY: u64 = 8192;

impl Emit<'_> {
    /// The Rust type of a value that is no pointer.
    pub(super) fn rust_type(&mut self, ty: &Type, at: Span) -> Emitted<String> {
        Ok(match ty {
            Type::Void => "()".into(),
            Type::Int(kind) => kind.rust().into(),
            Type::Float => "f32".into(),
            Type::Double => "f64".into(),
            Type::LongDouble => {
                return refuse(
                    codes::UNSUPPORTED_TYPE,
                    at,
                    "`long double` is not translated",
                    "use `double`: Rust has no wider floating type",
                );
            }
            Type::Struct(id) => {
                if self.program.structure(*id).union {
                    return refuse(
                        codes::UNION,
                        at,
                        "unions are not translated",
                        "use a struct with a field for each member",
                    );
                }
                self.out.structs.insert(*id);
                self.struct_name(*id)
            }
            Type::Array(of, Extent::Fixed(n)) => {
                let of = self.rust_type(of, at)?;
                format!("[{of}; {n}]")
            }
            Type::Array(..) => {
                return refuse(
                    codes::UNSUPPORTED_TYPE,
                    at,
                    "an array of variable length inside another type",
                    "allocate it with `malloc`",
                );
            }
            Type::Pointer { to, .. } if ty.is_function_pointer() => match &**to {
                Type::Function(ty) => self.function_type(&ty.clone(), at)?,
                _ => String::new(),
            },
            Type::Pointer { to, constant } if self.shapes.text_rows(to, *constant) => {
                "&'static str".into()
            }
            Type::Pointer { to, .. } => {
                let to = self.rust_type(to, at)?;
                format!("Vec<{to}>")
            }
            Type::Stream => self.helper("File"),
            Type::Function(_) => {
                return refuse(
                    codes::FUNCTION_POINTER,
                    at,
                    "pointers to functions are not translated",
                    "call the function by name",
                );
            }
        })
    }

    pub(super) fn struct_name(&self, id: StructId) -> String {
        crate::translate::base::names::sanitized(&self.program.structure(id).name)
    }

    /// Whether an array is kept in a `Vec`.
    pub(super) fn boxed(&self, ty: &Type) -> bool {
        match ty {
            Type::Array(_, Extent::Runtime(_)) => true,
            Type::Array(of, _) => {
                consts::size_of(ty, self.program).is_none_or(|size| size > LARGEST_ARRAY)
                    || of.innermost().is_pointer()
            }
            _ => false,
        }
    }

    /// Whether an array of arrays is kept as one flat `Vec`, because an inner extent is not constant.
    pub(super) fn flat(ty: &Type) -> bool {
        match ty {
            Type::Array(of, _) | Type::Pointer { to: of, .. } => {
                matches!(&**of, Type::Array(_, Extent::Runtime(_)))
                    || matches!(&**of, Type::Array(..)) && Self::flat(of)
            }
            _ => false,
        }
    }

    /// The element type under all array levels, for flat arrays.
    fn flat_element(&mut self, ty: &Type, at: Span) -> Emitted<String> {
        self.rust_type(&ty.innermost().clone(), at)
    }

    /// The type of what a pointer of some shape refers to, element by element.
    fn element_type(&mut self, to: &Type, at: Span) -> Emitted<String> {
        if let Type::Array(_, Extent::Runtime(_)) = to {
            return self.flat_element(to, at);
        }
        self.rust_type(to, at)
    }

    /// The type of a variable, parameter or global.
    pub(super) fn var_type(&mut self, id: VarId) -> Emitted<String> {
        let var = self.program.var(id);
        let (ty, span) = (var.ty.clone(), var.span);
        if let Type::Pointer { to, .. } = &ty
            && ty.is_pointer()
        {
            let shape = self.shapes.var(id).cloned().unwrap_or(Shape::Owned);
            return self.pointer_type(to, &shape, self.shapes.mutable(id), span);
        }
        if self.boxed(&ty)
            && let Type::Array(of, _) = &ty
        {
            let of = if Self::flat(&ty) {
                self.flat_element(of, span)?
            } else {
                self.rust_type(of, span)?
            };
            return Ok(format!("Vec<{of}>"));
        }
        self.rust_type(&ty, span)
    }

    fn pointer_type(
        &mut self,
        to: &Type,
        shape: &Shape,
        mutable: bool,
        at: Span,
    ) -> Emitted<String> {
        let reference = if mutable { "&mut " } else { "&" };
        Ok(match shape {
            Shape::Owned if *to == Type::Void => {
                return refuse(
                    codes::POINTER_CAST,
                    at,
                    "memory without an element type",
                    "give the pointer the type of what it points to",
                );
            }
            Shape::Owned => format!("Vec<{}>", self.element_type(to, at)?),
            Shape::Slice | Shape::One if *to == Type::Void => {
                return refuse(
                    codes::POINTER_CAST,
                    at,
                    "`void *` parameters are not translated",
                    "give the parameter the type of what it points to",
                );
            }
            Shape::Slice => format!("{reference}[{}]", self.element_type(to, at)?),
            Shape::One => format!("{reference}{}", self.element_type(to, at)?),
            Shape::OwnedRef => format!("&mut {}", self.rust_type(to, at)?),
            Shape::Cursor { .. } => "usize".into(),
            Shape::Text => {
                let life = if self.here.in_item { "'static " } else { "" };
                format!("&{life}str")
            }
        })
    }

    /// What a function returns.
    pub(super) fn return_type(&mut self, id: crate::typed::FnId) -> Emitted<Option<String>> {
        let function = self.program.function(id);
        let (ret, span) = (function.ty.ret.clone(), function.span);
        Ok(match &ret {
            Type::Void => None,
            Type::Pointer { to, .. } if ret.is_pointer() => {
                let shape = self
                    .shapes
                    .get(Holder::Return(id))
                    .cloned()
                    .unwrap_or(Shape::Owned);
                let text = self.pointer_type(to, &shape, false, span)?;
                Some(if shape == Shape::Text {
                    "&'static str".into()
                } else {
                    text
                })
            }
            other => Some(self.rust_type(other, span)?),
        })
    }

    /// The type of a struct's field.
    pub(super) fn field_type(&mut self, id: StructId, at: u32) -> Emitted<String> {
        let Some(field) = self
            .program
            .structure(id)
            .fields
            .as_ref()
            .map(|f| f[at as usize].clone())
        else {
            return Ok("()".into());
        };
        match &field.ty {
            Type::Pointer { to, .. } if field.ty.is_pointer() => {
                let shape = self
                    .shapes
                    .get(Holder::Field(id, at))
                    .cloned()
                    .unwrap_or(Shape::Owned);
                let text = self.pointer_type(to, &shape, false, field.span)?;
                Ok(if shape == Shape::Text {
                    "&'static str".into()
                } else {
                    text
                })
            }
            Type::Array(of, _) if of.innermost().is_pointer() => {
                Ok(format!("Vec<{}>", self.rust_type(of, field.span)?))
            }
            other => self.rust_type(other, field.span),
        }
    }

    /// Whether a struct can be copied: it owns no memory.
    pub(super) fn is_copy(&self, id: StructId) -> bool {
        self.program
            .structure(id)
            .fields
            .iter()
            .flatten()
            .enumerate()
            .all(|(at, f)| match &f.ty {
                Type::Pointer { .. } => {
                    f.ty.is_function_pointer()
                        || matches!(
                            self.shapes.get(Holder::Field(id, at as u32)),
                            Some(Shape::Text)
                        )
                }
                Type::Array(of, _) => match of.innermost() {
                    Type::Struct(inner) => self.is_copy(*inner),
                    other => !other.is_pointer(),
                },
                Type::Struct(inner) => self.is_copy(*inner),
                _ => true,
            })
    }

    /// The zero of a type, as C initializes statics.
    pub(super) fn zero(&mut self, ty: &Type, at: Span) -> Emitted<String> {
        Ok(match ty {
            Type::Int(IntKind::Bool) => "false".into(),
            Type::Int(_) => "0".into(),
            Type::Float | Type::Double => "0.0".into(),
            Type::Pointer { .. } if ty.is_function_pointer() => {
                return refuse(
                    codes::FUNCTION_POINTER,
                    at,
                    "a pointer to a function without a function",
                    "initialize it where it is declared",
                );
            }
            Type::Pointer { to, constant } if self.shapes.text_rows(to, *constant) => "\"\"".into(),
            Type::Pointer { .. } => "Vec::new()".into(),
            Type::Stream => format!("{}::NULL", self.helper("File")),
            Type::Struct(id) => {
                self.out.structs.insert(*id);
                self.out.zeroed.insert(*id);
                format!("{}::zeroed()", self.struct_name(*id))
            }
            Type::Array(of, Extent::Fixed(n)) => {
                if of.innermost().is_pointer() {
                    return Ok(format!("vec![{}; {n}]", self.zero(of, at)?));
                }
                // What holds memory is not copied.
                if matches!(of.innermost(), Type::Struct(id) if !self.is_copy(*id)) {
                    return Ok(format!("std::array::from_fn(|_| {})", self.zero(of, at)?));
                }
                format!("[{}; {n}]", self.zero(of, at)?)
            }
            other => {
                return refuse(
                    codes::UNSUPPORTED_TYPE,
                    at,
                    format!("`{other}` has no zero"),
                    "",
                );
            }
        })
    }

    /// The zero of a field, whose shape matters.
    pub(super) fn field_zero(&mut self, id: StructId, at: u32) -> Emitted<String> {
        let Some(field) = self
            .program
            .structure(id)
            .fields
            .as_ref()
            .map(|f| f[at as usize].clone())
        else {
            return Ok("()".into());
        };
        match self.shapes.get(Holder::Field(id, at)) {
            Some(Shape::Text) => Ok("\"\"".into()),
            Some(_) => Ok("Vec::new()".into()),
            None => self.zero(&field.ty, field.span),
        }
    }

    /// The zero of a variable.
    pub(super) fn var_zero(&mut self, id: VarId) -> Emitted<String> {
        let var = self.program.var(id);
        let (ty, span) = (var.ty.clone(), var.span);
        if ty.is_pointer() {
            return Ok(match self.shapes.var(id) {
                Some(Shape::Text) => "\"\"".into(),
                Some(Shape::Cursor { .. }) => "0".into(),
                Some(Shape::Slice) if self.shapes.mutable(id) => "&mut []".into(),
                Some(Shape::Slice) => "&[]".into(),
                _ => "Vec::new()".into(),
            });
        }
        if let Type::Array(of, extent) = &ty
            && self.boxed(&ty)
        {
            let flat = Self::flat(&ty);
            let mut len = self.extent(extent, self.first_extent(id))?;
            let mut inner: &Type = of;
            if flat {
                while let Type::Array(next, extent) = inner {
                    len = crate::translate::base::code::Code::binary(
                        "*",
                        crate::translate::base::code::Prec::Product,
                        &len,
                        &self.extent(extent, None)?,
                    );
                    inner = next;
                }
            }
            let zero = self.zero(&inner.clone(), span)?;
            return Ok(format!(
                "vec![{}; {}]",
                self.suffixed_zero(inner, zero),
                len.text
            ));
        }
        if let Type::Array(of, extent @ Extent::Fixed(_)) = &ty {
            let len = self.extent(extent, self.first_extent(id))?;
            let zero = self.zero(of, span)?;
            // What holds memory is not copied; the type says how many.
            if matches!(of.innermost(), Type::Struct(id) if !self.is_copy(*id)) {
                return Ok(format!("std::array::from_fn(|_| {zero})"));
            }
            return Ok(format!("[{zero}; {}]", len.text));
        }
        self.zero(&ty, span)
    }

    fn suffixed_zero(&self, ty: &Type, zero: String) -> String {
        match (ty, zero.as_str()) {
            (Type::Int(kind), "0") => format!("0_{}", kind.rust()),
            (Type::Float, _) => "0.0_f32".into(),
            (Type::Double, _) => "0.0_f64".into(),
            _ => zero,
        }
    }

    fn first_extent(&self, id: VarId) -> Option<crate::typed::Expr> {
        self.program.var(id).extents.first().cloned().flatten()
    }

    /// The number of elements as `usize`.
    pub(super) fn extent(
        &mut self,
        extent: &Extent,
        written: Option<crate::typed::Expr>,
    ) -> Emitted<crate::translate::base::code::Code> {
        match (extent, written) {
            (_, Some(expr)) => self.index(&expr),
            (Extent::Fixed(n), None) => Ok(crate::translate::base::code::Code::atom(n.to_string())),
            (Extent::Runtime(id), None) => {
                let expr = self.program.extents[id.0 as usize].clone();
                self.index(&expr)
            }
            (Extent::Unknown, None) => Ok(crate::translate::base::code::Code::atom("0")),
        }
    }

    /// Whether a variable lives in `globals`.
    pub(super) fn in_globals(&self, id: VarId) -> bool {
        crate::translate::base::places::is_global(self.program, id)
            && !self.is_constant_item(id)
            && !self.is_standard_stream(id)
    }

    /// Whether a global never changes: it becomes a `const` or `static`.
    pub(super) fn is_constant_item(&self, id: VarId) -> bool {
        let var = self.program.var(id);
        let facts = self.facts.var(id);
        let global = matches!(var.storage, Storage::Global { .. } | Storage::StaticLocal);
        let changed = facts.assigned + facts.stored > 0
            || self.shapes.mutable(id)
            || facts.address > 0 && !var.constant;
        let plain = !var.ty.is_pointer() || matches!(self.shapes.var(id), Some(Shape::Text));
        global && !changed && plain && !self.boxed_owner(&var.ty) && !self.is_standard_stream(id)
    }

    fn boxed_owner(&self, ty: &Type) -> bool {
        match ty {
            Type::Struct(id) => !self.is_copy(*id),
            Type::Array(of, Extent::Fixed(_)) => {
                self.boxed_owner(of) || of.innermost().is_pointer()
            }
            Type::Array(..) => true,
            _ => false,
        }
    }
}
