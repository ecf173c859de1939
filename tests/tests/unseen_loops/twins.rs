// Loops that look like those of the corpus and whose iterations meet, each below the code of its message.

/// H057
fn left_neighbour_of_the_same_row(cost: &mut [u32], w: usize, y: usize) {
    for x in 0..w {
        let l = x.saturating_sub(1);
        cost[y * w + x] = cost[y * w + l] + 1;
    }
}

/// H057
fn right_neighbour_beyond_the_row(cost: &mut [u32], w: usize, y: usize) {
    for x in 0..w {
        let r = (x + 1).min(w);
        cost[y * w + x] = cost[(y - 1) * w + r] + 1;
    }
}

/// H057
fn wrapped_one_too_late(cells: &mut [u32], w: usize, t: usize) {
    for x in 0..w {
        cells[t * w + x] = cells[(t - 1) * w + (x + 1) % (w + 1)];
    }
}

/// H057
fn the_wrong_side_is_guarded(cost: &mut [u32], w: usize, y: usize) {
    for x in 0..w {
        let r = if x > 0 { x + 1 } else { 0 };
        cost[y * w + x] = cost[(y - 1) * w + r] + 1;
    }
}

/// H057
fn looked_up_and_not_bounded(cost: &mut [u32], parent: &[usize], w: usize, y: usize) {
    for x in 0..w {
        let p = parent[x].max(1);
        cost[y * w + x] = cost[(y - 1) * w + p] + 1;
    }
}

/// H057
fn tiles_that_overlap(x: &[f32], out: &mut [f32], n: usize) {
    for start in (0..n).step_by(16) {
        for i in start..(start + 17).min(n) {
            out[i] = x[i] + start as f32;
        }
    }
}

/// H057
fn blocks_that_overlap(x: &[f32], out: &mut [f32], n: usize) {
    for k in 0..n / 8 {
        for i in k * 8..((k + 2) * 8).min(n) {
            out[i] = x[i] + k as f32;
        }
    }
}

/// H057
fn tiles_that_read_the_tile_before(a: &mut [f32], n: usize, m: usize) {
    for ti in (0..n).step_by(8) {
        for i in ti..(ti + 8).min(n) {
            for j in 0..m {
                a[i * m + j] = 0.5 * a[i * m + j] + 0.5 * a[i.saturating_sub(8) * m + j];
            }
        }
    }
}

/// H057
fn columns_of_a_pyramid(out: &mut [u32], w: usize) {
    for x in 0..w {
        out[x / 2] = x as u32;
    }
}

/// H057
fn the_one_before_the_one_before(x: &[u32], a: &mut [u32]) {
    for i in 2..a.len() {
        a[i] = a[i - 2] + x[i];
    }
}

/// H057
fn a_scan_with_gaps(x: &[u32], a: &mut [u32]) {
    for i in 1..a.len() {
        if x[i] == 0 {
            continue;
        }
        a[i] = a[i - 1] + x[i];
    }
}

/// H057
fn a_scan_of_some(x: &[u32], a: &mut [u32]) {
    for i in 1..a.len() {
        if x[i] > 3 {
            a[i] = a[i - 1] + 1;
        }
    }
}

/// H057
fn the_element_before_is_read_late(x: &[u32], a: &mut [u32], b: &mut [u32]) {
    for i in 1..a.len() {
        a[i] = a[i - 1] + x[i];
        b[i] = a[i - 1];
    }
}

/// H057
fn halves_of_sums(x: &[u32], a: &mut [u32]) {
    for i in 1..a.len() {
        a[i] = (a[i - 1] + x[i]) / 2;
    }
}

/// H057
fn a_smoothed_float(x: &[f32], a: &mut [f32]) {
    for i in 1..a.len() {
        a[i] = 0.5 * a[i - 1] + x[i];
    }
}

/// H057
fn the_offset_moves(x: &[u32], a: &mut [u32]) {
    for i in 1..x.len() {
        let o = x[i] as usize;
        a[i + o] = a[i + o - 1] + 1;
    }
}

/// H057
fn written_twice(x: &[u32], a: &mut [u32]) {
    for i in 1..x.len() {
        a[i] = a[i - 1] + x[i];
        a[i] += 1;
    }
}

/// H057
fn both_ways(x: &[u32], a: &mut [u32]) {
    for i in 1..x.len() - 1 {
        a[i] = a[i - 1] + a[i + 1];
    }
}

/// H057
fn a_triangle_that_crosses(a: &mut [u32], n: usize) {
    for i in 0..n {
        for j in 0..n {
            a[j * n + i] = a[i * n + j] + 1;
        }
    }
}

/// H061
fn a_limit_that_moves_with_the_sum(x: &[i64]) -> i64 {
    let mut cur = 0;
    for &v in x {
        cur = (cur * 2 + v).max(cur);
    }
    cur
}

/// H023
fn a_limit_of_what_is_taken_from_something(x: &[i64]) -> i64 {
    let mut cur = 0;
    for &v in x {
        cur = (v - cur).max(0);
    }
    cur
}

/// H057
fn both_colours(u: &mut [f64]) {
    for i in 1..u.len() - 1 {
        if i % 2 != 0 {
            u[i] = 0.5 * (u[i - 1] + u[i + 1]);
        } else {
            u[i] *= 2.0;
        }
    }
}

/// H057
fn all_but_what_leaves_one(u: &mut [f64], from: i32, to: i32) {
    for i in from..to {
        // -1 % 2 is -1.
        if i % 2 != 1 {
            u[(i - from) as usize + 1] += u[(i - from) as usize];
        }
    }
}

/// H057
fn diagonal_of_one_colour(u: &mut [f64], n: usize) {
    for i in 1..n {
        for j in 2..n {
            if (i + j) % 2 == 0 {
                u[i * n + j] += u[(i - 1) * n + j - 1] + u[i * n + j - 2];
            }
        }
    }
}

/// H057
fn steps_that_begin_alike(u: &mut [f64], w: usize, h: usize) {
    for y in 1..h - 1 {
        for x in (1..w - 1).step_by(2) {
            u[y * w + x] = u[(y - 1) * w + x] + u[y * w + x - 2];
        }
    }
}

/// H057
fn steps_that_reach_the_next_one(out: &mut [u64], n: usize) {
    for m in (1..n).step_by(2) {
        out[m] = 1;
        out[m + 2] = 2;
    }
}

/// H057
fn steps_of_one_and_the_next(out: &mut [u64], n: usize) {
    for m in (1..n).step_by(1) {
        out[m] = 1;
        out[m - 1] = 2;
    }
}

