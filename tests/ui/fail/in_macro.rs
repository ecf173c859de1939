use accrue::offload;

#[offload(histogram)]
fn in_macro(data: &[u8], h: &mut [u32]) {
    for &x in data {
        h[x as usize] += 1;
        println!("{} {h:?}", x);
    }
}

fn main() {}
