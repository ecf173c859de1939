//! The forms of a planned loop: whether the CPU's tables can take its updates, its kernels, and what `explain()` says of it.

use crate::diag::{Code, Diagnostic, Errors};
use crate::emit_cpu;
use crate::explain;
use crate::plan::steps::Steps;
use crate::plan::{Analysis, LoopPlan, Obstacle};
use crate::source::SourceMap;
#[cfg(feature = "gpu")]
use crate::{emit_gpu, emit_ptx};

#[cfg(feature = "gpu")]
use accrue_ptx::abi::Module;
#[cfg(feature = "gpu")]
use accrue_ptx::cut::{Cut, CutWish};

/// Where arrays stay on the device from loop to loop; see [`emit_gpu::stay`](crate::emit_gpu::stay).
#[cfg(feature = "gpu")]
#[derive(Default)]
pub(crate) struct Stays(crate::emit_gpu::stay::Stays);

#[cfg(feature = "gpu")]
impl Stays {
    /// Those of a function.
    pub(crate) fn of(analysis: &Analysis, forms: &[Forms]) -> Stays {
        // Between loops these arrays have other names.
        if analysis.over_slices().is_some() {
            return Stays::default();
        }
        // What claims elements takes arrays from the host.
        let loops = forms.iter().zip(&analysis.loops);
        let kernels = loops.map(|(f, plan)| !f.modules.is_empty() && plan.claims().is_none());
        let kernels: Vec<bool> = kernels.collect();
        Stays(crate::emit_gpu::stay::Stays::of(analysis, &kernels))
    }

    /// Whether a loop has some.
    pub(crate) fn has(&self, plan: &LoopPlan) -> bool {
        self.0.has(plan)
    }

    /// Whether nothing looks at the elements of a parameter but the loops that find them where they are.
    pub(crate) fn keeps(&self, param: &proc_macro2::Ident) -> bool {
        self.0.keeps(param)
    }

    /// Whether a loop that goes in order is within some, by its number among the `for`s of the function.
    pub(crate) fn surround(&self, nth_for: usize) -> bool {
        self.0.surround(nth_for)
    }

    /// What brings home the arrays that loops in one of them look at as they are written, if it is in one.
    pub(crate) fn home(&self, nth_for: usize) -> Option<proc_macro2::TokenStream> {
        self.surround(nth_for).then(crate::emit_gpu::stay::home)
    }

    /// Puts what holds them into a function's block, whose loops are as they were.
    pub(crate) fn put_into(&self, block: &mut syn::Block) {
        self.0.put_into(block);
    }

    /// Has `explain()` say it.
    pub(crate) fn explain(&self, analysis: &Analysis, forms: &mut [Forms]) {
        let (loops, steps) = forms.split_at_mut(analysis.loops.len());
        for (plan, forms) in analysis.loops.iter().zip(loops) {
            forms.explain.extend(self.0.explain(plan));
        }
        for (of, forms) in analysis.steps.iter().zip(steps) {
            if self.surround(of.plan.nth_for) {
                forms.explain = explain::of_steps(of, &analysis.sources);
            }
        }
    }
}

/// There is no back end for devices.
#[cfg(not(feature = "gpu"))]
#[derive(Default)]
pub(crate) struct Stays;

#[cfg(not(feature = "gpu"))]
impl Stays {
    pub(crate) fn of(_: &Analysis, _: &[Forms]) -> Stays {
        Stays
    }

    pub(crate) fn has(&self, _: &LoopPlan) -> bool {
        false
    }

    pub(crate) fn keeps(&self, _: &proc_macro2::Ident) -> bool {
        false
    }

    pub(crate) fn home(&self, _: usize) -> Option<proc_macro2::TokenStream> {
        None
    }

    pub(crate) fn put_into(&self, _: &mut syn::Block) {}

    pub(crate) fn explain(&self, _: &Analysis, _: &mut [Forms]) {}
}

/// Which kernels are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Kernels {
    /// None.
    #[default]
    None,
    /// One without its text, to see whether the loop can have any: nobody runs it.
    First,
    /// That of one strategy, by its name.
    Of(String),
    /// Those of all strategies.
    All,
}

/// What is wanted of the printers.
#[derive(Clone, Default)]
pub struct Options {
    /// Kernels.
    pub kernels: Kernels,
    /// Whether the profile of the user's crate checks integer overflow.
    pub overflow_checks: bool,
    /// The attribute's `strategy`, whose parameters say how loops in blocks are cut.
    pub strategy: Option<syn::LitStr>,
    /// Whether products may be fused with the sums that they go into.
    pub contract: bool,
}

impl Options {
    /// Whether somebody reads kernels of steps.
    pub fn wants_steps(&self) -> bool {
        match &self.kernels {
            Kernels::None | Kernels::First => false,
            Kernels::Of(name) => name == "steps",
            Kernels::All => cfg!(feature = "gpu"),
        }
    }
}

