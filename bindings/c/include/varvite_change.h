/* Varvite for C, the part that changes graphs. Comes with varvite.h, which says what holds for all functions. */
#ifndef VARVITE_CHANGE_H
#define VARVITE_CHANGE_H

#include "varvite.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A diff is a list of operations on a graph, which are applied as a whole or not at all. docs/diff.md has the
 * meaning of each: all of them refer to the graph before the diff, removals come first, and appended elements
 * keep their order.
 *
 *     varvite_diff *diff;
 *     varvite_applied applied;
 *     uint64_t call;
 *     const char *labels[] = {"CALL"};
 *     varvite_value name = {VARVITE_STRING, 6, 0, 0, "memcpy"};
 *     varvite_diff_create(NULL, 0, &diff, &error);
 *     varvite_diff_add_node(diff, labels, 1, &call, &error);
 *     varvite_diff_set(diff, &(varvite_owner){NULL, call}, "NAME", &name, 1, &error);
 *     varvite_diff_add_edge(diff, "AST", 7, call, NULL, &error);
 *     varvite_apply("code.varvite", diff, NULL, &applied, sizeof applied, NULL, 0, &error);
 *     varvite_diff_release(diff);
 *
 * An invalid operation is refused when the diff is applied, not when it is added: `operation` of the error is
 * its number, counted from 0, and the file stays as it is, byte for byte. Graphs that are open already keep
 * their snapshot; open the file again for the commit. */

/* ---- Diffs ----------------------------------------------------------------------------------------------------------- */

/* Operations, gathered to be applied. Calls on one diff wait for each other. */
typedef struct varvite_diff varvite_diff;

/* A diff without operations. It uses as much memory as its operations take; with `memory_bytes` above 0 about so much, and operations
 * that have no room there go to a temporary file beside the file at `beside`, usually the graph, as edges do while they are sorted. Else
 * `beside` may be NULL. */
int32_t varvite_diff_create(const char *beside, uint64_t memory_bytes, varvite_diff **diff, varvite_error *error);
int32_t varvite_diff_release(varvite_diff *diff);

/* A diff as bytes (docs/diff.md), for programs that make them on their own or keep them. VARVITE_E_ARGUMENT for other bytes; `operation`
 * says which one can't be. */
int32_t varvite_diff_from_bytes(const void *bytes, uint64_t length, varvite_diff **diff, varvite_error *error);
int32_t varvite_diff_to_bytes(const varvite_diff *diff, void *bytes, uint64_t capacity, uint64_t *length, varvite_error *error);

/* The number of operations, and of the nodes and edges that they add. */
int32_t varvite_diff_counts(const varvite_diff *diff, uint64_t *operations, uint64_t *nodes, uint64_t *edges,
                            varvite_error *error);

/* New nodes and edges have no ids and ranks before the diff is applied. A node as 64 bits is the id of a node
 * of the graph, or a number from varvite_diff_add_node: VARVITE_NEW_NODE plus its number among the nodes that
 * this diff adds. */
#define VARVITE_NEW_NODE 4294967296u
#define VARVITE_NEW_EDGE 8589934592u

/* Adds a node with labels; there may be none. `node` may be NULL. */
int32_t varvite_diff_add_node(varvite_diff *diff, const char *const *labels, uint64_t label_count, uint64_t *node,
                              varvite_error *error);

/* Adds an edge behind those of its label that both nodes have. `edge` gets what its values are given by, and may be NULL. */
int32_t varvite_diff_add_edge(varvite_diff *diff, const char *edge_label, uint64_t source, uint64_t target, uint64_t *edge,
                              varvite_error *error);

/* Removes a node with its edges and values; a node that this diff adds gets an id all the same, which stays
 * unused. */
int32_t varvite_diff_remove_node(varvite_diff *diff, uint32_t node, varvite_error *error);

/* Removes the edge of a label that has this rank. */
int32_t varvite_diff_remove_edge(varvite_diff *diff, const char *edge_label, uint32_t rank, varvite_error *error);

/* An owner of values: a node or an edge. */
typedef struct varvite_owner {
    const char *edge_label; /* Of an edge of the graph; NULL for a node, and for an edge that the diff adds. */
    uint64_t number;        /* The rank of that edge; a node; or what varvite_diff_add_edge gave. */
} varvite_owner;

