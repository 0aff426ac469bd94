/* Tests of pipelines that are passed as JSON. */
#include "suite.h"

static varvite_run *start(const varvite_graph *graph, const char *plan) {
    varvite_error error;
    varvite_run *run = NULL;
    DONE(varvite_run_plan(graph, plan, strlen(plan), NULL, &run, &error));
    return run;
}

static void calls_of_a_method_are_nodes(const varvite_graph *graph) {
    varvite_error error;
    varvite_batch batch;
    varvite_run *run = start(graph,
                             "{\"version\": 1, \"steps\": [{\"step\": \"nodes\", \"labels\": [\"METHOD\"]},"
                             "{\"step\": \"has\", \"property\": \"NAME\", \"is\": {\"eq\": \"inflate\"}},"
                             "{\"step\": \"in\", \"labels\": [\"CALL\"]}]}");
    varvite_adjacency *callers = open_adjacency(graph, "CALL", VARVITE_IN);
    varvite_property *name = open_property(graph, "NAME");
    uint32_t code = VARVITE_NONE, method = VARVITE_NONE, owners[64], expected[256];
    uint64_t count = 0, at = 0;
    uint8_t has = 0;
    DONE(varvite_label_find(graph, "METHOD", &method, &error));
    DONE(varvite_property_text_find(name, "inflate", 7, &code, &error));
    DONE(varvite_property_equal(name, code, owners, 64, &count, &error));
    do {
        DONE(varvite_node_has_label(graph, owners[at], method, &has, &error));
        at += !has;
    } while (!has);
    DONE(varvite_adjacency_neighbors(callers, owners[at], expected, 256, &count, &error));
    CHECK(count > 0);
    CHECK(varvite_run_next(run, &batch, sizeof batch, NULL) == VARVITE_OK);
    CHECK(batch.kind == VARVITE_ROWS_NODES && batch.row_count == count && batch.edges == NULL && batch.numbers == NULL);
    CHECK(memcmp(batch.nodes, expected, count * sizeof *expected) == 0);
    CHECK(varvite_run_next(run, &batch, sizeof batch, NULL) == VARVITE_ABSENT && varvite_run_next(run, &batch, sizeof batch, NULL) == VARVITE_ABSENT);
    CHECK(varvite_run_release(run) == VARVITE_OK && varvite_property_release(name) == VARVITE_OK);
    CHECK(varvite_adjacency_release(callers) == VARVITE_OK);
}

static void batches_together_are_everything(const varvite_graph *graph) {
    varvite_error error;
    varvite_batch batch;
    varvite_run_options options = VARVITE_RUN_OPTIONS_INIT;
    varvite_run *run = NULL;
    const char *plan = "{\"version\":1,\"steps\":[{\"step\":\"edges\",\"labels\":[\"CALL\"]}]}";
    uint64_t rows = 0, batches = 0;
    options.batch_rows = 512;
    DONE(varvite_run_plan(graph, plan, strlen(plan), &options, &run, &error));
    while (varvite_run_next(run, &batch, sizeof batch, NULL) == VARVITE_OK) {
        CHECK(batch.kind == VARVITE_ROWS_EDGES && batch.row_count > 0);
        CHECK(batch.edges[0].source < 44073 && batch.edges[0].rank == rows);
        rows += batch.row_count;
        batches++;
    }
    CHECK(rows == 14883 && batches > 10);
    CHECK(varvite_run_release(run) == VARVITE_OK);
}

static void tables_have_columns(const varvite_graph *graph) {
    varvite_error error;
    varvite_batch batch;
    varvite_result_column column;
    varvite_run *run = start(graph, "{\"version\":1,\"steps\":[{\"step\":\"nodes\"},{\"step\":\"group_count\",\"by\":\"label\"}]}");
    int64_t numbers[64];
    uint8_t present[64];
    uint64_t count = 0, length = 0;
    int64_t calls = 0;
    char text[32];
    FAILS(VARVITE_E_WRONG_TYPE, "ask for a batch first", varvite_run_column(run, 0, &column, sizeof column, &error));
    DONE(varvite_run_next(run, &batch, sizeof batch, &error));
    CHECK(batch.kind == VARVITE_ROWS_TABLE && batch.column_count == 2 && batch.nodes == NULL);
    DONE(varvite_run_column(run, 1, &column, sizeof column, &error));
    CHECK(column.name_length == 5 && memcmp(column.name, "count", 5) == 0 && column.is_list == 0);
    DONE(varvite_run_numbers(run, 1, numbers, present, 64, &count, &error));
    CHECK(count == batch.row_count);
    for (uint64_t row = 0; row < count; row++) {
        CHECK(present[row] == 1);
        DONE(varvite_run_text(run, 0, row, text, sizeof text, &length, &error));
        calls = length == 4 && memcmp(text, "CALL", 4) == 0 ? numbers[row] : calls;
    }
    CHECK(calls == 14910);
    FAILS(VARVITE_E_TOO_SMALL, "needed", varvite_run_numbers(run, 1, numbers, present, 1, &count, &error));
    FAILS(VARVITE_E_UNKNOWN, "column", varvite_run_column(run, 2, &column, sizeof column, &error));
    FAILS(VARVITE_E_UNKNOWN, "row", varvite_run_text(run, 0, 999, text, sizeof text, &length, &error));
    CHECK(varvite_run_release(run) == VARVITE_OK);
}

