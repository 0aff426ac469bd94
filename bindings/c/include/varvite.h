/* Varvite for C: an embedded graph engine for program graphs.
 *
 * A graph is one file. Opening a graph reads only its header and directory. Columns are read in place in the file, or
 * decoded on first use. Nodes are numbered from 0 to node_count - 1. This header is C99, and compiles as C++.
 *
 *     varvite_error error = VARVITE_ERROR_INIT;
 *     varvite_graph *graph;
 *     if (varvite_graph_open("code.varvite", NULL, &graph, &error) < 0) {
 *         fprintf(stderr, "%s\n", error.message);
 *         return 1;
 *     }
 *     ...
 *     varvite_graph_release(graph);
 *
 * Results. A function that returns int32_t returns a status: 0 or above on success, one of VARVITE_E_ below zero on
 * failure. Results are written through pointer arguments; a call that fails writes nothing to them, except where a
 * function's comment says so.
 *
 * Errors. The last parameter points to a varvite_error of the caller, or is NULL. A failing call fills it in, and a
 * successful call leaves it unchanged. An error owns no memory. Damage of a file is an error that names the section and
 * offset: a call that finds an impossible value fails with VARVITE_E_DAMAGED, and results that it has written by then
 * must not be used. A run that meets damage still returns all rows that can be read, and fails at its end; later runs
 * on the same open graph also fail at their ends, and so does varvite_graph_check.
 *
 * Ownership. A handle that a function returns through `varvite_x **` has one holder, which must release it with
 * varvite_x_release; varvite_x_retain adds a holder. An adjacency, a property or a pin keeps its graph open; the file is
 * closed when the graph and all of these are released. Pointers to bytes and names belong to the graph. They are valid
 * until the file is closed, or until the release of the pin that came with them. Releasing NULL does nothing.
 *
 * Handles are opaque numbers, not addresses. A call with a handle that was released, is of another kind, or was never
 * returned always fails with VARVITE_E_HANDLE.
 *
 * Threads. All functions may be called from all threads at once, even with the same handle. The release that ends a
 * handle waits for running calls that use the handle. Calls with one handle share a counter, so threads that make
 * millions of small calls should each open their own handle, or use the calls that take many nodes.
 *
 * Pointer arguments, apart from handles, must point to objects of their type for as long as the call runs, must be
 * aligned for that type, and must not overlap memory that the call writes. Text arguments are UTF-8 and end with a zero;
 * paths may be any bytes on Unix. A function returns a list through a pointer, a capacity and a count. It always writes
 * the count. If all items fit, they are copied; otherwise no item is copied and the call fails with VARVITE_E_TOO_SMALL.
 *
 * Sizes. A struct that is passed in begins with its size, which its _INIT macro sets. For a struct that is returned,
 * the caller passes its size in the next argument: `sizeof info`, or `sizeof *labels` for an array. The library writes
 * the fields that it shares with the caller, and zeros after its own last field. So structs of both kinds may grow at
 * their end. These structs never grow: varvite_edge and varvite_element, which are returned in arrays of the library;
 * varvite_sink, varvite_allocator and varvite_trace_field; and varvite_owner and varvite_value.
 *
 * Versions. Existing structs and functions do not change within a major version. A minor version may add functions,
 * constants, and fields at the end of structs.
 */
#ifndef VARVITE_H
#define VARVITE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Versions -------------------------------------------------------------------------------------------------------- */

/* The version of the interface that this header describes. */
#define VARVITE_ABI_MAJOR 1
#define VARVITE_ABI_MINOR 0

/* The version of the loaded library's interface: the major version in the upper 16 bits, the minor version in the
 * lower. Programs should check that the major version equals VARVITE_ABI_MAJOR. */
uint32_t varvite_abi_version(void);

/* The newest version of the file format that the library reads. */
uint32_t varvite_format_version(void);

/* The name and version of the library, such as "varvite 0.1.0". */
const char *varvite_build_info(void);

/* ---- Status ---------------------------------------------------------------------------------------------------------- */

#define VARVITE_OK 0       /* The call succeeded. */
#define VARVITE_ABSENT 1   /* There is no value. */
#define VARVITE_FILLED 2   /* The value was copied into the caller's buffer. */
#define VARVITE_BORROWED 3 /* A pointer into memory of the graph is returned: nothing to release. */
#define VARVITE_PINNED 4   /* A pointer is returned with a pin that keeps the bytes in memory: release the pin. */

