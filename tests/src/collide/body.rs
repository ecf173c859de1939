//! Expressions, and the loop in its two forms.

use std::fmt::Write as _;

use super::world::{Scope, World};

impl World<'_> {
    /// An expression of type `u32`.
    pub(super) fn expr(&mut self, scope: &mut Scope, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(scope);
        }
        let d = depth - 1;
        let kind = match self.calm && !self.choices.chance(1, 25) {
            // Calls, casts, structs, methods, patterns, blocks, conditions, constants and operators.
            true => self
                .choices
                .pick(&[0, 0, 0, 0, 5, 5, 7, 9, 9, 15, 16, 18, 20, 20, 22, 22, 23]),
            false => self.choices.below(24),
        };
        match kind {
            0..=4 => self.call(scope, d).unwrap_or_else(|| self.leaf(scope)),
            5 | 6 => self.cast(scope, d),
            7 | 8 => self.structure(scope, d).unwrap_or_else(|| self.leaf(scope)),
            9..=11 => self.method(scope, d),
            12 => self.mac(scope, d),
            13 | 14 => self.library(scope, d),
            15 => self.pattern(scope, d),
            16 | 17 => self.block(scope, d),
            18 => {
                let (c, a, b) = (
                    self.expr(scope, d),
                    self.expr(scope, d),
                    self.expr(scope, d),
                );
                format!("(if ({c}) & 1 == 0 {{ {a} }} else {{ {b} }})")
            }
            19 => {
                // A parameter of a closure hides what has its name.
                let name = self.choices.pick(&["x", "bin", "key", "n"]);
                let arg = self.expr(scope, d);
                let kept = (
                    scope.locals.clone(),
                    scope.hidden.clone(),
                    scope.refs.clone(),
                );
                scope.locals.push(name.to_string());
                scope.hidden.push(name.to_string());
                scope.refs.retain(|r| r != name);
                let body = self.expr(scope, d);
                (scope.locals, scope.hidden, scope.refs) = kept;
                if !scope.body {
                    return format!("(({arg}) ^ 9)");
                }
                format!("(|{name}: u32| {body})({arg})")
            }
            20 | 21 => self.constant(scope).unwrap_or_else(|| self.leaf(scope)),
            n => {
                let (a, b) = (self.expr(scope, d), self.leaf(scope));
                let op = self.choices.pick(&["^", "&", "|", "^"]);
                if n == 22 {
                    format!("(({a}) {op} ({b}))")
                } else {
                    format!("(({a}) % 23 + 1)")
                }
            }
        }
    }

    fn leaf(&mut self, scope: &mut Scope) -> String {
        match self.choices.below(8) {
            0 => self.constant(scope).unwrap_or_else(|| "3u32".into()),
            1 => format!("{}u32", self.choices.bits() % 40),
            2 if !scope.refs.is_empty() => {
                let refs: Vec<&str> = scope.refs.iter().map(String::as_str).collect();
                format!("*{}", self.choices.pick(&refs))
            }
            _ if !scope.locals.is_empty() => {
                let locals: Vec<&str> = scope.locals.iter().map(String::as_str).collect();
                // The newest hides the others of its name.
                self.choices.pick(&locals).to_string()
            }
            _ => "5u32".to_string(),
        }
    }

    /// Writes both forms into the root, and how they are called and explained.
    pub(super) fn loops(&mut self) -> (String, String) {
        let mut scope = Scope {
            body: true,
            ..Scope::default()
        };
        let item = self
            .choices
            .pick(&["u32", "u32", "u32", "f32", "u8", "u16", "i32", "u64", "f64"]);
        let bin = self
            .choices
            .pick(&["u32", "u32", "u64", "f64", "f32", "i32"]);
        let vec = self.choices.chance(1, 6);
        let array = self.choices.chance(1, 3);
        let (xs, h) = match (vec, array) {
            (true, _) => ("&Vec<ItemT>".to_string(), "&mut [BinT]"),
            (_, true) => ("&[ItemT]".to_string(), "&mut [BinT; 16]"),
            _ => ("&[ItemT]".to_string(), "&mut [BinT]"),
        };
        // What the parameters' types mean is decided here, where the function stands.
        let xs = xs.replace("ItemT", item);
        let h = h.replace("BinT", bin);
        self.item(
            0,
            &format!("pub type ItemT = {item};\npub type BinT = {bin};"),
        );
        let has = |world: &World<'_>, name: &str| {
            let root = &world.modules[0];
            root.names.iter().chain(&root.globs).any(|(n, _)| n == name)
        };
        let mut params = Vec::new();
        let mut generics = String::new();
        let mut turbofish = "";
        if self.choices.chance(1, 3) {
            let name = self
                .choices
                .pick(&["N", "K", "MASK", "bin", "key", "WIDTH", "len"]);
            if name.chars().all(char::is_uppercase) && self.choices.chance(1, 4) {
                generics = format!("<const {name}: u32>");
                turbofish = "::<6>";
                scope.locals.push(name.to_string());
                scope.hidden.push(name.to_string());
            } else if !has(self, name) || name.chars().all(char::is_lowercase) {
                params.push(format!("{name}: u32"));
                scope.locals.push(name.to_string());
                scope.hidden.push(name.to_string());
            }
        }
        let callback = self.choices.chance(1, 8);
        if callback {
            let name = self.choices.pick(&["bin", "key", "get", "min"]);
            let taken = params.iter().any(|p| p.starts_with(name));
            params.push(format!(
                "{}: fn(u32) -> u32",
                if taken { "callback" } else { name }
            ));
        }
        let mut body = String::new();
        for _ in 0..self.choices.below(2) {
            body.push_str(&self.statement(&mut scope, 1));
            body.push('\n');
        }
        let reduced = self.choices.chance(1, 3);
        if reduced {
            body.push_str("let mut total = 0u32;\n");
        }
        let k = self
            .choices
            .pick(&["k", "k", "k", "x", "bin", "N", "key", "n", "item"]);
        let k = if k == "N" && has(self, k) { "k" } else { k };
        let mut cast = format!("let {k} = {k} as u32;");
        match self.choices.below(6) {
            0 => {
                let _ = writeln!(body, "for {k} in xs {{");
                cast = match item {
                    "u32" => {
                        scope.refs.push(k.to_string());
                        String::new()
                    }
                    _ => format!("let {k} = *{k} as u32;"),
                };
            }
            1 => {
                let _ = writeln!(body, "for {k} in xs.iter().copied() {{");
            }
            2 => {
                let _ = writeln!(
                    body,
                    "for (index, &{k}) in xs.iter().enumerate() {{\nlet index = index as u32;"
                );
                scope.locals.push("index".into());
                scope.hidden.push("index".into());
            }
            3 => {
                let _ = writeln!(body, "for at in 0..xs.len() {{\nlet {k} = xs[at];");
            }
            _ => {
                let _ = writeln!(body, "for &{k} in xs {{");
            }
        }
        body.push_str(&cast);
        body.push('\n');
        if scope.refs.is_empty() {
            scope.locals.push(k.to_string());
        }
        scope.locals.retain(|l| l == k || !scope.refs.contains(l));
        scope.hidden.push(k.to_string());
        for _ in 0..self.choices.below(3) {
            let statement = self.statement(&mut scope, 2);
            // The item would be the function in the line above, and what is counted its address.
            if !statement.starts_with(&format!("fn {k}(")) {
                body.push_str(&statement);
                body.push('\n');
            }
        }
        for _ in 0..1 + self.choices.below(2) {
            let depth = if self.calm { 2 } else { 3 };
            let index = self.expr(&mut scope, depth);
            let modulus = if self.choices.chance(1, 30) { 17 } else { 16 };
            let index = match self.choices.below(3) {
                0 if modulus == 16 => format!("(({index}) & 15) as usize"),
                1 => format!("({index}) as usize % {modulus}"),
                _ => format!("(({index}) % {modulus}) as usize"),
            };
            let value = match self.choices.below(3) {
                0 if bin == "u32" => format!("({}) % 5", self.expr(&mut scope, 2)),
                _ if has(self, bin) => "1 as BinT".to_string(),
                _ if bin.starts_with('f') => "1.0".to_string(),
                _ => "1".to_string(),
            };
            let condition = match self.choices.chance(1, 3) {
                true => format!("if ({}) & 1 == 0 ", self.expr(&mut scope, 2)),
                false => String::new(),
            };
            let _ = writeln!(body, "{condition}{{ h[{index}] += {value}; }}");
        }
        if reduced {
            let value = self.expr(&mut scope, 2);
            let _ = writeln!(body, "total ^= {value};");
        }
        body.push_str("}\n");
        body.push_str(if reduced { "total\n" } else { "0\n" });
        let params: String = params.iter().map(|p| format!(", {p}")).collect();
        let uses = self.uses(&mut scope, "");
        let uses = if uses.is_empty() {
            uses
        } else {
            format!(", uses({uses})")
        };
        let signature = format!("{generics}(xs: {xs}, h: {h}{params}) -> u32");
        self.item(0, &format!("pub fn plain{signature} {{\n{body}}}"));
        self.item(
            0,
            &format!(
                "#[::accrue::offload(histogram{uses})]\npub fn offloaded{signature} {{\n{body}}}"
            ),
        );
        let lent = if array && !vec {
            "(&mut h[..]).try_into().unwrap()"
        } else {
            "h"
        };
        let mut extra = String::new();
        for p in params.split(", ").filter(|p| !p.is_empty()) {
            extra.push_str(if p.ends_with(": u32") {
                ", 11"
            } else {
                ", |x| x.wrapping_mul(77) ^ 5"
            });
        }
        let call = format!(
            "let xs: Vec<user::ItemT> = data.iter().map(|x| *x as user::ItemT).collect(); \
             user::FORM{turbofish}(&xs, {lent}{extra}) as u64"
        );
        (call, "user::offloaded::explain()".to_string())
    }
}
