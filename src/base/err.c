/* Error texts have a bounded size, so that reporting a failure cannot fail. */
#include "base/err.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    int exit_code;
} codes[] = {
#define ERR(name, exit_code, meaning) {#name, exit_code},
#include "base/err.def"
#undef ERR
};

void err__set(struct err *e, enum err_code code, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    e->code = code;
    vsnprintf(e->text, sizeof e->text, fmt, args);
    va_end(args);
}

void err__wrap(struct err *e, const char *fmt, ...)
{
    struct err outer = {e->code, ""};
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(outer.text, sizeof outer.text, fmt, args);
    va_end(args);
    if (n >= 0 && (size_t)n < sizeof outer.text)
        snprintf(outer.text + n, sizeof outer.text - (size_t)n, ": %s", e->text);
    *e = outer;
}

void err__errno(struct err *e, enum err_code code, const char *fmt, ...)
{
    const char *why = strerror(errno);
    va_list args;
    va_start(args, fmt);
    e->code = code;
    int n = vsnprintf(e->text, sizeof e->text, fmt, args);
    va_end(args);
    if (n >= 0 && (size_t)n < sizeof e->text)
        snprintf(e->text + n, sizeof e->text - (size_t)n, ": %s", why);
}

void err_clear(struct err *e)
{
    e->code = ERR_NONE;
    e->text[0] = '\0';
}

const char *err_code_name(enum err_code code)
{
    return codes[code].name;
}

int err_exit_code(enum err_code code)
{
    return codes[code].exit_code;
}
