//! The loops of this example: a Laplacian, the costs of seams, a seam taken out, and views of a light field brought together.

use accrue::offload;

/// How much each pixel differs from its four neighbours; at the border a pixel is its own neighbour.
#[offload]
pub(crate) fn laplacian(grey: &[u8], w: usize, h: usize, out: &mut [u8]) {
    for y in 0..h {
        for x in 0..w {
            let (left, right) = (x.saturating_sub(1), (x + 1).min(w - 1));
            let (above, below) = (y.saturating_sub(1), (y + 1).min(h - 1));
            let around = grey[y * w + left] as i32
                + grey[y * w + right] as i32
                + grey[above * w + x] as i32
                + grey[below * w + x] as i32;
            let difference = (around - 4 * grey[y * w + x] as i32).abs();
            out[y * w + x] = difference.min(255) as u8;
        }
    }
}

/// What the cheapest seam costs from the first row down to each pixel: in each row it goes on at most one column.
#[offload]
pub(crate) fn seam_costs(energy: &[u8], w: usize, h: usize, costs: &mut [u32]) {
    for x in 0..w {
        costs[x] = energy[x] as u32;
    }
    #[sequential]
    for y in 1..h {
        let (before, row) = costs.split_at_mut(y * w);
        let above = &before[(y - 1) * w..];
        for x in 0..w {
            let (left, right) = (x.saturating_sub(1), (x + 1).min(w - 1));
            let cheapest = above[x].min(above[left]).min(above[right]);
            row[x] = cheapest + energy[y * w + x] as u32;
        }
    }
}

/// The picture without the pixel of each row that is on a seam.
#[offload]
pub(crate) fn without_seam(pixels: &[[u8; 3]], w: usize, seam: &[usize], out: &mut [[u8; 3]]) {
    for y in 0..seam.len() {
        for x in 0..w - 1 {
            let from = if x < seam[y] { x } else { x + 1 };
            out[y * (w - 1) + x] = pixels[y * w + from];
        }
    }
}

/// The brightness of pixels.
#[offload]
pub(crate) fn brightness(pixels: &[[u8; 3]], out: &mut [u8]) {
    for i in 0..pixels.len() {
        let [r, g, b] = pixels[i];
        out[i] = ((77 * r as u32 + 150 * g as u32 + 29 * b as u32) >> 8) as u8;
    }
}

/// Pictures of a light field in focus at several depths: the mean of all views, each moved by its place in the grid of `side`
/// by `side` views times the slope of the depth.
#[offload]
pub(crate) fn refocus(
    views: &[[u8; 3]],
    w: usize,
    h: usize,
    side: usize,
    slopes: &[f32],
    out: &mut [[u8; 3]],
) {
    let middle = (side / 2) as f32;
    for d in 0..slopes.len() {
        for y in 0..h {
            for x in 0..w {
                let mut sum = [0u32; 3];
                for v in 0..side {
                    for u in 0..side {
                        let moved_x = x as f32 + slopes[d] * (u as f32 - middle) + 0.5;
                        let moved_y = y as f32 + slopes[d] * (v as f32 - middle) + 0.5;
                        let (i, j) = (moved_x as usize, moved_y as usize);
                        let at = ((v * side + u) * h + j.min(h - 1)) * w + i.min(w - 1);
                        for c in 0..3 {
                            sum[c] += views[at][c] as u32;
                        }
                    }
                }
                let count = (side * side) as u32;
                out[(d * h + y) * w + x] = [
                    (sum[0] / count) as u8,
                    (sum[1] / count) as u8,
                    (sum[2] / count) as u8,
                ];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_is_where_pixels_differ() {
        let mut out = [7; 6];
        laplacian(&[0, 0, 9, 0, 0, 9], 3, 2, &mut out);
        assert_eq!(out, [0, 9, 9, 0, 9, 9]);
    }

    #[test]
    fn the_cheapest_seam_goes_around() {
        let mut costs = [0; 6];
        seam_costs(&[5, 1, 9, 0, 8, 2], 3, 2, &mut costs);
        assert_eq!(costs, [5, 1, 9, 1, 9, 3]);
        let pixels = [1, 2, 3, 4, 5, 6].map(|v| [v; 3]);
        let mut out = [[0; 3]; 4];
        without_seam(&pixels, 3, &[1, 0], &mut out);
        assert_eq!(out.map(|p| p[0]), [1, 3, 5, 6]);
    }
}
