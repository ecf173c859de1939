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

mod within {
    #[accrue::offload(histogram)]
    fn hidden_by_an_item(xs: &[u32], h: &mut [u32]) {
        use ::std::cmp;
        for &x in xs {
            mod cmp {
                pub fn min(a: u32, b: u32) -> u32 {
                    a ^ b
                }
            }
            h[cmp::min(x, 7) as usize] += 1;
        }
    }

    #[accrue::offload(histogram)]
    fn hidden_in_a_block(xs: &[u32], h: &mut [u32]) {
        for &x in xs {
            let at = {
                macro_rules! matches {
                    ($($t:tt)*) => {
                        true
                    };
                }
                matches!(x, 3)
            };
            h[at as usize] += 1;
        }
    }

    mod std {
        macro_rules! __matches {
            ($($t:tt)*) => {
                false
            };
        }
        pub(crate) use __matches as matches;
    }

    #[accrue::offload(histogram)]
    fn by_path(xs: &[u32], h: &mut [u32]) {
        for &x in xs {
            h[std::matches!(x, 3) as usize] += 1;
        }
    }
}

mod device {
    use super::cmp;

    trait Signed {
        fn pow(&self, by: u32) -> i32;
    }
    impl Signed for i32 {
        fn pow(&self, _: u32) -> i32 {
            0
        }
    }

    macro_rules! assert {
        ($($t:tt)*) => {};
    }

    #[accrue::offload(device)]
    fn largest(a: u32) -> u32 {
        cmp::max(a, 7)
    }

    #[accrue::offload(device)]
    fn asserts(a: u32) -> u32 {
        assert!(a < 8);
        a
    }

    #[accrue::offload(device)]
    fn method(a: &i32) -> i32 {
        a.pow(2)
    }

    #[accrue::offload(device)]
    fn with_an_impl(a: u32) -> u32 {
        struct Pair(u32);
        impl Pair {
            fn sum(&self) -> u32 {
                self.0
            }
        }
        Pair(a).sum()
    }
}

fn main() {}
