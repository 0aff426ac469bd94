/*
 * Tests of diffs: a diff has the same effect as the same diff made in Rust (conformance/files/sent), and a
 * refused diff changes nothing.
 */
#include <math.h>

#include "suite.h"

/* The content of a file. */
struct file {
    unsigned char *bytes;
    uint64_t length;
};

/* The path of a graph file that tests may change. */
static char graph_path[600];

static struct file read_file(const char *path) {
    struct file file = {NULL, 0};
    FILE *opened = fopen(path, "rb");
    CHECK(opened != NULL && fseek(opened, 0, SEEK_END) == 0);
    file.length = (uint64_t)ftell(opened);
    file.bytes = (unsigned char *)malloc((size_t)file.length + 1);
    CHECK(fseek(opened, 0, SEEK_SET) == 0);
    CHECK(fread(file.bytes, 1, (size_t)file.length, opened) == file.length && fclose(opened) == 0);
    return file;
}

/* Reads a golden file. The fixture's source is in examples/data; conformance/files is found relative to
 * it. */
static struct file golden(const struct fixture *fixture, const char *name) {
    char path[1200], folder[512];
    snprintf(folder, sizeof folder, "%s", fixture->source);
    *strrchr(folder, '/') = 0;
    snprintf(path, sizeof path, "%s/../../conformance/files/sent/%s", folder, name);
    return read_file(path);
}

/* Restores the graph that tests change to its first state. */
static void begin(const struct fixture *fixture) {
    struct file before = golden(fixture, "before.varvite");
    snprintf(graph_path, sizeof graph_path, "%s/change.varvite", fixture->folder);
    remove(graph_path);
    FILE *copy = fopen(graph_path, "wb");
    CHECK(copy != NULL && fwrite(before.bytes, 1, (size_t)before.length, copy) == before.length && fclose(copy) == 0);
    free(before.bytes);
}

/* Checks that the graph file has the same bytes as the golden file, which Rust wrote. */
static void is_golden(const struct fixture *fixture, const char *name) {
    struct file expected = golden(fixture, name), found = read_file(graph_path);
    CHECK(found.length == expected.length && memcmp(found.bytes, expected.bytes, (size_t)found.length) == 0);
    free(expected.bytes);
    free(found.bytes);
}

static varvite_diff *create(void) {
    varvite_error error;
    varvite_diff *diff = NULL;
    DONE(varvite_diff_create(NULL, 0, &diff, &error));
    return diff;
}

static varvite_value number(uint32_t type, int64_t number) {
    varvite_value value = {0, 0, 0, 0, NULL};
    value.value_type = type;
    value.number = number;
    return value;
}

static varvite_value real(uint32_t type, double real) {
    varvite_value value = number(type, 0);
    value.real = real;
    return value;
}

static varvite_value bytes(uint32_t type, const void *bytes, uint32_t length) {
    varvite_value value = number(type, 0);
    value.bytes = bytes;
    value.length = length;
    return value;
}

static varvite_value text(const char *letters) {
    return bytes(VARVITE_STRING, letters, (uint32_t)strlen(letters));
}

static varvite_owner of_node(uint64_t node) {
    varvite_owner owner = {NULL, 0};
    owner.number = node;
    return owner;
}

static void set(varvite_diff *diff, varvite_owner owner, const char *property, const varvite_value *values, uint64_t count) {
    varvite_error error;
    DONE(varvite_diff_set(diff, &owner, property, values, count, &error));
}

static void set_integers(varvite_diff *diff, uint64_t node, const char *property, int64_t least, int64_t greatest) {
    varvite_value values[2];
    values[0] = number(VARVITE_I64, least);
    values[1] = number(VARVITE_I64, greatest);
    set(diff, of_node(node), property, values, 2);
}

static const char *const types[] = {"bool", "i8", "i16", "i32", "i64", "u8", "u16",
                                    "u32",  "u64", "f32", "f64", "string", "bytes", "ref"};

