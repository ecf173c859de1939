/* Three pointers into global arrays change places while functions use other globals. */
#include <stdio.h>
#include <stdlib.h>
#define N 50
double u0[N], u1[N], u2[N];
double c2 = 0.25;
static double energy(const double *u) { double e = 0; for (int i = 0; i < N; i++) e += u[i]*u[i]; return e * c2; }
int main(void)
{
    double *prev = u0, *now = u1, *next = u2;
    for (int i = 0; i < N; i++) { now[i] = (i > 20 && i < 30); prev[i] = now[i]; }
#pragma acc data copy(prev[0:N], now[0:N]) create(next[0:N])
    {
    for (int t = 0; t < 40; t++) {
#pragma acc parallel loop present(prev[0:N], now[0:N], next[0:N])
        for (int i = 1; i < N - 1; i++)
            next[i] = 2 * now[i] - prev[i] + c2 * (now[i-1] - 2*now[i] + now[i+1]);
        if (t % 10 == 0) printf("%d %.6f\n", t, energy(now));
        double *tmp = prev;
        prev = now;
        now = next;
        next = tmp;
    }
#pragma acc update self(now[0:N])
    }
    printf("%.6f %.6f %.6f\n", energy(prev), energy(now), u1[7]);
    return 0;
}
