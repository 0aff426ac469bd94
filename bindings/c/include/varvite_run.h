/* Varvite for C: functions that run pipelines. varvite.h includes this header, and its first comment applies
 * to all functions. */
/* Before the guard: varvite_arrow.h, which varvite.h includes, needs these declarations. */
#include "varvite.h"

#ifndef VARVITE_RUN_H
#define VARVITE_RUN_H

#ifdef __cplusplus
extern "C" {
#endif

/* A pipeline is a traversal in JSON, the same in every language; docs/plan.md describes each step. A pipeline
 * is compiled for a graph, and returns its rows batch by batch. */

/* A run: the execution of a pipeline on a graph. */
typedef struct varvite_run varvite_run;

/* Options of a run. `size` is sizeof(varvite_run_options); 0 in another field stands for the default. */
typedef struct varvite_run_options {
    uint32_t size;
    uint32_t threads;      /* Threads for work on whole columns. Default: one for each processor. */
    uint64_t memory_bytes; /* Limit of the run's memory without its batches. Default: a quarter of the machine's
                              memory. */
    uint64_t batch_rows;   /* Approximate number of rows of a batch. Default: 2048. */
} varvite_run_options;

#define VARVITE_RUN_OPTIONS_INIT { (uint32_t)sizeof(varvite_run_options), 0, 0, 0 }

/* Compiles a plan of `length` bytes of JSON and begins a run; the graph is not read before the first call of
 * varvite_run_next. Error messages name the step. `options` may be NULL. The run keeps its graph open. */
int32_t varvite_run_plan(const varvite_graph *graph, const char *plan, uint64_t length, const varvite_run_options *options,
                         varvite_run **run, varvite_error *error);

/* A value for a parameter of a plan, as text: an integer in digits, true or false, or the text itself. For a
 * parameter that is a list, pass one varvite_parameter for each value. */
typedef struct varvite_parameter {
    const char *name;
    uint64_t name_length;
    const char *value;
    uint64_t value_length;
} varvite_parameter;

/* Writes the plan to `bound` with each parameter replaced by its value. A value is never parsed as JSON.
 * VARVITE_E_PLAN: a parameter has no value, a value has no parameter, or a value's type is not the one that
 * the plan declares. */
int32_t varvite_plan_bind(const char *plan, uint64_t length, const varvite_parameter *parameters, uint64_t parameter_count,
                          char *bound, uint64_t capacity, uint64_t *bound_length, varvite_error *error);

int32_t varvite_run_retain(varvite_run *run);
int32_t varvite_run_release(varvite_run *run);

/* An edge in a result. */
typedef struct varvite_edge {
    uint32_t label;
    uint32_t source;
    uint32_t target;
    uint32_t rank; /* The edge's rank among the edges of its label, by which its properties are stored. VARVITE_NONE if
                      it has none. */
} varvite_edge;

#define VARVITE_ROWS_NODES 0
#define VARVITE_ROWS_EDGES 1
#define VARVITE_ROWS_VALUES 2
#define VARVITE_ROWS_TABLE 3

/* A batch of rows. The arrays belong to the run and are valid until the next call for a batch or the end of
 * the run. All arrays but the one for the kind of the rows are NULL. Rows of every kind can also be read by
 * columns. */
typedef struct varvite_batch {
    const uint32_t *nodes;
    const varvite_edge *edges;
    const int64_t *numbers; /* Values as numbers, as varvite_property_number returns them. */
    uint64_t row_count;
    uint32_t column_count;
    uint32_t kind;
} varvite_batch;

/* Returns the next batch, which has at least one row. At the end of the run returns VARVITE_ABSENT, or
 * VARVITE_E_DAMAGED if a read of this open graph has met damage. After a failure the run is over. One thread
 * at a time runs a call on a run; other threads wait. */
int32_t varvite_run_next(const varvite_run *run, varvite_batch *batch, uint64_t batch_size, varvite_error *error);

/* Selects the rows that passed the step `side` with this name while the last batch was made, or, at the end
 * of the run, after the last batch. The rows are written to `batch`, and calls that read columns read these
 * rows until the next call for a batch. VARVITE_ABSENT if no rows passed; the batch then has no rows. */
int32_t varvite_run_side(const varvite_run *run, const char *name, uint64_t length, varvite_batch *batch, uint64_t batch_size,
                         varvite_error *error);

/* Cancels the run: it soon fails with VARVITE_E_CANCELLED. Returns at once, even while another thread waits
 * for a batch. */
int32_t varvite_run_cancel(const varvite_run *run, varvite_error *error);

/* A column of the last batch. */
typedef struct varvite_result_column {
    const char *name;     /* The name of a property, or `node`, `edge`, `label`, `depth`, `count`, `path`, `nodes`. */
    uint64_t name_length; /* The name has no zero at its end and is valid for as long as the batch's arrays. */
    uint32_t value_type;  /* VARVITE_BOOL to VARVITE_REF; VARVITE_NONE for nodes, edges and labels. */
    uint32_t is_list;     /* 1: each row has a list, which varvite_run_list reads. */
} varvite_result_column;

int32_t varvite_run_column(const varvite_run *run, uint32_t column, varvite_result_column *info, uint64_t info_size,
                           varvite_error *error);

/* A column of the last batch as numbers: node ids, codes of texts, integers, or the bits of floats. If
 * `capacity` is less than the number of rows, nothing is copied. `present` gets 1 for a row with a value and
 * 0 for one without. */
int32_t varvite_run_numbers(const varvite_run *run, uint32_t column, int64_t *numbers, uint8_t *present, uint64_t capacity,
                            uint64_t *count, varvite_error *error);

/* A cell of the last batch as text: a text itself, the name of a label, a number in digits, bytes in hex. For
 * a list, its first value. VARVITE_ABSENT if the row has no value. VARVITE_E_DAMAGED for a text that can't be
 * read. */
int32_t varvite_run_text(const varvite_run *run, uint32_t column, uint64_t row, char *text, uint64_t capacity,
                         uint64_t *length, varvite_error *error);

/* An element of a path or group: a node, or an edge. */
typedef struct varvite_element {
    uint32_t is_edge;
    uint32_t node; /* The node's id, if the element is no edge. */
    varvite_edge edge;
} varvite_element;

/* The nodes and edges in the list of one row, for a column of lists. */
int32_t varvite_run_list(const varvite_run *run, uint32_t column, uint64_t row, varvite_element *elements, uint64_t capacity,
                         uint64_t *count, varvite_error *error);

#ifdef __cplusplus
}
#endif

#endif
