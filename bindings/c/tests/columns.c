/* Tests of columns in the layout of the file, which a binding reads in place without a call. */
#include "suite.h"

static varvite_column *columns_of(const varvite_graph *graph, uint64_t *count) {
    varvite_error error;
    varvite_graph_info info;
    DONE(varvite_graph_describe(graph, &info, sizeof info, &error));
    varvite_column *columns = (varvite_column *)calloc(info.column_count, sizeof *columns);
    DONE(varvite_graph_columns(graph, columns, sizeof *columns, info.column_count, count, &error));
    CHECK(*count == info.column_count);
    return columns;
}

/* Reads parts of a segment at its start, at its end and across a block border. */
static void a_part_of_a_segment_is_what_it_is_in_the_whole(const varvite_graph *graph, uint32_t segment,
                                                           const uint8_t *whole, uint64_t length) {
    varvite_error error;
    uint8_t part[64];
    const uint64_t wanted = length < sizeof part ? length : sizeof part;
    const uint64_t places[] = {0, length - wanted, length > 65568 ? 65536 - 32 : 0, length / 2 - wanted / 2};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        DONE(varvite_segment_read(graph, segment, places[i], part, wanted, &error));
        CHECK(wanted == 0 || memcmp(part, whole + places[i], (size_t)wanted) == 0);
    }
    FAILS(VARVITE_E_ARGUMENT, "offset", varvite_segment_read(graph, segment, length - wanted + 1, part, wanted + (wanted == 0), &error));
    FAILS(VARVITE_E_ARGUMENT, "offset", varvite_segment_read(graph, segment, UINT64_MAX, part, 1, &error));
    FAILS(VARVITE_E_UNKNOWN, "segment", varvite_segment_read(graph, 99999, 0, part, 1, &error));
}

/* Reads every segment, in place or pinned, twice: both reads must return the same bytes. */
static void every_segment_can_be_read(const varvite_graph *graph) {
    varvite_error error;
    varvite_graph_info info;
    uint64_t count = 0;
    DONE(varvite_graph_describe(graph, &info, sizeof info, &error));
    varvite_segment *segments = (varvite_segment *)calloc(info.segment_count, sizeof *segments);
    DONE(varvite_graph_segments(graph, segments, sizeof *segments, info.segment_count, &count, &error));
    CHECK(count == info.segment_count);
    for (uint32_t i = 0; i < count; i++) {
        const void *address = NULL;
        uint64_t length = 0, sum = 0;
        varvite_pin *pin = NULL;
        int32_t status = varvite_segment_pin(graph, i, &address, &length, &pin, NULL);
        CHECK(length == segments[i].length);
        for (uint64_t at = 0; at < length; at++) {
            sum += ((const uint8_t *)address)[at];
        }
        a_part_of_a_segment_is_what_it_is_in_the_whole(graph, i, (const uint8_t *)address, length);
        CHECK(sum > 0 || length == 0 || sum == 0);
        if (status == VARVITE_BORROWED) {
            CHECK(pin == NULL && address == segments[i].address && segments[i].codec == VARVITE_NO_CODEC);
        } else {
            CHECK(status == VARVITE_PINNED && pin != NULL && segments[i].address == NULL);
        }
        CHECK(varvite_pin_release(pin) == VARVITE_OK);
    }
    free(segments);
}

/* Reads the one plain column that every direct file has: the label code of each node. */
static void plain_values_are_read_in_place(const struct fixture *fixture) {
    varvite_error error;
    varvite_graph *graph = open_graph(fixture->path[VARVITE_DIRECT]);
    varvite_graph_info info;
    uint64_t count = 0;
    DONE(varvite_graph_describe(graph, &info, sizeof info, &error));
    varvite_column *columns = columns_of(graph, &count);
    const varvite_column *codes = &columns[info.codes_column];
    CHECK(codes->encoding == VARVITE_PLAIN && codes->width == 1 && codes->count == info.node_count);
    CHECK(codes->lengths[0] >= codes->count && codes->addresses[0] != NULL && codes->addresses[1] == NULL);
    const uint8_t *values = (const uint8_t *)codes->addresses[0];
    for (uint32_t node = 0; node < info.node_count; node += 101) {
        uint32_t code = 0;
        DONE(varvite_label_codes(graph, &node, &code, 1, &error));
        CHECK((uint32_t)(values[node] + codes->base) == code);
    }
    free(columns);
    CHECK(varvite_graph_release(graph) == VARVITE_OK);
}

static void a_pin_outlives_the_graph(const struct fixture *fixture) {
    varvite_graph *graph = open_graph(fixture->path[VARVITE_ARCHIVE]);
    const void *address = NULL;
    uint64_t length = 0, sum = 0;
    varvite_pin *pin = NULL;
    uint32_t segment = 0;
    for (; varvite_segment_pin(graph, segment, &address, &length, &pin, NULL) != VARVITE_PINNED; segment++) {
    }
    CHECK(varvite_graph_release(graph) == VARVITE_OK);
    for (uint64_t at = 0; at < length; at++) {
        sum += ((const uint8_t *)address)[at];
    }
    CHECK(sum > 0 && varvite_pin_release(pin) == VARVITE_OK);
    CHECK(varvite_pin_release(pin) == VARVITE_E_HANDLE);
}

static void a_segment_that_does_not_exist_is_an_error(const struct fixture *fixture) {
    varvite_error error;
    varvite_graph *graph = open_graph(fixture->path[VARVITE_DIRECT]);
    const void *address = NULL;
    uint64_t length = 0;
    varvite_pin *pin = NULL;
    FAILS(VARVITE_E_UNKNOWN, "segment", varvite_segment_pin(graph, VARVITE_NONE, &address, &length, &pin, &error));
    CHECK(address == NULL && pin == NULL && varvite_graph_release(graph) == VARVITE_OK);
}

void test_columns(const struct fixture *fixture) {
    for (int profile = 0; profile < PROFILES; profile++) {
        varvite_graph *graph = open_graph(fixture->path[profile]);
        every_segment_can_be_read(graph);
        CHECK(varvite_graph_release(graph) == VARVITE_OK);
    }
    plain_values_are_read_in_place(fixture);
    a_pin_outlives_the_graph(fixture);
    a_segment_that_does_not_exist_is_an_error(fixture);
}
