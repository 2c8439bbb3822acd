/*
 * Messages on stderr: one sink for the process, and a copy for a file. Results go to stdout, to
 * which only cli/ writes.
 *
 *     log_debug("pool: worker %d restarted", pid);
 *
 * Messages of log_set_level's level and above are shown; by default warnings and errors. The sink
 * can be replaced: the hunt's screen does so to keep messages out of its picture, tests to read
 * them.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include "base/compiler.h"

enum log_level { LOG_DEBUG, LOG_INFO, LOG_WARN, LOG_ERROR, LOG_NOTHING };

typedef void (*log_sink_fn)(void *ctx, enum log_level level, const char *line);

void log_set_level(enum log_level level);
void log_set_sink(log_sink_fn sink, void *ctx); /* NULL: back to stderr */

/* A second sink, for a file: gets every line, shown or not. NULL: none. */
void log_set_copy(log_sink_fn copy, void *ctx);

/* "warning: " and so on; "" for LOG_INFO. */
const char *log_level_prefix(enum log_level level);

void log_debug(const char *fmt, ...) PRINTF_LIKE(1, 2);
void log_info(const char *fmt, ...) PRINTF_LIKE(1, 2);
void log_warn(const char *fmt, ...) PRINTF_LIKE(1, 2);
void log_error(const char *fmt, ...) PRINTF_LIKE(1, 2);

#endif
