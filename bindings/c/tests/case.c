/* Parses the file of a case: each keyword is at the start of a line, and its indented lines follow. */
#include <stdarg.h>

#include "case.h"

enum { LONGEST = 4096 };

void text_add(struct text *text, const char *format, ...) {
    va_list arguments;
    if (text->room < text->length + LONGEST) {
        text->room = 2 * text->room + LONGEST;
        text->bytes = realloc(text->bytes, text->room);
        CHECK(text->bytes != NULL);
    }
    va_start(arguments, format);
    int added = vsnprintf(text->bytes + text->length, LONGEST, format, arguments);
    va_end(arguments);
    CHECK(added >= 0 && added < LONGEST);
    text->length += (size_t)added;
}

void text_release(struct text *text) {
    free(text->bytes);
    memset(text, 0, sizeof *text);
}

void text_line(struct text *text, const char *line) {
    text_add(text, "%s\n", line);
}

void text_json(struct text *text, const char *bytes, uint64_t length) {
    text_add(text, "\"");
    for (uint64_t at = 0; at < length; at++) {
        if (bytes[at] == '\n' || bytes[at] == '\t') {
            text_add(text, "\\%c", bytes[at] == '\n' ? 'n' : 't');
        } else {
            text_add(text, bytes[at] == '"' || bytes[at] == '\\' ? "\\%c" : "%c", bytes[at]);
        }
    }
    text_add(text, "\"");
}

static void copy(char *target, const char *words) {
    CHECK(strlen(words) < CASE_WORDS);
    strcpy(target, words);
}

void case_release(struct conformance_case *read) {
    for (int at = 0; at < read->count; at++) {
        text_release(&read->questions[at].plan);
        text_release(&read->questions[at].rows);
        for (int param = 0; param < read->questions[at].param_count; param++) {
            text_release(&read->questions[at].params[param]);
        }
    }
}

static void take_source(struct conformance_case *read, const char *words) {
    char *blank = NULL;
    copy(read->file, words);
    blank = strchr(read->file, ' ');
    if (blank != NULL) {
        CHECK(strcmp(blank, " buffered") == 0);
        read->is_buffered = 1;
        *blank = 0;
    }
}

static void begin(struct conformance_case *read, int line, const char *words) {
    struct question *asked = &read->questions[read->count];
    CHECK((size_t)read->count < sizeof read->questions / sizeof *read->questions);
    read->count++;
    memset(asked, 0, sizeof *asked);
    asked->line = line;
    copy(asked->words, words);
    text_add(&asked->rows, "%s", "");
}

static void take_keyword(struct conformance_case *read, int line, const char *keyword, const char *words) {
    struct question *asked = read->count > 0 ? &read->questions[read->count - 1] : NULL;
    if (strcmp(keyword, "graph") == 0 || strcmp(keyword, "column") == 0) {
        return;
    }
    if (strcmp(keyword, "file") == 0) {
        take_source(read, words);
    } else if (strcmp(keyword, "ask") == 0) {
        begin(read, line, words);
    } else if (strcmp(keyword, "param") == 0) {
        CHECK(asked->param_count < CASE_PARAMS && strchr(words, '=') != NULL);
        text_add(&asked->params[asked->param_count++], "%s", words);
    } else if (strcmp(keyword, "memory") == 0) {
        asked->memory = strtoull(words, NULL, 10);
    } else if (strcmp(keyword, "side") == 0) {
        copy(asked->side, words);
    } else if (strcmp(keyword, "expect") == 0) {
        text_add(&asked->rows, *words ? "%s\n" : "%s", words);
    } else if (strcmp(keyword, "error") == 0) {
        asked->error = (int32_t)strtol(words, NULL, 10);
    } else {
        CHECK(strcmp(keyword, "says") == 0 && asked->says_count < CASE_SAYS);
        copy(asked->says[asked->says_count++], words);
    }
}

static void take_body(struct conformance_case *read, const char *keyword, const char *text) {
    struct question *asked = read->count > 0 ? &read->questions[read->count - 1] : NULL;
    if (strcmp(keyword, "ask") == 0) {
        text_line(&asked->plan, text);
    } else if (strcmp(keyword, "expect") == 0) {
        text_line(&asked->rows, text);
    }
}

void case_read(const char *path, struct conformance_case *read) {
    FILE *file = fopen(path, "r");
    char line[LONGEST - 1], keyword[CASE_WORDS] = "";
    CHECK(file != NULL);
    memset(read, 0, sizeof *read);
    for (int number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        char *words = line + strcspn(line, " \n");
        line[strcspn(line, "\n")] = 0;
        if (strncmp(line, "  ", 2) == 0) {
            take_body(read, keyword, line + 2);
        } else if (line[0] != 0 && line[0] != '#') {
            words += *words == ' ' ? (*words = 0, 1) : 0;
            copy(keyword, line);
            take_keyword(read, number, keyword, words);
        }
    }
    CHECK(fclose(file) == 0 && read->count > 0);
}
