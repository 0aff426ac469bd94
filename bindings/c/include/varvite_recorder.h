/* Varvite for C: functions that record traces. The first comment of varvite.h applies to all functions. */
#ifndef VARVITE_RECORDER_H
#define VARVITE_RECORDER_H

#include "varvite.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A recorder writes one trace. Each recording thread has its own stream, and appends records without taking a
 * lock that it shares with other threads. Blocks of records are compressed, carry a checksum, and can be read
 * after a crash. docs/trace-format.md describes the bytes.
 *
 * Memory: a stream takes all its memory from the caller's allocator when it is opened, and allocates nothing
 * until it ends. */

typedef struct varvite_recorder varvite_recorder;
typedef struct varvite_stream varvite_stream;

/* A callback that takes the next `length` bytes of the trace. Returns 0 if it has taken all of them, or an
 * errno; after an errno, the callback is not called again. While it blocks, recording threads that have
 * filled a block wait. It is called by one thread at a time, by any thread that fills a block. It must not
 * call functions of this recorder or its streams. */
typedef int32_t (*varvite_put)(void *context, const void *bytes, uint64_t length);

/* A callback that takes the bytes of a trace, with its context. */
typedef struct varvite_sink {
    varvite_put put;
    void *context;
} varvite_sink;

/* Returns `size` bytes of memory at an address that is a multiple of 16, or NULL. */
typedef void *(*varvite_alloc)(void *context, size_t size);

/* Frees memory that varvite_alloc returned; `size` is the size of the allocation. */
typedef void (*varvite_free)(void *context, void *memory, size_t size);

/* Callbacks that allocate and free memory, with their context. They are called by any thread that opens or
 * ends a stream. */
typedef struct varvite_allocator {
    varvite_alloc alloc;
    varvite_free free;
    void *context;
} varvite_allocator;

/* A field at the beginning of every record. Fields are little-endian integers that follow each other without
 * gaps, from the first byte of the record on. */
typedef struct varvite_trace_field {
    char name[16];     /* ASCII, padded with zeros. */
    uint32_t width;    /* Bytes of the field: 1, 2, 4 or 8. */
    uint32_t is_delta; /* 1: stored as differences from the previous record. */
} varvite_trace_field;

#define VARVITE_SPLIT_NONE 0       /* Records are stored unchanged. */
#define VARVITE_SPLIT_FIELDS 1     /* Each byte position of each field is stored in a row of its own: smaller. */
#define VARVITE_SPLIT_REFERENCES 2 /* For memory references of 12 bytes (u16 type, u16 size, u64 value), which are
                                      predicted: smallest. */

#define VARVITE_CLOCK_TICKS 0
#define VARVITE_CLOCK_UNIX_NANOSECONDS 1
#define VARVITE_CLOCK_UNIX_MICROSECONDS 2

#define VARVITE_DEFAULT_LEVEL INT32_MIN

/* Options of a trace. `size` is sizeof(varvite_trace_options). */
typedef struct varvite_trace_options {
    uint32_t size;
    uint32_t codec;        /* VARVITE_LZ4 is fast enough to record a running program; VARVITE_ZSTD makes smaller
                              traces. */
    int32_t level;         /* The compression level of the codec, or VARVITE_DEFAULT_LEVEL. */
    uint32_t block_length; /* Bytes of records in a block, from 256 bytes to 16 MiB; 0: 256 KiB. */
    uint8_t id[16];        /* The identity of the trace; no other trace should have it. */
    uint64_t anchors;      /* For VARVITE_SPLIT_REFERENCES: bit N is 1 if records of type N are instructions. */
    const char *content;   /* A name for the meaning of the records, at most 32 bytes. */
    const varvite_trace_field *fields;
    uint32_t field_count;
    uint32_t split;
    uint32_t clock;
    uint32_t is_variable; /* 1: any bytes may follow the fields of a record. */
} varvite_trace_options;

#define VARVITE_TRACE_OPTIONS_INIT                                                                                     \
    { (uint32_t)sizeof(varvite_trace_options), VARVITE_LZ4, VARVITE_DEFAULT_LEVEL, 0, { 0 }, 0, NULL, NULL, 0,         \
      VARVITE_SPLIT_FIELDS, VARVITE_CLOCK_TICKS, 0 }

/* Begins a trace and writes its header to the sink. The sink's callback and context are used until the
 * recorder ends. */
int32_t varvite_recorder_create(const varvite_sink *sink, const varvite_trace_options *options,
                                varvite_recorder **recorder, varvite_error *error);

/* Ends a trace. If a stream of the trace has not ended, fails with VARVITE_E_BUSY and changes nothing.
 * Otherwise the handle ends, even if the last bytes could not be written; the bytes that the sink took are
 * still a readable trace. */
int32_t varvite_recorder_finish(varvite_recorder *recorder, varvite_error *error);

/* Opens the stream of a thread. `thread` is any number but UINT64_MAX, and may be used once in a trace. If
 * `allocator` is NULL, the library's allocator is used. */
int32_t varvite_stream_open(const varvite_recorder *recorder, uint64_t thread, const varvite_allocator *allocator,
                            varvite_stream **stream, varvite_error *error);

/* Appends a record of `length` bytes to the stream. If the stream's block is full, the call compresses and
 * writes the block. After VARVITE_E_RECORD_LENGTH the stream takes further records; after VARVITE_E_IO or
 * VARVITE_E_TRACE_CLOSED the trace takes no more. One thread at a time runs a call on a stream; other threads
 * wait. */
int32_t varvite_stream_push(varvite_stream *stream, const void *record, uint64_t length, varvite_error *error);

/* Appends any number of records of fixed length, which lie one after the other in `records`, in one call.
 * `length` is their total number of bytes. */
int32_t varvite_stream_push_all(varvite_stream *stream, const void *records, uint64_t length, varvite_error *error);

/* Sets the time of the records that are appended next. */
int32_t varvite_stream_set_time(varvite_stream *stream, uint64_t time, varvite_error *error);

/* Writes the stream's buffered records as a block, so that a reader of the trace gets them now. */
int32_t varvite_stream_flush(varvite_stream *stream, varvite_error *error);

/* Writes the stream's buffered records and ends the handle, even after a failure. */
int32_t varvite_stream_finish(varvite_stream *stream, varvite_error *error);

#ifdef __cplusplus
}
#endif

#endif
