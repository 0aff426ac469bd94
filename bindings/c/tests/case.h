/* Runs the cases in conformance/cases (see conformance/README.md): parses a case, asks its questions and
 * compares the answers. */
#ifndef CASE_H
#define CASE_H

#include "suite.h"

enum { CASE_WORDS = 256, CASE_SAYS = 4, CASE_PARAMS = 8 };

/* A growing text buffer. A zeroed struct is an empty text; text_release frees its memory. */
struct text {
    char *bytes; /* Ends with a zero; NULL before the first addition. */
    size_t length, room;
};

/* A question, and its expected result. */
struct question {
    int line;
    char words[CASE_WORDS]; /* The question: a name with arguments, or `plan`. */
    struct text plan;
    struct text params[CASE_PARAMS]; /* Parameters of the plan, each as NAME=VALUE. */
    int param_count;
    uint64_t memory;
    char side[CASE_WORDS];
    struct text rows; /* The expected rows, one line each. */
    int32_t error;    /* The expected error number, or 0. */
    char says[CASE_SAYS][CASE_WORDS];
    int says_count;
};

/* A case: its graph file and its questions. */
struct conformance_case {
    char file[CASE_WORDS]; /* A file of conformance/files; empty if the graph file was made from the case. */
    int is_buffered;
    struct question questions[16];
    int count;
};

/* Parses a case. An invalid file ends the program. */
void case_read(const char *path, struct conformance_case *read);
void case_release(struct conformance_case *read);

/* Append to a text: text_add formats like printf, text_line adds a line, text_json adds a text as a JSON
 * string. */
void text_add(struct text *text, const char *format, ...);
void text_line(struct text *text, const char *line);
void text_json(struct text *text, const char *bytes, uint64_t length);
void text_release(struct text *text);

/* Append the answer to a question, one line for each row. */
int32_t answer_plan(const varvite_graph *graph, const struct question *question, struct text *answer, varvite_error *error);
int32_t answer_named(const varvite_graph *graph, const char *question, struct text *answer, varvite_error *error);

/* Appends an edge in the notation of cases. */
int32_t text_edge(const varvite_graph *graph, const varvite_edge *edge, struct text *text, varvite_error *error);

#endif
