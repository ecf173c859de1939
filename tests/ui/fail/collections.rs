use accrue::offload;
use std::collections::{BinaryHeap, LinkedList, VecDeque};

#[offload]
fn heaped(x: &[u32]) -> BinaryHeap<u32> {
    let mut heap = BinaryHeap::new();
    for &v in x {
        heap.push(v);
    }
    heap
}

#[offload]
fn linked(words: &[&'static str], list: &mut LinkedList<&'static str>) {
    for &word in words {
        list.push_back(word);
    }
}

struct Queues {
    first: VecDeque<u32>,
    heap: BinaryHeap<u32>,
}

#[offload]
fn held(queues: &mut Queues, x: &[u32]) {
    for &v in x {
        queues.heap.push(v);
    }
}

#[offload]
fn one_of_them(queues: &mut [Queues], x: &[u32]) {
    for &v in x {
        let all = queues[0].first.len() as u32;
        queues[0].first.push_back(v + all);
    }
}

#[offload]
fn some_of_them(queues: &mut [Queues], x: &[u32]) -> u32 {
    let mut sum = 0;
    for &v in x {
        sum += queues[v as usize].first.pop_front().unwrap_or(0);
    }
    sum
}

fn main() {}
