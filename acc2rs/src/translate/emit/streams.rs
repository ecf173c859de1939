//! `FILE *` and the functions on it: a [`Type::Stream`] becomes a small value that names an open file, as C's pointer does.

use super::state::{Emit, Emitted, refuse};
use crate::codes;
use crate::ctypes::{IntKind, Type};
use crate::lower::is_null;
use crate::translate::base::code::{Code, Prec};
use crate::typed::{BinaryOp, Expr, ExprKind, VarId, consts};

/// Where something is printed to.
pub(super) enum Sink {
    /// `stdout`, by its own name.
    Output,
    /// `stderr`, by its own name.
    Error,
    /// A stream that a variable names.
    File(Code),
}

impl Emit<'_> {
    /// Whether a variable is `stdin`, `stdout` or `stderr` of the C library.
    pub(super) fn is_standard_stream(&self, id: VarId) -> bool {
        let var = self.program.var(id);
        var.ty == Type::Stream
            && !var.defined
            && matches!(var.name.as_str(), "stdin" | "stdout" | "stderr")
    }

    /// A stream as a value.
    pub(super) fn stream(&mut self, expr: &Expr) -> Emitted<Code> {
        if is_null(expr) {
            let file = self.helper("File");
            return Ok(Code::atom(format!("{file}::NULL")));
        }
        match &expr.kind {
            ExprKind::Cast { value, .. } if value.ty == Type::Stream => self.stream(value),
            ExprKind::Var(id) if self.is_standard_stream(*id) => {
                let name = self.program.var(*id).name.to_uppercase();
                let file = self.helper("File");
                Ok(Code::atom(format!("{file}::{name}")))
            }
            ExprKind::Var(_) | ExprKind::Index(..) | ExprKind::Member(..) | ExprKind::Deref(_) => {
                self.place(expr)
            }
            _ => self.value(expr),
        }
    }

    /// Whether an expression is a stream by its name, or none.
    pub(super) fn names_stream(&self, expr: &Expr) -> bool {
        is_null(expr)
            || match &expr.kind {
                ExprKind::Cast { value, .. } => value.ty == Type::Stream,
                ExprKind::Var(id) => self.is_standard_stream(*id),
                _ => false,
            }
    }

    /// Whether a stream is none.
    pub(super) fn no_stream(&mut self, expr: &Expr) -> Emitted<Code> {
        Ok(self.stream(expr)?.method("is_null", &[]))
    }

    /// `==` and `!=` of streams.
    pub(super) fn compare_streams(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Emitted<Code> {
        if is_null(a) || is_null(b) {
            let none = self.no_stream(if is_null(b) { a } else { b })?;
            return Ok(if op == BinaryOp::Eq { none } else { none.not() });
        }
        let (a, b) = (self.stream(a)?, self.stream(b)?);
        Ok(Code::binary(op.text(), Prec::Compare, &a, &b))
    }

    /// Where a function of the `printf` family prints to.
    pub(super) fn sink(&mut self, stream: &Expr) -> Emitted<Sink> {
        if let Some(id) = stream.stripped().as_var()
            && self.is_standard_stream(id)
        {
            match self.program.var(id).name.as_str() {
                "stderr" => return Ok(Sink::Error),
                "stdout" => return Ok(Sink::Output),
                _ => {}
            }
        }
        self.stream(stream).map(Sink::File)
    }

    /// A function on streams as a value; `None` if it is none.
    pub(super) fn stream_call(
        &mut self,
        name: &str,
        args: &[Expr],
        expr: &Expr,
    ) -> Emitted<Option<Code>> {
        let code = match (name, args) {
            ("fopen", [path, mode]) => {
                let (path, mode) = (self.text(path)?, self.text(mode)?);
                Code::call(&self.helper("fopen"), &[path, mode])
            }
            ("tmpfile", []) => Code::call(&self.helper("tmpfile"), &[]),
            ("remove" | "unlink", [path]) => {
                let path = self.text(path)?;
                Code::call(&self.helper("remove"), &[path])
            }
            ("getchar", []) => {
                let input = Code::atom(format!("{}::STDIN", self.helper("File")));
                Code::call(&self.helper("fgetc"), &[input])
            }
            ("fclose" | "feof" | "ferror" | "rewind" | "ftell", [file]) => {
                let file = self.stream(file)?;
                Code::call(&self.helper(known(name)), &[file])
            }
            ("fgetc" | "getc", [file]) => {
                let file = self.stream(file)?;
                Code::call(&self.helper("fgetc"), &[file])
            }
            ("ungetc", [byte, file]) => {
                let (byte, file) = (
                    self.narrowed(byte, &crate::ctypes::INT)?,
                    self.stream(file)?,
                );
                Code::call(&self.helper("ungetc"), &[byte, file])
            }
            ("fseek", [file, offset, whence]) => {
                let file = self.stream(file)?;
                let offset = self.assigned_value(offset)?;
                let whence = self.assigned_value(whence)?;
                Code::call(&self.helper("fseek"), &[file, offset, whence])
            }
            ("fread" | "fwrite", [data, size, count, file]) => {
                let write = name == "fwrite";
                let (to, pointer) = self.memory(data)?;
                if !to.innermost().is_arithmetic() {
                    return refuse(
                        codes::FILE_IO,
                        data.span,
                        "structs and pointers are read or written as bytes",
                        "read and write the numbers in them, each by itself",
                    );
                }
                let data = match (pointer.single, write) {
                    (false, _) => self.slice(&pointer, !write),
                    (true, true) => {
                        Code::call("std::slice::from_ref", &[borrowed("&", &pointer.base)])
                    }
                    (true, false) => {
                        Code::call("std::slice::from_mut", &[borrowed("&mut ", &pointer.base)])
                    }
                };
                // What is counted by the memory itself is counted before.
                let array = crate::translate::base::places::root(&args[0]);
                let counts =
                    |e: &Expr, this: &Self| array.is_some_and(|id| this.mentions(e, id)) && !write;
                let mut lets = String::new();
                let mut number = |e: &Expr, this: &mut Self| -> Emitted<Code> {
                    let code = this.index(e)?;
                    if !counts(e, this) {
                        return Ok(code);
                    }
                    let name = this.temporary("count");
                    lets.push_str(&format!("let {name} = {}; ", code.text));
                    Ok(Code::atom(name))
                };
                let (size, count) = (number(size, self)?, number(count, self)?);
                let file = self.stream(file)?;
                let call = Code::call(&self.helper(known(name)), &[data, size, count, file]);
                if lets.is_empty() {
                    call
                } else {
                    Code::low(format!("{{ {lets}{} }}", call.text))
                }
            }
            ("fscanf", [file, format, into @ ..]) => {
                let file = self.stream(file)?;
                let helper = self.helper("fscanf");
                return self.scanned(&helper, file, format, into, expr).map(Some);
            }
            ("scanf", [format, into @ ..]) => {
                let input = Code::atom(format!("{}::STDIN", self.helper("File")));
                let helper = self.helper("fscanf");
                return self.scanned(&helper, input, format, into, expr).map(Some);
            }
            ("sscanf", [text, format, into @ ..]) => {
                let text = self.text(text)?;
                let helper = self.helper("sscanf");
                return self.scanned(&helper, text, format, into, expr).map(Some);
            }
            _ => return Ok(None),
        };
        Ok(Some(code))
    }

    /// `fgets` as whether it read a line; `None` if the call is another.
    pub(super) fn line_read(&mut self, expr: &Expr) -> Emitted<Option<Code>> {
        let ExprKind::Call { callee, args } = &expr.stripped().kind else {
            return Ok(None);
        };
        let function = self.program.function(*callee);
        let [line, len, file] = &args[..] else {
            return Ok(None);
        };
        if function.name != "fgets" || function.body.is_some() {
            return Ok(None);
        }
        let pointer = self.pointer(line)?;
        let line = self.slice(&pointer, true);
        let (len, file) = (self.index(len)?, self.stream(file)?);
        let helper = self.helper("fgets");
        Ok(Some(Code::call(&helper, &[line, len, file])))
    }

    /// `putchar` and its relatives into a stream that a variable names.
    pub(super) fn put_byte(&mut self, byte: &Expr, file: &Code) -> Emitted<Code> {
        let byte = match consts::int_value(byte, self.program) {
            Some(value) => Code::atom(format!("{}", value as u8)),
            None => self.narrowed(byte, &Type::Int(IntKind::UChar))?,
        };
        Ok(Code::call(&self.helper("fputc"), &[byte, file.clone()]))
    }
}

/// The name of a helper, which are known beforehand.
fn known(name: &str) -> &'static str {
    match name {
        "fclose" => "fclose",
        "feof" => "feof",
        "rewind" => "rewind",
        "ftell" => "ftell",
        "fread" => "fread",
        "fwrite" => "fwrite",
        _ => "ferror",
    }
}

fn borrowed(reference: &str, place: &Code) -> Code {
    Code::new(format!("{reference}{}", place.at(Prec::Unary)), Prec::Unary)
}