/// H057
fn steps_of_three_and_two_apart(out: &mut [u64], n: usize, s: usize) {
    for m in (s..n).step_by(3) {
        out[m] = out[m - 6];
    }
}

/// H057
fn half_of_odd_ones(out: &mut [u64], n: usize) {
    for m in (1..n).step_by(3) {
        out[m / 4] = m as u64;
    }
}

/// H057
fn multiples_that_meet(out: &mut [u64], n: usize, s: usize) {
    for m in (s..=n).step_by(s) {
        out[m] = out[m - s] + 1;
    }
}

/// H057
fn backwards_by_steps_into_the_next(out: &mut [u64], s: usize) {
    for m in (s..out.len()).step_by(2).rev() {
        out[m] = out[m - 2] + 1;
    }
}

/// H057
fn an_element_that_is_halved_by_reference(x: &[u32], out: &mut [u32]) {
    for &v in x {
        let bin = &mut out[(v & 7) as usize];
        *bin = bin.saturating_sub(v);
    }
}

/// H057
fn an_element_that_is_greater_than_another(x: &[u32], out: &mut [u32]) {
    for &v in x {
        let bin = &mut out[(v & 7) as usize];
        if v > *bin {
            *bin = v + 1;
        }
    }
}

/// H057
fn the_last_that_is_greater_than_a_limit(x: &[u32], out: &mut [u32], limit: u32) {
    for &v in x {
        let bin = &mut out[(v & 7) as usize];
        if limit > *bin {
            *bin = v;
        }
    }
}

/// H057
fn narrow_rows_that_overlap(v: &Sizes, out: &mut [u16]) {
    for y in 0..v.h {
        for x in 0..=v.w {
            out[(y * v.w + x) as usize] = x as u16;
        }
    }
}

/// H057
fn narrow_rows_of_another_width(v: &Sizes, out: &mut [u16]) {
    for y in 0..v.h {
        for x in 0..v.h {
            out[(y * 7 + x) as usize] = x as u16;
        }
    }
}

/// H057
fn halves_of_narrow_numbers(v: &Sizes, out: &mut [u16]) {
    for x in 0..v.w {
        out[(x / 2) as usize] = x as u16;
    }
}

/// H057
fn narrow_neighbours(v: &Sizes, out: &mut [u16]) {
    for x in 1..v.w {
        out[x as usize] = out[(x - 1) as usize] + 3;
    }
}

/// H023
fn a_flag_that_is_set_and_reset(x: &[u32]) -> bool {
    let mut flag = false;
    for &v in x {
        flag = flag || v > 3;
        if v == 9 {
            flag = false;
        }
    }
    flag
}

/// H057
fn a_field_that_is_greater_than_another(prices: &[f64], spans: &[u32], bars: &mut [Bar]) {
    for (&p, &k) in prices.iter().zip(spans) {
        let bar = &mut bars[k as usize];
        if p > bar.high {
            bar.low = p;
        }
    }
}

/// H057
fn how_often_a_field_was_raised(prices: &[f64], spans: &[u32], bars: &mut [Bar]) {
    for (&p, &k) in prices.iter().zip(spans) {
        let bar = &mut bars[k as usize];
        if p > bar.high {
            bar.high = p;
            bar.volume += 1;
        }
    }
}

/// H026
fn an_end_that_is_moved_back(x: &[i32], mut lo: i32, mut hi: i32) -> (i32, i32) {
    for &v in x {
        if v < lo {
            lo = v;
        } else if v > hi {
            hi = v;
        }
        if v == 0 {
            hi = 0;
        }
    }
    (lo, hi)
}

/// H026
fn an_end_that_is_no_item(x: &[i32], mut lo: i32, mut hi: i32) -> (i32, i32) {
    for &v in x {
        if v < lo {
            let v = 3;
            lo = v;
        } else if v > hi {
            hi = v;
        }
    }
    (lo, hi)
}

/// H012
fn filtered_and_numbered_behind_it(x: &[u32], out: &mut [u32]) {
    for (n, v) in x.iter().filter(|v| **v > 3).enumerate() {
        out[n] = *v;
    }
}

/// H012
fn an_iterator_that_goes_on_behind_the_loop(x: &[u8]) -> u32 {
    let mut sum = 0;
    let mut pairs = x.chunks_exact(2);
    for pair in &mut pairs {
        sum += u32::from(pair[0]);
    }
    sum + pairs.len() as u32
}

/// H012
fn filtered_by_what_the_loop_hides(x: &[u32], v: u32) -> u32 {
    let mut sum = 0;
    for &v in x.iter().filter(|w| **w > v) {
        sum += v;
    }
    sum
}

/// H026
fn the_first_is_replaced(x: &[u32]) -> Option<usize> {
    let mut first = None;
    for (i, &v) in x.iter().enumerate() {
        if first.is_none() && v > 3 {
            first = Some(i);
        }
        if v > 100 {
            first = None;
        }
    }
    first
}

/// H026
fn the_first_some_other_may_be_none(x: &[Option<u32>]) -> Option<u32> {
    let mut first = None;
    for v in x {
        if first.is_none() {
            first = *v;
        }
    }
    first
}

/// H026
fn a_flag_that_does_not_hold_them_back(x: &[u32]) -> (bool, usize) {
    let (mut found, mut first) = (false, 0);
    for (i, &v) in x.iter().enumerate() {
        if v > 3 && found {
            first = i;
            found = true;
        }
    }
    (found, first)
}

/// H010
fn counts_on_by_two_sometimes(x: &[u32], out: &mut [u32]) {
    let mut i = 0;
    while i < x.len() {
        out[i] = x[i];
        if x[i] > 3 {
            i += 1;
        }
        i += 1;
    }
}

/// H010
fn goes_on_before_it_counts(x: &[u32], out: &mut [u32]) {
    let mut i = 0;
    while i < x.len() {
        if x[i] > 3 {
            i += 2;
            continue;
        }
        out[i] = x[i];
        i += 1;
    }
}

/// H010
fn counts_to_an_end_that_moves(x: &[u32], out: &mut [u32]) {
    let mut i = 0;
    let mut n = 1;
    while i < n {
        out[i] = x[i];
        n = n.max(x[i] as usize);
        i += 1;
    }
}

/// H010
fn counts_what_grows(work: &mut Vec<u32>) {
    let mut i = 0;
    while i < work.len() {
        halve(work, i);
        i += 1;
    }
}

/// H010
fn counts_what_is_pushed(work: &mut Vec<u32>) {
    let mut i = 0;
    while i < work.len() {
        if work[i] > 3 {
            work.push(work[i] / 2);
        }
        i += 1;
    }
}

