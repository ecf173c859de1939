//! Bins that ranks combine where kernels have filled them.

use std::cell::RefCell;

use accrue::collective::{Collective, DeviceValues, Op, Thread, Values};
use accrue::{Device, Error, Resident, offload, with_device};

use super::ranks::{DIVISIONS, each, numbers, part};

/// A thread as a rank, that notes what it combines where.
struct Noted<'t> {
    thread: &'t Thread,
    /// What it does not combine on a device.
    except: fn(Op) -> bool,
    /// Whether copies of it fail.
    fails: bool,
    on_host: RefCell<Vec<(Op, usize)>>,
    on_device: RefCell<Vec<(Op, usize)>>,
}

impl<'t> Noted<'t> {
    fn new(thread: &'t Thread, except: fn(Op) -> bool) -> Noted<'t> {
        Noted {
            thread,
            except,
            fails: false,
            on_host: RefCell::default(),
            on_device: RefCell::default(),
        }
    }
}

impl Collective for Noted<'_> {
    fn rank(&self) -> usize {
        self.thread.rank()
    }
    fn size(&self) -> usize {
        self.thread.size()
    }
    fn all_reduce(&self, values: Values<'_>, op: Op) -> Result<(), Error> {
        self.on_host.borrow_mut().push((op, values.len()));
        self.thread.all_reduce(values, op)
    }
    fn all_gather(&self, mine: Values<'_>, all: Values<'_>) -> Result<(), Error> {
        self.thread.all_gather(mine, all)
    }
    fn all_to_all(&self, mine: Values<'_>, theirs: Values<'_>) -> Result<(), Error> {
        self.thread.all_to_all(mine, theirs)
    }
    fn broadcast(&self, root: usize, values: Values<'_>) -> Result<(), Error> {
        self.thread.broadcast(root, values)
    }
    fn combines_on_device(&self, device: Device, like: &Values<'_>, op: Op) -> bool {
        !(self.except)(op) && self.thread.combines_on_device(device, like, op)
    }
    fn all_reduce_on_device(&self, values: DeviceValues<'_>, op: Op) -> Result<(), Error> {
        assert_eq!(values.device(), Device::Sim);
        self.on_device.borrow_mut().push((op, values.len()));
        self.thread.all_reduce_on_device(values, op)?;
        match self.fails {
            true => Err(Error::Collective {
                operation: "all-reduce on devices",
                why: "a link is down".to_owned(),
            }),
            false => Ok(()),
        }
    }
}

/// Bins of several operators, in two loops, and a number.
#[offload(histogram, require = "cuda")]
fn tally(
    keys: &[u64],
    counts: &mut [u32],
    marks: &mut [u16; 40],
    sums: &mut [f64; 9],
    high: &mut [[i64; 3]; 4],
) -> u64 {
    let mut seen = 0;
    for &k in keys {
        let at = k as usize % counts.len();
        counts[at] = counts[at].wrapping_add(k as u32);
        marks[k as usize % 40] |= 1 << (k % 16);
        sums[k as usize % 9] -= (k % 256) as f64;
        seen ^= k;
    }
    for &k in keys {
        let (z, y) = (k as usize % 4, k as usize % 3);
        high[z][y] = high[z][y].max(k as i64 - 4000);
    }
    seen
}

type All = (Vec<u32>, [u16; 40], [f64; 9], [[i64; 3]; 4]);

fn starts() -> All {
    let counts = (0..300).map(|n: u32| n.wrapping_mul(0x0101_0101)).collect();
    (counts, [3; 40], [0.25; 9], [[-5, 0, i64::MAX]; 4])
}

#[test]
fn bins_on_the_devices_of_all_ranks_are_combined_there() {
    let keys = numbers(2500, 31);
    let mut alone = starts();
    let (a, b, c, d) = (&mut alone.0, &mut alone.1, &mut alone.2, &mut alone.3);
    let seen = tally(&keys, a, b, c, d);
    for division in DIVISIONS {
        let ranks = each(division.len(), |thread| {
            let ranks = Noted::new(thread, |op| op == Op::Or);
            let mine = part(&keys, division, thread.rank());
            let mut all = starts();
            let (a, b, c, d) = (&mut all.0, &mut all.1, &mut all.2, &mut all.3);
            let call = || tally::across(&ranks, mine, a, b, c, d).unwrap();
            let seen = with_device(Device::Sim, call);
            (seen, all, ranks.on_device.take(), ranks.on_host.take())
        });
        let empty = (0..division.len()).any(|r| part(&keys, division, r).is_empty());
        for (its, all, on_device, on_host) in ranks {
            assert_eq!((its, &all), (seen, &alone), "{division:?}");
            // A rank without items runs no kernel, and has its bins on the host; so the others bring theirs.
            let there = match division.len() > 1 && !empty {
                true => vec![(Op::Add, 300), (Op::Add, 9), (Op::Max, 12)],
                false => vec![],
            };
            assert_eq!(on_device, there, "{division:?}");
            let large = |of: &(Op, usize)| of.1 > 6;
            let at_home = on_host.into_iter().filter(large).collect::<Vec<_>>();
            match (division.len() > 1, empty) {
                (false, _) => assert_eq!(at_home, []),
                (true, false) => assert_eq!(at_home, [(Op::Or, 40)]),
                (true, true) => assert_eq!(at_home.len(), 4),
            }
        }
    }
}

