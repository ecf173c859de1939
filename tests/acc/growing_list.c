/* A list that grows by `realloc` into another pointer, and names cut by `strncpy`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct list {
  int *items;
  int used, room;
};

static int push(struct list *l, int value) {
  if (l->used == l->room) {
    int room = l->room ? 2 * l->room : 4;
    int *more = realloc(l->items, room * sizeof(int));
    if (!more) return -1;
    l->items = more;
    l->room = room;
  }
  l->items[l->used++] = value;
  return 0;
}

int main(void) {
  struct list l = {NULL, 0, 0};
  int hist[8] = {0};
  char name[8], whole[4];
  for (int i = 0; i < 300; i++)
    if (push(&l, i * i % 61)) return 1;
  int *items = l.items;
#pragma acc parallel loop copyin(items[0:l.used]) copy(hist)
  for (int i = 0; i < l.used; i++) {
#pragma acc atomic update
    hist[items[i] % 8]++;
  }
  strncpy(name, "histogram", sizeof name - 1);
  name[sizeof name - 1] = '\0';
  strncpy(whole, "ab", sizeof whole);
  printf("%s %s %d of %d, %lu:", name, whole, l.used, l.room, (unsigned long)-1 >> 60);
  for (int b = 0; b < 8; b++) printf(" %d", hist[b]);
  printf("\n");
  free(l.items);
  return 0;
}
