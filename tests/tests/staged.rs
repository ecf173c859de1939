//! Loops whose inner loops are staged through shared memory: kernels of the strategies `contract` and `reduce` in the simulator, against the
//! interpreter over the loop as it is written, bit for bit.

use accrue_compiler::emit_ptx::{Options, emit};
use accrue_compiler::ir::interpret::State;
use accrue_compiler::ir::{Access, ArrayId, Scalar};
use accrue_compiler::plan::LoopPlan;
use accrue_ptx::abi::{Module, Strategy};
use accrue_ptx::cut::CutWish;
use accrue_tests::data::{Data, Param, params};
use accrue_tests::oracle;
use accrue_tests::quiet::expected as quietly;
use accrue_tests::simulated::{Outcome, Variation, run};

/// A call: the source, its numbers, and its arrays with their lengths.
#[derive(Clone, Copy, Default)]
struct Call<'a> {
    source: &'a str,
    numbers: &'a [(&'a str, usize)],
    arrays: &'a [(&'a str, usize)],
    seed: u64,
    /// Elements by which arrays are moved from an aligned address.
    shift: usize,
    /// How blocks are cut, as in the attribute's `strategy`; as usual if it says nothing.
    cut: &'a str,
    /// A source that means the same, in words that leave nothing to the kernel.
    meant: Option<&'a str>,
    /// Whether products may be fused with their sums.
    contract: bool,
}

/// How a call went.
#[derive(Clone, Debug, PartialEq)]
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
        let meant = oracle::analyze_any(self.meant.unwrap_or(source));
        let meant = meant.unwrap_or_else(|e| panic!("{source}: {e:?}"));
        let mut theirs = oracle::kernel_state(&meant.loops[0], &params, &data);
        theirs.overflow_checks = false;
        let fault = theirs.interpret(&meant.loops[0].pattern).err();
        let options = Options {
            cut: CutWish::of(self.cut).expect("parameters"),
            contract: self.contract,
            ..Options::default()
        };
        let ir = plan.kernel_ir();
        let modules = emit(ir, &plan.kernel_pattern(), &analysis.sources, &options)
            .unwrap_or_else(|o| panic!("{source}: {o:?}"));
        let modules = modules.iter().filter(|m| m.abi.strategy == strategy);
        let went = modules.map(|module| {
            assert!(
                options
                    .cut
                    .allows(&module.abi.cut.expect("it is in blocks"))
            );
            let expected = Expected {
                theirs: &theirs,
                meant: &meant.loops[0],
                fault: fault.as_ref().map(|f| (f.iteration, f.kind.to_string())),
            };
            self.run_module(module, plan, (&params, &data), &expected)
        });
        let went: Vec<Went> = went.collect();
        let none = || panic!("no {} {} of\n{source}", strategy.name(), self.cut);
        went.first().cloned().unwrap_or_else(none)
    }

    /// The same by one kernel.
    fn run_module(
        &self,
        module: &Module,
        plan: &LoopPlan,
        (params, data): (&[Param], &Data),
        expected: &Expected<'_>,
    ) -> Went {
        let source = self.source;
        let ir = plan.kernel_ir();
        // Of each cut one loop is enough for the assembler.
        if self.cut.is_empty() || source == PRODUCT {
            dump(module);
        }
        let how = Variation {
            seed: self.seed,
            block: module.abi.block,
            shift: self.shift,
            ..Variation::default()
        };
        let mut state = oracle::kernel_state(plan, params, data);
        let outcome = run(module, ir, &plan.pattern, &mut state, how);
        match (&outcome, &expected.fault) {
            (Outcome::Done, None) => {}
            (Outcome::Fault(at, message), Some(fault)) => {
                assert_eq!((*at, message.clone()), *fault, "{source}");
                return Went::Fault(*at);
            }
            (_, fault) => panic!("{outcome:?}, not {fault:?}\n{source}\n{}", module.text()),
        }
        for (n, array) in ir.arrays.iter().enumerate() {
            if array.access != Access::Owned {
                continue;
            }
            let theirs = &expected.meant.ir.arrays;
            let named = theirs.iter().position(|a| a.name == array.name);
            let theirs = ArrayId(named.expect("both have the same arrays") as u32);
            let ours = ArrayId(n as u32);
            let scalar = array.elem.as_scalar().expect("elements are scalars");
            let wrong = same(state.bytes(ours), expected.theirs.bytes(theirs), scalar);
            let of = (self.numbers, self.arrays, self.cut);
            assert_eq!(
                wrong,
                None,
                "{} of {of:?}\n{source}\n{}",
                array.name,
                module.text()
            );
        }
        let mut again = oracle::kernel_state(plan, params, data);
        let module = without_plain(module);
        let _quiet = accrue_tests::quiet();
        let staged = quietly(|| run(&module, ir, &plan.pattern, &mut again, how));
        match staged {
            Ok(Outcome::Done) => Went::Staged,
            _ => Went::Plain,
        }
    }
}