/// H014
fn left_by_what_an_earlier_one_wrote(x: &[u32], out: &mut [u32]) -> usize {
    for i in 0..x.len() {
        if out[i / 2] > 3 {
            return i;
        }
        out[i] = x[i];
    }
    x.len()
}

/// H014
fn left_by_a_sum(x: &[u32], limit: u32) -> usize {
    let mut sum = 0;
    for i in 0..x.len() {
        sum += x[i];
        if sum > limit {
            return i;
        }
    }
    x.len()
}

/// H014
fn left_by_another_name(x: &[u32], out: &mut [u32]) -> usize {
    for i in 1..x.len() {
        let before = &mut out[i - 1..];
        if before[0] > 3 {
            return i;
        }
        before[1] = x[i];
    }
    x.len()
}

/// H014
fn said_before_it_is_left(x: &[u32]) -> usize {
    for i in 0..x.len() {
        let large = {
            println!("{i}");
            x[i] > 3
        };
        if large {
            return i;
        }
    }
    x.len()
}

/// H014
fn left_by_what_is_drawn(x: &[u32], random: &mut Random) -> usize {
    for i in 0..x.len() {
        if random.draw() > x[i] {
            return i;
        }
    }
    x.len()
}

/// H057
fn a_chain_that_writes(x: &[u32], out: &mut [u32]) {
    for i in 0..x.len() {
        out[i] = x.iter().map(|v| { out[0] = *v; *v }).sum();
    }
}

/// H029
fn a_fold_that_goes_on(rows: &[Vec<u32>]) -> u32 {
    let mut h = 7u32;
    for row in rows {
        h = row.iter().fold(h, |h, v| h.wrapping_mul(31) ^ v);
    }
    h
}

/// H010
fn goes_down_by_what_it_reads(x: &[usize], out: &mut [usize]) {
    let mut i = x.len();
    while i > 0 {
        i -= x[i - 1];
        out[i] = i;
    }
}

/// H057
fn both_halves_from_both_sides(x: &[f32], d: &mut Vec<Vec<f32>>) {
    for i in 0..x.len() {
        for j in 0..x.len() {
            d[i][j] = x[i] - x[j];
            d[j][i] = x[j] - x[i];
        }
    }
}

/// H057
fn a_side_that_reaches_over_the_diagonal(x: &[f32], d: &mut Vec<Vec<f32>>) {
    for i in 1..x.len() {
        for j in i - 1..x.len() {
            d[i][j] = x[i];
            d[j][i] = x[j];
        }
    }
}

/// H057
fn beside_the_mirrored_element(x: &[f32], d: &mut [[f32; 64]; 64]) {
    for i in 0..63 {
        for j in i + 1..63 {
            d[i][j] = x[i];
            d[j][i + 2] = x[j];
        }
    }
}

/// H057
fn the_row_of_another_is_read(x: &[f32], d: &mut Vec<Vec<f32>>) {
    for i in 0..x.len() {
        for j in i + 1..x.len() {
            d[i][j] = d[j].iter().sum::<f32>();
            d[j][i] = x[j];
        }
    }
}

/// H057
fn the_length_of_a_row_and_its_last(x: &[f32], d: &mut Vec<Vec<f32>>) {
    for i in 0..x.len() {
        for j in i + 1..x.len() {
            let last = d[j].len() - 1;
            d[j][i] = x[j];
            d[i][j] = d[j][last];
        }
    }
}

/// H057
fn a_diagonal_that_both_write(x: &[f32], d: &mut Vec<Vec<f32>>) {
    for i in 0..x.len() {
        for j in i..x.len() {
            d[i][j] = x[i];
            d[j][j] = x[j];
        }
    }
}

/// H057
fn cells_of_both_colours_in_rows(u: &mut [Vec<f32>], w: usize, colour: usize) {
    for y in 1..u.len() - 1 {
        for x in 1..w - 1 {
            if (x + y) % 2 == colour {
                u[y][x] = u[y - 1][x - 1] + u[y + 1][x + 1];
            }
        }
    }
}

/// H057
fn the_next_but_one_on_a_ring(s: &mut [u32], n: usize, colour: usize) {
    for i in 0..n {
        if i % 2 == colour {
            s[i] = s[(i + 2) % n];
        }
    }
}

/// H057
fn around_a_corner_of_a_torus(s: &mut [u32], w: usize, h: usize, colour: usize) {
    for y in 0..h {
        for x in 0..w {
            if (x + y) % 2 == colour {
                s[y * w + x] = s[(y + 1) % h * w + (x + 1) % w];
            }
        }
    }
}

/// H057
fn a_shift_on_a_ring_that_only_the_call_knows(s: &mut [u32], n: usize, by: usize, colour: usize) {
    for i in 0..n {
        if i % 2 == colour {
            s[i] = s[(i + by) % n];
        }
    }
}

/// H057
fn one_of_three_colours_on_a_ring(s: &mut [u32], n: usize, phase: usize) {
    for i in 0..n {
        if i % 3 == phase && i % 2 < 2 {
            s[i] = s[(i + 1) % n];
        }
    }
}

/// H057
fn both_colours_on_a_ring(s: &mut [u32], n: usize) {
    for i in 0..n {
        if i % 2 == 0 {
            s[i] = s[(i + 1) % n];
        } else {
            s[i] = s[(i + n - 1) % n];
        }
    }
}

/// H057
fn a_torus_of_an_odd_size(s: &mut [u32; 63 * 63], colour: usize) {
    for y in 0..63 {
        for x in 0..63 {
            if (x + y) % 2 == colour {
                s[y * 63 + x] = s[(y + 1) % 63 * 63 + x];
            }
        }
    }
}

/// H057
fn a_colour_that_rows_do_not_change(s: &mut [u32], w: usize, h: usize, colour: usize) {
    for y in 0..h {
        for x in 0..w {
            if x % 2 == colour {
                s[y * w + x] = s[(y + 1) % h * w + x];
            }
        }
    }
}

/// H026
fn a_peak_by_how_much_it_is_passed(x: &[f64], out: &mut [f64]) {
    let mut peak = 0.0;
    for i in 0..x.len() {
        if x[i] - peak > 0.5 {
            peak = x[i];
        }
        out[i] = peak;
    }
}

/// H026
fn a_peak_that_keeps_something_else(x: &[f64], out: &mut [f64]) {
    let mut peak = 0.0;
    for i in 0..x.len() {
        if x[i] > peak {
            peak = x[i] - 0.5;
        }
        out[i] = peak;
    }
}

/// H026
fn a_peak_that_is_reset(x: &[f64], out: &mut [f64]) {
    let mut peak = 0.0;
    for i in 0..x.len() {
        if x[i] > peak {
            peak = x[i];
        }
        out[i] = peak;
        if i % 100 == 0 {
            peak = 0.0;
        }
    }
}

