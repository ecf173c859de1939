#include <stdio.h>
#include <stdlib.h>
#include <limits.h>

/* In-degrees and a breadth-first search over a graph in CSR form. */
typedef struct Graph {
  int nodes;
  int edges;
  int *row;
  int *col;
} Graph;

static Graph *make(int nodes) {
  Graph *g = (Graph *)malloc(sizeof(Graph));
  g->nodes = nodes;
  g->edges = nodes * 3;
  g->row = (int *)malloc((nodes + 1) * sizeof(int));
  g->col = (int *)malloc(g->edges * sizeof(int));
  for (int i = 0; i <= nodes; i++) g->row[i] = 3 * i;
  for (int i = 0; i < nodes; i++) {
    g->col[3 * i] = (i + 1) % nodes;
    g->col[3 * i + 1] = (i * 7 + 3) % nodes;
    g->col[3 * i + 2] = (i * i + 5) % nodes;
  }
  return g;
}

static void destroy(Graph *g) {
  free(g->row);
  free(g->col);
  free(g);
}

static int bfs(const Graph *g, int *level) {
  for (int i = 0; i < g->nodes; i++) level[i] = INT_MAX;
  level[0] = 0;
  int depth = 0, changed = 1;
  while (changed) {
    changed = 0;
    for (int u = 0; u < g->nodes; u++) {
      if (level[u] != depth) continue;
      for (int e = g->row[u]; e < g->row[u + 1]; e++) {
        int v = g->col[e];
        if (level[v] == INT_MAX) {
          level[v] = depth + 1;
          changed = 1;
        }
      }
    }
    depth++;
  }
  return depth;
}

int main(void) {
  Graph *g = make(200);
  int *degree = (int *)calloc(g->nodes, sizeof(int));
  int *level = (int *)malloc(g->nodes * sizeof(int));
  int *col = g->col;
  int edges = g->edges;
#pragma acc parallel loop copyin(col[0:edges]) copy(degree[0:200])
  for (int e = 0; e < edges; e++) {
#pragma acc atomic
    degree[col[e]] += 1;
  }
  int depth = bfs(g, level);
  int most = 0;
  for (int i = 0; i < g->nodes; i++)
    if (degree[i] > most) most = degree[i];
  printf("depth %d, degree at most %d\n", depth, most);
  free(degree);
  free(level);
  destroy(g);
  return 0;
}
