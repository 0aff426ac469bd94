#include "shapes.h"

static int values[SIZE];

__attribute__((noinline)) int fibonacci(int number) {
    return number < 2 ? number : fibonacci(number - 1) + fibonacci(number - 2);
}

__attribute__((noinline)) static void fill(void) {
    for (int index = 0; index < SIZE; index++)
        values[index] = index / 5 % 7;
}

/* Never called: it has no counts. */
int never(void) {
    return square(7);
}

int main(void) {
    fill();
    return (sum_of_squares(values, SIZE) + longest_run(values, SIZE) + fibonacci(10)) % 100;
}
