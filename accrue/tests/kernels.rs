//! Kernels through the runtime: on the simulator, and with `ACCRUE_TEST_DEVICE=cuda` on a GPU.
//!
//! The loop is `bins[keys[i]] = bins[keys[i]] op values[i]`, written by hand for every strategy (accrue-ptx's tests have
//! it too), so nothing here depends on the compiler.

#[allow(dead_code, reason = "shared with the tests of accrue-ptx")]
#[path = "../../ptx-kernels/tests/support/mod.rs"]
mod support;

use accrue::__bench::{call, queue};
use accrue::__rt::gpu::{Array, Bins, Loop};
use accrue::{Device, DeviceBuffer, Error, Stream};
use accrue_ptx::abi::{ArrayAbi, Elem, FaultKind, FaultSite, Module, Op, Placement, Strategy};

/// The device under test; `None` where this build or machine has none.
fn device() -> Option<Device> {
    let asked = std::env::var("ACCRUE_TEST_DEVICE").ok();
    match asked {
        Some(text) => Some(text.parse().expect("ACCRUE_TEST_DEVICE names a device")),
        None => cfg!(feature = "sim").then_some(Device::Sim),
    }
}

/// The scatter loop with its bins captured as array 2 and a fault site for the index.
fn scatter(op: Op, elem: Elem, placement: Placement) -> Module {
    let mut module = support::scatter(op, elem, placement);
    let mut arrays: Vec<ArrayAbi> = module.abi.arrays.to_vec();
    arrays.truncate(2);
    module.abi.arrays = arrays.into();
    module.abi.faults = vec![FaultSite {
        kind: FaultKind::BinIndex,
        text: "bins".into(),
        source: 0,
    }]
    .into();
    module
}

/// The strategies of a loop that adds values.
fn strategies() -> impl Iterator<Item = Strategy> {
    let adds = |s: &Strategy| s.applies_to(Op::Add, Elem::U32, false, 1);
    Strategy::OF_BINS.into_iter().filter(adds)
}

fn the_loop(modules: Vec<Module>, request: &str) -> Loop {
    Loop::new(
        "scatter".into(),
        modules.into(),
        request.to_owned().into(),
        vec![].into(),
        6,
    )
}

fn keys(n: usize, bins: u32, seed: u32) -> Vec<u32> {
    let mut state = seed.wrapping_mul(2_654_435_761).wrapping_add(12345);
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state >> 8
    };
    (0..n)
        .map(|i| if i % 5 == 0 { 0 } else { next() % bins })
        .collect()
}

fn run(of: &Loop, on: Device, keys: &[u32], values: &[u32], bins: &mut [u32]) -> Result<(), Error> {
    call(
        of,
        on,
        &[keys.len() as u64],
        &[
            Array::host(keys),
            Array::host(values),
            Array::length(bins.len()),
        ],
        &mut [Bins::host(bins)],
        &[],
    )
}

fn sequential(keys: &[u32], values: &[u32], bins: &mut [u32]) {
    for (&key, &value) in keys.iter().zip(values) {
        bins[key as usize] = bins[key as usize].wrapping_add(value);
    }
}

/// What no fall back to the CPU may hide.
#[test]
#[should_panic(expected = "the simulator stopped the kernel `scatter_add_u32_gang_shared`")]
fn a_kernel_that_is_wrong_stops_the_call() {
    let module = scatter(
        Op::Add,
        Elem::U32,
        Placement::Strategy(Strategy::GangShared),
    );
    let text = module.text().into_owned();
    let rest: Vec<&str> = text.lines().filter(|l| !l.contains("bar.sync")).collect();
    let wrong = Module {
        ptx: rest.join("\n").into(),
        ..module
    };
    let of = the_loop(vec![wrong], "");
    let (keys, values) = (keys(500, 20, 1), keys(500, 9, 2));
    let done = run(&of, Device::Sim, &keys, &values, &mut [0; 20]);
    panic!("the call ended with {done:?}");
}

