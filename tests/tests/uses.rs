//! `uses(..)` of device functions: its paths mean what they mean where the function stands, however a loop reaches it.

#![allow(
    nonstandard_style,
    missing_docs,
    unreachable_pub,
    unused,
    clippy::all,
    clippy::pedantic,
    reason = "collisions are written in ways that nobody should"
)]

#[macro_use]
mod collision;

use collision::*;

/// Functions that name others by paths from where they stand.
pub mod maths {
    pub const K: u32 = 5;

    pub mod low {
        pub const K: u32 = 3;
        #[accrue::offload(device)]
        pub fn f(x: u32) -> u32 {
            (x >> 3) & K
        }
        #[accrue::offload(device)]
        pub fn bin(x: u32) -> u32 {
            x % 7
        }
    }

    #[repr(C)]
    #[derive(Clone, Copy, accrue::DeviceType)]
    pub struct P {
        pub x: u32,
        pub y: [u32; 2],
    }

    pub mod high {
        pub const K: u32 = 9;
        #[accrue::offload(device, uses(super::low::f))]
        pub fn by_super(x: u32) -> u32 {
            super::low::f(x) + (x & K)
        }
        #[accrue::offload(device, uses(self::inner::f))]
        pub fn by_self(x: u32) -> u32 {
            self::inner::f(x) ^ 1
        }
        #[accrue::offload(device, uses(inner::f, sibling))]
        pub fn by_name(x: u32) -> u32 {
            inner::f(x) ^ sibling(x)
        }
        #[accrue::offload(device)]
        fn sibling(x: u32) -> u32 {
            x & 1
        }
        mod inner {
            const K: u32 = 6;
            #[accrue::offload(device)]
            pub fn f(x: u32) -> u32 {
                x & K
            }
        }
    }

    #[accrue::offload(device, uses(self::P))]
    pub fn by_struct(x: u32) -> u32 {
        let p = P {
            x: x & 3,
            y: [x & 1, 4],
        };
        p.x + p.y[0] * p.y[1]
    }

    #[accrue::offload(device, uses(low::bin))]
    pub fn bin(x: u32) -> u32 {
        low::bin(x) + K
    }

    #[accrue::offload(device, uses(high::by_super, low::f))]
    pub fn deep(x: u32) -> u32 {
        high::by_super(x) % 8 + low::f(x)
    }
}

collision!(
    a_path_from_above,
    Gpu,
    [super::maths::high::by_super],
    {},
    |keys, hist| {
        for &k in keys {
            hist[super::maths::high::by_super(k) as usize] += 1;
        }
    }
);

collision!(
    a_path_from_the_module_itself,
    Gpu,
    [by_self],
    {
        use super::maths::high::by_self;
    },
    |keys, hist| {
        for &k in keys {
            hist[by_self(k) as usize] += 1;
        }
    }
);

collision!(
    a_child_and_a_private_sibling_under_another_name,
    Gpu,
    [renamed],
    {
        use super::maths::high::by_name as renamed;
        const K: u32 = 1;
        fn sibling(_: u32) -> u32 {
            2
        }
    },
    |keys, hist| {
        for &k in keys {
            hist[renamed(k) as usize] += K;
        }
    }
);

collision!(
    a_struct_of_the_definition,
    Gpu,
    [super::maths::by_struct],
    {
        struct P;
    },
    |keys, hist| {
        for &k in keys {
            hist[super::maths::by_struct(k) as usize] += 1;
        }
    }
);

collision!(
    a_function_that_calls_another_of_its_name,
    Gpu,
    [maths::bin],
    {
        use super::maths;
    },
    |keys, hist| {
        for &k in keys {
            hist[maths::bin(k) as usize] += 1;
        }
    }
);

collision!(
    one_function_on_three_ways,
    Gpu,
    [maths::deep, maths::low::f, maths::high::by_super],
    {
        use super::maths;
    },
    |keys, hist| {
        for &k in keys {
            hist[maths::deep(k) as usize] += 1;
            hist[maths::low::f(k) as usize] += 1;
            hist[maths::high::by_super(k) as usize] += 1;
        }
    }
);

/// Two functions of one text.
macro_rules! make_twin {
    () => {
        #[accrue::offload(device)]
        pub fn twin(x: u32) -> u32 {
            x & LIMIT
        }
    };
}

pub mod first {
    const LIMIT: u32 = 3;
    make_twin!();
}

pub mod second {
    const LIMIT: u32 = 12;
    make_twin!();
    #[accrue::offload(device, uses(twin))]
    pub fn by(x: u32) -> u32 {
        twin(x)
    }
}

