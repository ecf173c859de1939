//! What may stand in a body.

#[offload(histogram)]
fn locals(data: &[f32], lo: f32, hi: f32, h: &mut [u32]) {
    let scale = h.len() as f32 / (hi - lo);
    for &x in data {
        if x < lo || x >= hi {
            continue;
        }
        let mut bin = ((x - lo) * scale).floor() as usize;
        bin = bin.min(h.len() - 1);
        h[bin] += 1;
    }
}

#[offload(histogram)]
fn bases(dna: &[u8], h: &mut [u64; 5]) {
    for b in dna.iter() {
        match b {
            b'A' | b'a' => h[0] += 1,
            b'C' => h[1] += 1,
            b'G' => h[2] += 1,
            b'T' => h[3] += 1,
            _ => h[4] += 1,
        }
    }
}

#[offload(histogram)]
fn match_value(data: &[i32], h: &mut [u32]) {
    for &v in data {
        let bin = match v {
            i32::MIN..=-1 => 0,
            0 => 1,
            n @ 1..=9 if n % 2 == 0 => 2,
            n if n > 100 => 3,
            _ => 4,
        };
        h[bin] += 1;
    }
}

#[offload(histogram)]
fn tuple_match(data: &[(u8, u8)], a: &[u8], b: &[u8], h: &mut [u32]) {
    for i in 0..a.len() {
        match (a[i], b[i]) {
            (0, 0) => continue,
            (x, 1) => h[x as usize] += 1,
            (_, y) => h[y as usize] += 1,
        }
    }
}

#[offload(histogram)]
fn inner_loops(data: &[u32], h: &mut [u32]) {
    for &x in data {
        let mut n = x;
        let mut steps = 0usize;
        while n != 1 && steps < 100 {
            n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
            steps += 1;
        }
        h[steps] += 1;
        let found = loop {
            if n > 10 {
                break n;
            }
            n += 3;
        };
        h[found as usize] += 1;
        'outer: for i in 0..4 {
            for j in 0..4 {
                if i * j == 6 {
                    break 'outer;
                }
                h[i + j] += 1;
            }
        }
    }
}

#[offload(histogram)]
fn arrays(data: &[u64], h: &mut [u32]) {
    for x in data {
        let bytes = x.to_le_bytes();
        for b in bytes {
            h[b as usize] += 1;
        }
        let table = [1u32, 2, 3, 4];
        let mut counts = [0u32; 4];
        counts[(x % 4) as usize] += table[(x & 3) as usize];
        let (a, mut b) = (x.count_ones(), x.leading_zeros());
        b += a;
        counts.swap(0, 1);
        h[b as usize] += counts[0];
    }
}

#[offload(histogram)]
fn maths(xs: &[f64], ys: &[f64], h: &mut [u32]) {
    for (&x, &y) in xs.iter().zip(ys) {
        let r = (x * x + y * y).sqrt().clamp(0.0, 9.99);
        let phi = y.atan2(x).to_degrees().rem_euclid(360.0);
        let k = (r as usize) * 36 + (phi / 10.0) as usize;
        h[k.min(359)] += 1;
    }
}

const OFFSET: usize = 3;

#[offload(histogram)]
fn constants(data: &[u8], h: &mut [u32; N]) {
    for &x in data {
        assert!(x < 200, "x is {x}");
        debug_assert_eq!(x & 1, 0);
        h[x as usize + OFFSET] += u32::MAX / 2;
        h[x as usize + crate::config::SHIFT] += 1;
        h[TABLE[x as usize] as usize] += 1;
    }
}

#[offload(histogram)]
fn calls(data: &[u8], h: &mut [u32]) {
    for &x in data {
        h[bin_of(x)] += 1;
    }
}

#[offload(histogram)]
fn generic<T: Copy + Into<usize> + Sync>(data: &[T], h: &mut [u32]) {
    for &x in data {
        let i: usize = x.into();
        h[i] += 1;
    }
}

