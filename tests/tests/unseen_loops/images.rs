//! Image processing.

use super::*;

loops! {
    fn gradient_energy(img: &[u8], w: usize, h: usize, energy: &mut [u32]) {
        for y in 0..h {
            for x in 0..w {
                let left = img[y * w + if x > 0 { x - 1 } else { 0 }] as i32;
                let right = img[y * w + (x + 1).min(w - 1)] as i32;
                let up = img[y.saturating_sub(1) * w + x] as i32;
                let down = img[(y + 1).min(h - 1) * w + x] as i32;
                energy[y * w + x] = ((left - right).abs() + (up - down).abs()) as u32;
            }
        }
    } => { let mut e = vec![0; 40 * 30]; gradient_energy(&bytes(40 * 30), 40, 30, &mut e); e }

    fn seam_with_parents(energy: &[u32], w: usize, h: usize, cost: &mut [u32], parent: &mut [u8]) {
        for x in 0..w {
            cost[x] = energy[x];
        }
        #[sequential]
        for y in 1..h {
            for x in 0..w {
                let l = if x > 0 { x - 1 } else { 0 };
                let r = if x + 1 < w { x + 1 } else { w - 1 };
                let mut best = cost[(y - 1) * w + x];
                let mut step = 1;
                if cost[(y - 1) * w + l] < best {
                    best = cost[(y - 1) * w + l];
                    step = 0;
                }
                if cost[(y - 1) * w + r] < best {
                    best = cost[(y - 1) * w + r];
                    step = 2;
                }
                cost[y * w + x] = best + energy[y * w + x];
                parent[y * w + x] = step;
            }
        }
    } plain {
        for x in 0..w {
            cost[x] = energy[x];
        }
        for y in 1..h {
            for x in 0..w {
                let l = if x > 0 { x - 1 } else { 0 };
                let r = if x + 1 < w { x + 1 } else { w - 1 };
                let mut best = cost[(y - 1) * w + x];
                let mut step = 1;
                if cost[(y - 1) * w + l] < best {
                    best = cost[(y - 1) * w + l];
                    step = 0;
                }
                if cost[(y - 1) * w + r] < best {
                    best = cost[(y - 1) * w + r];
                    step = 2;
                }
                cost[y * w + x] = best + energy[y * w + x];
                parent[y * w + x] = step;
            }
        }
    } => {
        let (mut c, mut p) = (vec![0; 60 * 20], vec![9; 60 * 20]);
        seam_with_parents(&words(60 * 20, 900), 60, 20, &mut c, &mut p);
        (c, p)
    }

    fn seam_saturating(energy: &[u32], w: usize, h: usize, cost: &mut Vec<u32>) {
        cost.copy_from_slice(energy);
        #[sequential]
        for y in 1..h {
            for x in 0..w {
                let above = (y - 1) * w;
                let m = cost[above + x.saturating_sub(1)]
                    .min(cost[above + x])
                    .min(cost[above + (x + 1).min(w - 1)]);
                cost[y * w + x] += m;
            }
        }
    } plain {
        cost.copy_from_slice(energy);
        for y in 1..h {
            for x in 0..w {
                let above = (y - 1) * w;
                let m = cost[above + x.saturating_sub(1)]
                    .min(cost[above + x])
                    .min(cost[above + (x + 1).min(w - 1)]);
                cost[y * w + x] += m;
            }
        }
    } => { let mut c = vec![0; 60 * 20]; seam_saturating(&words(60 * 20, 900), 60, 20, &mut c); c }

    fn bilinear(src: &[f32], sw: usize, sh: usize, dst: &mut [f32], dw: usize, dh: usize) {
        let sx = (sw - 1) as f32 / (dw - 1) as f32;
        let sy = (sh - 1) as f32 / (dh - 1) as f32;
        for y in 0..dh {
            let fy = y as f32 * sy;
            let y0 = fy.floor() as usize;
            let y1 = (y0 + 1).min(sh - 1);
            let ty = fy - y0 as f32;
            for x in 0..dw {
                let fx = x as f32 * sx;
                let x0 = fx.floor() as usize;
                let x1 = (x0 + 1).min(sw - 1);
                let tx = fx - x0 as f32;
                let top = src[y0 * sw + x0] * (1.0 - tx) + src[y0 * sw + x1] * tx;
                let bottom = src[y1 * sw + x0] * (1.0 - tx) + src[y1 * sw + x1] * tx;
                dst[y * dw + x] = top * (1.0 - ty) + bottom * ty;
            }
        }
    } => { let mut d = vec![0.0; 33 * 21]; bilinear(&quarters(20 * 15), 20, 15, &mut d, 33, 21); d }

    fn box_blur_rows(src: &[u8], dst: &mut [u8], w: usize, h: usize, r: usize) {
        for y in 0..h {
            let mut sum = 0u32;
            for x in 0..r.min(w) {
                sum += src[y * w + x] as u32;
            }
            for x in 0..w {
                if x + r < w {
                    sum += src[y * w + x + r] as u32;
                }
                if x > r {
                    sum -= src[y * w + x - r - 1] as u32;
                }
                dst[y * w + x] = (sum / (2 * r as u32 + 1)) as u8;
            }
        }
    } => { let mut d = vec![0; 50 * 20]; box_blur_rows(&bytes(50 * 20), &mut d, 50, 20, 3); d }

    fn integral_image(img: &[u8], w: usize, h: usize, sum: &mut [u32]) {
        for i in 0..w * h {
            sum[i] = img[i] as u32;
        }
        for y in 0..h {
            for x in 1..w {
                sum[y * w + x] += sum[y * w + x - 1];
            }
        }
        for x in 0..w {
            for y in 1..h {
                sum[y * w + x] += sum[(y - 1) * w + x];
            }
        }
    } => { let mut s = vec![0; 50 * 20]; integral_image(&bytes(50 * 20), 50, 20, &mut s); s }

    fn rotate_clockwise(src: &[u32], w: usize, h: usize, dst: &mut [u32]) {
        for y in 0..h {
            for x in 0..w {
                dst[x * h + (h - 1 - y)] = src[y * w + x];
            }
        }
    } => { let mut d = vec![0; 37 * 23]; rotate_clockwise(&words(37 * 23, 1000), 37, 23, &mut d); d }

    fn premultiply(rgba: &mut [u8]) {
        for px in rgba.chunks_exact_mut(4) {
            let a = px[3] as u16;
            px[0] = ((px[0] as u16 * a + 127) / 255) as u8;
            px[1] = ((px[1] as u16 * a + 127) / 255) as u8;
            px[2] = ((px[2] as u16 * a + 127) / 255) as u8;
        }
    } => { let mut p = bytes(4 * 300); premultiply(&mut p); p }

    fn erode(src: &[u8], dst: &mut [u8], w: usize, h: usize) {
        for y in 0..h {
            for x in 0..w {
                let mut m = 255;
                for yy in y.saturating_sub(1)..=(y + 1).min(h - 1) {
                    for xx in x.saturating_sub(1)..=(x + 1).min(w - 1) {
                        m = m.min(src[yy * w + xx]);
                    }
                }
                dst[y * w + x] = m;
            }
        }
    } => { let mut d = vec![0; 30 * 20]; erode(&bytes(30 * 20), &mut d, 30, 20); d }

    fn median_3x3(src: &[u8], dst: &mut [u8], w: usize, h: usize) {
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                let mut win = [0u8; 9];
                let mut n = 0;
                for dy in 0..3 {
                    for dx in 0..3 {
                        win[n] = src[(y + dy - 1) * w + x + dx - 1];
                        n += 1;
                    }
                }
                win.sort_unstable();
                dst[y * w + x] = win[4];
            }
        }
    } => { let mut d = vec![0; 30 * 20]; median_3x3(&bytes(30 * 20), &mut d, 30, 20); d }

    fn subsample_chroma(cb: &[u8], w: usize, h: usize, out: &mut [u8]) {
        for y in (0..h).step_by(2) {
            for x in (0..w).step_by(2) {
                let s = cb[y * w + x] as u32
                    + cb[y * w + x + 1] as u32
                    + cb[(y + 1) * w + x] as u32
                    + cb[(y + 1) * w + x + 1] as u32;
                out[(y / 2) * (w / 2) + x / 2] = ((s + 2) / 4) as u8;
            }
        }
    } => { let mut o = vec![0; 20 * 10]; subsample_chroma(&bytes(40 * 20), 40, 20, &mut o); o }

    fn mirror(img: &mut [u8], w: usize) {
        for row in img.chunks_exact_mut(w) {
            for x in 0..w / 2 {
                row.swap(x, w - 1 - x);
            }
        }
    } => { let mut i = bytes(35 * 20); mirror(&mut i, 35); i }

    fn block_means(img: &[u8], w: usize, h: usize, b: usize, out: &mut [f32]) {
        let bw = w / b;
        let bh = h / b;
        for by in 0..bh {
            for bx in 0..bw {
                let mut s = 0u32;
                for y in by * b..(by + 1) * b {
                    for x in bx * b..(bx + 1) * b {
                        s += img[y * w + x] as u32;
                    }
                }
                out[by * bw + bx] = s as f32 / (b * b) as f32;
            }
        }
    } => { let mut o = vec![0.0; 50]; block_means(&bytes(80 * 40), 80, 40, 8, &mut o); o }

    fn tiled_threshold(img: &[u8], out: &mut [u8], w: usize, h: usize) {
        const T: usize = 16;
        for ty in (0..h).step_by(T) {
            for tx in (0..w).step_by(T) {
                let (y1, x1) = ((ty + T).min(h), (tx + T).min(w));
                let mut sum = 0u32;
                for y in ty..y1 {
                    for x in tx..x1 {
                        sum += img[y * w + x] as u32;
                    }
                }
                let mean = sum / ((y1 - ty) * (x1 - tx)) as u32;
                for y in ty..y1 {
                    for x in tx..x1 {
                        out[y * w + x] = if img[y * w + x] as u32 > mean { 255 } else { 0 };
                    }
                }
            }
        }
    } => { let mut o = vec![7; 50 * 37]; tiled_threshold(&bytes(50 * 37), &mut o, 50, 37); o }

    fn distances_in_rows(mask: &[bool], w: usize, h: usize, dist: &mut [u32]) {
        for y in 0..h {
            dist[y * w] = if mask[y * w] { 0 } else { 9999 };
            for x in 1..w {
                dist[y * w + x] = if mask[y * w + x] { 0 } else { dist[y * w + x - 1] + 1 };
            }
            for x in (0..w - 1).rev() {
                if dist[y * w + x + 1] + 1 < dist[y * w + x] {
                    dist[y * w + x] = dist[y * w + x + 1] + 1;
                }
            }
        }
    } => {
        let mask: Vec<bool> = bytes(50 * 20).iter().map(|b| *b < 20).collect();
        let mut d = vec![0; 50 * 20];
        distances_in_rows(&mask, 50, 20, &mut d);
        d
    }

    fn equalize(img: &mut [u8]) {
        let mut hist = [0u32; 256];
        for &p in img.iter() {
            hist[p as usize] += 1;
        }
        let mut cdf = [0u32; 256];
        cdf[0] = hist[0];
        for i in 1..256 {
            cdf[i] = cdf[i - 1] + hist[i];
        }
        let n = img.len() as u32;
        for p in img.iter_mut() {
            *p = (cdf[*p as usize] * 255 / n) as u8;
        }
    } => { let mut i = bytes(3000); equalize(&mut i); i }

    fn unsharp(img: &[f32], blurred: &[f32], amount: f32, out: &mut [f32]) {
        for (o, (a, b)) in out.iter_mut().zip(img.iter().zip(blurred)) {
            *o = (a + amount * (a - b)).clamp(-16.0, 16.0);
        }
    } => { let mut o = vec![0.0; 700]; unsharp(&quarters(700), &quarters(701)[1..], 0.5, &mut o); o }

    fn bayer_dither(img: &[u8], w: usize, out: &mut [u8]) {
        const M: [[u8; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];
        for (i, (&p, o)) in img.iter().zip(out.iter_mut()).enumerate() {
            let (x, y) = (i % w, i / w);
            *o = if p / 16 > M[y & 3][x & 3] { 255 } else { 0 };
        }
    } => { let mut o = vec![0; 900]; bayer_dither(&bytes(900), 30, &mut o); o }
}
