//! Physics and finance.

use super::*;

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Body {
    pos: [f64; 3],
    vel: [f64; 3],
    mass: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Particle {
    x: f64,
    v: f64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Bar {
    open: f64,
    high: f64,
    low: f64,
    close: f64,
    volume: u64,
}

fn bodies(n: usize) -> Vec<Body> {
    let x = doubles(3 * n);
    (0..n)
        .map(|i| Body {
            pos: [x[3 * i], x[3 * i + 1], x[3 * i + 2]],
            vel: [0.5, 0.25, 0.0],
            mass: 1.0 + i as f64,
        })
        .collect()
}

loops! {
    fn gravity(bodies: &[Body], acc: &mut [[f64; 3]], eps: f64) {
        for i in 0..bodies.len() {
            let mut a = [0.0; 3];
            for j in 0..bodies.len() {
                if i == j {
                    continue;
                }
                let mut d = [0.0; 3];
                let mut r2 = eps;
                for k in 0..3 {
                    d[k] = bodies[j].pos[k] - bodies[i].pos[k];
                    r2 += d[k] * d[k];
                }
                let inv = bodies[j].mass / (r2 * r2.sqrt());
                for k in 0..3 {
                    a[k] += d[k] * inv;
                }
            }
            acc[i] = a;
        }
    } => { let mut a = vec![[0.0; 3]; 40]; gravity(&bodies(40), &mut a, 0.01); a }

    fn leapfrog(bodies: &mut [Body], acc: &[[f64; 3]], dt: f64) {
        for (b, a) in bodies.iter_mut().zip(acc) {
            for k in 0..3 {
                b.vel[k] += a[k] * dt;
                b.pos[k] += b.vel[k] * dt;
            }
        }
    } => {
        let a: Vec<[f64; 3]> = doubles(120).chunks(3).map(|c| [c[0], c[1], c[2]]).collect();
        let mut b = bodies(40);
        leapfrog(&mut b, &a, 0.125);
        b
    }

    fn wave(u: &[f64], prev: &[f64], next: &mut [f64], c2: f64) {
        let n = u.len();
        for i in 0..n {
            let l = if i == 0 { n - 1 } else { i - 1 };
            let r = if i == n - 1 { 0 } else { i + 1 };
            next[i] = 2.0 * u[i] - prev[i] + c2 * (u[l] - 2.0 * u[i] + u[r]);
        }
    } => { let mut n = vec![0.0; 200]; wave(&doubles(200), &doubles(201)[1..], &mut n, 0.25); n }

    fn lattice_stream(f: &[f32], g: &mut [f32], w: usize, h: usize) {
        const CX: [i32; 9] = [0, 1, 0, -1, 0, 1, -1, -1, 1];
        const CY: [i32; 9] = [0, 0, 1, 0, -1, 1, 1, -1, -1];
        for y in 0..h {
            for x in 0..w {
                for k in 0..9 {
                    let sx = (x as i32 - CX[k] + w as i32) as usize % w;
                    let sy = (y as i32 - CY[k] + h as i32) as usize % h;
                    g[(y * w + x) * 9 + k] = f[(sy * w + sx) * 9 + k];
                }
            }
        }
    } => { let mut g = vec![0.0; 20 * 10 * 9]; lattice_stream(&quarters(20 * 10 * 9), &mut g, 20, 10); g }

    fn life(cells: &[u8], next: &mut [u8], w: usize, h: usize) -> u32 {
        let mut alive = 0;
        for y in 0..h {
            for x in 0..w {
                let (xm, xp) = ((x + w - 1) % w, (x + 1) % w);
                let (ym, yp) = ((y + h - 1) % h, (y + 1) % h);
                let n = cells[ym * w + xm] + cells[ym * w + x] + cells[ym * w + xp]
                    + cells[y * w + xm] + cells[y * w + xp]
                    + cells[yp * w + xm] + cells[yp * w + x] + cells[yp * w + xp];
                let c = (n == 3 || (n == 2 && cells[y * w + x] == 1)) as u8;
                next[y * w + x] = c;
                alive += c as u32;
            }
        }
        alive
    } => {
        let cells: Vec<u8> = bytes(600).iter().map(|b| b & 1).collect();
        let mut n = vec![0; 600];
        let a = life(&cells, &mut n, 30, 20);
        (n, a)
    }

    fn rule_110(rows: &mut [u8], w: usize, steps: usize) {
        #[sequential]
        for t in 1..steps {
            for x in 0..w {
                let l = rows[(t - 1) * w + (x + w - 1) % w];
                let c = rows[(t - 1) * w + x];
                let r = rows[(t - 1) * w + (x + 1) % w];
                rows[t * w + x] = 110 >> (l << 2 | c << 1 | r) & 1;
            }
        }
    } plain {
        for t in 1..steps {
            for x in 0..w {
                let l = rows[(t - 1) * w + (x + w - 1) % w];
                let c = rows[(t - 1) * w + x];
                let r = rows[(t - 1) * w + (x + 1) % w];
                rows[t * w + x] = 110 >> (l << 2 | c << 1 | r) & 1;
            }
        }
    } => { let mut r: Vec<u8> = bytes(50 * 20).iter().map(|b| b & 1).collect(); rule_110(&mut r, 50, 20); r }

    fn bounce(ps: &mut Vec<Particle>, dt: f64, width: f64) {
        for p in ps.iter_mut() {
            p.x += p.v * dt;
            if p.x < 0.0 {
                p.x = -p.x;
                p.v = -p.v;
            } else if p.x > width {
                p.x = 2.0 * width - p.x;
                p.v = -p.v;
            }
        }
    } => {
        let mut p: Vec<Particle> = doubles(200).chunks(2).map(|c| Particle { x: c[0], v: c[1] }).collect();
        bounce(&mut p, 0.5, 8.0);
        p
    }

    fn deposit(x: &[f64], q: f64, inv_dx: f64, rho: &mut [f64]) {
        for &xi in x {
            let s = xi * inv_dx;
            let cell = s as usize;
            let f = s - cell as f64;
            rho[cell] += q * (1.0 - f);
            rho[cell + 1] += q * f;
        }
    } => { let x: Vec<f64> = doubles(300).iter().map(|x| x + 16.0).collect(); let mut r = vec![0.0; 35]; deposit(&x, 2.0, 1.0, &mut r); r }

    fn momentum(bodies: &[Body]) -> [f64; 3] {
        let mut p = [0.0; 3];
        for b in bodies {
            for k in 0..3 {
                p[k] += b.mass * b.vel[k];
            }
        }
        p
    } => { momentum(&bodies(50)) }

    fn centre_of_mass(bodies: &[Body]) -> (f64, f64) {
        let mut c = (0.0, 0.0);
        let mut m = 0.0;
        for b in bodies {
            c.0 += b.mass * b.pos[0];
            c.1 += b.mass * b.pos[1];
            m += b.mass;
        }
        (c.0 / m, c.1 / m)
    } => { centre_of_mass(&bodies(50)) }

    fn heat_clamped(t: &[f32], out: &mut [f32], w: usize, h: usize, k: f32) {
        let at = |x: i32, y: i32| {
            let x = x.clamp(0, w as i32 - 1) as usize;
            let y = y.clamp(0, h as i32 - 1) as usize;
            t[y * w + x]
        };
        for y in 0..h {
            for x in 0..w {
                let (xi, yi) = (x as i32, y as i32);
                let lap = at(xi - 1, yi) + at(xi + 1, yi) + at(xi, yi - 1) + at(xi, yi + 1) - 4.0 * at(xi, yi);
                out[y * w + x] = t[y * w + x] + k * lap;
            }
        }
    } => { let mut o = vec![0.0; 30 * 20]; heat_clamped(&quarters(30 * 20), &mut o, 30, 20, 0.125); o }

    fn potential_energy(x: &[f64], box_len: f64) -> i64 {
        let n = x.len();
        let mut e = 0;
        for i in 0..n {
            for j in i + 1..n {
                let mut d = x[i] - x[j];
                d -= box_len * (d / box_len).round();
                if d.abs() < 2.5 {
                    e += (1024.0 / (d * d + 1.0)) as i64;
                }
            }
        }
        e
    } => { potential_energy(&doubles(60), 20.0) }

    fn black_scholes(spot: &[f64], strike: &[f64], rate: f64, vol: f64, t: f64, call: &mut [f64], put: &mut [f64]) {
        fn cnd(d: f64) -> f64 {
            let k = 1.0 / (1.0 + 0.2316419 * d.abs());
            let poly = k * (0.319381530 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
            let c = 0.39894228 * (-0.5 * d * d).exp() * poly;
            if d > 0.0 { 1.0 - c } else { c }
        }
        for i in 0..spot.len() {
            let sqrt_t = t.sqrt();
            let d1 = ((spot[i] / strike[i]).ln() + (rate + 0.5 * vol * vol) * t) / (vol * sqrt_t);
            let d2 = d1 - vol * sqrt_t;
            let df = (-rate * t).exp();
            call[i] = spot[i] * cnd(d1) - strike[i] * df * cnd(d2);
            put[i] = strike[i] * df * cnd(-d2) - spot[i] * cnd(-d1);
        }
    } => {
        let spot: Vec<f64> = doubles(200).iter().map(|x| x + 40.0).collect();
        let (mut c, mut p) = (vec![0.0; 200], vec![0.0; 200]);
        black_scholes(&spot, &vec![38.0; 200], 0.02, 0.3, 1.0, &mut c, &mut p);
        (c, p)
    }

    fn paths(seed: u64, steps: usize, drift: f64, last: &mut [f64]) {
        for (i, out) in last.iter_mut().enumerate() {
            let mut state = seed ^ (i as u64).wrapping_mul(0x9e3779b97f4a7c15);
            let mut s = 100.0;
            for _ in 0..steps {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let u = (state >> 11) as f64 / (1u64 << 53) as f64;
                s *= 1.0 + drift + (u - 0.5) * 0.01;
            }
            *out = s;
        }
    } => { let mut l = vec![0.0; 100]; paths(42, 50, 0.0001, &mut l); l }

    fn log_returns(price: &[f64], r: &mut [f64]) {
        for i in 1..price.len() {
            r[i - 1] = (price[i] / price[i - 1]).ln();
        }
    } => { let p: Vec<f64> = doubles(200).iter().map(|x| x + 40.0).collect(); let mut r = vec![0.0; 199]; log_returns(&p, &mut r); r }

    fn binomial_tree(v: &mut Vec<f64>, w: &mut Vec<f64>, steps: usize, pu: f64, disc: f64) -> f64 {
        #[sequential]
        for step in (0..steps).rev() {
            for i in 0..=step {
                w[i] = disc * (pu * v[i + 1] + (1.0 - pu) * v[i]);
            }
            std::mem::swap(v, w);
        }
        v[0]
    } plain {
        for step in (0..steps).rev() {
            for i in 0..=step {
                w[i] = disc * (pu * v[i + 1] + (1.0 - pu) * v[i]);
            }
            std::mem::swap(v, w);
        }
        v[0]
    } => { let (mut v, mut w) = (doubles(41), vec![0.0; 41]); binomial_tree(&mut v, &mut w, 40, 0.5, 0.99) }

    fn max_drawdown(price: &[i64]) -> i64 {
        let mut peak = i64::MIN;
        let mut worst = 0;
        for &p in price {
            peak = peak.max(p);
            worst = worst.max(peak - p);
        }
        worst
    } => { max_drawdown(&ints(400).iter().map(|x| *x as i64).collect::<Vec<_>>()) }

    fn best_trade(changes: &[i64]) -> i64 {
        let mut cur = 0;
        let mut best = 0;
        for &c in changes {
            cur = (cur + c).max(0);
            best = best.max(cur);
        }
        best
    } => { best_trade(&ints(400).iter().map(|x| *x as i64).collect::<Vec<_>>()) }

    fn max_subarray(x: &[i32]) -> i32 {
        let mut cur = x[0];
        let mut best = x[0];
        for i in 1..x.len() {
            cur = (cur + x[i]).max(x[i]);
            best = best.max(cur);
        }
        best
    } => { max_subarray(&ints(400)) }

    fn bars(ticks: &[(f64, u64)], per: usize, out: &mut [Bar]) {
        for (bar, chunk) in out.iter_mut().zip(ticks.chunks(per)) {
            bar.open = chunk[0].0;
            bar.close = chunk[chunk.len() - 1].0;
            bar.high = f64::MIN;
            bar.low = f64::MAX;
            bar.volume = 0;
            for &(price, volume) in chunk {
                bar.high = bar.high.max(price);
                bar.low = bar.low.min(price);
                bar.volume += volume;
            }
        }
    } => {
        let ticks: Vec<(f64, u64)> = doubles(300).iter().zip(words(300, 50)).map(|(p, v)| (*p, v as u64)).collect();
        let mut b = vec![Bar::default(); 30];
        bars(&ticks, 10, &mut b);
        b
    }

    fn vwap(prices: &[i64], volumes: &[i64]) -> f64 {
        let mut pv = 0;
        let mut v = 0;
        for (p, q) in prices.iter().zip(volumes.iter()) {
            pv += p * q;
            v += q;
        }
        pv as f64 / v as f64
    } => { vwap(&[3, 4, 5, 9], &[10, 20, 5, 1]) }

    fn portfolio_risk(weights: &[f64], cov: &[f64], marginal: &mut [f64]) -> f64 {
        let n = weights.len();
        let mut total = 0.0;
        for i in 0..n {
            let mut m = 0.0;
            for j in 0..n {
                m += cov[i * n + j] * weights[j];
            }
            marginal[i] = m;
            total += weights[i] * m;
        }
        total
    } => { let mut m = vec![0.0; 20]; let t = portfolio_risk(&doubles(20), &doubles(400), &mut m); (m, t) }

    fn equity_curve(pnl: &[i64], equity: &mut [i64], high_water: &mut [i64]) {
        equity[0] = pnl[0];
        high_water[0] = equity[0];
        for t in 1..pnl.len() {
            equity[t] = equity[t - 1] + pnl[t];
        }
        for t in 1..pnl.len() {
            high_water[t] = high_water[t - 1].max(equity[t]);
        }
    } => {
        let p: Vec<i64> = ints(300).iter().map(|x| *x as i64).collect();
        let (mut e, mut h) = (vec![0; 300], vec![0; 300]);
        equity_curve(&p, &mut e, &mut h);
        (e, h)
    }
}