static void declare(varvite_diff *diff) {
    varvite_error error;
    DONE(varvite_diff_declare_label(diff, "SITE", &error));
    DONE(varvite_diff_declare_edge_label(diff, "AT", &error));
    for (uint32_t type = 0; type < sizeof types / sizeof *types; type++) {
        DONE(varvite_diff_declare_property(diff, NULL, types[type], type, VARVITE_LIST, &error));
    }
    DONE(varvite_diff_declare_property(diff, "AT", "WEIGHT", VARVITE_F64, VARVITE_OPTIONAL, &error));
}

static void set_every_type(varvite_diff *diff, uint64_t site, uint64_t plain) {
    varvite_value truths[2], unsigned_values[2], singles[2], doubles[2], texts[3], pieces[3], nodes[3];
    truths[0] = number(VARVITE_BOOL, 1);
    truths[1] = number(VARVITE_BOOL, 0);
    set(diff, of_node(site), "bool", truths, 2);
    set_integers(diff, site, "i8", INT8_MIN, INT8_MAX);
    set_integers(diff, site, "i16", INT16_MIN, INT16_MAX);
    set_integers(diff, site, "i32", INT32_MIN, INT32_MAX);
    set_integers(diff, site, "i64", INT64_MIN, INT64_MAX);
    set_integers(diff, site, "u8", 0, UINT8_MAX);
    set_integers(diff, site, "u16", 0, UINT16_MAX);
    set_integers(diff, site, "u32", 0, UINT32_MAX);
    unsigned_values[0] = number(VARVITE_U64, 0);
    unsigned_values[1] = number(VARVITE_U64, -1);
    set(diff, of_node(site), "u64", unsigned_values, 2);
    singles[0] = real(VARVITE_F64, 0.5);
    singles[1] = real(VARVITE_F64, -0.0);
    set(diff, of_node(site), "f32", singles, 2);
    doubles[0] = real(VARVITE_F64, 0.1);
    doubles[1] = real(VARVITE_F64, (double)INFINITY);
    set(diff, of_node(site), "f64", doubles, 2);
    texts[0] = text("");
    texts[1] = number(VARVITE_NONE, 0);
    texts[2] = bytes(VARVITE_STRING, "a\0b", 3);
    set(diff, of_node(site), "string", texts, 3);
    pieces[0] = bytes(VARVITE_BYTES, "\0\xff", 2);
    pieces[1] = number(VARVITE_NONE, 0);
    pieces[2] = bytes(VARVITE_BYTES, NULL, 0);
    set(diff, of_node(site), "bytes", pieces, 3);
    nodes[0] = number(VARVITE_REF, 0);
    nodes[1] = number(VARVITE_REF, (int64_t)plain);
    nodes[2] = number(VARVITE_REF, VARVITE_NONE);
    set(diff, of_node(site), "ref", nodes, 3);
}

