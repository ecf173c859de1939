//! Arrays and views of the crate ndarray.

use ndarray::{ArrayBase, ArrayRef, Data, DataMut, Dim, Dimension, Ix, RawData};

use super::{Flat, FlatMut};
use crate::base::plain::Plain;

impl<T, const RANK: usize> Flat<RANK> for ArrayRef<T, Dim<[Ix; RANK]>>
where
    Dim<[Ix; RANK]>: Dimension,
{
    type Elem = T;

    fn slice(&self) -> Option<&[T]> {
        self.as_slice()
    }

    fn lengths(&self) -> [usize; RANK] {
        self.shape().try_into().expect("a length of each dimension")
    }

    fn copied(&self) -> Vec<T>
    where
        T: Clone,
    {
        self.iter().cloned().collect()
    }
}

impl<T, const RANK: usize> FlatMut<RANK> for ArrayRef<T, Dim<[Ix; RANK]>>
where
    Dim<[Ix; RANK]>: Dimension,
{
    fn slice_mut(&mut self) -> Option<&mut [T]> {
        self.as_slice_mut()
    }

    fn set(&mut self, elements: Vec<T>) {
        self.iter_mut().zip(elements).for_each(|(e, v)| *e = v);
    }
}

impl<S: Data, const RANK: usize> Flat<RANK> for ArrayBase<S, Dim<[Ix; RANK]>>
where
    Dim<[Ix; RANK]>: Dimension,
{
    type Elem = S::Elem;

    fn slice(&self) -> Option<&[S::Elem]> {
        Flat::slice(&**self)
    }

    fn lengths(&self) -> [usize; RANK] {
        Flat::lengths(&**self)
    }

    fn copied(&self) -> Vec<S::Elem>
    where
        S::Elem: Clone,
    {
        Flat::copied(&**self)
    }
}

impl<S: DataMut, const RANK: usize> FlatMut<RANK> for ArrayBase<S, Dim<[Ix; RANK]>>
where
    Dim<[Ix; RANK]>: Dimension,
{
    fn slice_mut(&mut self) -> Option<&mut [S::Elem]> {
        FlatMut::slice_mut(&mut **self)
    }

    fn set(&mut self, elements: Vec<S::Elem>) {
        FlatMut::set(&mut **self, elements);
    }
}

// Counts of owners change, which nobody sees who only reads.
impl<S: RawData<Elem: Plain>, D> Plain for ArrayBase<S, D> {}
impl<T: Plain, D> Plain for ArrayRef<T, D> {}
