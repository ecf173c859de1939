//! The simulated device as its host sees it: memory, modules, launches.

use super::fault::{Fault, FaultKind, MemoryError};
use super::isa::Space;
use super::launch::{self, Geometry};
use super::limits::Limits;
use super::memory::Memory;
use super::module::{Module, ModuleData};
use super::mutate;
use super::rng::Rng;
use super::stats::Stats;
use std::collections::HashMap;

/// A simulated GPU.
///
/// It has no parallelism of its own and is `Send`; to share one among threads put it behind a
/// mutex. The same seed and the same calls give the same interleaving.
///
/// ```
/// use ptx_sim::{Limits, Machine, Module};
///
/// let module = Module::parse(
///     ".version 7.0
///      .target sm_70
///      .address_size 64
///      .visible .entry add_one(.param .u64 data) {
///          .reg .b64 %rd<4>;
///          .reg .b32 %r<3>;
///          ld.param.u64 %rd1, [data];
///          mov.u32 %r1, %tid.x;
///          mul.wide.u32 %rd2, %r1, 4;
///          add.s64 %rd3, %rd1, %rd2;
///          ld.global.u32 %r2, [%rd3];
///          add.s32 %r2, %r2, 1;
///          st.global.u32 [%rd3], %r2;
///          ret;
///      }",
/// )?;
/// let mut machine = Machine::new(Limits::default(), 1);
/// let data = machine.alloc(8)?;
/// machine.write(data, &[1, 0, 0, 0, 2, 0, 0, 0])?;
/// machine.launch(&module, "add_one", [1, 1, 1], [2, 1, 1], 0, &[&data.to_le_bytes()])?;
/// let mut out = [0; 8];
/// machine.read(data, &mut out)?;
/// assert_eq!(out, [2, 0, 0, 0, 3, 0, 0, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Machine {
    limits: Limits,
    memory: Memory,
    rng: Rng,
    /// Addresses of each module's variables, made when it is first used.
    instances: HashMap<u64, Vec<Option<u64>>>,
    /// Dynamic shared memory that kernels were allowed beyond the default.
    allowed: HashMap<(u64, String), u32>,
    /// The clock of race detection, which goes on from launch to launch.
    clock: u32,
    launches: u64,
}

impl Machine {
    /// A device with these limits; `seed` decides how its warps interleave.
    pub fn new(mut limits: Limits, seed: u64) -> Machine {
        if mutate::is_on() {
            limits.instruction_budget = limits.instruction_budget.min(mutate::BUDGET);
        }
        Machine {
            memory: Memory::new(limits.memory),
            limits,
            rng: Rng::new(seed),
            instances: HashMap::new(),
            allowed: HashMap::new(),
            clock: 1,
            launches: 0,
        }
    }

    /// The device's limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Starts a new sequence of interleavings.
    pub fn reseed(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }

    /// Allocates `bytes` bytes, uninitialised, and gives their address, a multiple of 256. Zero
    /// bytes give an address of their own at which nothing may be accessed.
    ///
    /// # Errors
    ///
    /// [`MemoryError::OutOfMemory`].
    pub fn alloc(&mut self, bytes: u64) -> Result<u64, MemoryError> {
        self.memory.alloc(bytes, false)
    }

    /// Frees what [`Machine::alloc`] gave at `address`; a later access of it is an error.
    ///
    /// # Errors
    ///
    /// [`MemoryError::Invalid`] if no live allocation begins there.
    pub fn free(&mut self, address: u64) -> Result<(), MemoryError> {
        self.memory.free(address)
    }

    /// Bytes allocated, and bytes still free.
    pub fn memory_info(&self) -> (u64, u64) {
        (self.memory.used(), self.memory.free_bytes())
    }

