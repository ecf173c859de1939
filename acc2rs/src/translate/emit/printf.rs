//! The `printf` family as `print!` and its relatives: the format is read at translation time.

use super::state::{Emit, Emitted, refuse};
use super::streams::Sink;
use crate::codes;
use crate::ctypes::Type;
use crate::translate::base::code::Code;
use crate::translate::base::format::{Piece, Size, pieces};
use crate::typed::{Expr, ExprKind};

/// Text inside a Rust format string, without its quotes.
fn escaped(text: &str) -> String {
    let quoted = crate::translate::base::text::quoted(text);
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

/// Whether a format writes characters that may be any byte, and no text beside them.
fn writes_bytes(format: &Expr) -> bool {
    let ExprKind::Str(bytes) = &format.stripped().kind else {
        return false;
    };
    let pieces = pieces(&String::from_utf8_lossy(bytes)).unwrap_or_default();
    let has = |kind: char| {
        pieces
            .iter()
            .any(|p| matches!(p, Piece::Conversion(c) if c.letter == kind))
    };
    bytes.is_ascii() && has('c') && !has('s')
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
        // A format that a variable holds is read here; the variable stays.
        if let Some(format) = args.get(at)
            && let Some(id) = format.stripped().as_var()
            && matches!(name, "printf" | "fprintf")
            && let Some(bytes) = self.known_text(format)
        {
            let mut args = args.to_vec();
            args[at].kind = ExprKind::Str(bytes);
            let printed = self.print(name, &args, expr)?;
            return Ok(format!("let _ = {};\n{printed}", self.name(id)));
        }
        match name {
            "fflush" => {
                let file = match args.first() {
                    Some(file) if !crate::lower::is_null(file) => self.sink(file)?,
                    _ => Sink::Output,
                };
                Ok(match file {
                    Sink::File(file) => {
                        let call = Code::call(&self.helper("fflush"), &[file]);
                        format!("{};\n", call.text)
                    }
                    Sink::Output | Sink::Error => String::new(),
                })
            }
            "setbuf" | "setvbuf" => Ok(String::new()),
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
                let error = match self.sink(&args[1])? {
                    Sink::File(file) => {
                        let text = self.text(&args[0])?;
                        let call = Code::call(&self.helper("fputs"), &[text, file]);
                        return Ok(format!("{};\n", call.text));
                    }
                    sink => matches!(sink, Sink::Error),
                };
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
                    match self.sink(&args[1])? {
                        Sink::File(file) => {
                            let call = self.put_byte(&args[0], &file)?;
                            return Ok(format!("{};\n", call.text));
                        }
                        sink => matches!(sink, Sink::Error),
                    }
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
                let sink = self.sink(&args[0])?;
                if let Sink::File(file) = sink {
                    let (text, values, _) = self.format(&args[at], &args[at + 1..], false)?;
                    let bytes = writes_bytes(&args[at]);
                    return Ok(self.print_into(&file, &text, &values, bytes));
                }
                let error = matches!(sink, Sink::Error);
                let (text, values, newline) = self.format(&args[at], &args[at + 1..], true)?;
                Ok(invoke(macro_for(error, newline), &text, &values))
            }
            _ => {
                let (text, values, _) = self.format(&args[at], &args[at + 1..], false)?;
                let made = invoke("format!", &text, &values);
                let made = made.trim_end().trim_end_matches(';');
                let (at, pointer) = self.positioned(&args[0])?;
                let target = self.slice(&pointer, true);
                let held = self.held_text();
                let helper = self.helper("set_text");
                let _ = expr;
                if name == "snprintf" {
                    let len = self.index(&args[1])?;
                    let helper = self.helper("set_text_within");
                    return Ok(format!(
                        "{{ let {held} = {made}; {at}{helper}({}, {}, &{held}); }}\n",
                        target.text, len.text
                    ));
                }
                Ok(format!(
                    "{{ let {held} = {made}; {at}{helper}({}, &{held}); }}\n",
                    target.text
                ))
            }
        }
    }

    /// A call that prints, as a value: how much was printed, or something that is not `EOF`.
    pub(super) fn printed(&mut self, name: &str, args: &[Expr], expr: &Expr) -> Emitted<Code> {
        let sink = match name {
            "fprintf" => self.sink(&args[0])?,
            "putc" | "fputc" | "fputs" => self.sink(&args[1])?,
            _ => Sink::Output,
        };
        if matches!(name, "printf" | "fprintf") {
            let at = format_at(name);
            let (text, values, _) = self.format(&args[at], &args[at + 1..], false)?;
            let made = invoke("format!", &text, &values);
            let made = made.trim_end().trim_end_matches(';');
            let file = match sink {
                Sink::Output => Code::atom(format!("{}::STDOUT", self.helper("File"))),
                Sink::Error => Code::atom(format!("{}::STDERR", self.helper("File"))),
                Sink::File(file) => file,
            };
            let text = Code::new(
                format!("&{made}"),
                crate::translate::base::code::Prec::Unary,
            );
            return Ok(Code::call(&self.helper("fputs"), &[text, file]));
        }
        let effect = self.print(name, args, expr)?;
        Ok(match sink {
            Sink::File(_) => Code::atom(effect.trim_end().trim_end_matches(';')),
            _ => Code::low(format!("{{ {effect} 1 }}")),
        })
    }

    /// A format and its arguments as text.
    pub(super) fn formatted(&mut self, args: &[Expr]) -> Emitted<Code> {
        let (text, values, _) = self.format(&args[0], &args[1..], false)?;
        let made = invoke("format!", &text, &values);
        let made = made.trim_end().trim_end_matches(';');
        Ok(Code::new(
            format!("&{made}"),
            crate::translate::base::code::Prec::Unary,
        ))
    }

    /// `fprintf` into a stream that a variable names.
    fn print_into(&mut self, file: &Code, text: &str, values: &[String], bytes: bool) -> String {
        let helper = self.helper(if bytes { "fput_bytes" } else { "fputs" });
        if values.len() == 1 && values[0].is_empty() {
            let text = text.replace("{{", "{").replace("}}", "}");
            return format!("{helper}(\"{text}\", {});\n", file.text);
        }
        let made = invoke("format!", text, values);
        let made = made.trim_end().trim_end_matches(';');
        format!("{helper}(&{made}, {});\n", file.text)
    }

    /// A literal, or that of a variable which is never anything else.
    fn known_text(&self, e: &Expr) -> Option<Vec<u8>> {
        match &e.stripped().kind {
            ExprKind::Str(bytes) => Some(bytes.clone()),
            ExprKind::Var(id) => {
                let var = self.program.var(*id);
                let facts = self.facts.var(*id);
                let fixed = facts.assigned + facts.stored + facts.address == 0
                    && var.storage != crate::typed::Storage::Param
                    && !self.shapes.mutable(*id);
                match &var.init {
                    Some(crate::typed::Init::Expr(e)) if fixed => self.known_text(e),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// A format and its arguments as a Rust format string, the values, and whether a line ends.
    fn format(
        &mut self,
        format: &Expr,
        args: &[Expr],
        line: bool,
    ) -> Emitted<(String, Vec<String>, bool)> {
        let Some(bytes) = self.known_text(format) else {
            return refuse(
                codes::FORMAT,
                format.span,
                "the format is not a literal",
                "write the format into the call",
            );
        };
        let text = String::from_utf8_lossy(&bytes).into_owned();
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
                    !super::outline::pure_library(&function.name)
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
