fn ranks(keys: &[u32], table: &[u8; 256], out: &mut [u32], flags: &mut [u64; 4]) {
    for (i, &k) in keys.iter().enumerate() {
        let mut digits = [0u8; 4];
        for d in 0..4 {
            digits[d] = table[(k >> (8 * d) & 0xff) as usize];
        }
        let sum = digits[0] as u32 + digits[1] as u32 + digits[2] as u32 + digits[3] as u32;
        out[i] += sum;
        flags[(sum & 3) as usize] |= 1u64 << (sum & 63);
    }
}
