/* Opens a graph, reads some values of every column, runs plans, and prints the result of each: `ask GRAPH
 * PLAN...`.
 *
 * Prints one line of error numbers (0 for success): one for opening, one for reading, and one for each plan.
 * The Java program bindings/java/ffi/src/test/java/varvite/hostile/Ask.java prints the same line.
 */
#include <stdio.h>
#include <stdlib.h>

#include "varvite.h"

/* The maximum number of rows, nodes or values that a question reads. */
#define TABLES 40
#define ROWS 1000

static uint64_t smaller(uint64_t one, uint64_t other) { return one < other ? one : other; }

static int32_t open_graph(const char *path, varvite_graph **graph) {
    return varvite_graph_open(path, NULL, graph, NULL);
}

/* Whether a call failed because of the file. VARVITE_E_TOO_SMALL is no such failure: this program reads only
 * the first part of a list. */
static int is_failure(int32_t status) { return status < 0 && status != VARVITE_E_TOO_SMALL; }

static int32_t read_labels(const varvite_graph *graph, const varvite_graph_info *info) {
    uint32_t nodes[ROWS], codes[ROWS];
    uint64_t count = 0;
    for (uint32_t label = 0; label < smaller(info->label_count, TABLES); label++) {
        int32_t status = varvite_label_nodes(graph, label, 0, nodes, ROWS, &count, NULL);
        if (is_failure(status)) {
            return status;
        }
        status = varvite_label_codes(graph, nodes, codes, count, NULL);
        if (is_failure(status)) {
            return status;
        }
    }
    return varvite_graph_check(graph, NULL);
}

static int32_t read_lists(const varvite_graph *graph, uint32_t label, uint32_t direction, uint64_t nodes) {
    varvite_adjacency *adjacency = NULL;
    uint32_t neighbors[ROWS];
    uint64_t count = 0;
    int32_t status = varvite_adjacency_open(graph, label, direction, &adjacency, NULL);
    for (uint64_t node = 0; !is_failure(status) && node < nodes; node++) {
        status = varvite_adjacency_neighbors(adjacency, (uint32_t)node, neighbors, ROWS, &count, NULL);
    }
    varvite_adjacency_release(adjacency);
    return is_failure(status) ? status : varvite_graph_check(graph, NULL);
}

static int32_t read_edges(const varvite_graph *graph, const varvite_graph_info *info) {
    const uint32_t directions[] = {VARVITE_OUT, VARVITE_IN};
    for (uint32_t label = 0; label < smaller(info->edge_label_count, TABLES); label++) {
        for (int side = 0; side < 2; side++) {
            int32_t status = read_lists(graph, label, directions[side], smaller(info->node_count, ROWS));
            if (status < 0) {
                return status;
            }
        }
    }
    return 0;
}

static int32_t read_value(const varvite_property *property, uint32_t owner) {
    int64_t numbers[ROWS];
    uint64_t count = 0, length = 0;
    const void *address = NULL;
    varvite_pin *pin = NULL;
    int32_t status = varvite_property_list(property, owner, numbers, ROWS, &count, NULL);
    if (is_failure(status)) {
        return status;
    }
    status = varvite_fill_or_pin(property, owner, NULL, 0, 0, &address, &length, &pin, NULL);
    varvite_pin_release(pin);
    return is_failure(status) ? status : 0;
}

static int32_t read_property(const varvite_graph *graph, uint32_t number) {
    varvite_property *property = NULL;
    uint32_t owners[ROWS];
    uint64_t count = 0;
    int32_t status = varvite_property_open(graph, number, &property, NULL);
    if (!is_failure(status)) {
        status = varvite_property_owners(property, 0, owners, ROWS, &count, NULL);
    }
    for (uint64_t at = 0; !is_failure(status) && at < count; at++) {
        status = read_value(property, owners[at]);
    }
    varvite_property_release(property);
    return is_failure(status) ? status : varvite_graph_check(graph, NULL);
}

/* The error of the first column whose content is damaged; else 0. */
static int32_t read_columns(const varvite_graph *graph) {
    varvite_graph_info info;
    int32_t status = varvite_graph_describe(graph, &info, sizeof info, NULL);
    if (status >= 0) {
        status = read_labels(graph, &info);
    }
    if (status >= 0) {
        status = read_edges(graph, &info);
    }
    for (uint32_t number = 0; status >= 0 && number < smaller(info.property_count, TABLES); number++) {
        status = read_property(graph, number);
    }
    return status < 0 ? status : 0;
}

static char *read_plan(const char *path, uint64_t *length) {
    static char plan[1 << 16];
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fprintf(stderr, "cannot open %s\n", path);
        exit(1);
    }
    *length = fread(plan, 1, sizeof plan, file);
    fclose(file);
    return plan;
}

static int32_t run_plan(const char *path, const char *plan_path) {
    varvite_run_options options = VARVITE_RUN_OPTIONS_INIT;
    varvite_graph *graph = NULL;
    varvite_run *run = NULL;
    varvite_batch batch;
    uint64_t length = 0;
    const char *plan = read_plan(plan_path, &length);
    int32_t status = open_graph(path, &graph);
    options.memory_bytes = 64 << 20;
    options.threads = 2;
    if (status >= 0) {
        status = varvite_run_plan(graph, plan, length, &options, &run, NULL);
    }
    while (status == VARVITE_OK) {
        status = varvite_run_next(run, &batch, sizeof batch, NULL);
    }
    varvite_run_release(run);
    varvite_graph_release(graph);
    return status < 0 ? status : 0;
}

int main(int words, char **word) {
    varvite_graph *graph = NULL;
    int32_t status;
    if (words < 2) {
        fprintf(stderr, "usage: ask GRAPH PLAN...\n");
        return 2;
    }
    status = open_graph(word[1], &graph);
    printf("%d", status < 0 ? (int)status : 0);
    if (status >= 0) {
        printf(",%d", (int)read_columns(graph));
        varvite_graph_release(graph);
        for (int plan = 2; plan < words; plan++) {
            printf(",%d", (int)run_plan(word[1], word[plan]));
        }
    }
    printf("\n");
    return varvite_live_handles() == 0 ? 0 : 1;
}
