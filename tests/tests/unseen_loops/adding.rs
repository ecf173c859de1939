//! Elements that iterations add to, counts from both ends of an array, rows that are asked how long they are, and what is asked of values of one's own.

use super::*;

/// A point that says what it is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Point {
    x: i64,
    y: i64,
}

impl Point {
    fn len(self) -> i64 {
        self.x.abs() + self.y.abs()
    }

    fn is_empty(self) -> bool {
        self.x == self.y
    }
}

impl std::ops::Sub for Point {
    type Output = Point;

    fn sub(self, other: Point) -> Point {
        Point {
            x: self.x - other.x,
            y: self.y - other.y,
        }
    }
}

/// A node of a graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Node {
    edges: Vec<u32>,
    name: String,
}

/// A body that others attract.
#[derive(Clone, Debug)]
pub(super) struct Body {
    at: Point,
    force: Point,
    mass: i64,
}

fn all_bodies(count: usize) -> Vec<Body> {
    let body = |c: &[u32]| Body {
        at: Point {
            x: c[0].into(),
            y: c[1].into(),
        },
        force: Point { x: 0, y: 0 },
        mass: (c[0] % 7).into(),
    };
    words(2 * count, 90).chunks(2).map(body).collect()
}

/// A car on a ring.
#[derive(Clone, Debug)]
pub(super) struct Car {
    cell: usize,
    speed: u8,
}

fn all_nodes(count: usize) -> Vec<Node> {
    let node = |(i, n): (usize, &u32)| Node {
        edges: (0..*n).collect(),
        name: format!("n{i}"),
    };
    words(count, 12).iter().enumerate().map(node).collect()
}

fn edges(count: usize, n: u32) -> Vec<(usize, usize)> {
    let ends = words(2 * count, n.max(1));
    ends.chunks(2)
        .map(|e| (e[0] as usize, e[1] as usize))
        .collect()
}

fn rows(count: usize, longest: u32) -> Vec<Vec<i64>> {
    let lengths = words(count, longest);
    let row = |n: &u32| (0..i64::from(*n)).map(|i| (i * 7919) % 1013).collect();
    lengths.iter().map(row).collect()
}

/// What a call gives, or its panic.
fn tried<R: std::fmt::Debug>(call: impl Fn() -> R) -> String {
    let _quiet = accrue_tests::quiet::quiet();
    format!("{:?}", accrue_tests::quiet::expected(call))
}

