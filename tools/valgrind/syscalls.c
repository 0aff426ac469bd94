/* See syscalls.h. What is declared here is part of valgrind's core; its library exports it. */

#include "syscalls.h"

#include "pub_tool_libcfile.h"
#include "pub_tool_vki.h"
#include "pub_tool_vkiscnums.h"

extern SysRes VG_(do_syscall)(UWord number, UWord, UWord, UWord, UWord, UWord, UWord, UWord, UWord);
extern Int VG_(safe_fd)(Int fd);
/* The least file descriptor that programs cannot use. */
extern Int VG_(fd_hard_limit);

/* The file descriptors around this limit in which a socket is searched. An executed program begins with a
   limit that is higher by valgrind's twelve reserved descriptors, or the same. */
#define SEARCHED 64

#define MSG_DONTWAIT 0x40
#define MSG_NOSIGNAL 0x4000

Bool send_whole(Int fd, const void* message, UInt len)
{
   SysRes sent;
   do
      sent = VG_(do_syscall)(__NR_sendto, fd, (UWord)message, len, MSG_NOSIGNAL, 0, 0, 0, 0);
   while (sr_isError(sent) && sr_Err(sent) == VKI_EINTR);
   return !sr_isError(sent);
}

Bool is_asked_to_end(Int fd)
{
   UChar byte;
   SysRes got = VG_(do_syscall)(__NR_recvfrom, fd, (UWord)&byte, sizeof byte, MSG_DONTWAIT, 0, 0, 0, 0);
   return !sr_isError(got) && sr_Res(got) == 0;
}

static Bool has_inode(Int fd, ULong inode)
{
   struct vg_stat stat;
   return VG_(fstat)(fd, &stat) == 0 && stat.ino == inode;
}

Int find_socket(Int fd, ULong inode)
{
   if (has_inode(fd, inode))
      return fd;
   for (fd = VG_(fd_hard_limit) + SEARCHED; fd > VG_(fd_hard_limit) - SEARCHED && fd >= 0; fd--)
      if (has_inode(fd, inode))
         return fd;
   return -1;
}

void survive_exec(Int fd, Bool survives)
{
   VG_(do_syscall)(__NR_fcntl, fd, VKI_F_SETFD, survives ? 0 : VKI_FD_CLOEXEC, 0, 0, 0, 0, 0);
}

Int keep_from_program(Int fd)
{
   return VG_(safe_fd)(fd);
}
