//! What loops combine into, in every form that users write.

use accrue::collective::Collective;
use accrue::{Bin, Error, Resident, offload};

use super::ranks::{DIVISIONS, each, numbers, part};

/// Calls it on every rank, and compares bins and results with those of the function over all items.
macro_rules! same {
    ($items:expr, $bins:expr, |$rank:ident, $mine:ident, $with:ident| $across:expr, |$all:ident, $alone:ident| $plain:expr) => {
        for division in DIVISIONS {
            let items = &$items;
            let ranks = each(division.len(), |$rank| {
                let $mine = part(items, division, $rank.rank());
                let mut bins = $bins;
                let $with = &mut bins;
                let result = $across.unwrap();
                (result, bins)
            });
            let ($all, mut bins) = (&items[..], $bins);
            let $alone = &mut bins;
            let result = $plain;
            for (rank, got) in ranks.into_iter().enumerate() {
                assert_eq!(
                    got,
                    (result.clone(), bins.clone()),
                    "{division:?}, rank {rank}"
                );
            }
        }
    };
}

#[offload(histogram)]
fn count(keys: &[u64], bins: &mut [u32; 24]) {
    for &k in keys {
        bins[k as usize % 24] += 1;
    }
}

#[test]
fn counts_are_those_of_all_items() {
    let bins: [u32; 24] = std::array::from_fn(|b| b as u32 * 7);
    same!(
        numbers(1000, 3),
        bins,
        |ranks, mine, bins| count::across(ranks, mine, bins),
        |all, bins| count(all, bins)
    );
    // Many, so that they are counted in parallel.
    same!(
        numbers(300_000, 4),
        bins,
        |ranks, mine, bins| count::across(ranks, mine, bins),
        |all, bins| count(all, bins)
    );
    same!(
        Vec::<u64>::new(),
        bins,
        |ranks, mine, bins| count::across(ranks, mine, bins),
        |all, bins| count(all, bins)
    );
}

/// A test for each operator, type and start: of what is checked, and of what wraps.
macro_rules! operators {
    ($($name:ident: $t:ident from $start:expr, |$bins:ident, $at:ident, $v:ident| $update:tt)*) => {$(
        #[test]
        fn $name() {
            #[offload(histogram)]
            fn update(values: &[u64], $bins: &mut [$t]) {
                for &number in values {
                    let $v = (number >> 4) as $t;
                    let $at = number as usize % 9;
                    $update
                }
            }
            let bins = vec![$start; 9];
            same!(numbers(400, 5), bins.clone(), |ranks, mine, bins| update::across(ranks, mine, bins), |all, bins| update(all, bins));
        }
    )*};
}

operators! {
    add_wrapping_u8: u8 from 200, |bins, at, v| { bins[at] = bins[at].wrapping_add(v); }
    add_checked_u64: u64 from 5, |bins, at, v| { bins[at] += v; }
    add_checked_u128: u128 from u128::from(u64::MAX), |bins, at, v| { bins[at] += v; }
    add_checked_i64: i64 from -5_000_000_000, |bins, at, v| { bins[at] += v; }
    add_wrapping_i16: i16 from 7, |bins, at, v| { bins[at] = bins[at].wrapping_add(v); }
    or_i128: i128 from i128::MIN, |bins, at, v| { bins[at] |= v << 60; }
    sub_checked_u64: u64 from u64::MAX, |bins, at, v| { bins[at] -= v; }
    sub_wrapping_u32: u32 from 3, |bins, at, v| { bins[at] = bins[at].wrapping_sub(v); }
    sub_checked_i64: i64 from 9, |bins, at, v| { bins[at] -= v; }
    sub_wrapping_i8: i8 from 9, |bins, at, v| { bins[at] = bins[at].wrapping_sub(v); }
    saturating_u16: u16 from 60_000, |bins, at, v| { bins[at] = bins[at].saturating_add(v & 7); }
    saturating_usize: usize from 1, |bins, at, v| { bins[at] = bins[at].saturating_add(v); }
    mul_checked_u128: u128 from 1, |bins, at, v| { bins[at] *= (v & 1) + 1; }
    mul_wrapping_i32: i32 from 3, |bins, at, v| { bins[at] = bins[at].wrapping_mul(v | 1); }
    and_u64: u64 from u64::MAX, |bins, at, v| { bins[at] &= v | 0xff00; }
    or_i16: i16 from 1, |bins, at, v| { bins[at] |= v & 0x1230; }
    xor_isize: isize from 12, |bins, at, v| { bins[at] ^= v; }
    min_u32: u32 from 1 << 30, |bins, at, v| { bins[at] = bins[at].min(v); }
    max_i64: i64 from 5, |bins, at, v| { bins[at] = bins[at].max(v); }
    min_f32: f32 from f32::NAN, |bins, at, v| { bins[at] = bins[at].min(v); }
    max_f64: f64 from -1.0, |bins, at, v| { bins[at] = bins[at].max(v); }
    // Sums of whole numbers, which round nowhere.
    add_f64: f64 from 0.5, |bins, at, v| { bins[at] += v; }
    sub_f64: f64 from 0.5, |bins, at, v| { bins[at] -= v; }
    mul_f64: f64 from 1.0, |bins, at, v| { bins[at] *= if v > 4.0 { 2.0 } else { 0.5 }; }
}

