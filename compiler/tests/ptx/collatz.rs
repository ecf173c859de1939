fn collatz(limit: u64, steps: &mut [u32; 512], longest: &mut u64) {
    for start in 1..limit {
        let mut n = start;
        let mut count = 0u32;
        while n != 1 {
            n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
            count += 1;
            if count == 511 {
                break;
            }
        }
        steps[count as usize] += 1;
        *longest = (*longest).max(count as u64);
    }
}
