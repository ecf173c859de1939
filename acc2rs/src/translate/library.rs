//! The C library: what its functions are in Rust.

use super::code::Code;
use super::{Emit, Emitted, refuse};
use crate::codes;
use crate::ctypes::{INT, Type};
use crate::diag::Diagnostic;
use crate::typed::{Expr, ExprKind, FnId};

/// Functions of `math.h` with one argument that are methods of Rust's floats.
const METHODS: &[(&str, &str)] = &[
    ("sqrt", "sqrt"),
    ("fabs", "abs"),
    ("floor", "floor"),
    ("ceil", "ceil"),
    ("round", "round"),
    ("trunc", "trunc"),
    ("exp", "exp"),
    ("exp2", "exp2"),
    ("expm1", "exp_m1"),
    ("log", "ln"),
    ("log2", "log2"),
    ("log10", "log10"),
    ("log1p", "ln_1p"),
    ("sin", "sin"),
    ("cos", "cos"),
    ("tan", "tan"),
    ("asin", "asin"),
    ("acos", "acos"),
    ("atan", "atan"),
    ("sinh", "sinh"),
    ("cosh", "cosh"),
    ("tanh", "tanh"),
    ("asinh", "asinh"),
    ("acosh", "acosh"),
    ("atanh", "atanh"),
    ("cbrt", "cbrt"),
    ("rint", "round_ties_even"),
    ("nearbyint", "round_ties_even"),
];

/// Functions of `math.h` with two arguments.
const METHODS2: &[(&str, &str)] = &[
    ("pow", "powf"),
    ("atan2", "atan2"),
    ("hypot", "hypot"),
    ("fmin", "min"),
    ("fmax", "max"),
    ("copysign", "copysign"),
];

/// Functions that the `libm` crate has and Rust's floats do not.
const LIBM: &[&str] = &[
    "erf",
    "erfc",
    "tgamma",
    "lgamma",
    "j0",
    "j1",
    "y0",
    "y1",
    "logb",
    "fdim",
    "remainder",
    "exp10",
];

/// Rounding to an integer type.
const ROUNDED: &[(&str, &str)] = &[
    ("lround", "round"),
    ("llround", "round"),
    ("lrint", "round_ties_even"),
    ("llrint", "round_ties_even"),
];

/// Calls that concern devices and queues, which have no effect on the host.
fn device_call(name: &str) -> bool {
    const PREFIXES: [&str; 12] = [
        "acc_init",
        "acc_shutdown",
        "acc_set_",
        "acc_wait",
        "acc_async_wait",
        "acc_create",
        "acc_delete",
        "acc_copyout",
        "acc_update_",
        "acc_map_data",
        "acc_unmap_data",
        "acc_free",
    ];
    PREFIXES.iter().any(|p| name.starts_with(p))
        || matches!(
            name,
            "acc_copyin"
                | "acc_copyin_async"
                | "acc_present_or_copyin"
                | "acc_pcopyin"
                | "acc_present_or_create"
                | "acc_pcreate"
                | "acc_attach"
                | "acc_detach"
        )
}

