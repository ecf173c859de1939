//! From a module's text to kernels that can be launched: dump, cache on disk, compiler, device.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Condvar, Mutex, Once, PoisonError};

use accrue_ptx::abi::{FaultSite, List, Module, Text};

use crate::base::error::Error;
use crate::base::lock::lock;
use crate::device::backend::{Backend, FunctionId, ModuleId, Source};
use crate::device::context::Context;
use crate::device::images::{self, Key};

/// A loaded module: its loop, and for each target the merge and the initialisation.
#[derive(Debug)]
pub(crate) struct Kernel {
    /// The entry's name.
    pub(crate) name: Text,
    /// The loop.
    pub(crate) entry: FunctionId,
    /// What adds the copies of a target up.
    pub(crate) merge: Vec<FunctionId>,
    /// What fills the copies of a target with the neutral element.
    pub(crate) initialise: Vec<FunctionId>,
    /// What writes the bins of a sample, and what counts them, where the module has these.
    pub(crate) sample: Option<[FunctionId; 2]>,
    /// What counts the updates that the loop has split: `arrange` and `count`.
    pub(crate) behind: Option<[FunctionId; 2]>,
    /// What runs several calls in one gang, where the module has it, and how many threads that may have.
    pub(crate) series: Option<(FunctionId, u32)>,
    /// Where the loop can fail.
    pub(crate) faults: List<FaultSite>,
    /// Blocks that a multiprocessor holds, by threads and shared memory, as the driver has answered.
    resident: Mutex<Vec<((u32, u32), u32)>>,
    /// What [`Kernel::prefer_shared`] has last wished for.
    preferred: AtomicU32,
}

impl Kernel {
    /// Blocks of this size that a multiprocessor holds at once.
    pub(crate) fn resident(
        &self,
        context: &Context,
        block: u32,
        shared: u32,
    ) -> Result<u32, Error> {
        let mut known = lock(&self.resident);
        if let Some((_, blocks)) = known.iter().find(|(key, _)| *key == (block, shared)) {
            return Ok(*blocks);
        }
        let blocks = context.backend.blocks_per_sm(self.entry, block, shared)?;
        known.push(((block, shared), blocks));
        Ok(blocks)
    }

    /// Has the loop run with as much shared memory as its gangs take, so that all the rest is cache: the driver sets aside all
    /// that a kernel may ask for otherwise. 2^28 bytes into 256 bins take 65.5 µs that way and 67 without (H200, 2026-11-22,
    /// `accrue-bench run --device cuda --cells u8/256`). The merges behind it are to find the memory as the loop has left it.
    pub(in crate::gpu) fn prefer_shared(
        &self,
        backend: &dyn Backend,
        percent: u32,
    ) -> Result<(), Error> {
        // Of threads that launch it at once for different bins, one may have the other's wish: it is no more than that.
        if self.preferred.swap(percent, Ordering::Relaxed) == percent {
            return Ok(());
        }
        for &function in [self.entry].iter().chain(&self.merge) {
            backend.prefer_shared(function, percent)?;
        }
        Ok(())
    }
}

/// A module's kernels, or why there are none.
pub(in crate::gpu) type Loaded = Result<Arc<Kernel>, Error>;

/// The kernels of a device, by fingerprint of their text; what the driver's compiler has refused once, it always will.
#[derive(Debug, Default)]
pub(crate) struct Kernels {
    /// Without a value while a thread loads them.
    all: Mutex<HashMap<u128, Option<Loaded>>>,
    /// Some thread has come to the end of that.
    changed: Condvar,
}

/// A text that this thread loads, while others that want it wait.
struct Loading<'a> {
    kernels: &'a Kernels,
    key: u128,
    /// What is to be remembered.
    loaded: Option<Loaded>,
}

impl Kernels {
    /// What is known of a text; where that is nothing, it is for this thread to find out.
    fn begin(&self, key: u128) -> Result<Loading<'_>, Loaded> {
        let mut all = lock(&self.all);
        loop {
            match all.get(&key) {
                Some(Some(known)) => return Err(known.clone()),
                Some(None) => {
                    let waited = self.changed.wait(all);
                    all = waited.unwrap_or_else(PoisonError::into_inner);
                }
                None => {
                    all.insert(key, None);
                    return Ok(Loading {
                        kernels: self,
                        key,
                        loaded: None,
                    });
                }
            }
        }
    }
}

