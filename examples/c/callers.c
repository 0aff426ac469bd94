/* Prints the calls that may reach the METHODs with a given name, with file and line: callers FILE NAME. */
#include "example.h"
#include "varvite_cpg.h"

enum { CALLS = 4096, TEXTS = 1 << 16 };

int main(int argc, char **argv) {
    varvite_graph *graph = NULL;
    static uint32_t methods[CALLS], calls[CALLS];
    static varvite_site sites[CALLS];
    static char texts[TEXTS];
    uint64_t count = 0, answered = 0;
    if (argc != 3) {
        fprintf(stderr, "usage: callers FILE NAME\n");
        return 2;
    }
    sure(varvite_graph_open(argv[1], NULL, &graph, &error));
    varvite_property *code = open_property(graph, "CODE");
    uint64_t method_count = find_methods(graph, argv[2], methods, CALLS);
    sure(varvite_calls_of(graph, methods, method_count, calls, CALLS, &count, &error));
    /* Each call answers for as many nodes as there is room for the names of their files and METHODs. */
    for (uint64_t done = 0; done < count; done += answered) {
        sure(varvite_sites(graph, calls + done, count - done, sites, sizeof *sites, texts, TEXTS, &answered, &error));
        for (uint64_t i = 0; i < answered; i++) {
            printf("%.*s:%lld\t", (int)sites[i].file_length, texts + sites[i].file, (long long)sites[i].line);
            printf("%.*s\t", (int)sites[i].method_name_length, texts + sites[i].method_name);
            print_text(code, calls[done + i]);
            printf("\n");
        }
    }
    varvite_property_release(code);
    varvite_graph_release(graph);
    return 0;
}
