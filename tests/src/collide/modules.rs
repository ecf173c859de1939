//! Modules and functions named like those of the standard library, mentioned beside the true ones.

use super::world::{Scope, World};

impl World<'_> {
    pub(super) fn declare_modules(&mut self, module: usize) {
        let (m, n) = (self.salt(), self.salt());
        let cmp = format!(
            "pub fn min(a: u32, b: u32) -> u32 {{ a.wrapping_add(b) ^ {m} }} pub fn max(a: u32, b: u32) -> u32 {{ a & b | {n} }}"
        );
        match self.choices.below(10) {
            0 if self.claim(module, 't', "std") => self.item(
                module,
                &format!("pub mod std {{ pub mod cmp {{ {cmp} }} pub mod mem {{ pub fn size_of<T>() -> usize {{ {m} }} }} pub mod u32 {{ pub const MAX: ::core::primitive::u32 = {n}; }} }}"),
            ),
            1 if self.claim(module, 't', "core") => self.item(
                module,
                &format!("pub mod core {{ pub mod cmp {{ {cmp} }} pub mod mem {{ pub fn size_of<T>() -> usize {{ {m} }} }} pub use ::core::primitive; pub use ::core::ops; pub use ::core::matches; pub use ::core::assert; }}"),
            ),
            2 if self.claim(module, 't', "cmp") => {
                self.item(module, &format!("pub mod cmp {{ {cmp} }}"));
                self.has.insert((module, "cmp"));
            }
            3 if self.claim(module, 't', "cmp") => {
                self.item(module, "use ::core::cmp;");
                self.has.insert((module, "cmp"));
            }
            4 if self.claim(module, 't', "u32") => self.item(
                module,
                &format!("pub mod u32 {{ pub const MAX: ::core::primitive::u32 = {n}; pub const BITS: ::core::primitive::u32 = {m}; pub fn min(a: ::core::primitive::u32, b: ::core::primitive::u32) -> ::core::primitive::u32 {{ a ^ b }} }}"),
            ),
            5 => {
                // What generated code may mention without meaning these.
                let (space, name, text) = self.choices.pick(&[
                    ('v', "Some", "pub fn Some(x: u32) -> u32 { x }"),
                    ('v', "Ok", "pub const Ok: u32 = 3;"),
                    ('v', "None", "pub fn None() {}"),
                    ('t', "Vec", "pub struct Vec;"),
                    ('t', "Option", "pub enum Option { A }"),
                    ('t', "Result", "pub type Result = u8;"),
                    ('t', "usize", "pub type usize = ::core::primitive::usize;"),
                    ('t', "Sync", "pub trait Sync {}"),
                    ('t', "Send", "pub struct Send;"),
                    ('t', "Fn", "pub struct Fn;"),
                    ('t', "Copy", "pub trait Copy {}"),
                    ('t', "Default", "pub struct Default;"),
                    ('t', "rayon", "pub mod rayon {}"),
                    ('t', "accrue", "pub mod accrue {}"),
                    ('t', "String", "pub type String = u8;"),
                    ('t', "Iterator", "pub trait Iterator { fn next(self); }"),
                    ('t', "IntoIterator", "pub trait IntoIterator { fn into_iter(self); }"),
                    ('v', "drop", "pub fn drop() {}"),
                    ('t', "bool", "pub type bool = ::core::primitive::bool;"),
                ]);
                if self.claim(module, space, name) {
                    self.item(module, text);
                }
            }
            _ => {}
        }
    }

    /// Something of the standard library, by paths that may mean the user's modules.
    pub(super) fn library(&mut self, scope: &mut Scope, depth: usize) -> String {
        let (a, b) = (self.expr(scope, depth), self.expr(scope, depth));
        let cmp = self.has.contains(&(scope.module, "cmp"));
        let ord = self.has.contains(&(scope.module, "Ord"));
        match self.choices.below(14) {
            0 => format!("std::cmp::min({a}, {b})"),
            1 => format!("std::cmp::max({a}, {b})"),
            2 => format!("core::cmp::min({a}, {b})"),
            3 => format!("::std::cmp::max({a}, {b})"),
            4 | 5 if cmp => format!("cmp::min({a}, {b})"),
            6 if cmp => format!("cmp::max({a}, {b})"),
            7 => "u32::MAX".to_string(),
            8 if !ord => format!("u32::min({a}, {b})"),
            9 => "(std::mem::size_of::<u32>() as u32)".to_string(),
            10 => "(core::mem::size_of::<u64>() as u32)".to_string(),
            11 => "u32::BITS".to_string(),
            12 => "(std::f32::consts::PI as u32)".to_string(),
            _ => format!("(u8::MAX as u32).wrapping_add({a})"),
        }
    }
}
