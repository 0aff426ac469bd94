/* Tests of values of properties. */
#include "suite.h"

enum { NODES = 44073 };

static void a_method_is_found_by_name(const varvite_graph *graph) {
    varvite_error error;
    varvite_property *name = open_property(graph, "NAME");
    uint32_t code = VARVITE_NONE, method = VARVITE_NONE, owners[64];
    uint64_t count = 0, methods = 0;
    DONE(varvite_label_find(graph, "METHOD", &method, &error));
    DONE(varvite_property_text_find(name, "inflate", 7, &code, &error));
    DONE(varvite_property_equal(name, code, owners, 64, &count, &error));
    CHECK(count > 0);
    for (uint64_t i = 0; i < count; i++) {
        int64_t number = -1;
        uint8_t has = 9;
        DONE(varvite_property_number(name, owners[i], &number, &error));
        DONE(varvite_node_has_label(graph, owners[i], method, &has, &error));
        CHECK(number == code);
        methods += has;
    }
    CHECK(methods == 1);
    CHECK(varvite_property_release(name) == VARVITE_OK);
}

static void texts_are_copied_whole_or_not(const varvite_graph *graph) {
    varvite_error error;
    varvite_property *name = open_property(graph, "NAME");
    char text[16] = "................";
    uint32_t code = VARVITE_NONE, texts = 0;
    uint64_t length = 0;
    DONE(varvite_property_text_find(name, "inflate", 7, &code, &error));
    DONE(varvite_property_text(name, code, text, sizeof text, &length, &error));
    CHECK(length == 7 && memcmp(text, "inflate.", 8) == 0);
    FAILS(VARVITE_E_TOO_SMALL, "7 are needed", varvite_property_text(name, code, text, 6, &length, &error));
    CHECK(length == 7);
    DONE(varvite_property_text_count(name, &texts, &error));
    CHECK(varvite_property_text(name, texts, text, sizeof text, &length, NULL) == VARVITE_ABSENT);
    FAILS(VARVITE_E_UNKNOWN, "text", varvite_property_text(name, texts + 1, text, sizeof text, &length, &error));
    CHECK(varvite_property_text_find(name, "no such text", 12, &code, NULL) == VARVITE_ABSENT);
    FAILS(VARVITE_E_ARGUMENT, "UTF-8", varvite_property_text_find(name, "\xff", 1, &code, &error));
    CHECK(varvite_property_release(name) == VARVITE_OK);
}

/* The sum of all line numbers must be the same, whether single owners, many owners or lists are read. */
static int64_t sum_of_lines(const varvite_graph *graph) {
    varvite_error error;
    varvite_property *line = open_property(graph, "LINE_NUMBER");
    static uint32_t owners[NODES];
    static int64_t numbers[NODES];
    static uint8_t present[NODES];
    uint64_t with_value = 0, values = 0, count = 0;
    int64_t one_by_one = 0, together = 0, listed = 0;
    DONE(varvite_property_counts(line, &with_value, &values, &error));
    DONE(varvite_property_owners(line, 0, owners, NODES, &count, &error));
    CHECK(count == with_value && count == values);
    for (uint32_t node = 0; node < NODES; node++) {
        int64_t number = 0, list[2] = {0, 0};
        int32_t status = varvite_property_number(line, node, &number, NULL);
        CHECK(status == VARVITE_OK || (status == VARVITE_ABSENT && number == 0));
        one_by_one += number;
        DONE(varvite_property_list(line, node, list, 2, &count, &error));
        CHECK(count == (status == VARVITE_OK ? 1u : 0u));
        listed += list[0];
        owners[node] = node;
    }
    DONE(varvite_property_numbers(line, owners, numbers, present, NODES, &error));
    for (uint32_t node = 0; node < NODES; node++) {
        together += present[node] ? numbers[node] : 0;
        with_value -= present[node];
    }
    CHECK(with_value == 0 && one_by_one == together && one_by_one == listed);
    CHECK(varvite_property_release(line) == VARVITE_OK);
    return one_by_one;
}

/* varvite_property_fill returns the values that single reads return, wherever the range starts, and writes
 * nothing beyond the range. */
