//! Translated by acc2rs from `finders.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, unused_assignments)]

mod c;

#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct item {
    name: [i8; 16],
    count: i32,
    total: f64,
}

#[allow(dead_code)]
#[derive(Clone, Debug)]
struct shelf {
    items: Vec<item>,
    used: i32,
    room: i32,
}

#[allow(dead_code)]
#[derive(Clone, Debug)]
struct counter {
    keys: [u32; 16],
    counts: Vec<i32>,
    used: i32,
}

impl item {
    /// All fields zero, as C initializes them.
    const fn zeroed() -> item {
        item {
            name: [0; 16],
            count: 0,
            total: 0.0,
        }
    }
}

impl shelf {
    /// All fields zero, as C initializes them.
    fn zeroed() -> shelf {
        shelf {
            items: Vec::new(),
            used: 0,
            room: 0,
        }
    }
}

/// The variables that C keeps outside functions.
struct Globals {
    table: [item; 31],
    global: shelf,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            table: [item::zeroed(); 31],
            global: shelf::zeroed(),
        }
    }
}

fn slot(globals: &mut Globals, name: &str) -> i64 {
    let mut h: u32 = 0;
    {
        let mut p: usize = 0;
        while c::byte_at(name, p) != 0 {
            h = h.wrapping_mul(31).wrapping_add(c::byte_at(name, p) as u32);
            p += 1;
        }
    }
    h %= 31;
    while globals.table[h as usize].count != 0
        && c::strcmp(&c::text(&globals.table[h as usize].name), name) != 0
    {
        h = h.wrapping_add(1) % 31;
    }
    if globals.table[h as usize].count == 0 {
        {
            let text = name.to_string();
            c::set_text(&mut globals.table[h as usize].name, &text);
        }
    }
    h as i64
}

fn find(s: &shelf, name: &str) -> i64 {
    for i in 0..s.used {
        if c::strcmp(&c::text(&s.items[i as usize].name), name) == 0 {
            return i as i64;
        }
    }
    -1
}

fn find_or_add(s: &mut shelf, name: &str) -> i64 {
    for i in 0..s.used {
        if c::strcmp(&c::text(&s.items[i as usize].name), name) == 0 {
            return i as i64;
        }
    }
    if s.used == s.room {
        return -1;
    }
    {
        let text = name.to_string();
        c::set_text(&mut s.items[s.used as usize].name, &text);
    }
    ({
        let old = s.used;
        s.used += 1;
        old
    }) as i64
}

fn count_of(c_: &mut counter, key: u32) -> i64 {
    let mut i: i32 = 0;
    while i < c_.used && c_.keys[i as usize] != key {
        i += 1;
    }
    if i == c_.used {
        c_.keys[({
            let old = c_.used;
            c_.used += 1;
            old
        }) as usize] = key;
    }
    i as i64
}

fn main() {
    let mut globals = Globals::new();
    let mut c_: counter = counter {
        keys: [0; 16],
        counts: vec![0_i32; 16],
        used: 0,
    };
    for k in 0_u32..40 {
        let at = count_of(&mut c_, k.wrapping_mul(k) % 10) as usize;
        c_.counts[at] += 1;
    }
    if ({
        let at2 = count_of(&mut c_, 4) as usize;
        c_.counts[at2]
    }) != 8
    {
        println!("miscounted");
    }
    println!("{} kinds", c_.used);
    c_.counts = Vec::new();
    let words: Vec<&'static str> = vec!["salt", "rice", "tea", "salt", "tea", "salt", "oil"];
    let mut own: shelf = shelf {
        items: vec![item::zeroed(); 3],
        used: 0,
        room: 3,
    };
    own.items[..3].fill(item::zeroed());
    globals.global.items = vec![item::zeroed(); 4];
    globals.global.room = 4;
    for i in 0..7 {
        globals.table[slot(&mut globals, words[i as usize]) as usize].count += 1;
        globals.table[slot(&mut globals, words[i as usize]) as usize].total += 0.5 * i as f64;
        let it: usize = find_or_add(&mut own, words[i as usize]) as usize;
        if !(it != usize::MAX) {
            println!("no room for {}", words[i as usize]);
            continue;
        }
        own.items[it].count += 1;
        own.items[it].total += i as f64;
        let g: usize = find_or_add(&mut globals.global, words[i as usize]) as usize;
        if g != usize::MAX {
            globals.global.items[g].count += 2;
        }
    }
    for k in 0..31 {
        if globals.table[k].count != 0 {
            println!(
                "{} {} {:.1}",
                &c::text(&globals.table[k].name),
                globals.table[k].count,
                c::Float(globals.table[k].total)
            );
        }
    }
    let tea: usize = find(&own, "tea") as usize;
    let oil: usize = find(&own, "oil") as usize;
    println!(
        "tea {}, oil {}",
        own.items[tea].count,
        if oil != usize::MAX {
            "there"
        } else {
            "missing"
        }
    );
    if find(&own, "rice") >= 0 && !(find(&own, "milk") >= 0) {
        println!("rice but no milk");
    }
    if find(&globals.global, "oil") >= 0 {
        println!("oil {}", {
            let at3 = find(&globals.global, "oil") as usize;
            globals.global.items[at3].count
        });
    }
    own.items = Vec::new();
    globals.global.items = Vec::new();
}
