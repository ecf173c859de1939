//! Forms that are taken apart at once: `Option`s where they come from, slices of unknown length, ranges that contain, labelled
//! blocks, loops that are marked to stay as they are. Each gives what the sequential loop gives, on every device.

use accrue::__bench::{trials, with_strategy};
use accrue::{Device, offload, with_device};

use super::rng;

#[offload(histogram)]
fn options(keys: &[u32], base: u32, lut: &[u16], h: &mut [u64; 64], missing: &mut u32) {
    for (i, &k) in keys.iter().enumerate() {
        let Some(above) = k.checked_sub(base) else {
            *missing += 1;
            continue;
        };
        if let Some(&bin) = lut.get(above as usize) {
            h[bin as usize % 64] += 1;
        }
        match above.checked_mul(k | 1) {
            Some(0) => h[0] += 1,
            Some(product) => h[product as usize % 64] += u64::from(product % 5),
            None => h[63] += 1,
        }
        let near = lut.get(i).copied().unwrap_or(7);
        h[near as usize % 64] += 2;
        if let Ok(small) = u8::try_from(k as i32 >> 20) {
            h[usize::from(small) % 64] += 1;
        }
        let same = i16::try_from(k);
        *missing += u32::from(same.is_err());
        h[usize::try_from(k % 64).unwrap()] += 1;
    }
}

#[offload(histogram)]
fn slices(data: &[u8], h: &mut [u32; 256]) {
    for window in data.windows(3) {
        let &[a, b, c] = window else { continue };
        h[usize::from(a ^ b ^ c)] += 1;
    }
    for chunk in data.chunks(4) {
        match chunk {
            [only] => h[usize::from(*only)] += 1,
            [first, .., last] if first < last => h[usize::from(last - first)] += 3,
            [_, second, ..] => h[usize::from(*second)] += 5,
            _ => h[0] += 1,
        }
    }
}

#[offload(histogram)]
fn letters(text: &str, lo: f32, weights: &[f32], h: &mut [u32; 27]) {
    for (b, &w) in text.bytes().zip(weights) {
        let bin = 'bin: {
            if (b'b'..=b'y').contains(&b) {
                break 'bin b - b'b';
            }
            for d in 2..7 {
                if b % d == 0 && (lo..lo + 9.5).contains(&w) {
                    break 'bin d;
                }
            }
            26
        };
        h[usize::from(bin)] += 1;
    }
}

#[offload(histogram)]
fn digits(keys: &[u32], pass: u32, h: &mut [u32; 16]) -> Vec<u32> {
    let shift = pass * 4;
    #[sequential]
    for round in 0..3 {
        for &k in keys {
            h[(k.rotate_left(round) >> shift) as usize & 15] += 1;
        }
        for &b in b"the same again" {
            h[usize::from(b) & 15] += 1;
        }
    }
    #[sequential]
    for i in 1..16 {
        h[i] += h[i - 1];
    }
    h.to_vec()
}

const BITS: i16 = 5;
const SHIFT: u64 = 3;

#[offload(histogram)]
fn constants_of_any_type(keys: &[u32], h: &mut [u32; 64]) {
    for &k in keys {
        let mut bin = k >> SHIFT & 15;
        bin <<= SHIFT;
        h[(bin + BITS as u32) as usize % 64] += BITS as u32 + (k << BITS >> 30);
    }
}

fn everything() -> Vec<String> {
    let mut s = 11u64;
    let keys: Vec<u32> = (0..900)
        .map(|_| rng(&mut s) as u32 >> (rng(&mut s) % 32))
        .collect();
    let lut: Vec<u16> = (0..500).map(|_| rng(&mut s) as u16).collect();
    let bytes: Vec<u8> = keys.iter().map(|k| *k as u8).collect();
    let text: String = bytes.iter().map(|b| (32 + b % 95) as char).collect();
    let weights: Vec<f32> = lut.iter().map(|x| f32::from(*x) / 999.0).collect();
    let mut out = Vec::new();
    let (mut h, mut missing) = ([0; 64], 3);
    options(&keys, 40, &lut, &mut h, &mut missing);
    out.push(format!("options {h:?} {missing}"));
    for n in [bytes.len(), 5, 2, 0] {
        let mut h = [0; 256];
        slices(&bytes[..n], &mut h);
        out.push(format!("slices {h:?}"));
    }
    let mut h = [0; 27];
    letters(&text, 2.5, &weights, &mut h);
    out.push(format!("letters {h:?}"));
    let mut h = [0; 64];
    constants_of_any_type(&keys, &mut h);
    out.push(format!("constants {h:?}"));
    let mut h = [0; 16];
    out.push(format!("digits {:?}", digits(&keys, 2, &mut h)));
    out
}

#[test]
fn every_form_gives_what_the_sequential_loop_gives() {
    let expected = with_device(Device::Seq, everything);
    for strategy in trials() {
        let run = || with_strategy(strategy, everything);
        assert_eq!(with_device(Device::Cpu, run), expected, "{strategy}");
    }
    if cfg!(feature = "sim") {
        assert_eq!(with_device(Device::Sim, everything), expected);
        for explain in [
            options::explain(),
            slices::explain(),
            letters::explain(),
            digits::explain(),
            constants_of_any_type::explain(),
        ] {
            assert!(!explain.contains("not on a gpu"), "{explain}");
        }
    }
}
