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

#[offload(histogram, require = "cuda")]
fn in_order(data: &[u32], h: &mut [u32]) {
    for &x in data {
        let bin = &mut h[(x % 1000) as usize];
        *bin += x.count_ones();
    }
}

fn main() {}
