//! Arrays of tuples on every device: Rust leaves open how a tuple lies in memory, so kernels ask rustc. And elements that patterns take apart, where names are
//! references to the parts.

#![allow(clippy::all, reason = "loops are written as people write them")]

use accrue::{Device, offload, with_device};

/// A function as it is written, and offloaded.
macro_rules! both {
    ($($plain:ident $offloaded:ident($($name:ident: $ty:ty),*) $body:block)*) => {
        $(
            fn $plain($($name: $ty),*) $body

            #[offload]
            fn $offloaded($($name: $ty),*) $body
        )*
    };
}

both! {
    lengths_plain lengths(points: &[(f64, f64)], out: &mut [f64]) {
        for (o, (x, y)) in out.iter_mut().zip(points) {
            *o = (x * x + y * y).sqrt();
        }
    }

    by_hour_plain by_hour(ticks: &[(f32, u32)], sums: &mut [u64], counts: &mut [u32]) {
        for &(price, time) in ticks {
            let hour = (time / 3600) as usize % 24;
            sums[hour] += (price * 8.0) as u64;
            counts[hour] += 1;
        }
    }

    mixed_plain mixed(rows: &[(u8, u64, bool, u32)], out: &mut [u64]) {
        for i in 0..rows.len() {
            let r = rows[i];
            out[i] = if r.2 { u64::from(r.0) } else { r.1 ^ u64::from(r.3) };
        }
    }

    even_plain even(rows: &[(u16, u64, u16, u32)], out: &mut [u64]) {
        for i in 0..rows.len() {
            let (a, b, c, d) = rows[i];
            out[i] = b.wrapping_mul(u64::from(a)) ^ u64::from(c) << 40 ^ u64::from(d);
        }
    }

    flags_plain flags(rows: &[(u8, bool, i8, bool, u16, u16)], out: &mut [u64]) {
        for i in 0..rows.len() {
            let r = rows[i];
            out[i] = u64::from(r.0) << 8 | u64::from(r.1) << 16 | u64::from(r.2 as u8) << 24 | u64::from(r.3) << 32 | u64::from(r.4 ^ r.5) << 40;
        }
    }

    turned_plain turned(pixels: &mut [(u8, u8, u8)]) {
        for p in pixels.iter_mut() {
            *p = (p.2, p.0 / 2, p.1);
        }
    }

    moved_plain moved(bodies: &mut [((f32, f32), f32)], by: f32) {
        for b in bodies.iter_mut() {
            b.0.0 += by * b.1;
        }
    }

    fields_plain fields(from: &[(i32, i16, i16)], to: &mut [(i16, i32, i16)]) {
        for (i, f) in from.iter().enumerate() {
            to[i].0 = f.1;
            to[i].1 = f.0;
            to[i].2 = f.2.wrapping_add(1);
        }
    }

    degrees_plain degrees(edges: &[(u32, u32)], degree: &mut [u32]) {
        for &(a, b) in edges {
            degree[a as usize] += 1;
            degree[b as usize] += 1;
        }
    }

    nested_plain nested(pairs: &[[(u32, u32); 2]], out: &mut [u32]) {
        for (p, o) in pairs.iter().zip(out.iter_mut()) {
            *o = 0;
            for k in 0..2 {
                *o ^= p[k].0.wrapping_mul(3) ^ p[k].1;
            }
        }
    }
}

