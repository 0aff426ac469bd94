/* Varvite for C: an embedded graph engine for program graphs.
 *
 * A graph is one file. Opening it reads its directory and nothing else; columns are read where they lie, or decoded when they
 * are first touched. Nodes are numbers from 0 to node_count - 1. This header is C99, and compiles as C++.
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
 * Results. A function that returns int32_t returns a status: 0 or above on success, one of VARVITE_E_ below
 * zero on failure. Results come through pointers; a call that fails writes nothing to them, except where a
 * function says so.
 *
 * Errors. The last parameter may point to a varvite_error of the caller, which a failing call fills in and a
 * successful one leaves alone; it may be NULL. No memory belongs to an error. Damage of a file is an error
 * with the place: a call that finds an impossible value fails with VARVITE_E_DAMAGED, and its output until
 * then is not to be used. A run gives all rows that can be read, and fails at its end; so do the ends of
 * later runs on the same open graph, and varvite_graph_check.
 *
 * Ownership. A handle that a function returns through `varvite_x **` has one holder, which gives it back with
 * varvite_x_release; retain adds a holder. An adjacency, a property or a pin keeps its graph open; the file
 * is closed with the last of them. Pointers to bytes and names belong to the graph and are valid until then,
 * or until the release of the pin if the function returned one with them. Releasing NULL does nothing.
 *
 * Handles are opaque numbers, not addresses. A handle that was released, is of another kind, or was never
 * returned makes a call fail with VARVITE_E_HANDLE in every case.
 *
 * Threads. All functions may be called from all threads at once, also with the same handle. The release that ends a handle waits
 * for calls that are using it. Calls on one handle share a counter, so threads that make millions of small calls should each
 * open a handle of their own, or use the calls that take many nodes.
 *
 * Pointers of a call, apart from handles, lead to what their type says for as long as the call runs, are aligned as their type
 * is, and overlap nothing that the call writes. Text that is passed in ends with a zero and is UTF-8; paths may be any bytes
 * on Unix. Lists come as pointer, capacity and count: the count is always written; if all items fit they are copied, else none
 * is and the call fails with VARVITE_E_TOO_SMALL.
 *
 * Sizes. A struct that goes in begins with its size, which its _INIT sets. A struct that comes out is
 * followed by the caller's size of it, `sizeof info`, or `sizeof *labels` for each of an array: the library
 * writes the fields that both sides have, and zeros behind its own last field. So both kinds may grow at
 * their end. varvite_edge and varvite_element, which come in arrays of the library's own, the structs of
 * callbacks and fields (varvite_sink, varvite_allocator, varvite_trace_field), and varvite_owner and
 * varvite_value never do.
 *
 * Versions. Structs and functions of a major version stay as they are; functions, constants, and fields at the end of structs are added
 * with a minor one.
 */
#ifndef VARVITE_H
#define VARVITE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Versions -------------------------------------------------------------------------------------------------------- */

/* The interface that this header describes. */
#define VARVITE_ABI_MAJOR 1
#define VARVITE_ABI_MINOR 0

/* The interface of the library that is loaded: major in the upper 16 bits, minor in the lower. Compare the major one. */
uint32_t varvite_abi_version(void);

/* The newest version of the file format that the library reads. */
uint32_t varvite_format_version(void);

/* Name and version of the library, such as "varvite 0.1.0". */
const char *varvite_build_info(void);

/* ---- Status ---------------------------------------------------------------------------------------------------------- */

#define VARVITE_OK 0       /* What was asked for was done. */
#define VARVITE_ABSENT 1   /* There is no value. */
#define VARVITE_FILLED 2   /* The value was copied into the caller's buffer. */
#define VARVITE_BORROWED 3 /* The value is handed out as it lies in the file: nothing to release. */
#define VARVITE_PINNED 4   /* The value is handed out and kept by a pin: release that. */

/* The same numbers in every language; docs/errors.md says what each means and what to do. */
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

/* The name of an error's constant, such as "VARVITE_E_IO"; NULL for a number that is no error. */
const char *varvite_error_name(int32_t code);

