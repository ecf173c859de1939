//! Names that mean something else than they look like: every loop comes out as the plain one, on every device.
//!
//! Each module has the loop under the attribute and the same loop without it, in a scope where a function, a constant, a type or a
//! module hides another.

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

use accrue::{Device, offload, with_device};
use collision::*;

/// Device functions of one name, and others.
pub mod low {
    pub const MASK: u32 = 3;
    #[accrue::offload(device)]
    pub fn bin(x: u32) -> u32 {
        x & MASK
    }
    #[accrue::offload(device)]
    pub fn shift(x: u32) -> u32 {
        let table = [1u32; SIZE];
        (x >> 2) % (SIZE as u32) + table[0] - 1
    }
    pub const SIZE: usize = 5;
    #[accrue::offload(device)]
    pub fn limit(x: u32) -> u32 {
        assert!(x <= u32::MAX && MASK < 9);
        if x > f32::consts() as u32 { 1 } else { x % 7 }
    }
    trait Consts {
        fn consts() -> f32;
    }
    impl Consts for f32 {
        fn consts() -> f32 {
            9.0
        }
    }
    #[accrue::offload(device)]
    pub fn area(x: f32) -> f32 {
        use std::f32::consts::PI;
        x * PI + std::f32::consts::E - core::f32::consts::E
    }
}

pub mod high {
    pub const MASK: u32 = 7;
    #[accrue::offload(device)]
    pub fn bin(x: u32) -> u32 {
        x & MASK
    }
}

/// Functions that are no device functions.
pub mod host {
    pub fn bin(x: u32) -> u32 {
        (x & 1) + 9
    }
}

pub struct Group;

impl Group {
    pub const MASK: u32 = 12;
    pub fn bin(x: u32) -> u32 {
        (x & 3) + 4
    }
}

collision!(another_module, Cpu, [low::bin], {}, |keys, hist| {
    for &k in keys {
        hist[host::bin(k) as usize] += 1;
    }
});

collision!(
    another_device_function,
    Cpu,
    [low::bin],
    {},
    |keys, hist| {
        for &k in keys {
            hist[high::bin(k) as usize] += 1;
        }
    }
);

collision!(an_associated_function, Cpu, [low::bin], {}, |keys, hist| {
    for &k in keys {
        hist[Group::bin(k) as usize] += 1;
    }
});

collision!(
    both_of_one_name,
    Gpu,
    [low::bin, high::bin],
    {},
    |keys, hist| {
        for &k in keys {
            hist[(low::bin(k) + high::bin(k >> 3)) as usize] += 1;
        }
    }
);

collision!(
    by_import,
    Gpu,
    [low::bin],
    {
        use super::low::bin;
    },
    |keys, hist| {
        for &k in keys {
            hist[bin(k) as usize] += 1;
        }
    }
);

collision!(
    by_another_import,
    Cpu,
    [low::bin],
    {
        use super::high::bin;
    },
    |keys, hist| {
        for &k in keys {
            hist[bin(k) as usize] += 1;
        }
    }
);

collision!(
    renamed,
    Gpu,
    [lower, higher],
    {
        use super::high::bin as higher;
        use super::low::bin as lower;
    },
    |keys, hist| {
        for &k in keys {
            hist[(lower(k) + higher(k)) as usize] += 1;
        }
    }
);

collision!(
    swapped_names,
    Gpu,
    [low, bin],
    {
        use super::high::bin as low;
        use super::low::bin;
    },
    |keys, hist| {
        for &k in keys {
            hist[(low(k) + bin(k)) as usize] += 1;
        }
    }
);

collision!(
    re_exported,
    Gpu,
    [door::bin],
    {
        mod door {
            pub use super::super::high::bin;
        }
    },
    |keys, hist| {
        for &k in keys {
            hist[door::bin(k) as usize] += 1;
        }
    }
);

collision!(
    by_the_crate,
    Gpu,
    [crate::low::bin],
    {
        use super::low;
    },
    |keys, hist| {
        for &k in keys {
            hist[low::bin(k) as usize] += 1;
        }
    }
);

collision!(
    a_glob_and_a_function,
    Cpu,
    [bin],
    {
        use super::low::*;
        fn bin(x: u32) -> u32 {
            x & 15
        }
    },
    |keys, hist| {
        for &k in keys {
            hist[bin(k) as usize] += 1;
        }
    }
);

