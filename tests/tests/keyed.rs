//! Maps and sets that loops group by keys, as people write them: each without the attribute is the judge, in parts and in order.

#![allow(clippy::all, unused, reason = "loops are written as people write them")]

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::fmt::Debug;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::net::Ipv4Addr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

use accrue::__bench::with_strategy;
use accrue::offload;

/// Ways to run a loop: in order, and in parts.
const WAYS: [&str; 4] = [
    "sequential",
    "private:workers=1",
    "private:workers=3",
    "private:workers=3,parts=7",
];

#[derive(Clone, Debug, PartialEq, accrue::Plain)]
struct Order {
    customer: u32,
    item: String,
    amount: f64,
    time: u64,
}

#[derive(Clone, Debug, PartialEq, Default)]
struct Summary {
    count: u32,
    total: f64,
    max: f64,
    first: u64,
    last: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Kind {
    A,
    B,
    Other(u32),
}

struct Shop {
    lines: Vec<String>,
    text: String,
    orders: Vec<Order>,
    edges: Vec<(u32, u32)>,
}

struct Readings {
    k: Vec<u32>,
    v: Vec<i64>,
    f: Vec<f64>,
    s: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Level {
    Info,
    Warn,
    Error,
}

#[derive(Clone, Debug)]
struct Log {
    ip: Ipv4Addr,
    level: Level,
    path: String,
    bytes: u64,
    ms: f32,
    user: Option<u32>,
    tags: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct PathStats {
    hits: u64,
    bytes: u64,
    slowest: f32,
    errors: u32,
    users: HashSet<u32>,
    by_level: BTreeMap<u8, u32>,
}

struct Server {
    logs: Vec<Log>,
    pts: Vec<(f64, f64)>,
    words: Vec<&'static str>,
    nums: Vec<i32>,
}

/// What begins as something that counts.
#[derive(Clone, Debug, PartialEq)]
struct Odd {
    n: u32,
    base: i64,
}

impl Default for Odd {
    fn default() -> Self {
        Odd { n: 0, base: 100 }
    }
}

#[derive(Clone, Default)]
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.0 = (self.0 ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3);
        }
    }
}

type FnvMap<K, V> = HashMap<K, V, BuildHasherDefault<Fnv>>;

struct Holder {
    counts: HashMap<u32, u64>,
    total: u64,
}

/// Keys that are equal and not the same: the first stays.
#[derive(Clone, Debug)]
struct NoCase(String);

impl PartialEq for NoCase {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl Eq for NoCase {}

impl Hash for NoCase {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_ascii_lowercase().hash(state);
    }
}

/// What any NaN compares alike in.
fn bits(map: HashMap<u32, (f64, f64)>) -> BTreeMap<u32, (String, String)> {
    let text = |(a, b)| (format!("{a:?}"), format!("{b:?}"));
    map.into_iter()
        .map(|(k, v): (u32, (f64, f64))| (k, text(v)))
        .collect()
}

fn bits1(map: HashMap<u32, f64>) -> BTreeMap<u32, String> {
    map.into_iter()
        .map(|(k, v)| (k, format!("{v:?}")))
        .collect()
}

fn random(mut state: u64) -> impl FnMut() -> u64 {
    move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    }
}

fn shop(n: usize) -> Shop {
    let mut r = random(12_345);
    let words = |count: u64, r: &mut dyn FnMut() -> u64| -> Vec<String> {
        (0..count).map(|_| format!("w{}", r() % 60)).collect()
    };
    Shop {
        lines: (0..n)
            .map(|_| {
                let count = r() % 6;
                words(count, &mut r).join(" ")
            })
            .collect(),
        text: (0..n * 3)
            .map(|_| char::from(b'a' + (r() % 26) as u8))
            .collect(),
        orders: (0..n)
            .map(|_| Order {
                customer: (r() % 70) as u32,
                item: format!("i{}", r() % 50),
                amount: (r() % 400) as f64 * 0.25,
                time: r() % 10_000,
            })
            .collect(),
        edges: (0..n)
            .map(|_| ((r() % 50) as u32, (r() % 50) as u32))
            .collect(),
    }
}

fn readings(n: usize) -> Readings {
    let mut r = random(999);
    Readings {
        k: (0..n).map(|_| (r() % 30) as u32).collect(),
        v: (0..n).map(|_| (r() % 2001) as i64 - 1000).collect(),
        f: (0..n)
            .map(|_| match r() % 40 {
                0 => f64::NAN,
                1 => -0.0,
                x => x as f64 - 20.0,
            })
            .collect(),
        s: (0..n)
            .map(|_| {
                let word = format!("Word{}", r() % 50);
                if r() % 2 == 0 {
                    word.to_uppercase()
                } else {
                    word
                }
            })
            .collect(),
    }
}

