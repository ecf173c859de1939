fn classes(text: &[u8], counts: &mut [u16; 5], xor: &mut [u8; 16], least: &mut [i64; 4]) {
    for (i, &c) in text.iter().enumerate() {
        let class = match c {
            b'a'..=b'z' | b'A'..=b'Z' => 0,
            b'0'..=b'9' => 1,
            b' ' | b'\t' => 2,
            n if n >= 128 => 3,
            _ => 4,
        };
        counts[class] += 1;
        xor[i % 16] ^= c;
        least[(c & 3) as usize] = least[(c & 3) as usize].min(i as i64 - c as i64);
    }
}
