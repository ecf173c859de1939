//! Declarations and function definitions.

use lang_c::ast;
use lang_c::span::Node;

use super::types::{Declared, Specifiers};
use super::{Lowered, Lowerer, Symbol, fail};
use crate::codes;
use crate::ctypes::{Extent, FnType, INT, Type};
use crate::diag::Diagnostic;
use crate::directive::{Directive, DirectiveKind};
use crate::source::Span;
use crate::typed::{Block, Expr, FnId, Function, Item, ItemKind, Storage, Typedef, Var, VarId};

impl Lowerer<'_> {
    /// Something at the top level of a unit.
    pub(super) fn external(&mut self, node: &Node<ast::ExternalDeclaration>) {
        let span = self.span(node.span);
        self.system = self
            .sources
            .place(Span {
                hi: span.lo + 1,
                ..span
            })
            .is_none();
        let mut routines = Vec::new();
        for directive in self.margin.directives_before(node.span.start) {
            if directive.kind == DirectiveKind::Routine && directive.name.is_none() {
                routines.extend(self.directive(&directive));
            } else {
                self.top_directive(directive);
            }
        }
        let result = match &node.node {
            ast::ExternalDeclaration::Declaration(d) => self.declaration(d, &routines).map(|_| ()),
            ast::ExternalDeclaration::StaticAssert(_) => Ok(()),
            ast::ExternalDeclaration::FunctionDefinition(f) => self.definition(f, routines),
        };
        if let Err(diagnostic) = result {
            self.report(*diagnostic);
        }
        self.system = false;
    }

    /// A declaration; gives the variables it declares.
    pub(super) fn declaration(
        &mut self,
        node: &Node<ast::Declaration>,
        routines: &[Directive<Expr>],
    ) -> Lowered<Vec<VarId>> {
        let span = self.span(node.span);
        let spec = self.declaration_specifiers(&node.node.specifiers, span)?;
        let mut vars = Vec::new();
        for one in &node.node.declarators {
            let declared = self.declarator(&spec, &one.node.declarator)?;
            let Some((name, at)) = declared.name.clone() else {
                continue;
            };
            if spec.storage == Some(ast::StorageClassSpecifier::Typedef) {
                self.typedef(&name, &declared, at);
            } else if let Type::Function(ty) = &declared.ty {
                let internal = spec.storage == Some(ast::StorageClassSpecifier::Static);
                let id = self.function(&name, (**ty).clone(), internal, at);
                self.program.functions[id.0 as usize]
                    .routines
                    .extend_from_slice(routines);
            } else if let Some(id) =
                self.variable(&spec, &name, declared, one.node.initializer.as_ref(), at)?
            {
                vars.push(id);
            }
        }
        Ok(vars)
    }

    fn typedef(&mut self, name: &str, declared: &Declared, at: Span) {
        let ty = Self::well_known(name)
            .filter(|_| self.system)
            .unwrap_or_else(|| declared.ty.clone());
        let user = !self.system;
        self.declare(
            name,
            Symbol::Typedef {
                ty: ty.clone(),
                user,
            },
        );
        if let Type::Struct(id) = &ty {
            let shape = &mut self.program.structs[id.0 as usize];
            if shape.name.starts_with("Anonymous") {
                shape.name = name.to_string();
                return;
            }
            if shape.name == name {
                return;
            }
        }
        let known = self
            .program
            .typedefs
            .iter()
            .any(|t| t.name == name && t.ty == ty);
        if user && !known {
            self.program.typedefs.push(Typedef {
                name: name.to_string(),
                ty,
            });
            let comments = self.margin.comments_before(self.sources, at);
            self.program.items.push(Item {
                kind: ItemKind::Typedef(self.program.typedefs.len() - 1),
                span: at,
                comments,
            });
        }
    }

    /// Declares a function, or finds the one that was.
    pub(super) fn function(&mut self, name: &str, ty: FnType, internal: bool, span: Span) -> FnId {
        let local = self.scopes.first().and_then(|s| s.names.get(name)).cloned();
        let known = local.or_else(|| {
            (!internal)
                .then(|| self.linked.get(name).cloned())
                .flatten()
        });
        // A `static inline` function of a header is one function, whichever files include it.
        let known = known.or_else(|| {
            let place = self.sources.place(span).filter(|_| internal)?;
            let same = |f: &Function| {
                f.internal && f.name == name && self.sources.place(f.span) == Some(place)
            };
            let at = self.program.functions.iter().position(same)?;
            Some(Symbol::Function(FnId(at as u32)))
        });
        let id = match known {
            Some(Symbol::Function(id)) => {
                let function = &mut self.program.functions[id.0 as usize];
                if !function.ty.prototyped && ty.prototyped {
                    function.ty = ty;
                }
                function.user |= !self.system;
                id
            }
            _ => {
                let id = FnId(self.program.functions.len() as u32);
                let name = name.to_string();
                let user = !self.system;
                self.program.functions.push(Function {
                    name,
                    ty,
                    params: Vec::new(),
                    body: None,
                    internal,
                    user,
                    span,
                    routines: Vec::new(),
                });
                id
            }
        };
        if !internal {
            self.linked.insert(name.to_string(), Symbol::Function(id));
        }
        if let Some(scope) = self.scopes.first_mut() {
            scope.names.insert(name.to_string(), Symbol::Function(id));
        }
        id
    }

    fn variable(
        &mut self,
        spec: &Specifiers,
        name: &str,
        declared: Declared,
        initializer: Option<&Node<ast::Initializer>>,
        at: Span,
    ) -> Lowered<Option<VarId>> {
        use ast::StorageClassSpecifier as S;
        let top = self.at_top();
        let external = spec.storage == Some(S::Extern);
        let storage = match (&spec.storage, top) {
            (Some(S::Static), true) => Storage::Global { internal: true },
            (Some(S::Extern), _) | (_, true) => Storage::Global { internal: false },
            (Some(S::Static), false) => Storage::StaticLocal,
            (_, false) => Storage::Local,
        };
        let internal = storage == Storage::Global { internal: true };
        let global = matches!(storage, Storage::Global { .. });
        let known = match self.scopes.first().and_then(|s| s.names.get(name)) {
            Some(Symbol::Var(id)) if global => Some(*id),
            _ if global && !internal => match self.linked.get(name) {
                Some(Symbol::Var(id)) => Some(*id),
                _ => None,
            },
            _ => None,
        };
        let defined = !self.system && (!external || initializer.is_some());
        let fresh = known.is_none();
        let id = known.unwrap_or(VarId(self.program.vars.len() as u32));
        if fresh {
            self.program.vars.push(Var {
                name: name.to_string(),
                ty: declared.ty.clone(),
                span: at,
                storage,
                constant: declared.constant,
                defined: false,
                init: None,
                extents: declared.extents.clone(),
                typedef: spec.typedef.clone(),
                array_param: None,
                owner: self.function,
            });
        } else if matches!(self.program.var(id).ty, Type::Array(_, Extent::Unknown)) {
            self.program.vars[id.0 as usize].ty = declared.ty.clone();
            self.program.vars[id.0 as usize]
                .extents
                .clone_from(&declared.extents);
        }
        // The name is in scope in its own initializer.
        self.declare(name, Symbol::Var(id));
        if global && !internal {
            self.linked.insert(name.to_string(), Symbol::Var(id));
        }
        if let Some(node) = initializer {
            let init = self.initializer(&declared.ty, node)?;
            let var = &mut self.program.vars[id.0 as usize];
            if let (Type::Array(of, Extent::Unknown), Some(len)) = (&declared.ty, init.1) {
                var.ty = Type::Array(of.clone(), Extent::Fixed(len));
            }
            if var.init.is_some() && global {
                let message = format!("`{name}` is defined twice");
                return Err(Box::new(
                    Diagnostic::new(codes::REDEFINED, at, message).also(var.span, "first here"),
                ));
            }
            var.init = Some(init.0);
        }
        if global {
            let var = &mut self.program.vars[id.0 as usize];
            if defined && !var.defined {
                var.defined = true;
                var.span = at;
                var.constant |= declared.constant;
                let comments = if top {
                    self.margin.comments_before(self.sources, at)
                } else {
                    Vec::new()
                };
                self.program.items.push(Item {
                    kind: ItemKind::Global(id),
                    span: at,
                    comments,
                });
            }
            return Ok(None);
        }
        self.program.vars[id.0 as usize].defined = true;
        if matches!(
            self.program.var(id).ty,
            Type::Void | Type::Array(_, Extent::Unknown)
        ) {
            return fail(
                codes::TYPE_ERROR,
                at,
                format!("`{name}` has an incomplete type"),
                "give it a size",
            );
        }
        Ok(Some(id))
    }

    fn definition(
        &mut self,
        node: &Node<ast::FunctionDefinition>,
        routines: Vec<Directive<Expr>>,
    ) -> Lowered<()> {
        let definition = &node.node;
        let span = self.span(node.span);
        let spec = self.declaration_specifiers(&definition.specifiers, span)?;
        let declared = self.declarator(&spec, &definition.declarator)?;
        let Some((name, at)) = declared.name else {
            return Ok(());
        };
        let Type::Function(ty) = declared.ty else {
            return fail(
                codes::TYPE_ERROR,
                at,
                format!("`{name}` has a body but is no function"),
                "",
            );
        };
        let internal = spec.storage == Some(ast::StorageClassSpecifier::Static);
        let id = self.function(&name, (*ty).clone(), internal, at);
        if self.system {
            return Ok(());
        }
        if self.program.function(id).body.is_some() {
            let first = self.program.function(id).span;
            // A header that two files include: the directives in it are those of the first.
            if self.sources.place(first) == self.sources.place(at) {
                self.margin.directives_before(node.span.end);
                return Ok(());
            }
            return Err(Box::new(
                Diagnostic::new(codes::REDEFINED, at, format!("`{name}` is defined twice"))
                    .also(first, "first here"),
            ));
        }
        let comments = self.margin.comments_before(self.sources, span);
        self.function = Some(id);
        let body = self.scoped(|this| -> Lowered<(Vec<VarId>, Block)> {
            let params = this.parameters(&definition.declarator, &definition.declarations)?;
            let ast::Statement::Compound(items) = &definition.statement.node else {
                return Ok((params, Block::default()));
            };
            let block = this.items(items, definition.statement.span);
            Ok((params, block))
        });
        self.function = None;
        let (params, body) = body?;
        let types = params
            .iter()
            .map(|p| self.program.var(*p).ty.clone())
            .collect();
        let function = &mut self.program.functions[id.0 as usize];
        function.ty.params = types;
        function.ty.prototyped = true;
        function.params = params;
        function.body = Some(body);
        function.span = at;
        function.internal = internal;
        function.routines.extend(routines);
        self.program.items.push(Item {
            kind: ItemKind::Function(id),
            span,
            comments,
        });
        Ok(())
    }

    fn parameters(
        &mut self,
        declarator: &Node<ast::Declarator>,
        old_style: &[Node<ast::Declaration>],
    ) -> Lowered<Vec<VarId>> {
        let mut vars = Vec::new();
        // The parameters belong to the innermost declarator: `int (*f(int x))[3]`.
        let mut inner = declarator;
        while let ast::DeclaratorKind::Declarator(next) = &inner.node.kind.node {
            inner = next;
        }
        let function = inner.node.derived.iter().find_map(|d| match &d.node {
            ast::DerivedDeclarator::Function(f) => Some(Ok(f)),
            ast::DerivedDeclarator::KRFunction(names) => Some(Err(names)),
            _ => None,
        });
        match function {
            Some(Ok(function)) => {
                for node in &function.node.parameters {
                    let span = self.span(node.span);
                    let spec = self.declaration_specifiers(&node.node.specifiers, span)?;
                    let Some(declarator) = &node.node.declarator else {
                        if spec.ty == Type::Void {
                            break;
                        }
                        vars.push(self.parameter(
                            &spec,
                            Declared {
                                name: None,
                                ty: spec.ty.clone(),
                                constant: false,
                                extents: vec![],
                            },
                            span,
                        ));
                        continue;
                    };
                    let declared = self.declarator(&spec, declarator)?;
                    vars.push(self.parameter(&spec, declared, span));
                }
            }
            Some(Err(names)) => {
                let mut declared = Vec::new();
                for node in old_style {
                    let span = self.span(node.span);
                    let spec = self.declaration_specifiers(&node.node.specifiers, span)?;
                    for one in &node.node.declarators {
                        declared
                            .push((spec.clone(), self.declarator(&spec, &one.node.declarator)?));
                    }
                }
                for name in names {
                    let span = self.span(name.span);
                    let plain = Specifiers {
                        ty: INT,
                        constant: false,
                        storage: None,
                        typedef: None,
                    };
                    let fallback = Declared {
                        name: Some((name.node.name.clone(), span)),
                        ty: INT,
                        constant: false,
                        extents: vec![],
                    };
                    let found = declared
                        .iter()
                        .find(|(_, d)| d.name.as_ref().is_some_and(|n| n.0 == name.node.name));
                    let (spec, one) = found.cloned().unwrap_or((plain, fallback));
                    vars.push(self.parameter(&spec, one, span));
                }
            }
            None => {}
        }
        Ok(vars)
    }

    fn parameter(&mut self, spec: &Specifiers, declared: Declared, span: Span) -> VarId {
        let id = VarId(self.program.vars.len() as u32);
        let (name, at) = declared
            .name
            .unwrap_or_else(|| (format!("_unused{}", id.0), span));
        let array = matches!(declared.ty, Type::Array(..));
        let array_param = array.then(|| declared.extents.first().cloned().flatten().map(Box::new));
        let ty = match &declared.ty {
            Type::Array(to, _) => Type::Pointer {
                to: to.clone(),
                constant: spec.constant,
            },
            other => other.decayed(),
        };
        let extents = if array {
            // A typedef's extents are not written here.
            declared.extents.get(1..).unwrap_or_default().to_vec()
        } else {
            declared.extents
        };
        self.program.vars.push(Var {
            name: name.clone(),
            ty,
            span: at,
            storage: Storage::Param,
            constant: declared.constant && !array,
            defined: true,
            init: None,
            extents,
            typedef: spec.typedef.clone(),
            array_param,
            owner: self.function,
        });
        self.declare(&name, Symbol::Var(id));
        id
    }
}
