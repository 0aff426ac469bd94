/* Tests of graphs that are built node by node: each equals the graph that Rust builds with the same calls
 * (conformance/files/made.txt), and invalid calls change nothing. */
#include "suite.h"

static char made_path[600], other_path[600];

static varvite_new_graph *begin(const char *path, const varvite_new_graph_options *options) {
    varvite_error error;
    varvite_new_graph *graph = NULL;
    remove(path);
    DONE(varvite_new_graph_create(path, options, &graph, &error));
    return graph;
}

static varvite_new_graph_report finish(varvite_new_graph *graph) {
    varvite_error error;
    varvite_new_graph_report report;
    DONE(varvite_new_graph_finish(graph, &report, sizeof report, &error));
    return report;
}

static int is_there(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        fclose(file);
    }
    return file != NULL;
}

static varvite_value number(uint32_t type, int64_t number) {
    varvite_value value = {0, 0, 0, 0, NULL};
    value.value_type = type;
    value.number = number;
    return value;
}

static varvite_value real(double real) {
    varvite_value value = number(VARVITE_F64, 0);
    value.real = real;
    return value;
}

static varvite_value bytes(uint32_t type, const void *bytes, size_t length) {
    varvite_value value = number(type, 0);
    value.bytes = bytes;
    value.length = (uint32_t)length;
    return value;
}

static varvite_value text(const char *letters) {
    return bytes(VARVITE_STRING, letters, strlen(letters));
}

static varvite_owner of_node(uint32_t node) {
    varvite_owner owner = {NULL, 0};
    owner.number = node;
    return owner;
}

static varvite_owner of_edge(const char *label, uint32_t number) {
    varvite_owner owner = {NULL, 0};
    owner.edge_label = label;
    owner.number = number;
    return owner;
}

static uint32_t add_node(varvite_new_graph *graph, const char *label) {
    varvite_error error;
    uint32_t node = VARVITE_NONE;
    DONE(varvite_new_graph_add_node(graph, &label, 1, &node, &error));
    return node;
}

/* ---- A graph by hand ------------------------------------------------------------------------------------------------- */

static void crates(varvite_new_graph *graph) {
    varvite_error error;
    uint32_t app = add_node(graph, "CRATE"), serde = add_node(graph, "CRATE"), edge = VARVITE_NONE, count = 0;
    varvite_value name = text("gr\xc3\xb6\xc3\x9f" "e"), tags[3], requirement = text("^1.0"), downloads = number(VARVITE_I64, -7);
    varvite_owner owner = of_node(serde);
    CHECK(app == 0 && serde == 1);
    DONE(varvite_new_graph_declare_label(graph, "NOBODY", &error));
    DONE(varvite_new_graph_declare_edge_label(graph, "NEVER", &error));
    DONE(varvite_new_graph_declare_property(graph, NULL, "SIZE", VARVITE_U32, VARVITE_OPTIONAL, &error));
    DONE(varvite_new_graph_declare_property(graph, "NEVER", "SIZE", VARVITE_F32, VARVITE_LIST, &error));
    DONE(varvite_new_graph_set(graph, &owner, "NAME", &requirement, &error));
    DONE(varvite_new_graph_set(graph, &owner, "NAME", &name, &error));
    DONE(varvite_new_graph_set(graph, &owner, "DOWNLOADS", &downloads, &error));
    tags[0] = text("a\0b");
    tags[1] = number(VARVITE_NONE, 0);
    tags[2] = text("");
    DONE(varvite_new_graph_append(graph, &owner, "TAGS", tags, 1, &error));
    DONE(varvite_new_graph_append(graph, &owner, "TAGS", tags + 1, 2, &error));
    DONE(varvite_new_graph_append(graph, &owner, "TAGS", NULL, 0, &error));
    DONE(varvite_new_graph_add_edge(graph, "DEPENDS_ON", serde, app, NULL, &error));
    DONE(varvite_new_graph_add_edge(graph, "DEPENDS_ON", app, serde, &edge, &error));
    owner = of_edge("DEPENDS_ON", edge);
    DONE(varvite_new_graph_set(graph, &owner, "REQUIREMENT", &requirement, &error));
    DONE(varvite_new_graph_node_count(graph, &count, &error));
    CHECK(edge == 1 && count == 2);
}

