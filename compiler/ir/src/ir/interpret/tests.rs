//! The interpreter over loops made by hand, and against Rust's own operators and methods.

use super::operators::{binary, cast};
use super::{FaultKind, State, Value, methods};
use crate::ir::{BinaryOp, Method, Scalar, sample};
use crate::methods::{Argument, Output};

#[test]
fn the_sample_does_what_its_source_does() {
    let (lp, pattern) = sample::sums();
    let keys = [3u8, 0, 255, 2, 7, 1];
    let weights = [0.5f32, 0.1, 9.0, 0.2, 0.3];
    let scale = 1.7f32;
    let (mut hist, mut largest) = ([0.25f32; 4], 1u8);
    for (&k, &w) in keys.iter().zip(&weights) {
        if k == 255 {
            continue;
        }
        hist[(k / 2) as usize] += w * scale;
        largest = largest.max(k);
    }
    let mut state = State::new(&lp);
    state.set_array("keys", &keys);
    state.set_array("weights", &weights);
    state.set_array("hist", &[0.25f32; 4]);
    state.set_value("scale", scale);
    state.set_value("largest", 1u8);
    state.interpret(&pattern).unwrap();
    assert_eq!(state.array::<f32>("hist"), hist);
    assert_eq!(state.value("largest"), Some(&largest.into()));
}

#[test]
fn a_fault_leaves_the_bins_as_they_were() {
    let (lp, pattern) = sample::sums();
    let mut state = State::new(&lp);
    state.set_array("keys", &[3u8, 0, 9, 200]);
    state.set_array("weights", &[1.0f32; 4]);
    state.set_array("hist", &[0.25f32; 4]);
    state.set_value("scale", 2.0f32);
    state.set_value("largest", 1u8);
    let fault = state.interpret(&pattern).unwrap_err();
    assert_eq!(fault.iteration, 2);
    assert_eq!(
        fault.kind.to_string(),
        "index out of bounds: the len is 4 but the index is 4"
    );
    assert_eq!(state.array::<f32>("hist"), [0.25; 4]);
    assert_eq!(state.value("largest"), Some(&1u8.into()));
}

/// Values of a type at its edges and in between.
fn edges(s: Scalar) -> Vec<Value> {
    match s {
        Scalar::Bool => vec![false.into(), true.into()],
        Scalar::F32 => [0.0f32, -0.0, 1.5, -2.5, 1e30, f32::NAN, f32::INFINITY]
            .map(Value::from)
            .to_vec(),
        Scalar::F64 => [0.0f64, -0.0, 1.5, -2.5, 1e300, f64::NAN, f64::INFINITY]
            .map(Value::from)
            .to_vec(),
        s => [
            -3,
            -1,
            0,
            1,
            2,
            7,
            1 << (s.bits() - 1),
            (1 << (s.bits() - 1)) - 1,
        ]
        .map(|v| Value::Int(super::operators::wrap(s, v)))
        .to_vec(),
    }
}

#[test]
fn every_method_of_the_table_is_known() {
    for method in Method::ALL {
        let spec = method.spec();
        for s in Scalar::ALL
            .into_iter()
            .filter(|&s| spec.receivers.contains(s))
        {
            for (a, b) in edges(s).into_iter().zip(edges(s).into_iter().rev()) {
                let mut parts = vec![a];
                for argument in spec.arguments {
                    parts.push(match argument {
                        Argument::Same => b.clone(),
                        Argument::U32 | Argument::I32 => Value::Int(5),
                    });
                }
                match methods::call(method, s, &parts, true) {
                    Ok(None) => panic!("{s} has no `{}`", spec.name),
                    Ok(Some(value)) => {
                        let fits = match spec.output {
                            Output::Same if s == Scalar::F32 => matches!(value, Value::F32(_)),
                            Output::Same if s == Scalar::F64 => matches!(value, Value::F64(_)),
                            Output::Same | Output::U32 | Output::Unsigned => {
                                matches!(value, Value::Int(_))
                            }
                            Output::Bool => matches!(value, Value::Bool(_)),
                            Output::Bytes | Output::WithFlag => matches!(value, Value::Parts(_)),
                        };
                        assert!(fits, "{s}::{} gives {value:?}", spec.name);
                    }
                    Err(FaultKind::Panic(message)) => assert!(!message.is_empty()),
                    Err(fault) => panic!("{s}::{} gives {fault}", spec.name),
                }
            }
        }
    }
}

