//! Initialisation and sampling, against what they should write.

use accrue_ptx::abi::AUXILIARY_BLOCK;
use accrue_ptx::library;
use accrue_ptx::sample::{self, KeySample};

use super::gpu::{Arg, Bits, Gpu, merges, module, pack, unpack};

/// Every initialisation writes its neutral element as often as asked, and nothing after it.
pub(crate) fn initialisations_fill(gpu: &mut impl Gpu) {
    for (op, elem) in merges() {
        let entry = library::initialise_entry(op, elem);
        let ptx = module(&[&entry], "");
        let size = elem.accumulator().size();
        let neutral = op.neutral_bits(elem.accumulator());
        for (scalars, grid) in [(0, 1), (1, 1), (3, 2), (4, 1), (7, 1), (2051, 2)] {
            let [filled, _] = gpu.run(
                &ptx,
                &entry,
                grid,
                AUXILIARY_BLOCK,
                [
                    Arg::Memory(vec![0x5a; (scalars + 4) * size as usize]),
                    Arg::Value(scalars as u64),
                ],
            );
            let filled = unpack(&filled.memory(), size);
            let (inside, beyond) = filled.split_at(scalars);
            assert!(
                inside.iter().all(|&word| word == neutral),
                "{entry}, {scalars} scalars"
            );
            assert!(
                pack(beyond, size).iter().all(|&byte| byte == 0x5a),
                "{entry} wrote beyond {scalars} scalars"
            );
        }
    }
}

/// A key made from random bits and the key's place.
type Distribution = fn(u64, usize) -> u32;

/// The sampling kernel counts what the host counts.
pub(crate) fn samples_are_the_hosts(gpu: &mut impl Gpu) {
    let ptx = module(&[sample::ENTRY], "");
    let mut random = Bits(3);
    let distributions: [(&str, Distribution); 4] = [
        ("uniform", |bits, _| bits as u32 % 100_000),
        ("constant", |_, _| 77),
        ("zipf", |bits, _| bits.trailing_zeros()),
        ("runs", |_, at| at as u32 / 11),
    ];
    for (name, key) in &distributions {
        for count in [0, 31, 32, 1000, 2048, 3000] {
            let keys: Vec<u32> = (0..count).map(|at| key(random.next(), at)).collect();
            for bin_bytes in [1, 4, 8] {
                let looks = sample::looks(&keys, bin_bytes);
                let [_, _, result] = gpu.run(
                    &ptx,
                    sample::ENTRY,
                    1,
                    sample::COUNT_BLOCK,
                    [
                        // A kernel is not given an address of no memory.
                        Arg::Memory(pack(if looks.is_empty() { &[0] } else { &looks }, 8)),
                        Arg::Value(count as u64),
                        Arg::Memory(vec![0xa5; KeySample::BYTES]),
                    ],
                );
                let bytes = result
                    .memory()
                    .try_into()
                    .expect("as many bytes as there were");
                let expected = KeySample::of(&keys, bin_bytes);
                assert_eq!(
                    KeySample::from_bytes(bytes),
                    expected,
                    "{name}, {count} keys, {bin_bytes} bytes"
                );
            }
        }
    }
}
