#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct vec { double x, y; };

typedef struct {
  int id;
  struct vec pos;
  float w[3];
  char name[16];
} Item;

typedef struct {
  int n;
  int *bins;
  double width;
} Hist;

static Hist *dummy = NULL;

static void init(Hist *h, int n, double width) {
  h->n = n;
  h->width = width;
  h->bins = (int *)calloc(n, sizeof(int));
}

static void add(Hist *h, double x) {
  int b = (int)(x / h->width);
  if (b >= 0 && b < h->n)
    h->bins[b] += 1;
}

static double norm2(const struct vec *v) { return v->x * v->x + v->y * v->y; }

static struct vec scaled(struct vec v, double f) {
  v.x *= f;
  v.y *= f;
  return v;
}

int main(void) {
  Item items[5];
  memset(items, 0, sizeof(items));
  for (int i = 0; i < 5; i++) {
    items[i].id = i;
    items[i].pos.x = i * 1.5;
    items[i].pos.y = -i;
    items[i].w[i % 3] = 0.5f * i;
    sprintf(items[i].name, "item%d", i);
  }
  Item copy = items[3];
  copy.pos = scaled(copy.pos, 2.0);
  struct vec origin = {0.0, 0.0}, one = {.y = 1.0};
  printf("%s %.2f %.2f %.1f\n", copy.name, copy.pos.x, norm2(&items[3].pos), norm2(&one) + norm2(&origin));
  Hist h;
  init(&h, 10, 0.5);
  for (int i = 0; i < 40; i++)
    add(&h, i * 0.11);
  int sum = 0;
  for (int i = 0; i < h.n; i++)
    sum += h.bins[i] * (i + 1);
  printf("%d %d\n", sum, dummy == NULL);
  Item *p = &items[2];
  p->id += 40;
  printf("%d %d\n", items[2].id, (int)sizeof(struct vec));
  free(h.bins);
  return 0;
}
