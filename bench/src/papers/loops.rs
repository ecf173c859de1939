//! The loops of the OpenACC paper's four applications: as functions for the CPU, and as texts, of which any strategy's kernel is
//! made. Both are the same tokens.

use accrue::offload;

/// Words of two halves.
pub(super) type Word = [u64; 2];

/// Each function offloaded, in order (`in_order`), and as its text (`text`).
macro_rules! applications {
    ($(#[doc = $doc:literal] fn $name:ident($($parameters:tt)*) $body:block)*) => {
        $(#[doc = $doc] #[offload(histogram)] pub(crate) fn $name($($parameters)*) $body)*

        /// The loops as they are.
        pub(crate) mod in_order {
            $(#[doc = $doc] #[inline(never)] pub(crate) fn $name($($parameters)*) $body)*
        }

        /// The loops' texts.
        #[allow(non_upper_case_globals)]
        pub(super) mod text {
            $(#[doc = $doc] pub(in super::super) const $name: &str = stringify!(fn $name($($parameters)*) $body);)*
        }
    };
}

applications! {
    #[doc = "The colours of a photograph."]
    fn colours(pixels: &[[u8; 3]], bins: &mut [u32; 768]) {
        for p in pixels {
            bins[p[0] as usize] += 1;
            bins[256 + p[1] as usize] += 1;
            bins[512 + p[2] as usize] += 1;
        }
    }

    #[doc = "The histograms of two volumes, and their joint one."]
    fn information(a: &[u8], b: &[u8], of_a: &mut [u32; 256], of_b: &mut [u32; 256], joint: &mut [[u32; 256]; 256]) {
        for (&x, &y) in a.iter().zip(b) {
            of_a[x as usize] += 1;
            of_b[y as usize] += 1;
            joint[x as usize][y as usize] += 1;
        }
    }

    #[doc = "Votes of edge pixels for the lines through them: a row for each distance, a column for each angle."]
    fn hough(xs: &[f32], ys: &[f32], cosines: &[f32], sines: &[f32], votes: &mut [[u32; 182]]) {
        for i in 0..xs.len() {
            for t in 0..180 {
                let distance = xs[i] * cosines[t] + ys[i] * sines[t];
                votes[(distance + 3001.0f32) as usize][t] += 1;
            }
        }
    }

    #[doc = "Pairs of words by the weight of each and of what they have in common."]
    fn weights(some: &[[u64; 2]], words: &[[u64; 2]], joint: &mut [[[u64; 128]; 128]]) {
        for a in some {
            for b in words {
                let of_a = a[0].count_ones() + a[1].count_ones();
                let of_b = b[0].count_ones() + b[1].count_ones();
                let common = (a[0] & b[0]).count_ones() + (a[1] & b[1]).count_ones();
                joint[of_a as usize][of_b as usize][common as usize] += 1;
            }
        }
    }
}
