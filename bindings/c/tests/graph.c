/* An open graph and its schema. */
#include "suite.h"

static void info_and_schema_agree(const struct fixture *fixture, uint32_t profile) {
    varvite_error error;
    varvite_graph *graph = open_graph(fixture->path[profile]);
    varvite_graph_info info;
    uint64_t count = 0;
    DONE(varvite_graph_describe(graph, &info, &error));
    CHECK(info.node_count == 44073 && info.edge_count == 512785);
    CHECK(info.profile == profile && info.is_mapped == 1 && info.is_recovered == 0);

    varvite_edge_label *edge_labels = (varvite_edge_label *)calloc(info.edge_label_count, sizeof *edge_labels);
    DONE(varvite_graph_edge_labels(graph, edge_labels, info.edge_label_count, &count, &error));
    CHECK(count == info.edge_label_count);
    uint64_t edges = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint32_t number = VARVITE_NONE;
        edges += edge_labels[i].edge_count;
        CHECK(strlen(edge_labels[i].name) == edge_labels[i].name_length);
        DONE(varvite_edge_label_find(graph, edge_labels[i].name, &number, &error));
        CHECK(number == i);
    }
    CHECK(edges == info.edge_count);
    CHECK(strcmp(edge_labels[info.forest_edge_label].name, "AST") == 0);
    free(edge_labels);
    CHECK(varvite_graph_release(graph) == VARVITE_OK);
}

static void labels_have_counts(const varvite_graph *graph) {
    varvite_error error;
    varvite_label labels[64];
    uint64_t count = 0;
    uint32_t call = VARVITE_NONE;
    DONE(varvite_graph_labels(graph, labels, 64, &count, &error));
    DONE(varvite_label_find(graph, "CALL", &call, &error));
    CHECK(strcmp(labels[call].name, "CALL") == 0 && labels[call].node_count == 14910);
}

static void properties_have_types(const varvite_graph *graph) {
    varvite_error error;
    varvite_property_info properties[128];
    uint64_t count = 0;
    uint32_t name = VARVITE_NONE, line = VARVITE_NONE;
    DONE(varvite_graph_properties(graph, properties, 128, &count, &error));
    DONE(varvite_property_find(graph, VARVITE_NONE, "NAME", &name, &error));
    DONE(varvite_property_find(graph, VARVITE_NONE, "LINE_NUMBER", &line, &error));
    CHECK(properties[name].value_type == VARVITE_STRING && properties[name].strings_column != VARVITE_NONE);
    CHECK(properties[name].edge_label == VARVITE_NONE);
    CHECK(properties[line].value_type == VARVITE_I32 && properties[line].cardinality == VARVITE_OPTIONAL);
    CHECK(strcmp(properties[name].default_text, "<empty>") == 0 && properties[name].default_length == 7);
}

static void layers_say_what_made_them(const varvite_graph *graph) {
    varvite_error error;
    varvite_layer layers[8];
    uint64_t count = 0;
    DONE(varvite_graph_layers(graph, layers, 8, &count, &error));
    CHECK(count > 0 && strcmp(layers[0].name, "code") == 0);
}

static void unknown_names_are_answered_with_the_nearest(const varvite_graph *graph) {
    varvite_error error;
    uint32_t number = 7;
    FAILS(VARVITE_E_UNKNOWN, "nearest is \"METHOD\"", varvite_label_find(graph, "METHODS", &number, &error));
    FAILS(VARVITE_E_UNKNOWN, "edge label", varvite_edge_label_find(graph, "NOTHING_LIKE_IT", &number, &error));
    FAILS(VARVITE_E_UNKNOWN, "property", varvite_property_find(graph, VARVITE_NONE, "NAM", &number, &error));
    FAILS(VARVITE_E_UNKNOWN, "edge label", varvite_property_find(graph, 9999, "NAME", &number, &error));
    CHECK(number == 7);
}

static void a_list_that_does_not_fit_is_not_cut_off(const varvite_graph *graph) {
    varvite_error error;
    varvite_label one;
    uint64_t count = 0;
    memset(&one, 0, sizeof one);
    FAILS(VARVITE_E_TOO_SMALL, "44 are needed", varvite_graph_labels(graph, &one, 1, &count, &error));
    CHECK(count == 44 && one.name == NULL);
    FAILS(VARVITE_E_TOO_SMALL, "44", varvite_graph_labels(graph, NULL, 0, &count, &error));
}

static void a_buffered_graph_answers_alike(const struct fixture *fixture) {
    varvite_error error;
    varvite_open_options options = VARVITE_OPEN_OPTIONS_INIT;
    varvite_graph *graph = NULL;
    varvite_graph_info info;
    options.mode = VARVITE_BUFFERED;
    DONE(varvite_graph_open(fixture->path[VARVITE_DIRECT], &options, &graph, &error));
    DONE(varvite_graph_describe(graph, &info, &error));
    CHECK(info.is_mapped == 0 && info.node_count == 44073);
    CHECK(varvite_graph_release(graph) == VARVITE_OK);
    options.mode = 9;
    FAILS(VARVITE_E_ARGUMENT, "options.mode", varvite_graph_open("x", &options, &graph, &error));
    options.size = 0;
    FAILS(VARVITE_E_ARGUMENT, "sizeof", varvite_graph_open("x", &options, &graph, &error));
    options.size = 4000;
    FAILS(VARVITE_E_ARGUMENT, "4000 bytes", varvite_graph_open("x", &options, &graph, &error));
}

static void what_is_no_graph_says_so(const struct fixture *fixture) {
    varvite_error error;
    varvite_graph *graph = NULL;
    FAILS(VARVITE_E_NOT_VARVITE, "not a Varvite file", varvite_graph_open(fixture->source, NULL, &graph, &error));
    FAILS(VARVITE_E_NOT_A_FILE, "regular file", varvite_graph_open(fixture->folder, NULL, &graph, &error));
}

static void everything_keeps_the_graph_open(const struct fixture *fixture) {
    varvite_error error;
    varvite_graph *graph = open_graph(fixture->path[VARVITE_COMPACT]);
    varvite_adjacency *calls = open_adjacency(graph, "CALL", VARVITE_OUT);
    varvite_adjacency *same = calls;
    uint64_t degree = 0;
    CHECK(varvite_adjacency_retain(same) == VARVITE_OK);
    CHECK(varvite_graph_release(graph) == VARVITE_OK);
    CHECK(varvite_adjacency_release(calls) == VARVITE_OK);
    DONE(varvite_adjacency_degree(same, 5, &degree, &error));
    CHECK(varvite_adjacency_release(same) == VARVITE_OK);
    FAILS(VARVITE_E_HANDLE, "released", varvite_adjacency_degree(same, 5, &degree, &error));
}

void test_graph(const struct fixture *fixture) {
    varvite_error error;
    for (uint32_t profile = 0; profile < PROFILES; profile++) {
        info_and_schema_agree(fixture, profile);
    }
    varvite_graph *graph = open_graph(fixture->path[VARVITE_COMPACT]);
    labels_have_counts(graph);
    properties_have_types(graph);
    layers_say_what_made_them(graph);
    unknown_names_are_answered_with_the_nearest(graph);
    a_list_that_does_not_fit_is_not_cut_off(graph);
    DONE(varvite_graph_check(graph, &error));
    CHECK(varvite_graph_release(graph) == VARVITE_OK);
    a_buffered_graph_answers_alike(fixture);
    what_is_no_graph_says_so(fixture);
    everything_keeps_the_graph_open(fixture);
}
