//! Whether floats are numbers.

/// As many elements are looked at in two microseconds.
const FEW: usize = 8192;

/// How many times faster an element is looked at than an iteration may run, so that looking is a small part of the loop.
const MANY: usize = 5;

/// Floats, and arrays of them.
pub trait Numbers {
    /// How many floats it has.
    fn count(&self) -> usize;

    /// Whether none is NaN.
    fn are_numbers(&self) -> bool;
}

macro_rules! floats {
    ($($float:ty),*) => {$(
        impl Numbers for $float {
            #[inline(always)]
            fn count(&self) -> usize {
                1
            }
            #[inline(always)]
            fn are_numbers(&self) -> bool {
                !self.is_nan()
            }
        }
    )*};
}

floats!(f32, f64);

impl<T: Numbers> Numbers for [T] {
    fn count(&self) -> usize {
        self.first().map_or(0, |first| self.len() * first.count())
    }
    #[inline(always)]
    fn are_numbers(&self) -> bool {
        // Without a branch for each, so that they are looked at several at a time.
        let blocks = &mut self.chunks(1024);
        blocks.all(|block| {
            block
                .iter()
                .fold(true, |all, element| all & element.are_numbers())
        })
    }
}

impl<T: Numbers, const N: usize> Numbers for [T; N] {
    fn count(&self) -> usize {
        self[..].count()
    }
    #[inline(always)]
    fn are_numbers(&self) -> bool {
        self[..].are_numbers()
    }
}

/// Whether no element is NaN, as far as it is worth looking before so many iterations. 0 iterations are not known.
pub fn numbers<T: Numbers + ?Sized>(elements: &T, iterations: usize) -> bool {
    let count = elements.count();
    (count <= FEW || count.saturating_mul(MANY) <= iterations) && elements.are_numbers()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_is_no_number_is_found_wherever_it_is() {
        let mut bins = vec![[f32::INFINITY, -0.0, 1.0]; 1500];
        assert!(numbers(&bins[..], 0));
        for at in [0, 1023, 1024, 1499] {
            bins[at][2] = f32::NAN;
            assert!(!numbers(&bins[..], 0), "{at}");
            bins[at][2] = 1.0;
        }
        assert!(numbers(&[0.5f64; 3][..], 0) && numbers::<[f64]>(&[], 0));
    }

    #[test]
    fn few_iterations_do_not_pay_for_many_elements() {
        let bins = vec![0.0f64; 10_000];
        assert!(
            !numbers(&bins[..], 0) && !numbers(&bins[..], 49_999) && numbers(&bins[..], 50_000)
        );
    }
}
