/* The later steps of normalise.c: passing names, generated identifiers, numbers. */
#ifndef JUDGE_NORMALISE_P_H
#define JUDGE_NORMALISE_P_H

#include "base/str.h"

size_t normalise__match_passing(struct str in, size_t at, struct strbuf *out);
size_t normalise__match_node_name(struct str in, size_t at, struct strbuf *out);
size_t normalise__match_generated(struct str in, size_t at, struct strbuf *out);
size_t normalise__match_number(struct str in, size_t at, struct strbuf *out);

/* normalise_text.c */
bool normalise__is_letter(char c);
bool normalise__is_word(char c); /* letter, digit or _ */
/* Byte at i, or NUL beyond both ends (i wraps below zero). */
char normalise__byte_at(struct str s, size_t i);
bool normalise__starts_word(struct str s, size_t at);
size_t normalise__run_of(struct str s, size_t at, bool (*is)(char));
/* Optional sign, digits, fraction, exponent at `at`; 0: none. */
size_t normalise__number_length(struct str in, size_t at);

#endif
