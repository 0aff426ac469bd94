/* Runs every case of conformance/cases: named questions by calls of the C interface, plans by runs. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>

#include "case.h"

/* Formats a text into an array like printf. A text that does not fit ends the program. */
#define FORMAT(array, ...) CHECK((size_t)snprintf((array), sizeof(array), __VA_ARGS__) < sizeof(array))

/* The path of the folder conformance, and counts of the questions so far. */
struct corpus {
    char folder[768];
    int asked, left_out;
};

/* Whether skipped.txt has a line `c WHAT:`, where WHAT is the name of the case or the first word of the
 * question. */
static int is_skipped(const struct corpus *corpus, const char *name, const struct question *question) {
    char path[1024], line[1024], by_name[512], by_word[512];
    int found = 0;
    FORMAT(path, "%s/skipped.txt", corpus->folder);
    FORMAT(by_name, "c %s:", name);
    FORMAT(by_word, "c %.*s:", (int)strcspn(question->words, " "), question->words);
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    while (fgets(line, sizeof line, file) != NULL) {
        found |= strncmp(line, by_name, strlen(by_name)) == 0 || strncmp(line, by_word, strlen(by_word)) == 0;
    }
    CHECK(fclose(file) == 0);
    return found;
}

static void compare(const char *name, const struct question *question, int32_t status, const struct text *answer,
                    const varvite_error *error) {
    int is_right = question->error == 0 ? status >= 0 && strcmp(answer->bytes, question->rows.bytes) == 0 : status == question->error;
    for (int at = 0; at < question->says_count; at++) {
        is_right &= strstr(error->message, question->says[at]) != NULL;
    }
    if (!is_right) {
        fprintf(stderr, "%s.case:%d: %d %s\n%s", name, question->line, (int)status, error->message, answer->bytes);
        exit(1);
    }
}

static void ask(const char *path, const char *name, const struct conformance_case *read, const struct question *question) {
    struct text answer = {NULL, 0, 0};
    varvite_error error = fresh_error();
    varvite_graph *graph = NULL;
    varvite_open_options options = VARVITE_OPEN_OPTIONS_INIT;
    options.mode = read->is_buffered ? VARVITE_BUFFERED : VARVITE_MAPPED;
    text_add(&answer, "%s", "");
    int32_t status = varvite_graph_open(path, &options, &graph, &error);
    if (status >= 0 && strcmp(question->words, "plan") == 0) {
        status = answer_plan(graph, question, &answer, &error);
    } else if (status >= 0) {
        status = answer_named(graph, question->words, &answer, &error);
    }
    CHECK(graph == NULL || varvite_graph_release(graph) == VARVITE_OK);
    compare(name, question, status, &answer, &error);
    text_release(&answer);
}

static void ask_case(struct corpus *corpus, const char *name) {
    static struct conformance_case read;
    char path[1536];
    FORMAT(path, "%s/cases/%s.case", corpus->folder, name);
    case_read(path, &read);
    FORMAT(path, "%s/files/%s%s", corpus->folder, *read.file ? read.file : name, *read.file ? "" : ".varvite");
    for (int at = 0; at < read.count; at++) {
        if (is_skipped(corpus, name, &read.questions[at])) {
            corpus->left_out++;
        } else {
            ask(path, name, &read, &read.questions[at]);
            corpus->asked++;
        }
    }
    case_release(&read);
}

static void ask_area(struct corpus *corpus, const char *area) {
    char path[1024], name[512];
    struct dirent *entry = NULL;
    FORMAT(path, "%s/cases/%s", corpus->folder, area);
    DIR *folder = opendir(path);
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        const char *ending = strstr(entry->d_name, ".case");
        if (ending != NULL) {
            FORMAT(name, "%s/%.*s", area, (int)(ending - entry->d_name), entry->d_name);
            ask_case(corpus, name);
        }
    }
    CHECK(folder == NULL || closedir(folder) == 0);
}

void test_cases(const struct fixture *fixture) {
    struct corpus corpus = {"", 0, 0};
    struct dirent *entry = NULL;
    char path[1024];
    /* The fixture's source is in examples/data; the folder conformance is found relative to it. */
    int length = (int)(strrchr(fixture->source, '/') - fixture->source);
    FORMAT(corpus.folder, "%.*s/../../conformance", length, fixture->source);
    FORMAT(path, "%s/cases", corpus.folder);
    DIR *areas = opendir(path);
    CHECK(areas != NULL);
    while ((entry = readdir(areas)) != NULL) {
        if (strchr(entry->d_name, '.') == NULL) {
            ask_area(&corpus, entry->d_name);
        }
    }
    CHECK(closedir(areas) == 0 && corpus.asked > 0);
    printf("c: conformance: %d questions asked, %d left out\n", corpus.asked, corpus.left_out);
}
