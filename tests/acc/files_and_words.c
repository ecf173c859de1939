#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <stdlib.h>
static int parse_line(char *line, double *out) {
    int n = 0;
    for (char *tok = strtok(line, " ,\t\n"); tok != NULL; tok = strtok(NULL, " ,\t\n"))
        out[n++] = atof(tok);
    return n;
}
int main(int argc, char **argv) {
    char line[128] = "1.5, 2.5 3 4e2\n", key[16], *p;
    double v[16];
    int n = parse_line(line, v);
    for (int i = 0; i < n; i++) printf("%g\n", v[i]);
    strcpy(line, "name = value # comment");
    if ((p = strchr(line, '#')) != NULL) *p = '\0';
    p = strchr(line, '=');
    if (p) { *p++ = '\0'; while (*p == ' ') p++; printf("[%s] -> [%s]\n", line, p); }
    if (strstr(line, "am")) puts("has am");
    char *dot = strrchr(line, 'e');
    if (!dot) puts("none"); else printf("at %d\n", (int)(dot - line));
    for (int i = 1; i < argc; i++) {
        char *eq = strchr(argv[i], '=');
        if (eq) printf("%s\n", eq + 1);
    }
    if (strcasecmp("ABC", "abc") == 0) puts("same");
    int a, b; float f; char w[8];
    if (sscanf("12,-7 3.25 word!", "%d,%d %f %7[a-z]", &a, &b, &f, w) == 4) printf("%d %d %.2f %s\n", a, b, f, w);
    FILE *fp = fopen("/tmp/files_and_words.txt", "w");
    if (fp == NULL) { perror("fopen"); return 1; }
    for (int i = 0; i < 5; i++) fprintf(fp, "%d %.3f\n", i, i * 0.5);
    fprintf(fp, "%c%c%c", 200, 65, 255);
    fclose(fp);
    fp = fopen("/tmp/files_and_words.txt", "r");
    int k; double d; int count = 0;
    while (fscanf(fp, "%d %lf", &k, &d) == 2) { count += k; v[k] = d; }
    printf("%d %g %g\n", count, v[4], d);
    rewind(fp);
    int lines = 0, c;
    while ((c = fgetc(fp)) != EOF) if (c == '\n') lines++;
    printf("lines %d at %ld\n", lines, ftell(fp));
    fseek(fp, 0, SEEK_SET);
    while (fgets(line, sizeof line, fp)) { line[strcspn(line, "\n")] = 0; if (sscanf(line, "%d", &k) != 1) break; printf("<%s>", line); }
    puts("");
    fclose(fp);
    double w8[4] = {1, 2, 3, 4}, r8[4] = {0};
    fp = fopen("/tmp/files_and_words.bin", "wb+");
    size_t put = fwrite(w8, sizeof(double), 4, fp);
    fwrite(&count, sizeof count, 1, fp);
    fseek(fp, 8, SEEK_SET);
    size_t got = fread(r8, sizeof(double), 3, fp);
    int back; if (fread(&back, sizeof back, 1, fp) != 1) puts("short");
    printf("%zu %zu %g %g %d %d\n", put, got, r8[0], r8[2], back, feof(fp));
    fclose(fp);
    remove("/tmp/files_and_words.bin");
    if (!fopen("/nonexistent/x", "r")) fputs("no file\n", stdout);
    return 0;
}