/// What a kernel has to come to.
struct Expected<'a> {
    theirs: &'a State<'a>,
    meant: &'a LoopPlan,
    fault: Option<(u64, String)>,
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
                ..Call::default()
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
        ..Call::default()
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

/// A loop, and its arrays: the name of each, and which of the sizes its length is the product of.
type Form = (&'static str, &'static [(&'static str, &'static [usize])]);

/// Forms of two dimensions, as people write them: the source, and which lengths arrays have, of `[n, m, l]`.
const FORMS: [Form; 12] = [
    // Both operands transposed.
    (
        "fn f(n: usize, m: usize, l: usize, a: &[f32], b: &[f32], c: &mut [f32]) { for i in 0..n { for j in 0..m { \
      let mut sum = 0.0; for k in 0..l { sum += a[k * n + i] * b[j * l + k]; } c[i * m + j] = sum; } } }",
        &[("a", &[0, 2]), ("b", &[1, 2]), ("c", &[0, 1])],
    ),
    // Scaled, onto what is there, with indices that are declared.
    (
        "fn f(n: usize, m: usize, l: usize, s: f64, t: f64, a: &[f64], b: &[f64], c: &mut [f64]) { for i in 0..n { let row = i * l; \
      for j in 0..m { let at = i * m + j; let mut sum = 0.0; for k in 0..l { sum += a[row + k] * b[k * m + j]; } \
      c[at] = s * sum + t * c[at]; } } }",
        &[("a", &[0, 2]), ("b", &[1, 2]), ("c", &[0, 1])],
    ),
    // From what is there.
    (
        "fn f(n: usize, m: usize, l: usize, a: &[f32], b: &[f32], c: &mut [f32]) { for i in 0..n { for j in 0..m { \
      let mut sum = c[i * m + j]; for k in 0..l { sum -= a[i * l + k] * b[k * m + j]; } c[i * m + j] = sum; } } }",
        &[("a", &[0, 2]), ("b", &[1, 2]), ("c", &[0, 1])],
    ),
    // Cleared before.
    (
        "fn f(n: usize, m: usize, l: usize, a: &[u32], b: &[u32], c: &mut [u32]) { for i in 0..n { for j in 0..m { \
      c[i * m + j] = 0; for k in 0..l { c[i * m + j] += a[i * l + k] * b[k * m + j]; } } } }",
        &[("a", &[0, 2]), ("b", &[1, 2]), ("c", &[0, 1])],
    ),
    // Rows as they are handed out, of bytes into words.
    (
        "fn f(m: usize, l: usize, a: &[u8], b: &[i8], c: &mut [i32]) { for (i, row) in c.chunks_exact_mut(m).enumerate() { \
      for (j, c) in row.iter_mut().enumerate() { let mut sum = 0i32; \
      for k in 0..l { sum += a[i * l + k] as i32 * b[k * m + j] as i32; } *c = sum; } } }",
        &[("a", &[0, 2]), ("b", &[1, 2]), ("c", &[0, 1])],
    ),
    // Distances of all pairs, with a mean taken away.
    (
        "fn f(n: usize, m: usize, l: usize, a: &[f32], b: &[f32], c: &mut [f32]) { for i in 0..n { for j in 0..m { \
      let mut sum = 0.0f32; for k in 0..l { let d = a[i * l + k] - b[j * l + k]; sum += d * d; } c[i * m + j] = sum.sqrt(); } } }",
        &[("a", &[0, 2]), ("b", &[1, 2]), ("c", &[0, 1])],
    ),
    // Weights by the position, and an element of each iteration's own.
    (
        "fn f(n: usize, m: usize, l: usize, a: &[f32], b: &[f32], w: &[f32], d: &[f32], c: &mut [f32]) { for i in 0..n { for j in 0..m { \
      let mut sum = w[0] * d[j]; for k in 0..l { sum += (a[i * l + k] - d[j]) * w[k] * (b[k * m + j] + k as f32); } c[i * m + j] = sum; } } }",
        &[
            ("a", &[0, 2]),
            ("b", &[1, 2]),
            ("w", &[2]),
            ("d", &[1]),
            ("c", &[0, 1]),
        ],
    ),
    // The greatest, and the least, by two variables.
    (
        "fn f(n: usize, m: usize, l: usize, a: &[f32], b: &[f32], c: &mut [f32], e: &mut [f32]) { for i in 0..n { for j in 0..m { \
      let (mut top, mut low) = (f32::MIN, f32::MAX); for k in 0..l { let v = a[i * l + k] + b[k * m + j]; \
      if v > top { top = v; } if v < low { low = v; } } c[i * m + j] = top; e[i * m + j] = low; } } }",
        &[
            ("a", &[0, 2]),
            ("b", &[1, 2]),
            ("c", &[0, 1]),
            ("e", &[0, 1]),
        ],
    ),
    // Complex numbers.
    (
        "fn f(n: usize, m: usize, l: usize, a: &[f32], b: &[f32], p: &[f32], q: &[f32], c: &mut [f32], e: &mut [f32]) { for i in 0..n { for j in 0..m { \
      let (mut re, mut im) = (0.0f32, 0.0f32); for k in 0..l { let (x, y) = (a[i * l + k], b[i * l + k]); \
      let (u, v) = (p[k * m + j], q[k * m + j]); re += x * u - y * v; im += x * v + y * u; } \
      c[i * m + j] = re; e[i * m + j] = im; } } }",
        &[
            ("a", &[0, 2]),
            ("b", &[0, 2]),
            ("p", &[1, 2]),
            ("q", &[1, 2]),
            ("c", &[0, 1]),
            ("e", &[0, 1]),
        ],
    ),
    // A Gram matrix: both operands are of one array.
    (
        "fn f(n: usize, l: usize, a: &[u64], c: &mut [u64]) { for i in 0..n { for j in 0..n { \
      let mut sum = 0u64; for k in 0..l { sum = sum.wrapping_add(a[k * n + i].wrapping_mul(a[k * n + j])); } c[i * n + j] = sum; } } }",
        &[("a", &[0, 2]), ("c", &[0, 0])],
    ),
    // Some iterations write nothing.
    (
        "fn f(n: usize, m: usize, l: usize, a: &[i16], b: &[i16], c: &mut [i16]) { for i in 0..n { for j in 0..m { \
      let mut sum = 0i16; for k in 0..l { sum ^= a[i * l + k] & b[j * l + k]; } if sum < 0 { continue; } c[j * n + i] = sum; } } }",
        &[("a", &[0, 2]), ("b", &[1, 2]), ("c", &[0, 1])],
    ),
    // Filters over a signal: what neighbours read overlaps.
    (
        "fn f(n: usize, m: usize, l: usize, a: &[f32], b: &[f32], c: &mut [f32]) { for i in 0..n { for j in 0..m { \
      let mut sum = 0.0f32; for k in 0..l { sum += a[i * l + k] * b[j + k]; } c[i * m + j] = sum; } } }",
        &[("a", &[0, 2]), ("b", &[1, 2]), ("c", &[0, 1])],
    ),
];

