/* Varvite for C, walks: traversals with an order, a uniqueness and evaluators. Comes with varvite.h, which says what holds for all
 * functions. */
#ifndef VARVITE_WALK_H
#define VARVITE_WALK_H

#include "varvite.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A walk that was compiled for a graph, with the memory that it needs, which keeps its size from one walk to the next. */
typedef struct varvite_walk varvite_walk;

/* Compiles a walk of `length` bytes of JSON: docs/guide/walks.md describes the form. Its arena holds
 * `memory_bytes` at most; 0 is for the default. Names that the graph lacks are VARVITE_E_UNKNOWN, text that
 * is no walk is VARVITE_E_PLAN, evaluators that contradict each other are VARVITE_E_ARGUMENT. The walk keeps
 * its graph open. */
int32_t varvite_walk_compile(const varvite_graph *graph, const char *description, uint64_t length, uint64_t memory_bytes,
                             varvite_walk **walk, varvite_error *error);

int32_t varvite_walk_retain(varvite_walk *walk);
int32_t varvite_walk_release(varvite_walk *walk);

/* Begins at `start_count` nodes, one after another. The walk before ends. */
int32_t varvite_walk_begin(const varvite_walk *walk, const uint32_t *starts, uint64_t start_count, varvite_error *error);

/* A result. */
typedef struct varvite_visit {
    uint32_t node;
    uint32_t parent;     /* The node before; VARVITE_NONE where the walk started. */
    uint32_t depth;      /* Edges from where it started. */
    uint32_t edge_label; /* Of the edge that led here; VARVITE_NONE where the walk started. */
    uint32_t direction;  /* VARVITE_OUT or VARVITE_IN: which way round it was taken; VARVITE_NONE where the walk started. */
    uint32_t edge_rank;  /* What edge properties are stored under, if the walk tells edges from each other; else VARVITE_NONE. */
    double cost;         /* Of all edges that led here, in a walk by cost; else 0. */
} varvite_visit;

/* The next results, up to `capacity` of them, which is 1 or more; VARVITE_ABSENT if there is none left. A
 * walk that ends early gives its results first, and the call after them returns VARVITE_E_OVER_BUDGET,
 * VARVITE_E_CANCELLED (also at the end of its time) or VARVITE_E_DAMAGED. One thread at a time; others
 * wait. */
int32_t varvite_walk_next(const varvite_walk *walk, varvite_visit *visits, uint64_t visit_size, uint64_t capacity, uint64_t *count,
                          varvite_error *error);

/* Counts the remaining results without returning them; the walk is then at its end. If the walk ends early,
 * the call fails, and `count` is 0. */
int32_t varvite_walk_rest(const varvite_walk *walk, uint64_t *count, varvite_error *error);

/* A node of a path, and the edge that leads to it. */
typedef struct varvite_step {
    uint32_t node;
    uint32_t edge_label; /* VARVITE_NONE for the first. */
    uint32_t direction;  /* VARVITE_NONE for the first. */
} varvite_step;

/* The path to the last of the results that were given: ask for one at a time to have the path of each. VARVITE_ABSENT before the first and
 * after the end. */
int32_t varvite_walk_path(const varvite_walk *walk, varvite_step *steps, uint64_t step_size, uint64_t capacity, uint64_t *count,
                          varvite_error *error);

/* Counts of a walk's work so far. */
typedef struct varvite_walk_counts {
    uint64_t branches;    /* That it came to, starts included. */
    uint64_t results;
    uint64_t expansions;  /* Branches behind which it looked for edges. */
    uint64_t edges;       /* That it looked at, those included that led where it may not go. */
    uint64_t label_reads; /* Nodes whose labels it read. */
    uint64_t value_reads; /* Nodes whose values evaluators read. */
} varvite_walk_counts;

int32_t varvite_walk_count(const varvite_walk *walk, varvite_walk_counts *counts, uint64_t counts_size, varvite_error *error);

/* Makes the walk that was begun last end with VARVITE_E_CANCELLED, soon. Returns at once, also while another thread waits for results. */
int32_t varvite_walk_cancel(const varvite_walk *walk, varvite_error *error);

#ifdef __cplusplus
}
#endif

#endif
