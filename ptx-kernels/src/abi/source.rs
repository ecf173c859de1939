//! Prints a [`Module`] as the Rust expression that makes it: how a kernel gets into a user's binary.

use std::fmt::Write;

use super::{
    ArrayAbi, CapturedAbi, Columns, Cut, FaultSite, Module, Param, Placement, SeriesAbi, SplitAbi,
    TargetAbi,
};

impl Module {
    /// A constant expression of type [`Module`], for a `static` in the user's crate. `path` is where this
    /// module is found there: `::accrue::__private::ptx::abi`. The text is that of this `number` in the pack that the
    /// expression `pack` is.
    ///
    /// ```
    /// # use accrue_ptx::abi::*;
    /// # let module = Module { ptx: String::new().into(), abi: KernelAbi { entry: "f".into(), strategy: Strategy::AtomicGlobal,
    /// #   params: vec![].into(), arrays: vec![].into(), captured: vec![].into(), targets: vec![].into(), dims: 1, whole: false,
    /// #   block: 256, items_per_thread: 1, together: 0, waves: false, cut: None, reach: 0, static_shared: 0, sm: 70, sample: None, series: None, faults: vec![].into(), split: None } };
    /// let source = module.rust_source("accrue_ptx::abi", "PACK", 3);
    /// assert!(source.starts_with("accrue_ptx::abi::Module {"));
    /// ```
    pub fn rust_source(&self, path: &str, pack: &str, number: usize) -> String {
        let p = path;
        let abi = &self.abi;
        format!(
            "{p}::Module {{ ptx: {p}::Code::Packed {{ pack: {pack}, number: {number}u8 }}, abi: {p}::KernelAbi {{ entry: {entry}, \
             strategy: {p}::Strategy::{strategy:?}, params: {params}, arrays: {arrays}, \
             captured: {captured}, targets: {targets}, dims: {dims}u32, whole: {whole}, block: {block}u32, \
             items_per_thread: {items}u32, together: {together}u32, waves: {waves}, cut: {cut}, reach: {reach}u32, static_shared: {shared}u32, sm: {sm}u32, sample: {sample}, series: {series}, faults: {faults}, split: {split} }} }}",
            entry = text(&abi.entry, p),
            strategy = abi.strategy,
            params = list(&abi.params, p, |x| param(x, p)),
            arrays = list(&abi.arrays, p, |x| array(x, p)),
            captured = list(&abi.captured, p, |x| captured(x, p)),
            targets = list(&abi.targets, p, |x| target(x, p)),
            dims = abi.dims,
            whole = abi.whole,
            block = abi.block,
            items = abi.items_per_thread,
            together = abi.together,
            waves = abi.waves,
            cut = cut(abi.cut.as_ref(), p),
            reach = abi.reach,
            shared = abi.static_shared,
            sm = abi.sm,
            sample = match &abi.sample {
                Some(entry) => format!("::core::option::Option::Some({})", text(entry, p)),
                None => "::core::option::Option::None".to_owned(),
            },
            series = series(abi.series.as_ref(), p),
            faults = list(&abi.faults, p, |x| fault(x, p)),
            split = split(abi.split.as_ref(), p),
        )
    }
}

fn series(series: Option<&SeriesAbi>, p: &str) -> String {
    match series {
        None => "::core::option::Option::None".to_owned(),
        Some(series) => format!(
            "::core::option::Option::Some({p}::SeriesAbi {{ entry: {}, block: {}u32 }})",
            text(&series.entry, p),
            series.block
        ),
    }
}

fn cut(cut: Option<&Cut>, p: &str) -> String {
    match cut {
        None => "::core::option::Option::None".to_owned(),
        // As the derived `Debug` prints it, but for the path of the type.
        Some(cut) => format!("::core::option::Option::Some({p}::{cut:?})"),
    }
}

fn split(split: Option<&SplitAbi>, p: &str) -> String {
    match split {
        None => "::core::option::Option::None".to_owned(),
        Some(split) => format!(
            "::core::option::Option::Some({p}::SplitAbi {{ arrange: {}, count: {}, slots: {}u32 }})",
            text(&split.arrange, p),
            text(&split.count, p),
            split.slots
        ),
    }
}

fn text(text: &str, p: &str) -> String {
    format!("{p}::Cow::Borrowed({text:?})")
}

fn list<T>(items: &[T], p: &str, print: impl Fn(&T) -> String) -> String {
    let mut out = format!("{p}::Cow::Borrowed(&[");
    for item in items {
        // Writing to a string cannot fail.
        let _ = write!(out, "{}, ", print(item));
    }
    out + "])"
}

fn param(param: &Param, p: &str) -> String {
    format!(
        "{p}::Param {{ name: {}, kind: {p}::ParamKind::{:?} }}",
        text(&param.name, p),
        param.kind
    )
}

fn array(array: &ArrayAbi, p: &str) -> String {
    format!(
        "{p}::ArrayAbi {{ array: {}u32, name: {}, length_only: {}, written: {} }}",
        array.array,
        text(&array.name, p),
        array.length_only,
        array.written
    )
}

fn captured(captured: &CapturedAbi, p: &str) -> String {
    format!(
        "{p}::CapturedAbi {{ var: {}u32, name: {}, elem: {p}::Elem::{:?} }}",
        captured.var,
        text(&captured.name, p),
        captured.elem
    )
}

fn target(target: &TargetAbi, p: &str) -> String {
    let placement = match target.placement {
        Placement::Strategy(s) => format!("{p}::Placement::Strategy({p}::Strategy::{s:?})"),
        Placement::Register => format!("{p}::Placement::Register"),
        Placement::Injective => format!("{p}::Placement::Injective"),
    };
    let columns = match target.columns {
        None => "::core::option::Option::None".to_owned(),
        Some(Columns {
            extent,
            scalars,
            first,
            used,
        }) => format!(
            "::core::option::Option::Some({p}::Columns {{ extent: {extent}u64, scalars: {scalars}u64, \
             first: {first}u64, used: {used}u64 }})"
        ),
    };
    let slice = match target.slice {
        None => "::core::option::Option::None".to_owned(),
        Some(bins) => format!("::core::option::Option::Some({bins}u64)"),
    };
    format!(
        "{p}::TargetAbi {{ name: {}, id: {}u32, scalar: {}, elem: {p}::Elem::{:?}, op: {p}::Op::{:?}, \
         placement: {placement}, counts: {}, updates: {}u32, columns: {columns}, slice: {slice}, composed: {}, merge: {}, initialise: {} }}",
        text(&target.name, p),
        target.id,
        target.scalar,
        target.elem,
        target.op,
        target.counts,
        target.updates,
        target.composed,
        text(&target.merge, p),
        text(&target.initialise, p)
    )
}

fn fault(site: &FaultSite, p: &str) -> String {
    format!(
        "{p}::FaultSite {{ kind: {p}::FaultKind::{:?}, text: {}, source: {}u32 }}",
        site.kind,
        text(&site.text, p),
        site.source
    )
}
