fn rows(image: &[u8], width: usize, height: usize, hist: &mut [u32; 256], sums: &mut [u64]) {
    for y in 0..height {
        for x in 0..width {
            let v = image[y * width + x];
            hist[v as usize] += 1;
            sums[y] += v as u64;
        }
    }
}
