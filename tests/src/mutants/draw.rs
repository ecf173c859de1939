//! Drawing mutants, across strategies, kinds of mistake, and loops.

use accrue_compiler::emit_ptx::{Options, emit};
use accrue_ptx::abi::{Elem, Op, Strategy};
use ptx_sim::mutate::{LIBRARY, Mutant, Rule, mutants};

use crate::choices::Choices;
use crate::oracle;

/// `bins[k] = bins[k] op v`, as people write it.
pub fn update(op: Op, elem: Elem) -> String {
    let step = op.update("bins[b]", "v", !elem.is_float());
    let name = elem.name();
    format!(
        "fn update(keys: &[u32], values: &[{name}], bins: &mut [{name}]) {{ \
         for (&k, &v) in keys.iter().zip(values) {{ let b = k as usize; {step}; }} }}"
    )
}

/// Loops whose kernels are drawn from: every operator and type, and loops that count.
pub fn loops() -> Vec<(Op, String)> {
    let mut all = Vec::new();
    for op in Op::ALL {
        let elems = Elem::ALL.into_iter().filter(|e| op.applies_to(*e));
        all.extend(elems.map(|elem| (op, update(op, elem))));
    }
    for key in ["u8", "u16", "u32", "u64"] {
        for bin in ["u32", "u64", "f32"] {
            let one = if bin == "f32" { "1.0" } else { "1" };
            let text = format!(
                "fn count(keys: &[{key}], bins: &mut [{bin}]) {{ for &k in keys {{ bins[k as usize] += {one}; }} }}"
            );
            all.push((Op::Add, text));
        }
    }
    all
}

/// Loops that carry scalars along, whose kernels are of the strategy `lookback`: sums of one and of two words, terms that may fail, a cursor.
const SCANS: [&str; 4] = [
    "fn f(x: &[u32], out: &mut [u32], mut acc: u32) -> u32 { for i in 0..x.len() { acc = acc.wrapping_add(x[i]); out[i] = acc; } acc }",
    "fn f(x: &[u64], out: &mut [u64], mut acc: u64) -> u64 { for i in 0..x.len() { out[i] = acc; acc = acc.max(x[i]); } acc }",
    "fn f(x: &[u32], t: &[u32; 16], out: &mut [u32], mut acc: u32) -> u32 { \
     for i in 0..x.len() { acc ^= t[x[i] as usize % 17]; out[i] = acc; } acc }",
    "fn f(x: &[u32], out: &mut [u32], mut n: usize) -> usize { for &v in x { if v % 3 == 1 { out[n] = v; n += 1; } } n }",
];

/// Loops whose outer one chooses a slice of the bins: counted in vectors, one by one, of rows that only the data know, sums of floats.
const SLICES: [&str; 4] = [
    "fn f(n: usize, size: usize, b: &[u8], h: &mut [u32]) { \
     for i in 0..n { for k in 0..size { h[i * 256 + b[i * size + k] as usize] += 1; } } }",
    "fn f(a: &[u64], b: &[u64], h: &mut [[u64; 65]]) { \
     for x in a { for y in b { h[x.count_ones() as usize][(x & y).count_ones() as usize] += 1; } } }",
    "fn f(starts: &[u32], n: usize, b: &[u8], h: &mut [[i32; 40]]) { for i in 0..n { \
     for k in starts[i] as usize..starts[i + 1] as usize { h[i][(b[k] % 40) as usize] += k as i32; } } }",
    "fn f(n: usize, size: usize, v: &[f32], h: &mut [[f32; 9]]) { \
     for i in 0..n { for k in 0..size { h[i][k % 9] += v[i * size + k]; } } }",
];

/// Instructions that are shown before a mutant and behind it.
const SHOWN: (usize, usize) = (14, 6);

/// Prints each mutant where the first loop that it fits has it.
pub fn show(mutants: &[Mutant]) {
    let texts = texts();
    for mutant in mutants {
        println!("\n# {mutant}");
        let of = texts.iter().find(|(name, _)| *name == mutant.strategy);
        let found = of.and_then(|(_, texts)| {
            let mut texts = texts.iter();
            texts.find_map(|(source, text)| Some((source, text, mutant.line_in(text)?)))
        });
        let Some((source, text, at)) = found else {
            println!("in no loop");
            continue;
        };
        let is_entry = |l: &&str| l.contains(".entry ") || l.contains(".func ");
        let entry = text.lines().take(at).filter(is_entry).last();
        println!("{source}\n{}", entry.unwrap_or_default());
        for (line, text) in text.lines().enumerate() {
            if line + SHOWN.0 >= at && line <= at + SHOWN.1 {
                println!("{}{text}", if line == at { ">" } else { " " });
            }
        }
    }
}

/// The loops and the texts of the kernels of each strategy, and of what they share.
fn texts() -> Vec<(&'static str, Vec<(String, String)>)> {
    let mut all: Vec<_> = Strategy::OF_BINS.map(|s| (s, Vec::new())).into();
    let updates = loops().into_iter().map(|(_, source)| source);
    for source in updates.chain(SLICES.map(str::to_owned)) {
        let analysis = oracle::analyze(&source).unwrap_or_else(|e| panic!("{source}: {e}"));
        let plan = &analysis.loops[0];
        for (strategy, texts) in &mut all {
            let options = Options {
                strategies: vec![*strategy],
                ..Options::default()
            };
            let modules = emit(
                plan.kernel_ir(),
                &plan.kernel_pattern(),
                &analysis.sources,
                &options,
            );
            let modules = modules.unwrap_or_else(|o| panic!("{source}: {o:?}"));
            let modules = modules.into_iter();
            let modules = modules.filter(|m| m.abi.strategy == *strategy);
            texts.extend(modules.map(|m| (source.clone(), m.text().to_string())));
        }
    }
    let mut texts: Vec<_> = all.into_iter().map(|(s, t)| (s.name(), t)).collect();
    let scans = SCANS.map(|source| {
        let analysis = oracle::analyze_any(source).unwrap_or_else(|e| panic!("{source}: {e}"));
        let plan = &analysis.loops[0];
        let options = Options::default();
        let modules = emit(
            plan.kernel_ir(),
            &plan.kernel_pattern(),
            &analysis.sources,
            &options,
        );
        let modules = modules.unwrap_or_else(|o| panic!("{source}: {o:?}"));
        (source.to_owned(), modules[0].text().to_string())
    });
    texts.push((Strategy::Lookback.name(), scans.into()));
    let shared = texts.iter().flat_map(|(_, texts)| texts.clone()).collect();
    texts.push((LIBRARY, shared));
    texts
}

/// So many mutants, each once: the strategies in turn, of each the rules in turn, of a loop drawn at random.
pub fn draw(seed: u64, count: usize) -> Vec<Mutant> {
    let texts = texts();
    let mut choices = Choices::seeded(seed);
    let mut drawn: Vec<Mutant> = Vec::new();
    for turn in 0.. {
        if drawn.len() == count {
            break;
        }
        assert!(
            turn < 100 * count + 1000,
            "there are only {} mutants",
            drawn.len()
        );
        let rule = Rule::ALL[turn / texts.len() % Rule::ALL.len()];
        let (strategy, texts) = &texts[turn % texts.len()];
        let (_, text) = &texts[choices.below(texts.len())];
        let of_text = mutants(text, strategy, rule);
        if of_text.is_empty() {
            continue;
        }
        let mutant = &of_text[choices.below(of_text.len())];
        if !drawn.contains(mutant) {
            drawn.push(mutant.clone());
        }
    }
    drawn
}
