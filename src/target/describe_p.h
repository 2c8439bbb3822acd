/* Reading of descriptions (describe.c) for target.c. */
#ifndef TARGET_DESCRIBE_P_H
#define TARGET_DESCRIBE_P_H

#include "target/target.h"

/* Reads the list of strings at the key. */
bool describe__texts(const struct json *j, const char *key, struct arena *a, const struct str **out,
                     size_t *n, struct err *e);

#endif
