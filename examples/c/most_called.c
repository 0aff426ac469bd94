/* Prints the ten METHODs with the most calls, leaving out operators of the language: most_called FILE. */
#include "example.h"

static const char plan[] =
    "{\"version\": 1, \"steps\": ["
    "{\"step\": \"nodes\", \"labels\": [\"CALL\"]},"
    "{\"step\": \"out\", \"labels\": [\"CALL\"]},"
    "{\"step\": \"has_not\", \"property\": \"FULL_NAME\", \"is\": {\"prefix\": \"<operator\"}},"
    "{\"step\": \"group_count\", \"by\": {\"property\": \"FULL_NAME\"}},"
    "{\"step\": \"order\", \"by\": {\"column\": \"count\"}, \"descending\": true},"
    "{\"step\": \"limit\", \"count\": 10}]}";

int main(int argc, char **argv) {
    varvite_graph *graph = NULL;
    varvite_run *run = NULL;
    varvite_batch batch;
    if (argc != 2) {
        fprintf(stderr, "usage: most_called FILE\n");
        return 2;
    }
    sure(varvite_graph_open(argv[1], NULL, &graph, &error));
    sure(varvite_run_plan(graph, plan, strlen(plan), NULL, &run, &error));
    while (sure(varvite_run_next(run, &batch, sizeof batch, &error)) != VARVITE_ABSENT) {
        int64_t counts[10];
        uint8_t present[10];
        uint64_t count = 0;
        sure(varvite_run_numbers(run, 1, counts, present, 10, &count, &error));
        for (uint64_t row = 0; row < batch.row_count; row++) {
            char name[1024];
            uint64_t length = 0;
            sure(varvite_run_text(run, 0, row, name, sizeof name, &length, &error));
            printf("%lld\t%.*s\n", (long long)counts[row], (int)length, name);
        }
    }
    varvite_run_release(run);
    varvite_graph_release(graph);
    return 0;
}
