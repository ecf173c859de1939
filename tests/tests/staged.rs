//! Loops whose inner loops are staged through shared memory: kernels of the strategies `contract` and `reduce` in the simulator, against the
//! interpreter over the loop as it is written, bit for bit.

use accrue_compiler::emit_ptx::{Options, emit};
use accrue_compiler::ir::{Access, ArrayId, Scalar};
use accrue_ptx::abi::{Module, Strategy};
use accrue_tests::data::{Data, params};
use accrue_tests::oracle;
use accrue_tests::quiet::expected;
use accrue_tests::simulated::{Outcome, Variation, run};

/// A call: the source, its numbers, and its arrays with their lengths.
struct Call<'a> {
    source: &'a str,
    numbers: &'a [(&'a str, usize)],
    arrays: &'a [(&'a str, usize)],
    seed: u64,
    /// Elements by which arrays are moved from an aligned address.
    shift: usize,
}

/// How a call went.
#[derive(Debug, PartialEq)]
enum Went {
    /// In blocks.
    Staged,
    /// As the loop is written.
    Plain,
    /// A fault, told as the interpreter tells it.
    Fault(u64),
}

/// Numbers that round, and some that are none, infinite or a negative zero; integers of all bits.
fn fill(scalar: Scalar, n: usize, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut bytes = Vec::new();
    for _ in 0..n {
        let bits = next();
        let wild = seed % 4 == 3 && bits % 97 == 0;
        let odd = [f64::NAN, f64::INFINITY, -0.0, f64::MIN_POSITIVE][(bits >> 20) as usize % 4];
        let float = match wild {
            true => odd,
            false => (bits >> 40) as f64 / (1u64 << 20) as f64 - 7.3,
        };
        match scalar {
            Scalar::F32 => bytes.extend((float as f32).to_ne_bytes()),
            Scalar::F64 => bytes.extend(float.to_ne_bytes()),
            other => bytes.extend(&bits.to_ne_bytes()[..other.size() as usize]),
        }
    }
    bytes
}

/// Whether two arrays of a type are the same; any number that is none is like any other.
fn same(ours: &[u8], theirs: &[u8], scalar: Scalar) -> Option<usize> {
    let none = |bytes: &[u8]| match scalar {
        Scalar::F32 => f32::from_ne_bytes(bytes.try_into().expect("four bytes")).is_nan(),
        Scalar::F64 => f64::from_ne_bytes(bytes.try_into().expect("eight bytes")).is_nan(),
        _ => false,
    };
    let size = scalar.size() as usize;
    let mut pairs = ours.chunks_exact(size).zip(theirs.chunks_exact(size));
    pairs.position(|(a, b)| a != b && !(none(a) && none(b)))
}

/// The same kernel, which is not to come to the loop as it is written.
fn without_plain(module: &Module) -> Module {
    let text = module.text().replace("\nPLAIN:\n", "\nPLAIN:\n    trap;\n");
    assert_ne!(text, module.text());
    Module {
        ptx: text.into(),
        abi: module.abi.clone(),
    }
}

/// Writes a module where `ACCRUE_DUMP` says, for `.ci/ptxas`.
fn dump(module: &Module) {
    let Some(folder) = std::env::var_os("ACCRUE_DUMP").filter(|folder| !folder.is_empty()) else {
        return;
    };
    let text = module.text();
    let name = format!(
        "staged_{:016x}.ptx",
        text.bytes().fold(0u64, |h, b| (h ^ u64::from(b))
            .wrapping_mul(0x100_0000_01b3))
    );
    std::fs::create_dir_all(&folder).expect("ACCRUE_DUMP names a folder");
    std::fs::write(std::path::Path::new(&folder).join(name), text.as_bytes())
        .expect("ACCRUE_DUMP is writable");
}

