//! What iterations share and somebody may change, whatever the method is called.
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, RwLock, mpsc};

use accrue::offload;

struct Tickets(AtomicUsize);
impl Tickets {
    fn get(&self, _worker: usize) -> usize {
        self.0.fetch_add(1, Relaxed)
    }
    fn first(&self) -> Option<usize> {
        Some(self.get(0))
    }
    fn len(&self) -> usize {
        self.get(0)
    }
}
type Counter = AtomicU32;
struct Stats {
    seen: Counter,
    table: Vec<u32>,
}
static COUNTER: AtomicUsize = AtomicUsize::new(0);
static LAZY: LazyLock<Mutex<u32>> = LazyLock::new(|| Mutex::new(0));
mod state {
    pub static SEEN: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
}
thread_local! { static LAST: Cell<u32> = const { Cell::new(0) }; }
fn bump(a: &AtomicU32) -> u32 {
    a.fetch_add(1, Relaxed)
}
fn counter() -> &'static AtomicUsize {
    &COUNTER
}
trait Take {
    fn take(&self) -> usize;
}


#[offload(histogram)]
fn tickets(n: usize, t: &Tickets, h: &mut [u32]) {
    for i in 0..n {
        h[t.get(i)] += 1;
    }
}
#[offload(histogram)]
fn first_of_tickets(n: usize, t: &Tickets, h: &mut [u32]) {
    for i in 0..n {
        if let Some(k) = t.first() {
            h[k + i] += 1;
        }
    }
}
#[offload(histogram)]
fn length_of_tickets(n: usize, t: &Tickets, h: &mut [u32]) {
    for i in 0..n {
        h[t.len() + i] += 1;
    }
}
#[offload(histogram)]
fn lock(xs: &[u32], last: &Mutex<u32>, h: &mut [u32]) {
    for &x in xs {
        h[(*last.lock().unwrap() + x) as usize] += 1;
    }
}
#[offload(histogram)]
fn rwlock(xs: &[u32], last: &RwLock<u32>, h: &mut [u32]) {
    for &x in xs {
        let prev = *last.read().unwrap();
        h[(prev + x) as usize] += 1;
    }
}
#[offload(histogram)]
fn shared_mutex(xs: &[u32], last: Arc<Mutex<u32>>, h: &mut [u32]) {
    for &x in xs {
        let own = Arc::clone(&last);
        h[(*own.lock().unwrap() + x) as usize] += 1;
    }
}
#[offload(histogram)]
fn channel(xs: &[u32], tx: &mpsc::Sender<u32>, h: &mut [u32]) {
    for &x in xs {
        tx.send(x).unwrap();
        h[x as usize] += 1;
    }
}
#[offload(histogram)]
fn once(xs: &[u32], first: &OnceLock<u32>, h: &mut [u32]) {
    for &x in xs {
        h[*first.get_or_init(|| x) as usize] += 1;
    }
}
#[offload(histogram)]
fn field(xs: &[u32], stats: &Stats, h: &mut [u32]) {
    for &x in xs {
        h[(stats.table[x as usize] + stats.seen.fetch_add(1, Relaxed)) as usize] += 1;
    }
}
#[offload(histogram)]
fn alias(xs: &[u32], stats: &Stats, h: &mut [u32]) {
    for &x in xs {
        let seen = &stats.seen;
        h[(x + seen.fetch_add(1, Relaxed)) as usize] += 1;
    }
}
#[offload(histogram)]
fn a_static(xs: &[u32], h: &mut [u32]) {
    for &x in xs {
        h[COUNTER.fetch_add(1, Relaxed) + x as usize] += 1;
    }
}
#[offload(histogram)]
fn a_static_elsewhere(xs: &[u32], h: &mut [u32]) {
    for &x in xs {
        h[state::SEEN.fetch_add(1, Relaxed) + x as usize] += 1;
    }
}
#[offload(histogram)]
fn lazy(xs: &[u32], h: &mut [u32]) {
    for &x in xs {
        h[(*LAZY.lock().unwrap() + x) as usize] += 1;
    }
}
#[offload(histogram)]
fn thread_local(xs: &[u32], h: &mut [u32]) {
    for &x in xs {
        h[(LAST.get() + x) as usize] += 1;
        LAST.set(x);
    }
}
#[offload(histogram)]
fn argument(xs: &[u32], seen: &AtomicU32, h: &mut [u32]) {
    for &x in xs {
        h[(bump(seen) + x) as usize] += 1;
    }
}
#[offload(histogram)]
fn result(xs: &[u32], h: &mut [u32]) {
    for &x in xs {
        h[counter().fetch_add(1, Relaxed) + x as usize] += 1;
    }
}
#[offload(histogram)]
fn bound_result(xs: &[u32], h: &mut [u32]) {
    for &x in xs {
        let c = counter();
        h[c.fetch_add(1, Relaxed) + x as usize] += 1;
    }
}
#[offload(histogram)]
fn items(cells: &[AtomicU32], h: &mut [u32]) {
    for c in cells {
        h[c.fetch_add(1, Relaxed) as usize] += 1;
    }
}
#[offload(histogram)]
fn references_as_items(cells: &[&AtomicU32], h: &mut [u32]) {
    for c in cells {
        h[c.fetch_add(1, Relaxed) as usize] += 1;
    }
}
#[offload(histogram)]
fn elements(n: usize, locks: &[Mutex<u32>], h: &mut [u32]) {
    for i in 0..n {
        h[*locks[i % 7].lock().unwrap() as usize] += 1;
    }
}
#[offload(histogram)]
fn lent_elements(n: usize, locks: &[Mutex<u32>], h: &mut [u32]) {
    for i in 0..n {
        if let Some(lock) = locks.get(i % 7) {
            h[*lock.lock().unwrap() as usize] += 1;
        }
    }
}
#[offload(histogram)]
fn elements_in_a_closure(n: usize, cells: &[AtomicU32], h: &mut [u32]) {
    for i in 0..n {
        h[i + cells.iter().position(|c| c.swap(1, Relaxed) == 0).unwrap_or(0)] += 1;
    }
}
#[offload(histogram)]
fn in_a_map(xs: &[u32], map: &HashMap<u32, AtomicU32>, h: &mut [u32]) {
    for &x in xs {
        h[map[&x].fetch_add(1, Relaxed) as usize] += 1;
    }
}
#[offload(histogram)]
fn an_option(xs: &[u32], seen: Option<&AtomicU32>, h: &mut [u32]) {
    for &x in xs {
        if let Some(seen) = seen {
            seen.fetch_add(x, Relaxed);
        }
        h[x as usize] += 1;
    }
}
#[offload(histogram)]
fn a_closure<F: Fn(u32) -> usize + Sync>(xs: &[u32], f: F, h: &mut [u32]) {
    for &x in xs {
        h[f(x)] += 1;
    }
}
#[offload(histogram)]
fn a_closure_from_before(xs: &[u32], seen: &AtomicU32, h: &mut [u32]) {
    let next = |x: u32| (x + seen.fetch_add(1, Relaxed)) as usize;
    for &x in xs {
        h[next(x)] += 1;
    }
}
#[offload(histogram)]
fn a_trait(xs: &[u32], t: &(dyn Take + Sync), h: &mut [u32]) {
    for &x in xs {
        h[t.take() + x as usize] += 1;
    }
}
#[offload(histogram)]
fn a_type_parameter<T: Take + Sync>(xs: &[T], h: &mut [u32]) {
    for x in xs {
        h[x.take()] += 1;
    }
}
#[offload(histogram)]
fn by_match(xs: &[u32], seen: &(u32, AtomicU32), h: &mut [u32]) {
    for &x in xs {
        match seen {
            (k, c) => h[(c.fetch_add(1, Relaxed) + k + x) as usize] += 1,
        }
    }
}
#[offload(histogram)]
fn by_tuple(xs: &[u32], a: &AtomicU32, b: &AtomicU32, h: &mut [u32]) {
    for &x in xs {
        let (c, d) = (a, b);
        h[(c.fetch_add(1, Relaxed) + d.load(Relaxed) + x) as usize] += 1;
    }
}
#[offload(histogram)]
fn by_assignment(xs: &[u32], seen: &AtomicU32, h: &mut [u32]) {
    for &x in xs {
        let c;
        c = seen;
        h[(c.fetch_add(1, Relaxed) + x) as usize] += 1;
    }
}
struct Dispenser {
    table: Vec<u32>,
    next: AtomicU32,
    given: Vec<AtomicU32>,
}
#[offload]
impl Dispenser {
    fn number(&self, x: u32) -> u32 {
        self.table[x as usize] + self.next.fetch_add(1, Relaxed)
    }
    fn of(&self, x: u32) -> u32 {
        self.number(x) + 1
    }
    fn known(&self, k: usize) -> &AtomicU32 {
        &self.given[k]
    }
    fn through_a_method(&self, xs: &[u32], out: &mut [u32]) {
        for i in 0..xs.len() {
            out[i] = self.number(xs[i]);
        }
    }
    fn through_two_methods(&self, xs: &[u32], out: &mut [u32]) {
        for i in 0..xs.len() {
            out[i] = self.of(xs[i]);
        }
    }
    fn through_a_reference(&self, out: &mut [u32]) {
        for i in 0..out.len() {
            out[i] = self.known(i / 2).fetch_add(1, Relaxed);
        }
    }
    fn of_a_field(&self, out: &mut [u32]) {
        for i in 0..out.len() {
            out[i] = self.given[i / 2].fetch_add(1, Relaxed);
        }
    }
}
#[derive(accrue::Plain)]
struct NotPlain {
    seen: RefCell<u32>,
}

