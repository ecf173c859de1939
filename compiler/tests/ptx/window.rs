fn window(signal: &[i16], edges: &mut [i32; 64], product: &mut [u32; 8]) {
    for w in signal.windows(2) {
        let rise = w[1].wrapping_sub(w[0]);
        edges[(rise as u16 >> 10) as usize] -= 1;
        product[(rise & 7) as usize] = product[(rise & 7) as usize].wrapping_mul(rise as u32 | 1);
    }
}