/* Why a call failed. `size` is set by the caller: start from VARVITE_ERROR_INIT. A smaller size makes every call fail with
 * VARVITE_E_ARGUMENT. */
typedef struct varvite_error {
    uint32_t size;
    int32_t code;            /* The number that the call returned. */
    int32_t os_number;       /* What the operating system said (errno), or 0. */
    uint32_t message_length; /* Bytes of the whole message, which may be more than fit. */
    char message[496];       /* UTF-8 with a zero at its end, cut off between two letters if it must be. */
    uint64_t operation;      /* Of a diff: which of its operations was refused, from 0; VARVITE_NO_OPERATION: none of them. */
} varvite_error;

#define VARVITE_NO_OPERATION UINT64_MAX

#define VARVITE_ERROR_INIT { (uint32_t)sizeof(varvite_error), 0, 0, 0, { 0 }, VARVITE_NO_OPERATION }

/* The number of handles that were not released: 0 at the end of a program that released all of them. */
uint64_t varvite_live_handles(void);

/* Stands for "there is none" wherever a number of a label, property, column or segment can be. */
#define VARVITE_NONE UINT32_MAX

/* ---- Graphs ---------------------------------------------------------------------------------------------------------- */

/* An open graph. */
typedef struct varvite_graph varvite_graph;

/* The memory that several open graphs may have together. */
typedef struct varvite_shared_budget varvite_shared_budget;

/* Bytes that stay where they are until it is released. */
typedef struct varvite_pin varvite_pin;

#define VARVITE_MAPPED 0   /* By a map of the file, which nobody may truncate meanwhile. */
#define VARVITE_BUFFERED 1 /* By reading and checking: for files of strangers and network file systems. */

/* Options of opening a graph. `size` is sizeof(varvite_open_options). */
typedef struct varvite_open_options {
    uint32_t size;
    uint32_t mode;              /* VARVITE_MAPPED or VARVITE_BUFFERED. */
    uint64_t decoded_bytes_max; /* Private buffers to keep for later; 0: the default, 256 MiB. Pins are never refused. */
    uint64_t mapped_bytes_max;  /* Of the map, before its pages are offered back; 0: the default, no limit. */
    uint64_t memory_bytes_max;  /* All that the graph may hold beside its map, pins too: beyond it calls fail with
                                 * VARVITE_E_OVER_BUDGET; 0: no limit. */
    uint64_t process_bytes_max; /* All that the process may have, its private memory and pages of maps: they give way. The
                                 * least such limit of the graphs that are open holds; 0: none. */
    varvite_shared_budget *budget; /* What the graph shares with others, which it retains; NULL: none. With one,
                                    * decoded_bytes_max is not used. */
} varvite_open_options;

#define VARVITE_OPEN_OPTIONS_INIT { (uint32_t)sizeof(varvite_open_options), VARVITE_MAPPED, 0, 0, 0, 0, NULL }

/* Opens the graph at `path`: reads its header and directory, well under a millisecond at any size. `options` may be NULL. */
int32_t varvite_graph_open(const char *path, const varvite_open_options *options, varvite_graph **graph,
                           varvite_error *error);

/* Opens the graph whose file is the `length` bytes at `bytes`, which the caller has read or mapped: they must
 * not move or change while calls are made with handles of this graph; releasing reads none of them. `path` is
 * for messages; no file of that name is opened. Every block is checked, as by VARVITE_BUFFERED, with any
 * options, and no returned pointer leads into `bytes`. On Linux a page of a map that was cut off from its
 * file is VARVITE_E_TRUNCATED, and no signal. */
int32_t varvite_graph_open_bytes(const void *bytes, uint64_t length, const char *path, const varvite_open_options *options,
                                 varvite_graph **graph, varvite_error *error);

int32_t varvite_graph_retain(varvite_graph *graph);
int32_t varvite_graph_release(varvite_graph *graph);

#define VARVITE_DIRECT 0  /* Plain arrays: fastest. */
#define VARVITE_COMPACT 1 /* Small, and still read in place, apart from long texts. */
#define VARVITE_ARCHIVE 2 /* Smallest: columns are decoded when first touched. */