/// H026
fn up_and_down(x: &[f64], y: &[f64], out: &mut [f64]) {
    let mut level = 0.0;
    for i in 0..x.len() {
        if x[i] > level {
            level = x[i];
        }
        if y[i] < level {
            level = y[i];
        }
        out[i] = level;
    }
}

/// H026
fn the_first_and_the_last_of_equals(x: &[i32], y: &[i32], out: &mut [usize]) {
    let (mut top, mut at) = (0, 0);
    for i in 0..x.len() {
        if x[i] > top {
            top = x[i];
            at = i;
        }
        if y[i] >= top {
            top = y[i];
            at = i;
        }
        out[i] = at;
    }
}

/// H026
fn a_peak_of_what_it_has_made(x: &[f64], out: &mut [f64]) {
    let (mut peak, mut last) = (0.0, 0.0);
    for i in 0..x.len() {
        let v = x[i] + last;
        if v > peak {
            peak = v;
        }
        last = peak;
        out[i] = peak;
    }
}

/// H026
fn a_peak_of_elements_that_were_written(a: &mut [f64]) {
    let mut top = 0.0;
    for i in 1..a.len() {
        if a[i - 1] > top {
            top = a[i - 1];
        }
        a[i] = top;
    }
}

/// H026
fn a_peak_that_is_passed_over(x: &[f64], skip: &[bool], out: &mut [f64]) {
    let mut peak = 0.0;
    for i in 0..x.len() {
        if x[i] > peak {
            if skip[i] {
                continue;
            }
            peak = x[i];
        }
        out[i] = peak;
    }
}

/// H026
fn a_peak_not_too_soon(x: &[f64], out: &mut [f64]) {
    let (mut peak, mut at) = (0.0, 0);
    for i in 0..x.len() {
        if x[i] > peak && i - at > 5 {
            peak = x[i];
            at = i;
        }
        out[i] = peak;
    }
}

/// H026
fn a_peak_with_what_may_be_out_of_range(x: &[f64], t: &[f64], out: &mut [f64]) {
    let (mut peak, mut there) = (0.0, 0.0);
    for i in 0..x.len() {
        if x[i] > peak {
            peak = x[i];
            there = t[i * 2];
        }
        out[i] = there;
    }
}

/// H026
fn a_name_for_two_peaks(x: &[f64], out: &mut [usize]) {
    let (mut hi, mut lo, mut at) = (0.0, 0.0, 0);
    for i in 0..x.len() {
        if x[i] > hi {
            hi = x[i];
            at = i;
        }
        if x[i] < lo {
            lo = x[i];
            at = i;
        }
        out[i] = at;
    }
}

/// H061
fn records_that_matter(x: &[f64], out: &mut [f64]) {
    let (mut peak, mut records) = (0.0, 0);
    for i in 0..x.len() {
        if x[i] > peak {
            peak = x[i];
            records += 1;
        }
        if records > 3 {
            out[i] = peak;
        }
    }
}

/// H029
fn keeps_more_than_it_is_compared_by(x: &[f64]) -> Option<(usize, f64)> {
    let mut best: Option<(usize, f64)> = None;
    for (i, &d) in x.iter().enumerate() {
        if best.map_or(true, |(_, b)| d < b) {
            best = Some((i, d + 1.0));
        }
    }
    best
}

/// H029
fn none_is_better(x: &[f64]) -> Option<(usize, f64)> {
    let mut best: Option<(usize, f64)> = None;
    for (i, &d) in x.iter().enumerate() {
        if best.map_or(false, |(_, b)| d < b) {
            best = Some((i, d));
        }
    }
    best
}

/// H029
fn keeps_another_of_the_name(x: &[f64]) -> Option<(usize, f64)> {
    let mut best: Option<(usize, f64)> = None;
    for (i, &d) in x.iter().enumerate() {
        if best.map_or(true, |(_, b)| d < b) {
            let d = d * 2.0;
            best = Some((i, d));
        }
    }
    best
}

/// H029
fn counts_where_some_is_kept(x: &[f64]) -> usize {
    let mut n = 0;
    let mut best: Option<(usize, f64)> = None;
    for (i, &d) in x.iter().enumerate() {
        if best.map_or(true, |(_, b)| d < b) {
            best = Some((i, d));
        }
        if best.is_some() {
            n += 1;
        }
    }
    n
}

/// H026
fn compares_what_it_writes(x: &mut [f64]) -> Option<usize> {
    let mut best: Option<usize> = None;
    for i in 0..x.len() {
        match best {
            None => best = Some(i),
            Some(b) if x[i] < x[b] => best = Some(i),
            _ => {}
        }
        x[i] = 0.0;
    }
    best
}

/// H029
fn weighs_by_the_item(x: &[f64], w: &[f64]) -> Option<f64> {
    let mut best: Option<f64> = None;
    for i in 0..x.len() {
        let d = x[i];
        if best.map_or(true, |b| d * w[i] < b * w[i]) {
            best = Some(d);
        }
    }
    best
}

/// H029
fn better_by_a_tenth(x: &[f64]) -> Option<f64> {
    let mut best: Option<f64> = None;
    for &d in x {
        if best.map_or(true, |b| d < b * 0.9) {
            best = Some(d);
        }
    }
    best
}

/// H026
fn the_first_is_kept_otherwise(x: &[i32]) -> Option<(usize, i32)> {
    let mut best: Option<(usize, i32)> = None;
    for (i, &d) in x.iter().enumerate() {
        match best {
            None => best = Some((0, d)),
            Some((_, b)) if d < b => best = Some((i, d)),
            _ => {}
        }
    }
    best
}

/// H029
fn begins_anew(x: &[i32]) -> Option<(usize, i32)> {
    let mut best: Option<(usize, i32)> = None;
    for (i, &d) in x.iter().enumerate() {
        if best.is_none_or(|(_, b)| d < b) {
            best = Some((i, d));
        }
        if d == 77 {
            best = None;
        }
    }
    best
}

/// H023
fn what_is_kept_ages(x: &[i32]) -> Option<i32> {
    let mut best: Option<i32> = None;
    for &d in x {
        best = Some(match best {
            Some(b) if b <= d => b + 1,
            _ => d,
        });
    }
    best
}

/// H026
fn better_by_either_key(x: &[i32], id: &[u32]) -> (i32, u32) {
    let (mut best, mut at) = (0, 0);
    for i in 0..x.len() {
        if x[i] > best || id[i] < at {
            best = x[i];
            at = id[i];
        }
    }
    (best, at)
}

