//! How large a launch is: gangs, copies, bundles and memory, as functions of device, bins and items.
//!
//! Symbols, as in Ikeda, Ino and Hagihara's paper and in Ikeda and Ino's on nonrigid registration: `l` is the
//! number of copies in device memory (`locals`), `R` the number of copies of a gang in shared memory (`copies`),
//! `S` the number of threads that share one of them (`bundle`, so `R * S` is the gang's size).

mod ending;
mod unsuitable;

pub use self::ending::Ending;
pub use self::unsuitable::Unsuitable;
use crate::abi::{AUXILIARY_BLOCK, KernelAbi, ParamKind, TargetAbi};
use crate::cell::Cell;
use crate::cut::CutWish;
pub use crate::queues::SplitPlan;
use crate::strategy::{self, Shared, Tiling};

/// What a device has. The names are the CUDA driver's attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Compute capability times ten: 90 for 9.0.
    pub sm: u32,
    /// Multiprocessors.
    pub multiprocessors: u32,
    /// Threads of a block, at most.
    pub threads_per_block: u32,
    /// Resident threads of a multiprocessor, at most.
    pub threads_per_multiprocessor: u32,
    /// Resident blocks of a multiprocessor, at most.
    pub blocks_per_multiprocessor: u32,
    /// Shared memory of a block, in bytes, at most (the opt-in limit).
    pub shared_per_block: u32,
    /// Shared memory of a multiprocessor, in bytes.
    pub shared_per_multiprocessor: u32,
    /// Shared memory that the system takes of each block, in bytes.
    pub shared_reserved: u32,
}

impl Limits {
    /// An H200, as its driver 580 tells.
    pub const H200: Limits = Limits {
        sm: 90,
        multiprocessors: 132,
        threads_per_block: 1024,
        threads_per_multiprocessor: 2048,
        blocks_per_multiprocessor: 32,
        shared_per_block: 232_448,
        shared_per_multiprocessor: 233_472,
        shared_reserved: 1024,
    };

    /// Blocks of this size that a multiprocessor holds at a time, as far as threads and shared memory
    /// decide; registers may allow fewer, which only the driver knows.
    pub fn resident_blocks(&self, block: u32, shared: u32) -> u32 {
        let by_threads = self.threads_per_multiprocessor / block.max(1);
        let by_shared = self.shared_per_multiprocessor / (shared + self.shared_reserved).max(1);
        by_threads
            .min(by_shared)
            .min(self.blocks_per_multiprocessor)
            .max(1)
    }
}

/// The work of one call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Iterations.
    pub items: u64,
    /// Scalars in the bins of each target, in order.
    pub bins: Vec<u64>,
    /// What the user asked for.
    pub wishes: Wishes,
}

/// What the user may ask for: `locals = l`, `copies = R`, `bundle = S`, in the attribute or `ACCRUE_STRATEGY`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// `l`, copies in device memory.
    pub locals: Option<u32>,
    /// `R`, copies of a gang in shared memory.
    pub copies: Option<u32>,
    /// `S`, threads that share one of them.
    pub bundle: Option<u32>,
    /// Iterations that are split at a time.
    pub slab: Option<u32>,
    /// How loops in blocks are cut.
    pub cut: CutWish,
    /// Blocks that a multiprocessor holds at a time, where the driver said so
    /// (`cuOccupancyMaxActiveBlocksPerMultiprocessor`).
    pub resident: Option<u32>,
}

/// A launch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchPlan {
    /// Gangs (blocks).
    pub grid: u32,
    /// Threads of a gang.
    pub block: u32,
    /// Dynamic shared memory of a gang, in bytes.
    pub shared_bytes: u32,
    /// What each target gets, in order.
    pub targets: Vec<TargetPlan>,
    /// `W`, the windows that bins are cut into; 1 where they are not.
    pub windows: u32,
    /// How updates are split, where they are.
    pub split: Option<SplitPlan>,
    /// Bytes of the states of tiles, where scalars are carried from one to the next.
    pub states: u64,
    /// How the result comes into the bins.
    pub ending: Ending,
}

/// What a target gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TargetPlan {
    /// Scalars in the bins.
    pub bins: u64,
    /// `l`, copies in the scratch memory.
    pub locals: u32,
    /// Size of the scratch memory, in bytes.
    pub scratch_bytes: u64,
    /// Where the copies start in dynamic shared memory, in bytes.
    pub shared_offset: u32,
    /// `R`, copies of a gang in shared memory.
    pub copies: u32,
    /// `S`, threads that share one of them.
    pub bundle: u32,
}

