/* Tests of varvite_fill_or_pin: values are borrowed, copied or pinned. */
#include "suite.h"

enum { NODES = 44073 };

/* Reads every CODE with a threshold, and counts how each value is returned. The sum depends on all bytes. */
static uint64_t sum_of_texts(const varvite_graph *graph, uint64_t threshold, uint64_t *borrowed, uint64_t *filled,
                             uint64_t *pinned) {
    varvite_property *code = open_property(graph, "CODE");
    static uint8_t buffer[1 << 20];
    uint64_t sum = 0;
    *borrowed = *filled = *pinned = 0;
    for (uint32_t node = 0; node < NODES; node++) {
        const void *address = NULL;
        uint64_t length = 99;
        varvite_pin *pin = NULL;
        int32_t status = varvite_fill_or_pin(code, node, buffer, sizeof buffer, threshold, &address, &length, &pin, NULL);
        CHECK(status > 0 && (status == VARVITE_PINNED) == (pin != NULL));
        CHECK(status != VARVITE_ABSENT || length == 0);
        CHECK(status != VARVITE_FILLED || (address == buffer && length <= threshold));
        CHECK(status != VARVITE_PINNED || length > threshold);
        for (uint64_t i = 0; i < length; i++) {
            sum = sum * 31 + ((const uint8_t *)address)[i];
        }
        *borrowed += status == VARVITE_BORROWED;
        *filled += status == VARVITE_FILLED;
        *pinned += status == VARVITE_PINNED;
        CHECK(varvite_pin_release(pin) == VARVITE_OK);
    }
    CHECK(varvite_property_release(code) == VARVITE_OK);
    return sum;
}

static void all_ways_give_the_same_bytes(const struct fixture *fixture) {
    uint64_t expected = 0, borrowed = 0, filled = 0, pinned = 0;
    for (int profile = 0; profile < PROFILES; profile++) {
        varvite_graph *graph = open_graph(fixture->path[profile]);
        uint64_t sum = sum_of_texts(graph, 64, &borrowed, &filled, &pinned);
        CHECK(profile == 0 || sum == expected);
        expected = sum;
        CHECK(sum_of_texts(graph, 0, &borrowed, &filled, &pinned) == expected);
        printf("c:   %s: %llu borrowed, %llu pinned\n", profile_names[profile], (unsigned long long)borrowed,
               (unsigned long long)pinned);
        CHECK(profile != VARVITE_DIRECT || (pinned == 0 && filled == 0));
        CHECK(sum_of_texts(graph, UINT64_MAX, &borrowed, &filled, &pinned) == expected && pinned == 0);
        CHECK(varvite_graph_release(graph) == VARVITE_OK);
    }
    CHECK(filled > 0); /* In the archive, texts are in decoded blocks. */
}

static void numbers_are_filled(const struct fixture *fixture) {
    varvite_error error;
    varvite_graph *graph = open_graph(fixture->path[VARVITE_COMPACT]);
    varvite_property *line = open_property(graph, "LINE_NUMBER");
    uint32_t owner = 0;
    uint64_t count = 0, length = 0;
    int64_t number = 0;
    uint8_t bytes[8] = {0};
    const void *address = NULL;
    varvite_pin *pin = NULL;
    DONE(varvite_property_owners(line, 0, &owner, 1, &count, &error));
    DONE(varvite_property_number(line, owner, &number, &error));
    CHECK(varvite_fill_or_pin(line, owner, bytes, 8, 64, &address, &length, &pin, NULL) == VARVITE_FILLED);
    CHECK(length == 4 && address == bytes && pin == NULL);
    CHECK((int64_t)(bytes[0] | bytes[1] << 8 | bytes[2] << 16) == number);
    FAILS(VARVITE_E_TOO_SMALL, "4 are needed", varvite_fill_or_pin(line, owner, bytes, 3, 64, &address, &length, &pin, &error));
    CHECK(length == 4);
    FAILS(VARVITE_E_WRONG_TYPE, "LINE_NUMBER", varvite_text_fill_or_pin(line, 0, bytes, 8, 0, &address, &length, &pin, &error));
    CHECK(varvite_property_release(line) == VARVITE_OK && varvite_graph_release(graph) == VARVITE_OK);
}

/* The ledger counts a pin's bytes until the pin is released. The pin keeps them through a trim and through
 * the release of all other handles. */
static void a_pin_keeps_its_bytes(const struct fixture *fixture) {
    varvite_error error;
    varvite_graph *graph = open_graph(fixture->path[VARVITE_ARCHIVE]);
    varvite_property *code = open_property(graph, "CODE");
    varvite_memory before, with_pin, after;
    const void *address = NULL;
    uint64_t length = 0, sum = 0, again = 0;
    varvite_pin *pin = NULL;
    uint32_t number = 0;
    DONE(varvite_graph_memory(graph, &before, sizeof before, &error));
    while (varvite_text_fill_or_pin(code, number, NULL, 0, 0, &address, &length, &pin, NULL) != VARVITE_PINNED) {
        number++;
    }
    for (uint64_t i = 0; i < length; i++) {
        sum = sum * 31 + ((const uint8_t *)address)[i];
    }
    DONE(varvite_graph_memory(graph, &with_pin, sizeof with_pin, &error));
    CHECK(with_pin.pinned >= before.pinned + length);
    DONE(varvite_graph_trim(graph, &error));
    CHECK(varvite_property_release(code) == VARVITE_OK);
    for (uint64_t i = 0; i < length; i++) {
        again = again * 31 + ((const uint8_t *)address)[i];
    }
    CHECK(length > 0 && again == sum);
    CHECK(varvite_pin_release(pin) == VARVITE_OK);
    DONE(varvite_graph_trim(graph, &error));
    DONE(varvite_graph_memory(graph, &after, sizeof after, &error));
    CHECK(after.pinned == 0 && after.decoded == 0);
    CHECK(varvite_graph_release(graph) == VARVITE_OK);
}

void test_fill_or_pin(const struct fixture *fixture) {
    all_ways_give_the_same_bytes(fixture);
    numbers_are_filled(fixture);
    a_pin_keeps_its_bytes(fixture);
}
