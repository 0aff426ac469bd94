/* The files that are mapped into the program. They are sent when code of an unknown file is translated, so
   also when the program loads a library, or maps another file at the same address. */

#ifndef VARVITE_MODULES_H
#define VARVITE_MODULES_H

#include "pub_tool_basics.h"

/* Sends the mapped files that are new, if the one with this address is. If the address belongs to no file any
   more, sends that. */
void modules_see(Addr address);

/* Sends all mapped files, in a new process. */
void modules_send_again(void);

#endif
