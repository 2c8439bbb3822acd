/* Queries what drawing needs to know about the terminal. */
#include "os/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

bool terminal_is_stdout(void)
{
    return isatty(STDOUT_FILENO) == 1;
}

bool terminal_is_stderr(void)
{
    return isatty(STDERR_FILENO) == 1;
}

unsigned terminal_width(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}
