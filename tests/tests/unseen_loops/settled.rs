//! Elements that keep the best of what comes to them with what belongs to it, and best items of which more is kept than numbers: what is looked up only for items that are kept, strings,
//! structs that are not `Copy`.

use super::*;

const COUNTS: [usize; 5] = [0, 1, 2, 777, 20_001];

fn each<R: std::fmt::Debug>(call: impl Fn(usize) -> R) -> Vec<String> {
    COUNTS.map(|count| format!("{:?}", call(count))).to_vec()
}

#[derive(Clone, Copy, Debug)]
struct Fragment {
    x: usize,
    y: usize,
    z: f32,
    rgb: [u8; 3],
}

/// One of every five has a depth that is NaN where `nan` says so.
fn fragments(count: usize, nan: bool) -> Vec<Fragment> {
    let (z, at) = (quarters(count), words(count, 64));
    let fragment = |i: usize| Fragment {
        x: at[i] as usize % 8,
        y: at[i] as usize / 8,
        z: if nan && i % 5 == 2 { f32::NAN } else { z[i] },
        rgb: [i as u8, (i >> 8) as u8, 7],
    };
    (0..count).map(fragment).collect()
}

#[derive(Clone, Debug, Default)]
struct Pixel {
    z: f32,
    of: Option<usize>,
}

struct Buffers {
    wide: usize,
    depth: Vec<f32>,
    color: Vec<[u8; 3]>,
}

#[derive(Clone, Debug, PartialEq)]
struct Split {
    feature: usize,
    names: Vec<String>,
    score: f32,
}

struct Item {
    name: String,
    parts: Vec<f32>,
    fine: bool,
}

struct Named {
    name: String,
    size: f32,
}

/// Those that are not fine have no parts.
fn items(count: usize) -> Vec<Item> {
    let x = quarters(count);
    let item = |i: usize| Item {
        name: format!("n{i}"),
        parts: if i % 3 == 0 {
            vec![x[i], -x[i]]
        } else {
            vec![]
        },
        fine: i % 3 == 0,
    };
    (0..count).map(item).collect()
}

/// Paper beats stone, scissors paper, and stone scissors: no order.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Hand(u8);

impl PartialOrd for Hand {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(match (3 + self.0 - other.0) % 3 {
            0 => std::cmp::Ordering::Equal,
            1 => std::cmp::Ordering::Greater,
            _ => std::cmp::Ordering::Less,
        })
    }
}

/// Of what only the best items ask.
fn known(x: &[f32]) -> Vec<u32> {
    let last = (0..x.len())
        .filter(|i| x[..*i].iter().all(|v| *v > x[*i]))
        .max();
    words(last.map_or(0, |i| i + 1), 900)
}

