//! The CUDA backend on a driver that is not there: `driver/fake.rs`, whose kernels do nothing, whose calls fail where they are
//! told to, and which ends the process where a handle or memory is used that is gone. Each test has processes of its own:
//! this binary runs itself.
#![cfg(all(feature = "cuda", target_os = "linux"))]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use accrue::__bench::wait_for_kernels;
use accrue::{Device, DeviceBuffer, Error, Stream, offload, with_device};

#[offload(histogram)]
fn low_bits(keys: &[u32], bins: &mut [u32; 16]) {
    for &k in keys {
        bins[(k & 15) as usize] += 1;
    }
}

const KEYS: u32 = 1600;

/// Calls of a child: each as a value, then plain.
const TURNS: usize = 3;

/// What may be seen of the machine's failures: nothing but errors of its kind, and bins that are right or untouched.
fn calls(keys: &[u32], turn: usize) {
    let mut bins = [7; 16];
    match low_bits::try_call(keys, &mut bins) {
        Ok(()) => println!("turn {turn}: ran"),
        Err(e) => {
            assert!(e.is_machine(), "{e:?}");
            println!("turn {turn}: {e}");
        }
    }
    // A kernel of this driver does nothing.
    assert_eq!(bins, [7; 16]);
    low_bits(keys, &mut bins);
    assert!(bins == [7; 16] || bins == [107; 16], "{bins:?}");
}

/// A buffer, if there is one, is as it was or lost.
fn look(buffer: &Result<DeviceBuffer<u32>, Error>, keys: &[u32]) {
    match buffer.as_ref().map(DeviceBuffer::to_vec) {
        Ok(Ok(found)) => assert_eq!(found, keys),
        Ok(Err(e)) => {
            assert!(e.is_machine(), "{e:?}");
            println!("the buffer: {e}");
        }
        Err(e) => assert!(e.is_machine(), "{e:?}"),
    }
}

/// Prints what is logged.
struct Print;

impl log::Log for Print {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        println!("log: {}", record.args());
    }

    fn flush(&self) {}
}

fn print_what_is_logged() {
    static PRINTED: Print = Print;
    log::set_logger(&PRINTED).unwrap();
    log::set_max_level(log::LevelFilter::Warn);
}

#[test]
#[ignore = "for the other tests, in a process of its own"]
fn child() {
    print_what_is_logged();
    let keys: Vec<u32> = (0..KEYS).collect();
    with_device(Device::Cuda(0), || {
        let buffer = DeviceBuffer::from_slice(&keys);
        for turn in 0..TURNS {
            calls(&keys, turn);
            if let Err(e) = wait_for_kernels(Device::Cuda(0)) {
                assert!(e.is_machine(), "{e:?}");
            }
            // Work of several streams on one buffer.
            if let (Ok(buffer), Ok(stream)) = (&buffer, Stream::new())
                && let Ok(mut bins) = DeviceBuffer::zeroed_on(&stream, 16)
                && let Err(e) = low_bits::on_device(&stream, buffer, &mut bins)
            {
                assert!(e.is_machine(), "{e:?}");
            }
        }
        look(&buffer, &keys);
    });
    println!("done");
}

#[offload(histogram)]
fn many_bins(keys: &[u32], bins: &mut [u32]) {
    for &k in keys {
        bins[(k & 0xffff) as usize] += 1;
    }
}

/// Calls that are long enough for a sample of their keys, with more bins than come back beside an error record.
#[test]
#[ignore = "for the other tests, in a process of its own"]
fn child_with_long_calls() {
    let keys: Vec<u32> = (0..1 << 20).collect();
    with_device(Device::Cuda(0), || {
        for turn in 0..TURNS {
            let mut bins = vec![7; 1 << 16];
            match many_bins::try_call(&keys, &mut bins) {
                Ok(()) => println!("turn {turn}: ran"),
                Err(e) => {
                    assert!(e.is_machine(), "{e:?}");
                    println!("turn {turn}: {e}");
                }
            }
            assert!(bins.iter().all(|b| *b == 7));
            many_bins(&keys, &mut bins);
            assert!(bins.iter().all(|b| *b == 7) || bins.iter().all(|b| *b == 7 + 16));
        }
    });
    println!("done");
}

