//! Whether types are one, also where they may have lifetimes.

use std::any::TypeId;
use std::marker::PhantomData;

trait Named {
    fn id(&self) -> TypeId
    where
        Self: 'static;
}

impl<T> Named for PhantomData<T> {
    fn id(&self) -> TypeId
    where
        Self: 'static,
    {
        TypeId::of::<T>()
    }
}

/// What tells a type from all others, but for lifetimes in it.
fn id_of<T>() -> TypeId {
    let of: &dyn Named = &PhantomData::<T>;
    // SAFETY: it differs in a lifetime alone, of something that has no value; an id is of the type without its lifetimes.
    let of = unsafe { std::mem::transmute::<&dyn Named, &(dyn Named + 'static)>(of) };
    of.id()
}

/// A vector whose elements are of a type without lifetimes, if they are. What the elements are is decided elsewhere: asking says nothing of it to rustc.
pub(crate) fn vector_of<T: 'static, U>(of: &mut Vec<U>) -> Option<&mut Vec<T>> {
    let same = id_of::<U>() == TypeId::of::<T>();
    // SAFETY: the types are one, for one of them has no lifetimes.
    same.then(|| unsafe { &mut *std::ptr::from_mut(of).cast::<Vec<T>>() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_is_one_of_its_own_elements() {
        let text = String::from("x");
        let mut lent: Vec<&str> = vec![&text];
        assert!(vector_of::<&'static u8, _>(&mut lent).is_none());
        assert!(vector_of::<u32, _>(&mut vec![1i32]).is_none());
        assert!(vector_of::<usize, _>(&mut vec![1u64]).is_none());
        assert!(vector_of::<u32, _>(&mut vec![[1u32]]).is_none());
        let mut numbers = vec![1u16];
        vector_of::<u16, _>(&mut numbers).expect("it is").push(2);
        assert_eq!(numbers, [1, 2]);
    }
}
