//! Short calls that wait for each other: what becomes of them where their launch is refused.

use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;

use accrue_ptx::abi::{ArrayAbi, KernelAbi, Module, Param, ParamKind, SeriesAbi, Strategy};
use accrue_ptx::kernel::{self, Kernel};
use accrue_ptx::value;
use accrue_ptx::writer::{Function, Operand, SERIES_SLOTS};

use super::faulty;
use crate::base::error::Error;
use crate::device::argument::Exclusive;
use crate::device::backend::faulty::Faults;
use crate::device::buffer::DeviceBuffer;
use crate::device::queue::{Queue, Stream};
use crate::gpu::array::Array;
use crate::gpu::choose::offloaded::Loop;
use crate::gpu::launch::state::Launches;
use crate::gpu::reach::Reach;

/// Parameters of the kernels below.
const PARAMS: usize = 7;

/// `a[i] = 3 * a[i] + 1` for 32 elements: another order, or another number of calls, is another result.
fn print(mut k: Kernel) -> Function {
    let a = k.function.load_param("a");
    k.open();
    let f = &mut k.function;
    let at = value!(f, "at", "mad.wide.u32", k.gang.thread, 4, a);
    let old = value!(f, "old", "ld.global.u32", Operand::At(at, 0));
    let new = value!(f, "new", "mad.lo.u32", old, 3, 1);
    f.op("st.global.u32", &[Operand::At(at, 0), new.into()]);
    k.finish()
}

fn tripled() -> Loop {
    let param = |name: &'static str, kind| Param {
        name: name.into(),
        kind,
    };
    let own = vec![
        param("a", ParamKind::Pointer(0)),
        param("a_len", ParamKind::Length(0)),
    ];
    let params = kernel::params(own, &[]);
    assert_eq!(params.len(), PARAMS);
    let alone = print(Kernel::begin("tripled", &params, &[], true));
    let series = print(Kernel::begin_series("tripled_series", &params));
    let abi = KernelAbi {
        entry: "tripled".into(),
        strategy: Strategy::Grid,
        params: params.into(),
        arrays: vec![ArrayAbi {
            array: 0,
            name: "a".into(),
            length_only: false,
            written: true,
        }]
        .into(),
        captured: vec![].into(),
        targets: vec![].into(),
        dims: 1,
        whole: false,
        block: 32,
        items_per_thread: 1,
        together: 0,
        waves: false,
        cut: None,
        reach: 0,
        static_shared: 0,
        sm: 70,
        sample: None,
        series: Some(SeriesAbi {
            entry: "tripled_series".into(),
            block: 32,
        }),
        faults: vec![].into(),
        split: None,
    };
    let ptx = kernel::module(&abi, &[&alone, &series], Vec::new(), "").to_string();
    let module = Module {
        abi,
        ptx: ptx.into(),
    };
    Loop::new(
        "tripled".into(),
        vec![module].into(),
        "".into(),
        vec![].into(),
        2,
    )
}

/// Queues so many calls, which wait where they may.
fn queue(
    of: &Loop,
    queue: &Arc<Queue>,
    a: &mut DeviceBuffer<u32>,
    calls: usize,
) -> Result<(), Error> {
    let may_wait = |may| queue.lane().work::<Launches>().series.is_wanted = may;
    may_wait(true);
    let queued = (0..calls).try_for_each(|_| {
        let mut lent = Exclusive::from(&mut *a);
        of.queue(
            queue,
            &[32],
            &[Array::exclusive(&mut lent)],
            &mut [],
            &[],
            Reach::UNKNOWN,
        )
    });
    may_wait(false);
    queued
}

/// What so many calls make of 0.
fn after(calls: usize) -> Vec<u32> {
    let last = (0..calls).fold(0u32, |a, _| a.wrapping_mul(3).wrapping_add(1));
    vec![last; 32]
}

#[test]
fn calls_whose_launch_is_refused_are_an_error_for_who_waits() {
    let of = tripled();
    let together = (SERIES_SLOTS - 1) / PARAMS;
    // The launch of the first calls is refused when one more comes, or when they are waited for.
    for calls in [1, 2, together, together + 1, 2 * together + 1] {
        let (context, faults) = faulty(Faults::default());
        let stream = Stream::over(&context).unwrap();
        let mut a = DeviceBuffer::from_slice_on(&stream, &[0u32; 32]).unwrap();
        let launched = faults.launches.load(SeqCst);
        faults.launch.store(launched, SeqCst);
        queue(&of, &stream.0, &mut a, calls).unwrap();
        let error = stream.sync().unwrap_err();
        assert!(
            matches!(error, Error::Launch { .. }),
            "{calls} calls: {error:?}"
        );
        // What is queued then runs as if nothing had been.
        let mut a = DeviceBuffer::from_slice_on(&stream, &[0u32; 32]).unwrap();
        let before = faults.launches.load(SeqCst);
        queue(&of, &stream.0, &mut a, calls).unwrap();
        stream.sync().unwrap();
        assert_eq!(a.to_vec().unwrap(), after(calls), "{calls} calls");
        let launches = faults.launches.load(SeqCst) - before;
        assert_eq!(launches, calls.div_ceil(together) as u64, "{calls} calls");
    }
}
