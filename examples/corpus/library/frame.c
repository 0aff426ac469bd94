#include "frame.h"

static unsigned turned(unsigned sum)
{
    return sum << 5 | sum >> 27;
}

unsigned frame_sum(const unsigned char *bytes, unsigned length)
{
    unsigned sum = 1;
    for (unsigned place = 0; place < length; place++)
        sum = turned(sum) ^ bytes[place];
    return sum;
}

int frame_is_whole(const unsigned char *bytes, unsigned length, unsigned sum)
{
    return frame_sum(bytes, length) == sum;
}
