//! Translated by acc2rs from `strings.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

mod c;

/// Counts into `letters`, the loop at strings.c:11:3.
#[offload(histogram)]
fn count_letters(text: &[i8], len: i32, letters: &mut [i32]) {
    for i in 0..len {
        let mut c_: i8 = text[i as usize];
        if c_ as i32 >= b'A' as i32 && (c_ as i32) <= b'Z' as i32 {
            c_ = (c_ as i32 - b'A' as i32 + b'a' as i32) as i8;
        }
        if c_ as i32 >= b'a' as i32 && (c_ as i32) <= b'z' as i32 {
            letters[c_ as usize - b'a' as i32 as usize] += 1;
        }
    }
}

// Letters of a text, in char arrays.
fn main() {
    let text: [i8; 44] = [
        84, 104, 101, 32, 113, 117, 105, 99, 107, 32, 98, 114, 111, 119, 110, 32, 102, 111, 120,
        32, 106, 117, 109, 112, 115, 32, 111, 118, 101, 114, 32, 116, 104, 101, 32, 108, 97, 122,
        121, 32, 100, 111, 103, 0,
    ];
    let mut letters: [i32; 26] = [0; 26];
    let len: i32 = c::text(&text).len() as i32;
    count_letters(&text, len, &mut letters);
    for i in 0..26 {
        print!(
            "{}{} ",
            char::from((b'a' as i32 + i) as u8),
            letters[i as usize]
        );
    }
    println!("\n{} has {} characters", &c::text(&text), len);
    let mut line: [i8; 64] = [0; 64];
    c::set_text(&mut line, "abc");
    c::append_text(&mut line, "-def");
    {
        let text_ = format!("{}", 77);
        c::set_text(&mut line[3..], &text_);
    }
    println!(
        "{} {} {}",
        &c::text(&line),
        c::text(&line).len(),
        c::strcmp(&c::text(&line), "abc77")
    );
    let names: Vec<&'static str> = vec!["zero", "one", "two"];
    for i in 0..3 {
        print!(
            "{}{}",
            names[i as usize],
            char::from(if i < 2 { b' ' } else { b'\n' })
        );
    }
    println!("{}", i32::from(i32::from(b'7'.is_ascii_digit()) != 0));
}
