use accrue::offload;

#[offload(histogram)]
fn in_unsafe(data: &[u8], h: &mut [u32], g: &mut [u32]) {
    for &x in data {
        g[x as usize] += 1;
        unsafe {
            *g.get_unchecked_mut(x as usize) += 1;
        }
        h[0] += 1;
    }
}

fn main() {}