#[test]
fn every_strategy_gives_what_the_sequential_loop_gives() {
    let Some(device) = device() else { return };
    for strategy in strategies() {
        let of = the_loop(
            vec![scatter(Op::Add, Elem::U32, Placement::Strategy(strategy))],
            "",
        );
        for (n, bins) in [(1, 1), (31, 7), (5000, 64), (3000, 200)] {
            let (keys, values) = (keys(n, bins, 7), keys(n, 1000, 8));
            let mut expected: Vec<u32> = (0..bins).collect();
            let mut found = expected.clone();
            sequential(&keys, &values, &mut expected);
            run(&of, device, &keys, &values, &mut found).unwrap();
            assert_eq!(
                found,
                expected,
                "{} with {n} items and {bins} bins",
                strategy.name()
            );
            // Scratch memory is as it was: the same call again counts from there.
            sequential(&keys, &values, &mut expected);
            run(&of, device, &keys, &values, &mut found).unwrap();
            assert_eq!(found, expected, "{} again", strategy.name());
        }
    }
}

#[test]
fn no_items_touch_nothing() {
    let Some(device) = device() else { return };
    let of = the_loop(
        vec![scatter(
            Op::Add,
            Elem::U32,
            Placement::Strategy(Strategy::AtomicGlobal),
        )],
        "",
    );
    let mut bins = [5u32; 3];
    run(&of, device, &[], &[], &mut bins).unwrap();
    assert_eq!(bins, [5; 3]);
}

#[test]
fn a_bin_out_of_range_leaves_the_bins_and_the_next_call_alone() {
    let Some(device) = device() else { return };
    for strategy in strategies() {
        let of = the_loop(
            vec![scatter(Op::Add, Elem::U32, Placement::Strategy(strategy))],
            "",
        );
        let mut keys = keys(2000, 16, 3);
        let values = vec![1u32; keys.len()];
        let good = keys.clone();
        for bad in [1999, 1500, 777] {
            keys[bad] = 16;
        }
        let mut bins: Vec<u32> = (100..116).collect();
        let error = run(&of, device, &keys, &values, &mut bins).unwrap_err();
        // The hand-written loop has no detailed form, so only the iteration is known.
        let Error::Panicked {
            iteration: Some(777),
            ..
        } = error
        else {
            panic!("{}: {error:?}", strategy.name())
        };
        assert_eq!(bins, (100..116).collect::<Vec<_>>(), "{}", strategy.name());
        let mut expected = bins.clone();
        sequential(&good, &values, &mut expected);
        run(&of, device, &good, &values, &mut bins).unwrap();
        assert_eq!(bins, expected, "{} after a fault", strategy.name());
    }
}

#[test]
fn data_stay_on_the_device_between_calls() {
    let Some(device) = device() else { return };
    let of = the_loop(
        vec![scatter(
            Op::Add,
            Elem::U32,
            Placement::Strategy(Strategy::GangShared),
        )],
        "",
    );
    let stream = Stream::on(device).unwrap();
    let (keys, values) = (keys(4000, 50, 1), vec![3u32; 4000]);
    let on_device = DeviceBuffer::from_slice_on(&stream, &keys).unwrap();
    let values_on_device = DeviceBuffer::from_slice_on(&stream, &values).unwrap();
    let mut bins = DeviceBuffer::<u32>::zeroed_on(&stream, 50).unwrap();
    // More calls than the stream keeps records of.
    for _ in 0..100 {
        queue(
            &of,
            &stream,
            &[4000],
            &[
                Array::device(on_device.as_slice()),
                Array::device(values_on_device.as_slice()),
                Array::length(50),
            ],
            &mut [Bins::device(bins.as_slice_mut())],
            &[],
        )
        .unwrap();
    }
    stream.sync().unwrap();
    let mut expected = vec![0u32; 50];
    for _ in 0..100 {
        sequential(&keys, &values, &mut expected);
    }
    assert_eq!(bins.to_vec().unwrap(), expected);
}

