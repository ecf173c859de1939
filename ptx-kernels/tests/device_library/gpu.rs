//! What the cases of the device library need: a GPU, real or simulated, and data for it.

use accrue_ptx::abi::{Elem, Op};
use accrue_ptx::library::closure_of;

/// A kernel's argument.
pub(crate) enum Arg {
    /// As it is.
    Value(u64),
    /// Memory of the device with this in it, aligned to 16 bytes; what the kernel left is put here.
    Memory(Vec<u8>),
}

impl Arg {
    pub(crate) fn memory(self) -> Vec<u8> {
        match self {
            Arg::Memory(bytes) => bytes,
            Arg::Value(value) => panic!("{value} is no memory"),
        }
    }
}

/// Something that runs PTX.
pub(crate) trait Gpu {
    /// Runs `entry` of the module `ptx` to its end.
    fn run<const N: usize>(
        &mut self,
        ptx: &str,
        entry: &str,
        grid: u32,
        block: u32,
        args: [Arg; N],
    ) -> [Arg; N];
}

/// Bits that look random, the same in each run (splitmix64).
pub(crate) struct Bits(pub(crate) u64);

impl Bits {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ bits >> 31
    }
}

pub(crate) fn module(names: &[&str], rest: &str) -> String {
    format!(
        ".version 7.0\n.target sm_70\n.address_size 64\n{}{rest}",
        closure_of(names)
    )
}

/// The low `size` bytes of each word.
pub(crate) fn pack(words: &[u64], size: u32) -> Vec<u8> {
    words
        .iter()
        .flat_map(|word| word.to_le_bytes().into_iter().take(size as usize))
        .collect()
}

pub(crate) fn unpack(bytes: &[u8], size: u32) -> Vec<u64> {
    bytes
        .chunks(size as usize)
        .map(|chunk| {
            chunk
                .iter()
                .rev()
                .fold(0, |word, &byte| word << 8 | u64::from(byte))
        })
        .collect()
}

/// Every operator on every type of bin that can have it.
pub(crate) fn merges() -> impl Iterator<Item = (Op, Elem)> {
    Op::ALL
        .into_iter()
        .flat_map(|op| Elem::ALL.into_iter().map(move |elem| (op, elem)))
        .filter(|(op, elem)| op.applies_to(*elem))
}
