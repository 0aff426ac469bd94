/* Tests of neighbour lists: of one node at a time, and of many nodes in one call. */
#include "suite.h"

enum { NODES = 44073, ROOM = 4096 };

/* Visits all edges with one call per node. Returns a sum that depends on the edges and their order; `edges`
 * gets their count. */
static uint64_t sum_of_hops(const varvite_adjacency *adjacency, uint64_t *edges) {
    varvite_error error;
    static uint32_t list[ROOM];
    uint64_t sum = 0;
    *edges = 0;
    for (uint32_t node = 0; node < NODES; node++) {
        uint64_t count = 0;
        DONE(varvite_adjacency_neighbors(adjacency, node, list, ROOM, &count, &error));
        for (uint64_t i = 0; i < count; i++) {
            CHECK(list[i] < NODES);
            sum = sum * 31 + list[i] + node;
        }
        *edges += count;
    }
    return sum;
}

/* The same as sum_of_hops, with one call per frontier. */
static uint64_t sum_of_frontiers(const varvite_adjacency *adjacency, uint64_t *edges) {
    varvite_error error;
    static uint32_t frontier[NODES], list[ROOM];
    static uint64_t ends[NODES];
    uint64_t sum = 0, done = 0;
    *edges = 0;
    for (uint32_t node = 0; node < NODES; node++) {
        frontier[node] = node;
    }
    while (done < NODES) {
        uint64_t expanded = 0, count = 0, at = 0;
        DONE(varvite_adjacency_expand(adjacency, frontier + done, NODES - done, list, ROOM, ends, &expanded, &count, &error));
        CHECK(expanded > 0 && expanded <= NODES - done && count <= ROOM && ends[expanded - 1] == count);
        for (uint64_t i = 0; i < expanded; i++) {
            for (; at < ends[i]; at++) {
                sum = sum * 31 + list[at] + frontier[done + i];
            }
        }
        *edges += count;
        done += expanded;
    }
    return sum;
}

static void all_ways_lead_to_the_same_edges(const struct fixture *fixture, const char *label, uint32_t direction,
                                            uint64_t expected) {
    uint64_t sums[PROFILES], edges = 0;
    for (int profile = 0; profile < PROFILES; profile++) {
        varvite_graph *graph = open_graph(fixture->path[profile]);
        varvite_adjacency *adjacency = open_adjacency(graph, label, direction);
        sums[profile] = sum_of_hops(adjacency, &edges);
        CHECK(edges == expected && sums[profile] == sums[0]);
        CHECK(sum_of_frontiers(adjacency, &edges) == sums[0] && edges == expected);
        CHECK(varvite_adjacency_release(adjacency) == VARVITE_OK);
        CHECK(varvite_graph_release(graph) == VARVITE_OK);
    }
}

static void plain_lists_can_be_borrowed(const struct fixture *fixture) {
    varvite_error error;
    varvite_graph *graph = open_graph(fixture->path[VARVITE_DIRECT]);
    varvite_adjacency *adjacency = open_adjacency(graph, "CFG", VARVITE_OUT);
    uint64_t borrowed = 0;
    for (uint32_t node = 0; node < NODES; node++) {
        uint32_t list[ROOM];
        const uint32_t *lent = NULL;
        uint64_t count = 0, lent_count = 0;
        int32_t status = varvite_adjacency_borrow(adjacency, node, &lent, &lent_count, NULL);
        DONE(varvite_adjacency_neighbors(adjacency, node, list, ROOM, &count, &error));
        if (status == VARVITE_BORROWED) {
            CHECK(lent_count == count && (count == 0 || memcmp(lent, list, count * sizeof *list) == 0));
            borrowed += count;
        } else {
            CHECK(status == VARVITE_ABSENT);
        }
    }
    printf("c:   borrowed %llu CFG edges of the direct file\n", (unsigned long long)borrowed);
    CHECK(varvite_adjacency_release(adjacency) == VARVITE_OK);
    CHECK(varvite_graph_release(graph) == VARVITE_OK);
}

static void ranks_follow_each_other(const struct fixture *fixture) {
    varvite_error error;
    varvite_graph *graph = open_graph(fixture->path[VARVITE_COMPACT]);
    varvite_adjacency *flow = open_adjacency(graph, "REACHING_DEF", VARVITE_OUT);
    varvite_adjacency *ast = open_adjacency(graph, "AST", VARVITE_OUT);
    static uint32_t ranks[ROOM];
    uint64_t next = 0, rank = 0, degree = 0, count = 0;
    for (uint32_t node = 0; node < NODES; node++) {
        DONE(varvite_adjacency_degree(flow, node, &degree, &error));
        if (degree > 0) {
            CHECK(varvite_adjacency_first_rank(flow, node, &rank, NULL) == VARVITE_OK && rank == next);
        }
        DONE(varvite_adjacency_ranks(flow, node, ranks, ROOM, &count, &error));
        CHECK(count == degree);
        for (uint64_t place = 0; place < count; place++) {
            CHECK(ranks[place] == next + place);
        }
        next += degree;
    }
    CHECK(varvite_adjacency_first_rank(ast, 5, &rank, NULL) == VARVITE_ABSENT);
    CHECK(varvite_adjacency_release(flow) == VARVITE_OK && varvite_adjacency_release(ast) == VARVITE_OK);
    CHECK(varvite_graph_release(graph) == VARVITE_OK);
}

