/* Varvite for C: functions that change graphs. varvite.h includes this header, and its first comment applies
 * to all functions. */
#ifndef VARVITE_CHANGE_H
#define VARVITE_CHANGE_H

#include "varvite.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A diff is a list of operations on a graph, which are applied as a whole or not at all. docs/diff.md defines
 * each operation: all operations refer to the graph before the diff, removals are done first, and appended
 * elements keep their order.
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
 * the operation's index, from 0, and the file stays unchanged, byte for byte. Graphs that are already open
 * keep their snapshot; open the file again to see the commit. */

/* ---- Diffs ----------------------------------------------------------------------------------------------------------- */

/* A diff: operations that are collected to be applied together. Calls on one diff wait for each other. */
typedef struct varvite_diff varvite_diff;

/* Creates a diff without operations. If `memory_bytes` is 0, all operations are kept in memory, and `beside`
 * may be NULL. Otherwise the diff uses about `memory_bytes` of memory; further operations, and edges while
 * they are sorted, are written to a temporary file in the folder of the file `beside`, which is usually the
 * graph. */
int32_t varvite_diff_create(const char *beside, uint64_t memory_bytes, varvite_diff **diff, varvite_error *error);
int32_t varvite_diff_release(varvite_diff *diff);

/* Convert a diff from and to bytes (docs/diff.md), for programs that encode diffs themselves or store them.
 * If the bytes are no diff, the call fails with VARVITE_E_ARGUMENT, and `operation` of the error is the index
 * of the invalid operation. */
int32_t varvite_diff_from_bytes(const void *bytes, uint64_t length, varvite_diff **diff, varvite_error *error);
int32_t varvite_diff_to_bytes(const varvite_diff *diff, void *bytes, uint64_t capacity, uint64_t *length, varvite_error *error);

/* The number of operations of a diff, and of the nodes and edges that they add. */
int32_t varvite_diff_counts(const varvite_diff *diff, uint64_t *operations, uint64_t *nodes, uint64_t *edges,
                            varvite_error *error);

/* New nodes have no ids, and new edges no ranks, before the diff is applied. A 64-bit argument that refers to
 * a node is either the id of a node of the graph, or the number that varvite_diff_add_node returned:
 * VARVITE_NEW_NODE plus the node's index among the nodes that this diff adds. */
#define VARVITE_NEW_NODE 4294967296u
#define VARVITE_NEW_EDGE 8589934592u

/* Adds a node with `label_count` labels, which may be 0. `node` gets the number of the new node, and may be
 * NULL. */
int32_t varvite_diff_add_node(varvite_diff *diff, const char *const *labels, uint64_t label_count, uint64_t *node,
                              varvite_error *error);

/* Adds an edge at the end of the source's out-list and the target's in-list of this label. `edge` gets the
 * number that stands for the edge in a varvite_owner, and may be NULL. */
int32_t varvite_diff_add_edge(varvite_diff *diff, const char *edge_label, uint64_t source, uint64_t target, uint64_t *edge,
                              varvite_error *error);

/* Removes a node, with its edges and values. To remove a node that this diff adds, pass the id that it would
 * get; that id then stays unused. */
int32_t varvite_diff_remove_node(varvite_diff *diff, uint32_t node, varvite_error *error);

/* Removes the edge with this label and rank. */
int32_t varvite_diff_remove_edge(varvite_diff *diff, const char *edge_label, uint32_t rank, varvite_error *error);

/* An owner of values: a node or an edge. */
typedef struct varvite_owner {
    const char *edge_label; /* The label of an edge of the graph; NULL for a node, and for an edge that the diff
                               adds. */
    uint64_t number;        /* The rank of that edge; a node; or the number from varvite_diff_add_edge. */
} varvite_owner;

/* A value. Applying the diff checks that the value fits the property. */
typedef struct varvite_value {
    uint32_t value_type; /* One of VARVITE_BOOL to VARVITE_REF. An integer may have another type than the property, if
                            the property's type can hold it. VARVITE_NONE: null, for texts and references. */
    uint32_t length;     /* The length of `bytes`. */
    int64_t number;      /* An integer; a VARVITE_U64 as the int64_t with the same bits; 0 or 1 for VARVITE_BOOL; a node
                            for VARVITE_REF, where VARVITE_NONE is null. */
    double real;         /* The value of a VARVITE_F32 or VARVITE_F64. */
    const void *bytes;   /* The text of a VARVITE_STRING, in UTF-8, or a VARVITE_BYTES; needs no zero at its end. */
} varvite_value;

