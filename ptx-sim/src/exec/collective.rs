//! Warp-wide operations. A thread that executes one waits until every member of its mask that has
//! not exited executes it, too, with the same mask; then all of them get their results at once.

use super::{Here, lanes_of};
use crate::fault::FaultKind;
use crate::isa::{Collective, CollectiveKind, Lanes, Op, Shuffle, Src, Vote, WARP};
use crate::launch::{Exec, Run};
use crate::race::Far;
use crate::warp::Warp;
use std::rc::Rc;

impl Run<'_> {
    /// The active lanes arrive. True if all of them were let go.
    pub(super) fn collective(
        &mut self,
        warp: &mut Warp,
        here: &Here,
        op: &Collective,
    ) -> Exec<bool> {
        let masks = self.operand(warp, here, op.mask)?;
        for lane in lanes_of(here.active) {
            let mask = masks[lane] as u32;
            if mask >> lane & 1 == 0 {
                let message = format!(
                    "lane {lane} executes a warp-wide operation whose member mask {mask:#010x} does not have it"
                );
                return Err(here.trouble(warp, lane, FaultKind::WarpMembership, message));
            }
            warp.members[lane] = mask;
        }
        let barrier = matches!(op.kind, CollectiveKind::Sync);
        let mut left = here.active;
        let mut all = true;
        while left != 0 {
            let lead = left.trailing_zeros() as usize;
            let mask = warp.members[lead];
            let needed = mask & warp.live;
            // Who is here with this mask: those that just came, and those that wait already.
            let mut arrived = 0;
            for lane in lanes_of(needed) {
                let here_now = here.active >> lane & 1 == 1;
                let waits = warp.in_collective >> lane & 1 == 1
                    && (warp.pc[lane] == here.pc && warp.frame[lane] == here.frame_id
                        || barrier && self.waits_for_sync(warp, lane));
                if (here_now || waits) && warp.members[lane] == mask {
                    arrived |= 1 << lane;
                }
            }
            let now = arrived & here.active & left;
            left &= !now;
            if arrived != needed {
                warp.in_collective |= now;
                all = false;
                continue;
            }
            self.stats.collectives += 1;
            self.complete(
                warp,
                &Here {
                    active: needed,
                    ..*here
                },
                &op.kind,
            )?;
            warp.in_collective &= !needed;
            for lane in lanes_of(needed) {
                warp.pc[lane] += 1;
            }
        }
        Ok(all)
    }

    /// Whether a waiting lane is at a `bar.warp.sync`, which may be met from different places.
    fn waits_for_sync(&self, warp: &Warp, lane: usize) -> bool {
        match &self.module.code[warp.pc[lane] as usize].op {
            Op::Collective(c) => matches!(c.kind, CollectiveKind::Sync),
            _ => false,
        }
    }

    fn complete(&mut self, warp: &mut Warp, here: &Here, kind: &CollectiveKind) -> Exec<()> {
        let (frame, members) = (here.frame, here.active);
        match kind {
            CollectiveKind::Sync => self.synchronise(warp, members),
            CollectiveKind::Shfl {
                mode,
                d,
                p,
                a,
                b,
                c,
            } => {
                let (b, c) = (self.operand(warp, here, *b)?, self.operand(warp, here, *c)?);
                // A value that only inactive or out-of-range lanes would read may be unset.
                let unset = warp.unwritten(&frame, *a, members);
                let values = *warp.src(&self.constants, &frame, *a);
                let mut inside = 0;
                for lane in lanes_of(members) {
                    let (from, ok) = source(*mode, lane as u32, b[lane] as u32, c[lane] as u32);
                    if members >> from & 1 == 0 {
                        let message = format!(
                            "the shuffle reads lane {from}, which does not take part in it (members {members:#010x})"
                        );
                        return Err(here.trouble(warp, lane, FaultKind::WarpMembership, message));
                    }
                    if unset >> from & 1 == 1 {
                        return Err(self
                            .written(
                                warp,
                                &Here {
                                    active: 1 << from,
                                    ..*here
                                },
                                *a,
                            )
                            .unwrap_err());
                    }
                    inside |= u32::from(ok) << lane;
                    self.scratch[lane] = values[from as usize];
                }
                warp.set(&frame, *d, &self.scratch, members);
                if let Some(p) = p {
                    warp.set_pred(&frame, *p, inside, members);
                }
            }
            CollectiveKind::VotePred { vote, p, a } => {
                let holds = self.holds(warp, here, *a)?;
                let result = match vote {
                    Vote::All => holds == members,
                    Vote::Any => holds != 0,
                    Vote::Uni | Vote::Ballot => holds == members || holds == 0,
                };
                warp.set_pred(&frame, *p, if result { u32::MAX } else { 0 }, members);
            }
            CollectiveKind::Ballot { d, a } => {
                let holds = self.holds(warp, here, *a)?;
                warp.set(&frame, *d, &[u64::from(holds); WARP], members);
            }
            CollectiveKind::MatchAny { d, a } => {
                let a = self.operand(warp, here, *a)?;
                for lane in lanes_of(members) {
                    self.scratch[lane] = u64::from(equal(&a, members, a[lane]));
                }
                warp.set(&frame, *d, &self.scratch, members);
            }
            CollectiveKind::MatchAll { d, p, a } => {
                let a = self.operand(warp, here, *a)?;
                let all = equal(&a, members, a[members.trailing_zeros() as usize]) == members;
                warp.set(
                    &frame,
                    *d,
                    &[if all { u64::from(members) } else { 0 }; WARP],
                    members,
                );
                if let Some(p) = p {
                    warp.set_pred(&frame, *p, if all { u32::MAX } else { 0 }, members);
                }
            }
            CollectiveKind::Redux { f, d, a } => {
                let a = self.operand(warp, here, *a)?;
                let value = lanes_of(members).map(|l| a[l]).reduce(f).unwrap_or(0);
                warp.set(&frame, *d, &[value; WARP], members);
            }
            CollectiveKind::Elect { d, p } => {
                // PTX leaves open which member it is, so any must do.
                let skip = self.rng.below(members.count_ones() as usize);
                let leader = lanes_of(members).nth(skip).unwrap_or(0);
                warp.set(&frame, *d, &[leader as u64; WARP], members);
                warp.set_pred(&frame, *p, 1 << leader, members);
            }
            CollectiveKind::MmaF64 { d, a, b, c } => {
                if members != u32::MAX {
                    let message = format!(
                        "`mma` is for all threads of a warp, and of this one {members:#010x} are left"
                    );
                    let lane = members.trailing_zeros() as usize;
                    return Err(here.trouble(warp, lane, FaultKind::WarpMembership, message));
                }
                let read = |all: &[Src]| {
                    let all = all.iter().map(|s| self.operand(warp, here, *s));
                    all.collect::<Exec<Vec<Lanes>>>()
                };
                let (a, b, c) = (read(a)?, read(b)?, read(c)?);
                let groups = a.len() / b.len();
                // A lane has of each eight rows row lane / 4 at positions lane % 4, + 4, .., of the columns column lane / 4 there, and two neighbouring
                // results of each of its rows. Terms are added in order, each by a fused product, as an H200 does (docs/measurements/gpu.md).
                for (n, d) in d.iter().enumerate() {
                    for (lane, begun) in c[n].iter().enumerate() {
                        let (group, row, column) = (n / 2, lane / 4, lane % 4 * 2 + n % 2);
                        let mut sum = f64::from_bits(*begun);
                        for k in 0..4 * b.len() {
                            let of_a = a[k / 4 * groups + group][row * 4 + k % 4];
                            let of_b = b[k / 4][column * 4 + k % 4];
                            sum = f64::from_bits(of_a).mul_add(f64::from_bits(of_b), sum);
                        }
                        self.scratch[lane] = sum.to_bits();
                    }
                    warp.set(&frame, *d, &self.scratch, members);
                }
            }
        }
        Ok(())
    }

    /// `bar.warp.sync`: the members' accesses so far are ordered before what they do next.
    fn synchronise(&mut self, warp: &mut Warp, members: u32) {
        let clock = lanes_of(members).map(|l| warp.clock[l]).max().unwrap_or(0) + 1;
        self.max_clock = self.max_clock.max(clock);
        let known = lanes_of(members).map(|l| warp.known[l]).max().unwrap_or(0);
        let table = warp
            .lanes
            .get_or_insert_with(|| Box::new([[0; WARP]; WARP]));
        let mut row = [0; WARP];
        for lane in lanes_of(members) {
            for (r, k) in row.iter_mut().zip(&table[lane]) {
                *r = (*r).max(*k);
            }
        }
        for lane in lanes_of(members) {
            row[lane] = clock;
        }
        for lane in lanes_of(members) {
            table[lane] = row;
            warp.clock[lane] = clock;
            warp.known[lane] = known;
        }
        if let Some(far) = join(lanes_of(members).map(|l| &warp.far[l])) {
            for lane in lanes_of(members) {
                warp.far[lane] = Some(far.clone());
            }
        }
    }
}

