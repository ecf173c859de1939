//! What a launch did, in numbers.

/// Counts of one launch. They describe the model's execution, not a real GPU's time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Instructions issued, one per group of threads that ran it together.
    pub warp_instructions: u64,
    /// Instructions executed, one per thread whose guard held.
    pub thread_instructions: u64,
    /// Branches at which the threads of a group went both ways.
    pub divergent_branches: u64,
    /// Warp-wide loads from global memory.
    pub global_loads: u64,
    /// Warp-wide stores to global memory.
    pub global_stores: u64,
    /// Sectors touched by these, each counted once per warp-wide access.
    pub global_sectors: u64,
    /// Warp-wide loads from shared memory.
    pub shared_loads: u64,
    /// Warp-wide stores to shared memory.
    pub shared_stores: u64,
    /// Passes that shared memory needs for these and for shared atomics, with 32 banks of 4 bytes:
    /// one for each different word in the busiest bank.
    pub shared_passes: u64,
    /// Atomic updates of global memory, one per thread.
    pub global_atomics: u64,
    /// Atomic updates of shared memory, one per thread.
    pub shared_atomics: u64,
    /// Block barriers completed.
    pub barriers: u64,
    /// Warp-wide collectives completed (shuffles, votes, match, redux, `bar.warp.sync`).
    pub collectives: u64,
    /// Performance monitor events (`pmevent`), one per group of threads that triggers it.
    pub events: u64,
    /// Blocks run.
    pub blocks: u64,
    /// Most blocks resident at one time.
    pub resident_blocks: u32,
    /// Shared memory of a block, static and dynamic.
    pub shared_bytes: u32,
}