static void paths_are_lists(const varvite_graph *graph) {
    varvite_error error;
    varvite_batch batch;
    varvite_element elements[8];
    varvite_run *run = start(graph, "{\"version\":1,\"steps\":[{\"step\":\"nodes\",\"labels\":[\"CALL\"]},"
                                    "{\"step\":\"out\",\"labels\":[\"CALL\"]},{\"step\":\"limit\",\"count\":3},{\"step\":\"path\"}]}");
    uint64_t count = 0;
    DONE(varvite_run_next(run, &batch, sizeof batch, &error));
    CHECK(batch.row_count > 0);
    DONE(varvite_run_list(run, 0, 0, elements, 8, &count, &error));
    CHECK(count == 2 && elements[0].is_edge == 0 && elements[0].node < 44073 && elements[1].node < 44073);
    CHECK(varvite_run_release(run) == VARVITE_OK);
}

static void sides_give_what_passed(const varvite_graph *graph) {
    varvite_error error;
    varvite_batch batch, side;
    varvite_result_column column;
    varvite_run *run = start(graph, "{\"version\":1,\"steps\":[{\"step\":\"nodes\",\"labels\":[\"CALL\"]},{\"step\":\"side\",\"name\":\"calls\"},"
                                    "{\"step\":\"group_count\",\"by\":{\"property\":\"NAME\"}},{\"step\":\"limit\",\"count\":1}]}");
    int64_t numbers[1];
    uint8_t present[1];
    uint64_t count = 0;
    CHECK(varvite_run_side(run, "calls", 5, &side, sizeof side, NULL) == VARVITE_ABSENT && side.row_count == 0);
    DONE(varvite_run_next(run, &batch, sizeof batch, &error));
    CHECK(batch.kind == VARVITE_ROWS_TABLE && batch.row_count == 1);
    DONE(varvite_run_side(run, "calls", 5, &side, sizeof side, &error));
    CHECK(side.kind == VARVITE_ROWS_NODES && side.row_count == 14910 && side.nodes[0] < side.nodes[14909]);
    DONE(varvite_run_column(run, 0, &column, sizeof column, &error));
    CHECK(column.name_length == 4 && memcmp(column.name, "node", 4) == 0);
    FAILS(VARVITE_E_UNKNOWN, "no step `side` named \"methods\"", varvite_run_side(run, "methods", 7, &side, sizeof side, &error));
    CHECK(varvite_run_next(run, &batch, sizeof batch, NULL) == VARVITE_ABSENT);
    FAILS(VARVITE_E_WRONG_TYPE, "batch first", varvite_run_numbers(run, 0, numbers, present, 1, &count, &error));
    CHECK(varvite_run_side(run, "calls", 5, &side, sizeof side, NULL) == VARVITE_ABSENT);
    CHECK(varvite_run_release(run) == VARVITE_OK);
}

static void mistakes_name_the_step(const varvite_graph *graph) {
    varvite_error error;
    varvite_run *run = NULL;
    const char *not_json = "nodes()", *newer = "{\"version\":9,\"steps\":[]}";
    const char *unknown = "{\"version\":1,\"steps\":[{\"step\":\"nodes\",\"labels\":[\"METHODS\"]}]}";
    const char *typed = "{\"version\":1,\"steps\":[{\"step\":\"nodes\"},{\"step\":\"has\",\"property\":\"ORDER\",\"is\":{\"eq\":\"x\"}}]}";
    const char *odd = "{\"version\":1,\"steps\":[{\"step\":\"jump\"}]}";
    FAILS(VARVITE_E_PLAN, "not a plan", varvite_run_plan(graph, not_json, strlen(not_json), NULL, &run, &error));
    FAILS(VARVITE_E_PLAN, "step 1 (jump)", varvite_run_plan(graph, odd, strlen(odd), NULL, &run, &error));
    FAILS(VARVITE_E_PLAN, "version 9", varvite_run_plan(graph, newer, strlen(newer), NULL, &run, &error));
    FAILS(VARVITE_E_UNKNOWN, "nearest is \"METHOD\"", varvite_run_plan(graph, unknown, strlen(unknown), NULL, &run, &error));
    FAILS(VARVITE_E_WRONG_TYPE, "step 2", varvite_run_plan(graph, typed, strlen(typed), NULL, &run, &error));
    FAILS(VARVITE_E_ARGUMENT, "'plan' is not UTF-8", varvite_run_plan(graph, "\xff", 1, NULL, &run, &error));
    FAILS(VARVITE_E_ARGUMENT, "'plan' must not be null", varvite_run_plan(graph, NULL, 1, NULL, &run, &error));
    CHECK(run == NULL);
}

