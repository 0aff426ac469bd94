/* Tests of invalid calls: each returns an error, and none crashes. */
#include "suite.h"

static void null_is_refused(const varvite_graph *graph) {
    varvite_error error;
    varvite_graph *other = NULL;
    varvite_adjacency *adjacency = NULL;
    varvite_graph_info info;
    uint32_t number = 0;
    uint64_t count = 0;
    FAILS(VARVITE_E_ARGUMENT, "'path' must not be null", varvite_graph_open(NULL, NULL, &other, &error));
    FAILS(VARVITE_E_ARGUMENT, "'graph' must not be null", varvite_graph_open("x", NULL, NULL, &error));
    FAILS(VARVITE_E_ARGUMENT, "'graph' must not be null", varvite_graph_describe(NULL, &info, sizeof info, &error));
    FAILS(VARVITE_E_ARGUMENT, "'info' must not be null", varvite_graph_describe(graph, NULL, sizeof info, &error));
    FAILS(VARVITE_E_ARGUMENT, "'name' must not be null", varvite_label_find(graph, NULL, &number, &error));
    FAILS(VARVITE_E_ARGUMENT, "'count' must not be null", varvite_graph_labels(graph, NULL, sizeof(varvite_label), 0, NULL, &error));
    FAILS(VARVITE_E_ARGUMENT, "'labels' must not be null", varvite_graph_labels(graph, NULL, sizeof(varvite_label), 100, &count, &error));
    FAILS(VARVITE_E_ARGUMENT, "'nodes' must not be null", varvite_label_codes(graph, NULL, &number, 1, &error));
    FAILS(VARVITE_E_ARGUMENT, "'codes' must not be null", varvite_label_codes(graph, &number, NULL, 1, &error));
    FAILS(VARVITE_E_ARGUMENT, "'adjacency' must not be null", varvite_adjacency_open(graph, 0, 0, NULL, &error));
    FAILS(VARVITE_E_ARGUMENT, "'adjacency' must not be null", varvite_adjacency_neighbors(adjacency, 0, &number, 1, &count, &error));
    FAILS(VARVITE_E_ARGUMENT, "'name' is not UTF-8", varvite_label_find(graph, "\xc3", &number, &error));
    CHECK(varvite_graph_retain(NULL) == VARVITE_E_ARGUMENT);
}

static void releasing_null_does_nothing(void) {
    CHECK(varvite_graph_release(NULL) == VARVITE_OK);
    CHECK(varvite_adjacency_release(NULL) == VARVITE_OK);
    CHECK(varvite_property_release(NULL) == VARVITE_OK);
    CHECK(varvite_pin_release(NULL) == VARVITE_OK);
    CHECK(varvite_shared_budget_release(NULL) == VARVITE_OK);
}

static void a_budget_that_is_none_is_refused(const struct fixture *fixture, const varvite_graph *open) {
    varvite_error error;
    varvite_open_options options = VARVITE_OPEN_OPTIONS_INIT;
    varvite_shared_budget *budget = NULL;
    varvite_budget_use use;
    varvite_graph *graph = NULL;
    FAILS(VARVITE_E_ARGUMENT, "'bytes'", varvite_shared_budget_new(0, &budget, &error));
    FAILS(VARVITE_E_ARGUMENT, "'budget' must not be null", varvite_shared_budget_new(1, NULL, &error));
    FAILS(VARVITE_E_ARGUMENT, "'budget' must not be null", varvite_shared_budget_use(NULL, &use, sizeof use, &error));
    CHECK(budget == NULL);
    DONE(varvite_shared_budget_new(1 << 20, &budget, &error));
    FAILS(VARVITE_E_ARGUMENT, "'budget_use' must not be null", varvite_shared_budget_use(budget, NULL, sizeof use, &error));
    CHECK(varvite_shared_budget_release(budget) == VARVITE_OK);
    FAILS(VARVITE_E_HANDLE, "released", varvite_shared_budget_use(budget, &use, sizeof use, &error));
    options.budget = budget;
    FAILS(VARVITE_E_HANDLE, "options.budget", varvite_graph_open(fixture->path[0], &options, &graph, &error));
    options.budget = (varvite_shared_budget *)(uintptr_t)open;
    FAILS(VARVITE_E_HANDLE, "it is one of a graph", varvite_graph_open(fixture->path[0], &options, &graph, &error));
    CHECK(graph == NULL);
}

