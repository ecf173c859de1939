//! Modules that are compiled while calls go on.
//!
//! A loop's first call compiles one module and waits for it. What later calls would rather run, and what samples their bins,
//! is ordered here: a thread of its own, one for each device and there as long as there are orders, compiles it, or
//! loads it from disk, and until it is done the choice goes by what the loop has. A module that does not load is logged once,
//! and its strategy is ruled out.
//!
//! The thread keeps its context alive. Where that is lost, its calls of the driver are refused like all others, and the
//! device is opened anew when it is out of the last one. A process that ends meanwhile waits for what is being compiled and
//! leaves the rest: the driver takes itself apart at the end and must not be in use then.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, Once, OnceLock};
use std::thread;
use std::time::Duration;

use accrue_ptx::abi::{Module, Strategy};

use super::kernel::{Kernels, Loaded};
use crate::base::lock::lock;
use crate::device::context::Context;

/// How long the end of a process waits for a compiler that does not come back.
const PATIENCE: Duration = Duration::from_secs(10);

/// A module that is to be loaded.
#[derive(Debug)]
pub(in crate::gpu) struct Order {
    module: Module,
    done: OnceLock<Loaded>,
}

impl Order {
    /// One that has been fulfilled.
    pub(in crate::gpu) fn fulfilled(module: Module, loaded: Loaded) -> Order {
        Order {
            module,
            done: OnceLock::from(loaded),
        }
    }

    /// What has come of it, if it is done.
    pub(in crate::gpu) fn done(&self) -> Option<&Loaded> {
        self.done.get()
    }

    /// What it is for.
    pub(in crate::gpu) fn strategy(&self) -> Strategy {
        self.module.abi.strategy
    }
}

/// The kernels of a device, and the orders for more.
#[derive(Debug, Default)]
pub(crate) struct Workshop {
    pub(in crate::gpu) kernels: Kernels,
    state: Mutex<State>,
    /// There is no order any more.
    idle: Condvar,
}

#[derive(Debug, Default)]
struct State {
    orders: VecDeque<Arc<Order>>,
    /// Whether there is a thread that has them done.
    at_work: bool,
}

impl Workshop {
    /// Says that nobody is at work any more.
    fn rest(&self, state: &mut State) {
        state.at_work = false;
        self.idle.notify_all();
    }
}

/// Has a thread that panics leave its place to another.
struct Fulfilling<'a>(&'a Workshop);

impl Drop for Fulfilling<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.rest(&mut lock(&self.0.state));
        }
    }
}

/// Whether modules are worth a thread: not where compiling costs nothing.
pub(in crate::gpu) fn compiles_beside_calls(context: &Context) -> bool {
    context.backend.image_target().is_some()
}

impl Workshop {
    /// Has a module loaded by another thread; by this one where there is none to be had.
    pub(in crate::gpu) fn order(
        self: &Arc<Workshop>,
        context: &Arc<Context>,
        module: &Module,
    ) -> Arc<Order> {
        let order = Arc::new(Order {
            module: module.clone(),
            done: OnceLock::new(),
        });
        let mut state = lock(&self.state);
        state.orders.push_back(Arc::clone(&order));
        if !state.at_work {
            state.at_work = true;
            drop(state);
            leave_before_the_driver();
            let shift = Shift::of(self, context);
            let thread = thread::Builder::new().name("accrue-compile".to_owned());
            if let Err(e) = thread.spawn(move || shift.work()) {
                log::debug!("modules are compiled by the calls: {e}");
                self.work(context);
            }
        }
        order
    }

    /// Fulfils orders until there is none.
    fn work(&self, context: &Context) {
        let _fulfilling = Fulfilling(self);
        loop {
            let order = {
                let mut state = lock(&self.state);
                let order = match is_ending() {
                    true => None,
                    false => state.orders.pop_front(),
                };
                let Some(order) = order else {
                    self.rest(&mut state);
                    return;
                };
                order
            };
            let loaded = self.kernels.kernel(context, &order.module);
            leave_before_the_compiler();
            if let Err(e) = &loaded
                && !context.backend.is_lost()
            {
                log::warn!("doing without `{}`: {e}", order.module.abi.entry);
            }
            // Nobody else sets it.
            let _ = order.done.set(loaded);
        }
    }

