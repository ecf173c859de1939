fn count_words(keys: &[u32], hist: &mut [u32]) {
    for &k in keys {
        hist[k as usize] += 1;
    }
}
