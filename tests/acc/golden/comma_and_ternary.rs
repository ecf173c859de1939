//! Translated by acc2rs from `comma_and_ternary.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

/// The variables that C keeps outside functions.
struct Globals {
    side: i32,
}

impl Globals {
    /// Their values when the program starts.
    fn new() -> Globals {
        Globals { side: 0 }
    }
}

fn bump(globals: &mut Globals, by: i32) -> i32 {
    {
        globals.side += by;
        globals.side
    }
}

fn main() {
    let mut globals = Globals::new();
    let mut a: i32 = 1;
    let mut b: i32 = 2;
    let mut c_: i32 = {
        a += 1;
        b += a;
        a + b
    };
    let d: i32 = if a > b { a } else { b };
    let e: i32 = i32::from(a == 2 && b == 4);
    let mut x: i32 = 5;
    let y: i32 = ({
        let old = x;
        x += 1;
        old
    }) + 2;
    let z: i32 = ({
        x -= 1;
        x
    }) * 3;
    c_ = 9;
    b = c_;
    a = b;
    let mut arr: [i32; 6] = [0; 6];
    let mut n: i32 = 0;
    arr[n as usize] = 1;
    n += 1;
    arr[n as usize] = 2;
    n += 1;
    arr[n as usize] = arr[(n - 1) as usize] + arr[0];
    let t: i32 = i32::from(e == 0 || bump(&mut globals, 3) > 2);
    let u: i32 = if globals.side != 0 {
        bump(&mut globals, 1)
    } else {
        bump(&mut globals, 10)
    };
    println!(
        "{} {} {} {} {} {} {} {} {} {} {} {}",
        a, b, c_, d, e, x, y, z, arr[2], t, u, globals.side
    );
    let mut k: u8 = b'A' as i32 as u8;
    k ^= 0x20;
    println!(
        "{} {}",
        char::from(k),
        i32::from([120, 121, 122, 0][1] as i32 == b'y' as i32)
    );
}
