//! From games, finance, geography and learning: bins in fields by what items say, references that are chosen, grids by one number, buffers with room.

use super::*;

#[derive(Clone, Debug)]
struct Hit {
    from: usize,
    to: usize,
    amount: u32,
}

#[derive(Clone, Debug, Default)]
struct Score {
    dealt: u64,
    taken: u64,
    biggest: u32,
}

fn hits(count: usize) -> Vec<Hit> {
    let hit = |w: &[u32]| Hit {
        from: w[0] as usize % 30,
        to: w[1] as usize % 30,
        amount: w[2],
    };
    words(3 * count, 900).chunks(3).map(hit).collect()
}

#[derive(Clone, Debug, PartialEq)]
struct Bounds {
    low: [f32; 3],
    high: [f32; 3],
    count: usize,
}

impl Bounds {
    const EMPTY: Bounds = Bounds {
        low: [f32::INFINITY; 3],
        high: [f32::NEG_INFINITY; 3],
        count: 0,
    };
}

fn triples(count: usize) -> Vec<[f32; 3]> {
    let x = quarters(3 * count);
    x.chunks(3).map(|x| [x[0], x[1], x[2]]).collect()
}

#[derive(Debug, Default)]
struct Tally {
    even: u64,
    odd: u64,
}

struct Spins {
    wide: usize,
    high: usize,
    of: Vec<i8>,
}

