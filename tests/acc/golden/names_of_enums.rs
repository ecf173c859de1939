//! Translated by acc2rs from `names_of_enums.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

mod c;

const RED: i32 = 0;
const GREEN: i32 = 4;
const BLUE: i32 = 5;

/// The variables that C keeps outside functions.
struct Globals {
    names: Vec<&'static str>,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals {
            names: vec!["red", "green", "blue"],
        }
    }
}

/// Counts into `freq`, the loop at names_of_enums.c:30:3.
#[offload(histogram)]
fn count_freq(text: &[i8], len: i32, freq: &mut [i32]) {
    for i in 0..len {
        if text[i as usize] as i32 >= b'a' as i32 && (text[i as usize] as i32) <= b'z' as i32 {
            freq[text[i as usize] as usize - b'a' as i32 as usize] += 1;
        }
    }
}

fn color_name(globals: &mut Globals, c_: i32) -> &'static str {
    match c_ {
        RED => {
            return globals.names[0];
        }
        GREEN => {
            return globals.names[1];
        }
        BLUE => {
            return globals.names[2];
        }
        _ => {
            return "?";
        }
    }
}

fn count_words(s: &[i8]) -> i32 {
    let mut s_at: usize = 0;
    let mut n: i32 = 0;
    let mut in_: i32 = 0;
    while s[s_at] != 0 {
        if (s[s_at] as u8).is_ascii_whitespace() {
            in_ = 0;
        } else if in_ == 0 {
            in_ = 1;
            n += 1;
        }
        s_at += 1;
    }
    n
}

fn main() {
    let mut globals = Globals::new();
    let text: [i8; 44] = [
        116, 104, 101, 32, 113, 117, 105, 99, 107, 32, 98, 114, 111, 119, 110, 32, 102, 111, 120,
        32, 106, 117, 109, 112, 115, 32, 111, 118, 101, 114, 32, 116, 104, 101, 32, 108, 97, 122,
        121, 32, 100, 111, 103, 0,
    ];
    let mut freq: [i32; 26] = [0; 26];
    let len: i32 = c::text(&text).len() as i32;
    count_freq(&text, len, &mut freq);
    for i in 0..26 {
        if freq[i as usize] > 2 {
            print!(
                "{}:{} ",
                char::from((b'a' as i32 + i) as u8),
                freq[i as usize]
            );
        }
    }
    println!();
    let mut buf: [i8; 64] = [0; 64];
    {
        let text_ = color_name(&mut globals, GREEN).to_string();
        c::set_text(&mut buf, &text_);
    }
    c::append_text(&mut buf, "/");
    {
        let text_ = color_name(&mut globals, BLUE).to_string();
        c::append_text(&mut buf, &text_);
    }
    {
        let text_ = format!("-{:02}", 7);
        let at = c::text(&buf).len();
        c::set_text(&mut buf[at..], &text_);
    }
    println!(
        "{} {} words, cmp {}",
        &c::text(&buf),
        count_words(&text),
        i32::from(c::strcmp("abc", "abd") < 0)
    );
    for c_ in RED..=BLUE {
        if c_ == RED || c_ >= GREEN {
            println!("{}", color_name(&mut globals, c_));
        }
    }
}
