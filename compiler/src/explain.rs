//! What `explain` says of a loop before anything ran.

use std::fmt::Write as _;

use quote::ToTokens;

use crate::ir::visit::Visit;
use crate::ir::{Access, Carried, Loop, Map, Memory, Pattern, Ring, Stmt, StmtKind, Update};
#[cfg(feature = "gpu")]
use crate::plan::steps::Steps;
use crate::plan::{LoopPlan, Obstacle};
use crate::source::{SourceMap, left_side, text_of};

/// A few lines: where, over what, which arrays by which operator and index, and what is ruled out.
pub(crate) fn of_loop(
    plan: &LoopPlan,
    in_order: Option<&str>,
    obstacles: &[Obstacle],
    sources: &SourceMap,
) -> String {
    let mut out = String::new();
    let ir = &plan.ir;
    let Pattern::Histogram(histogram) = &plan.pattern;
    let line = sources.get(ir.source).line;
    let space: Vec<&str> = ir.space.iter().map(|dim| dim.text.as_str()).collect();
    let place = if line > 0 {
        format!(" (line {line})")
    } else {
        String::new()
    };
    // Writing to a `String` cannot fail.
    let plain = histogram.owned.is_empty() && histogram.best.is_empty();
    let kind = match plain && !histogram.targets.is_empty() {
        _ if !histogram.carried.is_empty() => "scan",
        true => "histogram",
        false => "independent iterations",
    };
    let _ = writeln!(
        out,
        "loop {}{place}: {kind} over {}",
        ir.ordinal,
        space.join(" × ")
    );
    for &id in &histogram.owned {
        let array = ir.array(id);
        let ty = match array.elem.to_string().as_str() {
            "?" => String::new(),
            ty => format!(": {ty}"),
        };
        let _ = writeln!(
            out,
            "  own {}{ty}, each element is written by one iteration",
            array.name
        );
        if histogram.distinct.contains(&id) {
            let _ = writeln!(
                out,
                "    as `distinct({})` says, and each call checks before it",
                array.name
            );
        }
    }
    for place in &plan.grown {
        let _ = writeln!(
            out,
            "  appends to {}, in the order of the iterations",
            text_of(&place.to_token_stream())
        );
    }
    for map in &plan.keyed {
        let _ = writeln!(
            out,
            "  groups {} by keys: each part has a map of its own, and these are merged in order",
            text_of(&map.place.to_token_stream())
        );
    }
    if histogram.guard.is_some() {
        let _ = writeln!(
            out,
            "    where the numbers of a call do not let iterations meet; else in order"
        );
    }
    for carried in &histogram.carried {
        let var = ir.var(carried.var);
        let ty = match var.ty.to_string().as_str() {
            "?" => String::new(),
            ty => format!(": {ty}"),
        };
        let _ = writeln!(
            out,
            "  scan {}{ty}, {} from iteration to iteration",
            var.name,
            steps(ir, carried)
        );
    }
    for filled in &histogram.filled {
        let _ = writeln!(
            out,
            "  filled {}, at {} in the order of the iterations",
            ir.array(filled.array).name,
            ir.var(filled.cursor).name
        );
    }
    if !histogram.carried.is_empty() {
        let _ = writeln!(
            out,
            "    what is combined is computed for parts first, and again as they run"
        );
    }
    let updates = updates(ir, sources);
    for (n, target) in histogram.targets.iter().enumerate() {
        let (what, name, ty) = match target.memory {
            Memory::Bins(id) => ("bins", &ir.array(id).name, ir.array(id).elem.to_string()),
            Memory::Scalar(id) => ("reduction", &ir.var(id).name, ir.var(id).ty.to_string()),
        };
        let ty = if ty == "?" {
            String::new()
        } else {
            format!(": {ty}")
        };
        let _ = writeln!(
            out,
            "  {what} {name}{ty}, {} at {}",
            target.op.text(),
            updates[n].join(", ")
        );
        if target.injective.is_some() {
            let _ = writeln!(
                out,
                "    each iteration updates a bin of its own: no private tables"
            );
        }
    }
    for best in &histogram.best {
        let names = best.vars.iter().map(|var| ir.var(*var).name.as_str());
        let names = names.collect::<Vec<_>>().join(", ");
        let (key, end) = (
            &sources.get(best.key).text,
            if best.last.is_some() { "last" } else { "first" },
        );
        let _ = match (best.test, best.less) {
            _ if best.option.is_some() => {
                writeln!(
                    out,
                    "  best {names}, of the {end} item that none is better than"
                )
            }
            (true, _) => writeln!(
                out,
                "  best {names}, of the first item that comes while `{key}`"
            ),
            (_, true) => writeln!(
                out,
                "  best {names}, of the {end} item whose `{key}` is the least"
            ),
            (_, false) => writeln!(
                out,
                "  best {names}, of the {end} item whose `{key}` is the greatest"
            ),
        };
    }
    let read: Vec<&str> = ir
        .arrays
        .iter()
        .filter(|a| a.access == Access::Read)
        .map(|a| a.name.as_str())
        .collect();
    if !read.is_empty() {
        let _ = writeln!(out, "  reads {}", read.join(", "));
    }
    if !plan.pure {
        let _ = writeln!(
            out,
            "  calls code that is not known here, so an iteration runs once only"
        );
    }
    if let Some(why) = in_order {
        let _ = writeln!(out, "  stays in order on the cpu: {why}");
    }
    if obstacles.is_empty() {
        let devices = if in_order.is_some() {
            "gpu"
        } else {
            "cpu, gpu"
        };
        let _ = writeln!(out, "  runs on: {devices}");
        if let Some(grid) = &plan.grid {
            let dims = grid.ir.space.len();
            let _ = writeln!(
                out,
                "    on a gpu each iteration of {dims} nested loops by itself"
            );
        }
    } else {
        let devices = match in_order {
            Some(_) => "no device in parallel",
            None => "cpu",
        };
        let _ = writeln!(out, "  runs on: {devices}; not on a gpu, because:");
        for obstacle in obstacles {
            let source = sources.get(obstacle.source);
            let line = if source.line > 0 {
                format!(" (line {})", source.line)
            } else {
                String::new()
            };
            let _ = writeln!(
                out,
                "    {}: `{}`{line}",
                obstacle.why,
                shortened(&source.text)
            );
            if let Some(help) = &obstacle.help {
                let _ = writeln!(out, "      help: {help}");
            }
        }
    }
    out
}

