/* Varvite for C, questions about graphs with the schema of code property graphs: METHOD, CALL, CONTAINS, FILENAME, LINE_NUMBER. Comes
 * with varvite.h, which says what holds for all functions. */
#ifndef VARVITE_CPG_H
#define VARVITE_CPG_H

#include "varvite.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VARVITE_SITE_FILE 1u
#define VARVITE_SITE_LINE 2u
#define VARVITE_SITE_METHOD 4u
#define VARVITE_SITE_METHOD_NAME 8u
#define VARVITE_SITE_CUT_OFF 16u /* This node or one before it is too deep in the tree: what is not known may be there. */

/* The place of a node in the source: file, line and method. */
typedef struct varvite_site {
    int64_t line;  /* In the file, counted from 1. */
    uint64_t file; /* Where the name of the file begins in `texts`; no zero is added. */
    uint64_t file_length;
    uint64_t method_name; /* Where the FULL_NAME of the METHOD begins in `texts`; without FULL_NAME its NAME. */
    uint64_t method_name_length;
    uint32_t method; /* The METHOD that the node is, or is in; or VARVITE_NONE. */
    uint32_t known;  /* VARVITE_SITE_FILE and so on: the parts that the graph knows. The others mean nothing. */
} varvite_site;

/* The file, the line and the METHOD of `node_count` nodes; `sites` has room for as many. Names go to `texts`, one after the other;
 * neighbours in `nodes` share theirs. Answers as many nodes as their names fit, and says how many those are; go on with the rest.
 * VARVITE_E_TOO_SMALL: not even those of the first fit. The columns stay open for the next call, until varvite_graph_trim. */
int32_t varvite_sites(const varvite_graph *graph, const uint32_t *nodes, uint64_t node_count, varvite_site *sites,
                      uint64_t site_size, void *texts, uint64_t capacity, uint64_t *answered, varvite_error *error);

/* The CALLs that may reach any of some METHODs, rising and each once. */
int32_t varvite_calls_of(const varvite_graph *graph, const uint32_t *methods, uint64_t method_count, uint32_t *calls,
                         uint64_t capacity, uint64_t *count, varvite_error *error);

/* The METHODs that any of some METHODs may call, rising. `calls`, if not NULL, has `capacity` places and gets how many calls
 * each of them has. */
int32_t varvite_callees_of(const varvite_graph *graph, const uint32_t *methods, uint64_t method_count, uint32_t *callees,
                           uint64_t *calls, uint64_t capacity, uint64_t *count, varvite_error *error);

#ifdef __cplusplus
}
#endif

#endif
