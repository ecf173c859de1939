//! What keeps a loop off devices that must understand every part of it.

use crate::sorted::SortedSet;

use super::Obstacle;
use crate::detect::winners::Why;
use crate::ir::visit::Visit;
use crate::ir::{
    Access, Expr, ExprKind, Loop, Memory, Pattern, Place, Root, Scalar, SourceId, Type, Var, VarId,
    VarKind,
};

/// Every obstacle, each once. `generics` are the function's type parameters; `deterministic` says that floats have to
/// be summed in a fixed order, `unfound` why no kernel finds the best items, or what is distinct.
pub(super) fn find(
    ir: &Loop,
    pattern: &Pattern,
    generics: &[String],
    deterministic: bool,
    unfound: impl IntoIterator<Item = Why>,
) -> Vec<Obstacle> {
    let mut finder = Finder {
        vars: &ir.body.vars,
        found: Vec::new(),
        seen: SortedSet::new(),
    };
    let Pattern::Histogram(roles) = pattern;
    let composed = roles.carried.iter().find(|carried| !carried.has_kernels());
    if let Some(composed) = composed {
        let var = ir.var(composed.var);
        let why = format!(
            "`{}` is carried by a recurrence, and kernels have those that are sums of products of one scalar as yet",
            var.name
        );
        finder.add(why, None, var.source);
    }
    let regrouped = roles.carried.iter().find(|carried| {
        let float = ir
            .var(carried.var)
            .ty
            .as_scalar()
            .is_some_and(Scalar::is_float);
        deterministic && float && carried.composes()
    });
    if let Some(regrouped) = regrouped {
        let var = ir.var(regrouped.var);
        let why = format!(
            "`{}` is a recurrence of floats that is to be `deterministic`, and the gangs of a GPU look back over tiles as these come to their end",
            var.name
        );
        finder.add(why, None, var.source);
    }
    if let Some(id) = roles.scattered.first() {
        let array = ir.array(*id);
        let why = format!(
            "iterations write elements of each other's rows of `{}`, and kernels have whole rows as yet",
            array.name
        );
        let help = "use a flat array, `d[i * n + j]`";
        finder.add(why, Some(help.to_owned()), array.source);
    }
    if let Some(filled) = roles.filled.iter().find(|filled| !filled.ahead.is_empty()) {
        let array = ir.array(filled.array);
        let why = format!(
            "`{}` is written behind what is kept, in every iteration",
            array.name
        );
        let help = "write what is kept alone: `if keep { out[n] = x; n += 1; }`";
        finder.add(why, Some(help.to_owned()), array.source);
    }
    if let (Some(first), None, None) = (roles.carried.first(), &roles.terms, composed) {
        let Obstacle { why, help, source } = Obstacle::entangled(ir, first.var);
        finder.add(why, help, source);
    }
    for array in &ir.arrays {
        let text = match &array.elem {
            ty if ty.is_known() || array.access == Access::LengthOnly => continue,
            Type::Opaque(Some(text)) if generics.contains(text) => {
                let text = format!(
                    "the elements of `{}` have the type parameter `{text}`",
                    array.name
                );
                let help = "kernels are printed once, with the types written out: offload a function for the type that is to run there";
                finder.add(text, Some(help.to_string()), array.source);
                continue;
            }
            Type::Opaque(Some(text)) if text.starts_with('(') => {
                let text = format!(
                    "the elements of `{}` are tuples, `{text}`, whose layout in memory Rust leaves open",
                    array.name
                );
                let help = "those of two to eight numbers are taken where no bytes lie between them; else use arrays such as `[u32; 2]`, or a struct with `#[repr(C)]` and `#[derive(accrue::DeviceType)]`, named in `uses(..)`";
                finder.add(text, Some(help.to_string()), array.source);
                continue;
            }
            Type::Opaque(Some(text)) if syn::parse_str::<syn::Path>(text).is_ok() => {
                let why = format!(
                    "the elements of `{}` have the type `{text}`, which is not known here",
                    array.name
                );
                let help = format!(
                    "if it is a struct, give it `#[repr(C)]` and `#[derive(accrue::DeviceType)]` and name it in `uses({text})`; for a type alias, write what it stands for"
                );
                finder.add(why, Some(help), array.source);
                continue;
            }
            Type::Opaque(Some(text)) => format!(
                "the elements of `{}` have the type `{text}`, which is not known here",
                array.name
            ),
            _ => format!(
                "the type of the elements of `{}` is not known here",
                array.name
            ),
        };
        let written = !matches!(array.access, Access::Read | Access::LengthOnly);
        finder.add(text, Some(type_help(&array.name, written)), array.source);
    }
    for dim in &ir.space {
        finder.expr(&dim.count);
    }
    finder.block(&ir.body.block);
    for function in &ir.functions {
        finder.vars = &function.body.vars;
        finder.block(&function.body.block);
    }
    for why in unfound {
        finder.add(why.text, None, why.source);
    }
    let Pattern::Histogram(histogram) = pattern;
    let targets = histogram.kernel_targets(ir);
    for target in targets.iter().filter(|_| deterministic) {
        let rounds = target.op.op.row().rounds;
        if rounds && target.elem.is_some_and(Scalar::is_float) {
            let (name, source) = match target.memory {
                Memory::Bins(id) => (&ir.array(id).name, ir.array(id).source),
                Memory::Scalar(id) => (&ir.var(id).name, ir.var(id).source),
            };
            let text = format!(
                "`{name}` has float sums that are to be `deterministic`, and the gangs of a GPU come to their end in any order"
            );
            let help = "without `deterministic` each sum is right up to the order of summation";
            finder.add(text, Some(help.to_string()), source);
        }
    }
    for target in &targets {
        if target.elem.is_none() {
            // Arrays have been looked at above.
            let Memory::Scalar(id) = target.memory else {
                continue;
            };
            let (name, source) = (&ir.var(id).name, ir.var(id).source);
            let help = match name.rsplit_once('.') {
                Some((_, field)) => format!(
                    "sum up in a variable with its type, `let mut {field}: u32 = 0;`, and combine it into `{name}` after the loop"
                ),
                None => type_help(name, true),
            };
            finder.add(
                format!("the type of `{name}` is not known here"),
                Some(help),
                source,
            );
        }
    }
    finder.found
}