    /// Copies `bytes` to the device.
    ///
    /// # Errors
    ///
    /// [`MemoryError::Invalid`] if the range is not inside one live allocation.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), MemoryError> {
        let (a, at) = self.memory.host_range(address, bytes.len())?;
        a.region.data[at..at + bytes.len()].copy_from_slice(bytes);
        a.region.mark(at, bytes.len());
        Ok(())
    }

    /// Sets `len` bytes on the device to `value`.
    ///
    /// # Errors
    ///
    /// As [`Machine::write`].
    pub fn fill(&mut self, address: u64, value: u8, len: usize) -> Result<(), MemoryError> {
        let (a, at) = self.memory.host_range(address, len)?;
        a.region.data[at..at + len].fill(value);
        a.region.mark(at, len);
        Ok(())
    }

    /// Copies from the device into `out`.
    ///
    /// # Errors
    ///
    /// As [`Machine::write`], and [`MemoryError::Uninitialised`] if a byte of the range was never
    /// written; [`Machine::peek`] does not mind.
    pub fn read(&mut self, address: u64, out: &mut [u8]) -> Result<(), MemoryError> {
        let (a, at) = self.memory.host_range(address, out.len())?;
        if let Some(first) = a.region.unwritten(at, out.len()) {
            return Err(MemoryError::Uninitialised {
                address: a.base + first as u64,
            });
        }
        out.copy_from_slice(&a.region.data[at..at + out.len()]);
        Ok(())
    }

    /// As [`Machine::read`], bytes that were never written included.
    ///
    /// # Errors
    ///
    /// [`MemoryError::Invalid`].
    pub fn peek(&mut self, address: u64, out: &mut [u8]) -> Result<(), MemoryError> {
        let (a, at) = self.memory.host_range(address, out.len())?;
        out.copy_from_slice(&a.region.data[at..at + out.len()]);
        Ok(())
    }

    /// Copies `len` bytes from one place on the device to another. What was never written stays so.
    ///
    /// # Errors
    ///
    /// [`MemoryError::Invalid`].
    pub fn copy(&mut self, to: u64, from: u64, len: usize) -> Result<(), MemoryError> {
        let (a, at) = self.memory.host_range(from, len)?;
        let bytes = a.region.data[at..at + len].to_vec();
        let written: Vec<bool> = (at..at + len)
            .map(|i| a.region.unwritten(i, 1).is_none())
            .collect();
        let (b, to) = self.memory.host_range(to, len)?;
        b.region.data[to..to + len].copy_from_slice(&bytes);
        if written.iter().all(|&w| w) {
            b.region.mark(to, len);
        } else {
            for (i, _) in written.iter().enumerate().filter(|w| *w.1) {
                b.region.mark(to + i, 1);
            }
        }
        Ok(())
    }

    /// Allows a kernel `bytes` of dynamic shared memory, as `cuFuncSetAttribute` with
    /// `MAX_DYNAMIC_SHARED_SIZE_BYTES` does.
    ///
    /// # Errors
    ///
    /// [`FaultKind::Launch`] if there is no such kernel, or with its static shared memory it is more
    /// than [`Limits::shared_per_block_optin`].
    pub fn allow_shared(&mut self, module: &Module, kernel: &str, bytes: u32) -> Result<(), Fault> {
        let Some(fixed) = module.static_shared(kernel) else {
            return Err(refusal(kernel, "the module has no such kernel".into()));
        };
        let limit = self.limits.shared_per_block_optin;
        if fixed.saturating_add(bytes) > limit {
            return Err(refusal(
                kernel,
                format!(
                    "{bytes} bytes of dynamic shared memory beside {fixed} static ones are more than the {limit} that a block can opt in to"
                ),
            ));
        }
        self.allowed
            .insert((module.data.id, kernel.to_string()), bytes);
        Ok(())
    }

    /// Address and size of a module-scope variable, which is made now if it was not used yet.
    ///
    /// # Errors
    ///
    /// [`MemoryError::NoSymbol`], [`MemoryError::OutOfMemory`].
    pub fn symbol(&mut self, module: &Module, name: &str) -> Result<(u64, u64), MemoryError> {
        let data = &module.data;
        let found = data
            .variables
            .iter()
            .position(|v| v.name == name && matches!(v.space, Space::Global | Space::Const));
        let Some(index) = found else {
            return Err(MemoryError::NoSymbol {
                name: name.to_string(),
            });
        };
        let addresses = self.instance(data)?;
        Ok((addresses[index].unwrap_or(0), data.variables[index].size))
    }

    /// Frees a module's variables; a later use makes them anew.
    pub fn unload(&mut self, module: &Module) {
        for address in self
            .instances
            .remove(&module.data.id)
            .into_iter()
            .flatten()
            .flatten()
        {
            // An instance's addresses were allocated by `instance` and are freed nowhere else.
            let _ = self.memory.free(address);
        }
        self.allowed.retain(|k, _| k.0 != module.data.id);
    }

    /// The addresses of a module's variables.
    fn instance(&mut self, data: &ModuleData) -> Result<Vec<Option<u64>>, MemoryError> {
        if let Some(addresses) = self.instances.get(&data.id) {
            return Ok(addresses.clone());
        }
        let mut addresses = Vec::new();
        for v in &data.variables {
            addresses.push(match v.space {
                Space::Global | Space::Const => {
                    Some(self.memory.alloc(v.size, v.space == Space::Const)?)
                }
                _ => None,
            });
        }
        for (v, &address) in data.variables.iter().zip(&addresses) {
            let Some(address) = address else { continue };
            let mut bytes = v.init.clone();
            for &(offset, of, addend) in &v.relocs {
                let to = addresses[of as usize]
                    .unwrap_or(0)
                    .wrapping_add(addend as u64);
                bytes[offset as usize..offset as usize + 8].copy_from_slice(&to.to_le_bytes());
            }
            self.write(address, &bytes)?;
        }
        self.instances.insert(data.id, addresses.clone());
        Ok(addresses)
    }

    /// Runs a kernel to its end. `grid` and `block` are in blocks and threads, `dynamic_shared` in
    /// bytes, and `params` the bytes of each parameter in order.
    ///
    /// # Errors
    ///
    /// A [`Fault`]: the launch is not possible, or a thread did what the PTX ISA does not allow.
    /// Memory then holds what was written up to that point.
    pub fn launch(
        &mut self,
        module: &Module,
        kernel: &str,
        grid: [u32; 3],
        block: [u32; 3],
        dynamic_shared: u32,
        params: &[&[u8]],
    ) -> Result<Stats, Fault> {
        let data = &module.data;
        let Some((index, function)) = data.kernel(kernel) else {
            let known: Vec<_> = module.kernels().collect();
            return Err(refusal(
                kernel,
                format!("the module has no such kernel; it has {known:?}"),
            ));
        };
        let allowed = self
            .allowed
            .get(&(data.id, kernel.to_string()))
            .copied()
            .unwrap_or(0);
        let geometry = Geometry::check(
            &self.limits,
            data,
            index,
            grid,
            block,
            dynamic_shared,
            allowed,
        )
        .map_err(|m| refusal(kernel, m))?;
        let params = launch::parameters(function, params).map_err(|m| refusal(kernel, m))?;
        let variables = self
            .instance(data)
            .map_err(|e| refusal(kernel, e.to_string()))?;
        if self.clock > 1 << 30 {
            self.memory.clear_shadows();
            self.clock = 1;
        }
        self.launches += 1;
        let rng = Rng::new(self.rng.next());
        let mut run = launch::Run::new(
            data,
            index,
            geometry,
            &self.limits,
            &mut self.memory,
            rng,
            params,
            &variables,
            self.clock,
            self.launches,
        );
        let result = run.go();
        self.clock = run.max_clock + 1;
        let stats = std::mem::take(&mut run.stats);
        let result = result.map_err(|t| run.fault(*t));
        drop(run);
        self.memory.settle();
        if data.is_mistaken(index) {
            mutate::launched(kernel, stats.events > 0);
        }
        result.map(|()| stats)
    }
}

fn refusal(kernel: &str, message: String) -> Fault {
    Fault {
        kind: FaultKind::Launch,
        kernel: kernel.to_string(),
        message,
        place: None,
        others: vec![],
    }
}
