//! Prints a [`Module`] as the Rust expression that makes it: how a kernel gets into a user's binary.

use std::fmt::Write;

use super::{
    ArrayAbi, CapturedAbi, Columns, FaultSite, Module, Param, Placement, SplitAbi, TargetAbi,
};

impl Module {
    /// A constant expression of type [`Module`], for a `static` in the user's crate. `path` is where this
    /// module is found there: `::accrue::__private::ptx::abi`.
    ///
    /// ```
    /// # use accrue_ptx::abi::*;
    /// # let module = Module { ptx: "//".into(), abi: KernelAbi { entry: "f".into(), strategy: Strategy::AtomicGlobal,
    /// #   params: vec![].into(), arrays: vec![].into(), captured: vec![].into(), targets: vec![].into(), dims: 1,
    /// #   block: 256, items_per_thread: 1, static_shared: 0, sm: 70, sample: None, faults: vec![].into(), split: None } };
    /// assert!(module.rust_source("accrue_ptx::abi").starts_with("accrue_ptx::abi::Module {"));
    /// ```
    pub fn rust_source(&self, path: &str) -> String {
        let p = path;
        let abi = &self.abi;
        format!(
            "{p}::Module {{ ptx: {ptx}, abi: {p}::KernelAbi {{ entry: {entry}, \
             strategy: {p}::Strategy::{strategy:?}, params: {params}, arrays: {arrays}, \
             captured: {captured}, targets: {targets}, dims: {dims}u32, block: {block}u32, \
             items_per_thread: {items}u32, static_shared: {shared}u32, sm: {sm}u32, sample: {sample}, faults: {faults}, split: {split} }} }}",
            ptx = text(&self.ptx),
            entry = text(&abi.entry),
            strategy = abi.strategy,
            params = list(&abi.params, |x| param(x, p)),
            arrays = list(&abi.arrays, |x| array(x, p)),
            captured = list(&abi.captured, |x| captured(x, p)),
            targets = list(&abi.targets, |x| target(x, p)),
            dims = abi.dims,
            block = abi.block,
            items = abi.items_per_thread,
            shared = abi.static_shared,
            sm = abi.sm,
            sample = match &abi.sample {
                Some(entry) => format!("::std::option::Option::Some({})", text(entry)),
                None => "::std::option::Option::None".to_owned(),
            },
            faults = list(&abi.faults, |x| fault(x, p)),
            split = split(abi.split.as_ref(), p),
        )
    }
}

fn split(split: Option<&SplitAbi>, p: &str) -> String {
    match split {
        None => "::core::option::Option::None".to_owned(),
        Some(split) => format!(
            "::core::option::Option::Some({p}::SplitAbi {{ arrange: {}, count: {}, slots: {}u32 }})",
            text(&split.arrange),
            text(&split.count),
            split.slots
        ),
    }
}

fn text(text: &str) -> String {
    format!("::std::borrow::Cow::Borrowed({text:?})")
}

fn list<T>(items: &[T], print: impl Fn(&T) -> String) -> String {
    let mut out = "::std::borrow::Cow::Borrowed(&[".to_owned();
    for item in items {
        // Writing to a string cannot fail.
        let _ = write!(out, "{}, ", print(item));
    }
    out + "])"
}

fn param(param: &Param, p: &str) -> String {
    format!(
        "{p}::Param {{ name: {}, kind: {p}::ParamKind::{:?} }}",
        text(&param.name),
        param.kind
    )
}

fn array(array: &ArrayAbi, p: &str) -> String {
    format!(
        "{p}::ArrayAbi {{ array: {}u32, name: {}, length_only: {} }}",
        array.array,
        text(&array.name),
        array.length_only
    )
}

fn captured(captured: &CapturedAbi, p: &str) -> String {
    format!(
        "{p}::CapturedAbi {{ var: {}u32, name: {}, elem: {p}::Elem::{:?} }}",
        captured.var,
        text(&captured.name),
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
        None => "::std::option::Option::None".to_owned(),
        Some(Columns {
            extent,
            scalars,
            first,
            used,
        }) => format!(
            "::std::option::Option::Some({p}::Columns {{ extent: {extent}u64, scalars: {scalars}u64, \
             first: {first}u64, used: {used}u64 }})"
        ),
    };
    format!(
        "{p}::TargetAbi {{ name: {}, id: {}u32, scalar: {}, elem: {p}::Elem::{:?}, op: {p}::Op::{:?}, \
         placement: {placement}, counts: {}, updates: {}u32, columns: {columns}, merge: {}, initialise: {} }}",
        text(&target.name),
        target.id,
        target.scalar,
        target.elem,
        target.op,
        target.counts,
        target.updates,
        text(&target.merge),
        text(&target.initialise)
    )
}

fn fault(site: &FaultSite, p: &str) -> String {
    format!(
        "{p}::FaultSite {{ kind: {p}::FaultKind::{:?}, text: {}, source: {}u32 }}",
        site.kind,
        text(&site.text),
        site.source
    )
}
