/* Tests of tables that are exported through the Arrow C Data Interface. */
#include "suite.h"

static uint32_t number_at(const struct ArrowArray *column, int64_t row) {
    return ((const uint32_t *)column->buffers[1])[row];
}

static void edges_come_by_rank(const varvite_graph *graph) {
    varvite_error error;
    struct ArrowSchema schema;
    struct ArrowArray array;
    uint32_t number = VARVITE_NONE, list[64];
    uint64_t count = 0;
    varvite_adjacency *calls = open_adjacency(graph, "CALL", VARVITE_OUT);
    DONE(varvite_edge_label_find(graph, "CALL", &number, &error));
    DONE(varvite_export_arrow(graph, VARVITE_TABLE_EDGES, number, &schema, &array, &error));
    CHECK(strcmp(schema.format, "+s") == 0 && schema.n_children == 2 && array.length == 14883 && array.n_buffers == 1);
    CHECK(strcmp(schema.children[0]->name, "source") == 0 && strcmp(schema.children[1]->format, "I") == 0);
    for (int64_t row = 0; row < array.length; row += 97) {
        uint32_t source = number_at(array.children[0], row);
        uint64_t first = 0;
        DONE(varvite_adjacency_first_rank(calls, source, &first, &error));
        DONE(varvite_adjacency_neighbors(calls, source, list, 64, &count, &error));
        CHECK(list[(uint64_t)row - first] == number_at(array.children[1], row));
    }
    schema.release(&schema);
    array.release(&array);
    CHECK(schema.release == NULL && array.release == NULL && varvite_adjacency_release(calls) == VARVITE_OK);
}

static void texts_are_a_dictionary_and_codes(const varvite_graph *graph) {
    varvite_error error;
    struct ArrowSchema schema;
    struct ArrowArray array;
    uint32_t number = VARVITE_NONE;
    varvite_property *name = open_property(graph, "NAME");
    uint64_t owners = 0, values = 0, found = 0;
    DONE(varvite_property_counts(name, &owners, &values, &error));
    DONE(varvite_property_find(graph, VARVITE_NONE, "NAME", &number, &error));
    DONE(varvite_export_arrow(graph, VARVITE_TABLE_PROPERTY, number, &schema, &array, &error));
    const struct ArrowArray *codes = array.children[1], *texts = codes->dictionary;
    CHECK(strcmp(schema.children[0]->name, "node") == 0 && strcmp(schema.children[1]->format, "I") == 0);
    CHECK(strcmp(schema.children[1]->dictionary->format, "U") == 0 && (uint64_t)array.length == values);
    const int64_t *offsets = (const int64_t *)texts->buffers[1];
    for (int64_t row = 0; row < array.length; row++) {
        uint32_t code = number_at(codes, row);
        const char *text = (const char *)texts->buffers[2] + offsets[code];
        CHECK(code < texts->length);
        found += offsets[code + 1] - offsets[code] == 7 && memcmp(text, "inflate", 7) == 0;
    }
    CHECK(found > 0);
    /* A consumer may move a child out and release it on its own, before its parent. */
    struct ArrowArray moved = *array.children[1];
    array.children[1]->release = NULL;
    array.release(&array);
    CHECK(moved.length == (int64_t)values);
    moved.release(&moved);
    schema.release(&schema);
    CHECK(varvite_property_release(name) == VARVITE_OK);
}

static void every_table_can_be_made(const varvite_graph *graph) {
    varvite_error error;
    varvite_graph_info info;
    DONE(varvite_graph_describe(graph, &info, sizeof info, &error));
    for (uint32_t table = VARVITE_TABLE_LABELS; table <= VARVITE_TABLE_PROPERTY; table++) {
        uint32_t numbers = table == VARVITE_TABLE_LABELS ? 1 : table == VARVITE_TABLE_EDGES ? info.edge_label_count : info.property_count;
        for (uint32_t number = 0; number < numbers; number++) {
            struct ArrowSchema schema;
            struct ArrowArray array;
            DONE(varvite_export_arrow(graph, table, number, &schema, &array, &error));
            CHECK(array.n_children == 2 && array.children[0]->length == array.length);
            CHECK(table != VARVITE_TABLE_LABELS || array.length == info.node_count);
            array.release(&array);
            schema.release(&schema);
        }
    }
}

static int start_stream(const varvite_graph *graph, const char *plan, uint64_t batch_rows, struct ArrowArrayStream *stream) {
    varvite_error error = VARVITE_ERROR_INIT;
    varvite_run_options options = VARVITE_RUN_OPTIONS_INIT;
    options.batch_rows = batch_rows;
    return varvite_run_arrow(graph, plan, strlen(plan), &options, stream, &error);
}

