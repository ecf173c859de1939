//! Launching the entries of a module.

use accrue_ptx::abi::AUXILIARY_BLOCK;
use accrue_ptx::plan::{LaunchPlan, SplitPlan};
use accrue_ptx::queues::COUNT_BLOCK;

use crate::base::error::Error;
use crate::base::stats;
use crate::device::backend::{Backend, FunctionId, Launch, Ptr, Step, StreamId};
use crate::gpu::load::kernel::Kernel;

/// Where kernels go: to a stream, or on the list of what is recorded.
pub(in crate::gpu) struct Sink<'a> {
    backend: &'a dyn Backend,
    stream: StreamId,
    steps: Option<&'a mut Vec<Step>>,
}

impl<'a> Sink<'a> {
    /// The stream.
    pub(in crate::gpu) fn to(backend: &'a dyn Backend, stream: StreamId) -> Sink<'a> {
        Sink {
            backend,
            stream,
            steps: None,
        }
    }

    /// The list, if there is one.
    pub(in crate::gpu) fn or_to(self, steps: Option<&'a mut Vec<Step>>) -> Sink<'a> {
        Sink { steps, ..self }
    }

    /// Starts a kernel.
    ///
    /// # Safety
    ///
    /// As of [`Backend::launch`], also whenever what is recorded is put on a stream.
    pub(super) unsafe fn launch(&mut self, launch: &Launch<'_>) -> Result<(), Error> {
        match &mut self.steps {
            Some(steps) => {
                steps.push(Step::Launch {
                    function: launch.function,
                    name: launch.name.to_owned(),
                    grid: launch.grid,
                    block: launch.block,
                    shared: launch.shared,
                    params: launch.params.to_vec(),
                });
                Ok(())
            }
            None => {
                stats::count_launch();
                // SAFETY: the caller's promise.
                unsafe { self.backend.launch(self.stream, launch) }
            }
        }
    }

    /// Fills memory.
    ///
    /// # Safety
    ///
    /// As of [`Backend::fill`], also whenever what is recorded is put on a stream.
    pub(in crate::gpu) unsafe fn fill(
        &mut self,
        to: Ptr,
        word: u32,
        bytes: u64,
    ) -> Result<(), Error> {
        match &mut self.steps {
            Some(steps) => {
                steps.push(Step::Fill { to, word, bytes });
                Ok(())
            }
            // SAFETY: the caller's promise.
            None => unsafe { self.backend.fill(self.stream, to, word, bytes) },
        }
    }
}

/// Launches the entry.
pub(in crate::gpu) fn launch(
    sink: &mut Sink<'_>,
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
        is_block: false,
    };
    // SAFETY: the slots are the ABI's, the addresses are of memory that is alive until the stream is settled and as long
    // as the lengths say, and the kernel checks its indices. A recording keeps the memory for as long as it lives.
    unsafe { sink.launch(&launch) }
}

/// Launches what counts the queues that the entry has filled.
pub(in crate::gpu) fn launch_behind(
    sink: &mut Sink<'_>,
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
            is_block: false,
        };
        // SAFETY: as for the entry, whose parameters these are; the queues are as the same plan has them.
        unsafe { sink.launch(&launch)? };
    }
    Ok(())
}

/// Launches a merge, or what fills copies.
pub(in crate::gpu) fn launch_auxiliary(
    sink: &mut Sink<'_>,
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
        is_block: false,
    };
    // SAFETY: the slots are those of `MergeParam` or `InitialiseParam`; the memory is as large as they say.
    unsafe { sink.launch(&launch) }
}
