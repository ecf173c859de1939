//! Translated by acc2rs from `structs.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, unused_assignments, unused_variables)]

mod c;

#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct vec_ {
    x: f64,
    y: f64,
}

#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct Item {
    id: i32,
    pos: vec_,
    w: [f32; 3],
    name: [i8; 16],
}

#[allow(dead_code)]
#[derive(Clone, Debug)]
struct Hist {
    n: i32,
    bins: Vec<i32>,
    width: f64,
}

impl Item {
    /// All fields zero, as C initializes them.
    const fn zeroed() -> Item {
        Item {
            id: 0,
            pos: vec_::zeroed(),
            w: [0.0; 3],
            name: [0; 16],
        }
    }
}

impl vec_ {
    /// All fields zero, as C initializes them.
    const fn zeroed() -> vec_ {
        vec_ { x: 0.0, y: 0.0 }
    }
}

impl Hist {
    /// All fields zero, as C initializes them.
    fn zeroed() -> Hist {
        Hist {
            n: 0,
            bins: Vec::new(),
            width: 0.0,
        }
    }
}

/// The variables that C keeps outside functions.
struct Globals {
    dummy: Vec<Hist>,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals { dummy: Vec::new() }
    }
}

fn init(h: &mut Hist, n: i32, width: f64) {
    h.n = n;
    h.width = width;
    h.bins = vec![0_i32; n as usize];
}

fn add(h: &mut Hist, x: f64) {
    let b: i32 = (x / h.width) as i32;
    if b >= 0 && b < h.n {
        h.bins[b as usize] += 1;
    }
}

fn norm2(v: &vec_) -> f64 {
    v.x * v.x + v.y * v.y
}

fn scaled(mut v: vec_, f: f64) -> vec_ {
    v.x *= f;
    v.y *= f;
    v
}

fn main() {
    let globals = Globals::new();
    let mut items: [Item; 5] = [Item::zeroed(); 5];
    items[..5].fill(Item::zeroed());
    for i in 0..5 {
        items[i as usize].id = i;
        items[i as usize].pos.x = i as f64 * 1.5;
        items[i as usize].pos.y = -i as f64;
        items[i as usize].w[(i % 3) as usize] = 0.5 * i as f32;
        {
            let text = format!("item{}", i);
            c::set_text(&mut items[i as usize].name, &text);
        }
    }
    let mut copy: Item = items[3];
    copy.pos = scaled(copy.pos, 2.0);
    let origin: vec_ = vec_ { x: 0.0, y: 0.0 };
    let one: vec_ = vec_ { x: 0.0, y: 1.0 };
    println!(
        "{} {:.2} {:.2} {:.1}",
        &c::text(&copy.name),
        c::Float(copy.pos.x),
        c::Float(norm2(&items[3].pos)),
        c::Float(norm2(&one) + norm2(&origin))
    );
    let mut h: Hist = Hist::zeroed();
    init(&mut h, 10, 0.5);
    for i in 0..40 {
        add(&mut h, i as f64 * 0.11);
    }
    let mut sum: i32 = 0;
    for i in 0..h.n {
        sum += h.bins[i as usize] * (i + 1);
    }
    println!("{} {}", sum, i32::from(globals.dummy.is_empty()));
    let p: usize = 2;
    items[p].id += 40;
    println!("{} {}", items[2].id, size_of::<vec_>() as i32);
    h.bins = Vec::new();
}
