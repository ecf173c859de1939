//! Traits whose methods are named as those of primitives, and wrappers with operators of their own.

use super::world::{Scope, World};

/// Methods of `u32` that take nothing, and what else they may be.
const UNARY: [&str; 6] = [
    "count_ones",
    "leading_zeros",
    "swap_bytes",
    "reverse_bits",
    "trailing_zeros",
    "to_be",
];

/// Methods of `u32` that take another one.
const BINARY: [&str; 4] = ["wrapping_add", "abs_diff", "wrapping_mul", "saturating_sub"];

impl World<'_> {
    pub(super) fn declare_methods(&mut self, module: usize) {
        match self.choices.below(12) {
            // A method by value of `&u32` comes before those of `u32`.
            0 | 1 if self.claim(module, 't', "Refs") => {
                let (m, n) = (self.salt(), self.salt());
                let mut of = String::new();
                let mut by = String::new();
                for name in UNARY.into_iter().chain(BINARY) {
                    if self.choices.chance(1, 2) {
                        let other = if BINARY.contains(&name) {
                            ", o: u32"
                        } else {
                            ""
                        };
                        let o = if other.is_empty() { "1u32" } else { "(o | 1)" };
                        of.push_str(&format!("fn {name}(self{other}) -> u32; "));
                        by.push_str(&format!(
                            "fn {name}(self{other}) -> u32 {{ (*self ^ {m}).wrapping_mul({n}) % {o}.wrapping_add(7) }} "
                        ));
                    }
                }
                self.item(module, &format!("pub trait Refs {{ {of}}}"));
                self.item(module, &format!("impl Refs for &u32 {{ {by}}}"));
                if module != 0 && self.choices.chance(1, 2) {
                    let path = self.path(module);
                    self.item(0, &format!("use {path}::Refs as _;"));
                }
            }
            // A trait named like one of the prelude takes its place, and its methods.
            2 | 3 if self.claim(module, 't', "Ord") => {
                self.has.insert((module, "Ord"));
                self.item(
                    module,
                    "pub trait Ord { fn min(self, o: Self) -> Self; fn max(self, o: Self) -> Self; }",
                );
                for ty in [
                    "u32",
                    "::core::primitive::i32",
                    "::core::primitive::u64",
                    "usize",
                ] {
                    self.item(
                        module,
                        &format!(
                            "impl Ord for {ty} {{ fn min(self, o: {ty}) -> {ty} {{ if self > o {{ self }} else {{ o }} }} \
                             fn max(self, o: {ty}) -> {ty} {{ self ^ o }} }}"
                        ),
                    );
                }
            }
            4 if self.claim(module, 't', "From") => {
                let m = self.salt();
                self.has.insert((module, "From"));
                self.item(module, "pub trait From<T> { fn from(t: T) -> Self; }");
                for ty in ["u8", "u16", "bool"] {
                    self.item(
                        module,
                        &format!("impl From<::core::primitive::{ty}> for u32 {{ fn from(t: ::core::primitive::{ty}) -> u32 {{ t as u32 ^ {m} }} }}"),
                    );
                }
            }
            // Functions of a type that a trait gives it.
            5 if self.claim(module, 't', "Numbers") => {
                let (m, n) = (self.salt(), self.salt());
                self.item(module, "pub trait Numbers { const MAX: u32; const BITS: u32; fn pow(a: u32, b: u32) -> u32; fn bin(self) -> u32; }");
                self.item(
                    module,
                    &format!(
                        "impl Numbers for u32 {{ const MAX: u32 = {m}; const BITS: u32 = {n}; fn pow(a: u32, b: u32) -> u32 {{ a.wrapping_sub(b) }} fn bin(self) -> u32 {{ self ^ {m} }} }}"
                    ),
                );
                self.has.insert((module, "Numbers"));
            }
            6 if self.claim(module, 't', "W") && self.claim(module, 'v', "W") => {
                let m = self.salt();
                self.item(
                    module,
                    "#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)] pub struct W(pub u32);",
                );
                self.item(
                    module,
                    &format!(
                        "impl W {{ pub fn abs(self) -> W {{ W(self.0 ^ {m}) }} pub fn min(self, o: W) -> W {{ W(self.0 & o.0) }} }}\n\
                         impl ::core::ops::Add for W {{ type Output = W; fn add(self, o: W) -> W {{ W(self.0 ^ o.0) }} }}\n\
                         impl ::core::ops::Rem<u32> for W {{ type Output = u32; fn rem(self, o: u32) -> u32 {{ self.0 / o }} }}\n\
                         impl ::core::ops::BitAnd<u32> for W {{ type Output = u32; fn bitand(self, o: u32) -> u32 {{ self.0 | o }} }}"
                    ),
                );
                self.has.insert((module, "W"));
            }
            _ => {}
        }
    }

    /// A call of a method.
    pub(super) fn method(&mut self, scope: &mut Scope, depth: usize) -> String {
        let (a, b) = (self.expr(scope, depth), self.expr(scope, depth));
        let numbers = self.has.contains(&(scope.module, "Numbers"));
        let wrapper = self.has.contains(&(scope.module, "W"));
        let receiver = match scope.refs.is_empty() {
            false if self.choices.chance(2, 3) => self
                .choices
                .pick(&scope.refs.iter().map(String::as_str).collect::<Vec<_>>())
                .to_string(),
            _ => format!("({a})"),
        };
        let from = self.has.contains(&(scope.module, "From"));
        let ord = self.has.contains(&(scope.module, "Ord"));
        if ord && self.choices.chance(1, 2) {
            return format!("Ord::{}({a}, {b})", self.choices.pick(&["min", "max"]));
        }
        match self.choices.below(14) {
            0..=2 => format!("{receiver}.{}()", self.choices.pick(&UNARY)),
            3..=5 => format!("{receiver}.{}({b})", self.choices.pick(&BINARY)),
            6 | 7 if ord => format!("Ord::max({b}, {a})"),
            6 => format!("({a}).min({b})"),
            7 => format!("({a}).max({b})"),
            8 => format!("({a}).clamp(3, 9)"),
            9 => format!("(({a}) as i32).rem_euclid(13 as i32) as u32"),
            10 if numbers => self
                .choices
                .pick(&[
                    "u32::BITS",
                    "<u32 as Numbers>::MAX",
                    "<u32 as Numbers>::BITS",
                    "u32::MAX",
                ])
                .to_string(),
            11 if numbers => format!(
                "{}({a}, {b})",
                self.choices
                    .pick(&["<u32 as Numbers>::pow", "u32::wrapping_add"])
            ),
            12 if numbers => format!("({a}).bin()"),
            10 | 11 if wrapper => format!("(W({a}).abs() + W({b})).0"),
            12 if wrapper => format!("(W({a}) % 7)"),
            13 if wrapper => format!("(W({a}).min(W({b})) & 5)"),
            _ if from => format!("<u32 as From<u8>>::from(({a}) as u8)"),
            _ => format!("u32::from(({a}) as ::core::primitive::u8)"),
        }
    }
}
