use accrue::offload;

mod cmp {
    pub fn max(a: u32, b: u32) -> u32 {
        a + b
    }
}

mod mem {
    pub fn swap(a: &mut u32, b: &mut u32) {
        *a += *b;
    }
}

trait Signed {
    fn abs(&self) -> i32;
}
impl Signed for i32 {
    fn abs(&self) -> i32 {
        0
    }
}

#[offload(histogram)]
fn maximum(xs: &[u32], h: &mut [u32]) {
    for &x in xs {
        h[(x & 7) as usize] = cmp::max(h[(x & 7) as usize], x);
    }
}

#[offload(histogram)]
fn swapped(xs: &[u32], h: &mut [u32]) {
    for &x in xs {
        let (mut a, mut b) = (x, x / 2);
        mem::swap(&mut a, &mut b);
        h[(a & 7) as usize] += 1;
    }
}

#[offload(histogram)]
fn absolute(xs: &[i32], h: &mut [u32]) {
    for x in xs {
        h[x.abs() as usize] += 1;
    }
}

mod own_assert {
    macro_rules! assert {
        ($($t:tt)*) => {};
    }

    #[accrue::offload(histogram)]
    fn asserts(xs: &[u32], h: &mut [u32]) {
        for &x in xs {
            assert!(x < 8);
            h[x as usize] += 1;
        }
    }
}

fn main() {}
