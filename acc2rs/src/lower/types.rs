//! Declaration specifiers and declarators to types (C11 6.7.2 to 6.7.7).

use lang_c::ast;
use lang_c::span::Node;

use super::{Lowered, Lowerer, Symbol, fail};
use crate::codes;
use crate::ctypes::{Extent, ExtentId, FnType, INT, IntKind, SIZE, StructId, Type};
use crate::source::Span;
use crate::typed::{Enum, Expr, Field, Item, ItemKind, Struct, consts};

/// What declaration specifiers say.
#[derive(Clone, Debug)]
pub(super) struct Specifiers {
    pub(super) ty: Type,
    pub(super) constant: bool,
    pub(super) storage: Option<ast::StorageClassSpecifier>,
    /// The user's typedef that named the type.
    pub(super) typedef: Option<String>,
}

/// What a declarator declares.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) name: Option<(String, Span)>,
    pub(super) ty: Type,
    pub(super) constant: bool,
    /// Extents as written, outermost first.
    pub(super) extents: Vec<Option<Expr>>,
}

enum Part<'n> {
    Type(&'n Node<ast::TypeSpecifier>),
    Qualifier(&'n ast::TypeQualifier),
}

impl Lowerer<'_> {
    pub(super) fn declaration_specifiers(
        &mut self,
        list: &[Node<ast::DeclarationSpecifier>],
        span: Span,
    ) -> Lowered<Specifiers> {
        let mut parts = Vec::new();
        let mut storage = None;
        for node in list {
            match &node.node {
                ast::DeclarationSpecifier::StorageClass(class) => {
                    storage = Some(class.node.clone())
                }
                ast::DeclarationSpecifier::TypeSpecifier(t) => parts.push(Part::Type(t)),
                ast::DeclarationSpecifier::TypeQualifier(q) => parts.push(Part::Qualifier(&q.node)),
                ast::DeclarationSpecifier::Function(_)
                | ast::DeclarationSpecifier::Alignment(_)
                | ast::DeclarationSpecifier::Extension(_) => {}
            }
        }
        self.specifiers(&parts, storage, span)
    }

    pub(super) fn qualifier_specifiers(
        &mut self,
        list: &[Node<ast::SpecifierQualifier>],
        span: Span,
    ) -> Lowered<Specifiers> {
        let parts: Vec<_> = list
            .iter()
            .filter_map(|node| match &node.node {
                ast::SpecifierQualifier::TypeSpecifier(t) => Some(Part::Type(t)),
                ast::SpecifierQualifier::TypeQualifier(q) => Some(Part::Qualifier(&q.node)),
                ast::SpecifierQualifier::Extension(_) => None,
            })
            .collect();
        self.specifiers(&parts, None, span)
    }

    fn specifiers(
        &mut self,
        parts: &[Part<'_>],
        storage: Option<ast::StorageClassSpecifier>,
        span: Span,
    ) -> Lowered<Specifiers> {
        use ast::TypeSpecifier as T;
        let mut out = Specifiers {
            ty: INT,
            constant: false,
            storage,
            typedef: None,
        };
        let (mut long, mut short, mut signed, mut unsigned) = (0, false, false, false);
        let mut base: Option<Type> = None;
        for part in parts {
            let node = match part {
                Part::Qualifier(q) => {
                    out.constant |= matches!(q, ast::TypeQualifier::Const);
                    continue;
                }
                Part::Type(node) => node,
            };
            let at = self.span(node.span);
            match &node.node {
                T::Void => base = Some(Type::Void),
                T::Char => base = Some(Type::Int(IntKind::Char)),
                T::Short => short = true,
                T::Int => {}
                T::Long => long += 1,
                T::Float => base = Some(Type::Float),
                T::Double => base = Some(Type::Double),
                T::Signed => signed = true,
                T::Unsigned => unsigned = true,
                T::Bool => base = Some(Type::Int(IntKind::Bool)),
                T::Complex => {
                    return fail(
                        codes::UNSUPPORTED_TYPE,
                        at,
                        "complex numbers are not translated",
                        "keep real and imaginary parts in two variables",
                    );
                }
                T::Atomic(name) => base = Some(self.type_name(name)?),
                T::Struct(s) => base = Some(Type::Struct(self.structure(s)?)),
                T::Enum(e) => {
                    self.enumeration(e)?;
                    base = Some(INT);
                }
                T::TypedefName(name) => {
                    let name = &name.node.name;
                    base = Some(match self.lookup(name) {
                        Some(Symbol::Typedef { ty, user }) => {
                            let (ty, user) = (ty.clone(), *user);
                            out.typedef = user.then(|| name.clone());
                            ty
                        }
                        _ if name == "__builtin_va_list" => super::variadic::list(),
                        _ => {
                            return fail(
                                codes::UNSUPPORTED_TYPE,
                                at,
                                format!("the type `{name}` is not translated"),
                                "use a type of the C language",
                            );
                        }
                    });
                }
                T::TypeOf(of) => {
                    base = Some(match &of.node {
                        ast::TypeOf::Expression(e) => self.expr(e)?.ty,
                        ast::TypeOf::Type(name) => self.type_name(name)?,
                    });
                }
                T::TS18661Float(float) => {
                    base = Some(match float.width {
                        32 => Type::Float,
                        64 => Type::Double,
                        _ => {
                            return fail(
                                codes::UNSUPPORTED_TYPE,
                                at,
                                "this floating type is not translated",
                                "use `float` or `double`",
                            );
                        }
                    });
                }
            }
        }
        out.ty = match base {
            Some(Type::Int(IntKind::Char)) if unsigned => Type::Int(IntKind::UChar),
            Some(Type::Int(IntKind::Char)) if signed => Type::Int(IntKind::SChar),
            Some(Type::Double) if long > 0 => Type::LongDouble,
            Some(ty) => ty,
            None => Type::Int(match (short, long, unsigned) {
                (true, _, false) => IntKind::Short,
                (true, _, true) => IntKind::UShort,
                (_, 0, false) => IntKind::Int,
                (_, 0, true) => IntKind::UInt,
                (_, 1, false) => IntKind::Long,
                (_, 1, true) => IntKind::ULong,
                (_, _, false) => IntKind::LongLong,
                (_, _, true) => IntKind::ULongLong,
            }),
        };
        let _ = span;
        Ok(out)
    }

    /// A type name, as in a cast.
    pub(super) fn type_name(&mut self, node: &Node<ast::TypeName>) -> Lowered<Type> {
        let span = self.span(node.span);
        let spec = self.qualifier_specifiers(&node.node.specifiers, span)?;
        match &node.node.declarator {
            Some(declarator) => Ok(self.declarator(&spec, declarator)?.ty),
            None => Ok(spec.ty),
        }
    }

    pub(super) fn declarator(
        &mut self,
        spec: &Specifiers,
        node: &Node<ast::Declarator>,
    ) -> Lowered<Declared> {
        let mut ty = spec.ty.clone();
        let mut constant = spec.constant;
        let derived = &node.node.derived;
        let pointers = derived
            .iter()
            .take_while(|d| matches!(d.node, ast::DerivedDeclarator::Pointer(_)))
            .count();
        for part in &derived[..pointers] {
            if let ast::DerivedDeclarator::Pointer(qualifiers) = &part.node {
                ty = self.pointer_to(ty, constant);
                constant = qualifiers.iter().any(|q| {
                    matches!(&q.node, ast::PointerQualifier::TypeQualifier(q) if q.node == ast::TypeQualifier::Const)
                });
            }
        }
        let mut extents = Vec::new();
        for part in derived[pointers..].iter().rev() {
            let at = self.span(part.span);
            match &part.node {
                ast::DerivedDeclarator::Array(array) => {
                    let (extent, written) = self.extent(&array.node.size, at)?;
                    extents.insert(0, written);
                    ty = Type::Array(Box::new(ty), extent);
                }
                ast::DerivedDeclarator::Function(function) => {
                    ty = Type::Function(Box::new(self.prototype(ty, &function.node)))
                }
                ast::DerivedDeclarator::KRFunction(_) => {
                    ty = Type::Function(Box::new(FnType {
                        ret: ty,
                        params: Vec::new(),
                        variadic: false,
                        prototyped: false,
                    }));
                }
                ast::DerivedDeclarator::Pointer(_) => {
                    ty = self.pointer_to(ty, false);
                }
                ast::DerivedDeclarator::Block(_) => {
                    return fail(
                        codes::UNSUPPORTED_TYPE,
                        at,
                        "blocks are not translated",
                        "use a function",
                    );
                }
            }
        }
        match &node.node.kind.node {
            ast::DeclaratorKind::Abstract => Ok(Declared {
                name: None,
                ty,
                constant,
                extents,
            }),
            ast::DeclaratorKind::Identifier(id) => {
                let name = Some((id.node.name.clone(), self.span(id.span)));
                Ok(Declared {
                    name,
                    ty,
                    constant,
                    extents,
                })
            }
            ast::DeclaratorKind::Declarator(inner) => {
                let spec = Specifiers {
                    ty,
                    constant,
                    storage: None,
                    typedef: None,
                };
                let mut declared = self.declarator(&spec, inner)?;
                declared.extents.extend(extents);
                Ok(declared)
            }
        }
    }

    /// The type of a pointer; that to a `FILE` is a stream.
    fn pointer_to(&self, to: Type, constant: bool) -> Type {
        match to {
            Type::Struct(id) if self.program.structure(id).name == "_IO_FILE" => Type::Stream,
            to => Type::Pointer {
                to: Box::new(to),
                constant,
            },
        }
    }

    fn extent(&mut self, size: &ast::ArraySize, at: Span) -> Lowered<(Extent, Option<Expr>)> {
        let written = match size {
            ast::ArraySize::Unknown | ast::ArraySize::VariableUnknown => {
                return Ok((Extent::Unknown, None));
            }
            ast::ArraySize::VariableExpression(e) | ast::ArraySize::StaticExpression(e) => {
                self.rvalue(e)?
            }
        };
        if !written.ty.is_int() {
            return fail(
                codes::TYPE_ERROR,
                at,
                "the size of an array must be an integer",
                "",
            );
        }
        match consts::int_value(&written, &self.program) {
            Some(n) if n >= 0 => Ok((Extent::Fixed(n as u64), Some(written))),
            Some(n) => fail(
                codes::TYPE_ERROR,
                at,
                format!("an array of {n} elements"),
                "give it a size that is not negative",
            ),
            None => {
                self.program.extents.push(written);
                Ok((
                    Extent::Runtime(ExtentId(self.program.extents.len() as u32 - 1)),
                    None,
                ))
            }
        }
    }

    /// The type of a function from its parameter list. Extents that need a parameter's value are
    /// left unknown; a definition's parameters are lowered again in its own scope.
    fn prototype(&mut self, ret: Type, function: &ast::FunctionDeclarator) -> FnType {
        let mut params = Vec::new();
        for node in &function.parameters {
            let span = self.span(node.span);
            let (ty, constant) = match self.declaration_specifiers(&node.node.specifiers, span) {
                Ok(spec) => match &node.node.declarator {
                    Some(d) => {
                        let ty = self.declarator(&spec, d).map_or(spec.ty.clone(), |d| d.ty);
                        (ty, spec.constant)
                    }
                    None => (spec.ty, false),
                },
                Err(_) => (INT, false),
            };
            params.push(match ty {
                Type::Array(to, _) => Type::Pointer { to, constant },
                other => other.decayed(),
            });
        }
        if params == [Type::Void] {
            params.clear();
        }
        FnType {
            ret,
            params,
            variadic: function.ellipsis == ast::Ellipsis::Some,
            prototyped: true,
        }
    }

    fn structure(&mut self, node: &Node<ast::StructType>) -> Lowered<StructId> {
        let span = self.span(node.span);
        let tag = node.node.identifier.as_ref().map(|i| i.node.name.clone());
        let union = node.node.kind.node == ast::StructKind::Union;
        let place = self.sources.place(span);
        if node.node.declarations.is_some()
            && let Some(known) = place.and_then(|p| self.placed.get(&p).copied())
        {
            if let (Some(tag), Some(scope)) = (tag, self.scopes.last_mut()) {
                scope.structs.insert(tag, known);
            }
            return Ok(known);
        }
        let defines = node.node.declarations.is_some();
        let known = tag.as_ref().and_then(|tag| {
            let mut scopes: Box<dyn Iterator<Item = &super::Scope>> =
                Box::new(self.scopes.iter().rev());
            if defines {
                scopes = Box::new(self.scopes.iter().rev().take(1));
            }
            scopes.into_iter().find_map(|s| s.structs.get(tag).copied())
        });
        let id = match known.filter(|id| !defines || self.program.structure(*id).fields.is_none()) {
            Some(id) => id,
            None => {
                let id = StructId(self.program.structs.len() as u32);
                let name = tag.clone().unwrap_or_else(|| format!("Anonymous{}", id.0));
                self.program.structs.push(Struct {
                    name,
                    fields: None,
                    span,
                    user: !self.system,
                    union,
                });
                if let (Some(tag), Some(scope)) = (tag.clone(), self.scopes.last_mut()) {
                    scope.structs.insert(tag, id);
                }
                id
            }
        };
        if let Some(declarations) = &node.node.declarations {
            let fields = self.fields(declarations)?;
            // The C library's structs are the same ones in every file.
            let same = |s: &Struct| {
                let alike = |(a, b): (&Field, &Field)| a.name == b.name && a.ty == b.ty;
                let known = s.fields.as_deref().unwrap_or_default();
                !s.user
                    && s.union == union
                    && tag.as_ref() == Some(&s.name)
                    && known.len() == fields.len()
                    && known.iter().zip(&fields).all(alike)
            };
            if self.system
                && let Some(known) = self.program.structs.iter().position(same)
                && let (Some(tag), Some(scope)) = (&tag, self.scopes.last_mut())
            {
                let known = StructId(known as u32);
                scope.structs.insert(tag.clone(), known);
                return Ok(known);
            }
            let shape = &mut self.program.structs[id.0 as usize];
            shape.fields = Some(fields);
            shape.span = span;
            shape.user = !self.system;
            if let Some(place) = place {
                self.placed.insert(place, id);
                let comments = self.margin.comments_before(self.sources, span);
                self.program.items.push(Item {
                    kind: ItemKind::Struct(id),
                    span,
                    comments,
                });
            }
        }
        Ok(id)
    }

    fn fields(&mut self, declarations: &[Node<ast::StructDeclaration>]) -> Lowered<Vec<Field>> {
        let mut fields = Vec::new();
        for node in declarations {
            let ast::StructDeclaration::Field(field) = &node.node else {
                continue;
            };
            let span = self.span(node.span);
            let spec = self.qualifier_specifiers(&field.node.specifiers, span)?;
            for one in &field.node.declarators {
                if one.node.bit_width.is_some() && !self.system {
                    return fail(
                        codes::UNSUPPORTED_TYPE,
                        self.span(one.span),
                        "bit-fields are not translated",
                        "give the field an integer type of its own",
                    );
                }
                let Some(declarator) = &one.node.declarator else {
                    continue;
                };
                let declared = self.declarator(&spec, declarator)?;
                let Some((name, span)) = declared.name else {
                    continue;
                };
                fields.push(Field {
                    name,
                    ty: declared.ty,
                    span,
                    extents: declared.extents,
                });
            }
            if field.node.declarators.is_empty()
                && matches!(spec.ty, Type::Struct(_))
                && !self.system
            {
                return fail(
                    codes::UNSUPPORTED_TYPE,
                    span,
                    "an anonymous member is not translated",
                    "give the member a name",
                );
            }
        }
        Ok(fields)
    }

    fn enumeration(&mut self, node: &Node<ast::EnumType>) -> Lowered<()> {
        let mut next = 0i64;
        let mut constants = Vec::new();
        for one in &node.node.enumerators {
            let name = one.node.identifier.node.name.clone();
            if let Some(written) = &one.node.expression {
                let span = self.span(written.span);
                let value = self.rvalue(written)?;
                next = match consts::int_value(&value, &self.program)
                    .and_then(|v| i64::try_from(v).ok())
                {
                    Some(v) => v,
                    None => {
                        return fail(
                            codes::NOT_CONSTANT,
                            span,
                            "the value of an enumeration constant must be constant",
                            "",
                        );
                    }
                };
            }
            self.declare(&name, Symbol::EnumConst(next));
            constants.push((name, next));
            next = next.wrapping_add(1);
        }
        let span = self.span(node.span);
        let fresh = !self.program.enums.iter().any(|e| e.constants == constants);
        if !constants.is_empty() && !self.system && fresh {
            self.program.enums.push(Enum {
                name: node.node.identifier.as_ref().map(|i| i.node.name.clone()),
                constants,
            });
            let comments = self.margin.comments_before(self.sources, span);
            self.program.items.push(Item {
                kind: ItemKind::Enum(self.program.enums.len() - 1),
                span,
                comments,
            });
        }
        Ok(())
    }

    /// Types that the C library names and Rust has its own name for.
    pub(super) fn well_known(name: &str) -> Option<Type> {
        Some(match name {
            "size_t" => SIZE,
            _ => return None,
        })
    }
}
