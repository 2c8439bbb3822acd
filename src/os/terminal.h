/* Is there a person in front of a stream, and how wide is their window? */
#ifndef OS_TERMINAL_H
#define OS_TERMINAL_H

#include <stdbool.h>

bool terminal_is_stdout(void);
bool terminal_is_stderr(void);
unsigned terminal_width(void); /* columns of stderr's terminal; 80 when there is none */

#endif
