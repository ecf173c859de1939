//! Loops that run as they are written where they go in order: over fields, rows behind names of their own, items that closures make, and long texts.

use super::*;

/// Sums over rectangles from the corner on.
#[derive(Clone, Debug, Default)]
pub(super) struct Integral {
    stride: usize,
    sums: Vec<u64>,
    seen: Vec<u32>,
}

/// Four prices and a volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candle {
    open: f32,
    high: f32,
    low: f32,
    close: f32,
    volume: u64,
}

impl Candle {
    fn update(&mut self, price: f32, quantity: u32) {
        if price > self.high {
            self.high = price;
        }
        if price < self.low {
            self.low = price;
        }
        self.close = price;
        self.volume += u64::from(quantity);
    }
}

fn integral(w: usize, h: usize) -> Integral {
    Integral {
        stride: w + 1,
        sums: vec![0; (w + 1) * (h + 1)],
        seen: vec![0; (w + 1) * (h + 1)],
    }
}

/// Lines of words, some of which are no ASCII, empty lines among them.
fn lines(n: usize) -> String {
    let words = [
        "a",
        "grün",
        "\u{2003}",
        "longer than others",
        "",
        "7.5",
        "-3",
        "ß,b,",
        "\r",
    ];
    let word = |i: usize| words[(i * i / 7 + i) % words.len()];
    let by = |i: usize| [" ", "\n", ",", "\n\n", "\r\n"][(i * 5 / 3) % 5];
    (0..n).map(|i| format!("{}{}", word(i), by(i))).collect()
}

/// Bins beside what is counted, which is another's.
struct Counted<'a> {
    of: &'a Vec<u32>,
    bins: Vec<u32>,
}

