fn colour_histogram(pixels: &[[u8; 3]], hist: &mut [u32; 768]) {
    for p in pixels {
        hist[p[0] as usize] += 1;
        hist[256 + p[1] as usize] += 1;
        hist[512 + p[2] as usize] += 1;
    }
}
