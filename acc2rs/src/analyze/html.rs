//! The report as one page of HTML that needs nothing else: sums, an index of the files, and each
//! file with its loops in a table and in its annotated source.

use std::fmt::Write as _;

use super::report::{Counts, FileReport, Loop, Report, Status, bins, fate, pattern};
use crate::translate::survey::Fate;

/// The whole report as a page.
pub fn render(report: &Report) -> String {
    let mut out =
        String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    out.push_str("<title>acc2rs analyze</title>\n<style>\n");
    out.push_str(include_str!("report.css"));
    out.push_str("</style>\n</head>\n<body>\n<main>\n");
    summary(report, &mut out);
    if report.files.len() > 1 {
        index(report, &mut out);
    }
    for (at, file) in report.files.iter().enumerate() {
        section(at, file, &mut out);
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

/// Text as it may stand in an element or a quoted attribute.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// Our own messages put code between backquotes.
fn prose(text: &str) -> String {
    let mut out = String::new();
    for (at, part) in text.split('`').enumerate() {
        let _ = if at % 2 == 1 {
            write!(out, "<code>{}</code>", escaped(part))
        } else {
            write!(out, "{}", escaped(part))
        };
    }
    out
}

fn class(of: Fate) -> &'static str {
    match of {
        Fate::Translated => "translated",
        Fate::KeptAtomic => "kept",
        Fate::Refused => "refused",
    }
}

fn bar(counts: &Counts, out: &mut String) {
    let _ = write!(
        out,
        "<div class=\"bar\" role=\"img\" aria-label=\"{} translated, {} kept atomic, {} refused\">",
        counts.translated, counts.kept_atomic, counts.refused
    );
    for (class, n) in [
        ("translated", counts.translated),
        ("kept", counts.kept_atomic),
        ("refused", counts.refused),
    ] {
        if n > 0 {
            let _ = write!(out, "<i class=\"{class}\" style=\"flex:{n}\"></i>");
        }
    }
    out.push_str("</div>\n");
}

fn summary(report: &Report, out: &mut String) {
    let all = &report.constructs;
    let _ = writeln!(
        out,
        "<h1>OpenACC loops and what becomes of them</h1>\n<div class=\"soft\">acc2rs {} over {} file{}, {} loops</div>",
        report.version,
        report.files.len(),
        if report.files.len() == 1 { "" } else { "s" },
        report.loops.total
    );
    out.push_str("<div class=\"tiles\">\n");
    let _ = writeln!(
        out,
        "<div class=\"tile\"><b>{}</b>constructs</div>",
        all.total
    );
    for (n, words) in [
        (all.translated, "translated"),
        (all.kept_atomic, "kept atomic"),
        (all.refused, "refused"),
    ] {
        let _ = writeln!(
            out,
            "<div class=\"tile\"><b>{} %</b>{n} {words}</div>",
            all.percent(n)
        );
    }
    out.push_str("</div>\n");
    bar(all, out);
}

fn index(report: &Report, out: &mut String) {
    out.push_str("<p></p><div class=\"index\"><table>\n<tr><th>File</th><th>Status</th><th>Loops</th><th>Constructs</th><th>Translated, kept atomic, refused</th></tr>\n");
    for (at, file) in report.files.iter().enumerate() {
        let _ = write!(
            out,
            "<tr><td><a class=\"mono\" href=\"#f{at}\">{}</a></td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td>",
            escaped(&file.path),
            status(file),
            file.loops.len(),
            file.constructs.total
        );
        bar(&file.constructs, out);
        out.push_str("</td></tr>\n");
    }
    out.push_str("</table></div>\n");
}

fn status(file: &FileReport) -> &'static str {
    match file.status {
        Status::Translated => "<span class=\"tag translated\">translated</span>",
        Status::Refused => "<span class=\"tag refused\">refused</span>",
    }
}