impl Drop for Loading<'_> {
    fn drop(&mut self) {
        let mut all = lock(&self.kernels.all);
        match self.loaded.take() {
            Some(loaded) => all.insert(self.key, Some(loaded)),
            None => all.remove(&self.key),
        };
        self.kernels.changed.notify_all();
    }
}

impl Kernels {
    /// The kernels of a module, loaded once for all loops that have the same text. A text that the device does not take is
    /// not compiled again. Threads that want different texts do not wait for each other.
    pub(crate) fn kernel(&self, context: &Context, module: &Module) -> Result<Arc<Kernel>, Error> {
        let key = images::fingerprint(&module.identity());
        let mut loading = match self.begin(key) {
            Ok(loading) => loading,
            Err(known) => return known,
        };
        dump(module, key);
        let loaded = load(context, module).map(Arc::new);
        if matches!(loaded, Ok(_) | Err(Error::PtxUnsupported { .. })) {
            loading.loaded = Some(loaded.clone());
        }
        loaded
    }
}

fn load(context: &Context, module: &Module) -> Result<Kernel, Error> {
    let abi = &module.abi;
    let id = load_module(context, module)?;
    let function = |name: &Text| context.backend.function(id, name);
    let behind = match &abi.split {
        None => None,
        Some(split) => Some([function(&split.arrange)?, function(&split.count)?]),
    };
    Ok(Kernel {
        name: abi.entry.clone(),
        entry: function(&abi.entry)?,
        merge: abi
            .targets
            .iter()
            .map(|t| function(&t.merge))
            .collect::<Result<_, _>>()?,
        initialise: abi
            .targets
            .iter()
            .map(|t| function(&t.initialise))
            .collect::<Result<_, _>>()?,
        sample: match &abi.sample {
            Some(entry) => Some([
                function(entry)?,
                context.backend.function(id, accrue_ptx::sample::ENTRY)?,
            ]),
            None => None,
        },
        behind,
        series: match &abi.series {
            Some(series) => Some((function(&series.entry)?, series.block)),
            None => None,
        },
        faults: abi.faults.clone(),
        resident: Mutex::default(),
        preferred: AtomicU32::new(u32::MAX),
    })
}

/// Loads the image on disk, if there is a good one, else unpacks the text, compiles it and keeps what comes of it.
fn load_module(context: &Context, module: &Module) -> Result<ModuleId, Error> {
    let name = &*module.abi.entry;
    let ours = !context.backend.keeps_images();
    let disk = context.images.as_ref().zip(context.backend.image_target());
    let disk = disk
        .filter(|_| ours)
        .map(|(images, target)| (images, Key::of_code(module.identity(), &target)));
    if let Some((images, key)) = disk
        && let Some(image) = images.get(key)
    {
        match context.backend.load(name, &image) {
            Ok(id) => return Ok(id),
            Err(e) => {
                log::warn!("compiling `{name}` anew, its image on disk does not load: {e}")
            }
        }
    }
    let ptx = &*module.text();
    let image = context.backend.compile(Source { name, ptx })?;
    let id = context.backend.load(name, &image)?;
    if let Some((images, key)) = disk {
        images.put(key, &image);
    }
    Ok(id)
}

/// Writes the text into the folder that `ACCRUE_DUMP` names.
fn dump(module: &Module, key: u128) {
    static COMPLAIN: Once = Once::new();
    let Some(folder) = std::env::var_os("ACCRUE_DUMP").filter(|d| !d.is_empty()) else {
        return;
    };
    let folder = Path::new(&folder);
    let file = folder.join(format!("{}.{:08x}.ptx", module.abi.entry, key as u32));
    let written =
        std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&file, &*module.text()));
    if let Err(e) = written {
        COMPLAIN.call_once(|| log::error!("ACCRUE_DUMP: cannot write {}: {e}", file.display()));
    }
}
