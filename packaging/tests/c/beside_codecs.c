/* Imports a graph into a compressed file and counts its CALLs, in a program with its own functions of zstd, lz4 and
 * BLAKE3: beside_codecs SOURCE GRAPH. The same text is a program of C and of C++. */
#include "varvite.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C"
#endif
unsigned ZSTD_versionNumber(void);

#define ROOM 65536

static uint32_t nodes[ROOM];
static varvite_error error = VARVITE_ERROR_INIT;

/* Prints the message of a call that failed. */
static int failed(void) {
    fprintf(stderr, "%s\n", error.message);
    return 1;
}

int main(int argc, char **argv) {
    varvite_import_options options = VARVITE_IMPORT_OPTIONS_INIT;
    varvite_import_report report;
    varvite_graph *graph = NULL;
    uint32_t label = 0;
    uint64_t calls = 0;
    if (argc != 3) {
        fprintf(stderr, "usage: beside_codecs SOURCE GRAPH\n");
        return 2;
    }
    options.profile = VARVITE_ARCHIVE;
    options.replace = 1;
    if (varvite_import(argv[1], argv[2], &options, &report, sizeof report, &error) < 0 ||
        varvite_graph_open(argv[2], NULL, &graph, &error) < 0 ||
        varvite_label_find(graph, "CALL", &label, &error) < 0 ||
        varvite_label_nodes(graph, label, 0, nodes, ROOM, &calls, &error) < 0) {
        return failed();
    }
    printf("%llu CALLs with Varvite beside zstd %u\n", (unsigned long long)calls, ZSTD_versionNumber());
    varvite_graph_release(graph);
    return 0;
}
