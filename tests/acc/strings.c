#include <stdio.h>
#include <string.h>
#include <ctype.h>

/* Letters of a text, in char arrays. */
int main(void) {
  char text[] = "The quick brown fox jumps over the lazy dog";
  int letters[26] = {0};
  int len = (int)strlen(text);
#pragma acc parallel loop copyin(text[0:len]) copy(letters)
  for (int i = 0; i < len; i++) {
    char c = text[i];
    if (c >= 'A' && c <= 'Z') c = c - 'A' + 'a';
    if (c >= 'a' && c <= 'z') {
#pragma acc atomic update
      letters[c - 'a']++;
    }
  }
  for (int i = 0; i < 26; i++) printf("%c%d ", 'a' + i, letters[i]);
  printf("\n%s has %d characters\n", text, len);
  char line[64];
  strcpy(line, "abc");
  strcat(line, "-def");
  sprintf(line + 3, "%d", 77);
  printf("%s %zu %d\n", line, strlen(line), strcmp(line, "abc77"));
  const char *names[] = {"zero", "one", "two"};
  for (int i = 0; i < 3; i++) printf("%s%c", names[i], i < 2 ? ' ' : '\n');
  printf("%d\n", isdigit('7') != 0);
  return 0;
}
