/* The mathematical functions of C11 and POSIX, as acc2rs reads them: libraries' own headers declare each for many more types, and
   take most of the time that preprocessing a small file takes. */
#ifndef ACC2RS_MATH_H
#define ACC2RS_MATH_H

#define ACC2RS_1(name) double name(double); float name##f(float); long double name##l(long double);
#define ACC2RS_2(name) \
  double name(double, double); \
  float name##f(float, float); \
  long double name##l(long double, long double);
#define ACC2RS_TO(to, name) to name(double); to name##f(float); to name##l(long double);

ACC2RS_1(acos) ACC2RS_1(asin) ACC2RS_1(atan) ACC2RS_1(cos) ACC2RS_1(sin) ACC2RS_1(tan)
ACC2RS_1(acosh) ACC2RS_1(asinh) ACC2RS_1(atanh) ACC2RS_1(cosh) ACC2RS_1(sinh) ACC2RS_1(tanh)
ACC2RS_1(exp) ACC2RS_1(exp2) ACC2RS_1(expm1) ACC2RS_1(log) ACC2RS_1(log10) ACC2RS_1(log1p) ACC2RS_1(log2) ACC2RS_1(logb)
ACC2RS_1(cbrt) ACC2RS_1(fabs) ACC2RS_1(sqrt) ACC2RS_1(erf) ACC2RS_1(erfc) ACC2RS_1(lgamma) ACC2RS_1(tgamma) ACC2RS_1(gamma)
ACC2RS_1(ceil) ACC2RS_1(floor) ACC2RS_1(nearbyint) ACC2RS_1(rint) ACC2RS_1(round) ACC2RS_1(trunc)
ACC2RS_1(j0) ACC2RS_1(j1) ACC2RS_1(y0) ACC2RS_1(y1) ACC2RS_1(significand)
ACC2RS_2(atan2) ACC2RS_2(pow) ACC2RS_2(hypot) ACC2RS_2(fmod) ACC2RS_2(remainder) ACC2RS_2(drem) ACC2RS_2(copysign)
ACC2RS_2(nextafter) ACC2RS_2(fdim) ACC2RS_2(fmax) ACC2RS_2(fmin) ACC2RS_2(scalb)
ACC2RS_TO(int, ilogb) ACC2RS_TO(int, finite) ACC2RS_TO(long, lrint) ACC2RS_TO(long, lround)
ACC2RS_TO(long long, llrint) ACC2RS_TO(long long, llround)

#undef ACC2RS_1
#undef ACC2RS_2
#undef ACC2RS_TO

double fma(double, double, double);
float fmaf(float, float, float);
long double fmal(long double, long double, long double);
double frexp(double, int *);
float frexpf(float, int *);
long double frexpl(long double, int *);
double ldexp(double, int);
float ldexpf(float, int);
long double ldexpl(long double, int);
double modf(double, double *);
float modff(float, float *);
long double modfl(long double, long double *);
double scalbn(double, int);
float scalbnf(float, int);
double scalbln(double, long);
float scalblnf(float, long);
double remquo(double, double, int *);
float remquof(float, float, int *);
double nan(const char *);
float nanf(const char *);
double nexttoward(double, long double);
double jn(int, double);
double yn(int, double);
double lgamma_r(double, int *);
void sincos(double, double *, double *);
void sincosf(float, float *, float *);
extern int signgam;

typedef float float_t;
typedef double double_t;

#define HUGE_VAL (__builtin_huge_val())
#define HUGE_VALF (__builtin_huge_valf())
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define MAXFLOAT 3.40282347e+38F

#define FP_NAN 0
#define FP_INFINITE 1
#define FP_ZERO 2
#define FP_SUBNORMAL 3
#define FP_NORMAL 4
#define fpclassify(x) __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)
#define isnan(x) __builtin_isnan(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isfinite(x) __builtin_isfinite(x)
#define isnormal(x) __builtin_isnormal(x)
#define signbit(x) __builtin_signbit(x)
#define isgreater(x, y) __builtin_isgreater(x, y)
#define isgreaterequal(x, y) __builtin_isgreaterequal(x, y)
#define isless(x, y) __builtin_isless(x, y)
#define islessequal(x, y) __builtin_islessequal(x, y)
#define islessgreater(x, y) __builtin_islessgreater(x, y)
#define isunordered(x, y) __builtin_isunordered(x, y)

#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif
