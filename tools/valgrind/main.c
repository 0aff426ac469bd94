/* The valgrind tool of `varvite trace record`: records the instructions, loads and stores of a program.

   valgrind --tool=varvite --stream-fd=N --stream-inode=M PROGRAM */

#include "block.h"
#include "gate.h"
#include "instrument.h"
#include "modules.h"
#include "stream.h"
#include "syscalls.h"

#include "pub_tool_basics.h"
#include "pub_tool_libcassert.h"
#include "pub_tool_libcbase.h"
#include "pub_tool_libcprint.h"
#include "pub_tool_libcproc.h"
#include "pub_tool_options.h"
#include "pub_tool_tooliface.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

static Int option_fd = -1;
static ULong option_inode;
static Bool option_children;
static Bool option_instructions = True;
static Int option_burst_us, option_period_us;
static const HChar* option_function;

static Bool take_option(const HChar* arg)
{
   return VG_INT_CLO(arg, "--stream-fd", option_fd)
          || VG_INT_CLO(arg, "--stream-inode", option_inode)
          || VG_BOOL_CLO(arg, "--record-children", option_children)
          || VG_BOOL_CLO(arg, "--record-instructions", option_instructions)
          || VG_INT_CLO(arg, "--sample-burst-us", option_burst_us)
          || VG_INT_CLO(arg, "--sample-period-us", option_period_us)
          || VG_STR_CLO(arg, "--from-function", option_function);
}

static void print_usage(void)
{
   VG_(printf)("    --stream-fd=<n>                 socket to the recorder; `varvite trace record` sets it\n"
               "    --stream-inode=<n>              inode of that socket\n"
               "    --record-children=no|yes        record forked processes, and executed programs with\n"
               "                                    --trace-children=yes [no]\n"
               "    --record-instructions=no|yes    record instructions, not only accesses [yes]\n"
               "    --sample-burst-us=<n>           record for so many microseconds ..\n"
               "    --sample-period-us=<n>          .. of each period of so many [0: all the time]\n"
               "    --from-function=<name>          record from the first call of this function [the start]\n");
}

static void print_debug_usage(void)
{
   VG_(printf)("    (none)\n");
}

static void begin(void)
{
   if (option_fd < 0)
      VG_(fmsg_bad_option)("--stream-fd", "Start this tool by `varvite trace record`.\n");
   /* Without the socket, this program was executed after the recording had ended, and goes on without it. */
   Int fd = find_socket(option_fd, option_inode);
   if (fd >= 0)
      stream_open(keep_from_program(fd));
   if (!option_instructions)
      instrument_without_instructions();
   if (option_period_us > 0)
      gate_sample(option_burst_us, option_period_us);
   if (option_function) {
      instrument_from_function(option_function);
      gate_await_start();
   }
}

/* Threads. Valgrind runs one thread at a time, so one buffer serves all of them. */

static UInt kernel_ids[4096];

static UInt* kernel_id(ThreadId tid)
{
   return &kernel_ids[tid % 4096];
}

static void on_thread_runs(ThreadId tid, ULong blocks)
{
   (void)blocks;
   UInt* id = kernel_id(tid);
   if (*id == 0)
      *id = VG_(gettid)();
   stream_switch(*id);
}

static UInt threads;

static void on_thread_begins(ThreadId parent, ThreadId tid)
{
   (void)parent, (void)tid;
   threads++;
}

static void on_thread_exits(ThreadId tid)
{
   *kernel_id(tid) = 0;
   threads--;
}

/* Processes. */

/* The code of the system call that ends the process, if there was one. */
static Int exit_code = NO_EXIT_CODE;

static void before_fork(ThreadId tid)
{
   (void)tid;
   if (option_children)
      stream_before_fork();
   else
      stream_flush();
}

static void in_child(ThreadId tid)
{
   (void)tid;
   if (!option_children) {
      stream_close();
      return;
   }
   VG_(memset)(kernel_ids, 0, sizeof kernel_ids);
   threads = 1;
   stream_in_child();
   modules_send_again();
}

static Bool executes(UInt number)
{
   return number == __NR_execve || number == __NR_execveat;
}

static void before_syscall(ThreadId tid, UInt number, UWord* args, UInt args_len)
{
   (void)tid, (void)args_len;
   /* Valgrind's core tells the tool 0 at the end, whatever the program says. The process may still crash after a
      thread has exited, unless that is the last one. */
   if (number == __NR_exit_group || (number == __NR_exit && threads == 1))
      exit_code = args[0] & 0xff;
   if (!executes(number)) {
      stream_flush_old();
      return;
   }
   stream_flush();
   stream_survives_exec(option_children);
}

static void after_syscall(ThreadId tid, UInt number, UWord* args, UInt args_len, SysRes result)
{
   (void)tid, (void)args, (void)args_len, (void)result;
   /* The program could not be executed. */
   if (executes(number))
      stream_survives_exec(False);
}

static void on_discard(Addr address, VexGuestExtents extents)
{
   (void)extents;
   blocks_forget(address);
}

static void finish(Int code)
{
   (void)code;
   stream_end(exit_code);
}

static void describe_tool(void)
{
   VG_(details_name)("varvite");
   VG_(details_version)(NULL);
   VG_(details_description)("records instructions, loads and stores");
   VG_(details_copyright_author)("Copyright (C) 2026 the Varvite developers. GNU GPL, version 2 or later.");
   VG_(details_bug_reports_to)("https://github.com/varvite/varvite/issues");
   VG_(details_avg_translation_sizeB)(400);
   VG_(basic_tool_funcs)(begin, instrument, finish);
   VG_(needs_command_line_options)(take_option, print_usage, print_debug_usage);
   VG_(needs_superblock_discards)(on_discard);
   VG_(needs_syscall_wrapper)(before_syscall, after_syscall);
   VG_(track_start_client_code)(on_thread_runs);
   VG_(track_pre_thread_ll_create)(on_thread_begins);
   VG_(track_pre_thread_ll_exit)(on_thread_exits);
   VG_(atfork)(before_fork, NULL, in_child);
}

VG_DETERMINE_INTERFACE_VERSION(describe_tool)