#[offload(histogram)]
fn options(data: &[Option<u32>], h: &mut [u32]) {
    for x in data {
        if let Some(x) = x {
            h[*x as usize] += 1;
        } else {
            h[0] += 1;
        }
        let Some(y) = x else { continue };
        h[*y as usize] += 1;
    }
}

#[offload(histogram)]
fn enums(data: &[Colour], h: &mut [u32; 3]) {
    for c in data {
        match c {
            Colour::Red => h[0] += 1,
            Colour::Green => h[1] += 1,
            Colour::Other(n) => h[*n as usize] += 1,
        }
    }
}

#[offload(histogram)]
fn iterators(rows: &[Vec<u32>], h: &mut [u32]) {
    for row in rows {
        let sum: u32 = row.iter().map(|x| x * 2).sum();
        h[sum as usize] += 1;
    }
}

#[offload(histogram)]
fn method(&self, data: &[u32], h: &mut [u32]) {
    for x in data {
        h[(x * self.scale) as usize] += 1;
    }
}

#[offload(histogram)]
fn fields(&mut self, data: &[u32]) {
    for x in data {
        self.bins[(x * self.scale) as usize] += 1;
        self.total += 1;
    }
}

#[offload(histogram)]
fn local_arrays(data: &[u32], h: &mut [u32]) {
    for &x in data {
        let mut sorted = [x % 7, x % 5, x % 3];
        if sorted[0] > sorted[2] {
            sorted.swap(0, 2);
        }
        for s in sorted.iter_mut() {
            *s += 1;
        }
        for (i, s) in sorted.iter_mut().enumerate() {
            *s *= i as u32;
        }
        let first = &mut sorted[0];
        *first += 2;
        h[sorted[0] as usize] += sorted[1];
        sorted.fill(0);
        (sorted[0], sorted[1]) = (x, x + 1);
        h[sorted[1] as usize] += 1;
    }
}

#[offload(histogram)]
fn constants_without_types(keys: &[u32], h: &mut [u32]) {
    for &k in keys {
        h[(k >> BITS as u32) as usize] += 1;
    }
}

#[offload(histogram)]
fn within(data: &[u8], lo: f32, v: &[f32], h: &mut [u32]) {
    for (&b, &x) in data.iter().zip(v) {
        if (b'a'..=b'z').contains(&b) && (lo..).contains(&x) {
            h[(b - b'a') as usize] += 1;
        }
    }
}

#[offload(histogram)]
fn labelled_block(data: &[u32], h: &mut [u32; 3]) {
    for &x in data {
        let class = 'class: {
            if x < 10 {
                break 'class 0;
            }
            for d in 2..9 {
                if x % d == 0 {
                    break 'class 1;
                }
            }
            2
        };
        h[class] += 1;
    }
}

#[offload(histogram)]
fn let_before(keys: &[u32], pass: u32, h: &mut [u32; 256]) {
    let shift = pass * 8;
    let last = h.len().saturating_sub(1);
    for &k in keys {
        h[(k >> shift) as usize & last] += 1;
    }
}

#[offload(histogram)]
fn wider_than_a_device(keys: &[u64], h: &mut [u32; 16]) {
    for &k in keys {
        h[((k as u128 * 0x9E37_79B9_7F4A_7C15) >> 64) as usize & 15] += 1;
        h[(k as u128 * 3u128) as usize & 15] += 1;
    }
}

#[offload(histogram)]
fn lengths_in_assertions(data: &[u8], h: &mut [u32]) {
    for &x in data {
        debug_assert!(usize::from(x) < h.len(), "{x} of {}", h.len());
        h[usize::from(x)] += 1;
    }
}

#[offload(histogram)]
fn then_cumulated(steps: usize, data: &[u8], h: &mut [u32]) {
    #[sequential]
    for _ in 0..steps {
        for &x in b"a literal" {
            h[x as usize] += 1;
        }
        for &x in data {
            h[x as usize] += 1;
        }
    }
    #[sequential]
    for i in 1..h.len() {
        h[i] += h[i - 1];
    }
}

