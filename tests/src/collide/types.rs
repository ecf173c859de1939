//! Aliases of numbers, those that are named like primitives among them.

use super::world::{Scope, What, World};

pub(super) const NAMES: [&str; 10] = [
    "T", "Key", "f32", "u8", "T", "u16", "i32", "f64", "i8", "u64",
];

const NUMBERS: [&str; 12] = [
    "u8", "u16", "i8", "i16", "f32", "f64", "u32", "i32", "u64", "i64", "usize", "isize",
];

impl World<'_> {
    pub(super) fn declare_types(&mut self, module: usize) {
        let most = if module == 0 { 1 } else { 2 };
        for _ in 0..self.choices.below(most + 1) {
            let name = self.choices.pick(&NAMES);
            if !self.claim(module, 't', name) {
                continue;
            }
            let of = self.choices.pick(&NUMBERS);
            self.item(
                module,
                &format!("pub type {name} = ::core::primitive::{of};"),
            );
            self.entity(module, name, What::Alias);
        }
    }

    /// The name of a type of numbers, whatever it means here.
    pub(super) fn number(&mut self, scope: &Scope) -> String {
        let alias = self.any(|_, e| e.what == What::Alias);
        match alias {
            Some(id) if self.choices.chance(2, 3) => self.spell(id, scope),
            _ => self.choices.pick(&NUMBERS).to_string(),
        }
    }

    /// A cast to it and back, or what else its name is good for.
    pub(super) fn cast(&mut self, scope: &mut Scope, depth: usize) -> String {
        let ty = self.number(scope);
        let e = self.expr(scope, depth);
        match self.choices.below(9) {
            0 => format!("({ty}::MAX as u32)"),
            1 => format!("(::core::mem::size_of::<{ty}>() as u32)"),
            2 => format!("{{ let t: {ty} = ({e}) as {ty}; t as u32 }}"),
            3 => format!("(({e}) as {ty} / (3 as {ty})) as u32"),
            4 => format!("((({e}) % 50) as {ty} * (2 as {ty})) as u32"),
            5 => format!("(<{ty}>::MIN as u32)"),
            _ => format!("(({e}) as {ty} as u32)"),
        }
    }
}
