#include <stdio.h>
#include <stdlib.h>
#define MAX(a,b) ((a)>(b)?(a):(b))
#define CHECK(x) if (!(x)) { fprintf(stderr, "failed %s:%d\n", __FILE__, __LINE__); exit(1); }
typedef struct node { int key; int left, right; } node;
static node pool[100];
static int used = 0;
static int insert(int root, int key) {
  if (root < 0) { pool[used].key = key; pool[used].left = pool[used].right = -1; return used++; }
  if (key < pool[root].key) pool[root].left = insert(pool[root].left, key);
  else if (key > pool[root].key) pool[root].right = insert(pool[root].right, key);
  return root;
}
static int height(int root) { return root < 0 ? 0 : 1 + MAX(height(pool[root].left), height(pool[root].right)); }
static void walk(int root, int *out, int *n) {
  if (root < 0) return;
  walk(pool[root].left, out, n);
  out[(*n)++] = pool[root].key;
  walk(pool[root].right, out, n);
}
int main(void) {
  int root = -1, out[100], n = 0;
  for (int i = 0; i < 60; i++) root = insert(root, (i * 37) % 61);
  CHECK(root >= 0);
  walk(root, out, &n);
  for (int i = 1; i < n; i++) CHECK(out[i - 1] < out[i]);
  printf("%d %d\n", n, height(root));
  return 0;
}