/// A long call, right or refused by the machine.
fn long_call(keys: &[u32]) {
    let mut bins = vec![7; 1 << 16];
    match many_bins::try_call(keys, &mut bins) {
        Ok(()) => println!("a call ran"),
        Err(e) => {
            assert!(e.is_machine(), "{e:?}");
            println!("a call: {e}");
        }
    }
    assert!(bins.iter().all(|b| *b == 7));
}

/// Calls after the first have what takes samples compiled. The compiler waits for a file that is there after some more.
#[test]
#[ignore = "for the other tests, in a process of its own"]
fn child_beside_the_compiler() {
    print_what_is_logged();
    let keys: Vec<u32> = (0..1 << 20).collect();
    let file = std::env::var_os("FAKE_CUDA_COMPILE_UNTIL");
    with_device(Device::Cuda(0), || {
        (0..4).for_each(|_| long_call(&keys));
        if let Some(file) = file {
            std::fs::write(file, "").unwrap();
        }
        println!("compiled: {:?}", wait_for_kernels(Device::Cuda(0)));
        (0..4).for_each(|_| long_call(&keys));
    });
    println!("done");
}

/// Ends in the middle of it.
#[test]
#[ignore = "for the other tests, in a process of its own"]
fn child_that_ends_while_something_is_compiled() {
    let keys: Vec<u32> = (0..1 << 20).collect();
    with_device(Device::Cuda(0), || {
        (0..2).for_each(|_| long_call(&keys));
    });
    let log = std::env::var_os("FAKE_CUDA_LOG").unwrap();
    let begun = || std::fs::read_to_string(&log).unwrap();
    while begun().matches("cuLinkComplete").count() < 2 {
        std::thread::yield_now();
    }
    println!("done");
}

#[test]
#[ignore = "for the other tests, in a process of its own"]
fn child_with_one_call() {
    let keys: Vec<u32> = (0..KEYS).collect();
    with_device(Device::Cuda(0), || low_bits(&keys, &mut [7; 16]));
    println!("done");
}

#[test]
#[ignore = "for the other tests, in a process of its own"]
fn child_with_threads() {
    let keys: Vec<u32> = (0..KEYS).collect();
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                with_device(Device::Cuda(0), || {
                    let buffer = DeviceBuffer::from_slice(&keys);
                    for turn in 0..20 {
                        calls(&keys, turn);
                        look(&buffer, &keys);
                    }
                });
            });
        }
    });
    with_device(Device::Cuda(0), || calls(&keys, TURNS));
    println!("done");
}

/// The folder with the driver in it.
fn driver() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fake-driver");
        std::fs::create_dir_all(&folder).unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/driver/fake.rs");
        let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        let built = Command::new(rustc)
            .args(["--edition=2024", "--crate-type=cdylib", "-O", "-o"])
            .arg(folder.join("libcuda.so"))
            .arg(source)
            .status();
        assert!(built.unwrap().success(), "the driver does not compile");
        folder
    })
}

/// A child's run.
struct Run {
    output: Output,
    /// Calls of each function.
    calls: HashMap<String, usize>,
}

impl Run {
    /// Runs a child under these settings of the driver.
    fn of(child: &str, settings: &[(&str, &str)]) -> Run {
        static NUMBER: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let log = driver().join(format!("{}-{number}.log", std::process::id()));
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args([
                "--exact",
                child,
                "--ignored",
                "--nocapture",
                "--test-threads=1",
            ])
            .env("LD_LIBRARY_PATH", driver())
            .env("ACCRUE_CACHE_DIR", "")
            .env("FAKE_CUDA_LOG", &log);
        for name in [
            "ACCRUE_DEVICE",
            "ACCRUE_STRATEGY",
            "ACCRUE_EXPLAIN",
            "ACCRUE_TUNE",
            "ACCRUE_RESET",
        ] {
            command.env_remove(name);
        }
        let output = command.envs(settings.iter().copied()).output().unwrap();
        let mut calls = HashMap::new();
        for name in std::fs::read_to_string(&log).unwrap_or_default().lines() {
            *calls.entry(name.to_owned()).or_default() += 1;
        }
        let _ = std::fs::remove_file(log);
        Run { output, calls }
    }

