// Loops of published code that are refused, each below the code of the message: what is accepted one day moves to a file
// beside this one.

/// H032
fn confusion_nested(truth: &[u8], predicted: &[u8], matrix: &mut Vec<Vec<u32>>) {
    for i in 0..truth.len() {
        matrix[truth[i] as usize % 4][predicted[i] as usize % 4] += 1;
    }
}

/// H025
fn csr_counts_unmarked(edges: &[[u32; 2]], offsets: &mut Vec<usize>) {
    for e in edges {
        offsets[e[0] as usize + 1] += 1;
    }
    for i in 1..offsets.len() {
        offsets[i] += offsets[i - 1];
    }
}

/// H028
fn get_mut_style(keys: &[usize], counts: &mut [u32]) {
    for &k in keys {
        if let Some(c) = counts.get_mut(k) {
            *c += 1;
        }
    }
}

/// H014
fn checked(keys: &[u32], bins: &mut [u32]) -> Result<(), String> {
    for (i, &k) in keys.iter().enumerate() {
        if k as usize >= bins.len() {
            return Err(format!("key {k} at {i}"));
        }
        bins[k as usize] += 1;
    }
    Ok(())
}
