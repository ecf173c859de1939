use accrue::offload;

#[offload(histogram)]
fn count(
    keys: &[u8],
    #[cfg(debug_assertions)] _a: u8,
    #[cfg(test)] _b: u8,
    #[cfg(unix)] _c: u8,
    #[cfg(windows)] _d: u8,
    #[cfg(miri)] _e: u8,
    #[cfg(not(doc))] _f: u8,
    bins: &mut [u32; 256],
) {
    for &k in keys {
        #[cfg(not(test))]
        #[cfg(target_os = "linux")]
        let k = k;
        bins[k as usize] += 1;
    }
}

fn main() {}
