//! The simulator as a GPU.

use std::collections::HashMap;

use ptx_sim::{Limits, Machine, Module};

use super::gpu::{Arg, Gpu};

/// A simulated device, and the modules that it has seen.
pub(crate) struct Simulator {
    machine: Machine,
    modules: HashMap<String, Module>,
}

impl Simulator {
    /// A device whose warps interleave by `seed`.
    pub(crate) fn new(seed: u64) -> Simulator {
        Simulator {
            machine: Machine::new(Limits::default(), seed),
            modules: HashMap::new(),
        }
    }
}

impl Gpu for Simulator {
    fn run<const N: usize>(
        &mut self,
        ptx: &str,
        entry: &str,
        grid: u32,
        block: u32,
        args: [Arg; N],
    ) -> [Arg; N] {
        let machine = &mut self.machine;
        let module = self
            .modules
            .entry(ptx.to_owned())
            .or_insert_with(|| Module::parse(ptx).unwrap_or_else(|error| panic!("{error}")));
        let slots = args.each_ref().map(|arg| match arg {
            Arg::Value(value) => *value,
            Arg::Memory(bytes) => {
                let address = machine
                    .alloc(bytes.len() as u64)
                    .expect("the device has room");
                machine
                    .write(address, bytes)
                    .expect("the memory is as large");
                address
            }
        });
        let parameters = slots.map(u64::to_le_bytes);
        let parameters = parameters.each_ref().map(|slot| &slot[..]);
        machine
            .launch(module, entry, [grid, 1, 1], [block, 1, 1], 0, &parameters)
            .unwrap_or_else(|fault| panic!("{fault}"));
        let mut slots = slots.into_iter();
        args.map(|arg| match (arg, slots.next()) {
            (Arg::Memory(mut bytes), Some(address)) => {
                machine
                    .read(address, &mut bytes)
                    .expect("all of it is written");
                machine.free(address).expect("it was allocated");
                Arg::Memory(bytes)
            }
            (arg, _) => arg,
        })
    }
}
