/*
 * struct log_file: hunt.log beside the store holds every message of the campaign with its time,
 * whatever the terminal shows. It is two files of at most 16 MB, hunt.log and hunt.log.1. A line
 * repeated at once is counted, not written. If the log cannot be written, the hunt goes on without
 * it.
 *
 *     log_file__open(&f, "out", &arena);                // from here on log_*() is kept
 *     log_file__close(&f);
 */
#ifndef HUNT_CAMPAIGN_LOG_FILE_P_H
#define HUNT_CAMPAIGN_LOG_FILE_P_H

#include <stdint.h>

#include "base/arena.h"

enum { LOG_FILE_MAX = 16 << 20, LOG_FILE_LINE_MAX = 2100 };

struct log_file {
    const char *path, *old; /* hunt.log, hunt.log.1; NULL: closed */
    uint64_t n_bytes, most; /* size of path and its limit: LOG_FILE_MAX, less in tests */
    char last[LOG_FILE_LINE_MAX];
    uint64_t n_repeats; /* how often the last line came again */
};

void log_file__open(struct log_file *f, const char *out, struct arena *a);
void log_file__close(struct log_file *f);

#endif
