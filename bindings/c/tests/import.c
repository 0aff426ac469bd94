/* Tests of varvite_import, which also make the graphs that the other tests read. */
#include <errno.h>
#include <sys/stat.h>

#include "suite.h"

static int exists(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file != NULL) {
        fclose(file);
    }
    return file != NULL;
}

static void import_profile(struct fixture *fixture, uint32_t profile) {
    varvite_error error;
    varvite_import_options options = VARVITE_IMPORT_OPTIONS_INIT;
    varvite_import_report report;
    char *path = fixture->path[profile];
    options.profile = profile;
    if (exists(path)) {
        return; /* A slower run of these tests reuses the files that the first run made. */
    }
    DONE(varvite_import(fixture->source, path, &options, &report, sizeof report, &error));
    CHECK(report.node_count == 44073 && report.edge_count == 512785);
    CHECK(report.file_length > 100000);
}

static void what_exists_is_not_replaced(const struct fixture *fixture) {
    varvite_error error;
    varvite_import_report report;
    FAILS(VARVITE_E_EXISTS, "exists already",
          varvite_import(fixture->source, fixture->path[VARVITE_COMPACT], NULL, &report, sizeof report, &error));
}

static void what_is_no_foreign_graph_is_refused(const struct fixture *fixture) {
    varvite_error error;
    varvite_import_report report;
    char target[600];
    snprintf(target, sizeof target, "%s/never.varvite", fixture->folder);
    FAILS(VARVITE_E_FOREIGN, "not a flatgraph file",
          varvite_import(fixture->path[VARVITE_DIRECT], target, NULL, &report, sizeof report, &error));
    FAILS(VARVITE_E_IO, "/nowhere", varvite_import("/nowhere/cpg.bin", target, NULL, &report, sizeof report, &error));
    CHECK(!exists(target));
}

/* A pipe must be refused before it is opened, because opening it would wait for a writer. */
static void a_pipe_and_a_folder_are_refused_at_once(const struct fixture *fixture) {
    varvite_error error;
    varvite_import_report report;
    char pipe[600], target[600];
    snprintf(pipe, sizeof pipe, "%s/pipe", fixture->folder);
    snprintf(target, sizeof target, "%s/never.varvite", fixture->folder);
    CHECK(mkfifo(pipe, 0600) == 0 || errno == EEXIST);
    FAILS(VARVITE_E_NOT_A_FILE, "not a regular file", varvite_import(pipe, target, NULL, &report, sizeof report, &error));
    FAILS(VARVITE_E_NOT_A_FILE, "not a regular file",
          varvite_import(fixture->folder, target, NULL, &report, sizeof report, &error));
    CHECK(!exists(target));
}

static void options_that_mean_nothing_are_refused(const struct fixture *fixture) {
    varvite_error error;
    varvite_import_options options = VARVITE_IMPORT_OPTIONS_INIT;
    varvite_import_report report;
    options.profile = 7;
    FAILS(VARVITE_E_ARGUMENT, "options.profile", varvite_import(fixture->source, "x", &options, &report, sizeof report, &error));
    options.profile = VARVITE_DIRECT;
    options.codec = VARVITE_NO_CODEC;
    FAILS(VARVITE_E_ARGUMENT, "options.codec", varvite_import(fixture->source, "x", &options, &report, sizeof report, &error));
    options.codec = VARVITE_LZ4;
    options.replace = 2;
    FAILS(VARVITE_E_ARGUMENT, "options.replace", varvite_import(fixture->source, "x", &options, &report, sizeof report, &error));
}

void test_import(struct fixture *fixture) {
    for (uint32_t profile = 0; profile < PROFILES; profile++) {
        snprintf(fixture->path[profile], sizeof fixture->path[profile], "%s/%s.varvite", fixture->folder,
                 profile_names[profile]);
        import_profile(fixture, profile);
    }
    what_exists_is_not_replaced(fixture);
    what_is_no_foreign_graph_is_refused(fixture);
    a_pipe_and_a_folder_are_refused_at_once(fixture);
    options_that_mean_nothing_are_refused(fixture);
}
