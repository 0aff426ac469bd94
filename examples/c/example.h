/*
 * Functions for all examples, such as `sure`, which ends the program after a failed call.
 */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "varvite.h"

static varvite_error error = VARVITE_ERROR_INIT;

/* Ends the program with the library's error message if a call failed. */
static inline int32_t sure(int32_t status) {
    if (status < 0) {
        fprintf(stderr, "%s (%s)\n", error.message, varvite_error_name(status));
        exit(3);
    }
    return status;
}

static inline varvite_property *open_property(const varvite_graph *graph, const char *name) {
    varvite_property *property = NULL;
    uint32_t number = 0;
    sure(varvite_property_find(graph, VARVITE_NONE, name, &number, &error));
    sure(varvite_property_open(graph, number, &property, &error));
    return property;
}

static inline varvite_adjacency *open_adjacency(const varvite_graph *graph, const char *edge_label, uint32_t direction) {
    varvite_adjacency *adjacency = NULL;
    uint32_t number = 0;
    sure(varvite_edge_label_find(graph, edge_label, &number, &error));
    sure(varvite_adjacency_open(graph, number, direction, &adjacency, &error));
    return adjacency;
}

/* Finds the METHODs with a name: the nodes with the label METHOD whose NAME has the code of that text. */
static inline uint64_t find_methods(const varvite_graph *graph, const char *name, uint32_t *methods, uint64_t capacity) {
    varvite_property *names = open_property(graph, "NAME");
    uint32_t label = 0, code = 0, owners[4096];
    uint64_t owner_count = 0, count = 0;
    sure(varvite_label_find(graph, "METHOD", &label, &error));
    if (sure(varvite_property_text_find(names, name, strlen(name), &code, &error)) != VARVITE_ABSENT) {
        sure(varvite_property_equal(names, code, owners, 4096, &owner_count, &error));
    }
    for (uint64_t i = 0; i < owner_count && count < capacity; i++) {
        uint8_t is_method = 0;
        sure(varvite_node_has_label(graph, owners[i], label, &is_method, &error));
        if (is_method) {
            methods[count++] = owners[i];
        }
    }
    varvite_property_release(names);
    return count;
}

/* Prints a text of a node; ends the program if the text is longer than the buffer. */
static inline void print_text(const varvite_property *property, uint32_t node) {
    char text[4096];
    int64_t code = 0;
    uint64_t length = 0;
    if (sure(varvite_property_number(property, node, &code, &error)) != VARVITE_ABSENT) {
        sure(varvite_property_text(property, (uint32_t)code, text, sizeof text, &length, &error));
        fwrite(text, 1, length, stdout);
    }
}

#endif
