#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct item { char name[16]; int count; double total; };
struct shelf { struct item *items; int used, room; };
static struct item table[31];
static struct shelf global;

static struct item *slot(const char *name) {
  unsigned h = 0;
  for (const char *p = name; *p; p++) h = h * 31 + *p;
  h %= 31;
  while (table[h].count && strcmp(table[h].name, name)) h = (h + 1) % 31;
  if (!table[h].count) strcpy(table[h].name, name);
  return &table[h];
}

static const struct item *find(const struct shelf *s, const char *name) {
  for (int i = 0; i < s->used; i++)
    if (strcmp(s->items[i].name, name) == 0) return &s->items[i];
  return NULL;
}

static struct item *find_or_add(struct shelf *s, const char *name) {
  for (int i = 0; i < s->used; i++)
    if (!strcmp(s->items[i].name, name)) return s->items + i;
  if (s->used == s->room) return NULL;
  strcpy(s->items[s->used].name, name);
  return &s->items[s->used++];
}

struct counter { unsigned keys[16]; int *counts, used; };

static int *count_of(struct counter *c, unsigned key) {
  int i = 0;
  while (i < c->used && c->keys[i] != key) i++;
  if (i == c->used) c->keys[c->used++] = key;
  return &c->counts[i];
}

int main(void) {
  struct counter c = {.counts = calloc(16, sizeof(int))};
  for (unsigned k = 0; k < 40; k++) *count_of(&c, k * k % 10) += 1;
  if (*count_of(&c, 4) != 8) puts("miscounted");
  printf("%d kinds\n", c.used);
  free(c.counts);
  const char *words[] = {"salt", "rice", "tea", "salt", "tea", "salt", "oil"};
  struct shelf own = {malloc(3 * sizeof(struct item)), 0, 3};
  memset(own.items, 0, 3 * sizeof(struct item));
  global.items = calloc(4, sizeof(struct item));
  global.room = 4;
  for (int i = 0; i < 7; i++) {
    slot(words[i])->count++;
    slot(words[i])->total += 0.5 * i;
    struct item *it = find_or_add(&own, words[i]);
    if (it == NULL) { printf("no room for %s\n", words[i]); continue; }
    it->count++;
    it->total += i;
    struct item *g = find_or_add(&global, words[i]);
    if (g) g->count += 2;
  }
  for (int k = 0; k < 31; k++)
    if (table[k].count) printf("%s %d %.1f\n", table[k].name, table[k].count, table[k].total);
  const struct item *tea = find(&own, "tea"), *oil = find(&own, "oil");
  printf("tea %d, oil %s\n", tea->count, oil ? "there" : "missing");
  if (find(&own, "rice") != NULL && !find(&own, "milk")) puts("rice but no milk");
  if (find(&global, "oil")) printf("oil %d\n", find(&global, "oil")->count);
  free(own.items);
  free(global.items);
  return 0;
}