/* A value. Applying the diff checks that it fits the property. */
typedef struct varvite_value {
    uint32_t value_type; /* One of VARVITE_BOOL to VARVITE_REF, which need not be that of the property: integers of every type fit where
                            they can be held. VARVITE_NONE: null, of texts and references. */
    uint32_t length;     /* Of `bytes`. */
    int64_t number;      /* An integer, that of VARVITE_U64 modulo 2^64; 0 or 1 for VARVITE_BOOL; a node for VARVITE_REF, where
                            VARVITE_NONE is null. */
    double real;         /* For VARVITE_F32 and VARVITE_F64. */
    const void *bytes;   /* For VARVITE_STRING, which is UTF-8, and VARVITE_BYTES. No zero is looked for. */
} varvite_value;

/* Gives these values of a property instead of those that are there, or behind them, or takes all of them. */
int32_t varvite_diff_set(varvite_diff *diff, const varvite_owner *owner, const char *property, const varvite_value *values,
                         uint64_t count, varvite_error *error);
int32_t varvite_diff_append(varvite_diff *diff, const varvite_owner *owner, const char *property, const varvite_value *values,
                            uint64_t count, varvite_error *error);
int32_t varvite_diff_clear(varvite_diff *diff, const varvite_owner *owner, const char *property, varvite_error *error);

/* Declare a label, an edge label or a property of this name; an existing one stays as it is. A property has
 * to be the same; it is one of nodes if `edge_label` is NULL. */
int32_t varvite_diff_declare_label(varvite_diff *diff, const char *name, varvite_error *error);
int32_t varvite_diff_declare_edge_label(varvite_diff *diff, const char *name, varvite_error *error);
int32_t varvite_diff_declare_property(varvite_diff *diff, const char *edge_label, const char *name, uint32_t value_type,
                                      uint32_t cardinality, varvite_error *error);

/* Appends the operations of `other` to those of `diff`: the same as if they had been added there. Passes that
 * run at the same time fill a diff each, and absorbing them in a fixed order gives the same graph on every
 * run. `other` is released, even with other holders. `nodes` and `edges`, which may be NULL, get the amounts
 * to add to the numbers that varvite_diff_add_node and varvite_diff_add_edge returned for `other`. Costs in
 * proportion to `other`. VARVITE_E_ARGUMENT if both are one diff. */
int32_t varvite_diff_absorb(varvite_diff *diff, varvite_diff *other, uint64_t *nodes, uint64_t *edges, varvite_error *error);

/* ---- Commits --------------------------------------------------------------------------------------------------------- */

/* Options of applying a diff. `size` is sizeof(varvite_apply_options). */
typedef struct varvite_apply_options {
    uint32_t size;
    uint32_t no_lock;      /* 1: go on where the file system has no locks, which keep a second writer out. */
    uint64_t memory_bytes; /* For varvite_apply_bytes, as for varvite_diff_create: 0: as much as the operations take. */
    const char *layer;     /* Not NULL: what the diff adds becomes a layer of this name, as docs/diff.md says. */
    const char *tool;      /* What made the layer; NULL: nothing is said. */
    const char *version;   /* Of that tool; NULL: nothing is said. */
    uint8_t source[32];    /* BLAKE3 of the source of the layer; zeros if unknown. */
    uint8_t file_id[16];   /* These three, which varvite_graph_info has: the state of the file that the diff was made for. If the file */
    uint64_t generation;   /* is in another by now, the call fails with VARVITE_E_REPLACED, and nothing is applied. A generation of 0: */
    uint64_t directory_hash; /* whatever the state. */
} varvite_apply_options;

#define VARVITE_APPLY_OPTIONS_INIT { (uint32_t)sizeof(varvite_apply_options), 0, 0, NULL, NULL, NULL, { 0 }, { 0 }, 0, 0 }

/* The result of a diff. */
typedef struct varvite_applied {
    uint64_t first_node;  /* The id of the first node that it added; those of the others follow, in the order of the diff. */
    uint64_t node_count;
    uint64_t edge_count;
    uint64_t file_length;
    uint64_t written;     /* How many bytes of the file are new. */
    uint64_t generation;  /* Which commit of the file it is. */
    uint64_t record;      /* Which record of the log of that commit, from 1; 0 if it is a commit of its own. */
} varvite_applied;

