//! The device code that rustc made: maths, merging, initialisation, as text to copy into a module.
//!
//! `device/` is a Rust crate for the GPU; its `build.sh` compiles it to the PTX in `ptx/`, cut into pieces that say what
//! else they need. [`closure_of`] returns the pieces that a kernel calls and what those need, and nothing else, so that
//! a module carries only what it runs. [`MATH`] lists the functions; [`merge_entry`], [`initialise_entry`] and
//! [`sample::ENTRY`](crate::sample::ENTRY) name the kernels.
//!
//! # Calling a function from PTX
//!
//! ```text
//! .param .b64 argument;
//! .param .b64 result;
//! st.param.f64 [argument], %x;
//! call.uni (result), accrue_sin_f64, (argument);
//! ld.param.f64 %y, [result];
//! ```
//!
//! A float of 32 bits and an `i32` are passed in a `.b32`.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use accrue_ops::{Instruction, Operands, Step};

use crate::abi::{Elem, Op};

/// The library as it is checked in. Both are modules by themselves.
const FILES: [&str; 2] = [
    include_str!("../ptx/math.ptx"),
    include_str!("../ptx/kernels.ptx"),
];

/// A function, entry or variable of the library.
struct Piece {
    /// Where it stands: what it needs stands before it.
    position: usize,
    needs: Vec<&'static str>,
    text: &'static str,
}

static PIECES: LazyLock<HashMap<&'static str, Piece>> = LazyLock::new(|| {
    let mut pieces = HashMap::new();
    // A piece starts with a line `//> NAME: NEEDS..`; what stands before the first is the module's header.
    for piece in FILES.iter().flat_map(|file| file.split("\n//> ").skip(1)) {
        let (line, text) = piece.split_once('\n').expect("a piece has a first line");
        let (name, needs) = line.split_once(':').expect("its first line names it");
        let needs = needs.split_whitespace().collect();
        let position = pieces.len();
        pieces.insert(
            name,
            Piece {
                position,
                needs,
                text,
            },
        );
    }
    pieces
});

/// What stands before pieces in a module, for those who read it.
const COMMENT: &str =
    "// From accrue's device library, which rustc compiled: ptx-kernels/device.\n";

/// The PTX of the named functions and entries and of all that they need, each once, definitions before uses, under a
/// comment but without a module's header: what goes into a module of `.target sm_70` or newer before the code that calls it.
///
/// ```
/// use accrue_ptx::library::closure_of;
///
/// let text = closure_of(&["accrue_ln_f64"]);
/// assert!(text.contains(".func  (.param .b64 func_retval0) accrue_ln_f64("));
/// assert!(!text.contains("accrue_sin_f64"));
/// ```
///
/// # Panics
///
/// If the library has no such name: names come from [`math`], [`merge_entry`] and [`initialise_entry`].
pub fn closure_of(names: &[&str]) -> String {
    let mut waiting: Vec<&str> = names.to_vec();
    let mut chosen = HashSet::new();
    let mut pieces = Vec::new();
    while let Some(name) = waiting.pop() {
        let Some((&name, piece)) = PIECES.get_key_value(name) else {
            panic!("the device library has no `{name}`");
        };
        if chosen.insert(name) {
            waiting.extend(&piece.needs);
            pieces.push(piece);
        }
    }
    pieces.sort_by_key(|piece| piece.position);
    let comment = (!pieces.is_empty()).then_some(COMMENT);
    comment
        .into_iter()
        .chain(pieces.iter().map(|piece| piece.text))
        .collect()
}

/// All names in the library, in the order in which they stand.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<_> = PIECES
        .iter()
        .map(|(name, piece)| (piece.position, *name))
        .collect();
    names.sort_unstable();
    names.into_iter().map(|(_, name)| name).collect()
}

/// What a maths function takes after its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Argument {
    /// The receiver's type.
    Float,
    /// An `i32`.
    I32,
}

/// A method of `f32` and `f64` that is a function of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Math {
    /// Rust's name; `rem` for the operator `%`.
    pub method: &'static str,
    /// The arguments after the receiver.
    pub arguments: &'static [Argument],
}