static void a_released_handle_is_known_as_such(const struct fixture *fixture) {
    varvite_error error;
    varvite_graph *graph = open_graph(fixture->path[VARVITE_COMPACT]);
    varvite_graph_info info;
    CHECK(varvite_graph_release(graph) == VARVITE_OK);
    FAILS(VARVITE_E_HANDLE, "'graph' is not a handle of a graph: it was released", varvite_graph_describe(graph, &info, sizeof info, &error));
    CHECK(varvite_graph_release(graph) == VARVITE_E_HANDLE);
    CHECK(varvite_graph_retain(graph) == VARVITE_E_HANDLE);
    /* Another graph takes the slot of the released handle, but gets a different handle. */
    varvite_graph *next = open_graph(fixture->path[VARVITE_DIRECT]);
    CHECK(next != graph);
    FAILS(VARVITE_E_HANDLE, "released", varvite_graph_describe(graph, &info, sizeof info, &error));
    CHECK(varvite_graph_release(graph) == VARVITE_E_HANDLE);
    DONE(varvite_graph_describe(next, &info, sizeof info, &error));
    CHECK(varvite_graph_release(next) == VARVITE_OK);
}

static void holders_are_counted(const struct fixture *fixture) {
    varvite_error error;
    varvite_graph *graph = open_graph(fixture->path[VARVITE_COMPACT]);
    varvite_graph_info info;
    CHECK(varvite_graph_retain(graph) == VARVITE_OK && varvite_graph_retain(graph) == VARVITE_OK);
    CHECK(varvite_graph_release(graph) == VARVITE_OK && varvite_graph_release(graph) == VARVITE_OK);
    DONE(varvite_graph_describe(graph, &info, sizeof info, &error));
    CHECK(varvite_graph_release(graph) == VARVITE_OK);
    CHECK(varvite_graph_release(graph) == VARVITE_E_HANDLE);
}

static void a_handle_of_another_kind_is_told_apart(const varvite_graph *graph) {
    varvite_error error;
    varvite_adjacency *adjacency = open_adjacency(graph, "CALL", VARVITE_OUT);
    varvite_graph_info info;
    int64_t number = 0;
    FAILS(VARVITE_E_HANDLE, "it is one of an adjacency",
          varvite_graph_describe((const varvite_graph *)(const void *)adjacency, &info, sizeof info, &error));
    FAILS(VARVITE_E_HANDLE, "it is one of a graph",
          varvite_property_number((const varvite_property *)(const void *)graph, 0, &number, &error));
    CHECK(varvite_graph_release((varvite_graph *)(void *)adjacency) == VARVITE_E_HANDLE);
    CHECK(varvite_adjacency_release(adjacency) == VARVITE_OK);
}

static void invented_handles_are_refused(void) {
    varvite_error error;
    varvite_graph_info info;
    int local = 0;
    static const uintptr_t invented[] = {1, 2, 63, 64, 4096, 0x7fffffff, UINTPTR_MAX, UINTPTR_MAX - 1, (uintptr_t)1 << 32};
    for (size_t i = 0; i < sizeof invented / sizeof *invented; i++) {
        FAILS(VARVITE_E_HANDLE, "graph", varvite_graph_describe((const varvite_graph *)invented[i], &info, sizeof info, &error));
    }
    FAILS(VARVITE_E_HANDLE, "graph", varvite_graph_describe((const varvite_graph *)(void *)&local, &info, sizeof info, &error));
}

static void wrong_sizes_are_refused(const varvite_graph *graph) {
    varvite_error error = VARVITE_ERROR_INIT;
    varvite_graph_info info;
    uint32_t nodes[4] = {0, 1, 2, 3}, codes[4];
    uint64_t count = 0;
    error.size = 0;
    CHECK(varvite_graph_describe(graph, &info, sizeof info, &error) == VARVITE_E_ARGUMENT);
    error.size = 16;
    CHECK(varvite_graph_describe(graph, &info, sizeof info, &error) == VARVITE_E_ARGUMENT && error.code == 0);
    FAILS(VARVITE_E_ARGUMENT, "the address space", varvite_label_codes(graph, nodes, codes, UINT64_MAX, &error));
    FAILS(VARVITE_E_ARGUMENT, "the address space", varvite_label_codes(graph, nodes, codes, (uint64_t)1 << 62, &error));
    FAILS(VARVITE_E_ARGUMENT, "aligned",
          varvite_label_codes(graph, (const uint32_t *)(const void *)((const char *)nodes + 1), codes, 1, &error));
    FAILS(VARVITE_E_ARGUMENT, "the address space", varvite_node_labels(graph, 0, codes, UINT64_MAX, &count, &error));
}

void test_misuse(const struct fixture *fixture) {
    varvite_graph *graph = open_graph(fixture->path[VARVITE_COMPACT]);
    null_is_refused(graph);
    releasing_null_does_nothing();
    a_released_handle_is_known_as_such(fixture);
    holders_are_counted(fixture);
    a_handle_of_another_kind_is_told_apart(graph);
    invented_handles_are_refused();
    wrong_sizes_are_refused(graph);
    a_budget_that_is_none_is_refused(fixture, graph);
    CHECK(varvite_graph_release(graph) == VARVITE_OK);
}
