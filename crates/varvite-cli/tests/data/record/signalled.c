/* Works until a signal ends it: `save` saves its work at SIGTERM, and `ignore` ignores all signals. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile sig_atomic_t is_over;

static void on_signal(int number)
{
    is_over = number;
}

int main(int argc, char **argv)
{
    static volatile long total;
    int ignores = argc > 1 && strcmp(argv[1], "ignore") == 0;
    signal(SIGTERM, ignores ? SIG_IGN : on_signal);
    signal(SIGINT, SIG_IGN);
    puts("working");
    fflush(stdout);
    while (!is_over)
        total++;
    puts("saved");
    return 4;
}