#[test]
fn truths_and_zeros_keep_their_signs() {
    #[offload(histogram)]
    fn all(values: &[u64], good: &mut bool, some: &mut bool, sums: &mut [f32; 3]) {
        for &v in values {
            *good &= v % 7 != 6;
            *some |= v == 12;
            sums[v as usize % 2] -= 0.0;
        }
    }
    for division in DIVISIONS {
        for values in [vec![], vec![12, 1, 2], vec![13; 20]] {
            let starts = [-0.0f32, 0.0, -0.0];
            let ranks = each(division.len(), |ranks| {
                let (mut good, mut some, mut sums) = (true, false, starts);
                let mine = part(&values, division, ranks.rank());
                all::across(ranks, mine, &mut good, &mut some, &mut sums).unwrap();
                (good, some, sums.map(f32::to_bits))
            });
            let (mut good, mut some, mut sums) = (true, false, starts);
            all(&values, &mut good, &mut some, &mut sums);
            for rank in ranks {
                assert_eq!(rank, (good, some, sums.map(f32::to_bits)), "{division:?}");
            }
        }
    }
}

#[test]
fn scalars_are_combined_where_the_function_computes_with_them() {
    #[offload(histogram)]
    fn statistics(values: &[u64], seen: &mut (u64, u64)) -> (f64, u64) {
        let (mut count, mut sum) = (0u64, 0.0);
        let (mut low, mut high) = *seen;
        for &v in values {
            count += 1;
            sum += (v % 1000) as f64;
            low = low.min(v);
            high = high.max(v);
        }
        *seen = (low, high);
        (sum / count as f64, count)
    }
    same!(
        numbers(500, 6),
        (u64::MAX, 0),
        |ranks, mine, seen| statistics::across(ranks, mine, seen),
        |all, seen| statistics(all, seen)
    );
}

#[test]
fn loops_of_a_function_are_combined_one_after_the_other() {
    #[offload(histogram)]
    fn deviation(values: &[u64], bins: &mut [u64; 10]) -> u64 {
        let (mut count, mut sum) = (0u64, 0u64);
        for &v in values {
            count += 1;
            sum += v % 100;
        }
        let mean = sum / count.max(1);
        let mut squares = 0u64;
        for &v in values {
            squares += (v % 100).abs_diff(mean).pow(2);
            bins[(v % 100) as usize / 10] += mean;
        }
        for b in bins.iter() {
            squares = squares.wrapping_add(*b);
        }
        squares
    }
    same!(
        numbers(300, 7),
        [1; 10],
        |ranks, mine, bins| deviation::across(ranks, mine, bins),
        |all, bins| deviation(all, bins)
    );
}

