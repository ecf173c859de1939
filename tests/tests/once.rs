//! What a loop iterates over, and what it captures: evaluated once, in order, and of any type that rustc takes, on every device of the
//! build. Without the attribute the same functions are the judge.

#![allow(
    clippy::all,
    unused_parens,
    reason = "loops are written as people write them"
)]

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ops::{Deref, Index};
use std::sync::{Arc, Mutex, RwLock};

use accrue::{Device, offload, with_device};

const BINS: usize = 64;
const LIMIT: &u32 = &40;
static EDGE: u32 = 17;

/// A function twice: as it is, and offloaded.
macro_rules! twice {
    ($($(#[$attr:meta])* fn $name:ident $(<$($generic:tt),*>)? ($($params:tt)*) $(-> $output:ty)? $body:block)*) => {
        mod sequential {
            use super::*;
            $(pub(super) fn $name $(<$($generic),*>)? ($($params)*) $(-> $output)? $body)*
        }
        $($(#[$attr])* #[offload(histogram)] fn $name $(<$($generic),*>)? ($($params)*) $(-> $output)? $body)*
    };
}

/// What was called, in order.
#[derive(Debug, Default, PartialEq, Clone)]
struct Calls(Vec<usize>);

impl Calls {
    fn note(&mut self, n: usize) -> usize {
        self.0.push(n);
        n
    }

    fn try_note(&mut self, n: usize) -> Option<usize> {
        self.0.push(n);
        (n < 1000).then_some(n)
    }
}

/// Dereferences to a slice, and has no `Index`.
struct Plain(Vec<u32>);

impl Deref for Plain {
    type Target = [u32];
    fn deref(&self) -> &[u32] {
        &self.0
    }
}

impl std::ops::DerefMut for Plain {
    fn deref_mut(&mut self) -> &mut [u32] {
        &mut self.0
    }
}

/// Counts from the end, and dereferences to a slice as well.
struct Backwards(Vec<u32>);

impl Deref for Backwards {
    type Target = [u32];
    fn deref(&self) -> &[u32] {
        &self.0
    }
}

impl Index<usize> for Backwards {
    type Output = u32;
    fn index(&self, i: usize) -> &u32 {
        &self.0[self.0.len() - 1 - i]
    }
}

/// Has an `iter` of its own, over all but the first.
struct Tail(Vec<u32>);

impl Tail {
    fn iter(&self) -> std::slice::Iter<'_, u32> {
        self.0[1..].iter()
    }
}

impl Deref for Tail {
    type Target = [u32];
    fn deref(&self) -> &[u32] {
        &self.0
    }
}

struct Config {
    modulus: u32,
    table: Vec<u32>,
    back: Backwards,
    plain: Plain,
    tail: Tail,
    queue: VecDeque<u32>,
}

#[derive(Clone, Copy)]
#[allow(dead_code)]
enum Kind {
    A = 3,
    B = 9,
}

fn owned(n: usize) -> Vec<u32> {
    (0..n as u32).collect()
}

twice! {
    fn start_then_end(xs: &[u32], c: &mut Calls, h: &mut [u32; BINS]) {
        for i in c.note(3)..c.note(900) {
            h[(xs[i] & 63) as usize] += 1;
        }
    }

    fn inclusive(xs: &[u32], c: &mut Calls, h: &mut [u32; BINS]) {
        for i in c.note(1)..=c.note(500) {
            h[(xs[i] & 63) as usize] += 1;
        }
    }

    fn signed(xs: &[u32], c: &mut Calls, h: &mut [u32; BINS]) {
        for i in -(c.note(30) as i32)..c.note(700) as i32 {
            h[(xs[i.unsigned_abs() as usize] & 63) as usize] += 1;
        }
    }

    // The end changes what the start has read.
    fn read_before(xs: &[u32], n: &mut usize, h: &mut [u32; BINS]) {
        for i in *n..({ *n += 100; *n + 300 }) {
            h[(xs[i] as usize + *n) & 63] += 1;
        }
    }

    fn pops(xs: &[u32], todo: &mut Vec<usize>, h: &mut [u32; BINS]) {
        for i in todo.pop().unwrap_or(0)..todo.pop().unwrap_or(0) {
            h[(xs[i] & 63) as usize] += 1;
        }
    }

    fn question(xs: &[u32], c: &mut Calls, h: &mut [u32; BINS]) -> Option<usize> {
        for i in 0..c.try_note(400)? {
            h[(xs[i] & 63) as usize] += 1;
        }
        for &x in &xs[..c.try_note(4000)?] {
            h[(x & 63) as usize] += 1;
        }
        Some(7)
    }

    // An update that the CPU's tables cannot do: the loop stays in order there.
    fn through_a_reference(xs: &[u32], c: &mut Calls, h: &mut [u32; BINS]) {
        for (i, x) in xs[c.note(1)..].iter().copied().take(c.note(500)).enumerate() {
            let slot = &mut h[(x as usize + i) & 63];
            *slot += 1;
        }
        for i in c.note(2)..=c.note(90) {
            let slot = &mut h[i & 63];
            *slot += xs[i];
        }
    }

    fn leaves_rows(xs: &[u32], c: &mut Calls, h: &mut [u32; BINS]) {
        let mut row = 0;
        'rows: while row < 10 {
            row += 1;
            for i in 0..(if row == 4 { break 'rows } else { c.note(row * 50) }) {
                h[(xs[i] & 63) as usize] += 1;
            }
        }
    }

    fn chain(xs: &[u32], ys: &[u32], c: &mut Calls, h: &mut [u32; BINS]) {
        for (i, (&x, &y)) in xs[c.note(2)..].iter().skip(c.note(5)).zip(ys[c.note(1)..c.note(800)].iter().rev()).step_by(c.note(3)).enumerate() {
            h[(x as usize + y as usize + i) & 63] += 1;
        }
    }

    fn chunks(xs: &[u32], c: &mut Calls, h: &mut [u32; BINS]) {
        for pair in xs[..c.note(1000)].chunks(c.note(3)) {
            h[(pair[0] & 63) as usize] += pair.len() as u32;
        }
        for pair in xs.chunks_exact(c.note(2)).take(c.note(100)) {
            h[((pair[0] ^ pair[1]) & 63) as usize] += 1;
        }
        for w in xs.windows(c.note(4)).skip(c.note(7)) {
            h[((w[0] ^ w[3]) & 63) as usize] += 1;
        }
    }

    fn text(name: &str, c: &mut Calls, h: &mut [u32; BINS]) {
        for b in name[c.note(2)..].bytes() {
            h[(b & 63) as usize] += 1;
        }
        for b in name.to_uppercase().bytes() {
            h[(b & 63) as usize] += 1;
        }
        for &b in name.to_uppercase().as_bytes() {
            h[(b & 63) as usize] += 1;
        }
        for b in name.as_bytes() {
            h[(b & 63) as usize] += 1;
        }
    }

    fn literal(c: &mut Calls, h: &mut [u32; BINS]) {
        for x in [c.note(5), c.note(9), c.note(5)] {
            h[x & 63] += 1;
        }
        for x in [7u32, 8, 7] {
            h[x as usize] += 1;
        }
        for &x in b"some text" {
            h[(x & 63) as usize] += 1;
        }
    }

    fn temporaries(c: &mut Calls, keys: &Mutex<Vec<u32>>, h: &mut [u32; BINS]) {
        for &x in keys.lock().unwrap().iter() {
            h[(x & 63) as usize] += 1;
        }
        for &x in &keys.lock().unwrap()[c.note(3)..] {
            h[(x & 63) as usize] += 1;
        }
        for &x in owned(c.note(77)).iter() {
            h[(x & 63) as usize] += 1;
        }
        for x in owned(c.note(78)).as_slice() {
            h[(*x & 63) as usize] += 1;
        }
    }

    fn nested(xs: &[u32], c: &mut Calls, h: &mut [u32; BINS]) {
        for i in 0..c.note(10) {
            for j in 0..xs.len() {
                h[(xs[j] as usize + i) & 63] += 1;
            }
        }
    }

    fn arithmetic(xs: &[u32], n: usize, h: &mut [u32; BINS]) {
        for i in n / 4..xs.len() - 1 {
            h[((xs[i] ^ xs[i + 1]) & 63) as usize] += 1;
        }
    }

    fn taken_whole(rows: &HashMap<u32, Vec<u32>>, c: &mut Calls, h: &mut [u32; BINS]) {
        for x in rows.get(&(c.note(1) as u32)).unwrap() {
            h[(x & 63) as usize] += 1;
        }
        for &x in rows[&(c.note(2) as u32)].iter() {
            h[(x & 63) as usize] += 1;
        }
    }

    fn span(h: &mut [u32; BINS]) {
        let span = 3..50usize;
        for i in span {
            h[i] += 1;
        }
        let long = 1..=200u64;
        for _ in long {
            h[3] += 1;
        }
    }

    fn moved(n: usize, h: &mut [u32; BINS]) {
        let xs = owned(n);
        for x in xs {
            h[(x & 63) as usize] += 1;
        }
        let xs: Box<[u32]> = owned(n).into();
        for x in xs.into_iter() {
            h[(x & 63) as usize] += 1;
        }
    }

    // References to numbers, by every way to get one.
    fn first(xs: &[u32], h: &mut [u32; BINS]) -> Option<u32> {
        let first = xs.first()?;
        for &x in xs {
            if x == *first {
                continue;
            }
            h[x as usize % BINS] += 1;
        }
        Some(*first)
    }

    fn twice_behind(xs: &[u32], h: &mut [u32; BINS]) {
        let longest = xs.iter().max_by_key(|x| **x % 61).unwrap();
        let behind = &longest;
        for x in xs {
            if x < behind {
                h[(**behind % 61) as usize] += 1;
            }
        }
    }

    fn pair(xs: &[u32], cfg: &(u32, f32), h: &mut [u32; BINS]) {
        let (m, s) = cfg;
        for x in xs {
            h[((x % m) as f32 * s) as usize % BINS] += 1;
        }
    }

    fn optional(xs: &[u32], o: Option<&u32>, h: &mut [u32; BINS]) {
        let Some(m) = o else { return };
        for x in xs {
            h[(x % m) as usize % BINS] += 1;
            h[(x % *m) as usize % BINS] += 1;
        }
    }

    fn matched(xs: &[u32], o: &Result<u32, u64>, h: &mut [u32; BINS]) {
        match o {
            Ok(m) => {
                for x in xs {
                    h[(x % m) as usize % BINS] += 1;
                }
            }
            Err(m) => {
                for x in xs {
                    h[(u64::from(*x) % m) as usize % BINS] += 1;
                }
            }
        }
    }

    fn cast_reference(xs: &[u32], m: Option<&u8>, h: &mut [u32; BINS]) {
        let m = m.unwrap();
        for x in xs {
            h[(x % *m as u32) as usize % BINS] += 1;
            h[(x >> m) as usize % BINS] += 1;
        }
    }

    fn constants(xs: &[u32], h: &mut [u32; BINS]) {
        let edge = &EDGE;
        for x in xs {
            if x < LIMIT || x == edge {
                h[Kind::B as usize] += 1;
            } else {
                h[(*x % *LIMIT) as usize] += 1;
            }
        }
    }

    fn smart(xs: &[u32], h: &mut [u32; BINS]) {
        let cell = Mutex::new(13u32);
        let guard = cell.lock().unwrap();
        let shared = Arc::new(5u32);
        let boxed = Box::new(3u32);
        for &x in xs {
            h[((x % *guard) + *shared + *boxed) as usize] += 1;
        }
    }

    fn closure_bound(xs: &[u32], c: &Cell<u32>, h: &mut [u32; BINS]) {
        let tick = || {
            c.set(c.get() + 1);
            700usize
        };
        for i in 0..tick() {
            h[(xs[i] & 63) as usize] += 1;
        }
    }

    // Containers of every kind.
    fn pointers(xs: &Arc<Vec<u32>>, h: &mut [u32; BINS]) {
        let lookup: Arc<[u32]> = Arc::from(owned(64));
        let cow: Cow<'_, [u32]> = Cow::Borrowed(&xs[1..]);
        for (i, x) in xs.iter().enumerate().take(900) {
            h[(lookup[(*x & 63) as usize] + cow[i]) as usize & 63] += 1;
        }
        for x in cow.iter() {
            h[(*x & 63) as usize] += 1;
        }
    }

    fn guards(xs: &RwLock<Vec<u32>>, h: &mut [u32; BINS]) {
        let keys = xs.read().unwrap();
        for i in 0..keys.len() {
            h[(keys[i] & 63) as usize] += 1;
        }
    }

    fn references(xs: &[u32], h: &mut [u32; BINS]) {
        let picked: Vec<&u32> = xs.iter().filter(|x| **x % 3 == 0).collect();
        for x in &picked {
            h[(**x & 63) as usize] += 1;
        }
        for i in 0..picked.len() {
            h[(*picked[i] & 63) as usize] += 1;
        }
    }

    fn queue(xs: &[u32], h: &mut [u32; BINS]) {
        let queue: VecDeque<u32> = xs.iter().copied().collect();
        let same = queue.clone();
        for i in 0..queue.len() {
            h[((queue[i] ^ same[i]) & 63) as usize] += 1;
        }
    }

    fn map(xs: &[u32], h: &mut [u32; BINS]) {
        let map: BTreeMap<u32, u32> = xs.iter().map(|x| (*x, x * 7)).collect();
        for x in xs {
            h[(map[x] & 63) as usize] += 1;
        }
        for i in 0..map.len() {
            h[i & 63] += 1;
        }
    }

    fn fields(xs: &[u32], cfg: &Config, h: &mut [u32; BINS]) {
        for i in 0..xs.len() {
            h[(xs[i] % cfg.modulus + cfg.table[i] + cfg.plain[i]) as usize & 63] += 1;
        }
    }

    fn own_index(xs: &[u32], cfg: &Config, h: &mut [u32; BINS]) {
        for i in 0..xs.len() {
            h[(cfg.back[i] & 63) as usize] += 1;
        }
        let back = &cfg.back;
        for (i, x) in xs.iter().enumerate() {
            h[((back[i] ^ x) & 63) as usize] += 1;
        }
        for &x in cfg.back.iter() {
            h[(x & 63) as usize] += 1;
        }
    }

    fn own_iter(cfg: &Config, h: &mut [u32; BINS]) {
        for &x in cfg.tail.iter() {
            h[(x & 63) as usize] += 1;
        }
        let tail = &cfg.tail;
        for x in tail.iter() {
            h[(*x & 63) as usize] += 1;
        }
    }

    fn ring(xs: &[u32], cfg: &Config, h: &mut [u32; BINS]) {
        for i in 0..xs.len() {
            h[((cfg.queue[i] + xs[i]) & 63) as usize] += 1;
        }
    }

    fn inferred(xs: &[u32], h: &mut [u32; BINS]) {
        let n = 5;
        let scale = 1.5;
        let table = vec![3, 1, 4, 1, 5];
        for x in xs {
            h[((x % n) as f64 * scale) as usize] += table[(x % n) as usize];
        }
    }

    fn plain_bins(xs: &[u32], h: &mut Plain) {
        for &x in xs {
            h[(x & 63) as usize] += 1;
        }
    }

    fn boxed_bins(xs: &[u32], h: &mut Box<Vec<u32>>) {
        for &x in xs {
            h[(x & 63) as usize] += 1;
        }
    }

    fn guarded_bins(xs: &[u32], h: &Mutex<Vec<u32>>) {
        let mut h = h.lock().unwrap();
        for &x in xs {
            h[(x & 63) as usize] += 1;
        }
    }
}

/// Runs both forms on each device of the build.
macro_rules! same {
    ($name:ident, |$bins:ident, $f:ident| $call:expr) => {
        for device in devices() {
            let expected = {
                let mut $bins = [0u32; BINS];
                let $f = sequential::$name;
                let left = $call;
                (left, $bins)
            };
            let found = with_device(device, || {
                let mut $bins = [0u32; BINS];
                let $f = $name;
                let left = $call;
                (left, $bins)
            });
            assert_eq!(found, expected, "{} on {device}", stringify!($name));
            assert_ne!(expected.1, [0; BINS], "{} does nothing", stringify!($name));
        }
    };
}

fn devices() -> Vec<Device> {
    let mut devices = vec![Device::Seq, Device::Cpu];
    if cfg!(feature = "sim") {
        devices.push(Device::Sim);
    }
    devices
}

fn keys() -> Vec<u32> {
    (0..2000u32)
        .map(|i| i.wrapping_mul(2_654_435_761) >> 9)
        .collect()
}

fn config() -> Config {
    Config {
        modulus: 37,
        table: keys(),
        back: Backwards(keys()),
        plain: Plain(keys()),
        tail: Tail(keys()),
        queue: keys().into(),
    }
}

#[test]
fn bounds_run_once_and_in_order() {
    let xs = keys();
    let ys: Vec<u32> = xs.iter().rev().copied().collect();
    same!(start_then_end, |h, f| {
        let mut c = Calls::default();
        f(&xs, &mut c, &mut h);
        c
    });
    same!(inclusive, |h, f| {
        let mut c = Calls::default();
        f(&xs, &mut c, &mut h);
        c
    });
    same!(signed, |h, f| {
        let mut c = Calls::default();
        f(&xs, &mut c, &mut h);
        c
    });
    same!(read_before, |h, f| {
        let mut n = 20;
        f(&xs, &mut n, &mut h);
        n
    });
    same!(pops, |h, f| {
        let mut todo = vec![4, 700, 10];
        f(&xs, &mut todo, &mut h);
        todo
    });
    same!(question, |h, f| {
        let mut c = Calls::default();
        (f(&xs, &mut c, &mut h), c)
    });
    same!(through_a_reference, |h, f| {
        let mut c = Calls::default();
        f(&xs, &mut c, &mut h);
        c
    });
    same!(leaves_rows, |h, f| {
        let mut c = Calls::default();
        f(&xs, &mut c, &mut h);
        c
    });
    same!(chain, |h, f| {
        let mut c = Calls::default();
        f(&xs, &ys, &mut c, &mut h);
        c
    });
    same!(chunks, |h, f| {
        let mut c = Calls::default();
        f(&xs, &mut c, &mut h);
        c
    });
    same!(text, |h, f| {
        let mut c = Calls::default();
        f("Bins, bins and more bins", &mut c, &mut h);
        c
    });
    same!(literal, |h, f| {
        let mut c = Calls::default();
        f(&mut c, &mut h);
        c
    });
    same!(temporaries, |h, f| {
        let mut c = Calls::default();
        f(&mut c, &Mutex::new(keys()), &mut h);
        c
    });
    same!(nested, |h, f| {
        let mut c = Calls::default();
        f(&xs, &mut c, &mut h);
        c
    });
    same!(arithmetic, |h, f| f(&xs, 100, &mut h));
    same!(closure_bound, |h, f| {
        let c = Cell::new(0);
        f(&xs, &c, &mut h);
        c.get()
    });
    let rows = HashMap::from([(1, keys()), (2, owned(99))]);
    same!(taken_whole, |h, f| {
        let mut c = Calls::default();
        f(&rows, &mut c, &mut h);
        c
    });
    same!(span, |h, f| f(&mut h));
    same!(moved, |h, f| f(1000, &mut h));
}

#[test]
fn numbers_behind_references_are_numbers() {
    let xs = keys();
    same!(first, |h, f| f(&xs, &mut h));
    same!(twice_behind, |h, f| f(&xs, &mut h));
    same!(pair, |h, f| f(&xs, &(20, 2.5), &mut h));
    same!(optional, |h, f| f(&xs, Some(&50), &mut h));
    same!(matched, |h, f| {
        f(&xs, &Ok(40), &mut h);
        f(&xs, &Err(60), &mut h)
    });
    same!(cast_reference, |h, f| f(&xs, Some(&7), &mut h));
    same!(constants, |h, f| f(&xs, &mut h));
    same!(smart, |h, f| f(&xs, &mut h));
    same!(inferred, |h, f| f(&xs, &mut h));
}

#[test]
fn containers_mean_what_their_index_means() {
    let xs = keys();
    let cfg = config();
    same!(pointers, |h, f| f(&Arc::new(keys()), &mut h));
    same!(guards, |h, f| f(&RwLock::new(keys()), &mut h));
    same!(references, |h, f| f(&xs, &mut h));
    same!(queue, |h, f| f(&xs, &mut h));
    same!(map, |h, f| f(&xs, &mut h));
    same!(fields, |h, f| f(&xs, &cfg, &mut h));
    same!(own_index, |h, f| f(&xs, &cfg, &mut h));
    same!(own_iter, |h, f| f(&cfg, &mut h));
    same!(ring, |h, f| f(&xs, &cfg, &mut h));
    same!(plain_bins, |h, f| {
        let mut p = Plain(vec![0; BINS]);
        f(&xs, &mut p);
        h.copy_from_slice(&p)
    });
    same!(boxed_bins, |h, f| {
        let mut p = Box::new(vec![0; BINS]);
        f(&xs, &mut p);
        h.copy_from_slice(&p)
    });
    same!(guarded_bins, |h, f| {
        let p = Mutex::new(vec![0; BINS]);
        f(&xs, &p);
        h.copy_from_slice(&p.lock().unwrap())
    });
}

/// The references of these loops do not keep them off a device.
#[cfg(feature = "sim")]
#[test]
fn references_run_on_the_device() {
    let xs = keys();
    let mut h = [0; BINS];
    with_device(Device::Sim, || {
        let sim = |text: String| assert!(text.contains("on sim"), "{text}");
        first::try_call(&xs, &mut h).unwrap();
        sim(first::explain());
        pair::try_call(&xs, &(20, 2.5), &mut h).unwrap();
        sim(pair::explain());
        optional::try_call(&xs, Some(&50), &mut h).unwrap();
        sim(optional::explain());
        cast_reference::try_call(&xs, Some(&7), &mut h).unwrap();
        sim(cast_reference::explain());
        // What is no number says so.
        let error = smart::try_call(&xs, &mut h).unwrap_err();
        assert!(error.to_string().contains("another type"), "{error}");
    });
}

/// Calls that are soon done run as they are written, and evaluate their headers once as well.
mod soon_done {
    use std::cell::Cell;

    use accrue::offload;

    thread_local! {
        static NOTED: Cell<usize> = const { Cell::new(0) };
    }

    fn note(n: usize) -> usize {
        NOTED.set(NOTED.get() + 1);
        n
    }

    #[offload]
    fn own(x: &[u32], out: &mut [u32]) {
        for i in 0..note(50) {
            out[i] = x[i] + 1;
        }
    }

    #[offload]
    fn pushed(x: &[u32]) -> Vec<u32> {
        let mut out = Vec::new();
        for y in x.iter().take(note(20)) {
            out.push(y + 1);
        }
        out
    }

    #[offload]
    fn greatest(x: &[u32]) -> usize {
        let (mut best, mut at) = (0, 0);
        for (i, &v) in x[..note(50)].iter().enumerate() {
            if v > best {
                best = v;
                at = i;
            }
        }
        at
    }

    #[offload]
    fn sums(x: &[u32], rounds: usize) -> u32 {
        let (mut all, mut round) = (0, 0);
        while round < rounds {
            let mut sum = 0;
            for i in 0..note(50) {
                sum += x[i];
            }
            all ^= sum;
            round += 1;
            if sum == 3 {
                break;
            }
        }
        all
    }

    #[test]
    fn headers_are_evaluated_once() {
        let x: Vec<u32> = (0..100).collect();
        let mut out = vec![0; 100];
        for calls in 1..=300 {
            own(&x, &mut out);
            assert_eq!(pushed(&x), (1..=20).collect::<Vec<u32>>());
            assert_eq!(greatest(&x), 49);
            assert_eq!(sums(&x, 3), 1225);
            assert_eq!(NOTED.get(), 6 * calls);
        }
    }
}
