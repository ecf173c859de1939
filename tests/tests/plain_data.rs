//! What loops share and hand on, in the words of real code: maps, tables, methods of one's own. Each stands twice, as it is and
//! offloaded, and gives the same. And what must not be repeated is not, where a loop panics.
#![allow(
    clippy::ptr_arg,
    clippy::needless_range_loop,
    reason = "the loops are as people write them"
)]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use accrue::__bench::with_strategy;
use accrue::{Device, Plain, offload, with_device};
use accrue_tests::quiet;

/// Functions twice: as they are in `plain`, and offloaded in `offloaded`.
macro_rules! twice {
    ($(#[offload($($arguments:tt)*)] fn $name:ident $(<$t:ident: $($bound:path),+>)? ($($params:tt)*) $body:block)*) => {
        mod plain {
            use super::*;
            $(pub(super) fn $name $(<$t: $($bound +)+>)? ($($params)*) $body)*
        }
        mod offloaded {
            use super::*;
            $(#[offload($($arguments)*)] pub(super) fn $name $(<$t: $($bound +)+>)? ($($params)*) $body)*
        }
    };
}

/// A type that says it is plain.
#[derive(Plain)]
struct Grid {
    origin: f32,
    edges: Vec<f32>,
    names: Option<Arc<HashMap<String, usize>>>,
}

impl Grid {
    fn cell(&self, x: f32) -> usize {
        self.edges.partition_point(|e| *e < x - self.origin)
    }

    #[offload(histogram)]
    fn cells(&self, xs: &[f32], h: &mut [u32]) {
        for &x in xs {
            h[self.cell(x)] += 1;
        }
    }
}

/// A generic one, and an enum.
#[derive(Plain)]
struct Pair<T> {
    a: T,
    b: [T; 2],
}

impl<T: Copy + Into<u64>> Pair<T> {
    fn sum(&self) -> usize {
        let all: u64 = self.a.into() + self.b[0].into() + self.b[1].into();
        all as usize
    }
}

#[derive(Plain)]
enum Rule {
    Below(u32),
    In(Vec<u32>),
}

impl Rule {
    fn holds(&self, x: u32) -> bool {
        match self {
            Rule::Below(most) => x < *most,
            Rule::In(list) => list.contains(&x),
        }
    }
}

/// One that says nothing.
struct Table {
    width: u32,
    rows: Vec<Row>,
    scale: f32,
    seen: AtomicUsize,
}

struct Row {
    values: Vec<u32>,
    name: String,
}

impl Table {
    fn get(&self, x: u32) -> usize {
        (x % self.width) as usize
    }

    #[offload(histogram, pure(get))]
    fn of_methods(&self, xs: &[u32], h: &mut [u32]) {
        for &x in xs {
            h[self.get(x)] += 1;
        }
    }

    #[offload(histogram)]
    fn of_fields(&self, xs: &[u32], h: &mut [f32]) {
        for (i, &x) in xs.iter().enumerate() {
            let row = &self.rows[i % self.rows.len()];
            h[(x.min(self.width) as usize + row.name.len()) % 16] +=
                self.scale * row.values[x as usize % row.values.len()] as f32;
        }
    }
}

/// An item: no cell is `Copy`.
#[derive(Clone, Copy)]
struct Particle {
    x: f32,
    kind: u8,
}

impl Particle {
    fn key(&self) -> usize {
        self.x as usize + usize::from(self.kind)
    }
}

/// An item that is not.
struct Person {
    name: String,
    age: u32,
    tags: Vec<u8>,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    A,
    B,
}

impl Kind {
    fn weight(self) -> u32 {
        match self {
            Kind::A => 2,
            Kind::B => 3,
        }
    }
}

const KIND: Kind = Kind::B;
static NAMES: [&str; 3] = ["one", "three", "eleven"];

fn bin(x: u32, of: &[u32]) -> usize {
    of.iter().filter(|v| **v < x).count()
}

macro_rules! scaled {
    ($x:expr, $by:expr) => {
        ($x * $by) as usize
    };
}

twice! {
    #[offload(histogram)]
    fn a_map(xs: &[u32], map: &HashMap<u32, usize>, h: &mut [u32; 32]) {
        for x in xs {
            if let Some(&k) = map.get(x) {
                h[k] += 1;
            }
        }
    }

    #[offload(histogram)]
    fn other_maps(xs: &[u32], map: &BTreeMap<u32, Vec<usize>>, set: &HashSet<u32>, h: &mut [u32; 32]) {
        for x in xs {
            if set.contains(x) && map.contains_key(x) {
                for k in &map[x] {
                    h[*k] += 1;
                }
            }
        }
    }

    #[offload(histogram)]
    fn edges(xs: &[u32], edges: &[u32], h: &mut [u32; 32]) {
        for &x in xs {
            h[edges.partition_point(|e| *e <= x)] += 1;
            match edges.binary_search(&x) {
                Ok(k) | Err(k) => h[k] += 2,
            }
            let k = edges.iter().position(|e| x < *e).unwrap_or(edges.len());
            h[k] += edges.get(k).copied().unwrap_or(1);
        }
    }

    #[offload(histogram)]
    fn queues(xs: &[u32], queue: &VecDeque<u32>, set: &BTreeSet<u32>, h: &mut [u32; 32]) {
        for &x in xs {
            let below = set.range(..x).count();
            h[below % 32] += queue.iter().take(3).sum::<u32>() + queue.front().map_or(0, |f| *f);
        }
    }

    #[offload(histogram)]
    fn text(words: &[&str], h: &mut [u32; 32]) {
        for word in words {
            for b in word.as_bytes() {
                h[(b % 32) as usize] += 1;
            }
            h[word.chars().filter(|c| c.is_alphabetic()).count()] += 1;
            h[word.trim().split('-').count()] += 1;
        }
    }

    #[offload(histogram)]
    fn lines(lines: &[String], sep: char, prefix: &str, h: &mut [u32; 32]) {
        for line in lines {
            if line.starts_with(prefix) {
                let n: usize = line.split(sep).nth(1).and_then(|n| n.parse().ok()).unwrap_or(0);
                h[n % 32] += 1;
            }
        }
    }

    #[offload(histogram)]
    fn options(xs: &[Option<u32>], default: Option<&u32>, h: &mut [u32; 32]) {
        for x in xs {
            let k = x.or(default.copied()).unwrap_or_default();
            h[k as usize % 32] += 1;
        }
    }

    #[offload(histogram)]
    fn borrowed(xs: &[u32], list: &Cow<'_, [u32]>, shared: &Arc<Vec<u32>>, boxed: &[Box<u32>], h: &mut [u32; 32]) {
        for &x in xs {
            let k = list.iter().max().unwrap_or(&0) + shared.first().unwrap_or(&0) + **boxed.last().unwrap();
            h[(x + k) as usize % 32] += 1;
        }
    }

    #[offload(histogram)]
    fn tuples(xs: &[(u32, f32)], config: &(u32, f32), h: &mut [u32; 32]) {
        let (m, scale) = config;
        for (k, v) in xs {
            h[((k % m) as f32 * scale + v.floor()) as usize % 32] += v.to_bits().count_ones();
        }
    }

    #[offload(histogram)]
    fn grids(xs: &[f32], grid: &Grid, h: &mut [u32; 32]) {
        for &x in xs {
            h[grid.cell(x)] += 1;
            if let Some(names) = &grid.names {
                h[names.get("a").copied().unwrap_or(3)] += 1;
            }
        }
    }

    #[offload(histogram)]
    fn generic_plain(xs: &[u32], pair: &Pair<u8>, h: &mut [u32; 32]) {
        for &x in xs {
            h[(pair.sum() + x as usize) % 32] += 1;
        }
    }

    #[offload(histogram)]
    fn rules(xs: &[u32], rules: &[Rule], h: &mut [u32; 32]) {
        for &x in xs {
            if let Some(k) = rules.iter().position(|rule| rule.holds(x)) {
                h[k] += 1;
            }
        }
    }

    #[offload(histogram)]
    fn particles(ps: &[Particle], h: &mut [u32; 32]) {
        for p in ps {
            h[p.key() % 32] += 1;
        }
    }

    #[offload(histogram)]
    fn particles_by_number(ps: &[Particle], h: &mut [u32; 32]) {
        for i in 0..ps.len() {
            let p = &ps[i];
            h[(p.key() + ps[i].key()) % 32] += u32::from(p.kind);
        }
    }

    #[offload(histogram)]
    fn people(people: &[Person], h: &mut [u32; 32]) {
        for p in people {
            h[p.name.len() + p.tags.iter().filter(|t| **t > 2).count()] += p.age;
        }
    }

    #[offload(histogram)]
    fn looked_through(xs: &[u32], people: &[Person], h: &mut [u32; 32]) {
        for &x in xs {
            let older = people.iter().filter(|p| p.age > x).count();
            h[older] += 1;
            if let Some(p) = people.get(x as usize % 3) {
                h[p.age as usize % 32] += 1;
            }
            if people.iter().any(|p| p.name.contains('a')) {
                h[people.len()] += 1;
            }
        }
    }

    #[offload(histogram)]
    fn any_number<T: Copy, Into<f64>, Sync>(xs: &[T], lo: T, hi: T, h: &mut [u32; 32]) {
        for &x in xs {
            let t = (x.into() - lo.into()) / (hi.into() - lo.into());
            h[(t * 31.0).clamp(0.0, 31.0) as usize] += 1;
        }
    }

    #[offload(histogram)]
    fn functions(xs: &[u32], of: &[u32], h: &mut [u32; 32]) {
        let shift = of.len();
        for &x in xs {
            h[(bin(x, of) + bin(x, &of[1..]) + shift) % 32] += 1;
        }
    }

    #[offload(histogram)]
    fn pointers(xs: &[u32], f: fn(u32) -> usize, h: &mut [u32; 32]) {
        for &x in xs {
            h[f(x) % 32] += 1;
        }
    }

    #[offload(histogram, pure(f))]
    fn closures<F: Fn(u32), Sync>(xs: &[u32], f: F, h: &mut [u32; 32]) {
        for &x in xs {
            f(x);
            h[(x % 32) as usize] += 1;
        }
    }

    #[offload(histogram)]
    fn closure_from_before(xs: &[u32], of: &[u32], h: &mut [u32; 32]) {
        let scale = 3;
        let key = |x: u32| (x * scale) as usize + of.len();
        for &x in xs {
            h[key(x) % 32] += 1;
        }
    }

    #[offload(histogram)]
    fn closure_inside(xs: &[u32], of: &[u32], h: &mut [u32; 32]) {
        for &x in xs {
            let at = |i: usize| of[i % of.len()].wrapping_mul(x);
            h[(at(1) ^ at(2)) as usize % 32] += 1;
        }
    }

    #[offload(histogram)]
    fn enums(xs: &[u32], kinds: &[Kind], only: Kind, h: &mut [u32; 32]) {
        for (&x, kind) in xs.iter().zip(kinds) {
            if *kind == only {
                h[x as usize % 32] += kind.weight() + KIND.weight() + Kind::A.weight();
            }
        }
    }

    #[offload(histogram)]
    fn statics(xs: &[u32], h: &mut [u32; 32]) {
        for &x in xs {
            h[NAMES[x as usize % 3].len()] += NAMES.iter().map(|n| n.len() as u32).sum::<u32>();
        }
    }

    #[offload(histogram, pure(scaled))]
    fn macros(xs: &[u32], by: u32, h: &mut [u32; 32]) {
        for &x in xs {
            h[scaled!(x, by) % 32] += 1;
        }
    }

    #[offload(histogram)]
    fn made(xs: &[u32], h: &mut [u32; 32]) {
        for &x in xs {
            let p = Particle { x: x as f32, kind: 1 };
            let mut list = Vec::new();
            list.push(x);
            list.extend([x + 1, x + 2]);
            list.sort();
            let cell = std::cell::Cell::new(x);
            cell.set(cell.get() + 1);
            h[(p.key() + list.len() + cell.get() as usize) % 32] += list[1];
        }
    }

    #[offload(histogram)]
    fn windows(xs: &[u32], ys: &[Vec<u32>], h: &mut [u32; 32]) {
        for (w, row) in xs.windows(2).zip(ys) {
            let (a, b) = (w[0].min(w[1]), w.iter().max().copied().unwrap_or(0));
            h[(a.abs_diff(b)) as usize % 32] += row.iter().zip(w).map(|(a, b)| a ^ b).sum::<u32>();
        }
    }

    #[offload(histogram)]
    fn asserted(xs: &[u32], limit: &u32, h: &mut [u32; 32]) {
        for &x in xs {
            assert!(x < *limit, "{x} of {limit}");
            assert_eq!(x.min(*limit), x);
            h[x as usize % 32] += u32::from(matches!(x, 0..=9));
        }
    }
}

/// Both functions on the same bins, by every device and some strategies of the CPU.
macro_rules! same {
    ($name:ident($($argument:expr),*)) => {{
        let mut expected = [0; 32];
        plain::$name($($argument,)* &mut expected);
        assert!(expected.iter().any(|bin| *bin > 0));
        #[cfg(feature = "sim")]
        {
            let mut bins = [0; 32];
            with_device(Device::Sim, || offloaded::$name($($argument,)* &mut bins));
            assert_eq!(bins, expected, "{} on the simulator", stringify!($name));
        }
        for strategy in ["sequential", "private:lanes=1,workers=3,parts=5", "partitioned:workers=3,ranges=4"] {
            let mut bins = [0; 32];
            with_device(Device::Cpu, || with_strategy(strategy, || offloaded::$name($($argument,)* &mut bins)));
            assert_eq!(bins, expected, "{} by {strategy}", stringify!($name));
        }
    }};
}

#[test]
fn what_is_plain_is_shared() {
    let xs: Vec<u32> = (0..400).map(|i| i * 7919 % 31).collect();
    let sorted: Vec<u32> = (0..20).map(|i| i * 2).collect();
    let map: HashMap<u32, usize> = (0..20).map(|i| (i, i as usize)).collect();
    same!(a_map(&xs, &map));
    let lists: BTreeMap<u32, Vec<usize>> = (0..20).map(|i| (i, vec![i as usize; 3])).collect();
    same!(other_maps(&xs, &lists, &(0..9).collect()));
    same!(edges(&xs, &sorted));
    same!(queues(
        &xs,
        &sorted.iter().copied().collect(),
        &sorted.iter().copied().collect()
    ));
    same!(text(&["one", "two-three", " bins ", "and-more-of-it"]));
    let rows: Vec<String> = xs.iter().map(|x| format!("row;{x}")).collect();
    same!(lines(&rows, ';', "row"));
    let some: Vec<Option<u32>> = xs.iter().map(|x| (x % 3 > 0).then_some(*x)).collect();
    same!(options(&some, Some(&5)));
    same!(borrowed(
        &xs,
        &Cow::Borrowed(&sorted[..]),
        &Arc::new(sorted.clone()),
        &[Box::new(3)]
    ));
    let pairs: Vec<(u32, f32)> = xs.iter().map(|x| (*x, *x as f32 * 0.37)).collect();
    same!(tuples(&pairs, &(9, 2.0)));
    let fs: Vec<f32> = xs.iter().map(|x| *x as f32 * 0.5).collect();
    let mut grid = Grid {
        origin: 1.0,
        edges: (0..16).map(|e| e as f32).collect(),
        names: None,
    };
    same!(grids(&fs, &grid));
    grid.names = Some(Arc::new(HashMap::from([("a".to_owned(), 7)])));
    same!(grids(&fs, &grid));
    same!(generic_plain(&xs, &Pair { a: 1, b: [2, 3] }));
    same!(rules(&xs, &[Rule::Below(4), Rule::In(vec![5, 6])]));
    let ps: Vec<Particle> = xs
        .iter()
        .map(|x| Particle {
            x: *x as f32,
            kind: (*x % 5) as u8,
        })
        .collect();
    same!(particles(&ps));
    same!(particles_by_number(&ps));
    let people: Vec<Person> = (0..9)
        .map(|n| Person {
            name: "ada".repeat(n % 4),
            age: n as u32 * 3,
            tags: vec![n as u8; 5],
        })
        .collect();
    same!(people(&people));
    same!(looked_through(&xs, &people));
    same!(any_number(&fs, 0.0, 16.0));
    same!(any_number(&xs, 0, 31));
    same!(functions(&xs, &sorted));
    same!(pointers(&xs, |x| x as usize * 5));
    same!(closures(&xs, |x| assert!(x < 31)));
    same!(closure_from_before(&xs, &sorted));
    same!(closure_inside(&xs, &sorted[1..]));
    let kinds: Vec<Kind> = xs
        .iter()
        .map(|x| if x % 2 == 0 { Kind::A } else { Kind::B })
        .collect();
    same!(enums(&xs, &kinds, Kind::B));
    same!(statics(&xs));
    same!(macros(&xs, 3));
    same!(made(&xs));
    same!(windows(&xs, &vec![vec![1, 2, 3]; 400]));
    same!(asserted(&xs, &31));
}

#[test]
fn methods_share_themselves() {
    let xs: Vec<u32> = (0..400).map(|i| i * 7919 % 31).collect();
    let fs: Vec<f32> = xs.iter().map(|x| *x as f32).collect();
    let grid = Grid {
        origin: 0.0,
        edges: vec![4.0, 9.0],
        names: None,
    };
    let mut h = [0; 3];
    grid.cells(&fs, &mut h);
    assert_eq!(h.iter().sum::<u32>(), 400);
    let rows = vec![Row {
        values: vec![1, 2, 3],
        name: "row".to_owned(),
    }];
    let table = Table {
        width: 8,
        rows,
        scale: 2.0,
        seen: AtomicUsize::new(0),
    };
    let (mut h, mut sums, mut expected) = ([0; 8], [0.0; 16], [0.0; 16]);
    table.of_methods(&xs, &mut h);
    for bin in 0..8 {
        assert_eq!(
            h[bin] as usize,
            xs.iter().filter(|x| **x as usize % 8 == bin).count()
        );
    }
    table.of_fields(&xs, &mut sums);
    for &x in &xs {
        expected[(x.min(8) as usize + 3) % 16] += 2.0 * [1.0, 2.0, 3.0][x as usize % 3];
    }
    assert_eq!(sums, expected);
    assert_eq!(table.seen.load(SeqCst), 0);
}

static CALLS: AtomicUsize = AtomicUsize::new(0);

/// A function that keeps a number: it is taken at its word, and called once for each iteration where that is so for the loop.
fn next() -> usize {
    CALLS.fetch_add(1, SeqCst)
}

/// A method that has a name of std's.
trait Drawn {
    fn take(&self, of: usize) -> usize;
}

impl Drawn for usize {
    fn take(&self, of: usize) -> usize {
        next() % of
    }
}

#[offload(histogram)]
fn by_function(n: usize, out: &mut [u32; 8]) {
    for _ in 0..n {
        let k = next();
        assert!(k < 501, "stop");
        out[k & 7] += 1;
    }
}

#[offload(histogram)]
fn by_method(n: usize, out: &mut [u32; 8]) {
    for i in 0..n {
        let k = i.take(1 << 20);
        assert!(k < 501, "stop");
        out[k & 7] += 1;
    }
}

#[test]
fn after_a_panic_bins_are_as_before_whatever_is_called() {
    let _quiet = quiet();
    for function in [by_function, by_method] {
        for strategy in ["sequential", "sequential:undo=count", ""] {
            CALLS.store(0, SeqCst);
            let mut bins = [5; 8];
            let call = || {
                with_device(Device::Cpu, || match strategy {
                    "" => function(1000, &mut bins),
                    strategy => with_strategy(strategy, || function(1000, &mut bins)),
                })
            };
            assert!(catch_unwind(AssertUnwindSafe(call)).is_err());
            assert_eq!(bins, [5; 8], "{strategy}");
        }
    }
}

/// A type that does not say it is plain, whose methods are known by their bodies: as it is, and offloaded.
macro_rules! cells {
    ($name:ident $(#[$offload:meta])?) => {
        mod $name {
            const MOST: usize = 3;

            #[derive(Clone, Debug)]
            pub(super) struct Cells {
                pub(super) wide: usize,
                pub(super) high: usize,
                pub(super) alive: Vec<bool>,
                pub(super) weights: Vec<f32>,
            }

            $(#[$offload])?
            impl Cells {
                fn at(&self, x: usize, y: usize) -> usize {
                    y * self.wide + x
                }

                fn neighbours(&self, x: usize, y: usize) -> usize {
                    let mut n = 0;
                    for dy in [self.high - 1, 0, 1] {
                        for dx in [self.wide - 1, 0, 1] {
                            if dx == 0 && dy == 0 {
                                continue;
                            }
                            let at = self.at((x + dx) % self.wide, (y + dy) % self.high);
                            n += self.alive[at] as usize;
                        }
                    }
                    n.min(MOST + 1)
                }

                fn weight(&self, x: usize, y: usize) -> f32 {
                    self.weights[self.at(x, y)]
                }

                pub(super) fn step(&self) -> Cells {
                    let mut next = self.clone();
                    for y in 0..self.high {
                        for x in 0..self.wide {
                            let alive = self.alive[y * self.wide + x];
                            next.alive[y * self.wide + x] =
                                matches!((alive, self.neighbours(x, y)), (true, 2) | (_, 3));
                        }
                    }
                    next
                }

                pub(super) fn blur(&self, out: &mut [f32]) {
                    for y in 1..self.high - 1 {
                        for x in 1..self.wide - 1 {
                            out[y * self.wide + x] =
                                (self.weight(x - 1, y) + self.weight(x + 1, y) + self.weight(x, y - 1)) / 3.0;
                        }
                    }
                }

                /// The parameter `y` of what is called is not the one here.
                pub(super) fn most(&self, rows: &[usize]) -> usize {
                    let mut most = 0;
                    for (x, &y) in rows.iter().enumerate() {
                        most = most.max(self.neighbours(y, x % 5) + y % 2);
                    }
                    most
                }
            }
        }
    };
}

cells!(plain_cells);
cells!(offloaded_cells #[accrue::offload]);

#[test]
fn methods_by_whose_bodies_a_type_need_not_be_plain() {
    let alive: Vec<bool> = (0..35).map(|i| i * 7919 % 31 % 3 == 0).collect();
    let weights: Vec<f32> = (0..35).map(|i| i as f32 * 0.3).collect();
    macro_rules! all {
        ($cells:ident, $short:expr) => {{
            let mut of = $cells::Cells {
                wide: 7,
                high: 5,
                alive: alive.clone(),
                weights: weights.clone(),
            };
            of.weights.truncate($short);
            let mut out = vec![0.0; 35];
            let called = catch_unwind(AssertUnwindSafe(|| of.blur(&mut out)));
            let message = called.err().map(|e| e.downcast_ref::<String>().cloned());
            let rows: Vec<usize> = (0..500).map(|i| i * 7919 % 7).collect();
            format!("{message:?} {:?} {}", of.step(), of.most(&rows))
        }};
    }
    let _quiet = quiet();
    for short in [35, 20, 0] {
        assert_eq!(all!(offloaded_cells, short), all!(plain_cells, short));
        for strategy in ["sequential", "private:workers=3,parts=7"] {
            let offloaded = with_strategy(strategy, || all!(offloaded_cells, short));
            assert_eq!(offloaded, all!(plain_cells, short), "{strategy}");
        }
    }
}

/// Types of which nothing says that they are plain but their fields, which stand in this file.
mod declared {
    use accrue::offload;

    pub(super) struct Camera<'a, const N: usize> {
        pub(super) eye: [f64; N],
        pub(super) lens: Lens,
        pub(super) steps: &'a [Step<u8>],
        #[deprecated]
        pub(super) _old: u8,
    }

    pub(super) enum Lens {
        Flat,
        Round(f64),
        Ground { knots: Vec<Knot> },
    }

    pub(super) type Knot = (f64, f64);

    pub(super) struct Step<T>(pub(super) T, pub(super) Option<Box<Lens>>)
    where
        Self: Sized;

    impl<const N: usize> Camera<'_, N> {
        fn ray(&self, x: f64) -> f64 {
            let bend = |lens: &Lens| match lens {
                Lens::Flat => x,
                Lens::Round(r) => x * r,
                Lens::Ground { knots } => knots.iter().map(|(a, b)| a * x + b).sum(),
            };
            let more = self
                .steps
                .iter()
                .map(|s| f64::from(s.0) * s.1.as_deref().map_or(1.0, bend));
            self.eye[0] + bend(&self.lens) + more.sum::<f64>()
        }

        #[offload]
        pub(super) fn rays(&self, out: &mut [f64]) {
            for i in 0..out.len() {
                out[i] = self.ray(i as f64);
            }
        }

        pub(super) fn rays_in_order(&self, out: &mut [f64]) {
            for i in 0..out.len() {
                out[i] = self.ray(i as f64);
            }
        }
    }

    #[offload]
    pub(super) fn of_each(cameras: &[Camera<'_, 2>], out: &mut [f64]) {
        for (o, camera) in out.iter_mut().zip(cameras) {
            *o = camera.ray(3.0);
        }
    }

    pub(super) struct Raster<T> {
        pub(super) wide: usize,
        pub(super) cells: Vec<T>,
    }

    impl<T: Copy> Raster<T> {
        fn get(&self, x: usize, y: usize) -> Option<T> {
            let inside = x < self.wide && y < self.cells.len() / self.wide;
            inside.then(|| self.cells[y * self.wide + x])
        }
    }

    /// A method of the name that memory has for its elements.
    #[offload]
    pub(super) fn turned(raster: &Raster<u16>, out: &mut [u16]) {
        for i in 0..out.len() {
            if let Some(cell) = raster.get(i / 8, i % 8) {
                out[i] = cell;
            }
        }
    }
}

#[test]
#[allow(deprecated, reason = "so it is for who makes one")]
fn types_whose_fields_are_plain_need_not_say_it() {
    use declared::{Camera, Lens, Step};
    let steps = [Step(3, None), Step(2, Some(Box::new(Lens::Round(0.5))))];
    let knots = vec![(0.5, 1.0), (0.25, 3.0)];
    let lenses = [Lens::Flat, Lens::Round(2.0), Lens::Ground { knots }];
    let cameras = lenses.map(|lens| Camera {
        eye: [0.5, 1.0],
        lens,
        steps: &steps,
        _old: 0,
    });
    for camera in &cameras {
        let (mut out, mut expected) = ([0.0; 700], [0.0; 700]);
        camera.rays_in_order(&mut expected);
        for strategy in ["sequential", "private:workers=3,parts=7"] {
            with_strategy(strategy, || camera.rays(&mut out));
            assert_eq!(out, expected, "{strategy}");
        }
    }
    let mut out = [0.0; 3];
    declared::of_each(&cameras, &mut out);
    assert_eq!(out[0], 0.5 + 3.0 + 3.0 + 3.0);
    let cells = (0..24).collect();
    let mut out = [99; 16];
    declared::turned(&declared::Raster { wide: 4, cells }, &mut out);
    assert_eq!(out[..6], [0, 4, 8, 12, 16, 20]);
    assert_eq!(out[6..9], [99, 99, 1]);
}

/// Types beside functions that mean others by their names, or whose fields cannot be lent: nothing is asked of them.
mod named_alike {
    use accrue::offload;

    #[repr(C, packed)]
    pub(super) struct Packed {
        pub(super) a: u8,
        pub(super) _b: u32,
    }

    pub(super) struct T(pub(super) Vec<u32>);

    pub(super) struct Config {
        _here: u8,
    }

    pub(super) mod other {
        pub(in super::super) struct Config {
            pub(in super::super) bins: usize,
        }
    }

    #[offload]
    pub(super) fn packed(words: &[String], parts: &[Packed], h: &mut [u32]) {
        for word in words {
            h[word.char_indices().count() % 8] += parts[0].a as u32;
        }
    }

    #[offload]
    pub(super) fn generic<T: Copy + Into<u32> + Send + Sync>(
        x: &[T],
        words: &[String],
        h: &mut [u32],
    ) {
        for (x, word) in x.iter().zip(words) {
            h[word.char_indices().count() % 8] += (*x).into();
        }
    }

    #[offload]
    pub(super) fn imported(words: &[String], h: &mut [u32]) {
        use other::Config;
        let of = Config { bins: 8 };
        let bins = of.bins;
        for word in words {
            h[word.char_indices().count() % bins] += 1;
        }
    }

    pub(super) fn mine() -> (T, Config) {
        (T(vec![1]), Config { _here: 0 })
    }
}

#[test]
fn types_that_are_named_alike_are_asked_nothing() {
    let words = ["a", "bc", "de"].map(str::to_owned);
    let (mut h, part) = ([0; 8], named_alike::Packed { a: 3, _b: 1 });
    named_alike::packed(&words, &[part], &mut h);
    assert_eq!(h[..3], [0, 3, 6]);
    named_alike::generic(&[1u8, 2, 3], &words, &mut h);
    assert_eq!(h[..3], [0, 4, 11]);
    named_alike::imported(&words, &mut h);
    assert_eq!(h[..3], [0, 5, 13]);
    assert_eq!(named_alike::mine().0.0, [1]);
}