#[test]
fn loops_over_bins_are_every_ranks() {
    // The sums of what came before: of bins that all ranks have.
    #[offload]
    fn cumulate(values: &[u64], bins: &mut [u64; 16], shares: &mut [f64; 16]) -> f64 {
        for &v in values {
            bins[v as usize % 16] += 1;
        }
        let mut before = 0;
        for b in bins.iter_mut() {
            let count = *b;
            *b = before;
            before += count;
        }
        let mut mean = 0.0;
        for i in 0..16 {
            shares[i] = bins[i] as f64 / before as f64;
            mean += shares[i] * i as f64;
        }
        mean
    }
    let starts = ([1; 16], [0.0; 16]);
    same!(
        numbers(200, 14),
        starts,
        |ranks, mine, with| cumulate::across(ranks, mine, &mut with.0, &mut with.1),
        |all, with| cumulate(all, &mut with.0, &mut with.1)
    );

    // Items that are numbers: which of them are a rank's, its arguments say.
    #[offload(histogram)]
    fn residues(first: u64, last: u64, bins: &mut [u64; 7]) -> u64 {
        for i in first..last {
            bins[(i * i % 7) as usize] += 1;
        }
        let mut all = 0;
        for b in bins.iter() {
            all += *b;
        }
        all
    }
    let ranks = each(3, |ranks| {
        let first = 100 * ranks.rank() as u64;
        let mut bins = [0; 7];
        (
            residues::across(ranks, first, first + 100, &mut bins).unwrap(),
            bins,
        )
    });
    let mut bins = [0; 7];
    let all = residues(0, 300, &mut bins);
    assert!(ranks.iter().all(|r| *r == (all, bins)), "{ranks:?}");
}

#[test]
fn what_iterations_write_is_each_ranks_own() {
    #[offload]
    fn halve(values: &[u64], out: &mut [u64]) -> u64 {
        let mut largest = 0;
        for i in 0..values.len() {
            out[i] = values[i] / 2;
            largest = largest.max(out[i]);
        }
        largest
    }
    let values = numbers(100, 8);
    for division in DIVISIONS {
        let ranks = each(division.len(), |ranks| {
            let mine = part(&values, division, ranks.rank());
            let mut out = vec![0; mine.len()];
            (halve::across(ranks, mine, &mut out).unwrap(), out)
        });
        let mut all = vec![0; values.len()];
        let largest = halve(&values, &mut all);
        assert!(ranks.iter().all(|(l, _)| *l == largest));
        let joined: Vec<u64> = ranks.into_iter().flat_map(|(_, out)| out).collect();
        assert_eq!(joined, all);
    }
}

#[test]
fn the_best_item_is_the_first_of_all() {
    #[offload]
    fn nearest(values: &[u64], first: usize, to: u64) -> (u64, usize) {
        let (mut best, mut at) = (u64::MAX, usize::MAX);
        for (i, &v) in values.iter().enumerate() {
            let distance = v.abs_diff(to);
            if distance < best {
                best = distance;
                at = first + i;
            }
        }
        (best, at)
    }
    #[offload]
    fn hottest(values: &[f32], first: i32, best: &mut f32, at: &mut i32) {
        for i in 0..values.len() {
            if values[i] > *best {
                *best = values[i];
                *at = first + i as i32;
            }
        }
    }
    // Equal ones on several ranks.
    let values: Vec<u64> = numbers(90, 9).iter().map(|v| v % 12).collect();
    let floats: Vec<f32> = values
        .iter()
        .map(|&v| if v == 3 { f32::NAN } else { v as f32 })
        .collect();
    for division in DIVISIONS {
        for to in [0, 5, 11, 40] {
            let ranks = each(division.len(), |ranks| {
                let mine = part(&values, division, ranks.rank());
                let first = mine.as_ptr() as usize - values.as_ptr() as usize;
                nearest::across(ranks, mine, first / 8, to).unwrap()
            });
            assert!(
                ranks.iter().all(|r| *r == nearest(&values, 0, to)),
                "{ranks:?}"
            );
        }
        for start in [f32::MIN, 11.0, 10.5] {
            let ranks = each(division.len(), |ranks| {
                let mine = part(&floats, division, ranks.rank());
                let first = (mine.as_ptr() as usize - floats.as_ptr() as usize) / 4;
                let (mut best, mut at) = (start, -1);
                hottest::across(ranks, mine, first as i32, &mut best, &mut at).unwrap();
                (best, at)
            });
            let (mut best, mut at) = (start, -1);
            hottest(&floats, 0, &mut best, &mut at);
            assert!(ranks.iter().all(|r| *r == (best, at)), "{ranks:?}");
        }
    }
}

