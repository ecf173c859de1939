use accrue::offload;

#[offload(histogram)]
async fn asynchronous(data: &[u8], h: &mut [u32]) {
    for &x in data {
        h[x as usize] += 1;
    }
}

fn main() {}
