//! Loops as they stand in everyday Rust: closures in headers, the first item of a kind, extrema of small arrays, views of one array.

use super::*;

loops! {
    fn kept_by_a_filter(x: &[u32], out: &mut Vec<u32>) {
        for v in x.iter().filter(|v| **v > 500) {
            out.push(*v * 2);
        }
    } => { let mut out = vec![7]; kept_by_a_filter(&words(3000, 1000), &mut out); out }

    fn entropy(counts: &[u32], total: u32) -> f64 {
        let mut bits = 0.0;
        for &c in counts.iter().filter(|&&c| c > 0) {
            let p = f64::from(c) / f64::from(total);
            bits -= p * p.log2();
        }
        bits
    } => { (entropy(&words(3000, 4), 4096) * 1e6).round() }

    fn pairs_by_a_filter(x: &[u32], hist: &mut [u32; 16]) {
        for (i, _) in x.iter().enumerate().filter(|(n, v)| (*n as u32) < **v) {
            hist[i % 16] += 1;
        }
    } => { let mut hist = [0; 16]; pairs_by_a_filter(&words(3000, 3000), &mut hist); hist }

    fn parts_of_an_item_in_a_filter(x: &[u32]) -> (Vec<(usize, u32)>, u32) {
        let large: Vec<(usize, u32)> = x.iter().copied().enumerate().filter(|(n, v)| *v as usize > *n).collect();
        let mut sum = 0;
        for pair in x.iter().zip(&large).filter(|(v, of)| **v > of.1) {
            sum += pair.0 - pair.1.1;
        }
        (large, sum)
    } => { parts_of_an_item_in_a_filter(&words(3000, 3000)) }

    fn closures_that_call_closures(x: &[i32], w: usize, out: &mut [i32]) {
        let at = |x: usize, y: usize| y * w + x;
        let get = |column: usize, y: usize| x[at(column, y)];
        let get = |column: usize, y: usize| if column < w { get(column, y) } else { 0 };
        for y in 0..x.len() / w {
            for column in 0..w {
                out[y * w + column] = get(column, y) - get(column + 1, y);
            }
        }
    } => {
        let x: Vec<i32> = words(3000, 1000).into_iter().map(|v| v as i32).collect();
        let mut out = vec![0; x.len()];
        closures_that_call_closures(&x, 50, &mut out);
        out
    }

    fn a_tuple_taken_apart(x: &[i32], of: &mut (i64, i32, [u32; 8])) {
        let (sum, top, hist) = of;
        for &v in x {
            *sum += i64::from(v);
            if v > *top {
                *top = v;
            }
            hist[v as usize % 8] += 1;
        }
    } => {
        let x: Vec<i32> = words(3000, 1000).into_iter().map(|v| v as i32).collect();
        let mut of = (5, 7, [1; 8]);
        a_tuple_taken_apart(&x, &mut of);
        of
    }

    fn an_option_taken_apart(x: &[i32], of: &mut Option<i64>) {
        let Some(sum) = of else { return };
        for &v in x {
            *sum += i64::from(v);
        }
    } => {
        let x: Vec<i32> = words(3000, 1000).into_iter().map(|v| v as i32).collect();
        let mut of = Some(5);
        an_option_taken_apart(&x, &mut of);
        of
    }

    fn counted_by_a_filter(x: &[f32]) -> usize {
        let mut finite = 0;
        for _ in x.iter().filter(|v| v.is_finite()) {
            finite += 1;
        }
        finite
    } => { counted_by_a_filter(&[1.0, f32::NAN, 2.0, f32::INFINITY]) }

    fn a_block_in_a_filter(x: &[u32], limit: u32) -> u64 {
        let mut sum = 0u64;
        for &v in x.iter().filter(|w| { let u = **w; u > limit }) {
            sum += u64::from(v);
        }
        sum
    } => { a_block_in_a_filter(&words(3000, 1000), 300) }

    fn mapped_in_the_header(x: &[u32]) -> u64 {
        let mut sum = 0;
        for v in x.iter().map(|v| u64::from(*v) * 3) {
            sum += v;
        }
        sum
    } => { mapped_in_the_header(&words(3000, 1000)) }

    fn mapped_and_filtered(x: &[(u8, u32)], hist: &mut [u32; 256]) {
        for (k, n) in x.iter().filter(|(k, _)| k % 2 == 1).map(|&(k, n)| (k / 2, n + 1)) {
            hist[usize::from(k)] += n;
        }
    } => {
        let x: Vec<(u8, u32)> = words(3000, 256).into_iter().map(|n| (n as u8, n % 5)).collect();
        let mut hist = [0; 256];
        mapped_and_filtered(&x, &mut hist);
        hist
    }

    fn some_of_them(x: &[Option<u32>], hist: &mut [u32; 10]) {
        for v in x.iter().filter_map(|v| *v) {
            hist[v as usize % 10] += 1;
        }
    } => {
        let x: Vec<Option<u32>> = words(3000, 1000).into_iter().map(|n| (n % 3 != 0).then_some(n)).collect();
        let mut hist = [0; 10];
        some_of_them(&x, &mut hist);
        hist
    }

    fn numbers_for_each(out: &mut [u32], x: &[u32]) {
        out.iter_mut().enumerate().for_each(|(i, o)| {
            if x[i] == 0 {
                return;
            }
            *o = x[i] * 2;
        });
    } => { let mut out = vec![9; 3000]; numbers_for_each(&mut out, &words(3000, 4)); out }

    fn normals_for_each(normals: &mut [[f32; 3]]) {
        normals.iter_mut().for_each(|n| {
            let l = (n[0] * n[0] + n[1] * n[1] + n[2] * n[2]).sqrt();
            if l > 1e-8 {
                n.iter_mut().for_each(|c| *c /= l);
            }
        });
    } => {
        let mut normals: Vec<[f32; 3]> = quarters(3000).chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect();
        normals_for_each(&mut normals);
        normals
    }

    fn luma_for_each(pixels: &[[u8; 4]]) -> [u32; 256] {
        let mut hist = [0u32; 256];
        pixels.iter().for_each(|p| {
            let y = (54 * u32::from(p[0]) + 183 * u32::from(p[1]) + 19 * u32::from(p[2])) >> 8;
            hist[y as usize] += 1;
        });
        hist
    } => { luma_for_each(&words(3000, 1 << 30).into_iter().map(u32::to_le_bytes).collect::<Vec<_>>()) }

    fn first_above(x: &[u32], limit: u32) -> Option<usize> {
        let mut first = None;
        for (i, &v) in x.iter().enumerate() {
            if first.is_none() && v > limit {
                first = Some(i);
            }
        }
        first
    } => { let x = words(3000, 1000); (first_above(&x, 990), first_above(&x, 2000), first_above(&[], 1)) }

    fn first_and_count(x: &[u32], limit: u32, first: &mut Option<(usize, u32)>) -> u32 {
        let mut n = 0;
        for i in 0..x.len() {
            if x[i] > limit {
                n += 1;
                if first.is_none() {
                    *first = Some((i, x[i]));
                }
            }
        }
        n
    } => {
        let x = words(3000, 1000);
        let (mut none, mut known) = (None, Some((7, 7)));
        (first_and_count(&x, 995, &mut none), first_and_count(&x, 995, &mut known), none, known)
    }

    fn first_by_a_flag(x: &[u32], limit: u32) -> (bool, usize) {
        let mut found = false;
        let mut first = 0;
        for (i, &v) in x.iter().enumerate() {
            if v > limit && !found {
                first = i;
                found = true;
            }
        }
        (found, first)
    } => { let x = words(3000, 1000); (first_by_a_flag(&x, 990), first_by_a_flag(&x, 2000)) }

    fn box_around(points: &[[f32; 3]]) -> ([f32; 3], [f32; 3]) {
        let mut lo = [f32::MAX; 3];
        let mut hi = [f32::MIN; 3];
        for p in points {
            for k in 0..3 {
                if p[k] < lo[k] {
                    lo[k] = p[k];
                }
                if p[k] > hi[k] {
                    hi[k] = p[k];
                }
            }
        }
        (lo, hi)
    } => {
        let points: Vec<[f32; 3]> = quarters(3000).chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect();
        (box_around(&points), box_around(&[]))
    }

    fn span_of_bars(bars: &[Bar]) -> Vec<f64> {
        let mut least = [f64::INFINITY; 2];
        for bar in bars {
            least[0] = least[0].min(bar.low);
            least[1] = least[1].min(-bar.high);
        }
        let of = least.to_vec();
        of
    } => { span_of_bars(&bars(3000)) }

    fn hits_of_ports(ports: &[u32], table: &mut [(u8, u32, u16)]) {
        for &port in ports {
            let of = &mut table[port as usize % 50];
            of.0 = of.0.saturating_add(3);
            of.1 = of.1.wrapping_add(port << 20);
            of.2 = of.2.max(port as u16);
        }
    } => { let mut table = vec![(0, 1, 2); 50]; hits_of_ports(&words(9000, 5000), &mut table); table }

    fn both_halves(x: &[u32], out: &mut [u32]) {
        let (front, back) = out.split_at_mut(x.len() / 2);
        for (o, v) in front.iter_mut().zip(x) {
            *o = v + 1;
        }
        for (o, v) in back.iter_mut().zip(x) {
            *o = v + 2;
        }
        for (f, b) in front.iter_mut().zip(back.iter()) {
            *f += b;
        }
    } => { let mut out = vec![0; 3000]; both_halves(&words(3000, 1000), &mut out); out }

    fn counted_by_while(a: &[i32], out: &mut [i32]) -> (usize, i32) {
        let n = a.len().min(out.len());
        let mut i = 0;
        let mut most = i32::MIN;
        while i < n {
            out[i] = a[i].wrapping_mul(3) - (i as i32 & 7);
            most = most.max(out[i]);
            i += 1;
        }
        (i, most)
    } => {
        let mut out = vec![0; 3000];
        let all = counted_by_while(&ints(2999), &mut out);
        (all, counted_by_while(&[], &mut []), out)
    }

    fn twice_by_while(grid: &mut Vec<Vec<f32>>, from: &[f32]) {
        let mut y = 0usize;
        while y < grid.len() {
            let mut x = 0;
            while x < grid[y].len() {
                grid[y][x] += from[x] * y as f32;
                x += 1;
            }
            y += 1;
        }
    } => { let mut grid = vec![quarters(40); 60]; twice_by_while(&mut grid, &quarters(40)); grid }

    fn bytes_by_while(text: &[u8], counts: &mut [u32; 256]) {
        let mut at = 0;
        while at < text.len() {
            counts[text[at] as usize] += 1;
            at += 1;
        }
        counts[0] += at as u32;
    } => { let mut counts = [0; 256]; bytes_by_while(&bytes(3000), &mut counts); counts }

    fn cleared_by_each(lines: &[&str], out: &mut [usize]) -> usize {
        let mut buf: Vec<u8> = Vec::with_capacity(64);
        let mut n = 0;
        for (i, s) in lines.iter().enumerate() {
            if s.is_empty() {
                continue;
            }
            buf.clear();
            buf.extend(s.bytes().filter(|b| *b != b'a'));
            buf.sort();
            buf.dedup();
            out[i] = buf.len();
        }
        for s in lines {
            buf.clear();
            buf.extend_from_slice(s.as_bytes());
            n += buf.iter().filter(|b| **b == b'x').count();
        }
        n
    } => {
        let text = text(3000);
        let lines: Vec<&str> = text.split(' ').collect();
        let mut out = vec![7; lines.len()];
        let n = cleared_by_each(&lines, &mut out);
        (n, out)
    }

    fn medians_of_a_window(x: &[u8], w: usize, h: usize, out: &mut [u8]) {
        let mut win = [0u8; 9];
        for y in 1..h - 1 {
            for x0 in 1..w - 1 {
                win.fill(0);
                for k in 0..9 {
                    win[k] = x[(y + k / 3 - 1) * w + x0 + k % 3 - 1];
                }
                win.sort_unstable();
                out[y * w + x0] = win[4];
            }
        }
    } => { let mut out = vec![0; 60 * 50]; medians_of_a_window(&bytes(60 * 50), 60, 50, &mut out); out }

    fn rounds_of_relaxation(edges: &[(usize, usize, u32)], dist: &mut Vec<u32>, most: usize) -> usize {
        let mut rounds = 0;
        for _ in 0..most {
            let old = dist.clone();
            let mut changed = false;
            for &(a, b, c) in edges {
                let d = old[a].saturating_add(c);
                if d < dist[b] {
                    dist[b] = d;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
            rounds += 1;
        }
        rounds
    } => {
        let (a, b, c) = (words(3000, 700), words(3001, 701), words(3000, 90));
        let edges: Vec<_> = (0..3000).map(|i| (a[i] as usize, b[i + 1] as usize % 700, c[i])).collect();
        let mut dist = vec![u32::MAX; 700];
        dist[0] = 0;
        let rounds = rounds_of_relaxation(&edges, &mut dist, 40);
        let again = rounds_of_relaxation(&edges, &mut dist, 40);
        (rounds, again, dist)
    }

    fn labels_that_change(edges: &[(usize, usize)], label: &[u32], next: &mut [u32]) -> bool {
        let mut changed = false;
        for i in 0..edges.len() {
            let (a, b) = edges[i];
            let l = label[a];
            if next[b] >= l {
                next[b] = l;
                changed = true;
            }
        }
        changed
    } => {
        let (a, b) = (words(3000, 700), words(3001, 700));
        let edges: Vec<_> = (0..3000).map(|i| (a[i] as usize, b[i + 1] as usize)).collect();
        let label: Vec<u32> = (0..700).collect();
        let mut next = label.clone();
        let changed = labels_that_change(&edges, &label, &mut next);
        (changed, labels_that_change(&[], &label, &mut next), labels_that_change(&[(1, 0)], &label, &mut next), next)
    }

    fn steps_that_swap_a_pair(x: &[f32], steps: usize) -> Vec<f32> {
        let mut cur = x.to_vec();
        let mut next = vec![0.0; x.len()];
        for _ in 0..steps {
            for i in 1..cur.len() - 1 {
                next[i] = 0.25 * cur[i - 1] + 0.5 * cur[i] + 0.25 * cur[i + 1];
            }
            (cur, next) = (next, cur);
        }
        cur
    } => { steps_that_swap_a_pair(&quarters(3000), 3) }

    fn steps_that_take(x: &mut Vec<f32>, steps: usize) {
        for _ in 0..steps {
            let old = std::mem::take(x);
            *x = vec![0.0; old.len()];
            for i in 1..old.len() - 1 {
                x[i] = 0.25 * old[i - 1] + 0.5 * old[i] + 0.25 * old[i + 1];
            }
        }
    } => { let mut x = quarters(3000); steps_that_take(&mut x, 3); x }

    fn steps_that_are_looked_at(ptr: &[usize], adj: &[u32], most: usize) -> (Vec<f64>, usize) {
        let n = ptr.len() - 1;
        let mut rank = vec![1.0f64; n];
        let mut steps = 0;
        for _ in 0..most {
            let mut next = vec![0.25f64; n];
            for v in 0..n {
                for &u in &adj[ptr[v]..ptr[v + 1]] {
                    next[v] += 0.125 * rank[u as usize];
                }
            }
            let top = rank.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0f64, |a, b| a.max(b));
            rank = next;
            steps += 1;
            if top < 1e-3 {
                break;
            }
        }
        (rank, steps)
    } => { let (ptr, adj) = graph(700, 6); steps_that_are_looked_at(&ptr, &adj, 50) }

    fn a_threshold_of_bytes(pixels: &[u8]) -> (u8, f64) {
        let mut hist = [0usize; 256];
        for p in pixels {
            hist[*p as usize] += 1;
        }
        let total = pixels.len() as f64;
        let (mut behind, mut best, mut level) = (0.0f64, 0.0, 0u8);
        for t in 0..256 {
            behind += hist[t] as f64;
            if behind == 0.0 {
                continue;
            }
            let rest = total - behind;
            if rest == 0.0 {
                break;
            }
            let between = behind * rest * (t as f64 - 90.0).abs();
            if between > best {
                best = between;
                level = t as u8;
            }
        }
        (level, best)
    } => { (a_threshold_of_bytes(&bytes(5000)), a_threshold_of_bytes(&[7]), a_threshold_of_bytes(&[])) }

    fn a_short_panic_behind_sums(x: &[u32], sums: &mut [u32]) -> u32 {
        let mut total = 0;
        for (s, v) in sums.iter_mut().zip(x) {
            *s = v * 2;
            total += v;
        }
        let mut last = 7;
        for k in 0..200 {
            last = sums[k] / last + 1;
        }
        last + total
    } => {
        let mut sums = vec![0; 500];
        let x: Vec<u32> = (0..500).collect();
        let short = std::panic::catch_unwind(|| { let mut few = vec![1; 150]; a_short_panic_behind_sums(&[3; 150], &mut few) });
        (a_short_panic_behind_sums(&x, &mut sums), sums, short.is_err())
    }

    fn kept_in_place(a: &mut Vec<u32>, t: u32) {
        let mut k = 0;
        for i in 0..a.len() {
            if a[i] % 7 > t {
                a[k] = a[i];
                k += 1;
            }
        }
        a.truncate(k);
    } => {
        let mut all = Vec::new();
        for (n, t) in [(0, 1), (1, 0), (5000, 3), (5000, 9), (5000, 0)] {
            let mut a = (0..n).map(|i| i * 7919 % 101).collect();
            kept_in_place(&mut a, t);
            all.push(a);
        }
        all
    }

    fn kept_in_place_by_two(x: &mut [f32], y: &mut [f32], from: usize) -> usize {
        let mut keep = 3;
        for i in from..x.len() {
            let (p, q) = (x[i] * 2.0, y[i] as f32);
            for _ in 0..2 {
                if q > y[i] + p {
                    continue;
                }
            }
            if p + q > 40.0 {
                x[keep] = p;
                y[keep] = y[i] + q;
                keep += 1;
            }
        }
        keep
    } => {
        let all = [0, 2, 3, 4, 50, 600].map(|from| {
            let (mut x, mut y) = (quarters(600), quarters(900));
            y.reverse();
            (kept_in_place_by_two(&mut x, &mut y, from), x, y)
        });
        all
    }

    fn kept_in_place_until(a: &mut [u32], n: usize) -> usize {
        let mut k = 0;
        for i in 0..n {
            let v = a[i];
            assert!(v != 400, "at {i}");
            if v % 2 == 0 {
                a[k] = v / 2;
                k += 1;
            }
        }
        k
    } => {
        let said = |n: usize, of: usize| {
            let mut a: Vec<u32> = (0..of as u32).collect();
            std::panic::catch_unwind(move || kept_in_place_until(&mut a, n)).map_err(|e| e.downcast_ref::<String>().cloned())
        };
        (said(300, 300), said(600, 600), said(301, 300))
    }

    fn windows_with_a_hop(x: &[u32], frame: usize, hop: usize) -> (Vec<u32>, usize) {
        let mut energies = Vec::new();
        let mut start = 0;
        while start + frame <= x.len() {
            energies.push(x[start..start + frame].iter().map(|v| v * v).sum::<u32>());
            start += hop;
        }
        (energies, start)
    } => {
        let x = words(900, 90);
        [(7, 3), (1, 1), (64, 16), (901, 2), (900, 5), (905, 0)].map(|(frame, hop)| windows_with_a_hop(&x, frame, hop))
    }
}
