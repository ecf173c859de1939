# Adjusts the LLVM module, as text, between rustc and the optimiser:
#
# - What libm computes in software and the GPU does exactly in hardware (sqrt, floor, trunc, fma) gets an intrinsic for a
#   body: the same bits.
# - Volatile accesses, by which libm raises floating point exceptions, become plain: PTX has no such exceptions, and each
#   would cost a stack frame.
# - sin, cos and tan, which math/trig.rs calls with reduced arguments, are inlined and so lose their own reduction.
# - Inline assembly and the functions that hold it are marked convergent, which rustc does not do: a barrier or a shuffle
#   must not move into a branch that only some threads take.

function replace(intrinsic) {
    type = /^define.* double @/ ? "double" : "float"
    arguments = intrinsic == "fma" ? type " %0, " type " %1, " type " %2" : type " %0"
    print
    print "  %result = call " type " @llvm." intrinsic (type == "double" ? ".f64" : ".f32") "(" arguments ")"
    print "  ret " type " %result"
    print "}"
    replaced[intrinsic type] = 1
    skipping = 1
}

skipping { if (/^}/) skipping = 0; next }
/^define.*_4libm4math4sqrt(4sqrt|5sqrtf)\(/ { replace("sqrt"); next }
/^define.*_4libm4math5floor(5floor|6floorf)\(/ { replace("floor"); next }
/^define.*_4libm4math5trunc(5trunc|6truncf)\(/ { replace("trunc"); next }
/^define.*_4libm4math3fma(3fma|4fmaf)\(/ { replace("fma"); next }
/^define.*_4libm4math3(sin3sin|cos3cos|tan3tan)\(/ { sub(/ \{$/, " alwaysinline {") }
/^define / { sub(/ \{$/, " convergent {") }
/ asm sideeffect / { sub(/, !srcloc/, " convergent&") }
{ gsub(/(load|store) volatile /, "&\001"); gsub(/ volatile \001/, " "); print }

END {
    # A libm with other names would silently bring the software versions back.
    split("sqrtdouble sqrtfloat floordouble truncdouble truncfloat fmadouble", expected, " ")
    for (i in expected) {
        if (!(expected[i] in replaced)) {
            print "adjust.awk: libm's " expected[i] " was not found" > "/dev/stderr"
            exit 1
        }
    }
}
