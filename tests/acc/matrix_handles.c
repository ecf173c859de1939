/* Matrices behind pointers to structs, read and written through a macro. */
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>
struct mat { int r, c; double *d; };
#define AT(m, i, j) ((m)->d[(i) * (m)->c + (j)])
struct mat *mat_new(int r, int c) {
  struct mat *m = malloc(sizeof *m);
  assert(m != NULL);
  m->r = r; m->c = c;
  m->d = calloc((size_t)r * c, sizeof *m->d);
  return m;
}
void mat_free(struct mat *m) { free(m->d); free(m); }
struct mat *mat_mul(const struct mat *a, const struct mat *b) {
  struct mat *o = mat_new(a->r, b->c);
  double *restrict od = o->d;
  const double *restrict ad = a->d, *restrict bd = b->d;
  int R = a->r, C = b->c, K = a->c;
#pragma acc parallel loop gang copyin(ad[0:R*K], bd[0:K*C]) copyout(od[0:R*C])
  for (int i = 0; i < R; i++)
#pragma acc loop vector
    for (int j = 0; j < C; j++) {
      double t = 0;
      for (int k = 0; k < K; k++) t += ad[i*K+k] * bd[k*C+j];
      od[i*C+j] = t;
    }
  return o;
}
int main(void) {
  struct mat *a = mat_new(4, 5), *b = mat_new(5, 3);
  for (int i = 0; i < 4; i++) for (int j = 0; j < 5; j++) AT(a, i, j) = i - j;
  for (int i = 0; i < 5; i++) for (int j = 0; j < 3; j++) AT(b, i, j) = i * j + 1;
  struct mat *c = mat_mul(a, b);
  for (int i = 0; i < c->r; i++) { for (int j = 0; j < c->c; j++) printf("%6.1f", AT(c, i, j)); printf("\n"); }
  mat_free(a); mat_free(b); mat_free(c);
  return 0;
}
