/* Tests with damaged golden files: every way to read a file must report the damage. */
#include "suite.h"

#define COLUMNS "{\"step\":\"columns\",\"columns\":[{\"property\":\"NAME\"}]}"
#define SHOW "{\"version\":1,\"steps\":[{\"step\":\"nodes\"}," COLUMNS "]}"
#define FIND "{\"version\":1,\"steps\":[{\"step\":\"nodes\"},{\"step\":\"has\",\"property\":\"NAME\",\"is\":{\"regex\":\"[a-z]*\"}}," COLUMNS "]}"
#define HOP "{\"version\":1,\"steps\":[{\"step\":\"nodes\"},{\"step\":\"out\",\"labels\":[\"REF\"]}," COLUMNS "]}"

/* Files whose damage is found only when the damaged column is read, each with a plan that reads that column.
 * The damage in the last two files is found only if checksums are verified. */
static const struct { const char *file, *plan; } cases[] = {
    {"text-outside", SHOW},
    {"text-outside", FIND},
    {"text-code-outside", SHOW},
    {"text-code-outside", FIND},
    {"block-checksum", SHOW},
    {"block-checksum", FIND},
    {"block-codec", HOP},
};
#define CASES (sizeof cases / sizeof *cases)

/* Opens a damaged file. `source` is in examples/data; conformance/files/damaged is found relative to it. */
static varvite_graph *open_damaged(const char *source, const char *name) {
    varvite_error error;
    varvite_graph *graph = NULL;
    varvite_open_options options = VARVITE_OPEN_OPTIONS_INIT;
    char path[1024], folder[512];
    snprintf(folder, sizeof folder, "%s", source);
    *strrchr(folder, '/') = 0;
    snprintf(path, sizeof path, "%s/../../conformance/files/damaged/%s.varvite", folder, name);
    options.mode = VARVITE_BUFFERED;
    DONE(varvite_graph_open(path, &options, &graph, &error));
    return graph;
}

/* Reads all batches with their texts. Returns the status of the first call that failed, or the status at the
 * end of the run. */
static int32_t end_of_run(const varvite_graph *graph, const char *plan, varvite_error *error) {
    varvite_run *run = NULL;
    varvite_batch batch;
    int32_t status = varvite_run_plan(graph, plan, strlen(plan), NULL, &run, error), met = 0;
    while (status >= 0 && (status = varvite_run_next(run, &batch, sizeof batch, error)) == VARVITE_OK) {
        for (uint64_t row = 0; row < batch.row_count; row++) {
            char text[64];
            uint64_t length = 0;
            int32_t read = varvite_run_text(run, 0, row, text, sizeof text, &length, NULL);
            CHECK(read == VARVITE_OK || read == VARVITE_E_DAMAGED || read == VARVITE_ABSENT);
            met |= read == VARVITE_E_DAMAGED;
        }
    }
    CHECK(!met || status == VARVITE_E_DAMAGED);
    varvite_run_release(run);
    return status;
}

static int32_t end_of_stream(const varvite_graph *graph, const char *plan) {
    varvite_error error = fresh_error();
    struct ArrowArrayStream stream;
    struct ArrowArray array;
    int failure = 0;
    int32_t status = varvite_run_arrow(graph, plan, strlen(plan), NULL, &stream, &error);
    if (status < 0) {
        return status;
    }
    while ((failure = stream.get_next(&stream, &array)) == 0 && array.release != NULL) {
        array.release(&array);
    }
    CHECK(failure == 0 || strstr(stream.get_last_error(&stream), "damaged") != NULL || strstr(stream.get_last_error(&stream), "segment") != NULL);
    stream.release(&stream);
    return failure == 0 ? VARVITE_OK : VARVITE_E_DAMAGED;
}

static void getters_tell_what_they_can_not_read(const char *source, const char *name) {
    varvite_error error = fresh_error();
    varvite_graph *graph = open_damaged(source, name);
    varvite_property *property = NULL;
    uint32_t number = VARVITE_NONE, texts = 0;
    int damaged = 0;
    DONE(varvite_property_find(graph, VARVITE_NONE, "NAME", &number, &error));
    int32_t status = varvite_property_open(graph, number, &property, &error);
    for (uint32_t node = 0; status >= 0 && node < 12; node++) {
        int64_t code = -1;
        char text[64];
        uint64_t length = 0;
        int32_t read = varvite_property_number(property, node, &code, &error);
        CHECK(read == VARVITE_OK || read == VARVITE_E_DAMAGED);
        damaged |= read < 0;
        if (read == VARVITE_OK) {
            read = varvite_property_text(property, (uint32_t)code, text, sizeof text, &length, &error);
            CHECK(read == VARVITE_OK || read == VARVITE_E_DAMAGED);
            damaged |= read < 0;
        }
    }
    /* If the column could not be opened, `status` is already the error. */
    if (status >= 0) {
        CHECK(damaged && varvite_graph_check(graph, &error) == VARVITE_E_DAMAGED);
        DONE(varvite_property_text_count(property, &texts, &error));
    }
    CHECK(status >= 0 || status == VARVITE_E_DAMAGED);
    varvite_property_release(property);
    varvite_graph_release(graph);
}

void test_conformance(const struct fixture *fixture) {
    for (size_t number = 0; number < CASES; number++) {
        const char *file = cases[number].file, *plan = cases[number].plan;
        varvite_error error = fresh_error();
        varvite_graph *graph = open_damaged(fixture->source, file);
        CHECK(end_of_run(graph, plan, &error) == VARVITE_E_DAMAGED);
        /* Damage that was met once makes the next run fail too, except if opening a column failed: that error
         * is returned but not recorded. */
        CHECK(strcmp(plan, HOP) == 0 || end_of_run(graph, SHOW, &error) == VARVITE_E_DAMAGED);
        varvite_graph_release(graph);
        graph = open_damaged(fixture->source, file);
        CHECK(end_of_stream(graph, plan) == VARVITE_E_DAMAGED);
        varvite_graph_release(graph);
        if (strcmp(plan, SHOW) == 0) {
            getters_tell_what_they_can_not_read(fixture->source, file);
        }
    }
}
