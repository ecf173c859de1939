use accrue::offload;

#[offload(histogramm, locals = 0, foo = 3)]
fn arguments(data: &[u8], h: &mut [u8]) {}

fn main() {}
