//! Where things stand: the user's files, the preprocessed text of each unit, and the way from an
//! offset in the latter to a line and column of the former.
//!
//! Every later stage speaks of a [`Span`], a range of bytes in the preprocessed text of one unit.
//! Only diagnostics and the rewriter of the user's own text turn it into a [`Place`].

use std::path::{Path, PathBuf};

use crate::macros::{Origin, Use};

/// A file of the user: index into [`Sources::files`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FileId(pub u32);

/// A range of bytes in the preprocessed text of one unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Span {
    /// Which unit: index into [`Sources::units`].
    pub unit: u32,
    /// First byte.
    pub lo: u32,
    /// Just past the last byte.
    pub hi: u32,
}

impl Span {
    /// The range from the start of this span to the end of `other`.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        Span {
            hi: other.hi.max(self.lo),
            ..self
        }
    }
}

/// A range in a file as the user wrote it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The file.
    pub file: FileId,
    /// First byte in the file.
    pub lo: usize,
    /// Just past the last byte; at least `lo`.
    pub hi: usize,
}

/// One file as it is on disk.
#[derive(Debug)]
pub struct File {
    /// The path as the preprocessor names it.
    pub path: PathBuf,
    /// Its text; bytes that are no UTF-8 were read as Latin-1, so offsets are those of this text.
    pub text: String,
    line_starts: Vec<usize>,
}

impl File {
    /// A file with this text.
    pub fn new(path: PathBuf, text: String) -> File {
        let line_starts = std::iter::once(0)
            .chain(text.match_indices('\n').map(|(at, _)| at + 1))
            .collect();
        File {
            path,
            text,
            line_starts,
        }
    }

    /// Number of lines.
    pub fn lines(&self) -> usize {
        self.line_starts.len()
    }

    /// Byte offset at which a line (counted from 1) starts; the end of the file past the last line.
    pub fn line_start(&self, line: usize) -> usize {
        self.line_starts
            .get(line.saturating_sub(1))
            .copied()
            .unwrap_or(self.text.len())
    }

    /// Line and column, both counted from 1 and the column in characters, of a byte offset.
    pub fn line_col(&self, at: usize) -> (usize, usize) {
        let line = self
            .line_starts
            .partition_point(|&start| start <= at)
            .max(1);
        let start = self.line_starts[line - 1];
        let column = self
            .text
            .get(start..at.min(self.text.len()))
            .map_or(1, |s| s.chars().count() + 1);
        (line, column)
    }

    /// The text of a line (counted from 1) without its line break.
    pub fn line(&self, line: usize) -> &str {
        let text = self
            .text
            .get(self.line_start(line)..self.line_start(line + 1))
            .unwrap_or("");
        text.trim_end_matches(['\n', '\r'])
    }
}

/// The preprocessed text of one C file, and where its tokens came from.
#[derive(Debug)]
pub struct UnitText {
    /// The C file.
    pub file: FileId,
    /// What the preprocessor printed.
    pub text: String,
    /// Origins of the tokens that stand in the user's files, by [`Origin::at`].
    pub origins: Vec<Origin>,
    /// Uses of macros in the user's files.
    pub uses: Vec<Use>,
}

/// All files and units of a run.
#[derive(Debug, Default)]
pub struct Sources {
    /// The user's files: the C files and the local headers they include.
    pub files: Vec<File>,
    /// The preprocessed units.
    pub units: Vec<UnitText>,
}

impl Sources {
    /// The file of this path, read if it is not known yet; `None` if it cannot be read.
    pub fn load(&mut self, path: &Path) -> Option<FileId> {
        if let Some(known) = self.find(path) {
            return Some(known);
        }
        let bytes = std::fs::read(path).ok()?;
        Some(self.add(path.to_path_buf(), text_of(bytes)))
    }

    /// Adds a file whose text is at hand.
    pub fn add(&mut self, path: PathBuf, text: String) -> FileId {
        self.files.push(File::new(path, text));
        FileId(self.files.len() as u32 - 1)
    }

    /// The file of this path, if it was loaded.
    pub fn find(&self, path: &Path) -> Option<FileId> {
        self.files
            .iter()
            .position(|f| f.path == path)
            .map(|at| FileId(at as u32))
    }

    /// A file by its id.
    pub fn file(&self, id: FileId) -> &File {
        &self.files[id.0 as usize]
    }

    /// The preprocessed text under a span; empty if the span is out of range.
    pub fn text(&self, span: Span) -> &str {
        let unit = self.units.get(span.unit as usize);
        unit.and_then(|u| u.text.get(span.lo as usize..span.hi as usize))
            .unwrap_or("")
    }

    /// Where in the user's files the tokens under a span stand, macros unexpanded; `None` for what
    /// comes from a system header.
    ///
    /// The place runs from the first token to the last one of the same file.
    pub fn place(&self, span: Span) -> Option<Place> {
        let unit = self.units.get(span.unit as usize)?;
        let first = unit.origins.partition_point(|o| (o.at + o.len) <= span.lo);
        let origin = unit.origins.get(first)?;
        if origin.at >= span.hi.max(span.lo + 1) && span.hi > span.lo {
            return None;
        }
        let mut place = Place {
            file: origin.file,
            lo: origin.raw_lo as usize,
            hi: origin.raw_hi as usize,
        };
        for next in unit.origins[first..].iter().take_while(|o| o.at < span.hi) {
            if next.file == place.file && next.raw_lo as usize >= place.lo {
                place.hi = place.hi.max(next.raw_hi as usize);
            }
        }
        Some(place)
    }

    /// The macro use that the tokens under a span came from, if they are exactly what one use
    /// expanded to, parentheses around it aside.
    pub fn macro_use(&self, span: Span) -> Option<&Use> {
        let unit = self.units.get(span.unit as usize)?;
        let first = unit.origins.partition_point(|o| o.at < span.lo);
        let last = unit.origins.partition_point(|o| o.at < span.hi);
        let id = unit.origins.get(first)?.macro_use?;
        let used = unit.uses.get(id as usize)?;
        let (mut from, mut to) = (used.first as usize, used.last as usize);
        let token = |at: usize| {
            let o = &unit.origins[at];
            unit.text
                .get(o.at as usize..(o.at + o.len) as usize)
                .unwrap_or("")
        };
        loop {
            if (from, to) == (first, last) {
                return Some(used);
            }
            if to < from + 2 || token(from) != "(" || token(to - 1) != ")" {
                return None;
            }
            from += 1;
            to -= 1;
        }
    }

    /// `path:line:column` of a span, for messages that name a place in running text.
    pub fn describe(&self, span: Span) -> String {
        match self.place(span) {
            Some(place) => {
                let file = self.file(place.file);
                let (line, column) = file.line_col(place.lo);
                format!("{}:{line}:{column}", file.path.display())
            }
            None => "a system header".to_string(),
        }
    }
}

/// Text of a C file: UTF-8 where it is, Latin-1 where it is not.
pub fn text_of(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|bad| bad.into_bytes().iter().map(|&b| char::from(b)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns() {
        let file = File::new("a.c".into(), "int x;\n  é = 1;\n".into());
        assert_eq!(file.line_col(0), (1, 1));
        assert_eq!(file.line_col(9), (2, 3));
        assert_eq!(file.line_col(11), (2, 4));
        assert_eq!(file.line(2), "  é = 1;");
        assert_eq!(file.line(9), "");
    }
}