    /// Runs the first child with a call that fails.
    fn failing(name: &str, number: usize, status: u32, more: &[(&str, &str)]) -> Run {
        let fail = format!("{name}:{number}={status}");
        let mut settings = vec![("FAKE_CUDA_FAIL", fail.as_str())];
        settings.extend(more);
        Run::of("child", &settings)
    }

    fn text(&self) -> String {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        text(&self.output.stdout) + &text(&self.output.stderr)
    }

    fn count(&self, name: &str) -> usize {
        self.calls.get(name).copied().unwrap_or(0)
    }

    /// Whether it came to its end, and nothing was used that is gone.
    #[track_caller]
    fn assert_done(&self, what: &str) {
        let text = self.text();
        assert!(
            self.output.status.success() && text.contains("done"),
            "{what}: {text}"
        );
        let (retained, released) = (
            self.count("cuDevicePrimaryCtxRetain"),
            self.count("cuDevicePrimaryCtxRelease_v2"),
        );
        assert!(
            retained - released <= 1,
            "{what}: {retained} retained, {released} released"
        );
    }

    fn ran(&self, turn: usize) -> bool {
        self.text().contains(&format!("turn {turn}: ran"))
    }
}

#[test]
fn without_failures_everything_runs_and_is_given_back() {
    for pools in ["1", "0"] {
        let run = Run::of("child", &[("FAKE_CUDA_POOLS", pools)]);
        run.assert_done(pools);
        assert!((0..TURNS).all(|turn| run.ran(turn)), "{}", run.text());
        assert!(run.count("cuLaunchKernelEx") >= 3 * TURNS);
        assert_eq!(run.count("cuEventCreate"), run.count("cuEventDestroy_v2"));
        assert_eq!(
            run.count("cuCtxPushCurrent_v2"),
            run.count("cuCtxPopCurrent_v2")
        );
        assert_eq!(run.count("cuLinkCreate_v2"), run.count("cuLinkDestroy"));
        // What the stream keeps stays; no more with each call.
        let (taken, given) = match pools {
            "1" => ("cuMemAllocFromPoolAsync", "cuMemFreeAsync"),
            _ => ("cuMemAlloc_v2", "cuMemFree_v2"),
        };
        let kept = run.count(taken) - run.count(given);
        assert!(kept <= 8, "{kept} allocations are kept");
    }
}

#[test]
fn kernels_begin_beside_those_before_them_where_device_and_driver_let_them() {
    for (version, call, other) in [
        ("12030", "cuLaunchKernelEx", "cuLaunchKernel"),
        ("12020", "cuLaunchKernel", "cuLaunchKernelEx"),
    ] {
        let run = Run::of("child", &[("FAKE_CUDA_VERSION", version)]);
        run.assert_done(version);
        assert!(run.count(call) >= 3 * TURNS && run.count(other) == 0);
    }
}

#[test]
fn a_first_call_compiles_one_module_and_measures_nothing() {
    for name in ["NVIDIA H200", "a GPU that nobody has measured"] {
        let run = Run::of("child_with_one_call", &[("FAKE_CUDA_NAME", name)]);
        run.assert_done(name);
        assert_eq!(run.count("cuLinkComplete"), 1, "{name}");
        assert_eq!(run.count("cuModuleLoadData"), 1, "{name}");
        // The keys and the bins.
        assert_eq!(run.count("cuMemcpyHtoDAsync_v2"), 2, "{name}");
        assert_eq!(run.count("cuStreamCreate"), 1, "{name}");
    }
    // The calls after the first measure what has been compiled beside them, and do their own work all the same.
    let run = Run::of(
        "child",
        &[("FAKE_CUDA_NAME", "a GPU that nobody has measured")],
    );
    run.assert_done("measured");
    assert!((0..TURNS).all(|turn| run.ran(turn)), "{}", run.text());
    assert!(run.count("cuLinkComplete") > 1 && run.count("cuEventElapsedTime") > 0);
    assert_eq!(run.count("cuEventCreate"), run.count("cuEventDestroy_v2"));
}

#[test]
fn calls_go_on_while_something_is_compiled() {
    let file = driver().join(format!("{}-go-on", std::process::id()));
    let settings = [("FAKE_CUDA_COMPILE_UNTIL", file.to_str().unwrap())];
    let run = Run::of("child_beside_the_compiler", &settings);
    std::fs::remove_file(file).unwrap();
    run.assert_done("beside the compiler");
    let text = run.text();
    assert_eq!(text.matches("a call ran").count(), 8, "{text}");
    // Whether it was still at work when it was waited for is a matter of luck.
    assert!(text.contains("compiled: Ok("), "{text}");
    assert_eq!(run.count("cuLinkComplete"), 2);
    // The calls after it have taken samples, of two kernels each.
    assert!(run.count("cuLaunchKernelEx") > 8 + 2, "{:?}", run.calls);
}

