//! Types of locals, by unification over numeric types.
//!
//! The front end gives every expression a type, known or [`Type::Infer`]; operators and assignments unify
//! types; at the end what is left is Rust's default (`i32`, `f64`) or opaque. A mismatch is no error here:
//! rustc says it better, and code that only rustc understands is opaque anyway.

use crate::sorted::Sorted;

use crate::ir::visit::{self, VisitMut};
use crate::ir::{Body, Expr, ExprKind, Literal, Opaque, Scalar, Type, Var, VarId, VarKind};
use crate::methods::{self, Argument, Method};

/// What a type that is not known yet may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Anything.
    Any,
    /// An integer: the type of a literal.
    Int,
    /// A float.
    Float,
}

#[derive(Clone, Debug)]
enum Slot {
    /// Not known yet. `external`: it is the type of something captured, which only the user's code
    /// fixes, so that a literal's default must not decide it.
    Open {
        class: Class,
        external: bool,
    },
    Is(Type),
}

/// A method call whose receiver's type is not known yet.
#[derive(Clone, Debug)]
struct Pending {
    method: Method,
    receiver: Type,
    arguments: Vec<Type>,
    output: Type,
}

/// The types under inference of one loop.
#[derive(Clone, Debug, Default)]
pub struct Infer {
    slots: Vec<Slot>,
    /// Of integers of a type that is not known, a captured value that has it.
    integers: Sorted<u32, VarId>,
    pending: Vec<Pending>,
}

impl Infer {
    /// A new type that is not known yet.
    pub fn fresh(&mut self, class: Class) -> Type {
        self.open(class, false)
    }

    /// The unknown type of something captured.
    pub fn fresh_external(&mut self) -> Type {
        self.open(Class::Any, true)
    }

    fn open(&mut self, class: Class, external: bool) -> Type {
        self.slots.push(Slot::Open { class, external });
        Type::Infer(self.slots.len() as u32 - 1)
    }

    /// What is known of a type now, at its outermost level.
    pub fn resolve(&self, ty: &Type) -> Type {
        match ty {
            Type::Infer(n) => match &self.slots[*n as usize] {
                Slot::Is(ty) => self.resolve(ty),
                Slot::Open { .. } => ty.clone(),
            },
            _ => ty.clone(),
        }
    }

    /// The scalar that a type is, if that is known.
    pub fn scalar(&self, ty: &Type) -> Option<Scalar> {
        self.resolve(ty).as_scalar()
    }

    /// The class of a type that is not known yet.
    pub fn class(&self, ty: &Type) -> Option<Class> {
        match self.resolve(ty) {
            Type::Infer(n) => match self.slots[n as usize] {
                Slot::Open { class, .. } => Some(class),
                Slot::Is(_) => None,
            },
            _ => None,
        }
    }

    /// Makes two types one, and says whether they can be. Opaque types agree with anything.
    pub fn unify(&mut self, a: &Type, b: &Type) -> bool {
        match (self.resolve(a), self.resolve(b)) {
            (Type::Infer(x), Type::Infer(y)) if x == y => true,
            (Type::Infer(x), Type::Infer(y)) => {
                let (from, to) = match (self.open_class(x), self.open_class(y)) {
                    (Class::Any, _) => (x, y),
                    (_, Class::Any) => (y, x),
                    (cx, cy) if cx == cy => (x, y),
                    _ => return false,
                };
                if let Slot::Open { external: true, .. } = self.slots[from as usize]
                    && let Slot::Open { external, .. } = &mut self.slots[to as usize]
                {
                    *external = true;
                }
                self.set(from, Type::Infer(to));
                true
            }
            (Type::Infer(x), ty) | (ty, Type::Infer(x)) => {
                let fits = match (self.open_class(x), &ty) {
                    (Class::Any, _) => true,
                    (_, Type::Opaque(_) | Type::Never) => true,
                    (Class::Int, Type::Scalar(s)) => s.is_int(),
                    (Class::Float, Type::Scalar(s)) => s.is_float(),
                    _ => false,
                };
                // A literal keeps its class where the other side is not understood.
                if fits
                    && (self.open_class(x) == Class::Any || ty.as_scalar().is_some())
                    && ty != Type::Never
                {
                    self.set(x, ty);
                }
                fits
            }
            (Type::Opaque(_) | Type::Never, _) | (_, Type::Opaque(_) | Type::Never) => true,
            (Type::Array(x, _), Type::Array(y, _)) => self.unify(&x, &y),
            (Type::Tuple(xs), Type::Tuple(ys)) => {
                xs.len() == ys.len() && xs.iter().zip(&ys).all(|(x, y)| self.unify(x, y))
            }
            (x, y) => x == y,
        }
    }

    fn open_class(&self, n: u32) -> Class {
        match self.slots[n as usize] {
            Slot::Open { class, .. } => class,
            Slot::Is(_) => Class::Any,
        }
    }

    fn set(&mut self, n: u32, ty: Type) {
        self.slots[n as usize] = Slot::Is(ty);
    }

