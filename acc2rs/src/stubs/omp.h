/* The part of OpenMP's interface that OpenACC codes call for timing. */
#ifndef ACC2RS_OMP_H
#define ACC2RS_OMP_H
double omp_get_wtime(void);
double omp_get_wtick(void);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_thread_num(void);
int omp_get_num_procs(void);
int omp_in_parallel(void);
void omp_set_num_threads(int);
#endif
