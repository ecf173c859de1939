//! Graphs, strings and bytes.

use accrue_tests::quiet::{expected, quiet};

use super::*;

loops! {
    fn csr_offsets(degree: &[usize], offsets: &mut [usize]) {
        offsets[0] = 0;
        for v in 0..degree.len() {
            offsets[v + 1] = offsets[v] + degree[v];
        }
    } => {
        let d: Vec<usize> = words(300, 9).iter().map(|x| *x as usize).collect();
        let mut o = vec![7; 301];
        csr_offsets(&d, &mut o);
        o
    }

    fn csr_from_edges(edges: &[(u32, u32)], n: usize, ptr: &mut Vec<usize>) {
        for &(s, _) in edges {
            ptr[s as usize + 1] += 1;
        }
        for i in 0..n {
            ptr[i + 1] += ptr[i];
        }
    } => {
        let e: Vec<(u32, u32)> = words(500, 60).chunks(2).map(|c| (c[0], c[1])).collect();
        let mut p = vec![0; 61];
        csr_from_edges(&e, 60, &mut p);
        p
    }

    fn pagerank_pull(ptr: &[usize], src: &[u32], out_degree: &[u32], rank: &[f64], next: &mut [f64], damping: f64) -> f64 {
        let n = rank.len();
        let mut delta = 0.0f64;
        for v in 0..n {
            let mut s = 0.0;
            for e in ptr[v]..ptr[v + 1] {
                let u = src[e] as usize;
                s += rank[u] / out_degree[u] as f64;
            }
            next[v] = (1.0 - damping) / n as f64 + damping * s;
            delta = delta.max((next[v] - rank[v]).abs());
        }
        delta
    } => {
        let (ptr, src) = graph(100, 5);
        let degree: Vec<u32> = words(100, 7).iter().map(|d| d + 1).collect();
        let mut next = vec![0.0; 100];
        let delta = pagerank_pull(&ptr, &src, &degree, &doubles(100), &mut next, 0.85);
        (next, delta)
    }

    fn floyd_warshall(d: &mut [u32], n: usize) {
        #[sequential]
        for k in 0..n {
            for i in 0..n {
                if i == k {
                    continue;
                }
                let ik = d[i * n + k];
                for j in 0..n {
                    let through = ik + d[k * n + j];
                    if through < d[i * n + j] {
                        d[i * n + j] = through;
                    }
                }
            }
        }
    } plain {
        for k in 0..n {
            for i in 0..n {
                if i == k {
                    continue;
                }
                let ik = d[i * n + k];
                for j in 0..n {
                    let through = ik + d[k * n + j];
                    if through < d[i * n + j] {
                        d[i * n + j] = through;
                    }
                }
            }
        }
    } => { let mut d = words(225, 100); for i in 0..15 { d[i * 16] = 0; } floyd_warshall(&mut d, 15); d }

    fn triangles(ptr: &[usize], adj: &[u32]) -> u64 {
        let n = ptr.len() - 1;
        let mut count = 0u64;
        for u in 0..n {
            for &v in &adj[ptr[u]..ptr[u + 1]] {
                let v = v as usize;
                if v <= u {
                    continue;
                }
                let (mut i, mut j) = (ptr[u], ptr[v]);
                while i < ptr[u + 1] && j < ptr[v + 1] {
                    if adj[i] == adj[j] {
                        count += 1;
                        i += 1;
                        j += 1;
                    } else if adj[i] < adj[j] {
                        i += 1;
                    } else {
                        j += 1;
                    }
                }
            }
        }
        count
    } => { let (ptr, adj) = graph(60, 9); triangles(&ptr, &adj) }

    fn relax_all(ptr: &[usize], src: &[u32], weight: &[u32], dist: &[u32], next: &mut [u32]) -> bool {
        let mut changed = false;
        for v in 0..dist.len() {
            let mut best = dist[v];
            for e in ptr[v]..ptr[v + 1] {
                let d = dist[src[e] as usize].saturating_add(weight[e]);
                if d < best {
                    best = d;
                    changed = true;
                }
            }
            next[v] = best;
        }
        changed
    } => {
        let (ptr, src) = graph(100, 5);
        let mut next = vec![0; 100];
        let c = relax_all(&ptr, &src, &words(src.len(), 20), &words(100, 90), &mut next);
        (next, c)
    }

    fn frontier(dist: &[u32], level: u32, out: &mut Vec<usize>) {
        for (v, &d) in dist.iter().enumerate() {
            if d == level {
                out.push(v);
            }
        }
    } => { let mut o = vec![]; frontier(&words(500, 5), 3, &mut o); o }

    fn caesar(text: &mut [u8], shift: u8) {
        for c in text.iter_mut() {
            if c.is_ascii_lowercase() {
                *c = (*c - b'a' + shift) % 26 + b'a';
            } else if c.is_ascii_uppercase() {
                *c = (*c - b'A' + shift) % 26 + b'A';
            }
        }
    } => { let mut t = text(500).into_bytes(); caesar(&mut t, 3); t }

    fn word_count(text: &[u8]) -> (usize, usize, usize) {
        let (mut lines, mut words, mut bytes) = (0, 0, 0);
        let mut in_word = false;
        for &b in text {
            bytes += 1;
            if b == b'\n' {
                lines += 1;
            }
            if b.is_ascii_whitespace() {
                in_word = false;
            } else if !in_word {
                in_word = true;
                words += 1;
            }
        }
        (lines, words, bytes)
    } => { word_count(text(900).as_bytes()) }

    fn line_starts(text: &str) -> Vec<usize> {
        let mut starts = vec![0];
        for (i, b) in text.bytes().enumerate() {
            if b == b'\n' {
                starts.push(i + 1);
            }
        }
        starts
    } => { line_starts(&text(900).replace('z', "\n")) }

    fn hex_encode(data: &[u8], out: &mut [u8]) {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        for (i, b) in data.iter().enumerate() {
            out[2 * i] = DIGITS[(b >> 4) as usize];
            out[2 * i + 1] = DIGITS[(b & 15) as usize];
        }
    } => { let mut o = vec![0; 600]; hex_encode(&bytes(300), &mut o); o }

    fn is_palindrome(s: &[u8]) -> bool {
        let n = s.len();
        let mut ok = true;
        for i in 0..n / 2 {
            if s[i] != s[n - 1 - i] {
                ok = false;
            }
        }
        ok
    } => { (is_palindrome(b"abcdefedcba"), is_palindrome(&bytes(100))) }

    fn bigrams(text: &[u8], counts: &mut [u32; 676]) {
        for w in text.windows(2) {
            if w[0].is_ascii_lowercase() && w[1].is_ascii_lowercase() {
                counts[(w[0] - b'a') as usize * 26 + (w[1] - b'a') as usize] += 1;
            }
        }
    } => { let mut c = [0; 676]; bigrams(text(900).as_bytes(), &mut c); c.to_vec() }

    fn upper(text: &str, out: &mut String) {
        for c in text.chars() {
            out.push(c.to_ascii_uppercase());
        }
    } => { let mut o = String::new(); upper(&text(300), &mut o); o }

    fn hamming_matrix(codes: &[u64], out: &mut [u32], n: usize) {
        for i in 0..n {
            for j in 0..n {
                *out.get_mut(i * n + j).unwrap() = (codes[i] ^ codes[j]).count_ones();
            }
        }
    } refused H028 => {
        let codes: Vec<u64> = words(40, u32::MAX).chunks(2).map(|c| (c[0] as u64) << 32 | c[1] as u64).collect();
        let mut o = vec![0; 400];
        hamming_matrix(&codes, &mut o, 20);
        o
    }

    fn best_alignment(a: &[u8], b: &[u8]) -> (usize, u32) {
        let mut best = (0, 0);
        for shift in 0..a.len() - b.len() + 1 {
            let mut score = 0;
            for i in 0..b.len() {
                if a[shift + i] == b[i] {
                    score += 1;
                }
            }
            if score > best.1 {
                best = (shift, score);
            }
        }
        best
    } => { best_alignment(&bytes(400).iter().map(|b| b % 4).collect::<Vec<_>>(), &[1, 2, 3, 0, 1, 1, 2]) }

    fn xor_prefix(x: &[u32], p: &mut [u32]) {
        for i in 0..x.len() {
            p[i + 1] = p[i] ^ x[i];
        }
    } => { let mut p = vec![0; 301]; xor_prefix(&words(300, 1 << 30), &mut p); p }

    fn run_starts(x: &[u8], starts: &mut [usize]) -> usize {
        let mut n = 0;
        for i in 0..x.len() {
            if i == 0 || x[i] != x[i - 1] {
                starts[n] = i;
                n += 1;
            }
        }
        n
    } => { let x: Vec<u8> = bytes(400).iter().map(|b| b / 100).collect(); let mut s = vec![0; 400]; let n = run_starts(&x, &mut s); (s, n) }

    fn sieve_marks(limit: usize, primes: &[usize], composite: &mut [bool]) {
        for i in 0..limit {
            let mut c = false;
            for &p in primes {
                if p * p > i {
                    break;
                }
                if i % p == 0 {
                    c = true;
                    break;
                }
            }
            composite[i] = c;
        }
    } => { let mut c = vec![false; 500]; sieve_marks(500, &[2, 3, 5, 7, 11, 13, 17, 19, 23], &mut c); c }

    fn distances_or_none(edges: &[(usize, usize, i64)], n: usize, from: usize) -> Option<Vec<Option<i64>>> {
        let mut dist = vec![None; n];
        dist[from] = Some(0i64);
        for _ in 0..n {
            let old = dist.clone();
            let mut changed = false;
            for e in edges {
                if let Some(d) = old[e.0] {
                    let nd = d + e.2;
                    if dist[e.1].map_or(true, |c| nd < c) {
                        dist[e.1] = Some(nd);
                        changed = true;
                    }
                }
            }
            if !changed {
                return Some(dist);
            }
        }
        None
    } => {
        let edges: Vec<(usize, usize, i64)> = (0..3000).map(|i| (i * 7919 % 97, i * 104_729 % 101, (i % 13) as i64)).collect();
        let around = [(0, 1, 1), (1, 2, -3), (2, 0, 1)];
        (distances_or_none(&edges, 101, 5), distances_or_none(&around, 3, 0), distances_or_none(&[], 2, 1))
    }

    fn extremes_or_none(k: &[usize], v: &[i8], low: &mut [Option<i8>], high: &mut Vec<Option<u8>>) -> u32 {
        let mut rounds = 0;
        for (&k, &v) in k.iter().zip(v) {
            if low[k].is_none_or(|kept| kept >= v) {
                low[k] = Some(v);
            }
        }
        for (&k, &v) in k.iter().zip(v) {
            let w = v.unsigned_abs();
            if high[k].is_none_or(|c| w > c) {
                high[k] = Some(w);
            }
            rounds += 1;
        }
        rounds
    } => {
        let k: Vec<usize> = (0..2000).map(|i| i * 7919 % 50).collect();
        let v: Vec<i8> = (0..2000).map(|i| if i % 5 == 0 { i8::MAX } else { (i * 31 % 256) as u8 as i8 }).collect();
        let (mut low, mut high) = (vec![None; 60], vec![None; 60]);
        (low[3], low[4], high[5]) = (Some(i8::MIN), Some(i8::MAX), Some(u8::MAX));
        let rounds = extremes_or_none(&k, &v, &mut low, &mut high);
        let all_max = { let mut l = vec![None; 2]; extremes_or_none(&[0, 0, 0], &[i8::MAX; 3], &mut l, &mut vec![None; 1]); l };
        (rounds, low, high, all_max)
    }

    fn matched_or_none(k: &[usize], v: &[i8], low: &mut [Option<i8>], high: &mut [Option<i8>]) {
        for (&k, &v) in k.iter().zip(v) {
            match low[k] {
                Some(kept) if kept <= v => {}
                _ => low[k] = Some(v),
            }
        }
        for i in 0..k.len() {
            let v = v[i];
            match high[k[i]] {
                Some(kept) if v < kept => (),
                _ => {
                    high[k[i]] = Some(v);
                }
            }
        }
    } => {
        let k: Vec<usize> = (0..2000).map(|i| i * 7919 % 50).collect();
        let v: Vec<i8> = (0..2000).map(|i| (i * 31 % 256) as u8 as i8).collect();
        let (mut low, mut high) = (vec![None; 60], vec![None; 60]);
        (low[3], low[4], high[5]) = (Some(i8::MIN), Some(i8::MAX), Some(i8::MAX));
        matched_or_none(&k, &v, &mut low, &mut high);
        (low, high)
    }

    fn a_panic_beside_none(k: &[usize], low: &mut [Option<u32>]) {
        for i in 0..k.len() {
            let v = 1000 - i as u32;
            if low[k[i]].is_none_or(|c| v < c) {
                low[k[i]] = Some(v);
            }
        }
    } => {
        let k: Vec<usize> = (0..900).map(|i| if i == 700 { 55 } else { i % 40 }).collect();
        let called = std::panic::catch_unwind(|| a_panic_beside_none(&k, &mut [None; 50]));
        called.map_err(|e| e.downcast_ref::<String>().cloned())
    }

    fn by_fields_of_items(arcs: &[Arc], most: &mut [i64], least: &mut [i64], sums: &mut [i64]) {
        for a in arcs {
            most[a.to] = most[a.to].max(a.cost);
            least[a.from as usize] = std::cmp::min(least[a.from as usize], a.cost);
            sums[a.to] = sums[a.to] + a.cost;
        }
    } => {
        let (mut most, mut least, mut sums) = (vec![-3; 101], vec![5; 101], vec![0; 101]);
        by_fields_of_items(&arcs(3000), &mut most, &mut least, &mut sums);
        (most, least, sums)
    }

    fn by_fields_of_elements(arcs: &[Arc], most: &mut [i64]) {
        for i in 0..arcs.len() {
            most[arcs[i].to] = most[arcs[i].to].max(arcs[i].cost);
        }
    } => { let mut most = vec![-3; 101]; by_fields_of_elements(&arcs(3000), &mut most); most }

    fn by_fields_of_rows(arcs: &[Arc], most: &mut [Vec<i64>], sums: &mut [[i64; 9]]) {
        for a in arcs {
            most[a.to][a.from as usize] = most[a.to][a.from as usize].max(a.cost);
            sums[a.to][a.from as usize % 9] += a.cost;
        }
        for i in 0..arcs.len() {
            let a = &arcs[i];
            sums[a.to][a.cost as u8 as usize % 9] += 1;
        }
    } => {
        let (mut most, mut sums) = (vec![vec![-3; 101]; 101], vec![[0; 9]; 101]);
        by_fields_of_rows(&arcs(3000), &mut most, &mut sums);
        let _quiet = quiet();
        let short = expected(|| by_fields_of_rows(&arcs(3000), &mut vec![vec![-3; 101]; 50], &mut sums.clone()));
        (most, sums, short)
    }

    fn a_range_of_a_written_type(x: &[u32], out: &mut [u32], a: usize, b: usize) -> u64 {
        let r: std::ops::Range<usize> = a..b;
        for i in r {
            out[i] = x[i] * 2;
        }
        let all: std::ops::RangeInclusive<u64> = 0..=70_000;
        let mut sum = 0;
        for v in all {
            sum += v * v;
        }
        sum
    } => {
        let mut out = vec![1; 500];
        let sum = a_range_of_a_written_type(&words(500, 90), &mut out, 3, 490);
        (out, sum)
    }

    fn by_fields_of_tuples(arcs: &[(usize, f32)], far: &mut [f32]) {
        for a in arcs {
            if a.1 > far[a.0] {
                far[a.0] = a.1;
            }
        }
    } => {
        let arcs: Vec<(usize, f32)> = quarters(3000).into_iter().enumerate().map(|(i, v)| (i * 7919 % 60, v)).collect();
        let mut far = vec![1.0; 60];
        by_fields_of_tuples(&arcs, &mut far);
        let mut with_nan = vec![f32::NAN; 60];
        by_fields_of_tuples(&arcs, &mut with_nan);
        (far, format!("{with_nan:?}"))
    }

    fn relaxed_by_fields(arcs: &[Arc], old: &[i64], dist: &mut [i64]) -> bool {
        let mut changed = false;
        for a in arcs {
            let d = old[a.from as usize].saturating_add(a.cost);
            if d < dist[a.to] {
                dist[a.to] = d;
                changed = true;
            }
        }
        changed
    } => {
        let old: Vec<i64> = (0..101).map(|i| if i % 3 == 0 { i64::MAX } else { i * 5 }).collect();
        let mut dist = old.clone();
        let changed = relaxed_by_fields(&arcs(3000), &old, &mut dist);
        let again = relaxed_by_fields(&[], &old, &mut dist);
        (changed, again, dist)
    }

    fn a_panic_by_fields(arcs: &[Arc], most: &mut [i64]) {
        for a in arcs {
            most[a.to] = most[a.to].max(100 / a.cost);
        }
    } => {
        let mut arcs = arcs(900);
        arcs.iter_mut().for_each(|a| a.cost += 1);
        let (fine, mut apart) = (arcs.clone(), arcs.clone());
        (apart[500].to, apart[700].cost) = (999, 0);
        let mut early = apart.clone();
        early[300].cost = 0;
        [fine, apart, early].map(|arcs| {
            let mut most = vec![0; 101];
            let called = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| a_panic_by_fields(&arcs, &mut most)));
            let said = called.map_err(|e| e.downcast_ref::<String>().cloned().or(e.downcast_ref::<&str>().map(|s| s.to_string())));
            (said.is_ok().then_some(most), said)
        })
    }
}

#[derive(Clone, Copy, Debug)]
struct Arc {
    from: u32,
    to: usize,
    cost: i64,
}

fn arcs(count: usize) -> Vec<Arc> {
    let arc = |i: usize| Arc {
        from: (i * 7919 % 97) as u32,
        to: i * 104_729 % 101,
        cost: (i * 31 % 13) as i64,
    };
    (0..count).map(arc).collect()
}