collision!(
    a_glob_and_an_import,
    Cpu,
    [bin],
    {
        use super::host::bin;
        use super::low::*;
    },
    |keys, hist| {
        for &k in keys {
            hist[bin(k) as usize] += 1;
        }
    }
);

collision!(
    another_signature,
    Cpu,
    [low::bin],
    {
        fn bin(x: u64) -> usize {
            x as usize % 16
        }
    },
    |keys, hist| {
        for &k in keys {
            hist[bin(u64::from(k))] += 1;
        }
    }
);

collision!(
    more_arguments,
    Cpu,
    [low::bin],
    {
        fn bin(x: u32, y: u32) -> u32 {
            (x ^ y) % 16
        }
    },
    |keys, hist| {
        for &k in keys {
            hist[bin(k, k >> 5) as usize] += 1;
        }
    }
);

collision!(
    a_nested_function,
    Cpu,
    [low::bin],
    {
        use super::low::bin;
    },
    |keys, hist| {
        fn bin(x: u32) -> u32 {
            x & 15
        }
        for &k in keys {
            hist[bin(k) as usize] += 1;
        }
    }
);

collision!(a_nested_module, Cpu, [low::bin], {}, |keys, hist| {
    mod low {
        pub fn bin(x: u32) -> u32 {
            x & 15
        }
    }
    for &k in keys {
        hist[low::bin(k) as usize] += 1;
    }
});

collision!(
    a_nested_import,
    Cpu,
    [low::bin],
    {
        use super::low::bin;
    },
    |keys, hist| {
        use super::host::bin;
        for &k in keys {
            hist[bin(k) as usize] += 1;
        }
    }
);

collision!(
    a_nested_glob,
    Cpu,
    [low::bin],
    {
        use super::low::bin;
    },
    |keys, hist| {
        use super::host::*;
        for &k in keys {
            hist[bin(k) as usize] += 1;
        }
    }
);

collision!(
    an_import_in_the_loop,
    Cpu,
    [low::bin],
    {
        use super::low::bin;
    },
    |keys, hist| {
        for &k in keys {
            use super::host::bin;
            hist[bin(k) as usize] += 1;
        }
    }
);

collision!(
    the_same_import_in_the_loop,
    Gpu,
    [low::bin],
    {},
    |keys, hist| {
        for &k in keys {
            use super::low::bin;
            hist[bin(k) as usize] += 1;
        }
    }
);

collision!(
    a_function_in_the_loop,
    Cpu,
    [low::bin],
    {
        use super::low::bin;
    },
    |keys, hist| {
        for &k in keys {
            fn bin(x: u32) -> u32 {
                x & 15
            }
            hist[bin(k) as usize] += 1;
        }
    }
);

collision!(
    a_closure,
    Cpu,
    [low::bin],
    {
        use super::low::bin;
    },
    |keys, hist| {
        let bin = |x: u32| x & 15;
        for &k in keys {
            hist[bin(k) as usize] += 1;
        }
    }
);

collision!(
    a_closure_in_the_loop,
    Cpu,
    [low::bin],
    {
        use super::low::bin;
    },
    |keys, hist| {
        for &k in keys {
            let bin = |x: u32| x & 15;
            hist[bin(k) as usize] += 1;
        }
    }
);

collision!(
    a_trait_method,
    Gpu,
    [low::bin],
    {
        use super::low::bin;
        trait Bin {
            fn bin(&self) -> u32;
        }
        impl Bin for u32 {
            fn bin(&self) -> u32 {
                8
            }
        }
    },
    |keys, hist| {
        for &k in keys {
            hist[bin(k) as usize] += 1;
        }
    }
);

collision!(
    a_macro_of_that_name,
    Gpu,
    [low::bin],
    {
        use super::low;
        #[allow(unused_macros)]
        macro_rules! low {
            () => {
                5
            };
        }
    },
    |keys, hist| {
        for &k in keys {
            hist[low::bin(k) as usize] += 1;
        }
    }
);

collision!(
    a_module_of_that_name,
    Gpu,
    [low::bin],
    {
        use super::low;
        mod bin {
            pub fn bin(_: u32) -> u32 {
                3
            }
        }
    },
    |keys, hist| {
        for &k in keys {
            hist[low::bin(k) as usize] += 1;
        }
    }
);

