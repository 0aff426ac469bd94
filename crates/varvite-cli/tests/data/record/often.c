/* Calls a function often: 4000 calls with 5000 loads each. */
#include <stdio.h>

static volatile int cell;

__attribute__((noinline)) static void hot(void)
{
    for (int i = 0; i < 5000; i++)
        (void)cell;
}

int main(void)
{
    for (int i = 0; i < 4000; i++)
        hot();
    puts("done");
    return 0;
}
