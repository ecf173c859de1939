//! A corpus: loops whose iterations can run in parallel, as people write them, by someone who wrote them before looking at what the macro takes.
//!
//! Each is listed with what becomes of it: one that is taken gives what the plain loop gives, on every device, and one that is not is marked
//! `refused CODE`. Behind `plain` stands the same loop without `#[sequential]`, which rustc does not know. `twins.rs` has loops that look like them and
//! cannot run in parallel.

#![allow(clippy::all, unused, reason = "they stand as they were written")]

use accrue::__bench::{trials, with_strategy};
use accrue::{Device, with_device};
use rayon::ThreadPoolBuilder;

/// A loop of the corpus.
struct Unseen {
    name: &'static str,
    /// Why it is refused, if it is.
    refused: Option<&'static str>,
    plain: fn() -> String,
    /// As it is where it is refused.
    offloaded: fn() -> String,
}

/// Compiles functions as they are and offloaded, and lists them as `LOOPS` with the calls behind `=>`.
macro_rules! loops {
    ($(fn $name:ident $params:tt $(-> $result:ty)? { $($body:tt)* } $(plain $plain:tt)? $(refused $code:ident)? => $run:tt)*) => {
        $(mod $name {
            use super::*;

            mod plain {
                use super::*;
                loops!(@plain [$name $params [$($result)?]] { $($body)* } [$($plain)?]);
            }

            mod offloaded {
                use super::*;
                loops!(@offloaded [$name $params [$($result)?]] { $($body)* } [$($code)?] [$($plain)?]);
            }

            pub(super) fn as_it_is() -> String {
                use plain::$name;
                format!("{:?}", $run)
            }

            pub(super) fn in_parallel() -> String {
                use offloaded::$name;
                format!("{:?}", $run)
            }
        })*

        pub(super) const LOOPS: &[Unseen] = &[
            $(Unseen {
                name: stringify!($name),
                refused: loops!(@code $($code)?),
                plain: $name::as_it_is,
                offloaded: $name::in_parallel,
            },)*
        ];
    };
    (@plain [$name:ident $params:tt []] $body:tt []) => { pub(super) fn $name $params $body };
    (@plain [$name:ident $params:tt [$result:ty]] $body:tt []) => { pub(super) fn $name $params -> $result $body };
    (@plain $head:tt $body:tt [$plain:tt]) => { loops!(@plain $head $plain []); };
    (@offloaded $head:tt $body:tt [$code:ident] $plain:tt) => { loops!(@plain $head $body $plain); };
    (@offloaded [$name:ident $params:tt []] $body:tt [] $plain:tt) => {
        #[accrue::offload]
        pub(super) fn $name $params $body
    };
    (@offloaded [$name:ident $params:tt [$result:ty]] $body:tt [] $plain:tt) => {
        #[accrue::offload]
        pub(super) fn $name $params -> $result $body
    };
    (@code) => { None };
    (@code $code:ident) => { Some(stringify!($code)) };
}

mod adding;
mod ahead;
mod chains;
mod collections;
mod copies;
mod discrete;
mod domains;
mod evaluated;
mod everyday;
mod extremes;
mod images;
mod joined;
mod lent;
mod libraries;
mod methods;
mod models;
mod neighbours;
mod numerics;
mod searches;
mod settled;
mod since;
mod symmetric;

const FILES: [&[Unseen]; 21] = [
    images::LOOPS,
    numerics::LOOPS,
    discrete::LOOPS,
    models::LOOPS,
    libraries::LOOPS,
    neighbours::LOOPS,
    everyday::LOOPS,
    searches::LOOPS,
    chains::LOOPS,
    copies::LOOPS,
    symmetric::LOOPS,
    extremes::LOOPS,
    collections::LOOPS,
    lent::LOOPS,
    ahead::LOOPS,
    adding::LOOPS,
    settled::LOOPS,
    joined::LOOPS,
    since::LOOPS,
    domains::LOOPS,
    evaluated::LOOPS,
];

/// What is known of the trades in a span of time.
#[derive(Clone, Debug)]
struct Bar {
    high: f64,
    low: f64,
    volume: u64,
    last: u32,
}

fn bars(count: usize) -> Vec<Bar> {
    let bar = |n: &u32| Bar {
        high: f64::from(*n),
        low: f64::from(*n),
        volume: u64::from(*n),
        last: *n,
    };
    words(count, 9).iter().map(bar).collect()
}

/// A picture whose sizes are no `usize`.
struct Sizes {
    w: u32,
    h: u32,
    narrow: u8,
    depth: i32,
    reach: i32,
}

fn sizes(w: u32, h: u32) -> Sizes {
    Sizes {
        w,
        h,
        narrow: w as u8,
        depth: h as i32,
        reach: 2,
    }
}

/// Numbers that are spread over `0..below`, the same every time.
fn words(count: usize, below: u32) -> Vec<u32> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
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

fn ints(count: usize) -> Vec<i32> {
    words(count, 201).iter().map(|x| *x as i32 - 100).collect()
}

/// Floats whose sums and products are exact in any order.
fn quarters(count: usize) -> Vec<f32> {
    words(count, 128)
        .iter()
        .map(|x| (*x as f32 - 64.0) / 4.0)
        .collect()
}

/// The same of twice the size.
fn doubles(count: usize) -> Vec<f64> {
    quarters(count).iter().map(|x| f64::from(*x)).collect()
}

fn text(count: usize) -> String {
    let letters = b"etaoin shrdlu ETAOIN the cat, sat. On  a mat 0123456789 zqxjkv";
    words(count, letters.len() as u32)
        .iter()
        .map(|x| letters[*x as usize] as char)
        .collect()
}