/// A line about the steps of a loop that goes in order.
#[cfg(feature = "gpu")]
pub(crate) fn of_steps(steps: &Steps, sources: &SourceMap) -> String {
    let ir = &steps.plan.ir;
    let place = match sources.get(ir.source).line {
        0 => String::new(),
        line => format!(" (line {line})"),
    };
    let inner: Vec<String> = steps.inner.iter().map(usize::to_string).collect();
    let (noun, inner) = match &inner[..] {
        [one] => ("loop", one.clone()),
        [before @ .., last] => ("loops", format!("{} and {last}", before.join(", "))),
        [] => ("loops", String::new()),
    };
    format!(
        "steps{place} over {}, of {noun} {inner}: on a gpu one kernel takes all of them where they are narrow\n",
        ir.space[0].text
    )
}

/// What is done to a carried scalar.
fn steps(ir: &Loop, carried: &Carried) -> String {
    let op = || carried.op.text();
    match &carried.map {
        None => op(),
        Some(Map::Latest) => "what is assigned last".to_owned(),
        Some(Map::Since) => format!("{} since it is assigned", op()),
        Some(Map::Best(of)) => match of.less {
            true => "the least so far".to_owned(),
            false => "the greatest so far".to_owned(),
        },
        Some(Map::Sum(ring, vars)) => {
            let ring = match ring {
                Ring::SumProduct => "sums of products",
                Ring::XorAnd => "sums of products of bits",
                Ring::MaxPlus => "sums and maxima",
                Ring::MinPlus => "sums and minima",
                Ring::Residues => "sums of products, and remainders",
            };
            let others = vars.iter().filter(|var| **var != carried.var);
            let others: Vec<&str> = others.map(|var| ir.var(*var).name.as_str()).collect();
            match others.is_empty() {
                true => ring.to_owned(),
                false => format!("{ring} with {}", others.join(", ")),
            }
        }
    }
}

/// What is said of a function: its loops one after the other, then those that stay sequential.
pub(crate) fn of_function<'a>(
    name: &str,
    loops: impl Iterator<Item = &'a str>,
    sequential: &[(usize, String)],
) -> String {
    let mut out = format!(
        "{name}
"
    );
    loops.for_each(|text| out.push_str(text));
    out.push_str(&of_sequential(sequential));
    out
}

/// What is said of the loops that stay sequential.
pub(crate) fn of_sequential(sequential: &[(usize, String)]) -> String {
    let mut out = String::new();
    for (line, why) in sequential {
        let place = if *line > 0 {
            format!(" in line {line}")
        } else {
            String::new()
        };
        let _ = writeln!(out, "the loop{place} stays sequential: {why}");
    }
    out
}

/// The user's text of the places that each target is updated at, each once.
fn updates(ir: &Loop, sources: &SourceMap) -> Vec<Vec<String>> {
    struct Finder<'a>(&'a SourceMap, Vec<Vec<String>>);
    impl Finder<'_> {
        fn note(&mut self, update: &Update, text: &str) {
            while self.1.len() <= update.target {
                self.1.push(Vec::new());
            }
            let place = shortened(left_side(text));
            let list = &mut self.1[update.target];
            if !list.contains(&place) {
                list.push(place);
            }
        }
    }
    impl Visit for Finder<'_> {
        fn stmt(&mut self, stmt: &Stmt) {
            if let StmtKind::Update(update) = &stmt.kind {
                let text = self.0.get(stmt.source).text.clone();
                self.note(update, &text);
            }
            self.stmt_parts(stmt);
        }
    }
    let mut finder = Finder(sources, Vec::new());
    finder.block(&ir.body.block);
    finder.1
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    if text.chars().count() <= LONGEST {
        return text.to_string();
    }
    let mut short: String = text.chars().take(LONGEST - 1).collect();
    short.push('…');
    short
}