#[test]
fn what_cannot_be_compiled_beside_calls_is_said_once_and_done_without() {
    // The compiler's refusal, and a call of it that fails.
    for status in ["218", "2", "999"] {
        let fail = format!("cuLinkComplete:1={status}");
        let run = Run::of("child_beside_the_compiler", &[("FAKE_CUDA_FAIL", &fail)]);
        run.assert_done(&fail);
        let text = run.text();
        assert_eq!(text.matches("a call ran").count(), 8, "{text}");
        assert_eq!(text.matches("log: doing without").count(), 1, "{text}");
        let (done, refused) = ("cuLinkComplete", "cuLinkComplete refused");
        assert_eq!((run.count(done), run.count(refused)), (1, 1), "{text}");
    }
}

#[test]
fn a_process_that_ends_while_something_is_compiled_waits_for_it() {
    let run = Run::of(
        "child_that_ends_while_something_is_compiled",
        &[("FAKE_CUDA_COMPILE_MS", "300")],
    );
    run.assert_done("the end");
    assert_eq!(run.count("cuLinkComplete"), 2);
    assert_eq!(run.count("cuLinkDestroy"), 2);
}

#[test]
fn a_process_that_ends_before_the_compilers_thread_begins_waits_for_it() {
    let late = driver().join("libcuda.so");
    let settings = [
        ("LD_PRELOAD", late.to_str().unwrap()),
        ("FAKE_CUDA_THREAD_MS", "500"),
        ("FAKE_CUDA_FAIL", "cuStreamSynchronize:3=719"),
    ];
    let run = Run::of("child_with_long_calls", &settings);
    run.assert_done("a late thread");
    // It has the context that was lost, and none of its modules is loaded any more.
    assert_eq!(run.count("cuDevicePrimaryCtxRetain"), 2);
    assert_eq!(run.count("cuDevicePrimaryCtxRelease_v2"), 1);
}

#[test]
fn a_context_may_be_lost_while_something_is_compiled() {
    for (number, status) in [(2, 719), (3, 719), (3, 709), (4, 700)] {
        let fail = format!("cuStreamSynchronize:{number}={status}");
        let settings = [
            ("FAKE_CUDA_FAIL", fail.as_str()),
            ("FAKE_CUDA_COMPILE_MS", "100"),
        ];
        let run = Run::of("child_beside_the_compiler", &settings);
        run.assert_done(&fail);
        let text = run.text();
        assert!(text.matches("a call ran").count() >= 6, "{text}");
        assert_eq!(run.count("cuDevicePrimaryCtxRetain"), 2, "{text}");
    }
}

/// Functions that are called once, before any device is opened.
const ONCE: [&str; 3] = ["cuInit", "cuDriverGetVersion", "cuDeviceGetCount"];

#[test]
fn any_call_may_fail_in_any_way_and_the_last_turn_runs() {
    let whole = Run::of("child", &[]);
    whole.assert_done("without failures");
    let mut names: Vec<_> = whole.calls.iter().collect();
    names.sort();
    assert!(names.len() > 30, "{names:?}");
    for (name, &count) in names {
        // Unknown, no memory, an illegal address.
        for status in [999, 2, 700] {
            let mut numbers = vec![0, count / 2, count - 1];
            numbers.dedup();
            for number in numbers {
                let run = Run::failing(name, number, status, &[]);
                let what = format!("{name}, call {number} of {count} with {status}");
                run.assert_done(&what);
                if number == 0 && !ONCE.contains(&name.as_str()) {
                    assert!(run.ran(TURNS - 1), "{what}: {}", run.text());
                    let (retained, released) = (
                        run.count("cuDevicePrimaryCtxRetain"),
                        run.count("cuDevicePrimaryCtxRelease_v2"),
                    );
                    assert_eq!(retained - released, 1, "{what}");
                }
            }
        }
    }
}

