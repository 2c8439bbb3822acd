/*
 * The cache of lint: two files per set of rules and settings, that map a path and the hash of all
 * that its report depends on (its content, its place among the modules, the summaries used) to its
 * report and to its own summary. An unreadable or foreign cache file is no error: it is empty then.
 */
#ifndef LINT_CACHE_H
#define LINT_CACHE_H

#include "base/hash.h"
#include "lint/finding.h"
#include "lint/rule.h"

struct cache;

struct cache *cache_open(const char *dir, const struct rule_set *rules, const char *identity,
                         struct arena *a);
/* out, summary: NULL when not asked for; true when everything asked for is there. */
bool cache_get(const struct cache *c, struct str path, const struct hash *key, struct arena *a,
               struct file_report *out, struct str *summary);
/* r: NULL when there is none. Both are borrowed until cache_save. */
void cache_put(struct cache *c, struct str path, const struct hash *key,
               const struct file_report *r, struct str summary);
/* Writes what was put; entries that were neither asked for nor put stay. */
bool cache_save(struct cache *c, struct err *e);

#endif