static void rows_on_the_side_are_a_table(const varvite_graph *graph) {
    varvite_error error;
    varvite_batch batch;
    struct ArrowSchema schema;
    struct ArrowArray array;
    varvite_run *run = NULL;
    const char *plan = "{\"version\":1,\"steps\":[{\"step\":\"nodes\"},{\"step\":\"side\",\"name\":\"all\"},{\"step\":\"count\"}]}";
    DONE(varvite_run_plan(graph, plan, strlen(plan), NULL, &run, &error));
    DONE(varvite_run_next(run, &batch, sizeof batch, &error));
    DONE(varvite_run_side_arrow(run, "all", 3, &schema, &array, &error));
    CHECK(varvite_run_release(run) == VARVITE_OK);
    CHECK(schema.n_children == 1 && strcmp(schema.children[0]->name, "node") == 0);
    CHECK(array.length == 44073 && array.children[0]->length == 44073);
    CHECK(number_at(array.children[0], 0) == 0 && number_at(array.children[0], 44072) == 44072);
    array.release(&array);
    schema.release(&schema);
}

static void rows_come_as_a_stream(const varvite_graph *graph) {
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    struct ArrowArray array;
    int64_t rows = 0, next = 0;
    CHECK(start_stream(graph, "{\"version\":1,\"steps\":[{\"step\":\"nodes\"}]}", 1000, &stream) == VARVITE_OK);
    CHECK(stream.get_schema(&stream, &schema) == 0 && strcmp(schema.format, "+s") == 0 && schema.n_children == 1);
    CHECK(strcmp(schema.children[0]->name, "node") == 0 && strcmp(schema.children[0]->format, "I") == 0);
    schema.release(&schema);
    for (;;) {
        CHECK(stream.get_next(&stream, &array) == 0 && stream.get_last_error(&stream) == NULL);
        if (array.release == NULL) {
            break;
        }
        CHECK(array.length == (rows == 44000 ? 73 : 1000));
        for (int64_t row = 0; row < array.length; row++) {
            next += number_at(array.children[0], row) == rows + row;
        }
        rows += array.length;
        array.release(&array);
    }
    CHECK(rows == 44073 && next == rows);
    stream.release(&stream);
    CHECK(stream.release == NULL);
}

static void a_stream_keeps_the_graph_and_may_end_early(const char *path) {
    struct ArrowArrayStream stream;
    struct ArrowArray array;
    varvite_graph *graph = open_graph(path);
    const char *plan = "{\"version\":1,\"steps\":[{\"step\":\"nodes\",\"labels\":[\"METHOD\"]},{\"step\":\"values\",\"property\":\"NAME\"}]}";
    CHECK(start_stream(graph, plan, 5, &stream) == VARVITE_OK);
    CHECK(varvite_graph_release(graph) == VARVITE_OK);
    CHECK(stream.get_next(&stream, &array) == 0 && array.length == 5 && array.children[0]->n_buffers == 3);
    stream.release(&stream);
    CHECK(((const int64_t *)array.children[0]->buffers[1])[5] > 0);
    array.release(&array);
}

static void an_error_of_a_stream_has_words(const varvite_graph *graph) {
    struct ArrowArrayStream stream;
    struct ArrowArray array;
    const char *plan = "{\"version\":1,\"steps\":[{\"step\":\"nodes\",\"labels\":[\"METHOD\"]},{\"step\":\"limit\",\"count\":1},{\"step\":\"repeat\","
                       "\"body\":[{\"step\":\"both\",\"labels\":[\"AST\"]}],\"emit\":\"all\"}]}";
    int failed = 0;
    CHECK(start_stream(graph, "{\"version\":9,\"steps\":[]}", 0, &stream) == VARVITE_E_PLAN);
    CHECK(start_stream(graph, plan, 1 << 20, &stream) == VARVITE_OK);
    while ((failed = stream.get_next(&stream, &array)) == 0 && array.release != NULL) {
        array.release(&array);
    }
    CHECK(failed != 0 && strstr(stream.get_last_error(&stream), "step 3 (repeat)") != NULL);
    CHECK(stream.get_next(&stream, &array) == 0 && array.release == NULL);
    stream.release(&stream);
}

static void what_does_not_exist_is_an_error(const varvite_graph *graph) {
    varvite_error error;
    struct ArrowSchema schema;
    struct ArrowArray array;
    schema.release = NULL;
    FAILS(VARVITE_E_ARGUMENT, "table", varvite_export_arrow(graph, 9, 0, &schema, &array, &error));
    FAILS(VARVITE_E_UNKNOWN, "edge label", varvite_export_arrow(graph, VARVITE_TABLE_EDGES, 999, &schema, &array, &error));
    FAILS(VARVITE_E_UNKNOWN, "property", varvite_export_arrow(graph, VARVITE_TABLE_PROPERTY, 999, &schema, &array, &error));
    FAILS(VARVITE_E_ARGUMENT, "'array' must not be null", varvite_export_arrow(graph, VARVITE_TABLE_LABELS, 0, &schema, NULL, &error));
    CHECK(schema.release == NULL);
}

void test_arrow(const struct fixture *fixture) {
    for (int profile = 0; profile < PROFILES; profile++) {
        varvite_graph *graph = open_graph(fixture->path[profile]);
        edges_come_by_rank(graph);
        texts_are_a_dictionary_and_codes(graph);
        every_table_can_be_made(graph);
        rows_on_the_side_are_a_table(graph);
        rows_come_as_a_stream(graph);
        a_stream_keeps_the_graph_and_may_end_early(fixture->path[profile]);
        an_error_of_a_stream_has_words(graph);
        what_does_not_exist_is_an_error(graph);
        CHECK(varvite_graph_release(graph) == VARVITE_OK);
    }
}
