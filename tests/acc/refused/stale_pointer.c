// ACC2RS1301: a pointer is used after the field that it was set from has changed places with another.
#include <stdio.h>
#include <stdlib.h>
typedef struct {
  double *now, *next;
} pair;
static void turn(pair *p) {
  double *t = p->now;
  p->now = p->next;
  p->next = t;
}
int main(void) {
  pair p = {calloc(4, sizeof(double)), calloc(4, sizeof(double))};
  double *first = p.now;
  first[1] = 2;
  turn(&p);
  printf("%g %g\n", first[1], p.now[1]);
  return 0;
}
