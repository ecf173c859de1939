//! Extremes by comparison: those so far, used on the way, and the best items, in an `Option`, by an index or by more keys than one. NaN, zeros of two signs and
//! equal items decide what is kept.

use accrue_tests::quiet::{expected, quiet};

use super::*;

const COUNTS: [usize; 5] = [0, 1, 2, 777, 20_001];

/// What a call gives for numbers with a NaN at several places or nowhere, as bits.
fn with_nans<R: std::fmt::Debug>(call: impl Fn(&[f32]) -> R) -> Vec<String> {
    let mut all = Vec::new();
    for count in COUNTS {
        for at in [count, 0, 1, count / 2, count.saturating_sub(3)] {
            let mut x = quarters(count);
            if let Some(x) = x.get_mut(at) {
                *x = f32::NAN;
            }
            all.push(format!("{:?}", call(&x)));
        }
    }
    all
}

fn each<R: std::fmt::Debug>(call: impl Fn(usize) -> R) -> Vec<String> {
    COUNTS.map(|count| format!("{:?}", call(count))).to_vec()
}

#[derive(Clone, Copy, Debug)]
struct Hit {
    t: f32,
    id: usize,
}

#[derive(Clone, Copy, Debug)]
struct Station {
    id: u32,
    lat: f32,
    lon: f32,
    active: bool,
}

fn stations(count: usize) -> Vec<Station> {
    let (x, y) = (quarters(count), words(count, 50));
    let station = |i: usize| Station {
        id: i as u32 * 3,
        lat: x[i],
        lon: y[i] as f32,
        active: i % 3 != 1,
    };
    (0..count).map(station).collect()
}

#[derive(Debug)]
struct Account {
    high: f64,
    high_at: usize,
    drawdown: f64,
    best: Option<(usize, u32)>,
}

fn account() -> Account {
    Account {
        high: 0.0,
        high_at: 0,
        drawdown: 0.0,
        best: Some((7, 3)),
    }
}

fn distance(a: &[u8], b: &[u8], row: &mut Vec<usize>) -> usize {
    row.clear();
    row.extend(0..=b.len());
    for (i, ca) in a.iter().enumerate() {
        let mut diag = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let sub = diag + (ca != cb) as usize;
            diag = row[j + 1];
            row[j + 1] = sub.min(row[j] + 1).min(diag + 1);
        }
    }
    row[b.len()]
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    x: f32,
    y: f32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Corners {
    low: Point,
    high: Point,
}

fn points(n: usize) -> Vec<Point> {
    let of = |c: &[f32; 2]| Point { x: c[0], y: c[1] };
    let mut points: Vec<Point> = quarters(2 * n).as_chunks().0.iter().map(of).collect();
    if let Some(point) = points.get_mut(n / 3) {
        point.x = f32::NAN;
    }
    points
}

