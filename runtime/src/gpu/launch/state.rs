//! What is kept of a stream: the calls whose outcome is not known, and the memory that its calls share.

use std::sync::Arc;

use accrue_ptx::sample::{self, KeySample};

use crate::base::error::Error;
use crate::device::allocation::Allocation;
use crate::device::backend::{Backend, FunctionId, Ptr};
use crate::gpu::choose::sampled::Sampled;
use crate::gpu::load::kernel::Kernel;

/// Calls on a stream whose records have not been read, at most. The next one reads them first.
pub(in crate::gpu) const RING: usize = 512;

/// Where the records start in the block; the ticket is at its start.
pub(in crate::gpu) const RECORDS: u64 = 256;

/// Where the figures of a sample are in the block: before the records, which are read with them.
pub(in crate::gpu) const FIGURES: u64 = RECORDS - KeySample::BYTES as u64;

/// The state of a stream.
#[derive(Debug, Default)]
pub(crate) struct Launches {
    /// Ticket, figures and records.
    pub(in crate::gpu) block: Option<Ptr>,
    pub(in crate::gpu) scratch: Vec<Scratch>,
    /// Memory for queues of split updates or for states of tiles, and its size. What it holds means nothing between calls.
    pub(in crate::gpu) queues: Option<(Ptr, u64)>,
    pub(in crate::gpu) pending: Vec<Pending>,
    /// Those of them that have not been launched yet.
    pub(in crate::gpu) series: Series,
    /// Memory that later calls have no use for and a pending call may: an iteration of it that runs again writes there.
    pub(in crate::gpu) retired: Vec<(Ptr, u64)>,
    /// The first failure of calls whose records had to be read early.
    pub(in crate::gpu) failed: Option<Error>,
    /// Which of the calls whose records were read last had a fault.
    pub(in crate::gpu) faulty: Option<usize>,
    /// Room for the indices of a sample, and whose sample has not been read.
    pub(in crate::gpu) sample: Option<Ptr>,
    pub(in crate::gpu) taken: Option<Arc<Sampled>>,
    /// Pinned memory for what is read when the stream is settled.
    pub(in crate::gpu) mirror: Mirror,
}

/// Calls of one kernel that wait for their launch.
#[derive(Debug, Default)]
pub(in crate::gpu) struct Series {
    /// Whether calls wait at all.
    pub(in crate::gpu) is_wanted: bool,
    pub(super) first: Option<First>,
    pub(super) calls: usize,
    /// Iterations of the longest.
    pub(super) items: u64,
    /// The parameter of the launch: how many calls, and what each is passed.
    pub(super) slots: Vec<u64>,
}

/// What is launched: the kernel, and how the first call would be launched if no other came.
#[derive(Debug)]
pub(super) struct First {
    pub(super) kernel: Arc<Kernel>,
    pub(super) grid: u32,
    pub(super) block: u32,
}

/// A call whose record has not been read.
#[derive(Clone, Debug)]
pub(in crate::gpu) struct Pending {
    pub(in crate::gpu) kernel: Arc<Kernel>,
    /// The entry's arguments.
    pub(in crate::gpu) params: Vec<u64>,
    pub(in crate::gpu) begin: Option<usize>,
    pub(in crate::gpu) end: Option<usize>,
    pub(in crate::gpu) block: u32,
    pub(in crate::gpu) shared: u32,
    /// The merges' arguments, where they are launches of their own.
    pub(in crate::gpu) merges: Vec<(FunctionId, [u64; 5])>,
    /// Buffers that must live until the record has been read: an iteration may have to run again.
    pub(in crate::gpu) keep: Vec<Arc<Allocation>>,
}

/// Memory full of one neutral element.
#[derive(Debug)]
pub(in crate::gpu) struct Scratch {
    /// Bits and bytes of the element.
    pub(in crate::gpu) neutral: (u64, u32),
    pub(in crate::gpu) ptr: Ptr,
    pub(in crate::gpu) bytes: u64,
    /// Whether a target of the call being prepared has it.
    pub(in crate::gpu) taken: bool,
}

/// Bytes of the mirror.
pub(in crate::gpu) const MIRROR: usize = 80 << 10;

/// Bytes of the indices, and of what is told beside each.
pub(in crate::gpu) const SAMPLE: u64 = sample::MOST_INDICES as u64 * 8;

/// Host memory that the device copies to while nobody waits.
#[derive(Debug, Default)]
pub(in crate::gpu) enum Mirror {
    /// Not asked for yet.
    #[default]
    Unknown,
    /// Pinned memory of [`MIRROR`] bytes.
    Pinned(*mut u8),
    /// The device has none; ordinary memory of the same size.
    Ordinary(Box<[u8]>),
}

// SAFETY: plain memory of which the stream is the only user.
unsafe impl Send for Mirror {}

impl Mirror {
    pub(in crate::gpu) fn get(&mut self, backend: &dyn Backend) -> *mut u8 {
        if let Mirror::Unknown = self {
            *self = match backend.pin(MIRROR) {
                Some(pinned) => Mirror::Pinned(pinned),
                None => Mirror::Ordinary(vec![0; MIRROR].into()),
            };
        }
        match self {
            Mirror::Unknown => unreachable!("it has just been made"),
            Mirror::Pinned(ptr) => *ptr,
            Mirror::Ordinary(bytes) => bytes.as_mut_ptr(),
        }
    }
}

impl Launches {
    /// Whether the next call has to wait for records to be read.
    pub(in crate::gpu) fn is_full(&self) -> bool {
        self.pending.len() == RING
    }
}
