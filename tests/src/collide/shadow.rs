//! Names that a body declares for itself: items, imports, modules, closures, variables.

use super::world::{Scope, What, World};

impl World<'_> {
    /// A block in which a name means something of its own, below or above its declaration.
    pub(super) fn block(&mut self, scope: &mut Scope, depth: usize) -> String {
        let (locals, refs, hidden) = (
            scope.locals.clone(),
            scope.refs.clone(),
            scope.hidden.clone(),
        );
        let declared = self.statement(scope, depth);
        let value = self.expr(scope, depth);
        // An item holds for the whole block, before it too.
        let hoisted = declared.starts_with("fn ")
            || declared.starts_with("const ")
            || declared.starts_with("use ");
        let text = match hoisted && self.choices.chance(1, 2) {
            true => format!("{{ let r: u32 = {value}; {declared} r }}"),
            false => format!("{{ {declared} {value} }}"),
        };
        (scope.locals, scope.refs, scope.hidden) = (locals, refs, hidden);
        text
    }

    /// A statement that declares something.
    pub(super) fn statement(&mut self, scope: &mut Scope, depth: usize) -> String {
        let salt = self.salt();
        let function = self.choices.pick(&super::functions::NAMES);
        match self.choices.below(if self.calm {
            6
        } else if scope.body {
            12
        } else {
            7
        }) {
            // Variables, those named as functions among them.
            0..=2 => {
                let name = self
                    .choices
                    .pick(&["x", "y", "bin", "key", "items", "n", "k", "range", "i"]);
                let value = self.expr(scope, depth);
                scope.locals.push(name.to_string());
                scope.hidden.push(name.to_string());
                scope.refs.retain(|r| r != name);
                format!("let {name} = {value};")
            }
            3 if self.calm && self.choices.chance(2, 3) => String::new(),
            3 => format!("fn {function}(x: u32) -> u32 {{ x ^ {salt} }}"),
            4 => {
                let name = self.choices.pick(&super::constants::NAMES);
                format!("const {name}: u32 = {salt};")
            }
            5 => {
                let name = self.choices.pick(&super::types::NAMES);
                let of = self.choices.pick(&["u8", "u16", "f32", "u64", "i8"]);
                format!("type {name} = ::core::primitive::{of};")
            }
            6 => {
                let Some(id) = self.any(|_, e| matches!(e.what, What::Function { .. })) else {
                    return String::new();
                };
                let e = self.entities[id].clone();
                if !scope.body {
                    return String::new();
                }
                if e.what == (What::Function { device: true }) {
                    scope.used.push(id);
                }
                let other = self.choices.pick(&super::functions::NAMES);
                let path = self.path(e.module);
                if self.choices.chance(1, 2) {
                    format!("use {path}::{} as {other};", e.name)
                } else {
                    format!("use {path}::{};", e.name)
                }
            }
            7 | 8 => {
                scope.locals.retain(|l| l != function);
                scope.refs.retain(|l| l != function);
                scope.hidden.retain(|l| l != function);
                format!("let {function} = |x: u32| x.wrapping_mul({salt}) >> 1;")
            }
            9 => {
                let module = self.choices.pick(&["a", "b", "image", "cmp", "std"]);
                let constant = self.choices.pick(&super::constants::NAMES);
                format!(
                    "mod {module} {{ pub fn {function}(x: u32) -> u32 {{ x ^ {salt} }} pub const {constant}: u32 = {salt}; \
                     pub mod cmp {{ pub fn min(a: u32, b: u32) -> u32 {{ a ^ b }} pub fn max(a: u32, b: u32) -> u32 {{ a & b }} }} }}"
                )
            }
            10 => {
                let from = self.choices.below(self.modules.len());
                format!("use {}::*;", self.path(from))
            }
            _ => {
                let name = self.choices.pick(&["N", "K", "M", "x"]);
                let value = self.expr(scope, depth);
                let upper = self.modules[0]
                    .names
                    .iter()
                    .chain(&self.modules[0].globs)
                    .any(|(n, _)| n == name);
                if upper {
                    return String::new();
                }
                scope.locals.push(name.to_string());
                scope.hidden.push(name.to_string());
                format!("let {name} = {value};")
            }
        }
    }
}
