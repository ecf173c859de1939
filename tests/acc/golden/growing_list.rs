//! Translated by acc2rs from `growing_list.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

mod c;

// A list that grows by `realloc` into another pointer, and names cut by `strncpy`.
#[allow(dead_code)]
#[derive(Clone, Debug)]
struct list {
    items: Vec<i32>,
    used: i32,
    room: i32,
}

/// Counts into `hist`, the loop at growing_list.c:31:3.
#[offload(histogram)]
fn count_hist(items: &[i32], used: i32, hist: &mut [i32]) {
    for i in 0..used {
        hist[(items[i as usize] % 8) as usize] += 1;
    }
}

fn push(l: &mut list, value: i32) -> i32 {
    if l.used == l.room {
        let room: i32 = if l.room != 0 { 2 * l.room } else { 4 };
        let more: Vec<i32> = {
            let mut memory = std::mem::take(&mut l.items);
            memory.resize(room as usize, 0_i32);
            memory
        };
        if more.is_empty() {
            return -1;
        }
        l.items = more;
        l.room = room;
    }
    l.items[({
        let old2 = l.used;
        l.used += 1;
        old2
    }) as usize] = value;
    0
}

fn main() -> ExitCode {
    let mut l: list = list {
        items: Vec::new(),
        used: 0,
        room: 0,
    };
    let mut hist: [i32; 8] = [0; 8];
    let mut name: [i8; 8] = [0; 8];
    let mut whole: [i8; 4] = [0; 4];
    for i in 0..300 {
        if push(&mut l, i * i % 61) != 0 {
            return ExitCode::FAILURE;
        }
    }
    count_hist(&l.items, l.used, &mut hist);
    {
        let text = "histogram".to_string();
        c::set_text_padded(&mut name, size_of::<[i8; 8]>() - 1, &text);
    }
    name[size_of::<[i8; 8]>() - 1] = 0 as i8;
    {
        let text = "ab".to_string();
        c::set_text_padded(&mut whole, size_of::<[i8; 4]>(), &text);
    }
    print!(
        "{} {} {} of {}, {}:",
        &c::text(&name),
        &c::text(&whole),
        l.used,
        l.room,
        -1_i64 as u64 >> 60
    );
    for b in 0..8 {
        print!(" {}", hist[b]);
    }
    println!();
    l.items = Vec::new();
    ExitCode::SUCCESS
}
