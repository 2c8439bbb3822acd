/* Counts calls of one named point; the count is state of the test that set FAULT, not of assay. */
#include "base/fault.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"

static struct {
    enum { FAULT_UNREAD, FAULT_OFF, FAULT_ON } mode;
    struct str point;
    uint64_t nth, n_calls;
    bool all_after;
} fault;

static void read_environment(void)
{
    struct str spec = str_of(getenv("FAULT"));
    size_t colon = str_find_byte(spec, ':');
    struct str nth = str_sub(spec, colon + 1, spec.n);
    fault.all_after = str_ends(nth, STR("+"));
    nth.n -= fault.all_after;
    fault.point = str_sub(spec, 0, colon);
    fault.mode = str_to_u64(nth, &fault.nth) ? FAULT_ON : FAULT_OFF;
}

bool fault_hit(const char *point)
{
    if (fault.mode == FAULT_UNREAD)
        read_environment();
    if (fault.mode == FAULT_OFF || !str_is(fault.point, point))
        return false;
    fault.n_calls++;
    bool hit = fault.n_calls == fault.nth || (fault.all_after && fault.n_calls > fault.nth);
    if (hit)
        errno = EIO;
    return hit;
}
