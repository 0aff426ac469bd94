/* Tests of varvite_cpg.h: sites and calls, compared with hops and properties. */
#include "suite.h"

enum { ROOM = 4096, TEXTS = 1 << 16 };

/* The METHOD with this NAME; exactly one must exist. */
static uint32_t method_of(const varvite_graph *graph, const char *name) {
    varvite_error error;
    varvite_property *names = open_property(graph, "NAME");
    uint32_t code = 0, label = 0, owners[ROOM], found = VARVITE_NONE;
    uint64_t count = 0;
    DONE(varvite_label_find(graph, "METHOD", &label, &error));
    DONE(varvite_property_text_find(names, name, strlen(name), &code, &error));
    DONE(varvite_property_equal(names, code, owners, ROOM, &count, &error));
    for (uint64_t i = 0; i < count; i++) {
        uint8_t has = 0;
        DONE(varvite_node_has_label(graph, owners[i], label, &has, &error));
        CHECK(!has || found == VARVITE_NONE);
        found = has ? owners[i] : found;
    }
    CHECK(found != VARVITE_NONE);
    CHECK(varvite_property_release(names) == VARVITE_OK);
    return found;
}

/* Checks that the value of a node's property is the text `found`. */
static void same_text(const varvite_property *property, uint32_t node, const char *found, uint64_t length) {
    varvite_error error;
    char text[ROOM];
    int64_t code = 0;
    uint64_t expected = 0;
    DONE(varvite_property_number(property, node, &code, &error));
    DONE(varvite_property_text(property, (uint32_t)code, text, ROOM, &expected, &error));
    CHECK(expected == length && memcmp(text, found, length) == 0);
}

static void calls_are_the_in_edges_of_a_method(const varvite_graph *graph, uint32_t method) {
    varvite_error error;
    varvite_adjacency *callers = open_adjacency(graph, "CALL", VARVITE_IN);
    uint32_t calls[ROOM], neighbors[ROOM], twice[2] = {method, method};
    uint64_t count = 0, degree = 0;
    DONE(varvite_calls_of(graph, twice, 2, calls, ROOM, &count, &error));
    DONE(varvite_adjacency_neighbors(callers, method, neighbors, ROOM, &degree, &error));
    CHECK(count > 0 && count == degree);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t at = 0;
        CHECK(i == 0 || calls[i - 1] < calls[i]);
        while (at < degree && neighbors[at] != calls[i]) {
            at++;
        }
        CHECK(at < degree);
    }
    CHECK(varvite_adjacency_release(callers) == VARVITE_OK);
    FAILS(VARVITE_E_TOO_SMALL, "'calls'", varvite_calls_of(graph, &method, 1, calls, degree - 1, &count, &error));
    CHECK(count == degree);
}

static void callees_are_counted_by_their_calls(const varvite_graph *graph, uint32_t method) {
    varvite_error error;
    varvite_adjacency *contents = open_adjacency(graph, "CONTAINS", VARVITE_OUT);
    varvite_adjacency *targets = open_adjacency(graph, "CALL", VARVITE_OUT);
    static uint32_t inside[ROOM], targets_of[ROOM];
    uint32_t callees[ROOM];
    uint64_t calls[ROOM], count = 0, nodes = 0, expanded = 0, hops = 0, sum = 0;
    DONE(varvite_adjacency_neighbors(contents, method, inside, ROOM, &nodes, &error));
    DONE(varvite_adjacency_expand(targets, inside, nodes, targets_of, ROOM, NULL, &expanded, &hops, &error));
    CHECK(expanded == nodes && hops > 0);
    DONE(varvite_callees_of(graph, &method, 1, callees, calls, ROOM, &count, &error));
    for (uint64_t i = 0; i < count; i++) {
        uint64_t of_callee = 0;
        CHECK(i == 0 || callees[i - 1] < callees[i]);
        for (uint64_t at = 0; at < hops; at++) {
            of_callee += targets_of[at] == callees[i];
        }
        CHECK(of_callee == calls[i]);
        sum += calls[i];
    }
    CHECK(sum == hops);
    DONE(varvite_callees_of(graph, &method, 1, callees, NULL, ROOM, &nodes, &error));
    CHECK(nodes == count);
    CHECK(varvite_adjacency_release(contents) == VARVITE_OK);
    CHECK(varvite_adjacency_release(targets) == VARVITE_OK);
}

/* Checks the sites of all calls of a METHOD: each site has the METHOD that contains the call, that METHOD's
 * file, and the line of the call. */
