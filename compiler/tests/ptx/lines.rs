fn lines(xs: &[f32], ys: &[f32], cos: &[f32], sin: &[f32], votes: &mut [[u32; 182]]) {
    for i in 0..xs.len() {
        for t in 0..180 {
            let rho = xs[i] * cos[t] + ys[i] * sin[t];
            votes[(rho + 3001.0) as usize][t] += 1;
        }
    }
}