collision!(
    a_raw_name,
    Gpu,
    [r#match],
    {
        #[accrue::offload(device)]
        fn r#match(x: u32) -> u32 {
            x % 11
        }
    },
    |keys, hist| {
        for &k in keys {
            hist[r#match(k) as usize] += 1;
        }
    }
);

// Constants of a device function are those of its own place.

collision!(
    a_constant_beside_the_loop,
    Gpu,
    [low::bin],
    {
        const MASK: u32 = 15;
    },
    |keys, hist| {
        for &k in keys {
            hist[low::bin(k) as usize] += MASK;
        }
    }
);

collision!(
    a_constant_of_another_type,
    Gpu,
    [low::bin],
    {
        const MASK: u8 = 15;
    },
    |keys, hist| {
        for &k in keys {
            hist[low::bin(k) as usize] += MASK as u32;
        }
    }
);

collision!(
    a_variable_of_that_name,
    Gpu,
    [low::bin],
    {},
    |keys, hist| {
        let MASK = 9u32;
        for &k in keys {
            hist[low::bin(k) as usize] += MASK;
        }
    }
);

collision!(
    a_length_of_its_own,
    Cpu,
    [low::shift],
    {
        const SIZE: usize = 2;
    },
    |keys, hist| {
        for &k in keys {
            hist[low::shift(k) as usize + SIZE] += 1;
        }
    }
);

collision!(
    a_constant_by_import,
    Gpu,
    [inner::bin],
    {
        mod inner {
            #[accrue::offload(device)]
            pub fn bin(x: u32) -> u32 {
                use super::super::high::MASK;
                x & MASK
            }
        }
        const MASK: u32 = 1;
    },
    |keys, hist| {
        for &k in keys {
            hist[inner::bin(k) as usize] += MASK;
        }
    }
);

collision!(
    a_constant_by_glob,
    Gpu,
    [inner::bin],
    {
        mod inner {
            #[accrue::offload(device)]
            pub fn bin(x: u32) -> u32 {
                use super::super::high::*;
                x & MASK
            }
        }
        const MASK: u32 = 1;
    },
    |keys, hist| {
        for &k in keys {
            hist[inner::bin(k) as usize] += MASK;
        }
    }
);

collision!(
    an_alias_in_a_device_function,
    Cpu,
    [inner::bin],
    {
        mod inner {
            pub type Narrow = u8;
            #[accrue::offload(device)]
            pub fn bin(x: u32) -> u32 {
                (x as Narrow) as u32 % 16
            }
        }
        type Narrow = u16;
    },
    |keys, hist| {
        for &k in keys {
            hist[inner::bin(k) as usize] += 1;
        }
    }
);

collision!(
    a_parameter_in_capitals,
    Gpu,
    [inner::low],
    {
        mod inner {
            #[accrue::offload(device)]
            pub fn low(x: u32, N: u32) -> u32 {
                x % N
            }
        }
    },
    |keys, hist| {
        const N: u32 = 13;
        for &k in keys {
            hist[inner::low(k, N) as usize] += 1;
        }
    }
);

collision!(
    an_associated_constant,
    Gpu,
    [inner::low],
    {
        mod inner {
            struct Group;
            impl Group {
                const MASK: u32 = 5;
            }
            #[accrue::offload(device)]
            pub fn low(x: u32) -> u32 {
                x & Group::MASK
            }
        }
    },
    |keys, hist| {
        for &k in keys {
            hist[inner::low(k) as usize] += Group::MASK;
        }
    }
);

collision!(
    constants_in_patterns,
    Gpu,
    [inner::low],
    {
        mod inner {
            const A: u32 = 1;
            const B: u32 = 2;
            #[accrue::offload(device)]
            pub fn low(x: u32) -> u32 {
                match x & 3 {
                    A => 4,
                    B => 8,
                    n => n,
                }
            }
        }
        const A: u32 = 2;
        const B: u32 = 3;
    },
    |keys, hist| {
        for &k in keys {
            match k & 3 {
                A => hist[1] += 1,
                B => hist[2] += 1,
                _ => hist[inner::low(k) as usize] += 1,
            }
        }
    }
);

// Device functions that call others.

collision!(
    a_callee_of_the_definition,
    Gpu,
    [inner::outer, low::bin],
    {
        mod inner {
            use super::super::low::bin;
            #[accrue::offload(device, uses(bin))]
            pub fn outer(x: u32) -> u32 {
                bin(x) * 2
            }
        }
        fn bin(_: u32) -> u32 {
            1
        }
    },
    |keys, hist| {
        fn bin(_: u32) -> u32 {
            2
        }
        for &k in keys {
            hist[inner::outer(k) as usize] += 1;
        }
    }
);

collision!(
    another_callee_of_the_definition,
    Gpu,
    [inner::outer, low::bin],
    {
        mod inner {
            use super::super::high::bin;
            #[accrue::offload(device, uses(bin))]
            pub fn outer(x: u32) -> u32 {
                bin(x) * 2
            }
        }
    },
    |keys, hist| {
        for &k in keys {
            hist[inner::outer(k) as usize] += 1;
        }
    }
);

collision!(
    a_callee_hidden_at_the_definition,
    Cpu,
    [inner::outer, low::bin],
    {
        mod inner {
            use super::super::low::*;
            fn bin(x: u32) -> u32 {
                x & 1
            }
            #[accrue::offload(device, uses(bin))]
            pub fn outer(x: u32) -> u32 {
                bin(x) * 2
            }
        }
    },
    |keys, hist| {
        for &k in keys {
            hist[inner::outer(k) as usize] += 1;
        }
    }
);

// Constants at the loop.

collision!(
    a_constant_imported_in_the_loop,
    Gpu,
    [],
    {
        const MASK: u32 = 15;
    },
    |keys, hist| {
        for &k in keys {
            hist[(k & MASK) as usize] += 1;
            {
                use super::low::MASK;
                hist[(k & MASK) as usize] += 1;
            }
        }
    }
);

collision!(
    a_constant_by_glob_in_the_loop,
    Gpu,
    [],
    {
        const MASK: u32 = 15;
    },
    |keys, hist| {
        for &k in keys {
            use super::high::*;
            hist[(k & MASK) as usize] += 1;
        }
    }
);

collision!(
    a_constant_declared_in_the_loop,
    Gpu,
    [],
    {
        const MASK: u32 = 15;
    },
    |keys, hist| {
        for &k in keys {
            const MASK: u32 = 6;
            hist[(k & MASK) as usize] += 1;
        }
    }
);

collision!(
    a_module_of_limits,
    Gpu,
    [],
    {
        use std::f32;
        use std::u32;
    },
    |keys, hist| {
        for &k in keys {
            let x = k as f32 / 4_294_967_296.0;
            if k < u32::MAX / 2 && x < f32::MAX {
                hist[(x * 16.0) as usize] += 1;
            }
        }
    }
);

// Items of the function, of the loop, and of macros.

collision!(
    a_type_of_that_name,
    Gpu,
    [low::bin],
    {
        struct bin;
    },
    |keys, hist| {
        for &key in keys {
            hist[low::bin(key) as usize] += 1;
        }
    }
);

collision!(
    a_local_struct_of_that_name,
    Cpu,
    [low::bin],
    {
        use low::bin;
    },
    |keys, hist| {
        struct bin {
            x: u32,
        }
        for &key in keys {
            let b = bin { x: key };
            hist[bin(b.x) as usize] += 1;
        }
    }
);

collision!(
    a_function_pointer,
    Cpu,
    [low::bin],
    {
        use low::bin;
    },
    |keys, hist| {
        let bin: fn(u32) -> u32 = |x| x & 15;
        for &key in keys {
            hist[bin(key) as usize] += 1;
        }
    }
);

collision!(
    a_parameter_of_a_closure,
    Cpu,
    [low::bin],
    {
        use low::bin;
    },
    |keys, hist| {
        let f = |bin: u32| bin + 1;
        for &key in keys {
            hist[bin(f(key)) as usize] += 1;
        }
    }
);

collision!(
    a_variable_of_the_loop,
    Gpu,
    [low::bin],
    {
        use low::bin;
    },
    |keys, hist| {
        for &bin in keys {
            hist[low::bin(bin) as usize] += 1;
        }
    }
);

collision!(
    a_module_beside_an_alias,
    Cpu,
    [self::low::bin],
    {
        use crate::low as high;
        mod low {
            pub use crate::low::bin;
            pub fn other(x: u32) -> u32 {
                5
            }
        }
    },
    |keys, hist| {
        for &key in keys {
            hist[self::low::bin(key) as usize] += self::low::other(key);
        }
    }
);

collision!(
    a_glob_of_a_glob,
    Gpu,
    [a::bin],
    {
        pub mod a {
            pub use self::deep::*;
            mod deep {
                use accrue::offload;
                const MASK: u32 = 9;
                #[offload(device)]
                pub fn bin(x: u32) -> u32 {
                    x & MASK
                }
            }
            pub const MASK: u32 = 1;
        }
        const MASK: u32 = 2;
    },
    |keys, hist| {
        for &key in keys {
            hist[a::bin(key) as usize] += MASK;
        }
    }
);

collision!(
    two_globs,
    Cpu,
    [bin],
    {
        use super::low::*;
        mod inner {
            pub fn bin2(x: u32) -> u32 {
                3
            }
        }
        use inner::*;
    },
    |keys, hist| {
        for &key in keys {
            hist[bin(key) as usize] += bin2(key);
        }
    }
);

collision!(
    an_imported_type,
    Cpu,
    [low::bin],
    {
        struct low2;
        impl low2 {
            fn bin(x: u32) -> u32 {
                x & 15
            }
        }
        use low2 as lowest;
    },
    |keys, hist| {
        for &key in keys {
            hist[lowest::bin(key) as usize] += 1;
        }
    }
);

collision!(a_struct_for_a_module, Cpu, [low::bin], {}, |keys, hist| {
    struct low;
    impl low {
        fn bin(x: u32) -> u32 {
            x & 15
        }
    }
    for &key in keys {
        hist[low::bin(key) as usize] += 1;
    }
});

collision!(a_trait_for_a_module, Cpu, [low::bin], {}, |keys, hist| {
    trait low {
        fn bin(x: u32) -> u32
        where
            Self: Sized,
        {
            1
        }
    }
    struct S;
    impl low for S {}
    for &key in keys {
        hist[<S as low>::bin(key) as usize] += 1;
    }
});

collision!(an_enum_for_a_module, Gpu, [low::bin], {}, |keys, hist| {
    enum low {}
    impl low {
        const MASK: u32 = 4;
    }
    for &key in keys {
        hist[(key & low::MASK) as usize] += 1;
    }
});

collision!(an_alias_for_a_module, Cpu, [low::bin], {}, |keys, hist| {
    struct S;
    impl S {
        fn bin(x: u32) -> u32 {
            x & 15
        }
    }
    type low = S;
    for &key in keys {
        hist[low::bin(key) as usize] += 1;
    }
});

collision!(
    a_function_by_a_macro,
    Cpu,
    [low::bin],
    {
        use low::bin;
        macro_rules! items {
            () => {
                fn bin(x: u32) -> u32 {
                    x & 15
                }
            };
        }
    },
    |keys, hist| {
        items!();
        for &key in keys {
            hist[bin(key) as usize] += 1;
        }
    }
);

collision!(
    a_function_by_a_macro_in_the_loop,
    Cpu,
    [low::bin],
    {
        use low::bin;
        macro_rules! items {
            () => {
                fn bin(x: u32) -> u32 {
                    x & 15
                }
            };
        }
    },
    |keys, hist| {
        for &key in keys {
            items!();
            hist[bin(key) as usize] += 1;
        }
    }
);

collision!(
    a_constant_by_a_macro,
    Gpu,
    [],
    {
        const MASK: u32 = 1;
        macro_rules! items {
            () => {
                const MASK: u32 = 7;
            };
        }
    },
    |keys, hist| {
        items!();
        for &key in keys {
            hist[(key & MASK) as usize] += 1;
        }
    }
);

collision!(
    a_constant_by_a_macro_in_the_loop,
    Cpu,
    [],
    {
        const MASK: u32 = 1;
        macro_rules! items {
            () => {
                const MASK: u32 = 7;
            };
        }
    },
    |keys, hist| {
        for &key in keys {
            items!();
            hist[(key & MASK) as usize] += 1;
        }
    }
);

collision!(
    a_module_by_a_macro_in_the_loop,
    Cpu,
    [],
    {
        mod m {
            pub const MASK: u32 = 1;
        }
        macro_rules! items {
            () => {
                mod m {
                    pub const MASK: u32 = 7;
                }
            };
        }
    },
    |keys, hist| {
        for &key in keys {
            items!();
            hist[(key & m::MASK) as usize] += 1;
        }
    }
);

collision!(
    a_module_in_the_loop,
    Cpu,
    [],
    {
        mod m {
            pub const MASK: u32 = 1;
        }
    },
    |keys, hist| {
        for &key in keys {
            mod m {
                pub const MASK: u32 = 7;
            }
            hist[(key & m::MASK) as usize] += 1;
        }
    }
);

collision!(
    a_later_module_in_the_loop,
    Cpu,
    [],
    {
        mod m {
            pub const MASK: u32 = 1;
        }
    },
    |keys, hist| {
        for &key in keys {
            hist[(key & m::MASK) as usize] += 1;
            mod m {
                pub const MASK: u32 = 7;
            }
        }
    }
);

collision!(
    a_static_in_the_loop,
    Cpu,
    [],
    {
        static MASK: u32 = 1;
    },
    |keys, hist| {
        for &key in keys {
            static MASK: u32 = 7;
            hist[(key & MASK) as usize] += 1;
        }
    }
);

collision!(
    a_later_constant,
    Gpu,
    [],
    {
        const MASK: u32 = 1;
    },
    |keys, hist| {
        for &key in keys {
            hist[(key & MASK) as usize] += 1;
        }
        const MASK: u32 = 7;
    }
);

collision!(
    a_later_constant_in_the_loop,
    Gpu,
    [],
    {
        const MASK: u32 = 1;
    },
    |keys, hist| {
        for &key in keys {
            hist[(key & MASK) as usize] += 1;
            {
                hist[(key & MASK) as usize] += 1;
                const MASK: u32 = 3;
            }
            const MASK: u32 = 7;
        }
    }
);

collision!(
    a_constant_of_a_later_one,
    Cpu,
    [],
    {
        const A: u32 = 1;
    },
    |keys, hist| {
        for &key in keys {
            const MASK: u32 = A + 6;
            const A: u32 = 2;
            hist[(key & MASK) as usize] += 1;
        }
    }
);

collision!(
    constants_in_blocks,
    Gpu,
    [],
    {
        const A: u32 = 1;
    },
    |keys, hist| {
        const A: u32 = 5;
        for &key in keys {
            {
                const A: u32 = 9;
                hist[(key & A) as usize] += 1;
            }
            hist[(key & A) as usize] += 1;
        }
    }
);

collision!(
    variants_by_glob,
    Cpu,
    [],
    {
        #[derive(Clone, Copy)]
        pub enum C {
            A = 3,
            B = 5,
        }
    },
    |keys, hist| {
        for &key in keys {
            use C::*;
            hist[A as usize] += 1;
            hist[(key % 2) as usize + B as usize] += 1;
        }
    }
);

collision!(limits, Gpu, [], {}, |keys, hist| {
    for &key in keys {
        hist[(key % (u8::MAX as u32)) as usize % 16] += u32::BITS;
    }
});

collision!(
    limits_in_a_device_function,
    Cpu,
    [low::limit],
    {},
    |keys, hist| {
        for &key in keys {
            hist[low::limit(key) as usize] += 1;
        }
    }
);

collision!(
    pi_in_a_device_function,
    Gpu,
    [low::area],
    {
        const PI: f32 = 3.0;
    },
    |keys, hist| {
        for &key in keys {
            hist[low::area((key % 3) as f32 + PI) as usize % 16] += 1;
        }
    }
);

collision!(
    one_function_twice,
    Gpu,
    [low::bin, bin],
    {
        use low::bin;
    },
    |keys, hist| {
        for &key in keys {
            hist[bin(key) as usize + low::bin(key) as usize] += 1;
        }
    }
);

collision!(a_call_by_the_crate, Gpu, [low::bin], {}, |keys, hist| {
    for &key in keys {
        hist[crate::low::bin(key) as usize] += 1;
    }
});

collision!(
    a_call_by_self,
    Gpu,
    [self::low::bin],
    {
        mod low {
            pub use crate::low::bin;
        }
    },
    |keys, hist| {
        for &key in keys {
            hist[self::low::bin(key) as usize] += 1;
        }
    }
);

collision!(
    a_call_by_super,
    Cpu,
    [self::low::bin],
    {
        mod low {
            use accrue::offload;
            #[offload(device)]
            pub fn bin(x: u32) -> u32 {
                x % 13
            }
        }
    },
    |keys, hist| {
        for &key in keys {
            hist[super::low::bin(key) as usize] += 1;
        }
    }
);

collision!(
    calls_by_super_and_self,
    Gpu,
    [self::low::bin, super::low::bin],
    {
        mod low {
            use accrue::offload;
            #[offload(device)]
            pub fn bin(x: u32) -> u32 {
                x % 13
            }
        }
    },
    |keys, hist| {
        for &key in keys {
            hist[super::low::bin(key) as usize] += 1;
            hist[self::low::bin(key) as usize] += 2;
        }
    }
);

collision!(
    names_of_crates,
    Gpu,
    [low::bin],
    {
        mod std {
            pub const X: u32 = 1;
        }
        mod accrue2 {}
        fn usize2() {}
        struct F;
        type T = F;
    },
    |keys, hist| {
        let T = 3u32;
        for &key in keys {
            hist[low::bin(key) as usize] += std::X + T;
        }
    }
);

collision!(
    a_short_name,
    Gpu,
    [f],
    {
        use super::low::bin as f;
    },
    |keys, hist| {
        let g = |F: u32| F;
        for &key in keys {
            let F = key;
            hist[f(F) as usize] += 1;
        }
    }
);

collision!(a_variable_in_a_pattern, Gpu, [], {}, |keys, hist| {
    let N = 3u32;
    for &key in keys {
        match key % 8 {
            N if N < 4 => hist[N as usize] += 1,
            other => hist[other as usize + 8] += 1,
        }
    }
});

collision!(
    a_parameter_in_a_pattern,
    Gpu,
    [f],
    {
        #[offload(device)]
        fn f(x: u32, N: u32) -> u32 {
            match x % 8 {
                N if N < 4 => N,
                m => m + 8 - m + N % 2,
            }
        }
        const M: u32 = 4;
    },
    |keys, hist| {
        for &key in keys {
            hist[f(key, 3) as usize] += 1;
        }
    }
);

/// A length in a signature is not the constant of its name in the function.
mod a_constant_and_a_length {
    use super::*;

    const N: usize = 16;
    const M: usize = 4;

    #[accrue::offload(histogram)]
    fn flat(keys: &[u32], hist: &mut [u32; N]) {
        const N: usize = 8;
        for &k in keys {
            hist[k as usize % 16] += N as u32;
        }
    }

    #[accrue::offload(histogram)]
    fn rows(keys: &[u32], hist: &mut [[u32; M]; 4]) {
        const M: usize = 2;
        for &k in keys {
            hist[k as usize % 4][(k as usize >> 7) % 4] += M as u32;
        }
    }

    #[test]
    fn comes_out_as_the_plain_loop() {
        let keys = keys();
        let (mut expected, mut rows_expected) = ([0; 16], [[0; 4]; 4]);
        for &k in &keys {
            expected[k as usize % 16] += 8;
            rows_expected[k as usize % 4][(k as usize >> 7) % 4] += 2;
        }
        for device in devices() {
            let (mut found, mut rows_found) = ([0; 16], [[0; 4]; 4]);
            with_device(device, || {
                flat(&keys, &mut found);
                rows(&keys, &mut rows_found);
            });
            assert_eq!((found, rows_found), (expected, rows_expected), "{device:?}");
        }
    }
}

/// Structs of one name.
mod structs {
    use super::*;

    pub mod a {
        pub const LANES: usize = 2;
        #[repr(C)]
        #[derive(Clone, Copy, accrue::DeviceType)]
        pub struct Point {
            pub y: [u32; 2],
            pub x: u32,
        }
        #[repr(C)]
        #[derive(Clone, Copy, accrue::DeviceType)]
        pub struct Lanes {
            pub y: [u32; LANES],
        }
    }

    pub mod b {
        #[repr(C)]
        #[derive(Clone, Copy, accrue::DeviceType)]
        pub struct Point {
            pub x: u32,
            pub y: u32,
        }
        #[repr(C)]
        #[derive(Clone, Copy, accrue::DeviceType)]
        pub struct Pair {
            pub first: Point,
            pub second: Point,
        }
    }

    const LANES: usize = 7;

    #[accrue::offload(histogram, uses(a::Point, b::Point))]
    fn both(left: &[a::Point], right: &[b::Point], hist: &mut [u32; 16]) {
        for (l, r) in left.iter().zip(right) {
            hist[((l.x + l.y[1]) % 16) as usize] += LANES as u32;
            hist[((r.x ^ r.y) % 16) as usize] += 1;
        }
    }

    #[accrue::offload(histogram, uses(b::Pair, b::Point))]
    fn nested(pairs: &[b::Pair], hist: &mut [u32; 16]) {
        for pair in pairs {
            hist[((pair.first.y + pair.second.x) % 16) as usize] += 1;
        }
    }

    #[accrue::offload(histogram, uses(b::Pair, a::Point))]
    fn another(pairs: &[b::Pair], hist: &mut [u32; 16]) {
        for pair in pairs {
            hist[((pair.first.x + pair.second.x) % 16) as usize] += 1;
        }
    }

    #[accrue::offload(histogram, uses(a::Lanes))]
    fn lanes(all: &[a::Lanes], hist: &mut [u32; 16]) {
        for lanes in all {
            hist[lanes.y[1] as usize % 16] += LANES as u32;
        }
    }

    #[test]
    fn each_is_its_own() {
        let keys = keys();
        let left: Vec<a::Point> = keys
            .iter()
            .map(|&k| a::Point {
                y: [k / 3, k / 5 % 9],
                x: k % 7,
            })
            .collect();
        let right: Vec<b::Point> = keys
            .iter()
            .map(|&k| b::Point {
                x: k / 7,
                y: k % 97,
            })
            .collect();
        let pairs: Vec<b::Pair> = right
            .windows(2)
            .map(|w| b::Pair {
                first: w[0],
                second: w[1],
            })
            .collect();
        let all: Vec<a::Lanes> = left.iter().map(|p| a::Lanes { y: p.y }).collect();
        let mut expected = [[0u32; 16]; 4];
        all.iter()
            .for_each(|l| expected[3][l.y[1] as usize % 16] += 7);
        for (l, r) in left.iter().zip(&right) {
            expected[0][((l.x + l.y[1]) % 16) as usize] += 7;
            expected[0][((r.x ^ r.y) % 16) as usize] += 1;
        }
        for pair in &pairs {
            expected[1][((pair.first.y + pair.second.x) % 16) as usize] += 1;
            expected[2][((pair.first.x + pair.second.x) % 16) as usize] += 1;
        }
        for device in devices() {
            with_device(device, || {
                let mut found = [[0; 16]; 4];
                lanes(&all, &mut found[3]);
                both::try_call(&left, &right, &mut found[0]).expect("it has a kernel");
                nested::try_call(&pairs, &mut found[1]).expect("it has a kernel");
                another(&pairs, &mut found[2]);
                assert_eq!(found, expected, "{device:?}");
                let refused = another::try_call(&pairs, &mut found[2]);
                assert_eq!(refused.is_err(), device == Device::Sim, "{device:?}");
            });
        }
    }
}

/// A function that has an effect is called once for each item, though a device function of its name has none.
#[test]
fn what_is_called_instead_runs_once() {
    use std::sync::atomic::{AtomicU32, Ordering};

    mod other {
        use std::sync::atomic::{AtomicU32, Ordering};
        pub static CALLS: AtomicU32 = AtomicU32::new(0);
        pub fn bin(x: u32) -> u32 {
            CALLS.fetch_add(1, Ordering::Relaxed);
            assert!(x < u32::MAX - 1, "too large");
            x & 15
        }
    }
    use low::*;
    use other::bin;

    #[accrue::offload(histogram, uses(bin))]
    fn count(keys: &[u32], hist: &mut [f32; 16]) {
        for &k in keys {
            hist[bin(k) as usize] *= 1.5;
        }
    }

    for device in devices() {
        let (mut keys, mut hist) = (keys(), [1.0; 16]);
        other::CALLS.store(0, Ordering::Relaxed);
        with_device(device, || count(&keys, &mut hist));
        assert_eq!(
            other::CALLS.load(Ordering::Relaxed),
            keys.len() as u32,
            "{device:?}"
        );
        let before = hist;
        keys.push(u32::MAX);
        let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            with_device(device, || count(&keys, &mut hist));
        }));
        assert!(failed.is_err(), "{device:?}");
        assert_eq!(hist, before, "{device:?}");
    }
}
