/* Runs the plans of cases and writes their rows in the notation of cases. */
#include "case.h"

int32_t text_edge(const varvite_graph *graph, const varvite_edge *edge, struct text *text, varvite_error *error) {
    varvite_edge_label labels[16];
    uint64_t count = 0;
    int32_t status = varvite_graph_edge_labels(graph, labels, sizeof *labels, 16, &count, error);
    if (status < 0) {
        return status;
    }
    CHECK(edge->label < count);
    text_add(text, "{\"edge\":\"%s\",\"source\":%u,\"target\":%u}", labels[edge->label].name, edge->source, edge->target);
    return status;
}

/* Appends the elements of a path or a group. */
static int32_t add_list(const varvite_graph *graph, const varvite_run *run, uint32_t column, uint64_t row, struct text *text,
                        varvite_error *error) {
    varvite_element elements[64];
    uint64_t count = 0;
    int32_t status = varvite_run_list(run, column, row, elements, 64, &count, error);
    text_add(text, "[");
    for (uint64_t at = 0; status >= 0 && at < count; at++) {
        text_add(text, at > 0 ? "," : "");
        if (elements[at].is_edge) {
            status = text_edge(graph, &elements[at].edge, text, error);
        } else {
            text_add(text, "%u", elements[at].node);
        }
    }
    text_add(text, "]");
    return status;
}

static int32_t add_cell(const varvite_graph *graph, const varvite_run *run, uint32_t column, uint64_t row, struct text *text,
                        varvite_error *error) {
    varvite_result_column info;
    char bytes[512];
    uint64_t length = 0;
    int32_t status = varvite_run_column(run, column, &info, sizeof info, error);
    if (status >= 0 && info.is_list) {
        return add_list(graph, run, column, row, text, error);
    }
    if (status >= 0) {
        status = varvite_run_text(run, column, row, bytes, sizeof bytes, &length, error);
    }
    int is_label = info.value_type == VARVITE_NONE && info.name_length == 5 && memcmp(info.name, "label", 5) == 0;
    if (status == VARVITE_ABSENT) {
        text_add(text, "null");
    } else if (is_label || info.value_type == VARVITE_STRING || info.value_type == VARVITE_BYTES) {
        text_json(text, bytes, length);
    } else {
        /* The text of a reference has a `#` before its digits, which cases omit. */
        int signs = length > 0 && bytes[0] == '#';
        text_add(text, "%.*s", (int)length - signs, bytes + signs);
    }
    return status;
}

static int32_t add_columns(const varvite_graph *graph, const varvite_run *run, uint32_t columns, uint64_t row, struct text *text,
                           varvite_error *error) {
    varvite_result_column info;
    int32_t status = VARVITE_OK;
    for (uint32_t column = 0; status >= 0 && column < columns; column++) {
        status = varvite_run_column(run, column, &info, sizeof info, error);
        if (status >= 0) {
            text_add(text, "%s\"%.*s\":", column > 0 ? "," : "{", (int)info.name_length, info.name);
            status = add_cell(graph, run, column, row, text, error);
        }
    }
    text_add(text, "}");
    return status;
}

static int32_t add_rows(const varvite_graph *graph, const varvite_run *run, const varvite_batch *batch, struct text *text,
                        varvite_error *error) {
    int32_t status = VARVITE_OK;
    for (uint64_t row = 0; status >= 0 && row < batch->row_count; row++) {
        switch (batch->kind) {
        case VARVITE_ROWS_NODES:
            text_add(text, "{\"node\":%u}", batch->nodes[row]);
            break;
        case VARVITE_ROWS_EDGES:
            status = text_edge(graph, &batch->edges[row], text, error);
            break;
        case VARVITE_ROWS_VALUES:
            status = add_cell(graph, run, 0, row, text, error);
            break;
        default:
            status = add_columns(graph, run, batch->column_count, row, text, error);
        }
        text_add(text, "\n");
    }
    return status;
}

/* Writes the plan with its parameters replaced by their values. */
static int32_t bind(const struct question *question, struct text *bound, varvite_error *error) {
    varvite_parameter parameters[CASE_PARAMS];
    const struct text *plan = &question->plan;
    uint64_t count = (uint64_t)question->param_count, length = 0;
    int32_t status = VARVITE_OK;
    for (int at = 0; at < question->param_count; at++) {
        const struct text *param = &question->params[at];
        const char *value = strchr(param->bytes, '=') + 1;
        parameters[at].name = param->bytes;
        parameters[at].name_length = (uint64_t)(value - 1 - param->bytes);
        parameters[at].value = value;
        parameters[at].value_length = strlen(value);
    }
    status = varvite_plan_bind(plan->bytes, plan->length, parameters, count, NULL, 0, &length, error);
    if (status != VARVITE_E_TOO_SMALL) {
        return status;
    }
    bound->bytes = malloc(length);
    CHECK(bound->bytes != NULL);
    bound->length = length;
    return varvite_plan_bind(plan->bytes, plan->length, parameters, count, bound->bytes, length, &length, error);
}

int32_t answer_plan(const varvite_graph *graph, const struct question *question, struct text *answer, varvite_error *error) {
    varvite_run_options options = VARVITE_RUN_OPTIONS_INIT;
    varvite_run *run = NULL;
    varvite_batch batch;
    struct text bound = {0};
    const struct text *plan = question->param_count > 0 ? &bound : &question->plan;
    const char *side = question->side;
    int32_t more = VARVITE_OK, status = VARVITE_OK;
    options.memory_bytes = question->memory;
    if (question->param_count > 0) {
        status = bind(question, &bound, error);
    }
    if (status == VARVITE_OK) {
        status = varvite_run_plan(graph, plan->bytes, plan->length, &options, &run, error);
    }
    while (status >= 0 && more == VARVITE_OK) {
        status = more = varvite_run_next(run, &batch, sizeof batch, error);
        if (status >= 0 && *side != 0) {
            status = varvite_run_side(run, side, strlen(side), &batch, sizeof batch, error);
        }
        if (status == VARVITE_OK) {
            status = add_rows(graph, run, &batch, answer, error);
        }
    }
    CHECK(run == NULL || varvite_run_release(run) == VARVITE_OK);
    free(bound.bytes);
    return status;
}