/// A loop with its forms.
#[derive(Clone)]
pub struct Printed {
    /// The loop.
    pub plan: LoopPlan,
    /// What was printed of it.
    pub forms: Forms,
}

impl AsRef<LoopPlan> for Printed {
    fn as_ref(&self) -> &LoopPlan {
        &self.plan
    }
}

/// What was printed of a loop.
#[derive(Clone, Debug)]
pub struct Forms {
    /// Why the loop stays in order on the CPU, where it does: its updates cannot be redirected.
    pub in_order: Option<String>,
    /// The PTX of the loop, one module for each strategy; empty where it was not asked for or cannot be.
    #[cfg(feature = "gpu")]
    pub modules: Vec<accrue_ptx::abi::Module>,
    /// Those of the loop beside it, where it has one.
    #[cfg(feature = "gpu")]
    pub beside: Vec<accrue_ptx::abi::Module>,
    /// What keeps the loop off devices that must understand every part; empty where nothing does.
    pub obstacles: Vec<Obstacle>,
    /// What `explain()` says of it before anything ran: a few lines.
    pub explain: String,
}

/// Prints a loop. What the printer of kernels has no form for becomes an obstacle.
///
/// # Errors
///
/// What iterations that run at the same time must not share. A loop that stays in order may do what it likes.
pub fn print(plan: LoopPlan, options: &Options, sources: &SourceMap) -> Result<Printed, Errors> {
    let in_order = emit_cpu::stays_in_order(&plan);
    // What is appended to is something that has parts, where these run at the same time.
    let for_kernels = match in_order {
        Some(_) => &plan,
        None => plan.for_kernels(),
    };
    if in_order.is_none() && !plan.shared.errors.is_empty() {
        return Err(plan.shared.errors);
    }
    let mut forms = Forms {
        in_order,
        #[cfg(feature = "gpu")]
        modules: Vec::new(),
        #[cfg(feature = "gpu")]
        beside: Vec::new(),
        obstacles: for_kernels.obstacles.clone(),
        explain: String::new(),
    };
    if options.kernels != Kernels::None {
        kernels(for_kernels, &mut forms, options, sources)?;
    }
    let (in_order, obstacles) = (forms.in_order.as_deref(), &forms.obstacles[..]);
    forms.explain = explain::of_loop(&plan, in_order, obstacles, sources);
    Ok(Printed { plan, forms })
}

#[cfg(feature = "gpu")]
fn kernels(
    plan: &LoopPlan,
    forms: &mut Forms,
    options: &Options,
    sources: &SourceMap,
) -> Result<(), Errors> {
    if !forms.obstacles.is_empty() {
        return Ok(());
    }
    let asked = options.strategy.as_ref();
    let strategies = match &options.kernels {
        Kernels::Of(name) => accrue_ptx::abi::Strategy::from_name(name)
            .into_iter()
            .collect(),
        Kernels::None | Kernels::First | Kernels::All => Vec::new(),
    };
    let first = options.kernels == Kernels::First;
    let cut = options.strategy.as_ref().map(syn::LitStr::value);
    let options = emit_ptx::Options {
        overflow_checks: options.overflow_checks,
        strategies,
        // What is wrong with it has been said.
        cut: CutWish::of(&cut.unwrap_or_default()).unwrap_or_default(),
        contract: options.contract,
        follows: plan.repeated,
        one: first.then_some(0),
    };
    match emit_ptx::emit(plan.kernel_ir(), &plan.kernel_pattern(), sources, &options) {
        Ok(modules) => forms.modules = modules,
        Err(obstacles) => forms.obstacles = obstacles,
    }
    if let Some(beside) = plan.beside.as_ref().filter(|_| !forms.modules.is_empty()) {
        let options = emit_ptx::Options {
            strategies: Vec::new(),
            cut: CutWish::default(),
            ..options.clone()
        };
        let of = &beside.plan;
        match emit_ptx::emit(of.kernel_ir(), &of.kernel_pattern(), sources, &options) {
            Ok(modules) => forms.beside = modules,
            // The host runs the iteration.
            Err(_) if plan.claims().is_none() => {}
            Err(obstacles) => {
                forms.modules.clear();
                forms.obstacles = obstacles;
            }
        }
    }
    if first {
        let all = forms.modules.iter_mut().chain(&mut forms.beside);
        all.for_each(|m| m.ptx = String::new().into());
    }
    let in_blocks = |modules: &[Module]| modules.iter().any(|m| m.abi.cut.is_some());
    let Some(asked) = asked.filter(|_| !options.cut.is_empty() && !in_blocks(&forms.modules))
    else {
        return Ok(());
    };
    // A loop that is no product has nothing to cut. One that is cut as usual, and not like this, has too much for it.
    let usual = emit_ptx::Options {
        cut: CutWish::default(),
        ..options
    };
    match emit_ptx::emit(plan.kernel_ir(), &plan.kernel_pattern(), sources, &usual) {
        Ok(modules) if in_blocks(&modules) && !first => {
            let message = "what a gang has in shared memory, or a thread in registers, does not fit a loop that is cut like that";
            Err(Diagnostic::new(Code::Argument, asked.span(), message)
                .help("make the tile smaller, or what a thread has of it; two stages of a tile take 40 KiB at most, the variables of a thread's iterations 64 registers")
                .into())
        }
        _ => Ok(()),
    }
}

