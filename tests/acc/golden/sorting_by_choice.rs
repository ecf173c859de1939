//! Translated by acc2rs from `sorting_by_choice.c`.
#![forbid(unsafe_code)]
#![allow(non_camel_case_types, unused_assignments, unused_variables)]

use accrue::offload;

mod c;

const N: i32 = 512;

#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct stack {
    lo: [i32; 64],
    hi: [i32; 64],
    top: i32,
}

#[allow(dead_code)]
#[derive(Clone, Copy, Debug)]
struct Anonymous6 {
    name: &'static str,
    sort: i32,
}

/// Updates `a`, carries `sorted`, the loop at sorting_by_choice.c:48:13.
#[offload]
fn scan_a(phase: i32, n: i32, mut sorted: i32, a: &mut [i32]) -> i32 {
    for i in (phase..n - 1).step_by(2) {
        if a[i as usize] > a[i as usize + 1] {
            let t: i32 = a[i as usize];
            a[i as usize] = a[i as usize + 1];
            a[i as usize + 1] = t;
            sorted = 0;
        }
    }
    sorted
}

fn push(s: &mut stack, lo: i32, hi: i32) {
    assert!(s.top < 64, "s->top < STACK_MAX");
    s.lo[s.top as usize] = lo;
    s.hi[({
        let old = s.top;
        s.top += 1;
        old
    }) as usize] = hi;
}

fn pop(s: &mut stack, lo: &mut i32, hi: &mut i32) -> i32 {
    if s.top == 0 {
        return 0;
    }
    s.top -= 1;
    *lo = s.lo[s.top as usize];
    *hi = s.hi[s.top as usize];
    1
}

fn quicksort(a: &mut [i32], n: i32) {
    let mut s: stack = stack {
        lo: [0; 64],
        hi: [0; 64],
        top: 0,
    };
    let mut lo: i32 = 0;
    let mut hi: i32 = 0;
    push(&mut s, 0, n - 1);
    while pop(&mut s, &mut lo, &mut hi) != 0 {
        while lo < hi {
            let pivot: i32 = a[(lo + (hi - lo) / 2) as usize];
            let mut i: i32 = lo;
            let mut j: i32 = hi;
            while i <= j {
                while a[i as usize] < pivot {
                    i += 1;
                }
                while a[j as usize] > pivot {
                    j -= 1;
                }
                if i <= j {
                    {
                        let _t: i32 = a[i as usize];
                        a[i as usize] = a[j as usize];
                        a[j as usize] = _t;
                    }
                    i += 1;
                    j -= 1;
                }
            }
            if j - lo < hi - i {
                if lo < j {
                    push(&mut s, lo, j);
                }
                lo = i;
            } else {
                if i < hi {
                    push(&mut s, i, hi);
                }
                hi = j;
            }
        }
    }
}

fn odd_even(a: &mut [i32], n: i32) {
    let mut sorted: i32 = 0;
    while sorted == 0 {
        sorted = 1;
        for phase in 0..2 {
            sorted = scan_a(phase, n, sorted, a);
        }
    }
}

fn bitonic(a: &mut [i32], n: i32) {
    {
        let mut k: i32 = 2;
        while k <= n {
            {
                let mut j: i32 = k >> 1;
                while j > 0 {
                    // In order: `a[i as usize]` is written here, and another iteration may read the same element
                    // as `a[l as usize]` [accrue::H057].
                    for i in 0..n {
                        let l: i32 = i ^ j;
                        if l > i {
                            if i & k == 0 && a[i as usize] > a[l as usize]
                                || i & k != 0 && a[i as usize] < a[l as usize]
                            {
                                {
                                    let _t: i32 = a[i as usize];
                                    a[i as usize] = a[l as usize];
                                    a[l as usize] = _t;
                                }
                            }
                        }
                    }
                    j >>= 1;
                }
            }
            k <<= 1;
        }
    }
}

fn cmp(x: &i32, y: &i32) -> i32 {
    let a: i32 = *x;
    let b: i32 = *y;
    i32::from(a > b) - i32::from(a < b)
}

fn main() {
    let mut data: Vec<i32> = vec![0_i32; N as usize];
    let mut want: Vec<i32> = vec![0_i32; N as usize];
    let mut work: Vec<i32> = vec![0_i32; N as usize];
    c::srand(11);
    for i in 0..N as usize {
        data[i] = c::rand() % 1000;
    }
    want[..N as usize].copy_from_slice(&data[..N as usize]);
    want[..N as usize].sort_by(|a, b| cmp(a, b).cmp(&0));
    let algorithms: [Anonymous6; 3] = [
        Anonymous6 {
            name: "quicksort",
            sort: 1,
        },
        Anonymous6 {
            name: "odd-even",
            sort: 2,
        },
        Anonymous6 {
            name: "bitonic",
            sort: 3,
        },
    ];
    for k in 0..size_of::<[Anonymous6; 3]>() / size_of::<Anonymous6>() {
        work[..N as usize].copy_from_slice(&data[..N as usize]);
        call_quicksort_or_other(algorithms[k].sort, &mut work, N);
        println!(
            "{:<10} {}",
            algorithms[k].name,
            if c::memcmp(&work[..N as usize], &want[..N as usize]) == 0 {
                "ok"
            } else {
                "WRONG"
            }
        );
    }
    drop(data);
    drop(want);
    drop(work);
}

fn call_quicksort_or_other(which: i32, a: &mut [i32], n: i32) {
    if which == 1 {
        quicksort(a, n);
    } else if which == 2 {
        odd_even(a, n);
    } else {
        bitonic(a, n);
    }
}
