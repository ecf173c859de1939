//! The simulator as a device: it interprets the PTX that ships and refuses what the PTX ISA does not allow.
//!
//! Everything happens at once, so streams order nothing and failures show where they are made. A kernel that the simulator
//! stops (a race, memory that was never written, an endless loop), or does not understand, is a defect of ours: the call
//! panics. An error would be taken for one of the machine's, and the loop would run on the CPU as if nothing had been.
//!
//! `ACCRUE_SIM` changes the
//! modelled GPU: `key=value` pairs with commas between, of `sms`, `threads` (of a multiprocessor), `shared` (bytes that a
//! block may opt in to), `memory` (bytes), `capability` (`90` for 9.0) and `seed` (of the warps' order).

use std::fmt;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use ptx_sim::Machine;

use super::{Backend, EventId, FunctionId, Launch, Limits, Loss, ModuleId, Ptr, Source, StreamId};
use crate::base::device::Device;
use crate::base::error::Error;
use crate::base::lock::lock;

/// A simulated GPU.
pub(crate) struct Simulated {
    limits: Limits,
    model: ptx_sim::Limits,
    state: Mutex<State>,
    /// When events are counted from: the number of one is its nanoseconds since then.
    start: Instant,
}

struct State {
    machine: Machine,
    modules: Vec<ptx_sim::Module>,
    functions: Vec<Function>,
}

struct Function {
    module: usize,
    name: String,
    /// Bytes of each parameter.
    params: Vec<usize>,
}

impl fmt::Debug for Simulated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Simulated({} SMs)", self.model.sms)
    }
}

impl Simulated {
    /// The simulator as `ACCRUE_SIM` describes it.
    ///
    /// # Errors
    ///
    /// [`Error::BadSetting`].
    pub(crate) fn new() -> Result<Simulated, Error> {
        let setting = std::env::var("ACCRUE_SIM").unwrap_or_default();
        let (model, seed) = parse(&setting).map_err(|expected| Error::BadSetting {
            variable: "ACCRUE_SIM",
            value: setting.clone(),
            expected,
        })?;
        Ok(Simulated::with(model, seed))
    }

    /// One more of several.
    ///
    /// # Errors
    ///
    /// [`Error::BadSetting`].
    pub(crate) fn numbered(number: u32) -> Result<Simulated, Error> {
        let mut one = Simulated::new()?;
        one.limits.name = format!("the simulator {number}");
        Ok(one)
    }

    /// A simulator of this model.
    pub(crate) fn with(model: ptx_sim::Limits, seed: u64) -> Simulated {
        let limits = Limits {
            name: "the simulator".into(),
            capability: (model.compute_capability / 10, model.compute_capability % 10),
            driver: (0, 0),
            sms: model.sms,
            threads_per_sm: model.max_threads_per_sm,
            threads_per_block: model.max_threads_per_block,
            blocks_per_sm: model.max_blocks_per_sm,
            shared_default: model.shared_per_block,
            shared_optin: model.shared_per_block_optin,
            shared_per_sm: model.shared_per_sm,
            shared_reserved: 0,
            l2_bytes: 0,
            memory: model.memory,
        };
        let state = State {
            machine: Machine::new(model.clone(), seed),
            modules: Vec::new(),
            functions: Vec::new(),
        };
        Simulated {
            limits,
            model,
            state: Mutex::new(state),
            start: Instant::now(),
        }
    }
}

/// Reads `ACCRUE_SIM`.
fn parse(setting: &str) -> Result<(ptx_sim::Limits, u64), String> {
    let mut model = ptx_sim::Limits::default();
    let mut seed = 1;
    for pair in setting.split(',').map(str::trim).filter(|p| !p.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        let number: u64 = value
            .trim()
            .parse()
            .map_err(|_| format!("`{pair}` is not `key=number`"))?;
        let small = || {
            u32::try_from(number)
                .ok()
                .filter(|n| *n > 0)
                .ok_or_else(|| format!("`{pair}` is out of range"))
        };
        match key.trim() {
            "sms" => model.sms = small()?,
            "threads" => model.max_threads_per_sm = small()?,
            "shared" => {
                model.shared_per_block_optin = small()?;
                model.shared_per_block = model.shared_per_block.min(model.shared_per_block_optin);
                model.shared_per_sm = model.shared_per_sm.max(model.shared_per_block_optin);
            }
            "capability" => model.compute_capability = small()?,
            "memory" => model.memory = number,
            "seed" => seed = number,
            other => {
                return Err(format!(
                    "`{other}` is not one of sms, threads, shared, memory, capability, seed"
                ));
            }
        }
    }
    Ok((model, seed))
}

