#include "shapes.h"

static int total;

/* There is another function of this name in runs.c. */
__attribute__((noinline)) static void step(int value) {
    total += value;
}

int sum_of_squares(const int *values, int count) {
    total = 0;
    for (int index = 0; index < count; index++)
        step(square(values[index]));
    return total;
}
