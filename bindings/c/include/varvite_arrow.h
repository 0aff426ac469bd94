/* Varvite for C: functions that return Arrow data. varvite.h includes this header, and its first comment
 * applies to all functions. */
#ifndef VARVITE_ARROW_H
#define VARVITE_ARROW_H

#include "varvite.h"
#include "varvite_run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Tables for pyarrow, DuckDB, Polars and others, through the Arrow C Data Interface: the caller provides
 * memory for both structs, and the call fills them in. The caller must call `release` of each struct once, or
 * pass the structs to a consumer that does. The structs own their buffers, and may outlive the graph. */

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

#define VARVITE_TABLE_LABELS 0   /* Columns node, label: a row for each node and each of its labels. `number` is
                                    ignored. */
#define VARVITE_TABLE_EDGES 1    /* Columns source, target: a row for each edge of edge label `number`, by rank. */
#define VARVITE_TABLE_PROPERTY 2 /* Columns node (for edges: rank), value: a row for each value of property `number`. */

/* Returns a part of the graph as an Arrow record batch, which is an array of structs. Texts are
 * dictionary-encoded. The values are copied once. If the call meets damage it fails, and returns nothing that
 * must be released. */
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
 * read. A batch is made when the consumer requests it. It has `batch_rows` rows; the last batch may have
 * fewer, and a batch ends early when its texts and lists exceed 16 MiB. Arrow types: a node is its id; an
 * edge is a struct of label, source, target and rank; a list is a large list; a text is a large string; a
 * label is dictionary-encoded. Only one thread at a time may use the stream. The stream keeps the graph open
 * until it is released. */
int32_t varvite_run_arrow(const varvite_graph *graph, const char *plan, uint64_t length, const varvite_run_options *options,
                          struct ArrowArrayStream *stream, varvite_error *error);

/* The rows of varvite_run_side as a record batch, which has no rows if none passed. */
int32_t varvite_run_side_arrow(const varvite_run *run, const char *name, uint64_t length, struct ArrowSchema *schema,
                               struct ArrowArray *array, varvite_error *error);

#ifdef __cplusplus
}
#endif

#endif
