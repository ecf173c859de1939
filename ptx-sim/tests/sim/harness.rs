//! Running one instruction over many operands, against a Rust function.
//!
//! With `PTX_SIM_CASES=DIR` every case is also written out (PTX, operands, results), so that a
//! real GPU can be asked for its opinion of them: `hardware.py` beside this file does.

use ptx_sim::{Limits, Machine, Module};
use std::fmt::Debug;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A PTX value as Rust has it.
pub(crate) trait Value: Copy + Debug {
    /// The type of its registers, loads and stores.
    const TYPE: &'static str;
    fn from_bits(bits: u64) -> Self;
    fn to_bits(self) -> u64;
    /// Values at which instructions change their mind.
    fn edges() -> Vec<Self>;
    fn same(self, other: Self) -> bool {
        self.to_bits() == other.to_bits()
    }
}

macro_rules! int {
    ($($t:ty, $u:ty, $name:literal;)*) => {$(
        impl Value for $t {
            const TYPE: &'static str = $name;
            fn from_bits(bits: u64) -> Self { bits as $t }
            fn to_bits(self) -> u64 { u64::from(self as $u) }
            fn edges() -> Vec<Self> {
                let mut v: Vec<$t> = vec![<$t>::MIN, <$t>::MAX, <$t>::MIN + 1, <$t>::MAX - 1, <$t>::MAX / 2 + 1];
                v.extend([0u64, 1, 2, 3, 5, 7, 15, 16, 24, 31, 32, 33, 40, 63, 64, 65, 100, 127].map(|x| x as $t));
                v.extend([1u64, 2, 16, 32, 64].map(|x| (0 as $t).wrapping_sub(x as $t)));
                v
            }
        }
    )*};
}

int! {
    u8, u8, "u8"; i8, u8, "s8"; u16, u16, "u16"; i16, u16, "s16";
    u32, u32, "u32"; i32, u32, "s32"; u64, u64, "u64"; i64, u64, "s64";
}

impl Value for f32 {
    const TYPE: &'static str = "f32";
    fn from_bits(bits: u64) -> Self {
        f32::from_bits(bits as u32)
    }
    fn to_bits(self) -> u64 {
        u64::from(self.to_bits())
    }
    fn edges() -> Vec<Self> {
        let mut v = vec![
            0.0, 1.0, 0.5, 1.5, 2.5, 3.5, 0.1, 255.5, 65504.0, 65520.0, 8388609.0,
        ];
        v.extend([
            2147483648.0,
            4294967296.0,
            2147483520.0,
            9.223372e18,
            1.8446744e19,
            1e30,
        ]);
        v.extend([
            f32::MAX,
            f32::MIN_POSITIVE,
            1e-40,
            f32::from_bits(1),
            f32::INFINITY,
            f32::EPSILON,
        ]);
        let negative: Vec<f32> = v.iter().map(|x| -x).collect();
        v.extend(negative);
        v.push(f32::NAN);
        v
    }
    fn same(self, other: Self) -> bool {
        self.to_bits() == other.to_bits() || self.is_nan() && other.is_nan()
    }
}

impl Value for f64 {
    const TYPE: &'static str = "f64";
    fn from_bits(bits: u64) -> Self {
        f64::from_bits(bits)
    }
    fn to_bits(self) -> u64 {
        self.to_bits()
    }
    fn edges() -> Vec<Self> {
        let mut v: Vec<f64> = f32::edges().into_iter().map(f64::from).collect();
        v.extend([
            f64::MAX,
            f64::MIN_POSITIVE,
            1e-310,
            f64::from_bits(1),
            3.4028235677973366e38,
        ]);
        v.extend([
            9.223372036854775e18,
            -9.223372036854775e18,
            1.844674407370955e19,
            1e-46,
            4503599627370497.5,
        ]);
        v.extend([
            2147483647.5,
            -2147483648.5,
            4294967295.5,
            -0.5,
            127.5,
            128.5,
            0.49999999999999994,
        ]);
        v
    }
    fn same(self, other: Self) -> bool {
        self.to_bits() == other.to_bits() || self.is_nan() && other.is_nan()
    }
}

pub(crate) fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Triples of operands: edges against edges first, then random bits.
fn operands<A: Value, B: Value, C: Value>() -> Vec<(A, B, C)> {
    let (a, b, c) = (A::edges(), B::edges(), C::edges());
    let mut list = Vec::new();
    let mut state = 7;
    for (i, &x) in a.iter().enumerate() {
        for (j, &y) in b.iter().enumerate() {
            list.push((x, y, c[(i * 7 + j) % c.len()]));
        }
    }
    for _ in 0..512 {
        let mut next = || random(&mut state);
        list.push((
            A::from_bits(next()),
            B::from_bits(next()),
            C::from_bits(next()),
        ));
    }
    list
}

/// Registers narrower than 16 bits do not exist.
fn register(ty: &str) -> &str {
    match ty {
        "u8" | "s8" => "b16",
        t => t,
    }
}

/// The module header of a test.
pub(crate) fn header(version: &str, target: u32) -> String {
    format!(".version {version}\n.target sm_{target}\n.address_size 64\n")
}

static CASE: AtomicUsize = AtomicUsize::new(0);

/// Writes a module to the folder of `PTX_SIM_CASES`, for `ptxas`; gives the file's path.
pub(crate) fn keep(kind: &str, text: &str) -> Option<std::path::PathBuf> {
    let dir = std::env::var_os("PTX_SIM_CASES")?;
    let number = CASE.fetch_add(1, Ordering::Relaxed);
    let path = std::path::Path::new(&dir).join(format!("{kind}{number:04}.ptx"));
    std::fs::write(&path, text).expect("the folder of PTX_SIM_CASES takes files");
    Some(path)
}

