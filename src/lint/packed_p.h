/*
 * The built-in rules as the build packed them (tools/cmake/pack_rules.c): JSON that was parsed and
 * checked at build time, with the place of each value, as bytes that are read in one pass. At run
 * time only the user's own rules are JSON.
 *
 * A file is its path, the length of its value in four bytes, and the value. A value is its kind,
 * line and column, followed by nothing (null), a byte (bool), a number, a text, or a count and that
 * many values; in an object each value follows its key. Counts and places are unsigned LEB128,
 * integers LEB128 in zigzag, reals eight bytes, texts a length and bytes that end in NUL.
 */
#ifndef LINT_PACKED_P_H
#define LINT_PACKED_P_H

#include "base/hash.h"
#include "base/json.h"

/* Written at build time: all files below share/rules/, sorted by path, and a hash of their
 * texts. */
extern const unsigned char packed__bytes[];
extern const size_t packed__n_bytes;
extern const char packed__hash[];

struct packed {
    const unsigned char *at, *end;
};

struct packed packed__open(void);

/* The next file: its path as in share/, and its value for packed__value. False at the end. */
bool packed__next(struct packed *p, const char **path, struct packed *value);

/* In the arena; texts stay where they are. */
const struct json *packed__value(struct packed value, struct arena *a);

#endif
