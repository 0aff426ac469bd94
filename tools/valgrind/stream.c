/* See stream.h. */

#include "stream.h"

#include "gate.h"
#include "syscalls.h"

#include "pub_tool_clientstate.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcfile.h"
#include "pub_tool_libcproc.h"

/* The most bytes of items or runs in a message. A message must fit the buffer of a socket, which has 208 KiB
   by default. */
#define CONTENT_MAX (64 << 10)

/* The version of the stream's format. */
#define STREAM_VERSION 4

/* The time after which buffered runs are old. */
#define OLD_US 100000

/* The most bytes of a program's name in a message. */
#define NAME_MAX 4096

typedef enum { MESSAGE_ITEMS = 1, MESSAGE_RUNS = 2, MESSAGE_BEGIN = 3, MESSAGE_FORK = 4 } MessageKind;

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
/* The number of forks in this process so far. */
static UInt forks;
static Int stream_fd = -1;
static Bool has_gap;
static ULong flushed_us;
static UInt modules_left_out;

UChar* stream_cursor = runs.content;

UChar* stream_limit(void)
{
   return runs.content + CONTENT_MAX - STREAM_SLACK;
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

/* Says that this process begins. `parent` is the process that it was forked from, and `fork` the number of
   that fork there; both are 0 if the process has begun by executing a program. */
static void send_begin(UInt parent, UInt fork)
{
   UInt head[3] = { STREAM_VERSION, parent, fork };
   const HChar* name = VG_(args_the_exename) ? VG_(args_the_exename) : "";
   UInt len = VG_(strlen)(name);
   len = len < NAME_MAX ? len : NAME_MAX;
   tl_assert(items_len == 0);
   VG_(memcpy)(items.content, head, sizeof head);
   VG_(memcpy)(items.content + sizeof head, name, len);
   send_message(&items, MESSAGE_BEGIN, sizeof head + len);
}

void stream_open(Int fd)
{
   stream_fd = fd;
   process = VG_(getpid)();
   send_begin(0, 0);
}

void stream_survives_exec(Bool survives)
{
   if (stream_fd >= 0)
      survive_exec(stream_fd, survives);
}

static void send_items(void)
{
   if (items_len > 0)
      send_message(&items, MESSAGE_ITEMS, items_len);
   items_len = 0;
}

static void end(Int exit_code)
{
   UInt content[2] = { exit_code, modules_left_out };
   stream_put(ITEM_END, content, sizeof content);
   send_items();
   stream_close();
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
   flushed_us = gate_update();
   if (stream_fd >= 0 && is_asked_to_end(stream_fd))
      end(NO_EXIT_CODE);
}

void stream_flush_old(void)
{
   if (stream_cursor != runs.content && gate_time_us() - flushed_us > OLD_US)
      stream_flush();
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
   end(exit_code);
}

void stream_before_fork(void)
{
   stream_flush();
   send_items();
   forks++;
   VG_(memcpy)(items.content, &forks, sizeof forks);
   send_message(&items, MESSAGE_FORK, sizeof forks);
}

void stream_in_child(void)
{
   UInt parent = process, fork = forks;
   process = VG_(getpid)();
   sequence = 0;
   thread = 0;
   modules_left_out = 0;
   forks = 0;
   send_begin(parent, fork);
}

void stream_leave_out_module(void)
{
   modules_left_out++;
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