/* Error numbers, the same in every language. docs/errors.md says what each means and what to do. */
/* errors: from the table in crates/varvite-format/src/faults/error_code.rs */
#define VARVITE_E_INTERNAL (-1)
#define VARVITE_E_ARGUMENT (-2)
#define VARVITE_E_HANDLE (-3)
#define VARVITE_E_TOO_SMALL (-4)
#define VARVITE_E_IO (-10)
#define VARVITE_E_NOT_A_FILE (-11)
#define VARVITE_E_TRUNCATED (-12)
#define VARVITE_E_EXISTS (-13)
#define VARVITE_E_BUSY (-14)
#define VARVITE_E_POISONED (-15)
#define VARVITE_E_NOT_DURABLE (-16)
#define VARVITE_E_OUT_OF_MEMORY (-17)
#define VARVITE_E_REPLACED (-18)
#define VARVITE_E_NO_LOCKS (-19)
#define VARVITE_E_NOT_VARVITE (-20)
#define VARVITE_E_NEWER_FORMAT (-21)
#define VARVITE_E_UNKNOWN_FEATURE (-22)
#define VARVITE_E_DAMAGED (-23)
#define VARVITE_E_TOO_LARGE (-24)
#define VARVITE_E_UNKNOWN (-30)
#define VARVITE_E_NO_SUCH_NODE (-31)
#define VARVITE_E_WRONG_TYPE (-32)
#define VARVITE_E_INDEX (-33)
#define VARVITE_E_PLAN (-34)
#define VARVITE_E_OVER_BUDGET (-35)
#define VARVITE_E_CANCELLED (-36)
#define VARVITE_E_FOREIGN (-40)
#define VARVITE_E_TRACE_CLOSED (-50)
#define VARVITE_E_RECORD_LENGTH (-51)
#define VARVITE_E_TIME_BACKWARDS (-52)
#define VARVITE_E_THREAD_TAKEN (-53)
/* end of the table */

/* The name of the constant for an error number, such as "VARVITE_E_IO"; NULL if the number is no error. */
const char *varvite_error_name(int32_t code);

/* The reason why a call failed. The caller sets `size`: initialise the struct with VARVITE_ERROR_INIT. If
 * `size` is too small for an empty message, every call fails with VARVITE_E_ARGUMENT. */
typedef struct varvite_error {
    uint32_t size;
    int32_t code;            /* The error number that the call returned. */
    int32_t os_number;       /* The operating system's error number (errno), or 0. */
    uint32_t message_length; /* Length of the whole message in bytes, which may exceed `message`. */
    char message[496];       /* UTF-8 with a zero at its end; cut between two characters if too long. */
    uint64_t operation;      /* The index, from 0, of the diff operation that was refused; else VARVITE_NO_OPERATION. */
} varvite_error;

#define VARVITE_NO_OPERATION UINT64_MAX

#define VARVITE_ERROR_INIT { (uint32_t)sizeof(varvite_error), 0, 0, 0, { 0 }, VARVITE_NO_OPERATION }

/* The number of handles that were not released: 0 at the end of a program that released all its handles. */
uint64_t varvite_live_handles(void);

/* The value that means "none" in place of the number of a label, property, column or segment. */
#define VARVITE_NONE UINT32_MAX

/* ---- Graphs ---------------------------------------------------------------------------------------------------------- */

/* An open graph. */
typedef struct varvite_graph varvite_graph;

/* A memory limit that several open graphs share. */
typedef struct varvite_shared_budget varvite_shared_budget;

/* A pin: the bytes that were returned with it stay in place until it is released. */
typedef struct varvite_pin varvite_pin;

#define VARVITE_MAPPED 0   /* The file is mapped; no program may truncate it while it is open. */
#define VARVITE_BUFFERED 1 /* The file is read and checked: for untrusted files and network file systems. */

/* Options for opening a graph. `size` is sizeof(varvite_open_options). */
typedef struct varvite_open_options {
    uint32_t size;
    uint32_t mode;              /* VARVITE_MAPPED or VARVITE_BUFFERED. */
    uint64_t decoded_bytes_max; /* Limit of decoded bytes kept for later calls; 0: 256 MiB. Pins are never refused. */
    uint64_t mapped_bytes_max;  /* Limit of mapped bytes, above which pages are given back; 0: no limit. */
    uint64_t memory_bytes_max;  /* Limit of the graph's memory, pins included, mapped bytes excluded. A call that
                                 * would exceed it fails with VARVITE_E_OVER_BUDGET; 0: no limit. */
    uint64_t process_bytes_max; /* Limit of the process's memory, private and mapped; pages of maps are given back to
                                 * keep it. The smallest such limit of all open graphs applies; 0: no limit. */
    varvite_shared_budget *budget; /* A budget that the graph shares with others, and retains; NULL: none. With a
                                    * budget, decoded_bytes_max is ignored. */
} varvite_open_options;

#define VARVITE_OPEN_OPTIONS_INIT { (uint32_t)sizeof(varvite_open_options), VARVITE_MAPPED, 0, 0, 0, 0, NULL }

/* Opens the graph file at `path`. Reads only its header and directory, in less than a millisecond for a file
 * of any size. `options` may be NULL. */
int32_t varvite_graph_open(const char *path, const varvite_open_options *options, varvite_graph **graph,
                           varvite_error *error);

