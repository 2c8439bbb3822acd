/*
 * Injected failures for tests: FAULT=open:3 makes the third call of fault_hit("open") in this
 * process true, FAULT=open:3+ all from the third on. Without FAULT the cost is one comparison.
 * Points: open read write rename fsync (base/file), fork pipe exec (os/).
 */
#ifndef BASE_FAULT_H
#define BASE_FAULT_H

#include <stdbool.h>

/* True when the call under this name must fail; errno is set to EIO. */
bool fault_hit(const char *point);

#endif
