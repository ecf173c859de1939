//! Every refusal.

#[offload(histogram)]
fn bins_read(data: &[u8], h: &mut [u32]) {
    for &x in data {
        if h[x as usize] < 10 {
            h[x as usize] += 1;
        }
    }
}

#[offload(histogram)]
fn old_value(data: &[u8], h: &mut [u32], out: &mut [u32]) {
    for (i, &x) in data.iter().enumerate() {
        let k = h[x as usize];
        h[x as usize] += 1;
        out[i] = k;
    }
}

#[offload(histogram)]
fn mixed(data: &[u8], h: &mut [u32]) {
    for &x in data {
        h[x as usize] += 1;
        h[0] |= 2;
    }
}

#[offload(histogram)]
fn ordered(data: &[u8], h: &mut [u32], g: &mut [u32]) {
    for &x in data {
        h[x as usize] /= 2;
        g[x as usize] <<= 1;
    }
}

#[offload(histogram)]
fn assigned(data: &[u8], h: &mut [u32]) {
    for &x in data {
        h[x as usize] = 1;
    }
}

#[offload(histogram)]
fn horner(data: &[u8], h: &mut [u32]) {
    for &x in data {
        h[x as usize] = h[x as usize] * 31 + 1;
    }
}

#[offload(histogram)]
fn index_on_bins(data: &[u8], h: &mut [usize]) {
    for &x in data {
        h[h[x as usize]] += 1;
    }
}

#[offload(histogram)]
fn index_on_bins_by_local(data: &[u8], h: &mut [usize], g: &mut [u32]) {
    for &x in data {
        let k = h[x as usize];
        g[k] += 1;
        h[x as usize] += 1;
    }
}

#[offload(histogram)]
fn value_on_bins(data: &[u8], h: &mut [u32], g: &mut [u32]) {
    for &x in data {
        h[x as usize] += 1;
        g[x as usize] += h[0];
    }
}

#[offload(histogram)]
fn leaves(data: &[u8], h: &mut [u32]) -> Option<()> {
    for &x in data {
        if x == 0 {
            break;
        }
        if x == 1 {
            return None;
        }
        h[x as usize] += u32::try_from(x).ok()?;
    }
    Some(())
}

#[offload(histogram)]
fn waits(data: &[u8], h: &mut [u32]) {
    for &x in data {
        h[x as usize] += f(x).await;
    }
}

#[offload(histogram)]
fn writes(data: &[u8], h: &mut [u32], out: &mut [u8]) {
    let mut last = 0;
    for (i, &x) in data.iter().enumerate() {
        h[x as usize] += 1;
        last = x;
        out[i] = x;
    }
}

#[offload(histogram)]
fn counter(data: &[u8], h: &mut [u32], w: &[u32]) {
    let mut i = 0;
    for &x in data {
        h[x as usize] += w[i];
        i += 1;
    }
}

#[offload(histogram)]
fn no_loop(data: &[u8], h: &mut [u32]) {
    let mut left = data;
    while let [x, rest @ ..] = left {
        h[*x as usize] += 1;
        left = rest;
    }
}

#[offload(histogram)]
fn no_update(data: &[u8], h: &mut [u32]) -> u32 {
    for &x in data {
        println!("{x}");
    }
    0
}

#[offload(histogram)]
fn pushes(data: &[u8], out: &mut Vec<u8>) {
    for &x in data {
        out.push(x);
    }
}

#[offload(histogram)]
async fn asynchronous(data: &[u8], h: &mut [u32]) {
    for &x in data {
        h[x as usize] += 1;
    }
}

#[offload(histogram)]
const fn constant(data: &[u8], h: &mut [u32]) {
    for &x in data {
        h[x as usize] += 1;
    }
}

#[offload(histogram)]
fn iteration(text: &str, h: &mut [u32]) {
    for c in text.chars() {
        h[c as usize] += 1;
    }
}

#[offload(histogram)]
fn iteration_mut(h: &mut [u32], g: &mut [u32]) {
    for x in h.iter_mut() {
        g[*x as usize] += 1;
    }
}

#[offload(histogram)]
fn escapes(data: &[u8], h: &mut [u32], log: &mut Vec<u8>) {
    for &x in data {
        h[x as usize] += 1;
        note(h, x);
        log.push(x);
    }
}

#[offload(histogram)]
fn in_closure(data: &[u8], h: &mut [u32]) {
    for &x in data {
        h[x as usize] += 1;
        let f = || h[0];
        f();
    }
}

#[offload(histogram)]
fn in_macro(data: &[u8], h: &mut [u32]) {
    for &x in data {
        h[x as usize] += 1;
        println!("{} {h:?}", x);
    }
}

#[offload(histogram)]
fn in_unsafe(data: &[u8], h: &mut [u32]) {
    for &x in data {
        unsafe {
            *h.get_unchecked_mut(x as usize) += 1;
            h[0] += 1;
        }
    }
}

