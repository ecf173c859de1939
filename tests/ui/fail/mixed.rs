use accrue::offload;

#[offload(histogram)]
fn mixed(data: &[u8], h: &mut [u32]) {
    for &x in data {
        h[x as usize] += 1;
        h[0] |= 2;
    }
}

fn main() {}
