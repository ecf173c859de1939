//! Nothing, one item, one bin, more workers than items, lengths that nothing divides.

use std::panic::{AssertUnwindSafe, catch_unwind};

use accrue::offload;

use crate::{everywhere, keys};

#[offload(histogram)]
fn count(keys: &[u32], h: &mut [u64]) {
    for &k in keys {
        h[k as usize] += 1;
    }
}

#[offload(histogram)]
fn bytes(data: &[u8], h: &mut [u32; 256]) {
    for b in data {
        h[*b as usize] += 1;
    }
}

#[offload(histogram)]
fn pairs(data: &[u8], h: &mut [[u32; 256]; 256]) {
    for c in data.chunks_exact(2) {
        h[c[0] as usize][c[1] as usize] += 1;
    }
}

fn counted(keys: &[u32], bins: usize) -> Vec<u64> {
    let mut h = vec![0; bins];
    for &k in keys {
        h[k as usize] += 1;
    }
    h
}

#[test]
fn no_items_change_nothing() {
    everywhere(|| {
        let mut h = [4u64, 5];
        count(&[], &mut h);
        assert_eq!(h, [4, 5]);
        count(&[], &mut []);
        let mut h = [1u32; 256];
        bytes(&[], &mut h);
        assert_eq!(h, [1; 256]);
    });
}

#[test]
fn one_item_and_one_bin() {
    everywhere(|| {
        let mut h = [4u64, 5, 6];
        count(&[1], &mut h);
        assert_eq!(h, [4, 6, 6]);
        for items in [1, 2, 1000, 70_001] {
            let mut h = [1u64];
            count(&vec![0; items], &mut h);
            assert_eq!(h, [1 + items as u64]);
        }
    });
}

#[test]
fn lengths_around_every_boundary() {
    everywhere(|| {
        let sizes = [
            2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 127, 255, 257, 1023, 4097, 65_537,
        ];
        for items in sizes {
            for bins in [1, 2, 3, 255, 256, 257, 5000] {
                let keys = keys(items, bins);
                let mut h = vec![0; bins as usize];
                count(&keys, &mut h);
                assert_eq!(
                    h,
                    counted(&keys, bins as usize),
                    "{items} items, {bins} bins"
                );
            }
        }
    });
}

#[test]
fn bytes_at_every_alignment() {
    let data: Vec<u8> = keys(5000, 256).iter().map(|&k| k as u8).collect();
    everywhere(|| {
        for start in 0..17 {
            for end in [data.len() - 1, data.len() - 16, start + 1, start + 40] {
                let part = &data[start..end];
                let mut h = [0u32; 256];
                bytes(part, &mut h);
                let mut expected = [0u32; 256];
                for &b in part {
                    expected[b as usize] += 1;
                }
                assert_eq!(h, expected, "{start}..{end}");
            }
        }
    });
}

#[test]
fn many_bins_and_few_items() {
    let keys = keys(100, 1 << 20);
    everywhere(|| {
        let mut h = vec![1u64; 1 << 20];
        count(&keys, &mut h);
        let mut expected = counted(&keys, 1 << 20);
        expected.iter_mut().for_each(|bin| *bin += 1);
        assert!(h == expected);
    });
}

#[test]
fn skewed_keys_of_every_kind() {
    let bins = 1000usize;
    let uniform = keys(60_000, bins as u64);
    let same = vec![17u32; 60_000];
    let zipf: Vec<u32> = uniform.iter().map(|k| (k + 1).leading_zeros()).collect();
    let runs: Vec<u32> = (0..60_000).map(|i| i / 64 % 1000).collect();
    everywhere(|| {
        for keys in [&uniform, &same, &zipf, &runs] {
            let mut h = vec![0; bins];
            count(keys, &mut h);
            assert_eq!(h, counted(keys, bins));
        }
    });
}

#[test]
fn chunks_leave_the_rest_alone() {
    everywhere(|| {
        let mut h = Box::new([[0u32; 256]; 256]);
        pairs(&[1, 2, 1, 2, 9], &mut h);
        assert_eq!(h[1][2], 2);
        assert_eq!(h.iter().flatten().sum::<u32>(), 2);
    });
}

#[test]
fn bins_keep_what_they_held() {
    everywhere(|| {
        let keys = keys(10_000, 10);
        let mut h: Vec<u64> = (0..10).map(|i| i * 1000).collect();
        count(&keys, &mut h);
        count(&keys, &mut h);
        let once = counted(&keys, 10);
        for (i, bin) in h.iter().enumerate() {
            assert_eq!(*bin, i as u64 * 1000 + 2 * once[i]);
        }
    });
}

#[offload(histogram, strategy = "atomic_global")]
fn scatter(keys: &[u32], counts: &mut [u32], sums: &mut [f64]) {
    for i in 0..keys.len() {
        counts[keys[i] as usize] += 1;
        sums[keys[i] as usize] += i as f64;
    }
}

#[test]
fn few_items_go_into_many_bins_or_into_none() {
    const BINS: usize = 30_000;
    everywhere(|| {
        let (mut counts, mut sums) = (vec![7u32; BINS], vec![0.5f64; BINS]);
        let mut keys = keys(300, BINS as u64);
        scatter(&keys, &mut counts, &mut sums);
        let (mut expected, mut expected_sums) = (vec![7u32; BINS], vec![0.5f64; BINS]);
        for (i, &k) in keys.iter().enumerate() {
            expected[k as usize] += 1;
            expected_sums[k as usize] += i as f64;
        }
        assert!(counts == expected && sums == expected_sums);
        for bad in [299, 140, 3] {
            keys[bad] = BINS as u32;
        }
        let panic = catch_unwind(AssertUnwindSafe(|| {
            scatter(&keys, &mut counts, &mut sums);
        }));
        let message = panic.expect_err("a bin is out of range");
        assert_eq!(
            message.downcast_ref::<String>().map(String::as_str),
            Some("index out of bounds: the len is 30000 but the index is 30000")
        );
        assert!(counts == expected && sums == expected_sums);
    });
    #[cfg(feature = "sim")]
    {
        let told = scatter::explain();
        assert!(told.contains("no copy, after a rehearsal"), "{told}");
    }
}
