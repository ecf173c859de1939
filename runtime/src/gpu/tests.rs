//! What calls make of failures below them: injected into a simulated device, which then must be as good as new.

#[allow(dead_code, reason = "shared with the tests of accrue-ptx")]
#[path = "../../../ptx-kernels/tests/support/mod.rs"]
mod support;

mod appended;
mod lost;
mod memory;
mod parts;
mod pieces;
mod resident;
mod series;
mod workshop;

use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, Weak};

use accrue_ptx::abi::{Elem, Op, Placement, Strategy};

use super::array::{Array, Bins};
use super::bench::queue;
use super::choose::kept;
use super::choose::offloaded::Loop;
use crate::base::error::Error;
use crate::base::lock::lock;
use crate::device::backend::faulty::{Faults, Faulty};
use crate::device::backend::sim::Simulated;
use crate::device::buffer::DeviceBuffer;
use crate::device::context::{Context, Work as _};
use crate::device::images::ImageCache;
use crate::device::queue::Stream;
use crate::gpu::launch::state::Launches;
use crate::gpu::reach::Reach;
use accrue_ptx::cost::Speeds;

/// A device with faults and what they are.
fn faulty(faults: Faults) -> (Arc<Context>, Arc<Faults>) {
    let faults = Arc::new(faults);
    let sim = Simulated::with(ptx_sim::Limits::default(), 11);
    let mut context = Context::over(Box::new(Faulty::new(Box::new(sim), Arc::clone(&faults))));
    context.images = None;
    (Arc::new(context), faults)
}

fn histogram(op: Op, strategy: Strategy) -> Loop {
    let module = support::scatter(op, Elem::U32, Placement::Strategy(strategy));
    Loop::new(
        "scatter".into(),
        vec![module].into(),
        "".into(),
        vec![].into(),
        6,
    )
}

/// Counts 600 keys into `bins`; each of the 3 bins gets 200.
fn run(context: &Arc<Context>, of: &Loop, bins: &mut [u32]) -> Result<(), Error> {
    let keys: Vec<u32> = (0..600).map(|i| i % 3).collect();
    let ones = vec![1u32; keys.len()];
    let len = bins.len();
    of.call(
        context,
        &[keys.len() as u64],
        &[Array::host(&keys), Array::host(&ones), Array::length(len)],
        &mut [Bins::host(bins)],
        &[],
        Reach::UNKNOWN,
    )
}

#[test]
fn no_memory_at_any_allocation_is_an_error_and_leaves_no_trace() {
    let of = histogram(Op::Add, Strategy::GangShared);
    // The last number is beyond what a call allocates: it succeeds.
    let mut succeeded = false;
    for k in 0..20 {
        let (context, faults) = faulty(Faults::default());
        faults.allocation.store(k, SeqCst);
        // Nor when the stream has given up what it kept.
        faults.shortage.store(1, SeqCst);
        let mut bins = [7u32; 3];
        match run(&context, &of, &mut bins) {
            Err(Error::OutOfMemory {
                asked, free: 1024, ..
            }) => {
                assert!(asked > 0);
                assert_eq!(bins, [7; 3], "allocation {k}");
            }
            Ok(()) => {
                assert_eq!(bins, [207; 3]);
                succeeded = true;
                break;
            }
            Err(other) => panic!("allocation {k}: {other:?}"),
        }
        faults.allocation.store(u64::MAX, SeqCst);
        let mut bins = [7u32; 3];
        run(&context, &of, &mut bins).unwrap();
        assert_eq!(bins, [207; 3], "after allocation {k}");
        drop(context);
    }
    assert!(succeeded, "a call does not allocate 20 times");
}

#[test]
fn without_memory_for_queues_another_strategy_runs() {
    let scatter = |strategy| support::scatter(Op::Add, Elem::U32, Placement::Strategy(strategy));
    let modules = vec![
        scatter(Strategy::GangSplit),
        scatter(Strategy::AtomicGlobal),
    ];
    let of = Loop::new(
        "scatter".into(),
        modules.into(),
        "".into(),
        vec![].into(),
        6,
    );
    let (context, faults) = faulty(Faults::default());
    // A device on which splitting is expected to pay.
    let mut speeds = Speeds::H200;
    speeds.scale.set(Strategy::AtomicGlobal, 1e6);
    kept::of(&context).speeds.set(speeds).unwrap();
    faults.allocation.store(0, SeqCst);
    for (count, ran) in [(600, Strategy::AtomicGlobal), (900, Strategy::GangSplit)] {
        let keys: Vec<u32> = (0..count).map(|i| i % 3).collect();
        let ones = vec![1u32; keys.len()];
        let arrays = [Array::host(&keys), Array::host(&ones), Array::length(3)];
        let mut bins = [5u32; 3];
        let target = &mut [Bins::host(&mut bins)];
        of.call(
            &context,
            &[keys.len() as u64],
            &arrays,
            target,
            &[],
            Reach::UNKNOWN,
        )
        .unwrap();
        assert_eq!(bins, [5 + count / 3; 3]);
        assert_eq!(of.last_run().unwrap().strategy, ran);
    }
}