#[test]
fn where_one_rank_has_no_device_all_bring_their_bins() {
    let keys = numbers(1000, 32);
    let mut alone = starts();
    let (a, b, c, d) = (&mut alone.0, &mut alone.1, &mut alone.2, &mut alone.3);
    let seen = tally(&keys, a, b, c, d);
    for odd in 0..3 {
        let ranks = each(3, |thread| {
            let ranks = Noted::new(thread, |_| false);
            let device = match thread.rank() == odd {
                true => Device::Cpu,
                false => Device::Sim,
            };
            let mine = part(&keys, &[2, 1, 2], thread.rank());
            let mut all = starts();
            let (a, b, c, d) = (&mut all.0, &mut all.1, &mut all.2, &mut all.3);
            let call = || tally::across(&ranks, mine, a, b, c, d).unwrap();
            let seen = with_device(device, call);
            assert_eq!(ranks.on_device.take(), []);
            (seen, all)
        });
        for (its, all) in ranks {
            assert_eq!((its, &all), (seen, &alone));
        }
    }
}

#[test]
fn resident_bins_and_items_and_calls_one_after_the_other() {
    #[offload(histogram, require = "cuda")]
    fn low(keys: &[u64], bins: &mut [u64]) {
        for &k in keys {
            let at = k as usize % 50;
            bins[at] = bins[at].min(k);
        }
    }
    let keys = numbers(900, 33);
    let ranks = each(3, |thread| {
        let ranks = Noted::new(thread, |_| false);
        with_device(Device::Sim, || {
            let mine = Resident::from(part(&keys, &[1, 1, 1], thread.rank()).to_vec());
            let mut bins = Resident::from(vec![1u64 << 30; 50]);
            let mut both = vec![u64::MAX; 50];
            low::across(&ranks, &mine, &mut bins).unwrap();
            // What a call of this rank alone makes of them is combined by nobody.
            low::on(&mine, &mut both).unwrap();
            low::across(&ranks, &mine, &mut bins).unwrap();
            assert_eq!(ranks.on_device.take(), [(Op::Min, 50); 2]);
            (bins.host().to_vec(), both)
        })
    });
    let mut bins = vec![1 << 30; 50];
    low(&keys, &mut bins);
    for (rank, (all, both)) in ranks.into_iter().enumerate() {
        assert_eq!(all, bins);
        let mut own = vec![u64::MAX; 50];
        low(part(&keys, &[1, 1, 1], rank), &mut own);
        assert_eq!(both, own);
    }
}

#[test]
fn a_fault_or_a_failing_link_leaves_bins_as_before() {
    #[offload(histogram, require = "cuda")]
    fn narrow(keys: &[u64], bins: &mut [i32]) {
        for &k in keys {
            bins[k as usize] = bins[k as usize].max(k as i32);
        }
    }
    for wrong in 0..3 {
        let ranks = each(3, |thread| {
            let mut ranks = Noted::new(thread, |_| false);
            let me = thread.rank();
            let mut bins = [4, 5, 6];
            let call = |ranks: &Noted<'_>, key: u64, bins: &mut [i32; 3]| {
                with_device(Device::Sim, || narrow::across(ranks, &[key, 1, 2], bins))
            };
            let key = if me == wrong { 7 } else { 0 };
            let fault = call(&ranks, key, &mut bins).unwrap_err();
            assert_eq!((bins, ranks.on_device.take()), ([4, 5, 6], vec![]));
            // It is combined, but one cannot use it.
            ranks.fails = me == wrong;
            let link = call(&ranks, 0, &mut bins).unwrap_err();
            assert_eq!(bins, [4, 5, 6]);
            ranks.fails = false;
            call(&ranks, 0, &mut bins).unwrap();
            assert_eq!(bins, [4, 5, 6]);
            (fault.to_string(), link.to_string())
        });
        for (fault, link) in ranks {
            let text =
                format!("rank {wrong}: index out of bounds: the len is 3 but the index is 7");
            assert!(fault.starts_with(&text), "{fault}");
            assert!(link.contains("a link is down"), "{link}");
        }
    }
}