/// H026
fn the_second_key_where_the_first_differs(x: &[i32], id: &[u32]) -> (i32, u32) {
    let (mut best, mut at) = (0, 0);
    for i in 0..x.len() {
        if x[i] > best || (x[i] != best && id[i] < at) {
            best = x[i];
            at = id[i];
        }
    }
    (best, at)
}

/// H028
fn cleared_and_looked_at_afterwards(x: &[String], out: &mut [usize]) -> usize {
    let mut buf: Vec<u8> = Vec::new();
    for (i, s) in x.iter().enumerate() {
        buf.clear();
        buf.extend(s.bytes());
        out[i] = buf.len();
    }
    buf.len()
}

/// H028
fn cleared_by_some(x: &[String], out: &mut [usize]) {
    let mut buf: Vec<u8> = Vec::new();
    for (i, s) in x.iter().enumerate() {
        if s.len() > 3 {
            buf.clear();
        }
        buf.extend(s.bytes());
        out[i] = buf.len();
    }
}

/// H028
fn cleared_too_late(x: &[String], out: &mut [usize]) {
    let mut buf: Vec<u8> = Vec::new();
    for (i, s) in x.iter().enumerate() {
        out[i] = buf.len();
        buf.clear();
        buf.extend(s.bytes());
    }
}

/// H057
fn two_flags_of_one_array(edges: &[(usize, usize, u32)], dist: &mut [u32]) -> (bool, bool) {
    let (mut to, mut from) = (false, false);
    for &(a, b, c) in edges {
        if c < dist[a] {
            dist[a] = c;
            from = true;
        }
        if c < dist[b] {
            dist[b] = c;
            to = true;
        }
    }
    (to, from)
}

/// H030
fn tells_of_each_change(z: &[f32], d: &mut [f32], out: &mut Vec<String>) {
    let mut n = 0;
    for &z in z {
        if z < d[0] {
            d[0] = z;
            n += 1;
        }
        out.push(format!("{n}"));
    }
}

/// H030
fn tells_what_it_keeps(z: &[f32], d: &mut [f32], out: &mut Vec<String>) {
    for &z in z {
        if z < d[0] {
            d[0] = z;
        }
        out.push(format!("{d:?}"));
    }
}

/// H014
fn a_search_among_chunks_of_a_length_that_is_drawn(x: &[u32], rng: &mut Rng) -> Option<usize> {
    for (i, c) in x.chunks(rng.next() as usize % 7 + 1).enumerate() {
        if c[0] == 95 {
            return Some(i);
        }
    }
    None
}

/// H057
fn a_range_in_a_variable_that_overlaps(n: usize, out: &mut [usize]) {
    let r = 0..n;
    for i in r {
        out[i / 2] = i;
    }
}

/// H057
fn a_name_that_stands_for_another_number(n: usize, out: &mut [usize]) {
    let r = (0..n).map(|i| i / 2);
    for i in r {
        out[i] = n;
    }
}

/// H012
fn elements_of_a_queue_that_are_lent(q: &mut VecDeque<u32>) {
    for x in q.iter_mut() {
        *x += 1;
    }
}

/// H012
fn values_of_a_table_that_are_lent(m: &mut BTreeMap<u32, u32>) {
    for (_, v) in m {
        *v += 1;
    }
}

/// H057
fn a_short_loop_and_no_other(hist: &mut [u32]) {
    for t in 1..256 {
        hist[t] = (hist[t - 1] + hist[t]) / 2;
    }
}

/// H057
fn beside_a_loop_and_not_so_short(pixels: &[u8], hist: &mut [u32]) {
    for p in pixels {
        hist[*p as usize] += 1;
    }
    for t in 1..258 {
        hist[t] = (hist[t - 1] + hist[t]) / 2;
    }
}

/// H057
fn beside_a_loop_and_of_any_length(pixels: &[u8], hist: &mut [u32], n: usize) {
    for p in pixels {
        hist[*p as usize] += 1;
    }
    for t in 1..n {
        hist[t] = (hist[t - 1] + hist[t]) / 2;
    }
}

/// H028
fn beside_a_loop_and_unknown(pixels: &[u8], hist: &mut [u32]) {
    for p in pixels {
        hist[*p as usize] += 1;
    }
    for t in 0..200 {
        hist[t] += 1;
        smooth(hist, t);
    }
}

/// H026
fn greatest_of_rows_by_another_column(a: &[Vec<f64>], k: usize) -> usize {
    let mut p = 0;
    for i in 0..a.len() {
        if a[i][k].abs() > a[p][k + 1].abs() {
            p = i;
        }
    }
    p
}

/// H026
fn greatest_of_rows_that_change(a: &mut [Vec<f64>], k: usize) -> usize {
    let mut p = 0;
    for i in 0..a.len() {
        if a[i][k].abs() > a[p][k].abs() {
            p = i;
        }
        a[i][k] = 0.0;
    }
    p
}

/// H026
fn greatest_of_rows_of_some_type(a: &[Vec<Length>], k: usize) -> usize {
    let mut p = 0;
    for i in 0..a.len() {
        if a[i][k].abs() > a[p][k].abs() {
            p = i;
        }
    }
    p
}

/// H028
fn parts_that_overlap_from_step_to_step(a: &mut [u32]) {
    for k in 1..a.len() {
        let (done, rest) = a.split_at_mut(k);
        rest[0] += done[k - 1];
    }
}

/// H061
fn kept_in_place_twice(a: &mut [u32]) -> usize {
    let mut k = 0;
    for i in 0..a.len() {
        if a[i] > 3 {
            a[k] = a[i];
            k += 1;
            a[k] = 0;
            k += 1;
        }
    }
    k
}

/// H061
fn kept_in_place_by_two_at_once(a: &mut [u32]) -> usize {
    let mut k = 0;
    for i in 0..a.len() {
        if a[i] > 3 {
            a[k] = a[i];
            k += 2;
        }
    }
    k
}

/// H061
fn kept_in_place_and_read_behind_that(a: &mut [u32]) -> usize {
    let mut k = 0;
    for i in 0..a.len() {
        let v = a[i];
        if v > 3 {
            a[k] = 7;
            k += 1;
        }
        if a[i] == 7 {
            a[k] = 9;
        }
    }
    k
}

/// H061
fn moved_before_it_is_kept(a: &mut [u32]) -> usize {
    let mut k = 0;
    for i in 0..a.len() {
        if a[i] > 3 {
            k += 1;
            a[k] = a[i];
        }
    }
    k
}

/// H061
fn kept_in_place_and_compared_with_the_last(a: &mut [u32]) -> usize {
    let mut k = 0;
    for i in 0..a.len() {
        if k == 0 || a[i] != a[k - 1] {
            a[k] = a[i];
            k += 1;
        }
    }
    k
}

