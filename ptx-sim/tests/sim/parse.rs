//! What the parser refuses, and where it says the mistake is.

use super::host::kernel;
use ptx_sim::Module;

fn refused(version: &str, target: u32, body: &str) -> (u32, String) {
    let text = format!(".version {version}\n.target sm_{target}\n.address_size 64\n{body}");
    match Module::parse(&text) {
        Ok(_) => panic!("this parses: {body}"),
        Err(e) => (e.line, e.message),
    }
}

/// A statement that the base target refuses, with a part of the message.
fn wrong(statement: &str, message: &str) {
    let (line, got) = refused("7.0", 70, &kernel(&format!("\n{statement}")));
    assert!(got.contains(message), "{statement}: {got}");
    assert_eq!(line, 9, "{statement}: {got}");
}

#[test]
fn what_is_not_known_is_an_error() {
    wrong(
        "frobnicate.b32 %r1, %r2;",
        "does not know the opcode `frobnicate`",
    );
    wrong("add.s32.wrap %r1, %r2, %r3;", "`.wrap` is not a modifier");
    wrong("add.b32 %r1, %r2, %r3;", "no `add` for .b32");
    wrong(
        "ld.global.L3::hint.u32 %r1, [%rd1];",
        "`.L3::hint` is not a type",
    );
    wrong(
        "mul.u32 %r1, %r2, %r3;",
        "`.u32` is not `.lo`, `.hi` or `.wide`",
    );
    wrong(
        "wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1}, [%rd1];",
        "does not know the opcode `wmma`",
    );
    wrong("shl.s32 %r1, %r2, 1;", "no `shl` for .s32");
    wrong("setp.lo.s32 %p1, %r1, %r2;", "`.lo` is not a comparison");
    wrong("setp.lt.b32 %p1, %r1, %r2;", "`.lt` is not a comparison");
    wrong("atom.global.add.b32 %r1, [%rd1], 1;", "no `atom` for .b32");
    wrong(
        "red.global.cas.b32 [%rd1], 1, 2;",
        "`.cas` is not an atomic operation",
    );
    wrong("cvt.f32.u32 %f1, %r1;", "needs `.rn`");
    wrong("cvt.u32.f32 %r1, %f1;", "needs `.rni`");
    wrong("cvt.sat.u32.u16 %r1, %h1;", "`.sat` is not allowed");
    wrong("div.f32 %f1, %f2, %f3;", "needs a rounding mode");
    wrong("shfl.idx.b32 %r1, %r2, 0, 31;", "without `.sync`");
    wrong(".texref t;", "`.texref` is not known");
}

#[test]
fn operands_are_checked() {
    wrong("add.u32 %r1, %r2;", "expected 3 operands, found 2");
    wrong(
        "add.u32 %r1, %rd2, %r3;",
        "`%rd2` is declared .b64, and the instruction wants .u32",
    );
    wrong("add.f32 %f1, %fd2, %f3;", "`%fd2` is declared .f64");
    wrong("add.u32 %f1, %r2, %r3;", "`%f1` is declared .f32");
    wrong("add.u32 %r1, %r99, %r3;", "`%r99` is not declared");
    wrong("add.u32 %r1, %p1, %r3;", "`%p1` is a predicate");
    wrong("add.u16 %h1, %h2, 70000;", "70000 does not fit .u16");
    wrong("add.f32 %f1, %f2, 1;", "not a .f32 one");
    wrong("@%r1 bra L;", "`%r1` is not a predicate register");
    wrong("bra NOWHERE;", "no label is called `NOWHERE`");
    wrong(
        "ld.global.v4.f64 {%fd1, %fd2, %fd3, %fd4}, [%rd1];",
        "too large",
    );
    wrong("ld.global.v2.u32 %r1, [%rd1];", "list of 2 registers");
    wrong("ld.global.u32 %r1, [%r2];", "cannot hold a global address");
    wrong(
        "st.const.u32 [%rd1], 1;",
        "constant memory cannot be written",
    );
    wrong("call nothing, ();", "no function is called `nothing`");
    wrong("add.u32 %r1, %r2, 1", "expected `;`");
    wrong(".reg .b32 %r<3>;", "declared twice");
}

