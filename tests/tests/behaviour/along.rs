//! Arrays that steps read at their position: they may be too short, or longer than the loop, read in some steps only, or hidden by a name of
//! the body.

use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::offload;

use crate::{everywhere, keys};

struct Data {
    keys: Vec<u32>,
    weights: Vec<i64>,
}

/// Each function, and the same without the attribute.
macro_rules! both {
    ($(fn $name:ident($($params:tt)*) $body:block)*) => {
        mod offloaded {
            use super::*;
            $(#[offload(histogram)] pub(super) fn $name($($params)*) $body)*
        }
        mod plain {
            use super::*;
            $(pub(super) fn $name($($params)*) $body)*
        }
    };
}

both! {
    fn at_positions(data: &Data, n: usize, h: &mut [i64]) {
        for i in 0..n {
            h[data.keys[i] as usize] += data.weights[i];
        }
    }

    fn from_the_middle(data: &Data, n: usize, h: &mut [i64]) {
        for i in n / 2..n {
            h[data.keys[i] as usize] += data.weights[i];
        }
    }

    fn numbered(data: &Data, n: usize, h: &mut [i64]) {
        for (i, &k) in data.keys.iter().enumerate() {
            h[k as usize] += data.weights[i] * data.weights[n - 1];
        }
    }

    fn in_some_steps(data: &Data, n: usize, h: &mut [i64]) {
        for i in 0..n {
            let key = data.keys[i] as usize;
            if i < data.weights.len() {
                h[key] += data.weights[i];
            }
        }
    }

    fn hidden(data: &Data, n: usize, h: &mut [i64]) {
        let weights = &data.weights;
        for i in 0..n {
            let first = weights[i];
            let weights = [first, 7, 9, 11];
            let i = i % 4;
            h[i] += weights[i];
        }
    }

    fn elsewhere_too(data: &Data, n: usize, h: &mut [i64]) {
        let (keys, weights) = (&data.keys[..], &data.weights[..]);
        for i in 0..n {
            h[keys[i] as usize] += weights[i] - weights[weights.len() - 1 - i] + keys.len() as i64;
        }
    }

    fn leaving_early(data: &Data, n: usize, h: &mut [i64]) {
        for i in 0..n {
            if i % 3 == 1 {
                continue;
            }
            h[data.keys[i] as usize] += data.weights[i];
        }
    }
}

type Filling = fn(&Data, usize, &mut [i64]);

/// Bins, or what was said instead of them.
fn filled(fill: Filling, data: &Data, n: usize) -> Result<Vec<i64>, String> {
    let mut h: Vec<i64> = (0..37).collect();
    let result = catch_unwind(AssertUnwindSafe(|| fill(data, n, &mut h)));
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
            weights: (0..len(weights_more) as i64)
                .map(|w| w % 101 - 40)
                .collect(),
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
        }
    }
}