/* Change the values that an owner has of a property: `set` replaces them with the given values, `append` adds
 * the given values after them, and `clear` removes them. */
int32_t varvite_diff_set(varvite_diff *diff, const varvite_owner *owner, const char *property, const varvite_value *values,
                         uint64_t count, varvite_error *error);
int32_t varvite_diff_append(varvite_diff *diff, const varvite_owner *owner, const char *property, const varvite_value *values,
                            uint64_t count, varvite_error *error);
int32_t varvite_diff_clear(varvite_diff *diff, const varvite_owner *owner, const char *property, varvite_error *error);

/* Declare a label, an edge label or a property with this name. An existing one stays unchanged; an existing
 * property must have the same type and cardinality. A property belongs to nodes if `edge_label` is NULL. */
int32_t varvite_diff_declare_label(varvite_diff *diff, const char *name, varvite_error *error);
int32_t varvite_diff_declare_edge_label(varvite_diff *diff, const char *name, varvite_error *error);
int32_t varvite_diff_declare_property(varvite_diff *diff, const char *edge_label, const char *name, uint32_t value_type,
                                      uint32_t cardinality, varvite_error *error);

/* Appends the operations of `other` to those of `diff`: the result is the same as if they had been added to
 * `diff`. Passes that run at the same time can each fill their own diff; absorbing these diffs in a fixed
 * order gives the same graph on every run. The handle `other` is ended, even if it has several holders.
 * `nodes` and `edges`, which may be NULL, get the amounts to add to the numbers that varvite_diff_add_node
 * and varvite_diff_add_edge returned for `other`. The cost is proportional to the size of `other`.
 * VARVITE_E_ARGUMENT if `diff` and `other` are the same diff. */
int32_t varvite_diff_absorb(varvite_diff *diff, varvite_diff *other, uint64_t *nodes, uint64_t *edges, varvite_error *error);

/* ---- Commits --------------------------------------------------------------------------------------------------------- */

/* Options for applying a diff. `size` is sizeof(varvite_apply_options). */
typedef struct varvite_apply_options {
    uint32_t size;
    uint32_t no_lock;      /* 1: continue if the file system has no locks; then a second writer is not kept out. */
    uint64_t memory_bytes; /* For varvite_apply_bytes: memory for the diff, as in varvite_diff_create; 0: no limit. */
    const char *layer;     /* If not NULL, the additions of the diff become a layer of this name (docs/diff.md). */
    const char *tool;      /* The tool that made the layer; NULL if unknown. */
    const char *version;   /* The version of that tool; NULL if unknown. */
    uint8_t source[32];    /* The BLAKE3 hash of the source of the layer; zeros if unknown. */
    uint8_t file_id[16];   /* file_id, generation and directory_hash, from varvite_graph_info: the state of the file */
    uint64_t generation;   /* that the diff was made for. If the file has another state now, the call fails with */
    uint64_t directory_hash; /* VARVITE_E_REPLACED and applies nothing. A generation of 0: the state is not checked. */
} varvite_apply_options;

#define VARVITE_APPLY_OPTIONS_INIT { (uint32_t)sizeof(varvite_apply_options), 0, 0, NULL, NULL, NULL, { 0 }, { 0 }, 0, 0 }

/* The result of applying a diff. */
typedef struct varvite_applied {
    uint64_t first_node;  /* The id of the first added node; the other added nodes have the next ids, in the diff's
                             order. */
    uint64_t node_count;
    uint64_t edge_count;
    uint64_t file_length;
    uint64_t written;     /* The number of new bytes in the file. */
    uint64_t generation;  /* The generation of the commit. */
    uint64_t record;      /* The number of the record in that commit's log, from 1; 0 if the diff is a commit of its
                             own. */
} varvite_applied;