/// What is kept cannot be too large, so that ranks do not take turns where overflow is checked.
#[test]
fn of_the_best_items_of_ranks_the_first_best_is_kept() {
    #[offload]
    fn lowest(values: &[(u64, u16)], best: &mut u64, id: &mut u16) {
        for &(value, name) in values {
            if value < *best {
                *best = value;
                *id = name;
            }
        }
    }
    for (values, start) in [
        ([5, 3, 4, 3, 9, 7], 8),
        ([9, 9, 9, 9, 2, 5], 8),
        ([9, 9, 9, 9, 9, 9], 8),
        ([8, 8, 1, 1, 8, 1], 8),
        ([2, 6, 3, 7, 4, 5], 8),
    ] {
        let values: Vec<(u64, u16)> = (0..6).map(|n| (values[n], n as u16)).collect();
        for division in DIVISIONS {
            let ranks = each(division.len(), |ranks| {
                let (mut best, mut id) = (start, 99);
                let mine = part(&values, division, ranks.rank());
                lowest::across(ranks, mine, &mut best, &mut id).unwrap();
                (best, id)
            });
            let (mut best, mut id) = (start, 99);
            lowest(&values, &mut best, &mut id);
            assert!(
                ranks.iter().all(|r| *r == (best, id)),
                "{division:?}: {ranks:?}"
            );
        }
    }
}

#[test]
fn generic_functions_fields_and_rows() {
    #[offload(histogram)]
    fn weigh<B: Bin, const N: usize>(values: &[(u64, B)], rows: &mut [[B; 4]; N]) {
        for &(at, weight) in values {
            rows[at as usize % N][at as usize % 4] += weight;
        }
    }
    struct Tally {
        counts: Vec<u32>,
        all: u64,
    }
    #[offload(histogram)]
    fn tally(values: &[(u64, u16)], tally: &mut Tally) {
        for &(at, weight) in values {
            tally.counts[at as usize % 5] += 1;
            tally.all += u64::from(weight);
        }
    }
    let values: Vec<(u64, u16)> = numbers(200, 10)
        .iter()
        .map(|&v| (v, v as u16 % 50))
        .collect();
    same!(
        values,
        [[0u16; 4]; 3],
        |ranks, mine, rows| weigh::across(ranks, mine, rows),
        |all, rows| weigh(all, rows)
    );
    for division in DIVISIONS {
        let ranks = each(division.len(), |ranks| {
            let mut of = Tally {
                counts: vec![1; 5],
                all: 3,
            };
            tally::across(ranks, part(&values, division, ranks.rank()), &mut of).unwrap();
            (of.counts, of.all)
        });
        let mut of = Tally {
            counts: vec![1; 5],
            all: 3,
        };
        tally(&values, &mut of);
        assert!(ranks.iter().all(|r| *r == (of.counts.clone(), of.all)));
    }
}

#[test]
fn floats_come_in_the_order_of_the_ranks() {
    #[offload(histogram, deterministic)]
    fn sums(values: &[f32], bins: &mut [f32; 5]) {
        for &v in values {
            bins[v.to_bits() as usize % 5] += v;
        }
    }
    let values: Vec<f32> = numbers(5000, 11).iter().map(|&v| v as f32 * 1e-3).collect();
    for division in DIVISIONS.iter().filter(|d| d.len() > 1) {
        let mut expected = [0.25f32; 5];
        for rank in 0..division.len() {
            let mut mine = [-0.0; 5];
            sums(part(&values, division, rank), &mut mine);
            expected.iter_mut().zip(mine).for_each(|(e, m)| *e += m);
        }
        for _ in 0..3 {
            let ranks = each(division.len(), |ranks| {
                let mut bins = [0.25f32; 5];
                sums::across(ranks, part(&values, division, ranks.rank()), &mut bins).unwrap();
                bins
            });
            assert!(ranks.iter().all(|bins| *bins == expected), "{division:?}");
        }
    }
}

#[test]
fn items_may_be_resident_and_bins_a_vector() {
    let values = numbers(300, 12);
    let ranks = each(3, |ranks| {
        let mine = Resident::from(part(&values, &[1, 2, 3], ranks.rank()).to_vec());
        let mut bins = vec![0; 24];
        count_all::across(ranks, &mine, &mut bins).unwrap();
        count_all::across(ranks, mine.slice(..0), &mut bins).unwrap();
        bins
    });
    let mut bins = vec![0; 24];
    count_all(&values, &mut bins);
    assert!(ranks.iter().all(|r| *r == bins));
}

#[offload(histogram)]
fn count_all(keys: &[u64], bins: &mut [u32]) {
    for &k in keys {
        bins[k as usize % 24] += 1;
    }
}

