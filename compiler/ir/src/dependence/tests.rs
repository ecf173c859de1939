//! Known nests, and random ones against all of their accesses enumerated.

mod brute;

use super::*;

const W: Param = Param(0);
const H: Param = Param(1);
const N: Param = Param(2);

fn p(param: Param) -> Poly {
    Poly::param(param)
}

fn c(value: i128) -> Poly {
    Poly::constant(value)
}

fn var(number: usize) -> Affine {
    Affine::var(LoopVar(number))
}

fn only(poly: Poly) -> Affine {
    Affine::constant(poly)
}

/// A nest of loops of so many positions; the first `parallel` are the parallel loop.
fn nest(parallel: usize, counts: &[Affine]) -> Nest {
    let vars = counts.iter().enumerate().map(|(n, most)| Extent {
        parallel: n < parallel,
        most: vec![most.clone()],
    });
    Nest {
        vars: vars.collect(),
        facts: Vec::new(),
    }
}

fn at(indices: &[Affine]) -> Access {
    Access {
        indices: indices.iter().cloned().map(Some).collect(),
    }
}

fn own(nest: &Nest, index: Affine) -> Verdict {
    let access = at(&[index]);
    meet(nest, &access, &access)
}

#[test]
fn a_triangle_and_its_mirror_are_apart() {
    let square = |y: Affine, x: Affine| at(&[y.times(&p(N)).plus(&x)]);
    // for i in 0..n { for j in 0..=i { out[i * n + j] = ..; out[j * n + i] = ..; } }
    let below = nest(1, &[only(p(N)), var(0).plus(&only(c(1)))]);
    let mirrored = meet(&below, &square(var(0), var(1)), &square(var(1), var(0)));
    assert_eq!(mirrored, Verdict::Apart);
    // for i in 0..n { for j in i..n { .. } }
    let above = nest(1, &[only(p(N)), only(p(N)).plus(&var(0).times(&c(-1)))]);
    let j = var(0).plus(&var(1));
    let mirrored = meet(&above, &square(var(0), j.clone()), &square(j, var(0)));
    assert_eq!(mirrored, Verdict::Apart);
    // for i in 0..n { for j in 0..i + 2 { .. } }
    let beyond = nest(1, &[only(p(N)), var(0).plus(&only(c(2)))]);
    let mirrored = meet(&beyond, &square(var(0), var(1)), &square(var(1), var(0)));
    assert_ne!(mirrored, Verdict::Apart);
}

#[test]
fn flattened_rows_and_columns_are_apart() {
    let image = nest(1, &[only(p(H)), only(p(W))]);
    let by_rows = var(0).times(&p(W)).plus(&var(1));
    assert_eq!(own(&image, by_rows), Verdict::Apart);
    // out[x * h + y]: a column for each y.
    let by_columns = var(1).times(&p(H)).plus(&var(0));
    assert_eq!(own(&image, by_columns), Verdict::Apart);
    let both = nest(2, &[only(p(H)), only(p(W))]);
    let by_rows = var(0).times(&p(W)).plus(&var(1));
    assert_eq!(own(&both, by_rows), Verdict::Apart);
}

#[test]
fn a_stride_that_only_the_call_knows_becomes_a_condition() {
    let image = nest(2, &[only(p(H)), only(p(W))]);
    let padded = var(0).times(&p(N)).plus(&var(1));
    assert_eq!(own(&image, padded), Verdict::ApartIf(vec![p(N) - p(W)]));
    // a[i] = a[i + n]: apart where n is no less than the number of iterations.
    let row = nest(1, &[only(p(W))]);
    let (write, read) = (at(&[var(0)]), at(&[var(0).plus(&only(p(N)))]));
    assert_eq!(
        meet(&row, &write, &read),
        Verdict::ApartIf(vec![p(N) - p(W)])
    );
    // Every n-th element.
    let strided = var(0).times(&p(N));
    assert_eq!(own(&row, strided), Verdict::ApartIf(vec![p(N) - c(1)]));
}

