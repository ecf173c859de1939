//! Programs drawn at random over resident arrays, beside the same over plain vectors and sequential loops: whatever the order of calls, devices,
//! looks and writes, a resident array holds what the vector does.

use accrue::{Device, DeviceBuffer, Resident, Stream, offload, resident, with_device};

/// An element that is a struct.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, accrue::DeviceType)]
struct Body {
    at: [f32; 2],
    mass: f32,
    hits: u32,
}

#[offload(uses(Body), require = "cuda")]
fn hit(bodies: &mut [Body], impulse: f32) {
    for b in bodies.iter_mut() {
        b.at[0] += impulse / b.mass;
        b.hits += 1;
    }
}

#[offload(histogram, uses(Body), require = "cuda")]
fn weigh(bodies: &[Body], masses: &mut [u32; 4]) {
    for b in bodies {
        masses[b.hits as usize & 3] += b.mass as u32;
    }
}

#[offload(require = "cuda")]
fn double(values: &mut [u32]) {
    for v in values.iter_mut() {
        *v = v.wrapping_mul(2) ^ 5;
    }
}

#[offload(require = "cuda")]
fn mix(a: &[u32], b: &[u32], out: &mut [u32]) {
    for i in 0..out.len() {
        out[i] = out[i].wrapping_add(a[i] ^ b[i]);
    }
}

#[offload(histogram, require = "cuda")]
fn count(keys: &[u32], bins: &mut [u32]) {
    for &k in keys {
        bins[k as usize % 24] += 1;
    }
}

#[offload(require = "cuda")]
fn sum(values: &[u32]) -> u64 {
    let mut sum = 0;
    for &v in values {
        sum += u64::from(v);
    }
    sum
}

/// Where an index is out of range, it fails in the middle.
#[offload(require = "cuda")]
fn gather(from: &[u32], shift: u32, out: &mut [u32]) {
    for i in 0..out.len() {
        out[i] = from[(i as u32 + shift) as usize] + 1;
    }
}

/// No kernel alone does it.
#[offload]
fn scale(values: &[u32], out: &mut [u32]) -> u32 {
    let mut top = 0;
    for &v in values {
        top = top.max(v);
    }
    let last = values[values.len() - 1];
    for i in 0..out.len() {
        out[i] = values[i] % top.max(1) + last % 7;
    }
    top
}

const LEN: usize = 24;

/// Three arrays, twice.
struct Program {
    state: u64,
    plain: Vec<Vec<u32>>,
    arrays: Vec<Resident<u32>>,
}

impl Program {
    fn draw(&mut self, below: usize) -> usize {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.state >> 33) as usize % below
    }

    /// Two arrays of a different number each: the second to be written.
    fn two(&mut self) -> (usize, usize) {
        let a = self.draw(3);
        (a, (a + 1 + self.draw(2)) % 3)
    }

    /// The resident array `b` without the others losing it.
    fn taken(&mut self, b: usize) -> Resident<u32> {
        std::mem::take(&mut self.arrays[b])
    }

    fn step(&mut self, device: Device) -> String {
        let (a, b) = self.two();
        let from = self.draw(LEN);
        let to = from + self.draw(LEN - from + 1);
        let source = self.plain[a].clone();
        match self.draw(12) {
            0 => {
                double_in_order(&mut self.plain[b][from..to]);
                double::on(self.arrays[b].slice_mut(from..to)).unwrap();
                format!("double {b} {from}..{to}")
            }
            1 => {
                with_device(Device::Seq, || mix(&source, &source, &mut self.plain[b]));
                let mut out = self.taken(b);
                mix::on(&self.arrays[a], &source, &mut out).unwrap();
                self.arrays[b] = out;
                format!("mix {a} {b}")
            }
            2 => {
                let part = &source[from..to];
                with_device(Device::Seq, || count(part, &mut self.plain[b]));
                let mut out = self.taken(b);
                count::on(self.arrays[a].slice(from..to), &mut out).unwrap();
                self.arrays[b] = out;
                format!("count {a} {from}..{to} {b}")
            }
            3 => {
                let expected = source.iter().map(|&v| u64::from(v)).sum();
                assert_eq!(sum::on(&self.arrays[a]), Ok(expected));
                format!("sum {a}")
            }
            4 => {
                assert_eq!(self.arrays[a].host(), source);
                format!("look {a}")
            }
            5 => {
                let value = self.draw(1000) as u32;
                self.plain[b][from] = value;
                self.arrays[b].host_mut()[from] = value;
                format!("write {b} {from}")
            }
            6 => {
                self.plain[b] = source;
                self.arrays[b] = self.arrays[a].clone();
                format!("clone {a} {b}")
            }
            7 => {
                self.plain.swap(a, b);
                self.arrays.swap(a, b);
                format!("swap {a} {b}")
            }
            8 => {
                let mut expected = vec![0; LEN];
                with_device(Device::Seq, || {
                    count(&source, &mut expected);
                    count(&source[from..to], &mut expected);
                });
                let mut bins = vec![0; LEN];
                resident(|r| {
                    r.share(&source);
                    count(&source, &mut bins);
                    count(&source[from..to], &mut bins);
                });
                assert_eq!(bins, expected);
                "share".to_owned()
            }
            9 => {
                let top = with_device(Device::Seq, || scale(&source, &mut self.plain[b]));
                let mut out = self.taken(b);
                assert_eq!(scale::on(&self.arrays[a], &mut out), Ok(top));
                self.arrays[b] = out;
                format!("scale {a} {b}")
            }
            10 => {
                // At most as far as the array reaches, or beyond it.
                let shift = self.draw(2) * 3;
                let new: Vec<u32> = (shift..LEN).map(|i| source[i].wrapping_add(1)).collect();
                if source.contains(&u32::MAX) {
                    return "nothing".to_owned();
                }
                let mut out = self.taken(b);
                let done = gather::on(&self.arrays[a], shift as u32, &mut out);
                assert_eq!(done.is_ok(), shift == 0, "{done:?}");
                let old = self.plain[b].clone();
                for (i, &found) in out.host().iter().enumerate() {
                    let is_new = new.get(i) == Some(&found);
                    assert!(is_new || shift > 0 && found == old[i], "{i}: {found}");
                }
                self.plain[b] = out.host().to_vec();
                self.arrays[b] = out;
                format!("gather {a} {shift} {b}")
            }
            _ => {
                let stream = Stream::on(device).unwrap();
                let buffer = DeviceBuffer::from_slice_on(&stream, &source).unwrap();
                with_device(Device::Seq, || mix(&source, &source, &mut self.plain[b]));
                mix::on_stream(&stream, &buffer, &source.clone(), &mut self.arrays[b]).unwrap();
                double_in_order(&mut self.plain[b]);
                double::on_stream(&stream, &mut self.arrays[b]).unwrap();
                format!("stream {a} {b}")
            }
        }
    }
}