fn server(n: usize) -> Server {
    const WORDS: [&str; 6] = ["the", "quick", "brown", "Fox", "The", "lazy"];
    let mut r = random(4242);
    let log = |r: &mut dyn FnMut() -> u64| Log {
        ip: Ipv4Addr::new(10, 0, (r() % 3) as u8, (r() % 40) as u8),
        level: [Level::Info, Level::Warn, Level::Error][(r() % 3) as usize],
        path: format!("/p{}", r() % 25),
        bytes: r() % 5000,
        ms: (r() % 800) as f32 / 4.0,
        user: Some((r() % 90) as u32).filter(|user| user % 3 > 0),
        tags: (0..r() % 4).map(|_| format!("t{}", r() % 12)).collect(),
    };
    Server {
        logs: (0..n).map(|_| log(&mut r)).collect(),
        pts: (0..n)
            .map(|_| ((r() % 1000) as f64 / 10.0, (r() % 1000) as f64 / 10.0))
            .collect(),
        words: (0..n).map(|_| WORDS[(r() % 6) as usize]).collect(),
        nums: (0..n).map(|_| (r() % 200) as i32 - 100).collect(),
    }
}

/// Functions twice: as they are, and offloaded.
macro_rules! twice {
    ($($item:item)*) => {
        mod plain {
            use super::*;
            $($item)*
        }
        mod off {
            use super::*;
            $(#[offload] $item)*
        }
    };
}

twice! {
    pub(super) fn word_count(d: &Shop) -> HashMap<String, usize> {
        let mut counts: HashMap<String, usize> = HashMap::new();
        for line in &d.lines {
            for word in line.split_whitespace() {
                *counts.entry(word.to_lowercase()).or_insert(0) += 1;
            }
        }
        counts
    }
    pub(super) fn customer_totals(d: &Shop) -> BTreeMap<u32, f64> {
        let mut totals: BTreeMap<u32, f64> = BTreeMap::new();
        for order in &d.orders {
            *totals.entry(order.customer).or_insert(0.0) += order.amount;
        }
        totals
    }
    pub(super) fn group_refs(d: &Shop) -> HashMap<&str, Vec<&Order>> {
        let mut by_item: HashMap<&str, Vec<&Order>> = HashMap::new();
        for o in &d.orders {
            by_item.entry(o.item.as_str()).or_insert_with(Vec::new).push(o);
        }
        by_item
    }
    pub(super) fn inverted_index(d: &Shop) -> HashMap<String, BTreeSet<usize>> {
        let mut index: HashMap<String, BTreeSet<usize>> = HashMap::new();
        for (doc, line) in d.lines.iter().enumerate() {
            for w in line.split(' ') {
                if w.is_empty() { continue; }
                index.entry(w.to_string()).or_default().insert(doc);
            }
        }
        index
    }
    pub(super) fn adjacency(d: &Shop) -> HashMap<u32, Vec<u32>> {
        let mut adj: HashMap<u32, Vec<u32>> = HashMap::new();
        for &(a, b) in &d.edges {
            adj.entry(a).or_default().push(b);
            adj.entry(b).or_default().push(a);
        }
        adj
    }
    pub(super) fn degrees(d: &Shop) -> HashMap<u32, usize> {
        let mut degree = HashMap::new();
        for (u, v) in &d.edges {
            *degree.entry(*u).or_insert(0) += 1;
            *degree.entry(*v).or_insert(0) += 1;
        }
        degree
    }
    pub(super) fn first_seen(d: &Shop) -> HashMap<u32, usize> {
        let mut first = HashMap::new();
        for (i, o) in d.orders.iter().enumerate() {
            first.entry(o.customer).or_insert(i);
        }
        first
    }
    pub(super) fn last_seen(d: &Shop) -> HashMap<u32, u64> {
        let mut last = HashMap::new();
        for o in &d.orders {
            last.insert(o.customer, o.time);
        }
        last
    }
    pub(super) fn sensor_minmax(d: &Shop) -> HashMap<u32, (f64, f64)> {
        let mut range: HashMap<u32, (f64, f64)> = HashMap::new();
        for o in &d.orders {
            let entry = range.entry(o.customer).or_insert((f64::INFINITY, f64::NEG_INFINITY));
            if o.amount < entry.0 { entry.0 = o.amount; }
            if o.amount > entry.1 { entry.1 = o.amount; }
        }
        range
    }
    pub(super) fn sensor_minmax_mod(d: &Shop) -> HashMap<u32, (f64, f64)> {
        let mut range: HashMap<u32, (f64, f64)> = HashMap::new();
        for o in &d.orders {
            range
                .entry(o.customer)
                .and_modify(|(lo, hi)| {
                    *lo = lo.min(o.amount);
                    *hi = hi.max(o.amount);
                })
                .or_insert((o.amount, o.amount));
        }
        range
    }
    pub(super) fn dedupe(d: &Shop) -> HashSet<String> {
        let mut unique = HashSet::new();
        for line in &d.lines {
            unique.insert(line.clone());
        }
        unique
    }
    pub(super) fn ip_counts(d: &Shop) -> BTreeMap<[u8; 4], u64> {
        let mut hits: BTreeMap<[u8; 4], u64> = BTreeMap::new();
        for o in &d.orders {
            let ip = [10, 0, (o.customer >> 8) as u8, o.customer as u8];
            hits.entry(ip).and_modify(|n| *n += 1).or_insert(1);
        }
        hits
    }
    pub(super) fn get_mut_else(d: &Shop) -> HashMap<u32, u64> {
        let mut m: HashMap<u32, u64> = HashMap::new();
        for o in &d.orders {
            if let Some(n) = m.get_mut(&o.customer) {
                *n += o.time;
            } else {
                m.insert(o.customer, o.time);
            }
        }
        m
    }
    pub(super) fn match_get_mut(d: &Shop) -> HashMap<String, u64> {
        let mut m: HashMap<String, u64> = HashMap::new();
        for o in &d.orders {
            match m.get_mut(&o.item) {
                Some(n) => *n += 1,
                None => {
                    m.insert(o.item.clone(), 1);
                }
            }
        }
        m
    }
    pub(super) fn summary(d: &Shop) -> HashMap<u32, Summary> {
        let mut out: HashMap<u32, Summary> = HashMap::new();
        for o in &d.orders {
            let s = out.entry(o.customer).or_insert(Summary { count: 0, total: 0.0, max: o.amount, first: o.time, last: o.time });
            s.count += 1;
            s.total += o.amount;
            s.max = s.max.max(o.amount);
            s.last = o.time;
        }
        out
    }
    pub(super) fn summary_default(d: &Shop) -> BTreeMap<String, Summary> {
        let mut out: BTreeMap<String, Summary> = BTreeMap::new();
        for o in &d.orders {
            if o.amount < 1.0 { continue; }
            let s = out.entry(o.item.clone()).or_default();
            s.count += 1;
            s.total += o.amount;
        }
        out
    }
    pub(super) fn tuple_destructured(d: &Shop) -> HashMap<u32, (f64, u32)> {
        let mut acc: HashMap<u32, (f64, u32)> = HashMap::new();
        for o in &d.orders {
            let (sum, n) = acc.entry(o.customer % 17).or_insert((0.0, 0));
            *sum += o.amount;
            *n += 1;
        }
        acc
    }
    pub(super) fn nested_let(d: &Shop) -> BTreeMap<String, BTreeMap<u32, f64>> {
        let mut m: BTreeMap<String, BTreeMap<u32, f64>> = BTreeMap::new();
        for o in &d.orders {
            let inner = m.entry(o.item.clone()).or_insert_with(BTreeMap::new);
            *inner.entry(o.customer).or_insert(0.0) += o.amount;
        }
        m
    }
    pub(super) fn hourly_vec(d: &Shop) -> HashMap<u32, Vec<u32>> {
        let mut h: HashMap<u32, Vec<u32>> = HashMap::new();
        for o in &d.orders {
            let row = h.entry(o.customer).or_insert_with(|| vec![0; 24]);
            row[(o.time % 24) as usize] += 1;
        }
        h
    }
    pub(super) fn anagrams(d: &Shop) -> HashMap<Vec<char>, Vec<&str>> {
        let mut groups: HashMap<Vec<char>, Vec<&str>> = HashMap::new();
        for line in &d.lines {
            let mut key: Vec<char> = line.chars().collect();
            key.sort();
            groups.entry(key).or_default().push(line);
        }
        groups
    }
    pub(super) fn kmer(d: &Shop) -> HashMap<&[u8], u32> {
        let mut m: HashMap<&[u8], u32> = HashMap::new();
        let k = 5;
        let b = d.text.as_bytes();
        if b.len() < k { return m; }
        for i in 0..=b.len() - k {
            *m.entry(&b[i..i + k]).or_insert(0) += 1;
        }
        m
    }
    pub(super) fn rolling_flags(d: &Shop) -> HashMap<u32, u8> {
        let mut m: HashMap<u32, u8> = HashMap::new();
        for o in &d.orders {
            *m.entry(o.customer).or_insert(0) |= 1 << (o.time % 8);
        }
        m
    }
    pub(super) fn max_if(d: &Shop) -> HashMap<u32, u64> {
        let mut m: HashMap<u32, u64> = HashMap::new();
        for o in &d.orders {
            let e = m.entry(o.customer).or_insert(o.time);
            if o.time > *e {
                *e = o.time;
            }
        }
        m
    }
    pub(super) fn two_maps(d: &Shop) -> (HashMap<u32, usize>, HashSet<u64>, f64, Vec<u32>) {
        let (mut m, mut s, mut total, mut big) = (HashMap::new(), HashSet::new(), 0u64, Vec::new());
        for o in &d.orders {
            *m.entry(o.customer).or_insert(0) += 1;
            s.insert(o.time);
            total += o.time;
            if o.amount > 90.0 { big.push(o.customer); }
        }
        (m, s, total as f64, big)
    }
    pub(super) fn by_kind(d: &Shop) -> BTreeMap<Kind, (usize, u64)> {
        let mut m: BTreeMap<Kind, (usize, u64)> = BTreeMap::new();
        for o in &d.orders {
            let kind = match o.time % 3 { 0 => Kind::A, 1 => Kind::B, _ => Kind::Other(o.customer % 4) };
            let e = m.entry(kind).or_default();
            e.0 += 1;
            e.1 = e.1.max(o.time);
        }
        m
    }
    pub(super) fn match_arms(d: &Shop) -> (HashMap<u32, i64>, HashMap<u32, i64>) {
        let mut credit: HashMap<u32, i64> = HashMap::new();
        let mut debit: HashMap<u32, i64> = HashMap::new();
        for o in &d.orders {
            match o.time % 2 {
                0 => *credit.entry(o.customer).or_insert(0) += o.time as i64,
                _ => *debit.entry(o.customer).or_insert(0) -= o.time as i64,
            }
        }
        (credit, debit)
    }
    pub(super) fn joined_text(d: &Shop) -> HashMap<u32, String> {
        let mut m: HashMap<u32, String> = HashMap::new();
        for o in &d.orders {
            m.entry(o.customer).or_default().push_str(&o.item);
        }
        m
    }
    pub(super) fn positions_btree(d: &Shop) -> BTreeMap<u8, VecDeque<usize>> {
        let mut m: BTreeMap<u8, VecDeque<usize>> = BTreeMap::new();
        for (i, b) in d.text.bytes().enumerate() {
            m.entry(b).or_insert_with(VecDeque::new).push_back(i);
        }
        m
    }
    pub(super) fn entry_match(d: &Shop) -> HashMap<u32, u32> {
        use std::collections::hash_map::Entry;
        let mut m: HashMap<u32, u32> = HashMap::new();
        for o in &d.orders {
            match m.entry(o.customer) {
                Entry::Occupied(mut e) => { *e.get_mut() += 1; }
                Entry::Vacant(e) => { e.insert(1); }
            }
        }
        m
    }
    pub(super) fn contains_then_insert(d: &Shop) -> HashMap<u32, u64> {
        let mut m: HashMap<u32, u64> = HashMap::new();
        for o in &d.orders {
            if !m.contains_key(&o.customer) {
                m.insert(o.customer, o.time);
            }
        }
        m
    }
    pub(super) fn parsed_or_err(d: &Shop) -> Result<HashMap<u64, u32>, std::num::ParseIntError> {
        let mut m: HashMap<u64, u32> = HashMap::new();
        for o in &d.orders {
            let n: u64 = o.item[1..].parse()?;
            *m.entry(n).or_insert(0) += 1;
        }
        Ok(m)
    }
    pub(super) fn filtered_chain(d: &Shop) -> HashMap<u32, usize> {
        let mut m = HashMap::new();
        for c in d.orders.iter().filter(|o| o.amount > 10.0).map(|o| o.customer) {
            *m.entry(c).or_insert(0usize) += 1;
        }
        m
    }
    pub(super) fn best_per_key(d: &Shop) -> HashMap<u32, (u64, String)> {
        let mut best: HashMap<u32, (u64, String)> = HashMap::new();
        for o in &d.orders {
            let e = best.entry(o.customer).or_insert((0, String::new()));
            if o.time > e.0 {
                *e = (o.time, o.item.clone());
            }
        }
        best
    }
    pub(super) fn for_each_style(d: &Shop) -> HashMap<u32, u64> {
        let mut m: HashMap<u32, u64> = HashMap::new();
        d.orders.iter().for_each(|o| *m.entry(o.customer).or_insert(0) += o.time);
        m
    }
    pub(super) fn odd_default(d: &Readings) -> HashMap<u32, Odd> {
        let mut m: HashMap<u32, Odd> = HashMap::from([(1, Odd { n: 4, base: 3 })]);
        for (k, v) in d.k.iter().zip(&d.v) {
            let e = m.entry(*k).or_default();
            e.n += 1;
            e.base += *v;
        }
        m
    }
    pub(super) fn odd_untouched(d: &Readings) -> HashMap<u32, Odd> {
        let mut m: HashMap<u32, Odd> = HashMap::from([(1, Odd { n: 4, base: 3 })]);
        for k in &d.k {
            m.entry(*k).or_default().n += 1;
        }
        m
    }
    pub(super) fn nonneutral_sum(d: &Readings) -> HashMap<u32, i64> {
        let mut m: HashMap<u32, i64> = HashMap::from([(7, 5)]);
        for (k, v) in d.k.iter().zip(&d.v) {
            *m.entry(*k).or_insert(10) += *v;
        }
        m
    }
    pub(super) fn signed_max_zero(d: &Readings) -> HashMap<u32, i64> {
        let mut m: HashMap<u32, i64> = (0..300).map(|k| (k, -5000)).collect();
        for (k, v) in d.k.iter().zip(&d.v) {
            let e = m.entry(*k).or_insert(0);
            *e = (*e).max(*v);
        }
        m
    }
    pub(super) fn max_empty_zero(d: &Readings) -> HashMap<u32, i64> {
        let mut m: HashMap<u32, i64> = HashMap::new();
        for (k, v) in d.k.iter().zip(&d.v) {
            let e = m.entry(*k).or_insert(0);
            *e = std::cmp::max(*e, *v);
        }
        m
    }
    pub(super) fn nan_compare(d: &Readings) -> BTreeMap<u32, String> {
        let mut m: HashMap<u32, f64> = HashMap::from([(3, f64::NAN), (4, 1e9)]);
        for (k, v) in d.k.iter().zip(&d.f) {
            let e = m.entry(*k).or_insert(*v);
            if *v > *e { *e = *v; }
        }
        bits1(m)
    }
    pub(super) fn nan_methods(d: &Readings) -> BTreeMap<u32, (String, String)> {
        let mut m: HashMap<u32, (f64, f64)> = HashMap::new();
        for (k, v) in d.k.iter().zip(&d.f) {
            if *v == 0.0 { continue; }
            let e = m.entry(*k).or_insert((*v, *v));
            e.0 = e.0.min(*v);
            e.1 = v.max(e.1);
        }
        bits(m)
    }
    pub(super) fn nan_compare_fixed(d: &Readings) -> BTreeMap<u32, (String, String)> {
        let mut m: HashMap<u32, (f64, f64)> = HashMap::new();
        for (k, v) in d.k.iter().zip(&d.f) {
            if *v == 0.0 { continue; }
            let e = m.entry(*k).or_insert((f64::INFINITY, f64::NEG_INFINITY));
            if *v < e.0 { e.0 = *v; }
            if e.1 < *v { e.1 = *v; }
        }
        bits(m)
    }
    pub(super) fn last_ties(d: &Readings) -> HashMap<u32, (i64, usize)> {
        let mut m: HashMap<u32, (i64, usize)> = HashMap::new();
        for (i, (k, v)) in d.k.iter().zip(&d.v).enumerate() {
            let c = *v / 200;
            let e = m.entry(*k).or_insert((i64::MIN, 0));
            if c >= e.0 { *e = (c, i); }
        }
        m
    }
    pub(super) fn ties_with_the_begin(d: &Readings) -> HashMap<u32, (i64, usize)> {
        let mut m: HashMap<u32, (i64, usize)> = HashMap::new();
        for (i, (k, v)) in d.k.iter().zip(&d.v).enumerate() {
            let c = if i < 90 { *v % 2 } else { -1 };
            let e = m.entry(*k).or_insert((0, usize::MAX));
            if c >= e.0 { *e = (c, i); }
        }
        m
    }
    pub(super) fn begin_that_panics(d: &Readings) -> (HashMap<u32, u32>, usize) {
        let mut m: HashMap<u32, u32> = HashMap::new();
        let zero = d.k.iter().filter(|k| **k > 100).count() as u32;
        let mut seen = 0;
        for k in &d.k {
            if *k > 100 { *m.entry(*k).or_insert(7 / zero - 7) += 1; }
            seen += 1;
        }
        (m, seen)
    }
    pub(super) fn first_ties(d: &Readings) -> HashMap<u32, (i64, usize)> {
        let mut m: HashMap<u32, (i64, usize)> = HashMap::new();
        for (i, (k, v)) in d.k.iter().zip(&d.v).enumerate() {
            let c = *v / 200;
            let e = m.entry(*k).or_insert((c, i));
            if c < e.0 { *e = (c, i); }
        }
        m
    }
    pub(super) fn nocase_keys(d: &Readings) -> BTreeMap<String, usize> {
        let mut m: HashMap<NoCase, usize> = HashMap::new();
        for s in &d.s {
            *m.entry(NoCase(s.clone())).or_insert(0) += 1;
        }
        m.into_iter().map(|(k, v)| (k.0, v)).collect()
    }
    pub(super) fn custom_hasher(d: &Readings) -> Vec<(u32, u64)> {
        let mut m: FnvMap<u32, u64> = FnvMap::default();
        for k in &d.k {
            *m.entry(*k).or_insert(0) += 1;
        }
        let mut v: Vec<_> = m.into_iter().collect();
        v.sort();
        v
    }
    pub(super) fn field_of_struct(d: &Readings) -> (HashMap<u32, u64>, u64) {
        let mut h = Holder { counts: HashMap::new(), total: 3 };
        for k in &d.k {
            *h.counts.entry(*k).or_insert(0) += 1;
            h.total += *k as u64;
        }
        (h.counts, h.total)
    }
    pub(super) fn mutex_guard(d: &Readings) -> HashMap<u32, u64> {
        let lock = Mutex::new(HashMap::from([(5u32, 5u64)]));
        {
            let mut m = lock.lock().unwrap();
            for k in &d.k {
                *m.entry(*k).or_insert(0) += 1;
            }
        }
        lock.into_inner().unwrap()
    }
    pub(super) fn insert_conditional(d: &Readings) -> BTreeMap<u32, i64> {
        let mut m = BTreeMap::from([(1u32, 1i64)]);
        for (k, v) in d.k.iter().zip(&d.v) {
            if *v > 0 {
                m.insert(*k, *v);
            }
        }
        m
    }
    pub(super) fn flag_set(d: &Readings) -> HashMap<u32, bool> {
        let mut m: HashMap<u32, bool> = HashMap::new();
        for (k, v) in d.k.iter().zip(&d.v) {
            let e = m.entry(*k).or_insert(false);
            if *v > 900 { *e = true; }
        }
        m
    }
    pub(super) fn vec_nonempty_begin(d: &Readings) -> HashMap<u32, Vec<i64>> {
        let mut m: HashMap<u32, Vec<i64>> = HashMap::new();
        for (k, v) in d.k.iter().zip(&d.v) {
            m.entry(*k).or_insert_with(|| vec![0]).push(*v);
        }
        m
    }
    pub(super) fn modify_push(d: &Readings) -> HashMap<u32, Vec<i64>> {
        let mut m: HashMap<u32, Vec<i64>> = HashMap::from([(1, vec![9])]);
        for (k, v) in d.k.iter().zip(&d.v) {
            m.entry(*k).and_modify(|l| l.push(*v)).or_insert_with(|| vec![*v]);
        }
        m
    }
    pub(super) fn outer_begin(d: &Readings) -> HashMap<u32, i64> {
        let start = d.k.len() as i64 * 0;
        let mut m: HashMap<u32, i64> = HashMap::from([(1, 4)]);
        for (k, v) in d.k.iter().zip(&d.v) {
            *m.entry(*k).or_insert(start) += v;
        }
        m
    }
    pub(super) fn wrapping(d: &Readings) -> HashMap<u32, u8> {
        let mut m: HashMap<u32, u8> = HashMap::from([(1, 250)]);
        for (k, v) in d.k.iter().zip(&d.v) {
            let e = m.entry(*k).or_insert(0);
            *e = e.wrapping_add(*v as u8);
        }
        m
    }
    pub(super) fn saturating(d: &Readings) -> HashMap<u32, u8> {
        let mut m: HashMap<u32, u8> = HashMap::from([(1, 250)]);
        for k in &d.k {
            let e = m.entry(*k).or_insert(0);
            *e = e.saturating_add(3);
        }
        m
    }
    pub(super) fn xor_all(d: &Readings) -> HashMap<u32, i64> {
        let mut m: HashMap<u32, i64> = HashMap::from([(2, 77)]);
        for (k, v) in d.k.iter().zip(&d.v) {
            *m.entry(*k).or_default() ^= v;
        }
        m
    }
    pub(super) fn nested_nonempty(d: &Readings) -> BTreeMap<u32, BTreeMap<i64, Vec<usize>>> {
        let mut m: BTreeMap<u32, BTreeMap<i64, Vec<usize>>> = BTreeMap::from([(1, BTreeMap::from([(0, vec![42])]))]);
        for (i, (k, v)) in d.k.iter().zip(&d.v).enumerate() {
            m.entry(*k).or_default().entry(*v / 500).or_default().push(i);
        }
        m
    }
    pub(super) fn nested_insert(d: &Readings) -> HashMap<u32, HashMap<i64, usize>> {
        let mut m: HashMap<u32, HashMap<i64, usize>> = HashMap::new();
        for (i, (k, v)) in d.k.iter().zip(&d.v).enumerate() {
            if *v > -500 {
                m.entry(*k).or_default().insert(*v / 100, i);
            }
        }
        m
    }
    pub(super) fn while_count(d: &Readings) -> HashMap<u32, u32> {
        let mut m = HashMap::new();
        let mut i = 0;
        while i < d.k.len() {
            *m.entry(d.k[i]).or_insert(0u32) += 1;
            i += 1;
        }
        m
    }
    pub(super) fn inner_loop_let(d: &Readings) -> HashMap<u32, u64> {
        let mut m: HashMap<u32, u64> = HashMap::new();
        for k in &d.k {
            let e = m.entry(*k).or_insert(0);
            for j in 0..(*k % 5) {
                *e += j as u64;
            }
        }
        m
    }
    pub(super) fn own_elements_too(d: &Readings) -> (HashMap<u32, u32>, Vec<i64>) {
        let mut m: HashMap<u32, u32> = HashMap::new();
        let mut out = vec![0; d.k.len()];
        for i in 0..d.k.len() {
            out[i] = d.v[i] * 2;
            *m.entry(d.k[i]).or_insert(0) += 1;
        }
        (m, out)
    }
    pub(super) fn hist_too(d: &Readings) -> (HashMap<u32, u32>, [u32; 16], i64) {
        let mut m: HashMap<u32, u32> = HashMap::new();
        let mut h = [0u32; 16];
        let mut best = i64::MIN;
        for (k, v) in d.k.iter().zip(&d.v) {
            h[(*k % 16) as usize] += 1;
            m.entry(*k).and_modify(|c| *c += 1).or_insert(1);
            if *v > best { best = *v; }
        }
        (m, h, best)
    }
    pub(super) fn break_early(d: &Readings) -> (HashMap<u32, u32>, Option<usize>) {
        let mut m: HashMap<u32, u32> = HashMap::new();
        let mut at = None;
        for (i, k) in d.k.iter().enumerate() {
            if i > 2000 && *k == 17 { at = Some(i); break; }
            *m.entry(*k).or_insert(0) += 1;
        }
        (m, at)
    }
    pub(super) fn option_values(d: &Readings) -> HashMap<u32, Option<i64>> {
        let mut m: HashMap<u32, Option<i64>> = HashMap::new();
        for (k, v) in d.k.iter().zip(&d.v) {
            *m.entry(*k).or_default() = Some(*v);
        }
        m
    }
    pub(super) fn path_stats(d: &Server) -> HashMap<String, PathStats> {
        let mut stats: HashMap<String, PathStats> = HashMap::new();
        for log in d.logs.iter() {
            let s = stats.entry(log.path.clone()).or_insert_with(PathStats::default);
            s.hits += 1;
            s.bytes += log.bytes;
            if log.ms > s.slowest {
                s.slowest = log.ms;
            }
            if log.level == Level::Error {
                s.errors += 1;
            }
            if let Some(u) = log.user {
                s.users.insert(u);
            }
            *s.by_level.entry(log.level as u8).or_insert(0) += 1;
        }
        stats
    }
    pub(super) fn tag_index(d: &Server) -> BTreeMap<&str, Vec<usize>> {
        let mut idx: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (i, log) in d.logs.iter().enumerate() {
            for tag in &log.tags {
                idx.entry(tag).or_default().push(i);
            }
        }
        idx
    }
    pub(super) fn grid_means(d: &Server) -> BTreeMap<(i64, i64), (f64, f64, usize)> {
        let mut acc: BTreeMap<(i64, i64), (f64, f64, usize)> = BTreeMap::new();
        for p in &d.pts {
            let key = (p.0 as i64 / 20, p.1 as i64 / 20);
            let a = acc.entry(key).or_insert((0.0, 0.0, 0));
            a.0 += p.0.floor();
            a.1 += p.1.floor();
            a.2 += 1;
        }
        acc
    }
    pub(super) fn users_seen(d: &Server) -> (BTreeSet<u32>, HashMap<u32, Ipv4Addr>) {
        let mut seen = BTreeSet::new();
        let mut home = HashMap::new();
        for log in &d.logs {
            if let Some(user) = log.user {
                seen.insert(user);
                home.entry(user).or_insert(log.ip);
            }
        }
        (seen, home)
    }
    pub(super) fn case_fold(d: &Server) -> HashMap<String, i32> {
        let mut freq: HashMap<String, i32> = HashMap::new();
        for word in d.words.iter() {
            let w = word.to_lowercase();
            let counter = freq.entry(w).or_insert(0);
            *counter += 1;
        }
        freq
    }
    pub(super) fn parity_partition(d: &Server) -> HashMap<bool, Vec<i32>> {
        let mut parts: HashMap<bool, Vec<i32>> = HashMap::new();
        for &n in &d.nums {
            parts.entry(n % 2 == 0).or_default().push(n);
        }
        parts
    }
    pub(super) fn extremes(d: &Server) -> HashMap<i32, (i32, i32)> {
        let mut m: HashMap<i32, (i32, i32)> = HashMap::new();
        for &n in &d.nums {
            let (lo, hi) = m.entry(n.rem_euclid(7)).or_insert((i32::MAX, i32::MIN));
            *lo = (*lo).min(n);
            *hi = (*hi).max(n);
        }
        m
    }
    pub(super) fn latest_by_entry(d: &Server) -> HashMap<i32, usize> {
        let mut latest: HashMap<i32, usize> = HashMap::new();
        for (i, n) in d.nums.iter().enumerate() {
            *latest.entry(*n).or_insert(i) = i;
        }
        latest
    }
    pub(super) fn entry_match2(d: &Server) -> HashMap<&'static str, (usize, usize)> {
        let mut m = HashMap::new();
        for (i, w) in d.words.iter().enumerate() {
            match m.entry(*w) {
                Entry::Vacant(v) => { v.insert((1usize, i)); }
                Entry::Occupied(mut o) => {
                    let e: &mut (usize, usize) = o.get_mut();
                    e.0 += 1;
                }
            }
        }
        m
    }
    pub(super) fn novice_get_insert(d: &Server) -> HashMap<&'static str, u32> {
        let mut m: HashMap<&'static str, u32> = HashMap::new();
        for w in &d.words {
            let c = m.get(w).copied().unwrap_or(0);
            m.insert(*w, c + 1);
        }
        m
    }
    pub(super) fn three_levels(d: &Server) -> HashMap<Level, HashMap<String, HashMap<Ipv4Addr, u64>>> {
        let mut m: HashMap<Level, HashMap<String, HashMap<Ipv4Addr, u64>>> = HashMap::new();
        for l in &d.logs {
            *m.entry(l.level)
                .or_insert_with(HashMap::new)
                .entry(l.path.clone())
                .or_insert_with(HashMap::new)
                .entry(l.ip)
                .or_insert(0) += l.bytes;
        }
        m
    }
    pub(super) fn filter_in_loop(d: &Server) -> HashMap<String, f32> {
        let mut slowest: HashMap<String, f32> = HashMap::new();
        for l in &d.logs {
            if l.level == Level::Info || l.ms < 1.0 { continue; }
            slowest.entry(l.path.clone()).and_modify(|s| *s = s.max(l.ms)).or_insert(l.ms);
        }
        slowest
    }
    pub(super) fn novice2(d: &Server) -> HashMap<String, u64> {
        let mut m: HashMap<String, u64> = HashMap::new();
        for l in &d.logs {
            let total = m.get(&l.path).unwrap_or(&0) + l.bytes;
            m.insert(l.path.clone(), total);
        }
        m
    }
    pub(super) fn novice3(d: &Server) -> HashMap<Level, u32> {
        let mut m = HashMap::new();
        for l in &d.logs {
            m.insert(l.level, m.get(&l.level).copied().unwrap_or(0u32) + 1);
        }
        m
    }
    pub(super) fn novice4(d: &Server) -> BTreeMap<i32, i32> {
        let mut m: BTreeMap<i32, i32> = BTreeMap::from([(5, 1)]);
        for n in &d.nums {
            let cur = *m.get(&(n % 11)).unwrap_or(&i32::MIN);
            m.insert(n % 11, cur.max(*n));
        }
        m
    }
    pub(super) fn merge_maps(d: &Server) -> HashMap<i32, usize> {
        let mut a: HashMap<i32, usize> = HashMap::new();
        for n in &d.nums { *a.entry(n / 3).or_insert(0) += 1; }
        let mut b: HashMap<i32, usize> = HashMap::new();
        for (k, v) in &a { *b.entry(k / 2).or_insert(0) += v; }
        for (k, v) in a { *b.entry(k + 1000).or_insert(0) += v; }
        b
    }
    pub(super) fn counted_twice(d: &Server) -> (HashMap<i32, usize>, BTreeMap<usize, Vec<i32>>) {
        let mut freq: HashMap<i32, usize> = HashMap::new();
        for n in &d.nums { *freq.entry(*n).or_insert(0) += 1; }
        let mut by: BTreeMap<usize, Vec<i32>> = BTreeMap::new();
        let mut keys: Vec<_> = freq.keys().copied().collect();
        keys.sort();
        for k in &keys { by.entry(freq[k]).or_default().push(*k); }
        (freq, by)
    }
}