collision!(
    twins_with_constants_of_their_own,
    Gpu,
    [first::twin, second::twin],
    {
        use super::{first, second};
    },
    |keys, hist| {
        for &k in keys {
            hist[first::twin(k) as usize] += 1;
            hist[second::twin(k) as usize] += 1;
        }
    }
);

collision!(
    a_twin_behind_another_function,
    Cpu,
    [first::twin, second::by],
    {
        use super::{first, second};
    },
    |keys, hist| {
        for &k in keys {
            hist[first::twin(k) as usize] += 1;
            hist[second::by(k) as usize] += 1;
        }
    }
);

/// Items whose names the expansion might give to parameters of its own.
pub mod letters {
    #[repr(C)]
    #[derive(Clone, Copy, accrue::DeviceType)]
    pub struct F {
        pub x: u32,
    }
    #[repr(C)]
    #[derive(Clone, Copy, accrue::DeviceType)]
    pub struct Q {
        pub x: u32,
    }
    pub struct T;
    impl T {
        pub const MAX: u32 = 6;
    }
    #[accrue::offload(device, uses(F, Q))]
    pub fn both(f: F, x: u32) -> u32 {
        let q = Q { x: x & T::MAX };
        f.x + q.x
    }
}

collision!(
    letters_of_parameters,
    Gpu,
    [letters::both, F],
    {
        use super::letters::{self, F};
    },
    |keys, hist| {
        for &k in keys {
            hist[letters::both(F { x: k & 1 }, k) as usize] += 1;
        }
    }
);

collision!(
    paths_that_end_like_a_device_function,
    Gpu,
    [inner::min, max],
    {
        mod inner {
            #[accrue::offload(device)]
            pub fn min(x: u32) -> u32 {
                x & 7
            }
        }
        #[accrue::offload(device)]
        fn max(x: u32) -> u32 {
            x & 3
        }
    },
    |keys, hist| {
        for &k in keys {
            hist[inner::min(k) as usize] += max(k);
            hist[std::cmp::min(k % 16, 9) as usize] += 1;
            hist[core::cmp::max(k % 16, 9).min(12) as usize] += 1;
        }
    }
);

collision!(
    a_path_of_a_trait_that_ends_like_a_device_function,
    Cpu,
    [inner::min],
    {
        trait Ord {
            fn min(self, other: Self) -> Self;
        }
        impl Ord for u32 {
            fn min(self, other: u32) -> u32 {
                self ^ other
            }
        }
        mod inner {
            #[accrue::offload(device)]
            pub fn min(x: u32) -> u32 {
                x & 7
            }
        }
    },
    |keys, hist| {
        for &k in keys {
            hist[Ord::min(k % 8, inner::min(k)) as usize] += 1;
        }
    }
);

collision!(a_match_of_guards, Gpu, [], {}, |keys, hist| {
    for &k in keys {
        let speed = (k % 100) as f32 * 0.5;
        let class = match speed {
            s if s < 2.0 => 0,
            s if s < 5.0 || s > 49.0 => 1,
            _ => 2,
        };
        let other = match k % 100 {
            n if n < 7 => n,
            n => n % 5,
        };
        hist[class] += 1;
        hist[other as usize] += 1;
    }
});

collision!(
    a_shift_in_a_closure,
    Cpu,
    [],
    {
        trait Refs {
            fn wrapping_mul(self, o: u32) -> u32;
        }
        impl Refs for &u32 {
            fn wrapping_mul(self, o: u32) -> u32 {
                *self ^ o
            }
        }
        mod more {
            pub trait Refs {
                fn wrapping_mul(self, o: u32) -> u32;
            }
            impl Refs for &u32 {
                fn wrapping_mul(self, o: u32) -> u32 {
                    *self | o
                }
            }
        }
        use more::Refs as _;
    },
    |keys, hist| {
        for &k in keys {
            let high = |x: u32| x.wrapping_mul(3_550_000_001) >> 28;
            hist[high(k) as usize] += 1;
        }
    }
);

#[test]
fn functions_in_a_block_use_each_other() {
    #[accrue::offload(device)]
    fn low(x: u32) -> u32 {
        x & 7
    }
    #[accrue::offload(device, uses(low))]
    fn twice(x: u32) -> u32 {
        low(x) * 2
    }
    #[accrue::offload(histogram, uses(twice))]
    fn offloaded(keys: &[u32], hist: &mut [u32; 16]) {
        for &k in keys {
            hist[twice(k) as usize] += 1;
        }
    }
    fn plain(keys: &[u32], hist: &mut [u32; 16]) {
        for &k in keys {
            hist[twice(k) as usize] += 1;
        }
    }
    check("in a block", On::Gpu, offloaded, offloaded::try_call, plain);
}