static void a_graph_is_read_as_it_was_made(void) {
    varvite_error error;
    varvite_graph_info info;
    uint32_t nodes[2], code = 0;
    int64_t downloads = 0, codes[3];
    uint64_t count = 0, length = 0, rank = 0;
    char letters[16];
    varvite_new_graph *graph = begin(made_path, NULL);
    crates(graph);
    CHECK(!is_there(made_path));
    varvite_new_graph_report report = finish(graph);
    CHECK(report.node_count == 2 && report.edge_count == 2 && report.file_length > 0);

    varvite_graph *open = open_graph(made_path);
    DONE(varvite_graph_describe(open, &info, sizeof info, &error));
    CHECK(info.node_count == 2 && info.edge_count == 2 && info.file_length == report.file_length);
    CHECK(info.label_count == 2 && info.edge_label_count == 2 && info.property_count == 6 && info.profile == VARVITE_COMPACT);
    varvite_adjacency *depends = open_adjacency(open, "DEPENDS_ON", VARVITE_OUT);
    DONE(varvite_adjacency_neighbors(depends, 0, nodes, 2, &count, &error));
    CHECK(count == 1 && nodes[0] == 1);
    DONE(varvite_adjacency_first_rank(depends, 0, &rank, &error));
    varvite_property *name = open_property(open, "NAME"), *tags = open_property(open, "TAGS");
    DONE(varvite_property_number(name, 1, codes, &error));
    DONE(varvite_property_text(name, (uint32_t)codes[0], letters, sizeof letters, &length, &error));
    CHECK(length == 7 && memcmp(letters, "gr\xc3\xb6\xc3\x9f" "e", 7) == 0);
    CHECK(varvite_property_number(name, 0, codes, &error) == VARVITE_ABSENT);
    varvite_property *sizes = open_property(open, "DOWNLOADS");
    DONE(varvite_property_number(sizes, 1, &downloads, &error));
    CHECK(downloads == -7);
    DONE(varvite_property_list(tags, 1, codes, 3, &count, &error));
    CHECK(count == 3);
    DONE(varvite_edge_label_find(open, "DEPENDS_ON", &code, &error));
    DONE(varvite_property_find(open, code, "REQUIREMENT", &code, &error));
    varvite_property *requirement = NULL;
    DONE(varvite_property_open(open, code, &requirement, &error));
    DONE(varvite_property_number(requirement, (uint32_t)rank, codes, &error));
    DONE(varvite_property_text(requirement, (uint32_t)codes[0], letters, sizeof letters, &length, &error));
    CHECK(length == 4 && memcmp(letters, "^1.0", 4) == 0);
    CHECK(varvite_adjacency_release(depends) == VARVITE_OK && varvite_property_release(name) == VARVITE_OK);
    CHECK(varvite_property_release(tags) == VARVITE_OK && varvite_property_release(sizes) == VARVITE_OK);
    CHECK(varvite_property_release(requirement) == VARVITE_OK && varvite_graph_release(open) == VARVITE_OK);
}

static void options_say_what_file_it_becomes(void) {
    varvite_error error;
    varvite_graph_info info;
    varvite_new_graph_options options = VARVITE_NEW_GRAPH_OPTIONS_INIT;
    const char *indexes[] = {"NAME"};
    uint32_t tree = 0;
    varvite_new_graph *graph = NULL;
    FAILS(VARVITE_E_EXISTS, "made.varvite exists", varvite_new_graph_create(made_path, NULL, &graph, &error));
    CHECK(graph == NULL);
    options.profile = VARVITE_DIRECT;
    options.replace = 1;
    options.threads = 1;
    options.memory_bytes_max = 64 << 20;
    options.tree = "DEPENDS_ON";
    options.indexes = indexes;
    options.index_count = 1;
    DONE(varvite_new_graph_create(made_path, &options, &graph, &error));
    uint32_t child = add_node(graph, "CRATE"), root = add_node(graph, "CRATE");
    varvite_value name = text("root");
    varvite_owner owner = of_node(root);
    DONE(varvite_new_graph_set(graph, &owner, "NAME", &name, &error));
    DONE(varvite_new_graph_add_edge(graph, "DEPENDS_ON", root, child, NULL, &error));
    finish(graph);
    varvite_graph *open = open_graph(made_path);
    DONE(varvite_graph_describe(open, &info, sizeof info, &error));
    DONE(varvite_edge_label_find(open, "DEPENDS_ON", &tree, &error));
    CHECK(info.profile == VARVITE_DIRECT && info.tree_edge_label == tree && info.node_count == 2);
    CHECK(varvite_graph_release(open) == VARVITE_OK);

    options.tree = "NOTHING";
    DONE(varvite_new_graph_create(made_path, &options, &graph, &error));
    varvite_new_graph_report report;
    add_node(graph, "CRATE");
    FAILS(VARVITE_E_UNKNOWN, "NOTHING", varvite_new_graph_finish(graph, &report, sizeof report, &error));
    open = open_graph(made_path);
    DONE(varvite_graph_describe(open, &info, sizeof info, &error));
    CHECK(info.node_count == 2 && varvite_graph_release(open) == VARVITE_OK);
}

