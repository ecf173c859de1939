//! Translated by acc2rs from `goto_free_search.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

// Breaks out of loops inside a switch, continues in a for with a step that is not simple.
fn main() {
    let mut found: i32 = -1;
    let mut odd: i32 = 0;
    {
        let mut i: i32 = 2;
        let mut j: i32 = 100;
        'loop1: while i < j {
            'next_loop1: {
                if i % 2 != 0 {
                    odd += 1;
                    break 'next_loop1;
                }
                match i % 5 {
                    0 => {
                        if j % 3 == 0 {
                            found = i;
                        }
                    }
                    1 => {
                        break 'next_loop1;
                    }
                    _ => {
                        odd += 0;
                    }
                }
                if found > 0 {
                    break 'loop1;
                }
            }
            i += 1;
            j -= 2;
        }
    }
    let mut primes: i32 = 0;
    for i in 2..200 {
        let mut is: i32 = 1;
        {
            let mut k: i32 = 2;
            while k * k <= i {
                if i % k == 0 {
                    is = 0;
                    break;
                }
                k += 1;
            }
        }
        primes += is;
    }
    println!("{} {} {}", found, odd, primes);
}
