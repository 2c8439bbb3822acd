/* Reading of descriptions (describe.c) for target.c. */
#ifndef TARGET_DESCRIBE_P_H
#define TARGET_DESCRIBE_P_H

#include "target/target.h"

/* A list of strings. */
bool describe__texts(const struct json *j, const char *key, struct arena *a, const struct str **out,
                     size_t *n, struct err *e);

#endif
