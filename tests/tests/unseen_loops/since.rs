//! Runs: where something begins that goes on for some items, by a flag beside a number, or by an `Option`.

use super::*;

const COUNTS: [usize; 5] = [0, 1, 2, 777, 20_001];

fn each<R: std::fmt::Debug>(call: impl Fn(usize) -> R) -> Vec<String> {
    COUNTS.map(|count| format!("{:?}", call(count))).to_vec()
}

loops! {
    fn by_a_flag(x: &[f32], limit: f32) -> (Vec<(usize, usize)>, bool, usize) {
        let mut runs = Vec::new();
        let mut inside = false;
        let mut begin = 0;
        for (i, &v) in x.iter().enumerate() {
            if v.abs() > limit {
                if !inside {
                    inside = true;
                    begin = i;
                }
            } else if inside {
                runs.push((begin, i));
                inside = false;
            }
        }
        (runs, inside, begin)
    } => { each(|count| by_a_flag(&quarters(count), 1.0)) }

    fn by_an_option(x: &[f32], limit: f32) -> (Vec<(usize, usize)>, Option<usize>) {
        let mut runs = Vec::new();
        let mut begin = None;
        for (i, &v) in x.iter().enumerate() {
            if v.abs() > limit {
                if begin.is_none() {
                    begin = Some(i);
                }
            } else if let Some(b) = begin {
                runs.push((b, i));
                begin = None;
            }
        }
        (runs, begin)
    } => { each(|count| by_an_option(&quarters(count), 1.0)) }

    fn what_goes_on_at_first(x: &[u32], mut begin: Option<usize>) -> (usize, Option<usize>) {
        let mut longest = 0;
        for i in 0..x.len() {
            if x[i] % 8 > 1 {
                begin.get_or_insert(i + 1);
            } else if let Some(b) = begin.take() {
                longest = longest.max(i + 1 - b);
            }
        }
        (longest, begin)
    } => { each(|count| (what_goes_on_at_first(&words(count, 900), Some(0)), what_goes_on_at_first(&words(count, 900), None))) }

    fn behind_a_scan(changes: &[i32], least: i32) -> (Vec<i32>, Vec<(usize, usize)>) {
        let mut depth = changes.to_vec();
        for i in 1..depth.len() {
            depth[i] += depth[i - 1];
        }
        let mut regions = Vec::new();
        let mut open = None;
        for (i, &d) in depth.iter().enumerate() {
            if d >= least {
                open.get_or_insert(i);
            } else if let Some(s) = open.take() {
                regions.push((s, i));
            }
        }
        if let Some(s) = open {
            regions.push((s, depth.len()));
        }
        (depth, regions)
    } => { each(|count| behind_a_scan(&ints(count).iter().map(|v| v % 3).collect::<Vec<_>>(), 2)) }
}
