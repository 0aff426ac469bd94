/* Varvite for C, the part that makes graphs. Comes with varvite.h, which says what holds for all functions. */
#ifndef VARVITE_NEW_GRAPH_H
#define VARVITE_NEW_GRAPH_H

#include "varvite.h"
#include "varvite_change.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A new graph of a schema of your own. Nodes, edges and values come one by one, in any order in which the ends of an edge come
 * before it; varvite_new_graph_finish writes the file, whole or not at all.
 *
 *     varvite_new_graph *graph;
 *     varvite_new_graph_report report;
 *     uint32_t app, serde, edge;
 *     const char *labels[] = {"CRATE"};
 *     varvite_value name = {VARVITE_STRING, 5, 0, 0, "serde"}, requirement = {VARVITE_STRING, 4, 0, 0, "^1.0"};
 *     varvite_new_graph_create("crates.varvite", NULL, &graph, &error);
 *     varvite_new_graph_add_node(graph, labels, 1, &app, &error);
 *     varvite_new_graph_add_node(graph, labels, 1, &serde, &error);
 *     varvite_new_graph_set(graph, &(varvite_owner){NULL, serde}, "NAME", &name, &error);
 *     varvite_new_graph_add_edge(graph, "DEPENDS_ON", app, serde, &edge, &error);
 *     varvite_new_graph_set(graph, &(varvite_owner){"DEPENDS_ON", edge}, "REQUIREMENT", &requirement, &error);
 *     varvite_new_graph_finish(graph, &report, sizeof report, &error);
 *
 * Labels, edge labels and properties are there from their first use, and a property has the type of its first
 * value: VARVITE_I64 for integers that it holds. Declare names that the graph may have no use of, and types
 * that the first value does not decide.
 *
 * Memory. 4 bytes for each node, up to twice that while they come, and 16 kB for each edge label and
 * property; edges and values go to a temporary file beside the graph. If finishing would take more than
 * memory_bytes_max, edges and values are sorted on the disk instead; VARVITE_E_OVER_BUDGET if the rest has no
 * room in memory.
 *
 * Errors. A call that names a node or an edge that there is not (VARVITE_E_NO_SUCH_NODE, VARVITE_E_ARGUMENT),
 * a value that does not fit (VARVITE_E_WRONG_TYPE, VARVITE_E_ARGUMENT) or a name that can't be one
 * (VARVITE_E_ARGUMENT) changes nothing, and a later call may succeed. After any other error every call fails
 * with it, and there will be no file.
 *
 * Threads. Calls on one new graph wait for each other; numbers of nodes and edges are then in the order in which they came. */
typedef struct varvite_new_graph varvite_new_graph;

/* Options of a new graph. `size` is sizeof(varvite_new_graph_options). */
typedef struct varvite_new_graph_options {
    uint32_t size;
    uint32_t profile;           /* VARVITE_COMPACT is the default. */
    uint32_t codec;             /* Of an archive: VARVITE_ZSTD, the default, or VARVITE_LZ4. */
    uint32_t replace;           /* 1: an existing file is replaced; 0: it is VARVITE_E_EXISTS. */
    uint32_t threads;           /* That finish the graph; 0: as many as there are processors. */
    uint32_t index_count;       /* How many `indexes` there are. */
    uint64_t memory_bytes_max;  /* That the graph may take until it is finished; 0: a quarter of what the process may have. */
    const char *tree;           /* An edge label: nodes are numbered in the pre-order of its edges, so that what is below a node is
                                 * a range of ids, which are then not the numbers of varvite_new_graph_add_node. NULL: none. */
    const char *const *indexes; /* Properties of nodes that hold texts and get an index; NULL: none. */
} varvite_new_graph_options;

#define VARVITE_NEW_GRAPH_OPTIONS_INIT \
    { (uint32_t)sizeof(varvite_new_graph_options), VARVITE_COMPACT, VARVITE_ZSTD, 0, 0, 0, 0, NULL, NULL }

