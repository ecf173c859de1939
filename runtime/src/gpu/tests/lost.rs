//! A context that a kernel takes with it: every later call on it is refused, and the device is opened anew.

use super::*;
use crate::base::device::Device;
use crate::device::backend::Backend;
use crate::device::open::Open;

/// A device whose first launch takes the context with it.
fn doomed() -> Faults {
    let faults = Faults::default();
    faults.fatal.store(true, SeqCst);
    faults.abort.store(0, SeqCst);
    faults
}

#[test]
fn every_call_on_a_lost_context_is_refused_and_no_bin_is_touched() {
    let (context, faults) = faulty(doomed());
    let of = histogram(Op::Add, Strategy::GangGlobal);
    let stream = Stream::over(&context).unwrap();
    let mut buffer = DeviceBuffer::from_slice_on(&stream, &[0u32; 600]).unwrap();
    let mut bins = [9u32; 3];
    let first = run(&context, &of, &mut bins).unwrap_err();
    assert!(matches!(first, Error::Launch { .. }), "{first:?}");
    assert!(context.backend.is_lost());
    let launches = faults.launches.load(SeqCst);
    for _ in 0..3 {
        let error = run(&context, &of, &mut bins).unwrap_err();
        assert!(error.is_machine(), "{error:?}");
        assert_eq!(bins, [9; 3]);
    }
    assert_eq!(faults.launches.load(SeqCst), launches);
    // What the caller still has of it.
    assert!(stream.sync().unwrap_err().is_machine());
    assert!(stream.mark().unwrap_err().is_machine());
    assert!(buffer.to_vec().unwrap_err().is_machine());
    assert!(buffer.copy_from_slice(&[1; 600]).unwrap_err().is_machine());
    drop((buffer, stream));
}

#[test]
fn a_lost_device_is_opened_anew_but_not_again_and_again() {
    let open = Open::default();
    let of = histogram(Op::Add, Strategy::GangShared);
    let mut resets = Vec::new();
    let mut get = |faults: &Arc<Faults>| {
        open.get(Device::Sim, |reset| {
            resets.push(reset);
            let sim = Simulated::with(ptx_sim::Limits::default(), 11);
            let faulty: Box<dyn Backend> = Box::new(Faulty::new(Box::new(sim), Arc::clone(faults)));
            Ok(faulty)
        })
    };
    let all = [doomed(), doomed(), Faults::default()].map(Arc::new);
    let mut bins = [9u32; 3];
    let first = get(&all[0]).unwrap();
    let stream = Stream::over(&first).unwrap();
    let keys = DeviceBuffer::from_slice_on(&stream, &[0u32; 600]).unwrap();
    assert!(run(&first, &of, &mut bins).is_err());
    // The next call has another context, with other kernels; the old one's memory is not for it.
    let second = get(&all[1]).unwrap();
    assert_ne!(first.id, second.id);
    let other = Stream::over(&second).unwrap();
    let mut counted = DeviceBuffer::<u32>::zeroed_on(&other, 3).unwrap();
    let arrays = [keys.as_slice(), keys.as_slice()].map(Array::device);
    let arrays = [arrays[0], arrays[1], Array::length(3)];
    let target = &mut [Bins::device(counted.as_slice_mut())];
    let error = queue(&of, &other, &[600], &arrays, target, &[]).unwrap_err();
    let text = error.to_string();
    assert!(
        error.is_machine() && text.contains("LAUNCH_FAILED"),
        "{text}"
    );
    // A second loss so soon is not answered by a third opening.
    assert!(run(&second, &of, &mut bins).is_err());
    let refused = get(&all[2]).unwrap_err();
    assert!(refused.to_string().contains("lost again"), "{refused}");
    assert_eq!(bins, [9; 3]);
    // Nobody has allowed a reset.
    assert_eq!(resets, [false, false]);
    drop((keys, stream, counted, other));
}

#[test]
fn calls_of_several_threads_are_right_or_refused_when_one_takes_the_context() {
    const THREADS: usize = 4;
    let faults = doomed();
    faults.abort.store(9, SeqCst);
    let (context, _) = faulty(faults);
    let of = histogram(Op::Add, Strategy::GangGlobal);
    let refused = std::thread::scope(|scope| {
        let call = || {
            let mut refused = 0;
            for _ in 0..12 {
                let mut bins = [9u32; 3];
                match run(&context, &of, &mut bins) {
                    Ok(()) => assert_eq!(bins, [209; 3]),
                    Err(e) => {
                        assert!(e.is_machine(), "{e:?}");
                        assert_eq!(bins, [9; 3]);
                        refused += 1;
                    }
                }
            }
            refused
        };
        let threads = [(); THREADS].map(|()| scope.spawn(call));
        threads.map(|thread| thread.join().unwrap())
    });
    assert!(context.backend.is_lost());
    assert!(refused.iter().all(|n| *n > 0), "{refused:?}");
}

#[test]
fn a_context_that_is_lost_in_a_copy_is_lost_for_all() {
    let of = histogram(Op::Add, Strategy::AtomicGlobal);
    // Three up; the record and the bins down.
    for k in 0..5 {
        let faults = Faults::default();
        faults.fatal.store(true, SeqCst);
        faults.copy.store(k, SeqCst);
        let (context, _) = faulty(faults);
        let mut bins = [9u32; 3];
        for _ in 0..2 {
            let error = run(&context, &of, &mut bins).unwrap_err();
            assert!(error.is_machine(), "copy {k}: {error:?}");
            assert_eq!(bins, [9; 3], "copy {k}");
        }
        assert!(context.backend.is_lost());
    }
}