#[test]
fn calls_that_are_split_sampled_or_timed_may_fail_anywhere_too() {
    for way in [
        ("ACCRUE_STRATEGY", "gang_split"),
        ("ACCRUE_TUNE", "1"),
        ("ACCRUE_TUNE", "0"),
    ] {
        let whole = Run::of("child_with_long_calls", &[way]);
        whole.assert_done(&format!("{way:?}"));
        assert!((0..TURNS).all(|turn| whole.ran(turn)), "{}", whole.text());
        assert_eq!(
            whole.count("cuEventCreate"),
            whole.count("cuEventDestroy_v2")
        );
        for name in [
            "cuLaunchKernelEx",
            "cuMemAllocFromPoolAsync",
            "cuMemcpyDtoHAsync_v2",
            "cuStreamSynchronize",
        ] {
            let count = whole.count(name);
            for (number, status) in [(count / 2, 2), (2 * count / 3, 719)] {
                let fail = format!("{name}:{number}={status}");
                let run = Run::of("child_with_long_calls", &[way, ("FAKE_CUDA_FAIL", &fail)]);
                run.assert_done(&format!("{way:?}, {fail}"));
            }
        }
    }
}

#[test]
fn a_context_that_a_kernel_has_taken_is_opened_anew_once() {
    for pools in ["1", "0"] {
        for reset in ["", "0", "1"] {
            let settings = [("FAKE_CUDA_POOLS", pools), ("ACCRUE_RESET", reset)];
            let run = Run::failing("cuStreamSynchronize", 1, 700, &settings);
            run.assert_done(pools);
            let text = run.text();
            assert!(
                !run.ran(0) && text.contains("a kernel has failed"),
                "{text}"
            );
            assert!(run.ran(1) && run.ran(2), "{text}");
            let resets = usize::from(reset == "1");
            assert_eq!(run.count("cuDevicePrimaryCtxReset_v2"), resets, "{reset}");
            assert_eq!(run.count("cuDevicePrimaryCtxRetain"), 2);
            // What was on the device is gone, and who still has it is told so.
            let gone = "the buffer: the context of the device `cuda:0` is lost: ";
            assert!(text.contains(gone), "{text}");
            assert!(text.contains("create new ones"), "{text}");
        }
    }
}

#[test]
fn what_others_have_on_the_device_is_not_reset_unless_that_is_allowed() {
    let others = ("FAKE_CUDA_OTHERS", "2");
    let run = Run::failing("cuStreamSynchronize", 1, 700, &[others]);
    let text = run.text();
    assert!(text.contains("done"), "{text}");
    assert!((0..TURNS).all(|turn| !run.ran(turn)), "{text}");
    assert_eq!(run.count("cuDevicePrimaryCtxReset_v2"), 0, "{text}");
    // Our own hold is given up, once, and the others' are not.
    assert_eq!(run.count("cuDevicePrimaryCtxRetain"), 1);
    assert_eq!(run.count("cuDevicePrimaryCtxRelease_v2"), 1);
    let why = "a kernel has failed; others in this process use it too, so it is not reset";
    assert!(text.contains(why), "{text}");
    let help =
        "help: start the program anew, or choose the CPU: ACCRUE_DEVICE=cpu; where the others";
    assert!(
        text.contains(help) && text.contains("ACCRUE_RESET=1"),
        "{text}"
    );
    let cpu = "log: `low_bits` runs on the CPU";
    assert_eq!(text.matches(cpu).count(), 1, "{text}");

    let settings = [others, ("ACCRUE_RESET", "1")];
    let run = Run::failing("cuStreamSynchronize", 1, 700, &settings);
    run.assert_done("a reset is allowed");
    assert!(!run.ran(0) && run.ran(1) && run.ran(2), "{}", run.text());
    assert_eq!(run.count("cuDevicePrimaryCtxReset_v2"), 1);
    // One that somebody else has destroyed is not theirs any more: it is opened anew as it was.
    let run = Run::failing("cuStreamSynchronize", 1, 709, &[others]);
    assert!(!run.ran(0) && run.ran(1) && run.ran(2), "{}", run.text());
    assert_eq!(run.count("cuDevicePrimaryCtxReset_v2"), 0);
}

