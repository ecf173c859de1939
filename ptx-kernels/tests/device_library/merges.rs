//! The merges, against the sequential loop.

use accrue_ptx::abi::{AUXILIARY_BLOCK, Elem, ErrorRecord, Op};
use accrue_ptx::library;

use super::gpu::{Arg, Bits, Gpu, merges, module, pack, unpack};

/// Every merge gives what the sequential loop gives and leaves the copies neutral, or, after an error, does nothing else.
pub(crate) fn merges_are_sequential(gpu: &mut impl Gpu) {
    // Bins, copies, blocks: tiles one, two, four and eight copies high, and several tiles for a block.
    let shapes = [
        (1, 1, 1),
        (37, 5, 1),
        (300, 3, 2),
        (256, 40, 6),
        (700, 2, 2),
        (40, 64, 3),
        (60, 6, 1),
    ];
    for (op, elem) in merges() {
        let entry = library::merge_entry(op, elem);
        let ptx = module(&[&entry], "");
        for (shape, (bins, copies, grid)) in shapes.into_iter().enumerate() {
            for clean in [true, false] {
                let mut random = Bits(shape as u64);
                let before: Vec<u64> = (0..bins).map(|_| bin(&mut random, elem)).collect();
                let scratch: Vec<u64> = (0..bins * copies)
                    .map(|_| accumulated(&mut random, op, elem))
                    .collect();
                let record = if clean {
                    ErrorRecord::CLEAN
                } else {
                    ErrorRecord {
                        first: 5,
                        ..ErrorRecord::CLEAN
                    }
                };
                let [after, _, left, _, _] = gpu.run(
                    &ptx,
                    &entry,
                    grid,
                    AUXILIARY_BLOCK,
                    [
                        Arg::Memory(pack(&before, elem.size())),
                        Arg::Value(bins),
                        Arg::Memory(pack(&scratch, elem.accumulator().size())),
                        Arg::Value(copies),
                        Arg::Memory(record.to_bytes().to_vec()),
                    ],
                );
                let what = format!("{entry}, {bins} bins, {copies} copies, {grid} blocks");
                let after = unpack(&after.memory(), elem.size());
                for (i, &bin) in before.iter().enumerate() {
                    let copies = scratch.iter().skip(i).step_by(bins as usize);
                    let expected = if clean {
                        copies.fold(bin, |bin, &copy| apply(op, elem, bin, copy))
                    } else {
                        bin
                    };
                    // Which of two zeros is the smaller is not said.
                    let zeros = matches!(op, Op::Min | Op::Max)
                        && is_zero(elem, after[i])
                        && is_zero(elem, expected);
                    assert!(
                        after[i] == expected || zeros,
                        "{what}: bin {i} was {bin:#x}, is {:#x}, should be {expected:#x}",
                        after[i]
                    );
                }
                let neutral = op.neutral_bits(elem.accumulator());
                let left = unpack(&left.memory(), elem.accumulator().size());
                assert!(
                    left.iter().all(|&word| word == neutral),
                    "{what}: copies are not neutral"
                );
            }
        }
    }
}

/// Bits of a bin. Floats are whole numbers, so that sums are exact, and some that must survive bit by bit.
pub(crate) fn bin(random: &mut Bits, elem: Elem) -> u64 {
    let bits = random.next();
    let kind = bits >> 60;
    match (elem, kind) {
        (Elem::Bool, _) => bits & 1,
        (Elem::F32, 0) => u64::from((-0.0f32).to_bits()),
        (Elem::F32, _) => u64::from((f32::from(bits as i8)).to_bits()),
        (Elem::F64, 0) => (-0.0f64).to_bits(),
        (Elem::F64, _) => f64::from(bits as i8).to_bits(),
        _ => bits >> (64 - elem.bits()),
    }
}

