//! Constants and string literals (C11 6.4.4, 6.4.5).

use lang_c::ast;

use super::{Lowered, Lowerer, fail};
use crate::codes;
use crate::ctypes::{Extent, INT, IntKind, Type};
use crate::source::Span;
use crate::typed::{Expr, ExprKind};

impl Lowerer<'_> {
    pub(super) fn constant(&mut self, node: &ast::Constant, span: Span) -> Lowered<Expr> {
        match node {
            ast::Constant::Integer(int) => integer(int, span),
            ast::Constant::Float(float) => self.float(float, span),
            ast::Constant::Character(text) => {
                let inner = text.trim_start_matches(['L', 'u', 'U', '8']);
                let inner = inner
                    .strip_prefix('\'')
                    .and_then(|t| t.strip_suffix('\''))
                    .unwrap_or(inner);
                let bytes = unescape(inner);
                match bytes[..] {
                    [byte] => Ok(self.expr_of(ExprKind::Char(byte), INT, span)),
                    _ => fail(
                        codes::UNSUPPORTED_EXPRESSION,
                        span,
                        "a character constant of several characters",
                        "write the number it stands for",
                    ),
                }
            }
        }
    }

    fn float(&mut self, float: &ast::Float, span: Span) -> Lowered<Expr> {
        let ty = match float.suffix.format {
            ast::FloatFormat::Float => Type::Float,
            ast::FloatFormat::Double => Type::Double,
            ast::FloatFormat::LongDouble => Type::LongDouble,
            ast::FloatFormat::TS18661Format(_) => {
                return fail(
                    codes::UNSUPPORTED_TYPE,
                    span,
                    "this floating type is not translated",
                    "use `float` or `double`",
                );
            }
        };
        let value = match float.base {
            ast::FloatBase::Decimal if ty == Type::Float => {
                float.number.parse::<f32>().ok().map(f64::from)
            }
            ast::FloatBase::Decimal => float.number.parse::<f64>().ok(),
            ast::FloatBase::Hexadecimal => hex_float(&float.number),
        };
        match value {
            Some(value) => Ok(self.expr_of(ExprKind::Float(value), ty, span)),
            None => fail(
                codes::UNSUPPORTED_EXPRESSION,
                span,
                "this floating constant is not understood",
                "write it in decimal",
            ),
        }
    }

    pub(super) fn string(&mut self, parts: &[String], span: Span) -> Expr {
        let mut bytes = Vec::new();
        for part in parts {
            let open = part.find('"').map_or(0, |at| at + 1);
            let close = part.rfind('"').unwrap_or(part.len()).max(open);
            bytes.extend(unescape(&part[open..close]));
        }
        let ty = Type::Array(
            Box::new(Type::Int(IntKind::Char)),
            Extent::Fixed(bytes.len() as u64 + 1),
        );
        self.expr_of(ExprKind::Str(bytes), ty, span)
    }
}

/// An integer constant with the first type of C11 6.4.4.1's list that holds it.
fn integer(int: &ast::Integer, span: Span) -> Lowered<Expr> {
    use IntKind as I;
    let radix = match int.base {
        ast::IntegerBase::Decimal => 10,
        ast::IntegerBase::Octal => 8,
        ast::IntegerBase::Hexadecimal => 16,
        ast::IntegerBase::Binary => 2,
    };
    let digits = if int.number.is_empty() {
        "0"
    } else {
        &int.number
    };
    let Ok(value) = i128::from_str_radix(digits, radix) else {
        return fail(
            codes::UNSUPPORTED_EXPRESSION,
            span,
            "an integer constant that is too large",
            "",
        );
    };
    let long = int.suffix.size;
    let decimal = radix == 10;
    let candidates = [
        (I::Int, ast::IntegerSize::Int, false),
        (I::UInt, ast::IntegerSize::Int, true),
        (I::Long, ast::IntegerSize::Long, false),
        (I::ULong, ast::IntegerSize::Long, true),
        (I::LongLong, ast::IntegerSize::LongLong, false),
        (I::ULongLong, ast::IntegerSize::LongLong, true),
    ];
    let fits = |kind: I| (kind.range().0..=kind.range().1).contains(&value);
    let allowed = |unsigned: bool| {
        if int.suffix.unsigned {
            unsigned
        } else {
            !unsigned || !decimal
        }
    };
    let found = candidates
        .into_iter()
        .find(|(kind, size, unsigned)| *size >= long && allowed(*unsigned) && fits(*kind));
    match found {
        Some((kind, ..)) => Ok(Expr {
            kind: ExprKind::Int(value),
            ty: Type::Int(kind),
            span,
        }),
        None => fail(
            codes::UNSUPPORTED_EXPRESSION,
            span,
            "an integer constant that is too large",
            "",
        ),
    }
}

fn hex_float(text: &str) -> Option<f64> {
    let text = text.trim_start_matches("0x").trim_start_matches("0X");
    let (mantissa, exponent) = text.split_once(['p', 'P'])?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut value = 0.0f64;
    for digit in whole.chars().chain(fraction.chars()) {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    Some(value * 2f64.powi(exponent.parse::<i32>().ok()? - 4 * fraction.len() as i32))
}

/// The bytes of a literal with its escapes resolved.
pub(super) fn unescape(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '\\' {
            let mut buffer = [0; 4];
            out.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
            continue;
        }
        let Some(escape) = rest.next() else { break };
        out.push(match escape {
            'n' => b'\n',
            't' => b'\t',
            'r' => b'\r',
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' => 27,
            'x' => {
                let mut value = 0u32;
                while let Some(digit) = rest.peek().and_then(|c| c.to_digit(16)) {
                    value = (value << 4 | digit) & 0xff;
                    rest.next();
                }
                value as u8
            }
            '0'..='7' => {
                let mut value = escape.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    if let Some(digit) = rest.peek().and_then(|c| c.to_digit(8)) {
                        value = value * 8 + digit;
                        rest.next();
                    }
                }
                value as u8
            }
            other => {
                let mut buffer = [0; 4];
                out.extend_from_slice(other.encode_utf8(&mut buffer).as_bytes());
                continue;
            }
        });
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        assert_eq!(unescape(r"a\n\x41\101\0\\"), b"a\nAA\0\\");
        assert_eq!(unescape("é"), "é".as_bytes());
    }

    #[test]
    fn hex_floats() {
        assert_eq!(hex_float("1.8p1"), Some(3.0));
        assert_eq!(hex_float("0x1p-2"), Some(0.25));
    }
}
