/* Helpers of all layers: a state with its reason, and a descriptor with a high number. */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

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

int sandbox__keep_high(int fd)
{
    enum { HIGH = 400 };
    if (fd < 0)
        return fd;
    int high = fcntl(fd, F_DUPFD_CLOEXEC, (int)HIGH);
    close(fd);
    return high;
}
