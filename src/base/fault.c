/* Counts calls of one named point, or of each. The count belongs to a test that sets FAULT, not to
 * assay. */
#include "base/fault.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"

static const char *const points[] = {
    "open",    "read",    "write",    "rename",  "fsync",       "mkdir",     "unlink",  "readdir",
    "mmap",    "send",    "recv",     "fork",    "pipe",        "exec",      "wait",    "commit",
    "db-open", "db-read", "db-write", "db-sync", "db-truncate", "db-delete", "db-lock", "db-map"};

static struct {
    enum { FAULT_UNREAD, FAULT_OFF, FAULT_ON, FAULT_COUNTS } mode;
    struct str point;
    uint64_t nth;
    _Atomic uint64_t own_calls[COUNT_OF(points)], *n_calls; /* n_calls: own_calls, or shared */
    bool all_after;
} fault;

/* Counts in a shared file. If that fails it ends the process: a run without the requested failure
 * must not look like a success. */
static void count_in(const char *path)
{
    void *shared = file_map_shared(path, COUNT_OF(points) * sizeof *fault.n_calls);
    if (!shared)
        abort();
    fault.n_calls = shared;
}

static void read_environment(void)
{
    struct str spec = str_of(getenv("FAULT"));
    size_t colon = str_find_byte(spec, ':');
    struct str nth = str_sub(spec, colon + 1, spec.n);
    size_t at = str_find_byte(nth, '@');
    fault.n_calls = fault.own_calls;
    if (at < nth.n)
        count_in(nth.at + at + 1);
    nth = str_sub(nth, 0, at);
    fault.all_after = str_ends(nth, STR("+"));
    nth.n -= fault.all_after;
    fault.point = str_sub(spec, 0, colon);
    fault.mode = !str_to_u64(nth, &fault.nth) ? FAULT_OFF
                 : str_is(fault.point, "*")   ? FAULT_COUNTS
                                              : FAULT_ON;
}

bool fault_is_set(void)
{
    if (fault.mode == FAULT_UNREAD)
        read_environment();
    return fault.mode != FAULT_OFF;
}

/* Counts the call among those of its point. */
static void count_call(const char *point)
{
    size_t at = 0;
    while (at < COUNT_OF(points) && strcmp(points[at], point) != 0)
        at++;
    if (at == COUNT_OF(points))
        abort(); /* a point that no test could name */
    atomic_fetch_add(&fault.n_calls[at], 1);
}

bool fault_hit(const char *point)
{
    if (!fault_is_set())
        return false;
    if (fault.mode == FAULT_COUNTS) {
        count_call(point);
        return false;
    }
    if (!str_is(fault.point, point))
        return false;
    uint64_t call = atomic_fetch_add(fault.n_calls, 1) + 1;
    bool hit = call == fault.nth || (fault.all_after && call > fault.nth);
    if (hit)
        errno = EIO;
    return hit;
}