#[test]
fn constructors_undo_what_they_are_named_after() {
    let parts = [1u8, 2, 3, 255].map(Value::from).to_vec();
    let bytes = Value::Parts(parts);
    let made = |method: Method| {
        assert!(method.part(Scalar::I32).is_some(), "{method:?}");
        methods::construct(method, Scalar::I32, &bytes)
    };
    let expected = |of: fn([u8; 4]) -> i32| Some(Value::from(of([1, 2, 3, 255])));
    assert_eq!(made(Method::FromLeBytes), expected(i32::from_le_bytes));
    assert_eq!(made(Method::FromBeBytes), expected(i32::from_be_bytes));
    assert_eq!(made(Method::FromNeBytes), expected(i32::from_ne_bytes));
    let bits = Value::Int(i128::from(1.5f32.to_bits()));
    assert_eq!(
        methods::construct(Method::FromBits, Scalar::F32, &bits),
        Some(1.5f32.into())
    );
}

#[test]
fn casts_are_rusts() {
    let floats = [
        0.0,
        -0.5,
        1.9,
        -1.9,
        300.0,
        -300.0,
        1e10,
        -1e10,
        1e30,
        f64::NAN,
        f64::INFINITY,
    ];
    for v in floats {
        let cast = |to| cast(&Value::F64(v), to);
        assert_eq!(cast(Scalar::U8), (v as u8).into());
        assert_eq!(cast(Scalar::I8), (v as i8).into());
        assert_eq!(cast(Scalar::U32), (v as u32).into());
        assert_eq!(cast(Scalar::I64), (v as i64).into());
        assert_eq!(cast(Scalar::U64), (v as u64).into());
    }
    for v in [i64::MIN, -129, -1, 0, 255, 65536, i64::MAX] {
        let cast = |to| cast(&v.into(), to);
        assert_eq!(cast(Scalar::U8), (v as u8).into());
        assert_eq!(cast(Scalar::I16), (v as i16).into());
        assert_eq!(cast(Scalar::U64), (v as u64).into());
        assert_eq!(cast(Scalar::F32), (v as f32).into());
    }
    assert_eq!(
        cast(&u64::MAX.into(), Scalar::F32),
        (u64::MAX as f32).into()
    );
}

#[test]
fn integer_operators_are_rusts() {
    let values = [i8::MIN, -100, -2, -1, 0, 1, 2, 7, 100, i8::MAX];
    for (a, b) in values.into_iter().flat_map(|a| values.map(|b| (a, b))) {
        let run = |op, checks| binary(op, Scalar::I8, &a.into(), &b.into(), checks);
        let wrapped: [(BinaryOp, i8, Option<i8>); 5] = [
            (BinaryOp::Add, a.wrapping_add(b), a.checked_add(b)),
            (BinaryOp::Sub, a.wrapping_sub(b), a.checked_sub(b)),
            (BinaryOp::Mul, a.wrapping_mul(b), a.checked_mul(b)),
            (
                BinaryOp::Shl,
                a.wrapping_shl(b as u32),
                a.checked_shl(b as u32),
            ),
            (
                BinaryOp::Shr,
                a.wrapping_shr(b as u32),
                a.checked_shr(b as u32),
            ),
        ];
        for (op, wrapped, exact) in wrapped {
            assert_eq!(run(op, false), Ok(wrapped.into()), "{a} {op:?} {b}");
            assert_eq!(
                run(op, true).ok(),
                exact.map(Value::from),
                "{a} {op:?} {b}, checked"
            );
        }
        for (op, exact) in [
            (BinaryOp::Div, a.checked_div(b)),
            (BinaryOp::Rem, a.checked_rem(b)),
        ] {
            assert_eq!(
                run(op, false).ok(),
                exact.map(Value::from),
                "{a} {op:?} {b}"
            );
        }
        assert_eq!(run(BinaryOp::Lt, true), Ok((a < b).into()));
    }
    let max = Value::from(u64::MAX);
    let product = binary(BinaryOp::Mul, Scalar::U64, &max, &max, false);
    assert_eq!(product, Ok(u64::MAX.wrapping_mul(u64::MAX).into()));
    assert!(binary(BinaryOp::Mul, Scalar::U64, &max, &max, true).is_err());
}
