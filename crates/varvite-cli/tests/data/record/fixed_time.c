/* A clock that stands still, for programs that make random numbers of the time. */
#include <time.h>

time_t time(time_t *now)
{
    if (now)
        *now = 1;
    return 1;
}
