#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <getopt.h>
static struct option long_options[] = {
    {"size", required_argument, NULL, 'n'},
    {"tol", 1, 0, 't'},
    {"verbose", no_argument, 0, 'v'},
    {0, 0, 0, 0}
};
int main(int argc, char *argv[]) {
    int n = 10, verbose = 0, opt, index = 0;
    double tol = 1e-3;
    while ((opt = getopt_long(argc, argv, "n:t:vh", long_options, &index)) != -1) {
        switch (opt) {
        case 'n': n = atoi(optarg); break;
        case 't': tol = atof(optarg); break;
        case 'v': verbose++; break;
        default: fprintf(stderr, "usage: %s\n", argv[0]); exit(EXIT_FAILURE);
        }
    }
    for (int i = optind; i < argc; i++) printf("operand %s\n", argv[i]);
    printf("%d %g %d\n", n, tol, verbose);
    return 0;
}
