//! Iterators that are consumed, in a loop's body and as the whole of a function, headers that go from item to item alone, and `while` loops that count.

use accrue_tests::quiet::{expected, quiet};

use super::*;

/// What a call gives for so many numbers, none and one among them.
fn sizes_of<R: std::fmt::Debug>(call: impl Fn(&[u32]) -> R) -> Vec<String> {
    let _quiet = quiet();
    let calls = [0, 1, 2, 7, 64, 3001].map(|n| format!("{:?}", expected(|| call(&words(n, 1000)))));
    calls.to_vec()
}

fn floats(x: &[u32]) -> Vec<f32> {
    x.iter().map(|x| (*x as f32 - 500.0) / 4.0).collect()
}

loops! {
    fn means_of_rows(x: &[f32], k: usize, out: &mut [f32]) {
        for (i, o) in out.iter_mut().enumerate() {
            let row = &x[i * k..(i + 1) * k];
            *o = row.iter().sum::<f32>() / row.len() as f32;
        }
    } => { sizes_of(|x| { let mut out = vec![0.0; x.len() / 7]; means_of_rows(&floats(x), 7, &mut out); out }) }

    fn sums_of_nothing(x: &[f32], out: &mut [f32], whole: &mut [u32]) {
        for i in 0..out.len() {
            let none: f32 = x[i..i].iter().sum();
            out[i] = none + -0.0;
            whole[i] = out[i].to_bits() ^ x[..0].iter().product::<f32>().to_bits();
        }
    } => { sizes_of(|x| { let (mut out, mut whole) = (vec![1.0; x.len()], vec![7; x.len()]); sums_of_nothing(&floats(x), &mut out, &mut whole); (out, whole) }) }

    fn a_sum_that_overflows(x: &[u8], out: &mut [u8]) {
        for i in 0..out.len() {
            out[i] = x[i..].iter().take(3).sum();
        }
    } => { sizes_of(|x| { let x: Vec<u8> = x.iter().map(|x| (x / 11) as u8).collect(); let mut out = vec![0; x.len()]; a_sum_that_overflows(&x, &mut out); out }) }

    fn correlations(x: &[f32], out: &mut [f32]) {
        let n = x.len();
        for lag in 0..out.len() {
            out[lag] = (0..n - lag).map(|t| x[t] * x[t + lag]).sum();
        }
    } => { sizes_of(|x| { let mut out = vec![0.0; x.len().min(40)]; correlations(&floats(x), &mut out); out }) }

    fn dots(a: &[f32], b: &[f32], k: usize, out: &mut [f32]) {
        for (i, o) in out.iter_mut().enumerate() {
            *o = a[i * k..].iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
        }
    } => { sizes_of(|x| { let x = floats(x); let mut out = vec![0.0; x.len() / 5]; dots(&x, &x[..x.len().min(5)], 5, &mut out); out }) }

    fn ranks_by_count(x: &[u32], out: &mut [usize]) {
        for i in 0..out.len() {
            out[i] = x.iter().filter(|&&v| v < x[i]).count();
        }
    } => { sizes_of(|x| { let mut out = vec![0; x.len().min(100)]; ranks_by_count(x, &mut out); out }) }

    fn any_and_all(x: &[u32], k: usize, any: &mut [bool], all: &mut [bool]) {
        for (i, row) in x.chunks_exact(k).enumerate() {
            any[i] = row.iter().any(|v| *v > 990);
            all[i] = row.iter().copied().all(|v| v < 980);
        }
    } => { sizes_of(|x| { let (mut a, mut b) = (vec![false; x.len()], vec![false; x.len()]); any_and_all(x, 9, &mut a, &mut b); (a, b) }) }

    fn any_that_ends_before_it_fails(x: &[u32], out: &mut [bool]) {
        for i in 0..out.len() {
            out[i] = (0..10).any(|j| x[i + j] > 500);
        }
    } => { sizes_of(|x| { let mut out = vec![false; x.len()]; any_that_ends_before_it_fails(x, &mut out); out }) }

    fn folds(x: &[f32], k: usize, most: &mut [f32], hash: &mut [u32]) {
        for (i, row) in x.chunks(k).enumerate() {
            most[i] = row.iter().cloned().fold(f32::NEG_INFINITY, f32::max);
            hash[i] = row.iter().fold(7, |h, v| h ^ v.to_bits().rotate_left(3));
        }
    } => { sizes_of(|x| { let (mut a, mut b) = (vec![0.0; x.len()], vec![0; x.len()]); folds(&floats(x), 6, &mut a, &mut b); (a, b) }) }

    fn steps_and_skips(x: &[u32], out: &mut [u32]) {
        for i in 0..out.len() {
            out[i] = x.iter().skip(i).step_by(3).take(4).map(|v| v * 2).sum::<u32>()
                + x.iter().enumerate().rev().take(2).map(|(n, v)| n as u32 * v).sum::<u32>();
        }
    } => { sizes_of(|x| { let mut out = vec![0; x.len().min(50)]; steps_and_skips(x, &mut out); out }) }

    fn names_that_hide_others(x: &[u32], out: &mut [u32]) {
        let v = 3;
        for i in 0..out.len() {
            let x = &x[i..];
            let sum = v;
            out[i] = x.iter().take(2).map(|v| v + 1).sum::<u32>() + v + sum;
        }
    } => { sizes_of(|x| { let mut out = vec![0; x.len()]; names_that_hide_others(x, &mut out); out }) }

    fn the_whole_is_a_sum(x: &[u32]) -> u64 {
        x.iter().map(|&v| u64::from(v) * 3).sum()
    } => { sizes_of(|x| the_whole_is_a_sum(x)) }

    fn a_sum_of_squares_from_the_mean(x: &[f64]) -> f64 {
        let n = x.len() as f64;
        let mean = x.iter().sum::<f64>() / n;
        x.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>() / n
    } => { sizes_of(|x| (a_sum_of_squares_from_the_mean(&x.iter().map(|x| f64::from(x / 8)).collect::<Vec<_>>()) * 1e3).round()) }

    fn a_sum_of_no_floats(x: &[f32]) -> f32 {
        x.iter().filter(|v| **v > 1e9).sum::<f32>()
    } => { sizes_of(|x| a_sum_of_no_floats(&floats(x)).to_bits()) }

    fn how_many(x: &[u32]) -> usize {
        x.iter().filter(|v| **v % 3 == 1).count()
    } => { sizes_of(|x| how_many(x)) }

    fn none_is_large(x: &[u32], k: u32) -> (bool, bool) {
        (x.iter().all(|v| *v < k), x.iter().any(|v| v + 1 == k))
    } => { sizes_of(|x| (none_is_large(x, 998), none_is_large(x, 1000), none_is_large(x, 5))) }

    fn where_it_is(x: &[u32], k: u32) -> Option<usize> {
        x.iter().position(|v| *v == k)
    } => { sizes_of(|x| (where_it_is(x, x.last().copied().unwrap_or(0)), where_it_is(x, 4000))) }

    fn which_it_is(x: &[u32], k: u32) -> Option<&u32> {
        x.iter().find(|v| **v > k)
    } => { sizes_of(|x| (which_it_is(x, 990).copied(), which_it_is(x, 4000).copied())) }

    fn doubled(x: &[u32]) -> Vec<u64> {
        x.iter().map(|v| u64::from(*v) * 2).collect()
    } => { sizes_of(|x| doubled(x)) }

    fn letters_by_chars(text: &str) -> [u32; 26] {
        let mut hist = [0; 26];
        for c in text.chars() {
            if c.is_ascii_lowercase() {
                hist[(c as u8 - b'a') as usize] += 1;
            }
        }
        hist
    } => { (letters_by_chars(""), letters_by_chars(&text(3000)), letters_by_chars("a\u{e4}\u{4e00}z")) }

    fn words_of_a_text(text: &str, lengths: &mut [u32]) -> usize {
        let mut longest = 0;
        for word in text.split_whitespace() {
            lengths[word.len() % 8] += 1;
            longest = longest.max(word.len());
        }
        longest
    } => { let mut lengths = [0; 8]; (words_of_a_text(&text(3000), &mut lengths), words_of_a_text("", &mut lengths), lengths) }

    fn first_long_line(text: &str) -> Option<&str> {
        for line in text.lines() {
            if line.len() > 20 && !line.starts_with(' ') {
                return Some(line);
            }
        }
        None
    } => { (first_long_line("a\nb"), first_long_line(&text(3000).replace('.', "\n")).map(str::len)) }

    fn all_of_all_rows(rows: &[Vec<u32>]) -> u64 {
        let mut sum = 0u64;
        for &v in rows.iter().flatten() {
            sum += u64::from(v);
        }
        sum
    } => { sizes_of(|x| all_of_all_rows(&x.chunks(3).map(<[u32]>::to_vec).collect::<Vec<_>>())) }

    fn masked_by_a_key(data: &mut [u8], key: &[u8]) {
        for (b, k) in data.iter_mut().zip(key.iter().cycle()) {
            *b ^= *k;
        }
    } => { let mut a = bytes(3000); masked_by_a_key(&mut a, b"key"); let mut b = bytes(9); masked_by_a_key(&mut b, b""); (a, b) }

    fn from_the_end(x: &[u8], out: &mut [u8]) {
        for (of, o) in x.rchunks(3).zip(out.iter_mut()) {
            *o = of[of.len() - 1];
        }
    } => { let mut out = vec![0; 1000]; from_the_end(&bytes(2999), &mut out); out }

    fn downwards(x: &[u32], out: &mut [u32]) -> usize {
        let mut i = x.len();
        while i > 1 {
            i -= 1;
            out[i] = x[i - 1];
        }
        i
    } => { sizes_of(|x| { let mut out = vec![9; x.len()]; (downwards(x, &mut out), out) }) }

    fn by_twos(x: &[u32], out: &mut [u32]) -> usize {
        let mut i = 0;
        while i + 1 < x.len() {
            out[i] = x[i + 1];
            out[i + 1] = x[i];
            i += 2;
        }
        i
    } => { sizes_of(|x| { let mut out = vec![9; x.len()]; (by_twos(x, &mut out), out) }) }

    fn to_the_shorter(x: &[u32], out: &mut [u32]) -> usize {
        let mut i = 0;
        while i < x.len() && i < out.len() {
            if x[i] == 0 {
                i += 1;
                continue;
            }
            out[i] = x[i];
            i += 1;
        }
        i
    } => { sizes_of(|x| { let mut out = vec![9; 100]; (to_the_shorter(x, &mut out), out) }) }

    fn as_long_as_they_are_less(x: &[u32], k: u32, out: &mut [u32]) -> (usize, u32) {
        let (mut i, mut sum) = (0, 0u32);
        let mut j = 0;
        while j < x.len() && x[j] < k {
            out[j] = x[j] + 1;
            j += 1;
        }
        loop {
            if i >= x.len() {
                break;
            }
            if x[i] > k {
                break;
            }
            sum = sum.wrapping_add(x[i]);
            i += 1;
        }
        (i * 10_000 + j, sum)
    } => { sizes_of(|x| [900, 998, 2000].map(|k| { let mut out = vec![9; x.len()]; (as_long_as_they_are_less(x, k, &mut out), out) })) }

    fn up_to_the_end(x: &[u32], out: &mut [u32]) -> usize {
        let n = x.len();
        let mut i = 1;
        while i <= n - 1 {
            out[i] = x[n - i];
            i = i + 1;
        }
        let mut k = 0;
        while k + 4 <= n {
            out[k] += x[k] + x[k + 3];
            k += 1;
        }
        i * 10_000 + k
    } => { sizes_of(|x| { let mut out = vec![9; x.len()]; (up_to_the_end(x, &mut out), out) }) }

    fn the_loudest(x: &[f32]) -> (usize, f32) {
        let (mut at, mut top) = (0, 0.0);
        for (i, v) in x.iter().map(|v| v.abs()).enumerate() {
            if v > top {
                top = v;
                at = i;
            }
        }
        (at, top)
    } => { sizes_of(|x| the_loudest(&floats(x))) }

    fn made_beside_others(x: &[u32], k: u32, out: &mut [u32]) {
        let v = 3;
        for ((i, y), o) in x.iter().map(|v| v ^ k).rev().enumerate().zip(out.iter_mut()).take(900) {
            *o = y * 2 + i as u32 + v;
        }
        for (o, (a, b)) in out.iter_mut().zip(x.iter().zip(x.iter().map(|x| x / 2))) {
            *o += a - b;
        }
        for (a, b) in x.iter().map(|x| x).zip(out.iter_mut().rev()) {
            *b ^= *a;
        }
    } => { sizes_of(|x| { let mut out = vec![7; x.len()]; made_beside_others(x, 5, &mut out); out }) }

    fn kept_and_copied(x: &[u32], out: &mut Vec<u32>) -> u32 {
        let mut sum = 0;
        for v in x.iter().filter(|v| **v % 3 == 1).copied() {
            sum += v;
        }
        for v in x.iter().filter(|v| **v > 500).rev().cloned() {
            out.push(v);
        }
        sum
    } => { sizes_of(|x| { let mut out = vec![1]; (kept_and_copied(x, &mut out), out) }) }

    fn what_a_closure_keeps(x: &[u32], out: &mut Vec<u32>) -> u32 {
        let mut all = 0;
        for y in x.iter().map(move |x| { all += *x; all }) {
            out.push(y);
        }
        all
    } refused H012 => { sizes_of(|x| { let mut out = vec![]; (what_a_closure_keeps(x, &mut out), out) }) }

    fn checksum(data: &[u8]) -> u32 {
        let mut sum = 0;
        let mut pairs = data.chunks_exact(2);
        for pair in &mut pairs {
            sum += u16::from_be_bytes([pair[0], pair[1]]) as u32;
        }
        if let [last] = pairs.remainder() {
            sum += (*last as u32) << 8;
        }
        sum
    } => { sizes_of(|x| checksum(&x.iter().map(|x| *x as u8).collect::<Vec<_>>())) }

    fn lines_and_words(text: &[u8]) -> (usize, usize) {
        let (mut lines, mut words, mut inside) = (0, 0, false);
        for &b in text {
            if b == b'\n' {
                lines += 1;
            }
            if b.is_ascii_whitespace() {
                inside = false;
            } else if !inside {
                inside = true;
                words += 1;
            }
        }
        (lines, words)
    } => { sizes_of(|x| lines_and_words(&x.iter().map(|x| b"ab \nc"[*x as usize % 5]).collect::<Vec<_>>())) }

    fn made_and_left_over(x: &[u32], y: &[u32], k: &[u32], out: &mut [u32]) -> u32 {
        let mut sum = 0;
        for ((o, a), b) in out.iter_mut().zip(x.iter().map(|x| 3000 / x)).zip(y.iter().map(|y| y + 7)) {
            *o = a ^ b;
        }
        for (a, b) in x.iter().map(|x| k[*x as usize % 9]).zip(y.iter().rev()) {
            sum += a * b;
        }
        sum
    } => {
        // An item of `x` that is left over is divided by, and looked up.
        sizes_of(|x| [(0, 3), (0, 8), (1, 8), (1, 0), (2, 0)].map(|(less, last)| {
            let mut x: Vec<u32> = x.iter().map(|x| x % 7 + 1).collect();
            let (n, mut out) = (x.len(), vec![1; x.len()]);
            x.last_mut().into_iter().for_each(|x| *x = last);
            let y: Vec<u32> = x[n.min(less)..].to_vec();
            let called = expected(|| made_and_left_over(&x, &y, &[1, 2, 3, 4, 5, 6, 7, 8], &mut out));
            (called, out)
        }))
    }
}
