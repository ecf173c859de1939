#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Functions that hand a format and its arguments on. */
static FILE *logfile;
static int errors = 0;
void fatal(const char *file, int line, const char *fmt, ...) __attribute__((noreturn, format(printf, 3, 4)));
#define FATAL(...) fatal("x.c", 10, __VA_ARGS__)
static char message[256];
static void set_error(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(message, sizeof message, fmt, ap);
    va_end(ap);
    errors++;
}
void fatal(const char *file, int line, const char *fmt, ...)
{
    va_list ap;
    fprintf(stderr, "%s:%d: ", file, line);
    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
    fprintf(stderr, "\n");
    exit(2);
}
static void out(FILE *f, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int n = vfprintf(f, fmt, ap);
    va_end(ap);
    if (n < 0) exit(1);
}
static int parse(const char *s)
{
    if (strcmp(s, "a") == 0) return 1;
    if (strcmp(s, "b") == 0) return 2;
    FATAL("unknown word '%s'", s);
}
int main(void)
{
    logfile = stdout;
    char name[20] = "table";
    double x[3] = {1.5, 2.25, -3};
    set_error("bad %s at %d (%5.2f)", name, 7, x[1]);
    printf("%s %d\n", message, errors);
    out(logfile, "plain\n");
    out(stdout, "%d%% of %-8s|%c|%08x\n", 50, name, 'q', 48879u);
    for (int i = 0; i < 3; i++) out(stdout, "%g%s", x[i], i < 2 ? ", " : "\n");
    printf("%d\n", parse("b"));
    set_error("%d more", errors);
    printf("%s %d\n", message, parse("a"));
    return parse("c");
}
