#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void usage(const char *program) {
  (void)program;
  fprintf(stderr, "usage: program [n]\n");
  exit(3);
}

int main(int argc, char *argv[]) {
  int n = 100;
  if (argc > 2)
    usage(argv[0]);
  if (argc == 2)
    n = atoi(argv[1]);
  if (n <= 0)
    exit(EXIT_FAILURE);
  int *h = (int *)malloc(sizeof(int) * 10);
  memset(h, 0, 10 * sizeof(int));
#pragma acc parallel loop copy(h[0:10])
  for (int i = 0; i < n; i++) {
#pragma acc atomic
    h[i * i % 10]++;
  }
  int copy[10];
  memcpy(copy, h, 10 * sizeof(int));
  for (int i = 0; i < 10; i++)
    printf("%d%s", copy[i], i < 9 ? "," : "\n");
  free(h);
  exit(0);
}
