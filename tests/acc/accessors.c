/* Functions that return a pointer into what they are given, tables that grow, arrays of structs that hold memory. */
#include <stdio.h>
#include <stdlib.h>
#define PAD 2

typedef struct {
  int w, h;
  float *cells;
} grid;

typedef struct {
  int *keys, *counts;
  size_t room, used;
} table;

static inline float *at(grid *g, int x, int y) { return &g->cells[(y + PAD) * g->w + x + PAD]; }
static float *row(const grid *g, int y) { return g->cells + (y + PAD) * g->w; }
static float *first(grid *g) { return at(g, 0, 0); }
static int wrapped(int v, int n) { return v < 0 ? v + n : v % n; }

static void init(grid *g, int w, int h) {
  g->w = w + 2 * PAD;
  g->h = h + 2 * PAD;
  g->cells = calloc((size_t)g->w * g->h, sizeof(float));
}

static float sum(const float *v, int n) {
  float s = 0;
  for (int i = 0; i < n; i++) s += v[i];
  return s;
}

static void count(table *t, int key);

static void grow(table *t) {
  int *keys = t->keys, *counts = t->counts;
  size_t n = t->room;
  t->room = n ? 2 * n : 8;
  t->used = 0;
  t->keys = malloc(t->room * sizeof(int));
  t->counts = calloc(t->room, sizeof(int));
  for (size_t i = 0; i < t->room; i++) t->keys[i] = -1;
  for (size_t i = 0; i < n; i++)
    for (int k = 0; k < (keys[i] < 0 ? 0 : counts[i]); k++) count(t, keys[i]);
  free(keys);
  free(counts);
}

static void count(table *t, int key) {
  if (2 * t->used >= t->room) grow(t);
  size_t i = (unsigned)key * 2654435761u % t->room;
  while (t->keys[i] != -1 && t->keys[i] != key) i = (i + 1) % t->room;
  if (t->keys[i] == -1) {
    t->keys[i] = key;
    t->used++;
  }
  t->counts[i]++;
}

int main(void) {
  grid g, list[2];
  table t = {NULL, NULL, 0, 0};
  int hist[16] = {0}, wrong = 0;
  init(&g, 5, 4);
  for (int k = 0; k < 2; k++) init(&list[k], 3, 3);
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 5; x++) *at(&g, x, wrapped(y - 1, 4)) = x + 10 * y;
  *first(&g) += 0.5f;
  *at(&list[1], 1, 1) = 7;
  printf("%g %g %g\n", *first(&g), sum(row(&g, 2), g.w), *at(&list[1], 1, 1));
  for (int i = 0; i < 200; i++) count(&t, i * i % 16);
#pragma acc parallel loop copy(hist)
  for (int i = 0; i < 200; i++) {
#pragma acc atomic update
    hist[i * i % 16]++;
  }
  for (size_t i = 0; i < t.room; i++)
    if (t.keys[i] >= 0) wrong += t.counts[i] != hist[t.keys[i]];
  printf("%zu of %zu, %d wrong\n", t.used, t.room, wrong);
  free(t.keys);
  free(t.counts);
  free(g.cells);
  for (int k = 0; k < 2; k++) free(list[k].cells);
  return wrong;
}
