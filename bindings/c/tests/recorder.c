/* Tests of traces that are recorded through the program's own sink and allocator. */
#include <errno.h>

#include "suite.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* A sink that keeps all bytes, or fails once `fails_at` bytes were written. */
struct kept {
    uint8_t *bytes;
    uint64_t length, capacity, fails_at;
};

static int32_t keep(void *context, const void *bytes, uint64_t length) {
    struct kept *kept = (struct kept *)context;
    if (kept->length + length > kept->fails_at || kept->length + length > kept->capacity) {
        return ENOSPC;
    }
    memcpy(kept->bytes + kept->length, bytes, length);
    kept->length += length;
    return 0;
}

/* An allocator that counts its live allocations. */
struct counted {
    uint64_t blocks, bytes, calls;
};

static void *count_alloc(void *context, size_t size) {
    struct counted *counted = (struct counted *)context;
    counted->blocks++;
    counted->calls++;
    counted->bytes += size;
    return malloc(size); /* Aligned to 16 bytes on every system where the tests run. */
}

static void count_free(void *context, void *memory, size_t size) {
    struct counted *counted = (struct counted *)context;
    counted->blocks--;
    counted->bytes -= size;
    free(memory);
}

static void *no_memory(void *context, size_t size) {
    (void)context;
    (void)size;
    return NULL;
}

static const varvite_trace_field fields[2] = {{"address", 8, 1}, {"size", 4, 0}};
enum { RECORD = 12, RECORDS = 200000, ROOM = 16 << 20 };

static varvite_trace_options trace_options(void) {
    varvite_trace_options options = VARVITE_TRACE_OPTIONS_INIT;
    options.content = "references";
    options.fields = fields;
    options.field_count = 2;
    options.id[0] = 7;
    return options;
}

static struct kept new_kept(void) {
    struct kept kept = {NULL, 0, ROOM, UINT64_MAX};
    kept.bytes = (uint8_t *)malloc(ROOM);
    CHECK(kept.bytes != NULL);
    return kept;
}

static void fill_record(uint8_t *record, uint64_t number) {
    uint64_t address = 0x7f0000000000u + number * 64;
    uint32_t size = 8;
    memcpy(record, &address, 8);
    memcpy(record + 8, &size, 4);
}

static uint64_t bytes_of_the_heap(void) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    return mallinfo2().uordblks;
#else
    return 0;
#endif
}

static void recording_takes_no_memory_but_the_callers(void) {
    varvite_error error;
    struct kept kept = new_kept();
    struct counted counted = {0, 0, 0};
    varvite_sink sink = {keep, NULL};
    varvite_allocator allocator = {count_alloc, count_free, NULL};
    varvite_trace_options options = trace_options();
    varvite_recorder *recorder = NULL;
    varvite_stream *stream = NULL;
    uint8_t record[RECORD];
    sink.context = &kept;
    allocator.context = &counted;
    DONE(varvite_recorder_create(&sink, &options, &recorder, &error));
    DONE(varvite_stream_open(recorder, 1, &allocator, &stream, &error));
    CHECK(counted.calls > 0 && counted.bytes > 256 * 1024);
    uint64_t calls = counted.calls, heap = bytes_of_the_heap();
    for (uint64_t i = 0; i < RECORDS; i++) {
        if (i % 1000 == 0) {
            CHECK(varvite_stream_set_time(stream, i, NULL) == VARVITE_OK);
        }
        fill_record(record, i);
        CHECK(varvite_stream_push(stream, record, RECORD, NULL) == VARVITE_OK);
    }
    CHECK(counted.calls == calls && bytes_of_the_heap() == heap);
    DONE(varvite_stream_flush(stream, &error));
    FAILS(VARVITE_E_BUSY, "1 open stream", varvite_recorder_finish(recorder, &error));
    DONE(varvite_stream_finish(stream, &error));
    CHECK(counted.blocks == 0 && counted.bytes == 0);
    DONE(varvite_recorder_finish(recorder, &error));
    printf("c:   %d records of %d bytes took %llu bytes\n", RECORDS, RECORD, (unsigned long long)kept.length);
    CHECK(kept.length > 1000 && kept.length < RECORDS * RECORD / 10);
    free(kept.bytes);
}

/* Without a codec and a split, the trace contains the records unchanged. */
static void what_is_pushed_is_what_is_stored(void) {
    varvite_error error;
    struct kept kept = new_kept();
    varvite_sink sink = {keep, NULL};
    varvite_trace_options options = trace_options();
    varvite_recorder *recorder = NULL;
    varvite_stream *streams[2];
    uint8_t records[100 * RECORD];
    sink.context = &kept;
    options.codec = VARVITE_NO_CODEC;
    options.split = VARVITE_SPLIT_NONE;
    for (uint64_t i = 0; i < 100; i++) {
        fill_record(records + i * RECORD, i);
    }
    DONE(varvite_recorder_create(&sink, &options, &recorder, &error));
    DONE(varvite_stream_open(recorder, 1, NULL, &streams[0], &error));
    DONE(varvite_stream_open(recorder, 2, NULL, &streams[1], &error));
    FAILS(VARVITE_E_THREAD_TAKEN, "thread 2", varvite_stream_open(recorder, 2, NULL, &streams[1], &error));
    DONE(varvite_stream_push_all(streams[1], records, sizeof records, &error));
    DONE(varvite_stream_finish(streams[1], &error));
    DONE(varvite_stream_finish(streams[0], &error));
    DONE(varvite_recorder_finish(recorder, &error));
    uint64_t at = 0;
    while (at + sizeof records <= kept.length && memcmp(kept.bytes + at, records, sizeof records) != 0) {
        at++;
    }
    CHECK(at + sizeof records <= kept.length);
    free(kept.bytes);
}

