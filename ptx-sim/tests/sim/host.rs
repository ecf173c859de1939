//! The host's side of the tests: modules, buffers, launches.

use ptx_sim::{Fault, Limits, Machine, Module, Stats};

/// A parsed module with its text.
pub(crate) struct Program {
    module: Module,
    source: String,
}

impl std::ops::Deref for Program {
    type Target = Module;
    fn deref(&self) -> &Module {
        &self.module
    }
}

/// A module for the base target around a text, whose first line is line 4.
pub(crate) fn module(body: &str) -> Program {
    module_for("7.0", 70, body)
}

pub(crate) fn module_for(version: &str, target: u32, body: &str) -> Program {
    let text = format!(".version {version}\n.target sm_{target}\n.address_size 64\n{body}");
    super::harness::keep("module", &text);
    let module = Module::parse(&text).unwrap_or_else(|e| panic!("{e}"));
    Program {
        module,
        source: text,
    }
}

/// A kernel `k` with one pointer parameter `p` (in `%rd0`), some registers, and this text.
pub(crate) fn kernel(text: &str) -> String {
    format!(
        ".visible .entry k(.param .u64 p) {{
.reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<32>; .reg .b64 %rd<16>; .reg .f32 %f<8>; .reg .f64 %fd<8>;
ld.param.u64 %rd0, [p];
mov.u32 %r0, %tid.x;
{text}
ret;
}}"
    )
}

pub(crate) fn machine(seed: u64) -> Machine {
    Machine::new(
        Limits {
            instruction_budget: 3_000_000,
            ..Limits::default()
        },
        seed,
    )
}

pub(crate) fn bytes(values: &[u32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

pub(crate) fn upload(m: &mut Machine, values: &[u32]) -> u64 {
    let a = m.alloc(4 * values.len() as u64).unwrap();
    m.write(a, &bytes(values)).unwrap();
    a
}

pub(crate) fn download(m: &mut Machine, address: u64, n: usize) -> Vec<u32> {
    let mut out = vec![0; 4 * n];
    m.read(address, &mut out).unwrap();
    out.chunks(4)
        .map(|c| u32::from_le_bytes(c.try_into().unwrap()))
        .collect()
}

/// Runs kernel `k` of a module over a buffer; gives what the buffer holds then.
pub(crate) fn run_module(
    program: &Program,
    seed: u64,
    (grid, block, shared): (u32, u32, u32),
    buffer: &[u32],
) -> Result<(Vec<u32>, Stats), Fault> {
    let mut m = machine(seed);
    let p = upload(&mut m, buffer);
    let stats = m.launch(
        program,
        "k",
        [grid, 1, 1],
        [block, 1, 1],
        shared,
        &[&p.to_le_bytes()],
    )?;
    let result = download(&mut m, p, buffer.len());
    if seed == 1 {
        // For the GPU's opinion; see `hardware.py`.
        let note = format!("{}\n// {grid} {block} {shared}\n", program.source);
        if let Some(path) = super::harness::keep("program", &note) {
            std::fs::write(path.with_extension("in"), bytes(buffer)).unwrap();
            std::fs::write(path.with_extension("out"), bytes(&result)).unwrap();
        }
    }
    Ok((result, stats))
}

/// Runs the kernel made of `text` over a buffer.
pub(crate) fn run(text: &str, launch: (u32, u32, u32), buffer: &[u32]) -> Result<Vec<u32>, Fault> {
    Ok(run_module(&module(&kernel(text)), 1, launch, buffer)?.0)
}

/// Every seed must give `want`.
pub(crate) fn always(body: &str, launch: (u32, u32, u32), buffer: &[u32], want: &[u32]) {
    let module = module(body);
    for seed in 0..16 {
        let (got, _) = run_module(&module, seed, launch, buffer)
            .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        assert_eq!(got, want, "seed {seed}");
    }
}

/// At least `least` of 16 seeds must fault; gives the first fault.
pub(crate) fn faults(body: &str, launch: (u32, u32, u32), buffer: &[u32], least: usize) -> Fault {
    let module = module(body);
    let found: Vec<Fault> = (0..16)
        .filter_map(|seed| run_module(&module, seed, launch, buffer).err())
        .collect();
    assert!(found.len() >= least, "{} of 16 seeds fault", found.len());
    found.into_iter().next().unwrap()
}