/// Every method of the float primitives that PTX has no exact instruction for. All return the receiver's type.
///
/// Not here, because they are an instruction or two with the same bits as on the CPU: `abs`, `sqrt`, `floor`, `ceil`,
/// `trunc`, `round_ties_even`, `fract`, `recip`, `mul_add`, `copysign`, `min`, `max`, `clamp`. `x.sin_cos()` is
/// `(x.sin(), x.cos())`. How far results are from the CPU's is in `docs/math.md`.
pub const MATH: &[Math] = &[
    unary("sin"),
    unary("cos"),
    unary("tan"),
    unary("asin"),
    unary("acos"),
    unary("atan"),
    binary("atan2"),
    unary("sinh"),
    unary("cosh"),
    unary("tanh"),
    unary("asinh"),
    unary("acosh"),
    unary("atanh"),
    unary("exp"),
    unary("exp2"),
    unary("exp_m1"),
    unary("ln"),
    unary("ln_1p"),
    binary("log"),
    unary("log2"),
    unary("log10"),
    binary("powf"),
    Math {
        method: "powi",
        arguments: &[Argument::I32],
    },
    unary("cbrt"),
    binary("hypot"),
    binary("rem"),
    binary("rem_euclid"),
    binary("div_euclid"),
    unary("round"),
    unary("signum"),
    unary("to_degrees"),
    unary("to_radians"),
    binary("midpoint"),
    unary("next_up"),
    unary("next_down"),
];

const fn unary(method: &'static str) -> Math {
    Math {
        method,
        arguments: &[],
    }
}

const fn binary(method: &'static str) -> Math {
    Math {
        method,
        arguments: &[Argument::Float],
    }
}

impl Math {
    /// The function's name for a receiver of type `float`.
    ///
    /// # Panics
    ///
    /// If `float` is neither `f32` nor `f64`.
    pub fn symbol(&self, float: Elem) -> String {
        assert!(float.is_float(), "`{}` has no maths", float.name());
        format!("accrue_{}_{}", self.method, float.name())
    }
}

/// The maths function for a method, if it is one.
///
/// ```
/// use accrue_ptx::{abi::Elem, library};
///
/// let atan2 = library::math("atan2").unwrap();
/// assert_eq!(atan2.symbol(Elem::F32), "accrue_atan2_f32");
/// assert_eq!(library::math("sqrt"), None);
/// ```
pub fn math(method: &str) -> Option<Math> {
    MATH.iter().find(|math| math.method == method).copied()
}

/// The kernel that adds copies up into bins of type `elem`, a [`TargetAbi::merge`](crate::abi::TargetAbi::merge) with the
/// parameters of [`MergeParam::ALL`](crate::abi::MergeParam::ALL). Operators that do not look at the sign have one for
/// each width.
///
/// # Panics
///
/// If bins of the type cannot have the operator.
pub fn merge_entry(op: Op, elem: Elem) -> String {
    assert!(
        op.applies_to(elem),
        "no `{}` of `{}`",
        op.name(),
        elem.name()
    );
    let elem = match op.row().step {
        Step::Instruction(Instruction {
            operands: Operands::Signed,
            ..
        }) => elem,
        Step::Instruction(_) | Step::Sequence(_) => elem.unsigned(),
    };
    format!("accrue_merge_{}_{}", op.name(), elem.name())
}

