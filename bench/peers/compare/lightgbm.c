// What LightGBM takes for the histograms of a leaf, by itself: loaded before the library and visible to it, this `ConstructHistograms` is the one that
// its learner calls, and hands each call on to the library's own.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <time.h>

// LightGBM::SerialTreeLearner::ConstructHistograms(const std::vector<int8_t> &, bool)
#define METHOD _ZN8LightGBM17SerialTreeLearner19ConstructHistogramsERKSt6vectorIaSaIaEEb
#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

typedef void Method(void *learner, const void *used, bool subtract);
Method METHOD;

static Method *own;
static double seconds;

// Finds the method of the library that was loaded as `handle`; false where it has none.
bool watch(void *handle) {
    own = (Method *)dlsym(handle, TEXT(METHOD));
    return own && own != METHOD;
}

// The seconds of all calls since the last question.
double taken(void) {
    double of = seconds;
    seconds = 0;
    return of;
}

static double now(void) {
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec + at.tv_nsec * 1e-9;
}

void METHOD(void *learner, const void *used, bool subtract) {
    double begin = now();
    own(learner, used, subtract);
    seconds += now() - begin;
}