static void ranges_are_filled(const varvite_graph *graph, const char *name, uint32_t start, uint64_t count) {
    varvite_error error;
    varvite_property *property = open_property(graph, name);
    static int64_t numbers[NODES + 1];
    static uint64_t present[NODES / 64 + 2];
    uint64_t words = (count + 63) / 64;
    numbers[count] = -7;
    present[words] = 7;
    DONE(varvite_property_fill(property, start, count, numbers, present, &error));
    CHECK(numbers[count] == -7 && present[words] == 7);
    for (uint64_t i = 0; i < count; i++) {
        int64_t number = 0;
        int32_t status = varvite_property_number(property, start + (uint32_t)i, &number, NULL);
        CHECK((present[i / 64] >> (i % 64) & 1) == (status == VARVITE_OK ? 1u : 0u));
        CHECK(numbers[i] == number);
    }
    CHECK(count % 64 == 0 || present[words - 1] >> (count % 64) == 0);
    CHECK(varvite_property_release(property) == VARVITE_OK);
}

static void columns_are_filled(const varvite_graph *graph) {
    const char *names[] = {"LINE_NUMBER", "ORDER", "NAME", "CODE", "FULL_NAME", "IS_EXTERNAL"};
    for (int i = 0; i < 6; i++) {
        ranges_are_filled(graph, names[i], 0, NODES);
        ranges_are_filled(graph, names[i], 4095, 4098);
        ranges_are_filled(graph, names[i], 77, 63);
        ranges_are_filled(graph, names[i], NODES, 0);
    }
}

static void owners_that_do_not_exist_are_not_filled(const varvite_graph *graph) {
    varvite_error error;
    varvite_property *line = open_property(graph, "LINE_NUMBER");
    int64_t numbers[3] = {5, 5, 5};
    uint64_t present[1] = {5};
    FAILS(VARVITE_E_NO_SUCH_NODE, "44073", varvite_property_fill(line, NODES - 2, 3, numbers, present, &error));
    FAILS(VARVITE_E_NO_SUCH_NODE, "4294967295", varvite_property_fill(line, UINT32_MAX, 2, numbers, present, &error));
    FAILS(VARVITE_E_ARGUMENT, "numbers", varvite_property_fill(line, 0, 3, NULL, present, &error));
    FAILS(VARVITE_E_ARGUMENT, "present", varvite_property_fill(line, 0, 3, numbers, NULL, &error));
    CHECK(numbers[0] == 5 && numbers[2] == 5 && present[0] == 5);
    DONE(varvite_property_fill(line, 0, 0, NULL, NULL, &error));
    CHECK(varvite_property_release(line) == VARVITE_OK);
}

/* The selection of a range has the bits that single reads give, and nothing is written beyond these bits. */
static void ranges_are_selected(const varvite_graph *graph, const char *name, uint32_t start, uint64_t count, int64_t least,
                                int64_t greatest) {
    varvite_error error;
    varvite_property *property = open_property(graph, name);
    static uint64_t selected[NODES / 64 + 2], present[NODES / 64 + 2];
    uint64_t words = (count + 63) / 64, counted = 99, expected = 0;
    selected[words] = present[words] = 7;
    DONE(varvite_property_select(property, least, greatest, start, count, selected, &error));
    DONE(varvite_property_select_present(property, start, count, present, &error));
    DONE(varvite_property_count_in(property, least, greatest, start, count, &counted, &error));
    CHECK(selected[words] == 7 && present[words] == 7);
    for (uint64_t i = 0; i < count; i++) {
        int64_t number = 0;
        uint64_t has = varvite_property_number(property, start + (uint32_t)i, &number, NULL) == VARVITE_OK;
        uint64_t is_between = has && number >= least && number <= greatest;
        CHECK((present[i / 64] >> (i % 64) & 1) == has);
        CHECK((selected[i / 64] >> (i % 64) & 1) == is_between);
        expected += is_between;
    }
    CHECK(counted == expected);
    CHECK(count % 64 == 0 || (selected[words - 1] | present[words - 1]) >> (count % 64) == 0);
    CHECK(varvite_property_release(property) == VARVITE_OK);
}