/* Opens the graph whose file is the `length` bytes at `bytes`, which the caller has read or mapped. These
 * bytes must not move or change while calls use handles of this graph; release functions do not read them.
 * `path` is used in messages; no file of that name is opened. Every block is checked as with
 * VARVITE_BUFFERED, whatever the options, and no returned pointer points into `bytes`. If `bytes` are a map
 * of a file that was truncated, then on Linux a read of a missing page fails with VARVITE_E_TRUNCATED and
 * raises no signal. */
int32_t varvite_graph_open_bytes(const void *bytes, uint64_t length, const char *path, const varvite_open_options *options,
                                 varvite_graph **graph, varvite_error *error);

int32_t varvite_graph_retain(varvite_graph *graph);
int32_t varvite_graph_release(varvite_graph *graph);

#define VARVITE_DIRECT 0  /* Plain arrays: fastest. */
#define VARVITE_COMPACT 1 /* Small; all columns except long texts are still read in place. */
#define VARVITE_ARCHIVE 2 /* Smallest: columns are decoded on first use. */

/* Counts, flags and column numbers that describe a whole graph. */
typedef struct varvite_graph_info {
    uint64_t edge_count;
    uint64_t file_length;
    uint64_t generation;     /* The generation of the open commit. */
    uint64_t directory_hash; /* The hash of that commit's directory. With generation and file_id it identifies
                              * the open state. */
    uint8_t file_id[16];
    uint32_t node_count;
    uint32_t label_count;
    uint32_t edge_label_count;
    uint32_t property_count; /* Properties of nodes and of edges together. */
    uint32_t layer_count;
    uint32_t column_count;
    uint32_t segment_count;
    uint32_t label_set_count; /* Nodes with equal labels share a label set. */
    uint32_t label_set_words; /* 64-bit words of the mask of a label set. */
    uint32_t profile;         /* VARVITE_DIRECT, VARVITE_COMPACT or VARVITE_ARCHIVE. */
    uint32_t tree_edge_label; /* The edge label whose pre-order gives node ids, or VARVITE_NONE. It is the forest edge
                               * label if subtree_column exists. */
    uint32_t codes_column;    /* Integers: the number of each node's label set; or VARVITE_NONE. */
    uint32_t subtree_column;  /* Integers: the number of descendants of each node; or VARVITE_NONE. */
    uint32_t parents_column;  /* Integers: each node's id minus its parent's id, 0 for a root; or VARVITE_NONE. */
    uint32_t is_mapped;
    uint32_t is_recovered; /* 1 if the newest commit was damaged and the one before it is open. */
} varvite_graph_info;

int32_t varvite_graph_describe(const varvite_graph *graph, varvite_graph_info *info, uint64_t info_size,
                               varvite_error *error);

/* Fails with VARVITE_E_DAMAGED if any read of this graph, through any of its handles, has found an impossible
 * value since the graph was opened. Numbers that a program reads in place from columns are not checked. */
int32_t varvite_graph_check(const varvite_graph *graph, varvite_error *error);

/* ---- Schema ---------------------------------------------------------------------------------------------------------- */
/* Labels, edge labels, properties and layers are numbered from 0; varvite_graph_info counts them. Names are
 * UTF-8 with a zero after them, and belong to the graph. A field `.._column` is an index into the array of
 * varvite_graph_columns, or VARVITE_NONE. */

/* A label of nodes. */
typedef struct varvite_label {
    const char *name;
    uint64_t name_length;
    uint64_t node_count;
    uint32_t layer;
    uint32_t nodes_column; /* Set: the nodes with this label. */
} varvite_label;

/* A label of edges. The forest edge label may have no columns: its lists are computed from subtree_column and
 * parents_column. */
typedef struct varvite_edge_label {
    const char *name;
    uint64_t name_length;
    uint64_t edge_count;
    uint32_t layer;
    uint32_t out_nodes_column;     /* Set: the nodes with out-edges of this label. */
    uint32_t out_offsets_column;   /* Integers: the start of each such node's list in out_neighbors_column, and at last
                                    * the end of the last list. */
    uint32_t out_neighbors_column; /* Integers: the targets in all lists, one list after the other. */
    uint32_t in_nodes_column;
    uint32_t in_offsets_column;
    uint32_t in_neighbors_column;
    uint32_t places_column; /* Integers: for each entry of the in-lists, the edge's index in its source's out-list. */
} varvite_edge_label;

#define VARVITE_BOOL 0
#define VARVITE_I8 1
#define VARVITE_I16 2
#define VARVITE_I32 3
#define VARVITE_I64 4
#define VARVITE_U8 5
#define VARVITE_U16 6
#define VARVITE_U32 7
#define VARVITE_U64 8
#define VARVITE_F32 9
#define VARVITE_F64 10
#define VARVITE_STRING 11 /* Read as a number: the code of the text. */
#define VARVITE_BYTES 12  /* Read as a number: the code of the bytes. */
#define VARVITE_REF 13    /* Read as a number: the node's id; VARVITE_NONE is a null reference. */

