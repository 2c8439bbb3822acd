/*
 * The cache of lint: one file per set of rules and settings, that maps a path and the hash of its
 * content to its report. An unreadable or foreign cache file is no error: it is empty then.
 */
#ifndef LINT_CACHE_H
#define LINT_CACHE_H

#include "base/hash.h"
#include "lint/finding.h"
#include "lint/rule.h"

struct cache;

struct cache *cache_open(const char *dir, const struct rule_set *rules, const char *identity,
                         struct arena *a);
bool cache_get(const struct cache *c, struct str path, const struct hash *content, struct arena *a,
               struct file_report *out);
void cache_put(struct cache *c, const struct hash *content, const struct file_report *r);
/* Writes what was put; entries that were neither asked for nor put stay. */
bool cache_save(struct cache *c, struct err *e);

#endif