/// Scratch memory up to this many bytes is merged by the gang that finishes last, which costs less than
/// another launch. First value: 64 KiB is 16 loads for each of 1024 threads.
pub const MERGE_IN_KERNEL_BYTES: u64 = 64 << 10;

/// The most copies in shared memory that are made without being asked for.
const MOST_COPIES: u32 = 32;

/// Windows that bins are cut into at most: every one takes the time of a pass over the keys.
const MOST_WINDOWS: u32 = 32;

/// Gangs for each that is resident where nothing is left to do behind an iteration: who comes to its end early takes the next. Mandelbrot's set
/// of 4096 x 4096 takes 633 µs so, and 1068 µs with those that are resident alone (H200, 2026-11-23).
const MOST_WAVES: u64 = 64;

/// Gangs that a grid has at most.
const MOST_GANGS: u32 = i32::MAX as u32;

impl KernelAbi {
    /// Plans a launch.
    ///
    /// # Errors
    ///
    /// [`Unsuitable`] where the device is too old, its shared memory too small, or a wish out of reach.
    ///
    /// # Panics
    ///
    /// If `work.bins` has not one number for each target.
    pub fn plan(&self, limits: &Limits, work: &Work) -> Result<LaunchPlan, Unsuitable> {
        assert_eq!(
            work.bins.len(),
            self.targets.len(),
            "one number of bins for each target"
        );
        if limits.sm < self.sm {
            return Err(Unsuitable::Capability {
                needed: self.sm,
                available: limits.sm,
            });
        }
        let wishes = &work.wishes;
        if let Some(cut) = &self.cut
            && !wishes.cut.allows(cut)
        {
            return Err(Unsuitable::Wish(format!("its kernel has {cut}").into()));
        }
        for (what, wish) in [
            ("locals", wishes.locals),
            ("copies", wishes.copies),
            ("bundle", wishes.bundle),
            ("slab", wishes.slab),
        ] {
            if wish == Some(0) {
                return Err(Unsuitable::Wish(
                    format!("{what} = 0: there is at least one").into(),
                ));
            }
        }
        let block = self.gang(limits, work);
        let windows = self.windows(limits, work)?;
        let shared = self.shared_copies(limits, work, block, windows)?;
        let mut shared_bytes = shared.iter().map(|s| s.bytes).sum::<u64>() as u32;
        // A sample is where the copies will be.
        let samples = |t: &TargetAbi| t.placement.template().keeps_hot().is_some();
        if self.targets.iter().any(samples) {
            shared_bytes = shared_bytes.max(strategy::SAMPLE_BYTES);
            let available = limits.shared_per_block.saturating_sub(self.static_shared);
            if shared_bytes > available {
                return Err(Unsuitable::SharedMemory {
                    needed: shared_bytes.into(),
                    available: available.into(),
                });
            }
        }
        let split = self.plan_split(limits, work, block)?;
        if let Some(split) = &split {
            shared_bytes = split.shared;
        }
        let resident = wishes
            .resident
            .unwrap_or_else(|| limits.resident_blocks(block, shared_bytes + self.static_shared))
            .max(1);
        // Iterations that each have a thread of their own may be long, and of different lengths.
        let apart = self.items_per_thread == 1 || self.together > 0 || self.waves;
        let waves = match self.targets.is_empty() && apart {
            true => MOST_WAVES,
            false => 1,
        };
        let most = u64::from(limits.multiprocessors) * u64::from(resident) * waves;
        let trip = match self.together {
            0 => u64::from(block) * u64::from(self.items_per_thread.max(1)),
            together => u64::from(together),
        };
        let fewest = self.fewest_gangs(work.items, trip)?;
        // Gangs with different windows take the same items. All of them are resident: a second wave would take as long as
        // the first.
        let all = (most / u64::from(windows)).max(1);
        let groups = match self.items_per_thread {
            // Nobody knows how much there is to share.
            0 => all,
            _ => work.items.div_ceil(trip).clamp(1, all),
        };
        let groups = groups.max(fewest).min(u64::from(MOST_GANGS / windows));
        let grid = groups * u64::from(windows);
        let grid = u32::try_from(grid).unwrap_or(MOST_GANGS);
        let grid = split.as_ref().map_or(grid, |s| s.gangs);
        let grid = match self.strategy.template().is_one_gang() {
            true => 1,
            false => grid,
        };

        let mut offset = 0;
        let mut targets = Vec::with_capacity(self.targets.len());
        for ((target, &bins), shared) in self.targets.iter().zip(&work.bins).zip(&shared) {
            let template = target.placement.template();
            let locals = template.locals(target, bins, grid, wishes.locals);
            targets.push(TargetPlan {
                bins,
                locals,
                scratch_bytes: bins * u64::from(locals) * u64::from(target.accumulator().size()),
                shared_offset: offset,
                copies: shared.copies,
                bundle: block.div_ceil(shared.copies.max(1)),
            });
            offset += shared.bytes as u32;
        }
        let ending = Ending::of(self, work, &targets, split.is_some());
        if ending == Ending::Straight {
            targets.iter_mut().for_each(|t| t.scratch_bytes = 0);
        }
        Ok(LaunchPlan {
            grid,
            block,
            shared_bytes,
            targets,
            windows,
            split,
            states: Tiling::bytes(self, work.items),
            ending,
        })
    }

