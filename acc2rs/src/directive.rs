//! The directives of OpenACC 2.7: which they are, and reading one from a pragma line.

use std::fmt;

use crate::clause::parse::{Reader, closing, modifier, split, wait_queues};
use crate::clause::{Clause, ClauseKind, DataAction, Written, names, section};
use crate::codes;
use crate::diag::Diagnostic;
use crate::lex::{self, Kind, Token};
use crate::source::Span;

/// Which directive it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DirectiveKind {
    /// `parallel`
    Parallel,
    /// `kernels`
    Kernels,
    /// `serial`
    Serial,
    /// `parallel loop`
    ParallelLoop,
    /// `kernels loop`
    KernelsLoop,
    /// `serial loop`
    SerialLoop,
    /// `loop`
    Loop,
    /// `data`
    Data,
    /// `enter data`
    EnterData,
    /// `exit data`
    ExitData,
    /// `host_data`
    HostData,
    /// `update`
    Update,
    /// `atomic`
    Atomic(AtomicKind),
    /// `routine`
    Routine,
    /// `declare`
    Declare,
    /// `cache`
    Cache,
    /// `wait`
    Wait,
    /// `init`
    Init,
    /// `shutdown`
    Shutdown,
    /// `set`
    Set,
}

/// What an `atomic` does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AtomicKind {
    /// `v = x`
    Read,
    /// `x = e`
    Write,
    /// `x op= e`, and what no word says
    Update,
    /// `v = x op= e` and its relatives
    Capture,
}

impl DirectiveKind {
    /// Whether it starts a compute region.
    pub fn is_compute(self) -> bool {
        use DirectiveKind as D;
        matches!(
            self,
            D::Parallel | D::Kernels | D::Serial | D::ParallelLoop | D::KernelsLoop | D::SerialLoop
        )
    }

    /// Whether the `for` it stands before is a loop of the device.
    pub fn is_loop(self) -> bool {
        use DirectiveKind as D;
        matches!(
            self,
            D::Loop | D::ParallelLoop | D::KernelsLoop | D::SerialLoop
        )
    }

    /// Whether it belongs to the statement that follows.
    pub fn takes_statement(self) -> bool {
        use DirectiveKind as D;
        self.is_compute() || self.is_loop() || matches!(self, D::Data | D::HostData | D::Atomic(_))
    }
}

impl fmt::Display for DirectiveKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use DirectiveKind as D;
        f.write_str(match self {
            D::Parallel => "parallel",
            D::Kernels => "kernels",
            D::Serial => "serial",
            D::ParallelLoop => "parallel loop",
            D::KernelsLoop => "kernels loop",
            D::SerialLoop => "serial loop",
            D::Loop => "loop",
            D::Data => "data",
            D::EnterData => "enter data",
            D::ExitData => "exit data",
            D::HostData => "host_data",
            D::Update => "update",
            D::Atomic(AtomicKind::Read) => "atomic read",
            D::Atomic(AtomicKind::Write) => "atomic write",
            D::Atomic(AtomicKind::Update) => "atomic update",
            D::Atomic(AtomicKind::Capture) => "atomic capture",
            D::Routine => "routine",
            D::Declare => "declare",
            D::Cache => "cache",
            D::Wait => "wait",
            D::Init => "init",
            D::Shutdown => "shutdown",
            D::Set => "set",
        })
    }
}

/// One directive with its clauses. `cache`'s list is a clause of its own; `wait`'s queues are in
/// [`Directive::queues`], and `routine`'s name in [`Directive::name`].
#[derive(Clone, PartialEq, Debug)]
pub struct Directive<E> {
    /// Which it is.
    pub kind: DirectiveKind,
    /// From `acc` to the end of the line.
    pub span: Span,
    /// Its clauses, in order.
    pub clauses: Vec<Clause<E>>,
    /// The queues of a `wait` directive.
    pub queues: Vec<E>,
    /// The function that a `routine` directive names.
    pub name: Option<String>,
}

impl<E> Directive<E> {
    /// The same directive with each expression mapped.
    ///
    /// # Errors
    ///
    /// The first error of `f`.
    pub fn try_map<F, X>(&self, f: &mut impl FnMut(&E) -> Result<F, X>) -> Result<Directive<F>, X> {
        Ok(Directive {
            kind: self.kind,
            span: self.span,
            clauses: self
                .clauses
                .iter()
                .map(|c| c.try_map(f))
                .collect::<Result<_, _>>()?,
            queues: self.queues.iter().map(&mut *f).collect::<Result<_, _>>()?,
            name: self.name.clone(),
        })
    }

