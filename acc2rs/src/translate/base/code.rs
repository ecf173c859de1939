//! Rust expressions as text that knows its precedence, so that parentheses stand where Rust needs
//! them and nowhere else.

/// How tightly the outermost operator of an expression binds (The Rust Reference, "Expression
/// precedence").
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Prec {
    /// `if`, `match`, closures, assignments: parenthesized under any operator.
    Lowest,
    Or,
    And,
    Compare,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Cast,
    Unary,
    /// Calls, indices, fields, literals, names.
    Atom,
}

/// A call with the statements that it needs around it.
pub(crate) struct PreparedCall {
    pub(crate) before: String,
    pub(crate) call: Code,
    pub(crate) after: String,
    /// Whether it has no value.
    pub(crate) void: bool,
}

impl PreparedCall {
    /// One that needs nothing.
    pub(crate) fn alone(call: Code) -> PreparedCall {
        PreparedCall {
            before: String::new(),
            call,
            after: String::new(),
            void: true,
        }
    }

    /// Its value, kept under this name where something comes after it.
    pub(crate) fn value(self, name: Option<String>) -> Code {
        let PreparedCall {
            before,
            call,
            after,
            ..
        } = self;
        if before.is_empty() && after.is_empty() {
            return call;
        }
        let call = call.text;
        Code::low(match name {
            Some(name) => format!("{{ {before}let {name} = {call}; {after}{name} }}"),
            None if after.is_empty() => format!("{{ {before}{call} }}"),
            None => format!("{{ {before}{call}; {after} }}"),
        })
    }

    /// The statement that calls, whatever the value is.
    pub(crate) fn effect(self) -> String {
        let PreparedCall {
            before,
            call,
            after,
            void,
        } = self;
        if before.is_empty() && after.is_empty() {
            return semicolon(&call.text);
        }
        // A call without a value may stand at the end of its block.
        let end = if void && after.is_empty() { "" } else { ";" };
        format!("{{ {before}{}{end} {after} }}\n", call.text)
    }
}

/// A Rust expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Code {
    pub(crate) text: String,
    pub(crate) prec: Prec,
}

impl Code {
    pub(crate) fn atom(text: impl Into<String>) -> Code {
        Code {
            text: text.into(),
            prec: Prec::Atom,
        }
    }

    pub(crate) fn low(text: impl Into<String>) -> Code {
        Code {
            text: text.into(),
            prec: Prec::Lowest,
        }
    }

    pub(crate) fn new(text: impl Into<String>, prec: Prec) -> Code {
        Code {
            text: text.into(),
            prec,
        }
    }

    /// The text where something at least this tight is needed.
    pub(crate) fn at(&self, prec: Prec) -> String {
        if self.prec >= prec {
            self.text.clone()
        } else {
            format!("({})", self.text)
        }
    }

    /// The text as the receiver of a method, index or field.
    pub(crate) fn receiver(&self) -> String {
        self.at(Prec::Atom)
    }

    /// `if c { a } else { b }`, the second branch without braces if it is another choice.
    pub(crate) fn choice(c: &Code, a: &Code, b: &Code) -> Code {
        let other = if b.text.starts_with("if ") && b.prec == Prec::Lowest {
            b.text.clone()
        } else {
            format!("{{ {} }}", b.text)
        };
        Code::low(format!("if {} {{ {} }} else {other}", c.text, a.text))
    }

    pub(crate) fn unary(op: &str, operand: &Code) -> Code {
        let operand = operand.at(Prec::Unary);
        // `--x` is no decrement in Rust, and rustc warns of it.
        Code::new(
            if op == "-" && operand.starts_with('-') {
                format!("-({operand})")
            } else {
                format!("{op}{operand}")
            },
            Prec::Unary,
        )
    }

    pub(crate) fn cast(&self, ty: &str) -> Code {
        // A literal has the type that it is cast to, which a negative one cannot have.
        let digits = self.text.strip_prefix('-');
        if ty.starts_with('u') && digits.is_some_and(|d| d.chars().all(|c| c.is_ascii_digit())) {
            return Code::new(format!("{}_i64 as {ty}", self.text), Prec::Cast);
        }
        Code::new(format!("{} as {ty}", self.at(Prec::Cast)), Prec::Cast)
    }

    /// A left-associative binary operator; comparisons do not associate at all.
    pub(crate) fn binary(op: &str, prec: Prec, left: &Code, right: &Code) -> Code {
        let tighter = next(prec);
        let mut a = left.at(if prec == Prec::Compare { tighter } else { prec });
        // `x as usize < n` would start generic arguments.
        let bare = a == left.text;
        if op.starts_with('<') && left.prec <= Prec::Cast && bare && a.contains(" as ") {
            a = format!("({a})");
        }
        Code::new(format!("{a} {op} {}", right.at(tighter)), prec)
    }

    pub(crate) fn method(&self, name: &str, args: &[Code]) -> Code {
        let args: Vec<_> = args.iter().map(|a| a.text.as_str()).collect();
        Code::atom(format!("{}.{name}({})", self.receiver(), args.join(", ")))
    }

    pub(crate) fn index(&self, index: &Code) -> Code {
        Code::atom(format!("{}[{}]", self.receiver(), index.text))
    }

    pub(crate) fn call(name: &str, args: &[Code]) -> Code {
        let args: Vec<_> = args.iter().map(|a| a.text.as_str()).collect();
        Code::atom(format!("{name}({})", args.join(", ")))
    }

    /// The negation of a condition, comparisons of integers turned round.
    pub(crate) fn not(&self) -> Code {
        match self.text.strip_prefix('!') {
            Some(inner) if self.prec == Prec::Unary => Code::new(inner, Prec::Unary),
            _ => Code::unary("!", self),
        }
    }
}

fn next(prec: Prec) -> Prec {
    use Prec as P;
    match prec {
        P::Lowest => P::Or,
        P::Or => P::And,
        P::And => P::Compare,
        P::Compare => P::BitOr,
        P::BitOr => P::BitXor,
        P::BitXor => P::BitAnd,
        P::BitAnd => P::Shift,
        P::Shift => P::Sum,
        P::Sum => P::Product,
        P::Product => P::Cast,
        P::Cast => P::Unary,
        P::Unary | P::Atom => P::Atom,
    }
}

/// Ends a statement; nothing stays nothing.
pub(crate) fn semicolon(text: &str) -> String {
    if text.trim().is_empty() {
        return String::new();
    }
    if text.starts_with('{') {
        format!("{text}\n")
    } else {
        format!("{text};\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_where_needed() {
        let (a, b, c) = (Code::atom("a"), Code::atom("b"), Code::atom("c"));
        let sum = Code::binary("+", Prec::Sum, &a, &b);
        assert_eq!(
            Code::binary("*", Prec::Product, &sum, &c).text,
            "(a + b) * c"
        );
        assert_eq!(Code::binary("-", Prec::Sum, &a, &sum).text, "a - (a + b)");
        assert_eq!(Code::binary("+", Prec::Sum, &sum, &c).text, "a + b + c");
        assert_eq!(sum.cast("usize").text, "(a + b) as usize");
        assert_eq!(
            Code::binary("<", Prec::Compare, &a.cast("usize"), &b).text,
            "(a as usize) < b"
        );
        assert_eq!(Code::unary("-", &a).method("abs", &[]).text, "(-a).abs()");
        let less = Code::binary("<", Prec::Compare, &a, &b);
        assert_eq!(
            Code::binary("==", Prec::Compare, &less, &c).text,
            "(a < b) == c"
        );
        assert_eq!(less.not().text, "!(a < b)");
    }
}
