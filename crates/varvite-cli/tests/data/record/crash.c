/* Forks children: one starts a thread, waits for it and crashes; the main thread of the other one ends before the
   last thread, which ends with code 7. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void *nothing(void *unused)
{
    return unused;
}

static void *last(void *main_thread)
{
    pthread_join(*(pthread_t *)main_thread, NULL);
    syscall(SYS_exit, 7);
    return NULL;
}

static void crash(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_join(thread, NULL);
    raise(SIGSEGV);
}

static void end_with_the_last_thread(void)
{
    static pthread_t main_thread;
    pthread_t thread;
    main_thread = pthread_self();
    pthread_create(&thread, NULL, last, &main_thread);
    pthread_exit(NULL);
}

int main(void)
{
    signal(SIGSEGV, SIG_DFL);
    if (fork() == 0)
        crash();
    wait(NULL);
    if (fork() == 0)
        end_with_the_last_thread();
    wait(NULL);
    return 0;
}