#[test]
fn instructions_need_their_target_and_version() {
    let old = |version, target, statement: &str, message: &str| {
        let (_, got) = refused(version, target, &kernel(statement));
        assert!(got.contains(message), "{statement}: {got}");
    };
    old(
        "7.0",
        70,
        "redux.sync.add.u32 %r1, %r2, -1;",
        "needs .target sm_80",
    );
    old(
        "7.0",
        70,
        "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%fd1, %fd2}, {%fd3}, {%fd4}, {%fd1, %fd2};",
        "needs .target sm_80",
    );
    old(
        "5.0",
        50,
        "red.global.add.f64 [%rd1], %fd1;",
        "needs .target sm_60",
    );
    old(
        "6.0",
        60,
        "match.any.sync.b32 %r1, %r2, -1;",
        "needs .target sm_70",
    );
    old("7.0", 70, "elect.sync %r1|%p1, -1;", "needs .version 8.0");
    old("7.0", 70, "cp.async.wait_all;", "needs .target sm_80");
    old("6.0", 60, "fence.acq_rel.gpu;", "needs .target sm_70");
    old("6.0", 70, "nanosleep.u32 20;", "needs .version 6.3");
    old(
        "7.0",
        75,
        "ld.global.L2::128B.u32 %r1, [%rd1];",
        "needs .version 7.4",
    );
    old(
        "8.0",
        90,
        "red.global.add.v2.f32 [%rd1], {%f1, %f2};",
        "needs .version 8.1",
    );
    old(
        "7.0",
        70,
        "min.NaN.f32 %f1, %f2, %f3;",
        "needs .target sm_80",
    );
    old("6.4", 75, "tanh.approx.f32 %f1, %f2;", "needs .version 7.0");
}

#[test]
fn modules_are_checked() {
    let bad = |text: &str, line: u32, message: &str| {
        let e = Module::parse(text).unwrap_err();
        assert!(e.message.contains(message), "{text}: {e}");
        assert_eq!(e.line, line, "{text}: {e}");
    };
    bad("", 1, "starts with `.version`");
    bad(".version 12.3\n", 1, "not known to the simulator");
    bad(".version 7.0\n.target compute_70", 2, "not a target");
    bad(
        ".version 7.0\n.target sm_70\n.address_size 32",
        3,
        "only 64-bit",
    );
    let head = ".version 7.0\n.target sm_70\n.address_size 64\n";
    bad(
        &format!("{head}.global .u32 a;\n.global .u32 a;"),
        5,
        "declared twice",
    );
    bad(
        &format!("{head}.global .u64 a = b;"),
        4,
        "no variable is called `b`",
    );
    bad(
        &format!("{head}.global .u8 a[2] = {{1, 2, 3}};"),
        4,
        "more initialisers",
    );
    bad(
        &format!("{head}.global .u8 a = 300;"),
        4,
        "300 does not fit",
    );
    bad(
        &format!("{head}.shared .u32 s = 1;"),
        4,
        "cannot be initialised",
    );
    bad(
        &format!("{head}.extern .global .u32 x;"),
        4,
        "another module",
    );
    bad(
        &format!("{head}.visible .entry k() {{\nret;\n"),
        6,
        "not closed",
    );
    bad(
        &format!("{head}.visible .entry k() {{ ret; }}\n.visible .entry k() {{ ret; }}"),
        5,
        "defined twice",
    );
    bad(
        &format!("{head}.func f(.param .u32 a);\n.func f(.param .u64 a) {{ ret; }}"),
        5,
        "declared differently",
    );
    bad(
        &format!("{head}.visible .entry k() .reqnctapercluster 2 {{ ret; }}"),
        4,
        "not modelled",
    );
    bad(&format!("{head}/* never closed"), 4, "never closed");
}

#[test]
fn an_error_shows_its_line() {
    let text =
        ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() {\n  nop.b32;\n}";
    let e = Module::parse(text).unwrap_err();
    assert_eq!(
        e.to_string(),
        "ptx line 5: the simulator does not know the opcode `nop`\n      5 | nop.b32;"
    );
}

#[test]
fn a_module_tells_what_it_holds() {
    let m = Module::parse(
        ".version 7.4\n.target sm_80, debug\n.address_size 64\n.visible .entry a(.param .u64 x, .param .align 4 .b8 y[12]) { .shared .b8 s[100]; .reg .b32 %r; mov.u32 %r, s; ret; }
.func f() { ret; }\n.entry b { ret; }",
    )
    .unwrap();
    assert_eq!(m.kernels().collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!((m.version(), m.target()), ((7, 4), 80));
    assert_eq!(m.parameters("a"), Some(vec![8, 12]));
    assert_eq!(
        (
            m.static_shared("a"),
            m.static_shared("b"),
            m.static_shared("f")
        ),
        (Some(100), Some(0), None)
    );
}
