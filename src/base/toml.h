/*
 * Reads TOML 1.0 into the tree that json.h describes: tables are objects, dates and times are
 * strings. For assay.toml and pyproject.toml; since the latter is full of other tools' tables, all
 * that TOML allows is read.
 *
 *     const struct json *root;
 *     if (!toml_parse(text, "pyproject.toml", arena, &root, e)) ...   // "pyproject.toml:12: ..."
 *
 * Each value knows its line. Nesting over 64 and duplicate keys are refused.
 */
#ifndef BASE_TOML_H
#define BASE_TOML_H

#include "base/json.h"

bool toml_parse(struct str text, const char *name, struct arena *a, const struct json **out,
                struct err *e);

#endif
