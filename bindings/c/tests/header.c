/* Tests that the header compiles on its own: it is included first and twice, and every struct and constant is
 * used. This file is compiled as C99, C11 and C++17, and is never run. */
#include "varvite.h"
#include "varvite.h"

extern int header_is_sound(const varvite_graph *graph);

int header_is_sound(const varvite_graph *graph) {
    varvite_error error = VARVITE_ERROR_INIT;
    varvite_open_options open_options = VARVITE_OPEN_OPTIONS_INIT;
    varvite_import_options import_options = VARVITE_IMPORT_OPTIONS_INIT;
    varvite_graph_info info;
    int32_t status = varvite_graph_describe(graph, &info, sizeof info, &error);
    uint32_t none = VARVITE_NONE;
    return status == VARVITE_E_HANDLE && none == open_options.mode && import_options.replace == 1;
}
