/* Tests of labels of nodes. */
#include "suite.h"

static void the_nodes_of_a_label_come_in_parts(const varvite_graph *graph, uint32_t label, uint64_t expected) {
    varvite_error error;
    uint32_t nodes[1000], start = 0;
    uint64_t count = 0, total = 0;
    do {
        DONE(varvite_label_nodes(graph, label, start, nodes, 1000, &count, &error));
        for (uint64_t i = 0; i < count; i++) {
            uint8_t has = 9;
            DONE(varvite_node_has_label(graph, nodes[i], label, &has, &error));
            CHECK(has == 1 && nodes[i] >= start && (i == 0 || nodes[i] > nodes[i - 1]));
        }
        total += count;
        start = count > 0 ? nodes[count - 1] + 1 : 0;
    } while (count == 1000);
    CHECK(total == expected);
}

static void no_node_is_beyond_the_last(const varvite_graph *graph) {
    varvite_error error;
    uint32_t node = 0;
    uint64_t count = 9;
    for (uint32_t label = 0; label < 44; label++) {
        DONE(varvite_label_nodes(graph, label, 44073, &node, 1, &count, &error));
        CHECK(count == 0);
        DONE(varvite_label_nodes(graph, label, UINT32_MAX, &node, 1, &count, &error));
        CHECK(count == 0);
    }
}

static void codes_stand_for_masks(const varvite_graph *graph, uint32_t label) {
    enum { NODES = 2000 };
    varvite_error error;
    varvite_graph_info info;
    uint64_t masks[256], count = 0;
    uint32_t nodes[NODES], codes[NODES];
    for (uint32_t i = 0; i < NODES; i++) {
        nodes[i] = i * 22;
    }
    DONE(varvite_graph_describe(graph, &info, sizeof info, &error));
    CHECK(info.label_set_words == 1);
    DONE(varvite_graph_label_sets(graph, masks, 256, &count, &error));
    CHECK(count == info.label_set_count);
    DONE(varvite_label_codes(graph, nodes, codes, NODES, &error));
    for (uint32_t i = 0; i < NODES; i++) {
        uint8_t has = 9;
        uint32_t labels[28];
        DONE(varvite_node_has_label(graph, nodes[i], label, &has, &error));
        CHECK((masks[codes[i]] >> label & 1) == has);
        DONE(varvite_node_labels(graph, nodes[i], labels, 28, &count, &error));
        CHECK(count == 1 && masks[codes[i]] >> labels[0] == 1);
    }
}

static void nodes_and_labels_that_do_not_exist_are_errors(const varvite_graph *graph) {
    varvite_error error;
    uint32_t nodes[2] = {0, 44073}, codes[2];
    uint64_t count = 0;
    uint8_t has = 9;
    FAILS(VARVITE_E_NO_SUCH_NODE, "ids are 0 to 44072", varvite_node_has_label(graph, 44073, 0, &has, &error));
    FAILS(VARVITE_E_UNKNOWN, "44: the graph has", varvite_node_has_label(graph, 0, 44, &has, &error));
    FAILS(VARVITE_E_NO_SUCH_NODE, "44073", varvite_label_codes(graph, nodes, codes, 2, &error));
    FAILS(VARVITE_E_NO_SUCH_NODE, "4294967295", varvite_node_labels(graph, UINT32_MAX, codes, 2, &count, &error));
    FAILS(VARVITE_E_UNKNOWN, "label", varvite_label_nodes(graph, VARVITE_NONE, 0, nodes, 2, &count, &error));
}

void test_labels(const struct fixture *fixture) {
    varvite_error error;
    for (int profile = 0; profile < PROFILES; profile++) {
        varvite_graph *graph = open_graph(fixture->path[profile]);
        uint32_t call = VARVITE_NONE, modifier = VARVITE_NONE;
        DONE(varvite_label_find(graph, "CALL", &call, &error));
        DONE(varvite_label_find(graph, "MODIFIER", &modifier, &error));
        the_nodes_of_a_label_come_in_parts(graph, call, 14910);
        the_nodes_of_a_label_come_in_parts(graph, modifier, 7);
        no_node_is_beyond_the_last(graph);
        codes_stand_for_masks(graph, call);
        nodes_and_labels_that_do_not_exist_are_errors(graph);
        CHECK(varvite_graph_release(graph) == VARVITE_OK);
    }
}
