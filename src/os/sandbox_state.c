/* A layer's state with its reason, as each layer says it. */
#include <stdarg.h>
#include <stdio.h>

#include "os/sandbox_p.h"

void sandbox__set_state(struct sandbox_layer_state *out, enum sandbox_mode mode, const char *fmt,
                        ...)
{
    va_list args;
    out->mode = mode;
    va_start(args, fmt);
    vsnprintf(out->reason, sizeof out->reason, fmt, args);
    va_end(args);
}