#[test]
fn volumes_chunks_and_interleaved_writes_are_apart() {
    let volume = nest(3, &[only(p(N)), only(p(H)), only(p(W))]);
    let flat = var(0).times(&p(H)).plus(&var(1)).times(&p(W)).plus(&var(2));
    assert_eq!(own(&volume, flat), Verdict::Apart);
    let pairs = nest(1, &[only(p(N))]);
    let (even, odd) = (var(0).times(&c(2)), var(0).times(&c(2)).plus(&only(c(1))));
    assert_eq!(own(&pairs, even.clone()), Verdict::Apart);
    assert_eq!(meet(&pairs, &at(&[even]), &at(&[odd])), Verdict::Apart);
    // Halves: a[i] and a[i + n] of 2 n elements.
    let (low, high) = (at(&[var(0)]), at(&[var(0).plus(&only(p(N)))]));
    assert_eq!(meet(&pairs, &low, &high), Verdict::Apart);
}

#[test]
fn triangles_are_apart() {
    // for i in 0..n (parallel) { for j in 0..n - i { out[i * n + i + j] } }
    let upper = nest(1, &[only(p(N)), only(p(N)).plus(&var(0).times(&c(-1)))]);
    let index = var(0).times(&(p(N) + c(1))).plus(&var(1));
    assert_eq!(own(&upper, index), Verdict::Apart);
    // for j in 0..i { out[i * n + j] }
    let lower = nest(1, &[only(p(N)), var(0)]);
    let index = var(0).times(&p(N)).plus(&var(1));
    assert_eq!(own(&lower, index), Verdict::Apart);
}

#[test]
fn the_ends_of_a_row_are_exchanged_in_halves() {
    // for i in 0..n / 2 { v.swap(i, n - 1 - i) }
    let half = p(W);
    let mut row = nest(1, &[only(half.clone())]);
    row.facts.push(p(N) - c(2) * half);
    let left = at(&[var(0)]);
    let right = at(&[only(p(N) - c(1)).plus(&var(0).times(&c(-1)))]);
    assert_eq!(meet(&row, &left, &left), Verdict::Apart);
    assert_eq!(meet(&row, &right, &right), Verdict::Apart);
    assert_eq!(meet(&row, &left, &right), Verdict::Apart);
    row.facts.clear();
    assert_ne!(meet(&row, &left, &right), Verdict::Apart);
}

#[test]
fn neighbours_meet_at_a_distance() {
    let row = nest(1, &[only(p(N))]);
    let (here, before) = (at(&[var(0)]), at(&[var(0).plus(&only(c(-1)))]));
    assert_eq!(meet(&row, &here, &before), Verdict::Meet(vec![Some(-1)]));
    assert_eq!(meet(&row, &before, &here), Verdict::Meet(vec![Some(1)]));
    // Of rows of w, one row apart: out[y * w + x] and out[(y - 1) * w + x].
    let image = nest(2, &[only(p(H)), only(p(W))]);
    let here = var(0).times(&p(W)).plus(&var(1));
    let above = here.clone().plus(&only(-p(W)));
    assert_eq!(
        meet(&image, &at(&[here]), &at(&[above])),
        Verdict::Meet(vec![Some(-1), Some(0)])
    );
    let two = [var(0), var(1)];
    let diagonal = [var(0).plus(&only(c(-1))), var(1).plus(&only(c(2)))];
    assert_eq!(
        meet(&image, &at(&two), &at(&diagonal)),
        Verdict::Meet(vec![Some(-1), Some(2)])
    );
}

#[test]
fn one_element_for_all_is_shared() {
    let image = nest(1, &[only(p(H)), only(p(W))]);
    assert_eq!(own(&image, var(1)), Verdict::Meet(vec![None]));
    assert_eq!(own(&image, only(c(0))), Verdict::Meet(vec![None]));
    // Every row writes where the next one does, but for one element.
    let sliding = var(0).plus(&var(1));
    assert_eq!(own(&image, sliding), Verdict::Unknown);
}

