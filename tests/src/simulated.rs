//! Printed kernels in the simulator: the launches that a driver would make, over the state that the interpreter
//! runs on.

use accrue_compiler::emit_ptx::elem_of;
use accrue_compiler::ir::interpret::{State, Value};
use accrue_compiler::ir::{ArrayId, Loop, Memory, Pattern, Scalar, Target, VarId};
use accrue_ptx::abi::{AUXILIARY_BLOCK, Elem, ErrorRecord, Module, ParamKind, TargetAbi};
use accrue_ptx::plan::{Ending, LaunchPlan, Limits, SplitPlan, Unsuitable, Wishes, Work};
use accrue_ptx::queues::{COUNT_BLOCK, Part};
use accrue_ptx::strategy::TILE_BLOCK;
use accrue_ptx::strategy::steps::Overlap;
use ptx_sim as sim;

/// What may be varied without changing the result.
#[derive(Clone, Copy, Debug)]
pub struct Variation {
    /// Decides how warps interleave.
    pub seed: u64,
    /// Threads of a gang, in whole warps. Updates are split by gangs of 256.
    pub block: u32,
    /// Multiprocessors of the device.
    pub multiprocessors: u32,
    /// The number of the first iteration, for loops over elements of one dimension: as if these were a part of more.
    pub first: u64,
    /// Elements by which each array is moved from an aligned address.
    pub shift: usize,
    /// Elements by which each array is moved further than the one before it.
    pub stagger: usize,
    /// Bytes of shared memory that a gang may have, if they are fewer than the device's.
    pub shared: Option<u32>,
    /// What is asked of the plan.
    pub wishes: Wishes,
    /// Threads of gangs that take several steps by themselves, and how many steps, where the kernel can.
    pub overlap: Option<[u32; 2]>,
}

impl Default for Variation {
    fn default() -> Variation {
        Variation {
            seed: 1,
            block: 64,
            multiprocessors: 2,
            first: 0,
            shift: 0,
            stagger: 0,
            shared: None,
            wishes: Wishes::default(),
            overlap: None,
        }
    }
}

/// How a simulated call ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The bins are in the state.
    Done,
    /// An iteration failed: its number and the message of its panic. The state is as before.
    Fault(u64, String),
    /// The kernel cannot run this call: too many bins for its memory.
    Unsuitable(Unsuitable),
}

/// A simulated device with one call's memory.
struct Call<'a, 's> {
    module: &'a Module,
    code: sim::Module,
    machine: sim::Machine,
    state: &'s mut State<'a>,
    lp: &'a Loop,
    counts: Vec<u64>,
    plan: LaunchPlan,
    pointers: Vec<u64>,
    bins: Vec<u64>,
    scratch: Vec<u64>,
    queues: u64,
    ticket: u64,
    error: u64,
    overlap: Option<Overlap>,
}

