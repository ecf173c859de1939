//! Loops over arrays of ndarray and pictures of image: what they become, beside the same loops over slices.

#![cfg(feature = "gpu")]

use accrue_compiler::parse::args::Args;
use accrue_compiler::{Compiled, Crates, Outputs, stages};

const ALL: Crates = Crates {
    ndarray: true,
    image: true,
};

fn compiled(source: &str, crates: Crates) -> Result<Compiled, String> {
    let function = syn::parse_str(source).unwrap_or_else(|e| panic!("{e}: {source}"));
    let args = Args {
        any: true,
        as_marked: true,
        ..Args::default()
    };
    let outputs = Outputs { gpu: true, crates };
    let compiled = stages(function, &args, &Default::default(), Some(outputs));
    compiled.map_err(|errors| errors.to_string())
}

/// The strategies of the kernels of a function's loops.
fn strategies(source: &str) -> Vec<String> {
    let compiled = compiled(source, ALL).unwrap_or_else(|e| panic!("{e}\n{source}"));
    let forms = compiled.forms.iter();
    let modules = forms.flat_map(|forms| {
        assert!(forms.obstacles.is_empty(), "{source}");
        &forms.modules
    });
    modules
        .map(|module| format!("{:?} {:?}", module.abi.strategy, module.abi.cut))
        .collect()
}

#[test]
fn kernels_are_those_of_slices() {
    for (arrays, slices) in [
        (
            "fn product(a: &Array2<f32>, b: &Array2<f32>, c: &mut Array2<f32>) { let n = b.ncols();
             for i in 0..a.nrows() { for j in 0..n { for k in 0..a.ncols() { c[[i, j]] += a[[i, k]] * b[[k, j]]; } } } }",
            "fn product(h: usize, m: usize, w: usize, v: usize, n: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
             for i in 0..h { for j in 0..n { for k in 0..m { c[i * w + j] += a[i * m + k] * b[k * v + j]; } } } }",
        ),
        (
            "fn blur(a: &Array2<f32>, out: &mut Array2<f32>) { let (h, w) = a.dim();
             for y in 1..h - 1 { for x in 1..w - 1 { out[[y, x]] = a[[y - 1, x]] + a[[y + 1, x]] + a[[y, x - 1]] + a[[y, x + 1]]; } } }",
            "fn blur(h: usize, w: usize, v: usize, u: usize, a: &[f32], out: &mut [f32]) {
             for y in 1..h - 1 { for x in 1..w - 1 { out[y * v + x] = a[(y - 1) * u + x] + a[(y + 1) * u + x] + a[y * u + x - 1] + a[y * u + x + 1]; } } }",
        ),
        (
            "fn joint(a: &Array1<u8>, b: &Array1<u8>, h: &mut Array2<u32>) {
             for i in 0..a.len() { h[[a[i] as usize, b[i] as usize]] += 1; } }",
            "fn joint(a: &[u8], b: &[u8], v: usize, h: &mut [u32]) {
             for i in 0..a.len() { h[a[i] as usize * v + b[i] as usize] += 1; } }",
        ),
        (
            "fn invert(img: &RgbImage, out: &mut RgbImage) {
             for y in 0..img.height() { for x in 0..img.width() { let p = img.get_pixel(x, y);
             out.put_pixel(x, y, Rgb([255 - p[0], 255 - p.0[1], 255 - p[2]])); } } }",
            "fn invert(h: u32, w: u32, u: usize, v: usize, img: &[[u8; 3]], out: &mut [[u8; 3]]) {
             for y in 0..h { for x in 0..w { let p = &img[y as usize * u + x as usize];
             out[y as usize * v + x as usize] = [255 - p[0], 255 - p[1], 255 - p[2]]; } } }",
        ),
    ] {
        let of_slices = strategies(slices);
        assert!(!of_slices.is_empty(), "{slices}");
        assert_eq!(strategies(arrays), of_slices, "{arrays}");
    }
}