/// H061
fn kept_in_place_from_ahead(a: &mut [u32]) -> usize {
    let mut k = 0;
    for i in 0..a.len() {
        if a[i] > 3 {
            a[k] = a[i + 1];
            k += 1;
        }
    }
    k
}

/// H061
fn kept_in_place_in_a_loop_inside(a: &mut [u32]) -> usize {
    let mut k = 0;
    for i in 0..a.len() {
        let v = a[i];
        for _ in 0..v {
            a[k] = v;
            k += 1;
        }
    }
    k
}

/// H061
fn kept_in_place_and_changed(a: &mut [u32]) -> usize {
    let mut k = 0;
    for i in 0..a.len() {
        a[i] += 1;
        let v = a[i];
        if v > 3 {
            a[k] = v;
            k += 1;
        }
    }
    k
}

/// H061
fn kept_in_place_of_no_values(a: &mut [Vec<u32>]) -> usize {
    let mut k = 0;
    for i in 0..a.len() {
        if a[i].len() > 3 {
            a[k] = Vec::new();
            k += 1;
        }
    }
    k
}

/// H057
fn options_that_are_read_as_they_change(edges: &[(usize, usize, i64)], dist: &mut [Option<i64>]) {
    for &(a, b, c) in edges {
        if let Some(d) = dist[a] {
            let nd = d + c;
            if dist[b].is_none_or(|c| nd < c) {
                dist[b] = Some(nd);
            }
        }
    }
}

/// H057
fn options_of_another_value(edges: &[(usize, usize, i64)], dist: &mut [Option<i64>]) {
    for &(a, b, c) in edges {
        if dist[b].is_none_or(|kept| c < kept) {
            dist[b] = Some(c + 1);
        }
    }
}

/// H057
fn options_of_another_bin(edges: &[(usize, usize, i64)], dist: &mut [Option<i64>]) {
    for &(a, b, c) in edges {
        if dist[a].is_none_or(|kept| c < kept) {
            dist[b] = Some(c);
        }
    }
}

/// H057
fn options_where_there_is_one(edges: &[(usize, usize, i64)], dist: &mut [Option<i64>]) {
    for &(a, b, c) in edges {
        if dist[b].map_or(false, |kept| c < kept) {
            dist[b] = Some(c);
        }
    }
}

/// H057
fn options_and_what_was_kept(edges: &[(usize, usize, i64)], dist: &mut [Option<i64>], last: &mut [i64]) {
    for &(a, b, c) in edges {
        if dist[b].is_none_or(|kept| c < kept) {
            dist[b] = Some(c);
            last[b] = dist[b].unwrap_or(0) - c;
        }
    }
}

/// H057
fn options_until_one_is_found(edges: &[(usize, usize, i64)], dist: &mut [Option<i64>]) -> usize {
    for &(a, b, c) in edges {
        if dist[b].is_none_or(|kept| c < kept) {
            dist[b] = Some(c);
        }
        if c == 7 {
            return a;
        }
    }
    0
}

/// H057
fn options_by_the_distance_of_the_kept(edges: &[(usize, usize, i64)], dist: &mut [Option<i64>]) {
    for &(a, b, c) in edges {
        if dist[b].is_none_or(|kept| c < kept - 1) {
            dist[b] = Some(c);
        }
    }
}

/// H057
fn by_another_field(arcs: &[Arc], most: &mut [i64]) {
    for a in arcs {
        most[a.to] = most[a.from].max(a.cost);
    }
}

/// H057
fn by_another_item(arcs: &[Arc], most: &mut [i64]) {
    for a in arcs {
        most[a.to] = most[arcs[0].to].max(a.cost);
    }
}

/// H057
fn by_fields_and_halved(arcs: &[Arc], most: &mut [i64]) {
    for a in arcs {
        most[a.to] = most[a.to] / 2 + a.cost;
    }
}

/// H057
fn by_fields_and_taken_from(arcs: &[Arc], most: &mut [i64]) {
    for a in arcs {
        most[a.to] = a.cost - most[a.to];
    }
}

/// H057
fn by_fields_and_read_behind(arcs: &[Arc], most: &mut [i64]) {
    for a in arcs {
        most[a.to] = most[a.to].max(a.cost);
        most[a.from] = most[a.to].max(3);
    }
}

/// H023
fn a_remainder_that_is_kept(x: &[u32]) -> (u32, u32) {
    let (mut acc, mut wraps) = (0u32, 0u32);
    for &v in x {
        acc = acc * acc % 1009 + v;
        wraps += 1;
    }
    (acc, wraps)
}

/// H023
fn modulo_what_it_was(x: &[u32]) -> u32 {
    let mut acc = 1;
    for &v in x {
        acc = v % acc + 1;
    }
    acc
}

/// H023
fn subtracted_and_modulo(x: &[u32]) -> u32 {
    let mut acc = 1;
    for &v in x {
        acc = (v + 1009 - acc) % 1009;
    }
    acc
}

/// H023
fn a_quotient_of_a_sum(x: &[u32]) -> u32 {
    let mut acc = 1;
    for &v in x {
        acc = (acc + v) / 3 % 1009;
    }
    acc
}

/// H023
fn halves_that_are_cut_off(x: &[u32]) -> u16 {
    let mut acc = 1u16;
    for &v in x {
        acc = (acc as u32 * 5 + v) as u16;
    }
    acc
}

/// H023
fn a_float_modulo(x: &[f64]) -> f64 {
    let mut phase = 0.0f64;
    for &v in x {
        phase = (phase + v) % 6.25;
    }
    phase
}

/// H061
fn a_modulus_that_changes(x: &[u32], out: &mut [u32]) {
    let (mut acc, mut m) = (1u32, 7u32);
    for i in 0..x.len() {
        m = m * m % 1000 + x[i];
        acc = (acc + x[i]) % m;
        out[i] = acc;
    }
}

/// H015
fn until_the_sum_is_too_large(x: &[u32]) -> Option<u32> {
    let mut sum = 0u32;
    for &v in x {
        sum = sum.checked_add(v)?;
    }
    Some(sum)
}

/// H015
fn until_there_is_no_more(x: &[u32], mut rest: std::slice::Iter<'_, u32>) -> Option<u32> {
    let mut sum = 0;
    for &v in x {
        sum += v * rest.next()?;
    }
    Some(sum)
}

/// H015
fn what_is_asked_of_what_is_written(at: &[usize], seen: &mut [u32]) -> Option<()> {
    for &i in at {
        seen[i] += 1;
        4u32.checked_sub(seen[i])?;
    }
    Some(())
}

