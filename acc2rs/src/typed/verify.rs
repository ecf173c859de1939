//! What holds of every typed tree, however many passes have written it. A pass that breaks one of these is wrong, whatever
//! Rust comes of it.
//!
//! 1. Every id is one of the program's: of variables, functions, structs and their fields.
//! 2. A function's body mentions its own variables and those that live as long as the program, no other function's. Each local
//!    of it is declared once at most.
//! 3. A defined function has a parameter for each type of its signature, of that type, or of the type that a comparison for
//!    `qsort` reads its `void *` as; each call of one passes as many arguments.
//! 4. What is assigned, stepped, or has its address taken is a place: a variable, an element, a member, what a pointer points
//!    to, a literal or a string.
//! 5. An element is one of an array or a pointer, a member one of a struct, and only a pointer is followed; only an array
//!    decays, to a pointer.
//! 6. A mention of a variable has the variable's type, apart from whether pointers are to `const` (an exchange makes two
//!    pointers one type, `const` or not); a number is of a number's type.
//! 7. A function that returns nothing has no `return` with a value that is something, and one that returns something has no
//!    `return` without.
//! 8. An item is the definition of something that is defined, and of each function at most once.

use std::collections::BTreeSet;

use super::walk::{self, Visit};
use super::{Expr, ExprKind, FnId, Init, ItemKind, Program, Stmt, StmtKind, Storage, VarId};
use crate::ctypes::Type;

/// Whether a program is one.
///
/// # Errors
///
/// What is wrong, each with the function that it is in.
pub fn verify(program: &Program) -> Result<(), String> {
    let mut look = Look {
        program,
        function: None,
        declared: BTreeSet::new(),
        wrong: Vec::new(),
    };
    look.items();
    for (at, var) in program.vars.iter().enumerate() {
        let lasts = matches!(var.storage, Storage::Global { .. } | Storage::StaticLocal);
        if let Some(init) = var.init.as_ref().filter(|_| lasts) {
            look.ids_of(&var.ty);
            look.init(init, VarId(at as u32));
        }
    }
    for id in program.defined() {
        look.function(id);
    }
    match look.wrong[..] {
        [] => Ok(()),
        _ => Err(look.wrong.join("; ")),
    }
}

/// Whether it is a pointer to anything.
fn points(ty: &Type) -> bool {
    matches!(ty, Type::Pointer { .. })
}

/// Whether two types are the same, apart from `const`.
fn alike(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Pointer { to: a, .. }, Type::Pointer { to: b, .. }) => alike(a, b),
        _ => a == b,
    }
}

struct Look<'p> {
    program: &'p Program,
    function: Option<FnId>,
    /// The locals that were declared so far.
    declared: BTreeSet<VarId>,
    wrong: Vec<String>,
}

impl Look<'_> {
    fn expect(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            let within = self.function.map_or(String::new(), |id| {
                format!("in `{}`: ", self.program.function(id).name)
            });
            self.wrong.push(format!("{within}{}", what()));
        }
    }

    fn items(&mut self) {
        let mut functions = BTreeSet::new();
        for item in &self.program.items {
            match item.kind {
                ItemKind::Function(id) => {
                    let known = self.program.functions.get(id.0 as usize);
                    self.expect(known.is_some_and(|f| f.body.is_some()), || {
                        format!("item of function {} without a body", id.0)
                    });
                    self.expect(functions.insert(id), || {
                        format!("two items of function {}", id.0)
                    });
                }
                ItemKind::Global(id) => {
                    let known = self.program.vars.get(id.0 as usize);
                    self.expect(known.is_some(), || format!("no variable {}", id.0));
                }
                ItemKind::Struct(id) => {
                    let known = self.program.structs.get(id.0 as usize);
                    self.expect(known.is_some(), || format!("no struct {}", id.0));
                }
                ItemKind::Enum(_) | ItemKind::Typedef(_) | ItemKind::Directive(_) => {}
            }
        }
    }

    fn function(&mut self, id: FnId) {
        let program = self.program;
        let function = program.function(id);
        self.function = Some(id);
        let (params, types) = (function.params.len(), function.ty.params.len());
        self.expect(!function.ty.prototyped || params == types, || {
            format!("{params} parameters for {types} types")
        });
        for (param, ty) in function.params.iter().zip(&function.ty.params) {
            let Some(var) = program.vars.get(param.0 as usize) else {
                self.expect(false, || format!("no variable {}", param.0));
                continue;
            };
            self.expect(var.storage == Storage::Param, || {
                format!("`{}` is a parameter stored as {:?}", var.name, var.storage)
            });
            self.expect(var.owner == Some(id), || {
                format!("`{}` belongs to {:?}", var.name, var.owner)
            });
            let read_as = points(&var.ty) && ty.element() == Some(&Type::Void);
            self.expect(
                !function.ty.prototyped || alike(&var.ty, ty) || read_as,
                || format!("`{}` is `{}`, the signature has `{ty}`", var.name, var.ty),
            );
        }
        for stmt in function.body.iter().flat_map(|b| &b.stmts) {
            walk::stmt(self, program, stmt);
        }
        self.function = None;
    }

    fn init(&mut self, init: &Init, of: VarId) {
        let (program, outer) = (self.program, self.function);
        self.function = program.var(of).owner;
        walk::init(self, program, init);
        self.function = outer;
    }

    fn ids_of(&mut self, ty: &Type) {
        if let Type::Struct(id) = ty.innermost() {
            let known = self.program.structs.get(id.0 as usize).is_some();
            self.expect(known, || format!("no struct {}", id.0));
        }
    }

    fn var(&mut self, id: VarId) {
        let Some(var) = self.program.vars.get(id.0 as usize) else {
            self.expect(false, || format!("no variable {}", id.0));
            return;
        };
        let own = match var.storage {
            Storage::Param | Storage::Local => var.owner == self.function,
            Storage::StaticLocal | Storage::Global { .. } => true,
        };
        self.expect(own, || {
            format!("`{}` is another function's ({:?})", var.name, var.owner)
        });
        self.ids_of(&var.ty);
    }

    fn place(&mut self, place: &Expr) {
        self.expect(place.is_place(), || format!("no place: {:?}", place.kind));
    }

    fn field(&mut self, base: &Expr, at: u32) {
        let Type::Struct(id) = &base.ty else {
            self.expect(false, || format!("a member of a `{}`", base.ty));
            return;
        };
        let shape = self.program.structs.get(id.0 as usize);
        let fields = shape.and_then(|s| s.fields.as_ref());
        let known = fields.is_some_and(|f| (at as usize) < f.len());
        self.expect(known, || format!("no field {at} in struct {}", id.0));
    }

    fn call(&mut self, callee: FnId, args: &[Expr]) {
        let Some(function) = self.program.functions.get(callee.0 as usize) else {
            self.expect(false, || format!("no function {}", callee.0));
            return;
        };
        let (has, takes) = (args.len(), function.params.len());
        let fits = function.body.is_none()
            || !function.ty.prototyped
            || has == takes
            || function.ty.variadic && has > takes;
        self.expect(fits, || {
            format!("`{}` takes {takes} arguments and gets {has}", function.name)
        });
    }
}

