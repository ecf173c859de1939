//! One conversion of a format of the `printf` family: its argument as a value, and how Rust prints it.

use super::state::{Emit, Emitted, refuse};
use crate::codes;
use crate::ctypes::Type;
use crate::translate::base::code::Code;
use crate::translate::base::format::Conversion;
use crate::typed::{Expr, ExprKind};

impl Emit<'_> {
    /// The value of a conversion, the last one of `values` then, and how Rust is to print it.
    pub(super) fn conversion(
        &mut self,
        c: &Conversion,
        width: Option<Result<usize, &Expr>>,
        precision: Option<Result<usize, &Expr>>,
        arg: &Expr,
        values: &mut Vec<String>,
    ) -> Emitted<String> {
        let size = |emit: &mut Self,
                    size: Option<Result<usize, &Expr>>,
                    values: &mut Vec<String>,
                    default: Option<usize>|
         -> Emitted<Option<String>> {
            Ok(match size {
                None => default.map(|d| d.to_string()),
                Some(Ok(n)) => Some(n.to_string()),
                Some(Err(e)) => {
                    let code = emit.index(e)?;
                    values.push(code.text);
                    Some(format!("{}$", values.len() - 1))
                }
            })
        };
        let float = matches!(c.letter, 'f' | 'F' | 'e' | 'E' | 'g' | 'G');
        let whole = matches!(c.letter, 'd' | 'i' | 'u' | 'x' | 'X' | 'o');
        let prefixed = c.alternate && matches!(c.letter, 'x' | 'X' | 'o') && precision.is_none();
        if c.alternate && (float || precision.is_some()) {
            return refuse(
                codes::FORMAT,
                arg.span,
                "the flag `#` on a floating conversion or with a precision",
                "write the prefix or the point into the format",
            );
        }
        // What a helper fills is no argument of the format.
        let exponent = matches!(c.letter, 'e' | 'E' | 'g' | 'G');
        let least = whole && precision.is_some();
        let helped = exponent || least || prefixed;
        let (mut filled_to, mut digits) = (None, "6".to_string());
        let (width, exact) = if helped {
            let given = |emit: &mut Self, size: Result<usize, &Expr>| match size {
                Ok(n) => Ok(n.to_string()),
                Err(e) => emit.index(e).map(|code| code.text),
            };
            let fills = (exponent || prefixed) && c.zero && !c.left;
            if let (Some(width), true) = (&width, fills) {
                filled_to = Some(given(self, *width)?);
            }
            let width = size(self, width.filter(|_| !fills), values, None)?;
            if let Some(precision) = precision {
                digits = given(self, precision)?;
            }
            (width, None)
        } else {
            let width = size(self, width, values, None)?;
            (width, size(self, precision, values, float.then_some(6))?)
        };
        let mut spec = String::new();
        let mut kind = "";
        let text_like = matches!(c.letter, 's' | 'c' | 'e' | 'E' | 'g' | 'G');
        match (c.left, text_like, width.is_some()) {
            (true, ..) => spec.push('<'),
            (false, true, true) => spec.push('>'),
            _ => {}
        }
        let signed = matches!(c.letter, 'd' | 'i' | 'f' | 'F');
        if (c.plus || c.space) && signed && !least {
            spec.push('+');
        }
        let value = match c.letter {
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' => {
                kind = match c.letter {
                    'x' => "x",
                    'X' => "X",
                    'o' => "o",
                    _ => "",
                };
                if !arg.ty.is_int() {
                    return refuse(
                        codes::FORMAT,
                        arg.span,
                        format!("`%{}` of this argument is not translated", c.letter),
                        "pass an integer",
                    );
                }
                if c.zero && !c.left && !least && filled_to.is_none() {
                    spec.push('0');
                }
                let value = self.integer(c, arg)?;
                if least {
                    // A precision on an integer is a least number of digits, behind the sign.
                    let plus = if (c.plus || c.space) && signed {
                        "+"
                    } else {
                        ""
                    };
                    let text = format!("&format!(\"{{:{plus}{kind}}}\", {})", value.text);
                    kind = "";
                    if width.is_some() && !c.left {
                        spec.push('>');
                    }
                    Code::call(
                        &self.helper("least_digits"),
                        &[Code::atom(digits.clone()), Code::atom(text)],
                    )
                } else if c.alternate && !kind.is_empty() {
                    // C writes no prefix before zero, and Rust others.
                    let digits = format!("&format!(\"{{:{kind}}}\", {})", value.text);
                    let prefix = match std::mem::take(&mut kind) {
                        "o" => "\"0\"",
                        "x" => "\"0x\"",
                        _ => "\"0X\"",
                    };
                    if width.is_some() && !c.left {
                        spec.push('>');
                    }
                    let parts = [Code::atom(prefix), Code::atom(digits)];
                    match filled_to {
                        Some(width) => Code::call(
                            &self.helper("prefixed_filled"),
                            &[&[Code::atom(width)][..], &parts].concat(),
                        ),
                        None => Code::call(&self.helper("prefixed"), &parts),
                    }
                } else {
                    value
                }
            }
            'f' | 'F' => {
                if c.zero && !c.left {
                    spec.push('0');
                }
                let value = self.floating_value(arg)?;
                if self.surely_finite(arg) {
                    value
                } else {
                    Code::call(&self.helper("Float"), &[value])
                }
            }
            'e' | 'E' | 'g' | 'G' => self.scientific(c, filled_to, digits, arg)?,
            'c' => {
                let byte = self.narrowed(arg, &Type::Int(crate::ctypes::IntKind::UChar))?;
                Code::call("char::from", &[byte])
            }
            's' => self.text(arg)?,
            other => {
                return refuse(
                    codes::FORMAT,
                    arg.span,
                    format!("the conversion `%{other}` is not translated"),
                    "print something else than an address",
                );
            }
        };
        if let Some(width) = width {
            spec.push_str(&width);
        }
        if let Some(exact) = exact
            && matches!(c.letter, 'f' | 'F' | 's')
        {
            spec.push('.');
            spec.push_str(&exact);
        }
        spec.push_str(kind);
        if c.space && !c.plus && signed {
            // Rust has no flag for it: a plus sign gives way to a space.
            if spec.contains('$') {
                return refuse(
                    codes::FORMAT,
                    arg.span,
                    "a space flag with a width that is an argument",
                    "write the width into the format",
                );
            }
            values.push(format!(
                "format!(\"{{:{spec}}}\", {}).replacen('+', \" \", 1)",
                value.text
            ));
            return Ok(String::new());
        }
        if c.letter == 'F' && value.text.starts_with("c::Float") && !spec.contains('$') {
            values.push(format!(
                "format!(\"{{:{spec}}}\", {}).to_uppercase()",
                value.text
            ));
            return Ok(String::new());
        }
        values.push(value.text);
        Ok(spec)
    }

    /// A conversion with an exponent, or one that may have it: text that a helper makes.
    fn scientific(
        &mut self,
        c: &Conversion,
        filled_to: Option<String>,
        digits: String,
        arg: &Expr,
    ) -> Emitted<Code> {
        let helper = match c.letter {
            'e' => "exponent",
            'E' => "exponent_upper",
            'g' => "general",
            _ => "general_upper",
        };
        let value = self.floating_value(arg)?;
        let mut made = Code::call(&self.helper(helper), &[value, Code::atom(digits)]);
        let text = |made: &Code| Code::atom(format!("&{}", made.text));
        if c.plus || c.space {
            let sign = Code::atom(if c.plus { "'+'" } else { "' '" });
            made = Code::call(&self.helper("signed"), &[sign, text(&made)]);
        }
        if let Some(width) = filled_to {
            let width = Code::atom(width);
            made = Code::call(&self.helper("zero_filled"), &[width, text(&made)]);
        }
        Ok(made)
    }

    /// Whether a floating value cannot be infinite or no number: made of integers and constants without a division.
    fn surely_finite(&self, arg: &Expr) -> bool {
        use crate::typed::BinaryOp as B;
        match &arg.kind {
            ExprKind::Float(_) | ExprKind::Int(_) => true,
            ExprKind::Cast { value, .. } => value.ty.is_int() || self.surely_finite(value),
            ExprKind::Unary(crate::typed::UnaryOp::Neg, inner) => self.surely_finite(inner),
            ExprKind::Binary(B::Add | B::Sub | B::Mul, a, b) => {
                self.surely_finite(a) && self.surely_finite(b)
            }
            ExprKind::Binary(B::Div, a, b) => {
                let by = crate::typed::consts::value(b, self.program);
                let zero = match by {
                    Some(crate::typed::consts::Value::Float(v)) => v.abs() < 1e-9,
                    Some(crate::typed::consts::Value::Int(v)) => v == 0,
                    _ => true,
                };
                !zero && self.surely_finite(a)
            }
            _ => false,
        }
    }

    fn floating_value(&mut self, arg: &Expr) -> Emitted<Code> {
        if !arg.ty.is_float() {
            return refuse(
                codes::FORMAT,
                arg.span,
                "a floating conversion of an integer",
                "convert the argument to `double`",
            );
        }
        // What was promoted from float prints the same.
        self.value(arg)
    }

    fn integer(&mut self, c: &Conversion, arg: &Expr) -> Emitted<Code> {
        use crate::ctypes::IntKind as I;
        let bare = arg.bare();
        let signed = matches!(c.letter, 'd' | 'i');
        let wanted = match (c.length.as_str(), signed) {
            ("l" | "ll" | "j" | "t" | "z" | "q", true) => I::Long,
            ("l" | "ll" | "j" | "t" | "q", false) => I::ULong,
            ("z", false) => I::Size,
            ("hh", true) => I::SChar,
            ("hh", false) => I::UChar,
            ("h", true) => I::Short,
            ("h", false) => I::UShort,
            (_, true) => I::Int,
            (_, false) => I::UInt,
        };
        let shows = |kind: I| {
            // The value prints the same from any type that holds it, hexadecimal ones by width.
            let hex = !matches!(c.letter, 'd' | 'i' | 'u');
            kind != I::Bool
                && if hex {
                    kind.size() == wanted.size() || !kind.signed() && kind.size() <= wanted.size()
                } else {
                    (kind.signed() == signed || !kind.signed() && kind.size() < wanted.size())
                        && kind.size() <= wanted.size()
                }
        };
        if let Some(kind) = bare.ty.int()
            && shows(kind)
            && !matches!(bare.kind, ExprKind::Char(_))
        {
            return self.value(bare);
        }
        let cast = Expr {
            kind: ExprKind::Cast {
                explicit: false,
                value: Box::new(bare.clone()),
            },
            ty: Type::Int(wanted),
            span: arg.span,
        };
        self.value(&cast)
    }
}
