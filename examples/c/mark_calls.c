/* Marks the calls to a METHOD in a layer of their own, and prints the marked calls: mark_calls FILE NAME. */
#include "example.h"

enum { CALLS = 4096 };

/* Adds a value to the diff for each call to a METHOD with the given name. */
static void mark(varvite_diff *diff, const char *path, const char *name) {
    varvite_graph *graph = NULL;
    static uint32_t methods[CALLS], calls[CALLS];
    varvite_value yes = {VARVITE_BOOL, 0, 1, 0, NULL};
    sure(varvite_diff_declare_property(diff, NULL, "MARKED", VARVITE_BOOL, VARVITE_OPTIONAL, &error));
    sure(varvite_graph_open(path, NULL, &graph, &error));
    varvite_adjacency *callers = open_adjacency(graph, "CALL", VARVITE_IN);
    uint64_t method_count = find_methods(graph, name, methods, CALLS);
    for (uint64_t i = 0; i < method_count; i++) {
        uint64_t count = 0;
        sure(varvite_adjacency_neighbors(callers, methods[i], calls, CALLS, &count, &error));
        for (uint64_t j = 0; j < count; j++) {
            varvite_owner call = {NULL, calls[j]};
            sure(varvite_diff_set(diff, &call, "MARKED", &yes, 1, &error));
        }
    }
    varvite_adjacency_release(callers);
    varvite_graph_release(graph);
}

int main(int argc, char **argv) {
    varvite_graph *graph = NULL;
    varvite_diff *diff = NULL;
    varvite_applied applied;
    varvite_apply_options options = VARVITE_APPLY_OPTIONS_INIT;
    static uint32_t calls[CALLS];
    uint64_t count = 0;
    if (argc != 3) {
        fprintf(stderr, "usage: mark_calls FILE NAME\n");
        return 2;
    }
    sure(varvite_diff_create(NULL, 0, &diff, &error));
    mark(diff, argv[1], argv[2]);
    /* Replaces the layer of an earlier run. */
    options.layer = "marks";
    options.tool = "mark_calls";
    options.version = "1";
    sure(varvite_apply(argv[1], diff, &options, &applied, sizeof applied, NULL, 0, &error));
    varvite_diff_release(diff);

    sure(varvite_graph_open(argv[1], NULL, &graph, &error));
    varvite_property *marked = open_property(graph, "MARKED"), *code = open_property(graph, "CODE");
    sure(varvite_property_owners(marked, 0, calls, CALLS, &count, &error));
    for (uint64_t i = 0; i < count; i++) {
        printf("%u\t", (unsigned)calls[i]);
        print_text(code, calls[i]);
        printf("\n");
    }
    varvite_property_release(marked);
    varvite_property_release(code);
    varvite_graph_release(graph);
    return 0;
}
