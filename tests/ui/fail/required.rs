use accrue::offload;

fn bin_of(x: u8) -> usize {
    x as usize
}

#[offload(histogram, require = "cuda")]
fn required(data: &[u8], h: &mut [u32]) {
    for &x in data {
        h[bin_of(x)] += 1;
    }
}

fn main() {}
