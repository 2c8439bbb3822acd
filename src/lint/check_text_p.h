/*
 * Texts of edit plans: fills a template with captured source text and names of APIs, and tells
 * which texts need parentheses. Works on the new text alone, which has no tree yet.
 */
#ifndef LINT_CHECK_TEXT_P_H
#define LINT_CHECK_TEXT_P_H

#include "lint/check_p.h"

struct check_expansion {
    const struct match *match;
    const struct check *check;
    uint32_t at; /* node that the text replaces: scope for names */
    struct arena *arena;
    struct str text;       /* the result */
    VEC(struct span) kept; /* places whose text it copies */
};

/*
 * "{$x}" becomes the text of the capture, in parentheses where its neighbours in the template would
 * bind a part of it. "{@torch.zeros}" becomes the name by which this file reaches the API
 * ("t.zeros" after `import torch as t`); "{@}" what the data say of the match. False when the file
 * has no name for an API.
 */
bool check_text__expand(struct check_expansion *x, struct str text);

/* An atom with its trailers, such as `a.b(c + d)[0]`: nothing beside it binds a part of it. */
bool check_text__is_closed(struct str text);

/* Is there a line end outside brackets and strings? */
bool check_text__has_open_line(struct str text);

/* Would the text bind only the end of an expression before it (".item()"), or only the beginning of
 * one after it ("-")? */
bool check_text__binds_before(struct str text);
bool check_text__binds_behind(struct str text);

#endif