static void owners_are_selected_by_numbers(const varvite_graph *graph) {
    const char *names[] = {"LINE_NUMBER", "ORDER", "NAME", "CODE", "FULL_NAME", "IS_EXTERNAL"};
    for (int i = 0; i < 6; i++) {
        ranges_are_selected(graph, names[i], 0, NODES, 2, 300);
        ranges_are_selected(graph, names[i], 0, NODES, INT64_MIN, INT64_MAX);
        ranges_are_selected(graph, names[i], 4095, 4098, 1, 1);
        ranges_are_selected(graph, names[i], 77, 63, 0, 50);
        ranges_are_selected(graph, names[i], 77, 6300, 50, 0);
        ranges_are_selected(graph, names[i], NODES, 0, 0, 50);
    }
}

static void owners_that_do_not_exist_are_not_selected(const varvite_graph *graph) {
    varvite_error error;
    varvite_property *line = open_property(graph, "LINE_NUMBER");
    uint64_t bits[1] = {5}, values = 5;
    FAILS(VARVITE_E_NO_SUCH_NODE, "44073", varvite_property_select(line, 0, 9, NODES - 2, 3, bits, &error));
    FAILS(VARVITE_E_NO_SUCH_NODE, "4294967295", varvite_property_select_present(line, UINT32_MAX, 2, bits, &error));
    FAILS(VARVITE_E_NO_SUCH_NODE, "44073", varvite_property_count_in(line, 0, 9, NODES, 1, &values, &error));
    FAILS(VARVITE_E_ARGUMENT, "bits", varvite_property_select(line, 0, 9, 0, 3, NULL, &error));
    FAILS(VARVITE_E_ARGUMENT, "values", varvite_property_count_in(line, 0, 9, 0, 3, NULL, &error));
    CHECK(bits[0] == 5 && values == 5);
    DONE(varvite_property_select(line, 0, 9, 0, 0, NULL, &error));
    CHECK(varvite_property_release(line) == VARVITE_OK);
}

static void edges_have_properties(const varvite_graph *graph) {
    varvite_error error;
    varvite_property *variable = NULL;
    uint32_t label = VARVITE_NONE, number = VARVITE_NONE, owner = 0;
    uint64_t with_value = 0, values = 0, count = 0;
    DONE(varvite_edge_label_find(graph, "REACHING_DEF", &label, &error));
    DONE(varvite_property_find(graph, label, "VARIABLE", &number, &error));
    DONE(varvite_property_open(graph, number, &variable, &error));
    DONE(varvite_property_counts(variable, &with_value, &values, &error));
    CHECK(with_value > 100000);
    DONE(varvite_property_owners(variable, 0, &owner, 1, &count, &error));
    CHECK(count == 1);
    FAILS(VARVITE_E_UNKNOWN, "edge", varvite_property_number(variable, UINT32_MAX, (int64_t[1]){0}, &error));
    CHECK(varvite_property_release(variable) == VARVITE_OK);
}

static void a_wrong_type_is_an_error_with_names(const varvite_graph *graph) {
    varvite_error error;
    varvite_property *line = open_property(graph, "LINE_NUMBER"), *none = NULL;
    double number = 0;
    int64_t whole = 0;
    uint32_t texts = 0;
    FAILS(VARVITE_E_WRONG_TYPE, "LINE_NUMBER holds i32, not f32 or f64", varvite_property_double(line, 0, &number, &error));
    FAILS(VARVITE_E_WRONG_TYPE, "LINE_NUMBER", varvite_property_text_count(line, &texts, &error));
    FAILS(VARVITE_E_NO_SUCH_NODE, "44073", varvite_property_number(line, NODES, &whole, &error));
    FAILS(VARVITE_E_UNKNOWN, "property", varvite_property_open(graph, 5000, &none, &error));
    CHECK(none == NULL && varvite_property_release(line) == VARVITE_OK);
}

void test_property(const struct fixture *fixture) {
    int64_t sum = 0;
    for (int profile = 0; profile < PROFILES; profile++) {
        varvite_graph *graph = open_graph(fixture->path[profile]);
        a_method_is_found_by_name(graph);
        texts_are_copied_whole_or_not(graph);
        columns_are_filled(graph);
        owners_that_do_not_exist_are_not_filled(graph);
        owners_are_selected_by_numbers(graph);
        owners_that_do_not_exist_are_not_selected(graph);
        edges_have_properties(graph);
        a_wrong_type_is_an_error_with_names(graph);
        CHECK(profile == 0 || sum_of_lines(graph) == sum);
        sum = sum_of_lines(graph);
        CHECK(varvite_graph_release(graph) == VARVITE_OK);
    }
}
