use accrue::offload;

#[offload(histogram)]
fn iteration(text: &str, h: &mut [u32]) {
    for word in text.split(|c| c < 'a') {
        h[word.len()] += 1;
    }
}

fn main() {}