/// Blocks as studies cut them: a result a thread, several in a row, the largest; every stage loaded behind the one before; gangs of less than a warp.
const CUTS: [&str; 11] = [
    "contract:tile=4",
    "contract:tile=4x16x4,per_thread=4,prefetch=0",
    "contract:tile=8,unroll=1,prefetch=0",
    "contract:tile=8x16x8,per_thread=2,unroll=8",
    "contract:tile=16,unroll=16,prefetch=0",
    "contract:tile=16x64x16,per_thread=4,unroll=16",
    "contract:tile=16x32x2,per_thread=2x1",
    "contract:tile=32x32x1",
    "contract:tile=1x32x8",
    "contract:tile=64x32x8,per_thread=8x2,unroll=2,prefetch=0",
    "contract:prefetch=0",
];

/// The product's own: what a thread keeps of others does not fit.
const LARGE: [&str; 3] = [
    "contract:tile=128x128x8,per_thread=8x8,unroll=8",
    "contract:tile=128x64x16,per_thread=8x8,unroll=2,prefetch=0",
    "contract:tile=128x32x8,per_thread=16x2",
];

#[test]
fn blocks_of_any_cut_are_the_loop() {
    for (number, of) in FORMS.iter().enumerate() {
        for (seed, cut) in (0..).zip(CUTS) {
            let n = number + seed as usize;
            let sizes = [[33, 37, 21], [19, 66, 16], [40, 31, 9], [37, 35, 3]][n % 4];
            let call = |call: Call<'_>| call.run(Strategy::Contract);
            let went = form_by(of, sizes, seed + number as u64, 0, |with| {
                call(Call { cut, ..with })
            });
            assert_eq!(went, Went::Staged, "form {number}, {cut}, {sizes:?}");
        }
    }
    for cut in LARGE.iter().chain(&CUTS) {
        for (seed, sizes) in (0..).zip([[67, 130, 17], [130, 65, 33]]) {
            let [n, m, l] = sizes;
            let call = Call {
                source: PRODUCT,
                numbers: &[("n", n), ("m", m), ("l", l)],
                arrays: &[("a", n * l), ("b", l * m), ("c", n * m)],
                seed,
                cut,
                ..Call::default()
            };
            assert_eq!(
                call.run(Strategy::Contract),
                Went::Staged,
                "{cut}, {sizes:?}"
            );
        }
    }
}

