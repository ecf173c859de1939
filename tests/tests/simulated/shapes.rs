//! Calls in the shapes that take the paths of a kernel which most calls do not: a key out of range at each place of a vector, a
//! window's edge at each, samples with hot bins, copies that are several, arrays that begin at different alignments, tiles
//! behind tiles.

use accrue_compiler::ir::Scalar;
use accrue_compiler::ir::interpret::Value;
use accrue_ptx::abi::{Op, Strategy};
use accrue_ptx::plan::Wishes;
use accrue_tests::choices::Choices;
use accrue_tests::mutants::draw::{loops, update};
use accrue_tests::oracle;
use accrue_tests::simulated::Variation;

use super::{Tally, agree_where, exact, filled_state};
use accrue_ptx::abi::Elem;

/// One gang on a device that has no other.
fn alone(block: u32) -> Variation {
    Variation {
        block,
        multiprocessors: 1,
        wishes: Wishes {
            resident: Some(1),
            ..Wishes::default()
        },
        ..Variation::default()
    }
}

/// Runs some strategies of a loop with these keys into so many bins; all else is drawn.
fn run(
    wanted: impl Fn(Strategy) -> bool,
    (op, source): &(Op, String),
    keys: &[usize],
    bins: usize,
    how: Variation,
    tally: &mut Tally,
) {
    let analysis = oracle::analyze(source).unwrap_or_else(|e| panic!("{source}: {e:?}"));
    let lengths = [("keys", keys.len()), ("values", keys.len()), ("bins", bins)];
    let state = |plan| {
        let mut choices = Choices::seeded(how.seed);
        filled_state(plan, &lengths, &[], |name, i, scalar| match name {
            "keys" => Value::Int(keys[i] as i128),
            // An extremum that comes late is not hidden by those before it.
            "values" if i + LAST >= keys.len() => {
                extreme(*op, scalar).unwrap_or_else(|| exact(*op, scalar, &mut choices))
            }
            _ => exact(*op, scalar, &mut choices),
        })
    };
    agree_where(wanted, &analysis, state, how, tally);
}

/// Items at the end, of which some are not part of a vector.
const LAST: usize = 40;

/// The value that no other one of the type is beyond.
fn extreme(op: Op, scalar: Scalar) -> Option<Value> {
    let greatest = match op {
        Op::Min => false,
        Op::Max => true,
        _ => return None,
    };
    let float = if greatest { 1e30 } else { -1e30 };
    let (bits, sign) = (scalar.bits(), u32::from(scalar.is_signed()));
    Some(match (scalar, greatest) {
        (Scalar::F32, _) => Value::F32(float as f32),
        (Scalar::F64, _) => Value::F64(float),
        (_, true) => Value::Int((1 << (bits - sign)) - 1),
        (_, false) => Value::Int(-i128::from(sign) << (bits - 1)),
    })
}

/// Whether the keys of a loop reach so far.
fn has_keys_up_to(source: &str, most: usize) -> bool {
    let bits = [("keys: &[u8]", 8), ("keys: &[u16]", 16)];
    let few = bits.iter().find(|(keys, _)| source.contains(keys));
    few.is_none_or(|(_, bits)| most < 1 << bits)
}

