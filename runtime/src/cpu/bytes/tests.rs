use super::*;

/// Numbers that look random.
fn noise(mut state: u64) -> impl FnMut() -> u64 {
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    }
}

/// Bytes of many kinds.
fn data(kind: usize, len: usize) -> Vec<u8> {
    let mut random = noise(0x9E37_79B9_7F4A_7C15 + len as u64);
    let mut run = 0;
    let byte = |i: usize| match kind {
        0 => (random() >> 40) as u8,
        1 => 77,
        2 => random().trailing_zeros() as u8,
        3 => {
            if i.is_multiple_of(61) {
                run = (random() >> 40) as u8;
            }
            run
        }
        4 => i as u8,
        5 => (i >> 5) as u8,
        // Every quarter in turn for long, which fills its pile alone.
        6 => (i / 9000 * 64) as u8 + (i % 3) as u8,
        _ => 255 - (i % 2) as u8,
    };
    (0..len).map(byte).collect()
}

const KINDS: usize = 8;

fn expected(bytes: impl Iterator<Item = u8>) -> [u64; VALUES] {
    let mut counts = [0; VALUES];
    bytes.for_each(|byte| counts[usize::from(byte)] += 1);
    counts
}

/// Counts of some items, in parts of so many.
fn counted(words: Words<'_>, column: usize, wide: bool, part: usize) -> [u64; VALUES] {
    let mut counters: Vec<Counter> = (0..words.columns()).map(|_| Counter::new(wide)).collect();
    let mut start = 0;
    while start < words.len() {
        let end = words.len().min(start + part);
        add(&mut counters, words, start..end).expect("bytes");
        start = end;
    }
    counters[column].take()
}

/// Around each length at which something happens: a vector, a batch, a long pile, a full one, and all of them.
fn lengths() -> Vec<usize> {
    let ends = match cfg!(miri) {
        true => vec![0, 64, 700],
        false => vec![0, 64, 512, 4096, 8192, 9216, 4 * 4096, 5 * 9280, 100_000],
    };
    let around = |end: usize| (end.saturating_sub(2)..=end + 2).collect::<Vec<_>>();
    let mut lengths: Vec<usize> = ends.into_iter().flat_map(around).collect();
    lengths.extend(if cfg!(miri) { 0..5 } else { 0..200 });
    lengths
}

#[test]
fn counts_are_those_of_the_plain_loop() {
    for kind in 0..KINDS {
        for len in lengths() {
            // Any alignment, and nothing around is counted.
            let all = data(kind, len + 7);
            let bytes = &all[len % 7..len % 7 + len];
            let expected = expected(bytes.iter().copied());
            for wide in [false, true] {
                for part in [usize::MAX / 2, 1000, 4096] {
                    let found = counted(Words::Bytes(bytes), 0, wide, part);
                    assert_eq!(
                        found, expected,
                        "kind {kind}, {len} bytes by {part}, {wide}"
                    );
                }
            }
        }
    }
}

#[test]
fn words_below_256_are_bytes_and_others_are_told() {
    let lens: &[usize] = if cfg!(miri) {
        &[70]
    } else {
        &[1, 63, 64, 65, 5000, 40_000]
    };
    for &len in lens {
        for kind in 0..KINDS {
            let bytes = data(kind, len);
            let mut halves: Vec<u16> = bytes.iter().map(|&b| b.into()).collect();
            let mut singles: Vec<u32> = bytes.iter().map(|&b| b.into()).collect();
            let expected = expected(bytes.iter().copied());
            for wide in [false, true] {
                assert_eq!(counted(Words::Halves(&halves), 0, wide, 3000), expected);
                assert_eq!(counted(Words::Singles(&singles), 0, wide, 3000), expected);
            }
            for at in [0, len / 2, len - 1] {
                for value in [256, 257, 0x8000, 0xFFFF, 0x1_0000, u32::MAX] {
                    let (half, single) = (halves[at], singles[at]);
                    singles[at] = value;
                    for wide in [false, true] {
                        let told = Counter::new(wide).add(&singles, 0);
                        assert_eq!(told, Err(Wide), "{value} at {at} of {len}");
                        if let Ok(value) = u16::try_from(value) {
                            halves[at] = value;
                            let told = Counter::new(wide).add(&halves, 0);
                            assert_eq!(told, Err(Wide), "{value} at {at} of {len}");
                        }
                    }
                    (halves[at], singles[at]) = (half, single);
                }
            }
        }
    }
}

#[test]
fn columns_are_counted_apart() {
    let lens: &[usize] = if cfg!(miri) {
        &[70]
    } else {
        &[0, 1, 64, 4097, 30_000]
    };
    for columns in 2..=4 {
        for &len in lens {
            let bytes = data(0, len * columns);
            let words = Words::in_columns(&bytes, columns).expect("columns");
            assert_eq!(
                (words.len(), words.columns(), words.width()),
                (len, columns, columns)
            );
            for column in 0..columns {
                let expected = expected(bytes.iter().copied().skip(column).step_by(columns));
                for wide in [false, true] {
                    assert_eq!(counted(words, column, wide, 7001), expected);
                }
            }
        }
    }
}

