/*
 * A program starts itself again inside a sandbox: as the first process of a namespace (init.h), or
 * for an escape attempt (probe.h). Every program that opens sandboxes therefore begins with
 *
 *     int code;
 *     if (inside_main(argc, argv, &code))
 *         return code;
 */
#ifndef OS_INSIDE_H
#define OS_INSIDE_H

#include <stdbool.h>

bool inside_main(int argc, char *const *argv, int *exit_code);

#endif
