use accrue::offload;

#[offload(histogram)]
fn iteration(text: &str, h: &mut [u32]) {
    for c in text.chars() {
        h[c as usize] += 1;
    }
}

fn main() {}