#[offload(histogram)]
fn options(keys: &[u32], base: u32, lut: &[u8], h: &mut [u32; 256]) {
    for &k in keys {
        let Some(above) = k.checked_sub(base) else {
            continue;
        };
        if let Some(&bin) = lut.get(above as usize) {
            h[bin as usize] += u32::from(lut.get(k as usize).copied().unwrap_or(1));
        }
        h[usize::try_from(k as i64 - 5).unwrap() % 256] += 1;
    }
}

#[offload(histogram)]
fn slice_patterns(data: &[u8], h: &mut [u32; 256]) {
    for c in data.chunks(3) {
        match c {
            [a, b, c] => h[(a ^ b ^ c) as usize] += 1,
            [first, ..] if *first > 3 => h[0] += 1,
            [.., last] => h[*last as usize] += 1,
            [] => {}
        }
    }
}

#[offload(histogram)]
fn returned<const W: usize>(data: &[u32], n: usize) -> (Vec<u64>, u32) {
    const SHIFT: u32 = 3;
    let mut h = vec![0; n];
    let mut odd = 0;
    for &x in data {
        h[(x >> SHIFT) as usize % W] += 1;
        odd += x & 1;
    }
    (h, odd)
}

#[offload(histogram)]
fn halves(data: &[u8], h: &mut [u32]) {
    let (low, high) = h.split_at_mut(128);
    for &x in data {
        if x < 128 {
            low[x as usize] += 1;
        } else {
            high[x as usize - 128] += 1;
        }
    }
}

#[derive(accrue::DeviceType, Clone, Copy, PartialEq, PartialOrd)]
struct Cell {
    x: u32,
    y: u32,
}

/// Values that are no numbers are compared by rustc's own.
#[offload(histogram)]
fn compared(cells: &[Cell], rows: &[[u8; 2]], corner: Cell, hist: &mut [u32; 8]) {
    for (i, cell) in cells.iter().enumerate() {
        let before = (cell.y, cell.x) < (corner.y, corner.x);
        let same = *cell == corner;
        let pair = rows[i] == [1, 2];
        hist[usize::from(before) + 2 * usize::from(same) + 4 * usize::from(pair)] += 1;
    }
}

/// What names around the loop are, and names of the standard library in it.
#[offload(histogram)]
fn around(keys: &[u8], scale: u32, hist: &mut [u32; 8]) {
    let twice = (2) * scale;
    let shifted = -(3) + 5i32;
    for &k in keys {
        let checked: Result<u32, u32> = if k > 9 { Ok(u32::from(k)) } else { Err(twice) };
        hist[(checked.unwrap_or(7) as usize + shifted as usize) % 8] += twice;
    }
}

/// Names in capitals that are bound, and values that are no integers.
#[offload(histogram)]
fn bound(keys: &[Option<u32>], pairs: &[(u32, f32)], hist: &mut [u32; 8]) {
    for (i, key) in keys.iter().enumerate() {
        let Some(N) = key else {
            continue;
        };
        let (LOW, HIGH) = pairs[i];
        hist[match HIGH { h if h > 3.0 => 1, _ => 2 }] += 1;
        hist[match *N { n if n > 3 => 3, _ => (LOW % 8) as usize }] += 1;
    }
}

/// Arrays that a call gives.
#[offload(histogram)]
fn given(keys: &[u32], hist: &mut [u32; 8]) {
    for &k in keys {
        let [a, b]: [u32; 2] = pair(k);
        hist[(a % 8) as usize] += b;
        hist[(pair(k) as [u32; 2])[1] as usize] += 1;
    }
}

/// `clamp` panics where its bounds are the wrong way round.
#[offload(histogram)]
fn clamped(keys: &[i32], hist: &mut [u32; 8]) {
    for &k in keys {
        hist[k.clamp(3, 3) as usize] += 1;
        if k > 90 {
            hist[k.clamp(7, 3) as usize] += 1;
        }
    }
}
