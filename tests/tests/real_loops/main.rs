//! Loops as published code writes them, by someone who had not seen the other tests: each gives what the plain loop gives,
//! on every device.

#![allow(clippy::all, unused, reason = "they stand as they were found")]

use accrue::__bench::{trials, with_strategy};
use accrue::{Device, with_device};
use rayon::ThreadPoolBuilder;

/// A loop in its two forms, called over the same data, and what explains the offloaded one.
struct Real {
    name: &'static str,
    plain: fn() -> String,
    offloaded: fn() -> String,
    explain: fn() -> String,
}

/// Compiles functions as they are and offloaded, and lists them as `LOOPS` with the calls behind `=>`.
macro_rules! loops {
    ($(fn $name:ident $params:tt $(-> $result:ty)? { $($body:tt)* } => $run:tt)*) => {
        $(mod $name {
            use super::*;

            mod plain {
                use super::*;
                pub(super) fn $name $params $(-> $result)? { $($body)* }
            }

            mod offloaded {
                use super::*;
                #[accrue::offload(histogram)]
                pub(super) fn $name $params $(-> $result)? { $($body)* }
            }

            pub(super) fn as_it_is() -> String {
                use plain::$name;
                format!("{:?}", $run)
            }

            pub(super) fn in_parallel() -> String {
                use offloaded::$name;
                format!("{:?}", $run)
            }

            pub(super) fn explain() -> String {
                offloaded::$name::explain()
            }
        })*

        pub(super) const LOOPS: &[Real] = &[
            $(Real {
                name: stringify!($name),
                plain: $name::as_it_is,
                offloaded: $name::in_parallel,
                explain: $name::explain,
            },)*
        ];
    };
}

mod data;
mod images;
mod science;

/// Numbers that are spread over `0..below`, the same every time.
fn words(count: usize, below: u32) -> Vec<u32> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let words = (0..count).map(|_| {
        // xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift generators", 2016).
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        (((state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) * u64::from(below)) >> 32) as u32
    });
    words.collect()
}

fn bytes(count: usize) -> Vec<u8> {
    words(count, 256).iter().map(|x| *x as u8).collect()
}

/// Floats whose sums are exact in any order.
fn quarters(count: usize) -> Vec<f32> {
    words(count, 128)
        .iter()
        .map(|x| (*x as f32 - 64.0) / 4.0)
        .collect()
}

fn pixels(count: usize) -> Vec<[u8; 3]> {
    bytes(3 * count)
        .chunks(3)
        .map(|c| [c[0], c[1], c[2]])
        .collect()
}

fn text(count: usize) -> String {
    let letters = b"etaoin shrdlu ETAOIN the cat, sat. On  a mat 0123456789 zqxjkv";
    words(count, letters.len() as u32)
        .iter()
        .map(|x| letters[*x as usize] as char)
        .collect()
}

/// Runs all loops some way, and compares them with the plain ones.
fn agree(how: &str, call: impl Fn(fn() -> String) -> String) {
    for real in [images::LOOPS, science::LOOPS, data::LOOPS]
        .into_iter()
        .flatten()
    {
        assert_eq!(call(real.offloaded), (real.plain)(), "{} {how}", real.name);
    }
}

#[test]
fn real_loops_are_right_on_the_host() {
    agree("in order", |call| with_device(Device::Seq, call));
    let pool = ThreadPoolBuilder::new()
        .num_threads(3)
        .build()
        .expect("three threads");
    pool.install(|| {
        agree("on the CPU", |call| with_device(Device::Cpu, call));
        for strategy in trials() {
            agree(strategy, |call| {
                with_device(Device::Cpu, || with_strategy(strategy, call))
            });
        }
    });
}

#[cfg(feature = "sim")]
#[test]
fn real_loops_are_right_in_kernels() {
    agree("in the simulator", |call| with_device(Device::Sim, call));
    let all: Vec<&Real> = [images::LOOPS, science::LOOPS, data::LOOPS]
        .into_iter()
        .flatten()
        .collect();
    let on_kernels = all
        .iter()
        .filter(|real| (real.explain)().contains(" gangs of "))
        .count();
    // 65 of 85 when they were written; the others have no form, such as tuples in memory.
    assert!(
        on_kernels * 4 >= all.len() * 3,
        "{on_kernels} of {} ran kernels",
        all.len()
    );
}

/// The code that stands above each function of `refused.rs` is that of its message.
#[test]
fn what_is_refused_says_why() {
    let file: syn::File = syn::parse_str(include_str!("refused.rs")).expect("Rust");
    for item in file.items {
        let syn::Item::Fn(mut function) = item else {
            panic!("only functions are refused here")
        };
        let attribute = function.attrs.remove(0);
        let syn::Meta::NameValue(doc) = &attribute.meta else {
            panic!("a code stands above each")
        };
        let syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(code),
            ..
        }) = &doc.value
        else {
            panic!("a code stands above each")
        };
        let name = function.sig.ident.to_string();
        let refused = accrue_compiler::analyze(&function, &accrue_compiler::Args::default());
        let errors = refused
            .err()
            .unwrap_or_else(|| panic!("{name} is accepted"));
        let code = code.value();
        let found: Vec<String> = errors
            .iter()
            .map(|d| format!("{:?} {d:?}", d.code))
            .collect();
        assert!(
            errors
                .iter()
                .any(|d| d.code.to_string().contains(code.trim())),
            "{name}: {found:?}"
        );
    }
}
