/* The course code on the Laplace equation: globals of two dimensions, cleared by their number of elements. */
#include <math.h>
#include <string.h>
#include <stdio.h>
#include <stdlib.h>
#define NN 64
#define NM 64
double A[NN][NM];
double Anew[NN][NM];
int main(int argc, char** argv)
{
    const int n = NN;
    const int m = NM;
    const int iter_max = 100;
    const double tol = 1.0e-6;
    double error     = 1.0;
    memset(A, 0, n * m * sizeof(double));
    memset(Anew, 0, n * m * sizeof(double));
    for (int j = 0; j < n; j++)
    {
        A[j][0]    = 1.0;
        Anew[j][0] = 1.0;
    }
    printf("Jacobi relaxation Calculation: %d x %d mesh\n", n, m);
    int iter = 0;
#pragma acc data copy(A), create(Anew)
    while ( error > tol && iter < iter_max )
    {
        error = 0.0;
#pragma acc parallel loop reduction(max:error)
        for( int j = 1; j < n-1; j++)
        {
#pragma acc loop reduction(max:error)
            for( int i = 1; i < m-1; i++ )
            {
                Anew[j][i] = 0.25 * ( A[j][i+1] + A[j][i-1]
                                    + A[j-1][i] + A[j+1][i]);
                error = fmax( error, fabs(Anew[j][i] - A[j][i]));
            }
        }
#pragma acc parallel loop
        for( int j = 1; j < n-1; j++)
        {
#pragma acc loop
            for( int i = 1; i < m-1; i++ )
            {
                A[j][i] = Anew[j][i];
            }
        }
        if(iter % 10 == 0) printf("%5d, %0.6f\n", iter, error);
        iter++;
    }
    printf(" total: %d %f\n", iter, error);
    return 0;
}
