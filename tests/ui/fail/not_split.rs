use accrue::offload;
use std::sync::mpsc::Receiver;

#[offload]
fn consumed(words: Vec<String>, h: &mut [u32]) {
    for word in words {
        h[word.len()] += 1;
    }
}

#[offload]
fn received(from: Receiver<usize>, h: &mut [u32]) {
    for x in from {
        h[x] += 1;
    }
}

fn main() {}
