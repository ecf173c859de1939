/* Names of enumerators from a table of strings, text built in a buffer, a histogram of letters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
typedef enum { RED, GREEN = 4, BLUE } Color;
static const char *names[] = { "red", "green", "blue" };
const char *color_name(Color c) {
  switch (c) {
    case RED: return names[0];
    case GREEN: return names[1];
    case BLUE: return names[2];
    default: return "?";
  }
}
int count_words(const char *s) {
  int n = 0, in = 0;
  while (*s) {
    if (isspace((unsigned char)*s)) in = 0;
    else if (!in) { in = 1; n++; }
    s++;
  }
  return n;
}
int main(void) {
  char text[] = "the quick brown fox jumps over the lazy dog";
  int freq[26] = {0};
  int len = strlen(text);
#pragma acc parallel loop copyin(text[0:len]) copy(freq)
  for (int i = 0; i < len; i++) {
    if (text[i] >= 'a' && text[i] <= 'z') {
#pragma acc atomic
      freq[text[i] - 'a']++;
    }
  }
  for (int i = 0; i < 26; i++) if (freq[i] > 2) printf("%c:%d ", 'a' + i, freq[i]);
  putchar('\n');
  char buf[64];
  strcpy(buf, color_name(GREEN));
  strcat(buf, "/");
  strcat(buf, color_name(BLUE));
  sprintf(buf + strlen(buf), "-%02d", 7);
  printf("%s %d words, cmp %d\n", buf, count_words(text), strcmp("abc", "abd") < 0);
  for (Color c = RED; c <= BLUE; c++) if (c == RED || c >= GREEN) puts(color_name(c));
  return 0;
}
