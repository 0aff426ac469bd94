/* Answers the named questions of cases, each by calls of the C interface. */
#include "case.h"
#include "varvite_cpg.h"

enum { MANY = 512 };

static void add_ids(struct text *answer, const uint32_t *ids, uint64_t count) {
    text_add(answer, "[");
    for (uint64_t at = 0; at < count; at++) {
        text_add(answer, "%s%u", at > 0 ? "," : "", ids[at]);
    }
    text_add(answer, "]");
}

static int by_name(const void *one, const void *other) {
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

static int32_t add_labels(const varvite_graph *graph, uint32_t node, struct text *answer, varvite_error *error) {
    varvite_label labels[16];
    const char *names[16];
    uint32_t numbers[16];
    uint64_t known = 0, count = 0;
    int32_t status = varvite_graph_labels(graph, labels, sizeof *labels, 16, &known, error);
    if (status >= 0) {
        status = varvite_node_labels(graph, node, numbers, 16, &count, error);
    }
    for (uint64_t at = 0; status >= 0 && at < count; at++) {
        names[at] = labels[numbers[at]].name;
    }
    qsort(names, status >= 0 ? count : 0, sizeof *names, by_name);
    text_add(answer, "[");
    for (uint64_t at = 0; status >= 0 && at < count; at++) {
        text_add(answer, "%s\"%s\"", at > 0 ? "," : "", names[at]);
    }
    text_add(answer, "]");
    return status;
}

static int32_t answer_labels(const varvite_graph *graph, uint32_t nodes, struct text *answer, varvite_error *error) {
    int32_t status = VARVITE_OK;
    text_add(answer, "[");
    for (uint32_t node = 0; status >= 0 && node < nodes; node++) {
        text_add(answer, node > 0 ? "," : "");
        status = add_labels(graph, node, answer, error);
    }
    text_add(answer, "]");
    return status;
}

static int32_t answer_nodes(const varvite_graph *graph, const char *label, struct text *answer, varvite_error *error) {
    uint32_t number = VARVITE_NONE, nodes[MANY];
    uint64_t count = 0;
    int32_t status = varvite_label_find(graph, label, &number, error);
    if (status >= 0) {
        status = varvite_label_nodes(graph, number, 0, nodes, MANY, &count, error);
    }
    add_ids(answer, nodes, status >= 0 ? count : 0);
    return status;
}

static int32_t answer_lists(const varvite_graph *graph, uint32_t direction, const char *label, uint32_t nodes, struct text *answer,
                            varvite_error *error) {
    varvite_adjacency *adjacency = NULL;
    uint32_t number = VARVITE_NONE, neighbors[MANY];
    uint64_t count = 0;
    int32_t status = varvite_edge_label_find(graph, label, &number, error);
    if (status >= 0) {
        status = varvite_adjacency_open(graph, number, direction, &adjacency, error);
    }
    text_add(answer, "[");
    for (uint32_t node = 0; status >= 0 && node < nodes; node++) {
        status = varvite_adjacency_neighbors(adjacency, node, neighbors, MANY, &count, error);
        text_add(answer, node > 0 ? "," : "");
        add_ids(answer, neighbors, status >= 0 ? count : 0);
    }
    text_add(answer, "]");
    CHECK(adjacency == NULL || varvite_adjacency_release(adjacency) == VARVITE_OK);
    return status;
}

static int32_t add_text(const varvite_property *property, uint32_t code, struct text *answer, varvite_error *error) {
    char bytes[512];
    uint64_t length = 0;
    int32_t status = varvite_property_text(property, code, bytes, sizeof bytes, &length, error);
    if (status == VARVITE_OK) {
        text_json(answer, bytes, length);
    } else if (status == VARVITE_ABSENT) {
        text_add(answer, "null");
    }
    return status;
}

static int32_t add_value(const varvite_property *property, uint32_t type, int64_t number, struct text *answer, varvite_error *error) {
    switch (type) {
    case VARVITE_STRING:
        return add_text(property, (uint32_t)number, answer, error);
    case VARVITE_BOOL:
        text_add(answer, number != 0 ? "true" : "false");
        return VARVITE_OK;
    case VARVITE_U64:
        text_add(answer, "%llu", (unsigned long long)number);
        return VARVITE_OK;
    default:
        /* Only integers are left here: no named question of a case reads floats or references. */
        CHECK(type < VARVITE_U64);
        text_add(answer, "%lld", (long long)number);
        return VARVITE_OK;
    }
}

static int32_t add_values(const varvite_property *property, uint32_t type, uint32_t owner, struct text *answer, varvite_error *error) {
    int64_t numbers[64];
    uint64_t count = 0;
    int32_t status = varvite_property_list(property, owner, numbers, 64, &count, error);
    text_add(answer, "[");
    for (uint64_t at = 0; status >= 0 && at < count; at++) {
        text_add(answer, at > 0 ? "," : "");
        status = add_value(property, type, numbers[at], answer, error);
    }
    text_add(answer, "]");
    return status;
}

static int32_t answer_values(const varvite_graph *graph, uint32_t edge_label, const char *name, uint64_t owners, struct text *answer,
                             varvite_error *error) {
    varvite_property_info infos[32];
    varvite_property *property = NULL;
    uint32_t number = VARVITE_NONE;
    uint64_t count = 0;
    int32_t status = varvite_property_find(graph, edge_label, name, &number, error);
    if (status >= 0) {
        status = varvite_property_open(graph, number, &property, error);
    }
    if (status >= 0) {
        status = varvite_graph_properties(graph, infos, sizeof *infos, 32, &count, error);
    }
    text_add(answer, "[");
    for (uint32_t owner = 0; status >= 0 && owner < owners; owner++) {
        text_add(answer, owner > 0 ? "," : "");
        status = add_values(property, infos[number].value_type, owner, answer, error);
    }
    text_add(answer, "]");
    CHECK(property == NULL || varvite_property_release(property) == VARVITE_OK);
    return status;
}

static int32_t answer_edge_values(const varvite_graph *graph, const char *label, const char *name, struct text *answer,
                                  varvite_error *error) {
    varvite_edge_label labels[16];
    uint32_t number = VARVITE_NONE;
    uint64_t count = 0;
    int32_t status = varvite_edge_label_find(graph, label, &number, error);
    if (status >= 0) {
        status = varvite_graph_edge_labels(graph, labels, sizeof *labels, 16, &count, error);
    }
    return status < 0 ? status : answer_values(graph, number, name, labels[number].edge_count, answer, error);
}

static void add_name(struct text *answer, const varvite_site *site, uint32_t known, const char *name, uint64_t length) {
    if ((site->known & known) != 0) {
        text_json(answer, name, length);
    } else {
        text_add(answer, "null");
    }
}

/* Appends the site of each node: its file, its line and the name of its METHOD; or only the METHOD's id if
 * `is_method` is set. */
static int32_t answer_sites(const varvite_graph *graph, uint32_t nodes, int is_method, struct text *answer, varvite_error *error) {
    varvite_site sites[MANY];
    uint32_t ids[MANY];
    char texts[4096];
    uint64_t answered = 0;
    CHECK(nodes <= MANY);
    for (uint32_t node = 0; node < nodes; node++) {
        ids[node] = node;
    }
    int32_t status = varvite_sites(graph, ids, nodes, sites, sizeof *sites, texts, sizeof texts, &answered, error);
    CHECK(status < 0 || answered == nodes);
    text_add(answer, "[");
    for (uint64_t at = 0; status >= 0 && at < answered; at++) {
        const varvite_site *site = &sites[at];
        text_add(answer, at > 0 ? "," : "");
        if (is_method) {
            text_add(answer, (site->known & VARVITE_SITE_METHOD) != 0 ? "%u" : "null", site->method);
            continue;
        }
        text_add(answer, "[");
        add_name(answer, site, VARVITE_SITE_FILE, texts + site->file, site->file_length);
        text_add(answer, (site->known & VARVITE_SITE_LINE) != 0 ? ",%lld," : ",null,", (long long)site->line);
        add_name(answer, site, VARVITE_SITE_METHOD_NAME, texts + site->method_name, site->method_name_length);
        text_add(answer, "]");
    }
    text_add(answer, "]");
    return status;
}

/* Parses node ids separated by commas. */
static uint64_t read_ids(const char *words, uint32_t *ids) {
    uint64_t count = 0;
    for (const char *at = words; *at != 0; at += *at == ',') {
        char *end = NULL;
        ids[count++] = (uint32_t)strtoul(at, &end, 10);
        CHECK(end > at && count < MANY);
        at = end;
    }
    return count;
}

static int32_t answer_calls(const varvite_graph *graph, const char *words, struct text *answer, varvite_error *error) {
    uint32_t methods[MANY], calls[MANY];
    uint64_t count = 0;
    int32_t status = varvite_calls_of(graph, methods, read_ids(words, methods), calls, MANY, &count, error);
    add_ids(answer, calls, status >= 0 ? count : 0);
    return status;
}

static int32_t answer_callees(const varvite_graph *graph, const char *words, struct text *answer, varvite_error *error) {
    uint32_t methods[MANY], callees[MANY];
    uint64_t calls[MANY], count = 0;
    int32_t status = varvite_callees_of(graph, methods, read_ids(words, methods), callees, calls, MANY, &count, error);
    text_add(answer, "[");
    for (uint64_t at = 0; status >= 0 && at < count; at++) {
        text_add(answer, "%s[%u,%llu]", at > 0 ? "," : "", callees[at], (unsigned long long)calls[at]);
    }
    text_add(answer, "]");
    return status;
}

int32_t answer_named(const varvite_graph *graph, const char *question, struct text *answer, varvite_error *error) {
    char words[3][64] = {"", "", ""};
    varvite_graph_info info;
    int32_t status = varvite_graph_describe(graph, &info, sizeof info, error);
    CHECK(status >= 0 && sscanf(question, "%63s %63s %63s", words[0], words[1], words[2]) > 0);
    if (strcmp(words[0], "open") == 0) {
        text_add(answer, "%u", info.node_count);
    } else if (strcmp(words[0], "recovered") == 0) {
        text_add(answer, info.is_recovered ? "true" : "false");
    } else if (strcmp(words[0], "labels") == 0) {
        status = answer_labels(graph, info.node_count, answer, error);
    } else if (strcmp(words[0], "nodes") == 0) {
        status = answer_nodes(graph, words[1], answer, error);
    } else if (strcmp(words[0], "values") == 0) {
        status = answer_values(graph, VARVITE_NONE, words[1], info.node_count, answer, error);
    } else if (strcmp(words[0], "edge-values") == 0) {
        status = answer_edge_values(graph, words[1], words[2], answer, error);
    } else if (strcmp(words[0], "sites") == 0 || strcmp(words[0], "methods") == 0) {
        status = answer_sites(graph, info.node_count, strcmp(words[0], "methods") == 0, answer, error);
    } else if (strcmp(words[0], "calls-of") == 0) {
        status = answer_calls(graph, words[1], answer, error);
    } else if (strcmp(words[0], "callees-of") == 0) {
        status = answer_callees(graph, words[1], answer, error);
    } else {
        uint32_t direction = strcmp(words[0], "out") == 0 ? VARVITE_OUT : VARVITE_IN;
        CHECK(direction == VARVITE_OUT || strcmp(words[0], "in") == 0);
        status = answer_lists(graph, direction, words[1], info.node_count, answer, error);
    }
    text_add(answer, "\n");
    return status < 0 ? status : varvite_graph_check(graph, error);
}