/// The kernel that fills the copies of bins of type `elem` with the operator's neutral element, a
/// [`TargetAbi::initialise`](crate::abi::TargetAbi::initialise) with the parameters of
/// [`InitialiseParam::ALL`](crate::abi::InitialiseParam::ALL). The scratch memory is aligned to 16 bytes.
///
/// # Panics
///
/// If bins of the type cannot have the operator.
pub fn initialise_entry(op: Op, elem: Elem) -> String {
    assert!(
        op.applies_to(elem),
        "no `{}` of `{}`",
        op.name(),
        elem.name()
    );
    let accumulator = elem.accumulator();
    let width = accumulator.bits();
    let sign = 1u64 << (width - 1);
    let value = match op.neutral_bits(accumulator) {
        0 => "zero",
        1 => "one",
        bits if bits == sign => "signed_min",
        bits if bits == sign - 1 => "signed_max",
        bits if bits == sign | (sign - 1) => "ones",
        _ => "float_one",
    };
    format!("accrue_initialise_{value}_{width}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOATS: [Elem; 2] = [Elem::F32, Elem::F64];

    /// The bins and operators that exist.
    fn targets() -> impl Iterator<Item = (Op, Elem)> {
        Op::ALL
            .into_iter()
            .flat_map(|op| Elem::ALL.into_iter().map(move |elem| (op, elem)))
            .filter(|(op, elem)| op.applies_to(*elem))
    }

    #[test]
    fn every_piece_is_in_a_table_and_every_name_of_a_table_is_a_piece() {
        let mut expected: HashSet<String> = HashSet::new();
        for float in FLOATS {
            expected.extend(MATH.iter().map(|math| math.symbol(float)));
        }
        for (op, elem) in targets() {
            expected.insert(merge_entry(op, elem));
            expected.insert(initialise_entry(op, elem));
        }
        expected.insert(crate::sample::ENTRY.to_owned());
        let inner = ["accrue_table_", "accrue_tile", "accrue_sample_t"];
        let pieces: HashSet<String> = names()
            .into_iter()
            .filter(|name| !inner.iter().any(|prefix| name.starts_with(prefix)))
            .map(str::to_owned)
            .collect();
        assert_eq!(pieces, expected);
    }

    #[test]
    fn functions_take_what_the_table_says() {
        for (math, float) in MATH
            .iter()
            .flat_map(|math| FLOATS.map(|float| (math, float)))
        {
            let symbol = math.symbol(float);
            let text = closure_of(&[&symbol]);
            let signature = text
                .split_once(&format!(" {symbol}("))
                .and_then(|(before, after)| {
                    let result = before.rsplit_once('\n').map_or(before, |(_, line)| line);
                    after
                        .split_once(')')
                        .map(|(parameters, _)| (result, parameters))
                });
            let (result, parameters) = signature.expect("the function is defined");
            assert_eq!(
                result,
                format!(".func  (.param .b{} func_retval0)", float.bits())
            );
            let types: Vec<&str> = parameters
                .split_whitespace()
                .filter(|word| word.starts_with(".b"))
                .collect();
            let expected: Vec<String> = std::iter::once(&Argument::Float)
                .chain(math.arguments)
                .map(|argument| match argument {
                    Argument::Float => format!(".b{}", float.bits()),
                    Argument::I32 => ".b32".to_owned(),
                })
                .collect();
            assert_eq!(types, expected, "{symbol}");
        }
    }

    #[test]
    fn a_closure_defines_what_it_uses_once_and_before_its_use() {
        for name in names() {
            let text = closure_of(&[name, name]);
            let mut defined = HashSet::new();
            for line in text.lines() {
                let word = |c: char| !(c.is_ascii_alphanumeric() || c == '_');
                let top = line.starts_with('.');
                for used in line.split(word).filter(|word| PIECES.contains_key(word)) {
                    if top {
                        assert!(
                            defined.insert(used),
                            "{used} twice in the closure of {name}"
                        );
                    } else {
                        assert!(defined.contains(used), "{used} in the closure of {name}");
                    }
                }
            }
            assert!(defined.contains(name));
        }
    }

    #[test]
    fn a_closure_has_only_what_is_called() {
        assert_eq!(closure_of(&[]), "");
        let one = closure_of(&["accrue_exp_f32"]);
        assert_eq!(one.matches(".func").count(), 1);
        let two = closure_of(&["accrue_sin_f64", "accrue_cos_f32"]);
        assert_eq!(two.matches(".func").count(), 2);
        assert_eq!(
            two.matches(".global .align").count(),
            1,
            "they share the digits of 2/π"
        );
    }

    #[test]
    #[should_panic(expected = "the device library has no `accrue_sqrt_f32`")]
    fn an_unknown_name_is_named() {
        closure_of(&["accrue_sqrt_f32"]);
    }

    #[test]
    fn the_library_keeps_to_the_base_target() {
        for file in FILES {
            assert!(file.contains("\n.version 7.0\n.target sm_70\n.address_size 64\n"));
            // A stack frame would be local memory of every thread that calls.
            assert!(!file.contains(".local"), "no piece has a stack frame");
        }
    }
}
