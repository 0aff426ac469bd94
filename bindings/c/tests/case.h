/* The cases in conformance/cases, as conformance/README.md describes them: read, asked and compared. */
#ifndef CASE_H
#define CASE_H

#include "suite.h"

enum { CASE_WORDS = 256, CASE_SAYS = 4, CASE_PARAMS = 8 };

/* A text that grows by its end. All zeros is an empty one; text_release gives its memory back. */
struct text {
    char *bytes; /* With a zero behind them, once something was added. */
    size_t length, room;
};

/* A question, and its expected result. */
struct question {
    int line;
    char words[CASE_WORDS]; /* A named question, or `plan`. */
    struct text plan;
    struct text params[CASE_PARAMS]; /* NAME=VALUE. */
    int param_count;
    uint64_t memory;
    char side[CASE_WORDS];
    struct text rows; /* A line for each row. */
    int32_t error;    /* The number of the error, or 0. */
    char says[CASE_SAYS][CASE_WORDS];
    int says_count;
};

/* A case: the file that was made of it or that it names, and its questions. */
struct conformance_case {
    char file[CASE_WORDS]; /* In conformance/files; empty for the file that was made of the case. */
    int is_buffered;
    struct question questions[16];
    int count;
};

/* Reads a case; a file that is no case ends the program. */
void case_read(const char *path, struct conformance_case *read);
void case_release(struct conformance_case *read);

/* Appends: as printf does, a row as a line, or a text as JSON. */
void text_add(struct text *text, const char *format, ...);
void text_line(struct text *text, const char *line);
void text_json(struct text *text, const char *bytes, uint64_t length);
void text_release(struct text *text);

/* Appends the answer to a question, a line for each row. */
int32_t answer_plan(const varvite_graph *graph, const struct question *question, struct text *answer, varvite_error *error);
int32_t answer_named(const varvite_graph *graph, const char *question, struct text *answer, varvite_error *error);

/* Appends an edge. */
int32_t text_edge(const varvite_graph *graph, const varvite_edge *edge, struct text *text, varvite_error *error);

#endif