impl Emit<'_> {
    /// A call that gives `int` for true and false.
    pub(super) fn is_predicate(&self, callee: FnId) -> bool {
        let function = self.program.function(callee);
        let stem = function.name.trim_start_matches("__builtin_");
        function.body.is_none()
            && matches!(
                stem,
                "isnan"
                    | "isnanf"
                    | "isinf"
                    | "isinf_sign"
                    | "isinff"
                    | "isfinite"
                    | "signbit"
                    | "signbitf"
                    | "isnormal"
                    | "__isnan"
                    | "__isinf"
                    | "isdigit"
                    | "isalpha"
                    | "isspace"
                    | "isupper"
                    | "islower"
                    | "isalnum"
                    | "ispunct"
            )
    }

    /// Such a call as a condition.
    pub(super) fn predicate(&mut self, callee: FnId, args: &[Expr]) -> Emitted<Code> {
        let name = self.program.function(callee).name.clone();
        let stem = name
            .trim_start_matches('_')
            .trim_start_matches("builtin_")
            .to_string();
        let Some(arg) = args.first() else {
            return refuse(
                codes::BUG,
                crate::source::Span::default(),
                "a predicate without an argument",
                "",
            );
        };
        let is_char = stem.starts_with("is")
            && matches!(
                &stem[2..],
                "digit" | "alpha" | "space" | "upper" | "lower" | "alnum" | "punct"
            );
        if is_char {
            let byte = self.narrowed(arg, &Type::Int(crate::ctypes::IntKind::UChar))?;
            let method = match &stem[2..] {
                "digit" => "is_ascii_digit",
                "alpha" => "is_ascii_alphabetic",
                "space" => "is_ascii_whitespace",
                "upper" => "is_ascii_uppercase",
                "lower" => "is_ascii_lowercase",
                "alnum" => "is_ascii_alphanumeric",
                _ => "is_ascii_punctuation",
            };
            let byte = if byte.text.starts_with("b'") || byte.text.contains(" as ") {
                byte
            } else {
                byte.cast("u8")
            };
            return Ok(byte.method(method, &[]));
        }
        let value = self.floating(arg)?;
        let method = match stem.as_str() {
            "isnan" | "isnanf" => "is_nan",
            "isinf" | "isinff" | "isinf_sign" => "is_infinite",
            "isfinite" => "is_finite",
            "isnormal" => "is_normal",
            _ => "is_sign_negative",
        };
        Ok(value.method(method, &[]))
    }

    /// A floating argument as a receiver: literals keep their suffix.
    fn floating(&mut self, arg: &Expr) -> Emitted<Code> {
        if let Some(code) = self.literal(arg, false) {
            return Ok(Code::atom(format!(
                "({}_{})",
                code.text,
                super::convert::number(&arg.ty)
            )));
        }
        let code = self.value(arg)?;
        let mut typed = false;
        crate::typed::walk::parts(self.program, arg, &mut |e| {
            typed |= matches!(e.kind, ExprKind::Var(_) | ExprKind::Call { .. })
                || self.named_constant(e);
        });
        Ok(if typed {
            code
        } else {
            code.cast(super::convert::number(&arg.ty))
        })
    }

    /// A library call as a value; `None` if the function is not known.
    pub(super) fn library(
        &mut self,
        name: &str,
        args: &[Expr],
        expr: &Expr,
    ) -> Emitted<Option<Code>> {
        let stem = name.strip_prefix("__builtin_").unwrap_or(name);
        if let Some(code) = self.math(stem, args, expr)? {
            return Ok(Some(code));
        }
        let code = match stem {
            "abs" | "labs" | "llabs" => match self.literal(&args[0], false) {
                Some(code) => Code::atom(format!(
                    "({}_{})",
                    code.text,
                    super::convert::number(&args[0].ty)
                ))
                .method("abs", &[]),
                None => self.value(&args[0])?.method("abs", &[]),
            },
            "rand" | "random" => {
                let call = Code::call(&self.helper("rand"), &[]);
                if stem == "random" {
                    call.cast("i64")
                } else {
                    call
                }
            }
            "srand" | "srandom" => {
                let seed = self.assigned_value(&args[0])?;
                Code::call(&self.helper("srand"), &[seed])
            }
            "drand48" => Code::call(&self.helper("drand48"), &[]),
            "lrand48" => Code::call(&self.helper("lrand48"), &[]),
            "srand48" => {
                let seed = self.assigned_value(&args[0])?;
                Code::call(&self.helper("srand48"), &[seed])
            }
            "rand_r" => {
                let pointer = self.pointer(&args[0])?;
                let place = if pointer.single {
                    pointer.base
                } else {
                    pointer.base.index(&pointer.at())
                };
                Code::call(
                    &self.helper("rand_r"),
                    &[Code::atom(format!("&mut {}", place.text))],
                )
            }
            "time" => Code::call(&self.helper("time"), &[]),
            "clock" => Code::call(&self.helper("clock"), &[]),
            "omp_get_wtime" => Code::call(&self.helper("wall"), &[]),
            "omp_get_num_threads"
            | "omp_get_max_threads"
            | "omp_get_num_procs"
            | "acc_async_test"
            | "acc_async_test_all"
            | "acc_is_present" => Code::atom("1"),
            "omp_get_thread_num"
            | "omp_in_parallel"
            | "acc_get_device_num"
            | "acc_get_default_async" => Code::atom("0"),
            "acc_on_device" => {
                let device = self.value(&args[0])?;
                let host = self.enum_name("acc_device_host");
                super::expr::truth(&Code::binary(
                    "==",
                    super::code::Prec::Compare,
                    &device,
                    &host,
                ))
            }
            "acc_get_device_type" => self.enum_name("acc_device_host"),
            "acc_get_num_devices" => {
                let device = self.value(&args[0])?;
                let host = self.enum_name("acc_device_host");
                super::expr::truth(&Code::binary(
                    "==",
                    super::code::Prec::Compare,
                    &device,
                    &host,
                ))
            }
            "exit" | "_exit" | "quick_exit" => {
                let status = self.assigned_value(&args[0])?;
                Code::call("std::process::exit", &[status])
            }
            "abort" | "trap" => Code::call("std::process::abort", &[]),
            "unreachable" => Code::atom("unreachable!()"),
            "expect" => return self.value(&args[0]).map(Some),
            "popcount" | "popcountl" | "popcountll" => {
                self.value(&args[0])?.method("count_ones", &[]).cast("i32")
            }
            "clz" | "clzl" | "clzll" => self
                .value(&args[0])?
                .method("leading_zeros", &[])
                .cast("i32"),
            "ctz" | "ctzl" | "ctzll" => self
                .value(&args[0])?
                .method("trailing_zeros", &[])
                .cast("i32"),
            "bswap32" | "bswap64" => self.value(&args[0])?.method("swap_bytes", &[]),
            "toupper" | "tolower" => {
                let value = self.value(&args[0])?;
                let method = if stem == "toupper" {
                    "to_ascii_uppercase"
                } else {
                    "to_ascii_lowercase"
                };
                value.cast("u8").method(method, &[]).cast("i32")
            }
            "atoi" | "atol" | "atoll" | "atof" | "strtol" | "strtoul" | "strtoll" | "strtoull"
            | "strtod" | "strtof" => return self.parse_number(stem, args, expr).map(Some),
            "strlen" | "strcmp" | "strncmp" | "strstr" | "strchr" => {
                return self.string_query(stem, args, expr).map(Some);
            }
            "printf" | "puts" | "putchar" | "putc" | "fputs" | "fputc" | "fprintf" | "sprintf"
            | "snprintf" => {
                return refuse(
                    codes::UNSUPPORTED_EXPRESSION,
                    expr.span,
                    format!("the result of `{stem}` is used"),
                    "call it as a statement of its own",
                );
            }
            _ if super::shapes::allocates(stem) => {
                return refuse(
                    codes::LOST_POINTER,
                    expr.span,
                    "memory is allocated that no variable holds",
                    "assign it to a pointer variable",
                );
            }
            _ => return Ok(None),
        };
        Ok(Some(code))
    }

    fn enum_name(&mut self, name: &str) -> Code {
        let value = if name == "acc_device_host" { 2 } else { 0 };
        self.constants
            .insert(name.to_string(), ("i32".into(), value.to_string()));
        Code::atom(name)
    }

    fn math(&mut self, stem: &str, args: &[Expr], expr: &Expr) -> Emitted<Option<Code>> {
        if !expr.ty.is_float()
            && !ROUNDED
                .iter()
                .any(|(n, _)| stem.trim_end_matches('f') == *n)
        {
            return Ok(None);
        }
        if matches!(stem, "huge_val" | "inf" | "huge_valf" | "inff") {
            return Ok(Some(Code::atom(format!(
                "{}::INFINITY",
                super::convert::number(&expr.ty)
            ))));
        }
        if matches!(stem, "nan" | "nanf") {
            return Ok(Some(Code::atom(format!(
                "{}::NAN",
                super::convert::number(&expr.ty)
            ))));
        }
        let find = |table: &[(&str, &'static str)]| {
            let exact = table.iter().find(|(n, _)| *n == stem);
            let float = || {
                stem.strip_suffix('f')
                    .and_then(|s| table.iter().find(|(n, _)| *n == s))
            };
            exact.or_else(float).map(|(_, method)| *method)
        };
        if let (Some(method), [x]) = (find(METHODS), args) {
            return Ok(Some(self.floating(x)?.method(method, &[])));
        }
        if let (Some(method), [x, y]) = (find(METHODS2), args) {
            if method == "powf"
                && let Some(power @ 2..=2) =
                    crate::typed::consts::int_value(y.stripped(), self.program)
            {
                let _ = power;
                return Ok(Some(self.floating(x)?.method("powi", &[Code::atom("2")])));
            }
            let y = self.assigned_value(y)?;
            return Ok(Some(self.floating(x)?.method(method, &[y])));
        }
        if let (Some(method), [x]) = (find(ROUNDED), args) {
            return Ok(Some(self.floating(x)?.method(method, &[]).cast("i64")));
        }
        match (stem, args) {
            ("fmod" | "fmodf", [x, y]) => {
                let (x, y) = (self.value(x)?, self.value(y)?);
                Ok(Some(Code::binary("%", super::code::Prec::Product, &x, &y)))
            }
            ("fma" | "fmaf", [x, y, z]) => {
                let (y, z) = (self.assigned_value(y)?, self.assigned_value(z)?);
                Ok(Some(self.floating(x)?.method("mul_add", &[y, z])))
            }
            ("ldexp" | "scalbn", [x, n]) => {
                let n = self.assigned_value(n)?;
                let two = Code::atom("2.0_f64").method("powi", &[n]);
                let x = self.value(x)?;
                Ok(Some(Code::binary(
                    "*",
                    super::code::Prec::Product,
                    &x,
                    &two,
                )))
            }
            _ if LIBM.contains(&stem) || LIBM.contains(&stem.trim_end_matches('f')) => {
                self.libm = true;
                let args: Vec<Code> = args
                    .iter()
                    .map(|a| self.assigned_value(a))
                    .collect::<Emitted<_>>()?;
                Ok(Some(Code::call(&format!("libm::{stem}"), &args)))
            }
            _ => Ok(None),
        }
    }

    /// A library call as a statement; `None` if it is none that only has an effect.
    pub(super) fn library_effect(
        &mut self,
        name: &str,
        args: &[Expr],
        expr: &Expr,
    ) -> Emitted<Option<String>> {
        let stem = name.strip_prefix("__builtin_").unwrap_or(name);
        Ok(Some(match stem {
            "printf" | "fprintf" | "puts" | "fputs" | "putchar" | "putc" | "fputc" | "perror"
            | "fflush" | "sprintf" | "snprintf" | "setbuf" | "setvbuf" => {
                return self.print(stem, args, expr).map(Some);
            }
            "free" | "acc_free" | "cfree" => self.free(&args[0])?,
            "memset" => self.memset(args, expr)?,
            "memcpy" | "memmove" => self.memcpy(args, expr)?,
            "strcpy" | "strcat" | "strncpy" => self.string_effect(stem, args, expr)?,
            "gettimeofday" | "clock_gettime" => {
                let target = if stem == "gettimeofday" {
                    &args[0]
                } else {
                    &args[1]
                };
                let pointer = self.pointer(target)?;
                let place = if pointer.single {
                    pointer.base
                } else {
                    pointer.base.index(&pointer.at())
                };
                let now = self.temporary("now");
                let wall = self.helper("since_epoch");
                let (field, unit) = if stem == "gettimeofday" {
                    ("tv_usec", "subsec_micros")
                } else {
                    ("tv_nsec", "subsec_nanos")
                };
                let place = place.receiver();
                format!(
                    "let {now} = {wall}(); {place}.tv_sec = {now}.as_secs() as i64; {place}.{field} = i64::from({now}.{unit}());\n"
                )
            }
            "sleep" | "usleep" | "srand_deterministic" => String::new(),
            "qsort" => {
                return refuse(
                    codes::FUNCTION_POINTER,
                    expr.span,
                    "`qsort` takes a function",
                    "sort with a loop, or in the Rust with `sort_by`",
                );
            }
            _ if device_call(stem) => {
                let note = Diagnostic::new(
                    codes::DEVICE_SELECTION,
                    expr.span,
                    format!("`{stem}` has no effect in the Rust"),
                );
                self.notes
                    .push(note.help("choose the device with `ACCRUE_DEVICE`"));
                String::new()
            }
            "exit" | "_exit" | "quick_exit" => {
                let status = self.assigned_value(&args[0])?;
                format!("std::process::exit({});\n", status.text)
            }
            _ => return Ok(None),
        }))
    }

    fn free(&mut self, arg: &Expr) -> Emitted<String> {
        let inner = arg.stripped();
        if let ExprKind::Var(id) = inner.kind {
            let owned = matches!(self.shapes.var(id), Some(super::shapes::Shape::Owned));
            // Memory of a caller is freed by its owner, a position owns nothing.
            if !owned {
                return Ok(format!("let _ = {};\n", self.name(id)));
            }
            return Ok(format!("{}\n", self.release(id, inner)?));
        }
        if matches!(
            inner.kind,
            ExprKind::Member(..) | ExprKind::Index(..) | ExprKind::Deref(_)
        ) && !self.is_text(inner)
        {
            return Ok(format!("{} = Vec::new();\n", self.place(inner)?.text));
        }
        Ok(String::new())
    }

    /// Frees what a variable owns; `drop` where it is used no more.
    fn release(&mut self, id: crate::typed::VarId, at: &Expr) -> Emitted<String> {
        let name = self.name(id);
        let Some(body) = self
            .function
            .and_then(|f| self.program.function(f).body.as_ref())
        else {
            return Ok(String::new());
        };
        let mut later = false;
        for stmt in &body.stmts {
            crate::typed::walk::exprs(self.program, stmt, &mut |e| {
                later |= e.as_var() == Some(id) && e.span.lo > at.span.lo
            });
        }
        let straight = body.stmts.iter().any(|s| matches!(&s.kind, crate::typed::StmtKind::Expr(e) if e.span.lo <= at.span.lo && at.span.hi <= e.span.hi));
        Ok(if !later && straight && !self.in_globals(id) {
            format!("drop({name});")
        } else {
            format!("{name}.clear();")
        })
    }

    fn memset(&mut self, args: &[Expr], expr: &Expr) -> Emitted<String> {
        let target = args[0].stripped();
        let (to, pointer) = self.memory(&args[0])?;
        let value = crate::typed::consts::int_value(&args[1], self.program);
        let fill = match (value, &to) {
            (Some(0), _) => self.zero(&to, expr.span)?,
            (Some(-1 | 255), Type::Int(kind)) => {
                Code::atom(if kind.signed() {
                    "-1".to_string()
                } else {
                    format!("{}::MAX", kind.rust())
                })
                .text
            }
            (_, to) if to.is_char() => self.narrowed(&args[1], to)?.text,
            _ => {
                return refuse(
                    codes::UNSUPPORTED_EXPRESSION,
                    expr.span,
                    "`memset` with a byte that is not zero",
                    "use a loop",
                );
            }
        };
        if pointer.single {
            return Ok(format!("{} = {fill};\n", pointer.base.text));
        }
        let len = self.elements(&args[2], &to, args[2].span)?;
        let _ = target;
        let whole = self.range_of(&pointer, &len);
        Ok(format!("{whole}.fill({fill});\n"))
    }

    /// The element type and the array that a `void *` argument stands for.
    fn memory(&mut self, arg: &Expr) -> Emitted<(Type, super::place::Pointer)> {
        let mut inner = arg;
        while let ExprKind::Cast { value, .. } = &inner.kind {
            if !value.ty.is_pointer() {
                break;
            }
            inner = value;
        }
        let mut to = inner.ty.element().cloned().unwrap_or(Type::Void);
        let pointer = self.pointer(inner)?;
        if let ExprKind::AddrOf(place) = &inner.kind
            && matches!(place.ty, Type::Array(..))
        {
            to = place.ty.element().cloned().unwrap_or(Type::Void);
            return Ok((
                to,
                super::place::Pointer {
                    single: false,
                    ..pointer
                },
            ));
        }
        if pointer.row.is_some() {
            to = to.innermost().clone();
        }
        Ok((to, pointer))
    }

    fn range_of(&self, pointer: &super::place::Pointer, len: &Code) -> String {
        let base = pointer.base.receiver();
        match &pointer.offset {
            None => format!("{base}[..{}]", len.at(super::code::Prec::Or)),
            Some(at) => format!(
                "{base}[{}..][..{}]",
                at.at(super::code::Prec::Or),
                len.at(super::code::Prec::Or)
            ),
        }
    }

    fn memcpy(&mut self, args: &[Expr], expr: &Expr) -> Emitted<String> {
        let (to, target) = self.memory(&args[0])?;
        let (from, source) = self.memory(&args[1])?;
        if to != from && super::convert::number(&to) != super::convert::number(&from) {
            return refuse(
                codes::POINTER_CAST,
                expr.span,
                "memory is copied as another type",
                "copy the values with a loop",
            );
        }
        if target.single && source.single {
            return Ok(format!("{} = {};\n", target.base.text, source.base.text));
        }
        let len = self.elements(&args[2], &to, args[2].span)?;
        if target.single || source.single {
            let a = if target.single {
                target.base
            } else {
                target.base.index(&target.at())
            };
            let b = if source.single {
                source.base
            } else {
                source.base.index(&source.at())
            };
            return Ok(format!("{} = {};\n", a.text, b.text));
        }
        if target.base.text == source.base.text {
            let (from, at) = (source.at(), target.at());
            return Ok(format!(
                "{}.copy_within({2}..{2} + {1}, {3});\n",
                target.base.receiver(),
                len.at(super::code::Prec::Sum),
                from.at(super::code::Prec::Sum),
                at.text
            ));
        }
        let method = if matches!(to, Type::Struct(id) if !self.is_copy(id)) {
            "clone_from_slice"
        } else {
            "copy_from_slice"
        };
        let (a, b) = (self.range_of(&target, &len), self.range_of(&source, &len));
        let _ = INT;
        Ok(format!("{a}.{method}(&{b});\n"))
    }
}