#[test]
fn both_sides_of_a_diagonal_are_apart() {
    let sides = |nest: &Nest, column: Affine| {
        let (row, stride) = (var(0), p(N));
        let above = at(&[row.times(&stride).plus(&column)]);
        let below = at(&[column.times(&stride).plus(&row)]);
        (meet(nest, &above, &below), meet(nest, &below, &below))
    };
    let apart = (Verdict::Apart, Verdict::Apart);
    // for i in 0..n { for j in i + 1..n { a.swap(i * n + j, j * n + i) } }, and with the diagonal.
    let left = |from: i128| only(p(N) - c(from)).plus(&var(0).times(&c(-1)));
    let upper = nest(1, &[only(p(N)), left(1)]);
    assert_eq!(sides(&upper, var(0).plus(&var(1)).plus(&only(c(1)))), apart);
    let whole = nest(1, &[only(p(N)), left(0)]);
    assert_eq!(sides(&whole, var(0).plus(&var(1))), apart);
    // for j in 0..i
    let lower = nest(1, &[only(p(N)), var(0)]);
    assert_eq!(sides(&lower, var(1)), apart);
    let square = nest(1, &[only(p(N)), only(p(N))]);
    assert_ne!(sides(&square, var(1)).0, Verdict::Apart);
}

#[test]
fn a_row_backwards_is_apart_from_its_beginning() {
    // out[y * w] and out[y * w + w - 1 - x], for x in 0..w - 1.
    let rows = nest(1, &[only(p(H)), only(p(W) - c(1))]);
    let row = var(0).times(&p(W));
    let last = only(p(W) - c(1)).plus(&var(1).times(&c(-1)));
    let (first, others) = (row.clone(), row.plus(&last));
    let (first, others) = (at(&[first]), at(&[others]));
    assert_eq!(meet(&rows, &first, &others), Verdict::Apart);
}

#[test]
fn tiles_are_apart() {
    // for i0 in (0..n).step_by(t) (parallel) { for j0 in (0..w).step_by(t) { for i in i0..(i0 + t).min(n) { for j in j0..(j0 + t).min(w)
    let (tile, tiles) = (Param(3), [Param(4), Param(5)]);
    let mut nest = nest(1, &[only(p(tiles[0])), only(p(tiles[1]))]);
    for (outer, all) in [N, W].into_iter().enumerate() {
        let left = only(p(all)).plus(&var(outer).times(&-p(tile)));
        nest.vars.push(Extent {
            parallel: false,
            most: vec![only(p(tile)), left],
        });
        let rounded = p(all) + p(tile) - c(1) - p(tile) * p(tiles[outer]);
        nest.facts.push(rounded);
    }
    let row = var(0).times(&p(tile)).plus(&var(2));
    let column = var(1).times(&p(tile)).plus(&var(3));
    let index = row.times(&p(W)).plus(&column);
    assert_eq!(own(&nest, index), Verdict::Apart);
    nest.vars[3].most.truncate(1);
    let index = row.times(&p(W)).plus(&column);
    assert_ne!(own(&nest, index), Verdict::Apart);
}

#[test]
fn neighbours_that_stay_in_their_row_are_apart_from_the_next() {
    // for x in 0..w (parallel) { a[y * w + x] = a[(y - 1) * w + l] }, where l is anything below w.
    let row = nest(1, &[only(p(W)), only(p(W))]);
    let here = at(&[var(0).plus(&only(p(H) * p(W)))]);
    let above = at(&[var(1).plus(&only(p(H) * p(W) - p(W)))]);
    assert_eq!(meet(&row, &here, &above), Verdict::Apart);
    let same = at(&[var(1).plus(&only(p(H) * p(W)))]);
    assert_eq!(meet(&row, &here, &same), Verdict::Meet(vec![None]));
}

#[test]
fn what_is_never_negative_is_proved_by_the_bounds_of_several() {
    // for i in 0..n { for j in 0..i {
    let triangle = nest(1, &[only(p(N)), var(0)]);
    let less = |a: Affine, b: Affine| a.plus(&b.times(&c(-1))).plus(&only(c(-1)));
    assert!(never_negative(&triangle, &less(var(0), var(1))));
    assert!(never_negative(&triangle, &less(only(p(N)), var(0))));
    assert!(!never_negative(&triangle, &less(var(1), var(0))));
    assert!(!never_negative(&triangle, &var(0).plus(&only(c(-2)))));
}

