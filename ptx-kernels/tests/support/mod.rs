//! A hand-written loop for the strategies: `bins[keys[i]] = bins[keys[i]] op values[i]`, without a compiler.

use accrue_ptx::abi::{
    ArrayAbi, Elem, FaultKind, FaultSite, KernelAbi, Module, Op, Param, ParamKind, Placement,
    SplitAbi, Strategy, TargetAbi,
};
use accrue_ptx::kernel::{self, Kernel};
use accrue_ptx::library;
use accrue_ptx::queues::BLOCK;
use accrue_ptx::strategy::{self, Bin, Gang, Target};
use accrue_ptx::writer::{Function, Operand, Reg};
use accrue_ptx::{emit, value};

/// The strategies of a target of many bins.
pub(crate) const STRATEGIES: [Strategy; 9] = Strategy::OF_BINS;

/// The module of the loop for one target. Keys are `u32`, values have the type of the accumulator.
pub(crate) fn scatter(op: Op, elem: Elem, placement: Placement) -> Module {
    scatter_by(op, elem, placement, None)
}

/// The same where every update adds a constant, if there is one.
pub(crate) fn scatter_by(op: Op, elem: Elem, placement: Placement, counted: Option<u64>) -> Module {
    let name = format!(
        "scatter{}_{}_{}_{}",
        if counted.is_some() { "_constant" } else { "" },
        op.name(),
        elem.name(),
        placement.name()
    );
    let target = Target {
        number: 0,
        name: "bins".into(),
        stem: "bins".into(),
        elem,
        op,
        placement,
        counted,
        updates: 1,
        columns: None,
        slice: slice_of(placement),
        slots: SLOTS,
        composed: None,
    };
    let own = vec![
        Param {
            name: "keys".into(),
            kind: ParamKind::Pointer(0),
        },
        Param {
            name: "values".into(),
            kind: ParamKind::Pointer(1),
        },
    ];
    let targets = [target];
    let params = kernel::params(own, &targets);
    let mut k = Kernel::begin(&name, &params, &targets, false);
    if let Some(i) = k.begin_sample() {
        print_item(&mut k, i, elem, counted);
        k.end_sample();
    }
    k.open();
    match (k.is_tiled(), k.slice()) {
        (true, _) => print_tiles(&mut k, elem, counted),
        (false, Some(low)) => print_slices(&mut k, low, elem, counted),
        (false, None) => print_loop(&mut k, elem, counted),
    }
    if k.recounts() {
        k.begin_recount();
        print_loop(&mut k, elem, counted);
        k.end_recount();
    }
    let tiled = k.is_tiled();
    let function = k.finish();
    let global = Placement::Strategy(Strategy::AtomicGlobal);
    let sampler = (placement == global).then(|| {
        let mut k = Kernel::begin(&format!("{name}_sample"), &params, &targets, false);
        let i = k.begin_keys().expect("its bins have copies");
        print_item(&mut k, i, elem, counted);
        k.finish_keys()
    });
    let behind = strategy::entries_behind(&name, &params, &targets);
    let split = behind.as_ref().map(|[arrange, count]| SplitAbi {
        arrange: arrange.name().to_owned().into(),
        count: count.name().to_owned().into(),
        slots: SLOTS,
    });
    let own = [&function].into_iter().chain(&sampler);
    let own: Vec<&Function> = own.chain(behind.iter().flatten()).collect();
    let abi = KernelAbi {
        entry: name.into(),
        strategy: match placement {
            Placement::Strategy(s) => s,
            Placement::Register | Placement::Injective => Strategy::AtomicGlobal,
        },
        params: params.into(),
        arrays: vec![
            ArrayAbi {
                array: 0,
                name: "keys".into(),
                length_only: false,
                written: false,
            },
            ArrayAbi {
                array: 1,
                name: "values".into(),
                length_only: false,
                written: false,
            },
        ]
        .into(),
        captured: vec![].into(),
        targets: vec![TargetAbi {
            name: "bins".into(),
            id: 2,
            scalar: placement == Placement::Register,
            elem,
            op,
            placement,
            counts: counted.is_some(),
            updates: 1,
            columns: None,
            slice: slice_of(placement),
            composed: false,
            merge: library::merge_entry(op, elem).into(),
            initialise: library::initialise_entry(op, elem).into(),
        }]
        .into(),
        dims: 1,
        whole: false,
        block: if tiled { BLOCK } else { 1024 },
        items_per_thread: if tiled { SLOTS } else { GROUP },
        together: 0,
        waves: false,
        cut: None,
        reach: 0,
        static_shared: kernel::static_shared(&targets),
        sm: 70,
        sample: sampler.as_ref().map(|f| f.name().to_owned().into()),
        series: None,
        faults: vec![FaultSite {
            kind: FaultKind::BinIndex,
            text: "bins".into(),
            source: 0,
        }]
        .into(),
        split,
    };
    let ptx = kernel::module(&abi, &own, vec!["A scatter, for tests.".into()], "").to_string();
    Module {
        abi,
        ptx: ptx.into(),
    }
}

