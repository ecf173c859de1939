//! Image processing.

use super::*;

loops! {
    fn grey_histogram(img: &[u8], hist: &mut [u32; 256]) {
        for &px in img {
            hist[px as usize] += 1;
        }
    } => { let mut h = [0; 256]; grey_histogram(&bytes(5000), &mut h); h }

    fn histogram_rows(img: &[u8], width: usize, height: usize, stride: usize, hist: &mut Vec<usize>) {
        for y in 0..height {
            let row = &img[y * stride..y * stride + width];
            for &px in row {
                hist[px as usize] += 1;
            }
        }
    } => { let mut h = vec![0; 256]; histogram_rows(&bytes(64 * 50), 60, 50, 64, &mut h); h }

    fn rgb_joint(img: &[[u8; 3]], cube: &mut [[[u32; 8]; 8]; 8]) {
        for [r, g, b] in img {
            cube[(r >> 5) as usize][(g >> 5) as usize][(b >> 5) as usize] += 1;
        }
    } => { let mut c = [[[0; 8]; 8]; 8]; rgb_joint(&pixels(3000), &mut c); c }

    fn luma_histogram(rgb: &[u8], hist: &mut [u64]) {
        for px in rgb.chunks_exact(3) {
            let y = 0.299 * px[0] as f32 + 0.587 * px[1] as f32 + 0.114 * px[2] as f32;
            hist[(y.round() as usize).min(255)] += 1;
        }
    } => { let mut h = vec![0; 256]; luma_histogram(&bytes(3000), &mut h); h }

    fn hue_histogram(rgb: &[[u8; 3]], bins: &mut [u32; 12]) {
        for &[r, g, b] in rgb {
            let (r, g, b) = (r as f32 / 255.0, g as f32 / 255.0, b as f32 / 255.0);
            let max = r.max(g).max(b);
            let min = r.min(g).min(b);
            let d = max - min;
            if d == 0.0 {
                continue;
            }
            let h = if max == r {
                ((g - b) / d).rem_euclid(6.0)
            } else if max == g {
                (b - r) / d + 2.0
            } else {
                (r - g) / d + 4.0
            };
            bins[((h * 2.0) as usize).min(11)] += 1;
        }
    } => { let mut h = [0; 12]; hue_histogram(&pixels(3000), &mut h); h }

    fn otsu(img: &[u8]) -> u8 {
        let mut hist = [0u32; 256];
        for &p in img {
            hist[p as usize] += 1;
        }
        let total = img.len() as f64;
        let sum: f64 = hist.iter().enumerate().map(|(i, &h)| i as f64 * h as f64).sum();
        let (mut sum_b, mut w_b, mut best, mut threshold) = (0.0, 0.0, 0.0, 0);
        let mut t = 0;
        while t < 256 {
            t += 1;
            let t = t - 1;
            w_b += hist[t] as f64;
            if w_b == 0.0 { continue; }
            let w_f = total - w_b;
            if w_f == 0.0 { break; }
            sum_b += t as f64 * hist[t] as f64;
            let (m_b, m_f) = (sum_b / w_b, (sum - sum_b) / w_f);
            let between = w_b * w_f * (m_b - m_f) * (m_b - m_f);
            if between > best { best = between; threshold = t as u8; }
        }
        threshold
    } => { otsu(&bytes(5000)) }

    fn glcm(img: &[u8], w: usize, h: usize, dx: usize, dy: usize, levels: usize, out: &mut [u32]) {
        for y in 0..h - dy {
            for x in 0..w - dx {
                let i = img[y * w + x] as usize * levels / 256;
                let j = img[(y + dy) * w + x + dx] as usize * levels / 256;
                out[i * levels + j] += 1;
            }
        }
    } => { let mut o = vec![0; 64]; glcm(&bytes(40 * 30), 40, 30, 1, 1, 8, &mut o); o }

    fn glcm_symmetric(img: &[Vec<u8>], out: &mut [[u32; 16]; 16]) {
        for row in img {
            for pair in row.windows(2) {
                let (a, b) = ((pair[0] >> 4) as usize, (pair[1] >> 4) as usize);
                out[a][b] += 1;
                out[b][a] += 1;
            }
        }
    } => { let mut o = [[0; 16]; 16]; let rows: Vec<Vec<u8>> = bytes(1600).chunks(40).map(<[u8]>::to_vec).collect(); glcm_symmetric(&rows, &mut o); o }

    fn lbp(img: &[u8], w: usize, h: usize, hist: &mut [u32; 256]) {
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                let c = img[y * w + x];
                let mut code = 0u8;
                code |= ((img[(y - 1) * w + x - 1] >= c) as u8) << 7;
                code |= ((img[(y - 1) * w + x] >= c) as u8) << 6;
                code |= ((img[(y - 1) * w + x + 1] >= c) as u8) << 5;
                code |= ((img[y * w + x + 1] >= c) as u8) << 4;
                code |= ((img[(y + 1) * w + x + 1] >= c) as u8) << 3;
                code |= ((img[(y + 1) * w + x] >= c) as u8) << 2;
                code |= ((img[(y + 1) * w + x - 1] >= c) as u8) << 1;
                code |= (img[y * w + x - 1] >= c) as u8;
                hist[code as usize] += 1;
            }
        }
    } => { let mut o = [0; 256]; lbp(&bytes(40 * 30), 40, 30, &mut o); o }

    fn hog_cell(gx: &[f32], gy: &[f32], hist: &mut [f32; 9]) {
        for (&dx, &dy) in gx.iter().zip(gy) {
            let magnitude = dx.abs() + dy.abs();
            let angle = dy.atan2(dx).to_degrees().rem_euclid(180.0);
            hist[(angle / 20.0) as usize % 9] += magnitude;
        }
    } => { let mut o = [0.0; 9]; hog_cell(&quarters(900), &quarters(901)[1..], &mut o); o }

    fn hough_lines(edges: &[(i32, i32)], cos: &[f32], sin: &[f32], rho_max: f32, acc: &mut [u32], rhos: usize) {
        for &(x, y) in edges {
            for t in 0..cos.len() {
                let rho = x as f32 * cos[t] + y as f32 * sin[t];
                let r = ((rho + rho_max) / (2.0 * rho_max) * (rhos - 1) as f32).round() as usize;
                acc[t * rhos + r] += 1;
            }
        }
    } => {
        let pts: Vec<(i32, i32)> = words(200, 64).iter().zip(words(201, 64)).map(|(a, b)| (*a as i32, b as i32)).collect();
        let cos: Vec<f32> = (0..18).map(|t| (t as f32 * 10f32.to_radians()).cos()).collect();
        let sin: Vec<f32> = (0..18).map(|t| (t as f32 * 10f32.to_radians()).sin()).collect();
        let mut acc = vec![0; 18 * 50]; hough_lines(&pts, &cos, &sin, 100.0, &mut acc, 50); acc
    }

    fn hough_circles(edges: &[[u16; 2]], radius: i32, w: usize, h: usize, acc: &mut Vec<u16>) {
        for &[x, y] in edges {
            for deg in 0..36 {
                let a = (deg * 10) as f32;
                let cx = x as i32 - (radius as f32 * a.to_radians().cos()) as i32;
                let cy = y as i32 - (radius as f32 * a.to_radians().sin()) as i32;
                if cx >= 0 && cy >= 0 && (cx as usize) < w && (cy as usize) < h {
                    acc[cy as usize * w + cx as usize] += 1;
                }
            }
        }
    } => { let e: Vec<[u16; 2]> = words(100, 64).chunks(2).map(|c| [c[0] as u16, c[1] as u16]).collect(); let mut a = vec![0; 64 * 64]; hough_circles(&e, 9, 64, 64, &mut a); a }

    fn component_areas(labels: &[Vec<u32>], areas: &mut [u32]) {
        for row in labels.iter() {
            for &l in row.iter() {
                if l != 0 {
                    areas[l as usize - 1] += 1;
                }
            }
        }
    } => { let rows: Vec<Vec<u32>> = words(900, 20).chunks(30).map(<[u32]>::to_vec).collect(); let mut a = vec![0; 20]; component_areas(&rows, &mut a); a }

    fn centroids(labels: &[u8], w: usize, sum_x: &mut [u64; 16], sum_y: &mut [u64; 16], count: &mut [u64; 16]) {
        for (i, &l) in labels.iter().enumerate() {
            let l = (l & 15) as usize;
            sum_x[l] += (i % w) as u64;
            sum_y[l] += (i / w) as u64;
            count[l] += 1;
        }
    } => { let (mut a, mut b, mut c) = ([0; 16], [0; 16], [0; 16]); centroids(&bytes(900), 30, &mut a, &mut b, &mut c); (a, b, c) }

    fn bounding_boxes(labels: &[u8], w: usize, min_x: &mut [usize], max_x: &mut [usize]) {
        for (i, l) in labels.iter().enumerate() {
            let l = (*l % 8) as usize;
            min_x[l] = min_x[l].min(i % w);
            max_x[l] = max_x[l].max(i % w);
        }
    } => { let (mut a, mut b) = (vec![usize::MAX; 8], vec![0; 8]); bounding_boxes(&bytes(900), 30, &mut a, &mut b); (a, b) }

    fn projection(img: &[u8], width: usize, columns: &mut [u32], rows: &mut [u32]) {
        for (y, line) in img.chunks(width).enumerate() {
            for (x, v) in line.iter().enumerate() {
                columns[x] += *v as u32;
                rows[y] += u32::from(*v);
            }
        }
    } => { let (mut a, mut b) = (vec![0; 30], vec![0; 30]); projection(&bytes(900), 30, &mut a, &mut b); (a, b) }

    fn disparity_votes(left: &[u8], right: &[u8], votes: &mut [u32; 16]) {
        for i in 16..left.len() {
            let mut best = 255u8;
            let mut at = 0;
            for d in 0..16 {
                let cost = left[i].abs_diff(right[i - d]);
                if cost < best {
                    best = cost;
                    at = d;
                }
            }
            votes[at] += 1;
        }
    } => { let mut v = [0; 16]; disparity_votes(&bytes(500), &bytes(501)[1..], &mut v); v }

    fn clahe_tiles(img: &[u8], width: usize, tile: usize, tiles_x: usize, hists: &mut [[u32; 256]]) {
        for (i, &v) in img.iter().enumerate() {
            let (x, y) = (i % width, i / width);
            hists[y / tile * tiles_x + x / tile][v as usize] += 1;
        }
    } => { let mut h = vec![[0; 256]; 16]; clahe_tiles(&bytes(32 * 32), 32, 8, 4, &mut h); h }

    fn summed_difference(a: &[u8], b: &[u8], hist: &mut [i64; 511]) -> (u64, u8) {
        let mut sad = 0u64;
        let mut worst = 0u8;
        for (x, y) in a.iter().zip(b.iter()) {
            hist[(*x as i32 - *y as i32 + 255) as usize] += 1;
            sad += x.abs_diff(*y) as u64;
            worst = worst.max(x.abs_diff(*y));
        }
        (sad, worst)
    } => { let mut h = [0; 511]; let r = summed_difference(&bytes(500), &bytes(501)[1..], &mut h); (h.to_vec(), r) }

    fn scatter_blur(img: &[u8], w: usize, h: usize, out: &mut [u32]) {
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                let v = img[y * w + x] as u32;
                for dy in 0..3 {
                    for dx in 0..3 {
                        out[(y + dy - 1) * w + (x + dx - 1)] += v;
                    }
                }
            }
        }
    } => { let mut o = vec![0; 900]; scatter_blur(&bytes(900), 30, 30, &mut o); o }
}
