//! The C library: what its functions are in Rust.

use super::state::{Emit, Emitted, refuse};
use crate::codes;
use crate::ctypes::Type;
use crate::diag::Diagnostic;
use crate::lower::sorting;
use crate::translate::base::code::Code;
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

/// The method that a function of `math.h` with one argument is.
pub(super) fn method(name: &str) -> Option<&'static str> {
    METHODS.iter().find(|(n, _)| *n == name).map(|(_, m)| *m)
}

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
        if let Some(code) = self.stream_call(stem, args, expr)? {
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
            "difftime" => {
                let (end, start) = (self.value(&args[0])?, self.value(&args[1])?);
                Code::binary("-", crate::translate::base::code::Prec::Sum, &end, &start).cast("f64")
            }
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
                    crate::translate::base::code::Prec::Compare,
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
                    crate::translate::base::code::Prec::Compare,
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
                let byte = self.narrowed(&args[0], &Type::Int(crate::ctypes::IntKind::UChar))?;
                let method = if stem == "toupper" {
                    "to_ascii_uppercase"
                } else {
                    "to_ascii_lowercase"
                };
                let byte = if byte.text.contains(" as ") || byte.text.starts_with("b'") {
                    byte
                } else {
                    byte.cast("u8")
                };
                byte.method(method, &[]).cast("i32")
            }
            "atoi" | "atol" | "atoll" | "atof" | "strtol" | "strtoul" | "strtoll" | "strtoull"
            | "strtod" | "strtof" => return self.parse_number(stem, args, expr).map(Some),
            "memcmp" | "bcmp" if args.len() == 3 => return self.memcmp(args, expr).map(Some),
            "getenv" => {
                let name = self.text(&args[0])?;
                Code::call(&self.helper("getenv"), &[name])
            }
            "strerror" => {
                let error = self.narrowed(&args[0], &crate::ctypes::INT)?;
                Code::call(&self.helper("strerror"), &[error])
            }
            "strlen" | "strcmp" | "strcasecmp" | "strncmp" | "strspn" | "strcspn" | "strstr"
            | "strchr" => {
                return self.string_query(stem, args, expr).map(Some);
            }
            "gettimeofday" | "clock_gettime" => {
                let effect = self.library_effect(stem, args, expr)?.unwrap_or_default();
                Code::low(format!("{{ {effect} 0 }}"))
            }
            "sprintf" | "snprintf" => {
                let effect = self.print(stem, args, expr)?;
                let body = effect.trim_end().trim_end_matches('}');
                Code::low(format!("{body} {}.len() as i32 }}", self.held_text()))
            }
            "fflush" => {
                let effect = self.print(stem, args, expr)?;
                Code::low(format!("{{ {effect} 0 }}"))
            }
            "printf" | "puts" | "putchar" | "putc" | "fputs" | "fputc" | "fprintf" => {
                return self.printed(stem, args, expr).map(Some);
            }
            _ if crate::translate::base::flows::allocates(stem) => {
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
        self.out
            .constants
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
                Ok(Some(Code::binary(
                    "%",
                    crate::translate::base::code::Prec::Product,
                    &x,
                    &y,
                )))
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
                    crate::translate::base::code::Prec::Product,
                    &x,
                    &two,
                )))
            }
            _ if LIBM.contains(&stem) || LIBM.contains(&stem.trim_end_matches('f')) => {
                self.out.libm = true;
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
            _ if name == crate::lower::lent_rows::APART => self.rows_apart(args)?,
            "memset" => self.memset(args, expr)?,
            "memcpy"
            | "memmove"
            | "acc_memcpy_to_device"
            | "acc_memcpy_from_device"
            | "acc_memcpy_device" => self.memcpy(args, expr)?,
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
                if let Some(compare) = sorting::named(&args[3])
                    && self.program.function(compare).body.is_some()
                    && !self.needs_globals(compare)
                {
                    return self.sort(args, compare).map(Some);
                }
                return refuse(
                    codes::FUNCTION_POINTER,
                    expr.span,
                    "`qsort` with a comparison that is no function of the program, or uses its globals",
                    "name the comparing function in the call, and let it compare its arguments only",
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
                // A variable may be there for the call alone.
                let vars = args.iter().filter(|a| a.ty.is_arithmetic());
                vars.filter_map(|a| a.stripped().as_var())
                    .filter(|id| !self.in_globals(*id))
                    .map(|id| format!("let _ = {};\n", self.name(id)))
                    .collect()
            }
            "exit" | "_exit" | "quick_exit" => {
                let status = self.assigned_value(&args[0])?;
                format!("std::process::exit({});\n", status.text)
            }
            _ => return Ok(None),
        }))
    }
}