/// H015
fn asked_round_after_round(x: &[u32]) -> Option<u32> {
    let mut sum = 0;
    for &v in x {
        let mut left = v;
        while left.checked_sub(2)? > 3 {
            left -= 2;
        }
        sum += left;
    }
    Some(sum)
}

/// H015
fn asked_after_it_is_changed(x: &[u32]) -> Option<u32> {
    let mut sum = 0;
    for &v in x {
        let mut stack = vec![v, 3];
        sum += stack.pop().unwrap() + stack.pop()?;
    }
    Some(sum)
}

/// H057
fn by_fields_of_rows_and_another(arcs: &[Arc], most: &mut [[i64; 8]]) {
    for a in arcs {
        most[a.to][a.from] = most[a.from][a.to].max(a.cost);
    }
}

/// H057
fn by_fields_of_rows_and_halved(arcs: &[Arc], most: &mut [Vec<i64>]) {
    for a in arcs {
        most[a.to][a.from] = most[a.to][a.from] / 2 + a.cost;
    }
}

/// H012
fn taken_so_many_times(x: &[u32]) -> u32 {
    let (mut sum, mut n) = (0, 0);
    for v in x.iter().take_while(|_| { n += 1; n < 500 }) {
        sum += v;
    }
    sum
}

/// H012
fn skipped_while(x: &[u32]) -> u32 {
    let mut sum = 0;
    for v in x.iter().skip_while(|v| **v < 500) {
        sum += v;
    }
    sum
}

/// H028
fn a_set_that_is_asked(x: &[u32], seen: &mut std::collections::HashSet<u32>) -> u32 {
    let mut n = 0;
    for v in x {
        if seen.insert(*v) {
            n += 1;
        }
    }
    n
}

/// H028
fn numbers_in_order_of_appearance(x: &[u32], ids: &mut std::collections::HashMap<u32, usize>) {
    for v in x {
        let next = ids.len();
        ids.entry(*v).or_insert(next);
    }
}

/// H028
fn an_entry_that_is_read(x: &[u32], out: &mut [u32], counts: &mut std::collections::HashMap<u32, u32>) {
    for i in 0..x.len() {
        let n = counts.entry(x[i]).or_insert(0);
        *n += 1;
        out[i] = *n;
    }
}

/// H028
fn a_lookup_beside_entries(x: &[u32], counts: &mut std::collections::HashMap<u32, u32>) -> u32 {
    let mut most = 0;
    for v in x {
        *counts.entry(*v).or_insert(0) += 1;
        most = most.max(counts[v]);
    }
    most
}

/// H028
fn sums_and_maxima_of_one_value(x: &[u32], best: &mut std::collections::BTreeMap<u32, u32>) {
    for v in x {
        let e = best.entry(v % 7).or_insert(0);
        *e += 1;
        *e = (*e).max(*v);
    }
}

/// H028
fn entries_that_begin_with_the_item_and_are_added_to(x: &[u32], sums: &mut std::collections::HashMap<u32, u32>) {
    for v in x {
        *sums.entry(v % 7).or_insert(*v) += 1;
    }
}

/// H028
fn a_maximum_of_some_items_that_begins_with_any(x: &[u32], top: &mut std::collections::HashMap<u32, u32>) {
    for v in x {
        let e = top.entry(v % 7).or_insert(*v);
        if v % 2 == 0 {
            *e = (*e).max(*v);
        }
    }
}

/// H028
fn the_last_of_some_items(x: &[u32], last: &mut std::collections::HashMap<u32, u32>) {
    for v in x {
        let e = last.entry(v % 7).or_insert(0);
        if v % 2 == 0 {
            *e = *v;
        }
    }
}

/// H028
fn the_last_unless_the_iteration_ends(x: &[u32], last: &mut std::collections::HashMap<u32, u32>) {
    for v in x {
        let e = last.entry(v % 7).or_insert(0);
        if v % 2 == 0 {
            continue;
        }
        *e = *v;
    }
}

/// H028
fn the_last_where_it_was_there(x: &[u32], last: &mut std::collections::HashMap<u32, u32>) {
    for v in x {
        last.entry(v % 7).and_modify(|e| *e = *v).or_insert(0);
    }
}

/// H028
fn the_last_or_what_was_there(x: &[u32], last: &mut std::collections::HashMap<u32, u32>) {
    for v in x {
        last.entry(v % 5).or_insert(*v);
        last.insert(v % 7, *v);
    }
}

/// H028
fn first_and_count_of_the_item(x: &[u32], m: &mut std::collections::HashMap<u32, (u32, u32)>) {
    for v in x {
        let e = m.entry(v % 7).or_insert((*v, 1));
        e.0 += 1;
        e.1 += *v;
    }
}

/// H028
fn other_keys_are_looked_up_than_inserted(x: &[u32], m: &mut std::collections::HashMap<u32, u32>) {
    for v in x {
        if let Some(n) = m.get_mut(&(v % 7)) {
            *n += 1;
        } else {
            m.insert(v % 5, 1);
        }
    }
}

/// H028
fn a_count_that_begins_with_two(x: &[u32], m: &mut std::collections::HashMap<u32, u32>, w: &[u32]) {
    for (v, w) in x.iter().zip(w) {
        m.entry(*v).and_modify(|n| *n += *w).or_insert(*v);
    }
}

/// H028
fn removed_on_the_way(x: &[u32], open: &mut std::collections::HashSet<u32>) {
    for v in x {
        if v % 2 == 0 {
            open.insert(*v);
        } else {
            open.remove(v);
        }
    }
}

/// H028
fn lists_that_are_taken_from(x: &[u32], m: &mut std::collections::HashMap<u32, Vec<u32>>) {
    for v in x {
        let list = m.entry(v % 7).or_default();
        list.push(*v);
        if list.len() > 3 {
            list.pop();
        }
    }
}

/// H028
fn shifted_values(x: &[u32], m: &mut std::collections::HashMap<u32, u32>) {
    for v in x {
        let e = m.entry(v % 7).or_insert(1);
        *e = *v - *e;
    }
}

/// H029
fn in_a_closure(x: &[u32], m: &mut std::collections::HashMap<u32, u32>) {
    for v in x {
        let mut count = |k: u32| *m.entry(k).or_insert(0) += 1;
        count(*v);
    }
}

/// H028
fn looked_up_and_kept(x: &[u32], out: &mut [u32], m: &mut std::collections::HashMap<u32, u32>) {
    for i in 0..x.len() {
        let n = m.get(&x[i]).copied().unwrap_or(0);
        m.insert(x[i], n + 1);
        out[i] = n;
    }
}

