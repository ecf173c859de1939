//! `#[offload(distinct(out))]`: writes through indices, as people write them. Where no two iterations meet the function without the attribute is the
//! judge; where they do, the call is refused.

#![allow(
    clippy::all,
    dead_code,
    reason = "loops are written as people write them"
)]

use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::__bench::with_strategy;
use accrue::{Error, offload};

/// Functions twice: as they are, and offloaded.
macro_rules! twice {
    ($($item:item)*) => {
        mod plain {
            #[allow(unused_imports, reason = "some functions need nothing")]
            use super::*;
            $($item)*
        }
        mod off {
            #[allow(unused_imports, reason = "some functions need nothing")]
            use super::*;
            $(#[offload(distinct(out))] $item)*
        }
    };
}

twice! {
    pub(super) fn scatter(at: &[usize], x: &[u32], out: &mut [u32]) { for i in 0..at.len() { out[at[i]] = x[i]; } }
    pub(super) fn zipped(at: &[usize], x: &[u32], out: &mut [u32]) { for (&p, &v) in at.iter().zip(x) { out[p] = v; } }
    pub(super) fn added(at: &[usize], x: &[u32], out: &mut [u32]) { for i in 0..at.len() { out[at[i]] += x[i]; } }
    pub(super) fn replaced(at: &[usize], x: &[u32], out: &mut [u32]) { for i in 0..at.len() { let p = at[i]; let old = out[p]; out[p] = old / 2 + x[i]; } }
    pub(super) fn relaxed(at: &[usize], x: &[u32], out: &mut [u32]) { for i in 0..at.len() { if x[i] < out[at[i]] { out[at[i]] = x[i]; } } }
    pub(super) fn some(at: &[usize], x: &[u32], out: &mut [u32]) { for i in 0..at.len() { if x[i] % 3 == 0 { continue; } let p = at[i]; if x[i] % 2 == 0 { out[p] = 1; } else { out[p] = x[i]; } } }
    pub(super) fn computed(at: &[usize], x: &[u32], out: &mut [u32]) { let n = out.len(); for i in 0..at.len() { let k = (at[i] * 7 + 3) % n; out[k] = x[i] ^ k as u32; } }
    pub(super) fn pairs(at: &[usize], x: &[u32], out: &mut [u32]) { for i in (0..at.len() / 2 * 2).step_by(2) { let (a, b) = (at[i], at[i + 1]); let t = out[a]; out[a] = out[b] + x[i]; out[b] = t; } }
    pub(super) fn swapped(at: &[usize], x: &[u32], out: &mut [u32]) { for i in 0..at.len() / 2 { out.swap(at[2 * i], at[2 * i + 1]); out[at[2 * i]] ^= x[i]; } }
    pub(super) fn looked_up(at: &[usize], x: &[u32], out: &mut [u32]) { for i in 0..at.len() { if let Some(o) = out.get_mut(at[i]) { *o = x[i]; } } }
    pub(super) fn inner(at: &[usize], x: &[u32], out: &mut [u32]) { for row in 0..at.len() / 4 { for k in 0..4 { if k == 3 && x[row] % 2 == 0 { break; } out[at[row * 4 + k]] = x[row] + k as u32; } } }
    pub(super) fn summed(at: &[usize], x: &[u32], out: &mut [u32]) { for i in 0..at.len() { let p = at[i]; for k in 0..5 { out[p] += x[(i + k) % x.len()] % 10; } } }
    pub(super) fn counted(at: &[usize], x: &[u32], out: &mut [u32]) { let mut sum = 0u32; for i in 0..at.len() { sum = sum.wrapping_add(x[i]); out[at[i]] = x[i]; } out[at[0]] = sum; }
}

type Scatter = fn(&[usize], &[u32], &mut [u32]);
type Trying = fn(&[usize], &[u32], &mut [u32]) -> Result<(), Error>;

macro_rules! both {
    ($($name:ident)*) => { [$((stringify!($name), plain::$name as Scatter, off::$name as Scatter, off::$name::try_call as Trying, off::$name::explain as fn() -> String)),*] };
}

fn all() -> Vec<(&'static str, Scatter, Scatter, Trying, fn() -> String)> {
    both!(scatter zipped added replaced relaxed some computed pairs swapped looked_up inner summed counted).to_vec()
}

const WAYS: [&str; 6] = [
    "sequential",
    "private:workers=1,parts=7",
    "private:workers=3,parts=7",
    "private:workers=4,parts=1000",
    "private:workers=3",
    "private:workers=1",
];

/// A permutation, and numbers.
fn data(n: usize) -> (Vec<usize>, Vec<u32>) {
    let mut at: Vec<usize> = (0..n).collect();
    let mut s = 12345u64;
    for i in (1..n).rev() {
        s = s
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        at.swap(i, (s >> 33) as usize % (i + 1));
    }
    let x = (0..n as u32).map(|i| i.wrapping_mul(2_654_435_761) % 1000);
    (at, x.collect())
}

#[test]
fn permutations_give_what_the_plain_loop_gives() {
    for n in [4, 13, 1000, 4096, 10_001] {
        let (at, x) = data(n);
        for (name, plain, off, _, explain) in all() {
            let mut expected = vec![500; n];
            plain(&at, &x, &mut expected);
            for way in WAYS {
                let mut out = vec![500; n];
                with_strategy(way, || off(&at, &x, &mut out));
                assert!(out == expected, "{name} of {n}, {way}");
            }
            let mut out = vec![500; n];
            off(&at, &x, &mut out);
            assert!(out == expected, "{name} of {n}");
            let said = explain();
            assert!(said.contains("as `distinct(out)` says"), "{said}");
            assert!(!said.contains("stays in order"), "{said}");
        }
    }
}

#[test]
fn iterations_that_meet_are_named_and_nothing_is_written() {
    let n = 3000;
    let (mut at, x) = data(n);
    at[2500] = at[40];
    at[1700] = at[801];
    at[1900] = at[801];
    for (name, _, _, off, _) in all() {
        for way in WAYS {
            let mut out = vec![500; n];
            let found = with_strategy(way, || off(&at, &x, &mut out));
            if name == "some" {
                // It skips iterations.
                let meet = [(801, 1700), (801, 1900), (1700, 1900), (40, 2500)];
                let takes = |i: usize| x[i] % 3 != 0;
                let first = meet.iter().find(|(a, b)| takes(*a) && takes(*b));
                match (first, found) {
                    (None, Ok(())) => {}
                    (Some((a, b)), Err(Error::NotDistinct { iterations, .. })) => {
                        assert_eq!(iterations, [*a as u64, *b as u64], "{way}");
                    }
                    other => panic!("{other:?}, {way}"),
                }
                continue;
            }
            let Err(Error::NotDistinct {
                array,
                element,
                iterations,
            }) = found
            else {
                // What it skips, or uses in one iteration.
                panic!("{name}, {way}: {found:?}");
            };
            assert_eq!(array, "out");
            let expected = match name {
                "pairs" | "swapped" => (at[801], [400, 850]),
                "inner" => (at[801], [200, 425]),
                "computed" => ((at[801] * 7 + 3) % n, [801, 1700]),
                _ => (at[801], [801, 1700]),
            };
            let (at, both) = expected;
            assert_eq!((element, iterations), (at as u64, both), "{name}, {way}");
            assert!(out.iter().all(|o| *o == 500), "{name}, {way}");
        }
    }
    let mut out = vec![500; n];
    let panic = catch_unwind(AssertUnwindSafe(|| off::scatter(&at, &x, &mut out)));
    let text = panic.expect_err("it panics");
    let text = text.downcast_ref::<String>().expect("a text");
    let expected = format!("iterations 801 and 1700 both use `out[{}]`", at[801]);
    assert!(text.starts_with(&expected), "{text}");
}

#[test]
fn what_lies_outside_panics_as_the_plain_loop() {
    let (at, x) = data(1000);
    let outcome = |f: Scatter, at: &[usize], out: &mut [u32]| {
        catch_unwind(AssertUnwindSafe(|| f(at, &x, out)))
            .map_err(|payload| payload.downcast_ref::<String>().cloned())
    };
    for (name, plain, off, _, _) in all() {
        // Where all keep apart, out of range, and where `at` itself does.
        for (upto, room) in [(1000, 990), (1000, 3), (997, 1000)] {
            let result = outcome(plain, &at[..upto], &mut vec![500; room]);
            for way in WAYS {
                let found = with_strategy(way, || outcome(off, &at[..upto], &mut vec![500; room]));
                // Modulo another length it is no permutation.
                if name != "computed" || room == 1000 {
                    assert_eq!(
                        found, result,
                        "{name} of {upto} with room for {room}, {way}"
                    );
                }
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Default, accrue::Plain)]
struct Body {
    at: [f32; 2],
    cell: u32,
}

struct World {
    bodies: Vec<Body>,
    order: Vec<usize>,
    rows: Vec<Vec<u32>>,
    flat: Vec<u32>,
}

impl World {
    #[offload(distinct(self.bodies))]
    fn place(&mut self, from: &[Body]) {
        for (i, b) in from.iter().enumerate() {
            let to = self.order[i];
            self.bodies[to] = *b;
            self.bodies[to].cell = i as u32;
        }
    }

    #[offload(distinct(self.rows, self.flat))]
    fn rows(&mut self, w: usize) {
        for i in 0..self.order.len() {
            let y = self.order[i];
            self.rows[y].push(i as u32);
            self.flat[y * w..(y + 1) * w].fill(i as u32);
            for x in 0..w {
                self.flat[y * w + x] += x as u32;
            }
        }
    }
}

#[test]
fn fields_rows_and_parts() {
    let n = 500;
    let (order, _) = data(n);
    for way in WAYS {
        let mut world = World {
            bodies: vec![Body::default(); n],
            order: order.clone(),
            rows: vec![vec![7]; n],
            flat: vec![0; n * 3],
        };
        let from: Vec<Body> = (0..n)
            .map(|i| Body {
                at: [i as f32, 1.0],
                cell: 0,
            })
            .collect();
        with_strategy(way, || {
            world.place(&from);
            world.rows(3);
        });
        for i in 0..n {
            let y = order[i];
            assert_eq!(
                (world.bodies[y].at[0], world.bodies[y].cell),
                (i as f32, i as u32),
                "{way}"
            );
            assert_eq!(world.rows[y], [7, i as u32], "{way}");
            let i = i as u32;
            assert_eq!(world.flat[y * 3..y * 3 + 3], [i, i + 1, i + 2], "{way}");
        }
        world.order[400] = order[100];
        let before = world.bodies.clone();
        let found = with_strategy(way, || {
            catch_unwind(AssertUnwindSafe(|| world.place(&from)))
        });
        let text = found.expect_err("they meet");
        let text = text.downcast_ref::<String>().expect("a text");
        let expected = format!(
            "iterations 100 and 400 both use `self.bodies[{}]`",
            order[100]
        );
        assert!(text.starts_with(&expected), "{way}: {text}");
        assert!(world.bodies == before);
    }
}

/// Kernels ask before they write: one claims the elements, another one runs the loop.
#[cfg(feature = "sim")]
mod kernels {
    use accrue::{Device, DeviceBuffer, with_device};

    use super::*;

    /// What runs in kernels, and how many calls it took.
    fn launches<T>(device: Device, call: impl FnOnce() -> T) -> (T, u64) {
        let before = accrue::stats();
        let value = with_device(device, call);
        (value, (accrue::stats() - before).launches)
    }

    #[test]
    fn kernels_give_what_the_plain_loop_gives() {
        for n in [4, 13, 1000, 4099] {
            let (at, x) = data(n);
            for (name, plain, off, _, _) in all() {
                let mut expected = vec![500; n];
                plain(&at, &x, &mut expected);
                for device in [Device::Sim, Device::Sims(3)] {
                    let mut out = vec![500; n];
                    let ((), all) = launches(device, || off(&at, &x, &mut out));
                    assert!(out == expected, "{name} of {n} on {device}");
                    assert!(all >= 2, "{name} of {n} on {device}: {all} launches");
                }
            }
        }
    }

    #[test]
    fn iterations_that_meet_are_named_wherever_the_data_are() {
        let n = 3000;
        let (mut at, x) = data(n);
        at[2500] = at[40];
        at[1700] = at[801];
        at[1900] = at[801];
        for (name, _, _, off, _) in all() {
            let on_cpu = with_device(Device::Cpu, || off(&at, &x, &mut vec![500; n]));
            let mut out = vec![500; n];
            let on_sim = with_device(Device::Sim, || off(&at, &x, &mut out));
            assert_eq!(on_sim, on_cpu, "{name}");
            assert!(on_cpu.is_ok() || out.iter().all(|o| *o == 500), "{name}");
        }
        with_device(Device::Sim, || {
            let x = DeviceBuffer::from_slice(&x).expect("room");
            let mut out = DeviceBuffer::from_slice(&vec![500; n]).expect("room");
            let meeting = DeviceBuffer::from_slice(&at).expect("room");
            let found = off::scatter::on(&meeting, &x, &mut out);
            let Err(Error::NotDistinct {
                array,
                element,
                iterations,
            }) = found
            else {
                panic!("they meet: {found:?}");
            };
            let expected = ("out", at[801] as u64, [801, 1700]);
            assert_eq!((&*array, element, iterations), expected);
            let elements = out.to_vec().expect("a copy");
            assert!(elements.iter().all(|o| *o == 500));
        });
    }

    #[offload(distinct(out))]
    fn by_other_words(a: &[usize], b: &[usize], out: &mut [u32]) {
        for i in 0..a.len() {
            out[a[i]] += 1;
            out[b[i]] += 2;
        }
    }

    #[offload(distinct(out))]
    fn lazily(a: &[usize], x: &[u32], out: &mut [u32]) {
        for i in 0..a.len() {
            if x[i] > 7 {
                let even = x[i] % 2 == 0 && out[a[i]] > 3;
                out[a[i]] = x[i] + even as u32;
            }
        }
    }

    #[offload(distinct(out, flags))]
    fn beside_bins(at: &[usize], x: &[u32], out: &mut [u32], flags: &mut [u8], bins: &mut [u64]) {
        for i in 0..at.len() {
            let to = at[i];
            if x[i] > 100 {
                out[to] = x[i];
                flags[to] = 1;
            }
            bins[x[i] as usize % 8] += u64::from(x[i]);
        }
    }

    #[offload(distinct(out))]
    fn by_branches(at: &[usize], x: &[u32], out: &mut [u32]) {
        for i in 0..at.len() {
            let p = at[i];
            if x[i] % 2 == 0 {
                out[p] = 1;
            } else if x[i] % 3 == 0 {
                out[p] = x[i];
            }
        }
    }

    #[offload(distinct(out))]
    fn in_loops(at: &[usize], x: &[u32], out: &mut [u32]) {
        for i in 0..at.len() {
            for k in 0..x[i] % 3 {
                out[at[i]] += k;
            }
            if x[i] % 5 == 0 {
                out[at[i]] ^= 1;
            }
        }
    }

    type There =
        fn(&DeviceBuffer<usize>, &DeviceBuffer<u32>, &mut DeviceBuffer<u32>) -> Result<(), Error>;

    /// Every two iterations that could meet, whichever way they go.
    #[test]
    fn claims_of_one_way_are_not_those_of_another() {
        let n = 13;
        let (order, x) = data(n);
        let mut met = 0;
        for (a, b) in (0..n).flat_map(|b| (0..b).map(move |a| (a, b))) {
            let mut at = order.clone();
            at[b] = at[a];
            let all: [(Trying, There); 2] = [
                (by_branches::try_call, |at, x, out| {
                    by_branches::on(at, x, out)
                }),
                (in_loops::try_call, |at, x, out| in_loops::on(at, x, out)),
            ];
            for (number, (call, on)) in all.into_iter().enumerate() {
                let run = |device| {
                    let mut out = vec![500; n];
                    (with_device(device, || call(&at, &x, &mut out)), out)
                };
                let expected = run(Device::Cpu);
                met += usize::from(expected.0.is_err());
                assert_eq!(run(Device::Sim), expected, "{number}: {a} and {b}");
                with_device(Device::Sim, || {
                    let at = DeviceBuffer::from_slice(&at).expect("room");
                    let x = DeviceBuffer::from_slice(&x).expect("room");
                    let mut out = DeviceBuffer::from_slice(&vec![500; n]).expect("room");
                    assert_eq!(on(&at, &x, &mut out), expected.0, "{number}: {a} and {b}");
                    assert_eq!(out.to_vec().expect("a copy"), expected.1);
                });
            }
        }
        assert!(met > 20, "{met}");
    }

    /// What a kernel cannot tell the host does.
    #[test]
    fn what_the_kernel_cannot_tell_is_told_by_the_host() {
        let n = 500;
        let (at, x) = data(n);
        for device in [Device::Cpu, Device::Sim] {
            with_device(device, || {
                let mut out = vec![0; n];
                by_other_words(&at, &at, &mut out);
                assert!(out.iter().all(|o| *o == 3), "{device}");
                let mut shifted = at.clone();
                shifted.rotate_left(1);
                let found = by_other_words::try_call(&at, &shifted, &mut out);
                assert!(
                    matches!(found, Err(Error::NotDistinct { .. })),
                    "{found:?}, {device}"
                );
                let mut out = vec![5; n];
                lazily(&at, &x, &mut out);
                let expected = |i: usize| match x[i] > 7 {
                    true => x[i] + u32::from(x[i] % 2 == 0),
                    false => 5,
                };
                assert!((0..n).all(|i| out[at[i]] == expected(i)), "{device}");
            });
        }
    }

    #[test]
    fn bins_beside_distinct_arrays_are_as_before_where_iterations_meet() {
        let n = 2000;
        let (mut at, x) = data(n);
        let run = |device, at: &[usize]| {
            let (mut out, mut flags, mut bins) = (vec![9; n], vec![0; n], vec![3; 8]);
            let found = with_device(device, || {
                beside_bins::try_call(at, &x, &mut out, &mut flags, &mut bins)
            });
            (found, out, flags, bins)
        };
        let (all, launched) = launches(Device::Sim, || run(Device::Sim, &at));
        assert!(launched >= 2 && all.0.is_ok());
        assert_eq!(all, run(Device::Seq, &at));
        let takes = |i: &usize| x[*i] > 100;
        let (first, second) = (
            (0..n).find(takes).expect("one"),
            (n / 2..n).find(takes).expect("one"),
        );
        at[second] = at[first];
        let met = run(Device::Sim, &at);
        assert_eq!(met, (met.0.clone(), vec![9; n], vec![0; n], vec![3; 8]));
        let Err(Error::NotDistinct { iterations, .. }) = met.0 else {
            panic!("they meet");
        };
        assert_eq!(iterations, [first as u64, second as u64]);
    }

    #[test]
    fn what_lies_outside_panics_on_devices_too() {
        let (at, x) = data(600);
        for (name, plain, off, _, _) in all() {
            for room in [590, 600] {
                let outcome = |f: Scatter| {
                    let run = AssertUnwindSafe(|| f(&at, &x, &mut vec![500; room]));
                    catch_unwind(run).map_err(|payload| payload.downcast_ref::<String>().cloned())
                };
                let found = with_device(Device::Sim, || outcome(off));
                // Modulo another length it is no permutation.
                if name != "computed" || room == 600 {
                    assert_eq!(found, outcome(plain), "{name} with room for {room}");
                }
            }
        }
    }

    #[test]
    fn elements_are_written_where_they_are() {
        let n = 3000;
        let (at, x) = data(n);
        let mut expected = vec![500; n];
        plain::relaxed(&at, &x, &mut expected);
        with_device(Device::Sim, || {
            let on = DeviceBuffer::from_slice(&x).expect("room");
            let mut out = DeviceBuffer::from_slice(&vec![500; n]).expect("room");
            let order = DeviceBuffer::from_slice(&at).expect("room");
            let before = accrue::stats();
            off::relaxed::on(&order, &on, &mut out).expect("it runs");
            let moved = accrue::stats() - before;
            assert!(moved.launches >= 2, "{moved:?}");
            assert_eq!(out.to_vec().expect("a copy"), expected);
            // A queued call would have to wait.
            let stream = accrue::Stream::on(Device::Sim).expect("a stream");
            let queued = off::relaxed::on_stream(&stream, &order, &on, &mut out);
            let text = queued.expect_err("it cannot wait").to_string();
            assert!(text.contains("call it by `on`"), "{text}");
        });
    }
}