#[offload(histogram)]
fn map(data: &[u8], h: &mut HashMap<u8, u32>) {
    for x in data {
        h[x] += 1;
    }
}

#[offload(histogram)]
fn vec_of_vec(data: &[u8], h: &mut Vec<Vec<u32>>) {
    for &x in data {
        h[x as usize][0] += 1;
    }
}

#[offload(histogram)]
fn signed_saturation(data: &[u8], h: &mut [i32]) {
    for &x in data {
        h[x as usize] = h[x as usize].saturating_add(1);
    }
}

#[offload(histogram)]
fn running_maximum(data: &[f32], h: &mut [f32]) {
    for (i, &x) in data.iter().enumerate() {
        if h[i % 8] < x {
            h[i % 8] = x;
        }
    }
}

#[offload(histogramm, locals = 0, foo = 3)]
fn arguments(data: &[u8], h: &mut [u8]) {}

#[offload(histogram, require = "cuda")]
fn required(data: &[u8], h: &mut [u32]) {
    for &x in data {
        h[bin_of(x)] += 1;
    }
}

#[offload(histogram)]
fn by_name(data: &[u8], h: &mut [[u32; 4]], g: &mut [u32]) {
    for &x in data {
        g[0] += 1;
        let row = &mut h[x as usize];
        row.reverse();
        row[0] += 1;
    }
}

#[offload(histogram)]
fn borrowed_in_a_tuple(data: &[u8], h: &mut [u32], g: &mut [u32]) {
    for &x in data {
        g[0] += 1;
        let (a, i) = (&mut h[x as usize], 3);
        *a += i;
    }
}

#[offload(histogram)]
fn closure_from_before(data: &[u8], h: &mut [u32], g: &mut [u32]) {
    let mut add = |i: u8| h[i as usize] += 1;
    for &x in data {
        add(x);
        g[0] += 1;
    }
}

#[offload(histogram)]
fn iterator_from_before(data: &[u8], other: &[u32], h: &mut [u32]) {
    let mut more = other.iter();
    for &x in data {
        h[x as usize] += more.next().unwrap();
    }
}

#[offload(histogram)]
fn struct_bins(data: &[u8], h: &mut [Bin]) {
    for &x in data {
        h[x as usize].count += 1;
        h[x as usize].note(x);
    }
}

#[offload(histogram)]
fn shared_macro(data: &[u8], next: &AtomicUsize, h: &mut [u32]) {
    for &x in data {
        h[tick!(next) % 4] += u32::from(x);
    }
}

#[offload(histogram)]
fn prints(data: &[u8], h: &mut [u32]) {
    for &x in data {
        println!("{x}");
        h[x as usize] += 1;
    }
}

#[offload(histogram, pure(bin, tick))]
fn no_such_call(data: &[u8], h: &mut [u32]) {
    for &x in data {
        h[bin(x)] += 1;
    }
}

#[offload(histogram)]
fn out_of_unsafe_code(data: &[u8], h: &mut [u32]) {
    'all: for &x in data {
        unsafe {
            if x == 9 {
                break;
            }
        }
        'kept: {
            if x == 8 {
                break 'all;
            }
            if x == 7 {
                break 'kept;
            }
        }
        h[x as usize] += 1;
    }
}

#[offload(histogram)]
fn around_it(data: &[u8], h: &mut [u32]) {
    let mut k = 0;
    'around: while k < 3 {
        k += 1;
        for &x in data {
            if x == 255 {
                continue 'around;
            }
            h[x as usize] += 1;
        }
    }
}

#[offload(histogram)]
fn two_carried(data: &[u8], h: &mut [u32]) {
    let (mut a, mut b) = (0, 1);
    for &x in data {
        (a, b) = (b, a ^ x);
        h[a as usize] += 1;
    }
}

#[offload(histogram)]
fn only_in_a_macro(data: &[u8], h: &mut [u32]) {
    for &x in data {
        bump!(h, x);
    }
}

#[offload(histogram)]
fn in_a_message(data: &[u8], h: &mut [u32]) {
    for &x in data {
        h[x as usize] += 1;
        assert!(x < 200 || h.len() > 200, "{x} {}", h[0]);
    }
}

#[offload(histogram)]
fn names_of_ours(__accrue_len_0_0: usize, data: &[usize], h: &mut [u32]) {
    for &x in data {
        h[x % __accrue_len_0_0] += 1;
    }
}

#[offload(histogram)]
fn then_cumulated(data: &[u8], h: &mut [u32]) {
    for &x in data {
        h[x as usize] += 1;
    }
    for i in 1..h.len() {
        h[i] += h[i - 1];
    }
}

#[offload]
fn by_threes(a: &mut [u32]) {
    for i in 0..a.len() - 3 {
        a[i + 3] = a[i];
    }
}

