//! Generated functions through the compiler's own pipeline: parsed, lowered, detected, verified, and their
//! loops interpreted over data.

use accrue_compiler::Args;
use accrue_compiler::diag::Errors;
use accrue_compiler::ir::interpret::{State, Value};
use accrue_compiler::ir::{Access, ArrayId, BinaryOp, Loop, Scalar, VarId, VarKind};
use accrue_compiler::plan::{Analysis, LoopPlan};
use quote::ToTokens;
use syn::{BinOp, Expr, Lit, UnOp};

use crate::data::{Data, Form, Param, params};
use crate::generate::CONSTANTS;

/// A function's source through the front half of the compiler.
///
/// # Errors
///
/// What the compiler refuses.
pub fn analyze(source: &str) -> Result<Analysis, Errors> {
    accrue_compiler::analyze(&syn::parse_str(source)?, &Args::default())
}

/// The same of a function whose loops may be of any kind.
///
/// # Errors
///
/// What the compiler refuses.
pub fn analyze_any(source: &str) -> Result<Analysis, Errors> {
    let args = Args {
        // It is the outermost loop that is interpreted.
        as_marked: true,
        any: true,
        ..Args::default()
    };
    accrue_compiler::analyze(&syn::parse_str(source)?, &args)
}

/// Runs a function's loops, and nothing else of it, over data.
///
/// # Errors
///
/// The message of a fault. The data is then as the loop found it.
///
/// # Panics
///
/// If a loop captures what is neither a parameter nor made of them and of [`CONSTANTS`].
pub fn interpret(analysis: &Analysis, data: &mut Data) -> Result<(), String> {
    let params = params(&analysis.function);
    for plan in &analysis.loops {
        interpret_loop(plan, &params, data)?;
    }
    Ok(())
}

fn interpret_loop(plan: &LoopPlan, params: &[Param], data: &mut Data) -> Result<(), String> {
    let mut state = state(plan, params, data);
    state
        .interpret(&plan.pattern)
        .map_err(|fault| fault.kind.to_string())?;
    let arrays: Vec<(String, Vec<u8>)> = updated(plan)
        .map(|(id, name)| (name, state.bytes(id).to_vec()))
        .collect();
    let mut scalars = Vec::new();
    for (id, name) in reduced(plan) {
        let mut bytes = data.0[&name].clone();
        state.var(id).expect("it was set").write(&mut bytes);
        scalars.push((name, bytes));
    }
    data.0.extend(arrays.into_iter().chain(scalars));
    Ok(())
}

/// What a loop runs over, from the arguments of its function.
pub fn state<'a>(plan: &'a LoopPlan, params: &[Param], data: &Data) -> State<'a> {
    state_of(plan, &plan.ir, params, data)
}

/// The same for the loop as kernels take it.
pub fn kernel_state<'a>(plan: &'a LoopPlan, params: &[Param], data: &Data) -> State<'a> {
    state_of(plan, plan.kernel_ir(), params, data)
}

fn state_of<'a>(plan: &LoopPlan, ir: &'a Loop, params: &[Param], data: &Data) -> State<'a> {
    let mut state = State::new(ir);
    for (i, array) in plan.arrays.iter().enumerate() {
        let name = bare(users(plan, &array.expr));
        let bytes = data
            .0
            .get(&name)
            .unwrap_or_else(|| panic!("no data for the array `{name}`"));
        state.set_bytes(ArrayId(i as u32), bytes.clone());
    }
    for (id, name) in reduced(plan) {
        let scalar = plan
            .ir
            .var(id)
            .ty
            .as_scalar()
            .expect("reduced scalars are scalars");
        // What is declared before the loop begins with 0.
        let zero = vec![0; scalar.size() as usize];
        let bytes = data.0.get(&name).unwrap_or(&zero);
        state.set_var(id, Value::from_bytes(scalar, bytes));
    }
    for capture in &plan.captures {
        let text = capture.tokens.to_string();
        let expr = syn::parse2(capture.tokens.clone());
        let expr = expr.unwrap_or_else(|e| panic!("the capture `{text}` is no expression: {e}"));
        let ty = plan.ir.var(capture.var).ty.as_scalar();
        let expr = users(plan, &expr);
        let cast = ty.filter(|_| capture.cast).map(|ty| -> Expr {
            let ty = quote::format_ident!("{}", ty.name());
            syn::parse_quote!((#expr) as #ty)
        });
        let expr = cast.as_ref().unwrap_or(expr);
        state.set_var(capture.var, Captures { params, data }.value(expr, ty));
    }
    state
}

/// What the user wrote where the plan has a name that is bound before the loop.
fn users<'a>(plan: &'a LoopPlan, expr: &'a Expr) -> &'a Expr {
    let bound = plan
        .once
        .iter()
        .find(|once| matches!(expr, Expr::Path(path) if path.path.is_ident(&once.name)));
    bound.map_or(expr, |once| &once.expr)
}

fn updated(plan: &LoopPlan) -> impl Iterator<Item = (ArrayId, String)> {
    let arrays = plan.ir.arrays.iter().zip(&plan.arrays).enumerate();
    let updated = arrays.filter(|(_, (array, _))| array.access == Access::Updated);
    updated.map(|(id, (_, syntax))| (ArrayId(id as u32), bare(&syntax.expr)))
}

fn reduced(plan: &LoopPlan) -> impl Iterator<Item = (VarId, String)> {
    let vars = plan.ir.body.vars.iter().enumerate();
    let outside = |kind| matches!(kind, VarKind::Reduced | VarKind::Carried);
    let reduced = vars.filter(move |(_, var)| outside(var.kind));
    reduced.map(|(id, var)| {
        (
            VarId(id as u32),
            var.name.trim_start_matches('*').trim().to_string(),
        )
    })
}

/// The variable of `x`, `&x`, `*x`, `(x)`.
fn bare(expr: &Expr) -> String {
    match expr {
        Expr::Reference(e) => bare(&e.expr),
        Expr::Unary(e) => bare(&e.expr),
        Expr::Paren(e) => bare(&e.expr),
        Expr::Group(e) => bare(&e.expr),
        Expr::MethodCall(call) if call.method == "as_bytes" => bare(&call.receiver),
        expr => expr.to_token_stream().to_string(),
    }
}

/// Evaluates what the host would evaluate before the loop.
struct Captures<'a> {
    params: &'a [Param],
    data: &'a Data,
}

