/* Tests of varvite_graph_verify, on a sound and on a damaged file. */
#include "suite.h"

static void a_whole_file_is_whole(const struct fixture *fixture) {
    varvite_error error;
    varvite_verify_report report;
    varvite_memory memory;
    char text[1000];
    uint64_t length = 9;
    for (int profile = 0; profile < PROFILES; profile++) {
        varvite_graph *graph = open_graph(fixture->path[profile]);
        DONE(varvite_graph_verify(graph, 0, &report, sizeof report, text, sizeof text, &length, &error));
        CHECK(report.blocks > 0 && report.bytes > 100000 && report.problems == 0 && length == 0);
        DONE(varvite_graph_memory(graph, &memory, sizeof memory, &error));
        CHECK(memory.process_resident >= memory.process_anonymous && memory.mapped_resident > 0);
        CHECK(varvite_graph_release(graph) == VARVITE_OK);
    }
}

/* Copies a file and changes one byte of the copy. */
static void copy_with_a_changed_byte(const char *from, const char *to, long at) {
    FILE *source = fopen(from, "rb"), *target = fopen(to, "wb");
    int byte = 0;
    CHECK(source != NULL && target != NULL);
    for (long place = 0; (byte = fgetc(source)) != EOF; place++) {
        fputc(place == at ? byte ^ 1 : byte, target);
    }
    fclose(source);
    CHECK(fclose(target) == 0);
}

static void damage_is_told_with_its_place(const struct fixture *fixture) {
    varvite_error error;
    varvite_verify_report report;
    varvite_graph *graph = NULL;
    char path[600], text[1000];
    uint64_t length = 0;
    snprintf(path, sizeof path, "%s/damaged.varvite", fixture->folder);
    copy_with_a_changed_byte(fixture->path[VARVITE_DIRECT], path, 12288 + 100);
    graph = open_graph(path);
    FAILS(VARVITE_E_DAMAGED, "segment 0", varvite_graph_verify(graph, 2, &report, sizeof report, text, sizeof text, &length, &error));
    CHECK(report.problems >= 1 && length > 0 && text[length - 1] == '\n');
    FAILS(VARVITE_E_DAMAGED, "segment 0", varvite_graph_verify(graph, 1, &report, sizeof report, text, 5, &length, &error));
    CHECK(length == 0);
    CHECK(varvite_graph_release(graph) == VARVITE_OK);
    copy_with_a_changed_byte(fixture->path[VARVITE_DIRECT], path, 40);
    FAILS(VARVITE_E_DAMAGED, "header", varvite_graph_open(path, NULL, &graph, &error));
    remove(path);
}

void test_verify(const struct fixture *fixture) {
    a_whole_file_is_whole(fixture);
    damage_is_told_with_its_place(fixture);
}
