use accrue::offload;

#[offload(histogram)]
fn index_on_bins(data: &[u8], h: &mut [usize]) {
    for &x in data {
        h[h[x as usize]] += 1;
    }
}

fn main() {}
