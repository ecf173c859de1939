/* Formats in variables, and texts from tables. */
#include <stdio.h>
struct opt { const char *name; int value; double w; };
static const struct opt opts[] = { { "small", 16, 0.5 }, { "medium", 32, 0.7 }, { "large", 64, 0.9 } };
static const char *verdict(double e) { if (e < 1e-6) return "excellent"; if (e < 1e-3) return "good"; return "poor"; }
int main(int argc, char **argv)
{
    const char *prog = argv[0] ? "prog" : "none";
    const char *row = "%-14s %5d %8.3f\n";
    const char *head = "%-14s %5s %8s\n";
    printf(head, "name", "n", "w");
    for (int k = 0; k < 3; k++) { const struct opt *o = &opts[k]; printf(row, o->name, o->value, o->w); }
    printf("%s %s %s\n", verdict(1e-7), verdict(1e-4), verdict(1));
    const char *fmt = argc > 1 ? "%s %d!\n" : "%s %d\n";
    printf(fmt, prog, argc);
    int verbose = 1;
    if (verbose) fmt = "[%s] (%d)\n";
    printf(fmt, prog, 3);
    char buf[64];
    snprintf(buf, sizeof buf, fmt, prog, 4);
    fputs(buf, stdout);
    return 0;
}