/* The same diff as in crates/varvite/tests/conformance/sent.rs. */
static varvite_diff *every_operation(void) {
    varvite_error error;
    varvite_diff *diff = create();
    const char *labels[] = {"METHOD", "SITE"};
    uint64_t site = 0, plain = 0, at = 0;
    varvite_owner call = {"CALL", 0}, second = of_node(2);
    varvite_value value, two[2];
    declare(diff);
    DONE(varvite_diff_add_node(diff, labels, 2, &site, &error));
    DONE(varvite_diff_add_node(diff, NULL, 0, &plain, &error));
    DONE(varvite_diff_add_edge(diff, "CALL", 0, site, NULL, &error));
    DONE(varvite_diff_add_edge(diff, "AT", site, plain, &at, &error));
    DONE(varvite_diff_add_edge(diff, "AT", 3, 4, NULL, &error));
    DONE(varvite_diff_add_edge(diff, "AT", 5, 1, NULL, &error));
    CHECK(site == VARVITE_NEW_NODE && plain == VARVITE_NEW_NODE + 1 && at == VARVITE_NEW_EDGE + 1);
    value = real(VARVITE_F64, 0.5);
    set(diff, of_node(at), "WEIGHT", &value, 1);
    value = number(VARVITE_I32, 7);
    set(diff, call, "LINE", &value, 1);
    DONE(varvite_diff_declare_property(diff, "CALL", "LINE", VARVITE_I32, VARVITE_OPTIONAL, &error));
    value = text("gr\xc3\xb6\xc3\x9f" "e");
    set(diff, of_node(site), "NAME", &value, 1);
    value = text("other");
    set(diff, of_node(1), "NAME", &value, 1);
    varvite_owner first = of_node(0);
    DONE(varvite_diff_clear(diff, &first, "NAME", &error));
    two[0] = number(VARVITE_I64, 1);
    two[1] = number(VARVITE_I64, 2);
    DONE(varvite_diff_append(diff, &second, "i64", two, 2, &error));
    two[0] = number(VARVITE_I64, 3);
    DONE(varvite_diff_append(diff, &second, "i64", two, 1, &error));
    set_every_type(diff, site, plain);
    DONE(varvite_diff_remove_edge(diff, "CALL", 2, &error));
    DONE(varvite_diff_remove_node(diff, 5, &error));
    DONE(varvite_diff_remove_node(diff, 5, &error));
    return diff;
}

static void every_operation_changes_what_it_changes_from_rust(const struct fixture *fixture) {
    varvite_error error;
    varvite_diff *diff = every_operation(), *again = NULL;
    struct file sent = golden(fixture, "every-operation.diff");
    unsigned char *bytes = (unsigned char *)malloc((size_t)sent.length);
    uint64_t length = 0, operations = 0, nodes = 0, edges = 0;
    varvite_applied applied;
    uint32_t ranks[4];
    FAILS(VARVITE_E_TOO_SMALL, "needed", varvite_diff_to_bytes(diff, bytes, 8, &length, &error));
    CHECK(length == sent.length);
    DONE(varvite_diff_to_bytes(diff, bytes, length, &length, &error));
    CHECK(memcmp(bytes, sent.bytes, (size_t)length) == 0);
    DONE(varvite_diff_counts(diff, &operations, &nodes, &edges, &error));
    CHECK(operations == 48 && nodes == 2 && edges == 4);

    begin(fixture);
    DONE(varvite_apply(graph_path, diff, NULL, &applied, sizeof applied, ranks, 4, &error));
    CHECK(applied.first_node == 6 && applied.node_count == 2 && applied.edge_count == 4);
    CHECK(applied.generation == 2 && applied.record == 0 && applied.written > 0);
    CHECK(ranks[0] == 5 && ranks[1] == 0 && ranks[2] == 1 && ranks[3] == VARVITE_NONE);
    is_golden(fixture, "after.varvite");

    begin(fixture);
    DONE(varvite_apply_bytes(graph_path, sent.bytes, sent.length, NULL, &applied, sizeof applied, NULL, 0, &error));
    is_golden(fixture, "after.varvite");

    begin(fixture);
    DONE(varvite_diff_from_bytes(sent.bytes, sent.length, &again, &error));
    DONE(varvite_apply(graph_path, again, NULL, &applied, sizeof applied, NULL, 0, &error));
    is_golden(fixture, "after.varvite");
    CHECK(varvite_diff_release(diff) == VARVITE_OK && varvite_diff_release(again) == VARVITE_OK);
    free(bytes);
    free(sent.bytes);
}

static uint64_t layers_of(const char *path) {
    varvite_error error;
    varvite_layer layers[8];
    uint64_t count = 0;
    varvite_graph *graph = open_graph(path);
    DONE(varvite_graph_layers(graph, layers, sizeof *layers, 8, &count, &error));
    CHECK(varvite_graph_release(graph) == VARVITE_OK);
    return count;
}

