/* See stream.h. */

#include "stream.h"

#include "gate.h"
#include "syscalls.h"

#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"

/* The most bytes of items or runs in a message. A message must fit the buffer of a socket, which has 208 KiB
   by default. */
#define CONTENT_MAX (64 << 10)

typedef enum { MESSAGE_ITEMS = 1, MESSAGE_RUNS = 2 } MessageKind;

/* Bit 0 of a message's flags: runs before this message were not sent. */
#define FLAG_GAP 1

typedef struct {
   UInt kind;
   UInt process;
   UInt thread;
   UInt flags;
   ULong sequence;
   ULong time_us;
} MessageHead;

typedef struct {
   MessageHead head;
   UChar content[CONTENT_MAX];
} Message;

static Message items, runs;
static UInt items_len;
static UInt process, thread, sequence;
static Int stream_fd = -1;
static Bool has_gap;

UChar* stream_cursor = runs.content;

UChar* stream_limit(void)
{
   return runs.content + CONTENT_MAX - STREAM_SLACK;
}

void stream_open(Int fd)
{
   stream_fd = fd;
   process = VG_(getpid)();
}

void stream_close(void)
{
   if (stream_fd >= 0)
      VG_(close)(stream_fd);
   stream_fd = -1;
}

/* Sends a message. If the reader has gone, the program goes on without being recorded. */
static void send_message(Message* message, MessageKind kind, UInt len)
{
   if (stream_fd < 0)
      return;
   message->head.kind = kind;
   message->head.process = process;
   message->head.thread = thread;
   message->head.flags = kind == MESSAGE_RUNS && has_gap ? FLAG_GAP : 0;
   message->head.sequence = sequence++;
   message->head.time_us = gate_time_us();
   if (!send_whole(stream_fd, message, sizeof message->head + len))
      stream_close();
}

static void send_items(void)
{
   if (items_len > 0)
      send_message(&items, MESSAGE_ITEMS, items_len);
   items_len = 0;
}

void stream_flush(void)
{
   UInt len = stream_cursor - runs.content;
   Bool is_open = gate_is_open();
   tl_assert(len <= CONTENT_MAX);
   stream_cursor = runs.content;
   if (len > 0 && is_open) {
      send_items();
      send_message(&runs, MESSAGE_RUNS, len);
   }
   if (len > 0)
      has_gap = !is_open;
   gate_update();
}

void stream_switch(UInt next)
{
   if (next == thread)
      return;
   if (stream_cursor != runs.content)
      stream_flush();
   thread = next;
}

void stream_end(Int exit_code)
{
   stream_flush();
   stream_put(ITEM_END, &exit_code, sizeof exit_code);
   send_items();
   stream_close();
}

void stream_restart(void)
{
   process = VG_(getpid)();
   sequence = 0;
   thread = process;
   items_len = 0;
   stream_cursor = runs.content;
}

void stream_put(ItemKind kind, const void* content, UInt len)
{
   UInt head[2] = { kind, len };
   tl_assert(sizeof head + len <= CONTENT_MAX);
   if (items_len + sizeof head + len > CONTENT_MAX)
      send_items();
   VG_(memcpy)(items.content + items_len, head, sizeof head);
   VG_(memcpy)(items.content + items_len + sizeof head, content, len);
   items_len += sizeof head + len;
}
