/* Adds the code that records runs to each superblock that valgrind translates. */

#ifndef VARVITE_INSTRUMENT_H
#define VARVITE_INSTRUMENT_H

#include "pub_tool_basics.h"
#include "pub_tool_tooliface.h"

/* Leaves instructions out of descriptions; only loads and stores are recorded. */
void instrument_without_instructions(void);

/* Calls gate_start whenever the function of this name begins. */
void instrument_from_function(const HChar* name);

/* The function that valgrind calls for each superblock. */
IRSB* instrument(VgCallbackClosure* closure, IRSB* in, const VexGuestLayout* layout,
                 const VexGuestExtents* extents, const VexArchInfo* host, IRType guest_word,
                 IRType host_word);

#endif
