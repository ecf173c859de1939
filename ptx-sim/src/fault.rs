//! What can go wrong: at parse, in the host's copies, and in a running kernel.

use std::fmt;

/// PTX text that the simulator does not take, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// One-based line of the text.
    pub line: u32,
    /// The line's text.
    pub text: String,
    /// What is wrong with it.
    pub message: String,
}

impl ParseError {
    pub(crate) fn new(line: u32, message: impl Into<String>) -> Self {
        ParseError {
            line,
            text: String::new(),
            message: message.into(),
        }
    }

    pub(crate) fn with_text(mut self, source: &str) -> Self {
        self.text = line_text(source, self.line);
        self
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ptx line {}: {}", self.line, self.message)?;
        if !self.text.is_empty() {
            write!(f, "\n  {:>5} | {}", self.line, self.text)?;
        }
        Ok(())
    }
}

impl std::error::Error for ParseError {}

/// The trimmed text of a one-based line.
pub(crate) fn line_text(source: &str, line: u32) -> String {
    source
        .lines()
        .nth((line as usize).saturating_sub(1))
        .unwrap_or("")
        .trim()
        .to_string()
}

/// A host-side call that the simulated device refuses.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemoryError {
    /// The allocation does not fit: bytes asked for, bytes free.
    OutOfMemory {
        /// Bytes asked for.
        asked: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// The range is not inside one live allocation.
    Invalid {
        /// First byte of the range.
        address: u64,
        /// Length of the range in bytes.
        len: u64,
        /// What is known about the address.
        hint: String,
    },
    /// The range holds a byte that nothing has written yet.
    Uninitialised {
        /// The first such byte.
        address: u64,
    },
    /// A module or a symbol of it is not there.
    NoSymbol {
        /// Its name.
        name: String,
    },
}

impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MemoryError::OutOfMemory { asked, free } => {
                write!(
                    f,
                    "out of device memory: {asked} bytes asked for, {free} free"
                )
            }
            MemoryError::Invalid { address, len, hint } => {
                write!(
                    f,
                    "{len} bytes at {address:#x} are not in one live allocation: {hint}"
                )
            }
            MemoryError::Uninitialised { address } => {
                write!(f, "the byte at {address:#x} was never written")
            }
            MemoryError::NoSymbol { name } => write!(f, "the module has no variable `{name}`"),
        }
    }
}

impl std::error::Error for MemoryError {}

/// A place in a kernel's execution: who was where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// One-based line of the PTX text.
    pub line: u32,
    /// The line's text.
    pub text: String,
    /// Block index (`%ctaid`).
    pub block: [u32; 3],
    /// Thread index in the block (`%tid`).
    pub thread: [u32; 3],
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (b, t) = (self.block, self.thread);
        write!(
            f,
            "block ({}, {}, {}) thread ({}, {}, {}) at ptx line {}:\n  {:>5} | {}",
            b[0], b[1], b[2], t[0], t[1], t[2], self.line, self.line, self.text
        )
    }
}

/// The kind of a [`Fault`], for tests and for callers that tell them apart.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// The launch itself is not possible: geometry, shared memory, parameters, target.
    Launch,
    /// An access outside every live allocation (or outside shared, local, parameter memory).
    OutOfBounds,
    /// An address that is no multiple of the access's size.
    Misaligned,
    /// A write to memory that kernels may only read.
    ReadOnly,
    /// An operation on a value or byte that nothing has written.
    Uninitialised,
    /// Two conflicting accesses that nothing orders.
    Race,
    /// Threads of a block at different barriers, or a barrier that cannot be completed since every
    /// thread waits.
    DivergentBarrier,
    /// A warp-wide operation whose members cannot all take part.
    WarpMembership,
    /// The launch's instruction budget ran out.
    EndlessLoop,
    /// `trap`.
    Trap,
    /// Integer division by zero, whose result PTX leaves open.
    DivisionByZero,
    /// Too deep a call, or a stack frame larger than local memory.
    StackOverflow,
    /// `brx.idx` past its table, a bad barrier id and the like.
    InvalidOperand,
}

/// A kernel that did something that it must not do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which rule was broken.
    pub kind: FaultKind,
    /// The kernel's name.
    pub kernel: String,
    /// What happened, in words.
    pub message: String,
    /// Who did it, where; absent where no single thread did.
    pub place: Option<Box<Place>>,
    /// The other access of a race, other waiting threads.
    pub others: Vec<Place>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kernel `{}`: {}", self.kernel, self.message)?;
        if let Some(place) = &self.place {
            write!(f, "\n{place}")?;
        }
        for other in &self.others {
            write!(f, "\nand {other}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Fault {}
