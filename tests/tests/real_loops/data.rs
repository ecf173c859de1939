//! Graphs, text, databases and sorting.

use super::*;

loops! {
    fn degrees(edges: &[(u32, u32)], degree: &mut [u32]) {
        for &(u, v) in edges {
            degree[u as usize] += 1;
            degree[v as usize] += 1;
        }
    } => { let w = words(400, 40); let b: Vec<(u32, u32)> = w.chunks(2).map(|c| (c[0], c[1])).collect(); let mut y = vec![0; 40]; degrees(&b, &mut y); y }

    fn csr_counts(edges: &[[u32; 2]], offsets: &mut Vec<usize>) {
        for e in edges {
            offsets[e[0] as usize + 1] += 1;
        }
        let mut sum = 0;
        offsets.iter_mut().for_each(|o| {
            sum += *o;
            *o = sum;
        });
    } => { let w = words(400, 40); let b: Vec<[u32; 2]> = w.chunks(2).map(|c| [c[0], c[1]]).collect(); let mut y = vec![0; 41]; csr_counts(&b, &mut y); y }

    fn pagerank_push(offsets: &[usize], targets: &[u32], rank: &[f64], next: &mut [f64], damping: f64) {
        for u in 0..rank.len() {
            let (start, end) = (offsets[u], offsets[u + 1]);
            if start == end { continue; }
            let share = damping * rank[u] / (end - start) as f64;
            for &v in &targets[start..end] {
                next[v as usize] += share;
            }
        }
    } => { let p: Vec<usize> = (0..=40).map(|i| i * 8).collect(); let r: Vec<f64> = quarters(40).iter().map(|x| *x as f64).collect(); let mut n = vec![0.0; 40]; pagerank_push(&p, &words(320, 40), &r, &mut n, 0.5); n }

    fn in_degrees_of_lists(adjacency: &[Vec<usize>], indegree: &mut [usize]) {
        for neighbours in adjacency {
            for &v in neighbours {
                indegree[v] += 1;
            }
        }
    } => { let a: Vec<Vec<usize>> = words(400, 50).chunks(8).map(|c| c.iter().map(|x| *x as usize).collect()).collect(); let mut d = vec![0; 50]; in_degrees_of_lists(&a, &mut d); d }

    fn triangles(adj: &[Vec<bool>], count: &mut [u32]) {
        let n = adj.len();
        for i in 0..n {
            for j in i + 1..n {
                for k in j + 1..n {
                    if adj[i][j] && adj[j][k] && adj[i][k] {
                        count[i] += 1;
                        count[j] += 1;
                        count[k] += 1;
                    }
                }
            }
        }
    } => { let a: Vec<Vec<bool>> = bytes(400).chunks(20).map(|c| c.iter().map(|x| *x > 100).collect()).collect(); let mut d = vec![0; 20]; triangles(&a, &mut d); d }

    fn component_sizes(parent: &[usize], size: &mut [u32]) {
        for v in 0..parent.len() {
            let mut root = v;
            while parent[root] != root {
                root = parent[root];
            }
            size[root] += 1;
        }
    } => { let p: Vec<usize> = (0..100usize).map(|i| if i % 9 == 0 { i } else { i - 1 }).collect(); let mut d = vec![0; 100]; component_sizes(&p, &mut d); d }

    fn radix_count(keys: &[u64], shift: u32, counts: &mut [usize; 256]) {
        for key in keys {
            counts[(key >> shift) as u8 as usize] += 1;
        }
    } => { let k: Vec<u64> = words(500, 1 << 30).iter().map(|x| *x as u64 * 77).collect(); let mut d = [0; 256]; radix_count(&k, 8, &mut d); d.to_vec() }

    fn radix_all(keys: &[u32], counts: &mut [[u32; 256]; 4]) {
        for &key in keys {
            for (digit, byte) in key.to_le_bytes().into_iter().enumerate() {
                counts[digit][byte as usize] += 1;
            }
        }
    } => { let mut d = [[0; 256]; 4]; radix_all(&words(500, 1 << 30), &mut d); d.concat() }

    fn radix_unrolled(keys: &[u32], c0: &mut [u32; 256], c1: &mut [u32; 256], c2: &mut [u32; 256], c3: &mut [u32; 256]) {
        for k in keys.iter().copied() {
            c0[(k & 0xff) as usize] += 1;
            c1[((k >> 8) & 0xff) as usize] += 1;
            c2[((k >> 16) & 0xff) as usize] += 1;
            c3[(k >> 24) as usize] += 1;
        }
    } => { let (mut a, mut b, mut c, mut d) = ([0; 256], [0; 256], [0; 256], [0; 256]); radix_unrolled(&words(500, 1 << 30), &mut a, &mut b, &mut c, &mut d); [a, b, c, d].concat() }

    fn counting_sort(keys: &[u8], out: &mut [u8]) {
        let mut counts = [0usize; 256];
        for &k in keys {
            counts[k as usize] += 1;
        }
        let mut at = 0;
        counts.iter().enumerate().for_each(|(value, &n)| {
            out[at..at + n].fill(value as u8);
            at += n;
        });
    } => { let mut o = vec![0; 500]; counting_sort(&bytes(500), &mut o); o }

    fn letters_by_if(text: &str, counts: &mut [u32; 26]) {
        for c in text.bytes() {
            if c.is_ascii_alphabetic() {
                counts[(c.to_ascii_lowercase() - b'a') as usize] += 1;
            }
        }
    } => { let mut c = [0; 26]; letters_by_if(&text(900), &mut c); c }

    fn digrams(text: &[u8], table: &mut Vec<u32>) {
        for pair in text.windows(2) {
            if let [a @ b'a'..=b'z', b @ b'a'..=b'z'] = pair {
                table[(a - b'a') as usize * 26 + (b - b'a') as usize] += 1;
            }
        }
    } => { let mut c = vec![0; 676]; digrams(text(900).as_bytes(), &mut c); c }

    fn word_lengths(text: &[u8], lengths: &mut [u32; 32]) {
        for i in 0..text.len() {
            let start = text[i] != b' ' && (i == 0 || text[i - 1] == b' ');
            if !start { continue; }
            let mut end = i;
            while end < text.len() && text[end] != b' ' { end += 1; }
            lengths[(end - i).min(31)] += 1;
        }
    } => { let mut c = [0; 32]; word_lengths(text(900).as_bytes(), &mut c); c }

    fn kmers(dna: &[u8], k: usize, counts: &mut [u32]) {
        for window in dna.windows(k) {
            let mut code = 0usize;
            let mut valid = true;
            for b in window {
                let v = match b {
                    b'A' | b'a' => 0,
                    b'C' | b'c' => 1,
                    b'G' | b'g' => 2,
                    b'T' | b't' => 3,
                    _ => { valid = false; 0 }
                };
                code = code << 2 | v;
            }
            if valid {
                counts[code] += 1;
            }
        }
    } => { let d: Vec<u8> = bytes(900).iter().map(|b| b"ACGTN"[*b as usize % 33 % 5]).collect(); let mut c = vec![0; 256]; kmers(&d, 4, &mut c); c }

    fn base_qualities(reads: &[&[u8]], by_position: &mut [[u32; 64]]) {
        for read in reads {
            for (i, q) in read.iter().enumerate() {
                by_position[i][(q & 63) as usize] += 1;
            }
        }
    } => { let b = bytes(900); let r: Vec<&[u8]> = b.chunks(30).collect(); let mut c = vec![[0; 64]; 30]; base_qualities(&r, &mut c); c }

    fn byte_entropy(data: &[u8]) -> f64 {
        let mut counts = [0u64; 256];
        for &b in data { counts[usize::from(b)] += 1; }
        let n = data.len() as f64;
        counts.iter().filter(|&&c| c != 0).map(|&c| { let p = c as f64 / n; -p * p.log2() }).sum()
    } => { byte_entropy(&bytes(900)) }

    fn sieve_marks(limit: usize, factors: &mut [u8]) {
        for p in 2..limit {
            let mut m = p;
            while m < limit {
                factors[m] = factors[m].saturating_add(1);
                m += p;
            }
        }
    } => { let mut c = vec![0; 400]; sieve_marks(400, &mut c); c }

    fn sieve_steps(primes: &[usize], limit: usize, hits: &mut [u32]) {
        for &p in primes {
            for m in (p * p..limit).step_by(p) {
                hits[m] += 1;
            }
        }
    } => { let mut c = vec![0; 400]; sieve_steps(&[2, 3, 5, 7, 11, 13, 17, 19], 400, &mut c); c }

    fn bloom_insert(keys: &[u64], bits: &mut [u64], hashes: u32) {
        let m = bits.len() as u64 * 64;
        for &key in keys {
            let h1 = key.wrapping_mul(0x9e3779b97f4a7c15);
            let h2 = (key ^ key >> 33).wrapping_mul(0xff51afd7ed558ccd) | 1;
            for i in 0..hashes {
                let bit = h1.wrapping_add(h2.wrapping_mul(i as u64)) % m;
                bits[(bit / 64) as usize] |= 1 << (bit % 64);
            }
        }
    } => { let k: Vec<u64> = words(100, 1 << 30).iter().map(|x| *x as u64).collect(); let mut b = vec![0; 32]; bloom_insert(&k, &mut b, 3); b }

    fn count_min(keys: &[u32], seeds: &[u32; 4], sketch: &mut [[u32; 64]; 4]) {
        for key in keys {
            for (row, seed) in seeds.iter().enumerate() {
                let h = key.wrapping_mul(*seed).rotate_left(7) ^ key >> 3;
                sketch[row][h as usize % 64] += 1;
            }
        }
    } => { let mut s = [[0; 64]; 4]; count_min(&words(500, 90), &[3, 77, 4099, 65537], &mut s); s.concat() }

    fn hyperloglog(hashes: &[u64], registers: &mut [u8; 64]) {
        for h in hashes {
            let bucket = (h >> 58) as usize;
            let rank = ((h << 6) | 1).leading_zeros() as u8 + 1;
            registers[bucket] = registers[bucket].max(rank);
        }
    } => { let k: Vec<u64> = words(500, 1 << 30).iter().map(|x| (*x as u64).wrapping_mul(0x9e3779b97f4a7c15)).collect(); let mut s = [0; 64]; hyperloglog(&k, &mut s); s.to_vec() }

    fn group_by_sum(keys: &[u32], amounts: &[i64], sums: &mut [i64], counts: &mut [u32]) {
        for i in 0..keys.len().min(amounts.len()) {
            let k = keys[i] as usize;
            sums[k] += amounts[i];
            counts[k] += 1;
        }
    } => { let a: Vec<i64> = words(500, 900).iter().map(|x| *x as i64 - 400).collect(); let (mut s, mut c) = (vec![0; 30], vec![0; 30]); group_by_sum(&words(500, 30), &a, &mut s, &mut c); (s, c) }

    fn events_by_hour(timestamps: &[u64], by_hour: &mut [u32; 24], by_day: &mut [u32; 7]) {
        for ts in timestamps {
            let hours = ts / 3600;
            by_hour[(hours % 24) as usize] += 1;
            by_day[((hours / 24 + 4) % 7) as usize] += 1;
        }
    } => { let k: Vec<u64> = words(500, 1 << 30).iter().map(|x| *x as u64).collect(); let (mut a, mut b) = ([0; 24], [0; 7]); events_by_hour(&k, &mut a, &mut b); (a, b) }

    fn ports(packets: &[Option<(u16, u32)>], bytes: &mut [u64; 1024]) {
        for packet in packets {
            let Some((port, len)) = packet else { continue };
            bytes[*port as usize & 1023] += *len as u64;
        }
    } => { let p: Vec<Option<(u16, u32)>> = words(500, 1 << 30).iter().map(|x| (x % 5 != 0).then_some((*x as u16, *x & 255))).collect(); let mut b = [0; 1024]; ports(&p, &mut b); b.to_vec() }

    fn dice(rolls: &[[u8; 5]], faces: &mut [u32; 6], sums: &mut [u32; 31]) {
        for hand in rolls {
            let mut sum = 0;
            for &face in hand.iter() {
                faces[face as usize - 1] += 1;
                sum += face as usize;
            }
            sums[sum] += 1;
        }
    } => { let r: Vec<[u8; 5]> = bytes(500).chunks(5).map(|c| [c[0] % 6 + 1, c[1] % 6 + 1, c[2] % 6 + 1, c[3] % 6 + 1, c[4] % 6 + 1]).collect(); let (mut a, mut b) = ([0; 6], [0; 31]); dice(&r, &mut a, &mut b); (a, b) }

    fn collatz_lengths(limit: u64, lengths: &mut [u32; 256]) {
        for n in 1..=limit {
            let mut x = n;
            let mut steps = 0;
            while x != 1 {
                x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
                steps += 1;
            }
            lengths[steps.min(255)] += 1;
        }
    } => { let mut l = [0; 256]; collatz_lengths(300, &mut l); l.to_vec() }

    fn benford(values: &[u32], first: &mut [u32; 10]) {
        for mut v in values.iter().copied() {
            while v >= 10 { v /= 10; }
            first[v as usize] += 1;
        }
    } => { let mut l = [0; 10]; benford(&words(500, 1 << 30), &mut l); l }

    fn digits(values: &[u64], counts: &mut [u32; 10]) {
        for &value in values {
            let mut v = value;
            loop {
                counts[(v % 10) as usize] += 1;
                v /= 10;
                if v == 0 { break; }
            }
        }
    } => { let k: Vec<u64> = words(100, 1 << 30).iter().map(|x| *x as u64).collect(); let mut l = [0; 10]; digits(&k, &mut l); l }

    fn bit_positions(words: &[u64], counts: &mut [u32; 64]) {
        for &w in words {
            let mut w = w;
            while w != 0 {
                counts[w.trailing_zeros() as usize] += 1;
                w &= w - 1;
            }
        }
    } => { let k: Vec<u64> = words(100, 1 << 30).iter().map(|x| *x as u64 * 77).collect(); let mut l = [0; 64]; bit_positions(&k, &mut l); l.to_vec() }

    fn parity_scores(board: &[[i8; 8]; 8], rows: &mut [i32; 8], cols: &mut [i32; 8], diag: &mut [i32; 15]) {
        for (y, row) in board.iter().enumerate() {
            for (x, &cell) in row.iter().enumerate() {
                rows[y] += i32::from(cell);
                cols[x] += i32::from(cell);
                diag[x + y] += i32::from(cell);
            }
        }
    } => { let mut b = [[0i8; 8]; 8]; for y in 0..8 { for x in 0..8 { b[y][x] = (x * 5 + y * 3) as i8 - 20; } } let (mut r, mut c, mut d) = ([0; 8], [0; 8], [0; 15]); parity_scores(&b, &mut r, &mut c, &mut d); (r, c, d) }

    fn votes(ballots: &[Vec<u8>], first: &mut [u32; 8], any: &mut [u32; 8]) -> usize {
        let mut spoilt = 0;
        for ballot in ballots {
            match ballot.first() {
                Some(&choice) if choice < 8 => first[choice as usize] += 1,
                _ => spoilt += 1,
            }
            for &c in ballot.iter().take(3) {
                any[(c % 8) as usize] += 1;
            }
        }
        spoilt
    } => { let b: Vec<Vec<u8>> = bytes(400).chunks(7).map(|c| c.iter().map(|x| x % 9).collect()).collect(); let (mut f, mut a) = ([0; 8], [0; 8]); let s = votes(&b, &mut f, &mut a); (f, a, s) }

    fn quantiles(values: &[f32], lo: f32, hi: f32) -> Option<usize> {
        if values.is_empty() { return None; }
        let mut counts = vec![0usize; 50];
        let step = (hi - lo) / counts.len() as f32;
        for v in values {
            let i = ((v - lo) / step).clamp(0.0, 49.0) as usize;
            counts[i] += 1;
        }
        let half = values.len() / 2;
        let mut seen = 0;
        counts.iter().position(|c| { seen += c; seen > half })
    } => { quantiles(&quarters(900), -16.0, 16.0) }

    fn sliding_maximum(values: &[u32], width: usize, hist: &mut [u32; 64]) {
        for window in values.windows(width) {
            let max = *window.iter().max().unwrap();
            hist[max as usize / 4] += 1;
        }
    } => { let mut l = [0; 64]; sliding_maximum(&words(300, 250), 5, &mut l); l.to_vec() }

    fn ordered_pairs(values: &[u16], inversions: &mut [u32; 16]) {
        for (i, a) in values.iter().enumerate() {
            for b in &values[i + 1..] {
                if a > b { inversions[i % 16] += 1; }
            }
        }
    } => { let v: Vec<u16> = words(100, 250).iter().map(|x| *x as u16).collect(); let mut l = [0; 16]; ordered_pairs(&v, &mut l); l }

    fn mismatches(a: &[u8], b: &[u8], by_kind: &mut [[u32; 4]; 4]) {
        let code = |c: u8| (c >> 1 & 3) as usize;
        for (&x, &y) in a.iter().zip(b) {
            if x != y {
                by_kind[code(x)][code(y)] += 1;
            }
        }
    } => { let mut m = [[0; 4]; 4]; mismatches(&bytes(300), &bytes(301)[1..], &mut m); m }

    fn sum_by_iterator(rows: &[Vec<u32>], sums: &mut [u64]) {
        for row in rows {
            let key = row[0] as usize % 16;
            sums[key] += row.iter().map(|&x| x as u64).sum::<u64>();
        }
    } => { let r: Vec<Vec<u32>> = words(400, 900).chunks(8).map(<[u32]>::to_vec).collect(); let mut s = vec![0; 16]; sum_by_iterator(&r, &mut s); s }

    fn for_index_mut(keys: &[usize], counts: &mut [u32]) {
        for &k in keys {
            let c = &mut counts[k];
            *c += 1;
        }
    } => { let k: Vec<usize> = words(300, 40).iter().map(|x| *x as usize).collect(); let mut s = vec![0; 40]; for_index_mut(&k, &mut s); s }

    fn asserted(keys: &[u32], bins: &mut [u32]) {
        assert!(!bins.is_empty(), "no bins");
        for &k in keys {
            debug_assert!(k < 1000);
            let i = k as usize * bins.len() / 1000;
            bins[i] += 1;
        }
    } => { let mut s = vec![0; 40]; asserted(&words(300, 1000), &mut s); s }

    fn strided(samples: &[i16], channels: usize, peak: &mut [i16], clipped: &mut [u32]) {
        for (i, &s) in samples.iter().enumerate() {
            let c = i % channels;
            peak[c] = peak[c].max(s.saturating_abs());
            clipped[c] += (s == i16::MAX || s == i16::MIN) as u32;
        }
    } => { let v: Vec<i16> = words(300, 1 << 30).iter().map(|x| *x as i16).collect(); let (mut a, mut b) = (vec![0; 2], vec![0; 2]); strided(&v, 2, &mut a, &mut b); (a, b) }

    fn reversed(keys: &[u32], bins: &mut [u32]) {
        for k in keys.iter().rev().skip(3).step_by(2) {
            bins[*k as usize] += 1;
        }
    } => { let mut s = vec![0; 40]; reversed(&words(300, 40), &mut s); s }

    fn hyperloglog_by_if(hashes: &[u64], registers: &mut [u8; 64]) {
        for h in hashes {
            let bucket = (h >> 58) as usize;
            let rank = ((h << 6) | 1).leading_zeros() as u8 + 1;
            if rank > registers[bucket] {
                registers[bucket] = rank;
            }
        }
    } => { let v: Vec<u64> = words(900, 1 << 30).iter().map(|x| u64::from(*x).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect(); let mut r = [0; 64]; hyperloglog_by_if(&v, &mut r); r }

    fn z_buffer(depths: &[u32], columns: &[u32], nearest: &mut [u32], hit: &mut [bool]) {
        for i in 0..depths.len() {
            let c = columns[i] as usize;
            if nearest[c] > depths[i] {
                nearest[c] = depths[i];
            }
            hit[c] = true;
        }
    } => { let (mut z, mut hit) = (vec![500; 50], vec![false; 50]); z_buffer(&words(300, 1000), &words(300, 40), &mut z, &mut hit); (z, hit) }

    fn letters(text: &str, counts: &mut [u32; 26]) {
        for c in text.bytes().filter(u8::is_ascii_alphabetic) {
            counts[(c.to_ascii_lowercase() - b'a') as usize] += 1;
        }
    } => { let mut y = [0; 26]; letters("The quick brown fox, 7 times", &mut y); y }

    fn utf8_lengths(text: &str, lengths: &mut [u32; 5]) {
        for c in text.chars() {
            lengths[c.len_utf8()] += 1;
        }
    } => { let mut y = [0; 5]; utf8_lengths("a\u{e4}\u{4e00}\u{1f600}b", &mut y); y }

    fn flat(rows: &[[u8; 4]], bins: &mut [u32; 256]) {
        for &b in rows.iter().flatten() {
            bins[b as usize] += 1;
        }
    } => { let w = words(400, 256); let b: Vec<[u8; 4]> = w.chunks(4).map(|c| [c[0] as u8, c[1] as u8, c[2] as u8, c[3] as u8]).collect(); let mut y = [0; 256]; flat(&b, &mut y); y.to_vec() }

    fn chained(a: &[u8], b: &[u8], bins: &mut [u32; 256]) {
        for &x in a.iter().chain(b) {
            bins[x as usize] += 1;
        }
    } => { let mut y = [0; 256]; chained(&bytes(700), &bytes(55), &mut y); y.to_vec() }
}