    /// The sections of all clauses that do this to them.
    pub fn sections(&self, wanted: DataAction) -> impl Iterator<Item = &crate::clause::Section<E>> {
        self.clauses.iter().flat_map(move |c| match &c.kind {
            ClauseKind::Data { action, vars, .. } if *action == wanted => vars.as_slice(),
            _ => &[],
        })
    }
}

const DIRECTIVES: &[(&str, DirectiveKind)] = &[
    ("parallel", DirectiveKind::Parallel),
    ("kernels", DirectiveKind::Kernels),
    ("serial", DirectiveKind::Serial),
    ("loop", DirectiveKind::Loop),
    ("data", DirectiveKind::Data),
    ("enter", DirectiveKind::EnterData),
    ("exit", DirectiveKind::ExitData),
    ("host_data", DirectiveKind::HostData),
    ("update", DirectiveKind::Update),
    ("atomic", DirectiveKind::Atomic(AtomicKind::Update)),
    ("routine", DirectiveKind::Routine),
    ("declare", DirectiveKind::Declare),
    ("cache", DirectiveKind::Cache),
    ("wait", DirectiveKind::Wait),
    ("init", DirectiveKind::Init),
    ("shutdown", DirectiveKind::Shutdown),
    ("set", DirectiveKind::Set),
];

/// What a pragma line is.
#[derive(Clone, PartialEq, Debug)]
pub enum Pragma {
    /// An OpenACC directive, with all that could be read of it.
    Acc(Box<Directive<Written>>),
    /// A pragma of someone else: its first word.
    Other(String),
    /// An OpenACC pragma whose directive could not be read; it has been reported.
    Broken,
}

/// Reads the text after `#pragma`, which stands at `span`.
///
/// ```
/// use acc2rs::directive::{DirectiveKind, Pragma, parse};
/// let mut report = Vec::new();
/// let Pragma::Acc(found) = parse(" acc parallel loop copy(h[0:n])", Default::default(), &mut report) else { panic!() };
/// assert_eq!(found.kind, DirectiveKind::ParallelLoop);
/// assert_eq!(found.clauses.len(), 1);
/// assert!(report.is_empty());
/// ```
pub fn parse(text: &str, span: Span, report: &mut Vec<Diagnostic>) -> Pragma {
    let tokens = lex::tokens(text);
    let reader = Reader { text, span };
    match tokens.first() {
        Some(first) if first.is("acc") => match acc(&reader, &tokens, report) {
            Ok(directive) => Pragma::Acc(Box::new(directive)),
            Err(diagnostic) => {
                report.push(diagnostic);
                Pragma::Broken
            }
        },
        first => Pragma::Other(first.map_or(String::new(), |t| t.text.to_string())),
    }
}

