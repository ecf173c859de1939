//! One launch: geometry, resident blocks, and the order in which their warps run.

use super::fault::{Fault, FaultKind, Place};
use super::isa::{Const, Lanes, Space, WARP};
use super::limits::Limits;
use super::memory::{Memory, Region};
use super::module::{Function, ModuleData};
use super::rng::Rng;
use super::stats::Stats;
use super::sync::SyncTable;
use super::warp::Warp;

/// Grid and block of a launch, checked.
#[derive(Clone, Debug)]
pub(crate) struct Geometry {
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub blocks: u32,
    pub threads: u32,
    pub dynamic_shared: u32,
    pub static_shared: u32,
    /// Offset of each of the module's variables in shared memory.
    pub shared_offsets: Vec<Option<u32>>,
}

impl Geometry {
    pub(crate) fn check(
        limits: &Limits,
        module: &ModuleData,
        kernel: u32,
        grid: [u32; 3],
        block: [u32; 3],
        dynamic_shared: u32,
        allowed: u32,
    ) -> Result<Geometry, String> {
        let f = &module.functions[kernel as usize];
        if limits.warp_size != WARP as u32 {
            return Err(format!(
                "a warp has {WARP} threads, not {}",
                limits.warp_size
            ));
        }
        if module.target > limits.compute_capability {
            return Err(format!(
                "the module is for sm_{}, and the device is sm_{}",
                module.target, limits.compute_capability
            ));
        }
        for (what, size, max) in [
            ("grid", grid, limits.max_grid_dim),
            ("block", block, limits.max_block_dim),
        ] {
            for i in 0..3 {
                if size[i] == 0 || size[i] > max[i] {
                    let axis = ["x", "y", "z"][i];
                    return Err(format!(
                        "the {what}'s {axis} is {}, and must be 1 to {}",
                        size[i], max[i]
                    ));
                }
            }
        }
        let product = |d: [u32; 3]| d.iter().map(|&n| u64::from(n)).product::<u64>();
        let (blocks, threads) = (product(grid), product(block));
        if threads > u64::from(limits.max_threads_per_block) {
            return Err(format!(
                "{threads} threads are more than the {} that a block can have",
                limits.max_threads_per_block
            ));
        }
        if blocks * threads > u64::from(u32::MAX) {
            return Err(format!(
                "{blocks} blocks of {threads} threads are more than the simulator numbers"
            ));
        }
        if let Some(max) = f.max_threads
            && threads > product(max)
        {
            return Err(format!(
                "{threads} threads are more than the kernel's `.maxntid` of {}",
                product(max)
            ));
        }
        if let Some(required) = f.required_threads
            && required != block
        {
            return Err(format!(
                "a block of {block:?} is not the kernel's `.reqntid` of {required:?}"
            ));
        }
        let (shared_offsets, static_shared) = module.shared_layout(kernel);
        let open = module
            .variables
            .iter()
            .zip(&shared_offsets)
            .filter(|(v, o)| v.open && o.is_some());
        let start = open.filter_map(|(_, o)| *o).max().unwrap_or(static_shared);
        let shared = start.saturating_add(dynamic_shared);
        let limit = limits
            .shared_per_block
            .max(static_shared.saturating_add(allowed));
        if shared > limit || shared > limits.shared_per_block_optin {
            return Err(format!(
                "{shared} bytes of shared memory ({static_shared} static, {dynamic_shared} dynamic) are more than \
                 the {limit} that the block may have; up to {} can be opted in to",
                limits.shared_per_block_optin
            ));
        }
        Ok(Geometry {
            grid,
            block,
            blocks: blocks as u32,
            threads: threads as u32,
            dynamic_shared,
            static_shared: start,
            shared_offsets,
        })
    }

    pub(crate) fn block_index(&self, block: u32) -> [u32; 3] {
        unflatten(block, self.grid)
    }

