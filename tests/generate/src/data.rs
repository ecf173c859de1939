//! Random data for [generated functions](crate::generate), by the names and types of their parameters.

use std::collections::BTreeMap;

use accrue_compiler::ir::Scalar;
use syn::{Expr, FnArg, GenericArgument, ItemFn, Lit, Pat, PathArguments, Type};

use crate::choices::Choices;

/// The arguments of a call as bytes, by the names of the parameters: arrays as they lie in memory,
/// scalars as arrays of one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Data(pub BTreeMap<String, Vec<u8>>);

/// What kind of data to draw.
#[derive(Clone, Copy, Debug)]
pub struct Policy {
    /// The length of the arrays that are read.
    pub items: usize,
    /// Any values, with NaN and infinities, rather than small ones.
    pub wild: bool,
    /// Fewer bins than the functions count on.
    pub tiny: bool,
}

/// A parameter, as far as data is concerned.
#[derive(Clone, Debug)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Whether it is a `&mut`.
    pub mutable: bool,
    /// What it holds.
    pub form: Form,
    /// The scalar at the bottom.
    pub scalar: Scalar,
}

/// What a parameter holds, references left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A scalar.
    Scalar,
    /// So many scalars, by its type.
    Fixed(usize),
    /// Elements of so many scalars, as many as there are.
    Runtime(usize),
    /// Text.
    Str,
}

impl Param {
    /// The operator of the bins that it names.
    pub fn operator(&self) -> &str {
        self.name.split_once('_').map_or("", |(_, op)| op)
    }
}

/// The parameters of a function.
///
/// # Panics
///
/// If a type is not one that the generator makes.
pub fn params(function: &ItemFn) -> Vec<Param> {
    let params = function.sig.inputs.iter().map(|arg| {
        let FnArg::Typed(arg) = arg else {
            panic!("a generated function is no method");
        };
        let Pat::Ident(name) = &*arg.pat else {
            panic!("a generated parameter is a name");
        };
        let (mutable, ty) = match &*arg.ty {
            Type::Reference(r) => (r.mutability.is_some(), &*r.elem),
            ty => (false, ty),
        };
        let (form, scalar) = form(ty);
        Param {
            name: name.ident.to_string(),
            mutable,
            form,
            scalar,
        }
    });
    params.collect()
}

fn form(ty: &Type) -> (Form, Scalar) {
    match ty {
        Type::Slice(slice) => {
            let (form, scalar) = form(&slice.elem);
            (Form::Runtime(scalars(form)), scalar)
        }
        Type::Array(array) => {
            let (form, scalar) = form(&array.elem);
            (Form::Fixed(length(&array.len) * scalars(form)), scalar)
        }
        Type::Path(path) => {
            let last = path.path.segments.last().expect("a path has segments");
            let name = last.ident.to_string();
            if name == "str" {
                return (Form::Str, Scalar::U8);
            }
            if let PathArguments::AngleBracketed(args) = &last.arguments
                && let Some(GenericArgument::Type(elem)) = args.args.first()
            {
                let (form, scalar) = form(elem);
                return (Form::Runtime(scalars(form)), scalar);
            }
            let scalar = Scalar::from_name(&name);
            (
                Form::Scalar,
                scalar.unwrap_or_else(|| panic!("`{name}` is no type of the generator")),
            )
        }
        _ => panic!("not a type of the generator"),
    }
}

fn scalars(form: Form) -> usize {
    match form {
        Form::Scalar => 1,
        Form::Fixed(n) => n,
        Form::Runtime(_) | Form::Str => panic!("arrays of slices are not generated"),
    }
}

fn length(len: &Expr) -> usize {
    match len {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Int(n) => n.base10_parse().expect("a length"),
            _ => panic!("a length is a number"),
        },
        _ => panic!("a generated length is a literal"),
    }
}

