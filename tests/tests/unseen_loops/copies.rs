//! Data whose types are `Copy` and say nothing else: their methods and operators, on captured values, in containers, under another name. And rows
//! that are swapped, turned, filled and copied.

use super::*;
use std::ops::{Add, Mul, Sub};

#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub(super) struct Complex {
    re: f32,
    im: f32,
}

impl Add for Complex {
    type Output = Complex;
    fn add(self, o: Complex) -> Complex {
        Complex {
            re: self.re + o.re,
            im: self.im + o.im,
        }
    }
}

impl Sub for Complex {
    type Output = Complex;
    fn sub(self, o: Complex) -> Complex {
        Complex {
            re: self.re - o.re,
            im: self.im - o.im,
        }
    }
}

impl Mul for Complex {
    type Output = Complex;
    fn mul(self, o: Complex) -> Complex {
        Complex {
            re: self.re * o.re - self.im * o.im,
            im: self.re * o.im + self.im * o.re,
        }
    }
}

impl Complex {
    fn norm(&self) -> f32 {
        self.re * self.re + self.im * self.im
    }
    fn scale(&mut self, by: f32) {
        self.re *= by;
        self.im *= by;
    }
}

#[derive(Clone, Copy, Debug)]
enum Op {
    Below(u32),
    From(u32),
    Between(u32, u32),
}

impl Op {
    fn test(&self, v: u32) -> bool {
        match *self {
            Op::Below(c) => v < c,
            Op::From(c) => v >= c,
            Op::Between(a, b) => a <= v && v <= b,
        }
    }
}

#[derive(Clone, Copy)]
struct Sphere {
    center: [f32; 3],
    radius: f32,
}

impl Sphere {
    fn hit(&self, origin: Point, dir: [f32; 3]) -> Option<f32> {
        let oc = [0, 1, 2].map(|i| origin.0[i] - self.center[i]);
        let b: f32 = (0..3).map(|i| oc[i] * dir[i]).sum();
        let disc = b * b - (0..3).map(|i| oc[i] * oc[i]).sum::<f32>() + self.radius * self.radius;
        (disc >= 0.0)
            .then(|| -b - disc.sqrt())
            .filter(|t| *t > 1e-3)
    }
}

#[derive(Clone, Copy)]
struct Point([f32; 3]);

/// A type of an outside crate would be like this: its parts are `Copy`, and it is not.
struct Scene {
    spheres: Vec<Sphere>,
    weights: Option<Vec<Complex>>,
    origin: Point,
}

/// What is plain has parts that only are `Copy`.
#[derive(accrue::Plain)]
struct Curve {
    points: Vec<Complex>,
    first: Op,
}

impl Curve {
    fn at(&self, k: usize) -> f32 {
        self.points[k % self.points.len()].norm() + f32::from(u8::from(self.first.test(k as u32)))
    }
}

/// An edge of a graph, and a rule for it.
#[derive(Clone, Copy)]
struct Edge {
    to: u32,
    cost: u32,
}

impl Edge {
    fn reach(self, from: u32) -> u32 {
        from.saturating_add(self.cost)
    }
}

fn complexes(n: usize) -> Vec<Complex> {
    let pair = |w: &[u32]| Complex {
        re: w[0] as f32 / 64.0 - 8.0,
        im: w[1] as f32 / 64.0 - 8.0,
    };
    words(2 * n, 1024).chunks(2).map(pair).collect()
}

fn total(of: &[Complex]) -> f32 {
    of.iter().map(Complex::norm).sum()
}

fn spheres() -> Vec<Sphere> {
    let sphere = |w: &[u32]| Sphere {
        center: [0, 1, 2].map(|i| w[i] as f32 / 4.0 - 8.0),
        radius: 2.0,
    };
    words(60, 64).chunks(3).map(sphere).collect()
}

