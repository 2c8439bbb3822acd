/*
 * The files of share/ and py/, compiled into the program, so that one binary runs anywhere.
 *
 *     struct str text;
 *     if (share_find("targets/ort.json", &text)) ...
 *
 * Paths are relative to share/; the Python worker is under "py/". The bytes are read-only and
 * followed by a NUL.
 */
#ifndef BASE_SHARE_H
#define BASE_SHARE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"

struct share_file {
    const char *path;
    struct str bytes;
};

bool share_find(const char *path, struct str *out);

/* Parses a file that must be there. ERR_INTERNAL: it is not; ERR_DATA: it is no JSON. */
bool share_json(const char *path, struct arena *a, const struct json **out, struct err *e);

/* All files below a folder ("rules/"), sorted by path; *n counts them. */
const struct share_file *share_list(const char *prefix, size_t *n);

#endif
