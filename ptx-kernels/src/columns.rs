//! Windows of columns: how many gangs share the inner positions of loops such as a Hough transform.

use crate::abi::{Columns, KernelAbi};
use crate::plan::{Limits, Unsuitable, Work};

/// What a row costs every window beside its columns, in columns: 30 instructions for 4 rows of a Hough transform, whose columns
/// have 49 (ptxas 13.5, sm_90).
const ROW: f64 = 0.6;

impl Columns {
    /// Bins that have one value of the index, and values that can be come to, of so many bins.
    pub fn of(&self, bins: u64) -> (u64, u64) {
        let column = match self.extent {
            0 => self.scalars,
            extent => bins / extent,
        };
        let used = match self.used {
            0 => (bins / self.scalars.max(1)).saturating_sub(self.first),
            used => used,
        };
        (column, used.max(1))
    }
}

impl KernelAbi {
    /// Windows of columns, where there are columns: as many as let the multiprocessors share the work best.
    pub(crate) fn column_windows(
        &self,
        limits: &Limits,
        work: &Work,
    ) -> Option<Result<u32, Unsuitable>> {
        let at = self.targets.iter().position(|t| t.columns.is_some())?;
        let (target, bins) = (&self.targets[at], work.bins[at]);
        let (column, used) = target.columns?.of(bins);
        let available = u64::from(
            limits
                .shared_per_block
                .saturating_sub(self.static_shared + 64),
        );
        let column_bytes = column * u64::from(target.cell().bytes(target.elem));
        if column_bytes > available || bins > u64::from(u32::MAX) {
            return Some(Err(Unsuitable::SharedMemory {
                needed: column_bytes,
                available,
            }));
        }
        let fewest = used.div_ceil(available / column_bytes.max(1)).max(1);
        // The columns that a multiprocessor counts of each row, in all of its gangs, where the row itself takes as long as
        // part of one: fewer windows where it is the same.
        let share = |windows: u64| {
            let width = used.div_ceil(windows);
            let bytes = u32::try_from(width * column_bytes).unwrap_or(u32::MAX);
            let resident = limits.resident_blocks(self.block, bytes + self.static_shared);
            // Registers may allow fewer than shared memory.
            let resident = work
                .wishes
                .resident
                .map_or(resident, |r| r.clamp(1, resident));
            let resident = u64::from(resident);
            let gangs = u64::from(limits.multiprocessors) * resident;
            let waves = windows.div_ceil(gangs);
            let groups = (gangs / windows).max(1);
            (width as f64 + ROW) * resident as f64 * waves as f64 / groups as f64
        };
        let most = used.min(4 * fewest).max(fewest);
        let best = (fewest..=most).min_by(|a, b| share(*a).total_cmp(&share(*b)).then(a.cmp(b)));
        Some(Ok(best.unwrap_or(fewest) as u32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::{Elem, Op, Placement, Strategy, TargetAbi};

    /// A kernel that counts into `[[u32; 182]]` from so many inner positions.
    fn hough(used: u64) -> KernelAbi {
        let columns = Columns {
            extent: 182,
            scalars: 1,
            first: 0,
            used,
        };
        let target = TargetAbi {
            name: "votes".into(),
            id: 0,
            scalar: false,
            elem: Elem::U32,
            op: Op::Add,
            placement: Placement::Strategy(Strategy::GangWindow),
            counts: true,
            updates: 1,
            columns: Some(columns),
            slice: None,
            composed: false,
            merge: "merge".into(),
            initialise: "initialise".into(),
        };
        KernelAbi {
            entry: "votes".into(),
            strategy: Strategy::GangWindow,
            params: Vec::new().into(),
            arrays: Vec::new().into(),
            captured: Vec::new().into(),
            targets: vec![target].into(),
            dims: 2,
            whole: false,
            block: 1024,
            items_per_thread: 720,
            together: 0,
            waves: false,
            cut: None,
            reach: 0,
            static_shared: 16,
            sm: 70,
            sample: None,
            series: None,
            faults: Vec::new().into(),
            split: None,
        }
    }

    fn work(rows: u64) -> Work {
        Work {
            items: 180 << 22,
            bins: vec![rows * 182],
            ..Work::default()
        }
    }

    #[test]
    fn windows_fill_the_multiprocessors() {
        let plan = hough(180)
            .plan(&Limits::H200, &work(6003))
            .expect("it fits");
        // 20 windows of 9 columns fit, in 6 groups; 26 of 7 leave less to each multiprocessor, in 5.
        assert_eq!((plan.windows, plan.grid), (26, 130));
        assert_eq!(plan.shared_bytes, (6003 * 7 * 4u32).next_multiple_of(16));
    }

    #[test]
    fn narrow_windows_pay_for_their_rows() {
        let plan = hough(145)
            .plan(&Limits::H200, &work(6003))
            .expect("it fits");
        // 37 windows of 4 columns, two on a multiprocessor and in 7 groups, leave it 1.14 columns of each row; 21 of 7 in 6
        // groups leave 1.17, and fewer rows.
        assert_eq!((plan.windows, plan.grid), (21, 126));
    }

    #[test]
    fn windows_know_how_many_gangs_the_registers_allow() {
        let windows = |resident| {
            let mut work = work(3000);
            work.wishes.resident = resident;
            let plan = hough(81).plan(&Limits::H200, &work);
            plan.expect("it fits").windows
        };
        assert_eq!((windows(None), windows(Some(1))), (9, 6));
    }

    #[test]
    fn a_column_has_to_fit() {
        let limits = Limits::H200;
        assert!(hough(180).plan(&limits, &work(58_000)).is_ok());
        let refused = hough(180).plan(&limits, &work(59_000));
        assert!(
            matches!(
                refused,
                Err(Unsuitable::SharedMemory {
                    needed: 236_000,
                    ..
                })
            ),
            "{refused:?}"
        );
    }

    #[test]
    fn what_is_known_when_it_is_called_is_taken_from_the_bins() {
        let outermost = Columns {
            extent: 0,
            scalars: 50,
            first: 3,
            used: 0,
        };
        assert_eq!(outermost.of(5000), (50, 97));
    }
}
