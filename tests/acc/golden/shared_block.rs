//! Translated by acc2rs from `shared_block.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, unused_assignments, unused_variables)]

use accrue::offload;
use std::process::ExitCode;

mod c;

// Structs whose fields share one block of memory: held by a field, by a local first, exchanged, grown.
#[allow(dead_code)]
#[derive(Clone, Debug)]
struct grid {
    nx: i32,
    ny: i32,
    u: Vec<f64>,
    unew: usize,
    rhs: usize,
}

#[allow(dead_code)]
#[derive(Clone, Debug)]
struct field_t {
    store: Vec<f64>,
    cur: usize,
    next: usize,
    n: i32,
}

#[allow(dead_code)]
#[derive(Clone, Debug)]
struct Layer {
    n: i32,
    cap: i32,
    mem: Vec<f32>,
    w: usize,
    g: usize,
}

impl grid {
    /// All fields zero, as C initializes them.
    fn zeroed() -> grid {
        grid {
            nx: 0,
            ny: 0,
            u: Vec::new(),
            unew: 0,
            rhs: 0,
        }
    }
}

impl field_t {
    /// All fields zero, as C initializes them.
    fn zeroed() -> field_t {
        field_t {
            store: Vec::new(),
            cur: 0,
            next: 0,
            n: 0,
        }
    }
}

impl Layer {
    /// All fields zero, as C initializes them.
    fn zeroed() -> Layer {
        Layer {
            n: 0,
            cap: 0,
            mem: Vec::new(),
            w: 0,
            g: 0,
        }
    }
}

/// The variables that C keeps outside functions.
struct Globals {
    block: Vec<f64>,
    right: usize,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            block: Vec::new(),
            right: 0,
        }
    }
}

/// Updates `whole`, the loop at shared_block.c:27:5.
#[offload]
fn update_whole(ny: i32, nx: i32, u: usize, rhs: usize, out: usize, whole: &mut [f64]) {
    for j in 1..ny - 1 {
        for i in 1..nx - 1 {
            whole[out.wrapping_add(j as usize * nx as usize + i as usize)] = 0.25
                * (whole[u.wrapping_add(j as usize * nx as usize + i as usize - 1)]
                    + whole[u.wrapping_add(j as usize * nx as usize + i as usize + 1)]
                    + whole[u.wrapping_add((j as usize - 1) * nx as usize + i as usize)]
                    + whole[u.wrapping_add((j as usize + 1) * nx as usize + i as usize)]
                    - whole[rhs.wrapping_add(j as usize * nx as usize + i as usize)]);
        }
    }
}

fn grid_create(nx: i32, ny: i32) -> Vec<grid> {
    let mut g: Vec<grid> = vec![grid::zeroed(); 1];
    let n: usize = nx as usize * ny as usize;
    let mem: Vec<f64> = vec![0.0_f64; 3 * n];
    if mem.is_empty() {
        g.clear();
        return Vec::new();
    }
    g[0].nx = nx;
    g[0].ny = ny;
    g[0].u = mem;
    g[0].unew = n;
    g[0].rhs = g[0].unew + n;
    g
}

fn grid_free(g: &mut [grid]) {
    g[0].u = Vec::new();
    let _ = g;
}

fn sweep_within(whole: &mut [f64], u_at: usize, out_at: usize, rhs_at: usize, nx: i32, ny: i32) {
    let u: usize = u_at;
    let out: usize = out_at;
    let rhs: usize = rhs_at;
    update_whole(ny, nx, u, rhs, out, whole);
}

fn field_alloc(f: &mut field_t, n: i32) {
    f.n = n;
    f.store = vec![0.0_f64; (2 * n) as usize];
    f.cur = 0;
    f.next = n as usize;
    f.store[..(2 * n) as usize].fill(0.0);
}

fn field_swap(f: &mut field_t) {
    let tmp: usize = f.cur;
    f.cur = f.next;
    f.next = tmp;
}

fn advance(f: &mut field_t) {
    for i in 1..f.n - 1 {
        f.store[f.next + i as usize] = 0.5 * f.store[f.cur + i as usize]
            + 0.25
                * (f.store[f.cur.wrapping_add((i - 1) as usize)]
                    + f.store[f.cur + (i + 1) as usize]);
    }
    f.store[f.next] = f.store[f.cur];
    f.store[f.next.wrapping_add((f.n - 1) as usize)] =
        f.store[f.cur.wrapping_add((f.n - 1) as usize)];
    field_swap(f);
}

