# Gives libm's software versions of what the GPU does exactly in hardware (sqrt, floor, trunc, fma) an intrinsic for
# a body, and drops the volatile accesses by which libm raises floating point exceptions, which PTX does not have and
# which would cost a stack frame. The results are the same bits. Reads and writes LLVM IR as text.
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
# math/trig.rs calls these with reduced arguments: inlined, they lose their own reduction.
/^define.*_4libm4math3(sin3sin|cos3cos|tan3tan)\(/ { sub(/ #[0-9]+ \{$/, " alwaysinline&") }
{ gsub(/(load|store) volatile /, "&\001"); gsub(/ volatile \001/, " "); print }
END {
    # A libm with other names would silently bring the software versions back.
    split("sqrtdouble sqrtfloat floordouble truncdouble truncfloat fmadouble", expected, " ")
    for (i in expected) {
        if (!(expected[i] in replaced)) {
            print "exact.awk: libm's " expected[i] " was not found" > "/dev/stderr"
            exit 1
        }
    }
}