#[test]
fn indices_are_compared_before_the_loop_where_that_tells() {
    let checks = |body: &str| {
        let source = format!(
            "fn f(n: usize, s: &[usize], a: &Array2<u32>, out: &mut Array2<u32>) {{ {body} }}"
        );
        let compiled = compiled(&source, ALL).unwrap_or_else(|e| panic!("{e}\n{source}"));
        compiled.analysis.loops[0]
            .ir
            .to_string()
            .matches("check")
            .count()
    };
    for (body, expected) in [
        (
            "for y in 0..n { for x in 0..n { out[[y, x]] = a[[y, n - 1 - x]]; } }",
            0,
        ),
        (
            "for y in (0..n).rev() { out[[2 * y + 1, 0]] = a[[y, n]]; }",
            0,
        ),
        // What only some iterations come to.
        (
            "for y in 0..n { if s[y] > 3 { out[[y, 1]] = a[[y + 1, 0]]; } }",
            2,
        ),
        (
            "for y in 0..n { if s[y] > 3 { continue; } out[[y, 1]] = 1; }",
            1,
        ),
        ("for y in 0..n { out[[y, 1]] = a[[s[y], 0]]; }", 1),
        (
            "for y in 1..n as i32 { out[[(y - 1) as usize, 1]] = a[[y as usize, 0]]; }",
            2,
        ),
        ("for y in 0..n { for k in 0..y { out[[y, k]] = 7; } }", 0),
        (
            "for y in 0..n { for k in 0..s[y] { out[[y, 0]] += a[[y, k]]; } }",
            1,
        ),
        // Names that are not what they were.
        (
            "for y in 0..n { let n = s[y]; out[[y, 0]] = a[[y, n]]; }",
            2,
        ),
    ] {
        assert_eq!(checks(body), expected, "{body}");
    }
}

#[test]
fn what_is_done_besides_leaves_an_array_as_it_is() {
    let slices = |body: &str| {
        let source =
            format!("fn f(a: &Array2<f32>, img: &GrayImage, out: &mut [f32]) {{ {body} }}");
        let compiled = compiled(&source, ALL).unwrap_or_else(|e| panic!("{e}\n{source}"));
        compiled.tokens.to_string().contains("flat :: lies")
    };
    for (body, expected) in [
        ("for y in 0..out.len() { out[y] = a[[y, 0]]; }", true),
        (
            "for y in 0..out.len() { out[y] = a[[y, 0]] + a.row(y).sum(); }",
            false,
        ),
        (
            "for (y, row) in a.outer_iter().enumerate() { out[y] = row[3]; }",
            true,
        ),
        (
            "for y in 0..out.len() { let p = img.get_pixel(0, y as u32); out[y] = p[0] as f32; }",
            true,
        ),
        (
            "for y in 0..out.len() { let p = img.get_pixel(0, y as u32); out[y] = p.to_luma()[0] as f32; }",
            false,
        ),
        (
            "for y in 0..out.len() { out[y] = brightness(img[(0, y as u32)]); }",
            false,
        ),
        // Another thing by the same name.
        (
            "for y in 0..out.len() { let a = [[1.0; 2]; 3]; out[y] = a[y % 3][1]; }",
            false,
        ),
    ] {
        assert_eq!(slices(body), expected, "{body}");
    }
}

#[test]
fn messages_and_explanations_say_what_is_written() {
    let above = "fn f(a: &mut Array2<f32>) { for y in 1..a.nrows() { for x in 0..a.ncols() { a[[y, x]] = a[[y - 1, x]]; } } }";
    let message = compiled(above, ALL).err().expect("iterations meet");
    assert!(message.contains("`a[[y - 1, x]]`"), "{message}");
    assert!(!message.contains("__accrue"), "{message}");
    let ok = "fn f(a: &Array1<f32>, img: &GrayImage, out: &mut Array2<f32>) { for y in 0..out.nrows() {
        for x in 0..out.ncols() { out[[y, x]] = a[x] * img.get_pixel(x as u32, y as u32)[0] as f32; } } }";
    let compiled = compiled(ok, ALL).unwrap_or_else(|e| panic!("{e}"));
    let explain = compiled.explain();
    assert!(explain.contains("own out: f32"), "{explain}");
    assert!(!explain.contains("__accrue"), "{explain}");
}

#[test]
fn a_feature_that_is_off_is_named() {
    let crates = Crates::default();
    for (source, feature) in [
        (
            "fn f(a: &mut Array2<f32>) { for y in 0..4 { a[[y, 0]] = 1.0; } }",
            "ndarray",
        ),
        (
            "fn f(img: &mut GrayImage) { for y in 0..4 { img.put_pixel(0, y, Luma([1])); } }",
            "image",
        ),
    ] {
        let message = compiled(source, crates)
            .err()
            .expect("nothing is known of it");
        assert!(
            message.contains(&format!("the feature `{feature}`")),
            "{message}"
        );
    }
}