impl Visit for Look<'_> {
    fn stmt(&mut self, stmt: &Stmt) -> bool {
        match &stmt.kind {
            StmtKind::Decl(vars) => {
                for id in vars {
                    self.var(*id);
                    let name = || self.program.vars.get(id.0 as usize).map(|v| &v.name);
                    let text = format!("{:?} is declared twice", name());
                    let new = self.declared.insert(*id);
                    self.expect(new, || text);
                }
                // Initializers of what is not known cannot be walked.
                let count = self.program.vars.len();
                vars.iter().all(|id| (id.0 as usize) < count)
            }
            StmtKind::Return(value) => {
                let ret = self.function.map(|id| &self.program.function(id).ty.ret);
                let nothing = ret.is_none_or(|ty| *ty == Type::Void);
                let given = value.as_ref().is_some_and(|e| e.ty != Type::Void);
                self.expect(nothing != given, || {
                    format!("a return of a value: {given}, a function of none: {nothing}")
                });
                true
            }
            _ => true,
        }
    }

    fn expr(&mut self, e: &Expr) -> bool {
        use ExprKind as K;
        match &e.kind {
            K::Var(id) => {
                self.var(*id);
                let program = self.program;
                if let Some(var) = program.vars.get(id.0 as usize) {
                    self.expect(alike(&var.ty, &e.ty), || {
                        format!("`{}` is `{}`, its mention `{}`", var.name, var.ty, e.ty)
                    });
                }
            }
            K::Int(_) | K::Float(_) => {
                let number = e.ty.is_arithmetic() || points(&e.ty);
                self.expect(number, || format!("a number of type `{}`", e.ty));
            }
            K::Function(id) => {
                let known = self.program.functions.get(id.0 as usize).is_some();
                self.expect(known, || format!("no function {}", id.0));
            }
            K::Call { callee, args } => self.call(*callee, args),
            K::Index(base, _) => {
                let fits = points(&base.ty) || matches!(base.ty, Type::Array(..));
                self.expect(fits, || format!("an element of a `{}`", base.ty));
            }
            K::Deref(pointer) => {
                let fits = points(&pointer.ty) || matches!(pointer.ty, Type::Function(_));
                self.expect(fits, || format!("a `{}` is followed", pointer.ty));
            }
            K::Decay(array) => {
                let fits = matches!(array.ty, Type::Array(..) | Type::Function(_));
                self.expect(fits && points(&e.ty), || {
                    format!("a `{}` decays to a `{}`", array.ty, e.ty)
                });
            }
            K::Member(base, at) => self.field(base, *at),
            K::AddrOf(of) if matches!(of.kind, K::Function(_)) => {}
            K::AddrOf(place)
            | K::Assign(place, _)
            | K::Compound { place, .. }
            | K::Step { place, .. } => {
                self.place(place);
            }
            _ => {}
        }
        true
    }
}
