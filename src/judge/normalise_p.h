/* The later steps of normalise.c: names that differ in each run, generated ones, numbers. */
#ifndef JUDGE_NORMALISE_P_H
#define JUDGE_NORMALISE_P_H

#include "base/str.h"

size_t normalise__match_passing(struct str in, size_t at, struct strbuf *out);
size_t normalise__match_node_name(struct str in, size_t at, struct strbuf *out);
size_t normalise__match_operands(struct str in, size_t at, struct strbuf *out);
size_t normalise__match_ill_typed(struct str in, size_t at, struct strbuf *out);
size_t normalise__match_generated(struct str in, size_t at, struct strbuf *out);
size_t normalise__match_number(struct str in, size_t at, struct strbuf *out);

/* normalise_text.c */
bool normalise__is_letter(char c);
/* The byte at i; NUL: i is outside the text (below zero it wraps). */
char normalise__byte_at(struct str s, size_t i);
bool normalise__starts_word(struct str s, size_t at);
size_t normalise__run_of(struct str s, size_t at, bool (*is)(char));
/* The length of a number (sign, digits, fraction, exponent) at `at`; 0: none. */
size_t normalise__number_length(struct str in, size_t at);

#endif