    /// Waits until no module is being loaded beside calls; whether one was.
    #[cfg(any(test, feature = "bench"))]
    pub(in crate::gpu) fn wait_for_orders(&self) -> bool {
        let mut state = lock(&self.state);
        let had_to = state.at_work;
        while state.at_work {
            let waited = self.idle.wait(state);
            state = waited.unwrap_or_else(std::sync::PoisonError::into_inner);
        }
        had_to
    }
}

/// A loop's module on a device: loaded, or ordered.
#[derive(Debug)]
pub(in crate::gpu) struct Stocked {
    /// The context's number.
    pub(in crate::gpu) context: u64,
    pub(in crate::gpu) module: usize,
    pub(in crate::gpu) order: Arc<Order>,
}

/// Threads that may be in the driver for an order.
static AT_WORK: (Mutex<usize>, Condvar) = (Mutex::new(0), Condvar::new());

/// Whether the process is about to end.
static ENDING: AtomicBool = AtomicBool::new(false);

fn is_ending() -> bool {
    ENDING.load(Ordering::SeqCst)
}

/// Counts one thread.
struct AtWork;

impl AtWork {
    fn begin() -> AtWork {
        *lock(&AT_WORK.0) += 1;
        AtWork
    }
}

impl Drop for AtWork {
    fn drop(&mut self) {
        *lock(&AT_WORK.0) -= 1;
        AT_WORK.1.notify_all();
    }
}

/// What a thread is started with. It counts before the thread runs, which may be a while after: the process may be at its
/// end by then.
struct Shift {
    workshop: Arc<Workshop>,
    /// Given up before the thread has ceased to count: it may be the last that has it.
    context: Arc<Context>,
    #[expect(dead_code, reason = "its end is what counts")]
    at_work: AtWork,
}

impl Shift {
    fn of(workshop: &Arc<Workshop>, context: &Arc<Context>) -> Shift {
        Shift {
            workshop: Arc::clone(workshop),
            context: Arc::clone(context),
            at_work: AtWork::begin(),
        }
    }

    fn work(self) {
        self.workshop.work(&self.context);
    }
}

/// Has the end of the process wait for these threads, before the driver's own libraries hear of it.
///
/// What is registered later is called earlier. The driver itself is there by now, but it loads its compiler with the first text, and with it comes what
/// happens to that at the end: so it is registered again behind that, [`leave_before_the_compiler`]. While that first text is compiled a process that ends
/// where `main` returns, or by an `exit` of that thread, is waited for by what is dropped with the thread, which comes before all that is registered.
fn leave_before_the_driver() {
    static ONCE: Once = Once::new();
    ONCE.call_once(register);
    if std::thread::current().name() == Some("main") {
        LAST.with(|_| ());
    }
}

/// The same before its compiler does, after it has compiled something.
fn leave_before_the_compiler() {
    static ONCE: Once = Once::new();
    ONCE.call_once(register);
}

fn register() {
    #[cfg(any(unix, windows))]
    {
        // SAFETY: the C library's function, which calls back once and takes no more than an address.
        unsafe extern "C" {
            safe fn atexit(call: extern "C" fn()) -> std::ffi::c_int;
        }
        if atexit(leave) != 0 {
            log::debug!("the end of the process does not wait for compilers");
        }
    }
}

thread_local! {
    /// Dropped with the main thread, with which the process ends.
    static LAST: Last = const { Last };
}

struct Last;

impl Drop for Last {
    fn drop(&mut self) {
        #[cfg(any(unix, windows))]
        leave();
    }
}

#[cfg(any(unix, windows))]
extern "C" fn leave() {
    ENDING.store(true, Ordering::SeqCst);
    let at_work = lock(&AT_WORK.0);
    // One that does not come back in time is left where it is.
    let _ = AT_WORK
        .1
        .wait_timeout_while(at_work, PATIENCE, |threads| *threads > 0);
}
