use accrue::offload;

#[offload(histogram)]
fn in_closure(data: &[u8], h: &mut [u32]) {
    for &x in data {
        h[x as usize] += 1;
        let f = || h[0];
        f();
    }
}

fn main() {}
