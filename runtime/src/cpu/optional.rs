//! Bins that hold an `Option`, `if h[k].is_none_or(|c| v < c) { h[k] = Some(v); }`: the best items of a loop stand in an array of their own until its end.

/// What is compared in such a bin.
#[diagnostic::on_unimplemented(
    message = "[accrue::H028] bins of `Option<{Self}>` may compare in any way",
    label = "these are no bins of integers",
    note = "compare integers, or write `#[sequential]` before the loop's `for`"
)]
pub trait Whole: Copy + Ord {
    /// The least.
    const MIN: Self;
    /// The greatest.
    const MAX: Self;
}

macro_rules! whole {
    ($($name:ty)*) => {$(
        impl Whole for $name {
            const MIN: Self = <$name>::MIN;
            const MAX: Self = <$name>::MAX;
        }
    )*};
}
whole!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize);

/// For each bin an item that is no better than any, where the `LEAST` is the best or the greatest.
pub fn worst<const LEAST: bool, T: Whole>(bins: &[Option<T>]) -> Vec<T> {
    let worst = if LEAST { T::MAX } else { T::MIN };
    vec![worst; bins.len()]
}

/// For each bin that no item has been taken.
pub fn untaken<T: Whole>(bins: &[Option<T>]) -> Vec<bool> {
    vec![false; bins.len()]
}

/// Puts the best items into their bins, where any has been taken.
pub fn kept_into<T: Whole>(bins: &mut [Option<T>], best: &[T], taken: &[bool]) {
    for ((bin, best), taken) in bins.iter_mut().zip(best).zip(taken) {
        if *taken {
            *bin = Some(*best);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_is_put_into_its_bin() {
        let mut bins = [None, Some(3), Some(5), None];
        assert_eq!(worst::<true, i32>(&bins), [i32::MAX; 4]);
        assert_eq!(worst::<false, i32>(&bins), [i32::MIN; 4]);
        assert_eq!(untaken(&bins), [false; 4]);
        kept_into(&mut bins, &[i32::MAX, 2, 9, 0], &[true, true, false, false]);
        assert_eq!(bins, [Some(i32::MAX), Some(2), Some(5), None]);
    }
}
