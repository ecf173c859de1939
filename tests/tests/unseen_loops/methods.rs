//! Methods of an `impl` block under the attribute that its loops call: getters with checks, and setters, on `self` and on another value of the type.

use super::*;

/// Types with an `impl` block, as it is and offloaded.
macro_rules! both {
    ($(#[$derive:meta])* struct $ty:ident { $($fields:tt)* } impl { $($body:tt)* }) => {
        mod plain {
            $(#[$derive])* pub(super) struct $ty { $($fields)* }
            impl $ty { $($body)* }
        }
        mod offloaded {
            $(#[$derive])* pub(super) struct $ty { $($fields)* }
            #[accrue::offload]
            impl $ty { $($body)* }
        }
        const TEXT: &str = stringify!(impl $ty { $($body)* });
    };
}

both! {
    #[derive(Clone, Debug, PartialEq)]
    struct Grid {
        pub wide: usize,
        pub high: usize,
        pub cells: Vec<i64>,
        pub next: Vec<i64>,
    }

    impl {
        pub(super) fn new(wide: usize, high: usize) -> Self {
            Grid { wide, high, cells: vec![0; wide * high], next: vec![0; wide * high] }
        }

        fn at(&self, x: usize, y: usize) -> usize {
            y * self.wide + x
        }

        fn get(&self, x: usize, y: usize) -> i64 {
            self.cells[self.at(x, y)]
        }

        /// 0 beyond the edges.
        fn near(&self, x: i64, y: i64) -> i64 {
            if x < 0 || y < 0 || x >= self.wide as i64 {
                return 0;
            }
            if y < self.high as i64 { self.get(x as usize, y as usize) } else { return 0; }
        }

        fn around(&self, x: usize, y: usize) -> i64 {
            let mut sum = 0;
            for dy in -1..=1 {
                for dx in -1..=1 {
                    sum += self.near(x as i64 + dx, y as i64 + dy);
                }
            }
            sum
        }

        fn set(&mut self, x: usize, y: usize, v: i64) {
            let at = self.at(x, y);
            self.cells[at] = v;
        }

        fn set_next(&mut self, x: usize, y: usize, v: i64) {
            if v < 3 {
                return;
            }
            self.next[y * self.wide + x] = v
        }

        /// Its parameter and its variable have names that values have where it is called.
        fn put(&mut self, out: usize, v: i64) {
            let old = v + 1;
            self.cells[out] = old;
        }

        fn exchange(&mut self, x: usize, y: usize, v: i64) -> i64 {
            let old = self.get(x, y);
            self.set(x, y, v);
            old
        }

        pub(super) fn step(&mut self) {
            for y in 0..self.high {
                for x in 0..self.wide {
                    let around = self.around(x, y);
                    self.set_next(x, y, around % 7);
                }
            }
            std::mem::swap(&mut self.cells, &mut self.next);
        }

        pub(super) fn transposed(&self) -> Grid {
            let mut out = Grid::new(self.high, self.wide);
            for y in 0..self.high {
                for x in 0..self.wide {
                    out.set(y, x, self.get(x, y));
                }
            }
            out
        }

        pub(super) fn product(&self, other: &Grid) -> Self {
            let mut result = Self::new(other.wide, self.high);
            for y in 0..self.high {
                for x in 0..other.wide {
                    let mut sum = 0;
                    for k in 0..self.wide {
                        sum += self.get(k, y) * other.get(x, k);
                    }
                    result.set(x, y, sum);
                }
            }
            result
        }

        pub(super) fn doubled(&mut self) {
            for y in 0..self.high {
                for x in 0..self.wide {
                    let v = self.get(x, y);
                    self.set(x, y, 2 * v);
                }
            }
        }

        pub(super) fn swapped(&mut self, other: &mut Grid) {
            for y in 0..self.high {
                for x in 0..self.wide {
                    let v = other.exchange(x, y, x as i64);
                    self.set(x, y, v - 1);
                }
            }
        }

        /// What is put into `old` and `out` would change another of that name.
        pub(super) fn hidden(&self) -> Grid {
            let mut old = self.clone();
            for i in 0..self.cells.len() {
                old.put(i, i as i64);
            }
            let mut out = self.clone();
            for i in 0..self.cells.len() {
                out.put(i, i as i64);
            }
            let mut third = out.clone();
            for i in 0..self.cells.len() {
                third.put(i, old.cells[i] - out.cells[i]);
            }
            third
        }

        /// Its iterations follow each other.
        pub(super) fn smeared(&mut self) {
            for y in 1..self.high {
                for x in 0..self.wide {
                    let above = self.get(x, y - 1);
                    self.set(x, y, above / 2 + 1);
                }
            }
        }

        /// Its iterations write one element.
        pub(super) fn last(&self) -> Grid {
            let mut out = Self::new(1, 1);
            for y in 0..self.high {
                for x in 0..self.wide {
                    out.set(0, 0, self.get(x, y));
                }
            }
            out
        }
    }
}

/// What all of the methods come to.
macro_rules! all_of {
    ($by:ident) => {{
        use $by::Grid;
        let mut grid = Grid::new(70, 60);
        grid.cells = words(70 * 60, 90).iter().map(|x| i64::from(*x)).collect();
        let mut found = Vec::new();
        grid.step();
        found.push(grid.clone());
        let mut turned = grid.transposed();
        found.push(grid.product(&turned));
        turned.doubled();
        let mut other = turned.transposed();
        grid.swapped(&mut other);
        found.extend([grid.clone(), other, turned, grid.hidden(), grid.last()]);
        grid.smeared();
        found.push(grid);
        format!("{found:?}")
    }};
}

#[test]
fn methods_of_a_block_are_written_out_in_its_loops() {
    let expected = all_of!(plain);
    let pool = ThreadPoolBuilder::new()
        .num_threads(3)
        .build()
        .expect("three threads");
    pool.install(|| {
        assert_eq!(with_device(Device::Cpu, || all_of!(offloaded)), expected);
        for strategy in trials() {
            let run = || with_device(Device::Cpu, || all_of!(offloaded));
            assert_eq!(with_strategy(strategy, run), expected, "{strategy}");
        }
    });
    #[cfg(feature = "sim")]
    assert_eq!(with_device(Device::Sim, || all_of!(offloaded)), expected);
}

/// Those whose iterations meet stay as they are written.
#[test]
fn what_setters_do_is_seen() {
    let block = TEXT.parse().expect("tokens");
    let tokens = accrue_compiler::expand(Default::default(), block, Default::default());
    let block: syn::ItemImpl = syn::parse2(tokens.expect("loops")).expect("a block");
    let marked = block.items.iter().filter_map(|item| match item {
        syn::ImplItem::Fn(of) => {
            let is = |a: &syn::Attribute| {
                a.path()
                    .segments
                    .last()
                    .is_some_and(|s| s.ident == "offload")
            };
            of.attrs.iter().any(is).then(|| of.sig.ident.to_string())
        }
        _ => None,
    });
    let marked: Vec<String> = marked.collect();
    let taken = [
        "around",
        "step",
        "transposed",
        "product",
        "doubled",
        "swapped",
    ];
    assert_eq!(marked, taken);
}

/// A method under an attribute of its own, which calls others by `&self` beside it, of a type whose other fields it changes.
macro_rules! wave {
    () => {
        pub(super) struct Wave {
            pub wide: usize,
            pub now: Vec<i64>,
            pub next: Vec<i64>,
        }
    };
}

mod plain_wave {
    wave!();

    impl Wave {
        fn at(&self, x: usize, y: usize) -> usize {
            y * self.wide + x
        }

        fn of(&self, x: usize, y: usize) -> i64 {
            self.now[self.at(x, y)]
        }

        pub(super) fn step(&mut self) {
            for y in 1..self.wide - 1 {
                for x in 1..self.wide - 1 {
                    let around = self.of(x - 1, y)
                        + self.of(x + 1, y)
                        + self.of(x, y - 1)
                        + self.of(x, y + 1);
                    let at = self.at(x, y);
                    self.next[at] = around % 17 - self.next[at];
                }
            }
            std::mem::swap(&mut self.now, &mut self.next);
        }

        fn cell(&self, x: i64) -> Option<usize> {
            if x < 0 || x as usize >= self.now.len() {
                return None;
            }
            Some(x as usize * 7 % self.now.len())
        }

        pub(super) fn count(&mut self, at: &[i64]) {
            for (n, &x) in at.iter().enumerate() {
                if let Some(cell) = self.cell(x - n as i64 % 3) {
                    self.now[cell] += 1;
                }
            }
        }
    }
}

mod offloaded_wave {
    wave!();

    impl Wave {
        fn at(&self, x: usize, y: usize) -> usize {
            y * self.wide + x
        }

        fn of(&self, x: usize, y: usize) -> i64 {
            self.now[self.at(x, y)]
        }

        #[accrue::offload]
        pub(super) fn step(&mut self) {
            for y in 1..self.wide - 1 {
                for x in 1..self.wide - 1 {
                    let around = self.of(x - 1, y)
                        + self.of(x + 1, y)
                        + self.of(x, y - 1)
                        + self.of(x, y + 1);
                    let at = self.at(x, y);
                    self.next[at] = around % 17 - self.next[at];
                }
            }
            std::mem::swap(&mut self.now, &mut self.next);
        }

        fn cell(&self, x: i64) -> Option<usize> {
            if x < 0 || x as usize >= self.now.len() {
                return None;
            }
            Some(x as usize * 7 % self.now.len())
        }

        #[accrue::offload]
        pub(super) fn count(&mut self, at: &[i64]) {
            for (n, &x) in at.iter().enumerate() {
                if let Some(cell) = self.cell(x - n as i64 % 3) {
                    self.now[cell] += 1;
                }
            }
        }
    }
}

#[test]
fn methods_beside_one_are_seen() {
    macro_rules! stepped {
        ($of:ident) => {{
            let now: Vec<i64> = words(90 * 90, 100).iter().map(|v| i64::from(*v)).collect();
            let mut wave = $of::Wave {
                wide: 90,
                next: now.clone(),
                now,
            };
            (0..5).for_each(|_| wave.step());
            let at: Vec<i64> = wave.now.iter().map(|v| v * 40).collect();
            wave.count(&at);
            (wave.now, wave.next)
        }};
    }
    let expected = stepped!(plain_wave);
    for strategy in trials() {
        let run = || with_device(Device::Cpu, || stepped!(offloaded_wave));
        assert_eq!(with_strategy(strategy, run), expected, "{strategy}");
    }
    #[cfg(feature = "sim")]
    assert_eq!(
        with_device(Device::Sim, || stepped!(offloaded_wave)),
        expected
    );
}
