//! Vectors of vectors as one array, row behind row, while a loop updates their elements.
//!
//! What the macro prints around such a loop copies them there before it and back behind it, so after a panic the elements are as they were.

/// Elements that are copied both ways in less than a microsecond.
const FEW: usize = 512;

/// How many iterations an element has to have, that copying it there and back is a small part of the loop. (1 ns an element, an iteration 1 ns and more.)
const MANY: usize = 32;

/// Iterations that take less than waking a worker does.
const SOON_DONE: usize = 4096;

/// Whether rows are all of one length, and copying them worth it for so many iterations. 0 iterations are not known.
pub fn pay<T>(rows: &[Vec<T>], iterations: usize) -> bool {
    let [count, len] = sides(rows);
    let elements = count.saturating_mul(len);
    let worth = match iterations {
        0 => elements <= FEW,
        _ => iterations >= SOON_DONE && elements.saturating_mul(MANY) <= iterations,
    };
    worth && rows.iter().all(|row| row.len() == len)
}

/// How many rows there are, and how long the first one is.
pub fn sides<T>(rows: &[Vec<T>]) -> [usize; 2] {
    [rows.len(), rows.first().map_or(0, Vec::len)]
}

/// All elements, row behind row.
pub fn gather<T: Copy>(rows: &[Vec<T>]) -> Vec<T> {
    rows.concat()
}

/// Gives rows what became of the elements that were [gathered](gather).
pub fn scatter<T: Copy>(rows: &mut [Vec<T>], mut elements: &[T]) {
    for row in rows {
        let (of_row, rest) = elements.split_at(row.len());
        row.copy_from_slice(of_row);
        elements = rest;
    }
}
