//! Loops whose iterations would meet, in the shapes of those that do not.

use accrue::offload;

#[offload]
fn scattered_by_seven(a: &mut [u32]) { let n = a.len(); for i in 0..n { a[(i * 7) % n] = i as u32; } }

#[offload]
fn gathered_by_two(a: &mut [u32]) { for i in 0..a.len() / 2 { a[i] = a[i * 2]; } }

//
// `counted_up` is taken by now.

//
// `moved_on` is taken by now.

#[offload]
fn through_a_table(a: &mut [u32], b: &[usize]) { for i in 0..b.len() { let k = b[i]; a[k] = i as u32; } }

#[offload]
fn all_before(a: &mut [u32]) { for i in 0..a.len() { for j in 0..i { a[i] = a[i].wrapping_add(a[j]); } } }

//
// `pushed` is taken by now.

#[offload]
fn wrapped(a: &mut [u32], n: usize) { for i in 0..n { let x = i.wrapping_mul(n); a[x % 64] = i as u32; } }

#[offload]
fn two_arrays(a: &mut [u32], b: &mut [u32]) { for i in (0..a.len() - 1).rev() { a[i + 1] = b[i]; b[i + 1] = a[i + 1]; } }

#[offload]
fn shadowed(a: &mut [u32]) { for i in 0..a.len() { let i = i / 2; a[i] = i as u32 + 1; } }

#[offload]
fn columns_of_rows(a: &mut [[u32; 4]]) { for i in 0..a.len() { for j in 0..4 { a[j % a.len()][i % 4] = (i + j) as u32; } } }

#[offload]
fn halves_crossed(a: &mut [u32]) { let (l, r) = a.split_at_mut(8); for i in 0..8 { l[i] = r[i]; r[7 - i] = l[i]; } }

#[offload]
fn by_closure(a: &mut [u32]) { let f = |i: usize| i / 2; for i in 0..a.len() { a[f(i)] = i as u32; } }

#[offload]
fn by_remainder(a: &mut [u32], s: i64) { for i in 0..20i64 { a[(i * s).rem_euclid(64) as usize] = i as u32; } }

#[offload]
fn of_bytes(a: &mut [u32]) { for i in 0..64u8 { a[(i.wrapping_mul(5)) as usize % 64] = i as u32; } }

#[offload]
fn cut_to_bytes(a: &mut [u32]) { for i in 0..300usize { a[i as u8 as usize % 64] = i as u32; } }

#[offload]
fn prefix_sums(a: &mut [u32]) { for i in 0..64usize { let r = &a[..i + 1]; let s: u32 = r.iter().fold(0u32, |x, y| x.wrapping_add(*y)); a[i] = s; } }

#[offload]
fn shifted_up(a: &mut [u32]) { for i in (0..32usize).rev() { a[i + 1] = a[i]; } }

#[offload]
fn three_in_a_row(a: &mut [u32]) { for i in 0..31usize { let t = a[2 * i + 1]; a[2 * i] = t; a[2 * i + 2] = t + 1; } }

#[offload]
fn best_that_is_read(a: &mut [u32]) { let mut best = 0; for i in 1..a.len() { let v = a[i - 1] % 7; if v > best { best = v; } if best > 5 { a[i] = 1; } } }

#[offload]
fn flag_that_is_read(a: &mut [u32]) { let mut hit = false; for i in 0..a.len() { if hit { a[i] = 0; } if a[i] % 5 == 0 { hit = true; } } }

#[offload]
fn overlapping_rows(a: &mut [u32]) { for i in 0..16 { for j in 0..5 { a[i * 4 + j] = (i * 10 + j) as u32; } } }

#[offload]
fn from_both_ends(a: &mut [u32], n: usize) { for i in 0..n { a[n - i - 1] = i as u32; a[i] += 2; } }

#[offload]
fn part_of_it(a: &mut [u32]) { let v = &mut a[4..]; for i in (0..20).rev() { v[i + 1] = v[i]; } }

#[offload]
fn next_of_it(a: &mut [u32]) { for i in 0..64 { if let Some(x) = a.get(i + 1) { let x = *x; a[i] = x; } } }

#[offload]
fn windows_sorted(a: &mut [u32]) { for w in 0..60 { a[w..w + 4].sort(); } }

#[offload]
fn bubbles(a: &mut [u32]) { for i in 0..63 { let (x, y) = (i, i + 1); a.swap(x, y); } }

#[offload]
fn stepped(a: &mut [u32]) { let mut it = 0usize; for v in a.iter_mut() { *v += it as u32; it += *v as usize; } }

#[offload]
fn second_best(a: &mut [u32]) { let mut best = 100u32; let mut second = 100u32; for i in 0..a.len() { if a[i] < best { second = best; best = a[i]; } } a[0] = second; }

fn main() {}
