use accrue::offload;

#[offload(histogram)]
fn signed_saturation(data: &[u8], h: &mut [i32]) {
    for &x in data {
        h[x as usize] = h[x as usize].saturating_add(1);
    }
}

fn main() {}
