/* `getopt` and `getopt_long`, translated along with a program that calls them. Options end at the first operand, as POSIX has it. */
#include "getopt.h"

int strcmp(const char *, const char *);
int strncmp(const char *, const char *, unsigned long);
unsigned long strlen(const char *);
int printf(const char *, ...);

char *optarg;
int optind = 1, opterr = 1, optopt;
static int option_at = 1;

/* Reads the next option of one letter: the letter, `?` if it is not known, -1 behind the last one. */
int getopt(int argc, char *const argv[], const char *options)
{
    if (optind >= argc || argv[optind][0] != '-' || argv[optind][1] == '\0')
        return -1;
    if (strcmp(argv[optind], "--") == 0) {
        optind++;
        return -1;
    }
    int letter = argv[optind][option_at++];
    int last = argv[optind][option_at] == '\0';
    int found = 0;
    while (options[found] != '\0' && (options[found] != letter || letter == ':'))
        found++;
    optopt = letter;
    if (options[found] != '\0' && options[found + 1] == ':') {
        if (!last) {
            optarg = &argv[optind][option_at];
        } else if (options[found + 2] == ':') {
            optarg = 0;
        } else if (optind + 1 < argc) {
            optarg = argv[++optind];
        } else {
            letter = options[0] == ':' ? ':' : '?';
        }
        last = 1;
    } else if (options[found] == '\0') {
        letter = '?';
    }
    if (last) {
        optind++;
        option_at = 1;
    }
    return letter;
}
