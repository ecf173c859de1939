
/* Reads the next option, of one letter or a word behind `--`. */
int getopt_long(int argc, char *const argv[], const char *options, const struct option *words, int *index)
{
    if (optind >= argc || strncmp(argv[optind], "--", 2) != 0 || strcmp(argv[optind], "--") == 0)
        return getopt(argc, argv, options);
    int len = 2;
    while (argv[optind][len] != '\0' && argv[optind][len] != '=')
        len++;
    for (int word = 0; words[word].name; word++) {
        if ((int)strlen(words[word].name) != len - 2 || strncmp(&argv[optind][2], words[word].name, len - 2) != 0)
            continue;
        if (argv[optind][len] == '=') {
            optarg = &argv[optind][len + 1];
        } else if (words[word].has_arg == 1 && optind + 1 < argc) {
            optarg = argv[++optind];
        } else if (words[word].has_arg == 1) {
            optind++;
            return '?';
        }
        optind++;
        *index = word;
        return words[word].val;
    }
    optind++;
    return '?';
}
