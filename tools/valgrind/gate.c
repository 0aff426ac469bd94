/* See gate.h. */

#include "gate.h"

#include "pub_tool_libcproc.h"
#include "pub_tool_vki.h"

static ULong sample_burst_us, sample_period_us;
static ULong sample_began_us;
static Bool awaits_start;
static Bool is_pause;

void gate_sample(ULong burst_us, ULong period_us)
{
   sample_burst_us = burst_us;
   sample_period_us = period_us;
   sample_began_us = gate_time_us();
}

void gate_await_start(void)
{
   awaits_start = True;
}

void gate_start(void)
{
   awaits_start = False;
   sample_began_us = gate_time_us();
   is_pause = False;
}

Bool gate_awaits_start(void)
{
   return awaits_start;
}

Bool gate_is_open(void)
{
   return !awaits_start && !is_pause;
}

ULong gate_update(void)
{
   ULong now = gate_time_us();
   if (sample_period_us > 0)
      is_pause = (now - sample_began_us) % sample_period_us >= sample_burst_us;
   return now;
}

ULong gate_time_us(void)
{
   struct vki_timespec now;
   VG_(clock_gettime)(&now, VKI_CLOCK_REALTIME);
   return now.tv_sec * 1000000ULL + now.tv_nsec / 1000;
}
