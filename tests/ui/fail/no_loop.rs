use accrue::offload;

#[offload(histogram)]
fn no_loop(data: &[u8], h: &mut [u32]) {
    data.iter().for_each(|&x| h[x as usize] += 1);
}

fn main() {}
