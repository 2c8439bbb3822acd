/* The process's one mutable sink; everything else in assay passes its state by argument. */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

static struct {
    enum log_level level;
    log_sink_fn fn;
    void *ctx;
} sink = {LOG_WARN, NULL, NULL};

void log_set_level(enum log_level level)
{
    sink.level = level;
}

void log_set_sink(log_sink_fn fn, void *ctx)
{
    sink.fn = fn;
    sink.ctx = ctx;
}

static void say(enum log_level level, const char *fmt, va_list args)
{
    static const char *const prefix[] = {"debug: ", "", "warning: ", "error: "};
    char line[2000];
    if (level < sink.level)
        return;
    vsnprintf(line, sizeof line, fmt, args);
    if (sink.fn)
        sink.fn(sink.ctx, level, line);
    else
        fprintf(stderr, "assay: %s%s\n", prefix[level], line);
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
