#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int n = 10, verbose;
static double tol = 1e-3;
static const char *name = "none";
static void parse(int argc, char **argv) {
    int c;
    extern char *optarg;
    while ((c = getopt(argc, argv, "n:t:vf:")) != EOF) {
        switch (c) {
        case 'n': n = strtol(optarg, NULL, 10); break;
        case 't': tol = atof(optarg); break;
        case 'f': name = optarg; break;
        case 'v': verbose++; break;
        case '?': exit(1);
        }
    }
}
int main(int argc, char *argv[]) {
    parse(argc, argv);
    for (int i = optind; i < argc; i++) printf("operand %s\n", argv[i]);
    printf("%d %g %d %s\n", n, tol, verbose, name);
    return 0;
}