macro_rules! same {
    ($data:ident: $($name:ident)*) => {
        for n in [0, 1, 2, 7, 60, 700] {
            let data = $data(n);
            $(
                let expected = plain::$name(&data);
                for way in WAYS {
                    let found = with_strategy(way, || off::$name(&data));
                    assert!(found == expected, "{} of {n}, {way}: {found:?} is not {expected:?}", stringify!($name));
                }
            )*
        }
    };
}

#[test]
fn orders_are_grouped_as_in_order() {
    same! { shop: word_count customer_totals group_refs inverted_index adjacency degrees first_seen last_seen sensor_minmax sensor_minmax_mod dedupe ip_counts get_mut_else match_get_mut summary summary_default tuple_destructured nested_let hourly_vec anagrams kmer rolling_flags max_if two_maps by_kind match_arms joined_text positions_btree entry_match contains_then_insert parsed_or_err filtered_chain best_per_key for_each_style }
}

#[test]
fn logs_are_grouped_as_in_order() {
    same! { server: path_stats tag_index grid_means users_seen case_fold parity_partition extremes latest_by_entry entry_match2 novice_get_insert three_levels filter_in_loop novice2 novice3 novice4 merge_maps counted_twice }
}

#[test]
fn what_maps_held_and_what_entries_begin_with_counts_once() {
    same! { readings: odd_default odd_untouched nonneutral_sum signed_max_zero max_empty_zero nan_compare nan_methods nan_compare_fixed last_ties ties_with_the_begin begin_that_panics first_ties nocase_keys custom_hasher field_of_struct mutex_guard insert_conditional flag_set vec_nonempty_begin modify_push outer_begin wrapping saturating xor_all nested_nonempty nested_insert while_count inner_loop_let own_elements_too hist_too break_early option_values }
}

#[offload]
fn checked(keys: &[u32], counts: &mut HashMap<u32, Vec<usize>>) {
    for (i, k) in keys.iter().enumerate() {
        assert!(*k != 77, "item {i}");
        counts.entry(*k).or_default().push(i);
    }
}

/// Those of the earliest iteration, and the map as before.
#[test]
fn panics_leave_the_map() {
    let mut keys: Vec<u32> = (0..500).map(|i| i % 50).collect();
    (keys[320], keys[480]) = (77, 77);
    for before in [HashMap::new(), HashMap::from([(3, vec![9])])] {
        for way in &WAYS[1..] {
            let mut counts = before.clone();
            let ran = with_strategy(way, || {
                catch_unwind(AssertUnwindSafe(|| checked(&keys, &mut counts)))
            });
            let message = ran.expect_err("it panics");
            assert_eq!(
                message.downcast_ref::<String>().unwrap(),
                "item 320",
                "{way}"
            );
            assert_eq!(counts, before, "{way}");
        }
    }
}

#[test]
fn explain_says_what_is_grouped() {
    let text = checked::explain();
    assert!(text.contains("groups counts by keys"), "{text}");
}
