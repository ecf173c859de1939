use accrue::offload;

#[offload(histogram)]
struct Bins {
    counts: [u32; 256],
}

fn main() {}
