/* Tests of walks: results in batches, paths, limits and refused calls, compared with hops. */
#include "suite.h"

enum { ROOM = 4096, NODES = 44073 };

static varvite_walk *compiled(const varvite_graph *graph, const char *description, uint64_t memory) {
    varvite_error error;
    varvite_walk *walk = NULL;
    DONE(varvite_walk_compile(graph, description, strlen(description), memory, &walk, &error));
    return walk;
}

/* Writes all results of a walk from a node to `visits`, read `batch` at a time. Returns their number. */
static uint64_t all(const varvite_walk *walk, uint32_t start, uint64_t batch, varvite_visit *visits) {
    varvite_error error;
    uint64_t total = 0, count = 0;
    DONE(varvite_walk_begin(walk, &start, 1, &error));
    int32_t status = VARVITE_OK;
    while (status == VARVITE_OK) {
        CHECK(total + batch <= ROOM);
        error = fresh_error();
        status = varvite_walk_next(walk, visits + total, sizeof *visits, batch, &count, &error);
        CHECK(status == (count > 0 ? VARVITE_OK : VARVITE_ABSENT));
        total += count;
    }
    return total;
}

/* A node with at least `least` neighbours. */
static uint32_t hub(const varvite_adjacency *adjacency, uint64_t least) {
    varvite_error error;
    for (uint32_t node = 0; node < NODES; node++) {
        uint32_t neighbors[ROOM];
        uint64_t degree = 0;
        DONE(varvite_adjacency_neighbors(adjacency, node, neighbors, ROOM, &degree, &error));
        if (degree >= least) {
            return node;
        }
    }
    CHECK(!"no such node");
    return 0;
}

static void a_walk_of_one_level_gives_the_neighbours(const varvite_graph *graph) {
    varvite_error error;
    varvite_adjacency *tree = open_adjacency(graph, "AST", VARVITE_OUT);
    uint32_t neighbors[ROOM], start = hub(tree, 10), ast = 0;
    uint64_t degree = 0;
    static varvite_visit visits[ROOM], others[ROOM];
    DONE(varvite_edge_label_find(graph, "AST", &ast, &error));
    DONE(varvite_adjacency_neighbors(tree, start, neighbors, ROOM, &degree, &error));
    varvite_walk *walk = compiled(graph,
                                  "{\"version\":1,\"order\":\"breadth_first\",\"hops\":[{\"direction\":\"out\",\"edge_labels\":[\"AST\"]}],"
                                  "\"evaluators\":[{\"test\":\"depths\",\"most\":1}]}",
                                  0);
    CHECK(all(walk, start, 100, visits) == degree + 1);
    CHECK(visits[0].node == start && visits[0].parent == VARVITE_NONE && visits[0].depth == 0);
    CHECK(visits[0].edge_label == VARVITE_NONE && visits[0].direction == VARVITE_NONE);
    for (uint64_t i = 0; i < degree; i++) {
        const varvite_visit *visit = &visits[i + 1];
        CHECK(visit->node == neighbors[i] && visit->parent == start && visit->depth == 1);
        CHECK(visit->edge_label == ast && visit->direction == VARVITE_OUT && visit->edge_rank == VARVITE_NONE);
    }
    /* Run the walk again in the same arena, and read one result at a time. */
    CHECK(all(walk, start, 1, others) == degree + 1);
    CHECK(memcmp(visits, others, (degree + 1) * sizeof *visits) == 0);
    /* Read some results, and count the rest. */
    uint64_t count = 0, rest = 0;
    DONE(varvite_walk_begin(walk, &start, 1, &error));
    DONE(varvite_walk_next(walk, others, sizeof *others, 3, &count, &error));
    DONE(varvite_walk_rest(walk, &rest, &error));
    CHECK(count == 3 && rest == degree - 2);
    CHECK(varvite_walk_next(walk, others, sizeof *others, 1, &count, NULL) == VARVITE_ABSENT && count == 0);
    DONE(varvite_walk_rest(walk, &rest, &error));
    CHECK(rest == 0);
    varvite_walk_counts counts;
    DONE(varvite_walk_count(walk, &counts, sizeof counts, &error));
    CHECK(counts.branches == degree + 1 && counts.results == degree + 1 && counts.expansions == 1 && counts.edges == degree);
    CHECK(varvite_walk_release(walk) == VARVITE_OK);
    CHECK(varvite_adjacency_release(tree) == VARVITE_OK);
}

