use accrue::offload;

#[offload(histogram)]
fn old_value(data: &[u8], h: &mut [u32], out: &mut [u32]) {
    for (i, &x) in data.iter().enumerate() {
        let k = h[x as usize];
        h[x as usize] += 1;
        out[i] = k;
    }
}

fn main() {}