fn acc(
    reader: &Reader<'_>,
    tokens: &[Token<'_>],
    report: &mut Vec<Diagnostic>,
) -> Result<Directive<Written>, Diagnostic> {
    let Some(word) = tokens.get(1) else {
        return Err(Diagnostic::new(
            codes::UNKNOWN_DIRECTIVE,
            reader.span(tokens),
            "`acc` without a directive",
        )
        .help("write one, as in `#pragma acc parallel loop`"));
    };
    let Some((_, kind)) = DIRECTIVES.iter().find(|(name, _)| word.is(name)) else {
        let near = names::nearest(word.text, DIRECTIVES.iter().map(|d| d.0));
        let help = near.map_or(
            "see section 2 of the OpenACC 2.7 specification".into(),
            |n| format!("is `{n}` meant?"),
        );
        let message = format!("`{}` is not a directive of OpenACC 2.7", word.text);
        return Err(Diagnostic::new(
            codes::UNKNOWN_DIRECTIVE,
            reader.span(&tokens[1..2]),
            message,
        )
        .help(help));
    };
    let next = tokens.get(2);
    let next_is = |text| next.is_some_and(|t: &Token<'_>| t.is(text));
    use DirectiveKind as D;
    let (kind, mut at) = match kind {
        D::Parallel if next_is("loop") => (D::ParallelLoop, 3),
        D::Kernels if next_is("loop") => (D::KernelsLoop, 3),
        D::Serial if next_is("loop") => (D::SerialLoop, 3),
        D::EnterData | D::ExitData if !next_is("data") => {
            let message = format!("`acc {0}` without `data`", word.text);
            return Err(Diagnostic::new(
                codes::UNKNOWN_DIRECTIVE,
                reader.span(&tokens[1..2]),
                message,
            )
            .help(format!("write `#pragma acc {} data ..`", word.text)));
        }
        D::EnterData | D::ExitData => (*kind, 3),
        D::Atomic(_) => match next.map(|t| t.text) {
            Some("read") => (D::Atomic(AtomicKind::Read), 3),
            Some("write") => (D::Atomic(AtomicKind::Write), 3),
            Some("update") => (D::Atomic(AtomicKind::Update), 3),
            Some("capture") => (D::Atomic(AtomicKind::Capture), 3),
            _ => (*kind, 2),
        },
        _ => (*kind, 2),
    };
    let mut found = Directive {
        kind,
        span: reader.span(tokens),
        clauses: Vec::new(),
        queues: Vec::new(),
        name: None,
    };
    let takes_list = matches!(kind, D::Cache | D::Wait | D::Routine);
    if takes_list && tokens.get(at).is_some_and(|t| t.is("(")) {
        let Some(close) = closing(tokens, at) else {
            return Err(Diagnostic::new(
                codes::CLAUSE_SYNTAX,
                reader.span(&tokens[at..]),
                "a parenthesis is never closed",
            ));
        };
        list(
            reader,
            &mut found,
            &tokens[at + 1..close],
            &tokens[at..=close],
        )?;
        at = close + 1;
    } else if kind == D::Cache {
        return Err(Diagnostic::new(
            codes::CLAUSE_SYNTAX,
            found.span,
            "`acc cache` needs a list of variables",
        )
        .help("write `#pragma acc cache(a[i:4])`"));
    }
    found
        .clauses
        .extend(reader.clauses(kind, &tokens[at..], report));
    Ok(found)
}

/// The parenthesized list of `cache`, `wait` and `routine`.
fn list(
    reader: &Reader<'_>,
    found: &mut Directive<Written>,
    inner: &[Token<'_>],
    outer: &[Token<'_>],
) -> Result<(), Diagnostic> {
    match found.kind {
        DirectiveKind::Cache => {
            let (modifier, rest) = modifier(inner);
            let vars = section::list(reader, rest)?;
            let kind = ClauseKind::Data {
                action: DataAction::Cache,
                modifier,
                vars,
            };
            found.clauses.push(Clause {
                span: reader.span(outer),
                name: "cache".into(),
                kind,
            });
        }
        DirectiveKind::Routine => match inner {
            [name] if name.kind == Kind::Ident => found.name = Some(name.text.to_string()),
            _ => {
                return Err(Diagnostic::new(
                    codes::CLAUSE_SYNTAX,
                    reader.span(outer),
                    "`acc routine` takes one function's name",
                )
                .help("write `#pragma acc routine(f) seq`"));
            }
        },
        _ => {
            let queues = wait_queues(inner);
            if queues.iter().any(|_| true) {
                found.queues = split(queues, ",")
                    .into_iter()
                    .filter(|q| !q.is_empty())
                    .map(|q| reader.written(q))
                    .collect();
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clause::{GangArg, Range, ReductionOp};

    fn read(text: &str) -> (Directive<Written>, Vec<Diagnostic>) {
        let mut report = Vec::new();
        match parse(text, Span::default(), &mut report) {
            Pragma::Acc(d) => (*d, report),
            other => panic!("{text}: {other:?} {report:?}"),
        }
    }

    fn good(text: &str) -> Directive<Written> {
        let (directive, report) = read(text);
        assert!(report.is_empty(), "{text}: {report:?}");
        directive
    }

    #[test]
    fn every_directive() {
        for (text, kind) in DIRECTIVES {
            let text = match *text {
                "enter" | "exit" => format!("acc {text} data"),
                "cache" => "acc cache(a)".to_string(),
                _ => format!("acc {text}"),
            };
            assert_eq!(good(&text).kind, *kind, "{text}");
        }
        assert_eq!(good("acc kernels loop").kind, DirectiveKind::KernelsLoop);
        assert_eq!(
            good("acc atomic capture").kind,
            DirectiveKind::Atomic(AtomicKind::Capture)
        );
    }

    #[test]
    fn sections() {
        let found = good(
            "acc data copyin(a[0:(n/10)+1], s->x[:n]) copy(m[i][0:w], t) create(q[0:n>2?n:2])",
        );
        let ClauseKind::Data { vars, .. } = &found.clauses[0].kind else {
            panic!()
        };
        assert_eq!(vars[0].name, "a");
        let Range::Slice { len: Some(len), .. } = &vars[0].ranges[0] else {
            panic!()
        };
        assert_eq!(len.text, "(n/10)+1");
        assert_eq!(
            (vars[1].name.as_str(), vars[1].base.text.as_str()),
            ("s", "s->x")
        );
        assert!(matches!(
            &vars[1].ranges[0],
            Range::Slice {
                start: None,
                len: Some(_)
            }
        ));
        let ClauseKind::Data { vars, .. } = &found.clauses[1].kind else {
            panic!()
        };
        assert!(matches!(
            &vars[0].ranges[..],
            [Range::Index(_), Range::Slice { .. }]
        ));
        let ClauseKind::Data { vars, .. } = &found.clauses[2].kind else {
            panic!()
        };
        let Range::Slice { len: Some(len), .. } = &vars[0].ranges[0] else {
            panic!()
        };
        assert_eq!(len.text, "n>2?n:2");
    }

    #[test]
    fn loops() {
        let found = good(
            "acc parallel loop gang(num: 4, static:*) worker(2) vector(length:128), collapse(2) tile(*, 4) reduction(max : m,n) async wait(1,2) device_type(nvidia) vector_length(8*W)",
        );
        let ClauseKind::Gang(args) = &found.clauses[0].kind else {
            panic!()
        };
        assert!(matches!(
            &args[..],
            [GangArg::Num(_), GangArg::Static(None)]
        ));
        assert!(matches!(&found.clauses[2].kind, ClauseKind::Vector(Some(v)) if v.text == "128"));
        assert!(
            matches!(&found.clauses[4].kind, ClauseKind::Tile(t) if t.len() == 2 && t[0].is_none())
        );
        assert!(
            matches!(&found.clauses[5].kind, ClauseKind::Reduction { op: ReductionOp::Max, vars } if vars.len() == 2)
        );
        assert!(matches!(&found.clauses[7].kind, ClauseKind::Wait(q) if q.len() == 2));
    }

    #[test]
    fn the_rest() {
        assert_eq!(
            good("acc routine(f) seq bind(\"g\") nohost")
                .name
                .as_deref(),
            Some("f")
        );
        assert_eq!(good("acc wait(1, q+1) async(2)").queues.len(), 2);
        assert!(matches!(
            &good("acc update self(a[0:n]) if_present").clauses[0].kind,
            ClauseKind::Data {
                action: DataAction::UpdateSelf,
                ..
            }
        ));
        assert!(matches!(
            &good("acc parallel self(n < 4)").clauses[0].kind,
            ClauseKind::SelfIf(Some(_))
        ));
        good("acc declare create(x) device_resident(y) link(z)");
        good("acc exit data delete(a) detach(p) finalize");
        good("acc host_data use_device(a) if(n)");
        good("acc set device_num(0) default_async(1) device_type(host)");
    }

    #[test]
    fn mistakes_have_codes() {
        let code = |text: &str| {
            let mut report = Vec::new();
            parse(text, Span::default(), &mut report);
            report.iter().map(|d| d.code).collect::<Vec<_>>()
        };
        assert_eq!(code("acc paralel loop"), [codes::UNKNOWN_DIRECTIVE]);
        assert_eq!(code("acc"), [codes::UNKNOWN_DIRECTIVE]);
        assert_eq!(code("acc enter copyin(a)"), [codes::UNKNOWN_DIRECTIVE]);
        assert_eq!(code("acc loop copy(a)"), [codes::UNKNOWN_CLAUSE]);
        assert_eq!(
            code("acc parallel loop foo gang bar(3)"),
            [codes::UNKNOWN_CLAUSE, codes::UNKNOWN_CLAUSE]
        );
        assert_eq!(code("acc parallel copy(a[0:n)"), [codes::CLAUSE_SYNTAX]);
        assert_eq!(code("acc parallel copy(a[0:n:2])"), [codes::CLAUSE_SYNTAX]);
        assert_eq!(code("acc parallel copy()"), [codes::CLAUSE_SYNTAX]);
        assert_eq!(code("acc loop reduction(%:x)"), [codes::CLAUSE_SYNTAX]);
        assert_eq!(code("acc loop seq seq"), [codes::CLAUSE_REPEATED]);
        assert_eq!(code("acc parallel default(all)"), [codes::CLAUSE_SYNTAX]);
    }

    #[test]
    fn other_pragmas_are_told_apart() {
        assert_eq!(
            parse(" omp parallel for", Span::default(), &mut Vec::new()),
            Pragma::Other("omp".into())
        );
        assert_eq!(
            parse("", Span::default(), &mut Vec::new()),
            Pragma::Other(String::new())
        );
    }
}