/// A loop, and what it is where products are fused with what they are added to.
const FUSED: [[&str; 2]; 6] = [
    [
        "sum += a[i * l + k] * b[k * m + j];",
        "sum = a[i * l + k].mul_add(b[k * m + j], sum);",
    ],
    [
        "sum -= a[i * l + k] * b[k * m + j];",
        "sum = (-a[i * l + k]).mul_add(b[k * m + j], sum);",
    ],
    [
        "sum = sum - a[i * l + k] * b[k * m + j] * 1.7;",
        "sum = (-(a[i * l + k] * b[k * m + j])).mul_add(1.7, sum);",
    ],
    [
        "sum = a[i * l + k] * b[k * m + j] - sum;",
        "sum = a[i * l + k].mul_add(b[k * m + j], -sum);",
    ],
    // Of two products the right one.
    [
        "sum += a[i * l + k] * 0.3 + b[k * m + j] * 1.3;",
        "sum += b[k * m + j].mul_add(1.3, a[i * l + k] * 0.3);",
    ],
    // What has a name is rounded.
    [
        "let p = a[i * l + k] * b[k * m + j]; sum += p;",
        "let p = a[i * l + k] * b[k * m + j]; sum += p;",
    ],
];

#[test]
fn products_are_fused_where_the_function_says_so() {
    let whole = |ty: &str, body: &str| {
        format!(
            "fn f(n: usize, m: usize, l: usize, a: &[{ty}], b: &[{ty}], c: &mut [{ty}]) {{ for i in 0..n {{ for j in 0..m {{ \
             let mut sum = 0.0; for k in 0..l {{ {body} }} c[i * m + j] = sum; }} }} }}"
        )
    };
    for (number, bodies) in FUSED.iter().enumerate() {
        for (seed, ty) in (0..).zip(["f32", "f64"]) {
            let [written, meant] = bodies.map(|body| whole(ty, body));
            let [n, m, l] = [40, 70, 25];
            let call = Call {
                source: &written,
                numbers: &[("n", n), ("m", m), ("l", l)],
                arrays: &[("a", n * l), ("b", l * m), ("c", n * m)],
                seed: 4 * seed,
                meant: Some(&meant),
                contract: true,
                ..Call::default()
            };
            assert_eq!(call.run(Strategy::Contract), Went::Staged, "{number}");
        }
    }
    // Integers have nothing to fuse, and wrap as they do.
    let source = whole("u32", "sum += a[i * l + k] * b[k * m + j];").replace("0.0", "0");
    let call = Call {
        source: &source,
        numbers: &[("n", 40), ("m", 70), ("l", 9)],
        arrays: &[("a", 360), ("b", 630), ("c", 2800)],
        contract: true,
        ..Call::default()
    };
    assert_eq!(call.run(Strategy::Contract), Went::Staged);
}

