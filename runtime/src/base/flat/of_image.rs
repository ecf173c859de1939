//! Pictures of the crate image: their pixels as arrays of numbers.

use std::ops::{Deref, DerefMut};

use image::{ImageBuffer, Luma, LumaA, Pixel, Rgb, Rgba};

use super::{Flat, FlatMut};
use crate::base::plain::Plain;

macro_rules! pixels {
    ($($pixel:ident $channels:literal),*) => { $(
        impl<T: Clone, C> Flat<2> for ImageBuffer<$pixel<T>, C>
        where
            $pixel<T>: Pixel<Subpixel = T>,
            C: Deref<Target = [T]>,
        {
            type Elem = [T; $channels];

            fn slice(&self) -> Option<&[[T; $channels]]> {
                let count = self.width() as usize * self.height() as usize;
                // There may be more behind them.
                self.as_raw().as_chunks().0.get(..count)
            }

            fn lengths(&self) -> [usize; 2] {
                [self.height() as usize, self.width() as usize]
            }

            fn copied(&self) -> Vec<[T; $channels]> {
                self.slice().map_or_else(Vec::new, <[_]>::to_vec)
            }
        }

        impl<T: Clone, C> FlatMut<2> for ImageBuffer<$pixel<T>, C>
        where
            $pixel<T>: Pixel<Subpixel = T>,
            C: Deref<Target = [T]> + DerefMut,
        {
            fn slice_mut(&mut self) -> Option<&mut [[T; $channels]]> {
                let count = self.width() as usize * self.height() as usize;
                let numbers: &mut [T] = self;
                numbers.as_chunks_mut().0.get_mut(..count)
            }

            fn set(&mut self, elements: Vec<[T; $channels]>) {
                let places = self.slice_mut().into_iter().flatten();
                places.zip(elements).for_each(|(e, v)| *e = v);
            }
        }

        impl<T: Plain> Plain for $pixel<T> {}
    )* };
}

pixels!(Luma 1, LumaA 2, Rgb 3, Rgba 4);

impl<P: Pixel, C: Plain> Plain for ImageBuffer<P, C> {}
