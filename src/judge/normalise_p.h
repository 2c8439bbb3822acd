/* The later steps of normalise.c: passing names, generated identifiers, numbers. */
#ifndef JUDGE_NORMALISE_P_H
#define JUDGE_NORMALISE_P_H

#include "base/str.h"

size_t normalise__match_passing(struct str in, size_t at, struct strbuf *out);
size_t normalise__match_node_name(struct str in, size_t at, struct strbuf *out);
size_t normalise__match_generated(struct str in, size_t at, struct strbuf *out);
size_t normalise__match_number(struct str in, size_t at, struct strbuf *out);

/* Optional sign, digits, fraction, exponent at `at`; 0: none. */
size_t normalise__number_length(struct str in, size_t at);

#endif