    pub(crate) fn thread_index(&self, thread: u32) -> [u32; 3] {
        unflatten(thread, self.block)
    }
}

fn unflatten(i: u32, size: [u32; 3]) -> [u32; 3] {
    [i % size[0], i / size[0] % size[1], i / size[0] / size[1]]
}

/// Lays out the parameter block.
pub(crate) fn parameters(f: &Function, values: &[&[u8]]) -> Result<Vec<u8>, String> {
    if values.len() != f.params.len() {
        return Err(format!(
            "the kernel has {} parameters, and {} were given",
            f.params.len(),
            values.len()
        ));
    }
    let mut block = vec![0; f.params.last().map_or(0, |p| (p.offset + p.size) as usize)];
    for (i, (p, v)) in f.params.iter().zip(values).enumerate() {
        if v.len() != p.size as usize {
            return Err(format!(
                "parameter {i} (`{}`) has {} bytes, and {} were given",
                p.name,
                p.size,
                v.len()
            ));
        }
        block[p.offset as usize..][..v.len()].copy_from_slice(v);
    }
    Ok(block)
}

/// What stopped a launch: threads by their index in the launch, instructions by theirs.
#[derive(Debug)]
pub(crate) struct Trouble {
    pub kind: FaultKind,
    pub message: String,
    pub at: Option<(u32, u32)>,
    pub others: Vec<(u32, u32)>,
}

pub(crate) type Exec<T> = Result<T, Box<Trouble>>;

/// Threads that wait at one of a block's barriers.
#[derive(Clone, Debug, Default)]
pub(crate) struct BarrierState {
    /// Threads of each warp that have arrived; empty when nobody has.
    pub arrived: Vec<u32>,
    /// Threads the barrier is for; `None` is all.
    pub count: Option<u32>,
    /// The first arrival: thread and instruction.
    pub first: (u32, u32),
    /// Of `bar.red`: how many predicates held, whether all and any did.
    pub popc: u32,
    pub all: bool,
    pub any: bool,
    /// Threads that arrived without waiting, and their clocks then.
    pub passed: Vec<(u32, u32)>,
}

/// What the threads of a block share.
#[derive(Debug)]
pub(crate) struct Core {
    pub index: u32,
    pub coords: [u32; 3],
    pub sm: u32,
    /// Index among the resident blocks; the block's space in the table of synchronising locations.
    pub slot: u32,
    pub first: u32,
    pub shared: Region,
    /// Clock at which the block began.
    pub start: u32,
    pub barriers: Vec<BarrierState>,
    /// A barrier was completed, so that warps may have to be queued again.
    pub woke: bool,
}

/// A resident block.
#[derive(Debug)]
pub(crate) struct Block {
    pub core: Core,
    pub warps: Vec<Warp>,
    queued: Vec<bool>,
}

/// A launch being executed.
pub(crate) struct Run<'a> {
    pub module: &'a ModuleData,
    pub kernel: u32,
    pub geometry: Geometry,
    pub limits: &'a Limits,
    pub memory: &'a mut Memory,
    pub rng: Rng,
    pub params: Vec<u8>,
    pub constants: Vec<Lanes>,
    pub stats: Stats,
    pub sync: SyncTable,
    /// Clock at which the launch began, and the highest one used.
    pub launch_clock: u32,
    pub max_clock: u32,
    pub grid_id: u64,
    /// Results before they are written to their register.
    pub scratch: Box<Lanes>,
}

