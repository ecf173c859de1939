//! `h = h.saturating_mul(v)` of unsigned integers: a row, and what it computes, wherever that is.

use super::copy::{Edit, edit};

/// Where kernels have what takes several instructions.
pub(crate) const KERNELS: &str = "ptx-kernels/src/combine.rs";
/// Where the interpreter has what operators compute.
pub(crate) const MEANING: &str = "compiler/ir/src/ir/interpret/operators.rs";

const DEVICE: &str = "ptx-kernels/device/src/op.rs";
const BENCH: &str = "bench/src/check/value.rs";
const MERGES: &str = "ptx-kernels/tests/device_library/merges.rs";

const ROW: &str = r#"    /// `h = h.saturating_mul(v)`, of unsigned integers.
    SaturatingMul = Row {
        name: "saturating_mul",
        written: Written::Method("saturating_mul"),
        does: "Multiplies into",
        verb: "multiply",
        swaps: true,
        gathers: Op::SaturatingMul,
        unsigned: Some(Neutral::One),
        signed: None,
        float: None,
        bool: None,
        undone_by: None,
        overflows: false,
        rounds: false,
        repeated: Repeated::Unknown,
        step: Step::Sequence(Sequence::SaturatingMul),
        merge: Merge::Clamp(Instruction { opcode: "mul", result: "product", operands: Operands::Low }),
        int_atomic: Atomic::Swap,
        float_atomic: Atomic::Swap,
    };
"#;

const SEQUENCE: &str = r#"        Step::Sequence(Sequence::SaturatingMul) => {
            let (bits, arithmetic) = (elem.bits_type(), elem.arithmetic());
            let low = value!(f, "product", format!("mul.lo.{arithmetic}"), a, b);
            let high = value!(f, "over", format!("mul.hi.{arithmetic}"), a, b);
            let over = value!(f, "over", format!("setp.ne.{arithmetic}"), high, 0);
            value!(f, "product", format!("selp.{bits}"), -1, low, over)
        }
"#;

const CPU: &str = r"/// `h = h.saturating_mul(v)` of unsigned integers.
#[derive(Clone, Copy, Debug, Default)]
pub struct SaturatingMul;

impl<B: Unsigned> Operator<B> for SaturatingMul {
    const NEUTRAL: B = B::ONE;
    const ORDERED: bool = false;
    const ROUNDS: bool = false;
    #[inline(always)]
    fn accumulate<const CHECKED: bool>(slot: B, value: B) -> (B, bool) {
        let (product, over) = slot.product(value);
        // What changes no minimum is the largest number.
        (if over { B::MIN_NEUTRAL } else { product }, false)
    }
}

";

/// The row, and that it takes several instructions.
pub(crate) fn rows() -> Vec<Edit> {
    vec![
        edit("ops/src/table.rs", "    /// `h *= v`, wrapping", ROW),
        edit(
            "ops/src/row.rs",
            "    /// A sum, or the largest value.\n",
            "    /// A product, or the largest value.\n    SaturatingMul,\n",
        ),
    ]
}

/// All steps.
pub(crate) fn edits() -> Vec<Edit> {
    let steps = vec![
        edit(
            KERNELS,
            "        Step::Sequence(Sequence::SaturatingAdd) => {",
            SEQUENCE,
        ),
        edit("runtime/src/cpu/op.rs", "/// `h ^= v`, which takes", CPU),
        edit(
            "runtime/src/across/combine.rs",
            "        Op::SaturatingAdd => {",
            "        Op::SaturatingMul => of_types!(action, into, from, SaturatingMul: U8 U16 U32 U64 U128 Usize),\n",
        ),
        edit(
            MEANING,
            "        Op::And => binary",
            "        Op::SaturatingMul => {\n            let most = (1i128 << s.bits()) - 1;\n            \
             Ok(Value::Int(h.int().saturating_mul(v.int()).min(most)))\n        }\n",
        ),
        edit(
            DEVICE,
            "    /// The largest value instead of a larger sum.\n",
            "    /// The largest value instead of a larger product.\n    fn saturating_mul(self, other: Self) -> Self;\n",
        ),
        edit(
            DEVICE,
            "            #[inline(always)]\n            fn saturating_add",
            "            #[inline(always)]\n            fn saturating_mul(self, other: $t) -> $t {\n                \
             <$t>::saturating_mul(self, other)\n            }\n",
        ),
        edit(
            DEVICE,
            "    /// `h = h.saturating_add(v)`, unsigned",
            "    /// `h = h.saturating_mul(v)`, unsigned.\n    SaturatingMul over Integer: ONE, saturating_mul, \
             apply |bin, total| B::clamp(bin.widen().saturating_mul(total));\n",
        ),
        edit(
            "ptx-kernels/device/src/merge.rs",
            "    accrue_merge_saturating_add_u8:",
            "    accrue_merge_saturating_mul_u8: SaturatingMul of u8;\n    \
             accrue_merge_saturating_mul_u16: SaturatingMul of u16;\n    \
             accrue_merge_saturating_mul_u32: SaturatingMul of u32;\n    \
             accrue_merge_saturating_mul_u64: SaturatingMul of u64;\n",
        ),
        // What tests hold against it, sequentially.
        edit(
            MERGES,
            "                Op::Mul => bin.wrapping",
            "                Op::SaturatingMul => bin.saturating_mul(copy).min(most),\n",
        ),
        edit(
            MERGES,
            "Op::SaturatingAdd | Op::And",
            "Op::SaturatingMul | ",
        ),
        edit(BENCH, "Op::Add | Op::Sub | Op::And", "Op::SaturatingMul | "),
        edit(BENCH, "Op::SaturatingAdd | Op::And", "Op::SaturatingMul | "),
        edit(BENCH, "Op::SaturatingAdd | Op::Mul", "Op::SaturatingMul | "),
        edit(
            BENCH,
            "                    Op::Mul => self.wrapping",
            "                    Op::SaturatingMul => self.saturating_mul(value),\n",
        ),
        edit(
            "acc2rs/src/optimize/write.rs",
            "        Op::SaturatingAdd => unreachable!",
            "        Op::SaturatingMul => unreachable!(\"C has no saturating product\"),\n",
        ),
    ];
    [rows(), steps].concat()
}