/// The rows of a sparse matrix: where each begins, and its sorted columns.
fn graph(nodes: u32, degree: u32) -> (Vec<usize>, Vec<u32>) {
    let (mut ptr, mut adj) = (vec![0], Vec::new());
    for (node, degree) in words(nodes as usize, degree).into_iter().enumerate() {
        let mut row: Vec<u32> = (0..degree)
            .map(|k| (node as u32 * 7 + k * k * 3) % nodes)
            .collect();
        row.sort_unstable();
        row.dedup();
        adj.extend(row);
        ptr.push(adj.len());
    }
    (ptr, adj)
}

/// Loops whose `exp` and `ln` differ in the last place on a device.
const ROUNDED: [&str; 2] = ["log_returns", "black_scholes"];

/// Runs all loops some way, and compares them with the plain ones.
fn agree(how: &str, call: impl Fn(fn() -> String) -> String, but: &[&str]) {
    let all = FILES.into_iter().flatten();
    for unseen in all.filter(|unseen| !but.contains(&unseen.name)) {
        assert_eq!(
            call(unseen.offloaded),
            (unseen.plain)(),
            "{} {how}",
            unseen.name
        );
    }
}

#[test]
fn unseen_loops_are_right_on_the_host() {
    agree("in order", |call| with_device(Device::Seq, call), &[]);
    let pool = ThreadPoolBuilder::new()
        .num_threads(3)
        .build()
        .expect("three threads");
    pool.install(|| {
        agree("on the CPU", |call| with_device(Device::Cpu, call), &[]);
        for strategy in trials() {
            let call =
                |call: fn() -> String| with_device(Device::Cpu, || with_strategy(strategy, call));
            agree(strategy, call, &[]);
        }
    });
}

#[cfg(feature = "sim")]
#[test]
fn unseen_loops_are_right_in_kernels() {
    agree(
        "in the simulator",
        |call| with_device(Device::Sim, call),
        &ROUNDED,
    );
}

/// What the corpus says of each loop is so, and 95 of 100 are taken.
#[test]
fn most_unseen_loops_are_taken() {
    let files = [
        include_str!("images.rs"),
        include_str!("numerics.rs"),
        include_str!("discrete.rs"),
        include_str!("models.rs"),
        include_str!("libraries.rs"),
        include_str!("neighbours.rs"),
        include_str!("everyday.rs"),
        include_str!("searches.rs"),
        include_str!("chains.rs"),
        include_str!("copies.rs"),
        include_str!("symmetric.rs"),
        include_str!("extremes.rs"),
        include_str!("collections.rs"),
        include_str!("lent.rs"),
        include_str!("ahead.rs"),
        include_str!("adding.rs"),
        include_str!("settled.rs"),
        include_str!("joined.rs"),
        include_str!("since.rs"),
        include_str!("domains.rs"),
        include_str!("evaluated.rs"),
    ];
    let (mut taken, mut all, mut wrong) = (0, 0, Vec::new());
    for function in files.into_iter().flat_map(functions) {
        let Listed { function, refused } = function;
        all += 1;
        let found = codes(&function, false);
        taken += usize::from(found.is_empty());
        let as_listed = match &refused {
            Some(code) => found.iter().any(|found| found.contains(code.as_str())),
            None => found.is_empty(),
        };
        if !as_listed {
            wrong.push(format!("{}: {found:#?}", function.sig.ident));
        }
    }
    println!("{taken} of {all} are taken");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(all, FILES.iter().map(|file| file.len()).sum::<usize>());
    assert!(taken * 100 >= all * 95, "{taken} of {all}");
}

/// The code that stands above each function of `twins.rs` is that of its message.
#[test]
fn what_only_looks_like_them_is_refused() {
    let file: syn::File = syn::parse_str(include_str!("twins.rs")).expect("Rust");
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
        // As what they look like, not as steps with loops inside them.
        let found = codes(&function, true);
        let code = code.value();
        let code = code.trim();
        let name = &function.sig.ident;
        assert!(
            found.iter().any(|f| f.contains(code)),
            "{name}: {code} is not in {found:#?}"
        );
    }
}

/// What a function is refused for.
fn codes(function: &syn::ItemFn, as_marked: bool) -> Vec<String> {
    let args = accrue_compiler::Args {
        any: true,
        as_marked,
        ..Default::default()
    };
    match accrue_compiler::analyze(function, &args) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.iter().map(|d| format!("{} {d:?}", d.code)).collect(),
    }
}

/// A function of a file of the corpus.
struct Listed {
    function: syn::ItemFn,
    refused: Option<String>,
}

/// The functions that a file gives to `loops!`.
fn functions(text: &str) -> Vec<Listed> {
    use syn::parse::{ParseStream, Parser};
    let file: syn::File = syn::parse_str(text).expect("Rust");
    let given = file.items.into_iter().find_map(|item| match item {
        syn::Item::Macro(item) => Some(item.mac.tokens),
        _ => None,
    });
    let listed = |input: ParseStream<'_>| {
        let mut all = Vec::new();
        while !input.is_empty() {
            let function: syn::ItemFn = input.parse()?;
            let mut refused = None;
            while !input.peek(syn::Token![=>]) {
                let word: syn::Ident = input.parse()?;
                if word == "plain" {
                    input.parse::<syn::Block>()?;
                } else {
                    refused = Some(input.parse::<syn::Ident>()?.to_string());
                }
            }
            input.parse::<syn::Token![=>]>()?;
            input.parse::<syn::Block>()?;
            all.push(Listed { function, refused });
        }
        Ok(all)
    };
    listed
        .parse2(given.expect("a call of loops!"))
        .expect("loops")
}