loops! {
    fn depth_buffer(fragments: &[Fragment], wide: usize, depth: &mut [f32], color: &mut [[u8; 3]]) {
        for f in fragments {
            let p = f.y * wide + f.x;
            if f.z < depth[p] {
                depth[p] = f.z;
                color[p] = f.rgb;
            }
        }
    } => { each(|n| {
        let mut all = Vec::new();
        for nan in [false, true] {
            for far in [f32::INFINITY, 3.0, f32::NAN] {
                let (mut depth, mut color) = (vec![far; 64], vec![[0; 3]; 64]);
                depth_buffer(&fragments(n, nan), 8, &mut depth, &mut color);
                all.push((depth, color));
            }
        }
        all
    }) }

    fn hands_that_win(games: &[(usize, Hand)], hands: &mut [Hand], of: &mut [usize]) {
        for (game, &(table, hand)) in games.iter().enumerate() {
            if table < of.len() && hands[table] < hand {
                hands[table] = hand;
                of[table] = game;
            }
        }
    } => { each(|n| {
        let (table, hand) = (words(n, 12), words(n + 3, 3));
        let games: Vec<_> = (0..n).map(|i| (table[i] as usize, Hand(hand[i + 3] as u8))).collect();
        let (mut hands, mut of) = ([Hand(0); 10], [0; 10]);
        hands_that_win(&games, &mut hands, &mut of);
        (hands, of)
    }) }

    fn depth_of_rows(fragments: &[Fragment], rows: &mut [Vec<Pixel>]) {
        for (i, f) in fragments.iter().enumerate() {
            if f.rgb[0] != 9 && rows[f.y][f.x].z > f.z {
                rows[f.y][f.x] = Pixel { of: Some(i), z: f.z };
            }
        }
    } => { each(|n| {
        let mut rows = vec![vec![Pixel { z: 2.5, of: None }; 8]; 8];
        depth_of_rows(&fragments(n, true), &mut rows);
        rows
    }) }

    fn latest_of_each(events: &[(u32, u32, i32)], when: &mut Vec<u32>, what: &mut Vec<i32>) {
        for &(user, time, kind) in events {
            let u = user as usize;
            if u < when.len() && time >= when[u] {
                when[u] = time;
                what[u] = kind;
            }
        }
    } => { each(|n| {
        let (user, time) = (words(n, 50), words(n, 30));
        let events: Vec<_> = (0..n).map(|i| (user[i], time[i], i as i32)).collect();
        let (mut when, mut what) = (vec![0; 40], vec![-1; 40]);
        latest_of_each(&events, &mut when, &mut what);
        (when, what)
    }) }

    fn brightest_of_each_tile(pixels: &[f32], wide: usize, tile: usize) -> Vec<(f32, usize, usize)> {
        let high = pixels.len() / wide;
        let across = wide.div_ceil(tile);
        let mut top = vec![(f32::MIN, 0, 0); across * high.div_ceil(tile)];
        for y in 0..high {
            for x in 0..wide {
                let v = pixels[y * wide + x];
                if v > top[y / tile * across + x / tile].0 {
                    top[y / tile * across + x / tile] = (v, y, x);
                }
            }
        }
        top
    } => { each(|n| brightest_of_each_tile(&quarters(n), 60, 7)) }

    fn drawn(buffers: &mut Buffers, fragments: &[Fragment], only: &[bool]) -> usize {
        let mut seen = 0;
        for (f, &only) in fragments.iter().zip(only) {
            if only {
                continue;
            }
            let p = f.y * buffers.wide + f.x;
            seen += 1;
            if buffers.depth[p] >= f.z {
                buffers.color[p] = f.rgb;
                buffers.depth[p] = f.z;
            }
        }
        seen
    } => { each(|n| {
        let mut buffers = Buffers { wide: 8, depth: vec![1.0; 64], color: vec![[1; 3]; 64] };
        let only: Vec<bool> = words(n, 4).iter().map(|x| *x == 0).collect();
        (drawn(&mut buffers, &fragments(n, false), &only), buffers.depth, buffers.color)
    }) }

    fn best_split(columns: &[Vec<f32>], least: usize) -> Option<Split> {
        let mut best: Option<Split> = None;
        for (feature, column) in columns.iter().enumerate() {
            let score: f32 = column.iter().map(|v| v.abs()).sum();
            if column.len() >= least && best.as_ref().map_or(true, |b| score < b.score) {
                best = Some(Split { feature, names: vec![format!("{feature}")], score });
            }
        }
        best
    } => { each(|n| best_split(&quarters(n).chunks(7).map(|c| c.to_vec()).collect::<Vec<_>>(), 7)) }

    fn name_of_the_least(x: &[f32], names: &[u32]) -> (f32, u32) {
        let (mut best, mut name) = (f32::MAX, 0);
        for i in 0..x.len() {
            if x[i] < best {
                best = x[i];
                name = names[i];
            }
        }
        (best, name)
    } => { each(|n| name_of_the_least(&quarters(n), &known(&quarters(n)))) }

    fn name_of_the_least_behind_a_let(x: &[f32], names: &[u32]) -> (f32, u32) {
        let (mut best, mut of) = (f32::MAX, 0);
        for i in 0..x.len() {
            if x[i] < best {
                let name = names[i];
                best = x[i];
                of = name;
            }
        }
        (best, of)
    } => { each(|n| name_of_the_least_behind_a_let(&quarters(n), &known(&quarters(n)))) }

    fn least_beside_others(x: &[f32], names: &[u32], twice: &mut [f32]) -> u32 {
        let (mut best, mut name) = (f32::MAX, 0);
        for i in 0..x.len() {
            twice[i] = 2.0 * x[i];
            if x[i] < best {
                best = x[i];
                name = names[i];
            }
        }
        name
    } => { each(|n| {
        let mut twice = vec![0.0; n];
        (least_beside_others(&quarters(n), &known(&quarters(n)), &mut twice), twice)
    }) }

    fn first_that_is_fine(items: &[Item], above: f32) -> Option<(String, f32)> {
        let mut found = None;
        for item in items {
            if found.is_none() && item.fine && item.parts[0] > above {
                found = Some((item.name.to_uppercase(), item.parts[item.parts.len() - 1]));
            }
        }
        found
    } => { each(|n| [-90.0, 12.0, 99.0].map(|above| first_that_is_fine(&items(n), above))) }

    fn longest_row(rows: &[Vec<f32>]) -> (Vec<f32>, f32) {
        let mut most = f32::MIN;
        let mut row = vec![];
        for r in rows {
            let sum: f32 = r.iter().sum();
            if sum > most {
                most = sum;
                row = r.clone();
            }
        }
        (row, most)
    } => { each(|n| longest_row(&quarters(n).chunks(4).map(|c| c.to_vec()).collect::<Vec<_>>())) }

    fn name_of_the_largest(items: &[Named], words: &[u32]) -> (String, f32, usize) {
        let (mut best, mut name, mut at) = (f32::MIN, String::new(), 0);
        for (i, item) in items.iter().enumerate() {
            if item.size > best {
                best = item.size;
                name = item.name.clone() + &words[i].to_string();
                at = i;
            }
        }
        (name, best, at)
    } => { each(|n| {
        let below: Vec<f32> = quarters(n).iter().map(|x| -x).collect();
        let item = |(i, x): (usize, &f32)| Named { name: format!("n{i}"), size: *x };
        name_of_the_largest(&quarters(n).iter().enumerate().map(item).collect::<Vec<_>>(), &known(&below))
    }) }

    fn longest_word(words: &[&str]) -> String {
        let (mut most, mut longest) = (0, String::new());
        for w in words {
            if w.len() > most {
                most = w.len();
                longest = w.to_string();
            }
        }
        longest
    } => { each(|n| longest_word(&text(n).split(' ').collect::<Vec<_>>())) }

    fn relaxed(edges: &[(usize, usize, i32)], dist: &[i32], next: &mut [i32], parent: &mut [usize]) -> (bool, u32) {
        let (mut changed, mut times) = (false, 0);
        for (i, &(from, to, weight)) in edges.iter().enumerate() {
            let d = dist[from] + weight;
            if d < next[to] {
                next[to] = d;
                parent[to] = i;
                changed = true;
                times += 1;
            }
        }
        (changed, times)
    } => { each(|n| {
        let (from, to, weight) = (words(n, 60), words(n + 7, 60), ints(n));
        let edges: Vec<_> = (0..n).map(|i| (from[i] as usize, to[i + 7] as usize, weight[i])).collect();
        let (dist, mut parent) = (ints(60), [0; 60]);
        let mut next = dist.clone();
        (relaxed(&edges, &dist, &mut next, &mut parent), next, parent)
    }) }
}
