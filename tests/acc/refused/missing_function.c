// ACC2RS1207: the function is in a file that was not given.
int elsewhere(int x);
int main(void) { return elsewhere(3); }
