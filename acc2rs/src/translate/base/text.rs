//! Text as Rust writes it: literals of strings and of bytes.

/// A Rust string literal.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_ascii_control() => out.push_str(&format!("\\x{:02x}", u32::from(c))),
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A `char` array from a literal: its bytes, a zero, and more zeros up to `len`.
pub(crate) fn byte_array(bytes: &[u8], len: Option<u64>) -> String {
    let len = len.unwrap_or(bytes.len() as u64 + 1) as usize;
    if bytes.is_empty() && len > 1 {
        return format!("[0; {len}]");
    }
    let values: Vec<String> = (0..len.min(1 << 20))
        .map(|at| bytes.get(at).map_or("0".into(), |b| (*b as i8).to_string()))
        .collect();
    format!("[{}]", values.join(", "))
}
