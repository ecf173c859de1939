//! The `scanf` family: the format is read at translation time, so that each value gets the type of its place.

use super::state::{Emit, Emitted, refuse};
use crate::codes;
use crate::ctypes::Type;
use crate::translate::base::code::{Code, Prec};
use crate::typed::{Expr, ExprKind};

/// What a conversion reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Read {
    /// `%d`, `%x`, `%n`: an integer.
    Integer,
    /// `%f` and its relatives.
    Float,
    /// `%s`, `%[…]`: text with a terminating zero.
    Text,
    /// `%c`: a character.
    Byte,
}

/// The conversions of a format that store something; `None` where one is not known.
fn conversions(format: &str) -> Option<Vec<Read>> {
    let mut out = Vec::new();
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '%' {
            continue;
        }
        if rest.next_if_eq(&'%').is_some() {
            continue;
        }
        let skipped = rest.next_if_eq(&'*').is_some();
        let mut wide = false;
        while rest.next_if(char::is_ascii_digit).is_some() {
            wide = true;
        }
        while rest.next_if(|c| "hlLqjzt".contains(*c)).is_some() {}
        let read = match rest.next()? {
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'n' => Read::Integer,
            'f' | 'F' | 'e' | 'E' | 'g' | 'G' => Read::Float,
            's' => Read::Text,
            'c' if !wide => Read::Byte,
            '[' => {
                rest.next_if_eq(&'^');
                rest.next_if_eq(&']');
                rest.find(|c| *c == ']')?;
                Read::Text
            }
            _ => return None,
        };
        if !skipped {
            out.push(read);
        }
    }
    Some(out)
}

impl Emit<'_> {
    /// A call of the `scanf` family: reads by a helper, then stores what was found; the value is how much that was.
    pub(super) fn scanned(
        &mut self,
        helper: &str,
        from: Code,
        format: &Expr,
        into: &[Expr],
        expr: &Expr,
    ) -> Emitted<Code> {
        let ExprKind::Str(bytes) = &format.stripped().kind else {
            return refuse(
                codes::FORMAT,
                format.span,
                "the format is not a literal",
                "write the format into the call",
            );
        };
        let text = String::from_utf8_lossy(bytes).into_owned();
        let Some(reads) = conversions(&text).filter(|reads| reads.len() == into.len()) else {
            return refuse(
                codes::FORMAT,
                expr.span,
                "a format with a conversion that is not translated, or not as many conversions as places",
                "read numbers, words and single characters, each into its own place",
            );
        };
        let found = self.temporary("found");
        let mut out = format!(
            "{{ let {found} = {};\n",
            Code::call(
                helper,
                &[
                    from,
                    Code::atom(crate::translate::base::text::quoted(&text))
                ]
            )
            .text
        );
        for (at, (read, place)) in reads.iter().zip(into).enumerate() {
            let method = match read {
                Read::Integer | Read::Byte => "integer",
                Read::Float => "float",
                Read::Text => "text",
            };
            let value = self.temporary("value");
            let store = if *read == Read::Text {
                let pointer = self.pointer(place)?;
                let target = self.slice(&pointer, true);
                let set = self.helper("set_text");
                format!("{set}({}, {value})", target.text)
            } else {
                self.store_scanned(place, &value, expr)?
            };
            out.push_str(&format!(
                "if let Some({value}) = {found}.{method}({at}) {{ {store}; }}\n"
            ));
        }
        out.push_str(&format!("{found}.count }}"));
        Ok(Code::low(out))
    }

    /// Stores a number that was read through a pointer to its place.
    fn store_scanned(&mut self, pointer: &Expr, value: &str, expr: &Expr) -> Emitted<String> {
        let ty = pointer.stripped().ty.element().cloned();
        let ty = pointer.ty.element().cloned().or(ty).unwrap_or(Type::Void);
        let ty = match &pointer.stripped().kind {
            ExprKind::AddrOf(place) => place.ty.clone(),
            _ => ty,
        };
        if !ty.is_arithmetic() || ty == Type::LongDouble {
            return refuse(
                codes::FORMAT,
                expr.span,
                "a number is read into something that is none",
                "give the address of a variable of the type that the format names",
            );
        }
        let place = match &pointer.stripped().kind {
            ExprKind::AddrOf(place) => self.place(place)?,
            _ => {
                let pointer = self.pointer(pointer)?;
                if pointer.single {
                    pointer.base
                } else {
                    pointer.base.index(&pointer.at())
                }
            }
        };
        let number = Code::new(value.to_string(), Prec::Atom);
        let number = number.cast(super::convert::number(&ty));
        Ok(format!("{} = {}", place.text, number.text))
    }
}

#[cfg(test)]
mod tests {
    use super::{Read, conversions};

    #[test]
    fn formats() {
        use Read as R;
        assert_eq!(conversions("%d,%*s %lf"), Some(vec![R::Integer, R::Float]));
        assert_eq!(conversions("%[^]=]=%15s%%"), Some(vec![R::Text, R::Text]));
        assert_eq!(conversions("%c %zu"), Some(vec![R::Byte, R::Integer]));
        assert_eq!(conversions("%p"), None);
        assert_eq!(conversions("%"), None);
    }
}