#[offload(histogram)]
fn by_a_closure_of_a_closure(xs: &[u32], a: &AtomicU32, h: &mut [u32]) {
    let next = |x: u32| bump(a) + x;
    let bin = |x: u32| next(x) as usize;
    for &x in xs {
        h[bin(x)] += 1;
    }
}

#[offload(histogram)]
fn by_a_closure_whose_name_is_taken(xs: &[u32], a: AtomicU32, h: &mut [u32]) {
    let next = |x: u32| bump(&a) + x;
    let a = 3;
    for &x in xs {
        h[next(x) as usize + a] += 1;
    }
}

impl Stats {
    fn next(&self, k: u32) -> u32 {
        self.seen.fetch_add(1, Relaxed) + self.table[k as usize]
    }
}
struct Deep {
    parts: Vec<Stats>,
    scale: f32,
}
impl Deep {
    fn next(&self, k: u32) -> u32 {
        self.parts[k as usize].next(k)
    }
}
struct Many<T> {
    of: Vec<T>,
}
impl Many<AtomicU32> {
    fn next(&self, k: u32) -> u32 {
        self.of[k as usize].fetch_add(1, Relaxed)
    }
}
#[offload]
fn declared_with_a_counter(xs: &[u32], stats: &Stats, deep: &Deep, many: &Many<AtomicU32>, out: &mut [u32]) {
    for i in 0..xs.len() {
        out[i] = stats.next(xs[i]) + deep.next(xs[i]) + many.next(xs[i]);
    }
}
mod hidden {
    use super::*;
    struct String(AtomicU32);
    struct Named(String);
    impl Named {
        fn next(&self, k: u32) -> u32 {
            self.0.0.fetch_add(k, Relaxed)
        }
    }
    #[offload]
    fn declared_of_what_hides_a_name(xs: &[u32], named: &Named, out: &mut [u32]) {
        for i in 0..xs.len() {
            out[i] = named.next(xs[i]);
        }
    }
}
#[offload]
fn statics_of_bodies(xs: &[u32], out: &mut [u32]) {
    let next = |x: u32| {
        static BEFORE: Counter = Counter::new(0);
        BEFORE.fetch_add(x, Relaxed)
    };
    for i in 0..xs.len() {
        static INSIDE: Counter = Counter::new(0);
        const LENT: &Counter = &INSIDE;
        out[i] = next(xs[i]) + INSIDE.fetch_add(1, Relaxed) + bump(LENT);
    }
}
fn main() {}
