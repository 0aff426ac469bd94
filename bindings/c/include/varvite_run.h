/* Varvite for C, the part that runs pipelines. Comes with varvite.h, which says what holds for all functions. */
/* Before the guard: varvite_arrow.h, which varvite.h includes, needs these declarations. */
#include "varvite.h"

#ifndef VARVITE_RUN_H
#define VARVITE_RUN_H

#ifdef __cplusplus
extern "C" {
#endif

/* A pipeline is a traversal as JSON, the same from every language: docs/plan.md describes each step. It is compiled for a graph, and
 * run batch by batch. */

/* A pipeline at work. */
typedef struct varvite_run varvite_run;

/* Options of a run. `size` is sizeof(varvite_run_options); a 0 elsewhere stands for the default. */
typedef struct varvite_run_options {
    uint32_t size;
    uint32_t threads;      /* For work on whole columns: as many as there are processors. */
    uint64_t memory_bytes; /* Most bytes that the run may hold beside its batches: a quarter of the machine's. */
    uint64_t batch_rows;   /* Rows of a batch, more or less: 2048. */
} varvite_run_options;

#define VARVITE_RUN_OPTIONS_INIT { (uint32_t)sizeof(varvite_run_options), 0, 0, 0 }

/* Compiles a plan of `length` bytes of JSON and begins a run; nothing is read before the first call for a
 * batch. Errors name the step. `options` may be NULL. The run keeps its graph open. */
int32_t varvite_run_plan(const varvite_graph *graph, const char *plan, uint64_t length, const varvite_run_options *options,
                         varvite_run **run, varvite_error *error);

/* A value for a parameter of a plan, as text: digits, true or false, or a text as it is. A list has one of these for each value. */
typedef struct varvite_parameter {
    const char *name;
    uint64_t name_length;
    const char *value;
    uint64_t value_length;
} varvite_parameter;

/* Writes the plan in which each parameter is its value to `bound`. A value is never read as JSON. Parameters without a value, values
 * without a parameter, and values of another type than the plan declares are VARVITE_E_PLAN. */
int32_t varvite_plan_bind(const char *plan, uint64_t length, const varvite_parameter *parameters, uint64_t parameter_count,
                          char *bound, uint64_t capacity, uint64_t *bound_length, varvite_error *error);

int32_t varvite_run_retain(varvite_run *run);
int32_t varvite_run_release(varvite_run *run);

/* An edge in a result. */
typedef struct varvite_edge {
    uint32_t label;
    uint32_t source;
    uint32_t target;
    uint32_t rank; /* Among the edges of its label: what edge properties are stored under. VARVITE_NONE if it has none. */
} varvite_edge;

#define VARVITE_ROWS_NODES 0
#define VARVITE_ROWS_EDGES 1
#define VARVITE_ROWS_VALUES 2
#define VARVITE_ROWS_TABLE 3

/* A batch of rows. The arrays are the run's, valid until the next call for a batch or the end of the run;
 * each is NULL unless rows are of its kind. Every kind can also be read by columns. */
typedef struct varvite_batch {
    const uint32_t *nodes;
    const varvite_edge *edges;
    const int64_t *numbers; /* Values as numbers, as varvite_property_number gives them. */
    uint64_t row_count;
    uint32_t column_count;
    uint32_t kind;
} varvite_batch;

/* The next batch, which has at least one row; VARVITE_ABSENT at the end, and VARVITE_E_DAMAGED instead if anything was met until
 * then that can't be. After a failure the run is over. One thread at a time; others wait. */
int32_t varvite_run_next(const varvite_run *run, varvite_batch *batch, uint64_t batch_size, varvite_error *error);

/* Turns to the rows that passed the step `side` of this name while the last batch was made, or at the end
 * after it: they are written to `batch`, and calls that read columns read theirs, until the next call for a
 * batch. VARVITE_ABSENT if none passed, with a batch of no rows. */
int32_t varvite_run_side(const varvite_run *run, const char *name, uint64_t length, varvite_batch *batch, uint64_t batch_size,
                         varvite_error *error);

/* Makes the run end with VARVITE_E_CANCELLED, soon. Returns at once, also while another thread waits for a batch. */
int32_t varvite_run_cancel(const varvite_run *run, varvite_error *error);

/* A column of the last batch. */
typedef struct varvite_result_column {
    const char *name;     /* Of a property, or `node`, `edge`, `label`, `depth`, `count`, `path`, `nodes`. No zero after it; good as */
    uint64_t name_length; /* long as the arrays of the batch. */
    uint32_t value_type;  /* VARVITE_BOOL to VARVITE_REF; VARVITE_NONE for nodes, edges and labels. */
    uint32_t is_list;     /* 1: a row has any number of cells, read with varvite_run_list. */
} varvite_result_column;

int32_t varvite_run_column(const varvite_run *run, uint32_t column, varvite_result_column *info, uint64_t info_size,
                           varvite_error *error);

/* A column of the last batch as numbers, all rows or none: node ids, codes of texts, integers, the bits of floats. `present` gets 1
 * where there is one and 0 where not. */
int32_t varvite_run_numbers(const varvite_run *run, uint32_t column, int64_t *numbers, uint8_t *present, uint64_t capacity,
                            uint64_t *count, varvite_error *error);

/* A cell of the last batch as text: text itself, the name of a label, a number in digits, bytes in hex. VARVITE_ABSENT if the row has
 * none; the first of a list. VARVITE_E_DAMAGED for a text that can't be read. */
int32_t varvite_run_text(const varvite_run *run, uint32_t column, uint64_t row, char *text, uint64_t capacity,
                         uint64_t *length, varvite_error *error);

/* An element of a path or group: a node, or an edge. */
typedef struct varvite_element {
    uint32_t is_edge;
    uint32_t node; /* If it is no edge. */
    varvite_edge edge;
} varvite_element;

/* The nodes and edges of one row of a column of lists. */
int32_t varvite_run_list(const varvite_run *run, uint32_t column, uint64_t row, varvite_element *elements, uint64_t capacity,
                         uint64_t *count, varvite_error *error);

#ifdef __cplusplus
}
#endif

#endif
