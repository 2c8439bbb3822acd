/* The process's one mutable sink; everything else in assay passes its state by argument. */
#include "base/log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static struct {
    enum log_level level;
    log_sink_fn fn, copy;
    void *ctx, *copy_ctx;
} sink = {.level = LOG_WARN};

void log_set_level(enum log_level level)
{
    sink.level = level;
}

void log_set_sink(log_sink_fn fn, void *ctx)
{
    sink.fn = fn;
    sink.ctx = ctx;
}

void log_set_copy(log_sink_fn copy, void *ctx)
{
    sink.copy = copy;
    sink.copy_ctx = ctx;
}

const char *log_level_prefix(enum log_level level)
{
    static const char *const prefix[] = {"debug: ", "", "warning: ", "error: "};
    return prefix[level];
}

static void say(enum log_level level, const char *fmt, va_list args)
{
    bool is_shown = level >= sink.level, is_copied = sink.copy != NULL;
    char line[2000];
    if (!is_shown && !is_copied)
        return;
    vsnprintf(line, sizeof line, fmt, args);
    if (is_copied)
        sink.copy(sink.copy_ctx, level, line);
    if (is_shown && sink.fn)
        sink.fn(sink.ctx, level, line);
    else if (is_shown)
        fprintf(stderr, "assay: %s%s\n", log_level_prefix(level), line);
}

#define LOG_FUNCTION(name, level)                                                                  \
    void name(const char *fmt, ...)                                                                \
    {                                                                                              \
        va_list args;                                                                              \
        va_start(args, fmt);                                                                       \
        say(level, fmt, args);                                                                     \
        va_end(args);                                                                              \
    }

LOG_FUNCTION(log_debug, LOG_DEBUG)
LOG_FUNCTION(log_info, LOG_INFO)
LOG_FUNCTION(log_warn, LOG_WARN)
LOG_FUNCTION(log_error, LOG_ERROR)