/// Updates that a thread gathers, where they are.
const SLOTS: u32 = 4;

/// Bins of a slice, as a power of two.
const SLICE_BITS: u32 = 8;

/// Bins of a slice, for a strategy that takes them.
fn slice_of(placement: Placement) -> Option<u64> {
    let takes = placement.template().takes_slices();
    takes.then_some(1 << SLICE_BITS)
}

/// Items that a thread takes together, whose updates may wait for each other.
const GROUP: u32 = 4;

/// Prints the loop: over groups of neighbours.
fn print_loop(k: &mut Kernel, elem: Elem, counted: Option<u64>) {
    let (gang, begin) = (k.gang, k.begin);
    let f = &mut k.function;
    let (group, step) = first(f, &gang, begin);
    emit!(f, "sub.u64", group, group, begin);
    let (again, done) = (f.label("again"), f.label("done"));
    f.place(again);
    let i = value!(f, "i", "mad.lo.u64", group, GROUP, begin);
    let beyond = value!(f, "beyond", "setp.ge.u64", i, k.end);
    f.branch_if(beyond, true, done);
    for _ in 0..GROUP {
        let skip = k.function.label("skip");
        k.begin_item(0);
        let f = &mut k.function;
        let beyond = value!(f, "beyond", "setp.ge.u64", i, k.end);
        f.branch_if(beyond, true, skip);
        print_item(k, i, elem, counted);
        let f = &mut k.function;
        f.place(skip);
        emit!(f, "add.u64", i, i, 1);
    }
    k.end_group(0);
    let f = &mut k.function;
    emit!(f, "add.u64", group, group, step);
    f.branch(again, false);
    f.place(done);
}

/// Prints the loop in tiles.
fn print_tiles(k: &mut Kernel, elem: Elem, counted: Option<u64>) {
    let (gang, begin) = (k.gang, k.begin);
    let f = &mut k.function;
    let (i, step) = first(f, &gang, begin);
    let thread = value!(f, "thread", "cvt.u64.u32", gang.thread);
    let (again, done) = (f.label("again"), f.label("done"));
    f.place(again);
    let lead = value!(f, "lead", "sub.u64", i, thread);
    let beyond = value!(f, "beyond", "setp.ge.u64", lead, k.end);
    f.branch_if(beyond, true, done);
    k.begin_tile();
    for _ in 0..SLOTS {
        k.begin_items(1);
        let f = &mut k.function;
        let skip = f.label("skip");
        let beyond = value!(f, "beyond", "setp.ge.u64", i, k.end);
        f.branch_if(beyond, true, skip);
        print_item(k, i, elem, counted);
        let f = &mut k.function;
        f.place(skip);
        emit!(f, "add.u64", i, i, step);
    }
    k.end_tile(&mut |_| ());
    k.function.branch(again, false);
    k.function.place(done);
}

