//! Loops that keep the best item so far.

use accrue_compiler::ir::Scalar;

use super::{Generator, READ};

impl Generator<'_> {
    /// Writes a function of the kind.
    pub(super) fn kept_function(&mut self) {
        let ty = self.choices.pick(READ);
        let a = self.param("a", format!("&[{ty}]"));
        let (i, x) = (self.name("i"), self.name("x"));
        // Items that are visited last first keep the last of equals.
        let (pat, items, item) = match self.choices.below(4) {
            0 => (i.clone(), format!("0..{a}.len()"), format!("{a}[{i}]")),
            1 => (
                format!("({i}, &{x})"),
                format!("{a}.iter().enumerate()"),
                x.clone(),
            ),
            2 => (
                i.clone(),
                format!("(0..{a}.len()).rev()"),
                format!("{a}[{i}]"),
            ),
            _ => (
                i.clone(),
                format!("(0..{a}.len()).step_by(3)"),
                format!("{a}[{i}]"),
            ),
        };
        self.leaf(item.clone(), ty);
        self.leaf(i.clone(), Scalar::Usize);
        self.open(&pat, &items);
        self.captures();
        self.statements();
        for _ in 0..1 + self.choices.below(2) {
            self.keep(&a, &i, &item, ty);
        }
        if self.choices.chance(1, 3) {
            self.updates();
        }
        if self.choices.chance(1, 4) {
            let own = self.choices.pick(READ);
            let array = self.param("e", format!("&mut [{own}]")) + "_own";
            let last = self.params.len() - 1;
            self.params[last].0.clone_from(&array);
            let value = self.number(own, 2);
            self.line(&format!("{array}[{i}] = {value};"));
        }
        self.depth -= 1;
        self.line("}");
    }

    /// A scalar that the loop keeps; its place.
    fn kept_scalar(&mut self, prefix: &str, ty: Scalar) -> String {
        let name = self.param(prefix, format!("&mut {ty}")) + "_own";
        let last = self.params.len() - 1;
        self.params[last].0.clone_from(&name);
        format!("*{name}")
    }

    /// Keeps the best item, perhaps of some, perhaps by its place alone.
    fn keep(&mut self, a: &str, i: &str, item: &str, ty: Scalar) {
        let at = self.kept_scalar("z", Scalar::Usize);
        let (less, greater) = self.choices.pick(&[("<", ">"), (">", "<")]);
        let some = match self.choices.chance(1, 3) {
            true => format!("{} && ", self.condition(1)),
            false => String::new(),
        };
        if self.choices.chance(1, 4) {
            // The element that is compared with is the best one's.
            let test = match self.choices.chance(1, 2) {
                true => format!("{item} {less} {a}[{at}]"),
                false => format!("{a}[{at}] {greater} {item}"),
            };
            self.line(&format!("if {some}{test} {{ {at} = {i}; }}"));
            return;
        }
        let kept = self.kept_scalar("k", ty);
        let value = self.number(ty, 2);
        let v = self.name("d");
        self.line(&format!("let {v} = {value};"));
        let test = match self.choices.chance(1, 2) {
            true => format!("{v} {less} {kept}"),
            false => format!("{kept} {greater} {v}"),
        };
        let mut then = vec![format!("{kept} = {v};"), format!("{at} = {i};")];
        match self.choices.below(5) {
            0 => {
                then.remove(1);
            }
            1 => {
                // Another value of the item's, behind the key or before it.
                let other = self.choices.pick(READ);
                let beside = self.kept_scalar("k", other);
                then.insert(
                    self.choices.below(2),
                    format!("{beside} = {item} as {other};"),
                );
            }
            2 => then.swap(0, 1),
            _ => {}
        }
        self.line(&format!("if {some}{test} {{ {} }}", then.join(" ")));
    }
}