loops! {
    fn adjacency(n: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
        let mut adj = vec![Vec::new(); n];
        for &(u, v) in edges {
            adj[u].push(v);
            if u != v {
                adj[v].push(u);
            }
        }
        adj
    } => {
        (adjacency(50, &edges(9_000, 50)), adjacency(1, &[]), tried(|| adjacency(49, &edges(9_000, 50))))
    }

    fn cells(x: &[u32], cells: &mut [Vec<u32>], left: &mut Vec<u32>) -> u64 {
        let mut sum = 0;
        for (i, &v) in x.iter().enumerate() {
            if v % 3 == 0 {
                cells[v as usize % cells.len()].push(i as u32);
                sum += u64::from(v);
            } else {
                left.push(v);
            }
        }
        sum
    } => {
        let (mut c, mut l) = (vec![vec![9]; 7], vec![]); (cells(&words(20_000, 900), &mut c, &mut l), c, l)
    }

    fn links(from: &[u32], to: &[u32], nodes: &mut Vec<Node>) {
        for (&u, &v) in from.iter().zip(to) {
            if v > 500 { break; }
            nodes[u as usize].edges.push(v);
        }
    } => {
        let mut nodes = vec![Node::default(); 40]; let mut to = words(5_000, 400); to[4_321] = 501; links(&words(5_000, 40), &to, &mut nodes); nodes
    }

    fn edges_until(n: usize, edges: &[(usize, usize)]) -> Result<Vec<Vec<usize>>, usize> {
        let mut adj = vec![Vec::new(); n];
        for (i, &(u, v)) in edges.iter().enumerate() {
            if u == v + 48 {
                return Err(i);
            }
            adj[u].push(v);
        }
        Ok(adj)
    } => {
        (edges_until(50, &edges(9_000, 50)), edges_until(50, &edges(300, 3)))
    }

    fn sets(x: &[u32], n: usize) -> Vec<std::collections::BTreeSet<u32>> {
        let mut seen = vec![std::collections::BTreeSet::new(); n];
        for v in x {
            seen[*v as usize % n].insert(v / 7);
        }
        seen
    } => {
        sets(&words(9_000, 400), 11)
    }

    fn lines(x: &[u32], names: &[String], n: usize) -> (Vec<String>, Vec<String>) {
        let (mut numbers, mut words) = (vec![String::new(); n], vec![String::new(); n]);
        for &v in x {
            let text = format!("{v},");
            numbers[v as usize % n].push_str(text.trim_start_matches('9'));
            words[v as usize % n].push_str(&names[v as usize % names.len()]);
        }
        (numbers, words)
    } => {
        let names: Vec<String> = all_nodes(50).into_iter().map(|node| node.name).collect(); lines(&words(9_000, 400), &names, 11)
    }

    fn listed(x: &[u32], names: &[String], n: usize) -> (Vec<String>, Vec<String>) {
        let (mut lists, mut initials) = (vec![String::new(); n], vec![String::new(); n]);
        for &v in x {
            let name = &names[v as usize % names.len()];
            lists[v as usize % n].push_str(name);
            lists[v as usize % n].push_str(", ");
            initials[v as usize % n].push_str(&name[..1]);
        }
        (lists, initials)
    } => {
        let names: Vec<String> = all_nodes(50).into_iter().map(|node| node.name).collect(); listed(&words(9_000, 400), &names, 11)
    }

    fn looked_at(h: &mut [u32], out: &mut [u32]) {
        for i in 0..out.len() {
            let element = &mut h[i];
            out[i] = *element + 1;
        }
    } => {
        let (mut h, mut out) = (words(9_000, 400), vec![0; 9_000]);
        looked_at(&mut h, &mut out);
        (h, out)
    }

    fn lengths_from(text: &str, first: usize, step: usize, out: &mut [usize]) {
        for i in 0..out.len() {
            let rest = &text[first + i * step..];
            out[i] = rest.len() * 3 + rest[step..].len();
        }
    } => {
        let text = "äöü".repeat(500);
        let lengths = |first, step, n| tried(|| { let mut out = vec![0; n]; lengths_from(&text, first, step, &mut out); out });
        (lengths(0, 2, 1_400), lengths(4, 2, 1_498), lengths(1, 2, 50), lengths(0, 1, 50), lengths(0, 3, 20))
    }

    fn full_cells(x: &[u32], n: usize) -> Vec<Vec<u32>> {
        let mut cells = vec![Vec::new(); n];
        for &v in x {
            if cells[v as usize % n].len() < 3 {
                cells[v as usize % n].push(v);
            }
        }
        cells
    } refused H057 => {
        full_cells(&words(900, 400), 11)
    }

    fn reversed(text: &mut [u8]) {
        if text.is_empty() {
            return;
        }
        let (mut low, mut high) = (0, text.len() - 1);
        while low < high {
            let left = text[low] ^ 1;
            text[low] = text[high] ^ 1;
            text[high] = left;
            low += 1;
            high -= 1;
        }
        if low == high {
            text[low] = 7;
        }
    } => {
        [0usize, 1, 2, 3, 5_000, 20_001].map(|n| { let mut x = bytes(n); reversed(&mut x); x })
    }

    fn part_reversed(x: &mut [u32], first: usize, last: usize) -> (usize, usize) {
        let mut low = first;
        let mut high = last;
        while low < high {
            x.swap(low, high);
            high -= 1;
            low += 1;
        }
        (low, high)
    } => {
        let mut x = words(9_000, 1000); let ends = [(10, 8_999), (7, 7), (9, 3), (100, 4_001)].map(|(a, b)| part_reversed(&mut x, a, b)); (ends, x)
    }

    fn palindrome(text: &[u8]) -> bool {
        let mut differ = false;
        let (mut i, mut j) = (0, text.len() - 1);
        while i < j {
            differ |= text[i] != text[j];
            i += 1;
            j -= 1;
        }
        !differ
    } => {
        [palindrome(&[7; 20_000]), palindrome(&bytes(20_000)), palindrome(b"abcba")]
    }

    fn nonce(of: u64, start: u64, attempts: u64) -> Option<(u64, u64)> {
        let target = u64::MAX >> 14;
        let mut nonce = start;
        while nonce < start + attempts {
            let h = (of ^ nonce).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23).wrapping_mul(0xD1B5_4A32_D192_ED03);
            if h <= target {
                return Some((nonce, h));
            }
            nonce += 1;
        }
        None
    } => {
        (nonce(77, 5, 200_000), nonce(78, 5, 10), nonce(79, 1 << 40, 90_000))
    }

    fn red_black(phi: &mut Vec<Vec<f64>>, colour: usize) -> u32 {
        let mut all = 0;
        for j in 1..phi.len().saturating_sub(1) {
            let n = phi[j].len();
            let mut i = 1 + (j + colour) % 2;
            while i + 1 < n {
                phi[j][i] += (phi[j - 1][i] + phi[j + 1][i] + phi[j][i - 1] + phi[j][i + 1] - 4.0 * phi[j][i]) / 4.0;
                all += 1;
                i += 2;
            }
        }
        all
    } => {
        let mut phi: Vec<Vec<f64>> = (0..90).map(|y| (0..70).map(|x| f64::from(x * y % 13)).collect()).collect(); (red_black(&mut phi, 0), red_black(&mut phi, 1), phi)
    }

    fn checkers(phi: &mut [Vec<i64>], colour: usize) {
        for j in 1..phi.len() - 1 {
            for i in 1..phi[j].len().saturating_sub(1) {
                if (i + j) % 2 == colour && !phi[j].is_empty() {
                    phi[j][i] += phi[j - 1][i] ^ phi[j + 1][i] ^ phi[j][i - 1] ^ phi[j][i + 1];
                }
            }
        }
    } => {
        let mut phi = vec![(0..80).collect::<Vec<i64>>(); 60]; checkers(&mut phi, 1); checkers(&mut phi, 0); phi
    }

    fn ragged(rows: &mut [Vec<i64>], sums: &mut [i64]) {
        for i in 0..rows.len() {
            if rows[i].is_empty() {
                continue;
            }
            let mid = rows[i].len() / 2;
            sums[i] = rows[i][mid];
            rows[i][0] = sums[i] * 2;
        }
    } => {
        let mut r = rows(900, 30); let mut s = vec![0; 900]; ragged(&mut r, &mut s); (r, s)
    }

    fn near(points: &[Point], within: i64) -> Vec<usize> {
        let mut out = vec![0; points.len()];
        for (i, p) in points.iter().enumerate() {
            for q in points {
                let d = *q - *p;
                if !d.is_empty() && d.len() < within {
                    out[i] += 1;
                }
            }
        }
        out
    } => {
        let p: Vec<Point> = words(600, 90).chunks(2).map(|c| Point { x: c[0].into(), y: c[1].into() }).collect(); near(&p, 30)
    }

    fn lowest_bit(words: &[u64]) -> Option<u32> {
        let mut first = None;
        for (i, w) in words.iter().enumerate() {
            if *w != 0 && first.is_none() {
                first = Some(i as u32 * 64 + w.trailing_zeros());
            }
        }
        first
    } => {
        let mut w = vec![0; 9_000]; w[7_654] = 1 << 33; w[8_000] = 1; (lowest_bit(&w), lowest_bit(&w[..50]))
    }

    fn best_cut(columns: &[Vec<i64>], least: usize) -> Option<(usize, i64, i64)> {
        let mut best: Option<(usize, i64, i64)> = None;
        for (c, column) in columns.iter().enumerate() {
            let mut order: Vec<usize> = (0..column.len()).collect();
            order.sort_by(|a, b| column[*a].cmp(&column[*b]));
            let mut sum = 0;
            for k in 1..order.len() {
                sum += column[order[k - 1]];
                if k < least || column[order[k - 1]] == column[order[k]] {
                    continue;
                }
                let score = i64::abs(sum - 500 * k as i64);
                if best.map_or(true, |(_, _, s)| score < s) {
                    best = Some((c, column[order[k - 1]] + column[order[k]], score));
                }
            }
        }
        best
    } => {
        best_cut(&rows(300, 60), 2)
    }

    fn halved(x: &[f64], steps: usize) -> Result<Vec<f64>, usize> {
        let mut out = Vec::with_capacity(x.len());
        for (i, &v) in x.iter().enumerate() {
            if !(-100.0..=100.0).contains(&v) {
                return Err(i);
            }
            let (mut low, mut high) = ((-100.0, 0u32), (100.0, 0u32));
            let mut n = 0;
            while n < steps {
                let mid = (low.0 + high.0) / 2.0;
                let side = if v >= mid { &mut low } else { &mut high };
                side.0 = mid;
                side.1 += 1;
                n += 1;
            }
            out.push(low.0 + f64::from(high.1));
        }
        Ok(out)
    } => {
        let mut x: Vec<f64> = words(5_000, 20_000).iter().map(|v| f64::from(*v) / 100.0 - 100.0).collect(); let all = halved(&x, 9); x[4_000] = f64::NAN; (all, halved(&x, 9))
    }

    fn attract(bodies: &mut [Body]) {
        let n = bodies.len();
        for i in 0..n {
            let mut force = Point { x: 0, y: 0 };
            for j in 0..n {
                if i != j && bodies[j].mass > 2 {
                    let d = bodies[j].at - bodies[i].at;
                    force = force - Point { x: d.x * bodies[j].mass, y: d.y };
                }
            }
            bodies[i].force = force;
        }
    } => {
        let mut b = all_bodies(300);
        attract(&mut b);
        b
    }

    fn advance(cars: &mut Vec<Car>, cells: usize, most: u8) -> u64 {
        let n = cars.len();
        for i in 0..n {
            let gap = (cars[(i + 1) % n].cell + cells - cars[i].cell - 1) % cells;
            cars[i].speed = (cars[i].speed + 1).min(most).min(gap as u8);
        }
        let mut flow = 0;
        for car in cars.iter_mut() {
            car.cell = (car.cell + car.speed as usize) % cells;
            flow += u64::from(car.speed);
        }
        flow
    } => {
        let mut cars: Vec<Car> = (0..9_000).map(|i| Car { cell: i * 2 + i % 2, speed: (i % 4) as u8 }).collect();
        (advance(&mut cars, 18_000, 5), advance(&mut cars, 18_000, 5), cars)
    }

    fn pulled(bodies: &mut [Body]) {
        for i in 1..bodies.len() {
            bodies[i].at.x = bodies[i - 1].at.x / 2 + bodies[i].mass;
        }
    } refused H057 => {
        let mut b = all_bodies(300);
        pulled(&mut b);
        b
    }

    fn furthest(bodies: &[Body], from: i64) -> (i64, usize) {
        let mut far = 0;
        let mut at = usize::MAX;
        for (i, b) in bodies.iter().enumerate() {
            let d = b.at.x - from;
            if d.abs() > far {
                far = d.abs();
                at = i;
            }
        }
        (far, at)
    } => {
        furthest(&all_bodies(9_000), 70)
    }

    fn trimmed(nodes: Vec<Node>, most: usize) -> (Vec<Node>, usize) {
        let mut kept = Vec::new();
        let mut cut = 0;
        for mut node in nodes {
            if node.edges.len() > most {
                cut += node.edges.len() - most;
                node.edges.truncate(most);
            }
            if !node.edges.is_empty() {
                kept.push(node);
            }
        }
        (kept, cut)
    } => {
        trimmed(all_nodes(5_000), 5)
    }

    fn by_name(nodes: std::collections::BTreeMap<String, Vec<u32>>, least: usize) -> Vec<(String, Vec<u32>)> {
        let mut out = Vec::new();
        for (name, mut edges) in nodes {
            if edges.len() >= least {
                edges.reverse();
                out.push((name, edges));
            }
        }
        out
    } => {
        by_name(all_nodes(3_000).into_iter().map(|n| (n.name, n.edges)).collect(), 4)
    }

    fn upper(names: Vec<String>) -> Vec<(usize, String)> {
        let mut out = Vec::with_capacity(names.len());
        for (i, name) in names.into_iter().enumerate() {
            if i % 3 != 0 {
                out.push((i, name + "!"));
            }
        }
        out
    } => {
        upper(all_nodes(3_000).into_iter().map(|n| n.name).collect())
    }

    fn chosen(x: &[f64], out: &mut [f64]) {
        for i in 0..x.len() {
            let (mut low, mut high) = ([0.0, 1.0], [2.0, 3.0]);
            let mut side = if x[i] < 0.0 { &mut low } else { &mut high };
            side[1] += x[i];
            out[i] = low[1] - high[1];
        }
    } => {
        let x = doubles(2_000);
        let mut out = vec![0.0; 2_000];
        chosen(&x, &mut out);
        out
    }
}