#[test]
fn a_pending_call_keeps_its_queues_until_its_fault_is_explained() {
    let of = histogram(Op::Add, Strategy::GangSplit);
    let (context, faults) = faulty(Faults::default());
    let stream = Stream::over(&context).unwrap();
    let buffer = |data: &[u32]| DeviceBuffer::from_slice_on(&stream, data).unwrap();
    let many: Vec<u32> = (0..60_000).map(|i| i % 3).collect();
    let inputs = [[0, 1, 2, 3, 0].as_slice(), &many].map(|keys| {
        let ones = vec![1; keys.len()];
        (buffer(keys), buffer(&ones))
    });
    let mut bins = [buffer(&[5; 3]), buffer(&[7; 3])];
    let mut held = Vec::new();
    // Only the first call has a fault, and only the second one needs larger queues.
    for ((keys, ones), bins) in inputs.iter().zip(&mut bins) {
        let counts = [keys.len() as u64];
        let arrays = [keys, ones].map(|b| Array::device(b.as_slice()));
        let arrays = [arrays[0], arrays[1], Array::length(bins.len())];
        let target = &mut [Bins::device(bins.as_slice_mut())];
        queue(&of, &stream, &counts, &arrays, target, &[]).unwrap();
        held.push(faults.held.load(SeqCst));
    }
    let fresh = DeviceBuffer::<u32>::zeroed_on(&stream, 1 << 16).unwrap();
    // The test's loop tells no more of its faults than the iteration. A launch that touches freed memory is an
    // `Error::Simulator`.
    let fault = stream.sync().unwrap_err();
    assert!(
        matches!(
            fault,
            Error::Panicked {
                iteration: Some(3),
                ..
            }
        ),
        "{fault:?}"
    );
    assert_eq!(bins[1].to_vec().unwrap(), [20_007; 3]);
    assert_eq!(fresh.to_vec().unwrap(), vec![0; 1 << 16]);
    drop(fresh);
    let left = faults.held.load(SeqCst);
    assert!(held[0] < held[1], "the queues did not grow: {held:?}");
    assert!(
        left < held[1],
        "replaced queues were kept: {left}, {held:?}"
    );
}

#[test]
fn calls_keep_scratch_memory_and_give_the_rest_back() {
    let (context, faults) = faulty(Faults::default());
    let of = histogram(Op::Add, Strategy::GangGlobal);
    let mut bins = [0u32; 3];
    run(&context, &of, &mut bins).unwrap();
    let (held, allocations) = (faults.held.load(SeqCst), faults.allocations.load(SeqCst));
    for _ in 0..10 {
        run(&context, &of, &mut bins).unwrap();
    }
    assert_eq!(bins, [2200; 3]);
    assert_eq!(faults.held.load(SeqCst), held, "memory was lost");
    // Keys, ones and bins; the ticket, the records and the scratch memory are there already.
    assert_eq!(faults.allocations.load(SeqCst), allocations + 30);
}

#[test]
fn a_refused_launch_is_an_error_and_the_next_call_works() {
    for op in [Op::Add, Op::Min] {
        let of = histogram(op, Strategy::GangShared);
        for k in 0..3 {
            let (context, faults) = faulty(Faults::default());
            faults.launch.store(k, SeqCst);
            let mut bins = [9u32; 3];
            let first = run(&context, &of, &mut bins);
            if faults.launches.load(SeqCst) > k {
                assert!(
                    matches!(first, Err(Error::Launch { .. })),
                    "launch {k}: {first:?}"
                );
                assert_eq!(bins, [9; 3]);
                run(&context, &of, &mut bins).unwrap();
            }
            assert_eq!(
                bins,
                if op == Op::Add { [209; 3] } else { [1; 3] },
                "launch {k}"
            );
        }
    }
}

