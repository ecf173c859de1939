//! The constants of the model, for a device.

use crate::abi::Strategy;

/// Declares the constants once: as fields, and as a list with names for the fit.
macro_rules! speeds {
    ($($(#[$doc:meta])* $name:ident: $value:expr,)*) => {
        /// What a device's memory, atomics and launches cost. Picoseconds are of the whole device: what an update costs
        /// when all multiprocessors are busy.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Speeds {
            /// Multiprocessors of the device that was measured.
            pub multiprocessors: u32,
            /// How much slower another device is.
            pub scale: Scale,
            $($(#[$doc])* pub $name: f64,)*
        }

        impl Speeds {
            /// An H200. Fitted by `accrue-bench fit` to the measured cells in `bench/measured/h200.json`, which say when and
            /// how they were taken.
            pub const H200: Speeds = Speeds {
                multiprocessors: 132,
                scale: Scale::NONE,
                $($name: $value,)*
            };

            /// Every constant with its name.
            pub fn constants(&self) -> Vec<(&'static str, f64)> {
                vec![$((stringify!($name), self.$name)),*]
            }

            /// Every constant by its place in [`Speeds::constants`], to change.
            pub fn constants_mut(&mut self) -> Vec<&mut f64> {
                vec![$(&mut self.$name),*]
            }
        }
    };
}

speeds! {
    /// 10^9 bytes a second that items are read at.
    memory_gb: 4492.0,
    /// Microseconds of a launch that does nothing.
    launch_us: 5.975,
    /// Microseconds that a merge adds that is a launch of its own.
    merge_launch_us: 3.662,
    /// Microseconds that a rehearsal adds before a launch.
    rehearsal_us: 6.219,
    /// Bytes a second, in 10^9, at which scratch memory is merged.
    merge_gb: 5775.0,
    /// The part of the shorter of reading and updating that is not hidden behind the longer, where they are alike.
    overlap_loss: 0.3037,
    /// An update of a register, or of a bin that no other iteration updates.
    register_ps: 0.2493,
    /// An update of a counter in shared memory.
    counter_ps: 0.2218,
    /// The same where every lane has a copy: no two lanes meet in a bank.
    striped_ps: 0.1876,
    /// An addition to a 32-bit integer in shared memory, and what each lane more with the same bin adds.
    add32_ps: 0.008746,
    /// See `add32_ps`.
    add32_conflict_ps: 0.1679,
    /// An addition to a 64-bit integer in two halves.
    halves_ps: 0.6065,
    /// What each lane more with the same bin adds.
    halves_conflict_ps: 0.005964,
    /// An addition to an `f32` in fixed point.
    fixed32_ps: 0.8749,
    /// What each lane more with the same bin adds.
    fixed32_conflict_ps: 0.06812,
    /// An addition to an `f64` in fixed point.
    fixed64_ps: 0.7193,
    /// What each lane more with the same bin adds.
    fixed64_conflict_ps: 0.1011,
    /// An update by compare-and-swap in shared memory.
    swap_ps: 3.957,
    /// What each lane more with the same bin adds.
    swap_conflict_ps: 5.03,
    /// What a word of a cell adds where lanes do not have banks of their own.
    bank_ps: 0.1641,
    /// Comparing an item with the hot bins, in a strategy that keeps those in registers.
    hot_ps: 0.1335,
    /// What each word but the first adds to an update that is taken by a register.
    hot_word_ps: 0.2486,
    /// What the exact sum of an `f32` adds besides, where its window has to be kept for the registers too.
    hot_fixed32_ps: 0.5323,
    /// Finding the hot bins, in microseconds.
    hot_us: 2.504,
    /// What each lane more with the same bin adds to a short launch, in microseconds.
    meeting_us: 0.04334,
    /// Looking at an item in a window, with all threads of a multiprocessor resident.
    window_pass_ps: 0.4293,
    /// Looking at an item in a window of packed counters.
    packed_pass_ps: 0.388,
    /// What the cache of hot bins adds to that, where there are some.
    packed_hot_ps: 0.1522,
    /// What each lane more with the same bin adds to it in many windows, where there are none.
    packed_meeting_ps: 0.01372,
    /// Clearing and looking through a cell, microseconds for one of each thread of a gang.
    cell_us: 0.03918,
    /// Merging a bin in the gang that finishes last, microseconds for one of each thread.
    last_merge_us: 0.3644,
    /// Flushing a touched bin of a gang.
    flush_ps: 2.11,
    /// Splitting an update that counts, and counting it.
    split_count_ps: 1.913,
    /// The same where a cache of hot bins takes most updates.
    split_hot_ps: 0.7817,
    /// What more than a few such bins add.
    split_hot_more_ps: 0.7037,
    /// The same of an update with a value of 4 bytes.
    split_value_ps: 4.346,
    /// What such updates of one bin add that wait for each other, when all are of that bin.
    split_hot_value_ps: 2.191,
    /// What an update of an `f32` by compare-and-swap adds; of an `f64` it adds half as much again.
    split_swap_ps: 1.193,
    /// And when all are of one bin.
    split_hot_swap_ps: 5.686,
    /// What each lane more with the same bin adds to a counting update, where no cache takes most of them.
    split_meeting_ps: 0.01119,
    /// What each range adds.
    split_range_ps: 0.01014,
    /// The launches for a slab beside the entry's, in microseconds.
    split_launches_us: 10.68,
    /// Flushing what ranges were counted into, in 10^9 bytes a second.
    split_flush_gb: 3909.0,
    /// An update in device memory, where nothing contends.
    global_ps: 10.0,
    /// What contention adds when all updates are of one bin.
    global_hot_ps: 575.1,
    /// How many times that it is for floats.
    global_hot_float: 2.071,
    /// What contention adds for spread keys, times bins.
    global_spread_ps: 148_600.0,
    /// Bins under which that grows no more.
    global_spread_bins: 62.52,
    /// What each lane more with the same bin adds.
    global_conflict_ps: 1.755,
    /// The same, divided by the number of bins that are touched.
    global_near_ps: 1.654,
    /// What an update of a sector adds that is not in the cache.
    global_miss_ps: 11.06,
    /// Bytes that the cache is good for, in 10^6.
    cache_mb: 23.55,
    /// The share of the hottest bin, where there is no sample of the keys.
    unknown_share: 0.2135,
    /// Sectors that a warp touches, where there is no sample of the keys.
    unknown_sectors: 13.95,
    /// Lanes of a warp with one bin, where there is no sample of the keys.
    unknown_conflicts: 15.5,
    /// How much longer an update takes that is a loop of compare-and-swap.
    global_swap: 2.981,
}

impl Speeds {
    /// A line for each constant and, in [`Scale::text`], for each strategy.
    pub fn text(&self) -> String {
        let constants = self.constants().into_iter();
        let lines: String = constants
            .map(|(name, value)| format!("{name} {value:e}\n"))
            .collect();
        format!(
            "multiprocessors {}\n{lines}{}",
            self.multiprocessors,
            self.scale.text()
        )
    }

    /// Reads [`text`](Speeds::text) back; `None` if a line is missing or has no number above 0.
    pub fn parse(text: &str) -> Option<Speeds> {
        let number = |name: &str| {
            let rest = text
                .lines()
                .find_map(|l| l.strip_prefix(name)?.strip_prefix(' '));
            let number: f64 = rest?.parse().ok()?;
            (number > 0.0 && number.is_finite()).then_some(number)
        };
        let mut speeds = Speeds::H200;
        speeds.multiprocessors = number("multiprocessors")? as u32;
        speeds.scale = Scale::parse(text)?;
        let names = speeds.constants();
        for ((name, _), value) in names.iter().zip(speeds.constants_mut()) {
            *value = number(name)?;
        }
        Some(speeds)
    }
}

/// How much slower each strategy is on a device than the constants say, in the order of [`Strategy::ALL`]: 1 is as fast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale([f64; Strategy::ALL.len()]);

impl Scale {
    /// The device is the one whose constants are used.
    pub const NONE: Scale = Scale([1.0; Strategy::ALL.len()]);

    /// A strategy's.
    pub fn of(&self, strategy: Strategy) -> f64 {
        let at = Strategy::ALL.iter().position(|s| *s == strategy);
        at.map_or(1.0, |at| self.0[at])
    }

    /// Changes a strategy's.
    pub fn set(&mut self, strategy: Strategy, scale: f64) {
        if let Some(at) = Strategy::ALL.iter().position(|s| *s == strategy) {
            self.0[at] = scale;
        }
    }

    /// A line for each strategy.
    pub fn text(&self) -> String {
        let lines = Strategy::ALL.iter().zip(&self.0);
        lines
            .map(|(strategy, scale)| format!("{} {scale:e}\n", strategy.name()))
            .collect()
    }

    /// Reads [`text`](Scale::text) back; `None` if a strategy is missing or no number above 0.
    pub fn parse(text: &str) -> Option<Scale> {
        let mut scale = Scale::NONE;
        for strategy in Strategy::ALL {
            let line = text.lines().find_map(|line| {
                let (name, number) = line.split_once(' ')?;
                (name == strategy.name()).then_some(number)
            });
            let number = line?
                .parse()
                .ok()
                .filter(|n: &f64| *n > 0.0 && n.is_finite());
            scale.set(strategy, number?);
        }
        Some(scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_can_be_read_and_changed_by_name() {
        let mut speeds = Speeds::H200;
        let at = speeds.constants().iter().position(|c| c.0 == "launch_us");
        *speeds.constants_mut()[at.unwrap()] = 1.5;
        assert_eq!(speeds.launch_us, 1.5);
        assert!(Speeds::H200.constants().iter().all(|c| c.1 > 0.0));
        assert_eq!(speeds.scale.of(Strategy::GangWindow), 1.0);
    }

    #[test]
    fn speeds_are_kept_as_text() {
        let mut speeds = Speeds::H200;
        for (i, value) in speeds.constants_mut().into_iter().enumerate() {
            *value *= 1.0 + i as f64 / 3.0;
        }
        speeds.multiprocessors = 78;
        speeds.scale.set(Strategy::GangSplit, 0.7);
        let text = speeds.text();
        assert_eq!(Speeds::parse(&text), Some(speeds));
        assert_eq!(Speeds::parse(&text.replace("launch_us", "lunch_us")), None);
        assert_eq!(
            Speeds::parse(&text.replace("memory_gb ", "memory_gb -")),
            None
        );
        assert_eq!(
            Speeds::parse(&text.replace("gang_split ", "gang_else ")),
            None
        );
    }

    #[test]
    fn scales_are_kept_as_text() {
        let mut scale = Scale::NONE;
        scale.set(Strategy::GangWindow, 1.0 / 3.0);
        assert_eq!(Scale::parse(&scale.text()), Some(scale));
        assert_eq!(Scale::parse("gang_window 1.0\n"), None);
        let broken = scale.text().replace("gang_window ", "gang_window -");
        assert_eq!(Scale::parse(&broken), None);
    }
}
