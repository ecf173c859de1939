//! Launching the entries of a module.

use accrue_ptx::abi::AUXILIARY_BLOCK;
use accrue_ptx::plan::{LaunchPlan, SplitPlan};
use accrue_ptx::queues::COUNT_BLOCK;

use crate::base::error::Error;
use crate::base::stats;
use crate::device::backend::{Backend, FunctionId, Launch, StreamId};
use crate::gpu::load::kernel::Kernel;

/// Launches the entry.
pub(in crate::gpu) fn launch(
    backend: &dyn Backend,
    stream: StreamId,
    kernel: &Kernel,
    plan: &LaunchPlan,
    params: &[u64],
) -> Result<(), Error> {
    let launch = Launch {
        function: kernel.entry,
        name: &kernel.name,
        grid: plan.grid,
        block: plan.block,
        shared: plan.shared_bytes,
        params,
    };
    stats::count_launch();
    // SAFETY: the slots are the ABI's, the addresses are of memory that is alive until the stream is settled and as long
    // as the lengths say, and the kernel checks its indices.
    unsafe { backend.launch(stream, &launch) }
}

/// Launches what counts the queues that the entry has filled.
pub(in crate::gpu) fn launch_behind(
    backend: &dyn Backend,
    stream: StreamId,
    kernel: &Kernel,
    split: &SplitPlan,
    params: &[u64],
) -> Result<(), Error> {
    let Some([arrange, count]) = kernel.behind else {
        return Ok(());
    };
    let stages = [
        (arrange, split.arrange_grid, AUXILIARY_BLOCK, 0),
        (count, split.count_grid, COUNT_BLOCK, split.count_shared),
    ];
    for (function, grid, block, shared) in stages {
        let launch = Launch {
            function,
            name: &kernel.name,
            grid,
            block,
            shared,
            params,
        };
        stats::count_launch();
        // SAFETY: as for the entry, whose parameters these are; the queues are as the same plan has them.
        unsafe { backend.launch(stream, &launch)? };
    }
    Ok(())
}

/// Launches a merge, or what fills copies.
pub(in crate::gpu) fn launch_auxiliary(
    backend: &dyn Backend,
    stream: StreamId,
    kernel: &Kernel,
    function: FunctionId,
    grid: u32,
    params: &[u64],
) -> Result<(), Error> {
    let launch = Launch {
        function,
        name: &kernel.name,
        grid,
        block: AUXILIARY_BLOCK,
        shared: 0,
        params,
    };
    stats::count_launch();
    // SAFETY: the slots are those of `MergeParam` or `InitialiseParam`; the memory is as large as they say.
    unsafe { backend.launch(stream, &launch) }
}