/// Draws the arguments of one call.
pub fn draw(params: &[Param], policy: Policy, choices: &mut Choices) -> Data {
    let items = |param: &Param| match param.form {
        Form::Fixed(_) => 90,
        Form::Runtime(_) | Form::Scalar | Form::Str => policy.items,
    };
    let read = params.iter().filter(|p| p.name.starts_with('a'));
    let n = read.clone().map(items).min().unwrap_or(policy.items);
    let each = read.map(items).max().unwrap_or(policy.items);
    let mut data = Data::default();
    for param in params {
        let bytes = match (param.form, param.name.as_bytes()[0]) {
            (_, b'n') => n.to_ne_bytes().to_vec(),
            (_, b'w') => 6usize.to_ne_bytes().to_vec(),
            (Form::Scalar, b'z') => vec![0; param.scalar.size() as usize],
            (Form::Str, _) => {
                let text = b"The quick brown Fox, 0123456789 (jumps) over the lazy dog\n";
                (0..policy.items).map(|_| choices.pick(text)).collect()
            }
            (form, first) => {
                let bins = match (first, policy.tiny) {
                    (b'e', _) => each,
                    (b'g', _) => 6 * each,
                    (b'h', true) => 1 + choices.below(16),
                    (b'h', false) => 16 + choices.below(280),
                    _ => policy.items,
                };
                // Elements that iterations write may be too few.
                let short = param.operator() == "own" && choices.chance(1, 4);
                let bins = if short { bins - bins / 4 } else { bins };
                let count = match form {
                    Form::Scalar => 1,
                    Form::Fixed(n) => n,
                    Form::Runtime(scalars) => bins * scalars,
                    Form::Str => unreachable!("text is drawn above"),
                };
                let mut bytes = Vec::new();
                for _ in 0..count {
                    if param.mutable {
                        bin(param, policy, choices, &mut bytes);
                    } else {
                        value(param.scalar, policy.wild, choices, &mut bytes);
                    }
                }
                bytes
            }
        };
        data.0.insert(param.name.clone(), bytes);
    }
    data
}

/// The content of a bin before the loop: not where its operator overflows at once.
fn bin(param: &Param, policy: Policy, choices: &mut Choices, bytes: &mut Vec<u8>) {
    let s = param.scalar;
    match param.operator() {
        "sub" if s.is_int() && !s.is_signed() => {
            let high: u64 = match s.bits() {
                8 => 255,
                16 => 60_000,
                _ => 1 << 20,
            };
            bytes.extend_from_slice(&high.to_ne_bytes()[..s.size() as usize]);
        }
        "both" if s.is_int() && !s.is_signed() => {
            let middle: u64 = match s.bits() {
                8 => 128,
                16 => 30_000,
                _ => 1 << 20,
            };
            bytes.extend_from_slice(&middle.to_ne_bytes()[..s.size() as usize]);
        }
        "mul" => float(s, 1.0, bytes),
        "add" | "sub" | "both" if s.is_int() => {
            let small = choices.below(4) as u64;
            bytes.extend_from_slice(&small.to_ne_bytes()[..s.size() as usize]);
        }
        // Sixteenths, of which sums are exact.
        "add" | "sub" | "both" => float(s, (choices.unit() * 128.0).floor() / 16.0 - 4.0, bytes),
        _ => value(s, policy.wild, choices, bytes),
    }
}

fn float(s: Scalar, v: f64, bytes: &mut Vec<u8>) {
    if s == Scalar::F32 {
        bytes.extend_from_slice(&(v as f32).to_ne_bytes());
    } else {
        bytes.extend_from_slice(&v.to_ne_bytes());
    }
}

fn value(s: Scalar, wild: bool, choices: &mut Choices, bytes: &mut Vec<u8>) {
    if s.is_float() {
        let special = [
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            -0.0,
            1e-310,
            300.5,
            -1e9,
        ];
        let v = match wild && choices.chance(1, 6) {
            true => choices.pick(&special),
            false => choices.unit() * 8.0 - 4.0,
        };
        return float(s, v, bytes);
    }
    let wide = (u64::from(choices.bits()) << 32 | u64::from(choices.bits())) as i64;
    let v = match (s, wild) {
        (Scalar::Bool, _) => wide & 1,
        (Scalar::U8, _) => wide & 255,
        (_, true) => wide,
        (s, false) if s.is_signed() => wide.rem_euclid(101) - 50,
        _ => wide.rem_euclid(101),
    };
    bytes.extend_from_slice(&v.to_ne_bytes()[..s.size() as usize]);
}