/* Facts of a whole graph. */
typedef struct varvite_graph_info {
    uint64_t edge_count;
    uint64_t file_length;
    uint64_t generation;     /* Of the commit that is open. */
    uint64_t directory_hash; /* Of its directory: with the two others the identity of what is open. */
    uint8_t file_id[16];
    uint32_t node_count;
    uint32_t label_count;
    uint32_t edge_label_count;
    uint32_t property_count; /* Of nodes and of edges together. */
    uint32_t layer_count;
    uint32_t column_count;
    uint32_t segment_count;
    uint32_t label_set_count; /* Nodes with equal labels share a label set. */
    uint32_t label_set_words; /* 64-bit words of the mask of a label set. */
    uint32_t profile;         /* VARVITE_DIRECT, VARVITE_COMPACT or VARVITE_ARCHIVE. */
    uint32_t tree_edge_label; /* In its pre-order nodes are numbered, or VARVITE_NONE; a forest if there is a subtree_column. */
    uint32_t codes_column;    /* Integers: the label set of each node, or VARVITE_NONE. */
    uint32_t subtree_column;  /* Integers: how many nodes are below each node, or VARVITE_NONE. */
    uint32_t parents_column;  /* Integers: how far above each node its parent is, 0 for a root, or VARVITE_NONE. */
    uint32_t is_mapped;
    uint32_t is_recovered; /* 1 if the newest commit was damaged and the one before it is open. */
} varvite_graph_info;

int32_t varvite_graph_describe(const varvite_graph *graph, varvite_graph_info *info, uint64_t info_size,
                               varvite_error *error);

/* Fails with VARVITE_E_DAMAGED if any read of this graph, through any of its handles, has found an impossible
 * value since it was opened. Numbers that a program reads in place from columns are not checked. */
int32_t varvite_graph_check(const varvite_graph *graph, varvite_error *error);

/* ---- Schema ---------------------------------------------------------------------------------------------------------- */
/* Labels, edge labels, properties and layers are numbered from 0; varvite_graph_info counts them. Names are UTF-8 with a zero
 * after them, and belong to the graph. Columns are numbers in the array of varvite_graph_columns, or VARVITE_NONE. */

/* A label of nodes. */
typedef struct varvite_label {
    const char *name;
    uint64_t name_length;
    uint64_t node_count;
    uint32_t layer;
    uint32_t nodes_column; /* Set: the nodes that have it. */
} varvite_label;