/// Runs a module over a state.
///
/// # Panics
///
/// If the simulator finds something wrong with the kernel, or the kernel leaves anything but the bins changed.
pub fn run<'a>(
    module: &'a Module,
    lp: &'a Loop,
    pattern: &Pattern,
    state: &mut State<'a>,
    how: Variation,
) -> Outcome {
    let Pattern::Histogram(histogram) = pattern;
    let targets = &histogram.kernel_targets(lp)[..];
    // Tiles of a scan are of one size.
    let how = match module.abi.block {
        TILE_BLOCK if !histogram.carried.is_empty() => Variation {
            block: TILE_BLOCK,
            ..how
        },
        _ => how,
    };
    let counts = match state.counts(pattern) {
        Ok(counts) => counts,
        // The host evaluates counts, and panics for what they panic for.
        Err(fault) => return Outcome::Fault(fault.iteration, fault.kind.to_string()),
    };
    let items: u64 = counts.iter().product();
    if items == 0 {
        return Outcome::Done;
    }
    let device = sim::Limits::default();
    let limits = Limits {
        // As old as the kernel allows.
        sm: module.abi.sm,
        multiprocessors: how.multiprocessors,
        threads_per_block: how.block,
        threads_per_multiprocessor: how.block * 2,
        blocks_per_multiprocessor: 2,
        shared_per_block: how.shared.unwrap_or(device.shared_per_block_optin),
        shared_per_multiprocessor: how.shared.map_or(device.shared_per_sm, |s| s + 1024),
        shared_reserved: 1024,
    };
    let bytes: Vec<Vec<u8>> = targets
        .iter()
        .map(|t| bin_bytes(state, lp, t.memory))
        .collect();
    let sizes: Vec<u64> = bytes
        .iter()
        .zip(module.abi.targets.iter())
        .map(|(b, t)| b.len() as u64 / u64::from(t.elem.size()))
        .collect();
    let work = Work {
        items,
        bins: sizes.clone(),
        wishes: how.wishes,
    };
    let plan = match module.abi.plan(&limits, &work) {
        Ok(plan) => plan,
        Err(why) => return Outcome::Unsuitable(why),
    };
    let code = sim::Module::parse(&module.text())
        .unwrap_or_else(|e| panic!("{e}\n{}", numbered(&module.text(), &e.to_string())));
    let mut machine = sim::Machine::new(device, how.seed);
    let put = |machine: &mut sim::Machine, bytes: &[u8], shift: usize| {
        let at = machine.alloc((bytes.len() + shift) as u64).expect("memory") + shift as u64;
        machine.write(at, bytes).expect("it was allocated");
        at
    };
    let pointers = module
        .abi
        .arrays
        .iter()
        .enumerate()
        .map(|(n, a)| {
            let elem = element_bytes(state, lp, ArrayId(a.array));
            let shift = (how.shift + how.stagger * n) * elem;
            let at = put(&mut machine, state.bytes(ArrayId(a.array)), shift);
            at.wrapping_sub(how.first.wrapping_mul(elem as u64))
        })
        .collect();
    let bins = bytes.iter().map(|b| put(&mut machine, b, 0)).collect();
    let scratch = plan
        .targets
        .iter()
        .map(|t| machine.alloc(t.scratch_bytes).expect("memory"))
        .collect();
    let queues = match &plan.split {
        Some(split) => {
            let at = machine.alloc(split.bytes()).expect("memory");
            machine.write(at, &tally(split)).expect("it is as large");
            at
        }
        None => put(&mut machine, &vec![0; plan.states as usize], 0),
    };
    let ticket = put(&mut machine, &[0; 4], 0);
    let error = put(&mut machine, &ErrorRecord::CLEAN.to_bytes(), 0);
    let overlap = match (how.overlap, &counts[..]) {
        (Some([threads, steps]), [_, width]) => {
            let reach = module.abi.reach;
            assert!(reach > 0, "steps overlap\n{}", module.text());
            Overlap::cut(*width, reach, threads, steps)
        }
        _ => None,
    };
    let mut call = Call {
        module,
        code,
        machine,
        state,
        lp,
        counts,
        plan,
        pointers,
        bins,
        scratch,
        queues,
        ticket,
        error,
        overlap,
    };
    call.initialise(&limits);
    call.launch(how.first, how.first + items, &limits, targets);
    let record = call.record();
    call.check_clean();
    if record.is_clean() {
        for (n, array) in call.module.abi.arrays.iter().enumerate() {
            if array.written {
                let id = ArrayId(array.array);
                let mut out = vec![0; call.state.bytes(id).len()];
                let at = call.pointers[n];
                call.machine.read(at, &mut out).expect("it is as long");
                call.state.set_bytes(id, out);
            }
        }
        for (t, target) in targets.iter().enumerate() {
            let mut out = vec![0; bytes[t].len()];
            call.machine
                .read(call.bins[t], &mut out)
                .expect("the bins are written");
            match target.memory {
                Memory::Bins(array) => call.state.set_bytes(array, out),
                Memory::Scalar(var) => {
                    let scalar = lp
                        .var(var)
                        .ty
                        .as_scalar()
                        .expect("a reduced scalar is a scalar");
                    call.state.set_var(var, Value::from_bytes(scalar, &out));
                }
            }
        }
        return Outcome::Done;
    }
    // Where iterations write, none may run again.
    if !module.abi.writes() {
        // By one gang, as the runtime does.
        call.plan.grid = 1;
        call.launch(record.first, record.first + 1, &limits, targets);
        call.check_clean();
    }
    for (t, before) in bytes.iter().enumerate() {
        let mut out = vec![0; before.len()];
        call.machine
            .read(call.bins[t], &mut out)
            .expect("the bins are written");
        assert_eq!(
            &out, before,
            "{}: a failed call leaves the bins alone",
            module.abi.entry
        );
    }
    let told = call.record();
    assert!(
        told.has_details(),
        "{}: a single iteration tells its fault",
        module.abi.entry
    );
    assert_eq!(
        told.first, record.first,
        "{}: the same iteration fails again",
        module.abi.entry
    );
    let site = &module.abi.faults[told.site as usize];
    Outcome::Fault(
        told.first - how.first,
        site.message(told.index, told.length),
    )
}