loops! {
    fn of_references(x: &[f64], z: &[u32], k: &[usize], lows: &mut [f64], hashes: &mut [u32]) -> (f64, u32) {
        let (mut top, mut sum, mut hash) = (0.0, 0u32, 1u32);
        for (x, k) in x.iter().zip(k) {
            top = x.max(top);
            lows[*k] = x.min(lows[*k]);
        }
        for (x, h) in z.iter().zip(hashes) {
            sum = x.wrapping_add(sum);
            hash = x.wrapping_mul(hash).wrapping_add(7);
            *h = hash;
        }
        (top, sum)
    } => {
        let x: Vec<f64> = words(9_000, 700).iter().map(|v| f64::from(*v) - 300.0).collect();
        let k: Vec<usize> = words(9_000, 20).iter().map(|v| *v as usize).collect();
        let (mut l, mut h) = (vec![50.0; 20], vec![0; 9_000]);
        (of_references(&x, &words(9_000, 700), &k, &mut l, &mut h), l, h)
    }

    fn max_drawdown(prices: &[f32]) -> (f32, usize) {
        let mut peak = f32::MIN;
        let mut worst = 0.0;
        let mut at = 0;
        for (i, &p) in prices.iter().enumerate() {
            if p > peak {
                peak = p;
            }
            let dd = (peak - p) / 64.0;
            if dd > worst {
                worst = dd;
                at = i;
            }
        }
        (worst, at)
    } => { with_nans(|x| max_drawdown(x)) }

    fn best_trade(p: &[f64]) -> (f64, usize, usize) {
        let mut low = f64::INFINITY;
        let mut low_at = 0;
        let (mut best, mut buy, mut sell) = (0.0, 0, 0);
        for i in 0..p.len() {
            if p[i] < low {
                low = p[i];
                low_at = i;
            }
            let gain = p[i] - low;
            if gain > best {
                best = gain;
                buy = low_at;
                sell = i;
            }
        }
        (best, buy, sell)
    } => { each(|n| best_trade(&doubles(n))) }

    fn records(h: &[i32], out: &mut Vec<usize>) -> (usize, i32) {
        let mut tallest = i32::MIN;
        let mut seen = 0;
        for (i, &x) in h.iter().enumerate() {
            if x > tallest {
                tallest = x;
                seen += 1;
                out.push(i);
            }
        }
        (seen, tallest)
    } => { each(|n| {
        let mut h: Vec<i32> = ints(n).iter().enumerate().map(|(i, x)| x + i as i32 / 5).collect();
        let mut out = vec![];
        let seen = records(&mut h, &mut out);
        (seen, out)
    }) }

    fn the_last_of_equals_and_how_many(x: &[i32]) -> (i32, u32) {
        let (mut best, mut times) = (i32::MAX, 0);
        for &v in x {
            if v <= best {
                best = v;
                times += 1;
            }
        }
        (best, times)
    } => { each(|n| the_last_of_equals_and_how_many(&ints(n))) }

    fn zeros_of_two_signs(x: &[f32], out: &mut [u32]) -> u32 {
        let mut top = -1.0f32;
        for i in 0..x.len() {
            if x[i] >= top {
                top = x[i];
            }
            out[i] = top.to_bits();
        }
        top.to_bits()
    } => { each(|n| {
        let x: Vec<f32> = words(n, 5).iter().map(|w| [0.0, -0.0, -3.0, f32::NAN, -0.5][*w as usize]).collect();
        let mut out = vec![0; n];
        let top = zeros_of_two_signs(&x, &mut out);
        (top, out)
    }) }

    fn begins_with_what_is_there(x: &[f32], top: &mut f32, out: &mut [u32]) {
        for i in 0..x.len() {
            if *top < x[i] {
                *top = x[i];
            }
            out[i] = top.to_bits();
        }
    } => { each(|n| [f32::NAN, -3.0, 100.0].map(|before| {
        let (mut top, mut out) = (before, vec![0; n]);
        begins_with_what_is_there(&quarters(n), &mut top, &mut out);
        (top.to_bits(), out)
    })) }

    fn new_highs_and_falls(p: &[f64], out: &mut [f64]) -> f64 {
        let mut peak = 0.0f64;
        let mut at = 0usize;
        let mut worst = 0.0f64;
        for i in 0..p.len() {
            if p[i] > peak {
                peak = p[i];
                at = i + 1;
                out[i] = 0.0;
            } else {
                let d = peak - p[i];
                out[i] = d + at as f64;
                if d > worst {
                    worst = d;
                }
            }
        }
        worst
    } => { each(|n| {
        let mut out = vec![0.5; n];
        let worst = new_highs_and_falls(&doubles(n), &mut out);
        (worst, out)
    }) }

    fn last_of_the_best_so_far(x: &[u16], out: &mut [usize]) {
        let mut best = 0u16;
        let mut at = usize::MAX;
        for i in 0..x.len() {
            if x[i] > 100 && best <= x[i] && x[i] % 3 != 0 {
                best = x[i];
                at = i;
            }
            out[i] = at;
        }
    } => { each(|n| {
        let x: Vec<u16> = words(n, 500).iter().map(|w| *w as u16).collect();
        let mut out = vec![0; n];
        last_of_the_best_so_far(&x, &mut out);
        out
    }) }

    fn highest_of_the_rows_so_far(x: &[f32], w: usize, out: &mut [f32]) {
        let mut top = f32::NEG_INFINITY;
        for (r, row) in x.chunks_exact(w).enumerate() {
            for &v in row {
                if v > top {
                    top = v;
                }
            }
            out[r] = top;
        }
    } => { each(|n| {
        let mut out = vec![0.0; n / 4];
        highest_of_the_rows_so_far(&quarters(n), 4, &mut out);
        out
    }) }

    fn range_so_far(x: &[f32], out: &mut [f32]) {
        let (mut lo, mut hi) = (f32::MAX, f32::MIN);
        for i in 0..x.len() {
            if x[i] < lo {
                lo = x[i];
            }
            if x[i] > hi {
                hi = x[i];
            }
            out[i] = hi - lo;
        }
    } => { each(|n| {
        let mut out = vec![0.0; n];
        range_so_far(&quarters(n), &mut out);
        out
    }) }

    fn in_place(a: &mut [f64]) {
        let mut top = 0.0;
        for i in 0..a.len() {
            if a[i] > top {
                top = a[i];
            }
            a[i] = top;
        }
    } => { each(|n| {
        let mut a = doubles(n);
        in_place(&mut a);
        a
    }) }

    fn of_fields(of: &mut Account, p: &[f64]) {
        for (i, v) in p.iter().enumerate() {
            if *v > of.high {
                of.high = *v;
                of.high_at = i;
            }
            let d = of.high - *v;
            of.drawdown = of.drawdown.max(d);
        }
    } => { each(|n| {
        let mut of = account();
        of_fields(&mut of, &doubles(n));
        of
    }) }

    fn groups_of_intervals(iv: &[(u32, u32)]) -> usize {
        let mut end = 0;
        let mut groups = 0;
        for &(s, e) in iv {
            if s > end {
                groups += 1;
            }
            if e > end {
                end = e;
            }
        }
        groups
    } => { each(|n| {
        let lengths = words(n, 12);
        let iv: Vec<(u32, u32)> = (0..n).map(|i| (i as u32 * 7, i as u32 * 7 + lengths[i])).collect();
        groups_of_intervals(&iv)
    }) }

    fn ends_of_two_things(x: &[i32], y: &[i32], mut lo: i32, mut hi: i32) -> (i32, i32) {
        for (&v, &w) in x.iter().zip(y) {
            if v < lo {
                lo = v;
            } else if w > hi {
                hi = w;
            }
        }
        (lo, hi)
    } => { each(|n| [(0, 0), (50, -50)].map(|(lo, hi)| ends_of_two_things(&ints(n), &ints(n + 7)[n.min(7)..], lo, hi))) }

    fn ends_from_the_wrong_sides(x: &[i32]) -> (i32, i32) {
        let (mut lo, mut hi) = (i32::MAX, i32::MIN);
        for &v in x {
            if v < lo {
                lo = v;
            } else if v > hi {
                hi = v;
            }
        }
        (lo, hi)
    } => { each(|n| {
        let falling: Vec<i32> = (0..n as i32).map(|i| -i / 3).collect();
        (ends_from_the_wrong_sides(&ints(n)), ends_from_the_wrong_sides(&falling))
    }) }

    fn nearest_station(stations: &[Station], lat: f32, lon: f32) -> Option<(u32, f32)> {
        let mut best: Option<(u32, f32)> = None;
        for s in stations {
            if !s.active {
                continue;
            }
            let (dy, dx) = (s.lat - lat, s.lon - lon);
            let d2 = dx * dx + dy * dy;
            match best {
                Some((_, b)) if d2 >= b => {}
                _ => best = Some((s.id, d2)),
            }
        }
        best
    } => { each(|n| nearest_station(&stations(n), 1.25, 20.0)) }

    fn nan_first(x: &[f32], all: &mut u32) -> Option<(usize, u32)> {
        let mut best = None;
        for (i, &d) in x.iter().enumerate() {
            *all += 1;
            match best {
                None => best = Some((i, d)),
                Some((_, b)) if d < b => best = Some((i, d)),
                _ => {}
            }
        }
        best.map(|(i, d): (usize, f32)| (i, d.to_bits()))
    } => { with_nans(|x| {
        let mut all = 0;
        (nan_first(x, &mut all), all)
    }) }

    fn nan_last(x: &[f32]) -> Option<(usize, u32)> {
        let mut best: Option<(usize, f32)> = None;
        for (i, &d) in x.iter().enumerate() {
            match best {
                Some((_, b)) if d >= b => {}
                _ => best = Some((i, d)),
            }
        }
        best.map(|(i, d)| (i, d.to_bits()))
    } => { with_nans(|x| nan_last(x)) }

    fn nan_beside_what_is_written(x: &[f32], out: &mut [f32]) -> Option<(usize, u32)> {
        let mut best: Option<(usize, f32)> = None;
        for i in 0..x.len() {
            let d = x[i] * 2.0;
            out[i] += d;
            if best.is_none_or(|(_, b)| d > b) {
                best = Some((i, d));
            }
        }
        best.map(|(i, d)| (i, d.to_bits()))
    } => { with_nans(|x| {
        let mut out = vec![1.0; x.len()];
        let best = nan_beside_what_is_written(x, &mut out);
        (best, out.iter().map(|x| x.to_bits()).collect::<Vec<_>>())
    }) }

    fn by_map_or(x: &[i32], y: &[i32]) -> Option<(usize, i32)> {
        let mut best: Option<(usize, i32)> = None;
        for i in 0..x.len() {
            let d = (x[i] - 5).abs() + (y[i] - 7).abs();
            if best.map_or(true, |(_, b)| d < b) {
                best = Some((i, d));
            }
        }
        best
    } => { each(|n| by_map_or(&ints(n), &ints(n))) }

    fn closest_hit(t: &[f32]) -> Option<Hit> {
        let mut best: Option<Hit> = None;
        for (id, &t) in t.iter().enumerate() {
            if t > 0.5 && best.is_none_or(|b| t < b.t) {
                best = Some(Hit { t, id });
            }
        }
        best
    } => { each(|n| closest_hit(&quarters(n))) }

    fn index_in_an_option(x: &[f64]) -> Option<usize> {
        let mut best: Option<usize> = None;
        for i in 0..x.len() {
            if x[i] < 0.0 {
                continue;
            }
            match best {
                None => best = Some(i),
                Some(b) if x[i] < x[b] => best = Some(i),
                _ => {}
            }
        }
        best
    } => { each(|n| index_in_an_option(&doubles(n))) }

    fn by_reference(x: &[u32]) -> Option<(u32, usize)> {
        let mut best: Option<(u32, usize)> = None;
        for (i, v) in x.iter().enumerate() {
            if best.as_ref().map_or(true, |b| *v > b.0) {
                best = Some((*v, i));
            }
        }
        best
    } => { each(|n| by_reference(&words(n, 90))) }

    fn last_of_equals(x: &[u32]) -> Option<(u32, usize)> {
        let mut best: Option<(u32, usize)> = None;
        for (i, &v) in x.iter().enumerate() {
            if best.is_none() || v >= best.unwrap().0 {
                best = Some((v, i));
            }
        }
        best
    } => { each(|n| last_of_equals(&words(n, 90))) }

    fn by_if_let(x: &[f32]) -> Option<(usize, f32)> {
        let mut best: Option<(usize, f32)> = None;
        for (i, &d) in x.iter().enumerate() {
            if let Some((_, b)) = best {
                if d > b {
                    best = Some((i, d));
                }
            } else {
                best = Some((i, d));
            }
        }
        best
    } => { each(|n| by_if_let(&quarters(n))) }

    fn by_a_mutable_reference(x: &[f32]) -> Option<(usize, f32)> {
        let mut best: Option<(usize, f32)> = None;
        for (i, &d) in x.iter().enumerate() {
            match &mut best {
                Some(b) => {
                    if d > b.1 {
                        *b = (i, d);
                    }
                }
                None => best = Some((i, d)),
            }
        }
        best
    } => { each(|n| by_a_mutable_reference(&quarters(n))) }

    fn by_value(x: &[i32]) -> (Option<i32>, Option<(i32, usize)>, Option<(i32, usize)>) {
        let mut least: Option<i32> = None;
        let mut first = None;
        let mut greatest: Option<(i32, usize)> = None;
        for (i, &d) in x.iter().enumerate() {
            least = match least {
                None => Some(d),
                Some(b) if d < b => Some(d),
                b => b,
            };
            first = Some(match first {
                None => (d, i),
                Some((b, j)) if b <= d => (b, j),
                _ => (d, i),
            });
            greatest = Some(match greatest {
                Some(b) if b.0 >= d => b,
                _ => (d, i),
            });
        }
        (least, first, greatest)
    } => { each(|n| by_value(&ints(n))) }

    fn by_a_name(x: &[i32]) -> Option<(i32, usize)> {
        let mut best: Option<(i32, usize)> = None;
        for (i, &d) in x.iter().enumerate() {
            let better = match best {
                None => true,
                Some((b, _)) => d < b,
            };
            if better {
                best = Some((d, i));
            }
        }
        best
    } => { each(|n| by_a_name(&ints(n))) }

    fn both_ends(x: &[f32]) -> (Option<(usize, f32)>, Option<(usize, f32)>) {
        let (mut lo, mut hi): (Option<(usize, f32)>, Option<(usize, f32)>) = (None, None);
        for (i, &d) in x.iter().enumerate() {
            if lo.is_none_or(|(_, b)| d < b) {
                lo = Some((i, d));
            }
            if !hi.is_some_and(|(_, b)| d <= b) {
                hi = Some((i, d));
            }
        }
        (lo, hi)
    } => { each(|n| both_ends(&quarters(n))) }

    fn in_a_field(of: &mut Account, x: &[u32]) {
        for (i, &d) in x.iter().enumerate() {
            if of.best.map_or(true, |(_, b)| d < b) {
                of.best = Some((i, d));
            }
        }
    } => { each(|n| {
        let mut of = account();
        in_a_field(&mut of, &words(n, 5000));
        of.best
    }) }

    fn closest_word(query: &str, words: &[String]) -> Option<(usize, usize)> {
        let mut best: Option<(usize, usize)> = None;
        for (k, word) in words.iter().enumerate() {
            let mut row = Vec::new();
            let d = distance(query.as_bytes(), word.as_bytes(), &mut row);
            if best.map_or(true, |(_, b)| d < b) {
                best = Some((k, d));
            }
        }
        best
    } => { each(|n| {
        let words: Vec<String> = text(n).split(' ').map(str::to_owned).collect();
        closest_word("mat", &words)
    }) }

    fn least_pair(x: &[i32]) -> (i32, usize) {
        let mut best = (i32::MAX, 0);
        for (i, &d) in x.iter().enumerate() {
            if (d, i) < best {
                best = (d, i);
            }
        }
        best
    } => { each(|n| least_pair(&ints(n))) }

    fn least_pair_by_name(x: &[i32]) -> (i32, usize) {
        let mut best = (i32::MAX, 0);
        for (i, &d) in x.iter().enumerate() {
            let item = (d, i);
            if item < best {
                best = item;
            }
        }
        best
    } => { each(|n| least_pair_by_name(&ints(n))) }

    fn ties_go_to_the_least(s: &[f32], id: &[u32]) -> (f32, u32) {
        let mut best = f32::MIN;
        let mut at = u32::MAX;
        for i in 0..s.len() {
            if s[i] > best || (s[i] == best && id[i] < at) {
                best = s[i];
                at = id[i];
            }
        }
        (best, at)
    } => { with_nans(|s| ties_go_to_the_least(s, &words(s.len(), 1000))) }

    fn asked_of_better_items_alone(d: &[u32], k: &[usize], ok: &[bool]) -> (u32, usize) {
        let mut best = u32::MAX;
        let mut at = 0;
        for i in 0..d.len() {
            if d[i] < best && ok[k[i]] {
                best = d[i];
                at = i;
            }
        }
        (best, at)
    } => { each(|n| {
        let _quiet = quiet();
        let d: Vec<u32> = (0..n as u32).collect();
        // What is out of range is asked for by parts of the loop alone, or by the loop.
        [0, n / 2].map(|last| {
            let k: Vec<usize> = (0..n).map(|i| if i <= last { i % 9 } else { 100 }).collect();
            let ok: Vec<bool> = (0..9).map(|i| last == 0 && i == 0).collect();
            format!("{:?}", expected(|| asked_of_better_items_alone(&d, &k, &ok)))
        })
    }) }

    fn a_panic_on_the_way(x: &[i32], k: &[usize], out: &mut [i32]) -> Option<(usize, i32)> {
        let mut best: Option<(usize, i32)> = None;
        let mut top = 0;
        for i in 0..k.len() {
            let d = x[k[i]];
            if d > top {
                top = d;
            }
            out[i] = top;
            if best.is_none_or(|(_, b)| d < b) {
                best = Some((i, d));
            }
        }
        best
    } => { each(|n| {
        let _quiet = quiet();
        let x = ints(n);
        let mut k: Vec<usize> = words(n, n as u32).iter().map(|k| *k as usize).collect();
        let whole = format!("{:?}", expected(|| a_panic_on_the_way(&x, &k, &mut vec![0; n])));
        for (at, past) in [(n / 2, 5), (n / 2 + 7, 6)] {
            if let Some(k) = k.get_mut(at) {
                *k = n + past;
            }
        }
        (whole, format!("{:?}", expected(|| a_panic_on_the_way(&x, &k, &mut vec![0; n]))))
    }) }

    fn option_of_a_string(x: &[String]) -> Option<String> {
        let mut best: Option<String> = None;
        for s in x {
            if best.as_ref().map_or(true, |b| s.len() < b.len()) {
                best = Some(s.clone());
            }
        }
        best
    } refused H028 => { option_of_a_string(&["a".to_owned(), String::new()]) }

    fn longest_row(rows: &[Vec<u32>]) -> usize {
        let mut best = 0;
        for row in rows {
            if row.len() > best {
                best = row.len()
            }
        }
        best
    } => { each(|n| longest_row(&words(n, 9).chunk_by(|a, b| a <= b).map(<[u32]>::to_vec).collect::<Vec<_>>())) }

    fn longest_and_shortest_line(text: &str) -> (usize, usize, usize) {
        let (mut most, mut at, mut least) = (0, 0, usize::MAX);
        for (i, line) in text.lines().enumerate() {
            if line.chars().count() >= most {
                most = line.chars().count();
                at = i;
            }
            if least > line.trim().len() {
                least = line.trim().len();
            }
        }
        (most, at, least)
    } => { each(|n| longest_and_shortest_line(&words(n, 9).iter().map(|w| if *w < 2 { "\n" } else { "é" }).collect::<String>())) }

    fn corners_of_points(points: &[Point]) -> Corners {
        let mut c = Corners { low: Point { x: f32::MAX, y: f32::MAX }, high: Point { x: f32::MIN, y: f32::MIN } };
        for p in points {
            if p.x < c.low.x {
                c.low.x = p.x;
            }
            if p.y < c.low.y {
                c.low.y = p.y;
            }
            if c.high.x < p.x {
                c.high.x = p.x;
            }
            if p.y >= c.high.y {
                c.high.y = p.y;
            }
        }
        c
    } => { each(|n| corners_of_points(&points(n))) }

    fn furthest_point(points: &[Point]) -> (f32, usize, f32) {
        let (mut most, mut at, mut least) = (f32::MIN, 0, f32::MAX);
        for i in 0..points.len() {
            if points[i].x + points[i].y > most {
                most = points[i].x + points[i].y;
                at = i;
            }
            if points[i].y < least {
                least = points[i].y;
            }
        }
        (most, at, least)
    } => { each(|n| furthest_point(&points(n))) }

    fn corners_of_arrays(points: &[[f32; 3]]) -> ([f32; 3], [f32; 3]) {
        let (mut low, mut high) = ([f32::MAX; 3], [f32::MIN; 3]);
        for p in points {
            for k in 0..3 {
                if p[k] < low[k] {
                    low[k] = p[k];
                }
                if p[k] > high[k] {
                    high[k] = p[k];
                }
            }
        }
        (low, high)
    } => { each(|n| corners_of_arrays(quarters(3 * n).as_chunks().0)) }

    fn range_of_what_is_there(x: &[i64], ok: &[bool]) -> Option<(i64, i64)> {
        let mut range: Option<(i64, i64)> = None;
        for i in 0..x.len() {
            if !ok[i] {
                continue;
            }
            let v = x[i];
            range = match range {
                None => Some((v, v)),
                Some((low, high)) => Some((low.min(v), high.max(v))),
            };
        }
        range
    } => { each(|n| {
        let x: Vec<i64> = ints(n).iter().map(|x| i64::from(*x)).collect();
        [2, 1000].map(|k| range_of_what_is_there(&x, &words(n, k).iter().map(|w| *w == 0).collect::<Vec<_>>()))
    }) }

    fn folds_by_value(x: &[i32], start: Option<i32>) -> [Option<i32>; 7] {
        let mut a: Option<i32> = None;
        let mut b: Option<i32> = start;
        let mut c: Option<i32> = None;
        let mut d: Option<i32> = None;
        let mut e: Option<i32> = start;
        let mut f: Option<i32> = None;
        let mut g: Option<i32> = None;
        for &v in x {
            a = Some(match a { Some(old) => old.max(v), None => v });
            b = b.map_or(Some(v), |old| Some(old.min(v)));
            c = Some(c.map_or(v, |old| std::cmp::max(v, old)));
            if let Some(old) = d {
                d = Some(old + v);
            } else {
                d = Some(v);
            }
            match &mut e {
                Some(old) => *old += v,
                None => e = Some(v),
            }
            f = Some(f.unwrap_or(0) + v);
            if v > 0 {
                g = g.max(Some(v));
            }
        }
        [a, b, c, d, e, f, g]
    } => { each(|n| (folds_by_value(&ints(n), None), folds_by_value(&ints(n), Some(-7)))) }

    fn most_of_floats(x: &[f32]) -> Option<f32> {
        let mut most = None;
        for v in x {
            most = Some(match most { None => *v, Some(old) => f32::max(old, *v) });
        }
        most
    } => { each(|n| {
        let (mut some, all) = (quarters(n), vec![f32::NAN; n]);
        some.iter_mut().step_by(3).for_each(|v| *v = f32::NAN);
        (most_of_floats(&some), most_of_floats(&all).map(f32::is_nan))
    }) }

    fn best_in_each_row(x: &[u32], wide: usize) -> Vec<Option<u32>> {
        let mut found = Vec::new();
        for row in x.chunks(wide) {
            let mut best: Option<u32> = None;
            for v in row {
                if *v % 2 == 0 {
                    best = Some(match best { Some(old) => old.max(*v), None => *v });
                }
            }
            found.push(best);
        }
        found
    } => { each(|n| best_in_each_row(&words(n, 90), 5)) }

    fn highest_by_reference(keys: &[usize], x: &[f64]) -> Vec<f64> {
        let mut high = vec![f64::MIN; 9];
        for (k, v) in keys.iter().zip(x) {
            let h = &mut high[*k];
            if *v > *h {
                *h = *v;
            }
        }
        high
    } => { each(|n| highest_by_reference(&words(n, 9).iter().map(|k| *k as usize).collect::<Vec<_>>(), &doubles(n))) }
}
