//! Loops of one function that follow each other: their arrays go to a device once, stay there from loop to loop, and come back once. The
//! function without the attribute is the judge.

#![cfg(feature = "sim")]
#![allow(
    clippy::all,
    unreachable_pub,
    reason = "loops are written as people write them"
)]

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::{Device, Resident, Stats, offload, stats, with_device};
use accrue_tests::twice;

twice! {
    pub fn heat(a: &mut Vec<f32>, b: &mut Vec<f32>, steps: usize) {
        #[cfg_attr(any(), sequential)]
        for _ in 0..steps {
            for i in 1..a.len() - 1 {
                b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
            }
            std::mem::swap(a, b);
        }
    }

    pub fn triangle(n: usize, a: &mut Vec<u32>, b: &mut Vec<u32>) {
        a[0] = 1;
        b[0] = 1;
        #[cfg_attr(any(), sequential)]
        for row in 1..n {
            for j in 1..row {
                b[j] = a[j - 1].wrapping_add(a[j]) | 1 << (j % 7);
            }
            std::mem::swap(a, b);
        }
    }

    pub fn to_and_fro(a: &mut [f32], b: &mut [f32], pairs: usize) {
        #[cfg_attr(any(), sequential)]
        for _ in 0..pairs {
            for i in 1..a.len() - 1 {
                b[i] = (a[i - 1] + a[i + 1]) * 0.5;
            }
            for i in 1..b.len() - 1 {
                a[i] = (b[i - 1] + b[i + 1]) * 0.5;
            }
        }
    }

    pub fn looked_up(at: &[u32], steps: usize, a: &mut Vec<u32>, b: &mut Vec<u32>) {
        #[cfg_attr(any(), sequential)]
        for s in 0..steps {
            for i in 0..b.len() - steps {
                b[i] = a[at[i + s] as usize] + s as u32;
            }
            std::mem::swap(a, b);
        }
    }

    pub fn slices<'a>(mut a: &'a mut [f32], mut b: &'a mut [f32], steps: usize) {
        #[cfg_attr(any(), sequential)]
        for _ in 0..steps {
            for i in 1..a.len() - 1 {
                b[i] = (a[i - 1] + a[i + 1]) * 0.5;
            }
            std::mem::swap(&mut a, &mut b);
        }
    }

    pub fn life(w: usize, a: &mut [u8], b: &mut [u8], generations: usize) {
        #[cfg_attr(any(), sequential)]
        for t in 0..generations {
            let (now, next) = if t % 2 == 0 { (&*a, &mut *b) } else { (&*b, &mut *a) };
            let h = now.len() / w;
            for y in 0..h {
                let (above, below) = ((y + h - 1) % h * w, (y + 1) % h * w);
                for x in 0..w {
                    let (left, right) = ((x + w - 1) % w, (x + 1) % w);
                    let around = now[above + left] + now[above + x] + now[above + right] + now[y * w + left]
                        + now[y * w + right] + now[below + left] + now[below + x] + now[below + right];
                    next[y * w + x] = u8::from(around == 3 || (around == 2 && now[y * w + x] == 1));
                }
            }
        }
    }

    pub fn paths(n: usize, d: &mut [u32], row: &mut [u32], column: &mut [u32]) {
        #[cfg_attr(any(), sequential)]
        for k in 0..n {
            for j in 0..n {
                row[j] = d[k * n + j];
            }
            for i in 0..n {
                column[i] = d[i * n + k];
            }
            for i in 0..n {
                for j in 0..n {
                    let via = column[i] + row[j];
                    if via < d[i * n + j] {
                        d[i * n + j] = via;
                    }
                }
            }
        }
    }

    pub fn paths_of_two(n: usize, d: &mut Vec<u32>, next: &mut Vec<u32>) {
        #[cfg_attr(any(), sequential)]
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    next[i * n + j] = d[i * n + j].min(d[i * n + k] + d[k * n + j]);
                }
            }
            std::mem::swap(d, next);
        }
    }

    pub fn lu(n: usize, a: &mut [f32]) {
        #[cfg_attr(any(), sequential)]
        for k in 0..n {
            for i in k + 1..n {
                a[i * n + k] /= a[k * n + k];
            }
            for i in k + 1..n {
                for j in k + 1..n {
                    a[i * n + j] -= a[i * n + k] * a[k * n + j];
                }
            }
        }
    }

    pub fn seam(energy: &[u8], w: usize, h: usize, costs: &mut [u32]) {
        for x in 0..w {
            costs[x] = energy[x] as u32;
        }
        #[cfg_attr(any(), sequential)]
        for y in 1..h {
            let (before, row) = costs.split_at_mut(y * w);
            let above = &before[(y - 1) * w..];
            for x in 0..w {
                let (left, right) = (x.saturating_sub(1), (x + 1).min(w - 1));
                let cheapest = above[x].min(above[left]).min(above[right]);
                row[x] = cheapest + energy[y * w + x] as u32;
            }
        }
    }

    pub fn seam_by_index(energy: &[u8], w: usize, h: usize, costs: &mut [u32]) {
        for x in 0..w {
            costs[x] = energy[x] as u32;
        }
        #[cfg_attr(any(), sequential)]
        for y in 1..h {
            for x in 1..w - 1 {
                let above = (y - 1) * w + x;
                let cheapest = costs[above].min(costs[above - 1]).min(costs[above + 1]);
                costs[y * w + x] = cheapest + energy[y * w + x] as u32;
            }
        }
    }

    /// Several loops without one around them, of which one gives a scalar that the next takes.
    pub fn normalised(x: &[f32], y: &mut [f32]) -> f32 {
        for i in 0..x.len() {
            y[i] = x[i] * x[i];
        }
        let mut most = 0.0f32;
        for i in 0..y.len() {
            most = most.max(y[i]);
        }
        let scale = if most > 0.0 { 1.0 / most } else { 1.0 };
        for v in y.iter_mut() {
            *v *= scale;
        }
        scale
    }

    /// Until nothing changes any more.
    pub fn settles(a: &mut Vec<i32>, b: &mut Vec<i32>) -> u32 {
        let (mut moved, mut rounds) = (1, 0);
        while moved > 0 {
            moved = 0;
            for i in 1..a.len() - 1 {
                b[i] = a[i].min(a[i - 1]).min(a[i + 1]);
                moved = moved.max((b[i] - a[i]).abs());
            }
            std::mem::swap(a, b);
            rounds += 1;
        }
        rounds
    }

    /// An element is looked at between two runs of loops, and after them.
    pub fn looked_at(a: &mut [u32], b: &mut [u32]) -> u32 {
        for i in 0..a.len() {
            a[i] += 1;
        }
        for i in 0..a.len() {
            b[i] = a[i] * 2;
        }
        b[0] += 7;
        for i in 0..a.len() {
            a[i] += b[i];
        }
        for i in 0..a.len() {
            b[i] ^= a[i];
        }
        a[1] + b[0]
    }

    /// Fails in step `at`.
    pub fn fails(a: &mut [u32], index: &[usize], b: &mut [u32], steps: usize, at: usize) {
        #[cfg_attr(any(), sequential)]
        for t in 0..steps {
            for i in 0..b.len() {
                b[i] = a[i] + 1;
            }
            let off = if t == at { 5 } else { 0 };
            for i in 0..a.len() {
                a[i] = b[index[i] + off];
            }
        }
    }

    /// Each iteration of the last step has a range of its own.
    pub fn ranges(x: &[u32], ends: &[(usize, usize)], a: &mut [u32], b: &mut [u32]) {
        for i in 0..b.len() {
            b[i] = a[i] + 1;
        }
        for i in 0..a.len() {
            a[i] = b[i] + x[ends[i].0..ends[i].1].len() as u32;
        }
    }

    /// The same with the last elements of ranges.
    pub fn closed_ranges(x: &[u32], ends: &[(usize, usize)], a: &mut [u32], b: &mut [u32]) {
        for i in 0..b.len() {
            b[i] = a[i] + 1;
        }
        for i in 0..a.len() {
            a[i] = b[i] + x[ends[i].0..=ends[i].1].len() as u32;
        }
    }

    /// Each iteration of the last step goes by steps of its own.
    pub fn steps_by(x: &[u32], by: &[usize], a: &mut [u32], b: &mut [u32]) {
        for i in 0..b.len() {
            b[i] = a[i] + 1;
        }
        for i in 0..a.len() {
            for j in (0..x.len()).step_by(by[i]) {
                a[i] += b[i] + x[j];
            }
        }
    }

    /// Each has chunks of its own.
    pub fn chunks_of(x: &[u32], by: &[usize], a: &mut [u32], b: &mut [u32]) {
        for i in 0..b.len() {
            b[i] = a[i] + 1;
        }
        for i in 0..a.len() {
            for part in x.chunks(by[i]) {
                a[i] += b[i] + part[0];
            }
        }
    }

    /// Each has windows of its own.
    pub fn windows_of(x: &[u32], by: &[usize], a: &mut [u32], b: &mut [u32]) {
        for i in 0..b.len() {
            b[i] = a[i] + 1;
        }
        for i in 0..a.len() {
            for part in x.windows(by[i]) {
                a[i] += b[i] + part[0];
            }
        }
    }

    /// Each names an element that it may not use.
    pub fn named(x: &[u32], by: &[usize], a: &mut [u32], b: &mut [u32]) {
        for i in 0..b.len() {
            b[i] = a[i] + 1;
        }
        for i in 0..a.len() {
            let element = &x[by[i]];
            a[i] = if b[i] > 1000 { *element } else { b[i] };
        }
    }

    /// The panic of step `at` names an element that steps have written.
    pub fn names_an_element(a: &mut [u32], b: &mut [u32], steps: u32, at: u32) {
        #[cfg_attr(any(), sequential)]
        for t in 0..steps {
            for i in 0..b.len() {
                b[i] = a[i] + 1;
            }
            for i in 0..a.len() {
                if t == at && i > 2 {
                    panic!("{} of {i} is too much", b[i]);
                }
                a[i] = b[i] * 2 % 97;
            }
        }
    }

    /// Something is noticed between the loops.
    pub fn counts_steps(a: &mut [u32], index: &[usize], b: &mut [u32], steps: usize, done: &mut usize) {
        #[cfg_attr(any(), sequential)]
        for t in 0..steps {
            for i in 0..b.len() {
                b[i] = a[index[i] + t];
            }
            for i in 0..b.len() {
                a[i] = b[i] + 1;
            }
            *done += 1;
        }
    }

    /// In some steps the iterations meet: those run in order.
    pub fn strides(a: &mut [u32], strides: &[usize], w: usize) {
        let steps = strides.len();
        #[cfg_attr(any(), sequential)]
        for t in 0..steps {
            let stride = strides[t];
            for y in 0..3 {
                for x in 0..w {
                    a[y * stride + x] = a[y * stride + x] * 3 + x as u32;
                }
            }
            for i in 0..a.len() {
                a[i] ^= 5;
            }
        }
    }

    /// A loop in the middle has no kernel.
    pub fn partly(a: &mut [u32], names: &mut [String], steps: usize) {
        #[cfg_attr(any(), sequential)]
        for _ in 0..steps {
            for i in 0..a.len() {
                a[i] += i as u32;
            }
            for i in 0..names.len() {
                names[i].push(if a[i] % 2 == 0 { 'a' } else { 'b' });
            }
        }
    }

    /// What is only read by loops changes between them.
    pub fn forced(force: &mut [f32], a: &mut [f32], steps: usize) {
        #[cfg_attr(any(), sequential)]
        for t in 0..steps {
            force[0] = t as f32;
            for i in 0..a.len() {
                a[i] = a[i] * 0.5 + force[0];
            }
        }
    }

    /// The function is left in the middle.
    pub fn left_early(a: &mut [u32], steps: usize, last: usize) -> usize {
        #[cfg_attr(any(), sequential)]
        for t in 0..steps {
            for i in 0..a.len() {
                a[i] += 3;
            }
            if t == last {
                return t;
            }
            for i in 0..a.len() {
                a[i] *= 2;
            }
        }
        steps
    }

    /// Bins, and what becomes of them.
    pub fn equalised(grey: &[u8], bins: &mut [u32], table: &mut [u32], out: &mut [u32]) {
        for &g in grey {
            bins[g as usize] += 1;
        }
        let mut sum = 0;
        for i in 0..256 {
            sum += bins[i];
            table[i] = sum;
        }
        for i in 0..grey.len() {
            out[i] = table[grey[i] as usize];
        }
    }

    /// Fields, through a borrowed struct.
    pub fn of_fields(grid: &mut super::Grid, steps: usize) {
        #[cfg_attr(any(), sequential)]
        for _ in 0..steps {
            let k: u32 = grid.factor;
            for i in 0..grid.now.len() {
                grid.next[i] = grid.now[i] * k + 1;
            }
            std::mem::swap(&mut grid.now, &mut grid.next);
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Grid {
    factor: u32,
    now: Vec<u32>,
    next: Vec<u32>,
}

fn moved<R>(f: impl FnOnce() -> R) -> (R, Stats) {
    with_device(Device::Sim, || {
        let before = stats();
        let result = f();
        (result, stats() - before)
    })
}

/// What a function does to a state and returns, on the device as in order; and how many copies there were, up and down, and launches.
#[track_caller]
fn same<S: Clone + PartialEq + Debug, R: PartialEq + Debug>(
    state: &S,
    plain: impl Fn(&mut S) -> R,
    off: impl Fn(&mut S) -> R,
) -> [u64; 3] {
    let (mut expected, mut found) = (state.clone(), state.clone());
    let result = plain(&mut expected);
    let (told, stats) = moved(|| off(&mut found));
    assert_eq!((&found, &told), (&expected, &result));
    let mut on_cpu = state.clone();
    let told = with_device(Device::Cpu, || off(&mut on_cpu));
    assert_eq!((&on_cpu, &told), (&expected, &result));
    [stats.uploads, stats.downloads, stats.launches]
}

fn numbers(n: usize, below: u32) -> Vec<u32> {
    let mut s = 88172645463325252u64;
    let mut next = || {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        (s >> 33) as u32 % below
    };
    (0..n).map(|_| next()).collect()
}

fn floats(n: usize) -> Vec<f32> {
    numbers(n, 1000)
        .iter()
        .map(|x| *x as f32 / 8.0 - 60.0)
        .collect()
}

#[test]
fn steps_of_two_arrays_move_each_once() {
    for steps in [1, 2, 5] {
        let state = (floats(70), floats(70));
        let counts = same(
            &state,
            |(a, b)| plain::heat(a, b, steps),
            |(a, b)| off::heat(a, b, steps),
        );
        assert_eq!(counts, [2, if steps > 1 { 2 } else { 1 }, 1]);
        let counts = same(
            &state,
            |(a, b)| plain::slices(a, b, steps),
            |(a, b)| off::slices(a, b, steps),
        );
        assert_eq!(counts, [2, if steps > 1 { 2 } else { 1 }, 1]);
    }
}

#[test]
fn no_steps_and_no_elements_move_nothing() {
    let counts = same(
        &(floats(9), floats(9)),
        |(a, b)| plain::heat(a, b, 0),
        |(a, b)| off::heat(a, b, 0),
    );
    assert_eq!(counts, [0; 3]);
    let counts = same(
        &(vec![], vec![]),
        |(a, b)| plain::paths_of_two(0, a, b),
        |(a, b)| off::paths_of_two(0, a, b),
    );
    assert_eq!(counts, [0; 3]);
    let counts = same(
        &(vec![], vec![]),
        |(a, b)| plain::fails(a, &[], b, 4, 9),
        |(a, b)| off::fails(a, &[], b, 4, 9),
    );
    assert_eq!(counts, [0; 3]);
    let counts = same(
        &vec![],
        |a| plain::left_early(a, 3, 1),
        |a| off::left_early(a, 3, 1),
    );
    assert_eq!(counts, [0; 3]);
}

#[test]
fn buffers_by_parity() {
    let cells: Vec<u8> = numbers(12 * 9, 2).iter().map(|x| *x as u8).collect();
    for generations in [1, 4, 5] {
        let counts = same(
            &(cells.clone(), vec![0; cells.len()]),
            |(a, b)| plain::life(12, a, b, generations),
            |(a, b)| off::life(12, a, b, generations),
        );
        assert_eq!(
            counts,
            [2, if generations > 1 { 2 } else { 1 }, generations as u64]
        );
    }
}

#[test]
fn paths_and_factors() {
    let n = 11;
    let d = numbers(n * n, 90);
    let counts = same(
        &(d.clone(), vec![0; n], vec![0; n]),
        |(d, r, c)| plain::paths(n, d, r, c),
        |(d, r, c)| off::paths(n, d, r, c),
    );
    assert_eq!(counts, [3, 3, 3 * n as u64]);
    let counts = same(
        &(d.clone(), d.clone()),
        |(d, e)| plain::paths_of_two(n, d, e),
        |(d, e)| off::paths_of_two(n, d, e),
    );
    assert_eq!(counts, [2, 2, 1]);
    let mut a = floats(n * n);
    (0..n).for_each(|i| a[i * n + i] = 300.0);
    let counts = same(&a, |a| plain::lu(n, a), |a| off::lu(n, a));
    assert_eq!(counts, [1, 1, 2 * (n as u64 - 1)]);
}

#[test]
fn rows_of_one_array() {
    let (w, h) = (37, 12);
    let energy: Vec<u8> = numbers(w * h, 256).iter().map(|x| *x as u8).collect();
    let counts = same(
        &vec![0; w * h],
        |c| plain::seam(&energy, w, h, c),
        |c| off::seam(&energy, w, h, c),
    );
    // The first row, and all others.
    assert_eq!(counts, [2, 1, 2]);
    let counts = same(
        &vec![0; w * h],
        |c| plain::seam_by_index(&energy, w, h, c),
        |c| off::seam_by_index(&energy, w, h, c),
    );
    assert_eq!(counts, [2, 1, 2]);
}

#[test]
fn loops_that_follow_each_other_and_scalars_between() {
    let counts = same(
        &(floats(50), vec![0.0; 50]),
        |(x, y)| plain::normalised(x, y),
        |(x, y)| off::normalised(x, y),
    );
    // The scalar goes there and comes back as well.
    assert_eq!(counts, [3, 2, 3]);
    let state: (Vec<i32>, Vec<i32>) = (
        numbers(40, 900).iter().map(|x| *x as i32).collect(),
        vec![5; 40],
    );
    let state = (state.0.clone(), state.0);
    let rounds = state.clone();
    let rounds = {
        let (mut a, mut b) = rounds;
        plain::settles(&mut a, &mut b)
    } as u64;
    let counts = same(
        &state,
        |(a, b)| plain::settles(a, b),
        |(a, b)| off::settles(a, b),
    );
    assert_eq!(counts, [2 + rounds, 2 + rounds, rounds]);
}

#[test]
fn elements_that_are_looked_at_come_back_before() {
    let state = (numbers(33, 1000), numbers(33, 1000));
    let counts = same(
        &state,
        |(a, b)| plain::looked_at(a, b),
        |(a, b)| off::looked_at(a, b),
    );
    assert_eq!(counts, [4, 4, 4]);
    let state = (floats(8), floats(20));
    same(
        &state,
        |(f, a)| plain::forced(f, a, 3),
        |(f, a)| off::forced(f, a, 3),
    );
}

#[test]
fn bins_and_their_sums() {
    let grey: Vec<u8> = numbers(3000, 256).iter().map(|x| *x as u8).collect();
    let state = (vec![0; 256], vec![0; 256], vec![0; 3000]);
    let counts = same(
        &state,
        |(b, t, o)| plain::equalised(&grey, b, t, o),
        |(b, t, o)| off::equalised(&grey, b, t, o),
    );
    assert_eq!(counts[..2], [4 + 1, 3 + 1]);
}

#[test]
fn fields() {
    let state = Grid {
        factor: 3,
        now: numbers(30, 50),
        next: vec![0; 30],
    };
    let counts = same(&state, |g| plain::of_fields(g, 4), |g| off::of_fields(g, 4));
    assert_eq!(counts, [2, 2, 1]);
}

#[test]
fn a_function_that_is_left_early_brings_its_elements_back() {
    let counts = same(
        &numbers(20, 9),
        |a| plain::left_early(a, 6, 2),
        |a| off::left_early(a, 6, 2),
    );
    assert_eq!(counts, [1, 1, 5]);
}

#[test]
fn a_step_in_order_has_the_elements_on_the_host() {
    let state = numbers(40, 100);
    // In the second step rows overlap.
    let counts = same(
        &state,
        |a| plain::strides(a, &[10, 4, 9], 8),
        |a| off::strides(a, &[10, 4, 9], 8),
    );
    assert_eq!(counts, [2, 2, 5]);
}

#[test]
fn a_loop_without_a_kernel_has_the_elements_on_the_host() {
    let state = (numbers(12, 100), vec![String::new(); 12]);
    same(
        &state,
        |(a, n)| plain::partly(a, n, 3),
        |(a, n)| off::partly(a, n, 3),
    );
}

fn panic_of(f: impl FnOnce()) -> String {
    let payload = catch_unwind(AssertUnwindSafe(f)).expect_err("it fails");
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => payload.downcast::<&str>().expect("a text").to_string(),
    }
}

#[test]
fn a_fault_in_a_later_step_is_the_sequential_panic_and_leaves_slices_alone() {
    let (a, b) = (numbers(16, 50), numbers(16, 50));
    let index: Vec<usize> = (0..16).map(|i| (i * 5 + 3) % 16).collect();
    for at in [0, 2, 3] {
        let said = panic_of(|| plain::fails(&mut a.clone(), &index, &mut b.clone(), 6, at));
        let (mut c, mut d) = (a.clone(), b.clone());
        let found = with_device(Device::Sim, || {
            panic_of(|| off::fails(&mut c, &index, &mut d, 6, at))
        });
        assert_eq!(found, said, "in step {at}");
        assert_eq!((&c, &d), (&a, &b), "in step {at}");
        let error = with_device(Device::Sim, || {
            off::fails::try_call(&mut c, &index, &mut d, 6, at)
        })
        .unwrap_err();
        assert!(
            error.is_fault() && error.to_string().starts_with(&said),
            "{error}"
        );
        assert_eq!((&c, &d), (&a, &b), "in step {at}");
        // The next call has nothing of it.
        with_device(Device::Sim, || off::fails(&mut c, &index, &mut d, 3, 9));
        let (mut e, mut f) = (a.clone(), b.clone());
        plain::fails(&mut e, &index, &mut f, 3, 9);
        assert_eq!((c, d), (e, f));
    }
}

#[test]
fn ranges_and_steps_fail_in_the_words_of_std() {
    type Ranging = fn(&[u32], &[(usize, usize)], &mut [u32], &mut [u32]);
    type Stepping = fn(&[u32], &[usize], &mut [u32], &mut [u32]);
    let x = numbers(10, 50);
    let told = |plain: &dyn Fn(&mut [u32]), off: &dyn Fn(&mut [u32])| {
        let before = numbers(16, 50);
        let said = panic_of(|| plain(&mut before.clone()));
        let mut after = before.clone();
        let (found, moved) = moved(|| panic_of(|| off(&mut after)));
        assert_eq!(found, said);
        assert_eq!(after, before, "{said}");
        // Neither loop ran on the host.
        assert!(moved.launches > 1, "{said}");
    };
    let most = usize::MAX;
    for ends in [
        (2, 12),
        (5, 3),
        (12, 14),
        (14, 12),
        (12, 3),
        (2, 10),
        (0, most),
        (11, most),
        (most, most),
    ] {
        let mut all = vec![(2, 5); 16];
        (all[9], all[12]) = (ends, (40, 50));
        for (plain, off) in [
            (plain::ranges as Ranging, off::ranges as Ranging),
            (plain::closed_ranges, off::closed_ranges),
        ] {
            told(&|a| plain(&x, &all, a, &mut [0; 16]), &|a| {
                off(&x, &all, a, &mut [0; 16])
            });
        }
    }
    for (plain, off, wrong) in [
        (plain::steps_by as Stepping, off::steps_by as Stepping, 0),
        (plain::chunks_of, off::chunks_of, 0),
        (plain::windows_of, off::windows_of, 0),
        (plain::named, off::named, 10),
    ] {
        let mut all = vec![4; 16];
        all[9] = wrong;
        told(&|a| plain(&x, &all, a, &mut [0; 16]), &|a| {
            off(&x, &all, a, &mut [0; 16])
        });
    }
}

#[test]
fn a_panic_that_names_values_is_said_by_the_host() {
    let (a, b) = (numbers(16, 50), numbers(16, 50));
    for at in [0, 1, 4] {
        let said = panic_of(|| plain::names_an_element(&mut a.clone(), &mut b.clone(), 6, at));
        let (mut c, mut d) = (a.clone(), b.clone());
        let found = with_device(Device::Sim, || {
            panic_of(|| off::names_an_element(&mut c, &mut d, 6, at))
        });
        assert_eq!(found, said, "in step {at}");
    }
}

#[test]
fn what_could_be_noticed_waits_for_the_loops_before() {
    let (a, b) = (numbers(20, 50), vec![0; 16]);
    let index: Vec<usize> = (0..16).collect();
    let (mut plainly, mut done) = (0, 0);
    let said =
        panic_of(|| plain::counts_steps(&mut a.clone(), &index, &mut b.clone(), 9, &mut plainly));
    let found = with_device(Device::Sim, || {
        panic_of(|| off::counts_steps(&mut a.clone(), &index, &mut b.clone(), 9, &mut done))
    });
    assert_eq!((found, done), (said, plainly));
}

#[test]
fn many_steps_fill_the_ring_of_records() {
    let n = 1200;
    let counts = same(
        &(vec![0; n], vec![0; n]),
        |(a, b)| plain::triangle(n, a, b),
        |(a, b)| off::triangle(n, a, b),
    );
    // 46 steps have room in a launch, and 512 in the ring.
    assert_eq!(counts, [2, 2, 12 + 12 + 4]);
}

#[test]
fn short_steps_of_one_loop_share_launches() {
    let n = 90;
    let counts = same(
        &(vec![0; n], vec![0; n]),
        |(a, b)| plain::triangle(n, a, b),
        |(a, b)| off::triangle(n, a, b),
    );
    assert_eq!(counts, [2, 2, 2]);
    // Other loops between, and steps that are long, have launches of their own.
    let counts = same(
        &(floats(20_000), floats(20_000)),
        |(a, b)| plain::heat(a, b, 3),
        |(a, b)| off::heat(a, b, 3),
    );
    assert_eq!(counts, [2, 2, 3]);
    let counts = same(
        &(floats(20_000), floats(20_000)),
        |(a, b)| plain::to_and_fro(a, b, 3),
        |(a, b)| off::to_and_fro(a, b, 3),
    );
    assert_eq!(counts, [2, 2, 6]);
}

/// However many steps and loops there are, and whoever has which vector at the end.
#[test]
fn narrow_steps_are_one_launch() {
    for (n, steps) in [(3, 2), (31, 7), (600, 4), (1025, 3), (2000, 2)] {
        let counts = same(
            &(floats(n), floats(n)),
            |(a, b)| plain::to_and_fro(a, b, steps),
            |(a, b)| off::to_and_fro(a, b, steps),
        );
        assert_eq!(counts, [2, 2, 1], "{n}");
        let counts = same(
            &(floats(n), floats(n)),
            |(a, b)| plain::heat(a, b, steps),
            |(a, b)| off::heat(a, b, steps),
        );
        assert_eq!(counts, [2, 2, 1], "{n}");
        let counts = same(
            &(floats(n), floats(n)),
            |(a, b)| plain::slices(a, b, steps),
            |(a, b)| off::slices(a, b, steps),
        );
        assert_eq!(counts, [2, 2, 1], "{n}");
    }
    // Vectors of different lengths change places, which is no matter of addresses alone.
    let state = (floats(40), floats(60));
    let counts = same(
        &state,
        |(a, b)| plain::heat(a, b, 1),
        |(a, b)| off::heat(a, b, 1),
    );
    assert_eq!(counts, [2, 1, 1]);
    let state = (floats(60), floats(60));
    for rows in [1, 2, 9] {
        let (w, energy) = (5, vec![3u8; 5 * rows]);
        let costs = vec![0; w * rows];
        let counts = same(
            &costs,
            |c| plain::seam(&energy, w, rows, c),
            |c| off::seam(&energy, w, rows, c),
        );
        assert_eq!(counts, [2, 1, rows.min(2) as u64], "{rows}");
    }
    // No columns, and no rows.
    let counts = same(
        &state,
        |(a, b)| plain::to_and_fro(a, b, 0),
        |(a, b)| off::to_and_fro(a, b, 0),
    );
    assert_eq!(counts, [0; 3]);
    let counts = same(
        &(floats(2), floats(2)),
        |(a, b)| plain::to_and_fro(a, b, 3),
        |(a, b)| off::to_and_fro(a, b, 3),
    );
    assert_eq!(counts, [0; 3]);
}

/// A fault of a step is that of the sequential loop, and leaves what the host has; nothing comes of the steps behind it.
#[test]
fn the_first_fault_of_a_step_is_told() {
    let (w, h) = (40, 9);
    for missing in [1, 30, 41, 3 * w, 7 * w + 1] {
        let energy = vec![1u8; w * h - missing];
        let costs = numbers(w * h, 100);
        let said = panic_of(|| plain::seam(&energy, w, h, &mut costs.clone()));
        let mut found = costs.clone();
        let told = with_device(Device::Sim, || {
            panic_of(AssertUnwindSafe(|| off::seam(&energy, w, h, &mut found)))
        });
        assert_eq!(told, said, "{missing}");
        assert_eq!(found, costs, "{missing}");
    }
    // There is no such row.
    for rows in [0, 1, 2, 8] {
        let energy = vec![1u8; w * h];
        let costs = vec![0u32; w * rows + 7];
        let said = panic_of(|| plain::seam(&energy, w, h, &mut costs.clone()));
        let told = with_device(Device::Sim, || {
            panic_of(|| off::seam(&energy, w, h, &mut costs.clone()))
        });
        assert_eq!(told, said, "{rows}");
    }
}

/// What a step of a shared launch has found is told with its number of iterations and in its order, however the others fare.
#[test]
fn the_first_fault_of_a_shared_launch_is_told() {
    for wrong in [1, 5, 11] {
        let look = |f: fn(&[u32], usize, &mut Vec<u32>, &mut Vec<u32>)| {
            let mut at = numbers(40, 40);
            at[wrong] = 1000 + wrong as u32;
            at[wrong + 20] = 2000;
            let (mut a, mut b) = (numbers(40, 9), vec![0; 40]);
            panic_of(AssertUnwindSafe(|| f(&at, 12, &mut a, &mut b)))
        };
        let expected = look(plain::looked_up);
        let found = with_device(Device::Sim, || look(off::looked_up));
        assert_eq!(found, expected);
    }
}

#[test]
fn data_that_do_not_fit_run_loop_by_loop() {
    let (a, b) = (floats(5000), floats(5000));
    let (mut c, mut d) = (a.clone(), b.clone());
    plain::slices(&mut c, &mut d, 3);
    let (mut e, mut f) = (a, b);
    accrue::with_memory(16 << 10, || {
        with_device(Device::Sim, || off::slices(&mut e, &mut f, 3));
    });
    assert_eq!((c, d), (e, f));
}

#[test]
fn resident_arrays_stay_from_call_to_call() {
    let (w, h) = (37, 12);
    let energy: Vec<u8> = numbers(w * h, 256).iter().map(|x| *x as u8).collect();
    let mut expected = vec![0; w * h];
    plain::seam(&energy, w, h, &mut expected);
    let energy = Resident::from(energy);
    let mut costs = Resident::from(vec![0; w * h]);
    for round in 0..3 {
        let (done, stats) = moved(|| off::seam::on(&energy, w, h, &mut costs));
        done.unwrap();
        let counts = [stats.uploads, stats.downloads, stats.launches];
        assert_eq!(counts, [if round == 0 { 2 } else { 0 }, 0, 2]);
    }
    let (same, stats) = moved(|| costs.host() == expected);
    assert!(same && stats.downloads == 1);
    // On the CPU, with what a device has.
    let (done, _) = moved(|| off::seam::on(&energy, w, h, &mut costs));
    done.unwrap();
    with_device(Device::Cpu, || off::seam::on(&energy, w, h, &mut costs)).unwrap();
    assert_eq!(costs.host(), expected);
    // In part in order.
    let numbers = numbers(40, 100);
    let mut expected = numbers.clone();
    let mut array = Resident::from(numbers);
    for strides in [&[10, 4, 9], &[9, 10, 11], &[4, 4, 4]] {
        plain::strides(&mut expected, strides, 8);
        moved(|| off::strides::on(&mut array, strides, 8))
            .0
            .unwrap();
    }
    assert_eq!(array.host(), expected);
    // A fault leaves what the host has, or, where the device's is newer, what loops have written there, those behind it among them.
    let index: Vec<usize> = (0..16).collect();
    let (a, b) = (vec![1u32; 16], vec![2u32; 16]);
    let (mut c, mut d) = (Resident::from(a.clone()), Resident::from(b.clone()));
    let (failed, _) = moved(|| off::fails::on(&mut c, &index, &mut d, 4, 2));
    assert!(failed.unwrap_err().is_fault());
    assert_eq!((c.host(), d.host()), (&a[..], &b[..]));
    moved(|| off::fails::on(&mut c, &index, &mut d, 4, 9))
        .0
        .unwrap();
    let (mut e, mut f) = (a, b);
    plain::fails(&mut e, &index, &mut f, 4, 9);
    moved(|| off::fails::on(&mut c, &index, &mut d, 4, 2))
        .0
        .unwrap_err();
    for (found, old) in c.host().iter().zip(&e) {
        assert!(
            (*old..=old + 4).contains(found),
            "{found}, and {old} before"
        );
    }
}

#[test]
fn explain_says_what_stays() {
    let text = off::heat::explain();
    assert!(
        text.contains("on a GPU a and b stay there from loop to loop"),
        "{text}"
    );
    let text = off::lu::explain();
    assert!(
        text.contains("on a GPU a stays there from loop to loop"),
        "{text}"
    );
    let text = off::seam::explain();
    assert!(
        text.contains("over 1..h, of loop 1: on a gpu one kernel takes all of them"),
        "{text}"
    );
    assert!(
        !off::forced::explain().contains("force stay"),
        "{}",
        off::forced::explain()
    );
}
