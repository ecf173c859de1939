//! Data that come in chunks: `over` gives what the function gives for one chunk after the other, and nothing at all where one fails.

use std::io::{self, Read};

use accrue::{Device, Error, Progress, offload, read_chunks, with_device, with_progress};

#[offload(histogram)]
fn count(keys: &[u16], bins: &mut [u32; 300]) {
    for &k in keys {
        bins[k as usize] += 1;
    }
}

/// Everything that a function may take beside its chunks.
#[offload(histogram)]
fn weigh(
    limit: u8,
    table: &[u32; 4],
    keys: &[u8],
    name: &str,
    sums: &mut [u64],
    seen: &mut u64,
    range: &mut (u8, u8),
) {
    let (mut low, mut high) = *range;
    for &k in keys {
        if k < limit {
            sums[usize::from(k) % 4] += u64::from(table[usize::from(k) % 4]);
            *seen += 1;
            low = low.min(k);
            high = high.max(k);
        }
    }
    assert!(!name.is_empty());
    *range = (low, high);
}

/// Two loops, of which no kernel alone does what the function does.
#[offload(histogram)]
fn twice(keys: &[u16], bins: &mut [u32; 300], total: &mut u64) {
    for &k in keys {
        bins[k as usize] += 1;
    }
    for &k in keys {
        *total += u64::from(k);
    }
}

/// Elements of which no kernel knows, in and out. Each chunk is a call: its first edge goes into the first sum.
#[offload]
fn lengths(edges: &[(u32, u32)], sums: &mut [(u32, u64)], rows: &mut [[u16; 2]; 3]) {
    for (edge, sum) in edges.iter().zip(sums.iter_mut()) {
        assert!(edge.0 < 7, "no such row");
        sum.0 += edge.0;
        sum.1 += u64::from(edge.1);
        rows[edge.1 as usize % 3][0] += 1;
    }
}

#[test]
fn pairs_are_elements_as_well() {
    let edges: Vec<(u32, u32)> = (0..1000).map(|i| (i % 7, i * i % 50)).collect();
    let (mut expected, mut few) = ([(1, 2); 400], [[3; 2]; 3]);
    for part in edges.chunks(333) {
        with_device(Device::Seq, || lengths(part, &mut expected, &mut few));
    }
    let (mut sums, mut rows) = ([(1, 2); 400], [[3; 2]; 3]);
    lengths::over(edges.chunks(333), &mut sums, &mut rows).unwrap();
    assert_eq!((sums, rows), (expected, few));
    let wrong = [vec![(1, 1)], vec![(9, 1)]];
    assert!(lengths::over(wrong, &mut sums, &mut rows).is_err());
    assert_eq!((sums, rows), (expected, few));
}

fn devices() -> Vec<Device> {
    let mut all = vec![Device::Seq, Device::Cpu];
    if cfg!(feature = "sim") {
        all.extend([Device::Sim, Device::Sims(3)]);
    }
    all
}

fn keys(n: usize) -> Vec<u16> {
    (0..n).map(|i| (i * i % 300) as u16).collect()
}

fn counted(keys: &[u16], from: u32) -> [u32; 300] {
    let mut bins = [from; 300];
    keys.iter().for_each(|&k| bins[k as usize] += 1);
    bins
}

#[test]
fn chunks_of_all_kinds_are_counted() {
    let keys = keys(5000);
    let expected = counted(&keys, 4);
    for device in devices() {
        with_device(device, || {
            let mut bins = [4; 300];
            count::over(keys.chunks(777), &mut bins).unwrap();
            assert_eq!(bins, expected, "{device}");
            let mut bins = [4; 300];
            let vectors = keys.chunks(1234).map(<[u16]>::to_vec);
            count::over(vectors, &mut bins).unwrap();
            assert_eq!(bins, expected, "{device}");
            let boxes = keys.chunks(2500).map(Box::<[u16]>::from);
            let results = boxes.map(io::Result::Ok);
            let mut bins = [4; 300];
            count::over(results, &mut bins).unwrap();
            assert_eq!(bins, expected, "{device}");
            let mut bins = [4; 300];
            count::over(std::iter::empty::<Vec<u16>>(), &mut bins).unwrap();
            assert_eq!(bins, [4; 300]);
            count::over([[1u16, 2], [2, 2]], &mut bins).unwrap();
            assert_eq!(bins[..4], [4, 5, 7, 4]);
            let (mut bins, mut total) = ([4; 300], 1);
            twice::over(keys.chunks(999), &mut bins, &mut total).unwrap();
            assert_eq!(bins, expected, "{device}");
            assert_eq!(total, 1 + keys.iter().map(|&k| u64::from(k)).sum::<u64>());
        });
    }
}

#[test]
fn everything_else_is_passed_again_for_each_chunk() {
    let data: Vec<u8> = (0..2000).map(|i| (i % 251) as u8).collect();
    let table = [1, 10, 100, 1000];
    let (mut sums, mut seen, mut range) = ([5; 4], 3, (90, 95));
    with_device(Device::Seq, || {
        weigh(200, &table, &data, "all", &mut sums, &mut seen, &mut range)
    });
    for device in devices() {
        let (mut own, mut own_seen, mut own_range) = ([5; 4], 3, (90, 95));
        with_device(device, || {
            let chunks = data.chunks(301);
            weigh::over(
                200,
                &table,
                chunks,
                "all",
                &mut own,
                &mut own_seen,
                &mut own_range,
            )
        })
        .unwrap();
        assert_eq!((own, own_seen, own_range), (sums, seen, range), "{device}");
    }
}