    /// Threads of a gang: where iterations have threads of their own, few, and where there are fewer than the device runs at a time, gangs are small
    /// enough for all multiprocessors to have some. Where gangs have copies of bins, each has items enough to be worth adding these up.
    fn gang(&self, limits: &Limits, work: &Work) -> u32 {
        const LEAST: u64 = 64;
        // 2 MiB of bytes into 256 bins, a call in a graph: 3.2 us by 64 gangs of 1024 threads, 2.8 by 128 of 512, 3.5 by 256 of 256, whose copies go into the
        // same eight lines of the second-level cache (H200, 2026-11-29).
        const LEAST_WITH_BINS: u64 = 256;
        const ITEMS_FOR_EACH_BIN: u64 = 16;
        // Registers are given to whole gangs: of 512 threads with 48 of them each two fit a multiprocessor, of 256 five (H100, 2026-11-28: means of
        // shifted pictures 1.36 ms instead of 1.62).
        const MOST_APART: u32 = 256;
        let block = self.block.min(limits.threads_per_block);
        let is_fixed = self.together > 0 || self.strategy.template().is_one_gang();
        let wishes = &work.wishes;
        let may = |t: &TargetAbi| t.placement.template().may_be_small();
        let may_be_small = self.targets.iter().all(may) && self.items_per_thread > 0;
        let asked = wishes.copies.is_some() || wishes.bundle.is_some();
        if is_fixed || !self.targets.is_empty() && (asked || !may_be_small) {
            return block;
        }
        let block = match self.items_per_thread {
            1 if self.targets.is_empty() => block.min(MOST_APART),
            _ => block,
        };
        let at_once = u64::from(self.items_per_thread.max(1));
        let bins = work.bins.iter().fold(0u64, |all, &b| all.saturating_add(b));
        let least = match self.targets.is_empty() {
            true => LEAST,
            false => LEAST_WITH_BINS.max(bins.saturating_mul(ITEMS_FOR_EACH_BIN) / at_once),
        };
        let threads = work.items.div_ceil(at_once);
        let each = threads.div_ceil(u64::from(limits.multiprocessors.max(1)));
        let most = u64::from(block).max(LEAST);
        let each = each.clamp(least.min(most), most).next_multiple_of(32);
        block.min(each as u32)
    }

    /// Copies in shared memory for each target: one each, then as many more as wished or as pay.
    fn shared_copies(
        &self,
        limits: &Limits,
        work: &Work,
        block: u32,
        windows: u32,
    ) -> Result<Vec<Shared>, Unsuitable> {
        let mut shared: Vec<Shared> = self
            .targets
            .iter()
            .zip(&work.bins)
            .map(|(t, &bins)| shared_of(t, bins, 1, windows))
            .collect();
        let available = u64::from(limits.shared_per_block.saturating_sub(self.static_shared));
        let fits = |shared: &[Shared]| {
            let needed = shared.iter().map(|s| s.bytes).sum::<u64>();
            if needed > available {
                Err(Unsuitable::SharedMemory { needed, available })
            } else {
                Ok(needed)
            }
        };
        let needed = fits(&shared)?;
        let wished = match (work.wishes.copies, work.wishes.bundle) {
            (Some(copies), Some(bundle)) if copies.saturating_mul(bundle) < block => {
                return Err(Unsuitable::Wish(
                    format!("{copies} copies with {bundle} threads each are fewer than the gang's {block} threads").into(),
                ));
            }
            (Some(copies), _) => Some(copies.min(block)),
            (None, Some(bundle)) => Some(block.div_ceil(bundle)),
            (None, None) => None,
        };
        // More copies must not cost residency, which hides the latency of the loads; there may be no more of it than
        // registers allow.
        let fit = limits.resident_blocks(block, needed as u32 + self.static_shared);
        let resident = work.wishes.resident.map_or(fit, |r| r.clamp(1, fit));
        let room = |resident: u32| {
            u64::from(limits.shared_per_multiprocessor / resident - limits.shared_reserved)
                .min(u64::from(limits.shared_per_block))
                .saturating_sub(u64::from(self.static_shared))
        };
        for at in 0..shared.len() {
            let target = &self.targets[at];
            if let (Some(copies), true) = (wished, may_grow(target)) {
                shared[at] = shared_of(target, work.bins[at], copies, windows);
                fits(&shared)?;
            }
        }
        if wished.is_some() {
            return Ok(shared);
        }
        self.grow(&mut shared, work, windows, room(resident));
        // Updates of several words wait for each other longer than loads are on their way.
        let waits = |(t, s): (&TargetAbi, &Shared)| {
            may_grow(t) && t.cell().words() > 1 && s.copies < MOST_COPIES
        };
        if resident > 1 && self.targets.iter().zip(&shared).any(waits) {
            self.grow(&mut shared, work, windows, room(1));
        }
        Ok(shared)
    }

