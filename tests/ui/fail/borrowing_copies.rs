//! `Copy` types that borrow, and what they borrow may change: rustc says that they would have to live for ever. It does so where all
//! types are right, so that they stand alone.
use accrue::{Plain, offload};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

#[derive(Clone, Copy)]
struct Context<'a> {
    hits: &'a AtomicU32,
}
impl Context<'_> {
    fn hit(&self) -> usize {
        self.hits.fetch_add(1, Relaxed) as usize
    }
}
fn first(contexts: &[Context<'_>]) -> usize {
    contexts[0].hit()
}
fn any<T: Copy>(of: &[T]) -> usize {
    of.len()
}

#[offload(histogram)]
fn captured(xs: &[u32], context: Context<'_>, h: &mut [u32]) {
    for &x in xs {
        h[context.hit() + x as usize] += 1;
    }
}
#[offload(histogram)]
fn copied(xs: &[u32], context: Context<'_>, h: &mut [u32]) {
    for &x in xs {
        let mine = context;
        h[mine.hit() + x as usize] += 1;
    }
}
#[offload(histogram)]
fn in_a_slice(xs: &[u32], contexts: &[Context<'_>], h: &mut [u32]) {
    for &x in xs {
        h[first(contexts) + x as usize] += 1;
    }
}
#[offload(histogram)]
fn by_a_closure(xs: &[u32], context: Context<'_>, h: &mut [u32]) {
    let next = |x: u32| context.hit() + x as usize;
    for &x in xs {
        h[next(x)] += 1;
    }
}
#[offload(histogram)]
fn of_any_type<T: Copy + Sync>(xs: &[u32], of: &[T], h: &mut [u32]) {
    for &x in xs {
        h[any(of) + x as usize] += 1;
    }
}
#[derive(Plain)]
struct Kept<'a> {
    contexts: Vec<Context<'a>>,
}

fn main() {}