static void a_layer_comes_and_goes(const struct fixture *fixture) {
    varvite_error error;
    varvite_diff *diff = create();
    varvite_apply_options options = VARVITE_APPLY_OPTIONS_INIT;
    varvite_applied applied;
    const char *labels[] = {"SITE"}, *names[] = {"heap"}, *unknown[] = {"heap", "stack"};
    varvite_value value = number(VARVITE_I64, 4096);
    uint64_t site = 0;
    uint32_t ranks[2];
    DONE(varvite_diff_declare_label(diff, "SITE", &error));
    DONE(varvite_diff_declare_edge_label(diff, "AT", &error));
    DONE(varvite_diff_declare_property(diff, NULL, "BYTES", VARVITE_U64, VARVITE_OPTIONAL, &error));
    DONE(varvite_diff_add_node(diff, labels, 1, &site, &error));
    set(diff, of_node(site), "BYTES", &value, 1);
    DONE(varvite_diff_add_edge(diff, "AT", site, 3, NULL, &error));
    DONE(varvite_diff_add_edge(diff, "AT", 2, site, NULL, &error));
    options.layer = "heap";
    options.tool = "profiler";
    options.version = "1.5";
    memset(options.source, 0xab, sizeof options.source);
    begin(fixture);
    uint64_t before = layers_of(graph_path);
    DONE(varvite_apply(graph_path, diff, &options, &applied, sizeof applied, ranks, 2, &error));
    is_golden(fixture, "layered.varvite");
    CHECK(applied.first_node == 6 && ranks[0] == 1 && ranks[1] == 0 && layers_of(graph_path) == before + 1);
    FAILS(VARVITE_E_UNKNOWN, "stack", varvite_drop_layers(graph_path, unknown, 2, NULL, &error));
    CHECK(layers_of(graph_path) == before + 1);
    DONE(varvite_drop_layers(graph_path, names, 1, NULL, &error));
    CHECK(layers_of(graph_path) == before);

    /* A layer may only add, so a removal is refused. */
    DONE(varvite_diff_remove_node(diff, 1, &error));
    FAILS(VARVITE_E_ARGUMENT, "can only add", varvite_apply(graph_path, diff, &options, &applied, sizeof applied, NULL, 0, &error));
    CHECK(error.operation == 7);
    CHECK(varvite_diff_release(diff) == VARVITE_OK);
}

static varvite_diff *small_commit(uint32_t from) {
    varvite_error error;
    varvite_diff *diff = create();
    const char *labels[] = {"METHOD"};
    varvite_value name = text("new");
    uint64_t node = 0;
    DONE(varvite_diff_add_node(diff, labels, 1, &node, &error));
    DONE(varvite_diff_add_edge(diff, "CALL", from, node, NULL, &error));
    set(diff, of_node(node), "NAME", &name, 1);
    return diff;
}

/* Each of two passes adds a node, and an edge between this node and a node of the graph. */
static void diffs_of_passes_are_put_together(const struct fixture *fixture) {
    varvite_error error;
    varvite_diff *all = small_commit(0), *other = small_commit(1);
    uint64_t operations = 0, nodes = 0, edges = 0, more_nodes = 0, more_edges = 0;
    varvite_applied applied;
    FAILS(VARVITE_E_ARGUMENT, "diff", varvite_diff_absorb(all, all, NULL, NULL, &error));
    DONE(varvite_diff_absorb(all, other, &more_nodes, &more_edges, &error));
    CHECK(more_nodes == 1 && more_edges == 1);
    FAILS(VARVITE_E_HANDLE, "diff", varvite_diff_counts(other, &operations, &nodes, &edges, &error));
    FAILS(VARVITE_E_HANDLE, "diff", varvite_diff_absorb(all, other, NULL, NULL, &error));
    DONE(varvite_diff_absorb(all, create(), NULL, NULL, &error));
    DONE(varvite_diff_add_edge(all, "CALL", VARVITE_NEW_NODE, VARVITE_NEW_NODE + more_nodes, NULL, &error));
    DONE(varvite_diff_counts(all, &operations, &nodes, &edges, &error));
    CHECK(nodes == 2 && edges == 3);
    begin(fixture);
    DONE(varvite_apply(graph_path, all, NULL, &applied, sizeof applied, NULL, 0, &error));
    CHECK(applied.node_count == 2 && applied.edge_count == 3);
    CHECK(varvite_diff_release(all) == VARVITE_OK);
}

