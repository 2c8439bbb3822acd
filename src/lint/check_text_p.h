/*
 * Texts of edit plans: a template with captured source text and names of APIs put in, and what of
 * a text holds together. Looked at as text, so that it speaks of what will stand there.
 */
#ifndef LINT_CHECK_TEXT_P_H
#define LINT_CHECK_TEXT_P_H

#include "lint/check_p.h"

struct check_expansion {
    const struct match *match;
    const struct check *check;
    uint32_t at; /* node where the text goes: what names mean there */
    struct arena *arena;
    struct str text;       /* the result */
    VEC(struct span) kept; /* places whose text stands in it */
};

/*
 * "{$x}" becomes the text of the capture, in parentheses where its neighbours in the template would
 * bind a part of it; "{@torch.zeros}" the name by which this file reaches the API ("t.zeros" after
 * `import torch as t`); "{@}" what data say of the match. False when the file has no name for it.
 */
bool check_text__expand(struct check_expansion *x, struct str text);

/* An atom with its trailers, such as `a.b(c + d)[0]`: nothing beside it binds a part of it. */
bool check_text__is_closed(struct str text);

/* A line ends outside brackets and strings. */
bool check_text__has_open_line(struct str text);

/* Would the text bind the end of an expression before it (".item()"), or the begin of one behind
 * it ("-")? */
bool check_text__binds_before(struct str text);
bool check_text__binds_behind(struct str text);

#endif
