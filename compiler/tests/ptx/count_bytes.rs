fn count_bytes(data: &[u8], hist: &mut [u32; 256]) {
    for &b in data {
        hist[b as usize] += 1;
    }
}
