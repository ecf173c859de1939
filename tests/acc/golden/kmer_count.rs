//! Translated by acc2rs from `kmer_count.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;
use std::process::ExitCode;

const K: i32 = 4;
const TABLE: i32 = 1 << 2 * 4;

/// Counts into `table`, the loop at kmer_count.c:26:3.
#[offload(histogram)]
fn count_table(seq: &[i8], n: i32, table: &mut [i32]) {
    for i in 0..n - K + 1 {
        let mut kmer: i32 = 0;
        for j in 0..K as usize {
            kmer = kmer << 2 | code(seq[i as usize + j]);
        }
        table[kmer as usize] += 1;
    }
}

fn code(c_: i8) -> i32 {
    if c_ as i32 == b'A' as i32 {
        0
    } else if c_ as i32 == b'C' as i32 {
        1
    } else if c_ as i32 == b'G' as i32 {
        2
    } else {
        3
    }
}

fn main() -> ExitCode {
    let n: i32 = 4000;
    let mut seq: Vec<i8> = vec![0_i8; n as usize + 1];
    let letters: [i8; 5] = [65, 67, 71, 84, 0];
    let mut state: u64 = 88172645463325252;
    for i in 0..n {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        seq[i as usize] = letters[(state & 3) as usize];
    }
    seq[n as usize] = 0 as i8;
    let mut table: Vec<i32> = vec![0_i32; TABLE as usize];
    count_table(&seq, n, &mut table);
    let mut distinct: i32 = 0;
    let mut most: i32 = 0;
    let mut who: i32 = 0;
    for i in 0..TABLE {
        if table[i as usize] > 0 {
            distinct += 1;
        }
        if table[i as usize] > most {
            most = table[i as usize];
            who = i;
        }
    }
    print!("{} distinct, most frequent ", distinct);
    for j in (0..K).rev() {
        print!("{}", char::from(letters[(who >> 2 * j & 3) as usize] as u8));
    }
    println!(" ({} times)", most);
    drop(seq);
    drop(table);
    ExitCode::from(i32::from("abc".len() != 3) as u8)
}