loops! {
    fn scoreboard(hits: &[Hit], players: usize) -> Vec<Score> {
        let mut board = vec![Score::default(); players];
        for h in hits {
            board[h.from].dealt += h.amount as u64;
            board[h.to].taken += h.amount as u64;
            board[h.from].biggest = board[h.from].biggest.max(h.amount);
        }
        board
    } => { scoreboard(&hits(4000), 30) }

    fn bounds(points: &[[f32; 3]]) -> Bounds {
        let mut all = Bounds::EMPTY;
        for p in points {
            for k in 0..3 {
                all.low[k] = all.low[k].min(p[k]);
                all.high[k] = all.high[k].max(p[k]);
            }
            all.count += 1;
        }
        all
    } => { bounds(&triples(3000)) }

    fn bounds_of_each_and_all(parts: &[[u32; 3]], points: &[[f32; 3]], all: &mut Bounds) -> Vec<Bounds> {
        let mut each = vec![Bounds::EMPTY; parts.len()];
        for (part, b) in parts.iter().zip(each.iter_mut()) {
            for &i in part {
                for k in 0..3 {
                    b.low[k] = b.low[k].min(points[i as usize][k]);
                }
            }
            for k in 0..3 {
                all.low[k] = all.low[k].min(b.low[k]);
            }
        }
        each
    } => {
        let parts: Vec<[u32; 3]> = words(900, 200).chunks(3).map(|w| [w[0], w[1], w[2]]).collect();
        let mut all = Bounds::EMPTY;
        (bounds_of_each_and_all(&parts, &triples(200), &mut all), all)
    }

    fn depth_of_both_sides(ticks: &[i32], sizes: &[u32], levels: usize) -> (Vec<u64>, Vec<u64>) {
        let mut bids = vec![0u64; levels];
        let mut asks = vec![0u64; levels];
        for (&tick, &size) in ticks.iter().zip(sizes) {
            let level = tick.unsigned_abs() as usize;
            if level >= levels {
                continue;
            }
            let side = if tick < 0 { &mut bids } else { &mut asks };
            side[level] += size as u64;
        }
        (bids, asks)
    } => { depth_of_both_sides(&ints(3000), &words(3000, 90), 60) }

    fn one_of_three(x: &[i32], more: &mut [u32], less: &mut [u32], none: &mut [u32]) {
        for &v in x {
            let h = match v.signum() {
                1 => &mut *more,
                -1 => &mut *less,
                _ => &mut *none,
            };
            let k = v.unsigned_abs() as usize % 16;
            h[k] += 1;
            if k > 3 {
                h[0] += k as u32;
            }
        }
    } => {
        let (mut a, mut b, mut c) = ([0; 16], [0; 16], [0; 16]);
        one_of_three(&ints(3000), &mut a, &mut b, &mut c);
        (a, b, c)
    }

    fn parities(x: &[i32]) -> Tally {
        let mut tally = Tally::default();
        for &v in x {
            let n = if v % 2 == 0 { &mut tally.even } else { &mut tally.odd };
            *n += 1;
        }
        tally
    } => { parities(&ints(3000)) }

    fn spins_of_one_colour(s: &mut Spins, colour: usize) -> i32 {
        let mut field = 0;
        for k in 0..s.wide * s.high {
            let (y, x) = (k / s.wide, k % s.wide);
            if (y + x) % 2 != colour {
                continue;
            }
            let around = s.of[(y + 1) % s.high * s.wide + x] + s.of[(y + s.high - 1) % s.high * s.wide + x]
                + s.of[y * s.wide + (x + 1) % s.wide] + s.of[y * s.wide + (x + s.wide - 1) % s.wide];
            field += around as i32;
            s.of[k] = if around > 0 { 1 } else { -1 };
        }
        field
    } => {
        // With odd sizes cells of one colour are neighbours at the seam.
        [(40, 30), (7, 9), (0, 4), (2, 2)].map(|(wide, high)| {
            let of = bytes(wide * high).iter().map(|b| if *b < 99 { 1 } else { -1 }).collect();
            let mut s = Spins { wide, high, of };
            (spins_of_one_colour(&mut s, 1), s.of)
        })
    }

    fn relaxed_by_signed_numbers(u: &mut [f32], w: i32, h: i32) {
        for i in 0..w * h {
            let (x, y) = (i % w, i / w);
            if x == 0 || y == 0 || x == w - 1 || y == h - 1 || (x + y) % 2 == 0 {
                continue;
            }
            u[i as usize] = 0.25 * (u[(i - 1) as usize] + u[(i + 1) as usize] + u[(i - w) as usize] + u[(i + w) as usize]);
        }
    } => {
        let mut u = quarters(900);
        relaxed_by_signed_numbers(&mut u, 30, 30);
        // Both are negative, and their product is not: as many cells, of which none is an edge's.
        relaxed_by_signed_numbers(&mut u, 0, -3);
        u
    }

    fn rates_of_thresholds(scores: &[f32], good: &[bool], thresholds: &[f32]) -> Vec<(u32, u32, u32)> {
        let mut table = vec![(0, 0, 0); thresholds.len()];
        for (s, &good) in scores.iter().zip(good) {
            for (row, t) in table.iter_mut().zip(thresholds) {
                match (s >= t, good) {
                    (true, true) => row.0 += 1,
                    (true, false) => row.1 += 1,
                    (false, _) => row.2 += 1,
                }
            }
        }
        table
    } => {
        let good: Vec<bool> = bytes(2000).iter().map(|b| b % 3 == 0).collect();
        rates_of_thresholds(&quarters(2000), &good, &[-4.0, 0.0, 1.5, 9.0])
    }

    fn medians(frames: &[Vec<u8>]) -> Vec<u8> {
        let n = frames[0].len();
        let mut out = vec![0; n];
        let mut buf = Vec::with_capacity(frames.len());
        for i in 0..n {
            buf.clear();
            buf.extend(frames.iter().map(|f| f[i]));
            buf.sort_unstable();
            out[i] = buf[buf.len() / 2];
        }
        out
    } => {
        let x = bytes(2000);
        medians(&x.chunks(400).map(|c| c.to_vec()).collect::<Vec<_>>())
    }

    fn sum_of_odd_ones_on_the_way(x: &[u32], y: &[u32]) -> (u32, Vec<u32>) {
        let mut odd = 0;
        let mut kept = vec![];
        for (a, b) in x.iter().zip(y).inspect(|(a, _)| odd += **a & 1).filter(|(a, b)| a > b) {
            kept.push(a - b);
        }
        (odd, kept)
    } => { sum_of_odd_ones_on_the_way(&words(2000, 90), &words(2001, 70)[1..]) }

    fn lengths_of_words(text: &str) -> [usize; 16] {
        let mut lengths = [0; 16];
        for word in text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|w| !w.is_empty()) {
            lengths[word.chars().count().min(15)] += 1;
        }
        lengths
    } => { lengths_of_words(&text(4000)) }
}