#define VARVITE_ONE 0      /* Exactly one value. */
#define VARVITE_OPTIONAL 1 /* One value or none. */
#define VARVITE_LIST 2     /* Any number of values, in order. */

/* A property of nodes, or of the edges of one label. */
typedef struct varvite_property_info {
    const char *name;
    uint64_t name_length;
    const char *default_text; /* The default, as text, which stands for a missing value; or NULL. */
    uint64_t default_length;
    uint32_t layer;
    uint32_t edge_label; /* The label of the edges with this property; VARVITE_NONE for a property of nodes. */
    uint32_t value_type; /* VARVITE_BOOL to VARVITE_REF. */
    uint32_t cardinality;
    uint32_t owners_column;  /* Set: the owners with a value. */
    uint32_t offsets_column; /* Integers: the index of each owner's first value; VARVITE_NONE if each owner has one
                                value. */
    uint32_t values_column;  /* Integers: the values, or codes of texts. */
    uint32_t strings_column; /* String table of a property of strings or bytes. */
} varvite_property_info;

/* A layer: a named set of nodes, edges and properties, with its origin. */
typedef struct varvite_layer {
    const char *name;
    uint64_t name_length;
    const char *tool;
    uint64_t tool_length;
    const char *version;
    uint64_t version_length;
    int64_t time;       /* Seconds since 1970, 0 if unknown. */
    uint8_t source[32]; /* The BLAKE3 hash of the source, zeros if unknown. */
} varvite_layer;

int32_t varvite_graph_labels(const varvite_graph *graph, varvite_label *labels, uint64_t label_size, uint64_t capacity,
                             uint64_t *count, varvite_error *error);
int32_t varvite_graph_edge_labels(const varvite_graph *graph, varvite_edge_label *edge_labels, uint64_t edge_label_size, uint64_t capacity,
                                  uint64_t *count, varvite_error *error);
int32_t varvite_graph_properties(const varvite_graph *graph, varvite_property_info *properties, uint64_t property_size,
                                 uint64_t capacity, uint64_t *count, varvite_error *error);
int32_t varvite_graph_layers(const varvite_graph *graph, varvite_layer *layers, uint64_t layer_size, uint64_t capacity,
                             uint64_t *count, varvite_error *error);

/* Find the number of a label, an edge label or a property by its name. If there is no such name, the call
 * fails with VARVITE_E_UNKNOWN, and the message has the most similar name. varvite_property_find searches the
 * properties of an edge label, or with VARVITE_NONE the properties of nodes. */
int32_t varvite_label_find(const varvite_graph *graph, const char *name, uint32_t *label, varvite_error *error);
int32_t varvite_edge_label_find(const varvite_graph *graph, const char *name, uint32_t *edge_label, varvite_error *error);
int32_t varvite_property_find(const varvite_graph *graph, uint32_t edge_label, const char *name, uint32_t *property,
                              varvite_error *error);

/* ---- Labels of nodes ------------------------------------------------------------------------------------------------- */

/* The labels of a node, in rising order. */
int32_t varvite_node_labels(const varvite_graph *graph, uint32_t node, uint32_t *labels, uint64_t capacity,
                            uint64_t *count, varvite_error *error);

/* Whether a node has a label: 1 or 0 in `has`. */
int32_t varvite_node_has_label(const varvite_graph *graph, uint32_t node, uint32_t label, uint8_t *has,
                               varvite_error *error);

/* Writes the number of the label set of each of `count` nodes; varvite_graph_label_sets has the masks of
 * label sets. Fails if a node does not exist; codes of the nodes before it may still have been written. */
int32_t varvite_label_codes(const varvite_graph *graph, const uint32_t *nodes, uint32_t *codes, uint64_t count,
                            varvite_error *error);

/* The nodes that have a label and an id of at least `start`, in rising order, as many as fit. If `count` is
 * less than `capacity`, there are no more; else call again with `start` one above the last node. */
int32_t varvite_label_nodes(const varvite_graph *graph, uint32_t label, uint32_t start, uint32_t *nodes, uint64_t capacity,
                            uint64_t *count, varvite_error *error);

/* ---- Adjacency ------------------------------------------------------------------------------------------------------- */

/* The neighbours of nodes along one edge label, in one direction. */
typedef struct varvite_adjacency varvite_adjacency;

#define VARVITE_OUT 0 /* From source to targets. */
#define VARVITE_IN 1  /* From target to sources. */

/* Opens an adjacency: the edge label with this number, in one direction. */
int32_t varvite_adjacency_open(const varvite_graph *graph, uint32_t edge_label, uint32_t direction,
                               varvite_adjacency **adjacency, varvite_error *error);
int32_t varvite_adjacency_retain(varvite_adjacency *adjacency);
int32_t varvite_adjacency_release(varvite_adjacency *adjacency);