/// Stops whoever runs a kernel that is wrong.
fn stop(kernel: &str, report: impl fmt::Display) -> ! {
    let error = Error::Simulator {
        kernel: kernel.to_owned(),
        report: report.to_string(),
    };
    panic!("{error}")
}

/// The host's range as a slice.
///
/// # Safety
///
/// `bytes` bytes can be read at `from` for as long as the slice is used.
unsafe fn bytes_at<'a>(from: *const u8, bytes: u64) -> &'a [u8] {
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(from, bytes as usize) }
}

impl Backend for Simulated {
    fn device(&self) -> Device {
        Device::Sim
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn free_memory(&self) -> Result<u64, Error> {
        Ok(lock(&self.state).machine.memory_info().1)
    }

    fn allocate(&self, _stream: StreamId, bytes: u64) -> Result<Ptr, Error> {
        let mut state = lock(&self.state);
        match state.machine.alloc(bytes) {
            Ok(address) => Ok(Ptr(address)),
            Err(_) => Err(Error::OutOfMemory {
                asked: bytes,
                free: state.machine.memory_info().1,
                device: self.limits.name.clone(),
            }),
        }
    }

    unsafe fn free(&self, _stream: StreamId, ptr: Ptr, _bytes: u64) {
        if let Err(e) = lock(&self.state).machine.free(ptr.0) {
            log::error!("simulated memory was lost: {e}");
        }
    }

    unsafe fn upload(
        &self,
        _stream: StreamId,
        to: Ptr,
        from: *const u8,
        bytes: u64,
    ) -> Result<(), Error> {
        // SAFETY: the caller promises the host's range.
        let from = unsafe { bytes_at(from, bytes) };
        lock(&self.state)
            .machine
            .write(to.0, from)
            .unwrap_or_else(|e| stop("a copy to the device", e));
        Ok(())
    }

    unsafe fn download(
        &self,
        _stream: StreamId,
        to: *mut u8,
        from: Ptr,
        bytes: u64,
    ) -> Result<(), Error> {
        // The host's memory may be uninitialised: a slice of it must not exist.
        let mut copy = vec![0; bytes as usize];
        let mut state = lock(&self.state);
        state
            .machine
            .read(from.0, &mut copy)
            .unwrap_or_else(|e| stop("a copy from the device", e));
        // SAFETY: the caller promises the host's range, which is not the vector's.
        unsafe { copy.as_ptr().copy_to_nonoverlapping(to, copy.len()) };
        Ok(())
    }

    unsafe fn copy(&self, _stream: StreamId, to: Ptr, from: Ptr, bytes: u64) -> Result<(), Error> {
        let mut state = lock(&self.state);
        let copied = state.machine.copy(to.0, from.0, bytes as usize);
        copied.unwrap_or_else(|e| stop("a copy on the device", e));
        Ok(())
    }

    unsafe fn fill(&self, _stream: StreamId, to: Ptr, word: u32, bytes: u64) -> Result<(), Error> {
        let pattern: Vec<u8> = word
            .to_le_bytes()
            .into_iter()
            .cycle()
            .take(bytes as usize)
            .collect();
        lock(&self.state)
            .machine
            .write(to.0, &pattern)
            .unwrap_or_else(|e| stop("filling memory", e));
        Ok(())
    }

    fn compile(&self, source: Source<'_>) -> Result<Vec<u8>, Error> {
        Ok(source.ptx.as_bytes().to_vec())
    }

    fn load(&self, name: &str, image: &[u8]) -> Result<ModuleId, Error> {
        let text = String::from_utf8_lossy(image);
        let module = ptx_sim::Module::parse(&text).unwrap_or_else(|e| stop(name, e));
        let mut state = lock(&self.state);
        state.modules.push(module);
        Ok(ModuleId(state.modules.len() as u64 - 1))
    }

    fn function(&self, module: ModuleId, name: &str) -> Result<FunctionId, Error> {
        let mut guard = lock(&self.state);
        let state = &mut *guard;
        let number = module.0 as usize;
        let module = &state.modules[number];
        let params = module
            .parameters(name)
            .unwrap_or_else(|| stop(name, "the module has no such kernel"));
        let fixed = module.static_shared(name).unwrap_or(0);
        let dynamic = self.model.shared_per_block_optin.saturating_sub(fixed);
        state
            .machine
            .allow_shared(module, name, dynamic)
            .unwrap_or_else(|e| stop(name, e));
        state.functions.push(Function {
            module: number,
            name: name.to_owned(),
            params,
        });
        Ok(FunctionId(state.functions.len() as u64 - 1))
    }

    fn blocks_per_sm(&self, function: FunctionId, block: u32, shared: u32) -> Result<u32, Error> {
        let state = lock(&self.state);
        let function = &state.functions[function.0 as usize];
        let fixed = state.modules[function.module]
            .static_shared(&function.name)
            .unwrap_or(0);
        let by_shared = self
            .model
            .shared_per_sm
            .checked_div(shared + fixed)
            .unwrap_or(u32::MAX);
        let by_threads = self.model.max_threads_per_sm / block.max(1);
        Ok(by_threads.min(by_shared).min(self.model.max_blocks_per_sm))
    }

    fn prefer_shared(&self, _: FunctionId, _: u32) -> Result<(), Error> {
        // There is no cache that could be larger.
        Ok(())
    }

    unsafe fn launch(&self, _stream: StreamId, launch: &Launch<'_>) -> Result<(), Error> {
        let mut guard = lock(&self.state);
        let State {
            machine,
            modules,
            functions,
            ..
        } = &mut *guard;
        let function = &functions[launch.function.0 as usize];
        let slots: Vec<[u8; 8]> = launch.params.iter().map(|p| p.to_le_bytes()).collect();
        let slots: Vec<&[u8]> = match launch.is_block {
            true => vec![slots.as_flattened()],
            false => slots.iter().map(|slot| &slot[..]).collect(),
        };
        if function.params.len() != slots.len() {
            let (takes, given) = (function.params.len(), slots.len());
            stop(
                &function.name,
                format!("{takes} parameters, {given} arguments"),
            );
        }
        let params: Vec<&[u8]> = slots
            .iter()
            .zip(&function.params)
            .map(|(slot, &bytes)| &slot[..bytes])
            .collect();
        let (grid, block) = ([launch.grid, 1, 1], [launch.block, 1, 1]);
        let module = &modules[function.module];
        match machine.launch(module, &function.name, grid, block, launch.shared, &params) {
            Ok(_) => Ok(()),
            Err(fault) => stop(&function.name, fault),
        }
    }

    super::at_once!();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_is_what_the_setting_says() {
        let (model, seed) = parse("sms=2, shared=16384,seed=99,capability=70").unwrap();
        assert_eq!(
            (
                model.sms,
                model.shared_per_block_optin,
                model.compute_capability,
                seed
            ),
            (2, 16384, 70, 99)
        );
        assert!(model.shared_per_block <= 16384);
        assert_eq!(parse("").unwrap(), (ptx_sim::Limits::default(), 1));
        for (setting, part) in [
            ("sms", "`sms`"),
            ("sms=0", "out of range"),
            ("cores=3", "`cores`"),
            ("sms=-1", "`sms=-1`"),
        ] {
            let error = parse(setting).unwrap_err();
            assert!(error.contains(part), "{setting}: {error}");
        }
    }
}