/// Sums of products of `f64` that tensor cores make, and the same with what is fused written out. `_` is what is around them.
const BY_TENSOR_CORES: [[&str; 2]; 6] = [
    [
        "let mut sum = 0.0; for k in 0..l { sum += a[i * l + k] * b[k * m + j]; } c[i * m + j] = sum;",
        "let mut sum = 0.0; for k in 0..l { sum = a[i * l + k].mul_add(b[k * m + j], sum); } c[i * m + j] = sum;",
    ],
    // Both factors by columns, the other one first, and straight into the array.
    [
        "for k in 0..l { c[i * m + j] += b[k * m + j] * a[k * n + i]; }",
        "for k in 0..l { c[i * m + j] = b[k * m + j].mul_add(a[k * n + i], c[i * m + j]); }",
    ],
    // Both by rows, and more around the sum.
    [
        "let mut sum = c[i * m + j] * 0.5; for k in 0..l { sum = sum + a[i * l + k] * b[j * l + k]; } c[i * m + j] = sum - 1.5;",
        "let mut sum = c[i * m + j] * 0.5; for k in 0..l { sum = a[i * l + k].mul_add(b[j * l + k], sum); } c[i * m + j] = sum - 1.5;",
    ],
    [
        "let mut sum = 0.0; for k in 0..l { sum = b[k * m + j] * a[k * n + i] + sum; } c[i * m + j] += sum;",
        "let mut sum = 0.0; for k in 0..l { sum = b[k * m + j].mul_add(a[k * n + i], sum); } c[i * m + j] += sum;",
    ],
    // Rows from the end.
    [
        "let mut sum = 0.0; for k in 0..l { sum += a[i * l + k] * b[k * m + j + 1]; } c[i * m + j] = sum;",
        "let mut sum = 0.0; for k in 0..l { sum = a[i * l + k].mul_add(b[k * m + j + 1], sum); } c[i * m + j] = sum;",
    ],
    [
        "let mut sum: f64 = 0.0; for k in 0..l { sum = a[i * l + k].mul_add(b[k * m + j], sum); } c[i * m + j] = sum;",
        "let mut sum: f64 = 0.0; for k in 0..l { sum = a[i * l + k].mul_add(b[k * m + j], sum); } c[i * m + j] = sum;",
    ],
];

/// What looks alike and is none of these.
const BY_THREADS: [(&str, bool); 9] = [
    (
        "let mut own = sum; own += a[i * l + k] * b[k * m + j];",
        true,
    ),
    ("sum += a[i * l + k] * b[k * m + j];", false),
    ("sum -= a[i * l + k] * b[k * m + j];", true),
    ("sum = a[i * l + k] * b[k * m + j] - sum;", true),
    ("sum += a[i * l + k] * b[k * m + j] * 0.5;", true),
    ("sum += a[i * l + k] * a[i * l + k] + b[k * m + j];", true),
    ("sum += a[i * l + k] * b[k * m + j] + a[i * l + k];", true),
    ("let p = a[i * l + k] * b[k * m + j]; sum += p;", true),
    ("sum = b[k * m + j].mul_add(sum, a[i * l + k]);", true),
];

fn of_matrices(ty: &str, body: &str) -> String {
    format!(
        "fn f(n: usize, m: usize, l: usize, a: &[{ty}], b: &[{ty}], c: &mut [{ty}]) {{ for i in 0..n {{ for j in 0..m {{ {body} }} }} }}"
    )
}

/// Whether one of a loop's kernels is for tensor cores, which is the first one then.
fn has_tensor_cores(source: &str, contract: bool) -> bool {
    let analysis = oracle::analyze_any(source).unwrap_or_else(|e| panic!("{source}: {e:?}"));
    let plan = &analysis.loops[0];
    let options = Options {
        contract,
        ..Options::default()
    };
    let modules = emit(
        plan.kernel_ir(),
        &plan.kernel_pattern(),
        &analysis.sources,
        &options,
    );
    let modules = modules.unwrap_or_else(|o| panic!("{source}: {o:?}"));
    let is_tensor = |module: &Module| module.abi.cut.is_some_and(|cut| cut.tensor);
    for module in &modules {
        assert_eq!(is_tensor(module), module.abi.sm == 90, "{source}");
        assert_eq!(is_tensor(module), module.text().contains("mma.sync"));
    }
    let in_blocks = |module: &&Module| module.abi.strategy == Strategy::Contract;
    let first = modules.iter().find(in_blocks).is_some_and(is_tensor);
    assert_eq!(first, modules.iter().any(is_tensor), "{source}");
    // Older devices have another.
    assert!(!first || modules.iter().any(|m| in_blocks(&m) && !is_tensor(m)));
    first
}