/* The neighbours of a node, in the order of the graph. Allocates nothing. */
int32_t varvite_adjacency_neighbors(const varvite_adjacency *adjacency, uint32_t node, uint32_t *neighbors,
                                    uint64_t capacity, uint64_t *count, varvite_error *error);

/* Returns a pointer to a node's neighbours in the mapped file, with VARVITE_BORROWED. Returns VARVITE_ABSENT
 * if they are not stored as plain numbers, as in most columns of compact and archive files. The numbers are
 * not checked: in a damaged or changing file they may have any value. */
int32_t varvite_adjacency_borrow(const varvite_adjacency *adjacency, uint32_t node, const uint32_t **neighbors,
                                 uint64_t *count, varvite_error *error);

/* The number of neighbours of a node: constant time, except for the forest edge label, where the call counts
 * the children. */
int32_t varvite_adjacency_degree(const varvite_adjacency *adjacency, uint32_t node, uint64_t *degree,
                                 varvite_error *error);

/* The rank of the first edge of a node. With VARVITE_OUT, the node's next edges have the ranks that follow.
 * Edge properties are stored by rank. VARVITE_ABSENT if edges have no stored rank (the forest edge label), or
 * if edges of the label were changed since the columns of the file were written; varvite_adjacency_ranks
 * works in these cases too. */
int32_t varvite_adjacency_first_rank(const varvite_adjacency *adjacency, uint32_t node, uint64_t *rank,
                                     varvite_error *error);

/* The rank of each edge of a node, in the order of its neighbours. Edge properties are stored by rank. Edges
 * of the forest edge label have no stored rank: each gets a number that no other edge has. VARVITE_ABSENT
 * with VARVITE_IN for a label without properties. The first call for an adjacency may read a column. */
int32_t varvite_adjacency_ranks(const varvite_adjacency *adjacency, uint32_t node, uint32_t *ranks, uint64_t capacity,
                                uint64_t *count, varvite_error *error);

/* Writes the neighbours of all nodes of a frontier, one list after the other, in one call. Expands nodes
 * until the next list would not fit, and writes their number to `expanded`; call again with the remaining
 * nodes. `ends`, if not NULL, has room for `frontier_count` numbers and gets the end of each list in
 * `neighbors`. VARVITE_E_TOO_SMALL: the first list alone does not fit. A node that does not exist is an
 * error; `neighbors` and `ends` may still have been written to. */
int32_t varvite_adjacency_expand(const varvite_adjacency *adjacency, const uint32_t *frontier, uint64_t frontier_count,
                                 uint32_t *neighbors, uint64_t capacity, uint64_t *ends, uint64_t *expanded,
                                 uint64_t *count, varvite_error *error);

/* ---- Properties ------------------------------------------------------------------------------------------------------ */

/* The values of one property. The owners of values are nodes, by id, or edges of one label, by rank. */
typedef struct varvite_property varvite_property;

/* Opens the property with this number. */
int32_t varvite_property_open(const varvite_graph *graph, uint32_t property, varvite_property **opened,
                              varvite_error *error);
int32_t varvite_property_retain(varvite_property *property);
int32_t varvite_property_release(varvite_property *property);

/* The number of owners with a value, and the number of values. */
int32_t varvite_property_counts(const varvite_property *property, uint64_t *owners, uint64_t *values,
                                varvite_error *error);

/* The first value of an owner as a number: an integer, 0 or 1, the code of a text, a node id, or the bits of
 * a float. VARVITE_ABSENT if the owner has none. */
int32_t varvite_property_number(const varvite_property *property, uint32_t owner, int64_t *number, varvite_error *error);

/* The first value of an owner, for a property of type VARVITE_F32 or VARVITE_F64. VARVITE_ABSENT if the owner
 * has none. */
int32_t varvite_property_double(const varvite_property *property, uint32_t owner, double *number, varvite_error *error);

/* The first values of `count` owners as numbers; `present` gets 1 for an owner with a value and 0 for one
 * without. */
int32_t varvite_property_numbers(const varvite_property *property, const uint32_t *owners, int64_t *numbers,
                                 uint8_t *present, uint64_t count, varvite_error *error);

/* The first values of the `count` owners from `start` on as numbers: the fastest way to read a whole column.
 * Bit i % 64 of present[i / 64] is 1 if owner `start + i` has a value; numbers[i] is that value, or 0.
 * `present` has (count + 63) / 64 items. Takes about a nanosecond for each owner. If an owner does not exist,
 * the call fails and writes nothing. If an owner's value is damaged, the owner has none here, and
 * varvite_graph_check fails. */
int32_t varvite_property_fill(const varvite_property *property, uint32_t start, uint64_t count, int64_t *numbers,
                              uint64_t *present, varvite_error *error);

