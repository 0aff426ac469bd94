/* Tests of an open graph, its schema and its memory. */
#include "suite.h"

static void info_and_schema_agree(const struct fixture *fixture, uint32_t profile) {
    varvite_error error;
    varvite_graph *graph = open_graph(fixture->path[profile]);
    varvite_graph_info info;
    uint64_t count = 0;
    DONE(varvite_graph_describe(graph, &info, sizeof info, &error));
    CHECK(info.node_count == 44073 && info.edge_count == 512785);
    CHECK(info.profile == profile && info.is_mapped == 1 && info.is_recovered == 0);

    varvite_edge_label *edge_labels = (varvite_edge_label *)calloc(info.edge_label_count, sizeof *edge_labels);
    DONE(varvite_graph_edge_labels(graph, edge_labels, sizeof *edge_labels, info.edge_label_count, &count, &error));
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
    CHECK(strcmp(edge_labels[info.tree_edge_label].name, "AST") == 0);
    free(edge_labels);
    CHECK(varvite_graph_release(graph) == VARVITE_OK);
}

static void labels_have_counts(const varvite_graph *graph) {
    varvite_error error;
    varvite_label labels[64];
    uint64_t count = 0;
    uint32_t call = VARVITE_NONE;
    DONE(varvite_graph_labels(graph, labels, sizeof *labels, 64, &count, &error));
    DONE(varvite_label_find(graph, "CALL", &call, &error));
    CHECK(strcmp(labels[call].name, "CALL") == 0 && labels[call].node_count == 14910);
}

static void properties_have_types(const varvite_graph *graph) {
    varvite_error error;
    varvite_property_info properties[128];
    uint64_t count = 0;
    uint32_t name = VARVITE_NONE, line = VARVITE_NONE;
    DONE(varvite_graph_properties(graph, properties, sizeof *properties, 128, &count, &error));
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
    DONE(varvite_graph_layers(graph, layers, sizeof *layers, 8, &count, &error));
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
    FAILS(VARVITE_E_TOO_SMALL, "44 are needed", varvite_graph_labels(graph, &one, sizeof one, 1, &count, &error));
    CHECK(count == 44 && one.name == NULL);
    FAILS(VARVITE_E_TOO_SMALL, "44", varvite_graph_labels(graph, NULL, sizeof(varvite_label), 0, &count, &error));
}

/*
 * A program that was compiled with an older or newer header has a shorter or longer struct. The library fills
 * the fields that both it and the program know, and writes zeros to the program's other fields.
 */
static void a_struct_of_another_age_gets_what_both_know(const varvite_graph *graph) {
    varvite_error error;
    varvite_graph_info info;
    DONE(varvite_graph_describe(graph, &info, sizeof info, &error));
    struct {
        varvite_graph_info known;
        uint64_t later;
    } longer;
    memset(&longer, 0xff, sizeof longer);
    DONE(varvite_graph_describe(graph, &longer.known, sizeof longer, &error));
    CHECK(memcmp(&longer.known, &info, sizeof info) == 0 && longer.later == 0);
    uint64_t shorter[2] = {0, 77};
    DONE(varvite_graph_describe(graph, (varvite_graph_info *)(void *)shorter, sizeof *shorter, &error));
    CHECK(shorter[0] == info.edge_count && shorter[1] == 77);

    struct {
        varvite_label known;
        uint64_t later;
    } labels[64];
    varvite_label plain[64];
    uint64_t count = 0;
    DONE(varvite_graph_labels(graph, plain, sizeof *plain, 64, &count, &error));
    DONE(varvite_graph_labels(graph, &labels->known, sizeof *labels, 64, &count, &error));
    for (uint64_t i = 0; i < count; i++) {
        CHECK(memcmp(&labels[i].known, &plain[i], sizeof *plain) == 0 && labels[i].later == 0);
    }
    FAILS(VARVITE_E_ARGUMENT, "sizeof", varvite_graph_describe(graph, &info, 0, &error));
    FAILS(VARVITE_E_ARGUMENT, "sizeof", varvite_graph_labels(graph, plain, UINT64_MAX, 64, &count, &error));
}

/* Opens a graph from a file's bytes in memory. No file is opened, and damage gives the same error number as
 * in a file. */