/// H028
fn looked_up_by_another_key(x: &[u32], m: &mut std::collections::HashMap<u32, u32>) {
    for v in x {
        let n = m.get(&(v / 2)).copied().unwrap_or(0);
        m.insert(*v, n + 1);
    }
}

/// H028
fn taken_from_what_was_there(x: &[u32], m: &mut std::collections::HashMap<u32, u32>) {
    for v in x {
        m.insert(*v, 9 - m.get(v).copied().unwrap_or(0));
    }
}

/// H028
fn begins_as_the_item_and_is_added_to(x: &[u32], m: &mut std::collections::HashMap<u32, u32>) {
    for v in x {
        let n = *m.get(&(v % 7)).unwrap_or(v);
        m.insert(v % 7, n + 1);
    }
}

/// H028
fn the_best_of_items_with_another_one_kept(x: &[u32], m: &mut std::collections::HashMap<u32, (u32, u32)>) {
    for v in x {
        let e = m.entry(v % 7).or_insert((0, 0));
        if *v > e.0 {
            *e = (*v + 1, *v);
        }
    }
}

/// H029
fn numbers_of_new_keys(x: &[u32], ids: &mut std::collections::HashMap<u32, u32>) -> u32 {
    let mut next = 0;
    for v in x {
        ids.entry(*v).or_insert_with(|| {
            next += 1;
            next
        });
    }
    next
}

/// H028
fn counted_where_it_was_there(x: &[u32], m: &mut std::collections::HashMap<u32, u32>) -> u32 {
    let mut again = 0;
    for v in x {
        m.entry(*v).and_modify(|n| *n += { again += 1; 1 }).or_insert(1);
    }
    again
}

/// H028
fn ends_at_a_new_key(x: &[u32], m: &mut std::collections::HashMap<u32, u32>) {
    for v in x {
        if let Some(n) = m.get_mut(v) {
            *n += 1;
        } else {
            m.insert(*v, if *v > 9 { return } else { 1 });
        }
    }
}

/// H057
fn read_on_both_sides(a: &mut [f64]) {
    for i in 1..a.len() - 1 {
        a[i] = 0.5 * (a[i - 1] + a[i + 1]);
    }
}

/// H057
fn written_ahead_as_well(a: &mut [f64]) {
    for i in 1..a.len() - 1 {
        a[i] = a[i + 1] * 0.5;
        a[i + 1] = 2.0;
    }
}

/// H057
fn as_far_ahead_as_an_element_says(a: &mut [f64], far: &[usize]) {
    for i in 0..far.len() {
        a[i] = a[i + far[i]] * 0.5;
    }
}

/// H057
fn further_ahead_each_time(a: &mut [f64]) {
    let mut far = 0;
    for i in 0..a.len() / 3 {
        far += 1;
        a[i] = a[i + far] * 0.5;
    }
}

/// H057
fn ahead_on_the_way_down(a: &mut [f64]) {
    for i in (0..a.len() - 1).rev() {
        a[i] = (a[i + 1] + 1.0) / a[i];
    }
}

/// H057
fn lent_ahead(a: &mut [Vec<u32>]) {
    for i in 0..a.len() - 1 {
        a[i] = std::mem::take(&mut a[i + 1]);
    }
}

/// H023
fn first_of_another_value(x: &[i64]) -> Option<i64> {
    let mut best: Option<i64> = None;
    for &v in x {
        best = match best { None => Some(0), Some(b) => Some(b.max(v)) };
    }
    best
}

/// H023
fn differences_in_an_option(x: &[i64]) -> Option<i64> {
    let mut best: Option<i64> = None;
    for &v in x {
        best = match best { None => Some(v), Some(b) => Some(v - b) };
    }
    best
}

/// H029
fn least_and_most_in_one(x: &[i64]) -> Option<i64> {
    let mut best: Option<i64> = None;
    for &v in x {
        if v > 0 {
            best = Some(best.map_or(v, |b| b.max(v)));
        } else {
            best = Some(best.map_or(v, |b| b.min(v)));
        }
    }
    best
}

/// H028
fn no_less_than_zero(x: &[i64]) -> Option<i64> {
    let mut best: Option<i64> = None;
    for &v in x {
        best = Some(best.unwrap_or(0).max(v));
    }
    best
}

/// H023
fn folded_and_read(x: &[i64], out: &mut [Option<i64>]) {
    let mut best: Option<i64> = None;
    for i in 0..x.len() {
        let v = x[i];
        best = match best { None => Some(v), Some(b) => Some(b.max(v)) };
        out[i] = best;
    }
}

/// H026
fn a_key_that_changes(v: &mut [Mass]) -> (i32, i32) {
    let (mut best, mut other) = (i32::MAX, 0);
    for i in 0..v.len() {
        if v[i].of < best {
            best = v[i].of;
            v[i].of = 5;
            other = v[i].of;
        }
    }
    (best, other)
}

/// H030
fn the_width_so_far(x: &[u32], out: &mut [String]) -> usize {
    let mut width = 0;
    for i in 0..x.len() {
        width = width.max(x[i] as usize % 19);
        out[i] = format!("{:>width$}", x[i]);
    }
    width
}

/// H057
fn color_of_another_pixel(p: &[usize], q: &[usize], z: &[f32], depth: &mut [f32], color: &mut [u32]) {
    for i in 0..p.len() {
        if z[i] < depth[p[i]] {
            depth[p[i]] = z[i];
            color[q[i]] = i as u32;
        }
    }
}

/// H057
fn depth_that_is_looked_at_on_the_way(p: &[usize], z: &[f32], depth: &mut [f32], color: &mut [u32]) {
    for i in 0..p.len() {
        if z[i] < depth[p[i]] {
            depth[p[i]] = z[i];
            color[p[i]] = i as u32;
        }
        if depth[0] < 1.0 {
            continue;
        }
    }
}

/// H057
fn another_depth_is_kept(p: &[usize], z: &[f32], depth: &mut [f32], color: &mut [u32]) {
    for i in 0..p.len() {
        if z[i] < depth[p[i]] {
            depth[p[i]] = z[i] + 1.0;
            color[p[i]] = i as u32;
        }
    }
}

/// H057
fn the_one_before_is_kept(p: &[usize], z: &[f32], depth: &mut [f32], second: &mut [f32]) {
    for i in 0..p.len() {
        if z[i] < depth[p[i]] {
            second[p[i]] = depth[p[i]];
            depth[p[i]] = z[i];
        }
    }
}

/// H057
fn the_nearest_is_counted(p: &[usize], z: &[f32], depth: &mut [f32], color: &mut [u32]) {
    for i in 0..p.len() {
        if z[i] < depth[p[i]] {
            depth[p[i]] = z[i];
            color[p[i]] += 1;
        }
    }
}
