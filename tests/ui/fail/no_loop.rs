use accrue::offload;

#[offload(histogram)]
fn no_loop(data: &[u8], h: &mut [u32]) {
    let mut left = data;
    while let [x, rest @ ..] = left {
        h[*x as usize] += 1;
        left = rest;
    }
}

fn main() {}
