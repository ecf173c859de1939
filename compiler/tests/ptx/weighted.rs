fn weighted(keys: &[u16], weights: &[f32], scale: f32, sums: &mut [f32], heaviest: &mut f32) {
    for (&k, &w) in keys.iter().zip(weights) {
        if k == u16::MAX {
            continue;
        }
        sums[(k / 2) as usize] += w * scale;
        *heaviest = heaviest.max(w);
    }
}
