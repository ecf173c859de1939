//! Loops that end with the first iteration of a kind: what is returned, what is kept, what iterations before it have written, and the panic of one that comes first.

use accrue_tests::quiet::{expected, quiet};

use super::*;

/// Numbers without `k`, but for one place, if that is one.
fn with_one(count: usize, k: u32, at: usize) -> Vec<u32> {
    let mut x = words(count, k);
    if let Some(x) = x.get_mut(at) {
        *x = k;
    }
    x
}

/// What a call gives for arrays of several lengths, with what is looked for at several places or nowhere.
fn everywhere<R: std::fmt::Debug>(call: impl Fn(&[u32], u32) -> R) -> Vec<String> {
    let _quiet = quiet();
    let places = [
        (0, 0),
        (1, 0),
        (1, 1),
        (3, 2),
        (777, 0),
        (777, 500),
        (20_000, 19_999),
        (20_000, 70),
        (20_001, 20_001),
    ];
    let calls = places.map(|(count, at)| {
        let x = with_one(count, 1000, at);
        format!("{:?}", expected(|| call(&x, 1000)))
    });
    calls.to_vec()
}

/// What is wrong with an item.
#[derive(Debug)]
enum Wrong {
    Text(String),
    Number(usize),
}

impl From<String> for Wrong {
    fn from(text: String) -> Wrong {
        Wrong::Text(text)
    }
}

/// The number, if it is one of those that are looked for: not `k`, at which it panics where that is odd.
fn checked(v: u32, k: u32) -> Result<u32, String> {
    assert!(v != 999 || k != 1001, "there is no such {v}");
    match v == k {
        true => Err(format!("{v} of {k}")),
        false => Ok(v / 3),
    }
}

/// The same, with a panic at another place.
fn everywhere_or_panics<R: std::fmt::Debug>(call: impl Fn(&[u32], u32) -> R) -> Vec<String> {
    let mut all = everywhere(&call);
    let _quiet = quiet();
    let x = [words(5000, 998), vec![999], words(5000, 900), vec![1001]].concat();
    let early = [words(700, 998), vec![1001], words(200, 900), vec![999]].concat();
    for x in [x, early] {
        all.push(format!("{:?}", expected(|| call(&x, 1001))));
    }
    all
}

