/* Varvite for C, the part that records traces. Comes with varvite.h, which says what holds for all functions. */
#ifndef VARVITE_RECORDER_H
#define VARVITE_RECORDER_H

#include "varvite.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A recorder writes one trace; each thread that records has a stream of its own, which takes no lock of others to push. Blocks of
 * records are compressed, carry a checksum, and can be read after a crash. docs/trace-format.md describes the bytes.
 *
 * Memory: a stream takes all its memory from the caller's allocator when it is opened, and allocates nothing
 * until it ends. */

typedef struct varvite_recorder varvite_recorder;
typedef struct varvite_stream varvite_stream;

/* Takes `length` bytes of the trace, in order: all of them, and returns 0; or returns an errno, after which nothing more comes. May
 * wait, and then the recording threads wait. Called by one thread at a time, whichever filled a block. Must not call functions
 * of this recorder or its streams. */
typedef int32_t (*varvite_put)(void *context, const void *bytes, uint64_t length);

/* Functions that take the bytes of a trace. */
typedef struct varvite_sink {
    varvite_put put;
    void *context;
} varvite_sink;

/* Gives `size` bytes at an address that 16 divides, or NULL. */
typedef void *(*varvite_alloc)(void *context, size_t size);

/* Frees memory of varvite_alloc; `size` is that of the allocation. */
typedef void (*varvite_free)(void *context, void *memory, size_t size);

/* Functions that give memory. Any thread that opens or ends a stream may call them. */
typedef struct varvite_allocator {
    varvite_alloc alloc;
    varvite_free free;
    void *context;
} varvite_allocator;

/* One field at the beginning of every record: little-endian, end to end from the first byte. */
typedef struct varvite_trace_field {
    char name[16];     /* ASCII, padded with zeros. */
    uint32_t width;    /* 1, 2, 4 or 8. */
    uint32_t is_delta; /* 1: stored as differences from the record before. */
} varvite_trace_field;

#define VARVITE_SPLIT_NONE 0       /* Records are stored as they are. */
#define VARVITE_SPLIT_FIELDS 1     /* Each byte of each field in a row of its own: smaller. */
#define VARVITE_SPLIT_REFERENCES 2 /* Memory references of 12 bytes (u16 type, u16 size, u64 value), predicted: smallest. */

#define VARVITE_CLOCK_TICKS 0
#define VARVITE_CLOCK_UNIX_NANOSECONDS 1
#define VARVITE_CLOCK_UNIX_MICROSECONDS 2

#define VARVITE_DEFAULT_LEVEL INT32_MIN

/* The content of a trace. `size` is sizeof(varvite_trace_options). */
typedef struct varvite_trace_options {
    uint32_t size;
    uint32_t codec;        /* VARVITE_LZ4 keeps up with programs; VARVITE_ZSTD is for traces that are kept. */
    int32_t level;         /* Of the codec, or VARVITE_DEFAULT_LEVEL. */
    uint32_t block_length; /* Bytes of records in a block: 256 to 16 MiB; 0: 256 KiB. */
    uint8_t id[16];        /* Identity of the trace: choose one that no other trace has. */
    uint64_t anchors;      /* For VARVITE_SPLIT_REFERENCES: bit N says that records of type N are instructions. */
    const char *content;   /* What records mean, in a word of at most 32 bytes. */
    const varvite_trace_field *fields;
    uint32_t field_count;
    uint32_t split;
    uint32_t clock;
    uint32_t is_variable; /* 1: any bytes may follow the fields of a record. */
} varvite_trace_options;

#define VARVITE_TRACE_OPTIONS_INIT                                                                                     \
    { (uint32_t)sizeof(varvite_trace_options), VARVITE_LZ4, VARVITE_DEFAULT_LEVEL, 0, { 0 }, 0, NULL, NULL, 0,         \
      VARVITE_SPLIT_FIELDS, VARVITE_CLOCK_TICKS, 0 }

/* Begins a trace: writes its header to the sink, which is used until the recorder ends. */
int32_t varvite_recorder_create(const varvite_sink *sink, const varvite_trace_options *options,
                                varvite_recorder **recorder, varvite_error *error);

/* Ends a trace whose streams have ended, or fails with VARVITE_E_BUSY and changes nothing. Otherwise the
 * handle is gone, also if the last bytes could not be written: the sink's bytes are still a readable
 * trace. */
int32_t varvite_recorder_finish(varvite_recorder *recorder, varvite_error *error);

/* Opens the stream of a thread: any number but UINT64_MAX, once in a trace. `allocator` may be NULL, for the one of the library. */
int32_t varvite_stream_open(const varvite_recorder *recorder, uint64_t thread, const varvite_allocator *allocator,
                            varvite_stream **stream, varvite_error *error);

/* Records one record. The call that finds the block full compresses and writes it. After VARVITE_E_RECORD_LENGTH the stream goes on;
 * after VARVITE_E_IO and VARVITE_E_TRACE_CLOSED the trace takes no more. One thread at a time; others
 * wait. */
int32_t varvite_stream_push(varvite_stream *stream, const void *record, uint64_t length, varvite_error *error);

/* Records any number of records of fixed length, one after the other: one call for many. */
int32_t varvite_stream_push_all(varvite_stream *stream, const void *records, uint64_t length, varvite_error *error);

/* Says what time it is for the records that follow. */
int32_t varvite_stream_set_time(varvite_stream *stream, uint64_t time, varvite_error *error);

/* Writes the stream's records as a block of their own, for readers that wait at the other end. */
int32_t varvite_stream_flush(varvite_stream *stream, varvite_error *error);

/* Writes the stream's records, and ends it: the handle is gone, also after a failure. */
int32_t varvite_stream_finish(varvite_stream *stream, varvite_error *error);

#ifdef __cplusplus
}
#endif

#endif
