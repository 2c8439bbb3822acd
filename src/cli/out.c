/* The one place that writes results to stdout; a closed pipe ends the program quietly. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/command.h"

void out_put(struct str text)
{
    if (text.n && fwrite(text.at, 1, text.n, stdout) != text.n)
        exit(EXIT_INTERNAL);
}

void out_putf(const char *fmt, ...)
{
    struct strbuf text = {0};
    va_list args;
    va_start(args, fmt);
    strbuf_vprintf(&text, fmt, args);
    va_end(args);
    out_put(strbuf_str(&text));
    strbuf_done(&text);
}