loops! {
    fn index_of(x: &[u32], k: u32) -> Option<usize> {
        for i in 0..x.len() {
            if x[i] == k {
                return Some(i);
            }
        }
        None
    } => { everywhere(|x, k| index_of(x, k)) }

    fn found_and_left(x: &[u32], k: u32) -> (Option<(usize, u32)>, &'static str) {
        let mut found = None;
        let mut why = "none";
        for (i, &v) in x.iter().enumerate() {
            if v == k {
                found = Some((i, v));
                why = "found";
                break;
            }
        }
        (found, why)
    } => { everywhere(|x, k| found_and_left(x, k)) }

    fn all_are_less(x: &[u32], k: u32) -> bool {
        for v in x {
            if *v >= k {
                return false;
            }
        }
        true
    } => { everywhere(|x, k| all_are_less(x, k)) }

    fn is_sorted(x: &[u32], least: u32) -> bool {
        for w in x.windows(2) {
            if w[0] > w[1] && w[0] >= least {
                return false;
            }
        }
        true
    } => { everywhere(|x, k| is_sorted(x, k)) }

    fn a_neighbour_beyond_the_end(x: &[u32], k: u32) -> Option<u32> {
        for i in 0..x.len() {
            if x[i + 1] < x[i] && x[i] == k {
                return Some(x[i + 1]);
            }
        }
        None
    } => { everywhere(|x, k| a_neighbour_beyond_the_end(x, k)) }

    fn a_cell(grid: &[u32], k: u32, w: usize) -> Option<(usize, usize)> {
        for y in 0..grid.len() / w {
            for x in 0..w {
                if grid[y * w + x] == k {
                    return Some((x, y));
                }
            }
        }
        None
    } => { everywhere(|x, k| (a_cell(x, k, 1), a_cell(x, k, 100))) }

    fn needle(hay: &[u32], k: u32) -> Option<usize> {
        let needle = [k, 3];
        for i in 0..hay.len().saturating_sub(needle.len()) {
            let mut same = true;
            for j in 0..needle.len() {
                if j == 0 && hay[i + j] != needle[j] {
                    same = false;
                    break;
                }
            }
            if same {
                return Some(i);
            }
        }
        None
    } => { everywhere(|x, k| needle(x, k)) }

    fn several_ways_out(x: &[u32], k: u32) -> Result<usize, String> {
        let mut last = 0;
        'all: for (i, &v) in x.iter().enumerate() {
            if v % 2 == 0 && v < k {
                continue;
            }
            let half = v / 2;
            match half {
                500 => return Err(format!("{v} at {i}")),
                470 if i > 100 => {
                    last = i;
                    break 'all;
                }
                _ => {}
            }
            let Some(less) = k.checked_sub(v) else {
                return Ok(i);
            };
            if less == 3 && i > 200 {
                last = i + 1;
                break;
            }
        }
        Ok(last + 1)
    } => { everywhere(|x, k| several_ways_out(x, k)) }

    fn the_block_counts(x: &[u32], k: u32, out: &mut Vec<u32>) {
        for i in 0..x.len() {
            if x[i] == k {
                out.push(i as u32);
                out.push(k);
                break;
            }
        }
    } => { everywhere(|x, k| { let mut out = vec![1]; the_block_counts(x, k, &mut out); out }) }

    fn counted_until(x: &[u32], k: u32) -> (usize, u64) {
        let (mut n, mut sum) = (0, 0);
        for &v in x {
            if v == k {
                break;
            }
            n += 1;
            sum += u64::from(v);
        }
        (n, sum)
    } => { everywhere(|x, k| counted_until(x, k)) }

    fn checked_bins(keys: &[u32], bins: &mut [u32]) -> Result<(), String> {
        for (i, &k) in keys.iter().enumerate() {
            if k as usize >= bins.len() {
                return Err(format!("key {k} at {i}"));
            }
            bins[k as usize] += 1;
        }
        Ok(())
    } => { everywhere(|x, _| { let mut bins = vec![0; 1000]; (checked_bins(x, &mut bins), bins) }) }

    fn copied_until(x: &[u32], k: u32, out: &mut [u32]) -> usize {
        for i in 0..x.len() {
            out[i] = x[i] + 1;
            if x[i] == k {
                return i;
            }
        }
        x.len()
    } => { everywhere(|x, k| { let mut out = vec![7; x.len()]; (copied_until(x, k, &mut out), out) }) }

    fn the_write_fails_first(x: &[u32], k: u32, out: &mut [u32]) -> usize {
        for i in 0..x.len() {
            if x[i] >= k && x[i + 1] < k {
                return i;
            }
            out[i] = 1000 - x[i];
        }
        x.len()
    } => { everywhere(|x, k| { let mut out = vec![7; 300]; the_write_fails_first(x, k, &mut out) }) }

    fn the_test_fails_first(x: &[u32], k: u32, out: &mut [u32]) -> u32 {
        let mut n = 0;
        for i in 0..x.len() {
            if 1000 / (1000 - x[i]) > k {
                return n;
            }
            out[i] = x[i];
            n += 1;
        }
        n
    } => { everywhere(|x, k| { let mut out = vec![7; x.len()]; the_test_fails_first(x, k, &mut out) }) }

    fn roots_in_place(x: &mut [u32]) -> bool {
        for v in x.iter_mut() {
            if *v >= 1000 {
                return false;
            }
            *v = *v * 3 + 1;
        }
        true
    } => { everywhere(|x, _| { let mut x = x.to_vec(); (roots_in_place(&mut x), x) }) }

    fn the_next_row(grid: &[u32], w: usize, k: u32, sums: &mut [u32]) -> usize {
        let mut rows = 0;
        'rows: for y in 0..grid.len() / w {
            for x in 0..w {
                if grid[y * w + x] == k {
                    break 'rows;
                }
            }
            let row = &grid[y * w..(y + 1) * w];
            sums[y] = row.iter().sum::<u32>();
            rows += 1;
        }
        rows
    } => { everywhere(|x, k| { let mut sums = vec![7; x.len()]; (the_next_row(x, 7, k, &mut sums), sums) }) }

    fn each_bit_but_one(x: &[u32], stop: u32, sums: &mut [u32]) {
        'all: for v in x {
            for k in (0..4).filter(|k| v >> k & 1 == 1) {
                if v >> k == stop {
                    break 'all;
                }
                sums[k as usize] += v;
            }
        }
    } => { everywhere(|x, _| [7, 999, 5000].map(|stop| { let mut sums = [0; 4]; each_bit_but_one(x, stop, &mut sums); sums })) }

    fn names_that_are_not_copied(names: &[String], k: &str) -> Option<String> {
        for name in names.iter() {
            if name.ends_with(k) {
                return Some(name.clone());
            }
        }
        None
    } => { everywhere(|x, k| {
        let names: Vec<String> = x.iter().map(ToString::to_string).collect();
        (names_that_are_not_copied(&names, &k.to_string()), names_that_are_not_copied(&names, "x"))
    }) }

    fn any_that_may_fail(x: &[u32], k: u32) -> (bool, bool) {
        let mut any = false;
        for i in 0..x.len() {
            any = any || x[i + 1] < x[i] && x[i] == k;
        }
        let mut all = true;
        for i in 0..x.len() {
            all = all && x[i] < k;
        }
        (any, all)
    } => { everywhere(|x, k| any_that_may_fail(x, k)) }

    fn first_beside_others(x: &[u32], k: u32) -> (Option<usize>, u64) {
        let (mut first, mut sum) = (None, 0);
        for i in 0..x.len() {
            sum += u64::from(x[i]);
            if first.is_none() && x[i] >= k && x[i + 1] < k {
                first = Some(i);
            }
        }
        (first, sum)
    } => { everywhere(|x, k| first_beside_others(x, k)) }

    fn the_best_of_what_is_right(x: &[u32], k: u32) -> Result<(u32, usize), String> {
        let (mut best, mut at) = (0, 0);
        for (i, &v) in x.iter().enumerate() {
            let w = checked(v, k)?;
            if w > best {
                best = w;
                at = i;
            }
        }
        Ok((best, at))
    } => { everywhere_or_panics(|x, k| the_best_of_what_is_right(x, k)) }

    fn a_sum_of_what_is_right(x: &[u32], k: u32, n: &mut u32) -> Result<u64, Wrong> {
        let mut sum = 0u64;
        for &v in x {
            *n += 1;
            sum += u64::from(checked(v, k)?);
        }
        Ok(sum)
    } => { everywhere_or_panics(|x, k| { let mut n = 0; let sum = a_sum_of_what_is_right(x, k, &mut n); (sum, n) }) }

    fn only_what_is_right(x: &[u32], k: u32) -> Result<(), Wrong> {
        for v in x {
            checked(*v, k)?;
        }
        Ok(())
    } => { everywhere_or_panics(|x, k| only_what_is_right(x, k)) }

    fn errors_of_two_kinds(x: &[u32], k: u32, out: &mut [u32], hist: &mut [u32; 8]) -> Result<usize, Wrong> {
        let mut odd = 0;
        for (i, &v) in x.iter().enumerate() {
            let w = checked(v, k)?;
            if w == 3 && i > 300 {
                Err(Wrong::Number(i))?;
            }
            odd += (w % 2) as usize;
            hist[w as usize % 8] += checked(w, k)? + 1;
            out[i] = w;
        }
        Ok(odd)
    } => { everywhere_or_panics(|x, k| { let (mut out, mut hist) = (vec![7; x.len()], [0; 8]); let odd = errors_of_two_kinds(x, k, &mut out, &mut hist); (odd, out, hist) }) }

    fn numbers_of_lines(text: &str) -> Option<i64> {
        let mut sum = 0;
        for line in text.lines() {
            let (a, b) = line.split_once(':')?;
            let a: i64 = a.parse().ok()?;
            let b = match b { "" => 1, b => b.parse::<i64>().ok()? };
            sum += a * b;
        }
        Some(sum)
    } => { everywhere(|x, k| { let lines: Vec<String> = x.iter().map(|v| if *v == k { format!("{v}") } else { format!("{v}:") }).collect(); numbers_of_lines(&lines.join("\n")) }) }

    fn looked_up_in_rows(rows: &[Vec<u32>], table: &[u32], found: &mut Vec<u32>) -> Option<u32> {
        let mut top = 0;
        for row in rows {
            let mut sum = 0u32;
            for &i in row {
                sum += table.get(i as usize)?;
            }
            if sum > 7 {
                found.push(sum);
            }
            top = top.max(sum);
        }
        Some(top)
    } => { everywhere(|x, k| { let rows: Vec<Vec<u32>> = x.chunks(7).map(|row| row.to_vec()).collect(); let mut found = vec![1]; let top = looked_up_in_rows(&rows, &words(k as usize, 50), &mut found); (top, found) }) }

    fn taken_while(x: &[u32], k: u32, out: &mut [u32]) -> (u64, Option<usize>) {
        let mut sum = 0u64;
        for (i, v) in x.iter().enumerate().take_while(|&(_, v)| *v != k) {
            sum += u64::from(*v);
            out[i] = v * 2;
        }
        for v in x.iter().filter(|v| **v % 3 != 0).take_while(|v| **v < k).map(|v| v * 2) {
            sum += u64::from(v);
        }
        let mut at = None;
        for (i, v) in x.iter().copied().enumerate().take_while(|(i, _)| *i < 900) {
            if v == k {
                at = Some(i);
                break;
            }
        }
        (sum, at)
    } => { everywhere(|x, k| { let mut out = vec![1; x.len()]; let (sum, at) = taken_while(x, k, &mut out); (sum, at, out) }) }
}