/// A loop's results on every device, as those of the plain one.
fn compare(devices: &[Device], n: usize) {
    let at = |i: usize, of: u64| {
        (i as u64)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .rotate_left(17)
            ^ of
    };
    let points: Vec<(f64, f64)> = (0..n)
        .map(|i| ((at(i, 1) % 100) as f64, (at(i, 2) % 77) as f64))
        .collect();
    let ticks: Vec<(f32, u32)> = (0..n)
        .map(|i| ((at(i, 3) % 100) as f32, at(i, 4) as u32))
        .collect();
    let rows: Vec<_> = (0..n)
        .map(|i| (at(i, 5) as u8, at(i, 6), i % 3 == 0, at(i, 8) as u32))
        .collect();
    let evens: Vec<_> = (0..n)
        .map(|i| (at(i, 5) as u16, at(i, 6), at(i, 7) as u16, at(i, 8) as u32))
        .collect();
    let marked: Vec<_> = (0..n)
        .map(|i| {
            (
                at(i, 5) as u8,
                i % 3 == 0,
                at(i, 6) as i8,
                i % 2 == 0,
                at(i, 7) as u16,
                i as u16,
            )
        })
        .collect();
    let colours: Vec<(u8, u8, u8)> = (0..n)
        .map(|i| (i as u8, at(i, 9) as u8, at(i, 10) as u8))
        .collect();
    let bodies: Vec<((f32, f32), f32)> = (0..n)
        .map(|i| ((i as f32, 1.0), (at(i, 11) % 9) as f32))
        .collect();
    let halves: Vec<(i32, i16, i16)> = (0..n)
        .map(|i| (at(i, 12) as i32, at(i, 13) as i16, at(i, 14) as i16))
        .collect();
    let edges: Vec<(u32, u32)> = (0..n)
        .map(|i| (at(i, 15) as u32 % 50, at(i, 16) as u32 % 50))
        .collect();
    let pairs: Vec<[(u32, u32); 2]> = (0..n)
        .map(|i| [(i as u32, 7), (at(i, 17) as u32, at(i, 18) as u32)])
        .collect();
    macro_rules! same {
        ($($plain:ident $offloaded:ident($($arg:expr),*; $($out:expr),*);)*) => {
            $({
                let run = |f: &dyn Fn(&mut Vec<String>)| {
                    let mut text = Vec::new();
                    f(&mut text);
                    text
                };
                let expected = run(&|text| same!(@call text, $plain($($arg),*; $($out),*)));
                for device in devices {
                    let got = run(&|text| with_device(*device, || same!(@call text, $offloaded($($arg),*; $($out),*))));
                    assert_eq!(got, expected, "{} on {device}, {n} items", stringify!($offloaded));
                }
            })*
        };
        (@call $text:ident, $f:ident($($arg:expr),*; $a:expr)) => {{
            let mut a = $a.clone();
            $f($($arg,)* &mut a);
            $text.push(format!("{a:?}"));
        }};
        (@call $text:ident, $f:ident($($arg:expr),*; $a:expr, $b:expr)) => {{
            let (mut a, mut b) = ($a.clone(), $b.clone());
            $f($($arg,)* &mut a, &mut b);
            $text.push(format!("{a:?} {b:?}"));
        }};
    }
    same! {
        lengths_plain lengths(&points; vec![0.0; n]);
        by_hour_plain by_hour(&ticks; vec![0u64; 24], vec![7u32; 24]);
        mixed_plain mixed(&rows; vec![1u64; n]);
        even_plain even(&evens; vec![1u64; n]);
        flags_plain flags(&marked; vec![1u64; n]);
        turned_plain turned(; colours);
        fields_plain fields(&halves; vec![(0i16, 0i32, 0i16); n]);
        degrees_plain degrees(&edges; vec![0u32; 50]);
        nested_plain nested(&pairs; vec![5u32; n]);
    }
    let mut expected = bodies.clone();
    moved_plain(&mut expected, 0.5);
    for device in devices {
        let mut got = bodies.clone();
        with_device(*device, || moved(&mut got, 0.5));
        assert_eq!(got, expected, "moved on {device}, {n} items");
    }
}

#[test]
fn the_cpu_takes_them() {
    for n in [0, 1, 1000, 100_000] {
        compare(&[Device::Seq, Device::Cpu], n);
    }
}

#[cfg(feature = "sim")]
#[test]
fn kernels_take_those_without_gaps() {
    for n in [0, 1, 33, 2500] {
        compare(&[Device::Sim, Device::Sims(2)], n);
    }
    for told in [
        lengths::explain(),
        by_hour::explain(),
        even::explain(),
        flags::explain(),
        turned::explain(),
        fields::explain(),
        degrees::explain(),
        nested::explain(),
    ] {
        assert!(told.contains(" on sim"), "{told}");
    }
    // There are gaps between a byte and a word, and a tuple in a tuple is not looked into.
    for told in [mixed::explain(), moved::explain()] {
        assert!(
            told.contains("whose layout in memory Rust leaves open"),
            "{told}"
        );
    }
}

