/* The test suite of varvite.h: one program, with a source file for each subject.
 *
 * A failed CHECK prints its file and line and ends the program. The folder in the program's first argument
 * has the graphs: the code graph of zlib in each profile. Expected numbers come from flatgraph
 * (examples/data/zlib.expected.json), or are computed by other calls.
 */
#ifndef SUITE_H
#define SUITE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "varvite.h"

#define CHECK(condition)                                                              \
    do {                                                                              \
        if (!(condition)) {                                                           \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);   \
            exit(1);                                                                  \
        }                                                                             \
    } while (0)

/* Checks that the call succeeded; if not, prints its error message. */
#define DONE(call)                                                                             \
    do {                                                                                       \
        error = fresh_error();                                                                 \
        if ((call) < 0) {                                                                      \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, error.message);      \
            exit(1);                                                                           \
        }                                                                                      \
    } while (0)

/* Checks that the call failed with `number` and that its error message contains `words`. */
#define FAILS(number, words, call)                                                                       \
    do {                                                                                                 \
        error = fresh_error();                                                                           \
        int32_t status_ = (call);                                                                        \
        if (status_ != (number) || error.code != (number) || strstr(error.message, (words)) == NULL) {   \
            fprintf(stderr, "%s:%d: %s: %d, %s\n", __FILE__, __LINE__, #call, (int)status_, error.message); \
            exit(1);                                                                                     \
        }                                                                                                \
    } while (0)

#define PROFILES 3
extern const char *const profile_names[PROFILES];

/* The paths of the graphs that tests read. */
struct fixture {
    const char *folder;
    const char *source; /* The cpg.bin file that the graphs are imported from. */
    char path[PROFILES][512];
};

static inline varvite_error fresh_error(void) {
    varvite_error error = VARVITE_ERROR_INIT;
    return error;
}

static inline varvite_graph *open_graph(const char *path) {
    varvite_error error;
    varvite_graph *graph = NULL;
    DONE(varvite_graph_open(path, NULL, &graph, &error));
    return graph;
}

static inline varvite_adjacency *open_adjacency(const varvite_graph *graph, const char *edge_label, uint32_t direction) {
    varvite_error error;
    varvite_adjacency *adjacency = NULL;
    uint32_t number = VARVITE_NONE;
    DONE(varvite_edge_label_find(graph, edge_label, &number, &error));
    DONE(varvite_adjacency_open(graph, number, direction, &adjacency, &error));
    return adjacency;
}

static inline varvite_property *open_property(const varvite_graph *graph, const char *name) {
    varvite_error error;
    varvite_property *property = NULL;
    uint32_t number = VARVITE_NONE;
    DONE(varvite_property_find(graph, VARVITE_NONE, name, &number, &error));
    DONE(varvite_property_open(graph, number, &property, &error));
    return property;
}

void test_import(struct fixture *fixture);
void test_library(void);
void test_graph(const struct fixture *fixture);
void test_labels(const struct fixture *fixture);
void test_adjacency(const struct fixture *fixture);
void test_property(const struct fixture *fixture);
void test_fill_or_pin(const struct fixture *fixture);
void test_verify(const struct fixture *fixture);
void test_columns(const struct fixture *fixture);
void test_run(const struct fixture *fixture);
void test_conformance(const struct fixture *fixture);
void test_cases(const struct fixture *fixture);
void test_cpg(const struct fixture *fixture);
void test_arrow(const struct fixture *fixture);
void test_new_graph(const struct fixture *fixture);
void test_change(const struct fixture *fixture);
void test_recorder(void);
void test_walk(const struct fixture *fixture);
void test_misuse(const struct fixture *fixture);

#endif
