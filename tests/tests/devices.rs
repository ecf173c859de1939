//! Device functions and structs through `uses(..)`.

use accrue::offload;

const THRESHOLD: u8 = 16;

mod image {
    use accrue::offload;

    /// A pixel as an image library lays it out.
    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq, accrue::DeviceType)]
    pub(crate) struct Pixel {
        pub(crate) rgb: [u8; 3],
        pub(crate) alpha: u8,
    }

    #[offload(device)]
    pub(crate) fn luma(p: Pixel) -> u32 {
        let [r, g, b] = p.rgb;
        (299 * u32::from(r) + 587 * u32::from(g) + 114 * u32::from(b)) / 1000
    }
}

use image::{Pixel, luma};

#[offload(device, uses(luma, Pixel))]
fn bin_of(p: &Pixel, bins: usize) -> usize {
    if p.alpha < THRESHOLD {
        return 0;
    }
    luma(*p) as usize * bins / 256
}

#[offload(histogram, uses(bin_of, Pixel), require = "cuda")]
fn brightness(image: &[Pixel], bins: &mut [u32]) {
    for p in image {
        bins[bin_of(p, bins.len())] += 1;
    }
}

#[offload(histogram, uses(image::luma, image::Pixel))]
fn by_path(image: &[Pixel], bins: &mut [u32; 256]) {
    for &p in image {
        bins[luma(p) as usize] += 1;
    }
}

fn pixels(n: u32) -> Vec<Pixel> {
    (0..n)
        .map(|i| Pixel {
            rgb: [i as u8, (i / 3) as u8, (i / 7) as u8],
            alpha: (i / 11) as u8,
        })
        .collect()
}

#[test]
fn a_loop_knows_the_functions_and_structs_that_it_uses() {
    let image = pixels(100_000);
    let mut expected = vec![0; 64];
    for p in &image {
        expected[bin_of(p, 64)] += 1;
    }
    let mut found = vec![0; 64];
    brightness(&image, &mut found);
    assert_eq!(expected, found);
    let explain = brightness::explain();
    assert!(explain.contains("runs on: cpu, gpu"), "{explain}");
    let mut all = [0; 256];
    by_path(&image, &mut all);
    assert_eq!(all.iter().sum::<u32>(), 100_000);
    assert!(by_path::explain().contains("runs on: cpu, gpu"));
}

#[test]
fn inside_of_a_function() {
    #[offload(device)]
    fn half(x: u8) -> usize {
        x as usize / 2
    }

    #[offload(histogram, uses(half))]
    fn count(data: &[u8], bins: &mut [u32; 128]) {
        for &x in data {
            bins[half(x)] += 1;
        }
    }

    let mut bins = [0; 128];
    count(&[0, 1, 2, 255], &mut bins);
    assert_eq!((bins[0], bins[1], bins[127]), (2, 1, 1));
    assert!(count::explain().contains("runs on: cpu, gpu"));
}