static void bytes_of_a_file_are_a_graph(const struct fixture *fixture) {
    varvite_error error;
    varvite_graph *graph = NULL;
    varvite_graph_info info, expected;
    for (int profile = 0; profile < PROFILES; profile++) {
        FILE *file = fopen(fixture->path[profile], "rb");
        CHECK(file != NULL && fseek(file, 0, SEEK_END) == 0);
        uint64_t length = (uint64_t)ftell(file);
        void *bytes = malloc((size_t)length);
        CHECK(fseek(file, 0, SEEK_SET) == 0 && fread(bytes, 1, (size_t)length, file) == length && fclose(file) == 0);

        DONE(varvite_graph_open_bytes(bytes, length, "no/such/file", NULL, &graph, &error));
        DONE(varvite_graph_describe(graph, &info, sizeof info, &error));
        varvite_graph *same = open_graph(fixture->path[profile]);
        DONE(varvite_graph_describe(same, &expected, sizeof expected, &error));
        CHECK(varvite_graph_release(same) == VARVITE_OK);
        CHECK(info.is_mapped == 0 && info.generation == expected.generation && info.edge_count == expected.edge_count);
        CHECK(info.directory_hash == expected.directory_hash && memcmp(info.file_id, expected.file_id, 16) == 0);
        varvite_property *name = open_property(graph, "NAME");
        uint32_t code = 0;
        CHECK(varvite_property_text_find(name, "inflate", 7, &code, NULL) == VARVITE_OK);
        CHECK(varvite_property_release(name) == VARVITE_OK);
        DONE(varvite_graph_check(graph, &error));
        CHECK(varvite_graph_release(graph) == VARVITE_OK);

        FAILS(VARVITE_E_TRUNCATED, "no/such/file", varvite_graph_open_bytes(bytes, length - 1, "no/such/file", NULL, &graph, &error));
        FAILS(VARVITE_E_NOT_VARVITE, "it is empty", varvite_graph_open_bytes(NULL, 0, "x", NULL, &graph, &error));
        FAILS(VARVITE_E_ARGUMENT, "'bytes' must not be null", varvite_graph_open_bytes(NULL, length, "x", NULL, &graph, &error));
        free(bytes);
    }
}

static void a_buffered_graph_answers_alike(const struct fixture *fixture) {
    varvite_error error;
    varvite_open_options options = VARVITE_OPEN_OPTIONS_INIT;
    varvite_graph *graph = NULL;
    varvite_graph_info info;
    options.mode = VARVITE_BUFFERED;
    DONE(varvite_graph_open(fixture->path[VARVITE_DIRECT], &options, &graph, &error));
    DONE(varvite_graph_describe(graph, &info, sizeof info, &error));
    CHECK(info.is_mapped == 0 && info.node_count == 44073);
    CHECK(varvite_graph_release(graph) == VARVITE_OK);
    options.mode = 9;
    FAILS(VARVITE_E_ARGUMENT, "options.mode", varvite_graph_open("x", &options, &graph, &error));
    options.size = 0;
    FAILS(VARVITE_E_ARGUMENT, "sizeof", varvite_graph_open("x", &options, &graph, &error));
    options.size = 4000;
    FAILS(VARVITE_E_ARGUMENT, "size 4000", varvite_graph_open("x", &options, &graph, &error));
}

/* Opens a property and reads its short texts. Returns the status of the first call that failed, or
 * VARVITE_OK. */
static int32_t read_texts(const varvite_graph *graph, varvite_error *error) {
    varvite_property *property = NULL;
    uint32_t number = 0, texts = 0;
    int32_t status = varvite_property_find(graph, VARVITE_NONE, "CODE", &number, error);
    status = status < 0 ? status : varvite_property_open(graph, number, &property, error);
    status = status < 0 ? status : varvite_property_text_count(property, &texts, error);
    for (uint32_t code = 0; code < texts && status >= 0; code++) {
        char text[256];
        uint64_t length = 0;
        int32_t read = varvite_property_text(property, code, text, sizeof text, &length, error);
        status = read == VARVITE_E_TOO_SMALL ? VARVITE_OK : read;
    }
    CHECK(varvite_property_release(property) == VARVITE_OK);
    return status < 0 ? status : VARVITE_OK;
}