fn section(at: usize, file: &FileReport, out: &mut String) {
    let _ = writeln!(
        out,
        "<section id=\"f{at}\">\n<header><h2 class=\"mono\">{}</h2>{}",
        escaped(&file.path),
        status(file)
    );
    bar(&file.constructs, out);
    out.push_str("</header>\n");
    if !file.loops.is_empty() {
        out.push_str("<table>\n<tr><th>Line</th><th>Loop</th><th>Pattern</th><th>Bins and operator</th><th></th><th>Why</th></tr>\n");
        for (n, found) in file.loops.iter().enumerate() {
            row(at, n, file, found, out);
        }
        out.push_str("</table>\n");
    }
    if !file.diagnostics.is_empty() {
        out.push_str("<ul class=\"said\">\n");
        for said in &file.diagnostics {
            let line = said
                .at
                .as_ref()
                .map_or(String::new(), |p| format!("line {}: ", p.line));
            let help = said.help.iter().map(|h| format!("; {}", prose(h)));
            let _ = writeln!(
                out,
                "<li><span class=\"mono\">{}</span> {line}{}{}</li>",
                said.code,
                prose(&said.message),
                help.collect::<String>()
            );
        }
        out.push_str("</ul>\n");
    }
    source(at, file, out);
    out.push_str("</section>\n");
}

fn row(at: usize, n: usize, file: &FileReport, found: &Loop, out: &mut String) {
    let line = if found.at.file == file.path {
        format!(
            "<a id=\"r{at}-{n}\" href=\"#l{at}-{n}\">{}</a>",
            found.at.line
        )
    } else {
        format!("{}:{}", escaped(&found.at.file), found.at.line)
    };
    let directive = if found.directive.is_empty() {
        "for"
    } else {
        &found.directive
    };
    let mut what: Vec<String> = found
        .bins
        .iter()
        .map(|b| format!("<code>{}</code>", escaped(&bins(b))))
        .collect();
    if !found.reductions.is_empty() {
        what.push(format!(
            "reduces <code>{}</code>",
            escaped(&found.reductions.join(", "))
        ));
    }
    if let Some(function) = &found.becomes {
        what.push(format!("becomes <code>{}</code>", escaped(function)));
    }
    let function = found.function.as_ref().map_or(String::new(), |f| {
        format!(
            " <span class=\"soft\">in</span> <code>{}</code>",
            escaped(f)
        )
    });
    let code = found.code.as_ref().map_or(String::new(), |c| {
        format!(" <span class=\"soft mono\">{c}</span>")
    });
    let _ = writeln!(
        out,
        "<tr><td class=\"n\">{line}</td><td><code>{}</code>{function}</td><td>{}</td><td>{}</td><td><span class=\"tag {}\">{}</span></td><td>{}{code}</td></tr>",
        escaped(directive),
        pattern(found.pattern),
        what.join("<br>"),
        class(found.fate),
        fate(found.fate),
        prose(&found.why)
    );
}

/// The file's text, its loops marked and explained where they start.
fn source(at: usize, file: &FileReport, out: &mut String) {
    if file.source.is_empty() {
        return;
    }
    let here = |l: &&(usize, &Loop)| l.1.at.file == file.path;
    let loops: Vec<(usize, &Loop)> = file.loops.iter().enumerate().collect();
    let open = if file.loops.is_empty() { "" } else { " open" };
    let _ = write!(
        out,
        "<details{open}><summary>Annotated source</summary>\n<pre>"
    );
    for (number, line) in file.source.lines().enumerate() {
        let number = number + 1;
        for (n, found) in loops.iter().filter(here).filter(|l| l.1.at.line == number) {
            let _ = write!(
                out,
                "<span class=\"why {}\" id=\"l{at}-{n}\">{}, {}: {}</span>",
                class(found.fate),
                pattern(found.pattern),
                fate(found.fate),
                prose(&found.why)
            );
        }
        // The innermost loop, which starts last, gives a line its colour; directives have their own.
        let of_loop = loops
            .iter()
            .filter(here)
            .filter(|(_, l)| (l.at.line..=l.at.end_line).contains(&number))
            .max_by_key(|(_, l)| l.at.line)
            .map(|(_, l)| l.fate);
        let own = file
            .directives
            .iter()
            .find(|d| d.at.file == file.path && d.at.line == number)
            .map(|d| d.fate);
        let class = own.or(of_loop).map_or("", class);
        let _ = write!(
            out,
            "<span class=\"l {class}\" data-n=\"{number}\">{}</span>",
            escaped(line)
        );
    }
    out.push_str("</pre></details>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(
            escaped("a<b> & \"c\" 'd'"),
            "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;"
        );
        assert_eq!(prose("`x<y` is"), "<code>x&lt;y</code> is");
    }
}
