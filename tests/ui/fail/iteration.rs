use accrue::offload;

#[offload(histogram)]
fn iteration(text: &str, h: &mut [u32]) {
    for word in text.rsplitn(3, 'a') {
        h[word.len()] += 1;
    }
}

fn main() {}
