/* One thread that does the same in every run: loops, string instructions, an atomic exchange, floating point,
   and accesses that depend on a condition. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static long numbers[500];
static _Atomic long total;

__attribute__((noinline)) static void fill(long seed)
{
    for (int i = 0; i < 500; i++)
        numbers[i] = seed = seed * 1103515245 + 12345;
}

__attribute__((noinline)) static long chosen(void)
{
    long sum = 0;
    for (int i = 0; i < 500; i++)
        if (numbers[i] & 16)
            sum += numbers[i] >> 40;
    return sum;
}

__attribute__((noinline)) static void copy_by_instruction(void *to, const void *from, unsigned long len)
{
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(len) : : "memory");
}

int main(void)
{
    static char from[300], to[300];
    double root = 2;
    fill(42);
    memset(from, 7, sizeof from);
    copy_by_instruction(to, from, sizeof from);
    atomic_fetch_add(&total, chosen());
    for (int i = 0; i < 20; i++)
        root = (root + 2 / root) / 2;
    printf("%ld %d %.3f\n", atomic_load(&total), to[299], root);
    return 0;
}
