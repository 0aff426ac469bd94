/* System calls that valgrind's headers for tools leave out. */

#ifndef VARVITE_SYSCALLS_H
#define VARVITE_SYSCALLS_H

#include "pub_tool_basics.h"

/* Sends a message through a connected socket. Waits if the reader is slower. False if the reader has gone;
   that raises no SIGPIPE, which would end the program. */
Bool send_whole(Int fd, const void* message, UInt len);

/* Whether the reader of a connected socket asks for the end: it has closed its side for writing, on which it
   sends nothing. Does not wait. */
Bool is_asked_to_end(Int fd);

/* Finds the socket with this inode: the file descriptor `fd` or, in a program that a recorded program has
   executed, one of those that are out of the reach of programs. -1 if there is none. */
Int find_socket(Int fd, ULong inode);

/* Sets whether a file descriptor stays open in programs that this one executes. */
void survive_exec(Int fd, Bool survives);

/* Moves a file descriptor out of the program's reach, and closes it in programs that this one executes.
   Returns the new descriptor. */
Int keep_from_program(Int fd);

#endif
