//! A loop's text as something to launch: the compiler at run time, its modules through the runtime.

use accrue::__rt::gpu::Loop;
use accrue_compiler::emit_ptx::{self, Options};
use accrue_compiler::ir::{Memory, Pattern};
use accrue_compiler::plan::LoopPlan;
use accrue_ptx::abi::{Module, Strategy};
use accrue_ptx::cut::CutWish;
use anyhow::{Context, anyhow, bail};

/// A compiled loop.
pub(crate) struct Compiled {
    /// The loop's arrays by name, in the order of the IR's numbers: what a call passes in that order.
    pub(crate) arrays: Vec<String>,
    /// What is updated, in the order in which a call passes it.
    pub(crate) targets: Vec<String>,
    /// The text of what is captured, in the order in which a call passes it.
    pub(crate) captures: Vec<String>,
    /// The IR's numbers of these.
    variables: Vec<u32>,
    modules: Vec<Module>,
    name: String,
}

/// Compiles a function with one loop. Only these strategies get a module; all if there are none.
///
/// # Errors
///
/// What the compiler says, or that the loop cannot be a kernel.
pub(crate) fn compile(text: &str, strategies: &[Strategy]) -> anyhow::Result<Compiled> {
    compile_as("histogram", text, strategies)
}

/// The same of a loop that may be of any kind, by the strategy that is for it.
///
/// # Errors
///
/// As for the other.
pub(crate) fn compile_any(text: &str) -> anyhow::Result<Compiled> {
    compile_as("", text, &[])
}

/// The same under the attribute's arguments.
///
/// # Errors
///
/// As for the other.
pub(crate) fn compile_with(arguments: &str, text: &str) -> anyhow::Result<Compiled> {
    compile_as(arguments, text, &[])
}

fn compile_as(attribute: &str, text: &str, strategies: &[Strategy]) -> anyhow::Result<Compiled> {
    let function: syn::ItemFn = syn::parse_str(text).with_context(|| format!("in `{text}`"))?;
    let attribute = attribute
        .parse()
        .map_err(|e| anyhow!("the attribute: {e}"))?;
    let Ok(accrue_compiler::Offload::Loops(args)) = accrue_compiler::args(attribute) else {
        bail!("the attribute is not understood");
    };
    let analysis =
        accrue_compiler::analyze(&function, &args).map_err(|e| anyhow!("`{text}`: {e}"))?;
    let [plan] = &analysis.loops[..] else {
        bail!("`{text}` has {} loops", analysis.loops.len())
    };
    let strategy = args.strategy.as_ref().map(syn::LitStr::value);
    let strategy = strategy.unwrap_or_default();
    let options = Options {
        strategies: strategies.to_vec(),
        cut: CutWish::of(&strategy).map_err(|e| anyhow!("`{strategy}`: {e}"))?,
        contract: args.contract,
        ..Options::default()
    };
    let modules = emit_ptx::emit(
        plan.kernel_ir(),
        &plan.kernel_pattern(),
        &analysis.sources,
        &options,
    )
    .map_err(|obstacles| anyhow!("`{text}` is no kernel: {}", obstacles[0].why))?;
    Ok(Compiled {
        arrays: plan.ir.arrays.iter().map(|a| a.name.clone()).collect(),
        targets: targets(plan),
        captures: plan
            .kernel_captures()
            .map(|c| analysis.sources.get(c.source).text.clone())
            .collect(),
        variables: plan.kernel_captures().map(|c| c.var.0).collect(),
        modules,
        name: function.sig.ident.to_string(),
    })
}

fn targets(plan: &LoopPlan) -> Vec<String> {
    let ir = plan.kernel_ir();
    let pattern = plan.kernel_pattern();
    let Pattern::Histogram(histogram) = &*pattern;
    let name = |memory| match memory {
        Memory::Bins(id) => ir.array(id).name.clone(),
        Memory::Scalar(var) => ir.var(var).name.clone(),
    };
    let targets = histogram.kernel_targets(ir).into_iter();
    targets.map(|t| name(t.memory)).collect()
}

impl Compiled {
    /// Whether none of the strategies asked for is one for the loop.
    pub(crate) fn is_empty(&self) -> bool {
        self.modules.is_empty()
    }

    /// One for each strategy.
    pub(crate) fn modules(&self) -> &[Module] {
        &self.modules
    }

    /// The loop, as the macro would put it into a binary, with a strategy's parameters asked for.
    pub(crate) fn the_loop(&self, request: &str) -> Loop {
        Loop::new(
            self.name.clone().into(),
            self.modules.clone().into(),
            request.to_owned().into(),
            self.variables.clone().into(),
            6,
        )
    }
}
