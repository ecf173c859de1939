#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define MAXW 32
static int count_words(const char *s, int len[]) {
  int words = 0, in = 0, l = 0;
  for (const char *p = s; *p; p++) {
    if (*p == ' ' || *p == ',') { if (in) { len[l < MAXW ? l : MAXW - 1]++; words++; } in = 0; l = 0; }
    else { in = 1; l++; }
  }
  if (in) { len[l]++; words++; }
  return words;
}
static double dot(const double *a, const double *b, size_t n) {
  double s = 0.0;
  while (n--) s += *a++ * *b++;
  return s;
}
static void reverse(char *s) {
  int i = 0, j = (int)strlen(s) - 1;
  while (i < j) { char t = s[i]; s[i++] = s[j]; s[j--] = t; }
}
int main(void) {
  int len[MAXW] = {0};
  int w = count_words("the quick, brown fox jumps", len);
  double x[4] = {1, 2, 3, 4}, y[4] = {4, 3, 2, 1};
  char name[20] = "hello";
  reverse(name);
  double m[3][4];
  for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) m[i][j] = i + j;
  double *row = m[1];
  row[2] = 50;
  printf("%d %d %.1f %s %.1f %.1f\n", w, len[5], dot(x, y, 4), name, dot(m[1], m[2], 4), *(*(m + 1) + 2));
  int *table[3];
  for (int i = 0; i < 3; i++) { table[i] = malloc(4 * sizeof(int)); memset(table[i], 0, 4 * sizeof(int)); table[i][i] = i; }
  int t = 0;
  for (int i = 0; i < 3; i++) { for (int j = 0; j < 4; j++) t += table[i][j] * (j + 1); free(table[i]); }
  printf("%d\n", t);
  return 0;
}