/// Bits that an accumulator may hold after updates of bins of type `elem`; a quarter of them are neutral.
pub(crate) fn accumulated(random: &mut Bits, op: Op, elem: Elem) -> u64 {
    let accumulator = elem.accumulator();
    if random.next().is_multiple_of(4) {
        return op.neutral_bits(accumulator);
    }
    match (op, elem) {
        // Halves and doubles keep products exact.
        (Op::Mul, Elem::F32) => {
            u64::from([0.5f32, -1.0, 2.0][random.next() as usize % 3].to_bits())
        }
        (Op::Mul, Elem::F64) => [0.5f64, -1.0, 2.0][random.next() as usize % 3].to_bits(),
        (Op::Min | Op::Max, e) if e.is_signed() => {
            // A value of the bin's type, sign-extended to the accumulator's.
            let shift = 64 - e.bits();
            let value = ((random.next() << shift) as i64 >> shift) as u64;
            value & u64::MAX >> (64 - accumulator.bits())
        }
        (Op::Min | Op::Max | Op::SaturatingAdd | Op::And | Op::Or | Op::Xor, _) => {
            let value = bin(random, elem);
            if op == Op::And {
                value | !(u64::MAX >> (64 - elem.bits())) & u64::MAX >> (64 - accumulator.bits())
            } else {
                value
            }
        }
        _ => bin(random, accumulator),
    }
}

/// The sequential update of a bin by what a copy holds.
pub(crate) fn apply(op: Op, elem: Elem, bin: u64, copy: u64) -> u64 {
    let accumulator = elem.accumulator();
    if copy == op.neutral_bits(accumulator) {
        return bin;
    }
    match elem {
        Elem::F32 => {
            let (bin, copy) = (f32::from_bits(bin as u32), f32::from_bits(copy as u32));
            u64::from(float(op, bin, copy, f32::min, f32::max).to_bits())
        }
        Elem::F64 => float(
            op,
            f64::from_bits(bin),
            f64::from_bits(copy),
            f64::min,
            f64::max,
        )
        .to_bits(),
        _ => {
            let value = |bits: u64, elem: Elem| {
                let shift = 64 - elem.bits();
                if elem.is_signed() {
                    i128::from((bits << shift) as i64 >> shift)
                } else {
                    i128::from(bits << shift >> shift)
                }
            };
            let (bin, copy) = (value(bin, elem), value(copy, accumulator));
            let most = i128::from(u64::MAX >> (64 - elem.bits()));
            let result = match op {
                Op::Add => bin + copy,
                Op::Sub => bin - copy,
                Op::SaturatingAdd => (bin + copy).min(most),
                Op::Mul => bin.wrapping_mul(copy),
                Op::And => bin & copy,
                Op::Or => bin | copy,
                Op::Xor => bin ^ copy,
                Op::Min => bin.min(copy),
                Op::Max => bin.max(copy),
            };
            result as u64 & most as u64
        }
    }
}

fn is_zero(elem: Elem, bits: u64) -> bool {
    match elem {
        Elem::F32 => f32::from_bits(bits as u32) == 0.0,
        Elem::F64 => f64::from_bits(bits) == 0.0,
        _ => bits == 0,
    }
}

fn float<T>(op: Op, bin: T, copy: T, min: fn(T, T) -> T, max: fn(T, T) -> T) -> T
where
    T: std::ops::Add<Output = T> + std::ops::Sub<Output = T> + std::ops::Mul<Output = T>,
{
    match op {
        Op::Add => bin + copy,
        Op::Sub => bin - copy,
        Op::Mul => bin * copy,
        Op::Min => min(bin, copy),
        Op::Max => max(bin, copy),
        Op::SaturatingAdd | Op::And | Op::Or | Op::Xor => unreachable!("not of floats"),
    }
}

/// Bins that nothing was done to keep every bit, be they a NaN or a negative zero.
pub(crate) fn untouched_bins_keep_their_bits(gpu: &mut impl Gpu) {
    for (op, elem) in merges().filter(|(_, elem)| elem.is_float()) {
        let bins = match elem {
            Elem::F32 => vec![0x8000_0000, 0xffc1_2345, 0x7f80_0001, 1],
            _ => vec![1 << 63, 0xfff8_0000_1234_5678, 0x7ff0_0000_0000_0001, 1],
        };
        let entry = library::merge_entry(op, elem);
        let scratch = vec![op.neutral_bits(elem); 12];
        let [after, ..] = gpu.run(
            &module(&[&entry], ""),
            &entry,
            1,
            AUXILIARY_BLOCK,
            [
                Arg::Memory(pack(&bins, elem.size())),
                Arg::Value(4),
                Arg::Memory(pack(&scratch, elem.size())),
                Arg::Value(3),
                Arg::Memory(ErrorRecord::CLEAN.to_bytes().to_vec()),
            ],
        );
        assert_eq!(unpack(&after.memory(), elem.size()), bins, "{entry}");
    }
}
