//! Translated by acc2rs from `row_fields.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments, unused_variables)]

use accrue::offload;

mod c;

// Structs with a block of memory and a table of rows in it.
#[allow(dead_code)]
#[derive(Clone, Debug)]
struct Image {
    w: i32,
    h: i32,
    pix: Vec<u8>,
    line: Vec<usize>,
}

#[allow(dead_code)]
#[derive(Clone, Debug)]
struct Grid {
    n: i32,
    m: i32,
    buf: Vec<f64>,
    a: Vec<usize>,
}

#[allow(dead_code)]
#[derive(Clone, Debug)]
struct Matrix {
    rows: i32,
    cols: i32,
    data: Vec<f64>,
    row: Vec<usize>,
}

impl Image {
    /// All fields zero, as C initializes them.
    fn zeroed() -> Image {
        Image {
            w: 0,
            h: 0,
            pix: Vec::new(),
            line: Vec::new(),
        }
    }
}

impl Grid {
    /// All fields zero, as C initializes them.
    fn zeroed() -> Grid {
        Grid {
            n: 0,
            m: 0,
            buf: Vec::new(),
            a: Vec::new(),
        }
    }
}

impl Matrix {
    /// All fields zero, as C initializes them.
    fn zeroed() -> Matrix {
        Matrix {
            rows: 0,
            cols: 0,
            data: Vec::new(),
            row: Vec::new(),
        }
    }
}

/// Sets `to`, the loop at row_fields.c:32:9.
#[offload]
fn compute_to(buf: &[f64], m: i32, up: usize, down: usize, mid: usize, to: &mut [f64]) {
    for j in 1..m - 1 {
        to[j as usize] = 0.25
            * (buf[up + j as usize]
                + buf[down + j as usize]
                + buf[mid.wrapping_add(j as usize - 1)]
                + buf[mid + (j as usize + 1)]);
    }
}

/// Adds into `s`, the loop at row_fields.c:52:13.
#[allow(clippy::too_many_arguments)]
#[offload]
fn sum_s(
    data: &[f64],
    row: &[usize],
    b_data: &[f64],
    b_row: &[usize],
    a_cols: i32,
    i: i32,
    j: i32,
    mut s: f64,
) -> f64 {
    for k in 0..a_cols {
        s += data[row[i as usize] + k as usize] * b_data[b_row[k as usize] + j as usize];
    }
    s
}

/// Counts into `hist`, the loop at row_fields.c:63:5.
#[offload(histogram)]
fn count_hist(pix: &[u8], hist: &mut [i32]) {
    for i in 0..(31 * 17) as usize {
        hist[pix[i] as usize] += 1;
    }
}

fn image_init(im: &mut Image, w: i32, h: i32) {
    im.w = w;
    im.h = h;
    im.pix = vec![0_u8; w as usize * h as usize];
    im.line = vec![0_usize; h as usize];
    if im.pix.is_empty() || im.line.is_empty() {
        eprintln!("no memory");
        std::process::exit(1);
    }
    for y in 0..h {
        im.line[y as usize] = y as usize * w as usize;
    }
}

fn grid(n: i32, m: i32) -> Grid {
    let mut g: Grid = Grid::zeroed();
    g.n = n;
    g.m = m;
    g.buf = vec![0.0_f64; n as usize * m as usize];
    g.a = vec![0_usize; n as usize];
    g.a[0] = 0;
    for i in 1..n {
        g.a[i as usize] = g.a[(i - 1) as usize] + m as usize;
    }
    g
}

fn relax(out: &mut Grid, in_: &Grid) {
    let n: i32 = in_.n;
    let m: i32 = in_.m;
    for i in 1..n - 1 {
        let up: usize = in_.a[(i - 1) as usize];
        let mid: usize = in_.a[i as usize];
        let down: usize = in_.a[(i + 1) as usize];
        let to: usize = out.a[i as usize];
        compute_to(&in_.buf, m, up, down, mid, &mut out.buf[to..]);
    }
}

fn matrix_new(rows: i32, cols: i32) -> Vec<Matrix> {
    let mut m: Vec<Matrix> = vec![Matrix::zeroed(); 1];
    m[0].rows = rows;
    m[0].cols = cols;
    m[0].data = vec![0.0_f64; (rows * cols) as usize];
    m[0].row = vec![0_usize; rows as usize];
    for i in 0..rows {
        m[0].row[i as usize] = (i * cols) as usize;
    }
    m
}

fn matrix_free(m: &mut [Matrix]) {
    m[0].row = Vec::new();
    m[0].data = Vec::new();
    let _ = m;
}

fn mul(a: &Matrix, b: &Matrix, c_: &mut Matrix) {
    // In order: two iterations may write the same element, `c_data[c_row[i as usize] + j as
    // usize]` [accrue::H057].
    for i in 0..a.rows {
        for j in 0..b.cols {
            let mut s: f64 = 0.0;
            s = sum_s(&a.data, &a.row, &b.data, &b.row, a.cols, i, j, s);
            c_.data[c_.row[i as usize] + j as usize] = s;
        }
    }
}

fn main() {
    let mut im: Image = Image::zeroed();
    image_init(&mut im, 31, 17);
    for y in 0..17 {
        for x in 0..31 {
            im.pix[im.line[y as usize] + x as usize] = (x * y) as u8;
        }
    }
    let mut hist: [i32; 256] = [0; 256];
    count_hist(&im.pix, &mut hist);
    let mut s: i32 = 0;
    for i in 0..256 {
        s += hist[i as usize] * i;
    }
    println!("{}", s);
    let mut g: Grid = grid(9, 11);
    let mut k: Grid = grid(9, 11);
    for j in 0..11 {
        k.buf[k.a[0] + j as usize] = j as f64;
        g.buf[g.a[0] + j as usize] = k.buf[k.a[0] + j as usize];
    }
    for _ in 0..6 {
        relax(&mut k, &g);
        relax(&mut g, &k);
    }
    let mut r: f64 = 0.0;
    for i in 0..99 {
        r += g.buf[i];
    }
    println!("{:.9} {:.9}", c::Float(r), c::Float(g.buf[g.a[3] + 3]));
    let mut a: Vec<Matrix> = matrix_new(6, 8);
    let mut b: Vec<Matrix> = matrix_new(8, 5);
    let mut c_: Vec<Matrix> = matrix_new(6, 5);
    for i in 0..48 {
        a[0].data[i as usize] = i as f64 * 0.25;
    }
    for i in 0..8 {
        for j in 0..5 {
            let at = b[0].row[i as usize] + j as usize;
            b[0].data[at] = (i - j) as f64;
        }
    }
    mul(&a[0], &b[0], &mut c_[0]);
    let mut t: f64 = 0.0;
    for i in 0..30 {
        t += c_[0].data[i as usize] * i as f64;
    }
    println!(
        "{:.6} {:.6}",
        c::Float(t),
        c::Float(c_[0].data[c_[0].row[2] + 3])
    );
    matrix_free(&mut a);
    matrix_free(&mut b);
    matrix_free(&mut c_);
    im.line = Vec::new();
    im.pix = Vec::new();
    g.a = Vec::new();
    g.buf = Vec::new();
    k.a = Vec::new();
    k.buf = Vec::new();
}