static void small_commits_go_to_a_log(const struct fixture *fixture) {
    varvite_error error;
    varvite_log *log = NULL, *other = NULL;
    varvite_diff *first = small_commit(0), *second = small_commit(1), *wrong = small_commit(99);
    varvite_applied applied;
    unsigned char bytes[256];
    uint64_t length = 0, records = 0;
    uint32_t rank = 0;
    begin(fixture);
    DONE(varvite_log_begin(graph_path, NULL, &log, &error));
    DONE(varvite_log_commit(log, first, VARVITE_DURABILITY_SYNC, &applied, sizeof applied, &rank, 1, &error));
    CHECK(applied.first_node == 6 && applied.record == 1 && rank == 5);
    FAILS(VARVITE_E_NO_SUCH_NODE, "operation 1: there is no node 99",
          varvite_log_commit(log, wrong, VARVITE_DURABILITY_SYNC, &applied, sizeof applied, NULL, 0, &error));
    CHECK(error.operation == 1);
    FAILS(VARVITE_E_ARGUMENT, "durability", varvite_log_commit(log, wrong, 2, &applied, sizeof applied, NULL, 0, &error));
    DONE(varvite_diff_to_bytes(second, bytes, sizeof bytes, &length, &error));
    DONE(varvite_log_commit_bytes(log, bytes, length, VARVITE_DURABILITY_BUFFERED, &applied, sizeof applied, NULL, 0, &error));
    CHECK(applied.first_node == 7 && applied.record == 2);
    is_golden(fixture, "logged.varvite");
    DONE(varvite_log_records(log, &records, &error));
    CHECK(records == 2);

    /* A second writer is refused while a log is open. */
    FAILS(VARVITE_E_BUSY, "change.varvite", varvite_log_begin(graph_path, NULL, &other, &error));
    FAILS(VARVITE_E_BUSY, "change.varvite", varvite_apply(graph_path, first, NULL, &applied, sizeof applied, NULL, 0, &error));
    CHECK(error.operation == VARVITE_NO_OPERATION);

    DONE(varvite_log_sync(log, &error));
    DONE(varvite_log_close(log, &error));
    is_golden(fixture, "closed.varvite");
    FAILS(VARVITE_E_HANDLE, "released", varvite_log_sync(log, &error));

    /* A new log handle continues the log that a released handle left in the file. */
    DONE(varvite_log_begin(graph_path, NULL, &log, &error));
    DONE(varvite_log_commit(log, first, VARVITE_DURABILITY_SYNC, &applied, sizeof applied, NULL, 0, &error));
    CHECK(varvite_log_release(log) == VARVITE_OK);
    DONE(varvite_log_begin(graph_path, NULL, &log, &error));
    DONE(varvite_log_records(log, &records, &error));
    CHECK(records == 0);
    DONE(varvite_log_checkpoint(log, &error));
    CHECK(varvite_log_release(log) == VARVITE_OK);
    CHECK(varvite_diff_release(first) == VARVITE_OK && varvite_diff_release(second) == VARVITE_OK);
    CHECK(varvite_diff_release(wrong) == VARVITE_OK);
}

