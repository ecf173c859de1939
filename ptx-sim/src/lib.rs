//! A simulator of NVIDIA GPUs that executes PTX text: the text that ships, on any machine.
//!
//! ```text
//! PTX text ─ parse ─ Module (decoded once) ─┐
//!        alloc / write ─ Machine ───────────┴─ launch ─ Stats, or a Fault that says who, where, what
//! ```
//!
//! It is a judge, not a model of speed: it gives what the PTX ISA gives, and what the ISA leaves open
//! or forbids is an error that names the kernel, the line and the thread.
//!
//! # What is modelled
//!
//! * **Text.** `.version` up to 9.0 with 64-bit addresses. An opcode, modifier, type or directive that
//!   the simulator does not know is a [`ParseError`], never skipped, and so is an instruction that is
//!   too new for the module's own `.version` and `.target`. Not modelled, and therefore errors: indirect
//!   calls, clusters, textures and surfaces, matrix instructions, `mbarrier` and bulk copies, vector and
//!   8-bit and 128-bit registers, linking of several modules.
//! * **Arithmetic.** Integer results are exact; `.rn` and all other roundings of f32, f64, f16 and bf16
//!   arithmetic and of `cvt` are IEEE's, with `.ftz` and `.sat`. A NaN result of f32 arithmetic is
//!   `0x7fffffff`. The `.approx` functions give the exact result rounded to nearest, which is within
//!   PTX's bounds for them but not the hardware's bits. Integer division by zero, which PTX leaves open,
//!   is a fault; shifts by the width or more clamp; `MIN / -1` wraps.
//! * **Threads.** Each has its own program counter. A scheduler with a seed picks a warp at random and
//!   runs it for a few instructions ([`Limits::slice`]), then another, over all resident blocks. In a
//!   diverged warp the threads that are furthest behind mostly go first, so that branches rejoin; now
//!   and then any others do, so that spinning on a flag always makes progress. Blocks become resident in
//!   the order of their index as the SMs have room.
//! * **Warp-wide operations** (`shfl`, `vote`, `match`, `redux`, `elect`, `bar.warp.sync`) wait until
//!   every member of the mask that has not exited executes them with the same mask, at the same
//!   instruction except for `bar.warp.sync`. `activemask` gives the threads that happen to run together.
//! * **Block barriers** `bar` and `barrier` with ids, counts, `.arrive`, `.red`. As the ISA has it for
//!   `exit`, threads that have exited no longer hold up a barrier for all threads. A warp whose threads
//!   wait at different `.aligned` barriers is a fault, and so is a barrier for all threads that is
//!   reached at different instructions.
//! * **Memory.** Global memory in allocations with gaps between them that no 32-bit index crosses, shared
//!   memory per block, stacks per thread, parameters and constants; generic addresses through windows.
//!   Every byte knows whether it was written: [`Machine::alloc`] and a block's shared memory start
//!   without. Registers know it, too. Copying what was never written (`mov`, `selp`, the stack) is
//!   allowed, since compilers do it; using it is a fault.
//!
//! # What orders accesses
//!
//! Two accesses of a byte race if at least one writes, not both are atomic (or strong), and nothing
//! orders them. A block barrier orders the accesses of its participants; `bar.warp.sync` those of its
//! members (shuffles and votes order nothing); the end of a launch everything. Between blocks, and
//! where there is no barrier, a fence before an atomic (or a `.release`) and a fence after the atomic
//! that sees its value (or an `.acquire`) do. The reading side needs its fence, too, although hardware
//! forgives its absence. Atomics of `.cta` scope do not go together across blocks. Volatile accesses
//! count as relaxed ones. In shared memory a store counts as a plain one, strong or not: which of two stays would be
//! chance, and `compute-sanitizer` takes any two for a race. Nothing is reordered, so what a missing fence would break is found as a race and
//! never as a wrong value; a byte remembers its last plain write and two more accesses, so that a race
//! may escape one interleaving, and more seeds find it.
//!
//! # How it is judged
//!
//! Every instruction runs over edges and random operands against Rust's own arithmetic, and so do
//! whole kernels under many seeds and deliberately wrong ones (`tests/sim`). `tests/sim/hardware.py`
//! asks a GPU about the same cases: on an H200 (2026-11-20, driver 580) 461 cases of up to 2300
//! operands each and 80 kernels agree bit for bit, NaNs included, but for the `.approx` functions.
//! `ptxas` assembles all of them.
//!
//! # What stops a launch
//!
//! See [`FaultKind`]. Endless loops end with [`Limits::instruction_budget`]; when every thread waits, it
//! is said where.

mod alu;
mod exec;
mod fault;
mod isa;
mod launch;
mod limits;
mod machine;
mod memory;
mod module;
pub mod mutate;
mod parse;
mod race;
mod rng;
mod stats;
mod sync;
mod types;
mod warp;

pub use fault::{Fault, FaultKind, MemoryError, ParseError, Place};
pub use limits::Limits;
pub use machine::Machine;
pub use module::Module;
pub use stats::Stats;

/// The README's example.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