impl Obstacle {
    /// What is combined into a carried scalar cannot be computed before the iterations run.
    pub fn entangled(ir: &Loop, var: VarId) -> Obstacle {
        let var = ir.var(var);
        Obstacle {
            why: format!(
                "what is combined into `{}` is computed inside of something else that the iteration does",
                var.name
            ),
            help: Some(format!(
                "give what is combined into `{}` a statement of its own",
                var.name
            )),
            source: var.source,
        }
    }
}

/// What to write so that the type of captured memory is known.
fn type_help(name: &str, written: bool) -> String {
    if name.starts_with(char::is_uppercase) || name.contains("::") {
        return format!(
            "give it a name with its type before the loop, `let table: &[u8] = &{name};` with the type that it has, and use that"
        );
    }
    if let Some((_, field)) = name.rsplit_once('.') {
        let of = if written { "&mut [u32]" } else { "&[u32]" };
        return format!(
            "keep it in an argument or a variable of its own whose type is written, `{field}: {of}` with the type that it has, and use that"
        );
    }
    format!(
        "write the type where `{name}` is declared, in terms of numbers, arrays and slices; for a type alias, what it stands for"
    )
}

/// How to say the type of a value that is captured.
fn typed_copy(name: &str) -> String {
    // A constant's name in a `let` is a pattern, and a field's is none: they need another.
    let own = name
        .rsplit(['.', ':'])
        .next()
        .unwrap_or(name)
        .to_lowercase();
    if own == name {
        format!(
            "write its type where it is declared, or before the loop: `let {name}: u32 = {name};` with the type that it has"
        )
    } else {
        format!(
            "give it a name with its type before the loop, `let {own}: u32 = {name};` with the type that it has, and use that"
        )
    }
}

struct Finder<'a> {
    /// The variables of the body that is looked at.
    vars: &'a [Var],
    found: Vec<Obstacle>,
    seen: SortedSet<String>,
}

impl Finder<'_> {
    fn add(&mut self, why: String, help: Option<String>, source: SourceId) {
        if self.seen.insert(why.clone()) {
            self.found.push(Obstacle { why, help, source });
        }
    }
}

impl Visit for Finder<'_> {
    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Opaque(opaque) => {
                self.add(opaque.why.clone(), opaque.help.clone(), expr.source)
            }
            ExprKind::Load(Place {
                root: Root::Var(var),
                ..
            }) => {
                let known = &self.vars[var.0 as usize];
                if !known.ty.is_known() && known.kind == VarKind::Captured {
                    let text = format!("the type of `{}` is not known here", known.name);
                    self.add(text, Some(typed_copy(&known.name)), known.source);
                }
            }
            _ => {}
        }
        let before = self.found.len();
        self.expr_parts(expr);
        // Where a part is the reason, it has been named.
        if !expr.ty.is_known() && self.found.len() == before && self.found.is_empty() {
            self.add(
                "the type of an expression is not known here".into(),
                None,
                expr.source,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    fn obstacles(attribute: &str, function: &str) -> Vec<String> {
        let function = syn::parse_str(function).expect("a function");
        let plan = crate::tests::planned(attribute, &function);
        let obstacles = plan.obstacles.iter();
        obstacles.map(|o| o.why.clone()).collect()
    }

    #[test]
    fn sums_in_a_fixed_order_stay_on_the_cpu() {
        let sums = "fn f(keys: &[u8], w: &[f32], h: &mut [f32; 256]) {
            for (&k, &w) in keys.iter().zip(w) { h[k as usize] += w; }
        }";
        assert!(obstacles("histogram", sums).is_empty());
        let found = obstacles("histogram, deterministic", sums);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains("`h` has float sums"), "{found:?}");
        let any_order = [
            sums.replace("h[k as usize] += w", "h[k as usize] = h[k as usize].min(w)"),
            sums.replace("f32", "u32"),
        ];
        for exact in any_order {
            assert!(obstacles("histogram, deterministic", &exact).is_empty());
        }
    }
}