/// Prints the steps of a loop whose iterations follow each other; none where the printer has no form for them. What `explain()` says of them is
/// for who knows whether they may run.
#[cfg(feature = "gpu")]
pub fn steps(steps: &Steps, options: &Options, sources: &SourceMap) -> Option<Forms> {
    let options = emit_ptx::Options {
        overflow_checks: options.overflow_checks,
        contract: options.contract,
        ..emit_ptx::Options::default()
    };
    emit_gpu::steps_apart(steps).ok()?;
    let Steps {
        plan, dealt, swaps, ..
    } = steps;
    let module = emit_ptx::emit_steps(plan.kernel_ir(), dealt, swaps, sources, &options);
    Some(Forms {
        in_order: None,
        modules: vec![module.ok()?],
        beside: Vec::new(),
        obstacles: Vec::new(),
        explain: String::new(),
    })
}

/// There is no printer of kernels.
#[cfg(not(feature = "gpu"))]
pub fn steps(_: &Steps, _: &Options, _: &SourceMap) -> Option<Forms> {
    None
}

/// There is no printer of kernels; the obstacles that the plan knows stay.
#[cfg(not(feature = "gpu"))]
fn kernels(_: &LoopPlan, _: &mut Forms, _: &Options, _: &SourceMap) -> Result<(), Errors> {
    Ok(())
}

/// Whether loops can be cut into blocks as the attribute's `strategy` says, as far as that is the same for all.
///
/// # Errors
///
/// A value that is none, or sizes that no kernel can have.
#[cfg(feature = "gpu")]
pub fn check_cut(args: &crate::parsed::args::Args) -> Result<(), Errors> {
    /// What is not said is as in a small tile; where it is usual, it is right.
    const USUAL: Cut = Cut {
        tile: [64, 64, 16],
        per_thread: [4, 4],
        unroll: 4,
        prefetch: true,
        tensor: false,
    };
    let Some(strategy) = &args.strategy else {
        return Ok(());
    };
    let mistake = match CutWish::of(&strategy.value()) {
        Ok(wish) if wish.is_empty() => return Ok(()),
        Ok(wish) => wish.over(USUAL).mistake(),
        Err(wrong) => Some(wrong),
    };
    let Some(mistake) = mistake else {
        return Ok(());
    };
    let message = format!("loops cannot be cut into blocks like that: {mistake}");
    Err(Diagnostic::new(Code::Argument, strategy.span(), message)
        .help("write for instance `strategy = \"contract:tile=64x128x16,per_thread=8x4,unroll=4,prefetch=1\"`; docs/choosing.md says what these are")
        .into())
}

/// Without kernels nothing is cut.
///
/// # Errors
///
/// None.
#[cfg(not(feature = "gpu"))]
pub fn check_cut(_: &crate::parsed::args::Args) -> Result<(), Errors> {
    Ok(())
}

/// Whether the loops can run where the attribute requires it.
///
/// # Errors
///
/// One for each obstacle.
pub fn check_required(analysis: &Analysis, forms: &[Forms]) -> Result<(), Errors> {
    let mut errors = Errors::new();
    if analysis.args.require.is_none() {
        return Ok(());
    }
    for obstacle in forms.iter().flat_map(|forms| &forms.obstacles) {
        let span = analysis.sources.get(obstacle.source).span;
        let mut diagnostic = Diagnostic::new(
            Code::RequiredDevice,
            span,
            format!("the loop must run on a GPU, but {}", obstacle.why),
        )
        .note("the attribute says `require = \"cuda\"`; without it the loop runs on the CPU");
        diagnostic.help.clone_from(&obstacle.help);
        errors.push(diagnostic);
    }
    for (plan, forms) in analysis.loops.iter().zip(forms) {
        let Some(why) = forms
            .in_order
            .as_ref()
            .filter(|_| forms.obstacles.is_empty())
        else {
            continue;
        };
        let span = analysis.sources.get(plan.ir.source).span;
        errors.push(
            Diagnostic::new(
                Code::RequiredDevice,
                span,
                format!("the loop must run in parallel, but where there is no GPU it stays in order: {why}"),
            )
            .note("the attribute says `require = \"cuda\"`")
            .help("update the bins where they are, `bins[i] += 1`"),
        );
    }
    errors.finish()
}
