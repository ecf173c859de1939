//! Collections of the standard library, ranges and iterators in variables, and numbers of unusual types.

use super::*;

/// A row of a table.
#[derive(Clone, Debug)]
pub(super) struct Record {
    price: u32,
    city: String,
}
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};

fn queue(count: usize) -> VecDeque<u32> {
    let mut all: VecDeque<u32> = words(count, 60).into_iter().collect();
    all.rotate_left(count / 3);
    all.push_front(59);
    all
}

fn table(count: usize) -> BTreeMap<u32, u32> {
    words(count, 5000)
        .into_iter()
        .zip(words(count, 7))
        .collect()
}

fn weight(v: u32) -> u32 {
    assert!(v < 90, "too heavy");
    v / 10
}

loops! {
    fn sums_over_a_queue(q: &VecDeque<u32>, h: &mut [u32]) -> u64 {
        let mut total = 0u64;
        for x in q {
            total += *x as u64;
            h[*x as usize] += 1;
        }
        total
    } => { let mut h = vec![0; 60]; (sums_over_a_queue(&queue(3000), &mut h), h) }

    fn keeps_the_order_of_a_queue(q: &VecDeque<u32>, out: &mut [u32]) -> Vec<usize> {
        let mut late = Vec::new();
        for (i, x) in q.iter().enumerate().skip(1) {
            out[i] = x * 2;
            if *x > 50 {
                late.push(i);
            }
        }
        late
    } => { let mut out = vec![0; 3001]; (keeps_the_order_of_a_queue(&queue(3000), &mut out), out) }

    fn pairs_of_a_table(m: &BTreeMap<u32, u32>, h: &mut [u32], keys: &mut Vec<u32>) {
        for (k, v) in m {
            h[*v as usize] += *k;
            keys.push(*k);
        }
    } => { let (mut h, mut k) = (vec![0; 7], vec![]); pairs_of_a_table(&table(2000), &mut h, &mut k); (h, k) }

    fn pairs_of_a_hashed_table(m: &HashMap<u32, u32>, h: &mut [u32]) -> u32 {
        let mut top = 0;
        for (k, v) in m.iter() {
            h[*v as usize] += *k;
            top = top.max(*k);
        }
        top
    } => { let mut h = vec![0; 7]; let m = table(2000).into_iter().collect(); (pairs_of_a_hashed_table(&m, &mut h), h) }

    fn a_set_that_is_consumed(s: BTreeSet<u32>, h: &mut [u32]) {
        for x in s {
            h[x as usize % 9] += x;
        }
    } => { let mut h = vec![0; 9]; a_set_that_is_consumed(words(900, 4000).into_iter().collect(), &mut h); h }

    fn a_heap_in_its_order(q: &BinaryHeap<u32>, out: &mut Vec<u32>) {
        for x in q.iter() {
            out.push(x % 8);
        }
    } => { let mut out = vec![]; a_heap_in_its_order(&words(900, 4000).into_iter().collect(), &mut out); out }

    fn leaves_a_queue_early(q: &VecDeque<u32>) -> Option<usize> {
        for (i, x) in q.iter().enumerate() {
            if *x == 58 {
                return Some(i);
            }
        }
        None
    } => { leaves_a_queue_early(&queue(3000)) }

    fn panics_half_way(q: &VecDeque<u32>, h: &mut [u32]) {
        for x in q {
            h[*x as usize] += 1;
        }
    } => {
        let mut h = vec![0; 59];
        let caught = catch_unwind(AssertUnwindSafe(|| panics_half_way(&queue(3000), &mut h)));
        caught.unwrap_err().downcast_ref::<String>().cloned()
    }

    fn a_range_in_a_variable(n: usize, out: &mut [usize]) {
        let r = 0..n;
        for i in r {
            out[i] = i * 2;
        }
    } => { let mut out = vec![7; 3000]; a_range_in_a_variable(2900, &mut out); out }

    fn a_range_backwards(v: &[u32], out: &mut [u32]) {
        let n = v.len();
        let r = (0..n).rev();
        let mut seen = 0usize;
        for i in r {
            out[i] = v[i] + 1;
            seen += 1;
        }
        out[0] += seen as u32;
    } => { let mut out = vec![0; 3000]; a_range_backwards(&words(3000, 90), &mut out); out }

    fn a_range_that_is_stepped_through(v: &[u32], out: &mut [u32]) {
        let r = 1..v.len();
        for i in r.step_by(3) {
            out[i] = v[i - 1];
        }
    } => { let mut out = vec![0; 3000]; a_range_that_is_stepped_through(&words(3000, 90), &mut out); out }

    fn an_iterator_in_a_variable(v: &[u32], out: &mut [u32]) {
        let numbered = v.iter().enumerate();
        for (i, x) in numbered {
            out[i] = x * x;
        }
    } => { let mut out = vec![0; 3000]; an_iterator_in_a_variable(&words(3000, 90), &mut out); out }

    fn a_range_that_panics_half_way(v: &[u32], out: &mut [u32]) {
        let r = 0..out.len();
        for i in r {
            out[i] = v[i];
        }
    } => {
        let mut out = vec![0; 3000];
        let caught = catch_unwind(AssertUnwindSafe(|| a_range_that_panics_half_way(&words(2500, 90), &mut out)));
        (caught.unwrap_err().downcast_ref::<String>().cloned(), out[..2500].to_vec())
    }

    fn a_condition_that_panics(x: &[u32], h: &mut [u32], out: &mut [u32], late: &mut Vec<u32>) -> u64 {
        let mut total = 0u64;
        for (i, &v) in x.iter().enumerate() {
            if weight(v) > 9 {
                break;
            }
            h[v as usize % 8] += 1;
            out[i] = v;
            late.push(v);
            total += v as u64;
        }
        total
    } => {
        let mut x = words(30000, 90);
        x[20000] = 90;
        let (mut h, mut out, mut late) = (vec![0; 8], vec![0; 30000], vec![]);
        let caught = catch_unwind(AssertUnwindSafe(|| a_condition_that_panics(&x, &mut h, &mut out, &mut late)));
        (caught.unwrap_err().downcast_ref::<&str>().copied(), h, out, late)
    }

    fn a_range_before_what_is_computed(xs: &[u32], out: &mut [u32]) {
        let n = xs.len().min(out.len());
        let range = 0..n;
        let half = n / 2;
        for i in range {
            if i < half {
                out[i] = xs[i];
            } else {
                out[i] = xs[i] + 1;
            }
        }
    } => { let mut out = vec![0; 3000]; a_range_before_what_is_computed(&words(2900, 90), &mut out); out }

    fn a_filter_with_a_name(xs: &[u32], h: &mut [u32]) {
        let large = xs.iter().filter(|x| **x > 20);
        for x in large {
            h[*x as usize % 16] += 1;
        }
    } => { let mut h = vec![0; 16]; a_filter_with_a_name(&words(3000, 90), &mut h); h }

    fn rows_with_a_name(xs: &[u32], out: &mut [u32]) {
        let rows = xs.chunks(10);
        for (row, o) in rows.zip(out.iter_mut()) {
            *o = row.iter().sum();
        }
    } => { let mut out = vec![0; 301]; rows_with_a_name(&words(3005, 90), &mut out); out }

    fn rows_that_match(rows: &[Record], least: u32) -> Vec<&Record> {
        let mut hits = Vec::new();
        for row in rows {
            if row.price >= least && row.city == "Ulm" {
                hits.push(row);
            }
        }
        hits
    } => {
        let of = |price: &u32| Record { price: *price, city: ["Ulm", "Bonn"][*price as usize % 2].into() };
        let rows: Vec<Record> = words(3000, 100).iter().map(of).collect();
        format!("{:?}", rows_that_match(&rows, 40))
    }

    fn all_of_a_vector_beside_what_is_kept(xs: &[u32]) -> (Vec<u32>, Vec<usize>) {
        let mut sums = vec![0; 5];
        let mut kept = vec![];
        for (i, x) in xs.iter().enumerate() {
            if x % 3 == 0 {
                kept.push(i);
            } else {
                for sum in &mut sums {
                    *sum += x;
                }
                for (k, sum) in (1..).zip(&mut sums) {
                    *sum += k * x;
                }
            }
        }
        (sums, kept)
    } => { all_of_a_vector_beside_what_is_kept(&words(3000, 90)) }
}
