/* The gate: whether runs are sent or dropped now.

   Translated code writes runs all the time; the gate decides when the buffer is full. So a closed gate costs
   no check in translated code, and opening it needs no new translations. */

#ifndef VARVITE_GATE_H
#define VARVITE_GATE_H

#include "pub_tool_basics.h"

/* Sends runs during the first `burst_us` of each `period_us`, in microseconds. */
void gate_sample(ULong burst_us, ULong period_us);

/* Drops all runs until gate_start is called. */
void gate_await_start(void);

/* Begins to send runs. */
void gate_start(void);

/* Whether no run was sent yet, because gate_start was not called. */
Bool gate_awaits_start(void);

Bool gate_is_open(void);

/* Opens or closes the gate by the clock. Returns the time. */
ULong gate_update(void);

/* The time since 1970 in microseconds. */
ULong gate_time_us(void);

#endif