impl Call<'_, '_> {
    fn start(&mut self, entry: &str, grid: u32, block: u32, shared: u32, slots: &[u64]) {
        let bytes: Vec<[u8; 8]> = slots.iter().map(|s| s.to_le_bytes()).collect();
        let params: Vec<&[u8]> = bytes.iter().map(|b| &b[..]).collect();
        self.machine
            .allow_shared(&self.code, entry, shared)
            .unwrap_or_else(|e| panic!("{entry}: {e}"));
        let done = self.machine.launch(
            &self.code,
            entry,
            [grid, 1, 1],
            [block, 1, 1],
            shared,
            &params,
        );
        if let Err(fault) = done {
            panic!(
                "{entry}: {fault}\n{}",
                numbered(&self.module.text(), &fault.to_string())
            );
        }
    }

    fn initialise(&mut self, limits: &Limits) {
        for (t, target) in self.module.abi.targets.iter().enumerate() {
            let plan = self.plan.targets[t];
            let scalars = plan.scratch_bytes / u64::from(target.accumulator().size());
            let grid = self.plan.initialise_grid(limits, scalars);
            self.start(
                &target.initialise,
                grid,
                AUXILIARY_BLOCK,
                0,
                &[self.scratch[t], scalars],
            );
        }
    }

    fn launch(&mut self, begin: u64, end: u64, limits: &Limits, targets: &[Target]) {
        let module = self.module;
        let mut slots: Vec<u64> = module
            .abi
            .params
            .iter()
            .map(|p| self.slot(p.kind, begin, end, targets))
            .collect();
        let plan = self.plan.clone();
        if let Some(overlap) = self.overlap {
            return self.launch_steps(overlap, &plan, &mut slots);
        }
        let whole = vec![(0, end - begin)];
        let slabs = plan.split.as_ref();
        let slabs = slabs.map_or(whole, |split| split.slabs(end - begin).collect());
        for (from, to) in slabs {
            for (param, slot) in module.abi.params.iter().zip(&mut slots) {
                match param.kind {
                    ParamKind::Begin => *slot = begin + from,
                    ParamKind::End => *slot = begin + to,
                    _ => {}
                }
            }
            self.launch_slab(&plan, &mut slots);
        }
        let ending = plan.ending;
        if ending != Ending::Merged {
            return;
        }
        for (t, target) in module.abi.targets.iter().enumerate() {
            let plan = self.plan.targets[t];
            let grid = self.plan.merge_grid(limits, &plan);
            let slots = [
                self.bins[t],
                plan.bins,
                self.scratch[t],
                u64::from(plan.locals),
                self.error,
            ];
            self.start(&target.merge, grid, AUXILIARY_BLOCK, 0, &slots);
        }
    }

