/* Clocks: monotonic time for durations and deadlines, wall time only for people. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "base/str.h"

int64_t clock_now_ns(void);      /* monotonic */
int64_t clock_wall_ms(void);     /* since 1970-01-01 UTC */
int64_t clock_cpu_ns(void);      /* CPU time of this process */
void clock_sleep_ms(int64_t ms); /* for back-off in production code; tests never sleep */

/* "2026-11-21T23:32:38Z" */
void clock_format_iso(int64_t wall_ms, struct strbuf *out);

/* "01:12:04" */
void clock_format_duration(int64_t ns, struct strbuf *out);

#endif