/* A label of edges. The forest edge label may have no columns: its lists follow from subtree_column and parents_column. */
typedef struct varvite_edge_label {
    const char *name;
    uint64_t name_length;
    uint64_t edge_count;
    uint32_t layer;
    uint32_t out_nodes_column;     /* Set: the nodes that have a list. */
    uint32_t out_offsets_column;   /* Integers: where the list of each of them starts, and the end of the last. */
    uint32_t out_neighbors_column; /* Integers: all lists, one after the other. */
    uint32_t in_nodes_column;
    uint32_t in_offsets_column;
    uint32_t in_neighbors_column;
    uint32_t places_column; /* Integers: for each entry of the in-lists, its place in the out-list of its source. */
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
#define VARVITE_STRING 11 /* As a number: the code of the text. */
#define VARVITE_BYTES 12  /* As a number: the code of the bytes. */
#define VARVITE_REF 13    /* As a number: the node; VARVITE_NONE is a null reference. */

#define VARVITE_ONE 0      /* Exactly one value. */
#define VARVITE_OPTIONAL 1 /* One or none. */
#define VARVITE_LIST 2     /* Any number, in order. */

/* A property of nodes, or of the edges of one label. */
typedef struct varvite_property_info {
    const char *name;
    uint64_t name_length;
    const char *default_text; /* What an absent value means, or NULL. */
    uint64_t default_length;
    uint32_t layer;
    uint32_t edge_label; /* VARVITE_NONE: nodes have it. */
    uint32_t value_type; /* VARVITE_BOOL to VARVITE_REF. */
    uint32_t cardinality;
    uint32_t owners_column;  /* Set: who has a value. */
    uint32_t offsets_column; /* Integers: where the values of each owner start; VARVITE_NONE: each has one. */
    uint32_t values_column;  /* Integers. */
    uint32_t strings_column; /* String table, for text and bytes. */
} varvite_property_info;

/* The source of a part of the graph. */
typedef struct varvite_layer {
    const char *name;
    uint64_t name_length;
    const char *tool;
    uint64_t tool_length;
    const char *version;
    uint64_t version_length;
    int64_t time;       /* Seconds since 1970, 0 if unknown. */
    uint8_t source[32]; /* BLAKE3 of the source, zeros if unknown. */
} varvite_layer;

int32_t varvite_graph_labels(const varvite_graph *graph, varvite_label *labels, uint64_t label_size, uint64_t capacity,
                             uint64_t *count, varvite_error *error);
int32_t varvite_graph_edge_labels(const varvite_graph *graph, varvite_edge_label *edge_labels, uint64_t edge_label_size, uint64_t capacity,
                                  uint64_t *count, varvite_error *error);
int32_t varvite_graph_properties(const varvite_graph *graph, varvite_property_info *properties, uint64_t property_size,
                                 uint64_t capacity, uint64_t *count, varvite_error *error);
int32_t varvite_graph_layers(const varvite_graph *graph, varvite_layer *layers, uint64_t layer_size, uint64_t capacity,
                             uint64_t *count, varvite_error *error);

/* Numbers by name. A missing name is VARVITE_E_UNKNOWN, and the message has the most similar name.
 * varvite_property_find searches the properties of an edge label, or with VARVITE_NONE those of nodes. */
int32_t varvite_label_find(const varvite_graph *graph, const char *name, uint32_t *label, varvite_error *error);
int32_t varvite_edge_label_find(const varvite_graph *graph, const char *name, uint32_t *edge_label, varvite_error *error);
int32_t varvite_property_find(const varvite_graph *graph, uint32_t edge_label, const char *name, uint32_t *property,
                              varvite_error *error);

/* ---- Labels of nodes ------------------------------------------------------------------------------------------------- */

/* The labels of a node, rising. */
int32_t varvite_node_labels(const varvite_graph *graph, uint32_t node, uint32_t *labels, uint64_t capacity,
                            uint64_t *count, varvite_error *error);

/* Whether a node has a label: 1 or 0 in `has`. */
int32_t varvite_node_has_label(const varvite_graph *graph, uint32_t node, uint32_t label, uint8_t *has,
                               varvite_error *error);

/* For each of `count` nodes the number of its label set; the masks of label sets come from varvite_graph_label_sets. Codes before
 * a node that does not exist may have been written. */
int32_t varvite_label_codes(const varvite_graph *graph, const uint32_t *nodes, uint32_t *codes, uint64_t count,
                            varvite_error *error);

/* The nodes with a label whose id is `start` or above, rising, as many as fit: fewer than `capacity` means that these are the
 * last. The next call starts one after the last. */
int32_t varvite_label_nodes(const varvite_graph *graph, uint32_t label, uint32_t start, uint32_t *nodes, uint64_t capacity,
                            uint64_t *count, varvite_error *error);

/* ---- Adjacency ------------------------------------------------------------------------------------------------------- */

/* The neighbours of nodes along one edge label, in one direction. */
typedef struct varvite_adjacency varvite_adjacency;

#define VARVITE_OUT 0 /* From source to targets. */
#define VARVITE_IN 1  /* From target to sources. */

/* Opens an edge label, by its number, in one direction. */
int32_t varvite_adjacency_open(const varvite_graph *graph, uint32_t edge_label, uint32_t direction,
                               varvite_adjacency **adjacency, varvite_error *error);
int32_t varvite_adjacency_retain(varvite_adjacency *adjacency);
int32_t varvite_adjacency_release(varvite_adjacency *adjacency);

/* The neighbours of a node, in the order of the graph. Allocates nothing. */
int32_t varvite_adjacency_neighbors(const varvite_adjacency *adjacency, uint32_t node, uint32_t *neighbors,
                                    uint64_t capacity, uint64_t *count, varvite_error *error);

/* The neighbours of a node in place in the file: VARVITE_BORROWED, or VARVITE_ABSENT if they are not stored
 * as plain numbers, as in most columns outside direct files. The numbers are not checked: a damaged or
 * changing file may hold any. */
int32_t varvite_adjacency_borrow(const varvite_adjacency *adjacency, uint32_t node, const uint32_t **neighbors,
                                 uint64_t *count, varvite_error *error);

/* The number of neighbours of a node: constant time, except along the forest edge label, where children are
 * counted. */
int32_t varvite_adjacency_degree(const varvite_adjacency *adjacency, uint32_t node, uint64_t *degree,
                                 varvite_error *error);

/* The rank of the first edge of a node: with VARVITE_OUT, edge properties are stored under it and those that follow.
 * VARVITE_ABSENT where edges have no stored rank (the forest edge label), and where edges of the label were changed since
 * the columns of the file were written: varvite_adjacency_ranks has those of any graph. */
int32_t varvite_adjacency_first_rank(const varvite_adjacency *adjacency, uint32_t node, uint64_t *rank,
                                     varvite_error *error);

/* The rank of each edge of a node, in the order of its neighbours: edge properties are stored under it. Edges
 * of the forest edge label have no stored rank: each gets a number that no other edge has. VARVITE_ABSENT
 * with VARVITE_IN for a label without properties. The first call for an adjacency may read a column. */
int32_t varvite_adjacency_ranks(const varvite_adjacency *adjacency, uint32_t node, uint32_t *ranks, uint64_t capacity,
                                uint64_t *count, varvite_error *error);

/* The neighbours of all nodes of a frontier, list after list: one call for many hops. Expands as many nodes as their whole lists
 * fit, and says how many those are; go on with the rest. `ends`, if not NULL, has `frontier_count` places and gets the end
 * of each list. VARVITE_E_TOO_SMALL: not even the first list fits. A node that does not exist is an error; `neighbors` and
 * `ends` may have been written to then. */
int32_t varvite_adjacency_expand(const varvite_adjacency *adjacency, const uint32_t *frontier, uint64_t frontier_count,
                                 uint32_t *neighbors, uint64_t capacity, uint64_t *ends, uint64_t *expanded,
                                 uint64_t *count, varvite_error *error);

/* ---- Properties ------------------------------------------------------------------------------------------------------ */

/* The values of one property. Its owners are nodes, or edges of one label by their rank. */
typedef struct varvite_property varvite_property;

/* Opens a property, by its number. */
int32_t varvite_property_open(const varvite_graph *graph, uint32_t property, varvite_property **opened,
                              varvite_error *error);
int32_t varvite_property_retain(varvite_property *property);
int32_t varvite_property_release(varvite_property *property);

/* The number of owners with a value, and the number of values. */
int32_t varvite_property_counts(const varvite_property *property, uint64_t *owners, uint64_t *values,
                                varvite_error *error);

/* The first value of an owner as a number: an integer, 0 or 1, the code of a text, a node, or the bits of a float. Or
 * VARVITE_ABSENT. */
int32_t varvite_property_number(const varvite_property *property, uint32_t owner, int64_t *number, varvite_error *error);

/* The first value of an owner of a property of VARVITE_F32 or VARVITE_F64, or VARVITE_ABSENT. */
int32_t varvite_property_double(const varvite_property *property, uint32_t owner, double *number, varvite_error *error);

/* The first values of `count` owners as numbers; `present` gets 1 where there is one and 0 where not. */
int32_t varvite_property_numbers(const varvite_property *property, const uint32_t *owners, int64_t *numbers,
                                 uint8_t *present, uint64_t count, varvite_error *error);

/* The first values of the `count` owners from `start` on as numbers, the fastest way to a whole column: bit i
 * % 64 of present[i / 64] says whether owner `start + i` has one, and numbers[i] is it, or else 0. `present`
 * has a place for every 64 owners, or a part of 64. About a nanosecond for each owner. A missing owner is an
 * error, with nothing written; an owner with a damaged value has none here, and varvite_graph_check fails. */
int32_t varvite_property_fill(const varvite_property *property, uint32_t start, uint64_t count, int64_t *numbers,
                              uint64_t *present, varvite_error *error);

/* The owners, of the `count` from `start` on, whose first value is from `least` to `greatest`, both included:
 * bit i % 64 of bits[i / 64] for owner `start + i`. `bits` has a place for every 64 owners, or a part of 64,
 * and bits beyond the last owner are
 * 0. A fraction of a nanosecond for each owner; values in lists are read one by one. An owner that does not exist is an error,
 * with nothing written. */
int32_t varvite_property_select(const varvite_property *property, int64_t least, int64_t greatest, uint32_t start,
                                uint64_t count, uint64_t *bits, varvite_error *error);

/* The same for owners with any value. */
int32_t varvite_property_select_present(const varvite_property *property, uint32_t start, uint64_t count, uint64_t *bits,
                                        varvite_error *error);

/* The number of values from `least` to `greatest`, both included, of the `count` owners from `start` on;
 * values of lists count too. A fraction of a nanosecond for each value. A missing owner is an error. */
int32_t varvite_property_count_in(const varvite_property *property, int64_t least, int64_t greatest, uint32_t start,
                                  uint64_t count, uint64_t *values, varvite_error *error);

/* All values of an owner as numbers, in order. */
int32_t varvite_property_list(const varvite_property *property, uint32_t owner, int64_t *numbers, uint64_t capacity,
                              uint64_t *count, varvite_error *error);

/* The owners from `start` on that have a value, as many as fit, as varvite_label_nodes does it. */
int32_t varvite_property_owners(const varvite_property *property, uint32_t start, uint32_t *owners, uint64_t capacity,
                                uint64_t *count, varvite_error *error);

/* The owners that have a value equal to `number`, rising. Reads all values, about a nanosecond each. */
int32_t varvite_property_equal(const varvite_property *property, int64_t number, uint32_t *owners, uint64_t capacity,
                               uint64_t *count, varvite_error *error);

/* The number of different texts of a property of text or bytes: codes are below it, and it is itself the code
 * of null. */
int32_t varvite_property_text_count(const varvite_property *property, uint32_t *texts, varvite_error *error);

/* The code of a text of `length` bytes, or VARVITE_ABSENT. Logarithmic where texts are sorted, else one pass over them. */
int32_t varvite_property_text_find(const varvite_property *property, const char *text, uint64_t length, uint32_t *code,
                                   varvite_error *error);

/* The text or bytes that a code stands for; no zero is added. VARVITE_ABSENT for null. */
int32_t varvite_property_text(const varvite_property *property, uint32_t code, void *text, uint64_t capacity,
                              uint64_t *length, varvite_error *error);

/* The first value of an owner as bytes, by whichever way is cheapest: the text or bytes, or a number in the bytes of its type,
 * little-endian. `address` and `length` say where they are.
 *
 * VARVITE_BORROWED: they lie in memory anyway; good until the property is released. Nothing to give back.
 * VARVITE_FILLED:   copied into `buffer`, because they are no more than `threshold` bytes and fit; good as long as it is.
 * VARVITE_PINNED:   more than `threshold` bytes, of a block that was decoded; good until `pin` is released.
 * VARVITE_ABSENT:   no value, or null. `length` is 0.
 * VARVITE_E_TOO_SMALL: no more than `threshold` and more than `capacity`; nothing was copied, `length` is what is needed.
 *
 * `pin` is NULL unless VARVITE_PINNED. A threshold of 0 always lends; UINT64_MAX never makes a pin; around 1024 both cost
 * the same. */
int32_t varvite_fill_or_pin(const varvite_property *property, uint32_t owner, void *buffer, uint64_t capacity,
                            uint64_t threshold, const void **address, uint64_t *length, varvite_pin **pin,
                            varvite_error *error);

/* The same for the text or bytes that a code stands for. */
int32_t varvite_text_fill_or_pin(const varvite_property *property, uint32_t code, void *buffer, uint64_t capacity,
                                 uint64_t threshold, const void **address, uint64_t *length, varvite_pin **pin,
                                 varvite_error *error);

/* ---- Columns --------------------------------------------------------------------------------------------------------- */
/* The storage of values in the file, for programs that read them in place without a call. docs/format.md
 * describes every encoding. Each number read there must be checked before it is used as an index: a file may
 * be damaged, or change under a map. */

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

#define VARVITE_RELATIVE 1u /* Values are differences from a key that the reader has. */
#define VARVITE_SORTED 2u   /* Texts rise in the order of their bytes. */
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

/* A column. Where an address is NULL and the segment is not VARVITE_NONE, varvite_segment_pin gives the bytes. */
typedef struct varvite_column {
    uint64_t count; /* Values of an integer column, members of a set, entries of a string table. */
    int64_t base;
    int64_t step;
    uint32_t encoding;
    uint32_t width; /* Bytes of a value, 0 where it does not apply. */
    uint32_t flags;
    uint32_t children[3]; /* Columns. */
    uint32_t segments[2];
    const void *addresses[2];
    uint64_t lengths[2]; /* Plain bytes. */
} varvite_column;

/* A range of the file. */
typedef struct varvite_segment {
    const void *address; /* Of the plain bytes, as they lie in the file; NULL if they are coded or the file is not mapped. */
    uint64_t length;     /* Plain bytes. */
    uint64_t file_offset;
    uint64_t stored_length;
    uint32_t codec;
    uint32_t block_length; /* Plain bytes of a block, of which the last may be shorter. */
} varvite_segment;

/* All columns of the graph, by number. VARVITE_E_UNKNOWN_FEATURE: the graph was changed since its columns
 * were written, and the columns lack these changes. `varvite compact` writes a file without changes; calls
 * that read nodes, edges and values include them. */
int32_t varvite_graph_columns(const varvite_graph *graph, varvite_column *columns, uint64_t column_size, uint64_t capacity,
                              uint64_t *count, varvite_error *error);

/* All segments of the graph, by number. VARVITE_E_UNKNOWN_FEATURE as above, if the last commits are in a log. */
int32_t varvite_graph_segments(const varvite_graph *graph, varvite_segment *segments, uint64_t segment_size, uint64_t capacity,
                               uint64_t *count, varvite_error *error);

/* The masks of all label sets, label_set_words each: bit L of a mask stands for label L. */
int32_t varvite_graph_label_sets(const varvite_graph *graph, uint64_t *words, uint64_t capacity, uint64_t *count,
                                 varvite_error *error);

/* The plain bytes of a segment: VARVITE_BORROWED as they lie in the file, with NULL in `pin`; else VARVITE_PINNED, decoded now
 * unless that was done before. */
int32_t varvite_segment_pin(const varvite_graph *graph, uint32_t segment, const void **address, uint64_t *length,
                            varvite_pin **pin, varvite_error *error);

/* Copies plain bytes of a segment, `length` of them from `offset` on. From a large segment only the blocks
 * with these bytes are decoded, and kept for the next call as long as memory allows: for programs that read a
 * few texts. */
int32_t varvite_segment_read(const varvite_graph *graph, uint32_t segment, uint64_t offset, void *buffer, uint64_t length,
                             varvite_error *error);

/* Gives a pin back: its bytes must not be read any more. */
int32_t varvite_pin_release(varvite_pin *pin);

/* ---- Memory ---------------------------------------------------------------------------------------------------------- */

/* Bytes that an open graph holds, by kind, and the memory of the whole process. UINT64_MAX: the system gives no figure. */
typedef struct varvite_memory {
    uint64_t mapped;            /* Of the file's map, in segments that were touched: addresses, not memory. */
    uint64_t mapped_resident;   /* Of the whole map, what is in memory now. The system may take it back at any time. */
    uint64_t decoded;           /* Private buffers made from segments. */
    uint64_t pinned;            /* Mapped or decoded bytes with a pin. */
    uint64_t scratch;           /* Working memory of calls that are running, and the tables of the open graph. */
    uint64_t process_resident;  /* Memory of the process, of this graph and of all other code: */
    uint64_t process_anonymous; /* its private part, */
    uint64_t process_file;      /* and its pages of files. */
} varvite_memory;

/* Costs a few small reads: one for each two megabytes of the file. */
int32_t varvite_graph_memory(const varvite_graph *graph, varvite_memory *memory, uint64_t memory_size, varvite_error *error);

/* Gives back all memory of the graph without a pin or a cursor. Later reads load it again. */
int32_t varvite_graph_trim(const varvite_graph *graph, varvite_error *error);

/* Makes a budget of so many bytes for the graphs that will be opened with it (varvite_open_options). Decoded
 * columns, kept results, tables and mapped pages of all of them count together: unused pages and buffers are
 * given back, those of the least recently used graph first. A call that would take more private memory fails
 * with VARVITE_E_OVER_BUDGET. The program's own memory does not count. One thread watches all budgets of the
 * process, while a graph of one is open. */
int32_t varvite_shared_budget_new(uint64_t bytes, varvite_shared_budget **budget, varvite_error *error);

/* Graphs that were opened with a budget keep it: it may be released as soon as the last one is open. */
int32_t varvite_shared_budget_retain(varvite_shared_budget *budget);
int32_t varvite_shared_budget_release(varvite_shared_budget *budget);

/* The bytes that the graphs of a budget hold. */
typedef struct varvite_budget_use {
    uint64_t limit;      /* Bytes that they may have. */
    uint64_t held;       /* Private memory that they hold now: buffers, tables, working memory and what the account takes. */
    uint64_t kept;       /* Of it, buffers that are kept for later reads, pinned ones included. */
    uint64_t most;       /* Most that was seen at a time, pages of maps included; 0 where the system does not tell. */
    uint64_t given_back; /* How often pages of maps were given back. */
} varvite_budget_use;

/* The bytes that the graphs of a budget hold now. */
int32_t varvite_shared_budget_use(const varvite_shared_budget *budget, varvite_budget_use *budget_use, uint64_t use_size,
                                  varvite_error *error);

/* ---- Checking -------------------------------------------------------------------------------------------------------- */

/* The result of a check of the whole file. */
typedef struct varvite_verify_report {
    uint64_t blocks; /* That were checked. */
    uint64_t bytes;
    uint64_t problems; /* At most 100 are looked for. */
} varvite_verify_report;

/* Reads and checks every byte of the file, then whether columns agree with each other, on `threads` threads
 * (0: as many as there are processors). VARVITE_OK: all is well. VARVITE_E_DAMAGED: the message is the first
 * problem, and `text` gets all that fit, a line each, whole lines only; `length` says how many bytes that is.
 * The report is written in both cases. */
int32_t varvite_graph_verify(const varvite_graph *graph, uint32_t threads, varvite_verify_report *report, uint64_t report_size,
                             char *text, uint64_t capacity, uint64_t *length, varvite_error *error);

/* ---- Foreign graphs -------------------------------------------------------------------------------------------------- */

/* Options of an import. `size` is sizeof(varvite_import_options). */
typedef struct varvite_import_options {
    uint32_t size;
    uint32_t profile; /* VARVITE_COMPACT is the default. */
    uint32_t codec;   /* Of an archive: VARVITE_ZSTD, the default, or VARVITE_LZ4. */
    uint32_t replace; /* 1: an existing target is replaced. */
    uint32_t threads; /* 0: as many as there are processors. */
    uint32_t expansion; /* Decoded bytes that the source may have for each of its own, beyond 64 MiB. 0: 200. */
} varvite_import_options;

#define VARVITE_IMPORT_OPTIONS_INIT { (uint32_t)sizeof(varvite_import_options), VARVITE_COMPACT, VARVITE_ZSTD, 0, 0, 0 }

/* The result of an import. */
typedef struct varvite_import_report {
    uint64_t node_count;
    uint64_t edge_count;
    uint64_t file_length;
    uint64_t refs_to_deleted; /* Values that refer to deleted nodes, and are null in the graph. */
} varvite_import_report;

/* Makes a graph file at `target` of the flatgraph file (cpg.bin, *.fg) at `source`. It appears whole and synced, or not at all.
 * `options` may be NULL. */
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
