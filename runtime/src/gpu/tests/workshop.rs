//! Calls that go on while what they would rather run is compiled.

use std::sync::MutexGuard;

use super::*;

/// A GPU, on which modules take time, with a loop that has run its first strategy and from now on would rather run the
/// other one.
struct Scene {
    context: Arc<Context>,
    faults: Arc<Faults>,
    of: Loop,
    first: Strategy,
}

const TWO: [Strategy; 2] = [Strategy::GangShared, Strategy::AtomicGlobal];

impl Scene {
    fn new(faults: Faults) -> Scene {
        Scene::slower(100.0, faults)
    }

    /// One whose first strategy turns out to be so many times slower than expected.
    fn slower(times: f64, faults: Faults) -> Scene {
        let (context, faults) = faulty(Faults {
            target: Some("sm_90-cuda13.0".into()),
            ..faults
        });
        let of = of_strategies(&TWO);
        let measuring = lock(&kept::of(&context).calibration);
        run(&context, &of, &mut [0u32; 3]).unwrap();
        drop(measuring);
        let first = of.last_run().unwrap().strategy;
        let mut speeds = Speeds::H200;
        speeds.scale.set(first, times);
        kept::of(&context).speeds.set(speeds).unwrap();
        assert_eq!(faults.compilations.load(SeqCst), 1);
        Scene {
            context,
            faults,
            of,
            first,
        }
    }

    /// A call that has to be right, and what it ran.
    fn call(&self) -> Strategy {
        let mut bins = [7u32; 3];
        run(&self.context, &self.of, &mut bins).unwrap();
        assert_eq!(bins, [207; 3]);
        self.of.last_run().unwrap().strategy
    }

    /// Has the compiler stand still.
    fn stop(&self) -> MutexGuard<'_, ()> {
        lock(&self.faults.compiler)
    }
}

#[test]
fn calls_go_on_while_what_is_faster_is_compiled() {
    let scene = Scene::new(Faults::default());
    let compiler = scene.stop();
    for _ in 0..3 {
        assert_eq!(scene.call(), scene.first);
    }
    let text = scene.of.explain();
    assert!(
        text.contains("is expected to be faster and is being compiled"),
        "{text}"
    );
    drop(compiler);
    // The compiler may be done before this begins to wait.
    kept::of(&scene.context).workshop.wait_for_orders();
    assert_ne!(scene.call(), scene.first);
    assert!(!scene.of.explain().contains("is being compiled"));
    assert!(!kept::of(&scene.context).workshop.wait_for_orders());
    assert_eq!(scene.faults.compilations.load(SeqCst), 2);
}

#[test]
fn a_call_waits_for_what_saves_more_than_that() {
    let scene = Scene::slower(1e6, Faults::default());
    assert_ne!(scene.call(), scene.first);
    assert!(!kept::of(&scene.context).workshop.wait_for_orders());
    assert_eq!(scene.faults.compilations.load(SeqCst), 2);
}

#[test]
fn what_does_not_compile_beside_calls_is_ruled_out() {
    // Whichever runs first, the other one is refused.
    let first = Scene::new(Faults::default()).first;
    let other = TWO.into_iter().find(|s| *s != first).unwrap();
    let scene = Scene::new(Faults {
        refused: Some(other.name()),
        ..Faults::default()
    });
    for _ in 0..3 {
        assert_eq!(scene.call(), first);
        kept::of(&scene.context).workshop.wait_for_orders();
    }
    assert!(!scene.of.explain().contains("is being compiled"));
    assert_eq!(scene.faults.compilations.load(SeqCst), 2);
}

#[test]
fn a_device_and_a_loop_may_go_while_something_is_compiled() {
    let scene = Scene::new(Faults::default());
    let faults = Arc::clone(&scene.faults);
    let compiler = lock(&faults.compiler);
    assert_eq!(scene.call(), scene.first);
    let weak = Arc::downgrade(&scene.context);
    drop(scene);
    assert_eq!(weak.strong_count(), 1);
    drop(compiler);
    while weak.strong_count() > 0 {
        std::thread::yield_now();
    }
    assert_eq!(faults.compilations.load(SeqCst), 2);
}

#[test]
fn a_context_that_is_lost_while_something_is_compiled_refuses_calls_and_ends() {
    let scene = Scene::new(Faults::default());
    let compiler = scene.stop();
    assert_eq!(scene.call(), scene.first);
    scene.faults.lost.store(true, SeqCst);
    let mut bins = [7u32; 3];
    run(&scene.context, &scene.of, &mut bins).unwrap_err();
    drop(compiler);
    kept::of(&scene.context).workshop.wait_for_orders();
    let error = run(&scene.context, &scene.of, &mut bins).unwrap_err();
    assert!(error.is_machine(), "{error:?}");
    assert_eq!(bins, [7; 3]);
}
