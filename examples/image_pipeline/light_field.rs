//! A light field: views of a scene from a grid of places, rendered from three layers with textures.

use accrue::offload;

/// Views along each side of the grid.
pub(crate) const SIDE: usize = 7;
/// Depths that pictures are in focus at, from far to near, by how far a view moves against the next.
pub(crate) const DEPTHS: usize = 30;

/// The depths of the layers, as numbers of those: far, middle, near.
pub(crate) const LAYERS: [usize; 3] = [3, 13, 24];

/// Pixels from one view to the next at each depth, for views of so many columns.
pub(crate) fn slopes(width: usize) -> Vec<f32> {
    let scale = width as f32 / 720.0 * 0.4;
    (0..DEPTHS).map(|d| d as f32 * scale).collect()
}

fn hash(x: i32, y: i32) -> u32 {
    let mut h = (x as u32).wrapping_mul(0x9e37_79b1) ^ (y as u32).wrapping_mul(0x85eb_ca77);
    h = (h ^ (h >> 15)).wrapping_mul(0x2c1b_3c6d);
    h ^ (h >> 13)
}

/// The layer that is seen at a place, and its colour there; places are shares of the height. `near` says where each layer
/// lies in the view.
fn scene(places: [[f32; 2]; 3]) -> (usize, [u8; 3]) {
    // Near: a lattice of bars with a weave.
    let [x, y] = places[2];
    let bar = (x + 0.35 * y).rem_euclid(0.55) < 0.07 && y > 0.12;
    if bar || (y - 0.86).abs() < 0.045 {
        let weave = ((x * 90.0).floor() + (y * 90.0).floor()).rem_euclid(2.0) < 1.0;
        return match weave {
            true => (2, [62, 104, 60]),
            false => (2, [134, 178, 84]),
        };
    }
    // In the middle: discs with rings.
    let [x, y] = places[1];
    for (cx, cy, radius) in [(0.35, 0.45, 0.2), (0.85, 0.6, 0.24), (1.2, 0.3, 0.16)] {
        let r = ((x - cx).powi(2) + (y - cy).powi(2)).sqrt();
        if r < radius {
            return match (r * 70.0) as i32 % 2 {
                0 => (1, [226, 120, 52]),
                _ => (1, [250, 214, 120]),
            };
        }
    }
    // Far: bricks of different brightness.
    let [x, y] = places[0];
    let row = (y * 26.0).floor();
    let shifted = x * 13.0 + 0.5 * row.rem_euclid(2.0);
    let mortar = (y * 26.0).rem_euclid(1.0) < 0.14 || shifted.rem_euclid(1.0) < 0.07;
    let light = 90 + (hash(shifted.floor() as i32, row as i32) % 70) as u8;
    match mortar {
        true => (0, [196, 190, 180]),
        false => (0, [light, light / 2 + 18, light / 3 + 20]),
    }
}

/// All views, row by row, and which layer each pixel of them shows.
#[offload]
pub(crate) fn render(
    w: usize,
    h: usize,
    slopes: &[f32; 3],
    views: &mut [[u8; 3]],
    layers: &mut [u8],
) {
    for view in 0..49 {
        for y in 0..h {
            for x in 0..w {
                let (u, v) = ((view % 7) as f32 - 3.0, (view / 7) as f32 - 3.0);
                let mut places = [[0.0f32; 2]; 3];
                for layer in 0..3 {
                    places[layer] = [
                        (x as f32 - slopes[layer] * u) / h as f32,
                        (y as f32 - slopes[layer] * v) / h as f32,
                    ];
                }
                let (layer, colour) = scene(places);
                views[(view * h + y) * w + x] = colour;
                layers[(view * h + y) * w + x] = layer as u8;
            }
        }
    }
}