loops! {
    fn selected_by_an_operator(x: &[u32], valid: &[u64], op: Op, rows: &mut Vec<u32>) {
        rows.clear();
        for (row, &v) in x.iter().enumerate() {
            let ok = valid[row / 64] >> (row % 64) & 1 == 1;
            if ok && op.test(v) {
                rows.push(row as u32);
            }
        }
    } => {
        let x = words(3000, 1000);
        let mut rows = vec![7];
        [Op::Below(100), Op::From(900), Op::Between(300, 400)].map(|op| {
            selected_by_an_operator(&x, &[0x5555_aaaa_0f0f_3333; 47], op, &mut rows);
            rows.clone()
        })
    }

    fn traced(origin: Point, dirs: &[[f32; 3]], scene: &[Sphere]) -> Vec<Option<(usize, f32)>> {
        let mut hits = vec![None; dirs.len()];
        for (slot, &d) in hits.iter_mut().zip(dirs) {
            let mut closest = f32::INFINITY;
            for (id, s) in scene.iter().enumerate() {
                if let Some(t) = s.hit(origin, d) {
                    if t < closest {
                        closest = t;
                        *slot = Some((id, t));
                    }
                }
            }
        }
        hits
    } => {
        let dirs: Vec<[f32; 3]> = words(900, 64).chunks(3).map(|w| [0, 1, 2].map(|i| w[i] as f32 / 64.0)).collect();
        traced(Point([-9.0, 0.5, 0.0]), &dirs, &spheres())
    }

    fn butterflies(data: &mut [Complex], half: usize, tw: &[Complex]) {
        for block in data.chunks_exact_mut(2 * half) {
            let (lo, hi) = block.split_at_mut(half);
            for ((a, b), w) in lo.iter_mut().zip(hi.iter_mut()).zip(tw) {
                let t = *b * *w;
                let u = *a;
                *a = u + t;
                *b = u - t;
            }
        }
    } => { let mut data = complexes(1000); butterflies(&mut data, 8, &complexes(8)); data }

    fn twiddled(data: &[Complex], tw: &[Complex], out: &mut [Complex]) {
        for k in 0..out.len() {
            let mut sum = Complex::default();
            for (n, x) in data.iter().enumerate() {
                sum = sum + *x * tw[(n * k) % tw.len()];
            }
            out[k] = sum;
        }
    } => { let mut out = complexes(60); twiddled(&complexes(40), &complexes(40), &mut out); out }

    fn fields_of_a_scene(scene: &Scene, out: &mut [f32]) {
        for (i, o) in out.iter_mut().enumerate() {
            let origin = scene.origin;
            let near = scene.spheres[i % scene.spheres.len()];
            *o = near.hit(origin, [1.0, 0.0, 0.0]).unwrap_or(-1.0);
            if let Some(weights) = &scene.weights {
                *o += total(weights) + total(&weights[1..]);
            }
        }
    } => {
        let scene = Scene { spheres: spheres(), weights: Some(complexes(7)), origin: Point([-9.0, 0.0, 0.0]) };
        let mut out = vec![0.0; 700];
        fields_of_a_scene(&scene, &mut out);
        out
    }

    fn by_a_curve(curve: &Curve, x: &[u32], out: &mut [f32]) {
        for (o, &x) in out.iter_mut().zip(x) {
            *o = curve.at(x as usize);
        }
    } => {
        let curve = Curve { points: complexes(9), first: Op::From(4) };
        let mut out = vec![0.0; 700];
        by_a_curve(&curve, &words(700, 90), &mut out);
        out
    }

    fn rows_of_complexes(rows: &[Vec<Complex>], pick: &[u32], out: &mut [f32]) {
        for (o, &p) in out.iter_mut().zip(pick) {
            *o = total(&rows[p as usize % rows.len()]);
        }
    } => {
        let rows: Vec<Vec<Complex>> = (0..9).map(complexes).collect();
        let mut out = vec![0.0; 700];
        rows_of_complexes(&rows, &words(700, 90), &mut out);
        out
    }

    fn relaxed(edges: &[Vec<Edge>], dist: &[u32], next: &mut [u32]) {
        for v in 0..next.len() {
            let mut best = dist[v];
            for e in &edges[v] {
                best = best.min(e.reach(dist[e.to as usize]));
            }
            next[v] = best;
        }
    } => {
        let edges: Vec<Vec<Edge>> = words(1500, 500)
            .chunks(3)
            .map(|w| w.iter().map(|to| Edge { to: *to, cost: *to % 7 }).collect())
            .collect();
        let mut next = vec![0; 500];
        relaxed(&edges, &words(500, 100), &mut next);
        next
    }

    fn counted_by_rules(x: &[u32], rules: &[Op; 3], h: &mut [u32; 4]) {
        for &v in x {
            let rules = rules;
            let k = rules.iter().position(|op| op.test(v)).unwrap_or(rules.len());
            h[k] += 1;
        }
    } => {
        let mut h = [0; 4];
        counted_by_rules(&words(3000, 1000), &[Op::Below(100), Op::From(900), Op::Between(300, 400)], &mut h);
        h
    }

    fn rows_scaled(data: &mut [Complex], w: usize, by: f32) {
        let h = data.len() / w;
        for y in 0..h {
            let row = &mut data[y * w..(y + 1) * w];
            for p in row.iter_mut() {
                p.scale(by);
            }
        }
    } => { let mut data = complexes(1000); rows_scaled(&mut data, 30, 0.5); data }

    fn flipped(data: &mut [Complex], stride: usize) {
        let rows = data.len() / stride;
        let half = rows / 2;
        let (top, bottom) = data.split_at_mut((rows - half) * stride);
        for i in 0..half {
            let a = &mut top[i * stride..(i + 1) * stride];
            let b = &mut bottom[(half - 1 - i) * stride..(half - i) * stride];
            a.swap_with_slice(b);
        }
    } => { let mut data = complexes(31 * 20); flipped(&mut data, 20); data }

    fn names_flipped(data: &mut [String], stride: usize) {
        let rows = data.len() / stride;
        let half = rows / 2;
        let (top, bottom) = data.split_at_mut((rows - half) * stride);
        for i in 0..half {
            top[i * stride..(i + 1) * stride].swap_with_slice(&mut bottom[(half - 1 - i) * stride..(half - i) * stride]);
        }
    } => { let mut data: Vec<String> = words(310, 99).iter().map(u32::to_string).collect(); names_flipped(&mut data, 10); data }

    fn mirrored(image: &mut [Complex], w: usize) {
        for row in image.chunks_exact_mut(w) {
            row.reverse();
        }
    } => { let mut image = complexes(1000); mirrored(&mut image, 30); image }

    fn turned(image: &mut [Complex], w: usize, by: &[u32]) {
        for (row, by) in image.chunks_exact_mut(w).zip(by) {
            row.rotate_left(*by as usize % w);
            row.swap(0, w - 1);
        }
    } => { let mut image = complexes(1000); turned(&mut image, 30, &words(33, 90)); image }

    fn upside_down(from: &[Complex], to: &mut [Complex], w: usize) {
        let h = to.len() / w;
        for y in 0..h {
            to[y * w..(y + 1) * w].copy_from_slice(&from[(h - 1 - y) * w..(h - y) * w]);
        }
    } => { let mut to = complexes(990); upside_down(&complexes(990), &mut to, 30); to }

    fn filled(image: &mut [Complex], w: usize, with: Complex) {
        for row in image.chunks_exact_mut(w) {
            row[1..].fill(with);
        }
    } => { let mut image = complexes(1000); filled(&mut image, 30, Complex { re: 1.0, im: 2.0 }); image }

    fn exchanged(a: &mut [Vec<String>], b: &mut [Vec<String>]) {
        for (x, y) in a.iter_mut().zip(b.iter_mut()) {
            std::mem::swap(x, y);
        }
    } => {
        let mut a: Vec<Vec<String>> = words(300, 9).iter().map(|n| vec![n.to_string()]).collect();
        let mut b = vec![Vec::new(); 300];
        exchanged(&mut a, &mut b);
        (a, b)
    }
}
