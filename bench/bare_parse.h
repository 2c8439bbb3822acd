/*
 * What the linter's benches compare with: tree-sitter's Python grammar as a user of the library has
 * it, with one parser for all files, the system's malloc, and each tree deleted, without code of
 * ours.
 */
#ifndef BENCH_BARE_PARSE_H
#define BENCH_BARE_PARSE_H

#include <stdlib.h>
#include <tree_sitter/api.h>

#include "base/str.h"

const TSLanguage *tree_sitter_python(void);

static inline TSParser *bare_parser_new(void)
{
    TSParser *parser = ts_parser_new();
    if (!ts_parser_set_language(parser, tree_sitter_python()))
        abort();
    return parser;
}

static inline void bare_parse(TSParser *parser, struct str text)
{
    ts_tree_delete(ts_parser_parse_string(parser, NULL, text.at, (uint32_t)text.n));
}

#endif
