/*
 * struct source: the bytes of one Python file or notebook, and the position of each byte as people
 * see it.
 *
 *     struct source src;
 *     struct source_input in = {path, bytes, SOURCE_FILE};
 *     if (!source_open(&in, &limits, arena, &src, e)) ...   // too big: ERR_LIMIT
 *     ... tree_read(parser, &src, arena, &tree, e) ...           // may normalise damaged lines
 *     struct source_place p = source_place(&src, node->start);
 *
 * `raw` are the bytes as given, borrowed from the caller, who keeps them as long as the source.
 * `text` is what is parsed: the same bytes, or for a notebook the code cells joined by newlines
 * with magics blanked, or after source_normalise a repaired copy of damaged lines. All offsets in
 * trees, events and findings are offsets into `text`; only source_place and source_raw_offset map
 * them back. Any bytes are accepted: NUL, invalid UTF-8 (one byte counts as one character there),
 * any line ends (\n, \r\n, \r). All memory is in the arena given at opening.
 */
#ifndef PYTHON_SOURCE_H
#define PYTHON_SOURCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"

enum source_form { SOURCE_FILE, SOURCE_NOTEBOOK };

struct source_input {
    struct str path, bytes; /* borrowed */
    enum source_form form;
};

/* Budgets are counts, never time, so that every machine gives the same answer. 0 means the default.
 */
struct source_limits {
    uint64_t max_bytes; /* of raw; default 1 MiB */
    uint64_t max_steps; /* of the parser, in calls of its progress callback; default 4,000,000 */
    uint64_t max_arena; /* bytes held for one file; default 256 MiB */
};

struct span {
    uint32_t start, end; /* byte offsets into text, end exclusive */
};

struct span_list {
    struct span *at;
    size_t n;
};

/* A stretch of text that is a copy of raw bytes; text between two stretches was inserted. */
struct source_piece {
    uint32_t text_at, raw_at, len;
};

struct source_cell {
    uint32_t text_at, text_end; /* of the joined text */
    uint32_t number; /* from 1, as the notebook counts its code and text cells together */
};

struct source {
    struct str path;
    enum source_form form;
    struct str raw, text;
    struct source_limits limits;
    struct arena *arena;
    const uint32_t *lines; /* offset in text of each line's beginning; lines[0] == 0 */
    size_t n_lines;
    const struct source_piece *pieces; /* n_pieces == 0: text is raw */
    size_t n_pieces;
    const struct source_cell *cells; /* notebooks only */
    size_t n_cells;
    struct span_list repaired; /* text ranges that source_normalise rewrote: no fixes there */
};

/* A position as people count it. For a notebook, cell is from 1 and line counts inside it; else
 * cell is 0. */
struct source_place {
    uint32_t cell, line; /* from 1 */
    uint32_t column;     /* from 1, in characters (code points) */
    uint32_t utf16;      /* from 0, in UTF-16 units, as LSP and SARIF count */
    uint32_t offset;     /* in raw; for a notebook in the joined text */
};

/* ERR_LIMIT: over max_bytes (default when limits is NULL). ERR_DATA: not JSON, or not a
 * notebook. */
bool source_open(const struct source_input *in, const struct source_limits *limits, struct arena *a,
                 struct source *out, struct err *e);

/* Rewrites the lines that the damaged ranges touch, outside strings and comments: BOM, no-break
 * space, full-width and curly punctuation, prompts, diff markers, uniform indent, Python 2 print.
 * False when there was nothing to rewrite; text and lines are then unchanged. */
bool source_normalise(struct source *s, const struct span_list *damaged);

/* The first byte that is not UTF-8, in a file that declares no other coding: Python refuses such a
 * file. */
bool source_find_invalid(const struct source *s, struct span *out);

struct source_place source_place(const struct source *s, uint32_t offset);

/* Offset in text of a line (from 1) and a column in UTF-16 units (from 0), clamped: for editors. */
uint32_t source_offset_utf16(const struct source *s, uint32_t line, uint32_t utf16);

/* The raw byte that a text byte came from; for an inserted byte, the nearest one before it. */
uint32_t source_raw_offset(const struct source *s, uint32_t offset);

/* The line (from 1) that holds a text offset, counted over the whole text. */
uint32_t source_line_of(const struct source *s, uint32_t offset);

/* The line's bytes without its end. Line from 1. */
struct str source_line(const struct source *s, uint32_t line);

struct str source_slice(const struct source *s, struct span span);

bool source_is_repaired(const struct source *s, struct span span); /* touches a rewritten range */

/* The joined text of a notebook's code cells, with magics as they are written. Offsets are those of
 * `text`. */
bool source_join_as_written(const struct source *s, struct arena *a, struct str *out,
                            struct err *e);

/* A notebook with the joined text replaced: the JSON bytes with new cell sources, everything else
 * as it was. The offsets in `cells`, moved by the caller's edits, separate the cells. */
struct source_cell_text {
    uint32_t number;
    struct str text;
};
bool source_write_notebook(const struct source *s, const struct source_cell_text *cells,
                           size_t n_cells, struct strbuf *out, struct err *e);

#endif