/// All keys are the first that is no bin: wherever one is let through, it is behind the only copy, and the simulator sees it.
#[test]
fn no_place_of_a_vector_lets_a_key_out_of_range_through() {
    let mut tally = Tally::default();
    // What a sample takes of the shared memory is more than few bins do, and it takes many items.
    let cases = |strategy| match strategy {
        Strategy::GangHot => (4352, 4200),
        Strategy::GangPacked => (8704, 2100),
        _ => (64, 340),
    };
    for (number, case) in loops().iter().enumerate() {
        for strategy in Strategy::OF_BINS {
            let (bins, items) = cases(strategy);
            if !has_keys_up_to(&case.1, bins) {
                continue;
            }
            let mut how = Variation {
                seed: number as u64,
                ..alone(64)
            };
            (how.wishes.locals, how.wishes.copies) = (Some(1), Some(1));
            let keys = vec![bins; items];
            run(|s| s == strategy, case, &keys, bins, how, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.done == 0 && tally.faults > 400, "{tally:?}");
}

/// The iteration is told right, whatever the place in a vector.
#[test]
fn every_place_of_a_vector_tells_its_own_iteration() {
    let mut tally = Tally::default();
    let counts = ["u8", "u16", "u32", "u64"].map(|key| {
        let text = format!(
            "fn count(keys: &[{key}], bins: &mut [u32]) {{ for &k in keys {{ bins[k as usize] += 1; }} }}"
        );
        (key, (Op::Add, text))
    });
    let updates = [Elem::I8, Elem::U8, Elem::U16, Elem::I32, Elem::F64]
        .map(|elem| (elem.name(), (Op::Add, update(Op::Add, elem))));
    for (kind, case) in counts.iter().chain(&updates) {
        // Items of a vector, by the smaller of the types.
        let vector = match *kind {
            "u8" | "i8" => 16,
            "u16" => 8,
            _ => 4,
        };
        for (block, vectors) in [(32, 2), (256, 4)] {
            let places = (0..vectors).flat_map(|v| (0..vector).map(move |i| (v, i)));
            // No loop takes more than 32 items at once.
            for (v, i) in places.filter(|(v, i)| v * vector + i < 32) {
                let bad = v * block * vector + i;
                let mut keys = vec![59; bad + vector];
                keys[bad] = 60;
                let splits = block == 256;
                run(
                    |s| (s == Strategy::GangSplit) == splits,
                    case,
                    &keys,
                    60,
                    alone(block as u32),
                    &mut tally,
                );
            }
        }
    }
    println!("{tally:?}");
    assert!(tally.done == 0 && tally.faults > 800, "{tally:?}");
}

/// Keys on both sides of the windows' edges, at each place of a vector.
#[test]
fn every_place_of_a_vector_is_of_one_window() {
    let mut tally = Tally::default();
    for (number, case) in loops().iter().enumerate() {
        for (strategy, bins, edges, shared, items) in [
            (
                Strategy::GangWindow,
                600,
                &[120, 200, 240, 360, 400, 480][..],
                1200,
                400,
            ),
            (
                Strategy::GangPacked,
                30_000,
                &[10_000, 20_000],
                34 << 10,
                2100,
            ),
        ] {
            if !has_keys_up_to(&case.1, bins) {
                continue;
            }
            let mut choices = Choices::seeded(number as u64);
            let mut key = || match choices.below(6) {
                0 => choices.below(bins),
                1 => choices.pick(edges) - 1,
                _ => choices.pick(edges),
            };
            let keys: Vec<usize> = (0..items).map(|_| key()).collect();
            let how = Variation {
                seed: number as u64,
                shared: Some(shared),
                ..alone(32)
            };
            run(|s| s == strategy, case, &keys, bins, how, &mut tally);
        }
    }
    println!("{tally:?}");
    assert!(tally.unsuitable == 0 && tally.done > 90, "{tally:?}");
}

/// Enough items for a sample, most of few bins, the last ones of one: those are not part of a vector.
#[test]
fn hot_bins_that_a_sample_finds_change_no_result() {
    let mut tally = Tally::default();
    for (number, case) in loops().iter().enumerate() {
        let mut choices = Choices::seeded(number as u64);
        let (items, bins) = (4200 + number % 16, 61);
        let mut key = || match choices.below(8) {
            0..=3 => 5,
            4 | 5 => 11,
            6 => 60,
            _ => choices.below(bins),
        };
        let mut keys: Vec<usize> = (0..items).map(|_| key()).collect();
        keys[items - LAST..].fill(5);
        let mut how = Variation {
            seed: number as u64,
            shift: number % 3,
            ..alone(64)
        };
        how.wishes.copies = Some(3);
        let samples = |s: Strategy| s.template().keeps_hot().is_some();
        run(samples, case, &keys, bins, how, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.unsuitable == 0 && tally.done > 90, "{tally:?}");
}

/// Neighbours of one bin, of which none is hot: they are added up before they are counted.
#[test]
fn runs_that_a_sample_finds_change_no_result() {
    let mut tally = Tally::default();
    for (number, case) in loops().iter().enumerate() {
        if !case.1.contains("fn count") || !case.1.contains("bins: &mut [u32]") {
            continue;
        }
        let mut choices = Choices::seeded(number as u64);
        let mut keys = Vec::new();
        // Odd numbers of vectors, and more.
        while keys.len() < 64 * 256 + 16 * 100 + 7 {
            let (bin, length) = (choices.below(250), 1 + choices.below(6));
            keys.extend(std::iter::repeat_n(bin, length));
        }
        let packs = |s| s == Strategy::GangPacked;
        run(packs, case, &keys, 250, alone(256), &mut tally);
    }
    assert!(tally.done == 4, "{tally:?}");
}

/// Arrays of which one is aligned and the other is not; copies in device memory of which some are merged four at once, and one in
/// shared memory, of more bins than are flushed at once.
#[test]
fn arrays_begin_where_they_like() {
    let mut tally = Tally::default();
    for (number, case) in loops().iter().enumerate() {
        let mut choices = Choices::seeded(number as u64);
        let bins = if has_keys_up_to(&case.1, 300) {
            300
        } else {
            250
        };
        let keys: Vec<usize> = (0..2600).map(|_| choices.below(bins)).collect();
        let mut how = Variation {
            seed: number as u64,
            block: 32,
            multiprocessors: 6,
            shift: number % 4,
            stagger: 3,
            ..Variation::default()
        };
        (how.wishes.locals, how.wishes.copies) = (Some(8), Some(1));
        run(|_| true, case, &keys, bins, how, &mut tally);
        // Several vectors for each thread, of arrays that begin alike.
        let how = Variation {
            seed: number as u64,
            ..alone(32)
        };
        run(|_| true, case, &keys[..1700], bins, how, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.done > 900, "{tally:?}");
}

/// A gang that splits has several tiles, with every operator and type.
#[test]
fn tiles_are_split_behind_tiles() {
    let mut tally = Tally::default();
    for (number, case) in loops().iter().enumerate() {
        let mut choices = Choices::seeded(number as u64);
        let keys: Vec<usize> = (0..9000).map(|_| choices.below(200)).collect();
        let how = Variation {
            seed: number as u64,
            ..alone(256)
        };
        let splits = |s| s == Strategy::GangSplit;
        run(splits, case, &keys, 200, how, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.unsuitable == 0 && tally.done > 90, "{tally:?}");
}

/// Of all values one is not zero, and that is nearly subnormal; or two are not, and too far apart to be scaled alike. What values
/// are scaled by is the gang's own choice, made at the first that is not zero, wherever it is.
#[test]
fn lone_values_far_apart_are_their_sums() {
    let mut tally = Tally::default();
    for (op, elem) in [Op::Add, Op::Sub]
        .into_iter()
        .flat_map(|op| [(op, Elem::F32), (op, Elem::F64)])
    {
        let source = update(op, elem);
        let analysis = oracle::analyze(&source).unwrap_or_else(|e| panic!("{source}: {e:?}"));
        // The places of a vector, and behind the last; each with the same place of the next one.
        for (place, other) in [(0, 4), (1, 5), (2, 6), (3, 7), (72, 73), (73, 74)] {
            for apart in [false, true] {
                let lengths = [("keys", 75), ("values", 75), ("bins", 8)];
                let exponent = |i: usize, small: i32, large: i32| match apart {
                    false if i == place => Some(small),
                    true if i == place => Some(large),
                    true if i == other => Some(-large),
                    _ => None,
                };
                let state = |plan| {
                    filled_state(plan, &lengths, &[], |name, i, scalar| {
                        let power = |small, large| {
                            let exponent = exponent(i, small, large).filter(|_| name == "values");
                            exponent.map_or(0.0, |e| 2f64.powi(e))
                        };
                        match scalar {
                            Scalar::F32 => Value::F32(power(-120, 40) as f32),
                            Scalar::F64 => Value::F64(power(-1015, 400)),
                            _ => Value::Int(i as i128 % 8),
                        }
                    })
                };
                let seed = place as u64;
                let how = Variation { seed, ..alone(32) };
                agree_where(|_| true, &analysis, state, how, &mut tally);
            }
        }
    }
    assert!(tally.done > 200, "{tally:?}");
}
