//! The size of the modelled GPU.

/// What the modelled GPU has of everything. The default is a small one: few enough threads to be
/// quick, enough of them resident at a time that blocks really overlap.
///
/// All sizes are in bytes, all counts in units.
///
/// ```
/// use ptx_sim::Limits;
/// let limits = Limits { sms: 2, ..Limits::default() };
/// assert_eq!(limits.warp_size, 32);
/// assert!(limits.shared_per_block < limits.shared_per_block_optin);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Streaming multiprocessors; blocks are resident on one of them.
    pub sms: u32,
    /// Threads of a warp. PTX fixes it at 32, and so does the simulator.
    pub warp_size: u32,
    /// Threads that one block may have.
    pub max_threads_per_block: u32,
    /// Largest block in each dimension.
    pub max_block_dim: [u32; 3],
    /// Largest grid in each dimension.
    pub max_grid_dim: [u32; 3],
    /// Blocks that one SM holds at a time.
    pub max_blocks_per_sm: u32,
    /// Threads that one SM holds at a time.
    pub max_threads_per_sm: u32,
    /// Shared memory that a block may ask for without opting in: static and dynamic together.
    pub shared_per_block: u32,
    /// Shared memory that a block may have after opting in ([`super::Machine::allow_shared`]).
    pub shared_per_block_optin: u32,
    /// Shared memory of one SM, divided among its resident blocks.
    pub shared_per_sm: u32,
    /// Global memory: the sum of all live allocations stays at or under it.
    pub memory: u64,
    /// The unit in which a warp's global accesses are counted, a power of two.
    pub sector: u32,
    /// Local memory (stack frames) of one thread.
    pub local_per_thread: u32,
    /// Compute capability, as in `sm_70`: a module for a newer target does not load.
    pub compute_capability: u32,
    /// Thread-instructions that one launch may execute before it is taken for an endless loop.
    pub instruction_budget: u64,
    /// A warp runs between one and this many instructions before another may get its turn.
    pub slice: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            sms: 4,
            warp_size: 32,
            max_threads_per_block: 1024,
            max_block_dim: [1024, 1024, 64],
            max_grid_dim: [0x7fff_ffff, 65535, 65535],
            max_blocks_per_sm: 16,
            max_threads_per_sm: 1536,
            shared_per_block: 48 << 10,
            shared_per_block_optin: 99 << 10,
            shared_per_sm: 100 << 10,
            memory: 1 << 30,
            sector: 32,
            local_per_thread: 512 << 10,
            compute_capability: 120,
            instruction_budget: 1 << 30,
            slice: 12,
        }
    }
}