#[cfg(feature = "sim")]
#[test]
fn they_may_be_in_buffers() {
    use accrue::{DeviceBuffer, Resident};
    let points = [(3.0, 4.0), (0.0, 2.0), (5.0, 12.0)];
    with_device(Device::Sim, || {
        let buffer = DeviceBuffer::from_slice(&points).unwrap();
        let mut out = vec![0.0; 3];
        lengths::on(&buffer, &mut out).unwrap();
        assert_eq!(out, [5.0, 2.0, 13.0]);
        let mut pixels = Resident::from(vec![(1u8, 8u8, 3u8); 100]);
        turned::on(&mut pixels).unwrap();
        turned::on(&mut pixels).unwrap();
        assert_eq!(pixels.host()[99], (8, 1, 0));
    });
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, accrue::DeviceType)]
struct Body {
    x: f32,
    m: u32,
}

macro_rules! taken_apart {
    ($($name:ident($p:ident: $ty:ty) $body:block)*) => {
        mod plain {
            use super::Body;
            $(pub(super) fn $name($p: &mut $ty) $body)*
        }
        mod offloaded {
            use super::Body;
            $(#[accrue::offload(uses(Body))] pub(super) fn $name($p: &mut $ty) $body)*
        }
        /// Each by its name, of a number of items, on a device or as it is.
        const APART: &[(&str, fn(usize, Option<Device>) -> String)] = &[
            $((stringify!($name), |n, device| {
                let mut data: Vec<<$ty as Elements>::Of> = (0..n).map(Some).map(|i| Made::made(i.unwrap())).collect();
                match device {
                    None => plain::$name(&mut data[..]),
                    Some(device) => with_device(device, || offloaded::$name(&mut data[..])),
                }
                format!("{data:?}")
            }),)*
        ];
    };
}

trait Elements {
    type Of;
}

impl<T> Elements for [T] {
    type Of = T;
}

trait Made {
    fn made(i: usize) -> Self;
}

impl Made for u32 {
    fn made(i: usize) -> u32 {
        (i as u32).wrapping_mul(2_654_435_761) >> 7
    }
}

impl Made for (u32, u32) {
    fn made(i: usize) -> (u32, u32) {
        (u32::made(i), i as u32)
    }
}

impl Made for Body {
    fn made(i: usize) -> Body {
        Body {
            x: i as f32,
            m: u32::made(i),
        }
    }
}

impl<T: Made, const N: usize> Made for [T; N] {
    fn made(i: usize) -> [T; N] {
        std::array::from_fn(|k| T::made(N * i + k))
    }
}

taken_apart! {
    array_in_the_header(p: [[u32; 2]]) { for [a, b] in p.iter_mut() { let t = *a; *a = b.wrapping_add(t); *b = t; } }
    array_behind_a_position(p: [[u32; 3]]) { for (i, [a, _, c]) in p.iter_mut().enumerate() { *a ^= i as u32; *c = a.wrapping_mul(3); } }
    array_in_a_let(p: [[u32; 2]]) { for q in p.iter_mut() { let [a, b] = q; *a = a.wrapping_add(1); *b ^= *a; } }
    array_of_a_reference(p: [[u32; 2]]) { for i in 0..p.len() { let [a, b] = &mut p[i]; std::mem::swap(a, b); *b ^= 9; } }
    copies_of_an_array(p: [[u32; 2]]) { for q in p.iter_mut() { let [a, b] = *q; q[0] = b; q[1] = a.wrapping_add(b); } }
    copies_behind_a_reference(p: [[u32; 2]]) { for q in p.iter_mut() { let &mut [a, b] = q; q[0] = b; q[1] = a.wrapping_add(q[0]); } }
    copies_in_the_header(p: [[u32; 2]]) { for &mut [a, ref mut b] in p.iter_mut() { *b = a.wrapping_mul(*b); } }
    tuple_in_the_header(p: [(u32, u32)]) { for (a, b) in p.iter_mut() { let t = *a; *a = b.wrapping_add(t); *b = t; } }
    tuple_in_a_let(p: [(u32, u32)]) { for q in p.iter_mut() { let (a, b) = q; *a = a.wrapping_add(1); *b ^= *a; } }
    struct_in_the_header(p: [Body]) { for Body { x, m } in p.iter_mut() { *x += *m as f32; *m = 2; } }
    struct_in_a_let(p: [Body]) { for (i, b) in p.iter_mut().enumerate() { let Body { x, m: mass } = b; *x *= 0.5; *mass += i as u32 & 1; } }
    struct_by_ref_mut(p: [Body]) { for b in p.iter_mut() { let Body { ref mut x, m } = *b; *x += m as f32; } }
    struct_in_a_match(p: [Body]) { for b in p.iter_mut() { match b { Body { x, m: 7 } => *x = 0.0, Body { x, m } if *m % 2 == 0 => { *x -= 1.0; *m += 1; } Body { m, .. } => *m /= 2 } } }
    struct_in_an_if_let(p: [Body]) { for b in p.iter_mut() { if let Body { x, m: 0..=1000 } = b { *x = -*x; } } }
    rows_in_let_else(p: [u32]) { for row in p.chunks_exact_mut(3) { let [r, g, b] = row else { unreachable!() }; *r = g.wrapping_add(*b); *b = *r; } }
    rows_in_an_if_let(p: [u32]) { for row in p.chunks_mut(3) { if let [r, .., b] = row { std::mem::swap(r, b); *r ^= 5; } } }
    rows_in_a_match(p: [u32]) { for row in p.chunks_mut(2) { match row { [a, b] => { *a ^= *b; *b = 0; } [a] => *a = 77, _ => {} } } }
    another_name(p: [u32]) { for q in p.iter_mut() { let r = &mut *q; *r ^= 1; let again = &mut *r; *again += 1; } }
    nested(p: [[Body; 2]]) { for q in p.iter_mut() { for Body { x, m } in q.iter_mut() { *x += *m as f32; } let [Body { m, .. }, Body { x, .. }] = q; *m = *x as u32 & 3; } }
    rows_of_rows(p: [[[u32; 2]; 2]]) { for q in p.iter_mut() { for [a, b] in q.iter_mut() { *a = a.wrapping_add(*b); } } }
    copies_of_the_whole(p: [[u32; 2]]) { for q in p.iter_mut() { let t = *q; q[0] = 9; q[1] = t[0]; } }
    copies_in_a_tuple(p: [[u32; 2]]) { for (i, q) in p.iter_mut().enumerate() { let (t, k) = (*q, i as u32); let u = (q[1], k); q[0] = 9; q[1] = t[0] ^ k; q[0] ^= u.0 + u.1; } }
    copies_of_rows(p: [[[u32; 2]; 2]]) { for q in p.iter_mut() { let [a, b] = *q; q[0][1] = 4; q[1] = [a[1], b[0]]; let c = q[1]; q[1][0] = 8; q[0][0] = c[0]; } }
    copies_beside_a_reference(p: [[[u32; 2]; 2]]) { for q in p.iter_mut() { let [ref mut a, b] = *q; a[0] = 9; q[1][0] = 5; q[0][1] = b[0]; } }
    copies_by_index(p: [(u32, u32)]) { for i in 0..p.len() { let t = p[i]; let u = (p[i], 3); p[i].0 = 9; p[i].1 = t.0 ^ u.0.1; } }
    copies_of_a_body(p: [Body]) { for b in p.iter_mut() { let old = *b; b.m += 1; b.x = old.m as f32; let Body { m, .. } = *b; b.m = 1; b.x += m as f32; } }
    copies_maybe(p: [[u32; 2]]) { for q in p.iter_mut() { let t = q.first().copied(); let u = q.get(1).map(|v| *v); q[0] = 9; q[1] = t.unwrap_or(3) ^ u.unwrap_or(1); } }
    swapped_names(p: [[u32; 2]]) { for q in p.iter_mut() { let [a, b] = q; std::mem::swap(a, b); *a ^= 3; } }
    swapped_halves(p: [u32]) { let n = p.len(); let (a, b) = p.split_at_mut(n / 2); for (x, y) in a.iter_mut().zip(b.iter_mut().rev()) { std::mem::swap(x, y); *x ^= 1; } }
    replaced(p: [Body]) { for Body { x, m } in p.iter_mut() { let old = std::mem::replace(m, 5); *x = if x.is_finite() { old as f32 } else { 0.0 }; } }
    shadowed(p: [[u32; 2]]) { for q in p.iter_mut() { let [a, b] = q; let c = { let a = *a + 1; a ^ *b }; *a = c; *b = c; } }
    a_name_taken_apart(p: [[u32; 2]]) { for i in 0..p.len() { let q = &mut p[i]; let [a, b] = q; std::mem::swap(a, b); *b ^= 9; } }
    a_tuple_taken_apart(p: [(u32, u32)]) { for i in 0..p.len() { let q = &mut p[i]; let (a, b) = q; *a ^= *b; *b = 3; } }
    ref_mut_of_an_element(p: [[u32; 2]]) { for i in 0..p.len() { let [ref mut a, b] = p[i]; *a = a.wrapping_mul(b); } }
    ref_mut_in_a_match(p: [(u32, u32)]) { for i in 0..p.len() { match p[i] { (0, _) => {} (ref mut a, b) => *a = b } } }
    ref_mut_of_a_number(p: [u32]) { for i in 0..p.len() { let ref mut a = p[i]; *a = a.wrapping_mul(3); } }
    moved_name(p: [[u32; 2]]) { for i in 0..p.len() { let q = &mut p[i]; let r = q; r[0] = r[1]; } }
    moved_item(p: [[u32; 2]]) { for q in p.iter_mut() { let r = q; r[0] = r[1]; } }
    moved_number(p: [u32]) { for (i, q) in p.iter_mut().enumerate() { let r = q; *r = r.wrapping_add(i as u32); } }
    moved_halves(p: [u32]) { let n = p.len(); let (a, b) = p.split_at_mut(n / 2); for (x, y) in a.iter_mut().zip(b.iter_mut()) { let mut z = x; *z ^= 1; z = y; *z += 3; } }
    typed_names(p: [[u32; 2]]) { for i in 0..p.len() { let q: &mut [u32; 2] = &mut p[i]; q[0] = 7; let r: &mut u32 = &mut q[1]; *r ^= 5; } }
    bound_anew(p: [[u32; 2]]) { for q in p.iter_mut() { let [a, b] = q; let mut r = &mut *a; *r ^= 1; r = b; *r += 3; } }
    bound_anew_of_locals(p: [u32]) { for v in p.iter_mut() { let (mut a, mut b) = (*v, 1); let mut r = &mut a; if *v % 2 == 0 { r = &mut b; } *r = 77; *v = a ^ b; } }
    a_copy_of_its_own(p: [[u32; 2]]) { let n = p.len() / 2; let (a, b) = p.split_at_mut(n); for (mut x, y) in a.iter().copied().zip(b.iter_mut()) { x[0] ^= 3; x.swap(0, 1); *y = x; } }
    a_position_of_its_own(p: [u32]) { for (mut i, q) in p.iter_mut().enumerate() { i *= 3; i += 1; *q ^= i as u32; } }
    a_let_before_more(p: [u32]) { for i in 0..p.len() { if let Some(q) = p.get_mut(i) && i % 3 == 0 { *q ^= 1; } } }
    hidden_behind_a_loop(p: [u32]) { for v in p.iter_mut() { *v ^= 3; } let n = p.len() / 2; let (p, q) = p.split_at_mut(n); let p = &*p; for i in 0..n { q[i] ^= p[i]; } }
    hidden_by_a_number(p: [[u32; 2]]) { for q in p.iter_mut() { let [a, b] = q; { let a = 3; *b ^= a; } let r = a; *r = 8; } }
    hides_a_number(p: [[u32; 2]]) { for q in p.iter_mut() { let mut a = 5; { let [a, _] = q; *a = 1; } let r = a; a += 1; q[1] = r * 10 + a; } }
    the_match_of_a_number(p: [u32]) { for v in p.iter_mut() { match *v { 0 => {} ref mut n => *n = n.wrapping_mul(3) } } }
}

#[test]
fn names_of_parts_are_references_to_them() {
    let mut devices = vec![Device::Seq, Device::Cpu];
    if cfg!(feature = "sim") {
        devices.push("sim".parse().unwrap());
    }
    for (name, run) in APART {
        for n in [0, 1, 7, 500] {
            let expected = run(n, None);
            for device in &devices {
                assert_eq!(
                    run(n, Some(*device)),
                    expected,
                    "{name} on {device}, {n} items"
                );
            }
        }
    }
}