    /// The type of a method's result. A receiver that is not known yet is looked at again later.
    /// `None`: the receiver does not have the method, or it takes other arguments.
    pub fn method(&mut self, method: Method, receiver: &Type, arguments: &[Type]) -> Option<Type> {
        let spec = method.spec();
        if spec.arguments.len() != arguments.len() {
            return None;
        }
        match self.resolve(receiver) {
            Type::Scalar(s) => {
                if !spec.receivers.contains(s) {
                    return None;
                }
                let output = spec.output.of(s);
                self.unify_arguments(spec.arguments, arguments, receiver);
                Some(output)
            }
            Type::Infer(_) => {
                let class = match spec.receivers {
                    methods::Receivers::Floats => Some(Class::Float),
                    methods::Receivers::Numbers | methods::Receivers::SignedOrFloats => None,
                    methods::Receivers::Byte => {
                        self.unify(receiver, &Type::Scalar(Scalar::U8));
                        return self.method(method, receiver, arguments);
                    }
                    methods::Receivers::Ints
                    | methods::Receivers::Signed
                    | methods::Receivers::Unsigned => Some(Class::Int),
                    methods::Receivers::FromBits | methods::Receivers::FromBytes => return None,
                };
                if let Some(class) = class {
                    let bound = self.fresh(class);
                    self.unify(receiver, &bound);
                }
                self.unify_arguments(spec.arguments, arguments, receiver);
                let output = match spec.output {
                    methods::Output::Same => receiver.clone(),
                    methods::Output::Bool => Type::Scalar(Scalar::Bool),
                    methods::Output::U32 => Type::Scalar(Scalar::U32),
                    methods::Output::Unsigned
                    | methods::Output::Bytes
                    | methods::Output::WithFlag => self.fresh(Class::Any),
                };
                self.pending.push(Pending {
                    method,
                    receiver: receiver.clone(),
                    arguments: arguments.to_vec(),
                    output: output.clone(),
                });
                Some(output)
            }
            _ => None,
        }
    }

    fn unify_arguments(&mut self, specs: &[Argument], arguments: &[Type], receiver: &Type) {
        for (spec, argument) in specs.iter().zip(arguments) {
            match spec {
                Argument::Same => self.unify(argument, receiver),
                Argument::U32 => self.unify(argument, &Type::Scalar(Scalar::U32)),
                Argument::I32 => self.unify(argument, &Type::Scalar(Scalar::I32)),
            };
        }
    }

    /// Settles what is still open: methods whose receiver is known by now, then literals by default, and so
    /// on until nothing changes.
    pub fn finish(&mut self) {
        loop {
            let pending = std::mem::take(&mut self.pending);
            let mut settled = false;
            for p in pending {
                if let Some(s) = self.scalar(&p.receiver) {
                    let spec = p.method.spec();
                    if spec.receivers.contains(s) {
                        self.unify(&p.output, &spec.output.of(s));
                        self.unify_arguments(spec.arguments, &p.arguments, &p.receiver);
                    }
                    settled = true;
                } else {
                    self.pending.push(p);
                }
            }
            if settled {
                continue;
            }
            // Rust's defaults for literals that nothing else decides.
            let mut defaulted = false;
            for slot in &mut self.slots {
                let default = match slot {
                    Slot::Open {
                        class: Class::Int,
                        external: false,
                    } => Scalar::I32,
                    Slot::Open {
                        class: Class::Float,
                        external: false,
                    } => Scalar::F64,
                    Slot::Open { .. } | Slot::Is(_) => continue,
                };
                *slot = Slot::Is(Type::Scalar(default));
                defaulted = true;
            }
            if !defaulted {
                return;
            }
        }
    }

    /// Names integer types that are still open by captured values that have them.
    fn name_integers(&mut self, vars: &[Var]) {
        for (id, var) in vars.iter().enumerate() {
            if var.kind == VarKind::Captured
                && self.class(&var.ty) == Some(Class::Int)
                && let Type::Infer(n) = self.resolve(&var.ty)
            {
                self.integers.or_insert(n, VarId(id as u32));
            }
        }
    }

    /// The type after [`finish`](Infer::finish): what is still open is opaque, but for integers.
    pub fn settled(&self, ty: &Type) -> Type {
        match self.resolve(ty) {
            Type::Infer(n) => match self.integers.get(&n) {
                Some(var) => Type::Integer(*var),
                None => Type::Opaque(None),
            },
            Type::Array(elem, len) => Type::Array(Box::new(self.settled(&elem)), len),
            Type::Tuple(parts) => Type::Tuple(parts.iter().map(|t| self.settled(t)).collect()),
            other => other,
        }
    }

    /// Writes the settled types into a body.
    pub fn apply(&mut self, body: &mut Body) {
        self.name_integers(&body.vars);
        for var in &mut body.vars {
            var.ty = self.settled(&var.ty);
        }
        Applied(self).block(&mut body.block);
    }

    /// Writes the settled types into an expression.
    pub fn apply_expr(&self, expr: &mut Expr) {
        Applied(self).expr(expr);
    }
}

struct Applied<'a>(&'a Infer);

impl visit::VisitMut for Applied<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        self.expr_parts(expr);
        expr.ty = self.0.settled(&expr.ty);
        // A literal that its type cannot hold has another one, which only rustc knows: `u128`, for example.
        if let (ExprKind::Literal(Literal::Int(value)), Some(scalar)) =
            (&expr.kind, expr.ty.as_scalar())
            && !scalar.holds(*value)
        {
            expr.kind = ExprKind::Opaque(Opaque {
                why: format!("the number {value}, whose type is not known here"),
                help: Some("write its type behind it: `1_u64`".to_string()),
                ..Opaque::default()
            });
            expr.ty = Type::Opaque(None);
        }
    }
}