loops! {
    fn into_last(x: &mut [u32], y: &[u32], out: &mut [u32]) -> u32 {
        let last = x.last_mut().unwrap();
        for v in y {
            *last = last.wrapping_add(*v);
        }
        let Some((first, rest)) = x.split_first_mut() else { return 0 };
        for v in &*rest {
            *first = (*first).max(*v);
        }
        if let Some(sum) = rest.get_mut(1) {
            for (v, o) in y.iter().zip(out) {
                *sum += *v;
                *o = *sum;
            }
        }
        *first
    } => {
        let (mut x, mut o) = (words(30, 500), vec![0; 9_000]); (into_last(&mut x, &words(9_000, 500), &mut o), x, o)
    }

    fn a_copy_of_what_is_shared(c: &mut Counted<'_>) {
        for i in 0..c.of.len() {
            let v = c.of[i];
            c.bins[(v % 8) as usize] += v.checked_add(8).unwrap();
        }
    } => { let mut c = Counted { of: &words(3000, 50), bins: vec![0; 8] }; a_copy_of_what_is_shared(&mut c); c.bins }

    fn summed_area(it: &mut Integral, pixels: &[u8], width: usize, height: usize) {
        for y in 0..height {
            let mut row = 0u64;
            for x in 0..width {
                row += pixels[y * width + x] as u64;
                it.sums[(y + 1) * it.stride + x + 1] = it.sums[y * it.stride + x + 1] + row;
            }
        }
    } => { let mut it = integral(70, 40); for _ in 0..3 { summed_area(&mut it, &bytes(2800), 70, 40); } it }

    fn marked(it: &mut Integral) {
        for i in 0..it.seen.len() {
            assert!(i < it.seen.len() && it.stride > 0, "{}", it.stride);
            it.seen[i] = it.sums[i] as u32 + it.seen.len() as u32;
        }
    } => { let mut it = integral(70, 40); for _ in 0..3 { marked(&mut it); } it }

    fn both(it: &mut Integral) -> u64 {
        let mut total = 0;
        for i in 0..it.sums.len() {
            it.sums[i] += i as u64 % 3;
            it.seen[i] += it.sums[i] as u32;
            total += it.sums[i];
        }
        total
    } => { let mut it = integral(70, 40); let totals: Vec<u64> = (0..3).map(|_| both(&mut it)).collect(); (it, totals) }

    fn eliminated(a: &mut [Vec<f64>]) {
        let n = a.len();
        for k in 0..n {
            let (head, tail) = a.split_at_mut(k + 1);
            let pivot = &head[k];
            for row in tail.iter_mut() {
                let f = row[k] / pivot[k];
                row[k] = f;
                for j in k + 1..n {
                    row[j] -= f * pivot[j];
                }
            }
        }
    } => { let mut a: Vec<Vec<f64>> = (0..20).map(|i| (0..20).map(|j| (1 + (i * j) % 7 + 30 * usize::from(i == j)) as f64).collect()).collect(); eliminated(&mut a); a }

    fn halves_added(data: &mut [u32]) {
        let (low, high) = data.split_at_mut(data.len() / 2);
        for (a, b) in low.iter_mut().zip(high) {
            *a = a.wrapping_add(*b);
        }
    } => { let mut data = words(999, 5000); halves_added(&mut data); data }

    fn candles(ticks: &[(f32, u32)], each: usize) -> Vec<Candle> {
        ticks.chunks(each).map(|c| {
            let p = c[0].0;
            let mut candle = Candle { open: p, high: p, low: p, close: p, volume: 0 };
            for &(price, quantity) in c {
                candle.update(price, quantity);
            }
            candle
        }).collect()
    } => { let ticks: Vec<(f32, u32)> = words(4000, 64).iter().map(|w| (*w as f32 / 8.0, *w)).collect(); candles(&ticks, 30) }

    fn up_to_zero(rows: &[Vec<u32>]) -> Vec<u32> {
        rows.iter().map(|row| {
            let mut sum = 0;
            for v in row {
                if *v == 0 {
                    break;
                }
                sum += *v;
            }
            sum
        }).collect()
    } => { let rows: Vec<Vec<u32>> = words(3000, 20).chunks(30).map(<[u32]>::to_vec).collect(); up_to_zero(&rows) }

    fn extremes(x: &[f32]) -> (f32, f32, usize) {
        let (mut low, mut high, mut above) = (f32::INFINITY, f32::NEG_INFINITY, 0);
        for &v in x.iter() {
            if v < low {
                low = v;
            }
            if v > high {
                high = v;
            }
        }
        for &v in x {
            if v > 0.5 * (low + high) {
                above += 1;
            }
        }
        (low, high, above)
    } => { let x: Vec<f32> = words(3000, 1000).iter().map(|w| *w as f32 * 0.25 - 70.0).collect(); (extremes(&x), extremes(&[]), extremes(&[f32::NAN, 1.0])) }

    fn line_lengths(text: &str, counts: &mut [u32; 32]) {
        for line in text.lines() {
            counts[line.len().min(31)] += 1;
        }
    } => { let (mut counts, text) = ([0; 32], lines(5000)); line_lengths(&text, &mut counts); counts }

    fn word_numbers(text: &String) -> Vec<usize> {
        let mut at = Vec::new();
        for (i, word) in text.split_whitespace().enumerate() {
            if word.starts_with('g') {
                at.push(i);
            }
        }
        at
    } => { word_numbers(&lines(5000)) }

    fn fields_between(text: &str) -> Vec<usize> {
        let mut lengths = Vec::new();
        for field in text.split(',') {
            lengths.push(field.len());
        }
        lengths
    } => { fields_between(&lines(5000)) }

    fn letters(text: &str, counts: &mut [u32; 64]) {
        for (at, c) in text.char_indices() {
            counts[(c as usize + at) % 64] += 1;
        }
    } => { let mut counts = [0; 64]; letters(&lines(2000), &mut counts); letters(&"plain ascii ".repeat(300), &mut counts); counts }

    fn placed_bytes(keys: &[u8], from: usize, counts: &mut [u32; 256]) {
        for i in from..keys.len() {
            counts[keys[i] as usize] += 1;
        }
    } => { let mut counts = [0; 256]; placed_bytes(&bytes(5000), 7, &mut counts); counts }
}