/* Applies a diff whose operation `operation` is invalid, as a handle and as bytes. Both calls must fail. */
static void is_refused(const struct fixture *fixture, varvite_diff *diff, uint64_t operation, int32_t code, const char *words) {
    varvite_error error;
    varvite_applied applied;
    unsigned char bytes[1024];
    uint64_t length = 0;
    DONE(varvite_diff_to_bytes(diff, bytes, sizeof bytes, &length, &error));
    FAILS(code, words, varvite_apply(graph_path, diff, NULL, &applied, sizeof applied, NULL, 0, &error));
    CHECK(error.operation == operation);
    FAILS(code, words, varvite_apply_bytes(graph_path, bytes, length, NULL, &applied, sizeof applied, NULL, 0, &error));
    CHECK(error.operation == operation);
    is_golden(fixture, "before.varvite");
    CHECK(varvite_diff_release(diff) == VARVITE_OK);
}

static void what_makes_no_sense_is_told_with_its_number(const struct fixture *fixture) {
    varvite_error error;
    varvite_owner first = of_node(0);
    varvite_value one = number(VARVITE_I64, 1), two[2];
    begin(fixture);

    varvite_diff *diff = small_commit(0);
    DONE(varvite_diff_add_edge(diff, "CALL", 2, 6, NULL, &error));
    is_refused(fixture, diff, 3, VARVITE_E_NO_SUCH_NODE, "no node 6");

    diff = small_commit(0);
    DONE(varvite_diff_remove_node(diff, 4294967295u, &error));
    is_refused(fixture, diff, 3, VARVITE_E_NO_SUCH_NODE, "no node");

    diff = small_commit(0);
    DONE(varvite_diff_remove_edge(diff, "CALL", 5, &error));
    is_refused(fixture, diff, 3, VARVITE_E_ARGUMENT, "rank 5");

    diff = small_commit(0);
    set(diff, first, "NAME", &one, 1);
    is_refused(fixture, diff, 3, VARVITE_E_WRONG_TYPE, "NAME");

    diff = small_commit(0);
    two[0] = text("one");
    two[1] = text("two");
    set(diff, first, "NAME", two, 2);
    is_refused(fixture, diff, 3, VARVITE_E_ARGUMENT, "is not a list");

    diff = small_commit(0);
    DONE(varvite_diff_add_edge(diff, "CALLS", 0, 1, NULL, &error));
    is_refused(fixture, diff, 3, VARVITE_E_UNKNOWN, "CALLS");

    diff = small_commit(0);
    DONE(varvite_diff_add_edge(diff, "CALL", 0, VARVITE_NEW_NODE + 1, NULL, &error));
    is_refused(fixture, diff, 3, VARVITE_E_ARGUMENT, "another diff");

    diff = small_commit(0);
    DONE(varvite_diff_declare_property(diff, NULL, "NAME", VARVITE_I64, VARVITE_OPTIONAL, &error));
    is_refused(fixture, diff, 3, VARVITE_E_ARGUMENT, "NAME exists already");
}

/* A name that is empty or contains a NUL is refused in a diff, in a diff from untrusted bytes, and as the
 * name of a layer. */
static void names_that_are_none_are_refused(const struct fixture *fixture) {
    varvite_error error;
    varvite_applied applied;
    varvite_apply_options options = VARVITE_APPLY_OPTIONS_INIT;
    unsigned char sent[1024];
    uint64_t length = 0;
    varvite_diff *diff;
    begin(fixture);

    diff = small_commit(0);
    DONE(varvite_diff_declare_label(diff, "", &error));
    is_refused(fixture, diff, 3, VARVITE_E_ARGUMENT, "label \"\" can't be declared: expected a name, found none");

    diff = small_commit(0);
    DONE(varvite_diff_declare_edge_label(diff, "", &error));
    is_refused(fixture, diff, 3, VARVITE_E_ARGUMENT, "edge label \"\" can't be declared: expected a name, found none");

    diff = small_commit(0);
    DONE(varvite_diff_declare_property(diff, NULL, "", VARVITE_I64, VARVITE_OPTIONAL, &error));
    is_refused(fixture, diff, 3, VARVITE_E_ARGUMENT, "property \"\" can't be declared: expected a name, found none");

    diff = small_commit(0);
    options.layer = "";
    FAILS(VARVITE_E_ARGUMENT, "name of layer", varvite_apply(graph_path, diff, &options, &applied, sizeof applied, NULL, 0, &error));
    DONE(varvite_diff_declare_label(diff, "cut@here", &error));
    DONE(varvite_diff_to_bytes(diff, sent, sizeof sent, &length, &error));
    uint64_t at = 0;
    while (at < length && sent[at] != '@') at++;
    CHECK(at < length);
    sent[at] = 0;
    FAILS(VARVITE_E_ARGUMENT, "expected a name without NUL, found one at byte 3",
          varvite_apply_bytes(graph_path, sent, length, NULL, &applied, sizeof applied, NULL, 0, &error));
    is_golden(fixture, "before.varvite");
    CHECK(varvite_diff_release(diff) == VARVITE_OK);
}

