//! Arrays that steps read at their position: they may be too short, or longer than the loop, read in some steps only, or hidden by a name of
//! the body.

use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::__bench::with_strategy;
use accrue::{Device, offload, with_device};

use crate::{everywhere, keys};

struct Data {
    keys: Vec<u32>,
    weights: Vec<u64>,
    others: Vec<u64>,
}

/// Each function, and the same without the attribute.
macro_rules! both {
    ($(fn $name:ident($($params:tt)*) $body:block)*) => {
        mod offloaded {
            use super::*;
            $(#[offload(histogram)] pub(super) fn $name($($params)*) $body)*
        }
        mod plain {
            $(pub(super) fn $name($($params)*) $body)*
        }
    };
}

both! {
    fn at_positions(keys: &[u32], weights: &[u64], _others: &[u64], n: usize, h: &mut [u64]) {
        for i in 0..n {
            h[keys[i] as usize] += weights[i];
        }
    }

    fn from_the_middle(keys: &[u32], weights: &[u64], _others: &[u64], n: usize, h: &mut [u64]) {
        for i in n / 2..n {
            h[keys[i] as usize] += weights[i];
        }
    }

    fn numbered(keys: &[u32], weights: &[u64], _others: &[u64], n: usize, h: &mut [u64]) {
        for (i, &k) in keys.iter().enumerate() {
            h[k as usize] += weights[i] * weights[n - 1];
        }
    }

    fn in_some_steps(keys: &[u32], weights: &[u64], _others: &[u64], n: usize, h: &mut [u64]) {
        for i in 0..n {
            let key = keys[i] as usize;
            if i < weights.len() {
                h[key] += weights[i];
            }
        }
    }

    fn hidden(keys: &[u32], weights: &[u64], others: &[u64], n: usize, h: &mut [u64]) {
        for i in 0..n {
            let first = weights[i];
            let weights = others;
            h[keys[i] as usize] += first * 3 + weights[i];
        }
    }

    fn elsewhere_too(keys: &[u32], weights: &[u64], _others: &[u64], n: usize, h: &mut [u64]) {
        for i in 0..n {
            h[keys[i] as usize] += weights[i] + weights[weights.len() - 1 - i] + keys.len() as u64;
        }
    }

    fn leaving_early(keys: &[u32], weights: &[u64], _others: &[u64], n: usize, h: &mut [u64]) {
        for i in 0..n {
            if i % 3 == 1 {
                continue;
            }
            h[keys[i] as usize] += weights[i];
        }
    }
}

type Filling = fn(&[u32], &[u64], &[u64], usize, &mut [u64]);

/// Bins, or what was said instead of them.
fn filled(fill: Filling, data: &Data, n: usize) -> Result<Vec<u64>, String> {
    let mut h: Vec<u64> = (0..37).collect();
    let result = catch_unwind(AssertUnwindSafe(|| {
        fill(&data.keys, &data.weights, &data.others, n, &mut h)
    }));
    let said = |panic: Box<dyn std::any::Any + Send>| match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(_) => "no text".to_owned(),
    };
    result.map_err(said)?;
    Ok(h)
}

#[test]
fn what_is_read_at_a_position_is_what_the_loop_reads() {
    let forms: [(&str, Filling, Filling); 7] = [
        ("at_positions", offloaded::at_positions, plain::at_positions),
        (
            "from_the_middle",
            offloaded::from_the_middle,
            plain::from_the_middle,
        ),
        ("numbered", offloaded::numbered, plain::numbered),
        (
            "in_some_steps",
            offloaded::in_some_steps,
            plain::in_some_steps,
        ),
        ("hidden", offloaded::hidden, plain::hidden),
        (
            "elsewhere_too",
            offloaded::elsewhere_too,
            plain::elsewhere_too,
        ),
        (
            "leaving_early",
            offloaded::leaving_early,
            plain::leaving_early,
        ),
    ];
    // As long as the loop, longer, too short by one, and empty.
    for (n, keys_more, weights_more) in [
        (0, 0, 0),
        (1, 0, 0),
        (90_000, 0, 0),
        (90_001, 3, 70),
        (90_003, 0, -1),
        (90_003, -1, 0),
        (90_003, 0, -89_000),
        (20, -20, 4),
    ] {
        let len = |more: isize| (n as isize + more) as usize;
        let data = Data {
            keys: keys(len(keys_more), 37),
            weights: (0..len(weights_more) as u64).map(|w| w % 101).collect(),
            others: (0..n as u64).map(|w| w % 89).collect(),
        };
        for (name, offloaded, plain) in forms {
            let expected = filled(plain, &data, n);
            everywhere(|| {
                assert_eq!(
                    filled(offloaded, &data, n),
                    expected,
                    "{name}, {n} and {weights_more}"
                );
            });
            for way in [
                "private:lanes=1,workers=3,parts=5",
                "private:lanes=8,workers=2",
                "sequential",
            ] {
                let found = with_device(Device::Cpu, || {
                    with_strategy(way, || filled(offloaded, &data, n))
                });
                assert_eq!(found, expected, "{name}, {n} and {weights_more}, {way}");
            }
        }
    }
}
