/*
 * The cache of lint: two files per set of rules and settings. They map a path, with the hash of all
 * that its report depends on (its content, its place among the modules, the summaries used), to its
 * report and its own summary. A cache file that cannot be read, or is none, counts as empty.
 */
#ifndef LINT_CACHE_H
#define LINT_CACHE_H

#include "base/hash.h"
#include "lint/finding.h"
#include "lint/rule.h"

struct cache;

struct cache *cache_open(const char *dir, const struct rule_set *rules, const char *identity,
                         struct arena *a);
/* out, summary: NULL when not wanted. True when all that is wanted is there. */
bool cache_get(const struct cache *c, struct str path, const struct hash *key, struct arena *a,
               struct file_report *out, struct str *summary);
/* r: NULL when there is none. Both are borrowed until cache_save. */
void cache_put(struct cache *c, struct str path, const struct hash *key,
               const struct file_report *r, struct str summary);
/* Writes what was put; entries that were neither queried nor put stay. */
bool cache_save(struct cache *c, struct err *e);

#endif