#[test]
fn a_chunk_that_fails_leaves_everything_as_it_was() {
    let mut keys = keys(4000);
    keys[2600] = 400;
    for device in devices() {
        let mut bins = [7; 300];
        let error = with_device(device, || count::over(keys.chunks(1000), &mut bins)).unwrap_err();
        assert_eq!(bins, [7; 300], "{device}");
        let Error::InChunk {
            chunk,
            first,
            error,
        } = &error
        else {
            panic!("{device}: {error}");
        };
        assert_eq!((*chunk, *first), (2, 2000), "{device}");
        assert!(error.is_fault(), "{device}: {error}");
        let text = error.to_string();
        let expected = "index out of bounds: the len is 300 but the index is 400";
        assert!(text.starts_with(expected), "{text}");
        let (mut sums, mut total) = ([7; 300], 9);
        let failed = with_device(device, || {
            twice::over(keys.chunks(1000), &mut sums, &mut total)
        });
        assert!(failed.unwrap_err().is_fault());
        assert_eq!((sums, total), ([7; 300], 9), "{device}");
    }
}

/// Gives a few bytes at a time, and fails somewhere if it is to.
struct Trickle<'a> {
    bytes: &'a [u8],
    step: usize,
    fails: bool,
}

impl Read for Trickle<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.fails && self.bytes.len() < 1000 {
            return Err(io::Error::other("the disk is gone"));
        }
        if self.step % 5 == 3 {
            self.step += 1;
            return Err(io::ErrorKind::Interrupted.into());
        }
        let n = self.step.min(self.bytes.len()).min(to.len());
        self.step = self.step % 13 + 1;
        to[..n].copy_from_slice(&self.bytes[..n]);
        self.bytes = &self.bytes[n..];
        Ok(n)
    }
}

fn bytes(keys: &[u16]) -> Vec<u8> {
    keys.iter().flat_map(|k| k.to_ne_bytes()).collect()
}

#[test]
fn readers_are_cut_into_elements_however_they_trickle() {
    let keys = keys(3001);
    let bytes = bytes(&keys);
    let expected = counted(&keys, 0);
    for device in devices() {
        for len in [1, 7, 500, 3001, 10_000] {
            let reader = Trickle {
                bytes: &bytes,
                step: 1,
                fails: false,
            };
            if len < 100 && device != Device::Cpu {
                continue;
            }
            let mut bins = [0; 300];
            with_device(device, || count::over(read_chunks(reader, len), &mut bins)).unwrap();
            assert_eq!(bins, expected, "{device}, {len}");
        }
    }
    let reader = Trickle {
        bytes: &bytes,
        step: 1,
        fails: false,
    };
    let lengths: Vec<usize> = read_chunks::<_, u16>(reader, 1000)
        .map(|chunk| chunk.unwrap().len())
        .collect();
    assert_eq!(lengths, [1000, 1000, 1000, 1]);
}

#[test]
fn what_cannot_be_read_is_an_error() {
    let keys = keys(3000);
    let mut bytes = bytes(&keys);
    let mut bins = [1; 300];
    let reader = Trickle {
        bytes: &bytes,
        step: 1,
        fails: true,
    };
    let error = count::over(read_chunks(reader, 600), &mut bins).unwrap_err();
    let text = error.to_string();
    assert_eq!(
        text,
        "chunk 4, from element 2400 on: the data could not be read: the disk is gone"
    );
    assert!(!error.is_fault() && !error.is_machine());
    bytes.pop();
    let error = count::over(read_chunks(&bytes[..], 600), &mut bins).unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("the input ends 1 bytes into an element of 2"),
        "{text}"
    );
    assert_eq!(bins, [1; 300]);
    // A panic of whoever makes chunks is the caller's.
    let panics = (0..3).map(|n| match n {
        2 => panic!("no third chunk"),
        n => vec![n; 10],
    });
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _ = count::over(panics, &mut bins);
    }));
    assert_eq!(
        *caught.unwrap_err().downcast::<&str>().unwrap(),
        "no third chunk"
    );
    assert_eq!(bins, [1; 300]);
}

#[test]
fn progress_is_told_for_each_chunk() {
    let keys = keys(2500);
    let told = std::rc::Rc::new(std::cell::RefCell::new(Vec::new()));
    let watcher = {
        let told = std::rc::Rc::clone(&told);
        move |p: Progress| told.borrow_mut().push((p.pieces, p.items, p.of_items))
    };
    let mut bins = [0; 300];
    with_progress(watcher, || {
        with_device(Device::Cpu, || count::over(keys.chunks(1000), &mut bins))
    })
    .unwrap();
    assert_eq!(
        *told.borrow(),
        [(1, 1000, None), (2, 2000, None), (3, 2500, None)]
    );
}

#[test]
fn the_next_chunk_is_made_while_one_is_counted() {
    // The second chunk is made only when the first is being counted or has been: neither waits for the other for ever.
    let (made, wait) = std::sync::mpsc::channel();
    let chunks = (0..4).map(move |n| {
        made.send(n).unwrap();
        vec![n as u16; 10]
    });
    let watcher = {
        let mut least = 1;
        move |p: Progress| {
            // By the time that chunk n is counted, n + 1 has been begun or there is none.
            for _ in wait.iter().take(usize::from(least < 4 && p.pieces < 4)) {
                least += 1;
            }
        }
    };
    let mut bins = [0; 300];
    with_progress(watcher, || count::over(chunks, &mut bins)).unwrap();
    assert_eq!(bins[..5], [10, 10, 10, 10, 0]);
}
