use accrue::offload;

#[offload(histogram)]
fn map(data: &[u8], h: &mut Vec<Vec<u32>>) {
    for &x in data {
        h[x as usize][0] += 1;
    }
}

fn main() {}