static void paths_lead_from_the_start_to_the_last_result(const varvite_graph *graph) {
    varvite_error error;
    varvite_adjacency *tree = open_adjacency(graph, "AST", VARVITE_OUT);
    uint32_t start = hub(tree, 10);
    uint64_t count = 0, length = 0;
    varvite_step steps[64];
    varvite_visit visit;
    const char *description = "{\"version\":1,\"hops\":[{\"direction\":\"out\",\"edge_labels\":[\"AST\"]}]}";
    varvite_walk *walk = compiled(graph, description, 0);
    CHECK(varvite_walk_path(walk, steps, sizeof *steps, 64, &length, NULL) == VARVITE_ABSENT);
    DONE(varvite_walk_begin(walk, &start, 1, &error));
    for (int i = 0; i < 50; i++) {
        DONE(varvite_walk_next(walk, &visit, sizeof visit, 1, &count, &error));
        CHECK(count == 1);
        DONE(varvite_walk_path(walk, steps, sizeof *steps, 64, &length, &error));
        CHECK(length == visit.depth + 1 && steps[0].node == start && steps[visit.depth].node == visit.node);
        CHECK(steps[0].edge_label == VARVITE_NONE && (length == 1 || steps[length - 2].node == visit.parent));
    }
    CHECK(visit.depth > 0);
    FAILS(VARVITE_E_TOO_SMALL, "'steps'", varvite_walk_path(walk, steps, sizeof *steps, 1, &length, &error));
    CHECK(length == visit.depth + 1);
    CHECK(varvite_walk_release(walk) == VARVITE_OK);
    CHECK(varvite_adjacency_release(tree) == VARVITE_OK);
}

static void what_makes_no_sense_is_refused(const varvite_graph *graph) {
    varvite_error error;
    varvite_walk *walk = NULL;
    varvite_visit visit;
    uint32_t starts[2] = {3, NODES};
    uint64_t count = 9;
#define COMPILES(number, words, description) \
    FAILS(number, words, varvite_walk_compile(graph, description, strlen(description), 0, &walk, &error))
    COMPILES(VARVITE_E_PLAN, "not a walk", "{\"version\":1,\"hop\":[]}");
    COMPILES(VARVITE_E_PLAN, "version 2", "{\"version\":2}");
    COMPILES(VARVITE_E_UNKNOWN, "\"AST\"", "{\"version\":1,\"hops\":[{\"direction\":\"out\",\"edge_labels\":[\"ASTT\"]}]}");
    COMPILES(VARVITE_E_ARGUMENT, "at least 3 edges",
             "{\"version\":1,\"evaluators\":[{\"test\":\"depths\",\"least\":3},{\"test\":\"depths\",\"most\":2}]}");
    CHECK(walk == NULL);
    walk = compiled(graph, "{\"version\":1}", 0);
    FAILS(VARVITE_E_ARGUMENT, "follows no edge", varvite_walk_begin(walk, starts, 1, &error));
    FAILS(VARVITE_E_NO_SUCH_NODE, "44073", varvite_walk_begin(walk, starts, 2, &error));
    DONE(varvite_walk_next(walk, &visit, sizeof visit, 1, &count, &error));
    CHECK(count == 0);
    FAILS(VARVITE_E_ARGUMENT, "'visits'", varvite_walk_next(walk, NULL, sizeof visit, 1, &count, &error));
    FAILS(VARVITE_E_ARGUMENT, "'visits'", varvite_walk_next(walk, &visit, 0, 1, &count, &error));
    CHECK(varvite_walk_release(walk) == VARVITE_OK);
    FAILS(VARVITE_E_HANDLE, "'walk'", varvite_walk_next(walk, &visit, sizeof visit, 1, &count, &error));
}