#[test]
fn an_aborted_kernel_is_an_error_and_the_next_call_works() {
    let of = histogram(Op::Add, Strategy::GangShared);
    let (context, faults) = faulty(Faults::default());
    faults.abort.store(0, SeqCst);
    let mut bins = [9u32; 3];
    let error = run(&context, &of, &mut bins).unwrap_err();
    let Error::Launch { kernel, status } = &error else {
        panic!("{error:?}")
    };
    assert!(
        kernel.starts_with("scatter") && status.contains("CUDA_ERROR_LAUNCH_FAILED"),
        "{error}"
    );
    assert!(error.is_machine());
    assert_eq!(bins, [9; 3]);
    run(&context, &of, &mut bins).unwrap();
    assert_eq!(bins, [209; 3]);
}

#[test]
fn a_failed_copy_is_an_error_and_the_next_call_works() {
    let of = histogram(Op::Add, Strategy::GangGlobal);
    // Few bins come back beside the record, many after it.
    for len in [3, 40_000] {
        // Three up; the record and the bins down.
        for k in 0..5 {
            let (context, faults) = faulty(Faults::default());
            faults.copy.store(k, SeqCst);
            let mut bins = vec![9u32; len];
            let error = run(&context, &of, &mut bins).unwrap_err();
            assert!(error.is_machine(), "copy {k}: {error:?}");
            assert_eq!(bins, vec![9; len], "copy {k}");
            run(&context, &of, &mut bins).unwrap();
            assert_eq!(bins[..3], [209; 3], "after copy {k}");
            assert!(bins[3..].iter().all(|b| *b == 9), "after copy {k}");
        }
    }
}

#[test]
fn an_old_driver_is_an_error_that_names_the_kernel() {
    let of = histogram(Op::Add, Strategy::AtomicGlobal);
    let (context, faults) = faulty(Faults::default());
    faults.old_driver.store(true, SeqCst);
    let mut bins = [9u32; 3];
    let error = run(&context, &of, &mut bins).unwrap_err();
    assert!(matches!(error, Error::PtxUnsupported { .. }), "{error:?}");
    let text = error.to_string();
    assert!(
        text.contains("`scatter_add_u32_atomic_global`")
            && text.contains("UNSUPPORTED_PTX_VERSION"),
        "{text}"
    );
    assert_eq!(bins, [9; 3]);
    // It is not asked again for a text that it has refused.
    assert_eq!(run(&context, &of, &mut bins), Err(error));
    assert_eq!(faults.compilations.load(SeqCst), 1);
    // A newer driver.
    let (context, _) = faulty(Faults::default());
    run(&context, &of, &mut bins).unwrap();
    assert_eq!(bins, [209; 3]);
}

#[test]
fn what_was_chosen_by_the_shipped_speeds_is_chosen_anew_by_the_devices_own() {
    let of = of_strategies(&[Strategy::GangShared, Strategy::AtomicGlobal]);
    let (context, _) = faulty(Faults::default());
    let mut bins = [0u32; 3];
    let measuring = lock(&kept::of(&context).calibration);
    run(&context, &of, &mut bins).unwrap();
    drop(measuring);
    let before = of.last_run().unwrap().strategy;
    let mut speeds = Speeds::H200;
    speeds.scale.set(before, 1e6);
    kept::of(&context).speeds.set(speeds).unwrap();
    run(&context, &of, &mut bins).unwrap();
    assert_ne!(of.last_run().unwrap().strategy, before);
    assert_eq!(bins, [400; 3]);
}

fn of_strategies(strategies: &[Strategy]) -> Loop {
    let scatter = |s: &Strategy| support::scatter(Op::Add, Elem::U32, Placement::Strategy(*s));
    let modules: Vec<_> = strategies.iter().map(scatter).collect();
    let name = "scatter".into();
    Loop::new(name, modules.into(), "".into(), vec![].into(), 6)
}