#[test]
fn sums_of_products_of_doubles_are_made_by_tensor_cores() {
    let sizes = [
        [64, 64, 16],
        [8, 64, 8],
        [70, 65, 37],
        [130, 66, 20],
        [64, 63, 11],
        [63, 129, 64],
    ];
    for (number, bodies) in BY_TENSOR_CORES.iter().enumerate() {
        let [written, meant] = bodies.map(|body| of_matrices("f64", body));
        let contract = number < 5;
        assert!(has_tensor_cores(&written, contract), "{written}");
        for (seed, [n, m, l]) in (0..).zip(sizes) {
            for cut in [
                "",
                "contract:tensor=1,unroll=8,prefetch=0",
                "contract:tile=32x32x8,per_thread=2x4,unroll=8,tensor=1",
                "contract:tile=64x32x16,per_thread=8x4,unroll=16,tensor=1",
            ] {
                if !cut.is_empty() && (number + seed as usize) % 6 != 2 {
                    continue;
                }
                let call = Call {
                    source: &written,
                    numbers: &[("n", n), ("m", m), ("l", l)],
                    arrays: &[("a", n * l), ("b", l * m + 1), ("c", n * m)],
                    seed,
                    cut,
                    meant: Some(&meant),
                    contract,
                    ..Call::default()
                };
                let went = call.run(Strategy::Contract);
                assert_eq!(went, Went::Staged, "{number}, {cut}, {n} x {m} x {l}");
            }
        }
    }
    for (body, contract) in BY_THREADS {
        let body = format!("let mut sum = 0.0; for k in 0..l {{ {body} }} c[i * m + j] = sum;");
        let source = of_matrices("f64", &body);
        assert!(!has_tensor_cores(&source, contract), "{source}");
    }
    let [product, _] = BY_TENSOR_CORES[0].map(|body| of_matrices("f32", body));
    assert!(!has_tensor_cores(&product, true));
}

/// Products with the position in the middle, so that rows are read in order; and the same as one sum after the other.
const EXCHANGED: [[&str; 2]; 4] = [
    [
        "for i in 0..n { for k in 0..l { for j in 0..m { c[i * m + j] += a[i * l + k] * b[k * m + j]; } } }",
        "for i in 0..n { for j in 0..m { for k in 0..l { c[i * m + j] += a[i * l + k] * b[k * m + j]; } } }",
    ],
    [
        "for i in 0..n { for k in 0..l { let x = s * a[i * l + k]; for j in 0..m { c[i * m + j] -= x * b[k * m + j]; } } }",
        "for i in 0..n { for j in 0..m { for k in 0..l { c[i * m + j] -= s * a[i * l + k] * b[k * m + j]; } } }",
    ],
    [
        "for j in 0..m { for k in 0..l { for i in 0..n { c[i * m + j] += a[i * l + k] * b[k * m + j]; } } }",
        "for i in 0..n { for j in 0..m { for k in 0..l { c[i * m + j] += a[i * l + k] * b[k * m + j]; } } }",
    ],
    [
        "for (i, row) in c.chunks_exact_mut(m).enumerate() { for k in 0..l { let x = a[i * l + k]; \
         for (j, c) in row.iter_mut().enumerate() { *c += x * b[k * m + j]; } } }",
        "for i in 0..n { for j in 0..m { for k in 0..l { c[i * m + j] += a[i * l + k] * b[k * m + j]; } } }",
    ],
];

#[test]
fn products_whose_rows_are_read_in_order_are_staged() {
    for (number, bodies) in EXCHANGED.iter().enumerate() {
        let [written, meant] = bodies.map(|body| {
            format!("fn f(n: usize, m: usize, l: usize, s: f32, a: &[f32], b: &[f32], c: &mut [f32]) {{ {body} }}")
        });
        for (seed, [n, m, l]) in (0..).zip([[66, 70, 21], [33, 140, 16], [40, 61, 47]]) {
            let call = Call {
                source: &written,
                numbers: &[("n", n), ("m", m), ("l", l)],
                arrays: &[("a", n * l), ("b", l * m), ("c", n * m)],
                seed,
                meant: Some(&meant),
                ..Call::default()
            };
            assert_eq!(call.run(Strategy::Contract), Went::Staged, "{number}");
        }
    }
}