/// Everything that any of several threads knows from elsewhere.
pub(super) fn join<'a>(all: impl Iterator<Item = &'a Option<Rc<Far>>>) -> Option<Rc<Far>> {
    let mut joined: Option<Rc<Far>> = None;
    for far in all.flatten() {
        match &mut joined {
            None => joined = Some(far.clone()),
            Some(j) if Rc::ptr_eq(j, far) => {}
            Some(j) => Rc::make_mut(j).join(far),
        }
    }
    joined
}

/// Members with this value.
fn equal(values: &Lanes, members: u32, value: u64) -> u32 {
    lanes_of(members)
        .filter(|&l| values[l] == value)
        .fold(0, |m, l| m | 1 << l)
}

/// The lane that a shuffle reads, and whether it is within the segment; from the pseudo-code of
/// `shfl.sync` in the PTX ISA.
fn source(mode: Shuffle, lane: u32, b: u32, c: u32) -> (u32, bool) {
    let (b, clamp, segment) = (b & 0x1f, c & 0x1f, c >> 8 & 0x1f);
    let most = (lane & segment) | (clamp & !segment);
    let least = lane & segment;
    let (from, ok) = match mode {
        // For `up` the clamp is the lowest lane that may be read.
        Shuffle::Up => {
            let j = lane as i64 - i64::from(b);
            (j, j >= i64::from(most))
        }
        Shuffle::Down => (i64::from(lane + b), lane + b <= most),
        Shuffle::Bfly => (i64::from(lane ^ b), lane ^ b <= most),
        Shuffle::Idx => {
            let j = least | (b & !segment);
            (i64::from(j), j <= most)
        }
    };
    if ok {
        (from as u32 & 31, true)
    } else {
        (lane, false)
    }
}