/* ---- Random graphs --------------------------------------------------------------------------------------------------- */

/* SplitMix64, as in the crate varvite-model. */
static uint64_t next_bits(uint64_t *random) {
    uint64_t bits = *random += 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}

static uint32_t below(uint64_t *random, uint32_t end) {
    return (uint32_t)(next_bits(random) % end);
}

/* The target of additions: a new graph. Each addition is a call of its own, or several additions are passed
 * together as a diff. */
struct maker {
    varvite_new_graph *graph;
    varvite_diff *diff; /* NULL: one call for each addition. */
    uint64_t in_diff;
};

static void send(struct maker *maker) {
    varvite_error error;
    unsigned char *bytes = (unsigned char *)malloc(1 << 16);
    uint64_t length = 0;
    CHECK(bytes != NULL);
    DONE(varvite_diff_to_bytes(maker->diff, bytes, 1 << 16, &length, &error));
    DONE(varvite_new_graph_apply_bytes(maker->graph, bytes, length, &error));
    free(bytes);
    CHECK(varvite_diff_release(maker->diff) == VARVITE_OK);
    DONE(varvite_diff_create(NULL, 0, &maker->diff, &error));
    maker->in_diff = 0;
}

static void said(struct maker *maker) {
    if (++maker->in_diff == 37) {
        send(maker);
    }
}

static void make_node(struct maker *maker, const char *const *labels, uint64_t count) {
    varvite_error error;
    if (maker->diff == NULL) {
        DONE(varvite_new_graph_add_node(maker->graph, labels, count, NULL, &error));
    } else {
        DONE(varvite_diff_add_node(maker->diff, labels, count, NULL, &error));
        said(maker);
    }
}

static void make_edge(struct maker *maker, const char *label, uint32_t source, uint32_t target) {
    varvite_error error;
    if (maker->diff == NULL) {
        DONE(varvite_new_graph_add_edge(maker->graph, label, source, target, NULL, &error));
    } else {
        DONE(varvite_diff_add_edge(maker->diff, label, source, target, NULL, &error));
        said(maker);
    }
}

static void make_value(struct maker *maker, varvite_owner owner, const char *property, varvite_value value) {
    varvite_error error;
    if (maker->diff == NULL) {
        DONE(varvite_new_graph_set(maker->graph, &owner, property, &value, &error));
    } else {
        DONE(varvite_diff_set(maker->diff, &owner, property, &value, 1, &error));
        said(maker);
    }
}

static void make_values(struct maker *maker, varvite_owner owner, const char *property, const varvite_value *values, uint32_t count) {
    varvite_error error;
    if (maker->diff == NULL) {
        DONE(varvite_new_graph_append(maker->graph, &owner, property, values, count, &error));
    } else {
        DONE(varvite_diff_append(maker->diff, &owner, property, values, count, &error));
        said(maker);
    }
}

