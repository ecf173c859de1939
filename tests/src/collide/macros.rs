//! Macros named like those of the standard library, which do something else, and macros with variables of their own.

use super::world::{Scope, World};

/// Those of them whose meaning the attribute asks about.
pub(super) const STANDARD: &[&str] = &[
    "assert",
    "assert_eq",
    "debug_assert",
    "matches",
    "panic",
    "unreachable",
];

impl World<'_> {
    pub(super) fn declare_macros(&mut self, module: usize) {
        let m = self.salt();
        let (name, text) = match self.choices.below(16) {
            0 => ("assert", "($($t:tt)*) => { () };".to_string()),
            1 => ("panic", "($($t:tt)*) => { () };".to_string()),
            2 => (
                "matches",
                "($e:expr, $($t:tt)*) => { !::core::matches!($e, $($t)*) };".to_string(),
            ),
            3 => ("debug_assert", "($($t:tt)*) => { () };".to_string()),
            4 => (
                "assert_eq",
                "($a:expr, $b:expr) => { ::core::assert!($a != $b, \"equal\") };".to_string(),
            ),
            5 => (
                "hygienic",
                format!("($e:expr) => {{{{ let k = {m}u32; let x = k ^ 3; ($e) ^ k ^ x }}}};"),
            ),
            6 => ("concat", "($($t:tt)*) => { \"\" };".to_string()),
            7 => ("unreachable", "($($t:tt)*) => { 3u32 };".to_string()),
            _ => return,
        };
        if !self.claim(module, 'm', name) {
            return;
        }
        if module == 0 {
            self.item(module, &format!("macro_rules! {name} {{ {text} }}"));
        } else {
            self.item(
                module,
                &format!(
                    "macro_rules! __{name}{m} {{ {text} }}\npub(crate) use __{name}{m} as {name};"
                ),
            );
        }
        self.has.insert((module, name));
    }

    /// A macro of the standard library, or the user's of its name.
    pub(super) fn mac(&mut self, scope: &mut Scope, depth: usize) -> String {
        let e = self.expr(scope, depth);
        let b = self.expr(scope, depth);
        let path = match self.any_macro(scope) {
            Some(path) if self.choices.chance(1, 2) => path,
            _ => String::new(),
        };
        if self.has.contains(&(scope.module, "hygienic")) && self.choices.chance(1, 2) {
            return format!("hygienic!({e})");
        }
        match path.rsplit("::").next().unwrap_or_default() {
            "matches" => return format!("({path}!({e}, 3..90) as u32)"),
            "assert" | "debug_assert" => {
                return format!("{{ {path}!(({e}) % 5 != 3, \"stop\"); {b} }}");
            }
            "unreachable" => return format!("(if ({e}) % 5 == 3 {{ {path}!() }} else {{ {b} }})"),
            _ => {}
        }
        match self.choices.below(5) {
            0 => format!("{{ assert!(({e}) != 77, \"it is 77\"); {b} }}"),
            1 => format!("{{ if ({e}) % 4096 == 77 {{ panic!(\"it is 77\"); }} {b} }}"),
            2 => format!("(matches!({e}, 0..=200) as u32)"),
            3 => format!("{{ debug_assert!(({e}) != 78); {b} }}"),
            _ => format!("{{ assert_eq!(({e}) | 1, ({e}) | 1); {b} }}"),
        }
    }

    /// A macro of another module, by its path.
    fn any_macro(&mut self, scope: &Scope) -> Option<String> {
        let of: Vec<(usize, &'static str)> = self
            .has
            .iter()
            .copied()
            .filter(|(m, name)| {
                *m != 0
                    && *m != scope.module
                    && ["assert", "matches", "debug_assert", "unreachable"].contains(name)
            })
            .collect();
        if of.is_empty() {
            return None;
        }
        let (module, name) = self.choices.pick(&of);
        Some(format!("{}::{name}", self.path(module)))
    }
}