static void a_call_is_in_the_method_and_file_that_contain_it(const varvite_graph *graph, uint32_t method) {
    varvite_error error;
    varvite_property *names = open_property(graph, "FULL_NAME"), *files = open_property(graph, "FILENAME");
    varvite_property *lines = open_property(graph, "LINE_NUMBER");
    varvite_adjacency *containers = open_adjacency(graph, "CONTAINS", VARVITE_IN);
    const uint32_t all = VARVITE_SITE_FILE | VARVITE_SITE_LINE | VARVITE_SITE_METHOD | VARVITE_SITE_METHOD_NAME;
    static char texts[TEXTS];
    uint32_t calls[ROOM];
    static varvite_site sites[ROOM];
    uint64_t count = 0, answered = 0;
    DONE(varvite_calls_of(graph, &method, 1, calls, ROOM, &count, &error));
    DONE(varvite_sites(graph, calls, count, sites, sizeof *sites, texts, TEXTS, &answered, &error));
    CHECK(answered == count);
    for (uint64_t i = 0; i < count; i++) {
        uint32_t container = 0;
        uint64_t degree = 0;
        int64_t line = 0;
        CHECK(sites[i].known == all);
        DONE(varvite_adjacency_neighbors(containers, calls[i], &container, 1, &degree, &error));
        DONE(varvite_property_number(lines, calls[i], &line, &error));
        CHECK(sites[i].method == container && sites[i].line == line && line > 0);
        same_text(names, container, texts + sites[i].method_name, sites[i].method_name_length);
        same_text(files, container, texts + sites[i].file, sites[i].file_length);
    }
    CHECK(varvite_adjacency_release(containers) == VARVITE_OK);
    CHECK(varvite_property_release(names) == VARVITE_OK);
    CHECK(varvite_property_release(files) == VARVITE_OK);
    CHECK(varvite_property_release(lines) == VARVITE_OK);
}

static uint64_t pinned_bytes(const varvite_graph *graph) {
    varvite_error error;
    varvite_memory memory;
    DONE(varvite_graph_memory(graph, &memory, sizeof memory, &error));
    return memory.pinned;
}

/* The columns of sites stay open for later calls. If they are decoded they take memory, which
 * varvite_graph_trim frees. */
static void trim_gives_back_the_columns_of_sites(const varvite_graph *graph) {
    varvite_error error;
    varvite_site site;
    char texts[1024];
    uint32_t node = 0;
    uint64_t answered = 0;
    DONE(varvite_graph_trim(graph, &error));
    uint64_t before = pinned_bytes(graph);
    DONE(varvite_sites(graph, &node, 1, &site, sizeof site, texts, sizeof texts, &answered, &error));
    CHECK(pinned_bytes(graph) > before);
    DONE(varvite_graph_trim(graph, &error));
    CHECK(pinned_bytes(graph) == before);
    DONE(varvite_sites(graph, &node, 1, &site, sizeof site, texts, sizeof texts, &answered, &error));
}

/* With a small buffer for names, a call answers only for the first nodes, and the next calls answer for the
 * rest. */
static void sites_come_in_as_many_parts_as_their_names_need(const varvite_graph *graph) {
    varvite_error error;
    enum { NODES = 300 };
    static varvite_site whole[NODES], parts[NODES];
    static char texts[TEXTS], some[400];
    uint32_t nodes[NODES];
    uint64_t answered = 0, done = 0, calls = 0;
    for (uint32_t i = 0; i < NODES; i++) {
        nodes[i] = i * 140;
    }
    DONE(varvite_sites(graph, nodes, NODES, whole, sizeof *whole, texts, TEXTS, &answered, &error));
    CHECK(answered == NODES);
    for (; done < NODES; done += answered, calls++) {
        DONE(varvite_sites(graph, nodes + done, NODES - done, parts, sizeof *parts, some, sizeof some, &answered, &error));
        CHECK(answered > 0 && answered <= NODES - done);
        for (uint64_t i = 0; i < answered; i++) {
            const varvite_site *expected = &whole[done + i], *found = &parts[i];
            CHECK(found->known == expected->known && found->line == expected->line && found->method == expected->method);
            CHECK(found->file_length == expected->file_length);
            CHECK(memcmp(some + found->file, texts + expected->file, found->file_length) == 0);
            CHECK(found->method_name_length == expected->method_name_length);
            CHECK(memcmp(some + found->method_name, texts + expected->method_name, found->method_name_length) == 0);
        }
    }
    CHECK(calls > 1);
}

