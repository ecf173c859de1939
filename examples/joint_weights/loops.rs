//! The loops of this example: how many words, and how many pairs of words, have which weights.

use accrue::offload;

/// How many words have each weight.
#[offload(histogram)]
pub(crate) fn weights(words: &[[u64; 2]], counts: &mut [u64; 128]) {
    for word in words {
        counts[(word[0].count_ones() + word[1].count_ones()) as usize] += 1;
    }
}

/// How many pairs have each three weights: that of the first, that of the second, and that of what both have in common.
#[offload(histogram)]
pub(crate) fn joint_weights(
    some: &[[u64; 2]],
    words: &[[u64; 2]],
    joint: &mut [[[u64; 128]; 128]; 128],
) {
    for a in some {
        for b in words {
            let of_a = a[0].count_ones() + a[1].count_ones();
            let of_b = b[0].count_ones() + b[1].count_ones();
            let common = (a[0] & b[0]).count_ones() + (a[1] & b[1]).count_ones();
            joint[of_a as usize][of_b as usize][common as usize] += 1;
        }
    }
}

/// The bins of pairs, which are too many for the stack.
pub(crate) type Joint = Box<[[[u64; 128]; 128]; 128]>;

/// Empty bins.
pub(crate) fn no_pairs() -> Joint {
    let planes = vec![[[0; 128]; 128]; 128].into_boxed_slice();
    planes.try_into().expect("128 planes")
}