#[test]
fn what_else_a_function_calls_is_not_across_ranks() {
    #[offload(histogram)]
    fn spread(keys: &[u64]) -> u64 {
        let mut high = 0;
        for &k in keys {
            high = high.max(k);
        }
        high
    }
    #[offload(histogram)]
    fn outer(keys: &[u64], bins: &mut [u64; 3]) -> u64 {
        // Of this rank's keys alone, as often as it has some.
        let mine = if keys.is_empty() { 0 } else { spread(keys) };
        let mut ranks_with_keys = 0u64;
        for _ in 0..1 {
            ranks_with_keys += u64::from(mine > 0);
        }
        for &k in keys {
            bins[k as usize % 3] += 1;
        }
        ranks_with_keys
    }
    let keys = [5, 6, 7];
    let ranks = each(3, |ranks| {
        let mut bins = [0; 3];
        let with = outer::across(ranks, part(&keys, &[1, 0, 1], ranks.rank()), &mut bins).unwrap();
        (with, bins)
    });
    assert!(ranks.iter().all(|r| *r == (2, [1, 1, 1])), "{ranks:?}");
}

#[test]
fn ranks_with_other_bins_are_told() {
    for odd in 0..3 {
        let ranks = each(3, |ranks| {
            let mut bins = [9u32; 24];
            bins[7] += u32::from(ranks.rank() == odd);
            let before = bins;
            let error = count::across(ranks, &[1, 2, 3], &mut bins).unwrap_err();
            assert_eq!(bins, before);
            let mut bins = [0; 24];
            count::across(ranks, &[1], &mut bins).unwrap();
            (error, bins[1])
        });
        let other = odd.max(1);
        let why = format!(
            "the bins and scalars of loop 0 start on rank {other} from other values than on rank 0"
        );
        let function = "count".to_owned();
        let expected = Error::RanksDiffer { function, why };
        assert!(
            ranks.iter().all(|r| *r == (expected.clone(), 3)),
            "{ranks:?}"
        );
    }
}

/// What a rank counts on is its own affair.
#[cfg(feature = "sim")]
#[test]
fn ranks_may_have_different_devices() {
    use accrue::{Device, with_device};

    #[offload(histogram, require = "cuda")]
    fn spread(keys: &[u64], bins: &mut [u32; 24], sums: &mut [i32; 3]) -> u64 {
        let mut high = 0;
        for &k in keys {
            bins[k as usize % 24] += 1;
            sums[k as usize % 3] = sums[k as usize % 3].wrapping_sub(k as i32);
            high = high.max(k);
        }
        high
    }
    let keys = numbers(3000, 13);
    let of = |device: Device, mine: &[u64], ranks: &accrue::collective::Thread| {
        let (mut bins, mut sums) = ([7; 24], [5; 3]);
        let before = accrue::stats();
        let high = with_device(device, || spread::across(ranks, mine, &mut bins, &mut sums));
        let launches = (accrue::stats() - before).launches;
        (high.unwrap(), bins, sums, launches)
    };
    let devices = [Device::Sim, Device::Cpu, Device::Sim, Device::Seq];
    let ranks = each(4, |ranks| {
        let device = devices[ranks.rank()];
        let mine = part(&keys, &[1, 2, 3, 1], ranks.rank());
        let (high, bins, sums, launches) = of(device, mine, ranks);
        assert_eq!(launches > 0, device == Device::Sim);
        // Whose bin is out of range is on a device, all others are told.
        let (mut few, before) = (vec![0u32; 8], vec![0u32; 8]);
        let wrong = [u64::from(ranks.rank() == 2) * 90];
        let error = with_device(device, || narrow::across(ranks, &wrong, &mut few)).unwrap_err();
        assert_eq!(few, before);
        (high, bins, sums, error)
    });
    let (mut bins, mut sums) = ([7; 24], [5; 3]);
    let high = spread(&keys, &mut bins, &mut sums);
    for rank in &ranks {
        assert_eq!((rank.0, rank.1, rank.2), (high, bins, sums));
        assert_eq!(rank.3, ranks[0].3);
        let text = rank.3.to_string();
        assert!(
            text.starts_with("rank 2: index out of bounds: the len is 8 but the index is 90"),
            "{text}"
        );
    }
}

#[cfg(feature = "sim")]
#[offload(histogram, require = "cuda")]
fn narrow(keys: &[u64], bins: &mut [u32]) {
    for &k in keys {
        bins[k as usize] += 1;
    }
}