impl Call<'_> {
    /// Runs the call by the kernel of a strategy, and holds it against the interpreter.
    fn run(&self, strategy: Strategy) -> Went {
        let source = self.source;
        let analysis = oracle::analyze_any(source).unwrap_or_else(|e| panic!("{source}: {e:?}"));
        let [plan] = &analysis.loops[..] else {
            panic!("one loop of\n{source}")
        };
        let params = params(&analysis.function);
        let mut data = Data::default();
        for (n, param) in params.iter().enumerate() {
            let number = self.numbers.iter().find(|(name, _)| *name == param.name);
            let array = self.arrays.iter().find(|(name, _)| *name == param.name);
            let bytes = match (number, array) {
                (Some((_, number)), _) => number.to_ne_bytes().to_vec(),
                (_, Some((_, length))) => fill(param.scalar, *length, self.seed + n as u64),
                _ => fill(param.scalar, 1, self.seed + n as u64),
            };
            data.0.insert(param.name.clone(), bytes);
        }
        let mut theirs = oracle::kernel_state(plan, &params, &data);
        let fault = theirs.interpret(&plan.pattern).err();
        let options = Options::default();
        let ir = plan.kernel_ir();
        let modules = emit(ir, &plan.pattern, &analysis.sources, &options)
            .unwrap_or_else(|o| panic!("{source}: {o:?}"));
        let module = modules.iter().find(|m| m.abi.strategy == strategy);
        let module = module.unwrap_or_else(|| panic!("no {} of\n{source}", strategy.name()));
        dump(module);
        let how = Variation {
            seed: self.seed,
            block: 256,
            shift: self.shift,
            ..Variation::default()
        };
        let mut state = oracle::kernel_state(plan, &params, &data);
        let outcome = run(module, ir, &plan.pattern, &mut state, how);
        match (&outcome, &fault) {
            (Outcome::Done, None) => {}
            (Outcome::Fault(at, message), Some(fault)) => {
                let told = (fault.iteration, fault.kind.to_string());
                assert_eq!((*at, message.clone()), told, "{source}");
                return Went::Fault(*at);
            }
            _ => panic!("{outcome:?}, not {fault:?}\n{source}\n{}", module.text()),
        }
        for (n, array) in ir.arrays.iter().enumerate() {
            if array.access != Access::Owned {
                continue;
            }
            let id = ArrayId(n as u32);
            let scalar = array.elem.as_scalar().expect("elements are scalars");
            let wrong = same(state.bytes(id), theirs.bytes(id), scalar);
            let of = (self.numbers, self.arrays);
            assert_eq!(
                wrong,
                None,
                "{} of {of:?}\n{source}\n{}",
                array.name,
                module.text()
            );
        }
        let mut again = oracle::kernel_state(plan, &params, &data);
        let module = without_plain(module);
        let _quiet = accrue_tests::quiet();
        let staged = expected(|| run(&module, ir, &plan.pattern, &mut again, how));
        match staged {
            Ok(Outcome::Done) => Went::Staged,
            _ => Went::Plain,
        }
    }
}

const PRODUCT: &str = "fn f(n: usize, m: usize, l: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    for i in 0..n { for j in 0..m {
        let mut sum = 0.0f32;
        for k in 0..l { sum += a[i * l + k] * b[k * m + j]; }
        c[i * m + j] = sum;
    } }
}";

const INTO: &str = "fn f(n: usize, m: usize, l: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
    for i in 0..n { for j in 0..m { for k in 0..l { c[i * m + j] += a[i * l + k] * b[k * m + j]; } } }
}";

const ROWS: &str = "fn f(n: usize, l: usize, a: &[f32], x: &[f32], y: &mut [f32]) {
    for i in 0..n {
        let mut sum = 0.0f32;
        for k in 0..l { sum += a[i * l + k] * x[k]; }
        y[i] = sum;
    }
}";

const COLUMNS: &str = "fn f(n: usize, l: usize, a: &[f32], x: &[f32], y: &mut [f32]) {
    for i in 0..n {
        let mut sum = 0.0f32;
        for k in 0..l { sum += a[k * n + i] * x[k]; }
        y[i] = sum;
    }
}";

#[test]
fn rows_and_columns_are_staged() {
    for source in [ROWS, COLUMNS] {
        for (seed, [n, l]) in
            (0..).zip([[32, 128], [33, 129], [5, 300], [100, 32], [1, 40], [31, 31]])
        {
            let call = Call {
                source,
                numbers: &[("n", n), ("l", l)],
                arrays: &[("a", n * l), ("x", l), ("y", n)],
                seed,
                shift: seed as usize % 3,
            };
            let staged = l >= 32 && n >= 4;
            let went = if staged { Went::Staged } else { Went::Plain };
            assert_eq!(call.run(Strategy::Reduce), went, "{n} by {l}");
        }
    }
}

/// A product of `n` by `l` and `l` by `m`.
fn product(source: &str, [n, m, l]: [usize; 3], seed: u64) -> Went {
    let call = Call {
        source,
        numbers: &[("n", n), ("m", m), ("l", l)],
        arrays: &[("a", n * l), ("b", l * m), ("c", n * m)],
        seed,
        shift: seed as usize % 3,
    };
    call.run(Strategy::Contract)
}

#[test]
fn products_are_staged() {
    for source in [PRODUCT, INTO] {
        for (seed, sizes) in (0..).zip([[64, 128, 16], [65, 129, 17], [70, 60, 40], [40, 130, 9]]) {
            assert_eq!(product(source, sizes, seed), Went::Staged, "{sizes:?}");
        }
        for (seed, sizes) in (0..).zip([[1, 1, 1], [1, 200, 8], [3, 5, 30], [60, 60, 3], [7, 9, 0]])
        {
            assert_eq!(product(source, sizes, seed), Went::Plain, "{sizes:?}");
        }
    }
}
