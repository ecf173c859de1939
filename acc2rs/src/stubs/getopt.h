/* Options of the command line, as acc2rs reads them. */
#ifndef ACC2RS_GETOPT_H
#define ACC2RS_GETOPT_H
extern char *optarg;
extern int optind, opterr, optopt;
int getopt(int, char *const[], const char *);

#define no_argument 0
#define required_argument 1
#define optional_argument 2
/* The C library's `flag` is an `int *`; only a null one is taken. */
struct option {
    const char *name;
    int has_arg;
    const char *flag;
    int val;
};
int getopt_long(int, char *const[], const char *, const struct option *, int *);
#endif