static void what_makes_no_sense_is_refused(const varvite_graph *graph, uint32_t method) {
    varvite_error error;
    varvite_site site;
    char texts[1];
    uint32_t nodes[2] = {method, 44073};
    uint64_t count = 9;
    FAILS(VARVITE_E_NO_SUCH_NODE, "44073", varvite_sites(graph, nodes, 2, &site, sizeof site, texts, 1, &count, &error));
    FAILS(VARVITE_E_NO_SUCH_NODE, "44073", varvite_calls_of(graph, nodes, 2, nodes, 2, &count, &error));
    FAILS(VARVITE_E_NO_SUCH_NODE, "44073", varvite_callees_of(graph, nodes, 2, nodes, NULL, 2, &count, &error));
    FAILS(VARVITE_E_ARGUMENT, "'sites'", varvite_sites(graph, nodes, 1, &site, 0, texts, 1, &count, &error));
    FAILS(VARVITE_E_ARGUMENT, "'texts'", varvite_sites(graph, nodes, 1, &site, sizeof site, NULL, 1, &count, &error));
    CHECK(count == 9);
    FAILS(VARVITE_E_TOO_SMALL, "'texts'", varvite_sites(graph, nodes, 1, &site, sizeof site, texts, 1, &count, &error));
    CHECK(count == 0);
    DONE(varvite_sites(graph, nodes, 0, &site, sizeof site, texts, 1, &count, &error));
    DONE(varvite_calls_of(graph, nodes, 0, NULL, 0, &count, &error));
    CHECK(count == 0);
}

/*
 * In a tree that is a single chain, the path from a node to its METHOD is as long as the chain. After some
 * such searches the library gives up and marks the sites.
 */
static void sites_that_are_too_deep_are_marked(const struct fixture *fixture) {
    varvite_error error;
    enum { NODES = 20000, QUESTIONS = 400 };
    static varvite_site sites[QUESTIONS];
    char path[1024], texts[1];
    uint32_t nodes[QUESTIONS];
    uint64_t answered = 0;
    for (uint32_t i = 0; i < QUESTIONS; i++) {
        /* The nodes alternate between two positions that are so far apart that neither search can reuse the
         * other's result. */
        nodes[i] = i % 2 == 0 ? NODES - 1 : NODES / 2;
    }
    int length = (int)(strrchr(fixture->source, '/') - fixture->source);
    snprintf(path, sizeof path, "%.*s/../../conformance/files/graphs/deep-tree.varvite", length, fixture->source);
    varvite_graph *graph = open_graph(path);
    DONE(varvite_sites(graph, nodes, QUESTIONS, sites, sizeof *sites, texts, sizeof texts, &answered, &error));
    CHECK(answered == QUESTIONS);
    CHECK(sites[0].known == 0);
    CHECK(sites[QUESTIONS - 1].known == VARVITE_SITE_CUT_OFF);
    /* The next call has its own limit. */
    DONE(varvite_sites(graph, nodes, 1, sites, sizeof *sites, texts, sizeof texts, &answered, &error));
    CHECK(sites[0].known == 0);
    CHECK(varvite_graph_release(graph) == VARVITE_OK);
}

/* If a column that the answer depends on is damaged, the call reports the damage. */
static void damage_on_the_way_is_told(const struct fixture *fixture) {
    varvite_error error;
    enum { NODES = 12 };
    char path[1024], texts[64];
    uint32_t nodes[NODES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    uint64_t answered = 0;
    varvite_site sites[NODES];
    int length = (int)(strrchr(fixture->source, '/') - fixture->source);
    snprintf(path, sizeof path, "%.*s/../../conformance/files/damaged/text-outside.varvite", length, fixture->source);
    varvite_graph *graph = open_graph(path);
    FAILS(VARVITE_E_DAMAGED, "impossible value",
          varvite_sites(graph, nodes, NODES, sites, sizeof *sites, texts, sizeof texts, &answered, &error));
    CHECK(varvite_graph_release(graph) == VARVITE_OK);
}

void test_cpg(const struct fixture *fixture) {
    sites_that_are_too_deep_are_marked(fixture);
    damage_on_the_way_is_told(fixture);
    for (int profile = 0; profile < PROFILES; profile++) {
        varvite_graph *graph = open_graph(fixture->path[profile]);
        uint32_t method = method_of(graph, "inflate_fast");
        calls_are_the_in_edges_of_a_method(graph, method);
        callees_are_counted_by_their_calls(graph, method);
        a_call_is_in_the_method_and_file_that_contain_it(graph, method);
        sites_come_in_as_many_parts_as_their_names_need(graph);
        trim_gives_back_the_columns_of_sites(graph);
        what_makes_no_sense_is_refused(graph, method);
        CHECK(varvite_graph_release(graph) == VARVITE_OK);
    }
}