fn grow(l: &mut Layer, cap: i32) {
    let mut mem: Vec<f32> = vec![0.0_f32; (2 * cap) as usize];
    for i in 0..l.n {
        mem[i as usize] = l.mem[l.w + i as usize];
        mem[(cap + i) as usize] = l.mem[l.g + i as usize];
    }
    l.mem = Vec::new();
    l.mem = mem;
    l.w = 0;
    l.g = cap as usize;
    l.cap = cap;
}

fn push(l: &mut Layer, w: f32) {
    if l.n == l.cap {
        {
            let value = if l.cap != 0 { 2 * l.cap } else { 4 };
            grow(l, value)
        }
    }
    l.mem[l.w.wrapping_add(l.n as usize)] = w;
    l.mem[l.g.wrapping_add(l.n as usize)] = -w;
    l.n += 1;
}

fn layer_total(l: &Layer) -> f32 {
    let mut s: f32 = 0.0;
    for i in 0..l.n {
        s += l.mem[l.w + i as usize] * 2.0 + l.mem[l.g + i as usize];
    }
    s
}

fn main() -> ExitCode {
    let mut globals = Globals::new();
    let mut g: Vec<grid> = grid_create(16, 12);
    if g.is_empty() {
        return ExitCode::FAILURE;
    }
    for k in 0..16 * 12 {
        let at = g[0].rhs + k as usize;
        g[0].u[at] = 0.001 * (k % 13) as f64;
    }
    for i in 0..16 {
        let at2 = g[0].unew + i;
        g[0].u[at2] = 1.0;
        g[0].u[i] = g[0].u[g[0].unew + i];
    }
    for _ in 0..10 {
        {
            let value3 = g[0].unew;
            let value4 = g[0].rhs;
            let value5 = g[0].nx;
            let value6 = g[0].ny;
            sweep_within(&mut g[0].u, 0, value3, value4, value5, value6)
        }
        {
            let value7 = g[0].unew;
            let value8 = g[0].rhs;
            let value9 = g[0].nx;
            let value10 = g[0].ny;
            sweep_within(&mut g[0].u, value7, 0, value8, value9, value10)
        }
    }
    let mut s: f64 = 0.0;
    for k in 0..16 * 12 {
        s += g[0].u[k as usize] * (k % 7) as f64;
    }
    println!("{:.12}", c::Float(s));
    grid_free(&mut g);
    let mut a: field_t = field_t::zeroed();
    let mut b: field_t = field_t::zeroed();
    field_alloc(&mut a, 50);
    field_alloc(&mut b, 50);
    a.store[a.cur + 25] = 100.0;
    b.store[b.cur] = 1.0;
    for _ in 0..33 {
        advance(&mut a);
        advance(&mut b);
    }
    b.store[b.next..][..a.n as usize].copy_from_slice(&a.store[a.cur..][..a.n as usize]);
    let mut t: f64 = 0.0;
    for i in 0..50 {
        t += a.store[a.cur + i as usize] * i as f64
            + b.store[b.cur + i as usize]
            + b.store[b.next + i as usize];
    }
    println!("{:.10}", c::Float(t));
    a.store = Vec::new();
    b.store = Vec::new();
    let mut ls: [Layer; 3] = [
        Layer {
            n: 0,
            cap: 0,
            mem: Vec::new(),
            w: 0,
            g: 0,
        },
        Layer::zeroed(),
        Layer::zeroed(),
    ];
    for k in 0..3 {
        for i in 0..10 * (k + 1) {
            push(&mut ls[k as usize], i as f32 * 0.5 + k as f32);
        }
    }
    ls[1].mem[ls[1].w + 2] = ls[1].mem[ls[1].g + 3] + ls[2].mem[ls[2].w + 1];
    for k in 0..3 {
        println!("{:.6} {}", c::Float(layer_total(&ls[k]) as f64), ls[k].cap);
    }
    for k in 0..3 {
        ls[k].mem = Vec::new();
    }
    globals.block = vec![0.0_f64; 20];
    globals.right = 10;
    for i in 0..10 {
        globals.block[i as usize] = i as f64;
        globals.block[globals.right + i as usize] = globals.block[i as usize] * 2.0;
    }
    let mut sum: f64 = 0.0;
    for i in 0..20 {
        sum += globals.block[i as usize] * i as f64;
    }
    println!("{:.6}", c::Float(sum));
    globals.block.clear();
    ExitCode::SUCCESS
}