/// Runs `text`, which computes `%d` from `%a`, `%b` and `%c`, over many operands and compares with
/// `f`. Operands for which `f` gives `None` are left out.
pub(crate) fn check_for<A: Value, B: Value, C: Value, D: Value>(
    head: (&str, u32),
    text: &str,
    f: impl Fn(A, B, C) -> Option<D>,
) {
    let mut cases = Vec::new();
    let mut wanted = Vec::new();
    for (a, b, c) in operands::<A, B, C>() {
        if let Some(d) = f(a, b, c) {
            cases.push([a.to_bits(), b.to_bits(), c.to_bits()]);
            wanted.push(d);
        }
    }
    let got = run(head, text, [A::TYPE, B::TYPE, C::TYPE, D::TYPE], &cases);
    for ((case, want), got) in cases.iter().zip(wanted).zip(got) {
        let got = D::from_bits(got);
        assert!(
            got.same(want),
            "{text}\n  a = {:?} ({:#x}), b = {:?} ({:#x}), c = {:?} ({:#x})\n  got {got:?} ({:#x}), want {want:?} ({:#x})",
            A::from_bits(case[0]),
            case[0],
            B::from_bits(case[1]),
            case[1],
            C::from_bits(case[2]),
            case[2],
            got.to_bits(),
            want.to_bits(),
        );
    }
}

/// The results of `text` for operands of types `types[..3]`, as bits of `types[3]`.
fn run(head: (&str, u32), text: &str, types: [&str; 4], cases: &[[u64; 3]]) -> Vec<u64> {
    let n = cases.len();
    let regs = types.map(register);
    let source = format!(
        "{}.visible .entry run(.param .u64 in, .param .u64 out, .param .u32 n) {{
    .reg .pred %p<4>;
    .reg .b16 %h<4>;
    .reg .b32 %i<8>;
    .reg .b64 %l<8>;
    .reg .f32 %s<4>;
    .reg .{} %a;
    .reg .{} %b;
    .reg .{} %c;
    .reg .{} %d;
    .reg .b32 %t<4>;
    .reg .b64 %x<4>;
    .local .align 8 .b8 scratch[16];
    mov.u32 %t1, %tid.x;
    mov.u32 %t2, %ctaid.x;
    mad.lo.u32 %t1, %t2, 128, %t1;
    ld.param.u32 %t2, [n];
    setp.ge.u32 %p3, %t1, %t2;
    @%p3 bra end;
    ld.param.u64 %x1, [in];
    mad.wide.u32 %x1, %t1, 24, %x1;
    ld.global.{} %a, [%x1];
    ld.global.{} %b, [%x1+8];
    ld.global.{} %c, [%x1+16];
    {text}
    ld.param.u64 %x2, [out];
    mad.wide.u32 %x2, %t1, 8, %x2;
    st.global.{} [%x2], %d;
end:
    ret;
}}\n",
        header(head.0, head.1),
        regs[0],
        regs[1],
        regs[2],
        regs[3],
        types[0],
        types[1],
        types[2],
        types[3],
    );
    let module = Module::parse(&source).unwrap_or_else(|e| panic!("{e}"));
    let mut m = Machine::new(Limits::default(), 1);
    let input: Vec<u8> = cases
        .iter()
        .flatten()
        .flat_map(|v| v.to_le_bytes())
        .collect();
    let (from, to) = (
        m.alloc(input.len() as u64).unwrap(),
        m.alloc(8 * n as u64).unwrap(),
    );
    m.write(from, &input).unwrap();
    m.fill(to, 0, 8 * n).unwrap();
    let params: [&[u8]; 3] = [
        &from.to_le_bytes(),
        &to.to_le_bytes(),
        &(n as u32).to_le_bytes(),
    ];
    m.launch(
        &module,
        "run",
        [(n as u32).div_ceil(128), 1, 1],
        [128, 1, 1],
        0,
        &params,
    )
    .unwrap_or_else(|e| panic!("{text}: {e}"));
    let mut out = vec![0; 8 * n];
    m.read(to, &mut out).unwrap();
    let note = format!("{source}// {} {}\n", types[3], text.replace('\n', " "));
    if let Some(path) = keep("case", &note) {
        std::fs::write(path.with_extension("in"), &input).unwrap();
        std::fs::write(path.with_extension("out"), &out).unwrap();
    }
    out.chunks(8)
        .map(|c| u64::from_le_bytes(c.try_into().unwrap()))
        .collect()
}

/// `op d, a` for the base target.
pub(crate) fn check1<A: Value, D: Value>(op: &str, f: impl Fn(A) -> D) {
    check_for::<A, u8, u8, D>(("7.0", 70), &format!("{op} %d, %a;"), |a, _, _| Some(f(a)));
}

/// `op d, a, b`.
pub(crate) fn check2<A: Value, B: Value, D: Value>(op: &str, f: impl Fn(A, B) -> D) {
    check_for::<A, B, u8, D>(("7.0", 70), &format!("{op} %d, %a, %b;"), |a, b, _| {
        Some(f(a, b))
    });
}

/// `op d, a, b, c`.
pub(crate) fn check3<A: Value, B: Value, C: Value, D: Value>(op: &str, f: impl Fn(A, B, C) -> D) {
    check_for::<A, B, C, D>(("7.0", 70), &format!("{op} %d, %a, %b, %c;"), |a, b, c| {
        Some(f(a, b, c))
    });
}

/// A text of one's own, for the base target.
pub(crate) fn check<A: Value, B: Value, C: Value, D: Value>(text: &str, f: impl Fn(A, B, C) -> D) {
    check_for::<A, B, C, D>(("7.0", 70), text, |a, b, c| Some(f(a, b, c)));
}
