//! Functions: in modules, marked for kernels or not, calling one another.

use super::world::{Scope, What, World};

pub(super) const NAMES: [&str; 12] = [
    "bin", "key", "bin", "min", "max", "abs", "get", "len", "f", "swap", "sqrt", "hash",
];

impl World<'_> {
    pub(super) fn declare_functions(&mut self, module: usize) {
        for _ in 0..1 + self.choices.below(3) {
            let name = self.choices.pick(&NAMES);
            if !self.claim(module, 'v', name) || !self.claim(module, 'm', name) {
                continue;
            }
            let device = self.choices.chance(if self.calm { 9 } else { 7 }, 10);
            let param = self.choices.pick(&["x", "k", "y", "n", "h", "i"]);
            let mut scope = Scope {
                module,
                locals: vec![param.to_string()],
                hidden: vec![name.to_string(), param.to_string()],
                ..Scope::default()
            };
            let (salt, shift) = (self.salt(), self.choices.below(3));
            let mut lines = String::new();
            if self.choices.chance(1, 3) {
                lines = self.statement(&mut scope, 1);
            }
            let value = self.expr(&mut scope, 2);
            let id = self.entity(module, name, What::Function { device });
            let text = format!(
                "pub fn {name}({param}: u32) -> u32 {{ {lines}({value}).wrapping_mul({salt}) >> {shift} }}"
            );
            if device {
                let uses = self.uses(&mut scope, &format!("crate {id}"));
                let uses = if uses.is_empty() {
                    uses
                } else {
                    format!(", uses({uses})")
                };
                self.item(module, &format!("#[::accrue::offload(device{uses})]"));
            }
            self.item(module, &text);
        }
    }

    /// The list for `uses(..)`: what was mentioned, spelled in any way, and sometimes others.
    pub(super) fn uses(&mut self, scope: &mut Scope, _why: &str) -> String {
        let mut ids = std::mem::take(&mut scope.used);
        ids.sort_unstable();
        ids.dedup();
        if self.choices.chance(1, 6) {
            ids.pop();
        }
        if scope.body && self.choices.chance(1, 4) {
            let more = self.any(|_, e| {
                matches!(
                    e.what,
                    What::Function { device: true } | What::Struct { device: true }
                )
            });
            ids.extend(more.filter(|id| !ids.contains(id)));
        }
        // Variables do not hide what an attribute names.
        let outside = Scope {
            module: scope.module,
            body: scope.body,
            ..Scope::default()
        };
        let names: Vec<String> = ids.into_iter().map(|id| self.spell(id, &outside)).collect();
        names.join(", ")
    }

    /// A call of some function.
    pub(super) fn call(&mut self, scope: &mut Scope, depth: usize) -> Option<String> {
        let own = scope.hidden.first().cloned();
        let id = self.any(|_, e| {
            matches!(e.what, What::Function { .. }) && (scope.body || Some(&e.name) != own.as_ref())
        })?;
        if let What::Function { device } = self.entities[id].what {
            if device {
                scope.used.push(id);
            } else if !scope.body || (self.calm && self.choices.chance(9, 10)) {
                // What calls another function has no form in kernels.
                return None;
            }
        }
        let path = self.spell(id, scope);
        let arg = self.expr(scope, depth);
        Some(format!("{path}({arg})"))
    }
}