/* Arbitrary bytes are decoded as a diff or refused with VARVITE_E_ARGUMENT. */
static void other_bytes_are_refused(const struct fixture *fixture) {
    varvite_error error;
    struct file sent = golden(fixture, "every-operation.diff");
    uint64_t random = 1;
    varvite_diff *diff = NULL;
    FAILS(VARVITE_E_ARGUMENT, "not an encoded diff", varvite_diff_from_bytes(NULL, 0, &diff, &error));
    CHECK(error.operation == VARVITE_NO_OPERATION);
    for (uint64_t length = 0; length < sent.length; length++) {
        FAILS(VARVITE_E_ARGUMENT, "not an encoded diff", varvite_diff_from_bytes(sent.bytes, length, &diff, &error));
    }
    sent.bytes[sent.length] = 0;
    FAILS(VARVITE_E_ARGUMENT, "not an encoded diff", varvite_diff_from_bytes(sent.bytes, sent.length + 1, &diff, &error));
    for (int round = 0; round < 4000; round++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint64_t at = (random >> 32) % sent.length;
        unsigned char was = sent.bytes[at];
        sent.bytes[at] = (unsigned char)(random >> 24);
        error = fresh_error();
        int32_t status = varvite_diff_from_bytes(sent.bytes, sent.length, &diff, &error);
        CHECK(status == VARVITE_OK || status == VARVITE_E_ARGUMENT);
        CHECK(status < 0 || varvite_diff_release(diff) == VARVITE_OK);
        sent.bytes[at] = was;
    }
    free(sent.bytes);
}

