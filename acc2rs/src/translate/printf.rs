//! The `printf` family as `print!` and its relatives: the format is read at translation time.

use super::code::Code;
use super::format::{Conversion, Piece, Size, pieces};
use super::{Emit, Emitted, refuse};
use crate::codes;
use crate::ctypes::Type;
use crate::typed::{Expr, ExprKind};

/// Text inside a Rust format string, without its quotes.
fn escaped(text: &str) -> String {
    let quoted = super::strings::quoted(text);
    quoted[1..quoted.len() - 1]
        .replace('{', "{{")
        .replace('}', "}}")
}

/// Which argument of a function of the `printf` family is the format.
fn format_at(name: &str) -> usize {
    match name {
        "printf" => 0,
        "snprintf" => 2,
        _ => 1,
    }
}

impl Emit<'_> {
    /// A call that prints, as a statement.
    pub(super) fn print(&mut self, name: &str, args: &[Expr], expr: &Expr) -> Emitted<String> {
        let macro_for = |error: bool, newline: bool| match (error, newline) {
            (false, false) => "print!",
            (false, true) => "println!",
            (true, false) => "eprint!",
            (true, true) => "eprintln!",
        };
        // Each of the formats that a condition chooses from is read by itself.
        let at = format_at(name);
        if matches!(name, "printf" | "fprintf")
            && let Some(format) = args.get(at)
            && let ExprKind::Cond(cond, then, otherwise) = &format.stripped().kind
        {
            let cond = self.cond(cond)?;
            let mut arm = |format: &Expr| {
                let mut args = args.to_vec();
                args[at] = format.clone();
                self.print(name, &args, expr)
            };
            let (then, otherwise) = (arm(then)?, arm(otherwise)?);
            return Ok(format!(
                "if {} {{ {then} }} else {{ {otherwise} }}\n",
                cond.text
            ));
        }
        match name {
            "fflush" | "setbuf" | "setvbuf" => Ok(String::new()),
            "puts" | "perror" => {
                let text = self.text(&args[0])?;
                let error = name == "perror";
                Ok(format!(
                    "{}(\"{{}}\", {});\n",
                    macro_for(error, true),
                    text.text
                ))
                .map(inline_text)
            }
            "fputs" => {
                let error = self.stream(&args[1])?;
                let text = self.text(&args[0])?;
                Ok(format!(
                    "{}(\"{{}}\", {});\n",
                    macro_for(error, false),
                    text.text
                ))
                .map(inline_text)
            }
            "putchar" | "putc" | "fputc" => {
                let error = if name == "putchar" {
                    false
                } else {
                    self.stream(&args[1])?
                };
                if let Some(value) = crate::typed::consts::int_value(&args[0], self.program)
                    && (value == 10 || (32..127).contains(&value))
                {
                    let newline = value == 10;
                    let text = if newline {
                        String::new()
                    } else {
                        format!("\"{}\"", escaped(&(value as u8 as char).to_string()))
                    };
                    return Ok(format!("{}({text});\n", macro_for(error, newline)));
                }
                let byte = self.narrowed(&args[0], &Type::Int(crate::ctypes::IntKind::UChar))?;
                Ok(format!(
                    "{}(\"{{}}\", char::from({}));\n",
                    macro_for(error, false),
                    byte.text
                ))
            }
            "printf" => {
                let (text, values, newline) = self.format(&args[at], &args[at + 1..], true)?;
                Ok(invoke(macro_for(false, newline), &text, &values))
            }
            "fprintf" => {
                let error = self.stream(&args[0])?;
                let (text, values, newline) = self.format(&args[at], &args[at + 1..], true)?;
                Ok(invoke(macro_for(error, newline), &text, &values))
            }
            _ => {
                let (text, values, _) = self.format(&args[at], &args[at + 1..], false)?;
                let made = invoke("format!", &text, &values);
                let made = made.trim_end().trim_end_matches(';');
                let (at, pointer) = self.positioned(&args[0])?;
                let target = self.slice(&pointer, true);
                let helper = self.helper("set_text");
                let _ = expr;
                if name == "snprintf" {
                    let len = self.index(&args[1])?;
                    let helper = self.helper("set_text_within");
                    return Ok(format!(
                        "{{ let text = {made}; {at}{helper}({}, {}, &text); }}\n",
                        target.text, len.text
                    ));
                }
                Ok(format!(
                    "{{ let text = {made}; {at}{helper}({}, &text); }}\n",
                    target.text
                ))
            }
        }
    }

    /// Whether a stream is the error stream; other streams are refused.
    fn stream(&mut self, arg: &Expr) -> Emitted<bool> {
        if let ExprKind::Var(id) = arg.stripped().kind {
            match self.program.var(id).name.as_str() {
                "stderr" => return Ok(true),
                "stdout" => return Ok(false),
                _ => {}
            }
        }
        refuse(
            codes::FILE_IO,
            arg.span,
            "output to something else than `stdout` and `stderr`",
            "print to one of them, or write the file in the Rust",
        )
    }

    /// A format and its arguments as a Rust format string, the values, and whether a line ends.
    fn format(
        &mut self,
        format: &Expr,
        args: &[Expr],
        line: bool,
    ) -> Emitted<(String, Vec<String>, bool)> {
        let ExprKind::Str(bytes) = &format.stripped().kind else {
            return refuse(
                codes::FORMAT,
                format.span,
                "the format is not a literal",
                "write the format into the call",
            );
        };
        let text = String::from_utf8_lossy(bytes).into_owned();
        let Some(pieces) = pieces(&text) else {
            return refuse(
                codes::FORMAT,
                format.span,
                "the format ends in the middle of a conversion",
                "complete it, or write `%%`",
            );
        };
        let mut out = String::new();
        let mut values = Vec::new();
        let mut next = args.iter();
        let argument = |size: &Option<Size>| *size == Some(Size::Argument);
        let sized = pieces.iter().any(|piece| {
            matches!(piece, Piece::Conversion(c) if argument(&c.width) || argument(&c.precision))
        });
        for piece in &pieces {
            match piece {
                Piece::Text(text) => out.push_str(&escaped(text)),
                Piece::Conversion(c) => {
                    let mut argument = || match next.next() {
                        Some(arg) => Ok(arg),
                        None => Err(Box::new(
                            crate::diag::Diagnostic::new(
                                codes::FORMAT,
                                format.span,
                                "a conversion without its argument",
                            )
                            .help("add the argument"),
                        )),
                    };
                    let width = match &c.width {
                        Some(Size::Argument) => Some(Err(argument()?)),
                        Some(Size::Number(n)) => Some(Ok(*n)),
                        None => None,
                    };
                    let precision = match &c.precision {
                        Some(Size::Argument) => Some(Err(argument()?)),
                        Some(Size::Number(n)) => Some(Ok(*n)),
                        None => None,
                    };
                    let arg = argument()?;
                    let spec = self.conversion(c, width, precision, arg, &mut values)?;
                    // Sizes that are arguments are counted among the others, which then all say their place.
                    let at = if sized {
                        (values.len() - 1).to_string()
                    } else {
                        String::new()
                    };
                    let colon = if spec.is_empty() { "" } else { ":" };
                    out.push_str(&format!("{{{at}{colon}{spec}}}"));
                }
            }
        }
        let prelude = self.reordered(args, &mut values);
        let newline = line && out.ends_with("\\n");
        if newline {
            out.truncate(out.len() - 2);
        }
        values.insert(0, prelude);
        Ok((out, values, newline))
    }

    /// Arguments with effects are evaluated before the call, last first as gcc does; gives the
    /// statements for it.
    pub(super) fn reordered(&mut self, args: &[Expr], values: &mut [String]) -> String {
        if values.len() < 2 || !args.iter().any(|a| self.has_effect(a)) {
            return String::new();
        }
        let mut out = String::new();
        for value in values.iter_mut().rev() {
            let literal =
                value.starts_with('"') || value.chars().all(|c| c.is_ascii_digit() || c == '.');
            if !literal {
                let name = self.temporary("value");
                out.push_str(&format!("let {name} = {value}; "));
                *value = name;
            }
        }
        out
    }

    /// Whether evaluating an expression changes something.
    pub(super) fn has_effect(&self, e: &Expr) -> bool {
        let mut hit = false;
        crate::typed::walk::parts(self.program, e, &mut |p| match &p.kind {
            ExprKind::Step { .. }
            | ExprKind::Assign(..)
            | ExprKind::Compound { .. }
            | ExprKind::CallPointer(..) => hit = true,
            ExprKind::Call { callee, .. } => {
                let function = self.program.function(*callee);
                hit |= if function.body.is_some() {
                    self.needs_globals(*callee)
                        || !self.is_quiet(*callee)
                        || function.params.iter().any(|p| self.shapes.mutable(*p))
                } else {
                    !super::histogram::pure_library(&function.name)
                };
            }
            _ => {}
        });
        hit
    }

    /// The value of a conversion, the last one of `values` then, and how Rust is to print it.
    fn conversion(
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
        let filled = c.zero && !c.left && width.is_some() || precision.is_some();
        if c.alternate && (float || filled) {
            return refuse(
                codes::FORMAT,
                arg.span,
                "the flag `#` on a floating conversion, with zeros or with a precision",
                "write the prefix or the point into the format",
            );
        }
        // What a helper fills is no argument of the format.
        let exponent = matches!(c.letter, 'e' | 'E' | 'g' | 'G');
        let whole = matches!(c.letter, 'd' | 'i' | 'u' | 'x' | 'X' | 'o');
        let least = whole && precision.is_some();
        let helped = exponent || least;
        let (mut filled_to, mut digits) = (None, "6".to_string());
        let (width, exact) = if helped {
            let given = |emit: &mut Self, size: Result<usize, &Expr>| match size {
                Ok(n) => Ok(n.to_string()),
                Err(e) => emit.index(e).map(|code| code.text),
            };
            let fills = exponent && c.zero && !c.left;
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
                if c.zero && !c.left && !least {
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
                    Code::call(
                        &self.helper("prefixed"),
                        &[Code::atom(prefix), Code::atom(digits)],
                    )
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

/// A text argument that is a literal goes into the format.
fn inline_text(call: String) -> String {
    let Some(start) = call.find("(\"{}\", \"") else {
        return call;
    };
    let inner = &call[start + 7..call.len() - 3];
    if inner.starts_with('"') && inner.ends_with('"') && !inner[1..inner.len() - 1].contains('"') {
        let escaped = inner.replace('{', "{{").replace('}', "}}");
        return format!("{}({escaped});\n", &call[..start]);
    }
    call
}

/// The call of a formatting macro; the first value is what stands before it.
fn invoke(name: &str, text: &str, values: &[String]) -> String {
    let (prelude, values) = values
        .split_first()
        .map_or(("", values), |(p, v)| (p.as_str(), v));
    if !prelude.is_empty() {
        let plain = invoke(name, text, &[vec![String::new()], values.to_vec()].concat());
        let plain = plain.trim_end();
        let plain = if name == "format!" {
            plain.trim_end_matches(';')
        } else {
            plain
        };
        return if name == "format!" {
            format!("{{ {prelude}{plain} }};\n")
        } else {
            format!("{{ {prelude}{plain} }}\n")
        };
    }
    let mut out = format!("{name}(");
    if !(text.is_empty() && name.ends_with("ln!")) {
        out.push_str(&format!("\"{text}\""));
        // A plain name can stand in the braces.
        values.iter().for_each(|v| out.push_str(&format!(", {v}")));
    }
    out.push_str(");\n");
    out
}
