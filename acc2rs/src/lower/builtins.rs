//! Functions of the compiler that headers' macros expand to, which no header declares.

use crate::ctypes::{FnType, INT, IntKind, SIZE, Type};

/// The type of a compiler builtin.
pub(super) fn builtin(name: &str) -> Option<FnType> {
    let stem = name.strip_prefix("__builtin_")?;
    let void_pointer = || Type::pointer(Type::Void);
    let ulong = Type::Int(IntKind::ULong);
    let ulonglong = Type::Int(IntKind::ULongLong);
    let uint = Type::Int(IntKind::UInt);
    let text = || Type::Pointer {
        to: Box::new(Type::Int(IntKind::Char)),
        constant: true,
    };
    let (ret, params) = match stem {
        "isnan" | "isinf" | "isinf_sign" | "isfinite" | "isnormal" | "signbit" => {
            (INT, vec![Type::Double])
        }
        "isnanf" | "isinff" | "signbitf" => (INT, vec![Type::Float]),
        "huge_val" | "inf" => (Type::Double, vec![]),
        "huge_valf" | "inff" => (Type::Float, vec![]),
        "nan" => (Type::Double, vec![text()]),
        "nanf" => (Type::Float, vec![text()]),
        "fabs" | "sqrt" | "sin" | "cos" | "exp" | "log" | "floor" | "ceil" => {
            (Type::Double, vec![Type::Double])
        }
        "fabsf" | "sqrtf" | "sinf" | "cosf" | "expf" | "logf" | "floorf" | "ceilf" => {
            (Type::Float, vec![Type::Float])
        }
        "pow" | "fmin" | "fmax" => (Type::Double, vec![Type::Double, Type::Double]),
        "powf" | "fminf" | "fmaxf" => (Type::Float, vec![Type::Float, Type::Float]),
        "abs" => (INT, vec![INT]),
        "labs" => (Type::Int(IntKind::Long), vec![Type::Int(IntKind::Long)]),
        "popcount" | "clz" | "ctz" | "parity" => (INT, vec![uint]),
        "popcountl" | "clzl" | "ctzl" => (INT, vec![ulong]),
        "popcountll" | "clzll" | "ctzll" => (INT, vec![ulonglong]),
        "ffs" => (INT, vec![INT]),
        "bswap32" => (uint.clone(), vec![uint]),
        "bswap64" => (ulong.clone(), vec![ulong]),
        "expect" => (
            Type::Int(IntKind::Long),
            vec![Type::Int(IntKind::Long), Type::Int(IntKind::Long)],
        ),
        "memcpy" | "memmove" => (void_pointer(), vec![void_pointer(), void_pointer(), SIZE]),
        "memset" => (void_pointer(), vec![void_pointer(), INT, SIZE]),
        "trap" | "unreachable" | "abort" => (Type::Void, vec![]),
        "va_start" | "va_end" | "va_copy" => (Type::Void, vec![super::variadic::list()]),
        _ => return None,
    };
    Some(FnType {
        ret,
        params,
        variadic: stem.starts_with("va_"),
        prototyped: true,
    })
}

/// How many arguments a function of the C library takes at least; 0 if it is not known, or takes none.
pub(super) fn least_arguments(name: &str) -> usize {
    match name.trim_start_matches("__builtin_") {
        "qsort" | "fread" | "fwrite" => 4,
        "memcpy"
        | "memmove"
        | "memset"
        | "memcmp"
        | "bcmp"
        | "strncpy"
        | "strncmp"
        | "snprintf"
        | "fgets"
        | "fseek"
        | "acc_memcpy_to_device"
        | "acc_memcpy_from_device"
        | "acc_memcpy_device"
        | "posix_memalign" => 3,
        "strcmp" | "strcasecmp" | "strcpy" | "strcat" | "strspn" | "strcspn" | "strstr"
        | "strchr" | "strrchr" | "strpbrk" | "strtok" | "sprintf" | "fprintf" | "fscanf"
        | "sscanf" | "fputs" | "fputc" | "putc" | "ungetc" | "fopen" | "calloc" | "realloc"
        | "aligned_alloc" | "memalign" | "gettimeofday" | "clock_gettime" | "difftime"
        | "strtol" | "strtoul" | "strtoll" | "strtoull" | "strtod" | "strtof" => 2,
        "printf"
        | "scanf"
        | "puts"
        | "putchar"
        | "perror"
        | "free"
        | "cfree"
        | "malloc"
        | "valloc"
        | "strlen"
        | "strdup"
        | "strerror"
        | "getenv"
        | "atoi"
        | "atol"
        | "atoll"
        | "atof"
        | "abs"
        | "labs"
        | "llabs"
        | "srand"
        | "srandom"
        | "srand48"
        | "rand_r"
        | "exit"
        | "_exit"
        | "quick_exit"
        | "toupper"
        | "tolower"
        | "fclose"
        | "feof"
        | "ferror"
        | "rewind"
        | "ftell"
        | "fgetc"
        | "getc"
        | "remove"
        | "unlink"
        | "acc_malloc"
        | "acc_free"
        | "acc_on_device"
        | "acc_get_num_devices" => 1,
        _ => 0,
    }
}