static void parameters_of_a_plan_get_their_values(void) {
    varvite_error error;
    const char *plan = "{\"version\":1,\"parameters\":{\"names\":\"texts\",\"most\":\"integer\"},\"steps\":[{\"step\":\"nodes\"},"
                       "{\"step\":\"has\",\"property\":\"NAME\",\"is\":{\"one_of\":{\"param\":\"names\"}}},"
                       "{\"step\":\"limit\",\"count\":{\"param\":\"most\"}}]}";
    const char *expected = "{\"version\":1,\"steps\":[{\"step\":\"nodes\"},"
                           "{\"step\":\"has\",\"property\":\"NAME\",\"is\":{\"one_of\":[\"a\\\"}\",\"\"]}},{\"step\":\"limit\",\"count\":3}]}";
    varvite_parameter values[] = {{"names", 5, "a\"}", 3}, {"most", 4, "3", 1}, {"names", 5, NULL, 0}};
    char bound[300];
    uint64_t length = 0, plan_length = strlen(plan);
    DONE(varvite_plan_bind(plan, plan_length, values, 3, bound, sizeof bound, &length, &error));
    CHECK(length == strlen(expected) && memcmp(bound, expected, length) == 0);
    FAILS(VARVITE_E_TOO_SMALL, "bound", varvite_plan_bind(plan, plan_length, values, 3, NULL, 0, &length, &error));
    CHECK(length == strlen(expected));
    FAILS(VARVITE_E_PLAN, "\"most\" has no value", varvite_plan_bind(plan, plan_length, values, 1, bound, 300, &length, &error));
    values[0].name_length = 4;
    FAILS(VARVITE_E_PLAN, "no parameter \"name\"", varvite_plan_bind(plan, plan_length, values, 3, bound, 300, &length, &error));
    values[0].name = NULL;
    FAILS(VARVITE_E_ARGUMENT, "parameters.name", varvite_plan_bind(plan, plan_length, values, 3, bound, 300, &length, &error));
}

static void a_run_can_be_cancelled_and_held_back(const varvite_graph *graph) {
    varvite_error error;
    varvite_batch batch;
    varvite_run_options options = VARVITE_RUN_OPTIONS_INIT;
    const char *plan = "{\"version\":1,\"steps\":[{\"step\":\"nodes\"},{\"step\":\"order\",\"by\":\"label\"}]}";
    varvite_run *run = start(graph, plan);
    DONE(varvite_run_cancel(run, &error));
    FAILS(VARVITE_E_CANCELLED, "cancelled", varvite_run_next(run, &batch, sizeof batch, &error));
    CHECK(varvite_run_next(run, &batch, sizeof batch, NULL) == VARVITE_ABSENT);
    CHECK(varvite_run_release(run) == VARVITE_OK);
    options.memory_bytes = 1000;
    DONE(varvite_run_plan(graph, plan, strlen(plan), &options, &run, &error));
    FAILS(VARVITE_E_OVER_BUDGET, "budget", varvite_run_next(run, &batch, sizeof batch, &error));
    CHECK(varvite_run_release(run) == VARVITE_OK);
    FAILS(VARVITE_E_HANDLE, "released", varvite_run_next(run, &batch, sizeof batch, &error));
}

void test_run(const struct fixture *fixture) {
    parameters_of_a_plan_get_their_values();
    for (int profile = 0; profile < PROFILES; profile++) {
        varvite_graph *graph = open_graph(fixture->path[profile]);
        calls_of_a_method_are_nodes(graph);
        batches_together_are_everything(graph);
        tables_have_columns(graph);
        paths_are_lists(graph);
        sides_give_what_passed(graph);
        mistakes_name_the_step(graph);
        a_run_can_be_cancelled_and_held_back(graph);
        CHECK(varvite_graph_release(graph) == VARVITE_OK);
    }
}
