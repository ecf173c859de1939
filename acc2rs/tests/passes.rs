//! The passes of a translation: the verifier that looks at the program after each finds what is wrong, and the fixpoint that
//! writes sisters of functions goes as far as a program asks.

use std::fmt::Write as _;

use acc2rs::ctypes::{INT, StructId, Type};
use acc2rs::preprocess::Preprocessor;
use acc2rs::translate;
use acc2rs::typed::change::change_all;
use acc2rs::typed::{Expr, ExprKind, FnId, Program, StmtKind, VarId, verify};
use acc2rs::{frontend, source::Sources};

fn read(text: &str) -> (Program, Sources) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program.c");
    std::fs::write(&path, text).expect("written");
    let front = frontend::read(&[path], &Preprocessor::default());
    assert!(!front.diagnostics.has_errors());
    (front.program, front.sources)
}

const PROGRAM: &str = "
struct point { int x, y; };
static struct point origin = { 1, 2 };
static int twice(int n) { return 2 * n; }
static void move(struct point *p, int by) { p->x += by; int old = by; old++; by = old; }
int main(void) {
    int a[4] = { 0 };
    int *p = a;
    struct point q = origin;
    move(&q, twice(3));
    *p = q.x;
    a[1] = p[0];
    return a[1];
}
";

/// What the verifier says of the program after a change.
fn broken(change: impl FnOnce(&mut Program)) -> String {
    let (mut program, _) = read(PROGRAM);
    assert_eq!(verify::verify(&program), Ok(()));
    change(&mut program);
    verify::verify(&program).expect_err("the verifier must see it")
}

/// Changes every expression that `f` accepts, of which there must be one.
fn each(program: &mut Program, mut f: impl FnMut(&mut Expr) -> bool) {
    let mut found = false;
    change_all(program, &mut |e| found |= f(e));
    assert!(found);
}

fn var(program: &Program, name: &str) -> VarId {
    let at = program.vars.iter().position(|v| v.name == name);
    VarId(at.expect("a variable of this name") as u32)
}

fn function(program: &Program, name: &str) -> FnId {
    program.find_function(name).expect("a function")
}

#[test]
fn ids_are_the_programs() {
    let says = broken(|program| {
        each(program, |e| {
            let call = matches!(e.kind, ExprKind::Call { .. });
            if let ExprKind::Call { callee, .. } = &mut e.kind {
                *callee = FnId(1000);
            }
            call
        });
    });
    assert!(says.contains("in `main`: no function 1000"), "{says}");
    let says = broken(|program| {
        let q = var(program, "q");
        program.vars[q.0 as usize].ty = Type::Struct(StructId(77));
    });
    assert!(says.contains("no struct 77"), "{says}");
    let says = broken(|program| {
        each(program, |e| {
            let member = matches!(e.kind, ExprKind::Member(..));
            if let ExprKind::Member(_, at) = &mut e.kind {
                *at = 2;
            }
            member
        });
    });
    assert!(says.contains("no field 2"), "{says}");
}

#[test]
fn variables_stay_in_their_function_and_are_declared_once() {
    let says = broken(|program| {
        let (mine, other) = (var(program, "n"), var(program, "old"));
        each(program, |e| {
            let own = e.as_var() == Some(mine);
            if own {
                e.kind = ExprKind::Var(other);
            }
            own
        });
    });
    assert!(
        says.contains("in `twice`: `old` is another function's"),
        "{says}"
    );
    let says = broken(|program| {
        let id = function(program, "main");
        let body = program.functions[id.0 as usize]
            .body
            .as_mut()
            .expect("a body");
        let first = body.stmts[0].clone();
        assert!(matches!(first.kind, StmtKind::Decl(_)));
        body.stmts.push(first);
    });
    assert!(says.contains("\"a\") is declared twice"), "{says}");
}

#[test]
fn calls_and_signatures_fit() {
    let says = broken(|program| {
        each(program, |e| match &mut e.kind {
            ExprKind::Call { args, .. } => args.pop().is_some(),
            _ => false,
        });
    });
    assert!(
        says.contains("`move` takes 2 arguments and gets 1"),
        "{says}"
    );
    let says = broken(|program| {
        let id = function(program, "move");
        program.functions[id.0 as usize].ty.params.pop();
    });
    assert!(
        says.contains("in `move`: 2 parameters for 1 types"),
        "{says}"
    );
    let says = broken(|program| {
        let id = function(program, "twice");
        program.functions[id.0 as usize].ty.ret = Type::Void;
    });
    assert!(
        says.contains("in `twice`: a return of a value: true"),
        "{says}"
    );
}

#[test]
fn places_and_types_fit() {
    let says = broken(|program| {
        each(program, |e| {
            let assigns = matches!(e.kind, ExprKind::Assign(..));
            if let ExprKind::Assign(place, value) = &mut e.kind {
                **place = Expr::int(1, INT, value.span);
            }
            assigns
        });
    });
    assert!(says.contains("no place: Int(1)"), "{says}");
    // A pass that changes what a variable is must change every mention.
    let says = broken(|program| {
        let p = var(program, "old");
        program.vars[p.0 as usize].ty = Type::Double;
    });
    assert!(
        says.contains("`old` is `double`, its mention `int`"),
        "{says}"
    );
    let says = broken(|program| {
        let p = program
            .vars
            .iter()
            .position(|v| v.name == "p" && v.init.is_some());
        let p = VarId(p.expect("the local") as u32);
        program.vars[p.0 as usize].ty = INT;
        each(program, |e| {
            let own = e.as_var() == Some(p);
            if own {
                e.ty = INT;
            }
            own
        });
    });
    assert!(says.contains("a `int` is followed"), "{says}");
    assert!(says.contains("an element of a `int`"), "{says}");
}

/// A call that gets two positions in one array, handed down through `depth` functions: a sister of each is needed, and each is
/// asked for one round after the one above it.
#[test]
fn sisters_are_written_as_deep_as_calls_go() {
    let depth = 45;
    let mut text = format!(
        "static void f{depth}(int *to, const int *from, int n) {{
           for (int i = 0; i < n; i++) to[i] = from[n - 1 - i];
         }}\n"
    );
    for at in (0..depth).rev() {
        let below = at + 1;
        let _ = writeln!(
            text,
            "static void f{at}(int *to, const int *from, int n) {{ f{below}(to, from, n); }}"
        );
    }
    text.push_str("int main(void) { int a[8] = { 1, 2 }; f0(a + 4, a, 4); return a[7]; }\n");
    let (program, sources) = read(&text);
    let made = translate::translate(&program, &sources, &mut Vec::new());
    let made = made.unwrap_or_else(|refused| panic!("{}", refused[0].message));
    assert!(
        made.main.contains(&format!("fn f{depth}_within(")),
        "{}",
        made.main
    );
    assert!(!made.main.contains("fn f0("), "{}", made.main);
}
