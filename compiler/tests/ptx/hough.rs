fn hough(xs: &[f32], ys: &[f32], angles: &[f32; 180], votes: &mut [[u32; 182]]) {
    for i in 0..xs.len() {
        for t in 0..180 {
            let r = xs[i] * angles[t].cos() + ys[i] * angles[t].sin();
            let row = (r + 3000.0) as usize;
            votes[row][t] += 1;
        }
    }
}
