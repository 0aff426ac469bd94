/* A small program whose memory references are counted by hand or by others. Ours; Apache-2.0, like all here. */
#ifndef SHAPES_H
#define SHAPES_H

#define SIZE 64

/* Small enough to be inlined wherever it is called. */
static inline int square(int value) {
    return value * value;
}

int sum_of_squares(const int *values, int count);
int longest_run(const int *values, int count);
int fibonacci(int number);

#endif
