use accrue::offload;
use std::sync::mpsc::Receiver;

struct Word(String);

#[offload]
fn consumed(words: Vec<Word>, h: &mut [u32]) {
    for word in words {
        h[word.0.len()] += 1;
    }
}

#[offload]
fn received(from: Receiver<usize>, h: &mut [u32]) {
    for x in from {
        h[x] += 1;
    }
}

fn main() {}