static void graphs_share_a_budget(const struct fixture *fixture) {
    varvite_error error;
    varvite_open_options options = VARVITE_OPEN_OPTIONS_INIT;
    varvite_shared_budget *budget = NULL;
    varvite_graph *graphs[PROFILES];
    varvite_budget_use use;
    uint64_t held = 0;
    DONE(varvite_shared_budget_new(64 << 20, &budget, &error));
    options.budget = budget;
    for (int profile = 0; profile < PROFILES; profile++) {
        DONE(varvite_graph_open(fixture->path[profile], &options, &graphs[profile], &error));
        DONE(varvite_shared_budget_use(budget, &use, sizeof use, &error));
        CHECK(use.limit == 64 << 20 && use.held > held && use.kept == 0);
        held = use.held;
    }
    CHECK(varvite_shared_budget_retain(budget) == VARVITE_OK && varvite_shared_budget_release(budget) == VARVITE_OK);
    for (int profile = 0; profile < PROFILES; profile++) {
        DONE(read_texts(graphs[profile], &error));
    }
    DONE(varvite_shared_budget_use(budget, &use, sizeof use, &error));
    CHECK(use.kept > 0 && use.held >= held + use.kept && use.held < use.limit);
    /* After one graph is trimmed, its bytes are available to the budget again. */
    DONE(varvite_graph_trim(graphs[VARVITE_ARCHIVE], &error));
    uint64_t kept = use.kept;
    DONE(varvite_shared_budget_use(budget, &use, sizeof use, &error));
    CHECK(use.kept < kept);
    for (int profile = 0; profile < PROFILES; profile++) {
        CHECK(varvite_graph_release(graphs[profile]) == VARVITE_OK);
    }
    DONE(varvite_shared_budget_use(budget, &use, sizeof use, &error));
    CHECK(use.held == 0 && use.kept == 0);
    CHECK(varvite_shared_budget_release(budget) == VARVITE_OK);

    /* First a budget that is too small to open a graph, then one that is too small to read its columns. */
    DONE(varvite_shared_budget_new(1000, &budget, &error));
    options.budget = budget;
    FAILS(VARVITE_E_OVER_BUDGET, "1000", varvite_graph_open(fixture->path[0], &options, &graphs[0], &error));
    CHECK(varvite_shared_budget_release(budget) == VARVITE_OK);
    DONE(varvite_shared_budget_new(held / PROFILES + 10000, &budget, &error));
    options.budget = budget;
    DONE(varvite_graph_open(fixture->path[VARVITE_ARCHIVE], &options, &graphs[0], &error));
    /* The graph keeps the budget after the caller has released the budget. */
    CHECK(varvite_shared_budget_release(budget) == VARVITE_OK);
    CHECK(read_texts(graphs[0], &error) == VARVITE_E_OVER_BUDGET);
    CHECK(varvite_graph_release(graphs[0]) == VARVITE_OK);
}

static void a_graph_has_limits_of_its_own(const struct fixture *fixture) {
    varvite_error error;
    varvite_open_options options = VARVITE_OPEN_OPTIONS_INIT;
    varvite_graph *graph = NULL;
    options.process_bytes_max = 64 << 20;
    options.memory_bytes_max = 32 << 20;
    DONE(varvite_graph_open(fixture->path[VARVITE_ARCHIVE], &options, &graph, &error));
    DONE(read_texts(graph, &error));
    CHECK(varvite_graph_release(graph) == VARVITE_OK);
    options.memory_bytes_max = 1;
    DONE(varvite_graph_open(fixture->path[VARVITE_ARCHIVE], &options, &graph, &error));
    error = fresh_error();
    CHECK(read_texts(graph, &error) == VARVITE_E_OVER_BUDGET);
    CHECK(varvite_graph_release(graph) == VARVITE_OK);
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
    a_struct_of_another_age_gets_what_both_know(graph);
    DONE(varvite_graph_check(graph, &error));
    CHECK(varvite_graph_release(graph) == VARVITE_OK);
    a_buffered_graph_answers_alike(fixture);
    graphs_share_a_budget(fixture);
    a_graph_has_limits_of_its_own(fixture);
    bytes_of_a_file_are_a_graph(fixture);
    what_is_no_graph_says_so(fixture);
    everything_keeps_the_graph_open(fixture);
}
