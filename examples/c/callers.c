/* Prints the calls that may reach a METHOD: callers FILE NAME.
 *
 * Once as a pipeline, which the engine runs, and once by hand, hop by hop. Build it with the header and library of bindings/c:
 *
 *     gcc -std=c99 -I target/c/include examples/c/callers.c -L target/c/lib -lvarvite -o callers
 */
#include <stdio.h>
#include <stdlib.h>

#include "varvite.h"

static varvite_error error = VARVITE_ERROR_INIT;

/* Ends the program with the library's own words if a call failed. */
static int32_t sure(int32_t status) {
    if (status < 0) {
        fprintf(stderr, "callers: %s (%s)\n", error.message, varvite_error_name(status));
        exit(3);
    }
    return status;
}

static void by_pipeline(const varvite_graph *graph, const char *name) {
    char plan[1024];
    varvite_run *run = NULL;
    varvite_batch batch;
    int length = snprintf(plan, sizeof plan,
                          "{\"version\": 1, \"steps\": [{\"step\": \"nodes\", \"labels\": [\"METHOD\"]},"
                          "{\"step\": \"has\", \"property\": \"NAME\", \"is\": {\"eq\": \"%s\"}},"
                          "{\"step\": \"in\", \"labels\": [\"CALL\"]},"
                          "{\"step\": \"values\", \"property\": \"CODE\"}]}",
                          name);
    sure(varvite_run_plan(graph, plan, (uint64_t)length, NULL, &run, &error));
    while (sure(varvite_run_next(run, &batch, sizeof batch, &error)) != VARVITE_ABSENT) {
        for (uint64_t row = 0; row < batch.row_count; row++) {
            char code[200];
            uint64_t bytes = 0;
            if (varvite_run_text(run, 0, row, code, sizeof code, &bytes, NULL) == VARVITE_OK) {
                printf("%.*s\n", (int)bytes, code);
            }
        }
    }
    varvite_run_release(run);
}

/* Every METHOD by its number, its NAME by code, and its callers by one hop. */
static uint64_t by_hand(const varvite_graph *graph, const char *name, uint64_t name_length) {
    uint32_t method = 0, property = 0, edge_label = 0, wanted = 0, nodes[256], start = 0;
    uint64_t count = 0, calls = 0;
    varvite_property *names = NULL;
    varvite_adjacency *callers = NULL;
    sure(varvite_label_find(graph, "METHOD", &method, &error));
    sure(varvite_property_find(graph, VARVITE_NONE, "NAME", &property, &error));
    sure(varvite_edge_label_find(graph, "CALL", &edge_label, &error));
    sure(varvite_property_open(graph, property, &names, &error));
    sure(varvite_adjacency_open(graph, edge_label, VARVITE_IN, &callers, &error));
    int is_known = sure(varvite_property_text_find(names, name, name_length, &wanted, &error)) != VARVITE_ABSENT;
    do {
        sure(varvite_label_nodes(graph, method, start, nodes, 256, &count, &error));
        for (uint64_t i = 0; is_known && i < count; i++) {
            int64_t code = -1;
            uint64_t degree = 0;
            sure(varvite_property_number(names, nodes[i], &code, &error));
            if (code == (int64_t)wanted) {
                sure(varvite_adjacency_degree(callers, nodes[i], &degree, &error));
                calls += degree;
            }
        }
        start = count > 0 ? nodes[count - 1] + 1 : 0;
    } while (count == 256);
    varvite_adjacency_release(callers);
    varvite_property_release(names);
    return calls;
}

int main(int argc, char **argv) {
    varvite_graph *graph = NULL;
    uint64_t length = 0;
    if (argc != 3) {
        fprintf(stderr, "usage: callers FILE NAME\n");
        return 2;
    }
    while (argv[2][length] != 0) {
        length++;
    }
    sure(varvite_graph_open(argv[1], NULL, &graph, &error));
    by_pipeline(graph, argv[2]);
    printf("%llu calls\n", (unsigned long long)by_hand(graph, argv[2], length));
    sure(varvite_graph_check(graph, &error));
    varvite_graph_release(graph);
    return varvite_live_handles() == 0 ? 0 : 1;
}