static void a_call_without_room_loses_no_result(const varvite_graph *graph) {
    varvite_error error;
    varvite_visit visit;
    uint32_t start = 0;
    uint64_t count = 9;
    varvite_walk *walk = compiled(graph, "{\"version\":1,\"hops\":[{\"direction\":\"both\"}]}", 0);
    DONE(varvite_walk_begin(walk, &start, 1, &error));
    FAILS(VARVITE_E_ARGUMENT, "'capacity'", varvite_walk_next(walk, NULL, sizeof visit, 0, &count, &error));
    DONE(varvite_walk_next(walk, &visit, sizeof visit, 1, &count, &error));
    CHECK(count == 1 && visit.node == start && visit.depth == 0);
    CHECK(varvite_walk_release(walk) == VARVITE_OK);
}

/* Results found before a walk ends early are returned before its error. */
static void what_ends_a_walk_early_is_told_after_its_results(const varvite_graph *graph) {
    varvite_error error;
    static varvite_visit visits[ROOM];
    uint32_t start = 0;
    uint64_t count = 0;
    const char *description = "{\"version\":1,\"order\":\"breadth_first\",\"unique\":\"none\",\"hops\":[{\"direction\":\"both\"}]}";
    varvite_walk *walk = compiled(graph, description, 1 << 14);
    DONE(varvite_walk_begin(walk, &start, 1, &error));
    DONE(varvite_walk_next(walk, visits, sizeof *visits, ROOM, &count, &error));
    CHECK(count > 10 && count < ROOM && visits[0].node == start);
    FAILS(VARVITE_E_OVER_BUDGET, "16384", varvite_walk_next(walk, visits, sizeof *visits, ROOM, &count, &error));
    CHECK(count == 0);
    DONE(varvite_walk_next(walk, visits, sizeof *visits, ROOM, &count, &error));
    CHECK(count == 0);
    CHECK(varvite_walk_release(walk) == VARVITE_OK);
    walk = compiled(graph, description, 0);
    DONE(varvite_walk_begin(walk, &start, 1, &error));
    DONE(varvite_walk_cancel(walk, &error));
    int32_t status = VARVITE_OK;
    for (int i = 0; i < 10 && status == VARVITE_OK; i++) {
        error = fresh_error();
        status = varvite_walk_next(walk, visits, sizeof *visits, ROOM, &count, &error);
    }
    CHECK(status == VARVITE_E_CANCELLED);
    DONE(varvite_walk_begin(walk, &start, 1, &error));
    DONE(varvite_walk_cancel(walk, &error));
    error = fresh_error();
    count = 9;
    CHECK(varvite_walk_rest(walk, &count, &error) == VARVITE_E_CANCELLED && count == 0);
    /* Cancelling a walk does not cancel the next one. */
    CHECK(varvite_walk_begin(walk, &start, 1, NULL) == VARVITE_OK);
    DONE(varvite_walk_next(walk, visits, sizeof *visits, ROOM, &count, &error));
    CHECK(count == ROOM);
    CHECK(varvite_walk_release(walk) == VARVITE_OK);
}

void test_walk(const struct fixture *fixture) {
    for (int profile = 0; profile < PROFILES; profile++) {
        varvite_graph *graph = open_graph(fixture->path[profile]);
        a_walk_of_one_level_gives_the_neighbours(graph);
        paths_lead_from_the_start_to_the_last_result(graph);
        what_makes_no_sense_is_refused(graph);
        a_call_without_room_loses_no_result(graph);
        what_ends_a_walk_early_is_told_after_its_results(graph);
        CHECK(varvite_graph_release(graph) == VARVITE_OK);
    }
}