/* Selects, from the `count` owners from `start` on, those whose first value is from `least` to `greatest`,
 * both included: bit i % 64 of bits[i / 64] is 1 if owner `start + i` is selected. `bits` has (count + 63) /
 * 64 items; bits after the last owner are 0. Takes a fraction of a nanosecond for each owner; in a property
 * of lists, each owner is read on its own. If an owner does not exist, the call fails and writes nothing. */
int32_t varvite_property_select(const varvite_property *property, int64_t least, int64_t greatest, uint32_t start,
                                uint64_t count, uint64_t *bits, varvite_error *error);

/* The same as varvite_property_select, for owners with any value. */
int32_t varvite_property_select_present(const varvite_property *property, uint32_t start, uint64_t count, uint64_t *bits,
                                        varvite_error *error);

/* Counts the values from `least` to `greatest`, both included, of the `count` owners from `start` on; every
 * value of a list counts. Takes a fraction of a nanosecond for each value. An owner that does not exist is an
 * error. */
int32_t varvite_property_count_in(const varvite_property *property, int64_t least, int64_t greatest, uint32_t start,
                                  uint64_t count, uint64_t *values, varvite_error *error);

/* All values of an owner as numbers, in order. */
int32_t varvite_property_list(const varvite_property *property, uint32_t owner, int64_t *numbers, uint64_t capacity,
                              uint64_t *count, varvite_error *error);

/* The owners with a value, from owner `start` on, in rising order, as many as fit. If `count` is less than
 * `capacity`, there are no more; else call again with `start` one above the last owner. */
int32_t varvite_property_owners(const varvite_property *property, uint32_t start, uint32_t *owners, uint64_t capacity,
                                uint64_t *count, varvite_error *error);

/* The owners that have a value equal to `number`, in rising order. Reads all values, in about a nanosecond
 * each. */
int32_t varvite_property_equal(const varvite_property *property, int64_t number, uint32_t *owners, uint64_t capacity,
                               uint64_t *count, varvite_error *error);

/* The number of different texts of a property of strings or bytes. Codes of texts are below this number,
 * which is itself the code of null. */
int32_t varvite_property_text_count(const varvite_property *property, uint32_t *texts, varvite_error *error);

/* The code of a text of `length` bytes, or VARVITE_ABSENT. Takes logarithmic time if the texts are sorted,
 * else one pass over all texts. */
int32_t varvite_property_text_find(const varvite_property *property, const char *text, uint64_t length, uint32_t *code,
                                   varvite_error *error);

/* The text or bytes that a code stands for; no zero is added. VARVITE_ABSENT for null. */
int32_t varvite_property_text(const varvite_property *property, uint32_t code, void *text, uint64_t capacity,
                              uint64_t *length, varvite_error *error);

/* The first value of an owner as bytes: its text or bytes, or a number in the size of its type,
 * little-endian. The bytes are returned in the cheapest way, at `address` with `length`. The status says
 * which way:
 *
 * VARVITE_BORROWED: in memory of the graph; valid until the property is released. Nothing to release.
 * VARVITE_FILLED:   copied to `buffer`, because the value has at most `threshold` bytes and fits.
 * VARVITE_PINNED:   in a decoded block, because it has more than `threshold` bytes; valid until `pin` is
 *                   released.
 * VARVITE_ABSENT:   there is no value, or it is null. `length` is 0.
 * VARVITE_E_TOO_SMALL: the value has at most `threshold` but more than `capacity` bytes. Nothing is copied;
 *                   `length` gets the value's length.
 *
 * `pin` is NULL unless the status is VARVITE_PINNED. With a threshold of 0 texts are never copied; with
 * UINT64_MAX they are never pinned. Copying and pinning cost the same at about 1024 bytes. */
int32_t varvite_fill_or_pin(const varvite_property *property, uint32_t owner, void *buffer, uint64_t capacity,
                            uint64_t threshold, const void **address, uint64_t *length, varvite_pin **pin,
                            varvite_error *error);

/* The same as varvite_fill_or_pin, for the text or bytes that a code stands for. */
int32_t varvite_text_fill_or_pin(const varvite_property *property, uint32_t code, void *buffer, uint64_t capacity,
                                 uint64_t threshold, const void **address, uint64_t *length, varvite_pin **pin,
                                 varvite_error *error);

/* ---- Columns --------------------------------------------------------------------------------------------------------- */
/* The storage of values in the file, for programs that read values in place without a call. docs/format.md
 * describes every encoding. A program must check each number that it reads in place before it uses the number
 * as an index: the file may be damaged, or change while it is mapped. */

