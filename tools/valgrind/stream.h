/* The stream of messages to the process that records. stream-format.md describes its bytes. Recorded children
   of a process write to the same stream; each message has the number of its process.

   Translated code writes runs of blocks straight into the buffer of runs: it loads `stream_cursor`, stores
   behind it, and moves it. Everything else goes through functions, into the buffer of control items. The
   control items of a message come before the runs, so the reader knows each block before it runs. */

#ifndef VARVITE_STREAM_H
#define VARVITE_STREAM_H

#include "pub_tool_basics.h"

/* The kinds of control items. */
typedef enum {
   ITEM_BLOCK = 2,
   ITEM_FORGET = 3,
   ITEM_MODULE = 4,
   ITEM_END = 5
} ItemKind;

/* The most bytes of runs that a translated superblock may write after it has checked `stream_limit`. */
#define STREAM_SLACK (32 << 10)

/* The exit code of a program that has not ended, or that a signal has ended. */
#define NO_EXIT_CODE (-1)

/* Where translated code writes the next run. */
extern UChar* stream_cursor;

/* The last place of the cursor at which a superblock may begin. */
UChar* stream_limit(void);

/* Opens the stream, and says that this process begins to run a program. `fd` is a connected socket that keeps
   the borders of messages. */
void stream_open(Int fd);

/* Whether programs that this one executes keep the stream open. */
void stream_survives_exec(Bool survives);

/* Sends the buffered items and runs; called when the buffer of runs is full. */
void stream_flush(void);

/* Sends the buffered items and runs, if the last ones were sent long ago. A system call may last for long, and
   the process may be killed meanwhile. */
void stream_flush_old(void);

/* Adds a control item. */
void stream_put(ItemKind kind, const void* content, UInt len);

/* Counts a mapped file that is not sent. The last item has the number of these. */
void stream_leave_out_module(void);

/* Names the thread of the runs that follow, by the number that the kernel gave it. */
void stream_switch(UInt thread);

/* Sends everything and the last item. */
void stream_end(Int exit_code);

/* Closes the stream, in a process that is not recorded or whose reader has gone. Runs are then dropped. */
void stream_close(void);

/* Says that this process forks, so that the child can go on with the blocks that were described until now. */
void stream_before_fork(void);

/* Says in the child that it has begun. */
void stream_in_child(void);

#endif
