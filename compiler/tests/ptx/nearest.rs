fn nearest(points: &[[f32; 2]], centres: &[[f32; 2]], sizes: &mut [u32], extent: &mut [f32]) {
    for p in points {
        let mut best = f32::INFINITY;
        let mut at = 0;
        for c in 0..centres.len() {
            let dx = p[0] - centres[c][0];
            let dy = p[1] - centres[c][1];
            let d = dx * dx + dy * dy;
            if d < best {
                best = d;
                at = c;
            }
        }
        sizes[at] += 1;
        extent[at] = extent[at].max(best.sqrt());
    }
}
