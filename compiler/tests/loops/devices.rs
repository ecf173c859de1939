//! Device functions and structs.

#[repr(C)]
#[derive(Clone, Copy, accrue::DeviceType)]
struct Pixel {
    rgb: [u8; 3],
    alpha: u8,
}

#[offload(device)]
fn luma(p: Pixel) -> u32 {
    let [r, g, b] = p.rgb;
    (299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b)) / 1000
}

#[offload(device, uses(luma, Pixel))]
fn bin_of(p: &Pixel, bins: usize) -> usize {
    if p.alpha < THRESHOLD {
        return 0;
    }
    luma(*p) as usize * bins / 256
}

#[offload(device, uses(odd))]
fn even(n: u32) -> bool {
    n == 0 || odd(n - 1)
}

#[offload(device, uses(even))]
fn odd(n: u32) -> bool {
    n != 0 && even(n - 1)
}

#[offload(device)]
fn logged(x: u32) -> u32 {
    println!("{x}");
    TABLE[x as usize]
}

#[offload(histogram, uses(bin_of, luma, Pixel))]
fn pixels(image: &[Pixel], h: &mut [u32]) {
    for p in image {
        h[bin_of(p, h.len())] += 1;
        let Pixel { rgb, alpha } = p;
        h[rgb[0] as usize] += u32::from(*alpha);
        let inverse = Pixel { alpha: 255 - p.alpha, rgb: p.rgb };
        h[luma(inverse) as usize] += 1;
    }
}

#[offload(histogram, uses(even, odd))]
fn mutual(data: &[u32], h: &mut [u32]) {
    for &x in data {
        h[even(x) as usize] += 1;
    }
}

#[offload(histogram, uses(logged))]
fn opaque_inside(data: &[u32], h: &mut [u32]) {
    for &x in data {
        h[logged(x) as usize] += 1;
    }
}

static factor: f32 = 0.5;

/// A name that is no constant in capitals is rustc's to know.
#[offload(device)]
fn scaled(x: f32) -> f32 {
    x * factor
}

#[offload(device)]
fn halved(x: f32) -> f32 {
    x * 0.5
}

#[offload(uses(scaled))]
fn by_a_static(src: &[f32], dst: &mut [f32]) {
    for i in 0..src.len() {
        dst[i] = scaled(src[i]);
    }
}

/// Neighbours over two dimensions, for a thread a part of them.
#[offload(uses(halved))]
fn neighbours(src: &[f32], dst: &mut [f32], w: usize, h: usize) {
    for y in 1..h - 1 {
        for x in 1..w - 1 {
            dst[y * w + x] = halved(src[y * w + x - 1]) + src[y * w + x] + halved(src[y * w + x + 1]) + src[(y - 1) * w + x];
        }
    }
}