    /// The launches of steps that overlap.
    fn launch_steps(&mut self, overlap: Overlap, plan: &LaunchPlan, slots: &mut [u64]) {
        let plan = LaunchPlan {
            grid: overlap.gangs,
            block: overlap.threads,
            ..plan.clone()
        };
        for begin in (0..self.counts[0]).step_by(overlap.steps as usize) {
            for (param, slot) in self.module.abi.params.iter().zip(&mut *slots) {
                match param.kind {
                    ParamKind::Begin => *slot = begin,
                    ParamKind::End => *slot = begin + u64::from(overlap.steps),
                    _ => {}
                }
            }
            // No step follows one that has failed.
            let left = (!self.record().is_clean()).then(|| self.written());
            self.launch_slab(&plan, slots);
            assert!(
                left.is_none_or(|left| left == self.written()),
                "a step behind one that failed"
            );
        }
    }

    /// What is in the arrays that the loop writes.
    fn written(&mut self) -> Vec<Vec<u8>> {
        let arrays = self.module.abi.arrays.iter().zip(&self.pointers);
        let written = arrays.filter(|(array, _)| array.written);
        written
            .map(|(array, at)| {
                let mut bytes = vec![0; self.state.bytes(ArrayId(array.array)).len()];
                self.machine.read(*at, &mut bytes).expect("it is as long");
                bytes
            })
            .collect()
    }

    /// The entry, and those behind it where updates are split.
    fn launch_slab(&mut self, plan: &LaunchPlan, slots: &mut [u64]) {
        let abi = &self.module.abi;
        let at = abi.params.iter().position(|p| p.kind == ParamKind::Merge);
        for &ending in plan.ending.launches(abi) {
            at.into_iter().for_each(|at| slots[at] = ending as u64);
            self.start(&abi.entry, plan.grid, plan.block, plan.shared_bytes, slots);
        }
        let (Some(split), Some(entries)) = (&plan.split, &abi.split) else {
            return;
        };
        let grid = split.arrange_grid;
        self.start(&entries.arrange, grid, AUXILIARY_BLOCK, 0, slots);
        let (grid, shared) = (split.count_grid, split.count_shared);
        self.start(&entries.count, grid, COUNT_BLOCK, shared, slots);
        let written = self.machine.write(self.queues, &tally(split));
        written.expect("it is as large");
    }

    fn slot(&self, kind: ParamKind, begin: u64, end: u64, targets: &[Target]) -> u64 {
        if let Some(value) = self.plan.value(kind) {
            return value;
        }
        let length = |array: ArrayId| {
            (self.state.bytes(array).len() / element_bytes(self.state, self.lp, array).max(1))
                as u64
        };
        match kind {
            ParamKind::Begin => begin,
            ParamKind::End => end,
            ParamKind::Count(d) => self.counts[d as usize],
            ParamKind::Pointer(a) => self.pointers[a as usize],
            ParamKind::Length(a) => length(ArrayId(self.module.abi.arrays[a as usize].array)),
            ParamKind::Captured(c) => {
                let captured = &self.module.abi.captured[c as usize];
                // A value that nothing uses may not be set.
                self.state
                    .var(VarId(captured.var))
                    .map_or(0, |v| bits(v, captured.elem))
            }
            ParamKind::Bins(t) => self.bins[t as usize],
            ParamKind::BinsLength(t) => match targets[t as usize].memory {
                Memory::Bins(array) => length(array),
                Memory::Scalar(_) => 1,
            },
            ParamKind::Scratch(t) => self.scratch[t as usize],
            ParamKind::Queue(part) => {
                let split = self.plan.split.as_ref().expect("updates are split");
                self.queues + split.offset(Part::ALL[part as usize])
            }
            ParamKind::States => self.queues,
            ParamKind::Ticket => self.ticket,
            ParamKind::Error => self.error,
            planned => unreachable!("the plan decides {planned:?}"),
        }
    }

    fn record(&mut self) -> ErrorRecord {
        let mut bytes = [0; ErrorRecord::BYTES];
        self.machine
            .read(self.error, &mut bytes)
            .expect("the record is written");
        ErrorRecord::from_bytes(bytes)
    }

