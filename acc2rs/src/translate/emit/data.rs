//! Constants, structs, globals, and what they start as.

use super::state::{Emit, Emitted, refuse};
use super::stmt::comments;
use crate::codes;
use crate::ctypes::{Extent, StructId, Type};
use crate::lower::is_null;
use crate::source::Span;
use crate::typed::{Comment, Init, ItemKind, Storage, VarId};

impl Emit<'_> {
    pub(super) fn constants_text(&mut self) -> String {
        let mut out = String::new();
        for (name, (ty, value)) in &self.out.constants {
            out.push_str(&format!("const {name}: {ty} = {value};\n"));
        }
        for declared in &self.program.enums {
            for (name, value) in &declared.constants {
                if self.out.enum_constants.contains(name) {
                    let ty = if i32::try_from(*value).is_ok() {
                        "i32"
                    } else {
                        "i64"
                    };
                    out.push_str(&format!(
                        "const {}: {ty} = {value};\n",
                        crate::translate::base::names::sanitized(name)
                    ));
                    self.out.enum_constants.remove(name);
                }
            }
        }
        // Constants of system headers' enumerations.
        for name in std::mem::take(&mut self.out.enum_constants) {
            if !self.out.constants.contains_key(&name)
                && let Some(value) = system_constant(&name)
            {
                out.push_str(&format!("const {name}: i32 = {value};\n"));
            }
        }
        out
    }

    pub(super) fn structure(&mut self, id: StructId) -> Emitted<String> {
        let shape = self.program.structure(id).clone();
        let Some(fields) = &shape.fields else {
            return refuse(
                codes::UNSUPPORTED_TYPE,
                shape.span,
                format!("`struct {}` is used but not defined", shape.name),
                "include its definition",
            );
        };
        if shape.union {
            return refuse(
                codes::UNION,
                shape.span,
                "unions are not translated",
                "use a struct with a field for each member",
            );
        }
        let mut out = String::new();
        for item in &self.program.items {
            if matches!(item.kind, ItemKind::Struct(of) if of == id) {
                out.push_str(&comments(&item.comments));
            }
        }
        let derive = if self.is_copy(id) {
            "Clone, Copy, Debug"
        } else {
            "Clone, Debug"
        };
        let unused = "#[allow(dead_code)]\n";
        let public = if self.facts.has_main { "" } else { "pub " };
        out.push_str(&format!(
            "{unused}#[derive({derive})]\n{public}struct {} {{\n",
            self.struct_name(id)
        ));
        self.here.in_item = true;
        for (at, field) in fields.iter().enumerate() {
            let ty = self.field_type(id, at as u32);
            self.here.in_item = false;
            let ty = ty?;
            self.here.in_item = true;
            out.push_str(&format!(
                "{public}{}: {ty},\n",
                crate::translate::base::names::sanitized(&field.name)
            ));
        }
        self.here.in_item = false;
        out.push_str("}\n");
        Ok(out)
    }

    pub(super) fn zeroed_impl(&mut self, id: StructId) -> Emitted<String> {
        let shape = self.program.structure(id).clone();
        let name = self.struct_name(id);
        let constant = self.is_copy(id);
        let mut out = format!(
            "impl {name} {{\n/// All fields zero, as C initializes them.\n{}fn zeroed() -> {name} {{\n{name} {{\n",
            if constant { "const " } else { "" }
        );
        for (at, field) in shape.fields.iter().flatten().enumerate() {
            let zero = self.field_zero(id, at as u32)?;
            out.push_str(&format!(
                "{}: {zero},\n",
                crate::translate::base::names::sanitized(&field.name)
            ));
        }
        out.push_str("}\n}\n}\n");
        Ok(out)
    }

    /// Globals: constants by themselves, the rest in one struct that functions are handed.
    pub(super) fn globals(&mut self) -> Emitted<String> {
        let mut out = String::new();
        let mut fields = String::new();
        let mut values = String::new();
        let wanted: Vec<VarId> = (0..self.program.vars.len() as u32)
            .map(VarId)
            .filter(|id| {
                let var = self.program.var(*id);
                matches!(var.storage, Storage::Global { .. } | Storage::StaticLocal)
                    && self.is_wanted(*id)
            })
            .collect();
        for id in wanted {
            let var = self.program.var(id).clone();
            if !var.defined {
                return refuse(
                    codes::UNKNOWN_NAME,
                    var.span,
                    format!(
                        "`{}` is declared but defined in none of the files given",
                        var.name
                    ),
                    "give the file that defines it too",
                );
            }
            let before: Vec<Comment> = self
                .program
                .items
                .iter()
                .filter(|i| matches!(i.kind, ItemKind::Global(g) if g == id))
                .flat_map(|i| i.comments.clone())
                .collect();
            // A position that never moves is the array itself.
            if let Some(crate::translate::memory::shape::Shape::Cursor { fixed: true, .. }) =
                self.shapes.var(id)
            {
                continue;
            }
            let name = self.naming.variables[crate::translate::base::names::at(id)].clone();
            if self.is_constant_item(id) {
                self.here.in_item = true;
                let ty = self.var_type_unboxed(id);
                self.here.in_item = false;
                let ty = ty?;
                let value = match &var.init {
                    Some(init) => self.initializer(&var.ty, init, var.span)?,
                    None => self.zero(&var.ty, var.span)?,
                };
                let word = if matches!(var.ty, Type::Array(..)) {
                    "static"
                } else {
                    "const"
                };
                out.push_str(&format!(
                    "{}{word} {name}: {ty} = {value};\n",
                    comments(&before)
                ));
                continue;
            }
            self.here.in_item = true;
            let ty = self.var_type(id);
            self.here.in_item = false;
            let ty = ty?;
            let value = match &var.init {
                Some(init) => {
                    let text = if var.ty.is_pointer() {
                        match init {
                            Init::Expr(e)
                                if matches!(
                                    self.shapes.var(id),
                                    Some(crate::translate::memory::shape::Shape::Text)
                                ) =>
                            {
                                self.text(e)?.text
                            }
                            Init::Expr(e)
                                if matches!(
                                    self.shapes.var(id),
                                    Some(crate::translate::memory::shape::Shape::Cursor { .. })
                                ) =>
                            {
                                if is_null(e) {
                                    "usize::MAX".into()
                                } else {
                                    self.pointer(e)?.at().text
                                }
                            }
                            Init::Expr(e) => self.owned(e, &var.ty)?.text,
                            Init::List(_) => "Vec::new()".into(),
                        }
                    } else {
                        self.initializer(&var.ty, init, var.span)?
                    };
                    if self.boxed(&var.ty) && text.starts_with('[') {
                        format!("vec!{text}")
                    } else {
                        text
                    }
                }
                None => self.var_zero(id)?,
            };
            fields.push_str(&format!("{}{name}: {ty},\n", comments(&before)));
            values.push_str(&format!("{name}: {value},\n"));
        }
        if !fields.is_empty() {
            let fields: String = fields
                .lines()
                .filter(|l| !l.starts_with("__comment!"))
                .map(|l| format!("{l}\n"))
                .collect();
            let public = if self.facts.has_main { "" } else { "pub " };
            out.push_str(&format!(
                "/// The variables that C keeps outside functions.\n{public}struct Globals {{\n{fields}}}\nimpl Globals {{\n/// Their values when the program starts.\n{public}fn new() -> Globals {{\nGlobals {{\n{values}}}\n}}\n}}\n"
            ));
        }
        Ok(out)
    }

    /// Whether some function that is translated mentions a global.
    pub(super) fn is_wanted(&self, id: VarId) -> bool {
        if self.is_standard_stream(id) {
            return false;
        }
        self.program
            .defined()
            .any(|f| self.facts.function(f).globals.contains(&id))
            || self.facts.var(id).uses > 0 && self.is_constant_item(id)
    }

    pub(super) fn var_type_unboxed(&mut self, id: VarId) -> Emitted<String> {
        let var = self.program.var(id);
        let (ty, span) = (var.ty.clone(), var.span);
        if ty.is_pointer() {
            return Ok("&str".into());
        }
        self.rust_type(&ty, span)
            .map(|t| t.replace("&'static str", "&str"))
    }

    /// An initializer as a value of its type.
    pub(super) fn initializer(&mut self, ty: &Type, init: &Init, at: Span) -> Emitted<String> {
        match (ty, init) {
            (Type::Array(_, Extent::Fixed(n)), Init::Expr(e)) => match &e.kind {
                crate::typed::ExprKind::Str(bytes) => {
                    Ok(crate::translate::base::text::byte_array(bytes, Some(*n)))
                }
                crate::typed::ExprKind::Literal(inner) => self.initializer(ty, inner, at),
                _ => Ok(self.assigned_value(e)?.text),
            },
            (_, Init::Expr(e)) if e.ty.is_pointer() => {
                let memory = matches!(&e.stripped().kind, crate::typed::ExprKind::Call { .. })
                    && !self.is_text(e);
                if e.ty.element().is_some_and(Type::is_char) && !memory {
                    Ok(self.text(e)?.text)
                } else {
                    Ok(self.owned(e, ty)?.text)
                }
            }
            (_, Init::Expr(e)) => Ok(self.assigned_value(e)?.text),
            (Type::Array(of, Extent::Fixed(n)), Init::List(list)) => self.array(of, *n, list, at),
            (Type::Struct(id), Init::List(list)) => {
                self.out.structs.insert(*id);
                let shape = self.program.structure(*id).clone();
                let mut parts = Vec::new();
                for (index, field) in shape.fields.iter().flatten().enumerate() {
                    let value = match list.iter().find(|(at, _)| *at == index as u64) {
                        Some((_, Init::Expr(e))) if field.ty.is_pointer() && is_null(e) => {
                            self.field_zero(*id, index as u32)?
                        }
                        Some((_, init)) => self.initializer(&field.ty, init, at)?,
                        None => self.field_zero(*id, index as u32)?,
                    };
                    parts.push(format!(
                        "{}: {value}",
                        crate::translate::base::names::sanitized(&field.name)
                    ));
                }
                Ok(format!(
                    "{} {{ {} }}",
                    self.struct_name(*id),
                    parts.join(", ")
                ))
            }
            (_, Init::List(list)) => match list.first() {
                Some((_, init)) => self.initializer(ty, init, at),
                None => self.zero(ty, at),
            },
        }
    }

    pub(super) fn array(
        &mut self,
        of: &Type,
        n: u64,
        list: &[(u64, Init)],
        at: Span,
    ) -> Emitted<String> {
        let zero_value = |i: &Init| {
            matches!(i, Init::Expr(e) if matches!(e.stripped().kind, crate::typed::ExprKind::Int(0)))
                || matches!(i, Init::List(l) if l.is_empty())
        };
        if list.iter().all(|(_, i)| zero_value(i)) && n > 1 {
            let zero = self.zero(of, at)?;
            return Ok(format!("[{zero}; {n}]"));
        }
        if n > 1 << 20 {
            return refuse(
                codes::UNSUPPORTED_EXPRESSION,
                at,
                "a very large initialized array",
                "fill it with a loop",
            );
        }
        let mut parts = Vec::new();
        for index in 0..n {
            parts.push(match list.binary_search_by_key(&index, |(at, _)| *at) {
                Ok(found) => self.initializer(of, &list[found].1, at)?,
                Err(_) => self.zero(of, at)?,
            });
        }
        Ok(format!("[{}]", parts.join(", ")))
    }
}

/// Constants of the OpenACC interface that programs name.
fn system_constant(name: &str) -> Option<i32> {
    Some(match name {
        "acc_device_current" | "acc_async_noval" => -1,
        "acc_device_none" | "acc_async_default" => 0,
        "acc_device_default" => 1,
        "acc_device_host" => 2,
        "acc_device_not_host" => 4,
        "acc_device_nvidia" => 5,
        "acc_device_radeon" => 8,
        "acc_async_sync" => -2,
        _ => return None,
    })
}
