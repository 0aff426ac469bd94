/* Varvite for C: functions that build new graphs. varvite.h includes this header, and its first comment
 * applies to all functions. */
#ifndef VARVITE_NEW_GRAPH_H
#define VARVITE_NEW_GRAPH_H

#include "varvite.h"
#include "varvite_change.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A new graph with a schema that you define. Nodes, edges and values are added one by one, in any order; the
 * source and target of an edge must be added before the edge. varvite_new_graph_finish writes the file, whole
 * or not at all.
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
 * The first use of a label, an edge label or a property creates it. The first value of a property decides its
 * type; the type is VARVITE_I64 for every integer that fits in it. Declare names that may remain unused, and
 * properties of another type.
 *
 * Memory. A new graph takes 4 bytes for each node (up to 8 while nodes are added), and 16 kB for each edge
 * label and property; edges and values are written to a temporary file beside the graph. If finishing would
 * need more than memory_bytes_max, edges and values are sorted on disk. If the other data does not fit in
 * memory_bytes_max, finishing fails with VARVITE_E_OVER_BUDGET.
 *
 * Errors. A call with a node or an edge that does not exist (VARVITE_E_NO_SUCH_NODE, VARVITE_E_ARGUMENT), a
 * value that does not fit (VARVITE_E_WRONG_TYPE, VARVITE_E_ARGUMENT) or an invalid name (VARVITE_E_ARGUMENT)
 * changes nothing, and later calls may succeed. After any other error every later call fails with that error,
 * and no file is written.
 *
 * Threads. Calls on one new graph wait for each other; nodes and edges are numbered in the order in which the
 * calls ran. */
typedef struct varvite_new_graph varvite_new_graph;

/* Options of a new graph. `size` is sizeof(varvite_new_graph_options). */
typedef struct varvite_new_graph_options {
    uint32_t size;
    uint32_t profile;           /* VARVITE_COMPACT is the default. */
    uint32_t codec;             /* The codec of an archive: VARVITE_ZSTD, the default, or VARVITE_LZ4. */
    uint32_t replace;           /* 1: an existing file is replaced; 0: the call fails with VARVITE_E_EXISTS. */
    uint32_t threads;           /* The number of threads that finish the graph; 0: one for each processor. */
    uint32_t index_count;       /* The number of `indexes`. */
    uint64_t memory_bytes_max;  /* Limit of the graph's memory until it is finished; 0: a quarter of the process's
                                   limit. */
    const char *tree;           /* The tree label, whose pre-order gives node ids, so that the descendants of a node are
                                   a range of ids. Ids then differ from the numbers of varvite_new_graph_add_node. NULL:
                                   none. */
    const char *const *indexes; /* Names of node properties with texts that get an index; NULL: none. */
} varvite_new_graph_options;

#define VARVITE_NEW_GRAPH_OPTIONS_INIT \
    { (uint32_t)sizeof(varvite_new_graph_options), VARVITE_COMPACT, VARVITE_ZSTD, 0, 0, 0, 0, NULL, NULL }

/* Begins a graph that will be at `path`. Until the graph is finished or released, no other writer can begin a
 * graph at `path` (VARVITE_E_BUSY), and an existing file there is unchanged. `options` may be NULL; the
 * struct and the memory that it points to may be freed when the call returns. */
int32_t varvite_new_graph_create(const char *path, const varvite_new_graph_options *options, varvite_new_graph **new_graph,
                                 varvite_error *error);

/* Abandons the graph: no file is written, and the temporary file is removed. */
int32_t varvite_new_graph_release(varvite_new_graph *new_graph);

/* The number of nodes added so far, which is the number that the next node gets. */
int32_t varvite_new_graph_node_count(const varvite_new_graph *new_graph, uint32_t *nodes, varvite_error *error);

/* Declare a label, an edge label or a property with this name. An existing one stays unchanged; an existing
 * property must have the same type and cardinality. A property belongs to nodes if `edge_label` is NULL. */
int32_t varvite_new_graph_declare_label(varvite_new_graph *new_graph, const char *name, varvite_error *error);
int32_t varvite_new_graph_declare_edge_label(varvite_new_graph *new_graph, const char *name, varvite_error *error);
int32_t varvite_new_graph_declare_property(varvite_new_graph *new_graph, const char *edge_label, const char *name,
                                           uint32_t value_type, uint32_t cardinality, varvite_error *error);

/* Adds a node with `label_count` labels, which may be 0. `node` gets the node's number, from 0, which is its
 * id in the file unless the options have a tree label; `node` may be NULL. */
int32_t varvite_new_graph_add_node(varvite_new_graph *new_graph, const char *const *labels, uint64_t label_count, uint32_t *node,
                                   varvite_error *error);

/* Adds an edge at the end of the source's out-list and the target's in-list of this label. `number` gets the
 * edge's number among the edges of the label, from 0, which stands for the edge in a varvite_owner; `number`
 * may be NULL. */
int32_t varvite_new_graph_add_edge(varvite_new_graph *new_graph, const char *edge_label, uint32_t source, uint32_t target,
                                   uint32_t *number, varvite_error *error);

/* Sets the value of a property that is no list. `owner` is a node, by its number and without an edge label,
 * or an edge, by its label and the number that varvite_new_graph_add_edge returned. */
int32_t varvite_new_graph_set(varvite_new_graph *new_graph, const varvite_owner *owner, const char *property,
                              const varvite_value *value, varvite_error *error);

/* Appends `count` values to a property of lists, after the values that the owner has: all of them or, if one
 * does not fit, none. With a count of 0 the call has no effect. */
int32_t varvite_new_graph_append(varvite_new_graph *new_graph, const varvite_owner *owner, const char *property,
                                 const varvite_value *values, uint64_t count, varvite_error *error);

/* Runs the operations of a diff in bytes (docs/diff.md), in order, as if each were a call of a function
 * above. So languages with costly calls can make many additions in one call. The diff may only add and
 * declare. It refers to nodes of earlier calls by their numbers, edges of earlier calls by label and number,
 * and its own additions as every diff does. The operation `set` takes one value, for properties that are no
 * lists.
 *
 * At an invalid operation the call fails: `operation` of the error is its number, counted from 0 over all
 * diffs that were passed for this graph. Operations before it were run, and no operation after it. */
int32_t varvite_new_graph_apply_bytes(varvite_new_graph *new_graph, const void *bytes, uint64_t length, varvite_error *error);

/* The counts and the digest of the new graph. */
typedef struct varvite_new_graph_report {
    uint64_t node_count;
    uint64_t edge_count;
    uint64_t file_length;
    uint8_t digest[32]; /* BLAKE3 hash of all calls: equal calls give equal digests, in every language. Also the layer's
                           `source`. */
} varvite_new_graph_report;

/* Writes the file, which appears whole and durable at its path or not at all, and ends the handle, even after
 * a failure. Equal calls make equal files. VARVITE_E_ARGUMENT: the graph has no node. VARVITE_E_UNKNOWN: the
 * graph lacks the tree label or a property in `indexes`. VARVITE_E_WRONG_TYPE: a property in `indexes` has
 * another type. If `report` is invalid, the call fails and the handle stays valid. */
int32_t varvite_new_graph_finish(varvite_new_graph *new_graph, varvite_new_graph_report *report, uint64_t report_size,
                                 varvite_error *error);

#ifdef __cplusplus
}
#endif

#endif
