//! Translated by acc2rs from `tree_in_array.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, unused_assignments)]

#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct node {
    key: i32,
    left: i32,
    right: i32,
}

impl node {
    /// All fields zero, as C initializes them.
    const fn zeroed() -> node {
        node {
            key: 0,
            left: 0,
            right: 0,
        }
    }
}

/// The variables that C keeps outside functions.
struct Globals {
    pool: [node; 100],
    used: i32,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            pool: [node::zeroed(); 100],
            used: 0,
        }
    }
}

fn insert(globals: &mut Globals, root: i32, key: i32) -> i32 {
    if root < 0 {
        globals.pool[globals.used as usize].key = key;
        globals.pool[globals.used as usize].right = -1;
        globals.pool[globals.used as usize].left = globals.pool[globals.used as usize].right;
        return {
            let old = globals.used;
            globals.used += 1;
            old
        };
    }
    if key < globals.pool[root as usize].key {
        globals.pool[root as usize].left = {
            let value2 = globals.pool[root as usize].left;
            insert(globals, value2, key)
        };
    } else if key > globals.pool[root as usize].key {
        globals.pool[root as usize].right = {
            let value3 = globals.pool[root as usize].right;
            insert(globals, value3, key)
        };
    }
    root
}

fn height(globals: &mut Globals, root: i32) -> i32 {
    if root < 0 {
        0
    } else {
        1 + (if ({
            let value = globals.pool[root as usize].left;
            height(globals, value)
        }) > ({
            let value2 = globals.pool[root as usize].right;
            height(globals, value2)
        }) {
            {
                let value3 = globals.pool[root as usize].left;
                height(globals, value3)
            }
        } else {
            {
                let value4 = globals.pool[root as usize].right;
                height(globals, value4)
            }
        })
    }
}

fn walk(globals: &mut Globals, root: i32, out: &mut [i32], n: &mut [i32]) {
    if root < 0 {
        return;
    }
    {
        let value = globals.pool[root as usize].left;
        walk(globals, value, out, n)
    }
    out[({
        let old2 = n[0];
        n[0] += 1;
        old2
    }) as usize] = globals.pool[root as usize].key;
    {
        let value3 = globals.pool[root as usize].right;
        walk(globals, value3, out, n)
    }
}

fn main() {
    let mut globals = Globals::new();
    let mut root: i32 = -1;
    let mut out: [i32; 100] = [0; 100];
    let mut n: i32 = 0;
    for i in 0..60 {
        root = insert(&mut globals, root, i * 37 % 61);
    }
    if !(root >= 0) {
        eprintln!("failed {}:{}", "../tests/acc/tree_in_array.c", 24);
        std::process::exit(1);
    }
    walk(&mut globals, root, &mut out, std::slice::from_mut(&mut n));
    for i in 1..n {
        if !(out[(i - 1) as usize] < out[i as usize]) {
            eprintln!("failed {}:{}", "../tests/acc/tree_in_array.c", 26);
            std::process::exit(1);
        }
    }
    {
        let value = height(&mut globals, root);
        let value2 = n;
        println!("{} {}", value2, value);
    }
}
