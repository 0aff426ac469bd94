/* See syscalls.h. The two functions declared here are part of valgrind's core; its library exports them. */

#include "syscalls.h"

#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

extern SysRes VG_(do_syscall)(UWord number, UWord, UWord, UWord, UWord, UWord, UWord, UWord, UWord);
extern Int VG_(safe_fd)(Int fd);

#define MSG_NOSIGNAL 0x4000

Bool send_whole(Int fd, const void* message, UInt len)
{
   SysRes sent;
   do
      sent = VG_(do_syscall)(__NR_sendto, fd, (UWord)message, len, MSG_NOSIGNAL, 0, 0, 0, 0);
   while (sr_isError(sent) && sr_Err(sent) == VKI_EINTR);
   return !sr_isError(sent);
}

Int keep_from_program(Int fd)
{
   return VG_(safe_fd)(fd);
}
