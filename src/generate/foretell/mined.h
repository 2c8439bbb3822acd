/*
 * Predictors out of what a document says about a parameter (documents/parameter.h), and out of the
 * element types that a framework declares. Each abstains
 * unless the working seed keeps to the statement, which is how a statement is validated.
 */
#ifndef GENERATE_FORETELL_MINED_H
#define GENERATE_FORETELL_MINED_H

#include "generate/foretell/predict.h"

/* The name of argument `at` of the seed, from the call, the signature or the document; "": none. */
struct str situation_name(const struct situation *s, size_t at);

void predict__types(const struct situation *s, struct prediction *out);
void predict__elements(const struct situation *s, struct prediction *out);
void predict__declared(const struct situation *s, struct prediction *out);
void predict__ranges(const struct situation *s, struct prediction *out);
void predict__ranks(const struct situation *s, struct prediction *out);

#endif
