//! The report for a terminal.

use std::fmt::Write as _;

use super::report::{Counts, FileReport, Report, Status, bins, fate, pattern};
use crate::diag::Severity;

/// The whole report as text.
pub fn render(report: &Report) -> String {
    let mut out = String::new();
    for file in &report.files {
        of_file(file, &mut out);
    }
    let files = report.files.len();
    let refused = report.files.iter().filter(|f| f.status == Status::Refused);
    let _ = writeln!(
        out,
        "{files} file{}, {} refused",
        if files == 1 { "" } else { "s" },
        refused.count()
    );
    let _ = writeln!(out, "  constructs  {}", shares(&report.constructs));
    let _ = writeln!(out, "  loops       {}", shares(&report.loops));
    let _ = writeln!(
        out,
        "  offloaded   {} of {} loops ({} %)",
        report.offloaded,
        report.loops.total,
        report.loops.percent(report.offloaded)
    );
    out
}

/// Counts with their shares, as `12: 9 translated (75 %), …`.
pub fn shares(counts: &Counts) -> String {
    let part = |n: usize, what: &str| format!("{n} {what} ({} %)", counts.percent(n));
    format!(
        "{}: {}, {}, {}",
        counts.total,
        part(counts.translated, "translated"),
        part(counts.kept_atomic, "kept atomic"),
        part(counts.refused, "refused")
    )
}

fn of_file(file: &FileReport, out: &mut String) {
    let _ = writeln!(out, "{}", file.path);
    for found in &file.loops {
        let at = &found.at;
        let directive = if found.directive.is_empty() {
            "for"
        } else {
            &found.directive
        };
        let function = found
            .function
            .as_ref()
            .map_or(String::new(), |f| format!(" in `{f}`"));
        let _ = writeln!(
            out,
            "  {}:{}: {directive}{function}: {}, {}",
            at.file,
            at.line,
            pattern(found.pattern),
            fate(found.fate)
        );
        for one in &found.bins {
            let _ = writeln!(out, "      bins       {}", bins(one));
        }
        if !found.reductions.is_empty() {
            let _ = writeln!(out, "      reduction  {}", found.reductions.join(", "));
        }
        if let Some(function) = &found.becomes {
            let _ = writeln!(out, "      becomes    {function}");
        }
        let code = found
            .code
            .as_ref()
            .map_or(String::new(), |c| format!(" [{c}]"));
        let _ = writeln!(out, "      because    {}{code}", found.why);
        if let Some(obstacle) = &found.obstacle {
            let _ = writeln!(out, "      cpu only   {obstacle}");
        }
    }
    for said in file
        .diagnostics
        .iter()
        .filter(|d| d.severity != Severity::Note)
    {
        let word = match said.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        };
        let at = said.at.as_ref().map_or(file.path.clone(), |p| {
            format!("{}:{}:{}", p.file, p.line, p.column)
        });
        let _ = writeln!(out, "  {word}[{}]: {at}: {}", said.code, said.message);
        for help in &said.help {
            let _ = writeln!(out, "      help       {help}");
        }
    }
    let _ = writeln!(out, "  constructs  {}\n", shares(&file.constructs));
}
