#include "shapes.h"

static int before, length, longest;

/* There is another function of this name in squares.c. */
__attribute__((noinline)) static void step(int value) {
    length = value == before ? length + 1 : 1;
    before = value;
    if (length > longest)
        longest = length;
}

int longest_run(const int *values, int count) {
    before = length = longest = 0;
    for (int index = 0; index < count; index++)
        step(values[index]);
    return longest;
}
