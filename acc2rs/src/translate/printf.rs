//! The `printf` family as `print!` and its relatives: the format is read at translation time.

use super::format::{Piece, Size, pieces};
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