/* Applies a diff to the file at `path`, as a commit that is durable when this returns: all of it, or nothing. Costs in proportion to the
 * diff and to all changes since the columns of the graph were written. `options` may be NULL.
 *
 * If `ranks` is not NULL it has room for `capacity` ranks, and gets that of each new edge, or VARVITE_NONE for one that was left out,
 * because the diff removes a node at its end. With less room than the diff has new edges the call fails with VARVITE_E_TOO_SMALL and
 * nothing is applied.
 *
 * VARVITE_E_BUSY: another writer has the file. */
int32_t varvite_apply(const char *path, const varvite_diff *diff, const varvite_apply_options *options, varvite_applied *applied,
                      uint64_t applied_size, uint32_t *ranks, uint64_t capacity, varvite_error *error);

/* The same for a diff as bytes: one call for everything. */
int32_t varvite_apply_bytes(const char *path, const void *bytes, uint64_t length, const varvite_apply_options *options,
                            varvite_applied *applied, uint64_t applied_size, uint32_t *ranks, uint64_t capacity,
                            varvite_error *error);

/* Removes layers from the file at `path`, all of them or none. Of the options, which may be NULL, only
 * no_lock counts. VARVITE_E_UNKNOWN: there is no such layer. VARVITE_E_ARGUMENT: it is part of the graph, or
 * others refer to its nodes. */
int32_t varvite_drop_layers(const char *path, const char *const *layers, uint64_t layer_count, const varvite_apply_options *options,
                            varvite_error *error);

/* ---- Small commits --------------------------------------------------------------------------------------------------- */

/* A file that gets many small commits; each costs in proportion to its own diff. Other writers are refused
 * with VARVITE_E_BUSY until it ends; readers are not. Threads may commit at the same time, and share
 * syncs. */
typedef struct varvite_log varvite_log;

/* Options of a log. `size` is sizeof(varvite_log_options). */
typedef struct varvite_log_options {
    uint32_t size;
    uint32_t no_lock;   /* As in varvite_apply_options; a log is still refused where there are no locks. */
    uint64_t bytes_max; /* Of the log, before a large commit takes its place, up to 64 MiB; 0: 16 MiB. */
} varvite_log_options;

#define VARVITE_LOG_OPTIONS_INIT { (uint32_t)sizeof(varvite_log_options), 0, 0 }

/* Begins a log in the file at `path`. `options` may be NULL. */
int32_t varvite_log_begin(const char *path, const varvite_log_options *options, varvite_log **log, varvite_error *error);

#define VARVITE_DURABILITY_SYNC 0     /* A commit survives a failure of power when it returns. */
#define VARVITE_DURABILITY_BUFFERED 1 /* It survives the end of the process, and such a failure once a later commit was synced. */

/* Commits a diff, all of it or nothing. A diff that is refused leaves the log as it was. After a write or sync that failed every call
 * fails with VARVITE_E_POISONED: end the log and begin another. Other arguments as for varvite_apply. */
int32_t varvite_log_commit(const varvite_log *log, const varvite_diff *diff, uint32_t durability, varvite_applied *applied,
                           uint64_t applied_size, uint32_t *ranks, uint64_t capacity, varvite_error *error);

/* The same for a diff as bytes. */
int32_t varvite_log_commit_bytes(const varvite_log *log, const void *bytes, uint64_t length, uint32_t durability,
                                 varvite_applied *applied, uint64_t applied_size, uint32_t *ranks, uint64_t capacity,
                                 varvite_error *error);

/* Makes everything durable that was committed. */
int32_t varvite_log_sync(const varvite_log *log, varvite_error *error);

/* Replaces the log by a large commit, if it has records. */
int32_t varvite_log_checkpoint(const varvite_log *log, varvite_error *error);

/* The number of records since the last large commit. */
int32_t varvite_log_records(const varvite_log *log, uint64_t *records, varvite_error *error);

/* Replaces the log by a large commit and ends it: the handle is gone, whether that failed or not. */
int32_t varvite_log_close(varvite_log *log, varvite_error *error);

/* Ends it and leaves the log in the file, where readers replay it. */
int32_t varvite_log_release(varvite_log *log);

#ifdef __cplusplus
}
#endif

#include "varvite_new_graph.h"

#endif
