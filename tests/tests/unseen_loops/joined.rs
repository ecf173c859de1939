//! Headers that join iterators, number their items from a range without an end, and loops that go from both ends.

use super::*;

const COUNTS: [usize; 5] = [0, 1, 2, 777, 20_001];

fn each<R: std::fmt::Debug>(call: impl Fn(usize) -> R) -> Vec<String> {
    COUNTS.map(|count| format!("{:?}", call(count))).to_vec()
}

loops! {
    fn of_two_texts(a: &[u8], b: &[u8]) -> [u32; 16] {
        let mut counts = [0; 16];
        for &x in a.iter().chain(&b[..]) {
            counts[(x % 16) as usize] += 1;
        }
        counts
    } => { each(|count| of_two_texts(&bytes(count), &bytes(count + 7))) }

    fn left_and_right_edge(image: &mut [u8], w: usize, h: usize) {
        for y in 0..h {
            for x in (0..2.min(w)).chain(w.saturating_sub(2)..w) {
                image[y * w + x] = 0;
            }
        }
    } => {
        each(|count| {
            let w = (count as f64).sqrt() as usize;
            let mut image = bytes(w * w);
            left_and_right_edge(&mut image, w, w);
            image
        })
    }

    fn all_cells(w: usize, h: usize, src: &[u32], out: &mut [u32]) -> u64 {
        let mut sum = 0;
        for (x, y) in (0..h).flat_map(|y| (0..w).map(move |x| (x, y))) {
            out[y * w + x] = src[y * w + x] ^ (x as u32 + 3 * y as u32);
            sum += src[y * w + x] as u64;
        }
        sum
    } => {
        each(|count| {
            let w = (count as f64).sqrt() as usize;
            let mut out = vec![0; w * w];
            (all_cells(w, w, &words(w * w, 1000), &mut out), out)
        })
    }

    fn numbered(x: &[u32], out: &mut [u32]) {
        for (i, v) in (3..).zip(x) {
            out[i - 3] = v * i as u32;
        }
        for ((o, n), v) in out.iter_mut().zip(7u32..).zip(x) {
            *o ^= n + v;
        }
    } => {
        each(|count| {
            let mut out = vec![0; count];
            numbered(&words(count, 1000), &mut out);
            out
        })
    }

    fn side_by_side(x: &[u32], y: &[u32]) -> u64 {
        let mut sum = 0;
        for (a, b) in std::iter::zip(x, y) {
            sum += u64::from(a * b);
        }
        sum
    } => { each(|count| side_by_side(&words(count, 1000), &words(count + 1, 99))) }

    fn until_the_end(x: &[u32], out: &mut [u32]) {
        for i in 0.. {
            if i >= x.len() {
                break;
            }
            out[i] = x[i] + 1;
        }
    } => {
        each(|count| {
            let mut out = vec![0; count];
            until_the_end(&words(count, 1000), &mut out);
            out
        })
    }

    fn from_both_ends(x: &mut [u32]) -> (usize, usize) {
        let (mut low, mut high) = (0, x.len());
        while low < high {
            high -= 1;
            x.swap(low, high);
            low += 1;
        }
        (low, high)
    } => {
        each(|count| {
            let mut x = words(count, 1000);
            (from_both_ends(&mut x), x)
        })
    }

    fn nearest_by_cast(at: &[usize], z: &[f32], depth: &mut [u16], of: &mut [u32]) {
        for i in 0..at.len() {
            let p = at[i];
            if (z[i] as u16) < depth[p] {
                depth[p] = z[i] as u16;
                of[p] = i as u32;
            }
        }
    } => {
        each(|count| {
            let at: Vec<usize> = words(count, 50).iter().map(|w| *w as usize).collect();
            let (mut depth, mut of) = (vec![900; 50], vec![0; 50]);
            nearest_by_cast(&at, &words(count, 1000).iter().map(|w| *w as f32).collect::<Vec<_>>(), &mut depth, &mut of);
            (depth, of)
        })
    }
}
