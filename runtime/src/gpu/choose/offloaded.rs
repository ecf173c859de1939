//! An offloaded loop in the user's program: its kernels, and what earlier calls of it have left.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, OnceLock};

use accrue_ptx::abi::{FaultSite, List, Module, Text};

use super::calibration::is_probing;
use super::prepared::Prepared;
use super::sampled::Sampled;
use super::select::Request;
use super::tune::Tuning;
use crate::base::error::Error;
use crate::cpu::UNCONFIRMED;
use crate::gpu::load::workshop::Stocked;

/// A loop as kernels, one module for each strategy.
#[derive(Debug)]
pub struct Loop {
    /// The function it stands in.
    pub(in crate::gpu) function: Text,
    /// Its kernels.
    pub(in crate::gpu) modules: List<Module>,
    /// What the attribute asks for: `name[:key=value,..]`, or nothing.
    pub(in crate::gpu) request: Text,
    /// The loop IR's numbers of the captured variables, in the order in which a call passes them.
    pub(in crate::gpu) captures: List<u32>,
    /// Operations of one iteration, roughly.
    pub(in crate::gpu) cost: u32,
    /// Why there are no kernels, if there are none.
    pub(in crate::gpu) obstacle: &'static str,
    pub(in crate::gpu) parsed: OnceLock<Result<Request, String>>,
    /// Modules that are loaded, or being loaded.
    pub(in crate::gpu) stock: Mutex<Vec<Stocked>>,
    /// Calls of sizes seen lately.
    pub(in crate::gpu) prepared: Mutex<Vec<Arc<Prepared>>>,
    /// The call that was queued last.
    pub(in crate::gpu) last: Mutex<Option<Arc<Prepared>>>,
    /// How the last call was cut into pieces, if it was, for people.
    pub(in crate::gpu) pieces: Mutex<Option<String>>,
    pub(in crate::gpu) is_pieced: AtomicBool,
    /// How many positions of the outermost loop devices did in a second, by their contexts.
    pub(in crate::gpu) rates: Mutex<Vec<(u64, f64)>>,
    /// What was measured under `ACCRUE_TUNE`.
    pub(in crate::gpu) tunings: Mutex<Vec<Tuning>>,
    /// Whether a line about falling back to the CPU has been logged.
    pub(in crate::gpu) complained: AtomicBool,
    /// What is known of its bins.
    pub(in crate::gpu) sampled: OnceLock<Arc<Sampled>>,
}

impl Loop {
    /// How far its steps reach, where they may overlap: see [`KernelAbi::reach`](accrue_ptx::abi::KernelAbi::reach).
    pub(in crate::gpu) fn reach(&self) -> u32 {
        self.modules.first().map_or(0, |module| module.abi.reach)
    }

    /// Whether it has a panic of which the kernel does not know all words.
    pub(in crate::gpu) fn panics_with_values(&self) -> bool {
        let mut sites = self
            .modules
            .iter()
            .flat_map(|module| module.abi.faults.iter());
        sites.any(FaultSite::names_values)
    }

    /// A loop. Called by what the macro emits.
    pub const fn new(
        function: Text,
        modules: List<Module>,
        request: Text,
        captures: List<u32>,
        cost: u32,
    ) -> Loop {
        Loop {
            function,
            modules,
            request,
            captures,
            cost,
            obstacle: "no strategy has a kernel for its loop",
            parsed: OnceLock::new(),
            stock: Mutex::new(Vec::new()),
            prepared: Mutex::new(Vec::new()),
            last: Mutex::new(None),
            pieces: Mutex::new(None),
            is_pieced: AtomicBool::new(false),
            rates: Mutex::new(Vec::new()),
            tunings: Mutex::new(Vec::new()),
            complained: AtomicBool::new(false),
            sampled: OnceLock::new(),
        }
    }

    /// A loop whose body no kernel can express, and why.
    pub const fn without_kernels(function: &'static str, why: &'static str) -> Loop {
        let mut of = Loop::new(
            Text::Borrowed(function),
            List::Borrowed(&[]),
            Text::Borrowed(""),
            List::Borrowed(&[]),
            1,
        );
        of.obstacle = why;
        of
    }

    /// The error of a call on a GPU where there are no kernels.
    pub fn refusal(&self) -> Error {
        Error::NotOnDevice {
            function: self.function.to_string(),
            reason: self.obstacle.to_string(),
        }
    }

    /// That the loop's kernels were printed for something else than what it calls.
    pub fn unconfirmed(&self) -> Error {
        Error::NotOnDevice {
            function: self.function.to_string(),
            reason: UNCONFIRMED.to_owned(),
        }
    }

    /// That a call has to be waited for, since whether its iterations keep apart is asked before they run.
    pub fn asks_before(&self) -> Error {
        Error::NotOnDevice {
            function: self.function.to_string(),
            reason: "what `distinct(..)` says is checked before the loop runs, for which a queued call does not wait: call it by `on`, without a stream".to_owned(),
        }
    }

    /// That a call has to be waited for, since which iteration has the best item is asked before it is known what is kept of it.
    pub fn finds_first(&self) -> Error {
        Error::NotOnDevice {
            function: self.function.to_string(),
            reason: "which item is the best is found before what is kept of it, for which a queued call does not wait: call it by `on`, without a stream".to_owned(),
        }
    }

    /// That a call has more positions than have room beside an item.
    pub fn beyond_positions(&self) -> Error {
        Error::NotOnDevice {
            function: self.function.to_string(),
            reason: "the best of more than 2^32 items is not looked for by a kernel".to_owned(),
        }
    }

    /// That iterations of a call may meet in what they write.
    pub fn meeting(&self) -> Error {
        Error::NotOnDevice {
            function: self.function.to_string(),
            reason: "with these arguments its iterations may write the same elements, so that it runs in order".to_owned(),
        }
    }

    /// The error of a call with an array that is no slice.
    pub fn lying(&self) -> Error {
        Error::NotOnDevice {
            function: self.function.to_string(),
            reason: "an array does not lie row by row, or has no elements, or an index would leave it, so that it runs as it is written".to_owned(),
        }
    }

    /// What is asked for: the environment's word before the attribute's, but for calibration.
    pub(in crate::gpu) fn request(&self) -> Result<Request, Error> {
        if !is_probing()
            && let Some(request) = Request::of_environment()?
        {
            return Ok(request);
        }
        if self.request.is_empty() {
            return Ok(Request::default());
        }
        let parsed = self.parsed.get_or_init(|| Request::parse(&self.request));
        parsed
            .clone()
            .map_err(|reason| Error::StrategyNotApplicable {
                strategy: self.request.to_string(),
                reason,
                instead: Vec::new(),
            })
    }

    /// What is known of the loop's bins.
    pub(in crate::gpu) fn sampled(&self) -> &Arc<Sampled> {
        self.sampled.get_or_init(Arc::default)
    }
}