/// Prints the loop once for each slice, whose updates alone are made.
fn print_slices(k: &mut Kernel, low: Reg, elem: Elem, counted: Option<u64>) {
    let (gang, begin, end) = (k.gang, k.begin, k.end);
    let f = &mut k.function;
    let bins = f.load_param("bins_total");
    let slice = value!(f, "slice", "mov.u32", gang.gang);
    let (again, done) = (f.label("slices"), f.label("end_slices"));
    f.place(again);
    let first = value!(f, "first", "mul.wide.u32", slice, 1 << SLICE_BITS);
    let beyond = value!(f, "beyond", "setp.ge.u64", first, bins);
    f.branch_if(beyond, true, done);
    k.begin_slice();
    let f = &mut k.function;
    let thread = value!(f, "thread", "cvt.u64.u32", gang.thread);
    let threads = value!(f, "threads", "cvt.u64.u32", gang.threads);
    let i = value!(f, "i", "add.u64", begin, thread);
    let (items, all) = (f.label("items"), f.label("end_items"));
    f.place(items);
    let beyond = value!(f, "beyond", "setp.ge.u64", i, end);
    f.branch_if(beyond, true, all);
    let keys = f.load_param("keys");
    let at = value!(f, "at", "mad.lo.u64", i, 4, keys);
    let key = value!(f, "key", "ld.global.nc.u32", Operand::At(at, 0));
    let of = value!(f, "of", "shr.u32", key, SLICE_BITS);
    // A key that is out of range is everybody's.
    let wide = value!(f, "key", "cvt.u64.u32", key);
    let inside = value!(f, "inside", "setp.lt.u64", wide, bins);
    let other = value!(f, "other", "setp.ne.and.u32", of, slice, inside);
    let skip = f.label("skip");
    f.branch_if(other, true, skip);
    emit!(f, "mul.wide.u32", low, of, 1 << SLICE_BITS);
    print_item(k, i, elem, counted);
    let f = &mut k.function;
    f.place(skip);
    emit!(f, "add.u64", i, i, threads);
    f.branch(items, false);
    f.place(all);
    k.end_slice();
    let f = &mut k.function;
    emit!(f, "add.u32", slice, slice, gang.gangs);
    f.branch(again, false);
    f.place(done);
}

/// The thread's first item, and how far it is to the next one.
fn first(f: &mut Function, gang: &Gang, begin: Reg) -> (Reg, Reg) {
    let thread = value!(
        f,
        "thread",
        "mad.lo.u32",
        gang.gang,
        gang.threads,
        gang.thread
    );
    let thread = value!(f, "thread", "cvt.u64.u32", thread);
    let step = value!(f, "step", "mul.wide.u32", gang.gangs, gang.threads);
    (value!(f, "i", "add.u64", thread, begin), step)
}

/// Prints one iteration.
fn print_item(k: &mut Kernel, i: Reg, elem: Elem, counted: Option<u64>) {
    let accumulator = elem.accumulator();
    let f = &mut k.function;
    let keys = f.load_param("keys");
    let values = f.load_param("values");
    let len = f.load_param("bins_len");
    let (next, fault) = (f.label("next"), f.label("fault"));
    let at = value!(f, "at", "mad.lo.u64", i, 4, keys);
    let key = value!(f, "key", "ld.global.nc.u32", Operand::At(at, 0));
    let at = value!(f, "at", "mad.lo.u64", i, accumulator.size(), values);
    let v = value!(
        f,
        "v",
        format!("ld.global.nc.{}", accumulator.memory()),
        Operand::At(at, 0)
    );
    let wide = value!(f, "key", "cvt.u64.u32", key);
    let outside = value!(f, "outside", "setp.ge.u64", wide, len);
    f.branch_if(outside, true, fault);
    let v = match counted {
        Some(bits) => Operand::bits(accumulator.class(), bits),
        None => v.into(),
    };
    k.update(0, Bin::Narrow(key.into()), v);
    k.function.branch(next, false);
    k.function.place(fault);
    k.report(i);
    k.function.place(next);
}

/// Whether a placement is for bins of this type with this operator.
pub(crate) fn applies(op: Op, elem: Elem, placement: Placement) -> bool {
    op.applies_to(elem)
        && match placement {
            Placement::Strategy(strategy) => strategy.applies_to(op, elem, false, 1),
            Placement::Register | Placement::Injective => true,
        }
}

/// Every operator and type of bin, with every placement.
pub(crate) fn matrix() -> Vec<(Op, Elem, Placement)> {
    let placements = STRATEGIES
        .into_iter()
        .map(Placement::Strategy)
        .chain([Placement::Register, Placement::Injective]);
    let mut all = Vec::new();
    for placement in placements {
        for elem in Elem::ALL {
            all.extend(
                Op::ALL
                    .into_iter()
                    .filter(|op| applies(*op, elem, placement))
                    .map(|op| (op, elem, placement)),
            );
        }
    }
    all
}