fn double_in_order(values: &mut [u32]) {
    with_device(Device::Seq, || double(values));
}

#[test]
fn a_resident_array_holds_what_a_vector_does() {
    let devices: &[Device] = match cfg!(feature = "sim") {
        true => &[Device::Sim, Device::Sim, Device::Cpu, Device::Seq],
        false => &[Device::Cpu, Device::Seq],
    };
    for seed in 0..30 {
        let plain: Vec<Vec<u32>> = (0..3)
            .map(|a| (0..LEN as u32).map(|i| i * 31 + a * 7 + seed).collect())
            .collect();
        let arrays = plain.iter().cloned().map(Resident::from).collect();
        let state = 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(u64::from(seed) + 1);
        let mut program = Program {
            state,
            plain,
            arrays,
        };
        let mut text = Vec::new();
        for _ in 0..60 {
            let device = devices[program.draw(devices.len())];
            let step = with_device(device, || program.step(device));
            text.push(format!("{device} {step}"));
            // A look changes what is where, so not each step is followed by one.
            if program.draw(6) == 0 {
                for (array, plain) in program.arrays.iter().zip(&program.plain) {
                    assert_eq!(array.host(), plain, "seed {seed}: {text:#?}");
                }
            }
        }
        for (array, plain) in program.arrays.into_iter().zip(program.plain) {
            assert_eq!(array.into_vec(), plain, "seed {seed}: {text:#?}");
        }
    }
}

#[test]
fn structs_are_elements_like_others() {
    let body = |i: u32| Body {
        at: [i as f32, 1.0],
        mass: (i % 5 + 1) as f32,
        hits: i,
    };
    let before: Vec<Body> = (0..300).map(body).collect();
    let (mut expected, mut masses) = (before.clone(), [0; 4]);
    with_device(Device::Seq, || {
        hit(&mut expected, 3.0);
        hit(&mut expected, 0.5);
        weigh(&expected, &mut masses);
    });
    let sim = cfg!(feature = "sim").then_some(Device::Sim);
    for device in [Device::Cpu].into_iter().chain(sim) {
        with_device(device, || {
            let mut bodies = Resident::from(before.clone());
            hit::on(&mut bodies, 3.0).unwrap();
            hit::on(&mut bodies, 0.5).unwrap();
            let mut found = [0; 4];
            weigh::on(&bodies, &mut found).unwrap();
            assert_eq!((bodies.host(), found), (&expected[..], masses), "{device}");
            let mut plain = before.clone();
            hit::on(&mut plain, 3.0).unwrap();
            hit::on(&mut plain, 0.5).unwrap();
            assert_eq!(plain, expected, "{device}");
        });
    }
}