/// Loops that are not exchanged: of the middle one's iterations one needs what another has written, or it is left early.
#[test]
fn loops_that_cannot_be_exchanged_are_not() {
    for body in [
        "for k in 0..l { for j in 0..m - 1 { c[i * m + j] += c[i * m + j + 1] * b[k * m + j]; } }",
        "for k in 0..l { for j in 0..m { if b[k * m + j] < 0.0 { break; } c[i * m + j] += b[k * m + j]; } }",
        "for k in 0..l { for j in 0..k { c[i * m + j] += b[k * m + j]; } }",
        "for k in 0..l { let mut x = a[i * l + k]; for j in 0..m { c[i * m + j] += x; x += b[k * m + j]; } }",
    ] {
        let source = format!(
            "fn f(n: usize, m: usize, l: usize, a: &[f32], b: &[f32], c: &mut [f32]) {{ for i in 0..n {{ {body} }} }}"
        );
        let analysis = oracle::analyze_any(&source).unwrap_or_else(|e| panic!("{source}: {e:?}"));
        assert_eq!(analysis.loops[0].kernel_ir().space.len(), 1, "{source}");
    }
}

/// A call of a form, with `n` equal to `m` where it has no `m`.
fn form(of: &Form, sizes: [usize; 3], seed: u64, less: usize) -> Went {
    form_by(of, sizes, seed, less, |call| call.run(Strategy::Contract))
}

/// The same, called in some way.
fn form_by(
    (source, arrays): &Form,
    sizes: [usize; 3],
    seed: u64,
    less: usize,
    run: impl FnOnce(Call<'_>) -> Went,
) -> Went {
    let numbers: Vec<(&str, usize)> = ["n", "m", "l"].into_iter().zip(sizes).collect();
    let arrays: Vec<(&str, usize)> = arrays
        .iter()
        .map(|(name, of)| (*name, of.iter().map(|n| sizes[*n]).product::<usize>()))
        // Where something is lacking, it is an operand's last elements.
        .map(|(name, n)| (name, if name == "b" { n - less.min(n) } else { n }))
        .collect();
    let call = Call {
        source,
        numbers: &numbers,
        arrays: &arrays,
        seed,
        shift: seed as usize % 4,
        ..Call::default()
    };
    run(call)
}

#[test]
fn contractions_as_people_write_them_are_staged() {
    for (number, of) in FORMS.iter().enumerate() {
        for (seed, sizes) in (0..).zip([[66, 70, 21], [33, 140, 16], [129, 34, 8], [60, 61, 47]]) {
            let went = form(of, sizes, seed + number as u64, 0);
            assert_eq!(went, Went::Staged, "form {number}, {sizes:?}");
        }
    }
}

#[test]
fn contractions_of_any_size_are_the_loop() {
    let mut state = 7u64;
    let mut next = |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut staged = 0;
    for seed in 0..96 {
        let of = &FORMS[next(FORMS.len() as u64) as usize];
        let sizes = [1 + next(150), 1 + next(150), next(40)].map(|n| n as usize);
        staged += usize::from(form(of, sizes, seed, 0) == Went::Staged);
    }
    assert!(staged > 40, "{staged} of 96 in blocks");
}

#[test]
fn an_index_out_of_range_is_the_loops_fault() {
    for of in [&FORMS[0], &FORMS[1], &FORMS[2], &FORMS[6]] {
        for (seed, less) in (0..).zip([1, 5, 700, 100_000]) {
            let went = form(of, [66, 70, 21], seed, less);
            assert!(matches!(went, Went::Fault(_)), "{less} less: {went:?}");
        }
    }
    // Behind the inner loop: the first of the iterations that fail, whichever thread has it.
    let source = "fn f(n: usize, m: usize, l: usize, a: &[f32], b: &[f32], c: &mut [f32]) { for i in 0..n { for j in 0..m { \
        let mut sum = 0.0; for k in 0..l { sum += a[i * l + k] * b[k * m + j]; } c[i * m + j] = sum; } } }";
    for short in [1, 64 * 70 - 3, 70 * 70] {
        let [n, m, l] = [70usize, 70, 9];
        let call = Call {
            source,
            numbers: &[("n", n), ("m", m), ("l", l)],
            arrays: &[("a", n * l), ("b", l * m), ("c", n * m - short)],
            seed: 3,
            shift: 0,
            ..Call::default()
        };
        assert_eq!(
            call.run(Strategy::Contract),
            Went::Fault((n * m - short) as u64)
        );
    }
}

#[test]
fn blocks_of_more_dimensions_are_staged() {
    let source =
        "fn f(h: usize, n: usize, m: usize, l: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
        for h in 0..h { for i in 0..n { for j in 0..m {
            let mut sum = 0.0f32;
            for k in 0..l { sum += a[(h * n + i) * l + k] * b[(h * l + k) * m + j]; }
            c[(h * n + i) * m + j] = sum;
        } } }
    }";
    for (seed, [h, n, m, l]) in (0..).zip([[3, 40, 70, 20], [2, 65, 33, 9], [5, 64, 64, 16]]) {
        let call = Call {
            source,
            numbers: &[("h", h), ("n", n), ("m", m), ("l", l)],
            arrays: &[("a", h * n * l), ("b", h * l * m), ("c", h * n * m)],
            seed,
            shift: 0,
            ..Call::default()
        };
        assert_eq!(call.run(Strategy::Contract), Went::Staged);
    }
}