#[test]
fn a_fault_of_a_queued_call_shows_at_sync_and_only_there() {
    let Some(device) = device() else { return };
    let of = the_loop(
        vec![scatter(
            Op::Add,
            Elem::U32,
            Placement::Strategy(Strategy::GangGlobal),
        )],
        "",
    );
    let stream = Stream::on(device).unwrap();
    let ones = DeviceBuffer::from_slice_on(&stream, &[1u32; 300]).unwrap();
    let good = DeviceBuffer::from_slice_on(&stream, &vec![2u32; 300]).unwrap();
    let mut bad = vec![2u32; 300];
    bad[250] = 4;
    let bad = DeviceBuffer::from_slice_on(&stream, &bad).unwrap();
    let mut bins = DeviceBuffer::<u32>::zeroed_on(&stream, 4).unwrap();
    for keys in [&good, &bad, &good] {
        queue(
            &of,
            &stream,
            &[300],
            &[
                Array::device(keys.as_slice()),
                Array::device(ones.as_slice()),
                Array::length(4),
            ],
            &mut [Bins::device(bins.as_slice_mut())],
            &[],
        )
        .unwrap();
    }
    let error = stream.sync().unwrap_err();
    assert!(
        matches!(
            error,
            Error::Panicked {
                iteration: Some(250),
                ..
            }
        ),
        "{error:?}"
    );
    stream.sync().unwrap();
    // The two good calls have happened, the bad one has not.
    assert_eq!(bins.to_vec().unwrap(), [0, 0, 600, 0]);
}

#[test]
fn streams_that_share_a_buffer_are_ordered() {
    let Some(device) = device() else { return };
    let of = the_loop(
        vec![scatter(
            Op::Add,
            Elem::U32,
            Placement::Strategy(Strategy::AtomicGlobal),
        )],
        "",
    );
    let streams = [
        Stream::on(device).unwrap(),
        Stream::on(device).unwrap(),
        Stream::on(device).unwrap(),
    ];
    let keys = DeviceBuffer::from_slice_on(&streams[0], &[1u32; 1000]).unwrap();
    let ones = DeviceBuffer::from_slice_on(&streams[1], &[1u32; 1000]).unwrap();
    let mut bins = DeviceBuffer::<u32>::zeroed_on(&streams[2], 2).unwrap();
    for round in 0..30 {
        queue(
            &of,
            &streams[round % 3],
            &[1000],
            &[
                Array::device(keys.as_slice()),
                Array::device(ones.as_slice()),
                Array::length(2),
            ],
            &mut [Bins::device(bins.as_slice_mut())],
            &[],
        )
        .unwrap();
    }
    assert_eq!(bins.to_vec().unwrap(), [0, 30_000]);
}

#[test]
fn buffers_of_another_device_are_refused() {
    let Some(device) = device() else { return };
    let of = the_loop(
        vec![scatter(
            Op::Add,
            Elem::U32,
            Placement::Strategy(Strategy::AtomicGlobal),
        )],
        "",
    );
    let stream = Stream::on(device).unwrap();
    let host = Stream::on(Device::Cpu).unwrap();
    let keys = DeviceBuffer::from_slice_on(&host, &[0u32; 10]).unwrap();
    let mut bins = DeviceBuffer::<u32>::zeroed_on(&stream, 2).unwrap();
    let error = queue(
        &of,
        &stream,
        &[10],
        &[
            Array::device(keys.as_slice()),
            Array::device(keys.as_slice()),
            Array::length(2),
        ],
        &mut [Bins::device(bins.as_slice_mut())],
        &[],
    )
    .unwrap_err();
    assert_eq!(
        error,
        Error::WrongDevice {
            what: "keys".into(),
            found: Device::Cpu,
            expected: device
        }
    );
}