impl<'a> Run<'a> {
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn new(
        module: &'a ModuleData,
        kernel: u32,
        geometry: Geometry,
        limits: &'a Limits,
        memory: &'a mut Memory,
        rng: Rng,
        params: Vec<u8>,
        variables: &[Option<u64>],
        clock: u32,
        grid_id: u64,
    ) -> Run<'a> {
        let value = |c: &Const| match *c {
            Const::Bits(b) => b,
            Const::Symbol(v, offset) => {
                let v = v as usize;
                let base = match module.variables[v].space {
                    Space::Shared => geometry.shared_offsets[v].map(u64::from),
                    _ => variables[v],
                };
                base.unwrap_or(0).wrapping_add(offset as u64)
            }
        };
        let constants = module.constants.iter().map(|c| [value(c); WARP]).collect();
        Run {
            module,
            kernel,
            geometry,
            limits,
            memory,
            rng,
            params,
            constants,
            stats: Stats::default(),
            sync: SyncTable::default(),
            launch_clock: clock,
            max_clock: clock,
            grid_id,
            scratch: Box::new([0; WARP]),
        }
    }

    fn place(&self, (thread, pc): (u32, u32)) -> Place {
        let line = self.module.code[pc as usize].line;
        Place {
            line,
            text: self.module.line_text(line),
            block: self.geometry.block_index(thread / self.geometry.threads),
            thread: self.geometry.thread_index(thread % self.geometry.threads),
        }
    }

    /// A trouble in the words of the PTX text.
    pub(crate) fn fault(&self, t: Trouble) -> Fault {
        Fault {
            kind: t.kind,
            kernel: self.module.functions[self.kernel as usize].name.clone(),
            message: t.message,
            place: t.at.map(|p| Box::new(self.place(p))),
            others: t.others.into_iter().map(|p| self.place(p)).collect(),
        }
    }

    /// Runs all blocks.
    pub(crate) fn go(&mut self) -> Exec<()> {
        let shared = self.geometry.static_shared + self.geometry.dynamic_shared;
        self.stats.shared_bytes = shared;
        let per_sm = [
            self.limits.max_blocks_per_sm,
            self.limits.max_threads_per_sm / self.geometry.threads,
            self.limits
                .shared_per_sm
                .checked_div(shared)
                .unwrap_or(u32::MAX),
        ];
        let per_sm = per_sm.into_iter().min().unwrap_or(1).max(1);
        let mut on_sm = vec![0u32; self.limits.sms.max(1) as usize];
        let mut blocks: Vec<Block> = Vec::new();
        let mut idle: Vec<usize> = Vec::new();
        let mut queue: Vec<(u32, u32)> = Vec::new();
        let (mut next, mut resident) = (0, 0u32);
        loop {
            while next < self.geometry.blocks {
                let (sm, _) = on_sm
                    .iter()
                    .enumerate()
                    .min_by_key(|s| s.1)
                    .unwrap_or((0, &0));
                if on_sm[sm] >= per_sm {
                    break;
                }
                on_sm[sm] += 1;
                resident += 1;
                let slot = idle.pop().unwrap_or_else(|| {
                    blocks.push(self.new_block(blocks.len() as u32, shared));
                    blocks.len() - 1
                });
                self.start_block(&mut blocks[slot], next, sm as u32);
                queue.extend((0..blocks[slot].warps.len()).map(|w| (slot as u32, w as u32)));
                next += 1;
                self.stats.blocks += 1;
                self.stats.resident_blocks = self.stats.resident_blocks.max(resident);
            }
            if queue.is_empty() {
                return if resident == 0 {
                    Ok(())
                } else {
                    Err(self.deadlock(&blocks))
                };
            }
            let at = self.rng.below(queue.len());
            let (slot, w) = queue[at];
            let block = &mut blocks[slot as usize];
            let fuel = 1 + self.rng.below(self.limits.slice.max(1) as usize) as u32;
            self.slice(block, w as usize, fuel)?;
            if self.stats.thread_instructions > self.limits.instruction_budget {
                return Err(self.exhausted(&block.warps[w as usize]));
            }
            let warp = &block.warps[w as usize];
            let (waits, ended) = (warp.runnable() == 0, warp.live == 0);
            if waits {
                queue.swap_remove(at);
                block.queued[w as usize] = false;
            }
            if std::mem::take(&mut block.core.woke) {
                self.wake(block, &mut queue);
            }
            if ended && block.warps.iter().all(|w| w.live == 0) {
                on_sm[block.core.sm as usize] -= 1;
                resident -= 1;
                idle.push(slot as usize);
            }
        }
    }

    /// Queues warps that a barrier let go.
    fn wake(&self, block: &mut Block, queue: &mut Vec<(u32, u32)>) {
        for (w, warp) in block.warps.iter().enumerate() {
            if !block.queued[w] && warp.runnable() != 0 {
                block.queued[w] = true;
                queue.push((block.core.slot, w as u32));
            }
        }
    }

    fn new_block(&self, slot: u32, shared: u32) -> Block {
        let warps = self.geometry.threads.div_ceil(WARP as u32) as usize;
        Block {
            core: Core {
                index: 0,
                coords: [0; 3],
                sm: 0,
                slot,
                first: 0,
                shared: Region::new(shared as usize),
                start: 0,
                barriers: vec![],
                woke: false,
            },
            warps: (0..warps).map(|_| Warp::default()).collect(),
            queued: vec![],
        }
    }

    fn start_block(&mut self, block: &mut Block, index: u32, sm: u32) {
        let f = &self.module.functions[self.kernel as usize];
        // A new block's accesses of shared memory are later than the previous tenant's.
        self.max_clock += 1;
        let clock = self.max_clock;
        let core = &mut block.core;
        core.index = index;
        core.coords = self.geometry.block_index(index);
        core.sm = sm;
        core.first = index * self.geometry.threads;
        core.shared.forget();
        core.start = clock;
        core.barriers.clear();
        if !self.sync.is_empty() {
            self.sync.forget(core.slot + 1);
        }
        block.queued = vec![true; block.warps.len()];
        for (w, warp) in block.warps.iter_mut().enumerate() {
            let before = (w * WARP) as u32;
            let threads = self.geometry.threads - before;
            warp.start(w as u32, core.first + before, threads, f.start, clock);
            let frame = warp.frames[0];
            warp.enter(&frame, f.registers, f.predicates, f.frame, u32::MAX);
        }
    }

    fn exhausted(&self, warp: &Warp) -> Box<Trouble> {
        let lane = warp.live.trailing_zeros().min(31);
        Box::new(Trouble {
            kind: FaultKind::EndlessLoop,
            message: format!(
                "the launch executed more than its budget of {} instructions: an endless loop, or a wait for a block that is not resident",
                self.limits.instruction_budget
            ),
            at: Some((warp.first + lane, warp.pc[lane as usize])),
            others: vec![],
        })
    }

    /// Nobody can go on: says who waits where.
    fn deadlock(&self, blocks: &[Block]) -> Box<Trouble> {
        let mut waiting: Vec<(u32, u32)> = Vec::new();
        let mut collective = false;
        for warp in blocks.iter().flat_map(|b| &b.warps) {
            let mut seen: Vec<u32> = Vec::new();
            for lane in (0..WARP).filter(|l| warp.live >> l & 1 == 1) {
                // One thread per place and warp tells enough.
                if !seen.contains(&warp.pc[lane]) {
                    seen.push(warp.pc[lane]);
                    let place = (warp.first + lane as u32, warp.pc[lane]);
                    let is_collective = warp.in_collective >> lane & 1 == 1;
                    if is_collective && !collective {
                        collective = true;
                        waiting.insert(0, place);
                    } else {
                        waiting.push(place);
                    }
                }
            }
        }
        waiting.truncate(5);
        let at = (!waiting.is_empty()).then(|| waiting.remove(0));
        let (kind, message) = match collective {
            true => (
                FaultKind::WarpMembership,
                "threads wait for members of their mask that never arrive at the same instruction with the same mask",
            ),
            false => (
                FaultKind::DivergentBarrier,
                "every thread waits at a barrier, and none of the barriers can be completed",
            ),
        };
        Box::new(Trouble {
            kind,
            message: message.into(),
            at,
            others: waiting,
        })
    }
}