/// Sums of rows and columns in other forms.
const SUMS: [Form; 7] = [
    (
        "fn f(n: usize, l: usize, a: &[f32], y: &mut [f32]) { for i in 0..n { let mut sum = y[i]; \
      for k in 0..l { sum += a[i * l + k]; } y[i] = sum; } }",
        &[("a", &[0, 1]), ("y", &[0])],
    ),
    (
        "fn f(n: usize, l: usize, a: &[u8], y: &mut [u32]) { for i in 0..n { let mut sum = 0u32; \
      for k in 0..l { sum += a[i * l + k] as u32; } y[i] = sum; } }",
        &[("a", &[0, 1]), ("y", &[0])],
    ),
    (
        "fn f(l: usize, a: &[f64], x: &[f64], y: &mut [f64]) { for (y, row) in y.iter_mut().zip(a.chunks_exact(l)) { \
      for (a, x) in row.iter().zip(x) { *y += *a * *x; } } }",
        &[("a", &[0, 1]), ("x", &[1]), ("y", &[0])],
    ),
    (
        "fn f(n: usize, l: usize, a: &[f32], b: &[f32], y: &mut [f32]) { for i in 0..n { let mut sum = 0.0f32; \
      for k in 0..l { sum += a[i * l + k] * b[i * l + k]; } y[i] = sum.sqrt(); } }",
        &[("a", &[0, 1]), ("b", &[0, 1]), ("y", &[0])],
    ),
    (
        "fn f(n: usize, l: usize, a: &[f32], y: &mut [f32], z: &mut [f32]) { for i in 0..n { let (mut top, mut sum) = (f32::MIN, 0.0f32); \
      for k in 0..l { let v = a[i * l + k]; top = top.max(v); sum += v; } y[i] = top; z[i] = sum / l as f32; } }",
        &[("a", &[0, 1]), ("y", &[0]), ("z", &[0])],
    ),
    (
        "fn f(n: usize, l: usize, a: &[i64], y: &mut [i64]) { for i in 0..n { y[i] = 0; for k in 0..l { y[i] += a[k * n + i] * a[k * n + i]; } } }",
        &[("a", &[0, 1]), ("y", &[0])],
    ),
    (
        "fn f(n: usize, l: usize, a: &[f32], y: &mut [f32]) { for i in 0..n { let mut even = 0.0f32; \
      for k in 0..l { even += a[i * 2 * l + 2 * k]; } y[i] = even; } }",
        &[("a", &[0, 1, 2]), ("y", &[0])],
    ),
];

#[test]
fn sums_of_any_size_are_the_loop() {
    for (number, (source, arrays)) in SUMS.iter().enumerate() {
        for (seed, [n, l]) in (0..).zip([[70, 64], [32, 130], [4, 257], [129, 33], [64, 31]]) {
            for less in [0, 1, 200] {
                let sizes = [n, l, 2];
                let arrays: Vec<(&str, usize)> = arrays
                    .iter()
                    .map(|(name, of)| (*name, of.iter().map(|n| sizes[*n]).product::<usize>()))
                    .map(|(name, n)| (name, if name == "a" { n - less } else { n }))
                    .collect();
                let call = Call {
                    source,
                    numbers: &[("n", n), ("l", l)],
                    arrays: &arrays,
                    seed: seed + number as u64,
                    shift: seed as usize % 5,
                    ..Call::default()
                };
                let went = call.run(Strategy::Reduce);
                let blocks = went == Went::Staged;
                assert!(
                    less > 0 || blocks == (l >= 32),
                    "sum {number}, {n} by {l}: {went:?}"
                );
            }
        }
    }
}