static void an_edge_has_the_same_rank_from_both_ends(const struct fixture *fixture) {
    varvite_error error;
    varvite_graph *graph = open_graph(fixture->path[VARVITE_COMPACT]);
    varvite_adjacency *out = open_adjacency(graph, "REACHING_DEF", VARVITE_OUT);
    varvite_adjacency *in = open_adjacency(graph, "REACHING_DEF", VARVITE_IN);
    varvite_adjacency *calls = open_adjacency(graph, "CALL", VARVITE_IN);
    static uint32_t targets[ROOM], ranks[ROOM], sources[ROOM], arriving[ROOM];
    uint64_t count = 0, rank_count = 0, source_count = 0, found = 0, edges = 0;
    /* Some nodes have hundreds of neighbours, which have hundreds of neighbours too. */
    for (uint32_t node = 0; node < NODES; node += 5) {
        DONE(varvite_adjacency_neighbors(out, node, targets, ROOM, &count, &error));
        DONE(varvite_adjacency_ranks(out, node, ranks, ROOM, &rank_count, &error));
        CHECK(count == rank_count);
        for (uint64_t place = 0; place < count; place++, edges++) {
            DONE(varvite_adjacency_neighbors(in, targets[place], sources, ROOM, &source_count, &error));
            DONE(varvite_adjacency_ranks(in, targets[place], arriving, ROOM, &rank_count, &error));
            CHECK(source_count == rank_count);
            for (uint64_t entry = 0; entry < source_count; entry++) {
                found += sources[entry] == node && arriving[entry] == ranks[place];
            }
        }
    }
    CHECK(edges > 0 && found == edges);
    CHECK(varvite_adjacency_ranks(calls, 0, ranks, ROOM, &count, NULL) == VARVITE_ABSENT);
    CHECK(varvite_adjacency_release(out) == VARVITE_OK && varvite_adjacency_release(in) == VARVITE_OK);
    CHECK(varvite_adjacency_release(calls) == VARVITE_OK && varvite_graph_release(graph) == VARVITE_OK);
}

static void what_does_not_fit_says_what_is_needed(const struct fixture *fixture) {
    varvite_error error;
    varvite_graph *graph = open_graph(fixture->path[VARVITE_COMPACT]);
    varvite_adjacency *ast = open_adjacency(graph, "AST", VARVITE_OUT);
    uint32_t node = 0, room[2] = {7, 7};
    uint64_t degree = 0, count = 0, expanded = 9;
    for (; degree < 3; node++) {
        DONE(varvite_adjacency_degree(ast, node, &degree, &error));
    }
    node--;
    FAILS(VARVITE_E_TOO_SMALL, "2 items", varvite_adjacency_neighbors(ast, node, room, 2, &count, &error));
    CHECK(count == degree);
    FAILS(VARVITE_E_TOO_SMALL, "needed", varvite_adjacency_expand(ast, &node, 1, room, 2, NULL, &expanded, &count, &error));
    CHECK(expanded == 0 && count == 0);
    DONE(varvite_adjacency_expand(ast, NULL, 0, NULL, 0, NULL, &expanded, &count, &error));
    CHECK(expanded == 0 && count == 0);
    CHECK(varvite_adjacency_release(ast) == VARVITE_OK && varvite_graph_release(graph) == VARVITE_OK);
}

static void what_does_not_exist_is_an_error(const struct fixture *fixture) {
    varvite_error error;
    varvite_graph *graph = open_graph(fixture->path[VARVITE_COMPACT]);
    varvite_adjacency *ast = open_adjacency(graph, "AST", VARVITE_OUT), *none = NULL;
    uint32_t frontier[2] = {0, NODES}, list[ROOM];
    uint64_t expanded = 0, count = 0;
    FAILS(VARVITE_E_NO_SUCH_NODE, "44073", varvite_adjacency_neighbors(ast, NODES, list, ROOM, &count, &error));
    FAILS(VARVITE_E_NO_SUCH_NODE, "44073",
          varvite_adjacency_expand(ast, frontier, 2, list, ROOM, NULL, &expanded, &count, &error));
    FAILS(VARVITE_E_UNKNOWN, "edge label", varvite_adjacency_open(graph, 4000, VARVITE_OUT, &none, &error));
    FAILS(VARVITE_E_ARGUMENT, "direction", varvite_adjacency_open(graph, 0, 2, &none, &error));
    CHECK(none == NULL);
    CHECK(varvite_adjacency_release(ast) == VARVITE_OK && varvite_graph_release(graph) == VARVITE_OK);
}

void test_adjacency(const struct fixture *fixture) {
    all_ways_lead_to_the_same_edges(fixture, "CALL", VARVITE_OUT, 14883);
    all_ways_lead_to_the_same_edges(fixture, "CALL", VARVITE_IN, 14883);
    all_ways_lead_to_the_same_edges(fixture, "CAPTURE", VARVITE_OUT, 25);
    all_ways_lead_to_the_same_edges(fixture, "BINDS", VARVITE_IN, 190);
    plain_lists_can_be_borrowed(fixture);
    ranks_follow_each_other(fixture);
    an_edge_has_the_same_rank_from_both_ends(fixture);
    what_does_not_fit_says_what_is_needed(fixture);
    what_does_not_exist_is_an_error(fixture);
}
