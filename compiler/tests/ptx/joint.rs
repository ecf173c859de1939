fn joint(x: &[f64], y: &[f64], lo: f64, width: f64, hist: &mut [[u64; 32]; 32]) {
    for i in 0..x.len() {
        let a = ((x[i] - lo) / width * 32.0) as usize;
        let b = ((y[i] - lo) / width * 32.0) as usize;
        hist[a.min(31)][b.min(31)] += 1;
    }
}