impl Captures<'_> {
    /// The value of an expression; of a literal without a suffix, as the type that is expected.
    fn value(&self, expr: &Expr, ty: Option<Scalar>) -> Value {
        match expr {
            Expr::Paren(e) => self.value(&e.expr, ty),
            Expr::Group(e) => self.value(&e.expr, ty),
            Expr::Reference(e) => self.value(&e.expr, ty),
            Expr::Unary(e) if matches!(e.op, UnOp::Deref(_)) => self.value(&e.expr, ty),
            Expr::Unary(e) if matches!(e.op, UnOp::Neg(_)) => match self.value(&e.expr, ty) {
                Value::Int(v) => Value::Int(-v),
                Value::F32(v) => Value::F32(-v),
                Value::F64(v) => Value::F64(-v),
                other => panic!("`-` of {other:?}"),
            },
            Expr::Lit(lit) => match &lit.lit {
                Lit::Int(n) if ty == Some(Scalar::F32) => {
                    Value::F32(n.base10_parse().expect("a literal"))
                }
                Lit::Int(n) if ty == Some(Scalar::F64) => {
                    Value::F64(n.base10_parse().expect("a literal"))
                }
                Lit::Int(n) => Value::Int(n.base10_parse().expect("a literal")),
                Lit::Float(x) if ty == Some(Scalar::F32) => {
                    Value::F32(x.base10_parse().expect("a literal"))
                }
                Lit::Float(x) => Value::F64(x.base10_parse().expect("a literal")),
                _ => panic!("a literal of another kind"),
            },
            Expr::Path(path) => {
                let name = path.to_token_stream().to_string();
                if let Some((_, _, value)) = CONSTANTS.iter().find(|(n, _, _)| *n == name) {
                    return Value::Int(i128::from(*value));
                }
                let param = self.params.iter().find(|p| p.name == name);
                let param = param.unwrap_or_else(|| panic!("`{name}` is no parameter"));
                Value::from_bytes(param.scalar, &self.data.0[&name])
            }
            Expr::MethodCall(call) if call.method == "len" => {
                let name = bare(&call.receiver);
                let param = self.params.iter().find(|p| p.name == name);
                let param = param.unwrap_or_else(|| panic!("`{name}` is no parameter"));
                let each = match param.form {
                    Form::Runtime(scalars) => scalars * param.scalar.size() as usize,
                    Form::Str => 1,
                    Form::Fixed(_) | Form::Scalar => param.scalar.size() as usize,
                };
                (self.data.0[&name].len() / each).into()
            }
            Expr::Cast(cast) => {
                let Value::Int(v) = self.value(&cast.expr, None) else {
                    panic!("casts of integers only");
                };
                Value::Int(v)
            }
            Expr::Binary(e) => self.binary(e, ty),
            other => panic!("`{}` is captured", other.to_token_stream()),
        }
    }

    fn binary(&self, e: &syn::ExprBinary, ty: Option<Scalar>) -> Value {
        let op = match e.op {
            BinOp::Add(_) => BinaryOp::Add,
            BinOp::Sub(_) => BinaryOp::Sub,
            BinOp::Mul(_) => BinaryOp::Mul,
            BinOp::Div(_) => BinaryOp::Div,
            BinOp::Rem(_) => BinaryOp::Rem,
            BinOp::BitAnd(_) => BinaryOp::BitAnd,
            _ => panic!("`{}` is captured", e.to_token_stream()),
        };
        match (self.value(&e.left, ty), op, self.value(&e.right, ty)) {
            (Value::Int(a), BinaryOp::Add, Value::Int(b)) => Value::Int(a + b),
            (Value::Int(a), BinaryOp::Sub, Value::Int(b)) => Value::Int(a - b),
            (Value::Int(a), BinaryOp::Mul, Value::Int(b)) => Value::Int(a * b),
            (Value::Int(a), BinaryOp::Div, Value::Int(b)) => Value::Int(a / b),
            (Value::Int(a), BinaryOp::Rem, Value::Int(b)) => Value::Int(a % b),
            (Value::Int(a), BinaryOp::BitAnd, Value::Int(b)) => Value::Int(a & b),
            _ => panic!("`{}` is captured", e.to_token_stream()),
        }
    }
}
