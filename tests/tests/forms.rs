//! Every form of loop that the README promises, against the same function without the attribute.

use accrue::offload;

/// A function twice: as it is, and offloaded.
macro_rules! forms {
    ($(#[offload($($args:tt)*)] fn $name:ident $(<$($generics:ident : $bound:path),*>)? ($($params:tt)*) $(-> $output:ty)? $body:block)*) => {
        mod sequential {
            #[allow(unused_imports)]
            use super::*;
            $(pub(crate) fn $name $(<$($generics: $bound),*>)? ($($params)*) $(-> $output)? $body)*
        }
        $(#[offload($($args)*)] fn $name $(<$($generics: $bound),*>)? ($($params)*) $(-> $output)? $body)*
    };
}

forms! {
    #[offload(histogram)]
    fn colour_histogram(pixels: &[[u8; 3]], hist: &mut [u32; 768]) {
        for p in pixels {
            hist[p[0] as usize] += 1;
            hist[256 + p[1] as usize] += 1;
            hist[512 + p[2] as usize] += 1;
        }
    }
}

#[test]
fn colours() {
    let pixels: Vec<[u8; 3]> = (0..100_000u32)
        .map(|i| [i as u8, (i * 7) as u8, (i / 300) as u8])
        .collect();
    let mut expected = [0; 768];
    let mut found = [0; 768];
    sequential::colour_histogram(&pixels, &mut expected);
    colour_histogram(&pixels, &mut found);
    assert_eq!(expected, found);
    println!("{}", colour_histogram::explain());
    colour_histogram::try_call(&pixels, &mut found).unwrap();
}

#[test]
fn on_sim() {
    let pixels: Vec<[u8; 3]> = (0..1000u32).map(|i| [i as u8, (i * 7) as u8, (i / 300) as u8]).collect();
    let mut expected = [0; 768];
    let mut found = [0; 768];
    sequential::colour_histogram(&pixels, &mut expected);
    accrue::with_device(accrue::Device::Sim, || colour_histogram::try_call(&pixels, &mut found).unwrap());
    assert_eq!(expected, found);
    println!("{}", colour_histogram::explain());
}
