/* Runs all tests. Usage: suite FOLDER SOURCE. */
#include "suite.h"

const char *const profile_names[PROFILES] = {"direct", "compact", "archive"};

static void step(const char *name) {
    printf("c: %s\n", name);
    fflush(stdout);
}

int main(int argc, char **argv) {
    struct fixture fixture;
    if (argc != 3) {
        fprintf(stderr, "usage: suite FOLDER SOURCE\n");
        return 2;
    }
    fixture.folder = argv[1];
    fixture.source = argv[2];
    step("library");
    test_library();
    step("import");
    test_import(&fixture);
    step("graph");
    test_graph(&fixture);
    step("labels");
    test_labels(&fixture);
    step("adjacency");
    test_adjacency(&fixture);
    step("property");
    test_property(&fixture);
    step("fill or pin");
    test_fill_or_pin(&fixture);
    step("verify");
    test_verify(&fixture);
    step("columns");
    test_columns(&fixture);
    step("run");
    test_run(&fixture);
    step("walk");
    test_walk(&fixture);
    step("code property graphs");
    test_cpg(&fixture);
    step("arrow");
    test_arrow(&fixture);
    step("conformance");
    test_conformance(&fixture);
    step("cases");
    test_cases(&fixture);
    step("change");
    test_change(&fixture);
    step("new graph");
    test_new_graph(&fixture);
    step("recorder");
    test_recorder();
    step("misuse");
    test_misuse(&fixture);
    CHECK(varvite_live_handles() == 0);
    return 0;
}