#[test]
fn a_module_that_does_not_compile_is_left_out_and_not_compiled_again() {
    let of = of_strategies(&[Strategy::GangShared, Strategy::AtomicGlobal]);
    let (context, faults) = faulty(Faults {
        refused: Some("gang_shared"),
        ..Faults::default()
    });
    let mut speeds = Speeds::H200;
    speeds.scale.set(Strategy::AtomicGlobal, 1e6);
    kept::of(&context).speeds.set(speeds).unwrap();
    for count in [600u32, 600, 900] {
        let keys: Vec<u32> = (0..count).map(|i| i % 3).collect();
        let ones = vec![1u32; keys.len()];
        let arrays = [Array::host(&keys), Array::host(&ones), Array::length(3)];
        let mut bins = [5u32; 3];
        let target = &mut [Bins::host(&mut bins)];
        of.call(
            &context,
            &[keys.len() as u64],
            &arrays,
            target,
            &[],
            Reach::UNKNOWN,
        )
        .unwrap();
        assert_eq!(bins, [5 + count / 3; 3]);
        assert_eq!(of.last_run().unwrap().strategy, Strategy::AtomicGlobal);
        assert_eq!(faults.compilations.load(SeqCst), 2);
    }
}

/// Calls under `ACCRUE_TUNE` until one is not timed any more; the number of those that failed.
fn tune(context: &Arc<Context>, of: &Loop) -> usize {
    super::choose::tune::FORCED.set(true);
    let mut failed = 0;
    for call in 0.. {
        assert!(call < 40, "{}", of.explain());
        let mut bins = [7u32; 3];
        match run(context, of, &mut bins) {
            Ok(()) => assert_eq!(bins, [207; 3]),
            Err(_) => {
                failed += 1;
                continue;
            }
        }
        if !of.explain().contains("it is being measured") {
            break;
        }
    }
    super::choose::tune::FORCED.set(false);
    let text = of.explain();
    assert!(text.contains("it was measured to be the fastest"), "{text}");
    failed
}

#[test]
fn a_candidate_that_fails_while_it_is_measured_is_given_up() {
    const THREE: [Strategy; 3] = [
        Strategy::GangShared,
        Strategy::GangGlobal,
        Strategy::AtomicGlobal,
    ];
    // Its compilation.
    let (context, faults) = faulty(Faults {
        refused: Some("gang_shared"),
        ..Faults::default()
    });
    let of = of_strategies(&THREE);
    assert_eq!(tune(&context, &of), 0);
    assert_ne!(of.last_run().unwrap().strategy, Strategy::GangShared);
    assert_eq!(faults.compilations.load(SeqCst), 3);
    // The launch of the first.
    let (context, faults) = faulty(Faults::default());
    faults.launch.store(0, SeqCst);
    assert_eq!(tune(&context, &of_strategies(&THREE)), 1);
    // The memory for the queues of the one that has some.
    let (context, faults) = faulty(Faults::default());
    let mut speeds = Speeds::H200;
    speeds.scale.set(Strategy::AtomicGlobal, 5.0);
    kept::of(&context).speeds.set(speeds).unwrap();
    faults.allocation.store(0, SeqCst);
    let of = of_strategies(&[Strategy::GangSplit, Strategy::AtomicGlobal]);
    assert_eq!(tune(&context, &of), 0);
    assert_eq!(of.last_run().unwrap().strategy, Strategy::AtomicGlobal);
}

