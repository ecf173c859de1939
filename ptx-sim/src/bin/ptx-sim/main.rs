//! `ptx-sim`: runs and checks PTX kernels from the command line.

mod argument;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use argument::Argument;
use clap::{Args, Parser, Subcommand};
use ptx_sim::{Limits, Machine, Module, Stats};

/// Executes PTX without a GPU, and says where a kernel does what the PTX ISA forbids.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Parses modules and lists their kernels, with the sizes of their parameters.
    Check {
        /// PTX texts.
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Runs a kernel under one or more interleavings.
    Run(Run),
}

#[derive(Args)]
struct Run {
    /// A PTX text.
    file: PathBuf,
    /// The kernel, where the module has several.
    #[arg(long)]
    entry: Option<String>,
    /// Blocks: `4`, or `4,2,1`.
    #[arg(long, default_value = "1", value_parser = extent)]
    grid: [u32; 3],
    /// Threads of a block: `256`, or `16,16,1`.
    #[arg(long, default_value = "32", value_parser = extent)]
    block: [u32; 3],
    /// Dynamic shared memory of a block, in bytes.
    #[arg(long, default_value_t = 0)]
    shared: u32,
    /// The first seed of the interleavings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Interleavings to run, one seed after the other. A buffer that ends differently under two of them is reported.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    seeds: u64,
    /// Multiprocessors of the device.
    #[arg(long)]
    sms: Option<u32>,
    /// Elements of each buffer that are printed behind the launch.
    #[arg(long, default_value_t = 16)]
    print: usize,
    /// Prints what the launch did, in numbers.
    #[arg(long)]
    stats: bool,
    /// The parameters in order: `u32=5` is a value, `f32[1024]=0` a buffer whose address is passed. A buffer is filled with
    /// one value, `=iota` (0, 1, 2, ..), `=random`, `=1,2,3`, or `=@FILE`; without `=` its bytes were never written.
    #[arg(value_parser = argument::parse)]
    arguments: Vec<Argument>,
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Check { files } => check(&files),
        Command::Run(run) => run.run(),
    };
    match done {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("error: {why}");
            ExitCode::FAILURE
        }
    }
}

/// `4` or `4,2,1`.
fn extent(text: &str) -> Result<[u32; 3], String> {
    let mut all = [1; 3];
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > all.len() {
        return Err("at most three numbers: x,y,z".into());
    }
    for (one, part) in all.iter_mut().zip(parts) {
        *one = part
            .trim()
            .parse()
            .map_err(|_| format!("`{part}` is no number"))?;
    }
    Ok(all)
}

fn read(file: &PathBuf) -> Result<Module, String> {
    let name = file.display();
    let text = std::fs::read_to_string(file).map_err(|e| format!("{name}: {e}"))?;
    Module::parse(&text).map_err(|e| format!("{name}: {e}"))
}

fn check(files: &[PathBuf]) -> Result<String, String> {
    let mut out = String::new();
    for file in files {
        let module = read(file)?;
        let (major, minor) = module.version();
        let _ = writeln!(
            out,
            "{}: PTX {major}.{minor} for sm_{}",
            file.display(),
            module.target()
        );
        for kernel in module.kernels() {
            let parameters = module.parameters(kernel).unwrap_or_default();
            let shared = module.static_shared(kernel).unwrap_or(0);
            let _ = writeln!(
                out,
                "  {kernel}: parameters of {parameters:?} bytes, {shared} bytes of static shared memory"
            );
        }
    }
    Ok(out)
}

