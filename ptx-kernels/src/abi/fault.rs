//! The error record that a kernel leaves, and how a fault is told to people.

use super::Text;

/// What a kernel writes at [`ParamKind::Error`](super::ParamKind::Error): four little-endian `u64`. All bytes
/// `0xff` is clean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct ErrorRecord {
    /// The smallest failing iteration, or `u64::MAX`.
    pub first: u64,
    /// The position in [`KernelAbi::faults`](super::KernelAbi::faults) of the fault. This and what follows is
    /// written by a run of a single iteration only, or at once by kernels that [write](super::KernelAbi::writes).
    pub site: u64,
    /// The index that was out of range.
    pub index: u64,
    /// The length that it had to be less than.
    pub length: u64,
}

impl ErrorRecord {
    /// Size in device memory, in bytes.
    pub const BYTES: usize = 32;
    /// A record in which no fault is.
    pub const CLEAN: ErrorRecord = ErrorRecord {
        first: u64::MAX,
        site: u64::MAX,
        index: u64::MAX,
        length: u64::MAX,
    };

    /// Whether no iteration failed.
    pub fn is_clean(&self) -> bool {
        self.first == u64::MAX
    }

    /// Whether it says more than which iteration failed.
    pub fn has_details(&self) -> bool {
        self.site != u64::MAX
    }

    /// Reads a record as it lies in device memory.
    pub fn from_bytes(bytes: [u8; Self::BYTES]) -> ErrorRecord {
        let word = |at: usize| {
            let mut word = [0; 8];
            word.copy_from_slice(&bytes[at * 8..at * 8 + 8]);
            u64::from_le_bytes(word)
        };
        ErrorRecord {
            first: word(0),
            site: word(1),
            index: word(2),
            length: word(3),
        }
    }

    /// The record as it lies in device memory.
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        for (at, word) in [self.first, self.site, self.index, self.length]
            .into_iter()
            .enumerate()
        {
            bytes[at * 8..at * 8 + 8].copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }
}

/// One place in a loop's body that can fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultSite {
    /// How.
    pub kind: FaultKind,
    /// What was indexed, or the message of a panic; empty for the others.
    pub text: Text,
    /// The loop IR's source number of the place.
    pub source: u32,
}

/// How an iteration can fail: where the sequential loop would panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// The index of an update is not a bin.
    BinIndex,
    /// The index of an element that is read, captured or local, is out of range.
    ReadIndex,
    /// The index of an element that an iteration writes is out of range.
    WriteIndex,
    /// The start of a range of a slice is behind the slice's end.
    RangeStart,
    /// The end of a range is: with the length it was compared with.
    RangeEnd,
    /// A range ends before its start: the record has the start as index, and as length the end.
    RangeOrder,
    /// `x / 0`.
    DivideByZero,
    /// `MIN / -1`.
    DivideOverflow,
    /// `x % 0`.
    RemainderByZero,
    /// `MIN % -1`.
    RemainderOverflow,
    /// `x + y` where overflow is checked.
    AddOverflow,
    /// `x - y`, likewise.
    SubtractOverflow,
    /// `x * y`, likewise.
    MultiplyOverflow,
    /// `-x`, likewise.
    NegateOverflow,
    /// `x << y`, likewise.
    ShiftLeftOverflow,
    /// `x >> y`, likewise.
    ShiftRightOverflow,
    /// An explicit panic, or a check that the front end made; the text is its message.
    Panic,
}

impl FaultSite {
    /// What rustc's panic says, for the index and length of the [`ErrorRecord`].
    ///
    /// ```
    /// use accrue_ptx::abi::{FaultKind, FaultSite};
    /// let site = FaultSite { kind: FaultKind::BinIndex, text: "hist".into(), source: 0 };
    /// assert_eq!(site.message(300, 256), "index out of bounds: the len is 256 but the index is 300");
    /// ```
    pub fn message(&self, index: u64, length: u64) -> String {
        match self.kind {
            FaultKind::BinIndex | FaultKind::ReadIndex | FaultKind::WriteIndex => {
                format!("index out of bounds: the len is {length} but the index is {index}")
            }
            FaultKind::RangeStart => {
                format!("range start index {index} out of range for slice of length {length}")
            }
            FaultKind::RangeEnd => {
                format!("range end index {index} out of range for slice of length {length}")
            }
            FaultKind::RangeOrder => {
                format!("slice index starts at {index} but ends at {length}")
            }
            FaultKind::DivideByZero => "attempt to divide by zero".to_owned(),
            FaultKind::DivideOverflow => "attempt to divide with overflow".to_owned(),
            FaultKind::RemainderByZero => {
                "attempt to calculate the remainder with a divisor of zero".to_owned()
            }
            FaultKind::RemainderOverflow => {
                "attempt to calculate the remainder with overflow".to_owned()
            }
            FaultKind::AddOverflow => "attempt to add with overflow".to_owned(),
            FaultKind::SubtractOverflow => "attempt to subtract with overflow".to_owned(),
            FaultKind::MultiplyOverflow => "attempt to multiply with overflow".to_owned(),
            FaultKind::NegateOverflow => "attempt to negate with overflow".to_owned(),
            FaultKind::ShiftLeftOverflow => "attempt to shift left with overflow".to_owned(),
            FaultKind::ShiftRightOverflow => "attempt to shift right with overflow".to_owned(),
            FaultKind::Panic => self.text.clone().into_owned(),
        }
    }

    /// Whether the panic's message has parts that only the host can say: its text is that of a format then, or an assertion's that compares.
    pub fn names_values(&self) -> bool {
        let text = &self.text;
        let with_values = || VALUES.iter().any(|start| text.starts_with(start));
        self.kind == FaultKind::Panic && (text.contains(['{', '}']) || with_values())
    }
}

/// What texts begin with for which std's have the values.
const VALUES: &[&str] = &[
    "assertion `left ",
    "assertion failed: min <= max",
    "byte index ",
    "min > max",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_survives_device_memory() {
        let record = ErrorRecord {
            first: 7,
            site: 1,
            index: 300,
            length: 256,
        };
        assert_eq!(ErrorRecord::from_bytes(record.to_bytes()), record);
        assert_eq!(ErrorRecord::from_bytes([0xff; 32]), ErrorRecord::CLEAN);
        assert!(ErrorRecord::CLEAN.is_clean() && !record.is_clean() && record.has_details());
    }
}
