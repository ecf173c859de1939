//! Translated by acc2rs from `csr_graph.c`.
#![forbid(unsafe_code)]
#![allow(unused_assignments)]

use accrue::offload;

// In-degrees and a breadth-first search over a graph in CSR form.
#[allow(dead_code)]
#[derive(Clone, Debug)]
struct Graph {
    nodes: i32,
    edges: i32,
    row: Vec<i32>,
    col: Vec<i32>,
}

impl Graph {
    /// All fields zero, as C initializes them.
    fn zeroed() -> Graph {
        Graph {
            nodes: 0,
            edges: 0,
            row: Vec::new(),
            col: Vec::new(),
        }
    }
}

/// Counts into `degree`, the loop at csr_graph.c:62:3.
#[offload(histogram)]
fn count_degree(col: &[i32], edges: i32, degree: &mut [i32]) {
    for e in 0..edges {
        degree[col[e as usize] as usize] += 1;
    }
}

fn make(nodes: i32) -> Vec<Graph> {
    let mut g: Vec<Graph> = vec![Graph::zeroed(); 1];
    g[0].nodes = nodes;
    g[0].edges = nodes * 3;
    g[0].row = vec![0_i32; (nodes + 1) as usize];
    g[0].col = vec![0_i32; g[0].edges as usize];
    for i in 0..=nodes {
        g[0].row[i as usize] = 3 * i;
    }
    for i in 0..nodes {
        g[0].col[(3 * i) as usize] = (i + 1) % nodes;
        g[0].col[(3 * i + 1) as usize] = (i * 7 + 3) % nodes;
        g[0].col[(3 * i + 2) as usize] = (i * i + 5) % nodes;
    }
    g
}

fn destroy(g: &mut [Graph]) {
    g[0].row = Vec::new();
    g[0].col = Vec::new();
    let _ = g;
}

fn bfs(g: &Graph, level: &mut [i32]) -> i32 {
    for i in 0..g.nodes {
        level[i as usize] = 0x7fffffff;
    }
    level[0] = 0;
    let mut depth: i32 = 0;
    let mut changed: i32 = 1;
    while changed != 0 {
        changed = 0;
        for u in 0..g.nodes {
            if level[u as usize] != depth {
                continue;
            }
            for e in g.row[u as usize]..g.row[(u + 1) as usize] {
                let v: i32 = g.col[e as usize];
                if level[v as usize] == 0x7fffffff {
                    level[v as usize] = depth + 1;
                    changed = 1;
                }
            }
        }
        depth += 1;
    }
    depth
}

fn main() {
    let mut g: Vec<Graph> = make(200);
    let mut degree: Vec<i32> = vec![0_i32; g[0].nodes as usize];
    let mut level: Vec<i32> = vec![0_i32; g[0].nodes as usize];
    let edges: i32 = g[0].edges;
    count_degree(&g[0].col, edges, &mut degree);
    let depth: i32 = bfs(&g[0], &mut level);
    let mut most: i32 = 0;
    for i in 0..g[0].nodes {
        if degree[i as usize] > most {
            most = degree[i as usize];
        }
    }
    println!("depth {}, degree at most {}", depth, most);
    drop(degree);
    drop(level);
    destroy(&mut g);
}