    /// Makes one more copy for each target in turn, as long as there is room and more are of use.
    fn grow(&self, shared: &mut [Shared], work: &Work, windows: u32, room: u64) {
        let mut grows = true;
        while grows {
            grows = false;
            for at in 0..shared.len() {
                let target = &self.targets[at];
                let one = target.cell() == Cell::Counter || !may_grow(target);
                if one || shared[at].copies == MOST_COPIES {
                    continue;
                }
                let more = shared_of(target, work.bins[at], shared[at].copies + 1, windows);
                let others = shared.iter().map(|s| s.bytes).sum::<u64>() - shared[at].bytes;
                if others + more.bytes <= room {
                    shared[at] = more;
                    grows = true;
                }
            }
        }
    }

    /// Windows that the bins are cut into: as few as fit one gang on each multiprocessor, or two if that takes at
    /// most half as many more.
    fn windows(&self, limits: &Limits, work: &Work) -> Result<u32, Unsuitable> {
        if let Some(columns) = self.column_windows(limits, work) {
            return columns;
        }
        let (mut bytes, mut waits) = (0u64, true);
        for (target, &bins) in self.targets.iter().zip(&work.bins) {
            let template = target.placement.template();
            if template.is_windowed() {
                bytes += bins.saturating_mul(u64::from(template.window_bin(target)));
                waits &= template.waits_for_loads();
            }
        }
        if bytes == 0 {
            return Ok(1);
        }
        // Some bytes for each target, whose windows are rounded up.
        let slack = self.static_shared + 64 * self.targets.len() as u32;
        let whole = u64::from(limits.shared_per_block.saturating_sub(slack)).max(1);
        let half = limits.shared_per_multiprocessor / 2;
        let half = u64::from(half.saturating_sub(limits.shared_reserved + slack)).max(1);
        let one = bytes.div_ceil(whole);
        let two = bytes.div_ceil(half);
        let windows = if 2 * two <= 3 * one && waits {
            two
        } else {
            one
        };
        if windows > u64::from(MOST_WINDOWS) {
            return Err(Unsuitable::SharedMemory {
                needed: bytes.div_ceil(u64::from(MOST_WINDOWS)),
                available: whole,
            });
        }
        Ok(windows as u32)
    }

    /// Gangs that are needed for none of them to make more updates than its cells hold.
    fn fewest_gangs(&self, items: u64, trip: u64) -> Result<u64, Unsuitable> {
        let mut gangs = 1;
        for target in self.targets.iter() {
            let Some(most) = target.placement.template().most_updates(target) else {
                continue;
            };
            // A gang takes whole trips, so up to one more than its share.
            let share = (most / u64::from(target.updates.max(1))).saturating_sub(2 * trip);
            if share == 0 {
                return Err(Unsuitable::Updates {
                    updates: target.updates,
                });
            }
            gangs = gangs.max(items.div_ceil(share));
        }
        Ok(gangs)
    }
}

/// What a target takes of the shared memory of a gang.
fn shared_of(target: &TargetAbi, bins: u64, copies: u32, windows: u32) -> Shared {
    let template = target.placement.template();
    template.shared(target, bins, copies, windows)
}

/// Whether a gang may have several copies of a target in shared memory.
fn may_grow(target: &TargetAbi) -> bool {
    target.placement.template().may_grow()
}