/* Applies a diff to the file at `path`, as a commit that is durable when the call returns. The diff is
 * applied completely or not at all. The cost is proportional to the size of the diff and of all changes since
 * the columns of the graph were written. `options` may be NULL.
 *
 * If `ranks` is not NULL, it has room for `capacity` ranks and gets the rank of each new edge, or
 * VARVITE_NONE for an edge that was omitted because the diff removes its source or target. If the diff has
 * more than `capacity` new edges, the call fails with VARVITE_E_TOO_SMALL and nothing is applied.
 *
 * VARVITE_E_BUSY: another writer has the file open. */
int32_t varvite_apply(const char *path, const varvite_diff *diff, const varvite_apply_options *options, varvite_applied *applied,
                      uint64_t applied_size, uint32_t *ranks, uint64_t capacity, varvite_error *error);

/* The same as varvite_apply, for a diff as bytes: decodes and applies it in one call. */
int32_t varvite_apply_bytes(const char *path, const void *bytes, uint64_t length, const varvite_apply_options *options,
                            varvite_applied *applied, uint64_t applied_size, uint32_t *ranks, uint64_t capacity,
                            varvite_error *error);

/* Removes layers from the file at `path`, all of them or none. `options` may be NULL; only no_lock is used.
 * VARVITE_E_UNKNOWN: a layer does not exist. VARVITE_E_ARGUMENT: a layer is the graph's own, or other layers
 * refer to its nodes. */
int32_t varvite_drop_layers(const char *path, const char *const *layers, uint64_t layer_count, const varvite_apply_options *options,
                            varvite_error *error);

/* ---- Small commits --------------------------------------------------------------------------------------------------- */

/* A log: a file open for many small commits. The cost of each commit is proportional to the size of its diff.
 * Until the log ends, other writers fail with VARVITE_E_BUSY; readers do not. Threads may commit at the same
 * time, and then share syncs. */
typedef struct varvite_log varvite_log;

/* Options of a log. `size` is sizeof(varvite_log_options). */
typedef struct varvite_log_options {
    uint32_t size;
    uint32_t no_lock;   /* As in varvite_apply_options, but without locks a log is always refused. */
    uint64_t bytes_max; /* The size of the log at which a large commit replaces it, at most 64 MiB; 0: 16 MiB. */
} varvite_log_options;

#define VARVITE_LOG_OPTIONS_INIT { (uint32_t)sizeof(varvite_log_options), 0, 0 }

/* Begins a log in the file at `path`. `options` may be NULL. */
int32_t varvite_log_begin(const char *path, const varvite_log_options *options, varvite_log **log, varvite_error *error);

#define VARVITE_DURABILITY_SYNC 0     /* A commit survives a power failure as soon as the call returns. */
#define VARVITE_DURABILITY_BUFFERED 1 /* A commit survives the end of the process; it survives a power failure once a
                                         later commit was synced. */

/* Commits a diff, completely or not at all. A diff that is refused leaves the log unchanged. After a write or
 * sync has failed, every call fails with VARVITE_E_POISONED: end the log and begin another one. The other
 * arguments are those of varvite_apply. */
int32_t varvite_log_commit(const varvite_log *log, const varvite_diff *diff, uint32_t durability, varvite_applied *applied,
                           uint64_t applied_size, uint32_t *ranks, uint64_t capacity, varvite_error *error);

/* The same as varvite_log_commit, for a diff as bytes. */
int32_t varvite_log_commit_bytes(const varvite_log *log, const void *bytes, uint64_t length, uint32_t durability,
                                 varvite_applied *applied, uint64_t applied_size, uint32_t *ranks, uint64_t capacity,
                                 varvite_error *error);

/* Syncs the file, so that all commits so far are durable. */
int32_t varvite_log_sync(const varvite_log *log, varvite_error *error);

/* Replaces the log, if it has records, with a large commit. */
int32_t varvite_log_checkpoint(const varvite_log *log, varvite_error *error);

/* The number of records since the last large commit. */
int32_t varvite_log_records(const varvite_log *log, uint64_t *records, varvite_error *error);

/* Replaces the log with a large commit and ends the handle, even if the call fails. */
int32_t varvite_log_close(varvite_log *log, varvite_error *error);

/* Ends the handle and leaves the log in the file, where readers replay it. */
int32_t varvite_log_release(varvite_log *log);

#ifdef __cplusplus
}
#endif

#include "varvite_new_graph.h"

#endif