    /// The scratch memory is neutral again, and so is the ticket: the next call needs no preparation.
    fn check_clean(&mut self) {
        for (t, target) in self.module.abi.targets.iter().enumerate() {
            let mut out = vec![0; self.plan.targets[t].scratch_bytes as usize];
            self.machine
                .read(self.scratch[t], &mut out)
                .expect("scratch memory is written");
            assert_neutral(target, &out, &self.module.abi.entry);
        }
        let mut ticket = [1; 4];
        self.machine
            .read(self.ticket, &mut ticket)
            .expect("the ticket is written");
        assert_eq!(
            ticket, [0; 4],
            "{}: the ticket is put back",
            self.module.abi.entry
        );
    }
}

/// What the queues begin with: no range has any updates.
fn tally(split: &SplitPlan) -> Vec<u8> {
    vec![0; 4 * split.ranges as usize]
}

fn assert_neutral(target: &TargetAbi, scratch: &[u8], entry: &str) {
    let elem = target.accumulator();
    let neutral = target.op.neutral_bits(elem).to_le_bytes();
    let neutral = &neutral[..elem.size() as usize];
    // Where NaN is neutral, each of them is: that of a kernel's minimum and that of an empty copy are others.
    let is_nan = |scalar: &[u8]| match elem {
        Elem::F32 => f32::from_le_bytes(scalar.try_into().expect("four bytes")).is_nan(),
        Elem::F64 => f64::from_le_bytes(scalar.try_into().expect("eight bytes")).is_nan(),
        _ => false,
    };
    for (n, scalar) in scratch.chunks_exact(elem.size() as usize).enumerate() {
        if is_nan(neutral) && is_nan(scalar) {
            continue;
        }
        assert_eq!(
            scalar, neutral,
            "{entry}: scalar {n} of {} is neutral",
            target.name
        );
    }
}

/// The bytes of a target: its bins, or the reduced scalar.
pub fn bin_bytes(state: &State<'_>, lp: &Loop, memory: Memory) -> Vec<u8> {
    match memory {
        Memory::Bins(array) => state.bytes(array).to_vec(),
        Memory::Scalar(var) => {
            let scalar = lp
                .var(var)
                .ty
                .as_scalar()
                .expect("a reduced scalar is a scalar");
            let mut bytes = vec![0; scalar.size() as usize];
            state
                .var(var)
                .expect("a reduced scalar is set")
                .write(&mut bytes);
            bytes
        }
    }
}

/// Bytes of an element of an array's outermost dimension.
fn element_bytes(state: &State<'_>, lp: &Loop, array: ArrayId) -> usize {
    use accrue_compiler::ir::{Length, Type};
    fn size(state: &State<'_>, ty: &Type) -> usize {
        match ty {
            Type::Scalar(s) => s.size() as usize,
            Type::Array(elem, Length::Known(n)) => size(state, elem) * *n as usize,
            Type::Array(elem, Length::Captured(var)) => {
                let Some(Value::Int(n)) = state.var(*var) else {
                    panic!("the length of an array is set")
                };
                size(state, elem) * *n as usize
            }
            other => panic!("arrays of {other} are not tested here"),
        }
    }
    size(state, &lp.array(array).elem)
}

/// A captured value as its slot.
fn bits(value: &Value, elem: Elem) -> u64 {
    let scalar = Scalar::ALL
        .into_iter()
        .find(|s| elem_of(*s) == elem)
        .expect("every type is one of Rust's");
    let mut bytes = [0; 8];
    value.write(&mut bytes[..scalar.size() as usize]);
    let bits = u64::from_le_bytes(bytes);
    let unused = 64 - scalar.bits();
    if scalar.is_signed() {
        ((bits << unused) as i64 >> unused) as u64
    } else {
        bits
    }
}

/// The lines around the one that a message names, or all of them where it names none.
fn numbered(text: &str, message: &str) -> String {
    let named = message.split("line ").nth(1).and_then(|rest| {
        rest.split(|c: char| !c.is_ascii_digit())
            .next()
            .and_then(|n| n.parse::<usize>().ok())
    });
    let near = |n: usize| named.is_none_or(|at| n + 40 > at && n < at + 8);
    text.lines()
        .enumerate()
        .filter(|(n, _)| near(n + 1))
        .map(|(n, line)| format!("{:5} {line}\n", n + 1))
        .collect()
}