/* Begins a graph that will be at `path`. Until it is finished or released no other writer can begin one there
 * (VARVITE_E_BUSY), and `path` is unchanged. `options` may be NULL, and the memory that they point to may be
 * freed when this returns. */
int32_t varvite_new_graph_create(const char *path, const varvite_new_graph_options *options, varvite_new_graph **new_graph,
                                 varvite_error *error);

/* Gives the graph up: there will be no file, and nothing is left of it. */
int32_t varvite_new_graph_release(varvite_new_graph *new_graph);

/* The number of nodes: the next one gets this number. */
int32_t varvite_new_graph_node_count(const varvite_new_graph *new_graph, uint32_t *nodes, varvite_error *error);

/* Declare a label, an edge label or a property of this name; an existing one stays as it is. A property has
 * to be the same; it is one of nodes if `edge_label` is NULL. */
int32_t varvite_new_graph_declare_label(varvite_new_graph *new_graph, const char *name, varvite_error *error);
int32_t varvite_new_graph_declare_edge_label(varvite_new_graph *new_graph, const char *name, varvite_error *error);
int32_t varvite_new_graph_declare_property(varvite_new_graph *new_graph, const char *edge_label, const char *name,
                                           uint32_t value_type, uint32_t cardinality, varvite_error *error);

/* Adds a node with labels; there may be none. `node` gets its number, from 0, which is its id in the file
 * unless the options have a tree; it may be NULL. */
int32_t varvite_new_graph_add_node(varvite_new_graph *new_graph, const char *const *labels, uint64_t label_count, uint32_t *node,
                                   varvite_error *error);

/* Adds an edge behind those of its label that both nodes have. `number` gets its number among the edges of
 * the label, from 0, which calls for its values take; it may be NULL. */
int32_t varvite_new_graph_add_edge(varvite_new_graph *new_graph, const char *edge_label, uint32_t source, uint32_t target,
                                   uint32_t *number, varvite_error *error);

/* Sets the value of a property of one value. `owner` is a node, by its number and without an edge label, or
 * an edge, by its label and the number that varvite_new_graph_add_edge gave. */
int32_t varvite_new_graph_set(varvite_new_graph *new_graph, const varvite_owner *owner, const char *property,
                              const varvite_value *value, varvite_error *error);

/* Gives a property of lists these values in addition, behind those that are there: all of them or, if one does not fit, none. No
 * values are no call. */
int32_t varvite_new_graph_append(varvite_new_graph *new_graph, const varvite_owner *owner, const char *property,
                                 const varvite_value *values, uint64_t count, varvite_error *error);

/* Runs the operations of a diff as bytes (docs/diff.md), in order, as the functions above do: many additions
 * in one call, for languages with costly calls. The diff only adds and declares. It names nodes of the graph
 * by their numbers, edges of earlier calls by label and number, and its own additions as diffs do. `set`
 * takes one value, for properties that are no lists.
 *
 * An invalid operation ends it: `operation` of the error is its number, counted from 0 over all bytes that
 * this graph was given. Operations before it were done, and none after it. */
int32_t varvite_new_graph_apply_bytes(varvite_new_graph *new_graph, const void *bytes, uint64_t length, varvite_error *error);

/* Counts of the new graph. */
typedef struct varvite_new_graph_report {
    uint64_t node_count;
    uint64_t edge_count;
    uint64_t file_length;
    uint8_t digest[32]; /* BLAKE3 of all calls: equal for equal calls, in whatever language. The layer has it as its source. */
} varvite_new_graph_report;

/* Writes the file, which appears whole and durable at its path, or not at all, and ends the handle, also
 * after a failure. Equal calls make equal files. VARVITE_E_ARGUMENT: there is no node. VARVITE_E_UNKNOWN,
 * VARVITE_E_WRONG_TYPE: the graph lacks the tree or an index of the options. If `report` can't be written to,
 * the call fails and the handle stays. */
int32_t varvite_new_graph_finish(varvite_new_graph *new_graph, varvite_new_graph_report *report, uint64_t report_size,
                                 varvite_error *error);

#ifdef __cplusplus
}
#endif

#endif