static void wrong_calls_change_nothing(const struct fixture *fixture) {
    varvite_error error;
    varvite_applied applied;
    varvite_diff *diff = small_commit(0);
    varvite_owner owner = of_node((uint64_t)3 << 32), edge = {"CALL", (uint64_t)1 << 32};
    varvite_value value = number(99, 0);
    varvite_apply_options options = VARVITE_APPLY_OPTIONS_INIT;
    const char *nothing[] = {NULL};
    uint32_t rank;
    begin(fixture);
    FAILS(VARVITE_E_TOO_SMALL, "'ranks'", varvite_apply(graph_path, diff, NULL, &applied, sizeof applied, &rank, 0, &error));
    FAILS(VARVITE_E_ARGUMENT, "'applied' must not be null", varvite_apply(graph_path, diff, NULL, NULL, sizeof applied, NULL, 0, &error));
    FAILS(VARVITE_E_ARGUMENT, "'diff' must not be null", varvite_apply(graph_path, NULL, NULL, &applied, sizeof applied, NULL, 0, &error));
    FAILS(VARVITE_E_ARGUMENT, "'bytes' must not be null", varvite_apply_bytes(graph_path, NULL, 9, NULL, &applied, sizeof applied, NULL, 0, &error));
    options.generation = 99;
    FAILS(VARVITE_E_REPLACED, "changed by another program", varvite_apply(graph_path, diff, &options, &applied, sizeof applied, NULL, 0, &error));
    FAILS(VARVITE_E_REPLACED, "", varvite_apply_bytes(graph_path, "VVDIFF01\0\0\0\0\0\0\0\0", 16, &options, &applied, sizeof applied, NULL, 0, &error));
    options.no_lock = 2;
    FAILS(VARVITE_E_ARGUMENT, "no_lock", varvite_apply(graph_path, diff, &options, &applied, sizeof applied, NULL, 0, &error));
    FAILS(VARVITE_E_ARGUMENT, "'beside' must not be null", varvite_diff_create(NULL, 1, &diff, &error));
    FAILS(VARVITE_E_ARGUMENT, "'labels' must not be null", varvite_diff_add_node(diff, nothing, 1, NULL, &error));
    FAILS(VARVITE_E_ARGUMENT, "'source'", varvite_diff_add_edge(diff, "CALL", VARVITE_NEW_EDGE, 0, NULL, &error));
    FAILS(VARVITE_E_ARGUMENT, "owner.number", varvite_diff_set(diff, &owner, "NAME", NULL, 0, &error));
    FAILS(VARVITE_E_ARGUMENT, "owner.number", varvite_diff_set(diff, &edge, "NAME", NULL, 0, &error));
    owner = of_node(0);
    FAILS(VARVITE_E_ARGUMENT, "value_type", varvite_diff_set(diff, &owner, "NAME", &value, 1, &error));
    value = number(VARVITE_BOOL, 2);
    FAILS(VARVITE_E_ARGUMENT, "0 or 1", varvite_diff_append(diff, &owner, "NAME", &value, 1, &error));
    value = bytes(VARVITE_STRING, "\xc3", 1);
    FAILS(VARVITE_E_ARGUMENT, "not UTF-8", varvite_diff_append(diff, &owner, "NAME", &value, 1, &error));
    FAILS(VARVITE_E_ARGUMENT, "cardinality", varvite_diff_declare_property(diff, NULL, "X", VARVITE_I8, 3, &error));
    is_golden(fixture, "before.varvite");
    CHECK(varvite_diff_release(diff) == VARVITE_OK && varvite_diff_release(NULL) == VARVITE_OK);
    CHECK(varvite_log_release(NULL) == VARVITE_OK);
}

/* A diff with a small memory limit makes the same file as a diff without a limit. */
static void a_diff_may_be_larger_than_its_memory(const struct fixture *fixture) {
    varvite_error error;
    varvite_applied applied;
    struct file found[2];
    begin(fixture);
    for (int round = 0; round < 2; round++) {
        varvite_diff *diff = NULL;
        begin(fixture);
        DONE(varvite_diff_create(graph_path, round == 0 ? 0 : 1 << 14, &diff, &error));
        for (uint32_t edge = 0; edge < 20000; edge++) {
            DONE(varvite_diff_add_edge(diff, "CALL", edge % 6, edge * 7 % 6, NULL, &error));
        }
        DONE(varvite_apply(graph_path, diff, NULL, &applied, sizeof applied, NULL, 0, &error));
        CHECK(varvite_diff_release(diff) == VARVITE_OK);
        found[round] = read_file(graph_path);
    }
    CHECK(found[0].length == found[1].length && memcmp(found[0].bytes, found[1].bytes, (size_t)found[0].length) == 0);
    free(found[0].bytes);
    free(found[1].bytes);
}

void test_change(const struct fixture *fixture) {
    every_operation_changes_what_it_changes_from_rust(fixture);
    diffs_of_passes_are_put_together(fixture);
    a_layer_comes_and_goes(fixture);
    small_commits_go_to_a_log(fixture);
    what_makes_no_sense_is_told_with_its_number(fixture);
    names_that_are_none_are_refused(fixture);
    other_bytes_are_refused(fixture);
    wrong_calls_change_nothing(fixture);
    a_diff_may_be_larger_than_its_memory(fixture);
}
