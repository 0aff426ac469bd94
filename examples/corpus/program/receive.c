#include <stdio.h>
#include "frame.h"

/* Copied from the library, with other names of variables. */
static unsigned own_sum(const unsigned char *data, unsigned count)
{
    unsigned total = 1;
    for (unsigned at = 0; at < count; at++)
        total = (total << 5 | total >> 27) ^ data[at];
    return total;
}

int receive(const unsigned char *data, unsigned count)
{
    if (!frame_is_whole(data, count, own_sum(data, count))) {
        printf("lost: %u\n", frame_sum(data, count));
        return 0;
    }
    return 1;
}
