//! Structs that kernels may know, with functions and constants of their own, and enums with numbers.

use super::world::{Scope, What, World};

pub(super) const NAMES: [&str; 5] = ["P", "Q", "P", "Pixel", "E"];

impl World<'_> {
    pub(super) fn declare_structs(&mut self, module: usize) {
        for _ in 0..self.choices.below(2) + usize::from(module != 0 && self.choices.chance(1, 3)) {
            let name = self.choices.pick(&NAMES);
            if !self.claim(module, 't', name) || !self.claim(module, 'm', name) {
                continue;
            }
            let (m, n, o) = (self.salt(), self.salt(), self.salt());
            if self.choices.chance(1, 3) {
                let derive = "#[derive(Clone, Copy, Debug, PartialEq)]";
                self.item(module, derive);
                self.item(
                    module,
                    &format!("pub enum {name} {{ A = {m}, B = {n}, C = {o} }}"),
                );
                self.entity(module, name, What::Enum);
                if self.choices.chance(1, 3)
                    && ["A", "B", "C"].iter().all(|v| self.claim(module, 'v', v))
                {
                    self.item(module, &format!("pub use self::{name}::*;"));
                }
                continue;
            }
            let device = self.choices.chance(3, 4);
            if device {
                self.item(module, "#[derive(::accrue::DeviceType)]");
            }
            let mut fields = ["pub x: u32", "pub y: u32"];
            if self.choices.chance(1, 2) {
                fields.swap(0, 1);
            }
            let function = self.choices.pick(&super::functions::NAMES);
            let constant = self.choices.pick(&super::constants::NAMES);
            self.item(
                module,
                "#[repr(C)] #[derive(Clone, Copy, Debug, PartialEq)]",
            );
            self.item(
                module,
                &format!("pub struct {name} {{ {} }}", fields.join(", ")),
            );
            let text = format!(
                "impl {name} {{ pub const {constant}: u32 = {m}; pub const MAX: u32 = {o};\n\
                 pub fn {function}(x: u32) -> u32 {{ x.wrapping_mul({n}) >> 1 }}\n\
                 pub fn count_ones(self) -> u32 {{ self.x ^ {m} }}\n\
                 pub fn wrapping_add(self, o: u32) -> u32 {{ self.x.wrapping_sub(o) }} }}"
            );
            self.item(module, &text);
            let id = self.entity(module, name, What::Struct { device });
            self.members.insert(id, (function, constant));
        }
    }

    /// A use of a struct or an enum.
    pub(super) fn structure(&mut self, scope: &mut Scope, depth: usize) -> Option<String> {
        let id = self.any(|_, e| matches!(e.what, What::Struct { .. } | What::Enum))?;
        let what = self.entities[id].what;
        if what == (What::Struct { device: false }) && !scope.body {
            return None;
        }
        if what == (What::Struct { device: true }) {
            scope.used.push(id);
        }
        let path = self.spell(id, scope);
        let (a, b) = (self.expr(scope, depth), self.expr(scope, depth));
        if what == What::Enum {
            let variant = self.choices.pick(&["A", "B", "C"]);
            return Some(match self.choices.below(2) {
                0 => format!("({path}::{variant} as u32)"),
                _ => format!(
                    "match (if ({a}) % 2 == 0 {{ {path}::A }} else {{ {path}::B }}) {{ {path}::A => 3, _ => {b} }}"
                ),
            });
        }
        let (function, constant) = self.members[&id];
        Some(match self.choices.below(6) {
            0 => format!("{path}::{function}({a})"),
            1 => format!("{path}::{constant}"),
            2 => format!("({path} {{ x: {a}, y: {b} }}).y"),
            3 => format!("({path} {{ y: {a}, x: {b} }}).count_ones()"),
            4 => format!("({path} {{ y: {a}, x: {b} }}).wrapping_add(3)"),
            _ => {
                format!("{{ let {path} {{ x, y }} = ({path} {{ y: {a}, x: {b} }}); x ^ (y >> 1) }}")
            }
        })
    }
}
