//! Constants and statics, in expressions and as patterns.

use super::world::{Scope, What, World};

pub(super) const NAMES: [&str; 7] = ["N", "MASK", "N", "K", "WIDTH", "A", "B"];

impl World<'_> {
    pub(super) fn declare_constants(&mut self, module: usize) {
        let most = if module == 0 { 2 } else { 3 };
        for _ in 0..self.choices.below(most + 1) {
            let name = self.choices.pick(&NAMES);
            if !self.claim(module, 'v', name) {
                continue;
            }
            let pattern = ["A", "B", "K"].contains(&name) || !self.choices.chance(1, 5);
            let value = if self.choices.chance(1, 3) {
                self.choices.bits() % 4
            } else {
                self.salt()
            };
            let keyword = if pattern { "const" } else { "static" };
            self.item(module, &format!("pub {keyword} {name}: u32 = {value};"));
            self.entity(module, name, What::Constant { pattern });
        }
    }

    /// A constant, by some path.
    pub(super) fn constant(&mut self, scope: &Scope) -> Option<String> {
        let id = self.any(|_, e| matches!(e.what, What::Constant { .. }))?;
        if let What::Constant { pattern: false } = self.entities[id].what
            && !scope.body
        {
            return None;
        }
        let path = self.spell(id, scope);
        // A kernel has to be told what its type is.
        Some(if self.calm || self.choices.chance(1, 2) {
            format!("({path} ^ 1u32)")
        } else {
            path
        })
    }

    /// A `match` whose first pattern is a constant, where one is in scope, or else binds.
    pub(super) fn pattern(&mut self, scope: &mut Scope, depth: usize) -> String {
        let mut name = self.choices.pick(&["A", "B", "K"]);
        let here = &self.modules[scope.module];
        let constant = here.names.iter().chain(&here.globs).any(|(n, _)| n == name);
        if !constant && self.choices.chance(9, 10) {
            // A binding by this name is Rust, and nobody writes it.
            name = "2";
        }
        let scrutinee = self.expr(scope, depth);
        let (x, y) = (self.expr(scope, depth), self.expr(scope, depth));
        let modulus = self.choices.pick(&[3, 4]);
        format!("match ({scrutinee}) % {modulus} {{ {name} => ({x}) ^ 5, _ => {y} }}")
    }
}
