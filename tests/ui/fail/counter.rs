use accrue::offload;

#[offload(histogram)]
fn counter(data: &[u8], h: &mut [u32], w: &[u32]) {
    let mut i = 0;
    for &x in data {
        h[x as usize] += w[i];
        i += 1;
    }
}

fn main() {}
