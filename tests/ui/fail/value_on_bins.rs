use accrue::offload;

#[offload(histogram)]
fn value_on_bins(data: &[u8], h: &mut [u32], g: &mut [u32]) {
    for &x in data {
        h[x as usize] += 1;
        g[x as usize] += h[0];
    }
}

fn main() {}
