/* Varvite for C: walks, which are traversals with an order, a uniqueness and evaluators. varvite.h includes
 * this header, and its first comment applies to all functions. */
#ifndef VARVITE_WALK_H
#define VARVITE_WALK_H

#include "varvite.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A walk that was compiled for a graph, with its arena: working memory that is kept and reused when the walk
 * begins again. */
typedef struct varvite_walk varvite_walk;

/* Compiles a walk from `length` bytes of JSON, which docs/guide/walks.md describes. The walk's arena holds at
 * most `memory_bytes`; 0 stands for the default. VARVITE_E_UNKNOWN: the graph lacks a name. VARVITE_E_PLAN:
 * the text describes no walk. VARVITE_E_ARGUMENT: evaluators contradict each other. The walk keeps its graph
 * open. */
int32_t varvite_walk_compile(const varvite_graph *graph, const char *description, uint64_t length, uint64_t memory_bytes,
                             varvite_walk **walk, varvite_error *error);

int32_t varvite_walk_retain(varvite_walk *walk);
int32_t varvite_walk_release(varvite_walk *walk);

/* Begins a walk at each of `start_count` nodes in turn. A walk that was begun before ends. */
int32_t varvite_walk_begin(const varvite_walk *walk, const uint32_t *starts, uint64_t start_count, varvite_error *error);

/* A result of a walk. */
typedef struct varvite_visit {
    uint32_t node;
    uint32_t parent;     /* The previous node of the branch; VARVITE_NONE at a start node. */
    uint32_t depth;      /* The number of edges from the start node. */
    uint32_t edge_label; /* The label of the edge to this node; VARVITE_NONE at a start node. */
    uint32_t direction;  /* VARVITE_OUT or VARVITE_IN: the direction in which the edge was followed; VARVITE_NONE at a
                            start node. */
    uint32_t edge_rank;  /* The edge's rank, by which edge properties are stored, if the walk distinguishes edges; else
                            VARVITE_NONE. */
    double cost;         /* The cost of all edges of the branch, in a walk by cost; else 0. */
} varvite_visit;

/* Returns the next results, up to `capacity` of them; `capacity` must be at least 1. VARVITE_ABSENT if no
 * result is left. A walk that ends early first returns the results that it has found. The next call then
 * returns VARVITE_E_OVER_BUDGET, VARVITE_E_CANCELLED (also if the time limit was reached) or
 * VARVITE_E_DAMAGED. One thread at a time runs a call on a walk; other threads wait. */
int32_t varvite_walk_next(const varvite_walk *walk, varvite_visit *visits, uint64_t visit_size, uint64_t capacity, uint64_t *count,
                          varvite_error *error);

/* Counts the remaining results without returning them; the walk is then at its end. If the walk ends early,
 * the call fails, and `count` is 0. */
int32_t varvite_walk_rest(const varvite_walk *walk, uint64_t *count, varvite_error *error);

/* A node of a path, and the edge that leads to it. */
typedef struct varvite_step {
    uint32_t node;
    uint32_t edge_label; /* VARVITE_NONE for the first node. */
    uint32_t direction;  /* VARVITE_NONE for the first node. */
} varvite_step;

/* The path to the last returned result. To get the path of every result, call varvite_walk_next with a
 * capacity of 1. VARVITE_ABSENT before the first result and after the end. */
int32_t varvite_walk_path(const varvite_walk *walk, varvite_step *steps, uint64_t step_size, uint64_t capacity, uint64_t *count,
                          varvite_error *error);

/* Counts of a walk's work so far. */
typedef struct varvite_walk_counts {
    uint64_t branches;    /* Branches that the walk reached, start nodes included. */
    uint64_t results;
    uint64_t expansions;  /* Branches whose end node's edges were read. */
    uint64_t edges;       /* Edges that were examined, also those that the walk may not follow. */
    uint64_t label_reads; /* Nodes whose labels the walk read. */
    uint64_t value_reads; /* Nodes whose values evaluators read. */
} varvite_walk_counts;

int32_t varvite_walk_count(const varvite_walk *walk, varvite_walk_counts *counts, uint64_t counts_size, varvite_error *error);

/* Cancels the walk that was begun last: it soon fails with VARVITE_E_CANCELLED. Returns at once, even while
 * another thread waits for results. */
int32_t varvite_walk_cancel(const varvite_walk *walk, varvite_error *error);

#ifdef __cplusplus
}
#endif

#endif
