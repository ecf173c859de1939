use accrue::offload;

async fn f(x: u8) -> u32 {
    u32::from(x)
}

#[offload(histogram)]
fn waits(data: &[u8], h: &mut [u32]) {
    for &x in data {
        h[x as usize] += f(x).await;
    }
}

fn main() {}
