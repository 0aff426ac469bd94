/* Measures the time to read a value of a decoded block, once copied and once pinned. This measurement decides
 * the threshold of varvite_fill_or_pin.
 *
 *     fill_or_pin SIZE FILE [SIZE FILE ...]
 *
 * `varvite-bench keyed FILE COUNT SIZE archive` makes the files. Times are medians, in nanoseconds per value,
 * of alternating rounds; nodes are read in pseudo-random order. `cargo xtask bench-values` runs this program
 * and the same benchmark in Java. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "varvite.h"

enum { ROUNDS = 9, WAYS = 4, ROUND_NS = 20 * 1000 * 1000 };

static uint8_t buffer[1 << 17];
static volatile uint64_t sink;

static void demand(int32_t status, const varvite_error *error) {
    if (status < 0) {
        fprintf(stderr, "varvite: %s\n", error->message);
        exit(1);
    }
}

static uint64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* The sum of the first `length` bytes, read as 8-byte integers. */
static uint64_t sum_of(const uint8_t *bytes, uint64_t length) {
    uint64_t sum = 0;
    for (uint64_t i = 0; i + 8 <= length; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, sizeof word);
        sum += word;
    }
    return sum;
}

/* Gets one value, reads its bytes, and releases its pin. */
static uint64_t read_value(const varvite_property *values, uint32_t node, uint64_t threshold, int reads_all) {
    varvite_error error = VARVITE_ERROR_INIT;
    const void *address;
    uint64_t length;
    varvite_pin *pin;
    demand(varvite_fill_or_pin(values, node, buffer, sizeof buffer, threshold, &address, &length, &pin, &error), &error);
    uint64_t sum = sum_of(address, reads_all || length < 8 ? length : 8);
    if (pin != NULL) {
        varvite_pin_release(pin);
    }
    return sum;
}

/* Nanoseconds per value, measured over at least ROUND_NS. */
static double time_of(const varvite_property *values, uint32_t count, uint64_t threshold, int reads_all) {
    uint64_t calls = 0, start = now_ns(), elapsed;
    uint32_t node = 0;
    do {
        for (int i = 0; i < 64; i++) {
            node = (node + 40503u) % count;
            sink += read_value(values, node, threshold, reads_all);
        }
        calls += 64;
        elapsed = now_ns() - start;
    } while (elapsed < ROUND_NS);
    return (double)elapsed / (double)calls;
}

static int by_value(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return difference < 0 ? -1 : difference > 0;
}

static void print_row(const char *size, const varvite_property *values, uint32_t count) {
    double times[WAYS][ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
        for (int way = 0; way < WAYS; way++) {
            times[way][round] = time_of(values, count, way % 2 == 0 ? UINT64_MAX : 0, way / 2);
        }
    }
    printf("%8s", size);
    for (int way = 0; way < WAYS; way++) {
        qsort(times[way], ROUNDS, sizeof times[way][0], by_value);
        printf(" %16.1f", times[way][ROUNDS / 2]);
    }
    printf("\n");
}

static void measure(const char *size, const char *path) {
    varvite_error error = VARVITE_ERROR_INIT;
    varvite_graph *graph;
    varvite_graph_info info;
    varvite_property *values;
    uint32_t number;
    demand(varvite_graph_open(path, NULL, &graph, &error), &error);
    demand(varvite_graph_describe(graph, &info, sizeof info, &error), &error);
    demand(varvite_property_find(graph, VARVITE_NONE, "VALUE", &number, &error), &error);
    demand(varvite_property_open(graph, number, &values, &error), &error);
    print_row(size, values, info.node_count);
    varvite_property_release(values);
    varvite_graph_release(graph);
}

int main(int count, char **words) {
    printf("%8s %16s %16s %16s %16s\n", "bytes", "copied, first 8", "lent, first 8", "copied, all", "lent, all");
    for (int i = 1; i + 1 < count; i += 2) {
        measure(words[i], words[i + 1]);
    }
    return 0;
}
