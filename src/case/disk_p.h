/* Helpers for the folders of cases and of observations. */
#ifndef CASE_DISK_P_H
#define CASE_DISK_P_H

#include "base/hash.h"
#include "base/json.h"

/* Write and read unsigned 64-bit numbers, as text. */
void case__pair_u64(struct json_out *w, const char *key, uint64_t v);
bool case__need_u64(const struct json *j, const char *key, uint64_t *out, struct err *e);

void case__pair_hash(struct json_out *w, const char *key, const struct hash *h);
bool case__need_hash(const struct json *j, const char *key, struct hash *out, struct err *e);

/* Make an empty folder beside dir, and rename it to dir. */
bool case__make_partial_dir(const char *dir, struct arena *a, const char **partial, struct err *e);
bool case__replace_dir(const char *partial, const char *dir, struct err *e);

#endif