/* encodings: from the table in crates/varvite-format/src/encoding.rs */
/* Encodings of sets of nodes. */
#define VARVITE_EMPTY_SET 0
#define VARVITE_ALL_SET 1
#define VARVITE_RANGE_SET 2
#define VARVITE_BITMAP_SET 3
#define VARVITE_SPARSE_SET 4
/* Encodings of integers. */
#define VARVITE_CONSTANT 16
#define VARVITE_SEQUENCE 17
#define VARVITE_PLAIN 18
#define VARVITE_BITS 19
#define VARVITE_PACKED 20
#define VARVITE_TWO_LEVEL 21
#define VARVITE_DICTIONARY 22
#define VARVITE_LOCAL 23
#define VARVITE_CAPPED 24
/* Encodings of string tables. */
#define VARVITE_ENTRIES 32
#define VARVITE_SLICES 33
/* end of the table */

#define VARVITE_RELATIVE 1u /* Values are differences from a key, which the reader knows. */
#define VARVITE_SORTED 2u   /* Texts are sorted by their bytes. */
#define VARVITE_SIGNED 4u   /* Plain values are signed. */
#define VARVITE_SLOPED 8u   /* Packed lanes have slopes. */

/* codecs: from the table in crates/varvite-codec/src/codec.rs */
#define VARVITE_NO_CODEC 0
#define VARVITE_LZ4 1
#define VARVITE_ZSTD 2
/* For traces alone. */
#define VARVITE_SNAPPY 3
#define VARVITE_ZLIB 4
#define VARVITE_GZIP 5
/* end of the table */

/* A column. If an item of `addresses` is NULL and its segment is not VARVITE_NONE, varvite_segment_pin
 * returns the segment's bytes. */
typedef struct varvite_column {
    uint64_t count; /* The number of values of an integer column, members of a set, or entries of a string table. */
    int64_t base;
    int64_t step;
    uint32_t encoding;
    uint32_t width; /* Bytes of a value; 0 if the encoding has no fixed width. */
    uint32_t flags;
    uint32_t children[3]; /* Numbers of the columns that this column consists of, or VARVITE_NONE. */
    uint32_t segments[2];
    const void *addresses[2];
    uint64_t lengths[2]; /* Plain bytes. */
} varvite_column;

/* A segment: a range of the file. */
typedef struct varvite_segment {
    const void *address; /* The plain bytes in the mapped file; NULL if the segment is coded or the file is not
                            mapped. */
    uint64_t length;     /* Plain bytes. */
    uint64_t file_offset;
    uint64_t stored_length;
    uint32_t codec;
    uint32_t block_length; /* Plain bytes of a block; the last block may be shorter. */
} varvite_segment;

/* All columns of the graph, by number. VARVITE_E_UNKNOWN_FEATURE: the graph was changed since its columns
 * were written, and the columns lack these changes. The command `varvite compact` writes a file whose columns
 * include the changes. Calls that read nodes, edges and values see the changes. */
int32_t varvite_graph_columns(const varvite_graph *graph, varvite_column *columns, uint64_t column_size, uint64_t capacity,
                              uint64_t *count, varvite_error *error);

/* All segments of the graph, by number. VARVITE_E_UNKNOWN_FEATURE, as from varvite_graph_columns, if the last
 * commits are in a log. */
int32_t varvite_graph_segments(const varvite_graph *graph, varvite_segment *segments, uint64_t segment_size, uint64_t capacity,
                               uint64_t *count, varvite_error *error);

/* The masks of all label sets, each of label_set_words words: bit L of a mask is 1 if the set contains label
 * L. */
int32_t varvite_graph_label_sets(const varvite_graph *graph, uint64_t *words, uint64_t capacity, uint64_t *count,
                                 varvite_error *error);

/* Returns the plain bytes of a segment. VARVITE_BORROWED: they are in the mapped file, and `pin` is NULL.
 * VARVITE_PINNED: they are decoded, by this call or an earlier one, and `pin` keeps them in memory. */
int32_t varvite_segment_pin(const varvite_graph *graph, uint32_t segment, const void **address, uint64_t *length,
                            varvite_pin **pin, varvite_error *error);

/* Copies `length` plain bytes of a segment, from `offset` on. Of a large segment, only the blocks with these
 * bytes are decoded; they are kept for later calls while memory allows. This suits programs that read only a
 * few texts. */
int32_t varvite_segment_read(const varvite_graph *graph, uint32_t segment, uint64_t offset, void *buffer, uint64_t length,
                             varvite_error *error);

/* Releases a pin: its bytes must not be read afterwards. */
int32_t varvite_pin_release(varvite_pin *pin);

/* ---- Memory ---------------------------------------------------------------------------------------------------------- */

/* Bytes of memory that an open graph uses, by state, and that the whole process uses. UINT64_MAX: the system
 * does not report the number. */
typedef struct varvite_memory {
    uint64_t mapped;            /* Mapped bytes of segments that were used: address space, not memory. */
    uint64_t mapped_resident;   /* Bytes of the whole map that are in memory now. The system may evict them at any
                                   time. */
    uint64_t decoded;           /* Private buffers made from segments. */
    uint64_t pinned;            /* Mapped or decoded bytes with a pin. */
    uint64_t scratch;           /* Working memory of running calls, and the tables of the open graph. */
    uint64_t process_resident;  /* Resident memory of the whole process: the sum of the next two. */
    uint64_t process_anonymous; /* Private memory of the process. */
    uint64_t process_file;      /* Resident pages of mapped files. */
} varvite_memory;

