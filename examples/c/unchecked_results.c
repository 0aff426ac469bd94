/* Prints the calls to a METHOD that are statements, so their results are dropped: unchecked_results FILE NAME. */
#include "example.h"
#include "varvite_cpg.h"

enum { CALLS = 4096, TEXTS = 1 << 16 };

/*
 * Keeps the calls that are children of a BLOCK: such a call is a statement, and the program does not use its
 * value.
 */
static uint64_t keep_statements(const varvite_graph *graph, uint32_t *calls, uint64_t count) {
    varvite_adjacency *parents = open_adjacency(graph, "AST", VARVITE_IN);
    uint32_t block = 0;
    uint64_t kept = 0;
    sure(varvite_label_find(graph, "BLOCK", &block, &error));
    for (uint64_t i = 0; i < count; i++) {
        uint32_t parent = 0;
        uint64_t degree = 0;
        uint8_t is_block = 0;
        sure(varvite_adjacency_neighbors(parents, calls[i], &parent, 1, &degree, &error));
        if (degree > 0) {
            sure(varvite_node_has_label(graph, parent, block, &is_block, &error));
        }
        if (is_block) {
            calls[kept++] = calls[i];
        }
    }
    varvite_adjacency_release(parents);
    return kept;
}

int main(int argc, char **argv) {
    varvite_graph *graph = NULL;
    static uint32_t methods[CALLS], calls[CALLS];
    static varvite_site sites[CALLS];
    static char texts[TEXTS];
    uint64_t count = 0, answered = 0;
    if (argc != 3) {
        fprintf(stderr, "usage: unchecked_results FILE NAME\n");
        return 2;
    }
    sure(varvite_graph_open(argv[1], NULL, &graph, &error));
    varvite_property *code = open_property(graph, "CODE");
    uint64_t method_count = find_methods(graph, argv[2], methods, CALLS);
    sure(varvite_calls_of(graph, methods, method_count, calls, CALLS, &count, &error));
    count = keep_statements(graph, calls, count);
    for (uint64_t done = 0; done < count; done += answered) {
        sure(varvite_sites(graph, calls + done, count - done, sites, sizeof *sites, texts, TEXTS, &answered, &error));
        for (uint64_t i = 0; i < answered; i++) {
            printf("%.*s:%lld\t", (int)sites[i].file_length, texts + sites[i].file, (long long)sites[i].line);
            print_text(code, calls[done + i]);
            printf("\n");
        }
    }
    varvite_property_release(code);
    varvite_graph_release(graph);
    return 0;
}
