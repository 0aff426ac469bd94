/* Five threads, a signal handler, a fork, a library that is loaded and unloaded, and code that changes. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int signals;

static void on_signal(int number)
{
    signals += number;
}

static void *work(void *factor)
{
    static __thread long sums[100];
    for (int round = 0; round < 20; round++)
        for (int i = 0; i < 100; i++)
            sums[i] += i * (long)factor;
    return (void *)sums[99];
}

static void run_threads(void)
{
    pthread_t threads[5];
    for (long i = 0; i < 5; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 5; i++)
        pthread_join(threads[i], NULL);
}

static int root_by_library(void)
{
    void *library = dlopen("libm.so.6", RTLD_NOW);
    double (*cbrt)(double) = (double (*)(double))dlsym(library, "cbrt");
    int root = (int)cbrt(27);
    dlclose(library);
    return root;
}

/* Calls a function five times, and overwrites it before each call: its result and its length change. */
static int sum_of_changed_code(void)
{
    unsigned char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    int sum = 0;
    for (unsigned char i = 0; i < 5; i++) {
        unsigned char plain[] = {0xb8, i, 0, 0, 0, 0xc3, 0}, padded[] = {0xb8, i, 0, 0, 0, 0x90, 0xc3};
        memcpy(code, i % 2 ? padded : plain, sizeof plain);
        sum += ((int (*)(void))code)();
    }
    return sum;
}

static int result_of_child(void)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        work((void *)7);
        _exit(3);
    }
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

int main(void)
{
    signal(SIGUSR1, on_signal);
    raise(SIGUSR1);
    run_threads();
    int root = root_by_library(), sum = sum_of_changed_code(), child = result_of_child();
    printf("%d %d %d %d\n", signals, root, sum, child);
    return 0;
}
