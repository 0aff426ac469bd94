/* Varvite for C: queries on graphs with the schema of code property graphs (METHOD, CALL, CONTAINS, FILENAME,
 * LINE_NUMBER). The first comment of varvite.h applies to all functions. */
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
#define VARVITE_SITE_CUT_OFF 16u /* This node or an earlier one is too deep in the tree: parts that are not marked may
                                    exist. */

/* The source location of a node: file, line and method. */
typedef struct varvite_site {
    int64_t line;  /* The line in the file, from 1. */
    uint64_t file; /* The offset of the file's name in `texts`; no zero is added. */
    uint64_t file_length;
    uint64_t method_name; /* The offset in `texts` of the METHOD's FULL_NAME, or of its NAME if it has no FULL_NAME. */
    uint64_t method_name_length;
    uint32_t method; /* The METHOD that contains the node, or the node itself if it is a METHOD; or VARVITE_NONE. */
    uint32_t known;  /* Bits VARVITE_SITE_*: the parts that are known. Fields of unknown parts are meaningless. */
} varvite_site;

/* The file, the line and the METHOD of `node_count` nodes; `sites` has room for `node_count` structs. Names
 * are written to `texts`, one after the other; a name that equals the previous node's name is written once.
 * The call stops before the first node whose names do not fit, and writes the number of nodes before it to
 * `answered`; call again with the remaining nodes. VARVITE_E_TOO_SMALL: the names of the first node do not
 * fit. The columns stay open for later calls, until varvite_graph_trim. */
int32_t varvite_sites(const varvite_graph *graph, const uint32_t *nodes, uint64_t node_count, varvite_site *sites,
                      uint64_t site_size, void *texts, uint64_t capacity, uint64_t *answered, varvite_error *error);

/* The CALL nodes that may call one of `method_count` METHOD nodes, in rising order, each once. */
int32_t varvite_calls_of(const varvite_graph *graph, const uint32_t *methods, uint64_t method_count, uint32_t *calls,
                         uint64_t capacity, uint64_t *count, varvite_error *error);

/* The METHOD nodes that `method_count` METHOD nodes may call, in rising order. `calls`, if not NULL, has room
 * for `capacity` numbers and gets the number of calls of each callee. */
int32_t varvite_callees_of(const varvite_graph *graph, const uint32_t *methods, uint64_t method_count, uint32_t *callees,
                           uint64_t *calls, uint64_t capacity, uint64_t *count, varvite_error *error);

#ifdef __cplusplus
}
#endif

#endif