/* Reports the memory use of a graph. Costs one small read for every two megabytes of the file. */
int32_t varvite_graph_memory(const varvite_graph *graph, varvite_memory *memory, uint64_t memory_size, varvite_error *error);

/* Frees all memory of the graph that no pin or cursor uses. Later reads load it again. */
int32_t varvite_graph_trim(const varvite_graph *graph, varvite_error *error);

/* Creates a budget of `bytes` bytes for the graphs that will be opened with it (varvite_open_options).
 * Decoded columns, kept results, tables and mapped pages of all these graphs count together. To keep the
 * limit, unused pages and buffers are freed, those of the least recently used graph first. A call that would
 * exceed the limit with private memory fails with VARVITE_E_OVER_BUDGET. The program's own memory does not
 * count. While a graph with a budget is open, one thread watches all budgets of the process. */
int32_t varvite_shared_budget_new(uint64_t bytes, varvite_shared_budget **budget, varvite_error *error);

/* Add and remove a holder. Graphs that were opened with a budget keep it, so the budget may be released once
 * the last graph is open. */
int32_t varvite_shared_budget_retain(varvite_shared_budget *budget);
int32_t varvite_shared_budget_release(varvite_shared_budget *budget);

/* The memory that the graphs of a budget use. */
typedef struct varvite_budget_use {
    uint64_t limit;      /* The limit in bytes. */
    uint64_t held;       /* Private memory in use now: buffers, tables, working memory and the ledger itself. */
    uint64_t kept;       /* The part of `held` in buffers that are kept for later reads, pinned ones included. */
    uint64_t most;       /* The largest use seen so far, including pages of maps; 0 if the system does not report it. */
    uint64_t given_back; /* The number of times that pages of maps were given back to the system. */
} varvite_budget_use;

/* Reports the memory that the graphs of a budget use now. */
int32_t varvite_shared_budget_use(const varvite_shared_budget *budget, varvite_budget_use *budget_use, uint64_t use_size,
                                  varvite_error *error);

/* ---- Checking -------------------------------------------------------------------------------------------------------- */

/* The result of a check of the whole file. */
typedef struct varvite_verify_report {
    uint64_t blocks; /* The number of blocks that were checked. */
    uint64_t bytes;
    uint64_t problems; /* The number of problems found, at most 100. */
} varvite_verify_report;

/* Reads and checks every byte of the file, then checks that the columns are consistent with each other, on
 * `threads` threads (0: one for each processor). VARVITE_OK: no problem was found. VARVITE_E_DAMAGED: the
 * error's message is the first problem; `text` gets as many problems as fit, each as a whole line, and
 * `length` gets the number of bytes written. The report is written in both cases. */
int32_t varvite_graph_verify(const varvite_graph *graph, uint32_t threads, varvite_verify_report *report, uint64_t report_size,
                             char *text, uint64_t capacity, uint64_t *length, varvite_error *error);

/* ---- Foreign graphs -------------------------------------------------------------------------------------------------- */

/* Options of an import. `size` is sizeof(varvite_import_options). */
typedef struct varvite_import_options {
    uint32_t size;
    uint32_t profile; /* VARVITE_COMPACT is the default. */
    uint32_t codec;   /* The codec of an archive: VARVITE_ZSTD, the default, or VARVITE_LZ4. */
    uint32_t replace; /* 1: an existing target is replaced. */
    uint32_t threads; /* 0: one for each processor. */
    uint32_t expansion; /* The limit of decoded bytes per compressed byte of the source; 64 MiB are always allowed.
                           0: 200. */
} varvite_import_options;

#define VARVITE_IMPORT_OPTIONS_INIT { (uint32_t)sizeof(varvite_import_options), VARVITE_COMPACT, VARVITE_ZSTD, 0, 0, 0 }

/* The result of an import. */
typedef struct varvite_import_report {
    uint64_t node_count;
    uint64_t edge_count;
    uint64_t file_length;
    uint64_t refs_to_deleted; /* The number of references to deleted nodes, which are null in the graph. */
} varvite_import_report;

/* Makes a graph file at `target` from the flatgraph file (cpg.bin, *.fg) at `source`. The file appears whole
 * and synced, or not at all. `options` may be NULL. */
int32_t varvite_import(const char *source, const char *target, const varvite_import_options *options,
                       varvite_import_report *report, uint64_t report_size, varvite_error *error);

#ifdef __cplusplus
}
#endif

#include "varvite_arrow.h"
#include "varvite_change.h"
#include "varvite_cpg.h"
#include "varvite_recorder.h"
#include "varvite_run.h"
#include "varvite_walk.h"

#endif