#[offload]
fn carried_terms_of_its_own(x: &[u32], out: &mut [u32]) {
    let mut acc = 0;
    for i in 0..x.len() {
        if acc < 100 {
            acc += x[i];
        }
        out[i] = acc;
    }
}

#[offload]
fn carried_terms_that_are_written(x: &[u32], out: &mut [u32]) {
    let mut acc = 0;
    for i in 1..x.len() {
        acc += x[i] ^ out[i - 1];
        out[i] = acc;
    }
}

#[offload]
fn carried_terms_after_the_write(x: &[u32], out: &mut [u32]) {
    let mut acc = 0;
    for i in 0..x.len() {
        out[i] = acc ^ x[i];
        acc += out[i];
    }
}

#[offload]
fn recurrence(x: &[f32], out: &mut [f32]) {
    let mut s = 0.0;
    for i in 0..x.len() {
        s = 0.5 * s + x[i];
        out[i] = s;
    }
}

#[offload]
fn cursor_that_looks_back(x: &[u32], out: &mut [u32]) -> usize {
    let mut n = 1;
    for &v in x {
        if v > 3 {
            out[n] = v ^ out[n - 1];
            n += 1;
        }
    }
    n
}

#[offload(distinct(out))]
fn of_what_it_writes(at: &[usize], next: &mut [usize], out: &mut [u32]) {
    for i in 0..at.len() {
        next[i] = at[i] / 2;
        out[next[i]] = i as u32;
    }
}

#[offload(distinct(out))]
fn in_a_macro(at: &[usize], out: &mut [u32]) {
    for i in 0..at.len() {
        out[at[i]] += 1;
        debug_assert!(out[at[i]] < 7);
    }
}

#[offload]
fn a_look_at_what_has_the_bins(outer: &mut Outer) {
    for i in 0..outer.inner.v.len() {
        outer.inner.v[i] = outer.inner.get(i) + 1;
    }
}

#[offload]
fn types_that_do_not_fit(x: &[f64], out: &mut [f64]) {
    for i in 0..x.len() {
        out[i] = x[i] as f32;
    }
}

#[offload]
fn a_macro_that_changes(x: &[u32], bins: &mut [u32]) -> u32 {
    let mut all = 0;
    macro_rules! note {
        ($v:expr) => {
            all ^= $v;
        };
    }
    for &v in x {
        bins[v as usize] += 1;
        note!(v);
    }
    all
}

#[offload]
fn a_macro_that_looks(x: &[u32], bins: &mut [u32], first: &mut [u32]) {
    macro_rules! top {
        () => {
            bins[0]
        };
    }
    for (i, &v) in x.iter().enumerate() {
        bins[v as usize] += 1;
        first[i] = top!();
    }
}

#[offload]
fn a_macro_that_ends_it(x: &[u32], out: &mut [u32]) -> usize {
    let mut n = 0;
    macro_rules! is_full {
        () => {
            n >= 5
        };
    }
    for &v in x {
        out[n] = v;
        n += 1;
        if is_full!() {
            break;
        }
    }
    n
}

#[offload]
fn a_read_for_nothing(x: &[usize], out: &mut [u32]) -> usize {
    let mut n = 0;
    for &v in x {
        out[0];
        if v > 3 {
            out[n] = v as u32;
            n += 1;
        }
    }
    n
}

#[offload]
fn a_name_for_what_is_filled(x: &[usize], out: &mut [usize]) -> usize {
    let mut n = 0;
    for &v in x {
        let all = &out;
        if v > 3 {
            out[n] = size_of_val(all);
            n += 1;
        }
    }
    n
}

#[offload]
fn a_match_on_a_bin(x: &[usize], bins: &mut [u32]) {
    for &v in x {
        match bins[v / 2] {
            _ => {}
        }
        bins[v] += 1;
    }
}

#[offload]
fn elements_of_a_queue(x: &[u32], queue: &mut VecDeque<u32>) {
    for i in 0..x.len() {
        queue[i] = x[i];
    }
}

#[offload]
fn an_iterator_by_reference<I: Iterator<Item = usize>>(items: &mut I, bins: &mut [u32]) {
    for k in items {
        bins[k] += 1;
    }
}

#[offload]
fn the_rest_of_an_iterator(items: &mut Peekable<Chars>, bins: &mut [u32]) {
    for c in items {
        bins[c as usize] += 1;
    }
}

#[offload]
fn another_field_is_changed(p: &mut Log, x: &[usize]) {
    for &i in x {
        p.sum += i;
        p.list.clear();
    }
}

#[offload]
fn another_field_is_taken(p: &mut Log, x: &[usize]) {
    for &i in x {
        if i > 3 {
            p.begin.get_or_insert(i);
        } else if let Some(begin) = p.begin.take() {
            p.list.push((begin, i));
        }
    }
}

#[offload]
fn own_push(&mut self, x: &[usize]) {
    for &i in x {
        self.push(i);
    }
}
