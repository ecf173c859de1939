//! CUDA graphs: steps that the driver has prepared together, so that starting all of them costs little more than starting one.
//!
//! A graph is captured from a stream of its own, on which the steps are put as on any. Drivers before CUDA 11.4 lack a function that is
//! called here; recorded calls are put on the stream one by one there.

use cudarc::driver::sys as cu;

use super::{Cuda, library, raw};
use crate::base::error::Error;
use crate::device::backend::{Backend, GraphId, Step, StreamId, issue};

impl Cuda {
    /// As [`Backend::graph`].
    ///
    /// # Safety
    ///
    /// As there.
    pub(super) unsafe fn make_graph(&self, steps: &[Step]) -> Result<Option<GraphId>, Error> {
        if !library::library()?.graphs || steps.is_empty() {
            return Ok(None);
        }
        let stream = self.create_stream()?;
        // SAFETY: the caller's promise.
        let made = unsafe { self.capture(stream, steps) };
        self.destroy_stream(stream);
        made.map(Some)
    }

    /// # Safety
    ///
    /// As of [`Backend::graph`].
    unsafe fn capture(&self, stream: StreamId, steps: &[Step]) -> Result<GraphId, Error> {
        let _current = self.enter()?;
        let mode = cu::CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
        // SAFETY: the stream is new, and only this thread has it.
        self.check("cuStreamBeginCapture", unsafe {
            cu::cuStreamBeginCapture_v2(raw(stream), mode)
        })?;
        // SAFETY: the caller's promise. Nothing runs while it is captured.
        let put = unsafe { issue(self, stream, steps) };
        let mut graph = std::ptr::null_mut();
        // SAFETY: writes one handle. It ends the capture, also of one that has failed.
        let ended = unsafe { cu::cuStreamEndCapture(raw(stream), &mut graph) };
        put?;
        self.check("cuStreamEndCapture", ended)?;
        let mut made = std::ptr::null_mut();
        // SAFETY: the graph was just made, and one handle is written.
        let instantiated = unsafe { cu::cuGraphInstantiateWithFlags(&mut made, graph, 0) };
        // SAFETY: what has been made of it does without it.
        let _ = unsafe { cu::cuGraphDestroy(graph) };
        self.check("cuGraphInstantiateWithFlags", instantiated)?;
        Ok(GraphId(made as u64))
    }

    /// As [`Backend::launch_graph`].
    ///
    /// # Safety
    ///
    /// As there.
    pub(super) unsafe fn start_graph(&self, stream: StreamId, graph: GraphId) -> Result<(), Error> {
        let _current = self.enter()?;
        // SAFETY: both are this context's.
        let started = unsafe { cu::cuGraphLaunch(graph.0 as cu::CUgraphExec, raw(stream)) };
        self.check("cuGraphLaunch", started)
    }

    /// As [`Backend::forget_graph`].
    pub(super) fn destroy_graph(&self, graph: GraphId) {
        let Ok(_current) = self.enter() else { return };
        // SAFETY: the graph is this context's and not used again.
        let _ = unsafe { cu::cuGraphExecDestroy(graph.0 as cu::CUgraphExec) };
    }
}
