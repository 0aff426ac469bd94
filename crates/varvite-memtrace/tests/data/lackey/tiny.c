/* A program without a library, so that its whole trace is short: sums an array twice, then exits with 7. */
static long numbers[40];

static long sum(const long *from, int count) {
    long total = 0;
    for (int i = 0; i < count; i++)
        total += from[i];
    return total;
}

void _start(void) {
    for (int i = 0; i < 40; i++)
        numbers[i] = i * i;
    volatile long total = sum(numbers, 40) + sum(numbers, 40);
    __asm__ volatile("incq %0" : "+m"(numbers[3]));
    __asm__ volatile("syscall" : : "a"(231), "D"(7));
}