impl Run {
    fn run(&self) -> Result<String, String> {
        let module = read(&self.file)?;
        let entry = self.kernel(&module)?;
        let sizes = module.parameters(&entry).unwrap_or_default();
        if sizes.len() != self.arguments.len() {
            return Err(format!(
                "`{entry}` has {} parameters, of {sizes:?} bytes; {} were given",
                sizes.len(),
                self.arguments.len()
            ));
        }
        let mut out = String::new();
        let mut first: Option<Vec<Vec<u8>>> = None;
        for seed in self.seed..self.seed + self.seeds {
            let (stats, buffers) = self.once(&module, &entry, seed).map_err(|e| {
                format!("{e}\nunder seed {seed}: `--seed {seed}` runs this interleaving again")
            })?;
            let Some(known) = &first else {
                if self.stats {
                    let _ = writeln!(out, "{}", describe(&stats));
                }
                for (argument, bytes) in self.buffers().zip(&buffers) {
                    let _ = writeln!(out, "{}", argument.show(bytes, self.print));
                }
                first = Some(buffers);
                continue;
            };
            let differing = known.iter().zip(&buffers).position(|(a, b)| a != b);
            if let Some(number) = differing {
                return Err(format!(
                    "buffer {number} ends differently under seed {seed} than under seed {}:\n{}\n{}",
                    self.seed,
                    self.buffers().nth(number).map_or_else(String::new, |a| a
                        .difference(&known[number], &buffers[number])),
                    "the result depends on the order of the threads",
                ));
            }
        }
        if self.seeds > 1 {
            let _ = writeln!(out, "the same under {} interleavings", self.seeds);
        }
        Ok(out)
    }

    fn buffers(&self) -> impl Iterator<Item = &Argument> {
        self.arguments.iter().filter(|a| a.is_buffer())
    }

    fn kernel(&self, module: &Module) -> Result<String, String> {
        let kernels: Vec<&str> = module.kernels().collect();
        match (&self.entry, kernels.as_slice()) {
            (Some(entry), all) if all.contains(&entry.as_str()) => Ok(entry.clone()),
            (None, [one]) => Ok((*one).to_owned()),
            (None, []) => Err("the module has no kernel".into()),
            (_, all) => Err(format!(
                "name one of its kernels with --entry: {}",
                all.join(", ")
            )),
        }
    }

    /// One launch on a fresh device; the buffers' bytes behind it.
    fn once(
        &self,
        module: &Module,
        entry: &str,
        seed: u64,
    ) -> Result<(Stats, Vec<Vec<u8>>), String> {
        let mut limits = Limits::default();
        if let Some(sms) = self.sms {
            limits.sms = sms.max(1);
        }
        let mut machine = Machine::new(limits, seed);
        if self.shared > 0 {
            machine
                .allow_shared(module, entry, self.shared)
                .map_err(|e| e.to_string())?;
        }
        let mut parameters = Vec::new();
        let mut buffers = Vec::new();
        for argument in &self.arguments {
            parameters.push(match argument.bytes()? {
                argument::Bytes::Value(bytes) => bytes,
                argument::Bytes::Buffer { size, content } => {
                    let address = machine.alloc(size as u64).map_err(|e| e.to_string())?;
                    if let Some(content) = content {
                        machine
                            .write(address, &content)
                            .map_err(|e| e.to_string())?;
                    }
                    buffers.push((address, size));
                    address.to_le_bytes().to_vec()
                }
            });
        }
        let parameters: Vec<&[u8]> = parameters.iter().map(Vec::as_slice).collect();
        let stats = machine
            .launch(
                module,
                entry,
                self.grid,
                self.block,
                self.shared,
                &parameters,
            )
            .map_err(|e| e.to_string())?;
        let mut all = Vec::new();
        for (address, size) in buffers {
            let mut bytes = vec![0; size];
            machine
                .peek(address, &mut bytes)
                .map_err(|e| e.to_string())?;
            all.push(bytes);
        }
        Ok((stats, all))
    }
}

fn describe(stats: &Stats) -> String {
    format!(
        "{} blocks, at most {} at a time, {} bytes of shared memory each\n\
         {} instructions of warps, {} of threads, {} branches that diverged, {} barriers, {} collectives\n\
         global memory: {} loads, {} stores, {} sectors, {} atomics\n\
         shared memory: {} loads, {} stores, {} passes, {} atomics",
        stats.blocks,
        stats.resident_blocks,
        stats.shared_bytes,
        stats.warp_instructions,
        stats.thread_instructions,
        stats.divergent_branches,
        stats.barriers,
        stats.collectives,
        stats.global_loads,
        stats.global_stores,
        stats.global_sectors,
        stats.global_atomics,
        stats.shared_loads,
        stats.shared_stores,
        stats.shared_passes,
        stats.shared_atomics,
    )
}