/// As a driver of version 580 does on an H200, after a reset too.
#[test]
fn a_driver_that_refuses_the_process_after_a_fault_is_an_error_that_says_what_to_do() {
    for reset in ["0", "1"] {
        let settings = [("FAKE_CUDA_REFUSES", "1"), ("ACCRUE_RESET", reset)];
        let run = Run::failing("cuStreamSynchronize", 1, 700, &settings);
        let text = run.text();
        assert!(text.contains("done"), "{text}");
        assert!((0..TURNS).all(|turn| !run.ran(turn)), "{text}");
        let why = "is lost: it does not open anew: the driver call cuDevicePrimaryCtxRetain failed";
        assert!(text.contains(why), "{text}");
        assert!(text.contains("help: start the program anew"), "{text}");
        // It is neither asked nor told of again and again.
        assert_eq!(text.matches("log: opening the device").count(), 1, "{text}");
        assert_eq!(run.count("cuDevicePrimaryCtxRetain"), 2, "{text}");
    }
}

#[test]
fn a_device_that_is_lost_again_and_again_costs_two_openings_and_two_lines() {
    let run = Run::of("child", &[("FAKE_CUDA_FAIL", "cuStreamSynchronize:*=719")]);
    run.assert_done("always");
    let text = run.text();
    assert!((0..TURNS).all(|turn| !run.ran(turn)), "{text}");
    assert_eq!(run.count("cuDevicePrimaryCtxReset_v2"), 0);
    assert_eq!(run.count("cuDevicePrimaryCtxRetain"), 2);
    // The plain calls ran all the same, on the CPU, and said so once; the opening was told, too.
    assert_eq!(
        text.matches("log: `low_bits` runs on the CPU").count(),
        1,
        "{text}"
    );
    assert_eq!(text.matches("log: opening the device").count(), 1, "{text}");
    assert!(text.contains("opened anew, it was lost again"), "{text}");
}

#[test]
fn a_context_that_somebody_else_has_destroyed_is_not_reset() {
    let run = Run::failing("cuStreamSynchronize", 1, 709, &[]);
    run.assert_done("destroyed");
    assert!(!run.ran(0) && run.ran(1) && run.ran(2), "{}", run.text());
    assert_eq!(run.count("cuDevicePrimaryCtxReset_v2"), 0);
    assert_eq!(run.count("cuDevicePrimaryCtxRetain"), 2);
}

#[test]
fn threads_survive_the_loss_of_their_context() {
    for number in [0, 7, 19, 40, 61, 90] {
        let fail = format!("cuStreamSynchronize:{number}=719");
        // One that is being measured meanwhile, too.
        let name = ["NVIDIA H200", "a GPU that nobody has measured"][number % 2];
        let settings = [("FAKE_CUDA_FAIL", fail.as_str()), ("FAKE_CUDA_NAME", name)];
        let run = Run::of("child_with_threads", &settings);
        let text = run.text();
        assert!(
            run.output.status.success() && text.contains("done"),
            "{number}: {text}"
        );
        assert!(run.ran(TURNS), "{number}: {text}");
        assert_eq!(run.count("cuDevicePrimaryCtxRetain"), 2, "{number}");
        assert_eq!(run.count("cuDevicePrimaryCtxReset_v2"), 0, "{number}");
    }
}

#[test]
fn a_driver_without_a_gpu_is_told_from_no_driver() {
    let run = Run::failing("cuInit", 0, 100, &[]);
    run.assert_done("no GPU");
    let text = run.text();
    assert!(
        text.contains("no device `cuda:0`: the driver lists no GPU"),
        "{text}"
    );
}

#[test]
fn too_little_memory_is_an_error_that_says_how_much() {
    for pools in ["1", "0"] {
        let settings = [("FAKE_CUDA_MEMORY", "4000"), ("FAKE_CUDA_POOLS", pools)];
        let run = Run::of("child", &settings);
        run.assert_done(pools);
        let text = run.text();
        assert!(
            text.contains("out of memory on NVIDIA H200: asked for"),
            "{text}"
        );
        // Threads that take it from each other, and give up what they keep for each other.
        for memory in ["12000", "18000"] {
            let settings = [("FAKE_CUDA_MEMORY", memory), ("FAKE_CUDA_POOLS", pools)];
            let run = Run::of("child_with_threads", &settings);
            run.assert_done(memory);
            assert!(run.ran(TURNS) || run.text().contains("out of memory"));
        }
    }
}