static void mistakes_are_told_and_the_stream_goes_on(void) {
    varvite_error error;
    struct kept kept = new_kept();
    varvite_sink sink = {keep, NULL}, none = {NULL, NULL};
    varvite_allocator poor = {no_memory, count_free, NULL}, half = {count_alloc, NULL, NULL};
    varvite_trace_options options = trace_options();
    varvite_recorder *recorder = NULL;
    varvite_stream *stream = NULL;
    uint8_t record[RECORD + 1] = {0};
    sink.context = &kept;
    FAILS(VARVITE_E_ARGUMENT, "'sink' must not be null", varvite_recorder_create(NULL, &options, &recorder, &error));
    FAILS(VARVITE_E_ARGUMENT, "'sink.put' must not be null", varvite_recorder_create(&none, &options, &recorder, &error));
    FAILS(VARVITE_E_ARGUMENT, "'options.content' must not be null", varvite_recorder_create(&sink, NULL, &recorder, &error));
    options.split = 9;
    FAILS(VARVITE_E_ARGUMENT, "options.split", varvite_recorder_create(&sink, &options, &recorder, &error));
    options = trace_options();
    options.block_length = 1;
    FAILS(VARVITE_E_ARGUMENT, "blocks of so many bytes", varvite_recorder_create(&sink, &options, &recorder, &error));
    options = trace_options();
    options.field_count = 0;
    FAILS(VARVITE_E_ARGUMENT, "without bytes", varvite_recorder_create(&sink, &options, &recorder, &error));
    options = trace_options();
    DONE(varvite_recorder_create(&sink, &options, &recorder, &error));
    FAILS(VARVITE_E_OUT_OF_MEMORY, "memory", varvite_stream_open(recorder, 5, &poor, &stream, &error));
    FAILS(VARVITE_E_ARGUMENT, "'allocator.free' must not be null", varvite_stream_open(recorder, 5, &half, &stream, &error));
    DONE(varvite_stream_open(recorder, 5, NULL, &stream, &error));
    FAILS(VARVITE_E_RECORD_LENGTH, "13 bytes", varvite_stream_push(stream, record, RECORD + 1, &error));
    FAILS(VARVITE_E_RECORD_LENGTH, "13 bytes", varvite_stream_push_all(stream, record, RECORD + 1, &error));
    FAILS(VARVITE_E_ARGUMENT, "'record' must not be null", varvite_stream_push(stream, NULL, RECORD, &error));
    DONE(varvite_stream_set_time(stream, 10, &error));
    FAILS(VARVITE_E_TIME_BACKWARDS, "9 after 10", varvite_stream_set_time(stream, 9, &error));
    DONE(varvite_stream_push(stream, record, RECORD, &error));
    DONE(varvite_stream_finish(stream, &error));
    FAILS(VARVITE_E_HANDLE, "released", varvite_stream_push(stream, record, RECORD, &error));
    FAILS(VARVITE_E_HANDLE, "released", varvite_stream_finish(stream, &error));
    FAILS(VARVITE_E_HANDLE, "it is one of a recorder",
          varvite_stream_flush((varvite_stream *)(void *)recorder, &error));
    DONE(varvite_recorder_finish(recorder, &error));
    FAILS(VARVITE_E_HANDLE, "released", varvite_stream_open(recorder, 6, NULL, &stream, &error));
    free(kept.bytes);
}

static void a_full_disk_closes_the_trace(void) {
    varvite_error error;
    struct kept kept = new_kept();
    varvite_sink sink = {keep, NULL};
    varvite_trace_options options = trace_options();
    varvite_recorder *recorder = NULL;
    varvite_stream *stream = NULL;
    uint8_t record[RECORD] = {0};
    int32_t status = VARVITE_OK;
    sink.context = &kept;
    options.codec = VARVITE_NO_CODEC;
    options.block_length = 4096;
    DONE(varvite_recorder_create(&sink, &options, &recorder, &error));
    DONE(varvite_stream_open(recorder, 1, NULL, &stream, &error));
    kept.fails_at = 20000;
    error = fresh_error();
    for (int i = 0; i < 10000 && status == VARVITE_OK; i++) {
        status = varvite_stream_push(stream, record, RECORD, &error);
    }
    CHECK(status == VARVITE_E_IO && error.os_number == ENOSPC && strstr(error.message, "write") != NULL);
    for (status = VARVITE_OK; status == VARVITE_OK;) {
        status = varvite_stream_push(stream, record, RECORD, NULL);
    }
    CHECK(status == VARVITE_E_TRACE_CLOSED);
    (void)varvite_stream_finish(stream, NULL);
    FAILS(VARVITE_E_TRACE_CLOSED, "no more records", varvite_recorder_finish(recorder, &error));
    CHECK(varvite_recorder_finish(recorder, NULL) == VARVITE_E_HANDLE);
    free(kept.bytes);
}

void test_recorder(void) {
    recording_takes_no_memory_but_the_callers();
    what_is_pushed_is_what_is_stored();
    mistakes_are_told_and_the_stream_goes_on();
    a_full_disk_closes_the_trace();
}