#[test]
fn threads_call_at_the_same_time() {
    let Some(device) = device() else { return };
    let of = the_loop(
        vec![scatter(
            Op::Add,
            Elem::U32,
            Placement::Strategy(Strategy::GangShared),
        )],
        "",
    );
    std::thread::scope(|scope| {
        for thread in 0..6u32 {
            let of = &of;
            scope.spawn(move || {
                for round in 0..5 {
                    let (keys, values) =
                        (keys(2000, 40, thread * 100 + round), vec![thread + 1; 2000]);
                    let (mut expected, mut found) = (vec![0u32; 40], vec![0u32; 40]);
                    sequential(&keys, &values, &mut expected);
                    run(of, device, &keys, &values, &mut found).unwrap();
                    assert_eq!(found, expected);
                }
            });
        }
    });
}

#[test]
fn a_strategy_is_chosen_by_the_bins_and_can_be_asked_for() {
    let Some(device) = device() else { return };
    let all = || {
        strategies()
            .map(|s| scatter(Op::Add, Elem::U32, Placement::Strategy(s)))
            .collect::<Vec<_>>()
    };
    let many = 1 << 22;
    let (keys, values) = (keys(3000, many, 5), vec![1u32; 3000]);
    let mut expected = vec![0u32; many as usize];
    sequential(&keys, &values, &mut expected);
    let mut found = vec![0u32; many as usize];
    run(&the_loop(all(), ""), device, &keys, &values, &mut found).unwrap();
    assert_eq!(found, expected);

    // No shared memory holds 16 MiB.
    let error = run(
        &the_loop(all(), "gang_shared"),
        device,
        &keys,
        &values,
        &mut found,
    )
    .unwrap_err();
    let Error::StrategyNotApplicable {
        strategy,
        reason,
        instead,
    } = &error
    else {
        panic!("{error:?}")
    };
    assert_eq!(strategy, "gang_shared");
    assert!(reason.contains("shared memory"), "{reason}");
    let others = ["atomic_global", "gang_global", "gang_split", "gang_slice"];
    assert_eq!(instead, &others);
    assert_eq!(found, expected, "nothing was done");

    let error = run(
        &the_loop(all(), "gang_shard"),
        device,
        &keys,
        &values,
        &mut found,
    )
    .unwrap_err();
    assert!(
        error.to_string().contains("`gang_shard` is not a strategy"),
        "{error}"
    );
}

#[test]
fn long_calls_sample_their_bins_for_the_next_choice() {
    let Some(device) = device() else { return };
    let modules = vec![scatter(
        Op::Add,
        Elem::U32,
        Placement::Strategy(Strategy::AtomicGlobal),
    )];
    let of = the_loop(modules, "");
    // Every fourth pair of neighbours is of bin 3, the others are of a hundred bins.
    let many = 1 << 20;
    let keys: Vec<u32> = (0..many)
        .map(|i| if i % 8 < 2 { 3 } else { i * 7 % 100 })
        .collect();
    let values = vec![1; keys.len()];
    let mut expected = vec![0; 100];
    let mut found = expected.clone();
    for _ in 0..2 {
        assert_eq!(of.key_sample(), None);
        sequential(&keys, &values, &mut expected);
        run(&of, device, &keys, &values, &mut found).unwrap();
    }
    assert_eq!(found, expected);
    let sample = of.key_sample().expect("the second call has taken one");
    assert_eq!(sample.samples, 2048);
    assert!((sample.largest_share() - 0.26).abs() < 0.02, "{sample:?}");
    assert!(
        (8.0..11.0).contains(&sample.conflicts_per_warp()),
        "{sample:?}"
    );
    assert!((90..=100).contains(&sample.distinct), "{sample:?}");
    assert!((1.1..1.2).contains(&sample.mean_run()), "{sample:?}");
    assert!(
        (12.0..=13.0).contains(&sample.sectors_per_warp()),
        "{sample:?}"
    );
}
