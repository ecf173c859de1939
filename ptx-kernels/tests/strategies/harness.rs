//! Runs a scatter as the runtime does: planned, launched and merged; and the devices and keys that tests share.

use accrue_ptx::abi::{AUXILIARY_BLOCK, Elem, ErrorRecord, MergeParam, Module, Op, ParamKind};
use accrue_ptx::plan::{self, Ending, LaunchPlan, Wishes, Work};
use accrue_ptx::queues::{COUNT_BLOCK, Part};
use ptx_sim::{Limits, Machine, Module as Text};

use crate::gpu::{Bits, pack, unpack};

/// What a run left.
pub(crate) struct Outcome {
    pub(crate) bins: Vec<u64>,
    pub(crate) record: ErrorRecord,
    pub(crate) plan: LaunchPlan,
    /// Atomics in shared memory.
    pub(crate) shared_atomics: u64,
}

pub(crate) fn limits(of: &Limits) -> plan::Limits {
    plan::Limits {
        sm: of.compute_capability,
        multiprocessors: of.sms,
        threads_per_block: of.max_threads_per_block,
        threads_per_multiprocessor: of.max_threads_per_sm,
        blocks_per_multiprocessor: of.max_blocks_per_sm,
        shared_per_block: of.shared_per_block_optin,
        shared_per_multiprocessor: of.shared_per_sm,
        shared_reserved: 1024,
    }
}

/// Runs a scatter and checks that it leaves the scratch memory as it was.
pub(crate) fn run(
    module: &Module,
    limits_of: Limits,
    seed: u64,
    keys: &[u32],
    values: &[u64],
    bins: &[u64],
) -> Outcome {
    run_as(
        module,
        limits_of,
        seed,
        keys,
        values,
        bins,
        Wishes::default(),
    )
}

/// The same as somebody wishes.
pub(crate) fn run_as(
    module: &Module,
    limits_of: Limits,
    seed: u64,
    keys: &[u32],
    values: &[u64],
    bins: &[u64],
    wishes: Wishes,
) -> Outcome {
    run_from(0, module, limits_of, seed, keys, values, bins, wishes)
}

