use accrue::offload;

#[offload(histogram)]
fn several_mistakes(data: &[u8], h: &mut [u32], out: &mut [u8]) {
    let mut last = 0;
    for (i, &x) in data.iter().enumerate() {
        if x == 0 {
            break;
        }
        h[x as usize] += 1;
        h[0] |= 1;
        out[i] = x;
        last = x;
    }
    out[0] = last;
}

fn main() {}