#[test]
fn a_kernel_is_compiled_once_and_then_comes_from_memory_or_disk() {
    let folder = std::env::temp_dir().join(format!("accrue-test-{}-images", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let of = histogram(Op::Add, Strategy::GangStriped);
    let open = || {
        let (context, faults) = faulty(Faults {
            target: Some("sm_90-cuda13.0".into()),
            ..Faults::default()
        });
        let mut context = Arc::into_inner(context).unwrap();
        context.images = Some(ImageCache::new(folder.clone(), 1 << 20));
        (Arc::new(context), faults)
    };
    let (context, faults) = open();
    let mut bins = [0u32; 3];
    run(&context, &of, &mut bins).unwrap();
    run(&context, &of, &mut bins).unwrap();
    assert_eq!(faults.compilations.load(SeqCst), 1);

    // Another process.
    let (context, faults) = open();
    run(&context, &of, &mut bins).unwrap();
    assert_eq!((bins, faults.compilations.load(SeqCst)), ([600; 3], 0));

    // Its file is damaged.
    for file in std::fs::read_dir(&folder).unwrap() {
        std::fs::write(file.unwrap().path(), b"accrue 1 and nonsense").unwrap();
    }
    let (context, faults) = open();
    run(&context, &of, &mut bins).unwrap();
    assert_eq!((bins, faults.compilations.load(SeqCst)), ([800; 3], 1));
    std::fs::remove_dir_all(folder).unwrap();
}

/// Queues the counting of 600 keys, 200 for each of 3 bins.
fn count_on(stream: &Stream, of: &Loop, keys: &DeviceBuffer<u32>, bins: &mut DeviceBuffer<u32>) {
    let arrays = [
        Array::device(keys.as_slice()),
        // Any values do; these are the keys themselves.
        Array::device(keys.as_slice()),
        Array::length(3),
    ];
    let target = &mut [Bins::device(bins.as_slice_mut())];
    queue(of, stream, &[600], &arrays, target, &[]).unwrap();
}

#[test]
fn a_stream_that_is_dropped_leaves_nothing_but_its_lane() {
    let (context, _faults) = faulty(Faults::default());
    let of = histogram(Op::Add, Strategy::AtomicGlobal);
    let [first, second] = [(); 2].map(|()| Stream::over(&context).unwrap());
    let values: Vec<u32> = (0..600).map(|i| i % 3).collect();
    let keys = DeviceBuffer::from_slice_on(&first, &values).unwrap();
    let mut bins = DeviceBuffer::<u32>::zeroed_on(&first, 3).unwrap();
    count_on(&first, &of, &keys, &mut bins);
    count_on(&second, &of, &keys, &mut bins);
    let weak = [&first, &second].map(|stream| Arc::downgrade(&stream.0));
    // A clone is the same stream.
    drop(first.clone());
    assert!(first.0.lane().work::<Launches>().has_pending());
    drop((first, keys));
    assert_eq!(bins.to_vec().unwrap(), [0, 400, 800]);
    assert_eq!(weak[0].strong_count(), 0);
    count_on(
        &second,
        &of,
        &DeviceBuffer::from_slice_on(&second, &values).unwrap(),
        &mut bins,
    );
    drop((second, bins));
    assert_eq!(weak.each_ref().map(Weak::strong_count), [0, 0]);
    assert_eq!(lock(&context.idle).len(), 2);
}

#[test]
fn a_failure_of_a_dropped_stream_shows_at_the_buffer() {
    let (context, faults) = faulty(Faults::default());
    let of = histogram(Op::Add, Strategy::AtomicGlobal);
    let [other, stream] = [(); 2].map(|()| Stream::over(&context).unwrap());
    let keys = DeviceBuffer::from_slice_on(&other, &[0u32; 600]).unwrap();
    let mut bins = DeviceBuffer::<u32>::zeroed_on(&other, 3).unwrap();
    faults.abort.store(0, SeqCst);
    count_on(&stream, &of, &keys, &mut bins);
    drop(stream);
    let error = bins.to_vec().unwrap_err();
    assert!(matches!(error, Error::Launch { .. }), "{error:?}");
    assert_eq!(bins.to_vec().unwrap(), [0; 3]);
}

#[test]
fn a_kernel_of_which_no_block_fits_is_left_out() {
    let of = of_strategies(&[Strategy::GangShared, Strategy::AtomicGlobal]);
    let (context, _) = faulty(Faults {
        too_large: Some("gang_shared"),
        ..Faults::default()
    });
    let mut speeds = Speeds::H200;
    speeds.scale.set(Strategy::AtomicGlobal, 1e6);
    kept::of(&context).speeds.set(speeds).unwrap();
    let mut bins = [5u32; 3];
    run(&context, &of, &mut bins).unwrap();
    assert_eq!(bins, [205; 3]);
    assert_eq!(of.last_run().unwrap().strategy, Strategy::AtomicGlobal);
    let asked = histogram(Op::Add, Strategy::GangShared);
    let error = run(&context, &asked, &mut bins).unwrap_err();
    assert!(
        error.to_string().contains("a multiprocessor has not"),
        "{error}"
    );
}

#[test]
fn the_last_run_is_the_last_that_ran() {
    let of = histogram(Op::Add, Strategy::GangGlobal);
    let (context, faults) = faulty(Faults::default());
    let count = |count: u32| {
        let keys = vec![1u32; count as usize];
        let arrays = [Array::host(&keys), Array::host(&keys), Array::length(3)];
        let mut bins = [0u32; 3];
        let target = &mut [Bins::host(&mut bins)];
        of.call(
            &context,
            &[u64::from(count)],
            &arrays,
            target,
            &[],
            Reach::UNKNOWN,
        )
    };
    for items in [600, 900, 600] {
        count(items).unwrap();
        let text = of.explain();
        assert!(text.contains(&format!("({items} items)")), "{text}");
    }
    // One that is planned and refused has not run.
    faults.launch.store(faults.launches.load(SeqCst), SeqCst);
    count(1200).unwrap_err();
    assert!(of.explain().contains("(600 items)"), "{}", of.explain());
}