/// The same with iterations that are numbered from `first` on: the part of a longer loop.
#[allow(clippy::too_many_arguments, reason = "all that a launch depends on")]
pub(crate) fn run_from(
    first: u64,
    module: &Module,
    limits_of: Limits,
    seed: u64,
    keys: &[u32],
    values: &[u64],
    bins: &[u64],
    wishes: Wishes,
) -> Outcome {
    let target = &module.abi.targets[0];
    let (op, elem, accumulator) = (target.op, target.elem, target.accumulator());
    let work = Work {
        items: keys.len() as u64,
        bins: vec![bins.len() as u64],
        wishes,
    };
    let plan = module
        .abi
        .plan(&limits(&limits_of), &work)
        .unwrap_or_else(|e| panic!("{}: {e}", module.abi.entry));
    let mut machine = Machine::new(limits_of, seed);
    let text = Text::parse(&module.text()).unwrap_or_else(|e| panic!("{e}\n{}", module.text()));
    let mut memory = |bytes: &[u8]| {
        let at = machine.alloc(bytes.len() as u64).expect("room");
        machine.write(at, bytes).expect("as large");
        at
    };
    let keys_at = memory(&pack(
        &keys.iter().map(|k| u64::from(*k)).collect::<Vec<_>>(),
        4,
    ));
    let values_at = memory(&pack(values, accumulator.size()));
    // Where the arrays' first elements would be.
    let keys_at = keys_at.wrapping_sub(4 * first);
    let values_at = values_at.wrapping_sub(first * u64::from(accumulator.size()));
    let bins_at = memory(&pack(bins, elem.size()));
    let scalars = plan.targets[0].scratch_bytes / u64::from(accumulator.size());
    let neutral = vec![op.neutral_bits(accumulator); scalars as usize];
    let scratch_at = memory(&pack(&neutral, accumulator.size()));
    let ticket_at = memory(&[0; 4]);
    let record_at = memory(&ErrorRecord::CLEAN.to_bytes());
    let queues_at = plan.split.as_ref().map(|split| {
        let at = machine.alloc(split.bytes()).expect("room");
        let tally = vec![0; 4 * split.ranges as usize];
        machine.write(at, &tally).expect("as large");
        at
    });
    let entry = module.abi.entry.as_ref();
    let mut shared_atomics = 0;
    let whole = vec![(0, keys.len() as u64)];
    let slabs = plan
        .split
        .as_ref()
        .map(|s| s.slabs(keys.len() as u64).collect());
    for (begin, end) in slabs.unwrap_or(whole) {
        let mut params: Vec<[u8; 8]> = module
            .abi
            .params
            .iter()
            .map(|param| {
                let value = match param.kind {
                    ParamKind::Begin => first + begin,
                    ParamKind::End => first + end,
                    ParamKind::Pointer(0) => keys_at,
                    ParamKind::Pointer(_) => values_at,
                    ParamKind::Bins(_) => bins_at,
                    ParamKind::BinsLength(_) => bins.len() as u64,
                    ParamKind::Scratch(_) => scratch_at,
                    ParamKind::Ticket => ticket_at,
                    ParamKind::Error => record_at,
                    ParamKind::Queue(part) => {
                        let split = plan.split.as_ref().expect("a split");
                        queues_at.expect("queues") + split.offset(Part::ALL[part as usize])
                    }
                    kind => plan.value(kind).expect("the plan decides the others"),
                };
                value.to_le_bytes()
            })
            .collect();
        let mut launch = |params: &[[u8; 8]], entry: &str, grid: u32, block: u32, shared: u32| {
            let params: Vec<&[u8]> = params.iter().map(|p| &p[..]).collect();
            machine
                .allow_shared(&text, entry, shared)
                .expect("the plan knows the limits");
            let stats = machine
                .launch(&text, entry, [grid, 1, 1], [block, 1, 1], shared, &params)
                .unwrap_or_else(|fault| panic!("{entry}: {fault}"));
            shared_atomics += stats.shared_atomics;
        };
        let at = module
            .abi
            .params
            .iter()
            .position(|p| p.kind == ParamKind::Merge);
        for &ending in plan.ending.launches(&module.abi) {
            at.into_iter()
                .for_each(|at| params[at] = (ending as u64).to_le_bytes());
            launch(&params, entry, plan.grid, plan.block, plan.shared_bytes);
        }
        if let (Some(plan), Some(abi)) = (&plan.split, &module.abi.split) {
            launch(&params, &abi.arrange, plan.arrange_grid, AUXILIARY_BLOCK, 0);
            launch(
                &params,
                &abi.count,
                plan.count_grid,
                COUNT_BLOCK,
                plan.count_shared,
            );
            let tally = vec![0; 4 * plan.ranges as usize];
            machine
                .write(queues_at.expect("queues"), &tally)
                .expect("as large");
        }
    }
    if plan.ending == Ending::Merged {
        let slots = MergeParam::ALL.map(|p| match p {
            MergeParam::Bins => bins_at,
            MergeParam::BinsTotal => bins.len() as u64,
            MergeParam::Scratch => scratch_at,
            MergeParam::Copies => u64::from(plan.targets[0].locals),
            MergeParam::Error => record_at,
        });
        let slots = slots.map(u64::to_le_bytes);
        let slots = slots.each_ref().map(|s| &s[..]);
        let (grid, block) = ([2, 1, 1], [AUXILIARY_BLOCK, 1, 1]);
        machine
            .launch(&text, &target.merge, grid, block, 0, &slots)
            .unwrap_or_else(|fault| panic!("{}: {fault}", target.merge));
    }
    let mut read = |at, bytes: usize| {
        let mut out = vec![0; bytes];
        machine.read(at, &mut out).expect("all of it is written");
        out
    };
    let scratch = read(scratch_at, plan.targets[0].scratch_bytes as usize);
    let scratch = unpack(&scratch, accumulator.size());
    // Every NaN is neutral to a minimum or maximum.
    let is_neutral = |bits: u64| match (op, accumulator) {
        (Op::Min | Op::Max, Elem::F32) => f32::from_bits(bits as u32).is_nan(),
        (Op::Min | Op::Max, Elem::F64) => f64::from_bits(bits).is_nan(),
        _ => bits == op.neutral_bits(accumulator),
    };
    let used = scratch.iter().position(|bits| !is_neutral(*bits));
    assert_eq!(used, None, "{entry}: scratch memory is neutral again");
    assert_eq!(read(ticket_at, 4), [0; 4], "{entry}: so is the ticket");
    let record = read(record_at, ErrorRecord::BYTES).try_into();
    Outcome {
        bins: unpack(
            &read(bins_at, bins.len() * elem.size() as usize),
            elem.size(),
        ),
        record: ErrorRecord::from_bytes(record.expect("a record's bytes")),
        plan,
        shared_atomics,
    }
}

/// Half of the keys are few, the others anywhere.
pub(crate) fn keys(random: &mut Bits, items: usize, bins: u32) -> Vec<u32> {
    (0..items)
        .map(|_| {
            let bits = random.next();
            let key = (bits >> 32) as u32 % bins;
            if bits & 1 == 0 { key % 3 % bins } else { key }
        })
        .collect()
}

pub(crate) fn small() -> Limits {
    Limits {
        sms: 2,
        ..Limits::default()
    }
}

/// A device with eleven gangs at a time, of few threads.
pub(crate) fn eleven() -> Limits {
    Limits {
        sms: 11,
        max_threads_per_block: 64,
        max_threads_per_sm: 64,
        shared_per_block_optin: 200 << 10,
        shared_per_sm: 201 << 10,
        ..Limits::default()
    }
}

/// A device whose shared memory holds few bins, so that they need windows.
pub(crate) fn cramped() -> Limits {
    Limits {
        sms: 2,
        shared_per_block: 1 << 10,
        shared_per_block_optin: 1 << 10,
        shared_per_sm: 4 << 10,
        ..Limits::default()
    }
}

/// A device with one gang of 64 threads at a time, which samples from 4096 items on.
pub(crate) fn narrow() -> Limits {
    Limits {
        sms: 1,
        max_threads_per_block: 64,
        max_threads_per_sm: 64,
        ..Limits::default()
    }
}

/// The constant that counting adds.
pub(crate) fn one(elem: Elem) -> u64 {
    match elem {
        Elem::F32 => u64::from(1f32.to_bits()),
        Elem::F64 => 1f64.to_bits(),
        _ => 1,
    }
}
