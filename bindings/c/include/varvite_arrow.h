/* Varvite for C, the part that gives Arrow data. Comes with varvite.h, which says what holds for all functions. */
#ifndef VARVITE_ARROW_H
#define VARVITE_ARROW_H

#include "varvite.h"
#include "varvite_run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Tables for pyarrow, DuckDB, Polars and others, through the Arrow C Data Interface: the caller has room for
 * both structs, gets them filled, and calls `release` of each once, or passes them to a consumer that will.
 * The structs own their buffers, and outlive the graph. */

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

struct ArrowSchema {
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

#endif

#define VARVITE_TABLE_LABELS 0   /* node, label: a row for each node and each of its labels. The number is not used. */
#define VARVITE_TABLE_EDGES 1    /* source, target: a row for each edge of the edge label with the number, by rank. */
#define VARVITE_TABLE_PROPERTY 2 /* node (or rank, of edges), value: a row for each value of the property with the number. */

/* A part of the graph as an array of structs, which is what Arrow calls a record batch. Texts are a dictionary and codes. The
 * values are copied, once; damage fails, and then nothing was given away. */
int32_t varvite_export_arrow(const varvite_graph *graph, uint32_t table, uint32_t number, struct ArrowSchema *schema,
                             struct ArrowArray *array, varvite_error *error);

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif

/* The rows of a plan as a stream of record batches, which pyarrow (RecordBatchReader), DuckDB and Polars
 * read. Batches are made on demand, of `batch_rows` rows, the last one fewer; one ends early when its texts
 * and lists exceed 16 MiB. A node is its id; an edge is a struct of label, source, target and rank; lists are
 * large lists; texts are large and plain, labels a dictionary. Like all streams it is used by one thread at a
 * time. It keeps the graph open until it is released. */
int32_t varvite_run_arrow(const varvite_graph *graph, const char *plan, uint64_t length, const varvite_run_options *options,
                          struct ArrowArrayStream *stream, varvite_error *error);

/* The rows of varvite_run_side as a record batch; without rows if none passed. */
int32_t varvite_run_side_arrow(const varvite_run *run, const char *name, uint64_t length, struct ArrowSchema *schema,
                               struct ArrowArray *array, varvite_error *error);

#ifdef __cplusplus
}
#endif

#endif
