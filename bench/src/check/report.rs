//! What was checked and how it went: a table of strategies and operators by bin type, and every failure.

use std::collections::BTreeMap;

/// Failures that are shown; the rest is counted.
const SHOWN: usize = 20;

/// One cell of the table: calls that were right and calls that were not.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    passed: usize,
    failed: usize,
}

/// Results so far.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// By row and column.
    cells: BTreeMap<(usize, usize), Cell>,
    rows: Vec<String>,
    columns: Vec<String>,
    failures: Vec<String>,
}

impl Report {
    /// Counts a call; `outcome` says what was wrong with it.
    pub(crate) fn count(&mut self, row: &str, column: &str, outcome: Result<(), String>) {
        let key = (
            position(&mut self.rows, row),
            position(&mut self.columns, column),
        );
        let cell = self.cells.entry(key).or_default();
        match outcome {
            Ok(()) => cell.passed += 1,
            Err(what) => {
                cell.failed += 1;
                self.failures.push(format!("{row}, {column}: {what}"));
            }
        }
    }

    /// Adds another report's results.
    pub(crate) fn add(&mut self, other: Report) {
        for ((row, column), cell) in other.cells {
            let key = (
                position(&mut self.rows, &other.rows[row]),
                position(&mut self.columns, &other.columns[column]),
            );
            let mine = self.cells.entry(key).or_default();
            mine.passed += cell.passed;
            mine.failed += cell.failed;
        }
        self.failures.extend(other.failures);
    }

    /// Calls that were right, and calls that were not.
    pub(crate) fn totals(&self) -> (usize, usize) {
        let cells = self.cells.values();
        cells.fold((0, 0), |(p, f), cell| (p + cell.passed, f + cell.failed))
    }

    /// The table, with the number of right calls in each cell, and the failures.
    pub(crate) fn print(&self, title: &str) {
        let first = self
            .rows
            .iter()
            .map(String::len)
            .max()
            .unwrap_or(0)
            .max(title.len());
        let widths: Vec<usize> = self.columns.iter().map(|c| c.len().max(6)).collect();
        print!("{title:first$}");
        for (column, width) in self.columns.iter().zip(&widths) {
            print!("  {column:>width$}");
        }
        println!();
        for (r, row) in self.rows.iter().enumerate() {
            print!("{row:first$}");
            for (c, width) in widths.iter().enumerate() {
                let text = match self.cells.get(&(r, c)) {
                    None => String::new(),
                    Some(Cell { passed, failed: 0 }) => passed.to_string(),
                    Some(Cell { failed, .. }) => format!("{failed} BAD"),
                };
                print!("  {text:>width$}");
            }
            println!();
        }
        for failure in self.failures.iter().take(SHOWN) {
            println!("failed: {failure}");
        }
        if self.failures.len() > SHOWN {
            println!("and {} more failures", self.failures.len() - SHOWN);
        }
        println!();
    }
}

fn position(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|n| n == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}