#[test]
fn what_is_not_affine_is_left_to_other_dimensions() {
    let image = nest(1, &[only(p(H)), only(p(W))]);
    let row = Access {
        indices: vec![Some(var(0)), None],
    };
    assert_eq!(meet(&image, &row, &row), Verdict::Apart);
    let looked_up = Access {
        indices: vec![None],
    };
    assert_eq!(
        meet(&image, &looked_up, &looked_up),
        Verdict::Meet(vec![None])
    );
}

#[test]
fn cells_of_one_colour_are_no_neighbours() {
    // for y in 0..h (parallel) { for x in 0..w { if (x + y) % by == 0 { a[y * w + x] = a[.. + more] } } }
    let mut board = nest(1, &[only(p(H)), only(p(W))]);
    let quotient = Affine::var(board.unbounded());
    let cell = |dy: i128, dx: i128, by: i128| {
        let (y, x) = (var(0).plus(&only(c(dy))), var(1).plus(&only(c(dx))));
        at(&[y, x, var(0).plus(&var(1)).plus(&quotient.times(&c(by)))])
    };
    for (dy, dx, by, apart) in [
        (-1, 0, 2, true),
        (0, 1, 2, true),
        (-1, 1, 2, false),
        (2, 0, 2, false),
        (-1, 1, 3, false),
        (-1, 2, 3, true),
        (1, 1, 3, true),
    ] {
        let verdict = meet(&board, &cell(0, 0, by), &cell(dy, dx, by));
        let same_row = dy == 0;
        assert_eq!(
            verdict == Verdict::Apart,
            apart || same_row,
            "{dy} {dx} {by}"
        );
    }
}

#[test]
fn what_is_known_of_two_unknowns_together_is_used() {
    // for y in 0..h (parallel) { let r = (y + 1) % 2; for t in 0..w - 2 { if t % 2 == 0 { a[y * w + r + t] = a[(y - 1) * w + r + t] } } }
    let mut steps = nest(1, &[only(p(H)), only(c(2)), only(p(W) - c(2))]);
    let quotients = [steps.unbounded(), steps.unbounded()].map(|var| Affine::var(var).times(&c(2)));
    let cell = |dy: i128| {
        let y = var(0).plus(&only(c(dy)));
        let index = y.times(&p(W)).plus(&var(1)).plus(&var(2));
        let colour = var(0).plus(&var(1)).plus(&quotients[0]);
        at(&[index, colour, var(2).plus(&quotients[1])])
    };
    assert_eq!(meet(&steps, &cell(0), &cell(-1)), Verdict::Apart);
    assert_ne!(meet(&steps, &cell(0), &cell(-2)), Verdict::Apart);
}

#[test]
fn what_three_divides_meets_in_every_third_place_only() {
    // for y in 0..h (parallel) { for r in 0..3 { for t in 0..w - 8 { if (y - r) % 3 == 0 && t % 3 == 0 { a[y * w + r + t] = a[(y - 1) * w + r + t + k] } } } }
    let mut thirds = nest(1, &[only(p(H)), only(c(3)), only(p(W) - c(8))]);
    let quotients =
        [thirds.unbounded(), thirds.unbounded()].map(|var| Affine::var(var).times(&c(3)));
    let cell = |dy: i128, k: i128| {
        let y = var(0).plus(&only(c(dy)));
        let index = y.times(&p(W)).plus(&var(1)).plus(&var(2)).plus(&only(c(k)));
        let colour = var(0).plus(&var(1).times(&c(-1))).plus(&quotients[0]);
        at(&[index, colour, var(2).plus(&quotients[1])])
    };
    for k in -4..=4 {
        let verdict = meet(&thirds, &cell(0, 0), &cell(-1, k));
        assert_eq!(verdict == Verdict::Apart, (k + 1) % 3 != 0, "{k}");
    }
}
