/* Tests that need no graph: versions, names of errors, and the error struct. */
#include "suite.h"

static void versions_belong_together(void) {
    CHECK(varvite_abi_version() >> 16 == VARVITE_ABI_MAJOR);
    CHECK((varvite_abi_version() & 0xffff) == VARVITE_ABI_MINOR);
    CHECK(varvite_format_version() >= 1);
    CHECK(strncmp(varvite_build_info(), "varvite ", 8) == 0);
}

static void errors_have_names(void) {
    CHECK(strcmp(varvite_error_name(VARVITE_E_NO_SUCH_NODE), "VARVITE_E_NO_SUCH_NODE") == 0);
    CHECK(varvite_error_name(0) == NULL);
    CHECK(varvite_error_name(-9999) == NULL);
    CHECK(varvite_error_name(INT32_MIN) == NULL);
}

static void a_missing_file_says_what_the_system_said(void) {
    varvite_error error;
    varvite_graph *graph = NULL;
    FAILS(VARVITE_E_IO, "/nowhere/a.varvite", varvite_graph_open("/nowhere/a.varvite", NULL, &graph, &error));
    CHECK(error.os_number == 2);
    CHECK(error.message_length == strlen(error.message));
    CHECK(graph == NULL);
    CHECK(varvite_graph_open("/nowhere/a.varvite", NULL, &graph, NULL) == VARVITE_E_IO);
}

static void a_long_message_is_cut_and_says_how_long_it_was(void) {
    enum { LONG = 2000 };
    varvite_error error = VARVITE_ERROR_INIT;
    varvite_graph *graph = NULL;
    char path[LONG + 1];
    memset(path, 'x', LONG);
    path[LONG] = 0;
    CHECK(varvite_graph_open(path, NULL, &graph, &error) == VARVITE_E_IO);
    CHECK(strlen(error.message) == sizeof error.message - 1);
    CHECK(error.message_length > LONG);
}

/* If a program was compiled with a smaller error struct, the library writes nothing after that struct. */
static void a_smaller_error_struct_gets_less(void) {
    varvite_error error = VARVITE_ERROR_INIT;
    varvite_graph *graph = NULL;
    error.size = 16 + 8;
    memset(error.message, 'x', sizeof error.message);
    CHECK(varvite_graph_open("/nowhere/a.varvite", NULL, &graph, &error) == VARVITE_E_IO);
    CHECK(error.code == VARVITE_E_IO && strlen(error.message) == 7 && error.message[8] == 'x');
}

void test_library(void) {
    versions_belong_together();
    errors_have_names();
    a_missing_file_says_what_the_system_said();
    a_long_message_is_cut_and_says_how_long_it_was();
    a_smaller_error_struct_gets_less();
}