static void make_tags(struct maker *maker, uint32_t node, uint64_t *random) {
    static const char *const names[] = {"t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "t8"};
    varvite_value values[3];
    uint32_t count = below(random, 4);
    for (uint32_t i = 0; i < count; i++) {
        values[i] = below(random, 5) == 0 ? number(VARVITE_NONE, 0) : text(names[below(random, 9)]);
    }
    make_values(maker, of_node(node), "TAGS", values, count);
}

static void make_rare(struct maker *maker, uint32_t node, uint32_t nodes, uint64_t *random) {
    unsigned char data[5];
    varvite_value value;
    uint32_t kind = below(random, 4), length;
    switch (kind) {
    case 0:
        make_value(maker, of_node(node), "NEXT", number(VARVITE_REF, below(random, nodes)));
        break;
    case 1:
        length = below(random, 6);
        for (uint32_t at = 0; at < length; at++) {
            data[at] = (unsigned char)(at * 37 + length);
        }
        value = bytes(VARVITE_BYTES, data, length);
        make_values(maker, of_node(node), "DATA", &value, 1);
        break;
    case 2:
        make_value(maker, of_node(node), "RATE", real(below(random, 100) / 3.0));
        break;
    default:
        value = number(VARVITE_U64, (int64_t)next_bits(random));
        make_values(maker, of_node(node), "BIG", &value, 1);
    }
}

/* Makes the same calls as crates/varvite/tests/conformance/made.rs. */
static void make_random(struct maker *maker, uint64_t seed) {
    static const char *const letters[] = {"A", "B", "C", "D"};
    uint64_t random = seed;
    uint32_t nodes = 0, edges = 0;
    for (int step = 0; step < 300; step++) {
        uint32_t kind = below(&random, 12);
        if (nodes == 0 || kind < 2) {
            const char *labels[2];
            uint32_t first = below(&random, 4), count = below(&random, 3);
            for (uint32_t more = 0; more < count; more++) {
                labels[more] = letters[(first + more) % 4];
            }
            make_node(maker, labels, count);
            nodes++;
            continue;
        }
        uint32_t node = below(&random, nodes);
        char name[8];
        switch (kind) {
        case 2:
        case 3:
        case 4:
            edges++;
            make_edge(maker, "TO", node, below(&random, nodes));
            break;
        case 5:
            make_edge(maker, "OF", node, below(&random, nodes));
            break;
        case 6:
            if (edges > 0) {
                uint32_t edge = below(&random, edges);
                make_value(maker, of_edge("TO", edge), "WEIGHT", real((below(&random, 1000) - 500.0) / 8.0));
            }
            break;
        case 7:
            make_value(maker, of_node(node), "SIZE", number(VARVITE_I64, (int64_t)below(&random, 2000) - 1000));
            break;
        case 8:
            snprintf(name, sizeof name, "n%u", (unsigned)below(&random, 50));
            make_value(maker, of_node(node), "NAME", text(name));
            break;
        case 9:
            make_tags(maker, node, &random);
            break;
        case 10:
            make_value(maker, of_node(node), "FLAG", number(VARVITE_BOOL, below(&random, 2)));
            break;
        default:
            make_rare(maker, node, nodes, &random);
        }
    }
}

static void declare(varvite_new_graph *graph) {
    varvite_error error;
    DONE(varvite_new_graph_declare_label(graph, "NOBODY", &error));
    DONE(varvite_new_graph_declare_edge_label(graph, "NEVER", &error));
    DONE(varvite_new_graph_declare_property(graph, NULL, "RATE", VARVITE_F32, VARVITE_OPTIONAL, &error));
    DONE(varvite_new_graph_declare_property(graph, NULL, "BIG", VARVITE_U64, VARVITE_LIST, &error));
    DONE(varvite_new_graph_declare_property(graph, NULL, "TAGS", VARVITE_STRING, VARVITE_LIST, &error));
    DONE(varvite_new_graph_declare_property(graph, "TO", "WEIGHT", VARVITE_F64, VARVITE_OPTIONAL, &error));
}

/* Whether both files have the same bytes. */
static int are_equal(const char *one, const char *other) {
    FILE *files[2];
    int letters[2] = {0, 0};
    files[0] = fopen(one, "rb");
    files[1] = fopen(other, "rb");
    CHECK(files[0] != NULL && files[1] != NULL);
    while (letters[0] == letters[1] && letters[0] != EOF) {
        letters[0] = fgetc(files[0]);
        letters[1] = fgetc(files[1]);
    }
    fclose(files[0]);
    fclose(files[1]);
    return letters[0] == letters[1];
}

static void is_the_one_of_rust(const varvite_new_graph_report *report, uint64_t nodes, uint64_t edges, const char *digest) {
    char letters[65];
    for (int i = 0; i < 32; i++) {
        snprintf(letters + 2 * i, 3, "%02x", report->digest[i]);
    }
    CHECK(report->node_count == nodes && report->edge_count == edges && strcmp(letters, digest) == 0);
}

static void random_graphs_are_those_of_rust(const struct fixture *fixture) {
    varvite_error error;
    char path[1200], folder[512], digest[65];
    unsigned long long seed, nodes, edges;
    int graphs = 0;
    snprintf(folder, sizeof folder, "%s", fixture->source);
    *strrchr(folder, '/') = 0;
    snprintf(path, sizeof path, "%s/../../conformance/files/made.txt", folder);
    FILE *lines = fopen(path, "r");
    CHECK(lines != NULL);
    while (fscanf(lines, "%llu %llu %llu %64s", &seed, &nodes, &edges, digest) == 4) {
        struct maker calls = {NULL, NULL, 0}, sent = {NULL, NULL, 0};
        varvite_layer layer;
        uint64_t count = 0;
        calls.graph = begin(made_path, NULL);
        sent.graph = begin(other_path, NULL);
        DONE(varvite_diff_create(NULL, 0, &sent.diff, &error));
        declare(calls.graph);
        declare(sent.graph);
        make_random(&calls, seed);
        make_random(&sent, seed);
        send(&sent);
        CHECK(varvite_diff_release(sent.diff) == VARVITE_OK);
        varvite_new_graph_report report = finish(calls.graph), other = finish(sent.graph);
        is_the_one_of_rust(&report, nodes, edges, digest);
        is_the_one_of_rust(&other, nodes, edges, digest);
        CHECK(are_equal(made_path, other_path));
        varvite_graph *open = open_graph(made_path);
        DONE(varvite_graph_layers(open, &layer, sizeof layer, 1, &count, &error));
        CHECK(count == 1 && memcmp(layer.source, report.digest, 32) == 0);
        CHECK(varvite_graph_release(open) == VARVITE_OK);
        graphs++;
    }
    fclose(lines);
    CHECK(graphs == 12);
}

/* ---- Misuse ---------------------------------------------------------------------------------------------------------- */

static void calls_that_make_no_sense_change_nothing(void) {
    varvite_error error;
    varvite_new_graph *graph = begin(other_path, NULL), *other = NULL;
    varvite_new_graph_report report, expected;
    varvite_owner node = of_node(0), no_node = of_node(9), no_edge = of_edge("DEPENDS_ON", 2), no_label = of_edge("NO", 0), far = of_node(0);
    varvite_value value = number(VARVITE_I64, 1), letters = text("x"), wrong = number(99, 0), new_node = number(VARVITE_REF, 0);
    const char *labels[] = {"CRATE", ""}, *null_label[] = {NULL};
    uint32_t count = 0;
    static const char no_diff[] = "VVDIFF00";
    far.number = VARVITE_NEW_NODE;
    new_node.number = VARVITE_NEW_NODE;
    crates(graph);
    FAILS(VARVITE_E_ARGUMENT, "'path' must not be null", varvite_new_graph_create(NULL, NULL, &other, &error));
    FAILS(VARVITE_E_ARGUMENT, "'new_graph' must not be null", varvite_new_graph_create(made_path, NULL, NULL, &error));
    FAILS(VARVITE_E_BUSY, "other.varvite", varvite_new_graph_create(other_path, NULL, &other, &error));
    FAILS(VARVITE_E_ARGUMENT, "'new_graph' must not be null", varvite_new_graph_add_node(NULL, labels, 1, NULL, &error));
    FAILS(VARVITE_E_ARGUMENT, "'labels' must not be null", varvite_new_graph_add_node(graph, NULL, 1, NULL, &error));
    FAILS(VARVITE_E_ARGUMENT, "'labels' must not be null", varvite_new_graph_add_node(graph, null_label, 1, NULL, &error));
    FAILS(VARVITE_E_ARGUMENT, "expected a name", varvite_new_graph_add_node(graph, labels, 2, NULL, &error));
    FAILS(VARVITE_E_NO_SUCH_NODE, "no node 2: ids are 0 to 1", varvite_new_graph_add_edge(graph, "DEPENDS_ON", 0, 2, NULL, &error));
    FAILS(VARVITE_E_ARGUMENT, "'edge_label' must not be null", varvite_new_graph_add_edge(graph, NULL, 0, 1, NULL, &error));
    FAILS(VARVITE_E_ARGUMENT, "'owner' must not be null", varvite_new_graph_set(graph, NULL, "SIZE", &value, &error));
    FAILS(VARVITE_E_ARGUMENT, "'value' must not be null", varvite_new_graph_set(graph, &node, "SIZE", NULL, &error));
    FAILS(VARVITE_E_ARGUMENT, "'property' must not be null", varvite_new_graph_set(graph, &node, NULL, &value, &error));
    FAILS(VARVITE_E_NO_SUCH_NODE, "no node 9", varvite_new_graph_set(graph, &no_node, "SIZE", &value, &error));
    FAILS(VARVITE_E_ARGUMENT, "found 2 where there are 2", varvite_new_graph_set(graph, &no_edge, "SIZE", &value, &error));
    FAILS(VARVITE_E_ARGUMENT, "found 0 where there are 0", varvite_new_graph_set(graph, &no_label, "SIZE", &value, &error));
    FAILS(VARVITE_E_ARGUMENT, "varvite_new_graph_add_node", varvite_new_graph_set(graph, &far, "SIZE", &value, &error));
    FAILS(VARVITE_E_ARGUMENT, "varvite_new_graph_add_node", varvite_new_graph_set(graph, &node, "NEXT", &new_node, &error));
    FAILS(VARVITE_E_WRONG_TYPE, "SIZE holds u32", varvite_new_graph_set(graph, &node, "SIZE", &letters, &error));
    FAILS(VARVITE_E_ARGUMENT, "one of the types", varvite_new_graph_set(graph, &node, "SIZE", &wrong, &error));
    FAILS(VARVITE_E_ARGUMENT, "has lists", varvite_new_graph_set(graph, &node, "TAGS", &letters, &error));
    FAILS(VARVITE_E_ARGUMENT, "'values' must not be null", varvite_new_graph_append(graph, &node, "TAGS", NULL, 1, &error));
    FAILS(VARVITE_E_ARGUMENT, "cardinality", varvite_new_graph_declare_property(graph, NULL, "X", VARVITE_I64, 3, &error));
    FAILS(VARVITE_E_WRONG_TYPE, "SIZE", varvite_new_graph_declare_property(graph, NULL, "SIZE", VARVITE_I64, VARVITE_OPTIONAL, &error));
    FAILS(VARVITE_E_ARGUMENT, "'name' is not UTF-8", varvite_new_graph_declare_label(graph, "\xc3", &error));
    FAILS(VARVITE_E_ARGUMENT, "'bytes' must not be null", varvite_new_graph_apply_bytes(graph, NULL, 1, &error));
    FAILS(VARVITE_E_ARGUMENT, "magic", varvite_new_graph_apply_bytes(graph, no_diff, sizeof no_diff, &error));
    CHECK(error.operation == VARVITE_NO_OPERATION);
    FAILS(VARVITE_E_ARGUMENT, "'nodes' must not be null", varvite_new_graph_node_count(graph, NULL, &error));
    FAILS(VARVITE_E_ARGUMENT, "'report' must not be null", varvite_new_graph_finish(graph, NULL, sizeof report, &error));
    FAILS(VARVITE_E_ARGUMENT, "'report'", varvite_new_graph_finish(graph, &report, 0, &error));
    report = finish(graph);
    graph = begin(made_path, NULL);
    crates(graph);
    expected = finish(graph);
    CHECK(memcmp(report.digest, expected.digest, 32) == 0 && are_equal(made_path, other_path));
    FAILS(VARVITE_E_HANDLE, "released", varvite_new_graph_add_node(graph, labels, 1, NULL, &error));
    FAILS(VARVITE_E_HANDLE, "released", varvite_new_graph_finish(graph, &report, sizeof report, &error));
    FAILS(VARVITE_E_HANDLE, "released", varvite_new_graph_node_count(graph, &count, &error));
    CHECK(varvite_new_graph_release(graph) == VARVITE_E_HANDLE && varvite_new_graph_release(NULL) == VARVITE_OK);
    varvite_graph *open = open_graph(made_path);
    FAILS(VARVITE_E_HANDLE, "it is one of a graph", varvite_new_graph_add_node((varvite_new_graph *)(uintptr_t)open, labels, 1, NULL, &error));
    CHECK(varvite_graph_release(open) == VARVITE_OK);
}

static void options_that_mean_nothing_are_refused(void) {
    varvite_error error;
    varvite_new_graph *graph = NULL;
    const char *null_index[] = {NULL};
    varvite_new_graph_options options = VARVITE_NEW_GRAPH_OPTIONS_INIT;
    remove(made_path);
    options.profile = 7;
    FAILS(VARVITE_E_ARGUMENT, "options.profile", varvite_new_graph_create(made_path, &options, &graph, &error));
    options.profile = VARVITE_COMPACT;
    options.replace = 2;
    FAILS(VARVITE_E_ARGUMENT, "options.replace", varvite_new_graph_create(made_path, &options, &graph, &error));
    options.replace = 0;
    options.index_count = 1;
    FAILS(VARVITE_E_ARGUMENT, "'options.indexes' must not be null", varvite_new_graph_create(made_path, &options, &graph, &error));
    options.indexes = null_index;
    FAILS(VARVITE_E_ARGUMENT, "'options.indexes' must not be null", varvite_new_graph_create(made_path, &options, &graph, &error));
    options.size = sizeof options + 8;
    FAILS(VARVITE_E_ARGUMENT, "has size", varvite_new_graph_create(made_path, &options, &graph, &error));
    CHECK(graph == NULL && !is_there(made_path));
}

static void an_operation_that_makes_no_sense_has_its_number(void) {
    varvite_error error;
    varvite_diff *diff = NULL;
    unsigned char bytes[256];
    uint64_t length = 0;
    uint32_t nodes = 0;
    varvite_new_graph *graph = begin(made_path, NULL);
    DONE(varvite_diff_create(NULL, 0, &diff, &error));
    DONE(varvite_diff_add_node(diff, NULL, 0, NULL, &error));
    DONE(varvite_diff_remove_node(diff, 0, &error));
    DONE(varvite_diff_add_node(diff, NULL, 0, NULL, &error));
    DONE(varvite_diff_to_bytes(diff, bytes, sizeof bytes, &length, &error));
    CHECK(varvite_diff_release(diff) == VARVITE_OK);
    FAILS(VARVITE_E_ARGUMENT, "operation 1: a new graph accepts only additions", varvite_new_graph_apply_bytes(graph, bytes, length, &error));
    CHECK(error.operation == 1);
    FAILS(VARVITE_E_ARGUMENT, "operation 2: ", varvite_new_graph_apply_bytes(graph, bytes, length, &error));
    DONE(varvite_new_graph_node_count(graph, &nodes, &error));
    CHECK(error.operation == VARVITE_NO_OPERATION && nodes == 2);
    CHECK(varvite_new_graph_release(graph) == VARVITE_OK && !is_there(made_path));
    DONE(varvite_new_graph_create(made_path, NULL, &graph, &error));
    varvite_new_graph_report report;
    FAILS(VARVITE_E_ARGUMENT, "at least 1 nodes", varvite_new_graph_finish(graph, &report, sizeof report, &error));
    CHECK(!is_there(made_path) && varvite_new_graph_release(graph) == VARVITE_E_HANDLE);
}

static void memory_has_a_limit(void) {
    varvite_error error = fresh_error();
    varvite_new_graph_options options = VARVITE_NEW_GRAPH_OPTIONS_INIT;
    varvite_new_graph_report report;
    options.memory_bytes_max = 100000;
    varvite_new_graph *graph = begin(made_path, &options);
    uint32_t added = 0;
    while (varvite_new_graph_add_node(graph, NULL, 0, NULL, &error) == VARVITE_OK) {
        added++;
    }
    CHECK(error.code == VARVITE_E_OVER_BUDGET && added > 1000 && added < 100000);
    FAILS(VARVITE_E_OVER_BUDGET, "memory", varvite_new_graph_declare_label(graph, "A", &error));
    FAILS(VARVITE_E_OVER_BUDGET, "memory", varvite_new_graph_finish(graph, &report, sizeof report, &error));
    CHECK(!is_there(made_path));
}

void test_new_graph(const struct fixture *fixture) {
    snprintf(made_path, sizeof made_path, "%s/made.varvite", fixture->folder);
    snprintf(other_path, sizeof other_path, "%s/other.varvite", fixture->folder);
    a_graph_is_read_as_it_was_made();
    options_say_what_file_it_becomes();
    random_graphs_are_those_of_rust(fixture);
    calls_that_make_no_sense_change_nothing();
    options_that_mean_nothing_are_refused();
    an_operation_that_makes_no_sense_has_its_number();
    memory_has_a_limit();
}
