use accrue::offload;

#[offload(histogram)]
fn writes(data: &[u8], h: &mut [u32], out: &mut [u8]) {
    let mut last = 0;
    for (i, &x) in data.iter().enumerate() {
        h[x as usize] += 1;
        last = x;
        out[i] = x;
    }
}

fn main() {}