impl LaunchPlan {
    /// The value of a parameter that the plan decides; `None` for those that the call decides.
    pub fn value(&self, kind: ParamKind) -> Option<u64> {
        let target = |t: u32| &self.targets[t as usize];
        Some(match kind {
            ParamKind::BinsTotal(t) => target(t).bins,
            ParamKind::Copies(t) => u64::from(target(t).locals),
            ParamKind::SharedOffset(t) => u64::from(target(t).shared_offset),
            ParamKind::SharedCopies(t) => u64::from(target(t).copies),
            ParamKind::Windows => u64::from(self.windows),
            ParamKind::Ranges => u64::from(self.split.as_ref()?.ranges),
            ParamKind::RangeBits => u64::from(self.split.as_ref()?.range_bits),
            ParamKind::Gangs => u64::from(self.split.as_ref()?.gangs),
            ParamKind::Chunks => u64::from(self.split.as_ref()?.chunks),
            ParamKind::Merge => self.ending as u64,
            ParamKind::Begin
            | ParamKind::End
            | ParamKind::Count(_)
            | ParamKind::Pointer(_)
            | ParamKind::Length(_)
            | ParamKind::Captured(_)
            | ParamKind::Bins(_)
            | ParamKind::BinsLength(_)
            | ParamKind::Scratch(_)
            | ParamKind::Queue(_)
            | ParamKind::States
            | ParamKind::Ticket
            | ParamKind::Error => return None,
        })
    }

    /// What the gangs on a multiprocessor take of its shared memory, in percent, where each declares `fixed` bytes itself; all of
    /// it where they take more than half. The driver has few sizes to choose from and does not say how it rounds.
    ///
    /// `None` for the kernels of `gang_split`, where the driver knows better: told all, 1,092,546 bins took 799 instead of 697 µs,
    /// and told the 92 % that three gangs take, only two of them ran at a time (H200, 2026-11-22).
    pub fn shared_percent(&self, limits: &Limits, fixed: u32) -> Option<u32> {
        const ALL: u32 = 100;
        if self.split.is_some() {
            return None;
        }
        let bytes = self.shared_bytes + fixed;
        let gangs = self.grid.div_ceil(limits.multiprocessors.max(1));
        let gangs = gangs.min(limits.resident_blocks(self.block, bytes));
        let bytes = u64::from(gangs) * u64::from(bytes + limits.shared_reserved);
        let all = u64::from(limits.shared_per_multiprocessor.max(1));
        Some(match (u64::from(ALL) * bytes).div_ceil(all) as u32 {
            few @ 0..=50 => few,
            _ => ALL,
        })
    }

    /// Gangs of an initialisation, in blocks of [`AUXILIARY_BLOCK`]: a thread for each scalar where that many fit.
    pub fn initialise_grid(&self, limits: &Limits, scalars: u64) -> u32 {
        let most = u64::from(limits.multiprocessors)
            * u64::from(limits.resident_blocks(AUXILIARY_BLOCK, 0));
        scalars.div_ceil(u64::from(AUXILIARY_BLOCK)).clamp(1, most) as u32
    }

    /// Gangs of a merge, in blocks of [`AUXILIARY_BLOCK`]: a thread for each bin, and where those leave multiprocessors
    /// idle, up to eight for each, which share its copies. Merging 264 copies of 4096 bins takes 9 µs that way and 23 µs
    /// without (H200, 2026-11-20).
    pub fn merge_grid(&self, limits: &Limits, target: &TargetPlan) -> u32 {
        let mut rows = 1;
        let mut grid = self.initialise_grid(limits, target.bins);
        while rows < 8 && rows < target.locals && grid < limits.multiprocessors {
            rows *= 2;
            grid *= 2;
        }
        grid
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merges_share_copies_among_threads_until_no_multiprocessor_is_idle() {
        let grid = |bins, locals| {
            let target = TargetPlan {
                bins,
                locals,
                scratch_bytes: 0,
                shared_offset: 0,
                copies: 0,
                bundle: 1,
            };
            let plan = LaunchPlan {
                grid: 1,
                block: 256,
                shared_bytes: 0,
                targets: vec![target],
                windows: 1,
                split: None,
                states: 0,
                ending: Ending::Merged,
            };
            plan.merge_grid(&Limits::H200, &target)
        };
        assert_eq!(grid(256, 1), 1, "one copy has nothing to share");
        assert_eq!(grid(256, 64), 8);
        assert_eq!(grid(4096, 64), 128);
        assert_eq!(grid(4096, 3), 64);
        assert_eq!(grid(65536, 64), 256, "a thread for each bin is enough");
        assert_eq!(grid(1 << 30, 2), 132 * 8, "what is resident at a time");
    }
}