#[test]
fn equal_items_are_equal_in_all_columns() {
    let len = 70;
    let same = |words: Words<'_>| (0..len).all(|at| words.are_equal(at..len));
    assert!(same(Words::Bytes(&[7; 70])) && same(Words::Halves(&[300; 70])));
    let mut singles = vec![70_000u32; len];
    assert!(same(Words::Singles(&singles)) && Words::Singles(&singles).are_equal(3..3));
    for columns in 2..=4 {
        let mut bytes: Vec<u8> = (0..len * columns).map(|k| (k % columns) as u8).collect();
        let equal = |bytes: &[u8], items| {
            Words::in_columns(bytes, columns).map(|words| words.are_equal(items))
        };
        assert_eq!(equal(&bytes, 0..len), Some(true));
        for at in [0, 1, len / 2, len - 1] {
            let byte = at * columns + at % columns;
            bytes[byte] += 1;
            for (start, end) in [
                (0, len),
                (at, len),
                (0, at + 1),
                (at, at + 1),
                (at + 1, len),
                (0, at),
            ] {
                let others = start..end.max(start);
                let expected = !others.contains(&at) || others.len() == 1;
                assert_eq!(
                    equal(&bytes, others),
                    Some(expected),
                    "{at} in {start}..{end}"
                );
            }
            bytes[byte] -= 1;
        }
    }
    for at in [0, len / 2, len - 1] {
        singles[at] += 1 << 20;
        assert!(!Words::Singles(&singles).are_equal(0..len));
        singles[at] -= 1 << 20;
    }
}

#[test]
fn first_places_are_found() {
    for kind in 0..KINDS {
        let mut bytes = data(kind, if cfg!(miri) { 300 } else { 20_000 });
        // Some values late, and one nowhere.
        bytes
            .iter_mut()
            .for_each(|b| *b = if *b == 9 { 10 } else { *b });
        let len = bytes.len();
        bytes[len - 1] = 200;
        bytes[len - 150] = 201;
        for start in [0, 1, len - 1] {
            let mut wanted = [true; VALUES];
            let mut places = [None; VALUES];
            find(
                Words::Bytes(&bytes),
                start..len,
                0,
                &mut wanted,
                |value, at| {
                    let place = &mut places[usize::from(value)];
                    assert_eq!(place.replace(at), None);
                },
            );
            for value in 0..VALUES {
                let expected = (start..len).find(|&at| usize::from(bytes[at]) == value);
                assert_eq!(places[value], expected, "{value} from {start}, kind {kind}");
                assert_eq!(wanted[value], expected.is_none());
            }
            let singles: Vec<u32> = bytes.iter().map(|&b| b.into()).collect();
            let halves: Vec<u16> = bytes.iter().map(|&b| b.into()).collect();
            for words in [Words::Singles(&singles), Words::Halves(&halves)] {
                let mut wanted = [true; VALUES];
                find(words, start..len, 0, &mut wanted, |value, at| {
                    assert_eq!(places[usize::from(value)].take(), Some(at));
                });
                assert_eq!(places, [None; VALUES]);
                (0..len).rev().filter(|&at| at >= start).for_each(|at| {
                    places[usize::from(bytes[at])] = Some(at);
                });
            }
        }
    }
}

#[test]
fn first_places_in_columns_are_found() {
    let len = if cfg!(miri) { 300 } else { 20_000 };
    for columns in 2..=4 {
        let mut bytes = data(0, len * columns);
        bytes
            .iter_mut()
            .for_each(|b| *b = if *b > 197 { 10 } else { *b });
        // Late ones, each in a column of its own.
        for column in 0..columns {
            bytes[(len - 150 + column) * columns + column] = 200;
            bytes[(len - 1) * columns + column] = 201 + column as u8;
        }
        for (column, start) in (0..columns).flat_map(|column| [0, 1, len - 1].map(|s| (column, s)))
        {
            let mut wanted = [true; VALUES];
            let mut places = [None; VALUES];
            let words = Words::in_columns(&bytes, columns).expect("columns");
            find(words, start..len, column, &mut wanted, |value, at| {
                let place = &mut places[usize::from(value)];
                assert_eq!(place.replace(at), None);
            });
            for (value, &place) in places.iter().enumerate() {
                let at = |&at: &usize| usize::from(bytes[at * columns + column]) == value;
                let expected = (start..len).find(at);
                assert_eq!(place, expected, "{value}, column {column} of {columns}");
            }
        }
    }
}

#[test]
fn a_look_sees_most_wide_words() {
    let words = vec![300u32; 1000];
    assert!(!Words::Singles(&words).look_narrow());
    assert!(Words::Singles(&[7; 3]).look_narrow() && Words::Singles(&[]).look_narrow());
    assert!(!Words::Halves(&[256]).look_narrow() && Words::Bytes(&[255]).look_narrow());
}
