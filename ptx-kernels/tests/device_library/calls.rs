//! The maths functions, called from PTX.

use accrue_ptx::abi::Elem;
use accrue_ptx::library::{Argument, MATH};

use super::gpu::{Arg, Bits, Gpu, module, pack, unpack};
use super::maths::{Function, TABLE};

/// Every function of the library has the bits of its source compiled for the host, on `count` arguments.
pub(crate) fn maths_is_the_hosts(gpu: &mut impl Gpu, count: usize) {
    for (math, (method, single, double)) in MATH.iter().zip(TABLE) {
        assert_eq!(math.method, *method);
        for elem in [Elem::F32, Elem::F64] {
            let power = math.arguments == [Argument::I32];
            let (x, y) = arguments(elem, power, count);
            let expected: Vec<u64> = x
                .iter()
                .zip(&y)
                .map(|(&x, &y)| match elem {
                    Elem::F32 => {
                        u64::from(host(single, f32::from_bits, x as u32, y as u32).to_bits())
                    }
                    _ => host(double, f64::from_bits, x, y).to_bits(),
                })
                .collect();
            let symbol = math.symbol(elem);
            let size = elem.size();
            let ptx = module(&[&symbol], &caller(&symbol, math.arguments, size * 8));
            let [_, _, results, _] = gpu.run(
                &ptx,
                "caller",
                count.div_ceil(128) as u32,
                128,
                [
                    Arg::Memory(pack(&x, size)),
                    Arg::Memory(pack(&y, if power { 4 } else { size })),
                    Arg::Memory(vec![0xa5; count * size as usize]),
                    Arg::Value(count as u64),
                ],
            );
            for (i, (result, expected)) in unpack(&results.memory(), size)
                .into_iter()
                .zip(expected)
                .enumerate()
            {
                let nan = |bits| match elem {
                    Elem::F32 => f32::from_bits(bits as u32).is_nan(),
                    _ => f64::from_bits(bits).is_nan(),
                };
                assert!(
                    result == expected || nan(result) && nan(expected),
                    "{symbol}({:#x}, {:#x}) is {result:#x}, on the host {expected:#x}",
                    x[i],
                    y[i]
                );
            }
        }
    }
}

fn host<T: Copy, B: Copy + TryInto<i32>>(
    function: &Function<T>,
    float: fn(B) -> T,
    x: B,
    y: B,
) -> T {
    match function {
        Function::Unary(f) => f(float(x)),
        Function::Binary(f) => f(float(x), float(y)),
        // Powers are small and not negative here, so they fit whatever the width.
        Function::Power(f) => f(float(x), y.try_into().unwrap_or(0)),
    }
}

/// Bits of two arguments: special values crossed, then near one another, near one, and any.
fn arguments(elem: Elem, power: bool, count: usize) -> (Vec<u64>, Vec<u64>) {
    let bits_of = |v: f64| match elem {
        Elem::F32 => u64::from((v as f32).to_bits()),
        _ => v.to_bits(),
    };
    let special = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -2.5,
        2.0,
        3.0,
        0.75,
        10.0,
        -88.0,
        700.0,
        1e10,
        -1e30,
        1e-310,
        1e-40,
        1e300,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        std::f64::consts::FRAC_PI_2,
        std::f64::consts::PI,
        1e5,
        3e8,
    ];
    let mut random = Bits(u64::from(elem.size()));
    (0..count)
        .map(|i| {
            let mut unit = || (random.next() >> 11) as f64 / (1u64 << 53) as f64;
            let (x, y) = match i {
                i if i < special.len() * 4 => {
                    (special[i / 4], special[(i * 7 + i / 4) % special.len()])
                }
                i if i % 4 == 0 => (unit() * 20.0 - 10.0, unit() * 20.0 - 10.0),
                i if i % 4 == 1 => (0.9 + unit() * 0.2, unit() * 100.0),
                i if i % 4 == 2 => (unit() * 2.0 - 1.0, unit() * 1e-3),
                _ => (f64::from_bits(random.next()), f64::from_bits(random.next())),
            };
            (
                bits_of(x),
                if power {
                    random.next() % 40
                } else {
                    bits_of(y)
                },
            )
        })
        .unzip()
}

/// A kernel that calls `symbol` for each of its arguments.
fn caller(symbol: &str, arguments: &[Argument], width: u32) -> String {
    let (second, store, pass) = match arguments {
        [] => (String::new(), String::new(), "x_argument"),
        [argument, ..] => {
            let bits = if *argument == Argument::I32 {
                32
            } else {
                width
            };
            (
                format!(
                    "	mul.wide.u32 %offset, %i, {};\n	add.s64 %offset, %y, %offset;\n	ld.global.b{bits} %y{bits}, [%offset];\n",
                    bits / 8
                ),
                format!(
                    "	.param .b{bits} y_argument;\n	st.param.b{bits} [y_argument], %y{bits};\n"
                ),
                "x_argument, y_argument",
            )
        }
    };
    format!(
        ".visible .entry caller(.param .u64 xs, .param .u64 ys, .param .u64 results, .param .u64 count)
{{
	.reg .pred %beyond;
	.reg .b32 %i, %block, %threads, %y32;
	.reg .b64 %x, %y, %result, %count, %wide, %offset, %y64;
	.reg .b{width} %value;
	ld.param.u64 %x, [xs];
	ld.param.u64 %y, [ys];
	ld.param.u64 %result, [results];
	ld.param.u64 %count, [count];
	cvta.to.global.u64 %x, %x;
	cvta.to.global.u64 %y, %y;
	cvta.to.global.u64 %result, %result;
	mov.u32 %i, %tid.x;
	mov.u32 %block, %ctaid.x;
	mov.u32 %threads, %ntid.x;
	mad.lo.u32 %i, %block, %threads, %i;
	cvt.u64.u32 %wide, %i;
	setp.ge.u64 %beyond, %wide, %count;
	@%beyond bra done;
	mul.wide.u32 %offset, %i, {size};
	add.s64 %offset, %x, %offset;
	ld.global.b{width} %value, [%offset];
{second}	{{
	.param .b{width} x_argument;
	.param .b{width} answer;
	st.param.b{width} [x_argument], %value;
{store}	call.uni (answer), {symbol}, ({pass});
	ld.param.b{width} %value, [answer];
	}}
	mul.wide.u32 %offset, %i, {size};
	add.s64 %offset, %result, %offset;
	st.global.b{width} [%offset], %value;
done:
	ret;
}}
",
        size = width / 8
    )
}
